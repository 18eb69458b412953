"""The `buckets` engine: one machine, bounded memory, one bucket of topics after another.

    with open_split(judgments, runs, work="scratch") as split:
        told = [...  for bucket in split.buckets]          what only the whole can say, as the task
        waist = collect_waists(split, read, task)          what all buckets come down to

Files are split once; a waist that was made before, from the same files and for the same task, is taken from the work
folder. Whatever is wrong with a part is said about the file that it comes from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from gainsayer.engines.packing import pack, unpack
from gainsayer.engines.splitting import Bucket, FileSource, Split, check_source, split_files
from gainsayer.engines.waists import Task, Waist, join_waists, make_waist
from gainsayer.engines.work_folder import open_work
from gainsayer.errors import DataError, GainsayerError
from gainsayer.findings import Finding
from gainsayer.judgments.files import Format
from gainsayer.judgments.table import Judgments
from gainsayer.lines.opening import FilePath, call_file
from gainsayer.runs.files import read_run

Reader: TypeAlias = Callable[[tuple[FileSource, ...]], Judgments]
Progress: TypeAlias = Callable[[str, float], None]
Answer = TypeVar("Answer")


@contextmanager
def open_split(
    judgments: Sequence[FileSource],
    runs: Sequence[FilePath] = (),
    *,
    work: FilePath | None = None,
    buckets: int | None = None,
    format: Format | None = None,
) -> Iterator[Split]:
    """Files in buckets until the end of the block; see `split_files`.

    Args:
        judgments: files, or pairs of an assessor's name and a file.
        runs: files.
        work: a folder for the buckets, which stay there and are used again; without one, they are removed at the end.
        buckets: how many.
        format: of the judgments.

    Raises:
        CallError: a file is not there, the folder holds something else, or there is no room.
        FormatError: a file cannot be read.
    """
    with open_work(work) as folder:
        yield split_files(judgments, runs, folder, buckets=buckets, format=format)


def look_through(split: Split, look: Callable[[tuple[FileSource, ...]], Answer]) -> list[Answer]:
    """What `look` finds in the judgments of each bucket that has any.

    Raises:
        GainsayerError: as `look` does, in words about the files.
    """
    return [_look(split, bucket, look) for bucket in split.buckets if bucket.judgments]


def collect_waists(
    split: Split, read: Reader, task: Task, *, asked: str = "", progress: Progress | None = None
) -> Waist:
    """The waist of all topics, made bucket by bucket.

    Args:
        split: the files.
        read: reads the judgments of some sources, with the task's levels.
        task: what the whole says.
        asked: whatever else the waists depend on, such as how judgments are read; a waist that was kept serves again
            where this and the task are the same.
        progress: called with the share of the buckets that is done.

    Raises:
        GainsayerError: something is wrong with a file, in the words of its reader.
    """
    key = hashlib.sha256(pack(make_waist(None, (), task)) + asked.encode()).hexdigest()[:24]
    waists = []
    for bucket in split.buckets:
        if progress is not None:
            progress("Working through buckets", bucket.number / len(split.buckets))
        place = split.work.bucket(bucket.number) / f"waist-{key}"
        waist = _take_kept(place) if split.work.kept else None
        if waist is None and (bucket.judgments or any(bucket.runs)):
            waist = _make_waist(split, bucket, read, task)
            if split.work.kept:
                split.work.write(place, pack(waist))
        if waist is not None:
            waists.append(waist)
    _check_names(split, waists)
    return join_waists(waists)


def _look(split: Split, bucket: Bucket, look: Callable[[tuple[FileSource, ...]], Answer]) -> Answer:
    try:
        return look(bucket.judgments)
    except GainsayerError as error:
        look(split.judgments)  # what is wrong with the whole is said by whoever looks at the whole
        raise _reword(split, error) from None


def _make_waist(split: Split, bucket: Bucket, read: Reader, task: Task) -> Waist:
    judgments = _look(split, bucket, read) if bucket.judgments else None
    try:
        waist = make_waist(judgments, bucket.runs, task)
    except GainsayerError as error:
        for part, file in zip(bucket.runs, split.runs, strict=True):
            if part is not None and call_file(part) in str(error):
                check_source(file, "runs")
        raise _reword(split, error) from None

    def reword(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(replace(found, message=split.reword(found.message)) for found in findings)

    runs = [
        replace(run, name=(tag or run.name) if part else "", findings=reword(run.findings))
        for run, tag, part in zip(waist.runs, split.tags, bucket.runs, strict=True)
    ]
    return replace(waist, runs=tuple(runs), findings=reword(waist.findings))


def _reword(split: Split, error: GainsayerError) -> GainsayerError:
    error.args = (split.reword(str(error)), *error.args[1:])
    return error


def _take_kept(place: Path) -> Waist | None:
    """A waist that was made before; None where there is none, or none that can be read."""
    try:
        return unpack(place.read_bytes())
    except (OSError, DataError):
        return None


def _check_names(split: Split, waists: Sequence[Waist]) -> None:
    """A table holds one run, so its parts have one name."""
    for place, file in enumerate(split.runs):
        names = {waist.runs[place].name for waist in waists} - {""}
        if len(names) > 1:
            read_run(file)
            raise AssertionError(f"{file} has one name, its parts have {names}")
