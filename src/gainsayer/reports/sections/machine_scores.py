"""What would people have scored, where a machine graded everything and people a part?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gainsayer.commands.figures.run_arrows import RunArrows
from gainsayer.commands.machine_results import MeasureScores, RectifiedTable
from gainsayer.commands.records import Record
from gainsayer.commands.rectified_scores import rectified_tables, saving_records, score_records
from gainsayer.drawing.figure import Figure, as_row
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


def machine_score_facts(table: RectifiedTable) -> Record:
    """What the sentences about the machine's and people's scores are made of."""
    part = _part(table)
    sample = table.material.sample
    facts: Record = {
        "machine": " + ".join(opinions.name for opinions in table.material.opinions),
        "verdict of the machine": table.verdict.code,
        "measure of people": str(part.measure),
        "confidence": table.confidence,
        **dict(table.verdict.facts),
    }
    if sample is None or part.scores is None:
        return facts
    records = _of_measure(table, part)
    first = max(records, key=lambda record: record["value"])
    alone = [record for record in records if record["machine_alone"]["raw"] is not None]
    if alone:
        facts["machine too high by"] = sum(one["machine_alone"]["raw"] - one["value"] for one in alone) / len(alone)
    facts |= {
        "labels of people": sample.labels,
        "documents of the machine": len(table.material.pool.document),
        "topics with labels": sample.seen_topics,
        "topics of the machine": sample.topics,
        "first for people": first["run"],
        "score for people": first["value"],
        "score for people from": first["interval"][0],
        "score for people to": first["interval"][1],
        "score by the machine": first["machine_alone"]["raw"],
    }
    saving = next((one for one in saving_records(table) if one["of"] == "score"), None)
    if saving is not None and saving["equivalent_topics"] is not None:
        facts |= {"as good as topics": saving["equivalent_topics"], "as good as labels": saving["equivalent_labels"]}
    return facts


def say_verdict_of_machine(table: RectifiedTable) -> Sentence:
    """The verdict: what the machine may be used for."""
    name = shortened(" + ".join(opinions.name for opinions in table.material.opinions))
    words = table.verdict.text
    said = f"{name} {words.removeprefix('It ')}" if words.startswith("It ") else words
    return Sentence(said, said.partition(". ")[0])


def arrows_figure(table: RectifiedTable) -> RunArrows | None:
    """Machine alone and people, run by run; None where nobody judged."""
    part = _part(table)
    if part.scores is None:
        return None
    records = _of_measure(table, part)
    assert table.material.sample is not None
    return RunArrows(
        "machine-arrows",
        str(part.measure),
        table.runs,
        tuple(record["machine_alone"]["raw"] for record in records),
        as_row([record["value"] for record in records]),
        as_row([record["interval"][0] for record in records]),
        as_row([record["interval"][1] for record in records]),
        table.material.sample.labels,
        table.confidence,
    )


def machine_score_section(table: RectifiedTable) -> Section:
    """The verdict first; what people's labels do to the scores; what they rest on."""
    facts = machine_score_facts(table)
    figure = arrows_figure(table)
    said = _say_scores(facts, table)
    scores = _part(table).scores
    if scores is not None and scores.ideal_by_machine:
        said.append("The ideal list is the machine's estimate; it is the same for all runs.")
    if scores is not None and scores.composite is not None:
        said.append(BEST_GUESS)
    tables = [NamedTable(f"people-scores-{place}", one) for place, one in enumerate(rectified_tables(table), start=1)]
    return Section(
        "machine-scores",
        "What would people have scored, and may the machine be used alone?",
        say_verdict_of_machine(table),
        tuple(said),
        table.findings,
        () if figure is None else (figure,),
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
    figure = arrows_figure(table)
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
        main=() if figure is None else (replace(figure, id="machine-arrows-first"),),
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


def _part(table: RectifiedTable) -> MeasureScores:
    return table.parts[0]


def _of_measure(table: RectifiedTable, part: MeasureScores) -> list[Record]:
    return [record for record in score_records(table) if record["measure"] == str(part.measure)]
