"""Files cut into blocks: all lines, in order, in blocks of any size."""

from __future__ import annotations

import io

import pytest

from gainsayer.errors import FormatError
from gainsayer.reading import BYTE_ORDER_MARK, Stream, cut_blocks, trec

LINES = b"q1 a\nq1 b\n\nq2 a\nq10 cc\nq10 d\nq3 " + b"e" * 50 + b"\nq3 f\n"


class Slow(io.BytesIO):
    """A stream that hands out few bytes at a time, as a compressed file may."""

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """At most seven bytes."""
        return super().readinto(buffer[:7])


@pytest.mark.parametrize("mark", [b"", BYTE_ORDER_MARK])
@pytest.mark.parametrize("content", [LINES, LINES[:-1], b"x", b"\n", b""])
@pytest.mark.parametrize("size", [3, 8, 20, 1 << 16])
@pytest.mark.parametrize("kind", [io.BytesIO, Slow])
def test_blocks_hold_all_lines(kind: type[Stream], size: int, content: bytes, mark: bytes) -> None:
    """Whole lines one after the other, without a mark, the last one closed, each block with its line."""
    closed = content + (b"" if content.endswith(b"\n") or not content else b"\n")
    stream = kind(mark + content)  # type: ignore[call-arg]
    blocks = list(cut_blocks(stream, size=size, whole_topics=False))
    assert b"".join(block.lines() for block in blocks) == closed
    assert all(block.lines().endswith(b"\n") for block in blocks)
    ends = [sum(len(before.lines()) for before in blocks[:place]) for place in range(len(blocks))]
    assert [block.line for block in blocks] == [1 + closed[:end].count(b"\n") for end in ends]


@pytest.mark.parametrize("between", [b"\n", b"\n\n", b"\n \n"])
@pytest.mark.parametrize("size", [1, 8, 20, 30, 1 << 16])
def test_blocks_of_whole_topics(size: int, between: bytes) -> None:
    """No block ends within a topic, whatever blank lines there are, and there are several where topics are many."""
    content = LINES.replace(b"\n\n", b"\n").replace(b"\n", between)
    blocks = [block.lines() for block in cut_blocks(io.BytesIO(content), size=size, whole_topics=True)]
    topics = [{line.split()[0] for line in block.splitlines() if line.split()} for block in blocks]
    assert b"".join(blocks) == content
    assert sum(map(len, topics)) == 4
    assert (len(blocks) > 1) == (size < len(content))


def test_a_file_without_line_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that goes on and on is no line; one that is merely long is."""
    monkeypatch.setattr(trec, "LONGEST_LINE", 100)
    assert len(list(cut_blocks(io.BytesIO(b"x" * 99 + b"\n"), whole_topics=False, size=10))) == 1
    with pytest.raises(FormatError, match=r"a\.run: expected lines, found more than 100 bytes without the end of one"):
        list(cut_blocks(io.BytesIO(b"x" * 500), "a.run", whole_topics=True, size=10))
