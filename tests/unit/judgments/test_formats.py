"""Formats by ending and content, and the assessor behind a file name."""

from __future__ import annotations

import pytest

from gainsayer.judgments.formats import name_assessor, tell_format


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
    assert name_assessor(path) == assessor


@pytest.mark.parametrize(
    ("path", "content", "format"),
    [
        ("a.csv", b"q1 0 d1 2", "csv"),
        ("a.tsv.gz", b"topic\tdoc\trel\n", "tsv"),
        ("a.tsv", b"1185869\t0\t0\t1\n", "qrels"),
        ("a.jsonl", b"", "jsonl"),
        ("a.ndjson.bz2", b"", "jsonl"),
        ("a.json", b"", "jsonl"),
        ("a.pq", b"", "parquet"),
        ("a.qrels", b"q1 0 d1 2\n", "qrels"),
        ("a.qrels", b"topic\tdoc\trel\nq1\td1\t2\n", "tsv"),
        ("a.txt", b'"topic","doc","rel"\n', "csv"),
        ("a", b"PAR1...", "parquet"),
        ("a", b'\xef\xbb\xbf\n {"topic": 1}', "jsonl"),
        ("a", b'[\n {"topic": 1}]', "jsonl"),
        ("a", b"[q1] 0 d1 2", "qrels"),
        ("a", b"query\t0\tdoc\t1\n", "qrels"),
        ("-", b"q1,0,d1,2\n", "qrels"),
    ],
)
def test_format_is_told_by_ending_then_by_content(path: str, content: bytes, format: str) -> None:
    """A known ending decides; otherwise the first bytes do."""
    assert tell_format(path, content) == format
