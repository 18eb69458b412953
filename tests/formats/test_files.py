"""Opening files: compression by content, and what is said of files that cannot be read."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gainsayer.errors import CallError, FormatError
from gainsayer.reading import as_text, call_file, files, open_stream, peek, read_content

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LINES = b"q1 0 d1 2\nq1 0 d2 0\n"
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "zstd": zstd.compress,
}


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_compression_is_told_by_content(tmp_path: Path, kind: str) -> None:
    """A compressed file is read whatever its name is."""
    path = tmp_path / "plain.txt"
    path.write_bytes(COMPRESSIONS[kind](LINES))
    assert read_content(path) == LINES


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_several_members_are_read_one_after_the_other(tmp_path: Path, kind: str) -> None:
    """Compressed files put one behind the other give all their lines."""
    compress = COMPRESSIONS[kind]
    path = tmp_path / "a"
    path.write_bytes(compress(LINES[:10]) + compress(LINES[10:]))
    assert read_content(path) == LINES


@pytest.mark.parametrize(
    ("kind", "harm"), [*((kind, "cut") for kind in COMPRESSIONS), ("gzip", "followed"), ("zstd", "followed")]
)
def test_damaged_compression_is_said(tmp_path: Path, kind: str, harm: str) -> None:
    """A compressed file that is cut off, or followed by something else (but for bzip2), is refused by name and kind."""
    stored = COMPRESSIONS[kind](LINES)
    path = tmp_path / "a.qrels"
    path.write_bytes(stored[:-3] if harm == "cut" else stored + b"something else")
    with pytest.raises(FormatError, match=f"a.qrels: expected a whole {kind} file, found it damaged or cut off"):
        read_content(path)


def test_zstd_skippable_frames_are_skipped(tmp_path: Path) -> None:
    """Zstandard files of parallel compressors begin with a frame to skip."""
    path = tmp_path / "a.zst"
    path.write_bytes(b"\x50\x2a\x4d\x18\x04\0\0\0abcd" + zstd.compress(LINES))
    assert read_content(path) == LINES


def test_missing_file_is_a_fault_of_the_call(tmp_path: Path) -> None:
    """A missing file is named, with a file of nearly the same name."""
    (tmp_path / "nist.qrels").write_bytes(LINES)
    with pytest.raises(CallError, match=r"There is no file '.*nist\.qrel'\. Did you mean '.*nist\.qrels'\?"):
        read_content(tmp_path / "nist.qrel")


def test_missing_folder_is_said(tmp_path: Path) -> None:
    """A file in a folder that is not there is a fault of the call, too."""
    with pytest.raises(CallError, match=r"There is no folder '.*nowhere' either"):
        read_content(tmp_path / "nowhere" / "nist.qrels")


def test_folder_is_a_fault_of_the_call(tmp_path: Path) -> None:
    """A folder given for a file is named as such."""
    with pytest.raises(CallError, match="is a folder: expected a file"):
        read_content(tmp_path)


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000, "\ud800"])
def test_impossible_paths_are_faults_of_the_call(path: str) -> None:
    """A path that no system takes is an error of ours, not a traceback."""
    with pytest.raises(CallError, match=r"cannot be read|There is no file"):
        read_content(path)


def test_no_permission_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without permission is said to be so (root may read everything, so the refusal is played)."""
    path = tmp_path / "a.qrels"
    path.write_bytes(LINES)

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(files, "_Plain", refuse)
    with pytest.raises(FormatError, match="may not be read: there is no permission"):
        read_content(path)


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """'-' is standard input, compressed or not."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(LINES))))
    assert read_content("-") == LINES
    assert call_file("-") == "standard input"


def test_no_standard_input_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process without standard input says so."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(CallError, match="standard input, but there is none"):
        read_content("-")


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf"])
def test_empty_file_is_said(content: bytes) -> None:
    """A file without content is called empty."""
    with pytest.raises(FormatError, match=r"a\.qrels is empty: .* found no content"):
        as_text(content, "a.qrels")


def test_blank_file_is_said() -> None:
    """A file of blanks is called empty, too."""
    with pytest.raises(FormatError, match=r"a\.qrels is empty: .* found only blanks"):
        as_text(b" \r\n\t\n" * 1000, "a.qrels")


def test_byte_order_mark_is_removed() -> None:
    """A UTF-8 byte-order mark is no part of the first topic."""
    assert as_text(b"\xef\xbb\xbf" + LINES, "a.qrels") == LINES


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_told_how_to_convert(encoding: str) -> None:
    """A UTF-16 file, with or without a mark, is named as such, with the way out."""
    with pytest.raises(FormatError, match=r"found UTF-16\. Convert the file: iconv -f UTF-16 -t UTF-8"):
        as_text(LINES.decode().encode(encoding), "a.qrels")


def test_binary_file_is_said() -> None:
    """A NUL byte gives a binary file away."""
    with pytest.raises(FormatError, match=r"expected text, found a binary file \(a NUL byte at byte 4\)"):
        as_text(b"q1 \0 d1 2\n", "a.qrels")


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"PK\x03\x04rest", "a ZIP archive"), (b"\xfd7zXZ\x00rest", "an xz file"), (b"PAR1rest", "a Parquet file")],
)
def test_known_binary_files_are_named(content: bytes, kind: str) -> None:
    """Files of other programs are called by their name."""
    with pytest.raises(FormatError, match=f"expected text, found {kind}"):
        as_text(content, "a.qrels")


def test_bad_utf8_is_named_by_its_line() -> None:
    """A byte that is no UTF-8 is named with its line and what stands before it."""
    with pytest.raises(FormatError, match=r"a\.qrels, line 2: expected UTF-8 text, found byte 0xe9 after 'q1 0 caf'"):
        as_text(b"q1 0 d1 2\nq1 0 caf\xe9 0\n", "a.qrels")


def test_names_that_are_no_utf8_can_be_shown() -> None:
    """A file name that is no UTF-8 can still stand in a message."""
    assert call_file(os.fsdecode(b"caf\xe9.qrels")) == r"caf\xe9.qrels"


def test_the_signals_of_the_process_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """To read from standard input is no reason to change what a signal does to whoever uses the library."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LINES)))
    monkeypatch.setattr("signal.siginterrupt", None, raising=False)  # calling it would raise
    assert open_stream("-").read() == LINES


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("content", [LINES, gzip.compress(LINES, mtime=0), b""], ids=["plain", "gzip", "nothing"])
def test_a_pipe_is_read_from_its_first_byte(tmp_path: Path, content: bytes) -> None:
    """What was read of a pipe to tell its compression is part of what is read: it cannot be read again."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    stream = open_stream(path)
    writer.join()
    expected = LINES if content else b""
    assert peek(stream, 7) == expected[:7]
    assert stream.read() == expected
    stream.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such a file")
def test_a_file_that_cannot_be_read_on_is_said() -> None:
    """A fault that shows itself only when an open file is read is told in words, too."""
    with pytest.raises(CallError, match=r"'/proc/self/mem' cannot be read: "):
        read_content("/proc/self/mem")
    assert read_content("/proc/self/comm")
