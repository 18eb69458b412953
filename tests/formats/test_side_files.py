"""Small tables of topics: with and without header, and what is said of faulty lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from gainsayer.errors import CallError, FormatError
from gainsayer.reading import read_topic_table


@pytest.mark.parametrize("separator", [",", "\t", " ", "   "])
@pytest.mark.parametrize("header", [None, "topic stratum", "QID group"])
def test_separator_and_header_do_not_matter(tmp_path: Path, separator: str, header: str | None) -> None:
    """Commas, tabs and blanks, with a header or without, give the same table."""
    lines = [*([header] if header else []), "q1 nav", "", "q2 info"]
    path = tmp_path / "strata.txt"
    path.write_bytes(gzip.compress("\r\n".join(lines).replace(" ", separator).encode()))
    assert read_topic_table(path, ("topic", "stratum")).rows() == [("q1", "nav"), ("q2", "info")]


def test_a_header_may_have_another_order_and_other_columns(tmp_path: Path) -> None:
    """With a header, columns are found by their titles."""
    path = tmp_path / "intents.csv"
    path.write_text('note,probability,subtopic,qid\n"a, b",0.25,i1,q1\n,0.75,i2,q1\n')
    table = read_topic_table(path, ("topic", "intent", "probability"), numbers=("probability",))
    assert table.rows() == [("q1", "i1", 0.25), ("q1", "i2", 0.75)]
    assert table.schema == {"topic": pl.String, "intent": pl.String, "probability": pl.Float64}


def test_equal_lines_count_once(tmp_path: Path) -> None:
    """A line said twice is said once."""
    path = tmp_path / "strata"
    path.write_text("q1 nav\nq1 nav\n")
    assert read_topic_table(path, ("topic", "stratum")).rows() == [("q1", "nav")]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("q1 nav\nq2\n", r"line 2: expected 2 columns \(topic, stratum\), found 1: 'q2'"),
        ("q1,nav\n\nq2,\n", "line 3: expected a stratum, found an empty one"),
        ("q1 nav\nq1 info\n", "line 2: expected one stratum for q1, found 'info' here and 'nav' on line 1"),
        ("topic,kind\nq1,nav\n", "line 1: expected the columns topic, stratum, found 'topic', 'kind'"),
        ("topic,stratum,x\nq1,nav\n", "line 2: expected 3 columns as in the header, found 2"),
        ("topic,stratum\n", "has a header but no lines below it"),
        ("", "is empty"),
        ("x" * 1_000_000, "line 1: expected 2 columns"),
    ],
)
def test_faulty_lines_are_named(tmp_path: Path, text: str, fault: str) -> None:
    """Wrong counts, empty cells and contradictions are errors with their lines."""
    path = tmp_path / "strata"
    path.write_text(text)
    with pytest.raises(FormatError, match=f"strata.*{fault}"):
        read_topic_table(path, ("topic", "stratum"))


@pytest.mark.parametrize("number", ["much", "nan", "inf", "0,5"])
def test_numbers_must_be_numbers(tmp_path: Path, number: str) -> None:
    """A probability that is no finite number is an error with its line."""
    path = tmp_path / "intents"
    path.write_text(f"q1\ti1\t{number}\n")
    with pytest.raises(FormatError, match=r"line 1: expected (a number as probability|3 columns)"):
        read_topic_table(path, ("topic", "intent", "probability"), numbers=("probability",))


def test_a_missing_file_is_a_fault_of_the_call(tmp_path: Path) -> None:
    """Side files are opened like the others."""
    with pytest.raises(CallError, match="There is no file"):
        read_topic_table(tmp_path / "strata", ("topic", "stratum"))


def test_a_column_may_list_many_values(tmp_path: Path) -> None:
    """What each resource returned are many documents, in the order of the lines; equal lines count once."""
    path = tmp_path / "resources.tsv"
    path.write_text("topic resource document\nq1 e1 d2\nq1 e1 d1\nq1 e2 d3\nq1 e1 d2\n")
    columns = ("topic", "resource", "document")
    assert read_topic_table(path, columns, several=True).rows() == [
        ("q1", "e1", "d2"),
        ("q1", "e1", "d1"),
        ("q1", "e2", "d3"),
    ]
    with pytest.raises(FormatError, match="expected one document for q1 e1"):
        read_topic_table(path, columns)
