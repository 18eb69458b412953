"""What would people have scored, where a machine graded everything and people a part?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from gainsayer.commands.machine_scores import RectifiedTable
from gainsayer.drawing.figure import Figure
from gainsayer.reports.content import KeyNumber, NamedTable, Section, Verdict
from gainsayer.table import Json
from gainsayer.words import Sentence, counted, decimal, shortened, spanned

STEPS = (
    Sentence("Publish the scores for people, with their intervals; none from the machine alone.", "Publish the scores"),
    Sentence(
        "Have more documents judged, drawn with known chances, until the intervals shrink no more: from there on more "
        "topics help, and more labels do not.",
        "Have more documents judged,",
    ),
)
BEST_GUESS = "Order runs by the best guess, claim by the score for people: the former has no interval."


@dataclass(frozen=True, kw_only=True)
class PeopleScore:
    """The highest score for people, and what it rests on.

    Args:
        labels: of people.
        documents: that the machine graded.
        labelled_topics: with labels of people.
        topics: that the machine graded.
        best: the run that scores highest.
        score: of that run, with its interval.
        by_machine: its score by the machine alone; None where that has none.
        too_high_by: how far the machine alone scores runs too high on average; None where it has no scores.
        equivalent: whole topics, and labels in them, from which people alone would say as much; None where unknown.
    """

    labels: int
    documents: int
    labelled_topics: int
    topics: int
    best: str
    score: float
    lower: float
    upper: float
    by_machine: float | None
    too_high_by: float | None
    equivalent: tuple[int, int] | None


def find_people_score(table: RectifiedTable) -> PeopleScore | None:
    """The highest score for people; None where nobody judged."""
    part, sample = table.parts[0], table.material.sample
    if sample is None or part.scores is None:
        return None
    estimate = part.scores.estimate
    best = int(np.argmax(estimate.score))
    lower, upper = estimate.interval(table.confidence)[best].tolist()
    return PeopleScore(
        labels=sample.labels,
        documents=len(table.material.pool.document),
        labelled_topics=sample.seen_topics,
        topics=sample.topics,
        best=table.runs[best],
        score=float(estimate.score[best]),
        lower=lower,
        upper=upper,
        by_machine=None if part.raw is None else float(part.raw[best]),
        too_high_by=None if part.raw is None else float((part.raw - estimate.score).mean()),
        equivalent=next((table.equivalent(one) for one in part.scores.savings if one.of == "score"), None),
    )


def machine_score_facts(table: RectifiedTable) -> dict[str, Json]:
    """What the sentences about the machine's and people's scores are made of."""
    found = find_people_score(table)
    return {
        "machine": " + ".join(opinions.name for opinions in table.material.opinions),
        "verdict": {"code": table.verdict.code, "facts": dict(table.verdict.facts)},
        "measure": str(table.parts[0].measure),
        "confidence": table.confidence,
        "people": None if found is None else asdict(found),
    }


def say_verdict_of_machine(table: RectifiedTable) -> Sentence:
    """The verdict: what the machine may be used for."""
    name = shortened(" + ".join(opinions.name for opinions in table.material.opinions))
    words = table.verdict.text
    said = f"{name} {words.removeprefix('It ')}" if words.startswith("It ") else words
    return Sentence(said, said.partition(". ")[0])


def machine_score_section(table: RectifiedTable) -> Section:
    """The verdict first; what people's labels do to the scores; what they rest on."""
    said = _say_scores(find_people_score(table), table)
    scores = table.parts[0].scores
    if scores is not None and scores.ideal_by_machine:
        said.append("The ideal list is the machine's estimate; it is the same for all runs.")
    if scores is not None and scores.composite is not None:
        said.append(BEST_GUESS)
    tables = [NamedTable(f"people-scores-{at}", one.for_page()) for at, one in enumerate(table.tables(), start=1)]
    return Section(
        "machine-scores",
        "What would people have scored, and may the machine be used alone?",
        say_verdict_of_machine(table),
        tuple(said),
        table.findings,
        () if scores is None else (table.figure(),),
        tuple(tables),
        {"machine_scores": machine_score_facts(table)},
    )


def machine_verdict(
    table: RectifiedTable, facts: Mapping[str, Json], numbers: Sequence[KeyNumber], beside: Sequence[Figure]
) -> Verdict:
    """The first screen where the machine's own grades score the runs: what it may be used for, and people's scores.

    Groups and places by the machine's grades would be the machine's opinion, so none are shown here.
    """
    headline, _, rest = say_verdict_of_machine(table).text.partition(". ")
    found = find_people_score(table)
    assert found is not None
    judged = "documents of the machine that people judged"
    labels = KeyNumber(f"{found.labels:,}", f"of {found.documents:,}", judged)
    return Verdict(
        headline if headline.endswith(".") else f"{headline}.",
        tuple(Sentence(text) for text in ([rest] if rest else []) + _say_scores(found, table)),
        numbers=(labels, *numbers),
        steps=STEPS,
        main=(replace(table.figure(), id="machine-arrows-first"),),
        beside=tuple(beside),
        facts=facts,
    )


def scores_by_machine(table: RectifiedTable | None, labels: str) -> bool:
    """Whether the labels that score the runs are the machine's, and people's scores are there to be shown instead."""
    if table is None or table.parts[0].scores is None:
        return False
    return labels in [opinions.name for opinions in table.material.opinions]


def _say_scores(found: PeopleScore | None, table: RectifiedTable) -> list[str]:
    """The highest score for people, and what it is as good as."""
    if found is None:
        return []
    alone = "" if found.by_machine is None else f"; the machine alone would say {decimal(found.by_machine)}"
    like = "for topics like these" if table.target == "population" else "for these topics"
    said = [
        f"{shortened(found.best)} scores {decimal(found.score)}{spanned(found.lower, found.upper)} {like}, from "
        f"{counted(found.labels, 'label')} of people on {found.labelled_topics:,} of "
        f"{counted(found.topics, 'topic')}{alone}."
    ]
    if found.equivalent is not None:
        topics, labels = found.equivalent
        said.append(
            f"That is as good as judging {counted(topics, 'whole topic')} ({labels:,} labels) without a machine."
        )
    return said
