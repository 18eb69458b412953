"""Records: what a result says, number by number; JSON, CSV, tables and data frames select from them.

A record is a dict of plain data for JSON: one run under one measure, one level at one threshold, one pair of runs. What
is written nested in JSON is reached by a path: `interval.0` is the lower end, `standard_error.topic` one of the errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.findings import Finding
from gainsayer.table import Table

Record: TypeAlias = dict[str, Any]
Pick: TypeAlias = str | Callable[[Record], Cell]


def pick(record: Mapping[str, Any], path: str) -> Any:
    """What stands at a path; None where it, or something on the way to it, is not known.

    >>> pick({"interval": [0.1, 0.4], "group": None}, "interval.1"), pick({"interval": None}, "interval.1")
    (0.4, None)
    """
    found: Any = record
    for part in path.split("."):
        if found is None:
            return None
        found = found[int(part)] if isinstance(found, list | tuple) else found[part]
    return found


def select(record: Record, keys: Iterable[str]) -> Record:
    """The record with these keys alone, in this order."""
    return {key: record[key] for key in keys}


def flatten(records: Iterable[Record], paths: Mapping[str, Pick]) -> Table:
    """A flat table without a title: a column per key, its cells picked from the records. What CSV writes.

    >>> flatten([{"run": "a", "interval": [0, 1]}], {"run": "run", "low": "interval.0"}).cells()
    [('a', 0)]
    """
    return tabulate("", [(Column(key, key), path) for key, path in paths.items()], records)


def tabulate(
    title: str,
    columns: Sequence[tuple[Column, Pick]],
    records: Iterable[Record],
    notes: tuple[str, ...] = (),
    *,
    name: str = "",
) -> Table:
    """A table for readers: columns beside what they pick from each record."""
    picks = [_picker(path) for _, path in columns]
    rows = tuple(tuple(get(record) for get in picks) for record in records)
    return from_rows(title, tuple(column for column, _ in columns), rows, notes, name)


def show_interval(digits: int, path: str = "interval", *, missing: str | None = None) -> Callable[[Record], Cell]:
    """Picks an interval as text, with so many digits; `missing` where there is none.

    >>> show_interval(2)({"interval": [0.125, 0.5]}), show_interval(0, "ranks")({"ranks": [1, 3]})
    ('[0.12, 0.50]', '[1, 3]')
    """
    show = show_number(digits)

    def get(record: Record) -> Cell:
        ends = pick(record, path)
        return missing if ends is None else f"[{show(ends[0])}, {show(ends[1])}]"

    return get


def describe_findings(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Findings as plain data: what JSON holds as warnings."""
    return [{"code": finding.code, "message": finding.message} for finding in findings]


def number(value: float, *, whole: bool = False) -> float | int | None:
    """A number for JSON: None for NaN and infinities; with `whole`, 4.0 becomes 4.

    >>> number(float("nan")), number(4.0, whole=True), number(4.5, whole=True)
    (None, 4, 4.5)
    """
    value = float(value)
    if not math.isfinite(value):
        return None
    return int(value) if whole and value.is_integer() else value


def numbers(values: npt.NDArray[np.float64]) -> Any:
    """An array as nested lists; all whole numbers become whole.

    >>> numbers(np.array([[4.0, 1.0], [0.0, 2.0]]))
    [[4, 1], [0, 2]]
    """
    finite = values[np.isfinite(values)]
    whole = values.size > 0 and finite.size == values.size and bool(np.all(finite == np.round(finite)))
    if whole:
        return values.astype(np.int64).tolist()
    return _plain(values.tolist())


def _plain(values: Any) -> Any:
    return [_plain(value) for value in values] if isinstance(values, list) else number(values)


def _picker(path: Pick) -> Callable[[Record], Cell]:
    if callable(path):
        return path
    if "." in path:
        return lambda record: pick(record, path)
    return lambda record: record[path]
