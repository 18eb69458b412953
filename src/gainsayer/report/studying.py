"""What `study topics` says, as plain data and as tables; and what the reports of all studies have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gainsayer.findings import Finding
from gainsayer.levels import Relevance
from gainsayer.report.plain import number, numbers
from gainsayer.report.tables import Cell, Column, Table, show_number
from gainsayer.studies.topics import TopicStudy

PLACE = ("stratum", "relevant", "threshold", "estimator")
Strata = Mapping[str | None, Sequence[Any]]


@dataclass(frozen=True)
class StudyReport:
    """A study in every form: plain data, tables for readers, one flat table for CSV, and what was found."""

    document: dict[str, Any]
    tables: tuple[Table, ...]
    flat: Table
    findings: tuple[Finding, ...]


def assemble_report(
    kind: str,
    seed: int | None,
    parts: Mapping[str | None, Sequence[Mapping[str, Any]]],
    tables: Sequence[Table],
    flat: Table,
    findings: Sequence[Finding],
    provenance: Mapping[str, Any],
) -> StudyReport:
    """One document for all thresholds and strata: those of all topics together first, under `results`."""
    unique = tuple(dict.fromkeys(findings))
    named = {name: list(entries) for name, entries in parts.items() if name is not None}
    document = {
        "study": kind,
        "seed": seed,
        "results": list(parts.get(None, ())),
        "strata": named or None,
        "warnings": [dict(vars(finding)) for finding in unique],
        "provenance": dict(provenance),
    }
    return StudyReport(document, tuple(tables), flat, unique)


def report_topics(
    studies: Mapping[str | None, Sequence[TopicStudy]],
    *,
    provenance: Mapping[str, Any],
    noticed: Sequence[Finding] = (),
) -> StudyReport:
    """The topic bootstrap: one table per stratum and threshold."""
    tables, rows = [], []
    for stratum, study in list_studies(studies):
        entries = _topic_levels(study)
        title = (
            f"{show_stratum(stratum)}How far does p(R|level) move when topics are drawn again? "
            f"R = {show_relevance(study.relevance)}; {study.estimator} estimate, {study.pairs:,} pairs, "
            f"{study.topics:,} topics, {len(study.draws):,} draws, seed {study.seed}"
        )
        columns = (
            Column("level", "level", align="left"),
            Column("probability", "p(R|level)", show_number(3)),
            Column("mean", "mean", show_number(3)),
            Column("deviation", "deviation", show_number(4)),
            Column("topic", "topic error", show_number(4)),
            Column("pair", "pair error", show_number(4)),
            Column("binomial", "binomial error", show_number(4)),
            Column("quartiles", "quartiles", align="left"),
            Column("range", "range", align="left"),
            Column("undefined", "without it", show_number(0)),
            Column("note", "note", lambda cell: str(cell or ""), "left"),
        )
        table = tuple(
            (
                entry["level"],
                entry["probability"],
                entry["mean"],
                entry["standard_deviation"],
                *(entry["standard_error"][kind] for kind in ("topic", "pair", "binomial")),
                show_ends(entry["box"]["low_quartile"], entry["box"]["high_quartile"]),
                show_ends(entry["box"]["lowest"], entry["box"]["highest"]),
                entry["undefined"] or None,
                entry["note"],
            )
            for entry in entries
        )
        tables.append(Table(title, columns, table))
        for entry in entries:
            rows.append(
                (
                    *place_cells(stratum, study.relevance, study.estimator),
                    entry["level"],
                    entry["probability"],
                    entry["mean"],
                    entry["standard_deviation"],
                    *(entry["standard_error"][kind] for kind in ("topic", "pair", "binomial")),
                    *entry["box"].values(),
                    entry["undefined"],
                    len(study.draws),
                    study.topics,
                    study.pairs,
                    study.seed,
                    entry["note"],
                )
            )
    keys = (
        *(*PLACE, "level", "probability", "mean", "standard_deviation", "error_topic", "error_pair", "error_binomial"),
        *("lowest", "low_whisker", "low_quartile", "median", "high_quartile", "high_whisker", "highest"),
        *("undefined", "draws", "topics", "pairs", "seed", "note"),
    )
    parts = {
        name: [
            {
                **describe_relevance(study.relevance),
                "estimator": study.estimator,
                "topics": study.topics,
                "pairs": study.pairs,
                "draws": len(study.draws),
                "levels": [
                    {**entry, "draws": numbers(study.draws[:, level])}
                    for level, entry in enumerate(_topic_levels(study))
                ],
            }
            for study in group
        ]
        for name, group in studies.items()
    }
    findings = [*noticed, *(finding for _, study in list_studies(studies) for finding in study.findings)]
    return assemble_report("topics", find_seed(studies), parts, tables, flat_table(keys, rows), findings, provenance)


def place_cells(stratum: str | None, relevance: Relevance, estimator: str | None) -> tuple[Cell, ...]:
    """The columns that every flat table of a study begins with."""
    return stratum, ",".join(relevance.names), relevance.threshold, estimator


def describe_relevance(relevance: Relevance) -> dict[str, Any]:
    """R as plain data."""
    return {"threshold": relevance.threshold, "relevant": list(relevance.names)}


def flat_table(keys: Sequence[str], rows: Sequence[tuple[Cell, ...]]) -> Table:
    """Rows under keys, for CSV."""
    return Table("", tuple(Column(key, key) for key in keys), tuple(rows))


def show_ends(low: float | None, high: float | None) -> str:
    """Two ends of a range, or a dash."""
    return "-" if low is None or high is None else f"[{low:.3f}, {high:.3f}]"


def _topic_levels(study: TopicStudy) -> list[dict[str, Any]]:
    return [
        {
            "level": name,
            "probability": number(study.estimate[level]),
            "mean": number(study.mean[level]),
            "standard_deviation": number(study.deviation[level]),
            "standard_error": {
                "binomial": number(study.binomial[level]),
                "pair": number(study.pair[level]),
                "topic": number(study.topic[level]),
            },
            "box": {part: number(values[level]) for part, values in vars(study.boxes).items()},
            "undefined": int(study.undefined[level]),
            "note": study.notes[level],
        }
        for level, name in enumerate(study.levels.names)
    ]


def list_studies(studies: Strata) -> list[tuple[str | None, Any]]:
    """Every study with its stratum."""
    return [(stratum, study) for stratum, group in studies.items() for study in group]


def find_seed(studies: Strata) -> int:
    """The seed, which all studies of a report share."""
    return int(list_studies(studies)[0][1].seed)


def show_stratum(stratum: str | None) -> str:
    """The beginning of a title."""
    return "" if stratum is None else f"Stratum {stratum}. "


def show_relevance(relevance: Relevance) -> str:
    """R in words."""
    if relevance.threshold is None:
        return f"level {' or '.join(relevance.names)}"
    return f"level {relevance.threshold}" + ("" if len(relevance.names) == 1 else " or higher")
