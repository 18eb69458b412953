"""Which of two runs is better, and what would settle it?"""

from __future__ import annotations

from gainsayer.commands.compare_records import WORTH_SHORTENING, find_part
from gainsayer.commands.figures.topic_dots import SAME, TopicDifferences
from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.commands.records import Record
from gainsayer.commands.verdict import DIFFERENCES
from gainsayer.comparison.results import Comparison
from gainsayer.reports.content import KeyNumber, NamedTable, Section
from gainsayer.words import Sentence, counted, shortened, signed


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
                f"unjudged documents in the top {facts['depth']} of the two runs",
            )
        )
    return numbers


def two_steps(facts: Record) -> tuple[str, list[Sentence]]:
    """What would settle it, or what could still change it; the cheapest first."""
    decided = facts["verdict"] != "undecided"
    steps = [*([] if not decided else _nothing(facts)), *_judge_gaps(facts)]
    if not decided:
        needed = [(size, facts[f"topics for {size:g}"]) for size in DIFFERENCES[:2]]
        missing = [(size, many) for size, many in needed if many is not None and many > facts["topics"]]
        if missing:
            start = "Then add topics." if steps else "Add topics."
            said = ", ".join(f"one of {size:g} takes {many:,}" for size, many in missing[1:])
            size, many = missing[0]
            more = f", {said}" if said else ""
            steps.append(
                Sentence(
                    f"{start} It takes {many:,} to find a true difference of {size:g}{more}; there are "
                    f"{facts['topics']:,}.",
                    start,
                )
            )
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
    table = TopicDifferences.of(comparison, find_part(comparison)).table()
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
        tables=(NamedTable("power", from_rows("Topics needed to find a difference of this size", columns, rows)),),
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


def _judge_gaps(facts: Record) -> list[Sentence]:
    a, b = facts["unjudged a"], facts["unjudged b"]
    if not a + b or "highest difference" not in facts:
        return []
    start = f"Judge {'up to ' if a and b else ''}{counted(a + b, 'document')} first."
    who = shortened(facts["a"] if a else facts["b"])
    where = (
        f"{a:,} and {b:,} in the top {facts['depth']} of the two runs are unjudged and count as worthless."
        if a and b
        else f"They stand unjudged in the top {facts['depth']} of {who} and count as worthless."
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
