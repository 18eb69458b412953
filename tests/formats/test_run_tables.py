"""Runs in tables and mappings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from gainsayer.errors import DataError, FormatError
from gainsayer.reading import read_run

ROWS = [("q1", "d1", 2.5), ("q1", "d2", 2.0), ("q2", "d1", -0.001)]


def test_tables_are_read(tmp_path):
    """CSV, TSV, JSON lines, Parquet, Arrow tables and mappings give the same run."""
    frame = pl.DataFrame(ROWS, schema=["qid", "docno", "sim"], orient="row")
    frame.write_csv(tmp_path / "a.csv")
    frame.write_csv(tmp_path / "a.tsv", separator="\t")
    frame.write_csv(tmp_path / "tabs.txt", separator="\t")
    frame.write_ndjson(tmp_path / "a.jsonl")
    frame.write_parquet(tmp_path / "a.parquet")
    for name in ("a.csv", "a.tsv", "tabs.txt", "a.jsonl", "a.parquet"):
        run = read_run(tmp_path / name)
        assert run.frame().rows() == ROWS, name
        assert run.name == name.partition(".")[0]
    mapping = {"q1": {"d1": 2.5, "d2": 2}, "q2": {"d1": np.float32(-0.5)}}
    assert read_run(frame, name="x").frame().rows() == ROWS
    assert read_run(pd.DataFrame(frame.to_dict(as_series=False))).frame().rows() == ROWS
    assert read_run(mapping).frame().rows() == [*ROWS[:2], ("q2", "d1", -0.5)]


def test_a_run_column_names_the_run(tmp_path):
    """The run column of a table is the run's name; two runs in one table are refused."""
    table = {"topic": ["q1", "q1"], "document": ["a", "b"], "score": [1, 2], "tag": ["bm25", "bm25"], "rank": [2, 1]}
    run = read_run(pl.DataFrame(table))
    assert run.name == "bm25"
    assert run.rank is not None
    assert run.rank.tolist() == [2, 1]
    with pytest.raises(DataError, match=r"expected one run, found several in its run column: bm25, dense\. Write one"):
        read_run(pl.DataFrame({**table, "tag": ["bm25", "dense"]}))


def test_infinite_scores_are_numbers_but_nan_is_not():
    """inf is allowed, as in trec_eval; NaN has no place in an order."""
    assert read_run({"q1": {"d1": float("inf"), "d2": float("-inf")}}).score.tolist() == [np.inf, -np.inf]
    with pytest.raises(FormatError, match="row 1: expected a number as score, found 'nan'"):
        read_run({"q1": {"d1": float("nan")}})
