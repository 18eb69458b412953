"""A file as a stream of bytes: plain and gzip piece by piece, standard input, bzip2 and zstd as a whole."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from gainsayer.lines.compression import MAGIC_BYTES, damage, most_bytes, tell_compression, too_large
from gainsayer.lines.opening import STANDARD_INPUT, FilePath, call_file, opening_fault, read_content

_PIECE: Final = 1 << 20


class Stream(Protocol):
    """What a reader of runs needs of a file."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer with the next bytes, and tell how many there were; 0 at the end."""

    def read(self) -> bytes:
        """All bytes that are left."""

    def seek(self, place: int, /) -> int:
        """Go back to a place."""

    def close(self) -> None:
        """Close the file."""


class _Gunzip:
    """A gzip file whose damage is told in words, and that does not unfold to more than it may."""

    def __init__(self, file: io.FileIO, name: str) -> None:
        import gzip

        self._file, self._stored, self._name = gzip.GzipFile(fileobj=file), file, name
        self._limit = most_bytes()

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes, and tell how many there were."""
        with self._worded():
            got = self._file.readinto(buffer)
        self._check()
        return got

    def read(self) -> bytes:
        """All bytes that are left."""
        parts = []
        with self._worded():
            while part := self._file.read(_PIECE):
                parts.append(part)
                self._check()
        return b"".join(parts)

    def _check(self) -> None:
        if self._file.tell() > self._limit:
            raise too_large(self._name, self._limit)

    def seek(self, place: int, /) -> int:
        """Go back to a place."""
        return self._file.seek(place)

    @contextmanager
    def _worded(self) -> Iterator[None]:
        try:
            yield
        except (OSError, EOFError, zlib.error) as fault:
            raise damage(self._name, "gzip", fault) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._stored.close()


def open_stream(path: FilePath) -> Stream:
    """The bytes of a file, decompressed by what they are, not by the file's name.

    Raises:
        CallError: there is no such file, or it is a folder.
        FormatError: it may not be read, its compression is damaged, or it unfolds to more than memory holds.
    """
    if path == STANDARD_INPUT:
        return io.BytesIO(read_content(path))
    try:
        file = open(path, "rb", buffering=0)  # noqa: PTH123, SIM115  # closed by the caller; not every name is a Path
    except (OSError, ValueError) as fault:
        raise opening_fault(path, fault) from None
    try:
        kind = tell_compression(file.read(MAGIC_BYTES))
        file.seek(0)
    except OSError:  # a pipe or a device: it can be read only once
        file.close()
        return io.BytesIO(read_content(path))
    if kind == "gzip":
        return _Gunzip(file, call_file(path))
    if kind is not None:
        file.close()
        return io.BytesIO(read_content(path))
    return file
