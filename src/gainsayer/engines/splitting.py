"""Files into buckets: each file's rows go to the parts of it in the buckets of their topics, in one pass.

A part has the name of its file, and rows as they stand there: text stays text, a table has its header again, Parquet
stays Parquet. So whoever reads a part reads it as the file itself, and only the folder is another. Nothing is held but
what is about to be written; bzip2 and zstd files, which are unfolded as a whole, are the exception.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Final

import numpy as np
import polars as pl

from gainsayer.engines.file_rows import Kind, TextRow, UnsplitError, as_topics, open_source, scan_topics, text_rows
from gainsayer.engines.text_pieces import Pieces, cut_pieces
from gainsayer.engines.waists import find_bucket
from gainsayer.engines.work_folder import WorkFolder, describe_files
from gainsayer.errors import CallError
from gainsayer.judgments.files import FileSource, Format, read_judgments
from gainsayer.lines.blocks import cut_blocks
from gainsayer.lines.compression import guess_unfolded
from gainsayer.lines.names import Names, Rows
from gainsayer.lines.opening import STANDARD_INPUT, FilePath, Stream, call_file, open_stream
from gainsayer.lines.rows import RUN
from gainsayer.runs.files import read_run
from gainsayer.runs.trec import check_trec

BUCKET_BYTES: Final = 1 << 26
MOST_BUCKETS: Final = 1024
_HELD_BYTES: Final = 1 << 26
_BLOCK_BYTES: Final = 1 << 20
_LEAST_BYTES: Final = 1 << 16
_MOST_BYTES: Final = 1 << 18
_KINDS: Final[tuple[Kind, ...]] = ("judgments", "runs")
_BUCKET: Final = "gainsayer bucket"


@dataclass(frozen=True)
class Bucket:
    """A set of whole topics: the same files, each with the rows of these topics alone.

    Args:
        number: from 0.
        judgments: one part per file, in their order, with the names of assessors that were given; None where it has no
            row here.
        runs: the same of the runs.
    """

    number: int
    judgments: tuple[FileSource | None, ...]
    runs: tuple[str | None, ...]


@dataclass(frozen=True)
class Split:
    """Files in buckets.

    Args:
        judgments: the files of judgments, as they were named.
        runs: the files of runs.
        tags: the tag of each run that is a TREC run, which is on its first line; None for tables.
        buckets: all of them, by number.
        format: what was said about the judgments' format.
        work: where they are.
    """

    judgments: tuple[FileSource, ...]
    runs: tuple[str, ...]
    tags: tuple[str | None, ...]
    buckets: tuple[Bucket, ...]
    format: Format | None
    work: WorkFolder

    def reword(self, text: str) -> str:
        """What somebody says about parts, said about the files and their lines instead."""
        below = call_file(self.work.path)
        if below not in text:
            return text
        files = {f"{kind}-{number:04}": (kind, path) for kind, number, path in _list_files(self.judgments, self.runs)}
        names = {call_file(PurePath(path).name) for _, path in files.values()}
        part = re.compile(
            rf"{re.escape(below)}.bucket-(?P<bucket>\d+).(?P<source>\w+-\d+)."
            rf"(?:{'|'.join(re.escape(name) for name in sorted(names, key=len, reverse=True))})"
            r"(?:, (?P<unit>line|row) (?P<line>\d+))?"
        )

        def say(found: re.Match[str]) -> str:
            kind, path = files[found["source"]]
            if found["line"] is None:
                return call_file(path)
            lines = find_lines(path, kind, int(found["bucket"]), len(self.buckets), format=_format(kind, self.format))
            return f"{call_file(path)}, {found['unit']} {int(lines[int(found['line']) - 1])}"

        return part.sub(say, text)


def choose_count(judgments: Sequence[FileSource], runs: Sequence[FilePath]) -> int:
    """How many buckets these files need, so that each holds some 64 MB of text; at most 1,024.

    >>> choose_count([], [])
    1
    """
    files = [os.fspath(path) for path in (*(_path(source) for source in judgments), *runs)]
    size = sum(guess_unfolded(file, Path(file).stat().st_size) for file in files)
    return min(max(-(-size // BUCKET_BYTES), 1), MOST_BUCKETS)


def split_files(
    judgments: Sequence[FileSource],
    runs: Sequence[FilePath],
    work: WorkFolder,
    *,
    buckets: int | None = None,
    format: Format | None = None,
    read: Callable[[FileSource], object] = read_judgments,
) -> Split:
    """Judgments and runs in buckets of topics, below the work folder; made before, they are used again.

    Args:
        judgments: files, or pairs of an assessor's name and a file.
        runs: files.
        work: where the buckets are to be.
        buckets: how many; by default by size (see `choose_count`), or as many as are there.
        format: of the judgments, where ending and content do not tell; see `read_judgments`.
        read: reads a file of judgments as a whole, to say what is wrong with one that cannot be split.

    Raises:
        CallError: a file is not there, cannot be split, or there is no room.
        FormatError: a file cannot be read.
    """
    if buckets is not None and not 1 <= buckets <= MOST_BUCKETS:
        raise CallError(f"There may be 1 to {MOST_BUCKETS:,} buckets, found {buckets}.")
    listed = list(_list_files(judgments, runs))
    for _, _, source in listed:
        _check_file(source)
    noted: dict[str, Any] = {"input": format}
    for kind in _KINDS:
        noted[kind] = describe_files([source for of, _, source in listed if of == kind])
    found = work.read()
    if found is not None and all(found.get(key) == value for key, value in noted.items()):
        count, tags = int(found["buckets"]), tuple(found["tags"])
        if buckets in (None, count):
            return _list_buckets(judgments, runs, tags, count, format, work)
    count = choose_count(judgments, runs) if buckets is None else buckets
    tags = ()
    try:
        with work.telling():
            work.clear()
            parts = _Parts(work, count)
            for kind, number, source in listed:
                parts.begin(kind, number, source)
                try:
                    tag = _split_file(source, kind, parts, _format(kind, format))
                except UnsplitError:
                    read(judgments[number]) if kind == "judgments" else check_run(source)
                    raise
                tags += (tag,) if kind == "runs" else ()
        work.finish({**noted, "buckets": count, "tags": tags})
    except BaseException:
        work.clear()
        raise
    return _list_buckets(judgments, runs, tags, count, format, work)


def find_lines(source: FilePath, kind: Kind, bucket: int, buckets: int, *, format: str | None = None) -> Rows:
    """The lines (of Parquet, the rows) of a file that stand in a bucket's part of it, in their order; from 1.

    The file is read once more, as it is only asked for where something is wrong with a line.
    """
    stream, found = open_source(source, kind, format)
    try:
        if found in ("trec", "qrels"):
            parts = [pieces.rows_of(bucket) + pieces.block.line for pieces in _cut(stream, buckets)]
            return np.concatenate(parts) if parts else np.empty(0, np.int64)
        if found == "parquet":
            table, title = scan_topics(stream, source, kind)
            topics = as_topics(table.select(title).collect().to_series(), source)
            return np.flatnonzero([find_bucket(topic, buckets) == bucket for topic in topics]) + 1
        lines: list[int] = []
        for topic, text, line in text_rows(stream, source, kind, found):
            if topic is None or find_bucket(topic, buckets) == bucket:
                lines += range(line, line + len(io.StringIO(text, newline="").readlines()))
        return np.array(lines, np.int64)
    finally:
        stream.close()


def check_run(source: FilePath) -> None:
    """Read a run, to say what is wrong with it in the words of its own reader; nothing if it reads well.

    TREC runs are read block by block, tables need memory for the file.
    """
    stream, found = open_source(source, "runs")
    try:
        if found == "trec":
            check_trec(stream, call_file(source))
            return
    finally:
        stream.close()
    read_run(source)


def _path(source: FileSource) -> FilePath:
    return source[1] if isinstance(source, tuple) else source


def _format(kind: Kind, format: Format | None) -> Format | None:
    return format if kind == "judgments" else None


def _list_files(judgments: Sequence[FileSource], runs: Sequence[FilePath]) -> Iterator[tuple[Kind, int, FilePath]]:
    """Every file with what it holds and its number among those."""
    for number, given in enumerate(judgments):
        yield "judgments", number, _path(given)
    for number, path in enumerate(runs):
        yield "runs", number, path


def _check_file(source: FilePath) -> None:
    if source == STANDARD_INPUT or not Path(source).is_file():
        if source != STANDARD_INPUT and not Path(source).exists():
            open_stream(source)  # which says that it is not there
        raise CallError(
            f"{call_file(source)} is no file that can be read twice, so it cannot be split into buckets. Save it as a "
            "file, or use engine='embedded'."
        )


def _part(work: WorkFolder, bucket: int, kind: Kind, number: int, source: FilePath) -> Path:
    """Where the part of a file is: files of the same name have folders of their own."""
    return work.bucket(bucket) / f"{kind}-{number:04}" / PurePath(source).name


def _list_buckets(
    judgments: Sequence[FileSource],
    runs: Sequence[FilePath],
    tags: tuple[str | None, ...],
    count: int,
    format: Format | None,
    work: WorkFolder,
) -> Split:
    buckets = []
    for bucket in range(count):
        judged: list[FileSource | None] = []
        for number, given in enumerate(judgments):
            part = _part(work, bucket, "judgments", number, _path(given))
            named = (given[0], str(part)) if isinstance(given, tuple) else str(part)
            judged.append(named if part.exists() else None)
        ran = [_part(work, bucket, "runs", number, path) for number, path in enumerate(runs)]
        buckets.append(Bucket(bucket, tuple(judged), tuple(str(part) if part.exists() else None for part in ran)))
    return Split(tuple(judgments), tuple(os.fspath(path) for path in runs), tags, tuple(buckets), format, work)


class _Parts:
    """The parts of one file after another, written a buffer at a time; one of them at most is open at any moment.

    Buffers are used again and again: fresh memory costs more than what is done in it.
    """

    def __init__(self, work: WorkFolder, buckets: int) -> None:
        self.buckets = buckets
        self.written = False
        self._work = work
        self._size = min(max(_HELD_BYTES // buckets, _LEAST_BYTES), _MOST_BYTES)
        self._buffers = [memoryview(bytearray(self._size)) for _ in range(buckets)]
        self._filled = [0] * buckets
        self._paths: list[Path] = []

    def begin(self, kind: Kind, number: int, source: FilePath) -> None:
        """What comes from now on belongs to the parts of this file."""
        self._paths = [_part(self._work, bucket, kind, number, source) for bucket in range(self.buckets)]
        self.written = False

    def place(self, bucket: int) -> Path:
        """Where a part is to be; its folder is there then."""
        self.written = True
        self._paths[bucket].parent.mkdir(parents=True, exist_ok=True)
        return self._paths[bucket]

    def add(self, bucket: int, text: bytes | memoryview) -> None:
        """The next bytes of a part."""
        filled = self._filled[bucket]
        end = filled + len(text)
        if end > self._size:
            self._write(bucket)
            filled, end = 0, len(text)
        if end > self._size:
            self._append(bucket, memoryview(text))
            return
        self._buffers[bucket][filled:end] = text
        self._filled[bucket] = end

    def end(self) -> None:
        """Write what is left of the parts of a file."""
        for bucket in range(self.buckets):
            self._write(bucket)

    def _write(self, bucket: int) -> None:
        if self._filled[bucket]:
            self._append(bucket, self._buffers[bucket][: self._filled[bucket]])
            self._filled[bucket] = 0

    def _append(self, bucket: int, text: memoryview) -> None:
        with self.place(bucket).open("ab", buffering=0) as file:
            while text:
                text = text[file.write(text) :]


def _split_file(source: FilePath, kind: Kind, parts: _Parts, format: str | None) -> str | None:
    """Write the parts of a file, and give the tag of a TREC run."""
    stream, found = open_source(source, kind, format)
    tag = None
    try:
        if found in ("trec", "qrels"):
            tag = _split_lines(stream, parts, tagged=kind == "runs")
        elif found == "parquet":
            _split_parquet(stream, source, kind, parts)
        else:
            _split_rows(text_rows(stream, source, kind, found), parts)
        parts.end()
    finally:
        stream.close()
    if not parts.written:
        raise UnsplitError(source)
    return tag


def _cut(stream: Stream, buckets: int) -> Iterator[Pieces]:
    words = 1
    for block in cut_blocks(stream, width=1, batch_bytes=_BLOCK_BYTES, whole_topics=False):
        pieces = cut_pieces(block, buckets, words)
        words = pieces.words
        yield pieces


def _split_lines(stream: Stream, parts: _Parts, *, tagged: bool) -> str | None:
    tag = None
    for pieces in _cut(stream, parts.buckets):
        for bucket, text in pieces.texts():
            parts.add(bucket, text)
        if tagged and tag is None:
            tag = _find_tag(pieces.block.text.tobytes())
    return tag


def _find_tag(text: bytes) -> str | None:
    """The tag on the first line that is not blank; None where it has none."""
    line = text.lstrip().split(b"\n", 1)[0]
    cells = line.split(None, RUN.width)
    return cells[RUN.width - 1].decode(errors="replace") if len(cells) >= RUN.width else None


def _split_rows(rows: Iterator[TextRow], parts: _Parts) -> None:
    """The rows of a table in text: what belongs to no topic is its header, and stands in every part."""
    head = b""
    begun: set[int] = set()
    known: dict[str, int] = {}
    for topic, text, _ in rows:
        if topic is None:
            head += text.encode()
            continue
        bucket = known.get(topic)
        if bucket is None:
            bucket = known[topic] = find_bucket(topic, parts.buckets)
        if bucket not in begun:
            begun.add(bucket)
            parts.add(bucket, head)
        parts.add(bucket, text.encode())


def _split_parquet(stream: Stream, source: FilePath, kind: Kind, parts: _Parts) -> None:
    def find(column: pl.Series) -> pl.Series:
        topics = Names.of(as_topics(column, source))
        first, code = topics.distinct
        found = np.array([find_bucket(name, parts.buckets) for name in topics.rows(first).texts()], np.int32)
        return pl.Series(found[code])

    def place(part: Any) -> str:
        assert part.index_in_partition == 0, "a part is one file"
        return str(parts.place(int(part.partition_keys.item())))

    try:
        table, title = scan_topics(stream, source, kind)
        bucket = pl.col(title).map_batches(find, return_dtype=pl.Int32, is_elementwise=True).alias(_BUCKET)
        target = pl.PartitionBy(
            "", key=_BUCKET, include_key=False, file_path_provider=place, approximate_bytes_per_file=None
        )
        table.with_columns(bucket).sink_parquet(target, compression="lz4", maintain_order=True, mkdir=True)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        raise UnsplitError(source) from None
