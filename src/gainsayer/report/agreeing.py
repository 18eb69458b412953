"""What `agree` says, as plain data and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsayer.disagreement.agreement import Agreement
from gainsayer.disagreement.agreement_scores import Coefficient
from gainsayer.report.plain import number, numbers
from gainsayer.report.tables import Cell, Column, Table, show_number

MOST_PAIRS_SHOWN = 30
NAMES = {
    "percent": "percent agreement",
    "cohen_kappa": "Cohen's kappa",
    "weighted_kappa_linear": "weighted kappa, linear",
    "weighted_kappa_quadratic": "weighted kappa, quadratic",
    "scott_pi": "Scott's pi",
    "fleiss_kappa": "Fleiss' kappa",
    "krippendorff_alpha_nominal": "Krippendorff's alpha, nominal",
    "krippendorff_alpha_ordinal": "Krippendorff's alpha, ordinal",
    "krippendorff_alpha_interval": "Krippendorff's alpha, interval",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2, quadratic",
}


def describe_agreement(
    agreement: Agreement,
    *,
    strata: Mapping[str, Agreement] | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The agreement as plain data with stable keys: what `--format json` prints."""
    sides = agreement.sides
    document = {
        "pairs": agreement.pairs,
        "topics": agreement.topics,
        "documents": agreement.documents,
        "first": None if sides is None else list(sides[0]),
        "second": None if sides is None else list(sides[1]),
        "levels": list(agreement.levels.names),
        "counts": numbers(agreement.counts),
        "confidence": agreement.confidence,
        "coefficients": _describe(agreement.coefficients),
        "assessor_pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "pairs": pair.pairs,
                "topics": pair.topics,
                "coefficients": _describe(pair.coefficients),
            }
            for pair in agreement.assessor_pairs
        ],
        "warnings": [dict(vars(finding)) for finding in agreement.findings],
        "strata": {name: describe_agreement(part) for name, part in strata.items()} if strata else None,
    }
    if provenance is not None:
        document["provenance"] = dict(provenance)
    return document


def agreement_tables(agreement: Agreement, *, stratum: str | None = None) -> list[Table]:
    """The confusion matrix, the coefficients, and the pairs of assessors where there are several."""
    names = agreement.levels.names
    sides = agreement.sides
    if sides is None:
        corner, title = "level", f"Coincidences of levels; {_size(agreement)}"
    else:
        corner = f"{_side(sides[0])} \\ {_side(sides[1])}"
        title = f"Levels of {_side(sides[0])} (rows) and {_side(sides[1])} (columns); {_size(agreement)}"
    where = "" if stratum is None else f"Stratum {stratum}. "
    confusion = Table(
        f"{where}{title}",
        (Column("level", corner, align="left"), *(Column(name, name, show_number(1)) for name in names)),
        tuple((name, *row) for name, row in zip(names, numbers(agreement.counts), strict=True)),
    )
    entries = agreement.coefficients
    common = {entry.note for entry in entries.values()}
    said = f". {common.pop()}" if len(common) == 1 and None not in common else ""
    coefficients = Table(
        f"{where}Agreement, with intervals over topics{said}",
        (
            Column("coefficient", "coefficient", align="left"),
            Column("value", "value", show_number(3)),
            Column("interval", f"{agreement.confidence:.0%} interval", align="left"),
            Column("note", "note", lambda cell: str(cell or ""), "left"),
        ),
        tuple(
            (NAMES[key], number(entry.value), _ends(entry), None if said else entry.note)
            for key, entry in entries.items()
        ),
    )
    tables = [confusion, coefficients]
    if agreement.assessor_pair_count > 1:
        tables.append(_pair_table(agreement))
    return tables


def agreement_rows(agreements: Mapping[str | None, Agreement]) -> Table:
    """All coefficients, per stratum, overall and per pair of assessors, in one flat table, for CSV."""
    keys = ("stratum", "first", "second", "pairs", "topics", "coefficient", "value", "lower", "upper", "note")
    rows: list[tuple[Cell, ...]] = []
    for stratum, agreement in agreements.items():
        groups = [
            ("all", "all", agreement.pairs, agreement.topics, agreement.coefficients),
            *(
                (pair.first, pair.second, pair.pairs, pair.topics, pair.coefficients)
                for pair in agreement.assessor_pairs
            ),
        ]
        for first, second, pairs, topics, coefficients in groups:
            for key, entry in coefficients.items():
                ends = entry.interval or (None, None)
                place = (stratum, first, second, pairs, topics)
                rows.append((*place, key, number(entry.value), *ends, entry.note))
    return Table("", tuple(Column(key, key) for key in keys), tuple(rows))


def _pair_table(agreement: Agreement) -> Table:
    shown = [agreement.assessor_pair(place) for place in range(min(agreement.assessor_pair_count, MOST_PAIRS_SHOWN))]
    more = agreement.assessor_pair_count - len(shown)
    keys = ("percent", "cohen_kappa", "krippendorff_alpha_ordinal", "gwet_ac1")
    columns = (
        Column("first", "first", align="left"),
        Column("second", "second", align="left"),
        Column("pairs", "pairs", show_number(0)),
        Column("topics", "topics", show_number(0)),
        *(Column(key, NAMES[key], show_number(3)) for key in keys),
    )
    rows = tuple(
        (pair.first, pair.second, pair.pairs, pair.topics, *(number(pair.coefficients[key].value) for key in keys))
        for pair in shown
    )
    note = f"; the first {len(shown)} of {len(shown) + more}, all of them with --format csv or json" if more else ""
    return Table(f"Pairs of assessors{note}", columns, rows)


def _describe(coefficients: Mapping[str, Coefficient]) -> dict[str, Any]:
    return {
        key: {
            "value": number(entry.value),
            "interval": None if entry.interval is None else [number(end) for end in entry.interval],
            "note": entry.note,
        }
        for key, entry in coefficients.items()
    }


def _size(agreement: Agreement) -> str:
    return f"{agreement.pairs:,} pairs, {agreement.topics:,} topic{'' if agreement.topics == 1 else 's'}"


def _side(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{len(names)} assessors"


def _ends(entry: Coefficient) -> str:
    return "-" if entry.interval is None else f"[{entry.interval[0]:.3f}, {entry.interval[1]:.3f}]"
