"""Digests of what readers read, made from the very bytes that stand in their blocks."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from gainsayer.lines import Fingerprints, cut_blocks, open_stream


def write_lines(path: Path, lines: int) -> Path:
    """Three topics, their rows one after another."""
    path.write_text("".join(f"q{line * 3 // lines} Q0 d{line} 1 {line} run\n" for line in range(lines)))
    return path


def test_many_blocks_have_the_digest_of_the_file(tmp_path: Path) -> None:
    """Many more blocks than may wait, each dropped at once, give the SHA-256 of the file."""
    path = write_lines(tmp_path / "a.run", 5_000)
    with Fingerprints([str(path)]) as digests:
        stream = open_stream(path)
        assert sum(1 for _ in cut_blocks(stream, width=6, batch_bytes=1_000, whole_topics=False)) > 100
        stream.close()
        assert digests.of(str(path)) == hashlib.sha256(path.read_bytes()).hexdigest()


def test_what_is_hashed_is_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pieces lie in the blocks that the reader works on, so hashing takes no memory of its own."""
    pieces: list[memoryview] = []
    monkeypatch.setattr(Fingerprints, "take", lambda _self, _ear, piece: pieces.append(piece))
    path = write_lines(tmp_path / "a.run", 1_000)
    with Fingerprints([str(path)]):
        stream = open_stream(path)
        [block] = cut_blocks(stream, width=6, whole_topics=True)
        stream.close()
    largest = max((piece for piece in pieces if piece is not None), key=len)
    assert len(largest) > 0.9 * path.stat().st_size
    assert np.shares_memory(np.frombuffer(largest, np.uint8), block.buffer)


def test_blocks_are_of_few_sizes(tmp_path: Path) -> None:
    """Whatever is left over from the block before, so that the allocator can use the memory of one for the next."""
    stream = open_stream(write_lines(tmp_path / "a.run", 60_000))
    sizes = {len(block.buffer) for block in cut_blocks(stream, width=6, batch_bytes=100_000, whole_topics=False)}
    stream.close()
    assert len(sizes) == 1
