"""Which of two runs is better, and what would settle it?"""

from __future__ import annotations

from dataclasses import asdict

from gainsayer.commands.advice import Advice, say_advice
from gainsayer.commands.compare_figures import topic_figure
from gainsayer.commands.compare_tables import WORTH_SHORTENING
from gainsayer.commands.verdict import SAME, PairVerdict
from gainsayer.comparison.results import Comparison
from gainsayer.reports.content import KeyNumber, NamedTable, Section
from gainsayer.table import Column, Table
from gainsayer.words import Sentence, counted, shortened, signed


def two_numbers(verdict: PairVerdict) -> list[KeyNumber]:
    """Scores, topics won and lost, unjudged documents, topics that would be needed."""
    numbers = [KeyNumber(f"{verdict.score_a:.3f}", f"and {verdict.score_b:.3f}", "scores of the two runs")]
    if verdict.won is not None:
        label = f"topics won and lost by {shortened(verdict.a)}"
        numbers.append(KeyNumber(f"{verdict.won:,} : {verdict.lost:,}", f"{verdict.same:,} the same", label))
    needed = dict(verdict.topics_needed)[0.02]
    if needed is not None:
        numbers.append(KeyNumber(f"{needed:,}", f"there are {verdict.topics:,}", "topics to find a difference of 0.02"))
    if verdict.ranked:
        numbers.append(
            KeyNumber(
                f"{verdict.unjudged_a:,}",
                f"and {verdict.unjudged_b:,}, of {verdict.ranked:,} each",
                f"unjudged documents in the top {verdict.depth} of the two runs",
            )
        )
    return numbers


def two_steps(verdict: PairVerdict, advice: Advice | None = None) -> tuple[str, list[Sentence]]:
    """What would settle it, or what could still change it; the cheapest first."""
    if verdict.is_decided:
        steps = [*_nothing_more(verdict), *_judge_gaps(verdict), *_without_one_topic(verdict), *_margin(verdict)]
        return "What could still change it", steps
    steps = _judge_gaps(verdict)
    steps += [*_add_topics(verdict, first=not steps), *_without_one_topic(verdict)]
    shorter = verdict.shorter_with_exact_grades
    if advice is not None:
        steps.append(Sentence(f"Judge next: {say_advice(advice)}", "Judge next:"))
    elif shorter is not None and shorter < WORTH_SHORTENING:
        start = "Second judgments would not help:"
        steps.append(Sentence(f"{start} they move both runs much alike.", start))
    elif shorter is not None:
        start = "Add second judgments, too."
        steps.append(
            Sentence(f"{start} Exact grades would shorten the line by {100 * shorter:.0f} of 100 parts.", start)
        )
    return "What would settle it", steps


def topics_section(comparison: Comparison, verdict: PairVerdict) -> Section | None:
    """Topics won and lost, one by one; None where their scores were not gathered."""
    if verdict.clearest_win is None or verdict.clearest_loss is None:
        return None
    start = f"{verdict.won:,} won, {verdict.lost:,} lost, {verdict.same:,} the same"
    clearest = []
    if verdict.won:
        win = verdict.clearest_win
        clearest.append(f"clearest win is \u201c{shortened(win.topic)}\u201d, {signed(win.by)}")
    if verdict.lost:
        loss = verdict.clearest_loss
        clearest.append(f"clearest loss is \u201c{shortened(loss.topic)}\u201d, {signed(loss.by)}")
    more = f" The {'; the '.join(clearest)}." if clearest else ""
    table = topic_figure(comparison, comparison.part()).table
    return Section(
        "topics-won",
        "Which topics were won and lost?",
        Sentence(f"{start} (within {SAME:g}).{more}", start),
        tables=(NamedTable("topic-scores", table),),
        facts={"pair": asdict(verdict), "tie": SAME},
    )


def power_section(verdict: PairVerdict) -> Section:
    """Topics that it would take to find a difference."""
    needed = [(size, topics) for size, topics in verdict.topics_needed if topics is not None]
    said = "; ".join(f"of {size:g}, {topics:,}" for size, topics in needed[:3])
    columns = (
        Column("difference", [size for size, _ in needed], "True difference", 2),
        Column("topics", [topics for _, topics in needed], "Topics needed"),
    )
    return Section(
        "topics-needed",
        "How many topics would it take?",
        Sentence(
            f"To find a true difference {said} topics. There are {verdict.topics:,}.",
            f"{needed[0][1]:,}" if needed else "",
        ),
        ("As far as the topics to come are like these, and in 8 of 10 such trials.",),
        tables=(NamedTable("power", Table("Topics needed to find a difference of this size", columns)),),
        facts={"pair": asdict(verdict)},
    )


def second_section(verdict: PairVerdict) -> Section | None:
    """Whether more second judgments would help; None where no grades were estimated."""
    shorter = verdict.shorter_with_exact_grades
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
        facts={"shorter_with_exact_grades": shorter},
    )


def _nothing_more(verdict: PairVerdict) -> list[Sentence]:
    if not verdict.is_better or verdict.p is None:
        return []
    p = "p below 0.001" if verdict.p < 0.001 else f"p = {verdict.p:.3f}"
    start = "Nothing more is needed to say \u201cbetter\u201d."
    won = "" if verdict.won is None else f"; it wins {counted(verdict.won, 'topic')} and loses {verdict.lost:,}"
    return [Sentence(f"{start} {p}{won}.", start)]


def _judge_gaps(verdict: PairVerdict) -> list[Sentence]:
    a, b, low, high = verdict.unjudged_a, verdict.unjudged_b, verdict.lowest_difference, verdict.highest_difference
    if not a + b or low is None or high is None:
        return []
    start = f"Judge {'up to ' if a and b else ''}{counted(a + b, 'document')} first."
    if a and b:
        where = f"{a:,} and {b:,} in the top {verdict.depth} of the two runs are unjudged and count as worthless."
        worst = f"In the extreme they move the difference to {signed(low)} or {signed(high)}."
    else:
        who = shortened(verdict.a if a else verdict.b)
        where = f"They stand unjudged in the top {verdict.depth} of {who} and count as worthless."
        worst = f"Were they as good as the top grade, the difference would be {signed(high if a else low)}."
    return [Sentence(f"{start} {where} {worst}", start)]


def _add_topics(verdict: PairVerdict, *, first: bool) -> list[Sentence]:
    missing = [(size, many) for size, many in verdict.topics_needed[:2] if many is not None and many > verdict.topics]
    if not missing:
        return []
    start = "Add topics." if first else "Then add topics."
    (size, many), *others = missing
    more = "".join(f", one of {size:g} takes {many:,}" for size, many in others)
    said = f"It takes {many:,} to find a true difference of {size:g}{more}; there are {verdict.topics:,}."
    return [Sentence(f"{start} {said}", start)]


def _without_one_topic(verdict: PairVerdict) -> list[Sentence]:
    """Whether a single topic decides who is ahead."""
    without, win = verdict.without_clearest_win, verdict.clearest_win
    if without is None or win is None:
        return []
    if verdict.is_decided and without * verdict.difference > 0:
        start = "No single topic decides it."
        return [Sentence(f"{start} Without the clearest win the difference is still {signed(without)}.", start)]
    if not verdict.is_decided and without * verdict.difference < 0:
        start = "Read one topic."
        said = f"Without \u201c{shortened(win.topic)}\u201d the mean is {signed(without)}"
        return [Sentence(f"{start} {said}: a single topic decides who is ahead.", start)]
    return []


def _margin(verdict: PairVerdict) -> list[Sentence]:
    if not verdict.is_equivalent or verdict.inner_interval is None:
        return []
    least = max(map(abs, verdict.inner_interval))
    start = f"The answer depends on your {verdict.margin:g}."
    return [Sentence(f"{start} Below {least:.3f} it would not be \u201cequivalent\u201d.", start)]
