"""Parquet files: bounded by memory, and read in this process where there is no other."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import polars as pl
import pytest

from gainsayer.errors import FormatError
from gainsayer.judgments import read_judgments
from gainsayer.tables import parquet_trial, read_columns


def write_parquet(path: Path, **columns: list[object]) -> Path:
    """A good Parquet file."""
    pl.DataFrame(columns).write_parquet(path)
    return path


@pytest.mark.parametrize("limit", [2_000_000, 40_000_000])
def test_parquet_is_bounded(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that take more memory than they may are refused, told by their rows or while they are read."""
    if sys.platform != "linux":
        pytest.skip("only Linux tells what a process takes")
    rows = 200_000
    text = pl.select(pl.format("document-{}-" + "x" * 500, pl.int_range(rows))).to_series()
    buffer = io.BytesIO()
    pl.DataFrame({"topic": ["q1"] * rows, "document": text, "level": [1] * rows}).write_parquet(buffer)
    assert len(buffer.getvalue()) < 4_000_000
    monkeypatch.setenv("GAINSAYER_MAX_BYTES", str(limit))
    with pytest.raises(FormatError, match=f"a.parquet: expected at most {limit:,} bytes of content"):
        read_columns(buffer.getvalue(), "a.parquet")


def test_without_a_python_to_start_parquet_is_read_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen program has no Python to start, and reads Parquet in its own process."""
    good = write_parquet(tmp_path / "a.parquet", topic=["q1", "q1"], document=["d1", "d2"], level=[0, 1])
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(parquet_trial, "try_parquet", None)
    assert len(read_judgments(good)) == 2
