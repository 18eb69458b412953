"""The rows of a block: plain ones as arrays, all others the one slow way, faults in words."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.errors import FormatError
from gainsayer.lines import QRELS, RUN, Block, BlockRows, Fault, Layout, Names, read_plain, read_rows, rows

PLAIN_QRELS = [
    b"q1 0 d1 2\nq1 0 d22 0\nq2 0 d1 1\n",
    b"q1\t0\td1\t2\n",
    b"q9 0 d1 2\nq10 Q0 d22 -1\nq10 0 d1 10\nq9 0 d3 0\n",
    "q1 0 dé 2\nq1 0 d\u2003 0\n".encode(),
    b"q1 0 " + b"d" * 5000 + b" 2\nq1 0 e 0\n",
]
PLAIN_RUNS = [
    b"q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 -0.25 bm25\nq2 Q0 d1 1 7 bm25\n",
    b"q1\tQ0\td1\t1\t1e-3\tbm25\nq1\tQ0\td2\t2\t0.12345678901234567\tbm25\n",
]
OTHER = [
    b"q1 0 d1 2\r\n",
    b"q1 0  d1 2\n",
    b"q1 0 d1 2 \n",
    b" q1 0 d1 2\n",
    b"q1 0 d1 2\n\nq1 0 d2 0\n",
    b"q1 0 d1 2\nq1\t0 d2 0\n",
    b"q1 0 d\x1c1 2\n",
]


def describe(found: object) -> object:
    """Rows in comparable form."""
    assert isinstance(found, BlockRows)
    number = found.number.encoded() if isinstance(found.number, Names) else (found.number.tolist(), found.number.dtype)
    line = found.line if isinstance(found.line, int) else found.line.tolist()
    return found.topics.encoded(), found.sizes.tolist(), found.document.encoded(), number, line


@pytest.mark.parametrize(
    ("layout", "content"), [*((QRELS, text) for text in PLAIN_QRELS), *((RUN, text) for text in PLAIN_RUNS)]
)
def test_plain_blocks_read_alike_both_ways(
    layout: Layout[object], content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `read_plain` takes, the slow way reads as the same arrays, and both are Python's split."""
    block = Block.of(content, line=5)
    plain = describe(read_plain(block, layout))
    monkeypatch.setattr(rows, "read_plain", lambda block, layout, more=None: None)
    assert describe(read_rows(block, layout, "a")) == plain
    cells = [line.split() for line in content.split(b"\n") if line]
    topics, sizes, documents, (numbers, kind), line = plain  # type: ignore[misc]
    assert [topic for topic, size in zip(topics, sizes, strict=True) for _ in range(size)] == [row[0] for row in cells]
    assert documents == [row[2] for row in cells]
    assert numbers == [float(row[layout.number]) for row in cells]
    assert (kind, line) == (np.int16 if layout is QRELS else np.float64, 5)


@pytest.mark.parametrize("content", OTHER)
def test_other_blocks_are_declined_and_read(content: bytes) -> None:
    """Anything unusual is left to the slow way, which gives each row with its line."""
    assert read_plain(Block.of(content), QRELS) is None
    found = read_rows(Block.of(content, line=3), QRELS, "a")
    assert isinstance(found, BlockRows)
    lines = [(number, line.split()) for number, line in enumerate(content.split(b"\n"), start=3) if line.split()]
    assert found.document.encoded() == [row[2] for _, row in lines]
    places = np.arange(len(lines)) + found.line if isinstance(found.line, int) else found.line
    assert places.tolist() == [number for number, _ in lines]


def test_labels_may_be_words() -> None:
    """Labels that are not all whole numbers in their usual spelling stay as they are."""
    for content in (b"q1 0 d1 Key\nq1 0 d2 1\n", b"q1 0 d1 01\n", b"q1 0  d1 +1\n"):
        found = read_rows(Block.of(content), QRELS, "a")
        assert isinstance(found, BlockRows)
        assert isinstance(found.number, Names)
        assert found.number.encoded() == [line.split()[3] for line in content.splitlines()]


def test_faults_are_listed_in_the_order_of_lines() -> None:
    """Wrong widths and wrong numbers come together; blank lines count, and good lines are no fault."""
    content = b"q1 Q0 d1 1 x t\n\nq1 Q0 d2 2\nq1 Q0 d3 3 1.5 t\nq1 Q0 d4 y nan t\n"
    assert read_rows(Block.of(content, line=10), RUN, "a", more=3) == [
        Fault(10, "expected a number as score, found 'x'."),
        Fault(12, "expected 6 columns (topic, Q0, document, rank, score, tag), found 4: 'q1 Q0 d2 2'.", 4),
        Fault(14, "expected a number as score, found 'nan'."),
        Fault(14, "expected a number as rank, found 'y'."),
    ]
    assert read_rows(Block.of(b"\n \n"), RUN, "a") == []


def test_words_behind_the_tag_are_passed_over() -> None:
    """As trec_eval does; but not behind the level of qrels, nor a line of more than a hundred words."""
    found = read_rows(Block.of(b"q1 Q0 d1 1 2.5 my own tag\nq1 Q0 d2 2 2.5 t\n"), RUN, "a")
    assert isinstance(found, BlockRows)
    assert found.document.encoded() == [b"d1", b"d2"]
    assert isinstance(read_rows(Block.of(b"q1 0 d1 1 more\n"), QRELS, "a"), list)
    [fault] = read_rows(Block.of(b"q1 Q0 d1 1 2.5 t" + b" x" * 95 + b"\n"), RUN, "a")  # type: ignore[misc]
    assert fault.words.startswith("expected 6 columns (topic, Q0, document, rank, score, tag), found more than 100: ")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"q1 0 d1 1\nq1 0 d\0 1\n", r"a, line 8: expected text, found a NUL byte"),
        (b"q1 0 d1 1\nq1 0 d\xe9 1\n", r"a, line 8: expected UTF-8 text, found byte 0xe9"),
    ],
)
def test_what_is_no_text_is_refused_by_its_line(content: bytes, words: str) -> None:
    """A plain block is not plain where it is no UTF-8, or holds a NUL byte."""
    assert read_plain(Block.of(content), QRELS) is None
    with pytest.raises(FormatError, match=words):
        read_rows(Block.of(content, line=7), QRELS, "a")
