"""Tables of the steps that no command prints by itself: counts of pairs, the matrix p(j|i), single units, gains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gainsayer.counts.pair_counts import PairCounts
from gainsayer.disagreement.estimate import Disagreement
from gainsayer.disagreement.shrinkage import UnitEstimates
from gainsayer.evaluation.models import UNITS
from gainsayer.findings import Finding
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels, Relevance
from gainsayer.presentation.parameters import unit_table
from gainsayer.presentation.records import number, numbers
from gainsayer.presentation.tables import Cell, Column, Table, show_number


def count_tables(counts: PairCounts) -> list[Table]:
    """The pairs over all topics: a row per first level, a column per second one."""
    names = counts.levels.names
    if counts.directed:
        sides = f"Levels of {_side(counts.first)} (rows) and {_side(counts.second)} (columns)"
    else:
        sides = "Pairs of levels, each pair in both orders"
    return [
        Table(
            f"{sides}; {_size(counts)}",
            (Column("level", "level", align="left"), *(Column(name, name, show_number(1)) for name in names)),
            tuple((name, *row) for name, row in zip(names, numbers(counts.matrix), strict=True)),
        )
    ]


def count_rows(counts: PairCounts) -> Table:
    """A row per topic and two levels that occur together in it."""
    names = counts.levels.names
    places = zip(*(where.tolist() for where in np.nonzero(counts.counts)), strict=True)
    rows: list[tuple[Cell, ...]] = [
        (counts.topics[topic], names[first], names[second], number(counts.counts[topic, first, second], whole=True))
        for topic, first, second in places
    ]
    return _flat(("topic", "first", "second", "count"), rows)


def disagreement_tables(disagreement: Disagreement) -> list[Table]:
    """The matrix p(j|i): a row per first level i, a column per second level j."""
    counts, names = disagreement.counts, disagreement.levels.names
    given = ""
    if disagreement.estimator == "one-sided":
        given = f"{_side(counts.second)} given {_side(counts.first)}, "
    title = (
        "How likely is each level (columns) from a second person, given the first one's (rows)? "
        f"{disagreement.estimator} estimate, {given}{_size(counts)}"
    )
    columns = (Column("level", "level", align="left"), *(Column(name, name, show_number(3)) for name in names))
    rows = tuple(
        (name, *(number(value) for value in row)) for name, row in zip(names, disagreement.matrix, strict=True)
    )
    return [Table(title, columns, rows)]


def disagreement_rows(disagreement: Disagreement) -> Table:
    """A row per first and second level: p(second|first), and the pairs behind it (for the symmetric estimate, S)."""
    names, pairs = disagreement.levels.names, disagreement.pairs.sum(axis=0)
    rows: list[tuple[Cell, ...]] = [
        (
            disagreement.estimator,
            first,
            second,
            number(disagreement.matrix[i, j]),
            number(pairs[i, j], whole=True),
        )
        for i, first in enumerate(names)
        for j, second in enumerate(names)
    ]
    return _flat(("estimator", "first", "second", "probability", "count"), rows)


def unit_tables(units: UnitEstimates) -> list[Table]:
    """p(R|i) of each unit: a table per threshold, the top level first; per level where levels have no order."""
    return [unit_table(units, relevance) for relevance in _relevances(units.levels)]


def unit_rows(units: UnitEstimates) -> Table:
    """A row per notion of relevance, unit and level."""
    rows: list[tuple[Cell, ...]] = [
        (units.kind, unit, ",".join(relevance.names), relevance.threshold, level, number(value))
        for relevance in _relevances(units.levels)
        for unit, values in zip(units.units, units.probability(relevance), strict=True)
        for level, value in zip(units.levels.names, values, strict=True)
    ]
    return _flat(("kind", "unit", "relevant", "threshold", "level", "probability"), rows)


def gain_tables(gains: Gains) -> list[Table]:
    """What each level is worth; where gains were drawn, the mean of the draws and their standard deviation."""
    draws = "" if gains.values.ndim == 1 else f"; mean and standard deviation of {len(gains.values):,} draws"
    columns = (
        Column("level", "level", align="left"),
        Column("gain", "gain", show_number(4)),
        Column("standard_deviation", "±", show_number(4)),
    )
    return [Table(f"Gains: {gains.name}; an unjudged document is worth {gains.unjudged:g}{draws}", columns, _of(gains))]


def gain_rows(gains: Gains) -> Table:
    """A row per level."""
    rows: list[tuple[Cell, ...]] = [(gains.name, *row, number(gains.unjudged)) for row in _of(gains)]
    return _flat(("gains", "level", "gain", "standard_deviation", "unjudged"), rows)


def _of(gains: Gains) -> tuple[tuple[Cell, ...], ...]:
    spread: list[Cell] = [None] * len(gains.levels)
    if gains.values.ndim == 2 and len(gains.values) > 1:
        spread = [number(value) for value in gains.values.std(axis=0, ddof=1)]
    return tuple((level, gain, other) for (level, gain), other in zip(gains.as_dict().items(), spread, strict=True))


def _relevances(levels: Levels) -> list[Relevance]:
    if not levels.ordered:
        return [levels.only(name) for name in levels.names]
    return [levels.at_or_above(name) for name in reversed(levels.names[1:] or levels.names)]


def _size(counts: PairCounts) -> str:
    topics = len(counts.topics)
    return f"{counts.pairs:,} pairs, {topics:,} topic{'' if topics == 1 else 's'}"


def _side(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{len(names)} assessors"


def _flat(keys: Sequence[str], rows: Sequence[tuple[Cell, ...]]) -> Table:
    return Table("", tuple(Column(key, key) for key in keys), tuple(rows))


def unit_findings(_: UnitEstimates) -> tuple[Finding, ...]:
    """What to mind about estimates of single units."""
    return (Finding("units-shrunk", UNITS),)
