"""Readers against anything: they parse or raise an error of ours, and the fast way is the slow way."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gainsayer.errors import FormatError, GainsayerError
from gainsayer.levels import canonical_label
from gainsayer.reading import (
    FORMATS,
    Format,
    Source,
    as_text,
    read_judged_file,
    read_judgments,
    read_qrels,
    read_topic_table,
)

quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

PIECES = [
    *(
        "q1",
        "q2",
        "0",
        "1",
        "2",
        "-1",
        "2.0",
        "d1",
        "d2",
        "é",
        "\u2003",
        "\x00",
        '"',
        '""',
        "'",
        "#",
        "\\",
        "NULL",
        "=",
    ),
    *(
        " ",
        "  ",
        "\t",
        "\r",
        "\n",
        "\r\n",
        "\f",
        "\v",
        ",",
        ";",
        ":",
        "{",
        "}",
        "[",
        "]",
        "\ufeff",
        "true",
        "null",
        "1e999",
    ),
    *("topic,document,level\n", "topic\tdoc\tassessor\trel\n", "weight", "q1 0 d1 1\n", "q1\t0\td2\t0\n", "q1,d1,2\n"),
    *('{"topic": "q1", "document": "d1", "level": 1}\n', '{"qid": 1, "doc": 2, "judge": "\\ud800", "rel": true}\n'),
]
near_qrels = st.lists(st.sampled_from([piece for piece in PIECES if "doc" not in piece]), max_size=25).map(
    lambda pieces: "".join(pieces).encode()
)
near_text = st.lists(st.sampled_from(PIECES), max_size=25).map(lambda pieces: "".join(pieces).encode())
blanks = st.text(" \t\r\f\v", min_size=1, max_size=3)
words = st.text(st.characters(exclude_characters=" \t\r\f\v\n\0", exclude_categories=["Cs"]), min_size=1, max_size=5)


def parquet_bytes() -> bytes:
    """A small Parquet file to damage."""
    buffer = io.BytesIO()
    columns = {"topic": ["q1", "q1"], "document": ["d1", "d2"], "assessor": ["U1", "U1"], "level": [0, 1]}
    pl.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


PARQUET = parquet_bytes()


def read_bytes(content: bytes, format: Format | None) -> None:
    """Read the bytes as a file; only errors of ours may come."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        path.write_bytes(content)
        try:
            judgments = read_judgments(path, format=format, repeats="first")
        except GainsayerError:
            return
        assert len(judgments) > 0


@quick
@given(content=st.binary(max_size=200), format=st.sampled_from([None, *FORMATS]))
def test_garbage_is_refused(content: bytes, format: Format | None) -> None:
    """Any bytes parse or raise an error of ours, in every format."""
    read_bytes(content, format)


@quick
@given(content=near_text, format=st.sampled_from([None, *FORMATS]))
def test_near_judgments_parse_or_are_refused(content: bytes, format: Format | None) -> None:
    """Text that looks much like judgments parses or raises an error of ours, in every format."""
    read_bytes(content, format)


@quick
@given(content=near_text, cut=st.integers(0, 60), compress=st.sampled_from([gzip.compress, bz2.compress]))
def test_damaged_compression_is_refused(content: bytes, cut: int, compress: Callable[[bytes], bytes]) -> None:
    """A compressed file with its end cut off parses or raises an error of ours."""
    stored = compress(content)
    read_bytes(stored[: len(stored) - cut], None)


@quick
@given(place=st.integers(0, len(PARQUET) - 1), put=st.binary(min_size=1, max_size=4))
def test_damaged_parquet_is_refused(place: int, put: bytes) -> None:
    """A Parquet file with some bytes overwritten parses or raises an error of ours."""
    read_bytes(PARQUET[:place] + put + PARQUET[place + len(put) :], "parquet")


@quick
@given(content=st.one_of(st.binary(max_size=100), near_text))
def test_side_files_parse_or_are_refused(content: bytes) -> None:
    """Side files parse or raise an error of ours."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        path.write_bytes(content)
        try:
            read_topic_table(path, ("topic", "intent", "probability"), numbers=("probability",))
        except GainsayerError:
            return


def split_lines(text: bytes) -> list[tuple[int, list[str]]]:
    """The reference: each line that is not blank, split at ASCII blanks."""
    lines = enumerate(text.split(b"\n"), start=1)
    return [(number, [cell.decode() for cell in line.split()]) for number, line in lines if line.split()]


def labels_as_text(source: Source) -> list[tuple[object, ...]]:
    """The rows with labels as text, also where they were read as whole numbers."""
    return source.frame.cast({"label": pl.String}).rows()


def spell(source: Source, label: str) -> str:
    """The label as written or, where labels were read as whole numbers, in the one spelling of that number."""
    return label if source.frame["label"].dtype == pl.String else canonical_label(label)


@quick
@given(
    rows=st.lists(st.tuples(words, words, words, words), min_size=1, max_size=8),
    separators=st.one_of(st.sampled_from([" ", "\t"]).map(st.just), st.just(blanks)),
    ends=st.sampled_from(["\n", "\r\n", "\n\n", " \n", "\n \t\r\n"]),
    data=st.data(),
)
def test_fast_and_slow_ways_agree(
    rows: list[tuple[str, str, str, str]], separators: st.SearchStrategy[str], ends: str, data: st.DataObject
) -> None:
    """Whatever blanks stand between the columns, the rows and their lines are those of a plain split."""
    between = data.draw(separators)
    text = "".join(between.join(row) + data.draw(st.sampled_from([ends, "\n"])) for row in rows).encode()
    try:
        text = as_text(text, "a.qrels")
    except FormatError:
        return
    source = read_qrels(io.BytesIO(text), "a.qrels", assessor="U1", second_column="assessor")
    expected = split_lines(text)
    assert labels_as_text(source) == [(t, d, a, spell(source, v)) for _, (t, a, d, v) in expected]
    places = [source.where(row) for row in range(source.frame.height)]
    assert places == [f"a.qrels, line {number}" for number, _ in expected]


@quick
@given(text=near_qrels)
@example(b"1 0 a 1\n1 0\n")
@example(b"1  a 1\n")
@example(b"1\t\ta\t1\n")
@example(b"1 0 a 1\r2 0 b 1")
@example(b"1 0 a 1\n 1 0 b\n")
def test_qrels_parse_just_when_every_line_has_four_columns(text: bytes) -> None:
    """A file is refused if and only if some line has not four columns, and then that line is named."""
    try:
        text = as_text(text, "a.qrels")
    except FormatError:
        return
    expected = split_lines(text)
    bad = [number for number, cells in expected if len(cells) != 4]
    if bad:
        with pytest.raises(FormatError, match=f"^a.qrels, line {bad[0]}: expected 4 columns"):
            read_qrels(io.BytesIO(text), "a.qrels", assessor="U1")
    else:
        source = read_qrels(io.BytesIO(text), "a.qrels", assessor="U1")
        rows = [(cells[0], cells[2], "U1", spell(source, cells[3])) for _, cells in expected]
        assert labels_as_text(source) == rows


@quick
@given(
    rows=st.lists(st.tuples(words, words, words, words), min_size=1, max_size=8),
    separator=st.sampled_from([",", "\t", ";"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
@example([("0", "0", "0", ",")], "\t", "\r")
def test_quoted_and_plain_cells_agree(rows: list[tuple[str, str, str, str]], separator: str, end: str) -> None:
    """Cells quoted all, or only where they must be, give back the rows that were written."""
    for quoting in (csv.QUOTE_ALL, csv.QUOTE_MINIMAL):
        file = io.StringIO()
        writer = csv.writer(file, delimiter=separator, lineterminator=end, quoting=quoting)
        writer.writerows([("topic", "document", "assessor", "level"), *rows])
        assert read_judged_file(file.getvalue().encode(), "a.csv", "csv", assessor=None).frame.rows() == rows
