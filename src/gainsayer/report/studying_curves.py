"""What `study amount` and `study quality` say: curves of p(R|i), as plain data and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsayer.findings import Finding
from gainsayer.report.plain import number
from gainsayer.report.studying import (
    PLACE,
    StudyReport,
    assemble_report,
    describe_relevance,
    find_seed,
    flat_table,
    list_studies,
    place_cells,
    show_relevance,
    show_stratum,
)
from gainsayer.report.tables import Cell, Column, Table, show_number
from gainsayer.studies.amount import AmountStudy
from gainsayer.studies.quality import QualityStudy


def report_amount(
    studies: Mapping[str | None, Sequence[AmountStudy]],
    *,
    provenance: Mapping[str, Any],
    noticed: Sequence[Finding] = (),
) -> StudyReport:
    """Growing numbers of pairs: one table per stratum and threshold, a row per size."""
    tables, rows = [], []
    parts: dict[str | None, list[dict[str, Any]]] = {name: [] for name in studies}
    for stratum, study in list_studies(studies):
        names = study.levels.names
        title = (
            f"{show_stratum(stratum)}How many pairs until p(R|level) settles? "
            f"R = {show_relevance(study.relevance)}; mean and standard deviation of {study.rounds:,} rounds, "
            f"{study.estimator} estimate, {study.pairs:,} pairs to draw from, seed {study.seed}"
        )
        columns = [Column("pairs", "pairs", show_number(0))]
        for name in names:
            columns += [
                Column(name, f"p(R|{name})", show_number(3)),
                Column(f"{name} deviation", "±", show_number(3)),
                Column(f"{name} undefined", f"rounds without {name}", show_number(0, missing="")),
            ]
        lines: list[tuple[Cell, ...]] = []
        sizes = []
        for place, size in enumerate(study.sizes.tolist()):
            levels = [
                {
                    "level": name,
                    "mean": number(study.mean[place, level]),
                    "standard_deviation": number(study.deviation[place, level]),
                    "undefined": int(study.undefined[place, level]),
                }
                for level, name in enumerate(names)
            ]
            sizes.append({"pairs": size, "levels": levels})
            lines.append(
                (
                    size,
                    *(
                        cell
                        for entry in levels
                        for cell in (entry["mean"], entry["standard_deviation"], entry["undefined"] or None)
                    ),
                )
            )
            rows += [
                (
                    *place_cells(stratum, study.relevance, study.estimator),
                    size,
                    *entry.values(),
                    study.rounds,
                    study.seed,
                )
                for entry in levels
            ]
        tables.append(Table(title, tuple(columns), tuple(lines)))
        parts[stratum].append(
            {
                **describe_relevance(study.relevance),
                "estimator": study.estimator,
                "pairs": study.pairs,
                "rounds": study.rounds,
                "probability": {name: number(value) for name, value in zip(names, study.estimate, strict=True)},
                "sizes": sizes,
            }
        )
    keys = (*PLACE, "pairs", "level", "mean", "standard_deviation", "undefined", "rounds", "seed")
    findings = [*noticed, *(finding for _, study in list_studies(studies) for finding in study.findings)]
    return assemble_report("amount", find_seed(studies), parts, tables, flat_table(keys, rows), findings, provenance)


def report_quality(
    studies: Mapping[str | None, Sequence[QualityStudy]],
    *,
    seed: int | None,
    provenance: Mapping[str, Any],
    noticed: Sequence[Finding] = (),
) -> StudyReport:
    """The quality curve: one table per stratum and threshold, a row per step, both estimates of each level.

    Nothing is drawn; `seed` is the one that the command was given, None where there was no command.
    """
    tables, rows = [], []
    parts: dict[str | None, list[dict[str, Any]]] = {name: [] for name in studies}
    for stratum, study in list_studies(studies):
        names = study.levels.names
        title = (
            f"{show_stratum(stratum)}Does p(R|level) depend on how good the results are? "
            f"R = {show_relevance(study.relevance)}; {study.about}; symmetric (5) and one-sided "
            f"(4) estimates{'' if seed is None else f'; seed {seed}'}"
        )
        columns = [
            Column("step", "k", show_number(0)),
            Column("pairs", "pairs", show_number(0)),
            Column("topics", "topics", show_number(0)),
            *(
                Column(f"{name} {kind}", f"{name} ({mark})", show_number(3))
                for name in names
                for kind, mark in (("symmetric", 5), ("one-sided", 4))
            ),
        ]
        lines: list[tuple[Cell, ...]] = []
        steps = []
        for place, step in enumerate(study.steps.tolist()):
            levels = [
                {
                    "level": name,
                    "symmetric": number(study.symmetric[place, level]),
                    "one_sided": number(study.one_sided[place, level]),
                    "error_symmetric": number(study.symmetric_error[place, level]),
                    "error_one_sided": number(study.one_sided_error[place, level]),
                }
                for level, name in enumerate(names)
            ]
            sizes = (number(study.pairs[place], whole=True), int(study.topics[place]))
            steps.append({"k": step, "pairs": sizes[0], "topics": sizes[1], "levels": levels})
            values = (entry[kind] for entry in levels for kind in ("symmetric", "one_sided"))
            lines.append((step, *sizes, *values))
            rows += [
                (*place_cells(stratum, study.relevance, None), study.order, step, *sizes, *entry.values(), seed)
                for entry in levels
            ]
        tables.append(Table(title, tuple(columns), tuple(lines)))
        parts[stratum].append(
            {
                **describe_relevance(study.relevance),
                "by": study.order,
                "selected_by_one_side": study.by_labels,
                "steps": steps,
            }
        )
    keys = (
        *(*PLACE, "by", "k", "pairs", "topics", "level", "symmetric", "one_sided"),
        *("error_symmetric", "error_one_sided", "seed"),
    )
    findings = [*noticed, *(finding for _, study in list_studies(studies) for finding in study.findings)]
    return assemble_report("quality", seed, parts, tables, flat_table(keys, rows), findings, provenance)
