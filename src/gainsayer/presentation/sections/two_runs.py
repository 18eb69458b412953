"""Which of two runs is better, and what would settle it?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.presentation.comparison_figures import find_part, inner_interval, topic_differences, winner_record
from gainsayer.presentation.content import KeyNumber, NamedTable, Section, Sentence
from gainsayer.presentation.figures.topic_dots import SAME
from gainsayer.presentation.figures.words import counted, shortened, signed
from gainsayer.presentation.records import Record
from gainsayer.presentation.sections.runs import WORTH_SHORTENING, shorten
from gainsayer.presentation.tables import Column, Table, show_number

POWER = 0.8
DIFFERENCES = (0.05, 0.03, 0.02, 0.01)
_MOST_TOPICS = 10_000_000


def pair_facts(comparison: Comparison, best_case: Sequence[float] | None = None) -> Record:
    """What the sentences about two runs are made of; `a` is the one that scores higher.

    Args:
        comparison: of two runs.
        best_case: each run's score if its unjudged documents were of the top grade; None where nobody looked.
    """
    part = find_part(comparison)
    record = winner_record(comparison, part)
    dots = topic_differences(comparison, part)
    won, lost, same = dots.counts
    a, b = (comparison.runs.index(record[side]) for side in ("a", "b"))
    order = dots.order()
    low, high = record["interval"] or (None, None)
    narrow = inner_interval(part, reverse=record["a"] != comparison.runs[0])
    value = part.standings.value
    facts: Record = {
        "a": record["a"],
        "b": record["b"],
        "measure": str(part.measure),
        "topics": len(comparison.topics),
        "score a": float(value[a]),
        "score b": float(value[b]),
        "difference": record["difference"],
        "difference from": low,
        "difference to": high,
        "narrow from": narrow[0],
        "narrow to": narrow[1],
        "margin": comparison.margin,
        "p": record["p"],
        "verdict": record["verdict"],
        "won": won,
        "lost": lost,
        "same": same,
        "clearest win": dots.topics[order[0]],
        "clearest win by": dots.differences[order[0]],
        "clearest loss": dots.topics[order[-1]],
        "clearest loss by": dots.differences[order[-1]],
        "shorter with exact grades": shorten(part.pair_shares),
    }
    if len(dots.topics) > 1:
        facts["without clearest win"] = float(np.mean(np.delete(dots.differences, order[0])))
    facts |= _gap_facts(comparison, part, (a, b), best_case)
    spread = float(np.std(dots.differences, ddof=1)) if len(dots.topics) > 1 else 0.0
    return facts | {f"topics for {size:g}": topics_needed(spread, size) for size in DIFFERENCES}


def topics_needed(spread: float, difference: float, *, level: float = 0.05, power: float = POWER) -> int | None:
    """How many topics a paired t test needs to find a true difference with this power; None beyond ten million.

    The smallest n with `n >= ((t(1 - level/2) + t(power)) spread / difference)²`, both quantiles with n - 1 degrees of
    freedom; `spread` is the standard deviation of the differences over topics. Within one topic of the exact
    calculation by the noncentral t distribution.

    >>> topics_needed(0.16, 0.05), topics_needed(0.0, 0.05)
    (83, 2)
    """
    from scipy.special import stdtrit

    def is_enough(topics: int) -> bool:
        reach = float(stdtrit(topics - 1, 1 - level / 2) + stdtrit(topics - 1, power))
        return topics >= (reach * spread / difference) ** 2

    high = 2
    while not is_enough(high):
        high *= 2
        if high > _MOST_TOPICS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def say_two(facts: Record) -> tuple[str, str, tuple[Sentence, ...]]:
    """Badge, headline and lead of two runs."""
    a, b = shortened(facts["a"]), shortened(facts["b"])
    size, words = f"{abs(facts['difference']):.3f}", facts["verdict"].split(", ")
    margin = "" if facts["margin"] is None else f"{facts['margin']:g}"
    if facts["difference from"] is None:
        lead = Sentence(f"{a} scores {size} higher than {b}, but no interval can be given.", a)
        return "Undecided", "Which of the two is better is still open.", (lead,)
    low, high = signed(facts["difference from"]), signed(facts["difference to"])
    between = f"With other topics and assessors the difference would lie between {low} and {high}"
    if "better" in words or "worse" in words:
        if "equivalent" in words:
            inside = f"{signed(facts['narrow from'])} to {signed(facts['narrow to'])}"
            return (
                "Better, by too little to matter",
                f"{a} is better, by too little to matter.",
                (
                    Sentence(f"It scores {size} higher than {b}. {between}.", b),
                    Sentence(
                        f"9 times in 10 it would lie from {inside}, within the {margin} that you called too "
                        "small to matter."
                    ),
                ),
            )
        sure = ""
        if facts["margin"] is not None:
            more = facts["difference from"] > facts["margin"]
            sure = (
                f", more than the {margin} that you called too small to matter"
                if more
                else f"; whether it is more than the {margin} that you called too small to matter is not certain"
            )
        return "Better", f"{a} is better.", (Sentence(f"It scores {size} higher than {b}. {between}{sure}.", b),)
    if "equivalent" in words:
        return (
            "Equivalent",
            "The two runs are equivalent: take the cheaper one.",
            (
                Sentence(
                    f"{a} and {b} differ by {size}. 9 times in 10, with other topics and assessors, the "
                    "difference would "
                    f"lie between {signed(facts['narrow from'])} and {signed(facts['narrow to'])}, all of it "
                    "within the "
                    f"{margin} that you called too small to matter.",
                    a,
                ),
            ),
        )
    wide = (
        f"{a} scores {size} higher than {b}, but with other topics and assessors the difference could lie "
        f"anywhere from {low} to {high}."
    )
    if "no worse" in words:
        return (
            "No worse",
            f"{a} is no worse than {b}; whether it is better is open.",
            (
                Sentence(wide, a),
                Sentence(
                    f"It is not worse by as much as {margin}, which you called the smallest difference that matters."
                ),
            ),
        )
    also = "" if facts["margin"] is None else ", and too wide to call the two equivalent"
    return (
        "Undecided",
        "Which of the two is better is still open.",
        (Sentence(wide, a), Sentence(f"That is too wide to call it better{also}.")),
    )


def two_numbers(facts: Record) -> list[KeyNumber]:
    """Scores, topics won and lost, unjudged documents, topics that would be needed."""
    a = shortened(facts["a"])
    numbers = [
        KeyNumber(f"{facts['score a']:.3f}", f"and {facts['score b']:.3f}", "scores of the two runs"),
        KeyNumber(
            f"{facts['won']:,} : {facts['lost']:,}", f"{facts['same']:,} the same", f"topics won and lost by {a}"
        ),
    ]
    if facts["topics for 0.02"] is not None:
        numbers.append(
            KeyNumber(
                f"{facts['topics for 0.02']:,}", f"there are {facts['topics']:,}", "topics to find a difference of 0.02"
            )
        )
    if facts["places"]:
        numbers.append(
            KeyNumber(
                f"{facts['unjudged a']:,}",
                f"and {facts['unjudged b']:,}, of {facts['places']:,} each",
                f"unjudged documents in the two top {facts['depth']}s",
            )
        )
    return numbers


def two_steps(facts: Record) -> tuple[str, list[Sentence]]:
    """What would settle it, or what could still change it; the cheapest first."""
    decided = facts["verdict"] != "undecided"
    steps = [*([] if not decided else _nothing(facts)), *_judge_gaps(facts)]
    if not decided:
        needed = [(size, facts[f"topics for {size:g}"]) for size in DIFFERENCES[:2]]
        said = ", ".join(
            f"of {size:g} takes {many:,}" for size, many in needed if many is not None and many > facts["topics"]
        )
        if said:
            start = "Then add topics." if steps else "Add topics."
            steps.append(Sentence(f"{start} To find a true difference {said}; there are {facts['topics']:,}.", start))
    if "without clearest win" in facts:
        without, name = facts["without clearest win"], shortened(facts["clearest win"])
        if without * facts["difference"] < 0 and not decided:
            steps.append(
                Sentence(
                    f"Read one topic. Without \u201c{name}\u201d the mean is {signed(without)}: a single topic "
                    "decides who is ahead.",
                    "Read one topic.",
                )
            )
        elif decided and without * facts["difference"] > 0:
            steps.append(
                Sentence(
                    f"No single topic decides it. Without the clearest win the difference is still {signed(without)}.",
                    "No single topic decides it.",
                )
            )
    shorter = facts["shorter with exact grades"]
    if "judge next" in facts and not decided:
        steps.append(Sentence(f"Judge next: {facts['judge next']}", "Judge next:"))
    elif shorter is not None and not decided:
        steps.append(
            Sentence(
                "Second judgments would not help: they move both runs much alike.", "Second judgments would not help:"
            )
            if shorter < WORTH_SHORTENING
            else Sentence(
                f"Add second judgments, too. Exact grades would shorten the line by {100 * shorter:.0f} of 100 parts.",
                "Add second judgments, too.",
            )
        )
    if "equivalent" in facts["verdict"]:
        least = max(abs(facts["narrow from"]), abs(facts["narrow to"]))
        steps.append(
            Sentence(
                f"The answer depends on your {facts['margin']:g}. Below {least:.3f} it would not be "
                "\u201cequivalent\u201d.",
                f"The answer depends on your {facts['margin']:g}.",
            )
        )
    return "What could still change it" if decided else "What would settle it", steps


def topics_section(comparison: Comparison, facts: Record) -> Section:
    """Topics won and lost, one by one."""
    won, lost, same = facts["won"], facts["lost"], facts["same"]
    start = f"{won:,} won, {lost:,} lost, {same:,} the same"
    said = f"{start} (within {SAME:g})."
    if won:
        said += (
            f" The clearest win is \u201c{shortened(facts['clearest win'])}\u201d, {signed(facts['clearest win by'])}"
        )
        said += "" if lost else "."
    if lost:
        loss = f"clearest loss \u201c{shortened(facts['clearest loss'])}\u201d, {signed(facts['clearest loss by'])}."
        said += f"; the {loss}" if won else f" The {loss}"
    table = topic_differences(comparison, find_part(comparison)).table()
    return Section(
        "topics-won",
        "Which topics were won and lost?",
        Sentence(said, start),
        tables=(NamedTable("topic-scores", table),),
        facts={**facts, "tie": SAME},
    )


def power_section(facts: Record) -> Section:
    """Topics that it would take to find a difference."""
    sizes = [size for size in DIFFERENCES if facts[f"topics for {size:g}"] is not None]
    said = "; ".join(f"of {size:g}, {facts[f'topics for {size:g}']:,}" for size in sizes[:3])
    columns = (
        Column("difference", "True difference", show_number(2)),
        Column("topics", "Topics needed", show_number(0)),
    )
    rows = tuple((size, facts[f"topics for {size:g}"]) for size in sizes)
    return Section(
        "topics-needed",
        "How many topics would it take?",
        Sentence(
            f"To find a true difference {said} topics. There are {facts['topics']:,}.",
            f"{facts[f'topics for {sizes[0]:g}']:,}" if sizes else "",
        ),
        ("As far as the topics to come are like these, and in 8 of 10 such trials.",),
        tables=(NamedTable("power", Table("Topics needed to find a difference of this size", columns, rows)),),
        facts=facts,
    )


def second_section(facts: Record) -> Section | None:
    """Whether more second judgments would help; None where no grades were estimated."""
    shorter = facts["shorter with exact grades"]
    if shorter is None:
        return None
    word = "Yes" if shorter >= WORTH_SHORTENING else "Hardly" if round(100 * shorter) else "No"
    how = (
        "leave the line above as long as it is"
        if not round(100 * shorter)
        else f"shorten the line above by {100 * shorter:.0f} of 100 parts"
    )
    return Section(
        "second-judgments",
        "Would more second judgments help?",
        Sentence(f"{word}: knowing exactly what each grade is worth would {how}.", f"{word}:"),
        ("Both runs are scored with the same worth of grades, so an error in these moves both much alike.",),
        facts={"shorter with exact grades": shorter},
    )


def _gap_facts(
    comparison: Comparison, part: RunComparison, places: tuple[int, int], best_case: Sequence[float] | None
) -> Record:
    """Unjudged documents of both runs down to the measure's depth, and what they could change."""
    depth = part.measure.depth
    whole = 0 if depth is None else depth * len(comparison.topics)
    shares = np.nan_to_num(comparison.scores.unjudged[part.measure])
    facts: Record = {"depth": depth, "places": whole}
    for side, at in zip("ab", places, strict=True):
        facts[f"unjudged {side}"] = round(float(shares[at]) * whole)
    if best_case is not None:
        a, b = places
        value = part.standings.value
        facts |= {
            "highest difference": best_case[a] - float(value[b]),
            "lowest difference": float(value[a]) - best_case[b],
        }
    return facts


def _judge_gaps(facts: Record) -> list[Sentence]:
    a, b = facts["unjudged a"], facts["unjudged b"]
    if not a + b or "highest difference" not in facts:
        return []
    start = f"Judge {counted(a + b, 'document')} first."
    who = shortened(facts["a"] if a else facts["b"])
    where = (
        f"{a:,} and {b:,} in the two top {facts['depth']}s are unjudged and count as worthless."
        if a and b
        else f"They stand unjudged in the top {facts['depth']}s of {who} and count as worthless."
    )
    if a and b:
        worst = (
            f"In the extreme they move the difference to {signed(facts['lowest difference'])} or "
            f"{signed(facts['highest difference'])}."
        )
    else:
        end = facts["highest difference"] if a else facts["lowest difference"]
        worst = f"Were they as good as the top grade, the difference would be {signed(end)}."
    return [Sentence(f"{start} {where} {worst}", start)]


def _nothing(facts: Record) -> list[Sentence]:
    if "better" not in facts["verdict"]:
        return []
    p = "p below 0.001" if facts["p"] < 0.001 else f"p = {facts['p']:.3f}"
    start = "Nothing more is needed to say \u201cbetter\u201d."
    return [Sentence(f"{start} {p}; it wins {counted(facts['won'], 'topic')} and loses {facts['lost']:,}.", start)]
