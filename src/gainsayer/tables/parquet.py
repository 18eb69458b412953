"""Parquet files, with the columns of the other tables."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import polars as pl

from gainsayer.errors import CallError, FormatError
from gainsayer.lines.faults import shorten
from gainsayer.lines.opening import FilePath, call_file
from gainsayer.tables.columns import JUDGMENTS, Schema, find_columns

PARQUET_MARK: Final = b"PAR1"
_TABLE_FORMATS: Final = {"_delta_log": "Delta", ".hoodie": "Hudi"}


def read_columns(content: bytes, name: str, schema: Schema = JUDGMENTS, *, raters: Sequence[str] = ()) -> pl.DataFrame:
    """The known columns of a Parquet file, under their own titles.

    Args:
        content: the bytes of the file.
        name: what messages call it.
        schema: what the table holds.
        raters: columns of levels, one per rater, where the table is wide.

    Raises:
        FormatError: it is no Parquet file, it is damaged, or its columns do not fit.
    """
    if not content.startswith(PARQUET_MARK):
        raise FormatError(f"{name}: expected a Parquet file, found {shorten(content) if content else 'nothing'}.")
    try:
        titles = list(pl.read_parquet_schema(io.BytesIO(content)))
        places = find_columns(titles, name, schema, raters=raters)
        return pl.read_parquet(io.BytesIO(content), columns=[titles[place] for place in places.values()])
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as fault:
        # A damaged file may make polars panic, which Python sees as a BaseException.
        raise FormatError(
            f"{name}: expected a whole Parquet file, found it damaged or cut off ({shorten(str(fault))}). "
            "Copy or write it again."
        ) from None


def list_columns(content: bytes) -> tuple[str, ...]:
    """All titles of a Parquet file that could be read."""
    return tuple(pl.read_parquet_schema(io.BytesIO(content)))


def list_parquet(folder: FilePath) -> list[Path]:
    """The Parquet files in a folder, in order; those whose names, or whose folders', begin with `.` or `_` are no data.

    Raises:
        CallError: the folder is a table whose own log says which files count.
    """
    if not os.path.isdir(folder):
        return []
    refuse_log(call_file(folder), os.listdir(folder))
    found = Path(folder).rglob("*.parquet")
    return sorted(path for path in found if is_data(path.relative_to(folder).as_posix()))


def is_data(below: str) -> bool:
    """Whether a path within a folder is one of its table's data files, as Spark has them.

    >>> is_data("day=1/part-0.parquet"), is_data("_temporary/part-0.parquet"), is_data(".part-0.parquet.crc")
    (True, False, False)
    """
    return not any(part.startswith((".", "_")) for part in below.split("/"))


def refuse_log(path: str, names: Iterable[str]) -> None:
    """Refuse a folder whose own log says which of its files count, by the names in it."""
    there = set(names)
    kind = next((kind for name, kind in _TABLE_FORMATS.items() if name in there), None)
    if kind is None and {"data", "metadata"} <= there:
        kind = "Iceberg"
    if kind is not None:
        raise CallError(
            f"{path!r} is a {kind} table, some files of which may not count any more. Give it as a data frame: "
            f"spark.table('NAME'), or spark.read.format('{kind.lower()}').load(...)"
        )
