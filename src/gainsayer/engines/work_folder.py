"""The work folder: buckets and their waists on disk, where they outlive a stop and serve again.

    _GAINSAYER      written first: the folder is ours, and what is in it may be made again
    bucket-0000/    parts of the files, and waists
    _SUCCESS        written last: what the buckets were made from

Without `_SUCCESS` the buckets are half-written; with one of other files, or of files that were changed, they are old.
Both are made again. A folder that has anything in it and is not ours is never touched.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gainsayer.errors import CallError
from gainsayer.lines.opening import FilePath, call_file, opening_fault

_MARK: Final = "_GAINSAYER"
_SUCCESS: Final = "_SUCCESS"
_WORDS: Final = "A work folder of Gainsayer: judgments and runs in buckets of topics. It may be deleted.\n"
_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FORMAT: Final = 1
"""To be raised when what stands in the folder changes, so that nobody reads what an older version wrote."""


@dataclass(frozen=True)
class WorkFolder:
    """A folder that is ours, as `open_work` gives it.

    Args:
        path: the folder.
        kept: whether it stays when the work is done.
    """

    path: Path
    kept: bool

    def bucket(self, number: int) -> Path:
        """The folder of a bucket; it need not be there yet."""
        return self.path / f"bucket-{number:04}"

    def read(self) -> Mapping[str, Any] | None:
        """What `finish` noted; None where the buckets are half-written, or not of this version."""
        try:
            noted = json.loads((self.path / _SUCCESS).read_bytes())
        except (OSError, ValueError):
            return None
        return noted if isinstance(noted, dict) and noted.get("format") == FORMAT else None

    def finish(self, noted: Mapping[str, Any]) -> None:
        """The buckets are whole: note what they were made from."""
        self.write(self.path / _SUCCESS, json.dumps({"format": FORMAT, **noted}).encode())

    def clear(self) -> None:
        """Remove what stands in the folder, but for the mark."""
        (self.path / _SUCCESS).unlink(missing_ok=True)  # first, so that a stop leaves buckets that are half-written
        for place in self.path.glob("bucket-*"):
            shutil.rmtree(place, ignore_errors=True)
        for place in self.path.glob(".*.tmp"):
            place.unlink(missing_ok=True)

    def write(self, place: Path, content: bytes) -> None:
        """Write a file as a whole or not at all.

        Raises:
            CallError: there is no room for it.
        """
        beside = self.path / f".{os.urandom(6).hex()}.tmp"
        with self.telling():
            try:
                beside.write_bytes(content)
                beside.replace(place)
            finally:
                beside.unlink(missing_ok=True)

    @contextmanager
    def telling(self) -> Iterator[None]:
        """What cannot be written is told in words."""
        try:
            yield
        except OSError as fault:
            raise _writing_fault(self.path, fault) from fault


def describe_files(paths: Sequence[FilePath]) -> list[dict[str, Any]]:
    """What tells files from each other, and from what they were before they were changed.

    Raises:
        CallError: a file is not there.
    """
    described = []
    for path in paths:
        try:
            found = Path(path).stat()
        except (OSError, ValueError) as fault:
            raise opening_fault(path, fault) from None
        changed = [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
        described.append({"file": os.path.realpath(path), "state": changed})
    return described


@contextmanager
def open_work(folder: FilePath | None) -> Iterator[WorkFolder]:
    """The folder as ours until the end of the block, or a temporary one that is removed then.

    Args:
        folder: a new or empty one, or one that was ours before; None for a temporary one.

    Raises:
        CallError: there is something else in it, it is no folder, it may not be written, or another process uses it.

    >>> with open_work(None) as work:
    ...     sorted(place.name for place in work.path.iterdir())
    ['_GAINSAYER']
    >>> work.path.exists()
    False
    """
    made = folder is None or not Path(folder).exists()
    try:
        path = Path(tempfile.mkdtemp(prefix="gainsayer-")) if folder is None else Path(folder)
        if folder is not None:
            path.mkdir(parents=True, exist_ok=True)
            _check_ours(path)
        mark = os.open(path / _MARK, os.O_RDWR | os.O_CREAT, 0o666)
    except CallError:
        raise
    except (OSError, ValueError) as fault:
        raise _writing_fault(tempfile.gettempdir() if folder is None else folder, fault) from fault
    try:
        _lock(mark, path)
        work = WorkFolder(path, kept=folder is not None)
        with work.telling():
            if not os.fstat(mark).st_size:
                os.write(mark, _WORDS.encode())
        yield work
    finally:
        if folder is None:
            shutil.rmtree(path, ignore_errors=True)
        elif made and not any(place.name != _MARK for place in path.iterdir()):
            (path / _MARK).unlink()  # nothing came of it
            with suppress(OSError):
                path.rmdir()
        os.close(mark)


def _check_ours(path: Path) -> None:
    found = sorted(place.name for place in path.iterdir())
    if found and _MARK not in found:
        raise CallError(
            f"The work folder {call_file(path)!r} holds other files ({', '.join(map(call_file, found[:3]))}"
            f"{', ...' if len(found) > 3 else ''}), which are left alone. Name a new or an empty folder: work=..."
        )


def _lock(mark: int, path: Path) -> None:
    """Make sure that one process alone works in a folder, where the system can tell."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover  # Windows
        return
    try:
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        if fault.errno in (errno.EWOULDBLOCK, errno.EACCES):
            raise CallError(
                f"Another process is at work in {call_file(path)!r}. Wait for it, or name another folder: work=..."
            ) from None


def _writing_fault(folder: FilePath, fault: OSError | ValueError) -> CallError:
    reason = fault.strerror if isinstance(fault, OSError) else str(fault)
    if isinstance(fault, OSError) and fault.errno in _FULL:
        return CallError(
            f"There is no room for the buckets in {call_file(folder)!r}: {reason}. They take as much as the files do "
            "uncompressed, and a little more. Nothing half-written was left there. Make room, or name a folder on "
            "another disk: work=..."
        )
    return CallError(f"The work folder {call_file(folder)!r} cannot be written: {reason}. Name another one: work=...")
