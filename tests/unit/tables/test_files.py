"""Table files: formats by ending and content, and the name behind the endings."""

from __future__ import annotations

import pytest

from gainsayer.tables.columns import RUNS
from gainsayer.tables.files import strip_endings, tell_table


@pytest.mark.parametrize(
    ("path", "assessor"),
    [
        ("dl/nist.qrels.gz", "nist"),
        ("pair1-first.qrels", "pair1-first"),
        ("umbrela-llama3.2.qrels", "umbrela-llama3.2"),
        ("umbrela-llama3.2", "umbrela-llama3.2"),
        ("qrels.123", "qrels.123"),
        ("A.CSV.ZST", "A"),
        ("nist.qrels.txt", "nist"),
        (".qrels", ".qrels"),
        ("-", "stdin"),
    ],
)
def test_only_known_endings_are_no_part_of_the_assessor(path: str, assessor: str) -> None:
    """Endings of data and compression are stripped, a version number is not."""
    assert strip_endings(path) == assessor


@pytest.mark.parametrize(
    ("path", "content", "format"),
    [
        ("a.csv", b"q1 0 d1 2", "csv"),
        ("a.tsv.gz", b"topic\tdoc\trel\n", "tsv"),
        ("a.tsv", b"1185869\t0\t0\t1\n", None),
        ("a.jsonl", b"", "jsonl"),
        ("a.ndjson.bz2", b"", "jsonl"),
        ("a.json", b"", "jsonl"),
        ("a.pq", b"", "parquet"),
        ("a.qrels", b"q1 0 d1 2\n", None),
        ("a.qrels", b"topic\tdoc\trel\nq1\td1\t2\n", "tsv"),
        ("a.txt", b'"topic","doc","rel"\n', "csv"),
        ("a", b"PAR1...", "parquet"),
        ("a", b'\xef\xbb\xbf\n {"topic": 1}', "jsonl"),
        ("a", b'[\n {"topic": 1}]', "jsonl"),
        ("a", b"[q1] 0 d1 2", None),
        ("a", b"query\t0\tdoc\t1\n", None),
        ("-", b"q1,0,d1,2\n", None),
    ],
)
def test_format_is_told_by_ending_then_by_content(path: str, content: bytes, format: str | None) -> None:
    """A known ending decides; otherwise the first bytes do; lines without a header are no table."""
    assert tell_table(path, content) == format


def test_the_header_of_a_run_is_none_of_judgments() -> None:
    """Which first line is a header depends on what the table should hold."""
    head = b"topic,document,score\nq1,d1,2.5\n"
    assert tell_table("a.txt", head, RUNS) == "csv"
    assert tell_table("a.txt", head) is None
    assert tell_table("a.tsv", b"score\tx\n", RUNS) == "tsv"
    assert tell_table("a.tsv", b"score\tx\n") is None


def test_endings_of_runs_are_stripped_where_they_are_named() -> None:
    """A run's ending may stand before, behind and between the others."""
    assert strip_endings("x/b.run.gz", {".run"}) == strip_endings("b.qrels.run", {".run"}) == "b"
    assert strip_endings("b.run") == "b.run"
