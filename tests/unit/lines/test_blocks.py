"""Files cut into blocks: all lines, in order, in blocks of any size, and work on them in turn."""

from __future__ import annotations

import io

import pytest

from gainsayer.lines import BYTE_ORDER_MARK, PAD, WORD, Stream, cut_blocks, load_blocks
from gainsayer.lines import blocks as cutting

LINES = b"q1 a\nq1 b\n\nq2 a\nq10 cc\nq10 d\nq3 " + b"e" * 50 + b"\nq3 f\n"


class Slow:
    """A stream that does not tell its size and hands out few bytes at a time, as a compressed file may."""

    def __init__(self, content: bytes) -> None:
        self.file = io.BytesIO(content)

    def readinto(self, buffer: memoryview, /) -> int:
        """At most seven bytes."""
        return self.file.readinto(buffer[:7])

    def read(self) -> bytes:
        """All bytes that are left."""
        return self.file.read()

    def seek(self, place: int, /) -> int:
        """Go back to a place."""
        return self.file.seek(place)

    def close(self) -> None:
        """Close the file."""


@pytest.mark.parametrize("mark", [b"", BYTE_ORDER_MARK])
@pytest.mark.parametrize("content", [LINES, LINES[:-1], b"x", b"\n", b""])
@pytest.mark.parametrize("size", [3, 8, 20, 1 << 16])
@pytest.mark.parametrize("kind", [io.BytesIO, Slow])
def test_blocks_hold_all_lines(kind: type[Stream], size: int, content: bytes, mark: bytes) -> None:
    """Whole lines one after the other, without a mark, the last one closed; with room for a word around them."""
    closed = content + (b"" if content.endswith(b"\n") or not content else b"\n")
    loaded = list(load_blocks(kind(mark + content), size=size))  # type: ignore[call-arg]
    stream = kind(mark + content)  # type: ignore[call-arg]
    cut = list(cut_blocks(stream, width=2, batch_bytes=size, whole_topics=False))
    for blocks in (loaded, cut):
        assert b"".join(block.text.tobytes() for block in blocks) == closed
        assert all(block.text.tobytes().endswith(b"\n") for block in blocks)
        assert all(block.start >= PAD and block.stop + WORD <= len(block.buffer) for block in blocks)
    assert [block.line for block in cut] == [
        1 + closed[: sum(len(before.text) for before in cut[:place])].count(b"\n") for place in range(len(cut))
    ]
    if loaded:
        last = loaded[-1].buffer
        assert all(last[block.start : block.stop].tobytes() == block.text.tobytes() for block in loaded)


@pytest.mark.parametrize("size", [1, 8, 20, 30, 1 << 16])
def test_blocks_of_whole_topics(size: int) -> None:
    """No block ends within a topic, and there are several where topics are many."""
    content = LINES.replace(b"\n\n", b"\n")
    blocks = list(cut_blocks(io.BytesIO(content), width=2, batch_bytes=size, whole_topics=True))
    topics = [{line.split()[0] for line in block.text.tobytes().splitlines()} for block in blocks]
    assert b"".join(block.text.tobytes() for block in blocks) == content
    assert sum(map(len, topics)) == 4
    assert (len(blocks) > 1) == (size < len(content))


@pytest.mark.parametrize(("lines", "expected"), [(2, 8), (16, 8), (32, 16), (48, 24), (4_800, 24)])
def test_blocks_grow_with_the_file_up_to_a_bound(lines: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read in small blocks, larger ones in as many as ever, and the largest in blocks of one size."""
    for name, value in (("BATCH_BYTES", 8), ("_MOST_BYTES", 24), ("_PARTS", 4)):
        monkeypatch.setattr(cutting, name, value)
    content = b"a\n" * lines
    blocks = list(cut_blocks(io.BytesIO(content), width=1, whole_topics=False))
    longest, asked = max(len(block.text) for block in blocks), min(expected, len(content))
    assert asked <= longest <= asked + len(BYTE_ORDER_MARK)  # which is looked for first
    assert b"".join(block.text.tobytes() for block in blocks) == content
