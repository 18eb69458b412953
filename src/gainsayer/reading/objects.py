"""Objects of other libraries as tables or mappings: whatever has `to_polars()` or `to_dict()`, and named tuples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

import polars as pl

from gainsayer.errors import CallError, FormatError
from gainsayer.reading.cells import cell_text, is_table, name_table
from gainsayer.reading.faults import shorten

NAMED_TUPLES: Final = "named tuples"
"""What messages call a table that was made of them."""


def take_object(thing: object) -> object:
    """The same as something that a reader knows: a table that speaks Arrow, or a mapping; else as it is.

    Hugging Face datasets have `to_polars()`; ranx' `Run` and `Qrels` have `to_dict()`; ir_measures and ir_datasets give
    iterators of named tuples, which are read to their end.

    Raises:
        CallError: it is a dictionary of datasets, of which one is meant.
        FormatError: the tuples do not all have the same fields.

    >>> from collections import namedtuple
    >>> Qrel = namedtuple("Qrel", "query_id doc_id relevance")
    >>> take_object(iter([Qrel("q1", "d1", 2)])).rows()
    [('q1', 'd1', 2)]
    """
    if isinstance(thing, Mapping):
        splits = [str(name) for name, part in thing.items() if hasattr(part, "to_polars")]
        if splits and type(thing).__name__.endswith("DatasetDict"):
            raise CallError(
                f"A {type(thing).__name__} holds several datasets: give one of them, "
                f"{' or '.join(f'[{name!r}]' for name in splits[:5])}."
            )
        return thing
    if is_table(thing):
        return thing
    for door in ("to_polars", "to_dict"):
        if callable(given := getattr(thing, door, None)):
            return given()
    rows = peek_rows(thing)
    return thing if rows is None else _tabulate(rows)


def name_object(thing: object) -> str:
    """What messages call it: the library it comes from and what it is there, or named tuples."""
    plain = type(thing).__module__ in ("builtins", "itertools")
    return NAMED_TUPLES if plain and not isinstance(thing, Mapping) else name_table(thing)


def own_name(thing: object) -> str | None:
    """What an object without columns calls itself, as ranx' `Run` and `Qrels` do; None where it has no name."""
    name = None if is_table(thing) or isinstance(thing, Mapping) else getattr(thing, "name", None)
    return name if isinstance(name, str) and name.strip() else None


def is_named_tuples(thing: object) -> bool:
    """Whether it is a list (or another sequence) of named tuples: rows of one table, not several sources.

    >>> from collections import namedtuple
    >>> is_named_tuples([namedtuple("Qrel", "query_id doc_id relevance")("q1", "d1", 2)]), is_named_tuples(["a.qrels"])
    (True, False)
    """
    return isinstance(thing, list | tuple) and len(thing) > 0 and hasattr(thing[0], "_fields")


def peek_rows(thing: object) -> Iterator[Any] | None:
    """The rows of an iterable of named tuples; None for anything else, of which nothing is used up but an iterator."""
    if isinstance(thing, str | bytes) or not isinstance(thing, Iterable):
        return None
    rows = iter(thing)
    first = next(rows, None)
    return chain([first], rows) if hasattr(first, "_fields") else None


def _tabulate(rows: Iterator[Any]) -> object:
    first = next(rows)
    fields: tuple[str, ...] = first._fields
    columns: list[list[object]] = [[] for _ in fields]
    for number, row in enumerate(chain([first], rows), start=1):
        if getattr(row, "_fields", None) != fields:
            raise FormatError(
                f"{NAMED_TUPLES}, row {number}: expected the fields {', '.join(fields)} as above, found "
                f"{shorten(repr(row))}."
            )
        for column, cell in zip(columns, row, strict=True):
            column.append(cell)
    return pl.DataFrame([_column(field, cells) for field, cells in zip(fields, columns, strict=True)])


def _column(field: str, cells: list[object]) -> pl.Series:
    """A field of all rows; text and numbers together become text."""
    if all(isinstance(cell, int | float) for cell in cells) and not all(isinstance(cell, int) for cell in cells):
        return pl.Series(field, [float(cell) for cell in cells])  # type: ignore[arg-type]  # numbers, as just seen
    try:
        return pl.Series(field, cells, strict=True)
    except (TypeError, OverflowError, UnicodeError, pl.exceptions.PolarsError):
        texts = []
        for number, cell in enumerate(cells, start=1):
            try:
                texts.append(cell_text(cell, field))
            except ValueError as fault:
                raise FormatError(f"{NAMED_TUPLES}, row {number}: {fault}") from None
        return pl.Series(field, texts, dtype=pl.String)
