"""Parquet files, with the columns of the other tables; tried in another process before they are read in this one."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from gainsayer.errors import FormatError
from gainsayer.judgments.columns import NEEDED, SYNONYMS, find_columns
from gainsayer.judgments.parquet_trial import TooLargeError, TrialError, can_try, try_parquet
from gainsayer.judgments.source import Source
from gainsayer.judgments.tables import read_frame
from gainsayer.lines.compression import most_bytes, too_large
from gainsayer.lines.faults import shorten

PARQUET_MARK: Final = b"PAR1"


def read_parquet(content: bytes, name: str, *, assessor: str | None, raters: Sequence[str] = ()) -> Source:
    """The rows of a Parquet file; types are treated as in `tables.read_table`.

    Args:
        content: the bytes of the file.
        name: what messages call it.
        assessor: who gave the levels, where no column says so.
        raters: columns of levels, one per rater, where the table is wide.

    Raises:
        FormatError: it is no Parquet file, damaged or larger than memory, or its columns do not fit.
    """
    return read_frame(read_columns(content, name, raters=raters), name, assessor=assessor, raters=raters)


def read_columns(
    content: bytes,
    name: str,
    *,
    synonyms: Mapping[str, Sequence[str]] = SYNONYMS,
    needed: Sequence[str] = NEEDED,
    raters: Sequence[str] = (),
) -> pl.DataFrame:
    """The known columns of a Parquet file under their own titles; see `read_parquet`."""
    if not content.startswith(PARQUET_MARK):
        raise FormatError(f"{name}: expected a Parquet file, found {shorten(content) if content else 'nothing'}.")

    def choose(titles: Sequence[str]) -> list[str]:
        places = find_columns(titles, name, synonyms=synonyms, needed=needed, raters=raters)
        return [titles[place] for place in places.values()]

    limit = most_bytes()
    try:
        if can_try():
            wanted = try_parquet(content, choose, limit)
        else:
            wanted = choose(list(pl.read_parquet_schema(io.BytesIO(content))))
        return pl.read_parquet(io.BytesIO(content), columns=wanted)
    except TooLargeError:
        raise too_large(name, limit) from None
    except (TrialError, pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as fault:
        # A damaged file may make polars panic, which Python sees as a BaseException.
        raise FormatError(
            f"{name}: expected a whole Parquet file, found it damaged or cut off ({shorten(str(fault))}). "
            "Copy or write it again."
        ) from None
