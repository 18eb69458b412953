"""Cells as text: Python values, polars columns, whole frames."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from gainsayer.errors import FormatError
from gainsayer.reading import JUDGMENTS, RUNS, cell_text, column_text, name_table, read_frame, take_table


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((7, "7"), (2.0, "2"), (0.5, "0.5"), (None, ""), (float("nan"), ""), (True, "1"), (np.bool_(False), "0")),
        *((np.int64(3), "3"), (np.float32(2), "2"), ("Key", "Key"), ("", ""), (-0.0, "0")),
    ],
)
def test_values_and_columns_become_the_same_text(value: object, text: str) -> None:
    """A level is the same text in a mapping and in a column."""
    assert cell_text(value, "level") == text
    given = value.item() if isinstance(value, np.generic) else value
    assert column_text(pl.Series([given]), "level", "table").to_list() == [text]


def test_large_whole_numbers_keep_all_digits() -> None:
    """A topic of thirty digits is a name like others."""
    assert cell_text(10**30, "topic") == "1" + "0" * 30


@pytest.mark.parametrize(
    ("value", "meaning", "words"),
    [
        ([1], "level", r"expected text or a number as level, found '\[1\]'"),
        (True, "topic", "expected text or a number as topic, found 'True'"),
        ("\ud800", "topic", "expected text as topic, found half a character"),
    ],
)
def test_other_values_are_refused_in_words(value: object, meaning: str, words: str) -> None:
    """What is neither text nor a number cannot be a name or a level."""
    with pytest.raises(ValueError, match=words):
        cell_text(value, meaning)


def test_numbers_stay_numbers_where_they_are_wanted() -> None:
    """The score of a run is a float whatever number it was; as text, it stays text; a level becomes text."""
    frame = pl.DataFrame({"qid": [1], "docno": ["d"], "score": [2], "rank": ["1"], "rel": [3.0]})
    run = read_frame(frame, "table", RUNS).columns
    assert {key: column.to_list() for key, column in run.items()} == {
        **{"topic": ["1"], "document": ["d"]},
        **{"score": [2.0], "rank": ["1"]},
    }
    assert run["score"].dtype == pl.Float64
    judged = read_frame(frame, "table", JUDGMENTS)
    assert judged.columns["level"].to_list() == ["3"]
    assert judged.titles == ("qid", "docno", "score", "rank", "rel")


def test_tables_that_cannot_be_handed_over_are_refused() -> None:
    """Whatever the table's own library raises comes out in words."""

    class Broken:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            raise RuntimeError("no rows today")

    with pytest.raises(FormatError, match=r"table: expected a table that can be handed over.*columns of a run"):
        take_table(Broken(), "table", "a run")
    assert name_table(Broken()).endswith(" Broken")
