"""TREC qrels: every way to separate four columns, and what is said of other lines."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.readers import without_kernel

from gainsayer.errors import FormatError, GainsayerError, RepeatError
from gainsayer.levels import Levels
from gainsayer.reading import (
    Names,
    SecondColumn,
    Source,
    cut_blocks,
    qrels,
    read_judgments,
    read_qrels,
    source_from_frame,
)

FRAME = pl.DataFrame({"topic": ["q1", "q2"], "document": ["a", "b"], "assessor": ["U1", "U2"], "label": ["1", "0"]})
ROWS = [("q1", "d1", "U1", "2"), ("q1", "d2", "U1", "0"), ("q2", "d1", "U1", "-1")]


def read(text: bytes, second_column: SecondColumn = "iteration") -> Source:
    """The qrels as judgments of U1, in a file called a.qrels."""
    source = read_qrels(io.BytesIO(text), "a.qrels", assessor="U1", second_column=second_column)
    frame = source.frame.cast({"label": pl.String})  # whole numbers are read as such
    lines = np.array([int(source.where(row).removeprefix("a.qrels, line ")) for row in range(frame.height)])
    return replace(source_from_frame(source.name, frame, unit="line"), line=lines)


@pytest.mark.parametrize(
    "text",
    [
        b"q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 -1\n",
        b"q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 -1",
        b"q1 0 d1 2\r\nq1 0 d2 0\r\nq2 0 d1 -1\r\n",
        b"q1\t0\td1\t2\nq1\t0\td2\t0\nq2\t0\td1\t-1\n",
        b"q1 0 d1 2\nq1\t0\td2\t0\nq2 0\td1 -1\n",
        b"  q1   0 d1\t\t2  \n\tq1 0 d2 0 \nq2 \x0b0\x0cd1 -1\r",
        b"\n\nq1 0 d1 2\n \t \nq1 0 d2 0\r\n\r\nq2 0 d1 -1\n\n\n",
    ],
    ids=["plain", "no-last-newline", "crlf", "tabs", "per-line", "many-blanks", "blank-lines"],
)
def test_blanks_do_not_matter(text: bytes) -> None:
    """Blanks, tabs, several of them, CRLF, blank lines and a missing last newline give the same rows."""
    assert read(text).frame.rows() == ROWS


@pytest.mark.parametrize("symbol", ["\u00a0", "\u2003", "\u0085", "\u2028", "\x1c"])
def test_only_ascii_blanks_separate(symbol: str) -> None:
    """A blank of another alphabet is part of a name."""
    assert read(f"q1 0 d{symbol}1  2\n".encode()).frame.rows() == [("q1", f"d{symbol}1", "U1", "2")]


@pytest.mark.parametrize("name", ['"d1', '"', "'d1'", "#d1", "d,1", "NULL", "null", "NA", "\\N"])
def test_no_symbol_is_special(name: str) -> None:
    """Quotes, comment signs, commas and words for nothing are names like others."""
    assert read(f"{name} 0 {name} {name}\nq2 0 d2 1\n".encode()).frame.row(0) == (name, name, "U1", name)


def test_lines_are_those_of_the_file() -> None:
    """Places are lines of the file as it is, also after blank lines."""
    source = read(b"\n q1 0 d1 2\n\n\nq1 0 d2 0\n")
    assert [source.where(row) for row in range(2)] == ["a.qrels, line 2", "a.qrels, line 5"]
    assert read(b"\n\nq1 0 d1 2\nq1 0 d2 0\n\n").where(1) == "a.qrels, line 4"


def test_column_two_may_be_the_assessor() -> None:
    """In trec_eval's qrels_jg, column 2 is the assessor."""
    assert read(b"q1 U7 d1 2\nq1 U8 d1 0\n", "assessor").frame.rows() == [
        ("q1", "d1", "U7", "2"),
        ("q1", "d1", "U8", "0"),
    ]


def test_column_two_may_be_the_intent() -> None:
    """In diversity qrels, column 2 is the intent."""
    frame = read(b"q1 1 d1 2\nq1 2 d1 0\n", "intent").frame
    assert frame.columns == ["topic", "document", "assessor", "label", "intent"]
    assert frame.rows() == [("q1", "d1", "U1", "2", "1"), ("q1", "d1", "U1", "0", "2")]


def test_wrong_column_count_is_named_by_its_line() -> None:
    """A line with three columns is quoted with its number, also when blank lines came before it."""
    with pytest.raises(FormatError) as caught:
        read(b"q1 0 d1 2\n\nq1 0 d2\n")
    assert str(caught.value) == (
        "a.qrels, line 3: expected 4 columns (topic, iteration, document, level), found 3: 'q1 0 d2'."
    )


def test_first_ten_faults_are_listed_at_once() -> None:
    """Of twelve faulty lines ten are shown and two are counted."""
    text = b"q1 0 d1 2\n" + b"q1 0 d2\n" * 12
    with pytest.raises(FormatError) as caught:
        read(text)
    shown = str(caught.value).splitlines()
    assert [line.partition(":")[0] for line in shown[:10]] == [f"a.qrels, line {number}" for number in range(2, 12)]
    assert shown[10] == "... and 2 more like these."


def test_messages_name_what_column_two_is() -> None:
    """The expected columns are those asked for."""
    with pytest.raises(FormatError, match=r"expected 4 columns \(topic, assessor, document, level\), found 2"):
        read(b"q1 U1\n", "assessor")


def test_an_empty_column_is_a_missing_one() -> None:
    """Two tabs in a row are one separator, so nothing moves into an empty column unseen."""
    with pytest.raises(FormatError, match=r"line 2: expected 4 columns .*, found 3: 'q1"):
        read(b"q1\t0\td1\t2\nq1\t\td2\t0\n")


def test_a_run_is_recognised() -> None:
    """Six columns look like a run, and the message says so."""
    with pytest.raises(FormatError, match=r"found 6: .*\nSix columns look like a run"):
        read(b"q1 Q0 d1 1 9.5 bm25\n")


def test_five_columns_are_refused() -> None:
    """A fifth column is not dropped."""
    with pytest.raises(FormatError, match=r"line 2: expected 4 columns .*, found 5"):
        read(b"q1 0 d1 2\nq1 0 d1 2 extra\n")


def test_csv_without_known_columns_is_told_about_headers() -> None:
    """A file with commas is told that CSV needs a header."""
    with pytest.raises(FormatError, match="Is it a CSV file"):
        read(b"q1,0,d1,2\n")


def test_a_header_is_refused() -> None:
    """A header between blanks is no judgment."""
    with pytest.raises(FormatError, match="line 1: expected judgments, found the header 'topic iter docno rel'"):
        read(b"topic iter docno rel\nq1 0 d1 2\n")


def test_old_mac_line_ends_are_recognised() -> None:
    """Lines that end with CR alone are one long line, and the message says why."""
    with pytest.raises(FormatError, match="The lines end with CR alone"):
        read(b"q1 0 d1 2\rq1 0 d2 0\r")


@pytest.mark.parametrize(
    ("line", "found"), [(b"x" * 10_000_000, "1"), (b"x " * 5_000_000, "more than 100")], ids=["word", "words"]
)
def test_ten_megabytes_on_one_line_are_refused_in_short(line: bytes, found: str) -> None:
    """A single line of 10 MB gives a short message."""
    with pytest.raises(FormatError, match=f"a.qrels, line 1: expected 4 columns .*, found {found}: ") as caught:
        read(line)
    assert len(str(caught.value)) < 300


def test_a_long_document_name_is_no_fault() -> None:
    """Four columns are four columns, however long."""
    assert read(b"q1 0 " + b"d" * 1_000_000 + b" 2\n").frame["document"].str.len_bytes().item() == 1_000_000


PLAIN = {
    "one blank": b"q1 0 d1 2\nq1 0 d22 0\nq2 0 d1 1\n",
    "no last line end": b"q1 0 d1 2\nq1 0 d22 0\nq2 0 d1 1",
    "tabs": b"q1\t0\td1\t2\nq1\t0\td22\t0\n",
    "other widths": b"q9 0 d1 2\nq10 Q0 d22 -1\nq10 0 d1 10\nq9 0 d3 0\n",
    "UTF-8": "q1 0 dé 2\nq1 0 d\u2003 0\n".encode(),
    "long": b"q1 0 " + b"d" * 5000 + b" 2\nq1 0 e 0\n",
    "odd names": b'"q 0 #1 1\nnull 0 , 0\n',
    "topics in turn": b"".join(b"q%d 0 d%d 1\n" % (number % 7, number) for number in range(500)),
    "one line": b"1 0 2 0\n",
}
OTHER = {
    "crlf": b"q1 0 d1 2\r\nq1 0 d2 0\r\n",
    "two blanks": b"q1 0  d1 2\nq1 0 d2 0\n",
    "blank at the end": b"q1 0 d1 2 \nq1 0 d2 0\n",
    "blank at the begin": b" q1 0 d1 2\nq1 0 d2 0\n",
    "blank line": b"q1 0 d1 2\n\nq1 0 d2 0\n",
    "both blanks": b"q1 0 d1 2\nq1\t0 d2 0\n",
    "words as levels": b"q1 0 d1 Key\nq1 0 d2 Non\n",
    "odd spelling": b"q1 0 d1 1.0\nq1 0 d2 02\nq1 0 d3 +0\n",
    "control character": b"q1 0 d\x1c1 2\n",
    "NUL": b"q1 0 d\x001 2\n",
    "not UTF-8": b"q1 0 d\xe9 2\n",
    "three columns": b"q1 0 d1 2\nq1 0 d2\n",
    "five columns": b"q1 0 d1 2\nq1 0 d2 2 x\n",
    "three and five columns": b"q1 0 d1 2\nq1 d2 1\nq1 0 x d2 2\n",
    "header": b"topic iter docno rel\nq1 0 d1 2\n",
    "CSV": b"topic,document,level\nq1,d1,2\n",
    "JSON": b'{"topic": "q1", "doc": "d1", "rel": 2}\n',
    "byte-order mark": b"\xef\xbb\xbfq1 0 d1 2\n",
    "Parquet's mark": b"PAR1 0 d1 2\n",
    "empty": b"",
    "a line end": b"\n",
    "no line end": b"q1 0 d1 2",
    "a word far below": b"q1 0 d1 1\n" + b"".join(b"q1 0 e%d 1\n" % place for place in range(50)) + b"q2 0 d Key\n",
    "a mark and CRLF": b"\xef\xbb\xbfq1 0 d1 2\r\nq1 0 d22 0\r\n",
    "two marks": b"\xef\xbb\xbf\xef\xbb\xbfq1 0 d1 2\n",
    "UTF-16": "q1 0 d1 2\n".encode("utf-16"),
}


def write(folder: Path, content: bytes) -> Path:
    """A file of its own."""
    path = folder / "a.qrels"
    path.write_bytes(content)
    return path


def read_or_refuse(*paths: Path) -> object:
    """The judgments in comparable form, or the words of the refusal."""
    try:
        judgments = read_judgments(*paths)
    except GainsayerError as fault:
        return type(fault), str(fault)
    item = judgments.item.tolist()
    same = [item.index(number) for number in item]
    return judgments.frame().rows(), judgments.findings, judgments.items, same


@pytest.mark.parametrize("size", [5, 17])
@pytest.mark.parametrize("name", [*PLAIN, *OTHER])
def test_the_slow_way_and_small_blocks_change_nothing(
    name: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same judgments or the same words, whether or not plain blocks are read as such, whatever their size."""
    path = write(tmp_path, (PLAIN | OTHER)[name])
    other = tmp_path / "b.csv"
    other.write_text("topic,document,level\nq1,d22,1\nq1,d1,0\n")
    quick = read_or_refuse(path, other)
    monkeypatch.setattr(qrels, "cut_blocks", partial(cut_blocks, size=size))
    assert read_or_refuse(path, other) == quick
    with without_kernel():
        assert read_or_refuse(path, other) == quick


@pytest.mark.parametrize("name", PLAIN)
def test_plain_files_give_the_rows_of_a_plain_split(name: str) -> None:
    """Topic, document and label are the first, third and fourth word of each line."""
    expected = [[cell.decode() for cell in line.split()] for line in PLAIN[name].split(b"\n") if line.split()]
    assert read(PLAIN[name]).frame.rows() == [(row[0], row[2], "U1", row[3]) for row in expected]


def test_labels_at_fault_are_named_by_line(tmp_path: Path) -> None:
    """Two levels for one document, and a label that is no level."""
    path = write(tmp_path, b"q1 0 d1 2\nq1 0 d2 0\nq1 0 d1 1\n")
    with pytest.raises(RepeatError, match=r"a gave q1 d1 the levels 2, . \(.*a.qrels, line 1; .*a.qrels, line 3\)"):
        read_judgments(path)
    assert read_judgments(path, repeats="last").frame()["document"].to_list() == ["d2", "d1"]
    with pytest.raises(FormatError, match=r"a.qrels, line 1: expected one of the levels 0, 1, found '2'"):
        read_judgments(path, levels=Levels(("0", "1")))
    kept = read_judgments(path, missing=["2"])
    assert kept.frame().rows() == [("q1", "d2", "a", "0"), ("q1", "d1", "a", "1")]


def test_documents_do_not_follow_the_file(tmp_path: Path) -> None:
    """What was read stays as it was read, also where the text is asked for after the file was changed."""
    path = write(tmp_path, PLAIN["one blank"])
    judgments = read_judgments(path)
    path.write_bytes(b"")
    assert judgments.document.to_list() == ["d1", "d22", "d1"]
    assert judgments.rows(np.array([2, 1])).document.to_list() == ["d1", "d22"]


def make_qrels(**options: object) -> Source:
    """Two rows of a qrels file."""
    topic = np.array([0, 1], np.int32)
    return Source("a.qrels", ("q1", "q2"), topic, Names.of(["a", "b"]), np.array([1, 0], np.int16), **options)  # type: ignore[arg-type]


def test_places_are_lines_or_rows() -> None:
    """A row is named by its line: counted from the first, or its own; in tables without lines, by its row."""
    assert source_from_frame("a", FRAME).where(1) == "a, row 2"
    assert make_qrels(assessor="U1", unit="item", places=("ratings[0]", "ratings[3]")).where(1) == "a.qrels, ratings[3]"
    assert make_qrels(assessor="U1", line=3).where(1) == "a.qrels, line 4"
    assert make_qrels(assessor="U1", line=np.array([2, 9])).where(1) == "a.qrels, line 9"


def test_qrels_have_the_columns_of_tables() -> None:
    """As a table, qrels have the same columns in the same order, with what column 2 holds."""
    people = make_qrels(assessor=None, columns={"assessor": pl.Series(["U1", "U2"])})
    assert people.frame.equals(FRAME.with_columns(label=pl.Series([1, 0], dtype=pl.Int16)))
    assert people.assessors.to_list() == source_from_frame("a", FRAME).assessors.to_list()
    intents = make_qrels(assessor="U1", columns={"intent": pl.Series(["1", "2"])})
    assert intents.frame.columns == ["topic", "document", "assessor", "label", "intent"]
