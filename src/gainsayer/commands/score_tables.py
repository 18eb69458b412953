"""What `score` says: one record per run, measure, kind of gains and topic; JSON, tables and trec_eval's lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import stdtrit

from gainsayer.commands.compare_tables import ranking_table
from gainsayer.commands.figures.run_forest import RunForest
from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.commands.records import Record, describe_findings, number, tabulate
from gainsayer.commands.score import ScoreTable
from gainsayer.commands.users import describe_found, found_tables
from gainsayer.drawing.figure import as_row
from gainsayer.measures.scoring import Scores, mean_and_error
from gainsayer.table import Table
from gainsayer.words import counted, say_runs

MEAN = "all"
_COLUMNS = (
    Column("run", "run", align="left"),
    Column("measure", "measure", align="left"),
    Column("gains", "gains", align="left"),
    Column("threshold", "threshold", align="left"),
    Column("topic", "topic", align="left"),
    Column("value", "value", show_number(4)),
    Column("standard_error", "error", show_number(4)),
    Column("topics", "topics", show_number(0)),
    Column("unjudged_share", "unjudged", show_number(3)),
)


def score_records(scores: Scores, *, per_topic: bool = False) -> Iterator[Record]:
    """One record per run, measure and kind of gains: the mean over topics, then each topic where asked for."""
    named = {gains.name: gains for gains in scores.gains}
    for place, run in enumerate(scores.runs):
        for (measure, gains), values in scores.values.items():
            mean, error = mean_and_error(values[place])
            kind = named[gains]
            shared = {"run": run, "measure": str(measure), "gains": kind.kind, "threshold": kind.threshold}
            yield {
                **shared,
                "topic": MEAN,
                "value": number(float(mean)),
                "standard_error": number(float(error)),
                "topics": len(scores.topics),
                "unjudged_share": number(scores.unjudged[measure][place]),
            }
            if per_topic:
                nothing = {"standard_error": None, "topics": None, "unjudged_share": None}
                for topic, value in zip(scores.topics, values[place].tolist(), strict=True):
                    yield {**shared, "topic": topic, "value": value, **nothing}


def describe_scores(table: ScoreTable, *, per_topic: bool = False) -> dict[str, Any]:
    """The scores as plain data with stable keys: what `score` gives as JSON."""
    scores = table.scores
    document: dict[str, Any] = {
        "rows": list(score_records(scores, per_topic=per_topic)),
        "gains": {kind.name: kind.as_dict() | {"unjudged": kind.unjudged} for kind in scores.gains},
        "labels": scores.labels,
        "policies": dict(table.policies),
        "topics": {name: dict(vars(counts)) for name, counts in scores.counts.items()},
        "warnings": describe_findings(table.findings),
        "provenance": {} if table.provenance is None else table.provenance.as_dict(),
    }
    if table.found and not per_topic:
        document["users"] = describe_found(table.found)
    if table.rankings:
        document["rankings"] = ranking_table(table.rankings).records()
    return document


def score_rows(scores: Scores, *, per_topic: bool = False) -> Table:
    """The records as they are, a column per key: what CSV writes."""
    return tabulate("", [(column, column.key) for column in _COLUMNS], score_records(scores, per_topic=per_topic))


def score_tables(table: ScoreTable, *, per_topic: bool = False) -> list[Table]:
    """Runs by measures and gains, mean and standard error, what users find, and how far the gains order runs alike.

    With topics, the records one by one.
    """
    scores = table.scores
    if per_topic:
        return [score_rows(scores, per_topic=True)]
    kinds = [(str(measure), gains) for measure, gains in scores.values]
    several = len({gains for _, gains in kinds}) > 1
    columns = [Column("run", "run", align="left")]
    for measure, gains in kinds:
        heading = f"{measure} {gains}" if several else measure
        columns += [Column(heading, heading, show_number(4)), Column(f"{heading} error", "error", show_number(4))]
    rows: dict[int, list[Cell]] = {}
    for at, record in enumerate(score_records(scores)):
        row = rows.setdefault(at // len(kinds), [record["run"]])
        row += [record["value"], record["standard_error"]]
    named = ", ".join(dict.fromkeys(gains for _, gains in kinds))
    by_relevance = any(kind.name.split()[0] in ("prm", "binary") for kind in scores.gains)
    single = len({kind.threshold for kind in scores.gains if kind.threshold is not None}) == 1
    relevant = f"; relevant: {', '.join(scores.relevant)}" if scores.relevant and by_relevance and single else ""
    whose = f"; labels: {scores.labels}" if scores.labels else ""
    title = (
        f"Mean over {counted(len(scores.topics), 'topic')}, with its standard error; gains: {named}{relevant}{whose}"
    )
    shown = from_rows(title, tuple(columns), tuple(map(tuple, rows.values())), name="runs")
    tables = [shown, *(replace(found, name="users") for found in found_tables(table.found))]
    return [*tables, ranking_table(table.rankings)] if table.rankings else tables


def table_rows(table: ScoreTable) -> Table:
    """The flat table of all scores."""
    return score_rows(table.scores)


def say_scores(table: ScoreTable) -> str:
    """Runs, measures and gains in one line."""
    scores = table.scores
    measures, gains = zip(*((str(measure), kind) for measure, kind in scores.values), strict=True)
    return say_runs(scores.runs, measures, gains, scores.topics)


def score_figure(table: ScoreTable) -> RunForest:
    """The mean of each run under the first measure and gains, with a 95 % t interval over topics."""
    scores = table.scores
    (measure, _), values = next(iter(scores.values.items()))
    mean, error = mean_and_error(values)
    reach = float(stdtrit(max(len(scores.topics) - 1, 1), 0.975))
    lower, upper = as_row(mean - reach * error), as_row(mean + reach * error)
    return RunForest("scores", str(measure), scores.runs, as_row(mean), lower, upper, over="other topics")


def trec_lines(scores: Scores, *, per_topic: bool = False) -> str:
    """trec_eval's three columns: measure, topic, value; the run's name first, and the number of topics."""
    lines = []
    for place, run in enumerate(scores.runs):
        if per_topic:
            for at, topic in enumerate(scores.topics):
                for (measure, _), values in scores.values.items():
                    whole = measure.family.trec_total
                    lines.append(_trec_line(measure.trec_name, topic, float(values[place, at]), whole=whole))
        lines.append(_trec_line("runid", MEAN, run))
        lines.append(_trec_line("num_q", MEAN, len(scores.topics)))
        for (measure, _), values in scores.values.items():
            total = measure.family.trec_total and measure.depth is None
            value = float(values[place].sum() if total else np.mean(values[place]))
            lines.append(_trec_line(measure.trec_name, MEAN, value, whole=total))
    return "".join(lines)


def _trec_line(name: str, topic: str, value: float | str, *, whole: bool = False) -> str:
    if isinstance(value, float):
        text = f"{round(value)}" if whole and value == round(value) else f"{value:6.4f}"
    else:
        text = str(value)
    return f"{name:<22}\t{topic}\t{text}\n"
