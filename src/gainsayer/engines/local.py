"""The `buckets` engine: one machine, bounded memory, one bucket of topics after another.

Files are split once; a waist that was made before, from the same files and for the same task, is taken from the work
folder. Whatever is wrong with a part is said about the file that it comes from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from gainsayer.engines.jobs import Job
from gainsayer.engines.packing import pack, unpack
from gainsayer.engines.splitting import Bucket, Split, check_run, split_files
from gainsayer.engines.waists import Task, Waist, join_waists, make_waist
from gainsayer.engines.work_folder import open_work
from gainsayer.errors import DataError, GainsayerError
from gainsayer.findings import Finding
from gainsayer.judgments.files import FileSource
from gainsayer.judgments.survey import join_surveys
from gainsayer.levels import Levels
from gainsayer.lines.opening import call_file
from gainsayer.runs.files import read_run

Answer = TypeVar("Answer")
Look: TypeAlias = Callable[[tuple[FileSource | None, ...]], Answer]


def gather(job: Job) -> Waist:
    """The waist of all topics, made bucket by bucket.

    Raises:
        CallError: a file is not there, the work folder holds something else, or there is no room.
        GainsayerError: something is wrong with a file, in the words of its reader.
    """
    with open_work(job.work) as work:
        _tell(job, "Splitting files", 0.0)
        split = split_files(
            job.judgments,
            job.runs,
            work,
            buckets=job.buckets,
            format=job.meaning.format,
            read=lambda source: job.meaning.read([source], levels=job.levels),
        )
        surveys = []
        for bucket in split.buckets:
            _tell(job, "Looking through labels", bucket.number / len(split.buckets))
            surveys.append(_worded(split, bucket, job, job.levels, job.meaning.survey))
        task = job.settle(join_surveys(surveys))
        asked = repr(replace(job.meaning, levels=None))  # the levels are the task's
        key = hashlib.sha256(pack(make_waist(None, (), task)) + asked.encode()).hexdigest()[:24]
        waists = []
        for bucket in split.buckets:
            _tell(job, "Working through buckets", bucket.number / len(split.buckets))
            if any((*bucket.judgments, *bucket.runs)):
                waists.append(_take_waist(split, bucket, job, task, key))
        _check_names(split, waists)
        return join_waists(waists)


def _tell(job: Job, what: str, share: float) -> None:
    if job.progress is not None:
        job.progress(what, share)


def _worded(split: Split, bucket: Bucket, job: Job, levels: Levels | None, look: Look[Answer]) -> Answer:
    """What `look` makes of a bucket's judgments; what is wrong with them is said about the whole files."""
    try:
        return look(bucket.judgments)
    except MemoryError:
        raise _too_large(split, bucket) from None
    except GainsayerError as error:
        job.meaning.read(split.judgments, levels=levels)  # says what is wrong as always, all of it at once
        raise _reword(split, error) from None


def _take_waist(split: Split, bucket: Bucket, job: Job, task: Task, key: str) -> Waist:
    """The waist of a bucket: the one that was kept, or a new one, which is kept."""
    place = split.work.bucket(bucket.number) / f"waist-{key}"
    waist = _read_kept(place) if split.work.kept else None
    if waist is None:
        waist = _make_waist(split, bucket, job, task)
        if split.work.kept:
            split.work.write(place, pack(waist))
    return waist


def _make_waist(split: Split, bucket: Bucket, job: Job, task: Task) -> Waist:
    judgments = _worded(split, bucket, job, task.levels, lambda parts: job.meaning.read_part(parts, task.levels))
    try:
        waist = make_waist(judgments, bucket.runs, task)
    except GainsayerError as error:
        for part, file in zip(bucket.runs, split.runs, strict=True):
            if part is not None and call_file(part) in str(error):
                check_run(file)
        raise _reword(split, error) from None
    except MemoryError:
        raise _too_large(split, bucket) from None

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


def _too_large(split: Split, bucket: Bucket) -> DataError:
    """A bucket that does not fit into memory, in words."""
    parts = [part for part in (*bucket.judgments, *bucket.runs) if part is not None]
    size = sum(Path(part[1] if isinstance(part, tuple) else part).stat().st_size for part in parts)
    return DataError(
        f"Bucket {bucket.number + 1} of {len(split.buckets)} has {size / 1e6:,.0f} MB, which do not fit into memory. A "
        "topic is never divided: if one topic alone is that large, use a machine with more memory; else ask for more "
        "buckets: buckets=..."
    )


def _read_kept(place: Path) -> Waist | None:
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
