"""Columns as people have them: titles spelt in any way, raters in columns, columns that are not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from gainsayer.errors import FormatError
from gainsayer.reading import SYNONYMS, read_judgments, tell_column

WIDE = pl.DataFrame(
    {
        "Query": ["q1", "q1", "q2"],
        "DocID": ["a", "b", "a"],
        "snippet": ["a long text about nothing in particular", "another one of them", "and a third that is longer"],
        "rater_1": [2, 0, 1],
        "Rater 2": [1, None, 0],
        "llm": [2, 0, 2],
    }
)

RATERS = ["rater_1", "rater 2", "llm"]

JUDGED = [
    *[("q1", "a", "Rater 2", "1"), ("q1", "a", "llm", "2"), ("q1", "a", "rater_1", "2")],
    *[("q1", "b", "llm", "0"), ("q1", "b", "rater_1", "0")],
    *[("q2", "a", "Rater 2", "0"), ("q2", "a", "llm", "2"), ("q2", "a", "rater_1", "1")],
]


@pytest.mark.parametrize("meaning", ["topic", "document", "assessor", "level"])
def test_every_synonym_in_any_spelling(meaning: str) -> None:
    """Case, blanks, hyphens and underscores, leading ones as well, make no difference."""
    for title in SYNONYMS[meaning]:
        spellings = [title.upper(), f"_{title}", title.replace("_", ""), title.replace("_", " "), f" {title} "]
        spellings += [title.replace("_", "-").title(), f"__{title.replace('_', '__')}"]
        assert {tell_column(spelling) for spelling in spellings} == {meaning}, title


@pytest.mark.parametrize("form", ["csv", "quoted", "tsv", "jsonl", "parquet", "frame"])
def test_wide_tables_read_alike_in_every_format(form: str, tmp_path: Path) -> None:
    """One row per document and a column per rater: every cell that is not empty is that rater's judgment."""
    path = tmp_path / f"wide.{'csv' if form == 'quoted' else form}"
    writers: dict[str, Callable[[], object]] = {
        "csv": lambda: WIDE.write_csv(path),
        "quoted": lambda: WIDE.write_csv(path, quote_style="always"),
        "tsv": lambda: WIDE.write_csv(path, separator="\t"),
        "jsonl": lambda: WIDE.rename({"Rater 2": "rater 2"}).write_ndjson(path),
        "parquet": lambda: WIDE.write_parquet(path),
        "frame": lambda: None,
    }
    writers[form]()
    judgments = read_judgments(WIDE if form == "frame" else path, raters=RATERS)
    rows = [tuple(row) for row in judgments.frame().rows()]
    expected = [(*row[:2], "rater 2" if form == "jsonl" and row[2] == "Rater 2" else row[2], row[3]) for row in JUDGED]
    assert sorted(rows) == sorted(expected)


def test_a_rater_who_has_no_column_is_told(tmp_path: Path) -> None:
    """A name that is no title is refused with the titles that there are."""
    path = tmp_path / "book.csv"
    WIDE.write_csv(path)
    with pytest.raises(FormatError, match=r"column 'bob' with a rater's levels, found no such column among 'Query'"):
        read_judgments(path, raters=["bob", "llm"])


def test_a_line_may_lack_a_rater_but_a_key_that_no_line_has_is_told(tmp_path: Path) -> None:
    """JSON lines write only what there is; a rater nobody has is a slip of the pen."""
    path = tmp_path / "wide.jsonl"
    path.write_text('{"qid": 1, "docno": "a", "ann": 1}\n{"qid": 1, "docno": "b", "bob": 0}\n')
    assert len(read_judgments(path, raters=["ann", "bob"])) == 2
    with pytest.raises(FormatError, match=r"key 'eve' with a rater's levels, found none in any line"):
        read_judgments(path, raters=["ann", "eve"])
