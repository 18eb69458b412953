"""Compressed content: told by its first bytes, unfolded in pieces, and never beyond what memory holds."""

from __future__ import annotations

import bz2
import gzip
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Final, Protocol

from gainsayer.errors import FormatError

MAGIC_BYTES: Final = 16
_PIECE: Final = 1 << 20
_SIP: Final = 1 << 13
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
    if head.isascii() and b"\x18" not in head and not head.startswith(b"BZh"):  # text: no pattern need be compiled
        return None
    return next((kind for kind, magic in _MAGIC.items() if re.match(magic, head)), None)


def most_bytes() -> int:
    """How many bytes a file may unfold to: three quarters of the memory that is free."""
    return free_memory() * 3 // 4


def unfold(stored: bytes, kind: str, name: str) -> bytes:
    """The content behind compressed bytes.

    Args:
        stored: the bytes of the file.
        kind: as told by `tell_compression`.
        name: what messages call the file.

    Raises:
        FormatError: the bytes are damaged, or unfold to more than `most_bytes`.
    """
    limit = most_bytes()
    parts: list[bytes] = []
    total = 0
    try:
        for part in _UNFOLDING[kind](stored):
            total += len(part)
            if total > limit:
                raise too_large(name, limit)
            parts.append(part)
    except FormatError:
        raise
    except (OSError, EOFError, ValueError, zlib.error) as fault:
        raise damage(name, kind, fault) from None
    return b"".join(parts)


def damage(name: str, kind: str, fault: Exception) -> FormatError:
    """A compressed file that cannot be unfolded, in words."""
    return FormatError(
        f"{name}: expected a whole {kind} file, found it damaged or cut off ({fault}). Copy or compress it again."
    )


def too_large(name: str, limit: int) -> FormatError:
    """A file that unfolds to more than it may, in words."""
    return FormatError(
        f"{name}: expected at most {limit:,} bytes of content (three quarters of the free memory), found more when it "
        "is decompressed. If the file is what you think it is, decompress it first, or use a machine with more memory."
    )


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /, max_length: int) -> bytes: ...


def _gunzip(stored: bytes) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=BytesIO(stored)) as file:
        while part := file.read(_PIECE):
            yield part


def _bunzip2(stored: bytes) -> Iterator[bytes]:
    return _frames(stored, bz2.BZ2Decompressor)


def _unzstd(stored: bytes) -> Iterator[bytes]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    try:
        yield from _frames(stored, zstd.ZstdDecompressor)
    except zstd.ZstdError as fault:
        raise OSError(str(fault)) from None


def _frames(stored: bytes, make: Callable[[], _Decompressor]) -> Iterator[bytes]:
    """Frame after frame, in pieces, so that many small frames cost no more than one large one.

    The standard library's one-shot functions pass over whatever follows the last good bzip2 stream; here it is damage.
    """
    place, frame = 0, make()
    fresh = True
    while place < len(stored) or not fresh:
        piece = stored[place : place + _SIP] if frame.needs_input else b""
        if frame.needs_input and not piece:
            raise EOFError("it ends too early")
        place += len(piece)
        fresh = False
        yield frame.decompress(piece, _PIECE)
        if frame.eof:
            place -= len(frame.unused_data)
            frame, fresh = make(), True


_UNFOLDING: Final[dict[str, Callable[[bytes], Iterator[bytes]]]] = {
    "gzip": _gunzip,
    "bzip2": _bunzip2,
    "zstd": _unzstd,
}


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
