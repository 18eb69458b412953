"""What `machine score` says: a record per run and measure, per pair of runs, per saving; JSON and tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gainsayer.commands.machine_results import MeasureScores, RectifiedTable
from gainsayer.commands.machine_tables import describe_material, describe_verdict, show_text
from gainsayer.commands.old_tables import Column, show_number
from gainsayer.commands.records import Pick, Record, describe_findings, flatten, number, show_interval, tabulate
from gainsayer.machines.rectified import Estimate
from gainsayer.machines.scores import place_order
from gainsayer.table import Table
from gainsayer.words import counted, sure

_SCORE_KEYS: dict[str, Pick] = {
    **{key: key for key in ("run", "measure", "value", "standard_error")},
    "lower": "interval.0",
    "upper": "interval.1",
    "method": "method",
    "people_alone": "people_alone.value",
    "machine_raw": "machine_alone.raw",
    "machine_prm": "machine_alone.prm",
    **{key: key for key in ("flattery", "composite", "order")},
    "flags": lambda record: " ".join(record["flags"]) or None,
}


def score_records(table: RectifiedTable) -> Iterator[Record]:
    """One record per run and measure."""
    for part in table.parts:
        yield from (_score_record(table, part, place) for place in range(len(table.runs)))


def _score_record(table: RectifiedTable, part: MeasureScores, place: int) -> Record:
    scores = part.scores
    raw = None if part.raw is None else number(part.raw[place])
    shared: Record = {"run": table.runs[place], "measure": str(part.measure)}
    if scores is None:
        nothing = dict.fromkeys(("value", "standard_error", "interval", "method", "people_alone"))
        rest: Record = {"flattery": None, "composite": None, "order": None, "flags": []}
        return shared | nothing | {"machine_alone": {"raw": raw, "prm": None}} | rest
    composite = scores.composite
    best = scores.estimate.score if composite is None else composite.value
    return shared | {
        "value": number(scores.estimate.score[place]),
        "standard_error": number(scores.estimate.standard_error[place]),
        "interval": _interval(scores.estimate, place, table.confidence),
        "method": scores.method,
        "people_alone": {
            "value": number(scores.alone.score[place]),
            "interval": _interval(scores.alone, place, table.confidence),
        },
        "machine_alone": {"raw": raw, "prm": number(scores.predicted[place])},
        "flattery": number(scores.flattery[place]),
        "composite": None if composite is None else number(composite.value[place]),
        "order": int(place_order(best)[place]),
        "flags": list(scores.flags[place]),
    }


def difference_records(table: RectifiedTable) -> Iterator[Record]:
    """One record per pair of runs that was compared, and measure."""
    for part in table.parts:
        tests, scores = part.tests, part.scores
        if tests is None or scores is None:
            continue
        error = scores.estimate.difference_error(tests.a, tests.b)
        difference = scores.estimate.score[tests.a] - scores.estimate.score[tests.b]
        reach = scores.estimate.reach(error, table.confidence)
        for at, (a, b) in enumerate(zip(tests.a.tolist(), tests.b.tolist(), strict=True)):
            yield {
                "a": table.runs[a],
                "b": table.runs[b],
                "measure": str(part.measure),
                "difference": number(difference[at]),
                "standard_error": number(error[at]),
                "interval": [number(difference[at] - reach[at]), number(difference[at] + reach[at])],
                "p": number(tests.p[at]),
                "p_adjusted": number(tests.p_adjusted[at]),
                "test": f"{tests.test}, {tests.adjustment}",
            }


def saving_records(table: RectifiedTable) -> Iterator[Record]:
    """What the machine was good for, per measure, of scores and of differences."""
    size = len(table.material.pool.document) / max(1, len(table.material.pool.topics))
    for part in table.parts:
        for saving in () if part.scores is None else part.scores.savings:
            topics = saving.equivalent_topics
            yield {
                "measure": str(part.measure),
                "of": saving.of,
                "saved": number(saving.saved),
                "equivalent_topics": None if topics is None else round(topics),
                "equivalent_labels": None if topics is None else round(topics * size),
            }


def describe_rectified(table: RectifiedTable) -> dict[str, Any]:
    """The scores as plain data with stable keys: what `machine score` gives as JSON."""
    runs: dict[str, list[Record]] = {name: [] for name in table.runs}
    for record in score_records(table):
        runs[record["run"]].append({key: value for key, value in record.items() if key != "run"})
    return {
        "verdict": describe_verdict(table.verdict),
        **describe_material(table),
        "target": table.target,
        "runs": [{"run": name, "scores": scores} for name, scores in runs.items()],
        "differences": list(difference_records(table)),
        "savings": list(saving_records(table)),
        "warnings": describe_findings(table.findings),
        "provenance": None if table.provenance is None else table.provenance.as_dict(),
    }


def rectified_rows(table: RectifiedTable) -> Table:
    """The records of scores as one flat table, for CSV."""
    return flatten(score_records(table), _SCORE_KEYS)


def rectified_tables(table: RectifiedTable) -> list[Table]:
    """A table of scores per measure, with what the machine was good for, and the differences."""
    shown: list[Table] = []
    digits = show_number(4)
    every = list(score_records(table))
    savings = list(saving_records(table))
    for part in table.parts:
        name = str(part.measure)
        records = [record for record in every if record["measure"] == name]
        columns: list[tuple[Column, Pick]] = [
            (Column("run", "run", align="left"), "run"),
            (Column("value", "for people", digits), "value"),
            (Column("interval", f"{sure(table.confidence)} interval"), show_interval(4)),
            (Column("alone", "people alone", digits), lambda record: (record["people_alone"] or {}).get("value")),
            (Column("raw", "machine alone", digits), "machine_alone.raw"),
            (Column("prm", "by worth of grades", digits), "machine_alone.prm"),
            (Column("composite", "best guess", digits), "composite"),
            (Column("order", "order", show_number(0)), "order"),
            (Column("flags", "flags", show_text, "left"), lambda record: " ".join(record["flags"]) or None),
        ]
        notes = _score_notes(table, part, [one for one in savings if one["measure"] == name])
        shown.append(tabulate(f"{name}, {_name_target(table)}", columns, records, notes, name=name))
    pairs = list(difference_records(table))
    if pairs:
        columns = [
            (Column("a", "a", align="left"), "a"),
            (Column("b", "b", align="left"), "b"),
            (Column("measure", "measure", align="left"), "measure"),
            (Column("difference", "a - b", digits), "difference"),
            (Column("interval", f"{sure(table.confidence)} interval"), show_interval(4)),
            (Column("p", "p", digits), "p"),
            (Column("p_adjusted", "adjusted", digits), "p_adjusted"),
        ]
        shown.append(tabulate(f"Differences, {pairs[0]['test']}", columns, pairs, name="differences"))
    return shown


def _score_notes(table: RectifiedTable, part: MeasureScores, savings: list[Record]) -> tuple[str, ...]:
    sample, scores = table.material.sample, part.scores
    if sample is None or scores is None:
        return ()
    notes = [f"From {sample.labels:,} of people's labels in {sample.seen_topics:,} of {sample.topics:,} topics."]
    for saving in savings:
        if saving["equivalent_topics"] is not None:
            whole = f"{saving['equivalent_topics']:,} whole topics ({saving['equivalent_labels']:,} labels)"
            what = "Scores are" if saving["of"] == "score" else "Differences are"
            notes.append(f"{what} as good as from {whole}; the machine saved {saving['saved']:.0%} of people's labels.")
    if part.measure.family.name == "nDCG":
        notes.append("It is the expected nDCG of one person, each with their own ideal list; not that of PRM gains.")
    if scores.ideal_by_machine:
        notes.append("The ideal list is the machine's estimate; it is the same for all runs.")
    if scores.composite is not None:
        notes.append("Best guess: of the order. Not a measurement: no interval.")
    return tuple(notes)


def _name_target(table: RectifiedTable) -> str:
    return "topics like these" if table.target == "population" else "these topics"


def _interval(estimate: Estimate, place: int, confidence: float) -> list[float | int | None]:
    reach = float(estimate.reach(estimate.standard_error[place : place + 1], confidence)[0])
    score = float(estimate.score[place])
    return [number(score - reach), number(score + reach)]


def say_rectified(table: RectifiedTable) -> str:
    """Runs, measures and what the machine may be used for, in one line."""
    measures = ", ".join(str(part.measure) for part in table.parts)
    return f"{counted(len(table.runs), 'run')}, {measures}, as people would score; {table.verdict.code}"
