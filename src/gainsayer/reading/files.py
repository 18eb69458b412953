"""The bytes of a file: decompressed by what they are, not by the file's name, hashed, and checked to be text."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, TypeAlias

from gainsayer.errors import CallError, FormatError, GainsayerError
from gainsayer.reading.faults import shorten

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAGIC_BYTES: Final = 16
_PIECE: Final = 1 << 20
_UNKNOWN_MEMORY: Final = 1 << 32
_MAGIC: Final = {
    "gzip": rb"\x1f\x8b",
    "bzip2": rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)",
    "zstd": rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18",
}


def tell_compression(head: bytes) -> str | None:
    r"""The compression of a file that begins like this: `gzip`, `bzip2`, `zstd` or None.

    >>> tell_compression(b"\x1f\x8b\x08\x00"), tell_compression(b"q1 0 d1 2\n")
    ('gzip', None)
    """
    return next((kind for kind, magic in _MAGIC.items() if re.match(magic, head)), None)


class Decompressed:
    """The content of a compressed file; damage is told in words.

    Args:
        stored: the file as it is stored.
        kind: as told by `tell_compression`.
        name: what messages call the file.
        endless: nothing of it will be kept, so that it may hold more than memory does.
    """

    def __init__(self, stored: BinaryIO, kind: str, name: str, *, endless: bool = False) -> None:
        self._stored, self._kind, self._name = stored, kind, name
        self._file = _open(stored, kind)
        self._limit = None if endless else most_bytes()

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, or all that are left."""
        parts, left = [], size
        with self._worded():
            while left and (part := self._file.read(_PIECE if left < 0 else min(left, _PIECE))):
                parts.append(part)
                left -= len(part) if size >= 0 else 0
                self._check()
        return b"".join(parts)

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes, and tell how many there were."""
        with self._worded():
            got = self._file.readinto(buffer)
        self._check()
        return got

    def seek(self, place: int, /) -> int:
        """Go back to a place."""
        return self._file.seek(place)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._stored.close()

    def _check(self) -> None:
        if self._limit is not None and self._file.tell() > self._limit:
            raise FormatError(
                f"{self._name}: expected at most {self._limit:,} bytes of content (three quarters of the free memory), "
                "found more when it is decompressed. If the file is what you think it is, decompress it first, or use "
                "a machine with more memory."
            )

    @contextmanager
    def _worded(self) -> Iterator[None]:
        try:
            yield
        except (OSError, EOFError, zlib.error, zstd.ZstdError) as fault:
            raise FormatError(
                f"{self._name}: expected a whole {self._kind} file, found it damaged or cut off ({fault}). Copy or "
                "compress it again."
            ) from None


def _open(stored: BinaryIO, kind: str) -> gzip.GzipFile | bz2.BZ2File | zstd.ZstdFile:
    if kind == "gzip":
        return gzip.GzipFile(fileobj=stored)
    return bz2.BZ2File(stored) if kind == "bzip2" else zstd.ZstdFile(stored)


def most_bytes() -> int:
    """How many bytes a compressed file may hold: three quarters of the memory that is free."""
    return free_memory() * 3 // 4


def free_memory() -> int:
    """The bytes of memory that are free now; where the system does not tell, all there is, or 4 GiB."""
    try:
        with open("/proc/meminfo", "rb") as told:
            for line in told:
                if line.startswith(b"MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _UNKNOWN_MEMORY


class Fingerprints:
    """What was read of some files while this was entered, as SHA-256.

    Args:
        paths: of the files, as readers will open them.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = frozenset(paths)
        self._found: dict[str, str] = {}

    def __enter__(self) -> Fingerprints:
        _WANTED.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _WANTED.remove(self)

    def of(self, path: str) -> str | None:
        """The digest of a file; None where it was not read to its end."""
        return self._found.get(path)

    def keep(self, path: str, digest: str) -> None:
        """The digest of a file that was read to its end."""
        self._found[path] = digest


class RunningDigest:
    """Follows one opened file: what is read again after going back is hashed once.

    Args:
        path: of the file.
        wanted: who wants to know.
    """

    def __init__(self, path: str, wanted: Fingerprints) -> None:
        self.at = 0
        self._path = path
        self._wanted = wanted
        self._sum = hashlib.sha256()
        self._hashed = 0

    def add(self, piece: bytes | memoryview) -> None:
        """The bytes that were just read; none where the file has ended."""
        before, self.at = self.at, self.at + len(piece)
        if before <= self._hashed < self.at:
            self._sum.update(piece[self._hashed - before :])
            self._hashed = self.at
        elif not len(piece) and self.at == self._hashed:
            self._wanted.keep(self._path, self._sum.hexdigest())


_WANTED: list[Fingerprints] = []


def follow(path: str | os.PathLike[str]) -> list[RunningDigest]:
    """A digest for each who wants that of this file."""
    name = os.fspath(path)
    return [RunningDigest(name, wanted) for wanted in _WANTED if name in wanted.paths]


FilePath: TypeAlias = str | os.PathLike[str]

STANDARD_INPUT: Final = "-"
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_FOREIGN: Final = {
    b"PK\x03\x04": "a ZIP archive (or a spreadsheet)",
    b"\xfd7zXZ\x00": "an xz file",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"ARROW1": "an Arrow file",
    b"%PDF": "a PDF file",
    b"SQLite format 3": "an SQLite database",
    b"PAR1": "a Parquet file",
}


def call_file(path: FilePath) -> str:
    """What messages call a file: its path as given, or 'standard input'.

    >>> call_file("dl19/nist.qrels"), call_file("-")
    ('dl19/nist.qrels', 'standard input')
    """
    if path == STANDARD_INPUT:
        return "standard input"
    return show_name(os.fspath(path))


def show_name(text: str) -> str:
    r"""A file name as text that can be printed and written anywhere: bytes that are not UTF-8 become escapes.

    >>> show_name("caf\udce9.qrels")
    'caf\\xe9.qrels'
    """
    try:
        given = text.encode(errors="surrogateescape")  # the bytes of the name, whatever the locale made of them
    except UnicodeEncodeError:
        given = text.encode(errors="backslashreplace")
    return given.decode(errors="backslashreplace")


class Stream(Protocol):
    """What a reader needs of a file."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, or all that are left; fewer only where the file ends."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer with the next bytes, and tell how many there were; 0 at the end."""

    def seek(self, place: int, /) -> int:
        """Go back to a place."""

    def close(self) -> None:
        """Close the file."""


class _Plain(io.FileIO):
    """A file whose faults are told in words; what is read of it is hashed for whoever wants its SHA-256."""

    def __init__(self, path: FilePath) -> None:
        super().__init__(path)
        self._digests = follow(path)

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes, or all that are left."""
        try:
            content = super().read(size) or b""
        except OSError as fault:
            raise opening_fault(os.fspath(self.name), fault) from None
        for digest in self._digests:
            digest.add(content)
            if content and (size is None or size < 0):
                digest.add(b"")
        return content

    def readinto(self, buffer: Any, /) -> int | None:
        """Fill the buffer with the next bytes, and tell how many there were."""
        try:
            got = super().readinto(buffer)
        except OSError as fault:
            raise opening_fault(os.fspath(self.name), fault) from None
        for digest in self._digests:
            digest.add(memoryview(buffer)[:got])
        return got

    def seek(self, place: int, start: int = os.SEEK_SET, /) -> int:
        """Go to a place."""
        at = super().seek(place, start)
        for digest in self._digests:
            digest.at = at
        return at


def open_stream(path: FilePath, *, endless: bool = False) -> Stream:
    """The bytes of a file, or of standard input for '-', decompressed by what they are, not by the file's name.

    Files are read piece by piece, what can be read only once (pipes, standard input) as a whole.

    Args:
        path: the file.
        endless: nothing of it will be kept, so that a compressed file may hold more than memory does.

    Raises:
        CallError: there is no such file, or it is a folder.
        FormatError: it may not be read, its compression is damaged, or it holds more than memory does.
    """
    stored: io.FileIO | io.BytesIO
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise CallError("'-' means standard input, but there is none.")
        stored = io.BytesIO(sys.stdin.buffer.read())
    else:
        try:
            stored = _Plain(path)
        except (OSError, ValueError) as fault:
            raise opening_fault(path, fault) from None
    with _closing(stored):
        if not stored.seekable():
            pipe, stored = stored, io.BytesIO(stored.read())
            pipe.close()
        kind = tell_compression(stored.read(MAGIC_BYTES))
        stored.seek(0)
        return stored if kind is None else Decompressed(stored, kind, call_file(path), endless=endless)


def read_content(path: FilePath) -> bytes:
    """All bytes of a file, decompressed; see `open_stream`."""
    stream = open_stream(path)
    try:
        return stream.read()
    finally:
        stream.close()


def peek(stream: Stream, size: int) -> bytes:
    """The first bytes of a file, which then stands at its beginning again; where they cannot be read, it is closed."""
    with _closing(stream):
        head = stream.read(size)
        stream.seek(0)
    return head


@contextmanager
def _closing(stream: Stream) -> Iterator[None]:
    """Close the file where something goes wrong."""
    try:
        yield
    except BaseException:
        stream.close()
        raise


def as_text(content: bytes, name: str) -> bytes:
    r"""The same bytes without a byte-order mark, once they are known to be UTF-8 text that is not blank.

    A second mark is refused: it would be an invisible part of the first name, which then differs from the same name on
    all other lines. Further in, the same character is text like any other.

    Raises:
        FormatError: there is nothing in it, or it is not UTF-8 text; a wrong byte is named by its line.

    >>> as_text(b"q1 0 d\xe9 1", "a.qrels")
    Traceback (most recent call last):
    gainsayer.errors.FormatError: a.qrels, line 1: expected UTF-8 text, found byte 0xe9 after 'q1 0 d'.
    Convert the file: iconv -f LATIN1 -t UTF-8
    """
    text = content.removeprefix(BYTE_ORDER_MARK)
    if not text:
        raise FormatError(f"{name} is empty: expected judgments or other text, found no content.")
    if len(text) < len(content) and text.startswith(BYTE_ORDER_MARK):
        raise FormatError(f"{name}: expected at most one byte-order mark, found two. Remove one: tail -c +4")
    if text.startswith(_UTF_16_MARKS) or _alternates(text):
        raise FormatError(f"{name}: expected UTF-8 text, found UTF-16. Convert the file: iconv -f UTF-16 -t UTF-8")
    if b"\0" in text or text.startswith(tuple(_FOREIGN)):
        raise _foreign(text, name)
    if not text[:1000].strip() and not text.strip():
        raise FormatError(f"{name} is empty: expected judgments or other text, found only blanks.")
    if not text.isascii():
        _check_utf8(text, name)
    return text


def may_be_text(head: bytes) -> bool:
    r"""Whether `as_text` may take a file that begins like this: something, no second mark, no known binary format.

    >>> may_be_text(b"q1 0 d1 2\n"), may_be_text(b"PK\x03\x04"), may_be_text(b"")
    (True, False, False)
    """
    text = head.removeprefix(BYTE_ORDER_MARK)
    return bool(text) and not text.startswith((BYTE_ORDER_MARK, *_UTF_16_MARKS, *_FOREIGN))


def opening_fault(path: FilePath, fault: OSError | ValueError) -> GainsayerError:
    """Why a file could not be opened or read, in words: a fault of the call, or of the file's rights."""
    name = call_file(path)
    if isinstance(fault, FileNotFoundError):
        return CallError(f"There is no file {name!r}.{_alike(path)}")
    if isinstance(fault, IsADirectoryError):
        return CallError(f"{name!r} is a folder: expected a file. Name the files in it: {name}/*")
    if isinstance(fault, PermissionError):
        if os.path.isdir(path):  # how some systems answer when a folder is opened
            return CallError(f"{name!r} is a folder: expected a file. Name the files in it.")
        return FormatError(f"{name!r} may not be read: there is no permission for it. Try chmod +r")
    reason = fault.strerror if isinstance(fault, OSError) else str(fault)
    return CallError(f"{name!r} cannot be read: {reason}.")


def _alike(path: FilePath) -> str:
    folder, name = Path(path).parent, Path(path).name
    try:
        close = get_close_matches(name, [other.name for other in folder.iterdir()], n=1)
    except OSError:
        return f" There is no folder {call_file(folder)!r} either."
    return f" Did you mean {call_file(folder / close[0])!r}?" if close else ""


def _alternates(text: bytes) -> bool:
    """Whether every other byte is NUL, as in UTF-16 without a mark."""
    head = text[:200]
    odd, even = head[1::2], head[::2]
    return len(head) >= 4 and any(
        len(half) == half.count(0) and 0 not in other for half, other in ((odd, even), (even, odd))
    )


def _foreign(text: bytes, name: str) -> FormatError:
    kinds = [kind for magic, kind in _FOREIGN.items() if text.startswith(magic)]
    found = kinds[0] if kinds else f"a binary file (a NUL byte at byte {text.index(0) + 1})"
    return FormatError(
        f"{name}: expected text, found {found}. Judgments are read from TREC qrels, CSV, TSV, JSON lines and Parquet, "
        "as they are or compressed with gzip, bzip2 or zstd."
    )


def _check_utf8(text: bytes, name: str) -> None:
    try:
        text.decode()
    except UnicodeDecodeError as fault:
        line = text.count(b"\n", 0, fault.start) + 1
        start = text.rfind(b"\n", 0, fault.start) + 1
        before = text[max(start, fault.start - 20) : fault.start]
        raise FormatError(
            f"{name}, line {line}: expected UTF-8 text, found byte 0x{text[fault.start]:02x} after {shorten(before)}.\n"
            "Convert the file: iconv -f LATIN1 -t UTF-8"
        ) from None
