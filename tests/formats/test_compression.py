"""Decompression: bounded, whatever the compression, and as fast for many small frames as for one."""

from __future__ import annotations

import bz2
import gzip
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gainsayer.errors import FormatError
from gainsayer.reading import files, read_content, read_run

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "zstd": zstd.compress,
}
RUN = b"".join(b"q%d Q0 d%d 1 2.5 bm25\n" % (topic, topic) for topic in range(1000))


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_content_beyond_the_limit_is_refused(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that holds more than three quarters of the free memory is refused; one of just that size is read."""
    path = tmp_path / "bomb.qrels"
    path.write_bytes(COMPRESSIONS[kind](b"0" * 3_000_000))
    monkeypatch.setattr(files, "free_memory", lambda: 4_000_000)
    assert len(read_content(path)) == 3_000_000
    monkeypatch.setattr(files, "free_memory", lambda: 3_999_996)
    with pytest.raises(FormatError, match=r"bomb.qrels: expected at most 2,999,997 bytes of content \(three"):
        read_content(path)


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_runs_are_bounded_too(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is read block by block is bounded as a whole, and by nothing where it is not compressed."""
    path = tmp_path / "a.run"
    path.write_bytes(COMPRESSIONS[kind](RUN))
    monkeypatch.setattr(files, "most_bytes", lambda: len(RUN) - 1)
    with pytest.raises(FormatError, match=r"a\.run: expected at most"):
        read_run(path)
    path.write_bytes(RUN)
    assert len(read_run(path)) == 1000
    path.write_bytes(COMPRESSIONS[kind](RUN))
    monkeypatch.setattr(files, "most_bytes", lambda: len(RUN))
    assert len(read_run(path)) == 1000


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_many_small_frames_are_read(kind: str, tmp_path: Path) -> None:
    """Fifteen thousand small frames, a third of them empty, give all bytes in order."""
    compress = COMPRESSIONS[kind]
    frames = compress(b"a") + compress(b"") + compress(b"b")
    (tmp_path / "a").write_bytes(frames * 5_000)
    assert read_content(tmp_path / "a") == b"ab" * 5_000
