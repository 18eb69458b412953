"""Files that this program writes: whole or not at all, in the place of an old one, and never over what it reads."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from gainsayer.errors import CallError
from gainsayer.text import legible


def write_files(contents: Mapping[Path, str | bytes]) -> None:
    """Write files that belong together, each beside its place and then renamed: a stop half-way leaves none of them.

    What stood in the place is replaced as if it had been written to: links are followed, permissions and, where the
    system allows it, the owner stay. *Not* so for other hard links of the file, which keep the old content. A pipe or
    device is written to as it is. Text is written as UTF-8.

    Raises:
        CallError: a place cannot be written, with the reason.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_files({Path(folder, "a.txt"): "one", Path(folder, "b.bin"): bytes(2)})
    ...     sorted((path.name, path.stat().st_size) for path in Path(folder).iterdir())
    [('a.txt', 3), ('b.bin', 2)]
    """
    staged: dict[Path, Path] = {}
    writing = Path()
    try:
        for writing, content in contents.items():
            data = legible(content).encode() if isinstance(content, str) else content
            place, old = follow(writing)
            if old is not None and not stat.S_ISREG(old.st_mode):
                with writing.open("wb") as stream:
                    stream.write(data)
            else:
                _stage(place, old, data, staged)
        for beside, place in list(staged.items()):
            writing = place
            beside.replace(place)
            del staged[beside]
    except OSError as error:
        raise CallError(f"Cannot write {writing}: {error.strerror}. Choose another place for it.") from error
    finally:
        for beside in staged:
            with contextlib.suppress(OSError):  # a disk that takes no new file gives no old one up either
                beside.unlink()


def follow(path: Path) -> tuple[Path, os.stat_result | None]:
    """Where a path leads when all links are followed, and what is there; None where nothing is.

    Raises:
        CallError: the path has no name.
        OSError: links lead in a circle, or the way there is barred.
    """
    if not path.name:
        raise CallError("The output needs the name of a file.")
    try:
        found = path.stat()
    except FileNotFoundError:
        found = None
    return Path(os.path.realpath(path)), found


def _stage(place: Path, old: os.stat_result | None, data: bytes, staged: dict[Path, Path]) -> None:
    """Write the content beside its place, as the file it replaces was, and note it."""
    if old is not None and not os.access(place, os.W_OK):
        raise PermissionError(None, "the file is write-protected")
    # A short name of its own: one made from the file's name could be too long.
    beside = place.parent / f".gainsayer-{os.urandom(6).hex()}.tmp"
    staged[beside] = place
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        if old is not None:
            keep_owner_and_mode(beside, old)


def keep_owner_and_mode(path: Path, old: os.stat_result) -> None:
    """Give a new file or folder the owner, where the system allows it, and the permissions of the one it replaces."""
    if hasattr(os, "chown"):
        new = path.stat()
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            with contextlib.suppress(OSError):
                os.chown(path, old.st_uid, old.st_gid)
    path.chmod(stat.S_IMODE(old.st_mode))


def refuse_inputs(outputs: Iterable[Path], inputs: Iterable[str]) -> None:
    """Refuse to write over a file that is read: by its name, by a link of either kind, or as standard input (`-`).

    Raises:
        CallError: an output is one of the inputs; or links lead in a circle.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".qrels") as file:
    ...     try:
    ...         refuse_inputs([Path(file.name)], ["other.qrels", file.name])
    ...     except CallError as error:
    ...         print(str(error).replace(file.name, "a.qrels"))
    a.qrels is also read here, as a.qrels: writing it would destroy that input. Choose another place for the output.
    """
    written = {}
    for output in outputs:
        try:
            _, found = follow(output)
        except OSError as error:
            raise CallError(f"Cannot write {output}: {error.strerror}. Choose another place for it.") from error
        if found is not None and stat.S_ISREG(found.st_mode):
            written[found.st_dev, found.st_ino] = output
    if not written:
        return
    for name in inputs:
        try:
            read = os.fstat(0) if name == "-" else Path(name).stat()
        except (OSError, ValueError):
            continue  # whoever reads it will say so
        if (read.st_dev, read.st_ino) in written:
            output = written[read.st_dev, read.st_ino]
            called = "standard input" if name == "-" else name
            raise CallError(
                f"{output} is also read here, as {called}: writing it would destroy that input. Choose another place "
                "for the output."
            )


def keep_foreign(place: Path, is_ours: Callable[[Path], bool]) -> None:
    """Refuse to replace a file at a place that nobody named, unless this program wrote it.

    Raises:
        CallError: it was written by somebody else.

    >>> keep_foreign(Path("no such file"), lambda path: False)
    """
    if place.is_file() and not is_ours(place):
        raise CallError(
            f"{place} would be replaced, which is not an earlier file of this kind. Move it away, or choose another "
            "name."
        )


def files_below(folder: Path) -> Iterator[Path]:
    """All files in a folder and the folders below it; none where it is no folder."""
    for place, _, names in os.walk(folder):
        yield from (Path(place, name) for name in names)
