"""TREC runs: in any dress, as a whole and some topics at a time, and what is said of faulty lines."""

from __future__ import annotations

import bz2
import gzip
import sys

import pytest

from gainsayer.errors import FormatError
from gainsayer.reading import InterleavedError, map_run, read_run

TEXT = b"q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 2.0 bm25\nq2 Q0 d1 1 -1e-3 bm25\n"

ROWS = [("q1", "d1", 2.5), ("q1", "d2", 2.0), ("q2", "d1", -0.001)]


def zstd(content: bytes) -> bytes:
    """Compressed with zstd."""
    if sys.version_info >= (3, 14):
        from compression import zstd as module
    else:
        from backports import zstd as module
    return module.compress(content)


@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        TEXT[:-1],
        TEXT.replace(b" ", b"\t"),
        TEXT.replace(b" ", b" \t  "),
        TEXT.replace(b"\n", b"\r\n"),
        TEXT.replace(b"\n", b"\n\n \n"),
        b"\xef\xbb\xbf" + TEXT,
        b"\n  " + TEXT,
        gzip.compress(TEXT, mtime=0),
        gzip.compress(TEXT[:20], mtime=0) + gzip.compress(TEXT[20:], mtime=0),
        bz2.compress(TEXT),
        zstd(TEXT),
    ],
)
def test_trec_runs_are_read_in_any_dress(tmp_path, content):
    """Blanks, tabs, CRLF, a mark, blank lines, no last line end and compression change nothing."""
    path = tmp_path / "a.run"
    path.write_bytes(content)
    run = read_run(path)
    assert run.frame().rows() == ROWS
    assert run.name == "bm25"
    assert [row for batch in map_run(lambda run: run, path, size=30) for row in batch.frame().rows()] == ROWS


def test_names_are_text(tmp_path):
    """'001' and '1' are different topics and documents."""
    path = tmp_path / "a.run"
    path.write_bytes(b"001 Q0 1 1 3 t\n1 Q0 01 1 3 t\n")
    assert read_run(path).frame().rows() == [("001", "1", 3.0), ("1", "01", 3.0)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", r"is empty: expected a run, found no content"),
        (b"\n \n", r"is empty: expected a run, found only blanks"),
        (b"q1 0 d1 1\n", r"line 1: expected 6 columns \(topic, Q0, document, rank, score, tag\), found 4: 'q1 0 d1 1'"),
        (b"q1 0 d1 1\n", r"Four columns look like qrels \(topic, iteration, document, level\), not like a run"),
        (b"q1 Q0 d1 1 2.5\n", r"found 5.*\nIs the tag missing\?"),
        (TEXT + b"q2 Q0 d3 2 x bm25\n", r"a\.run, line 4: expected a number as score, found 'x'\."),
        (TEXT + b"\nq2 Q0 d3 2 NaN bm25\n", r"a\.run, line 5: expected a number as score, found 'NaN'\."),
        (TEXT.replace(b"2.0", b"1,5"), r"line 2: expected a number as score, found '1,5'"),
        (TEXT + b"q2 Q0 d\xe9 2 1 bm25\n", r"line 4: expected UTF-8 text, found byte 0xe9"),
        (TEXT + b"q2 Q0 d\x00 2 1 bm25\n", "expected text, found a binary file"),
        (gzip.compress(TEXT, mtime=0)[:-9], "expected a whole gzip file, found it damaged or cut off"),
        (b"topic,document,rank\nq1,d1,1\n", r"expected the columns topic, document, score, found 'topic', 'document'"),
        (
            b"topic,document,score\nq1,,1\nq1,d2,\n",
            r"line 2: expected a document, found an empty one\.\n.*line 3: expec",
        ),
        (b'{"qid": 1, "doc": 2, "score": "x"}\n', r"line 1: expected a number as score, found 'x'"),
    ],
)
def test_bad_runs_are_refused_in_words(tmp_path, content, words):
    """What is wrong is said with file and line, by the whole reader and by the one in batches."""
    path = tmp_path / "a.run"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=words):
        read_run(path)
    with pytest.raises(FormatError, match=words):
        list(map_run(lambda run: run, path, size=100))


def test_the_first_ten_faults_are_listed_over_all_batches(tmp_path):
    """Faults far from each other are listed together, and the rest is counted."""
    path = tmp_path / "a.run"
    path.write_bytes(b"".join(b"q%d Q0 d1 1 %s t\n" % (line, b"x" if line % 2 else b"1") for line in range(1, 31)))
    for read in (read_run, lambda path: list(map_run(lambda run: run, path, size=40))):
        with pytest.raises(FormatError) as caught:
            read(path)
        lines = str(caught.value).split("\n")
        assert [line.split(":")[0].rpartition(" ")[2] for line in lines[:10]] == [str(n) for n in range(1, 20, 2)]
        assert lines[10] == "... and 5 more like these."


def test_interleaved_topics_are_read_as_a_whole_only(tmp_path):
    """A topic that comes back stops the batches, and says what to do."""
    path = tmp_path / "a.run"
    path.write_bytes(b"q1 Q0 a 1 3 t\nq2 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n")
    with pytest.raises(InterleavedError, match="Read it as a whole: read_run"):
        list(map_run(lambda run: run, path))
    run = read_run(path)
    assert run.topics == ("q1", "q2")
    assert run.topic.tolist() == [0, 1, 0]


def test_batches_are_bounded_and_whole(tmp_path):
    """Batches hold whole topics, several of them where they are small, and one where it is larger than a batch."""
    path = tmp_path / "a.run"
    rows = [(f"q{topic}", 400 if topic == 3 else 3) for topic in range(10)]
    path.write_text("".join(f"{topic} Q0 d{n} {n} {n} t\n" for topic, count in rows for n in range(count)))
    batches = list(map_run(lambda run: run, path, size=120))
    assert [topic for batch in batches for topic in batch.topics] == [topic for topic, _ in rows]
    assert len(batches) == 3
    assert sum(map(len, batches)) == sum(count for _, count in rows)
