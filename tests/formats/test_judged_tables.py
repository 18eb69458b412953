"""Tables in memory and Parquet files: types that become text, and what is said of others."""

from __future__ import annotations

import datetime
import io
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from gainsayer.errors import CallError, FormatError
from gainsayer.reading import Source, read_judged_file, read_mapping, read_table

ROWS = [("7", "d1", "U1", "2"), ("7", "d2", "U1", "0"), ("8", "d1", "U2", "1")]
COLUMNS = {"qid": [7, 7, 8], "docno": ["d1", "d2", "d1"], "judge": ["U1", "U1", "U2"], "rel": [2, 0, 1]}


def as_parquet(frame: pl.DataFrame) -> bytes:
    """The frame as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def read_as_parquet(frame: pl.DataFrame) -> Source:
    """The frame by way of a Parquet file called a.parquet."""
    return read_judged_file(as_parquet(frame), "a.parquet", "parquet", assessor=None)


def read_as_table(frame: pl.DataFrame) -> Source:
    """The frame as a table called a.parquet, so that messages can be compared."""
    return read_table(frame, "a.parquet")


both_ways = pytest.mark.parametrize("read", [read_as_table, read_as_parquet])
Read = Callable[[pl.DataFrame], Source]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_every_arrow_table_is_read(make: Callable[[object], object]) -> None:
    """pandas, polars and pyarrow tables give the same rows."""
    assert read_table(make(COLUMNS), "table").frame.rows() == ROWS


DUCKDB = """
import duckdb
from gainsayer.reading.judged_tables import read_table

query = '''select * from (values (7, 'd1', 'U1', 2.0), (7, 'd2', 'U1', 0.0), (8, 'd1', 'U2', 1.0))
           as t(qid, docno, judge, rel)'''
with duckdb.connect() as connection:
    print(read_table(connection.sql(query), "table").frame.rows())
"""


def test_duckdb_relation_is_read() -> None:
    """A duckdb query gives the same rows, decimals included."""
    # In a process of its own: duckdb reports its own leaks at the end, which would drown the tests' last words.
    answer = subprocess.run([sys.executable, "-c", DUCKDB], check=True, capture_output=True, text=True)
    assert answer.stdout == f"{ROWS}\n"


@both_ways
@pytest.mark.parametrize("kind", [pl.Int8, pl.UInt64, pl.Int32, pl.Float32, pl.Float64, pl.Decimal(10, 2), pl.String])
def test_whole_numbers_of_any_type_lose_their_point(read: Read, kind: pl.DataType) -> None:
    """Level 2 and topic 7 are '2' and '7', whatever type the column has."""
    frame = pl.DataFrame(COLUMNS).with_columns(pl.col("qid", "rel").cast(kind))
    assert read(frame).frame.rows() == ROWS


@both_ways
@pytest.mark.parametrize("kind", [pl.Categorical, pl.Enum(["d1", "d2"]), pl.Binary])
def test_text_of_any_type_is_text(read: Read, kind: pl.DataType) -> None:
    """Categories and bytes become text."""
    assert read(pl.DataFrame(COLUMNS).with_columns(pl.col("docno").cast(kind))).frame.rows() == ROWS


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())])
def test_arrow_strings_of_any_type_are_text(kind: pa.DataType) -> None:
    """Large strings, string views and dictionaries become text."""
    table = pa.table({**COLUMNS, "docno": pa.array(COLUMNS["docno"], pa.string()).cast(kind)})
    assert read_table(table, "table").frame.rows() == ROWS


@both_ways
def test_true_and_false_are_levels(read: Read) -> None:
    """A level may be true or false, which are 1 and 0."""
    frame = pl.DataFrame({**COLUMNS, "rel": [True, False, True]})
    assert read(frame).frame["label"].to_list() == ["1", "0", "1"]


@both_ways
def test_fractions_and_huge_numbers_keep_their_value(read: Read) -> None:
    """0.5 stays 0.5, and big whole numbers are not rounded into each other."""
    frame = pl.DataFrame({**COLUMNS, "qid": [2**60 + 1, 2**60, 1], "rel": [0.5, 1e300, -0.0]})
    result = read(frame).frame
    assert result["topic"].to_list() == ["1152921504606846977", "1152921504606846976", "1"]
    assert [float(label) for label in result["label"]] == [0.5, 1e300, 0.0]


@both_ways
@pytest.mark.parametrize("gap", [None, float("nan")])
def test_missing_levels_are_empty_labels(read: Read, gap: float | None) -> None:
    """A null or NaN level is passed on as an empty label, for the levels to judge."""
    assert read(pl.DataFrame({**COLUMNS, "rel": [2.0, gap, 1.0]}, strict=False)).frame["label"].to_list() == [
        "2",
        "",
        "1",
    ]


@both_ways
def test_missing_names_are_named_by_their_row(read: Read) -> None:
    """A null document is an error with its row."""
    with pytest.raises(FormatError, match=r"a\.parquet, row 2: expected a document, found an empty one"):
        read(pl.DataFrame({**COLUMNS, "docno": ["d1", None, "d1"]}))


@both_ways
@pytest.mark.parametrize(
    ("title", "values", "kind"),
    [
        ("qid", [True, False, True], "Boolean"),
        ("rel", [[1], [2], [3]], "List"),
        ("docno", [datetime.date(2020, 1, 1)] * 3, "Date"),
    ],
)
def test_unfit_types_are_refused(read: Read, title: str, values: list[object], kind: str) -> None:
    """A column that is neither text nor numbers is named with its type."""
    with pytest.raises(FormatError, match=f"expected text or numbers in the .* column '{title}', found {kind}"):
        read(pl.DataFrame({**COLUMNS, title: values}))


@both_ways
def test_bytes_that_are_no_text_are_refused(read: Read) -> None:
    """A bytes column must hold UTF-8."""
    with pytest.raises(FormatError, match=r"a\.parquet, row 2: expected UTF-8 text, found b'\\xff'"):
        read(pl.DataFrame({**COLUMNS, "docno": [b"d1", b"\xff", b"d1"]}))


@both_ways
def test_missing_and_ambiguous_columns_are_refused(read: Read) -> None:
    """Tables need the same columns as files."""
    with pytest.raises(FormatError, match=r"a\.parquet: expected the columns topic, document, level, found 'qid'"):
        read(pl.DataFrame({"qid": [1]}))
    with pytest.raises(FormatError, match="expected one level column, found two: 'rel' and 'grade'"):
        read(pl.DataFrame({**COLUMNS, "grade": [1, 1, 1]}))


@both_ways
def test_a_table_without_an_assessor_needs_a_name(read: Read) -> None:
    """A table in memory has no file name to take the assessor from."""
    with pytest.raises(CallError, match=r"has no assessor column .*name the assessor of the whole table"):
        read(pl.DataFrame(COLUMNS).drop("judge"))


@both_ways
def test_an_empty_table_is_said(read: Read) -> None:
    """A table without rows holds no judgments."""
    with pytest.raises(FormatError, match="has columns but no judgments below them"):
        read(pl.DataFrame(COLUMNS).clear())


def test_mixed_pandas_columns_are_refused() -> None:
    """What Arrow cannot carry is an error of ours."""
    with pytest.raises(FormatError, match="expected a table that can be handed over as Arrow"):
        read_table(pd.DataFrame({**COLUMNS, "qid": [1, "a", {}]}), "table")


@pytest.mark.parametrize("harm", ["cut", "garbled", "empty", "text"])
def test_damaged_parquet_is_said(harm: str) -> None:
    """A Parquet file that is cut off, overwritten or none at all is refused by name."""
    whole = as_parquet(pl.DataFrame(COLUMNS))
    content = {"cut": whole[:-20], "garbled": whole[:4] + b"\xff" * 500 + b"PAR1", "empty": b"", "text": b"q1 0 d1 2"}
    with pytest.raises(FormatError, match=r"a\.parquet: expected a (whole )?Parquet file, found"):
        read_judged_file(content[harm], "a.parquet", "parquet", assessor="U1")


def test_mapping_levels_may_be_of_many_types() -> None:
    """A mapping takes text, Python and NumPy numbers as names and levels."""
    table: dict[object, object] = {"U1": {7: {"d1": np.int64(2), "d2": 0.0}}, "U2": {"8": {"d1": np.bool_(True)}}}
    assert read_mapping(table, "mapping").frame.rows() == ROWS


def test_a_flat_mapping_is_told_how_to_nest() -> None:
    """pytrec_eval's qrels without an assessor are told to name one."""
    with pytest.raises(
        CallError, match=r"expected \{assessor: \{topic: \{document: level\}\}\}, found '2'.*\('name', "
    ):
        read_mapping({"q1": {"d1": 2}}, "mapping")


def test_mapping_faults_are_named_by_their_row() -> None:
    """A level that is no level is an error with its row."""
    with pytest.raises(FormatError, match=r"mapping, row 2: expected text or a number as level, found '\[1\]'"):
        read_mapping({"U1": {"q1": {"d1": 2, "d2": [1]}}}, "mapping")
