"""Decompression: bounded, whatever the compression, and as fast for many small frames as for one."""

from __future__ import annotations

import bz2
import gzip
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gainsayer.errors import CallError, FormatError
from gainsayer.lines import compression, most_bytes, read_content, unfold
from gainsayer.runs import read_run

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
    """A file that unfolds to one byte more than GAINSAYER_MAX_BYTES is refused; one of just that size is read."""
    path = tmp_path / "bomb.qrels"
    path.write_bytes(COMPRESSIONS[kind](b"0" * 3_000_000))
    monkeypatch.setenv("GAINSAYER_MAX_BYTES", "3000000")
    assert len(read_content(path)) == 3_000_000
    monkeypatch.setenv("GAINSAYER_MAX_BYTES", "2999999")
    with pytest.raises(FormatError, match=r"bomb.qrels: expected at most 2,999,999 bytes of content \(GAINSAYER_MAX"):
        read_content(path)


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_runs_are_bounded_too(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is read block by block is bounded as a whole, and by nothing where it is not compressed."""
    path = tmp_path / "a.run"
    path.write_bytes(COMPRESSIONS[kind](RUN))
    monkeypatch.setenv("GAINSAYER_MAX_BYTES", str(len(RUN) - 1))
    with pytest.raises(FormatError, match=r"a\.run: expected at most"):
        read_run(path)
    path.write_bytes(RUN)
    assert len(read_run(path)) == 1000
    path.write_bytes(COMPRESSIONS[kind](RUN))
    monkeypatch.setenv("GAINSAYER_MAX_BYTES", str(len(RUN)))
    assert len(read_run(path)) == 1000


def test_free_memory_bounds_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without GAINSAYER_MAX_BYTES, content may take three quarters of the free memory."""
    monkeypatch.delenv("GAINSAYER_MAX_BYTES", raising=False)
    monkeypatch.setattr(compression, "free_memory", lambda: 4000)
    assert most_bytes() == 3000
    with pytest.raises(FormatError, match=r"at most 3,000 bytes of content \(three quarters of the free memory\)"):
        unfold(gzip.compress(bytes(3001)), "gzip", "a")


@pytest.mark.parametrize("text", ["0", "-1", "1e9", "1_000", "٣", "9" * 5000])
def test_a_limit_is_a_whole_number(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A GAINSAYER_MAX_BYTES that is no whole number above 0 is a fault of the call."""
    monkeypatch.setenv("GAINSAYER_MAX_BYTES", text)
    with pytest.raises(CallError, match="GAINSAYER_MAX_BYTES must be a whole number"):
        most_bytes()


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_many_small_frames_are_read(kind: str) -> None:
    """Fifteen thousand small frames, a third of them empty, give all bytes in order."""
    compress = COMPRESSIONS[kind]
    frames = compress(b"a") + compress(b"") + compress(b"b")
    assert unfold(frames * 5_000, kind, "a") == b"ab" * 5_000
