"""Topics and documents of the made-up study: (question, what the user wants, documents as (grade, title, text))."""

from __future__ import annotations

from typing import Final

TOPICS: Final[tuple[tuple[str, str, tuple[tuple[int, str, str], ...]], ...]] = (
    (
        "do goldfish grow",
        "Someone has bought a goldfish and a small tank for a child. They want to know whether the fish will grow, how "
        "large, and so whether they will need a larger tank. Rough figures are enough.",
        (
            (
                3,
                "How big do goldfish get?",
                "A goldfish in a small bowl rarely grows longer than 5 to 7 cm, because "
                "poor water slows its growth. In a tank of 75 litres or more the common goldfish reaches 15 to 20 cm "
                "within a few years, and in a pond it can exceed 30 cm.\n\nGrowth is fastest in the first year. If you "
                "buy a fish of 4 cm, plan for a tank that will still suit it at four times that length.",
            ),
            (
                2,
                "Do goldfish grow to fit their tank?",
                "It is often said that goldfish stop growing when they fill "
                "their tank. They do not: with frequent water changes a goldfish will outgrow a small tank.",
            ),
            (
                1,
                "Setting up a first aquarium",
                "Rinse the gravel, fill the tank, and run the filter for a week before "
                "you add fish. Goldfish produce more waste than most fish of their size and need a strong filter.",
            ),
            (
                1,
                "Goldfish breeds at a glance",
                "<h3>Breeds</h3><table><tr><th>Breed</th><th>Tail</th></tr><tr>"
                "<td>Comet</td><td>long, single</td></tr><tr><td>Fantail</td><td>double</td></tr><tr><td>Oranda</td>"
                "<td>double, with a hood</td></tr></table><p>All of them descend from a carp.</p>",
            ),
            (
                0,
                "Goldfish crackers, nutrition facts",
                "One serving of 55 pieces contains 140 calories, 5 g of fat and 250 mg of sodium.",
            ),
            (
                2,
                "Why is my goldfish so small?",
                "Small tanks, cold water and little food keep goldfish small. A "
                "healthy one gains two to three centimetres in its first year.",
            ),
        ),
    ),
    (
        "why does bread go stale",
        "The user bakes at home and wonders what happens inside a loaf as it ages, and how to slow it down.",
        (
            (
                3,
                "Staling is not drying",
                "Bread goes stale mostly because its starch crystallises again: water moves "
                "from the crumb into the crystals, and the crumb turns firm. It happens fastest just above freezing, "
                "so a refrigerator makes it worse. Freezing stops it; warming to 60 degrees undoes some of it.",
            ),
            (
                2,
                "How to keep a loaf fresh",
                "Keep it at room temperature, cut side down, wrapped in cloth. Do not put "
                "it into the refrigerator. Freeze what you will not eat within two days.",
            ),
            (
                1,
                "Ten things to do with old bread",
                "French toast, bread soup, croutons, crumbs for frying, and a pudding with apples.",
            ),
            (0, "Bread, the band", "The band made soft rock in the seventies and had a number one hit with a ballad."),
            (
                2,
                "Retrogradation of starch",
                "On cooling, amylose and amylopectin realign into an ordered structure and "
                "expel water. This accounts for most of the firming of bread over several days.",
            ),
            (
                1,
                "A history of the baker's trade",
                "Bakers worked at night so that bread was fresh in the morning, as it did not keep.",
            ),
        ),
    ),
    (
        "can you see the great wall from space",
        "A parent wants to answer a child's question in a sentence or two, with a reason.",
        (
            (
                3,
                "A wall too thin to see",
                "No. The wall is thousands of kilometres long but only some six metres wide "
                "and has the colour of the ground around it. From a low orbit it would be like seeing a hair from two "
                "metres away; astronauts who looked for it did not find it without a camera.",
            ),
            (
                2,
                "What astronauts see",
                "Cities at night, airports, dams, ships' wakes and large fields can be made out "
                "from orbit. The wall can be photographed with a long lens when snow lies along it.",
            ),
            (
                1,
                "Building the wall",
                "Most of what stands today was built under the Ming dynasty, of stone and brick, "
                "by soldiers and peasants.",
            ),
            (0, "Tours to the wall", "Half-day tours leave daily at eight. Lunch is included."),
            (
                2,
                "Popular mistakes about the sky",
                "The moon is no larger at the horizon; the seasons do not come from "
                "the distance to the sun; and nobody sees the Great Wall from the moon.",
            ),
            (
                1,
                "How high do satellites fly?",
                "The space station circles at 400 kilometres, navigation satellites "
                "at 20,000, and television satellites at 36,000.",
            ),
        ),
    ),
    (
        "how to stop hiccups",
        "The user has hiccups now and wants something to try at once, without buying anything.",
        (
            (
                3,
                "Six things to try now",
                "Hold your breath for ten seconds, three times. Swallow a spoonful of sugar. "
                "Drink a glass of water without a pause, leaning forward. Pull your knees to your chest for two "
                "minutes. If hiccups last two days, see a doctor.",
            ),
            (
                2,
                "What a hiccup is",
                "The diaphragm contracts by itself and the vocal cords snap shut. Whatever makes "
                "you breathe slowly, or stirs the throat, may break the rhythm.",
            ),
            (1, "Records that nobody wants", "A farmer hiccupped for sixty-eight years and lived an ordinary life."),
            (0, "Hiccup, the dragon rider", "The hero of the film befriends a dragon that he was meant to kill."),
            (1, "Hiccups in babies", "Babies hiccup before they are born. It does not hurt them, and it passes."),
            (
                2,
                "A cure in a study",
                "Drinking through a stiff straw with a valve ended hiccups in nine of ten trials. "
                "A plain straw and a closed ear do nearly the same, people report.",
            ),
        ),
    ),
    (
        "difference between weather and climate",
        "A pupil needs two or three sentences for homework, with an example.",
        (
            (
                3,
                "Weather and climate",
                "Weather is what the air does today: rain, wind, twelve degrees. Climate is what "
                "it does on average over thirty years. A cold winter is weather; winters that grow milder for decades "
                "are a change of climate.",
            ),
            (2, "Climate in one sentence", "Climate is what you expect, weather is what you get."),
            (
                1,
                "How forecasts are made",
                "Balloons, satellites and stations feed models that step forward in time. "
                "After ten days the result is hardly better than the average for the season.",
            ),
            (0, "A change of climate in the office", "After the merger the mood changed, and several people left."),
            (1, "المناخ والطقس", "الطقس هو حالة الجو اليوم، والمناخ هو متوسط الطقس خلال ثلاثين سنة."),
            (
                2,
                "Questions for year seven",
                "Is 'it snowed on Monday' weather or climate? Is 'Lisbon has mild winters'? Answers: weather; climate.",
            ),
        ),
    ),
    (
        "what is a fair price for a used bicycle",
        "Somebody wants to sell an ordinary city bicycle, five years old, and has no idea what to ask.",
        (
            (
                3,
                "What is it worth?",
                "As a rule an ordinary bicycle loses a third of its price in the first year and a "
                "tenth in each year after. One that cost 600 and is five years old sells for 200 to 250, less if "
                "tyres, chain or brakes are due.",
            ),
            (
                2,
                "Selling a bicycle: a list",
                "Clean it, pump the tyres, photograph it from the right, and name what is "
                "worn. Look what others ask for the same model, and expect to get a fifth less.",
            ),
            (1, "Renting or buying?", "Whoever rides twice a week or more does better with a bicycle of their own."),
            (
                0,
                "Fair trade bicycles",
                "A cooperative builds frames of bamboo and pays its members above the usual wage.",
            ),
            (
                2,
                "Second-hand prices, a table",
                "<table><tr><th>Age</th><th>City bicycle</th><th>Racing bicycle</th></tr>"
                "<tr><td>1 year</td><td>65 %</td><td>70 %</td></tr><tr><td>3 years</td><td>50 %</td><td>55 %</td></tr>"
                "<tr><td>6 years</td><td>35 %</td><td>35 %</td></tr></table>",
            ),
            (1, "Stolen bicycles", "Check the frame number in the register before you buy a used bicycle."),
        ),
    ),
)
