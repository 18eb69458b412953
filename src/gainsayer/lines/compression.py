"""Compressed files: told by their first bytes, decompressed piece by piece, and never beyond what memory holds."""

from __future__ import annotations

import bz2
import gzip
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final

from gainsayer.errors import FormatError

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
