"""What the studies of the order of runs say (robustness, gains): a record per kind of gains, or per pair of kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.commands.records import (
    PLACE,
    Pick,
    Record,
    describe_relevance,
    name_stratum,
    numbers,
    place_record,
    select,
    tabulate,
)
from gainsayer.comparison.correlation import RankCorrelation
from gainsayer.studies.gain_schemes import GainStudy
from gainsayer.studies.robustness import RobustnessStudy
from gainsayer.table import Table
from gainsayer.words import name_side

_COUNTS = ("tau_b", "concordant", "discordant", "ties_first", "ties_second")
_ROW = ("stratum", "gains", *_COUNTS, "topics", "fitted_topics", "values", "first", "second", "note")
_PAIR = ("a", "b", "tau_b", "tau_ap", "runs", "concordant", "discordant", "ties_a", "ties_b")
ROBUSTNESS_FLAT: dict[str, Pick] = {
    key: key for key in (*PLACE, "measure", "gains", *_COUNTS, "runs", "topics", "fitted_topics", "seed", "note")
}
GAIN_FLAT: dict[str, Pick] = {key: key for key in (*PLACE, "measure", *_PAIR, "topics", "seed")}


def robustness_records(study: RobustnessStudy, stratum: str | None = None) -> Iterator[Record]:
    """One record per kind of gains; what is not known is None."""
    for row in study.rows:
        yield {
            **place_record(stratum, study.relevance, study.estimator),
            "measure": str(study.measure),
            "gains": row.gains,
            **dict(zip(_COUNTS, _count_pairs(row.tau), strict=True)),
            "runs": len(study.runs),
            "topics": row.topics,
            "fitted_topics": row.fitted_topics,
            "values": None if row.values is None else numbers(row.values),
            "first": None if row.first is None else numbers(row.first),
            "second": None if row.second is None else numbers(row.second),
            "seed": study.seed,
            "note": row.note,
        }


def describe_robustness_study(parts: Mapping[str | None, RobustnessStudy]) -> dict[str, Any]:
    """The orders by the two sides' labels as plain data: all topics, then the strata, in one list of rows."""
    study = parts[None]
    return {
        **describe_relevance(study.relevance),
        "measure": str(study.measure),
        "estimator": study.estimator,
        "first": name_side(study.sides[0]),
        "second": name_side(study.sides[1]),
        "runs": list(study.runs),
        "topics": study.topics,
        "skipped_topics": study.skipped,
        "no_relevant": study.no_relevant,
        "rows": [
            select(record, _ROW) for stratum, part in parts.items() for record in robustness_records(part, stratum)
        ],
    }


def robustness_study_table(parts: Mapping[str | None, RobustnessStudy]) -> Table:
    """A row per stratum and kind of gains."""
    study = parts[None]
    first, second = map(name_side, study.sides)
    title = (
        f"Do the labels of {first} and {second} order the runs alike? {study.measure}, {len(study.runs)} runs"
        f"; R = {study.relevance.name}; {study.estimator} estimate; topics without relevant labels: "
        f"{study.no_relevant}; seed {study.seed}"
    )
    columns: list[tuple[Column, Pick]] = [
        (Column("stratum", "stratum", align="left"), lambda record: record["stratum"] or "all"),
        (Column("gains", "gains", align="left"), "gains"),
        (Column("tau", "tau-b", show_number(3)), "tau_b"),
        *((Column(key, key.replace("_", " "), show_number(0)), key) for key in _COUNTS[1:]),
        (Column("topics", "topics", show_number(0)), "topics"),
        (Column("note", "note", lambda cell: str(cell or ""), "left"), "note"),
    ]
    records = (record for stratum, part in parts.items() for record in robustness_records(part, stratum))
    return tabulate(title, columns, records, name="orders")


def gain_records(study: GainStudy, stratum: str | None = None) -> Iterator[Record]:
    """One record per pair of kinds of gains."""
    for pair in study.pairs:
        tau_b, concordant, discordant, ties_a, ties_b = _count_pairs(pair.tau)
        yield {
            **place_record(stratum, study.relevance, study.estimator),
            "measure": str(study.measure),
            "a": pair.a,
            "b": pair.b,
            "tau_b": tau_b,
            "tau_ap": pair.tau_ap.value,
            "runs": pair.tau.n,
            "concordant": concordant,
            "discordant": discordant,
            "ties_a": ties_a,
            "ties_b": ties_b,
            "topics": study.topics,
            "seed": study.seed,
        }


def describe_gain_study(study: GainStudy) -> dict[str, Any]:
    """The orders under kinds of gains as plain data."""
    return {
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
        "pairs": [select(record, _PAIR) for record in gain_records(study)],
    }


def gain_study_tables(study: GainStudy, stratum: str | None = None) -> list[Table]:
    """The first kind of gains against each other one, and the matrix of tau-b between all of them."""
    where = name_stratum(stratum)
    what = f"{study.measure}, {len(study.runs)} runs, {study.topics:,} topics; R = {study.relevance.name}"
    columns: list[tuple[Column, Pick]] = [
        (Column("a", "gains", align="left"), "a"),
        (Column("b", "other gains", align="left"), "b"),
        (Column("tau", "tau-b", show_number(3)), "tau_b"),
        (Column("tau_ap", "tau-AP", show_number(3)), "tau_ap"),
        (Column("concordant", "concordant", show_number(0)), "concordant"),
        (Column("discordant", "discordant", show_number(0)), "discordant"),
        (Column("ties_a", "tied pairs", show_number(0), extra=True), "ties_a"),
        (Column("ties_b", "tied by other gains", show_number(0), extra=True), "ties_b"),
    ]
    title = (
        f"{where}Do the gains change the order of the runs? {what}; {study.estimator} estimate; topics without "
        f"relevant labels: {study.no_relevant}; seed {study.seed}"
        + (f"; labels: {study.labels}" if study.labels else "")
    )
    records = list(gain_records(study, stratum))
    names = [kind.name for kind in study.gains]
    value = {pair: record["tau_b"] for record in records for pair in _both_ways(record)}
    heads = (Column("gains", "gains", align="left"), *(Column(name, name, show_number(3)) for name in names))
    matrix = tuple((a, *("" if a == b else value[a, b] for b in names)) for a in names)
    return [
        tabulate(title, columns, (record for record in records if record["a"] == names[0]), name="orders"),
        from_rows(f"{where}tau-b between all gains: {what}; seed {study.seed}", heads, matrix, name="matrix"),
    ]


def _both_ways(record: Record) -> tuple[tuple[str, str], tuple[str, str]]:
    return (record["a"], record["b"]), (record["b"], record["a"])


def _count_pairs(tau: RankCorrelation | None) -> tuple[Cell, ...]:
    """Value, concordant and discordant pairs, and ties of both; all unknown where there is no correlation."""
    if tau is None:
        return (None,) * 5
    return tau.value, tau.concordant, tau.discordant, tau.ties_a, tau.ties_b
