"""The example for spark-submit runs as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import gainsayer as gs

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
pytestmark = pytest.mark.spark


def test_on_spark_compares_tables(tmp_path: Path) -> None:
    """The script for spark-submit compares the systems of one table by the people of another, on this machine."""
    collection = gs.simulate(topics=12, documents=10, runs={"bm25": 0.4, "dense": 0.9}, seed=4)
    collection.judgments.frame().with_columns(
        pl.col("level").replace({"Non": "0", "Rel": "1", "HRel": "2", "Key": "3"})
    ).write_parquet(tmp_path / "judgments.parquet")
    tables = [run.with_columns(pl.lit(name).alias("run")) for name, run in collection.runs.items()]
    pl.concat(tables).write_parquet(tmp_path / "runs.parquet")
    files = ("judgments.parquet", "runs.parquet")
    done = subprocess.run(
        [sys.executable, EXAMPLES / "on_spark.py", *files, "--first", "first", "--second", "second"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
    assert [name for name in rows if name in collection.runs][:2] == ["dense", "bm25"]
