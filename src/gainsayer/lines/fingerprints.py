"""SHA-256 of files, from the very bytes that their readers read: no file is opened for it a second time."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from queue import Queue
from threading import Thread
from typing import Final, TypeAlias

from gainsayer.lines.workers import is_worker

_MOST_WAITING: Final = 4
_Piece: TypeAlias = "tuple[Ear, bytes | memoryview | None] | None"


class Fingerprints:
    """What was read of some files while this was entered, as SHA-256.

    Whoever reads hands its pieces to a thread that does nothing but hash, so that reading hardly waits for it. The
    pieces are no copies, and few may wait: they are blocks that the reader still works on.

    Args:
        paths: of the files, as readers will open them.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = frozenset(paths)
        self._found: dict[str, str] = {}
        self._pieces: Queue[_Piece] = Queue(_MOST_WAITING)

    def __enter__(self) -> Fingerprints:
        Thread(target=self._work, daemon=True).start()
        _LISTENING.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _LISTENING.remove(self)
        self._pieces.put(None)

    def of(self, path: str) -> str | None:
        """The digest of a file; None where it was not read to its end."""
        self._pieces.join()
        return self._found.get(path)

    def take(self, ear: Ear, piece: bytes | memoryview | None) -> None:
        """The next bytes of a file, or its end."""
        if is_worker():  # its fellows have the other cores, and the block is still in this one's cache
            self._add(ear, piece)
        else:
            self._pieces.put((ear, piece))

    def _add(self, ear: Ear, piece: bytes | memoryview | None) -> None:
        if piece is None:
            self._found[ear.path] = ear.sum.hexdigest()
        else:
            ear.sum.update(piece)

    def _work(self) -> None:
        while (task := self._pieces.get()) is not None:
            self._add(*task)
            self._pieces.task_done()
            del task  # else the last block would stay while the next one is waited for
        self._pieces.task_done()


class Ear:
    """Follows one opened file: what is read again after going back is hashed once.

    Args:
        path: of the file.
        listener: who wants to know.
    """

    def __init__(self, path: str, listener: Fingerprints) -> None:
        self.path = path
        self.sum = hashlib.sha256()
        self.at = 0
        self._listener = listener
        self._heard = 0

    def hear(self, piece: bytes | memoryview) -> None:
        """The bytes that were just read, which nobody changes; none where the file has ended."""
        new = piece[max(self._heard - self.at, 0) :]
        before, self.at = self.at, self.at + len(piece)
        if before <= self._heard < self.at:
            self._heard = self.at
            self._listener.take(self, new)
        elif not len(piece) and self.at == self._heard:
            self._listener.take(self, None)


_LISTENING: list[Fingerprints] = []


def listen(path: str | os.PathLike[str]) -> list[Ear]:
    """An ear for each who wants the digest of this file."""
    name = os.fspath(path)
    return [Ear(name, listener) for listener in _LISTENING if name in listener.paths]
