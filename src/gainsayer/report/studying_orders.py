"""What `study` says about the order of runs (robustness, gains), as plain data and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsayer.comparison.correlation import RankCorrelation
from gainsayer.findings import Finding
from gainsayer.report.plain import numbers
from gainsayer.report.studying import StudyReport, assemble_report, describe_relevance, flat_table, place_cells
from gainsayer.report.tables import Cell, Column, Table, show_number
from gainsayer.studies.gain_schemes import GainStudy
from gainsayer.studies.robustness import ALL, RobustnessStudy, SideComparison


def report_robustness(
    studies: Sequence[RobustnessStudy],
    *,
    sides: tuple[str, str],
    provenance: Mapping[str, Any],
    noticed: Sequence[Finding] = (),
) -> StudyReport:
    """Two sides' orders of the runs: one table per measure and threshold, a row per stratum and gains."""
    tables, rows, entries = [], [], []
    for study in studies:
        fitted = "" if study.folds is None else f", cross-fitted in {study.folds} parts"
        title = (
            f"Do the labels of {sides[0]} and {sides[1]} order the runs alike? {study.measure}, {len(study.runs)} runs"
            f"; R = {study.relevance.name}; {study.estimator} estimate{fitted}; topics without relevant labels: "
            f"{study.no_relevant}; seed {study.seed}"
        )
        columns = (
            Column("stratum", "stratum", align="left"),
            Column("gains", "gains", align="left"),
            Column("tau", "tau-b", show_number(3)),
            Column("concordant", "concordant", show_number(0)),
            Column("discordant", "discordant", show_number(0)),
            Column("ties_first", "ties first", show_number(0)),
            Column("ties_second", "ties second", show_number(0)),
            Column("topics", "topics", show_number(0)),
            Column("note", "note", lambda cell: str(cell or ""), "left"),
        )
        lines = tuple((row.stratum, row.gains, *correlation_cells(row.tau), row.topics, row.note) for row in study.rows)
        tables.append(Table(title, columns, lines))
        rows += [
            (
                *place_cells(row.stratum, study.relevance, study.estimator),
                str(study.measure),
                row.gains,
                *correlation_cells(row.tau),
                len(study.runs),
                row.topics,
                row.fitted_topics,
                study.folds,
                study.seed,
                row.note,
            )
            for row in study.rows
        ]
        entries.append(
            {
                **describe_relevance(study.relevance),
                "measure": str(study.measure),
                "estimator": study.estimator,
                "first": sides[0],
                "second": sides[1],
                "runs": list(study.runs),
                "topics": study.topics,
                "skipped_topics": study.skipped,
                "no_relevant": study.no_relevant,
                "folds": study.folds,
                "rows": [_describe_row(row) for row in study.rows],
            }
        )
    keys = (
        *("stratum", "relevant", "threshold", "estimator", "measure", "gains", "tau_b", "concordant", "discordant"),
        *("ties_first", "ties_second", "runs", "topics", "fitted_topics", "folds", "seed", "note"),
    )
    findings = [*noticed, *(finding for study in studies for finding in study.findings)]
    parts: dict[str | None, Sequence[Mapping[str, Any]]] = {None: entries}
    return assemble_report("robustness", studies[0].seed, parts, tables, flat_table(keys, rows), findings, provenance)


def report_gains(
    studies: Mapping[str | None, Sequence[GainStudy]],
    *,
    provenance: Mapping[str, Any],
    noticed: Sequence[Finding] = (),
) -> StudyReport:
    """Orders of the runs under kinds of gains: per measure and threshold a table of pairs, and the matrix of tau-b."""
    tables, rows = [], []
    parts: dict[str | None, list[dict[str, Any]]] = {name: [] for name in studies}
    every = [(stratum, study) for stratum, group in studies.items() for study in group]
    for stratum, study in every:
        where = "" if stratum is None else f"Stratum {stratum}. "
        what = f"{study.measure}, {len(study.runs)} runs, {study.topics:,} topics; R = {study.relevance.name}"
        columns = (
            Column("a", "gains", align="left"),
            Column("b", "against", align="left"),
            Column("tau", "tau-b", show_number(3)),
            Column("tau_ap", "tau_ap", show_number(3)),
            Column("concordant", "concordant", show_number(0)),
            Column("discordant", "discordant", show_number(0)),
            Column("ties_a", "ties", show_number(0)),
            Column("ties_b", "ties against", show_number(0)),
        )
        reference = study.gains[0].name
        lines: list[tuple[Cell, ...]] = [
            (pair.a, pair.b, pair.tau.value, pair.tau_ap.value, *correlation_cells(pair.tau)[1:])
            for pair in study.pairs
            if pair.a == reference
        ]
        title = (
            f"{where}Do the gains change the order of the runs? {what}; {study.estimator} estimate; topics without "
            f"relevant labels: {study.no_relevant}; seed {study.seed}"
            + (f"; labels: {study.labels}" if study.labels else "")
        )
        tables.append(Table(title, columns, tuple(lines)))
        tables.append(_tau_matrix(study, f"{where}tau-b between all gains: {what}; seed {study.seed}"))
        pairs = [
            {
                "a": pair.a,
                "b": pair.b,
                "tau_b": pair.tau.value,
                "tau_ap": pair.tau_ap.value,
                "runs": pair.tau.n,
                "concordant": pair.tau.concordant,
                "discordant": pair.tau.discordant,
                "ties_a": pair.tau.ties_a,
                "ties_b": pair.tau.ties_b,
            }
            for pair in study.pairs
        ]
        place = place_cells(stratum, study.relevance, study.estimator)
        rows += [(*place, str(study.measure), *entry.values(), study.topics, study.seed) for entry in pairs]
        parts[stratum].append(
            {
                **describe_relevance(study.relevance),
                "measure": str(study.measure),
                "estimator": study.estimator,
                "labels": study.labels,
                "runs": list(study.runs),
                "topics": study.topics,
                "skipped_topics": study.skipped,
                "no_relevant": study.no_relevant,
                "gains": {kind.name: kind.as_dict() for kind in study.gains},
                "scores": {name: numbers(values) for name, values in study.scores.items()},
                "pairs": pairs,
            }
        )
    keys = (
        *("stratum", "relevant", "threshold", "estimator", "measure", "a", "b", "tau_b", "tau_ap", "runs"),
        *("concordant", "discordant", "ties_a", "ties_b", "topics", "seed"),
    )
    findings = [*noticed, *(finding for _, study in every for finding in study.findings)]
    return assemble_report("gains", every[0][1].seed, parts, tables, flat_table(keys, rows), findings, provenance)


def correlation_cells(correlation: RankCorrelation | None) -> tuple[Cell, ...]:
    """Value, concordant and discordant pairs, and ties of both; all unknown where there is no correlation."""
    if correlation is None:
        return (None,) * 5
    found = correlation
    return found.value, found.concordant, found.discordant, found.ties_a, found.ties_b


def _tau_matrix(study: GainStudy, title: str) -> Table:
    names = [kind.name for kind in study.gains]
    value: dict[tuple[str, str], Cell] = {}
    for pair in study.pairs:
        value[pair.a, pair.b] = value[pair.b, pair.a] = pair.tau.value
    columns = (Column("gains", "gains", align="left"), *(Column(name, name, show_number(3)) for name in names))
    lines: list[tuple[Cell, ...]] = [(a, *("" if a == b else value[a, b] for b in names)) for a in names]
    return Table(title, columns, tuple(lines))


def _describe_row(row: SideComparison) -> dict[str, Any]:
    cells = correlation_cells(row.tau)
    keys = ("tau_b", "concordant", "discordant", "ties_first", "ties_second")
    return {
        "stratum": None if row.stratum == ALL else row.stratum,
        "gains": row.gains,
        **dict(zip(keys, cells, strict=True)),
        "topics": row.topics,
        "fitted_topics": row.fitted_topics,
        "values": None if row.values is None else numbers(row.values),
        "first": None if row.first is None else numbers(row.first),
        "second": None if row.second is None else numbers(row.second),
        "note": row.note,
    }
