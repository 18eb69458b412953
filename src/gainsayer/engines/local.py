"""The `buckets` engine: one machine, bounded memory, one bucket of topics after another.

    with open_split(judgments, runs, work="scratch") as split:
        waist = collect_waist(split, meaning)

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
from gainsayer.judgments.survey import Meaning, join_surveys, settle
from gainsayer.levels import Levels
from gainsayer.lines.opening import FilePath, call_file
from gainsayer.rankings.ranking import Ties
from gainsayer.runs.files import read_run

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


def collect_waist(
    split: Split,
    meaning: Meaning,
    *,
    levels: Levels | None = None,
    ties: Ties = "trec",
    depth: int | None = None,
    progress: Progress | None = None,
) -> Waist:
    """The waist of all topics, made bucket by bucket.

    Args:
        split: the files.
        meaning: what columns and labels of the judgments mean.
        levels: the levels where `meaning` names none, such as those of a model.
        ties: how lists are ordered.
        depth: the deepest rank that any measure looks at; None for all.
        progress: called with what is being done and the share of the buckets that is done.

    Raises:
        GainsayerError: something is wrong with a file, in the words of its reader.
    """

    def tell(what: str, bucket: Bucket) -> None:
        if progress is not None:
            progress(what, bucket.number / len(split.buckets))

    surveys = []
    for bucket in split.buckets:
        tell("Looking through labels", bucket)
        surveys.append(_worded(split, bucket, meaning, levels, meaning.survey))
    settled = settle(join_surveys(surveys), [_name(source) for source in split.judgments], meaning, levels=levels)
    task = Task(**vars(settled), ties=ties, depth=depth, runs=tuple(call_file(path) for path in split.runs))
    key = hashlib.sha256(pack(make_waist(None, (), task)) + repr(meaning).encode()).hexdigest()[:24]
    waists = []
    for bucket in split.buckets:
        tell("Working through buckets", bucket)
        place = split.work.bucket(bucket.number) / f"waist-{key}"
        waist = _take_kept(place) if split.work.kept else None
        if waist is None and any((*bucket.judgments, *bucket.runs)):
            waist = _make_waist(split, bucket, meaning, task)
            if split.work.kept:
                split.work.write(place, pack(waist))
        if waist is not None:
            waists.append(waist)
    _check_names(split, waists)
    return join_waists(waists)


def _name(source: FileSource) -> str:
    return call_file(source[1] if isinstance(source, tuple) else source)


def _worded(
    split: Split,
    bucket: Bucket,
    meaning: Meaning,
    levels: Levels | None,
    work: Callable[[tuple[FileSource | None, ...]], Answer],
) -> Answer:
    """What `work` makes of a bucket's judgments; what is wrong with them is said about the whole files."""
    try:
        return work(bucket.judgments)
    except GainsayerError as error:
        meaning.read(split.judgments, levels=levels)  # says what is wrong as always, all of it at once
        raise _reword(split, error) from None


def _make_waist(split: Split, bucket: Bucket, meaning: Meaning, task: Task) -> Waist:
    judgments = _worded(split, bucket, meaning, task.levels, lambda sources: meaning.read_part(sources, task.levels))
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
