"""Parquet files, with the columns of the other tables."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final

import polars as pl

from gainsayer.errors import FormatError
from gainsayer.lines.faults import shorten
from gainsayer.tables.columns import JUDGMENTS, Schema, find_columns

PARQUET_MARK: Final = b"PAR1"


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
