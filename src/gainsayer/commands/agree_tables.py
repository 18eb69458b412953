"""What `agree` says: one record per coefficient and pair of assessors; JSON, tables, flat rows, the figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gainsayer.commands.agree import AgreementTable
from gainsayer.commands.figures import ConfusionMatrix
from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.commands.records import Pick, Record, describe_findings, flatten, number, numbers, select
from gainsayer.disagreement.agreement import Agreement
from gainsayer.disagreement.agreement_scores import Coefficient
from gainsayer.table import Table
from gainsayer.words import counted, sure

ALL = "all"
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
_FLAT: dict[str, Pick] = {
    **{key: key for key in ("stratum", "first", "second", "pairs", "topics", "coefficient", "value")},
    "lower": "interval.0",
    "upper": "interval.1",
    "note": "note",
}


def agreement_records(table: AgreementTable) -> Iterator[Record]:
    """One record per coefficient: of all assessors together, of each pair of them, then those of the strata."""
    parts: list[tuple[str | None, Agreement]] = [(None, table.agreement), *table.strata.items()]
    for stratum, agreement in parts:
        yield from _records(agreement.coefficients, (stratum, ALL, ALL, agreement.pairs, agreement.topics))
        for pair in agreement.assessor_pairs:
            yield from _records(pair.coefficients, (stratum, pair.first, pair.second, pair.pairs, pair.topics))


def describe_agreement(table: AgreementTable) -> dict[str, Any]:
    """The agreement as plain data with stable keys: what `agree` gives as JSON."""
    agreement = table.agreement
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
        "warnings": describe_findings(replace(table, strata={}).findings),
        "strata": {name: describe_agreement(AgreementTable(part)) for name, part in table.strata.items()} or None,
    }
    if table.provenance is not None:
        document["provenance"] = table.provenance.as_dict()
    return document


def agreement_rows(table: AgreementTable) -> Table:
    """All records in one flat table, for CSV."""
    return flatten(agreement_records(table), _FLAT)


def every_agreement_table(table: AgreementTable) -> list[Table]:
    """The tables of all topics together, then those of the strata."""
    strata = [shown for name, part in table.strata.items() for shown in agreement_tables(part, stratum=name)]
    return [*agreement_tables(table.agreement), *strata]


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
    confusion = from_rows(
        f"{where}{title}",
        (Column("level", corner, align="left"), *(Column(name, name, show_number(1)) for name in names)),
        tuple((name, *row) for name, row in zip(names, numbers(agreement.counts), strict=True)),
        name="levels",
    )
    entries = agreement.coefficients
    common = {entry.note for entry in entries.values()}
    said = f". {common.pop()}" if len(common) == 1 and None not in common else ""
    coefficients = from_rows(
        f"{where}Agreement, with intervals over topics{said}",
        (
            Column("coefficient", "coefficient", align="left"),
            Column("value", "value", show_number(3)),
            Column("interval", f"{sure(agreement.confidence)} interval", align="left"),
            Column("note", "note", lambda cell: str(cell or ""), "left"),
        ),
        tuple(
            (NAMES[key], number(entry.value), _ends(entry), None if said else entry.note)
            for key, entry in entries.items()
        ),
        name="coefficients",
    )
    tables = [confusion, coefficients]
    if agreement.assessor_pair_count > 1:
        tables.append(_pair_table(agreement))
    return tables


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
    note = f"; the first {len(shown)} of {len(shown) + more}, all of them in CSV and JSON" if more else ""
    return from_rows(f"Pairs of assessors{note}", columns, rows, name="assessors")


def _records(coefficients: Mapping[str, Coefficient], place: Sequence[str | int | None]) -> Iterator[Record]:
    shared = dict(zip(("stratum", "first", "second", "pairs", "topics"), place, strict=True))
    for key, entry in coefficients.items():
        interval = None if entry.interval is None else [number(end) for end in entry.interval]
        yield {
            **shared,
            "coefficient": key,
            "value": number(entry.value),
            "interval": interval,
            "note": entry.note,
        }


def _describe(coefficients: Mapping[str, Coefficient]) -> dict[str, Any]:
    records = _records(coefficients, (None, ALL, ALL, None, None))
    return {record["coefficient"]: select(record, ("value", "interval", "note")) for record in records}


def _size(agreement: Agreement) -> str:
    return f"{agreement.pairs:,} pairs, {agreement.topics:,} topic{'' if agreement.topics == 1 else 's'}"


def _side(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{len(names)} assessors"


def _ends(entry: Coefficient) -> str:
    return "-" if entry.interval is None else f"[{entry.interval[0]:.3f}, {entry.interval[1]:.3f}]"


def agreement_figure(table: AgreementTable) -> ConfusionMatrix:
    """Who said what."""
    return ConfusionMatrix.of(table.agreement)


def say_agreement(table: AgreementTable) -> str:
    """How many pairs agree, in one line."""
    agreement = table.agreement
    same = agreement.coefficients["percent"].value
    return f"{same:.0%} of {counted(agreement.pairs, 'pair')} agree, {counted(agreement.topics, 'topic')}"
