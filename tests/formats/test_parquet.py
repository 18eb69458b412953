"""Parquet files that are damaged."""

from __future__ import annotations

import io

import polars as pl
import pytest

from gainsayer.errors import FormatError
from gainsayer.reading import read_columns


@pytest.mark.parametrize("kept", [6, 40, -40])
def test_a_file_that_was_cut_off_is_refused(kept: int) -> None:
    """What is left of a file after its end was lost is refused in words."""
    buffer = io.BytesIO()
    pl.DataFrame({"topic": ["q1", "q1"], "document": ["d1", "d2"], "level": [0, 1]}).write_parquet(buffer)
    with pytest.raises(FormatError, match=r"a\.parquet: expected a whole Parquet file, found it damaged or cut off"):
        read_columns(buffer.getvalue()[:kept], "a.parquet")
