"""SHA-256 of files, from the very bytes that their readers read: no file is opened for it a second time."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable


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
