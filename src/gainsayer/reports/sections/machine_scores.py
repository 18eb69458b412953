"""What would people have scored, where a machine graded everything and people a part?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gainsayer.commands.machine_scores import RectifiedTable
from gainsayer.commands.records import Record
from gainsayer.drawing.figure import Figure
from gainsayer.reports.content import KeyNumber, NamedTable, Section, Verdict, for_page
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


def machine_score_facts(table: RectifiedTable) -> Record:
    """What the sentences about the machine's and people's scores are made of."""
    part, sample = table.parts[0], table.material.sample
    facts: Record = {
        "machine": " + ".join(opinions.name for opinions in table.material.opinions),
        "verdict of the machine": table.verdict.code,
        "measure of people": str(part.measure),
        "confidence": table.confidence,
        **dict(table.verdict.facts),
    }
    if sample is None or part.scores is None:
        return facts
    estimate = part.scores.estimate
    first = int(np.argmax(estimate.score))
    lower, upper = estimate.interval(table.confidence)[first].tolist()
    if part.raw is not None:
        facts["machine too high by"] = float((part.raw - estimate.score).mean())
    facts |= {
        "labels of people": sample.labels,
        "documents of the machine": len(table.material.pool.document),
        "topics with labels": sample.seen_topics,
        "topics of the machine": sample.topics,
        "first for people": table.runs[first],
        "score for people": float(estimate.score[first]),
        "score for people from": lower,
        "score for people to": upper,
        "score by the machine": None if part.raw is None else float(part.raw[first]),
    }
    equivalent = next((table.equivalent(saving) for saving in part.scores.savings if saving.of == "score"), None)
    if equivalent is not None:
        facts |= {"as good as topics": equivalent[0], "as good as labels": equivalent[1]}
    return facts


def say_verdict_of_machine(table: RectifiedTable) -> Sentence:
    """The verdict: what the machine may be used for."""
    name = shortened(" + ".join(opinions.name for opinions in table.material.opinions))
    words = table.verdict.text
    said = f"{name} {words.removeprefix('It ')}" if words.startswith("It ") else words
    return Sentence(said, said.partition(". ")[0])


def machine_score_section(table: RectifiedTable) -> Section:
    """The verdict first; what people's labels do to the scores; what they rest on."""
    facts = machine_score_facts(table)
    said = _say_scores(facts, table)
    scores = table.parts[0].scores
    if scores is not None and scores.ideal_by_machine:
        said.append("The ideal list is the machine's estimate; it is the same for all runs.")
    if scores is not None and scores.composite is not None:
        said.append(BEST_GUESS)
    tables = [NamedTable(f"people-scores-{at}", for_page(one)) for at, one in enumerate(table.tables(), start=1)]
    return Section(
        "machine-scores",
        "What would people have scored, and may the machine be used alone?",
        say_verdict_of_machine(table),
        tuple(said),
        table.findings,
        () if scores is None else (table.figure(),),
        tuple(tables),
        facts,
    )


def machine_verdict(
    table: RectifiedTable, facts: Mapping[str, Json], numbers: Sequence[KeyNumber], beside: Sequence[Figure]
) -> Verdict:
    """The first screen where the machine's own grades score the runs: what it may be used for, and people's scores.

    Groups and places by the machine's grades would be the machine's opinion, so none are shown here.
    """
    headline, _, rest = say_verdict_of_machine(table).text.partition(". ")
    own = machine_score_facts(table)
    labels = KeyNumber(
        f"{own['labels of people']:,}",
        f"of {own['documents of the machine']:,}",
        "documents of the machine that people judged",
    )
    return Verdict(
        headline if headline.endswith(".") else f"{headline}.",
        tuple(Sentence(text) for text in ([rest] if rest else []) + _say_scores(own, table)),
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


def _say_scores(facts: Record, table: RectifiedTable) -> list[str]:
    """The highest score for people, and what it is as good as."""
    if "first for people" not in facts:
        return []
    alone = facts["score by the machine"]
    beside = "" if alone is None else f"; the machine alone would say {decimal(alone)}"
    like = "for topics like these" if table.target == "population" else "for these topics"
    said = [
        f"{shortened(facts['first for people'])} scores {decimal(facts['score for people'])}"
        f"{spanned(facts['score for people from'], facts['score for people to'])} {like}, from "
        f"{counted(facts['labels of people'], 'label')} of people on {facts['topics with labels']:,} of "
        f"{counted(facts['topics of the machine'], 'topic')}{beside}."
    ]
    if "as good as topics" in facts:
        said.append(
            f"That is as good as judging {counted(facts['as good as topics'], 'whole topic')} "
            f"({facts['as good as labels']:,} labels) without a machine."
        )
    return said
