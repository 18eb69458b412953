"""The rows of a block: plain ones by the compiled reader, all others line by line, faults in words."""

from __future__ import annotations

import numpy as np
import pytest
from tests.readers import both_readers

from gainsayer.errors import FormatError
from gainsayer.reading import QRELS, RUN, Block, Fault, Layout, Rows, read_block, read_lines

PLAIN_QRELS = [
    b"q1 0 d1 2\nq1 0 d22 0\nq2 0 d1 1\n",
    b"q1\t0\td1\t2\n",
    b"q9 0 d1 2\nq10 Q0 d22 -1\nq10 0 d1 10\nq9 0 d3 0\n",
    "q1 0 dé 2\nq1 0 d\u2003 0\n".encode(),
    b"q1 0 " + b"d" * 5000 + b" 2\nq1 0 e 0\n",
    b"q1 0 d1 2\r\n",
    b"q1 0  d1 2\n",
    b" q1 0 d1 2 \n",
    b"q1 0 d1 2\nq1\t0 d2 0\n",
]
PLAIN_RUNS = [
    b"q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 -0.25 bm25\nq2 Q0 d1 1 7 bm25\n",
    b"q1\tQ0\td1\t1\t1e-3\tbm25\nq1\tQ0\td2\t2\t0.12345678901234567\tbm25\n",
]
OTHER = [b"q1 0 d1 2\n\nq1 0 d2 0\n", b"q1 0 d\x1c1 2\n", b"q1 0 d1 Key\n", b"\n\nq1 0 d1 2\n"]


@both_readers
@pytest.mark.parametrize(
    ("layout", "content"), [*((QRELS, text) for text in PLAIN_QRELS), *((RUN, text) for text in PLAIN_RUNS)]
)
def test_plain_blocks_are_pythons_split(layout: Layout, content: bytes) -> None:
    """Topics, documents and numbers are what bytes.split() and float() give."""
    found = read_block(Block.of(content, line=5), layout, "a")
    assert isinstance(found, Rows)
    assert isinstance(found.number, np.ndarray)
    cells = [line.split() for line in content.split(b"\n") if line]
    assert np.repeat(found.topics, found.sizes).tolist() == [row[0].decode() for row in cells]
    assert found.document.encoded() == [row[2] for row in cells]
    assert found.number.tolist() == [float(row[layout.number]) for row in cells]
    assert (found.number.dtype, found.line) == (np.int16 if layout is QRELS else np.float64, 5)


@both_readers
@pytest.mark.parametrize("content", [*PLAIN_QRELS, *OTHER])
def test_rows_stand_where_they_stand(content: bytes) -> None:
    """Each row has its line, whatever blank lines there are."""
    found = read_block(Block.of(content, line=3), QRELS, "a")
    assert isinstance(found, Rows)
    lines = [number for number, line in enumerate(content.split(b"\n"), start=3) if line.split()]
    places = np.arange(len(lines)) + found.line if isinstance(found.line, int) else found.line
    assert places.tolist() == lines


@both_readers
def test_labels_may_be_words() -> None:
    """Labels that are not all whole numbers in their usual spelling stay as they are."""
    for content in (b"q1 0 d1 Key\nq1 0 d2 1\n", b"q1 0 d1 01\n", b"q1 0  d1 +1\n", b"q1 0 d1 -0\n", b"q 0 d 10000\n"):
        found = read_block(Block.of(content), QRELS, "a")
        assert isinstance(found, Rows)
        assert found.number == [line.split()[3].decode() for line in content.splitlines()]


@both_readers
def test_faults_are_listed_in_the_order_of_lines() -> None:
    """Wrong widths and wrong numbers come together; blank lines count, and good lines are no fault."""
    content = b"q1 Q0 d1 1 x t\n\nq1 Q0 d2 2\nq1 Q0 d3 3 1.5 t\nq1 Q0 d4 y nan t\nq1 Q0 d5 3 1_5 t\n"
    assert read_block(Block.of(content, line=10), RUN, "a", other=3) == [
        Fault(10, "expected a number as score, found 'x'."),
        Fault(12, "expected 6 columns (topic, Q0, document, rank, score, tag), found 4: 'q1 Q0 d2 2'.", 4),
        Fault(14, "expected a number as score, found 'nan'."),
        Fault(14, "expected a number as rank, found 'y'."),
        Fault(15, "expected a number as score, found '1_5'."),
    ]
    assert read_block(Block.of(b"\n \n"), RUN, "a") == []


@both_readers
def test_words_behind_the_tag_are_passed_over() -> None:
    """As trec_eval does; but not behind the level of qrels, nor a line of more than a hundred words."""
    found = read_block(Block.of(b"q1 Q0 d1 1 2.5 my own tag\nq1 Q0 d2 2 2.5 t\n"), RUN, "a")
    assert isinstance(found, Rows)
    assert found.document.encoded() == [b"d1", b"d2"]
    assert isinstance(read_block(Block.of(b"q1 0 d1 1 more\n"), QRELS, "a"), list)
    [fault] = read_block(Block.of(b"q1 Q0 d1 1 2.5 t" + b" x" * 95 + b"\n"), RUN, "a")  # type: ignore[misc]
    assert fault.words.startswith("expected 6 columns (topic, Q0, document, rank, score, tag), found more than 100: ")


@both_readers
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"q1 0 d1 1\nq1 0 d\0 1\n", r"a, line 8: expected text, found a NUL byte"),
        (b"q1 0 d1 1\nq1 0 d\xe9 1\n", r"a, line 8: expected UTF-8 text, found byte 0xe9"),
    ],
)
def test_what_is_no_text_is_refused_by_its_line(content: bytes, words: str) -> None:
    """A plain block is not plain where it is no UTF-8, or holds a NUL byte."""
    for read in (read_block, read_lines):
        with pytest.raises(FormatError, match=words):
            read(Block.of(content, line=7), QRELS, "a")


def test_topics_that_come_back_share_their_names() -> None:
    """A million rows of alternating topics hold two texts, not a million."""
    found = read_block(Block.of(b"q1 0 a 1\nq2 0 a 1\n" * 50), QRELS, "a")
    assert isinstance(found, Rows)
    assert (len(found.topics), len({id(topic) for topic in found.topics})) == (100, 2)
