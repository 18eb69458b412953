"""The door: every kind of source, names of assessors, and what is said of faulty calls and data."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from gainsayer.errors import CallError, FormatError
from gainsayer.reading import Judgments, read_judgments, split_name

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FRAME = pl.DataFrame(
    {
        "topic": ["q1", "q1", "q1", "q2"],
        "document": ["d,1", 'd"2', "d1", "d3"],
        "assessor": ["U1", "U1", "U2", "U2"],
        "level": ["2", "0", "1", "0"],
    }
)


def write_qrels(frame: pl.DataFrame) -> bytes:
    """The frame as qrels with the assessor in column 2."""
    return b"".join(f"{t} {a} {d} {v}\n".encode() for t, d, a, v in frame.iter_rows())


def write_parquet(frame: pl.DataFrame) -> bytes:
    """The frame as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


WRITERS: dict[str, Callable[[pl.DataFrame], bytes]] = {
    "qrels": write_qrels,
    "csv": lambda frame: frame.write_csv().encode(),
    "tsv": lambda frame: frame.write_csv(separator="\t").encode(),
    "jsonl": lambda frame: frame.write_ndjson().encode(),
    "parquet": write_parquet,
}

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda content: content,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstd.compress,
}


def save(path: Path, text: str) -> Path:
    """A file with this text."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def codes(judgments: Judgments) -> list[str]:
    """The codes of the findings."""
    return [finding.code for finding in judgments.findings]


@pytest.mark.parametrize("ending", COMPRESSIONS)
@pytest.mark.parametrize("format", WRITERS)
def test_what_is_written_reads_back_the_same(tmp_path: Path, format: str, ending: str) -> None:
    """Every format and compression gives the table back, by ending and by content alone."""
    content = COMPRESSIONS[ending](WRITERS[format](FRAME))
    for name in (f"a.{format}{ending}", "a"):
        path = tmp_path / name
        path.write_bytes(content)
        assert read_judgments(path, by_assessor=format == "qrels").frame().equals(FRAME)


@pytest.mark.parametrize("format", WRITERS)
def test_standard_input_is_read_in_every_format(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """'-' is told by its content, or by the format asked for."""
    for asked in (None, format):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WRITERS[format](FRAME))))
        judgments = read_judgments("-", by_assessor=format == "qrels", format=asked)  # type: ignore[arg-type]
        assert judgments.frame().equals(FRAME)


def test_tables_and_mappings_are_read() -> None:
    """A data frame, judgments themselves and nested mappings give the same table."""
    judgments = read_judgments(FRAME)
    assert judgments.frame().equals(FRAME)
    assert read_judgments(judgments).frame().equals(FRAME)
    nested: dict[str, dict[str, dict[str, int]]] = {}
    for topic, document, assessor, level in FRAME.iter_rows():
        nested.setdefault(assessor, {}).setdefault(topic, {})[document] = int(level)
    assert read_judgments(nested).frame().equals(FRAME)


def test_a_qrels_file_is_one_assessor(tmp_path: Path) -> None:
    """Assessors are named by their files, in the order given."""
    second = save(tmp_path / "umbrela-llama3.2.qrels", "q1 0 d1 1\n")
    first = save(tmp_path / "nist.qrels", "q1 0 d1 0\n")
    judgments = read_judgments(second, str(first))
    assert judgments.assessors == ("umbrela-llama3.2", "nist")
    assert judgments.findings == ()


def test_a_table_file_without_assessors_is_one_assessor(tmp_path: Path) -> None:
    """CSV and JSON lines without an assessor are named like qrels files."""
    csv = save(tmp_path / "U1.csv", "qid,docno,rel\nq1,d1,0\n")
    lines = save(tmp_path / "U2.jsonl", '{"qid": "q1", "docno": "d1", "rel": 1}\n')
    assert read_judgments(csv, lines).assessors == ("U1", "U2")


def test_a_pair_names_the_assessor(tmp_path: Path) -> None:
    """(name, source) names files, tables and mappings."""
    path = save(tmp_path / "nist.qrels", "q1 0 d1 0\n")
    table = pl.DataFrame({"qid": ["q1"], "docno": ["d1"], "rel": [1]})
    judgments = read_judgments(("A", path), ("B", table), ("C", {"q1": {"d1": 0}}))
    assert judgments.assessors == ("A", "B", "C")


def test_a_source_that_names_its_assessors_takes_no_other_name() -> None:
    """A name for a table with an assessor column would be ignored, so it is refused."""
    with pytest.raises(CallError, match=r"names its assessors itself \(U1, U2\), so it cannot be called 'nist'"):
        read_judgments(("nist", FRAME))


def test_same_names_are_one_assessor_and_said_to_be(tmp_path: Path) -> None:
    """a/nist.qrels and b/nist.qrels are one assessor, and a finding names both files and the way out."""
    first = save(tmp_path / "a" / "nist.qrels", "q1 0 d1 0\n")
    second = save(tmp_path / "b" / "nist.qrels", "q1 0 d2 1\n")
    judgments = read_judgments(first, second)
    assert judgments.assessors == ("nist",)
    assert codes(judgments) == ["same-assessor"]
    message = judgments.findings[0].message
    assert str(first) in message
    assert str(second) in message
    assert "one assessor, 'nist'" in message
    assert "NAME=FILE" in message
    assert codes(read_judgments(first, ("U2", second))) == []


def test_a_file_and_a_column_may_share_an_assessor(tmp_path: Path) -> None:
    """A file named like an assessor in another table's column is said to be the same one."""
    path = save(tmp_path / "U1.qrels", "q9 0 d1 0\n")
    assert codes(read_judgments(FRAME, path)) == ["same-assessor"]
    assert codes(read_judgments(FRAME, FRAME.with_columns(topic=pl.lit("q9")))) == []


def test_diversity_qrels_have_intents(tmp_path: Path) -> None:
    """With diversity, column 2 is the intent and makes results of its own."""
    path = save(tmp_path / "U1.qrels", "q1 1 d1 0\nq1 2 d1 1\n")
    judgments = read_judgments(path, diversity=True)
    assert judgments.items == 2
    assert judgments.intent is not None
    assert judgments.intent.to_list() == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n \n", "found only blanks"),
        (b"\x00\x01\x02\x03", "found a binary file"),
        (gzip.compress(b"q1 0 d1 2\n" * 100, mtime=0)[:-9], "expected a whole gzip file, found it damaged"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (b"q1 0 d1 2\nq1 0 \xff 2\n", "line 2: expected UTF-8 text, found byte 0xff"),
        ("q1 0 d1 2\n".encode("utf-16"), "found UTF-16"),
        (b"q1 0 d1\n", "expected 4 columns"),
        (b"x" * 10_000_000, "line 1: expected 4 columns"),
        (b"PAR1", "expected a whole Parquet file"),
    ],
    ids=["empty", "blank", "binary", "gzip", "empty-gzip", "utf8", "utf16", "columns", "long", "parquet"],
)
def test_unreadable_files_are_faults_of_the_data(tmp_path: Path, content: bytes, words: str) -> None:
    """A file that cannot be read is named with what is wrong."""
    path = tmp_path / "a.qrels"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=words) as caught:
        read_judgments(path)
    assert str(path) in str(caught.value)


def test_wrong_calls_are_told() -> None:
    """Options that do not fit are faults of the call."""
    with pytest.raises(CallError, match="No judgments were given"):
        read_judgments()
    with pytest.raises(CallError, match=r"There is no file 'nowhere\.qrels'"):
        read_judgments("nowhere.qrels")
    with pytest.raises(CallError, match="'-' was given several times"):
        read_judgments("-", ("U2", "-"))
    with pytest.raises(CallError, match="The format may be qrels, csv, tsv, jsonl, parquet, found 'xml'"):
        read_judgments(FRAME, format="xml")  # type: ignore[arg-type]
    with pytest.raises(CallError, match="Repeats may be error, first, last, majority, all, as-assessors, found 'any'"):
        read_judgments(FRAME, repeats="any")  # type: ignore[arg-type]
    with pytest.raises(CallError, match="Column 2 cannot be both"):
        read_judgments("a.qrels", by_assessor=True, diversity=True)
    with pytest.raises(CallError, match="by_assessor=True says what column 2 of a qrels file is, but none was given"):
        read_judgments(FRAME, by_assessor=True)


@pytest.mark.parametrize(
    "source", [17, None, b"a.qrels", ["a.qrels"], FRAME.lazy(), ("a", "b", "c"), (1, "a"), ("", "a"), ()]
)
def test_what_is_no_source_is_refused(source: object) -> None:
    """Anything else is refused with the kinds of sources there are."""
    with pytest.raises(CallError, match=r"Judgments are read from a path|A tuple names|An assessor needs a name"):
        read_judgments(source)  # type: ignore[arg-type]


def test_a_forced_format_is_obeyed(tmp_path: Path) -> None:
    """A format asked for wins over ending and content."""
    path = save(tmp_path / "a.csv", '{"x" 0 d1 2\nq1 0 d2 1\n')
    assert len(read_judgments(path, format="qrels")) == 2
    with pytest.raises(FormatError, match="expected one JSON object"):
        read_judgments(path, format="jsonl")
    with pytest.raises(FormatError, match="expected a Parquet file, found"):
        read_judgments(path, format="parquet")


def test_names_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NAME=FILE is split, unless a file is called just that."""
    monkeypatch.chdir(tmp_path)
    assert split_name("U1=a=b.qrels") == ("U1", "a=b.qrels")
    assert split_name("folder/x=y.qrels") == "folder/x=y.qrels"
    save(tmp_path / "k=10.qrels", "")
    assert split_name("k=10.qrels") == "k=10.qrels"


def test_topics_like_numbers_meet_topics_that_are_text(tmp_path: Path) -> None:
    """Topic 7 of a JSON file is topic 7 of a qrels file."""
    lines = save(tmp_path / "U1.jsonl", json.dumps({"qid": 7, "docno": 12, "rel": 1}))
    qrels = save(tmp_path / "U2.qrels", "7 0 12 0\n")
    assert read_judgments(lines, qrels).items == 1


def test_qrels_have_no_raters(tmp_path: Path) -> None:
    """A qrels file has one column of levels."""
    path = tmp_path / "a.qrels"
    path.write_text("q 0 a 1\nq 0 b 0\n")
    with pytest.raises(CallError, match="has one column of levels"):
        read_judgments(path, raters=["x"])


@pytest.mark.parametrize(
    ("name", "content", "likely"),
    [
        ("a.json", "q1 0 d1 2\nq1 0 d2 0\n", "qrels"),
        ("a.parquet", "q1 0 d1 2\n", "qrels"),
        ("a.csv", "q1\t0\td1\t2\n", "qrels"),
        ("a.jsonl", "qid,docno,judge,rel\nq1,d1,U,1\n", "csv"),
        ("a.csv", '{"qid": 1, "docno": "d", "rel": 1}\n', "jsonl"),
    ],
)
def test_an_ending_that_lies_is_told(name: str, content: str, likely: str, tmp_path: Path) -> None:
    """The error says what the content looks like, and how to say so; saying so reads it."""
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(FormatError, match=rf"its content looks like {likely}.*format='{likely}'"):
        read_judgments(path)
