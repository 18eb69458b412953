"""What `score` says, as plain data and as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gainsayer.measures.scoring import Scores, mean_and_error
from gainsayer.report.plain import number
from gainsayer.report.tables import Cell, Column, Table, show_number

MEAN = "all"


def describe_scores(
    scores: Scores, *, per_topic: bool, policies: Mapping[str, Any], provenance: Mapping[str, Any]
) -> dict[str, Any]:
    """The scores as plain data with stable keys: what `--format json` prints."""
    keys = [column.key for column in score_rows(scores, per_topic=per_topic).columns]
    return {
        "rows": [dict(zip(keys, row, strict=True)) for row in score_rows(scores, per_topic=per_topic).rows],
        "gains": {kind.name: kind.as_dict() | {"unjudged": kind.unjudged} for kind in scores.gains},
        "labels": scores.labels,
        "policies": dict(policies),
        "topics": {name: dict(vars(counts)) for name, counts in scores.counts.items()},
        "warnings": [dict(vars(finding)) for finding in scores.findings],
        "provenance": dict(provenance),
    }


def score_rows(scores: Scores, *, per_topic: bool) -> Table:
    """One row per run, measure and gains (and topic): what CSV writes."""
    columns = (
        Column("run", "run", align="left"),
        Column("measure", "measure", align="left"),
        Column("gains", "gains", align="left"),
        Column("topic", "topic", align="left"),
        Column("value", "value", show_number(4)),
        Column("standard_error", "error", show_number(4)),
        Column("topics", "topics", show_number(0)),
        Column("unjudged_share", "unjudged", show_number(3)),
    )
    rows: list[tuple[Cell, ...]] = []
    for place, run in enumerate(scores.runs):
        for (measure, gains), values in scores.values.items():
            unjudged = number(scores.unjudged[measure][place])
            mean, error = mean_and_error(values[place])
            count = len(scores.topics)
            rows.append((run, str(measure), gains, MEAN, number(float(mean)), number(float(error)), count, unjudged))
            if per_topic:
                rows += [
                    (run, str(measure), gains, topic, float(value), None, None, None)
                    for topic, value in zip(scores.topics, values[place], strict=True)
                ]
    return Table("", columns, tuple(rows))


def score_tables(scores: Scores, *, per_topic: bool) -> list[Table]:
    """A table of runs by measures and gains, mean and standard error; with topics, the rows one by one."""
    if per_topic:
        return [score_rows(scores, per_topic=True)]
    several = len({gains for _, gains in scores.values}) > 1
    columns = [Column("run", "run", align="left")]
    for measure, gains in scores.values:
        heading = f"{measure} {gains}" if several else str(measure)
        columns += [Column(heading, heading, show_number(4)), Column(f"{heading} error", "±", show_number(4))]
    rows: list[tuple[Cell, ...]] = []
    for place, run in enumerate(scores.runs):
        cells: list[Cell] = [run]
        for values in scores.values.values():
            mean, error = mean_and_error(values[place])
            cells += [number(float(mean)), number(float(error))]
        rows.append(tuple(cells))
    named = ", ".join(dict.fromkeys(gains for _, gains in scores.values))
    told = scores.relevant and any(kind.name.split()[0] in ("prm", "binary") for kind in scores.gains)
    relevant = f"; relevant: {', '.join(scores.relevant)}" if told else ""
    whose = f"; labels: {scores.labels}" if scores.labels else ""
    title = f"Mean over {len(scores.topics):,} topics and its standard error; gains: {named}{relevant}{whose}"
    return [Table(title, tuple(columns), tuple(rows))]


def trec_lines(scores: Scores, *, per_topic: bool) -> str:
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
