"""What Spark's workers do: rows are cut into pieces by bucket, and the pieces of a bucket become judgments and runs.

A *piece* is some rows of one file that belong to one bucket, as bytes: lines as they stand in the file, or rows of a
table as Arrow streams. So a cluster moves a few large pieces where it would move millions of rows, and whoever gets a
bucket reads it with the readers of files. Nothing here knows Spark: batches come in, batches go out.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from zlib import crc32

import numpy as np

from gainsayer import errors
from gainsayer.engines.text_pieces import cut_pieces
from gainsayer.engines.waists import BucketRun, Task, Waist, find_bucket, make_waist
from gainsayer.errors import CallError, FormatError, GainsayerError
from gainsayer.judgments.files import JudgmentSource
from gainsayer.judgments.survey import Meaning, SeenSource, Survey, join_surveys
from gainsayer.lines.faults import shorten
from gainsayer.lines.fields import Block
from gainsayer.lines.opening import BYTE_ORDER_MARK
from gainsayer.records import dataclass
from gainsayer.runs.tables import run_from_frame
from gainsayer.tables.cells import column_text
from gainsayer.tables.columns import ASCII_BLANKS

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

FILE: Final = "gainsayer file"
START: Final = "gainsayer start"
LINE: Final = "gainsayer line"
CORRUPT: Final = "gainsayer corrupt"
"""Columns that Spark adds: the number of the file, where the split begins in it, a line, a row that is no row."""
PIECES: Final = "bucket int, file int, start bigint, number int, rows bigint, content binary, kind string, words string"
SURVEYS: Final = "survey string, kind string, words string"
MOST_ROWS: Final = 2_000_000
"""How many rows of one topic a worker takes: each costs it some 300 bytes."""
_HELD_BYTES: Final = 1 << 26
_BUCKET: Final = "gainsayer bucket"
RunKey: TypeAlias = tuple[int, str]
"""The source of a run, and its name in the run column; empty where the whole source is one run."""


@dataclass(frozen=True)
class Origin:
    """A source of judgments or runs, as its pieces need to know it.

    Args:
        name: what messages call it.
        owner: the assessor or the run, where no column says who.
        lines: whether it is TREC text; else it is a table.
        topic: the title of a table's topic column.
        by: the title of a table's assessor or run column; empty where the whole table is one's.
        width: how many columns a table has.
    """

    name: str
    owner: str
    lines: bool = True
    topic: str = ""
    by: str = ""
    width: int = 0


@dataclass(frozen=True)
class Files:
    """The files behind some sources: by which number rows name each, and whose it is.

    Args:
        places: the number of a file (`number_file`) to its place among all files.
        origins: the sources.
        owners: the place in `origins` of each file's source.
    """

    places: Mapping[int, int]
    origins: tuple[Origin, ...]
    owners: tuple[int, ...]


def number_file(path: str) -> int:
    """The number by which a row names its file: Spark makes the same of the path, and eight bytes a row are enough.

    >>> number_file("file:/runs/bm25.run")
    905885770
    """
    return crc32(path.encode())


def cut_lines(batches: Iterable[pa.RecordBatch], files: Files, buckets: int) -> Iterator[pa.RecordBatch]:
    """The lines of TREC text in pieces.

    Args:
        batches: rows of one task, in the order of the file: its number, where the split starts, the line with its end.
        files: the files.
        buckets: how many buckets there are.
    """
    held = _Held()
    for batch in batches:
        for place, start, rows in _stretches(batch, files):
            text = _join_lines(rows.column(LINE))
            if start == 0 and (place, start) not in held.begun:
                text = text.removeprefix(BYTE_ORDER_MARK)
            for bucket, part in cut_pieces(Block.of(text), buckets).texts():
                content = bytes(part)
                held.add(place, start, bucket, content, content.count(b"\n"))
        if held.size > _HELD_BYTES:
            yield held.release()
    yield held.release()


def cut_table(batches: Iterable[pa.RecordBatch], files: Files, buckets: int) -> Iterator[pa.RecordBatch]:
    """The rows of a table in pieces; batches have the file's number, where the split starts, and all columns."""
    held = _Held()
    try:
        for batch in batches:
            for place, start, rows in _stretches(batch, files):
                origin = files.origins[files.owners[place]]
                for bucket, part in _split_frame(_take_frame(rows, origin), origin, buckets):
                    held.add(place, start, bucket, _as_stream(part), part.height)
            if held.size > _HELD_BYTES:
                yield held.release()
    except GainsayerError as error:
        yield make_batch([(0, 0, 0, 0, 0, b"", *as_words(error))], PIECES)
        return
    yield held.release()


class _Held:
    """Pieces that wait to be sent, so that they are few and large."""

    def __init__(self) -> None:
        self.parts: dict[tuple[int, int, int], list[bytes]] = {}
        self.rows: Counter[tuple[int, int, int]] = Counter()
        self.begun: set[tuple[int, int]] = set()
        self.size = self.sent = 0

    def add(self, place: int, start: int, bucket: int, content: bytes, rows: int) -> None:
        """Some more rows of a file in a bucket."""
        key = (place, start, bucket)
        self.parts.setdefault(key, []).append(content)
        self.rows[key] += rows
        self.begun.add((place, start))
        self.size += len(content)

    def release(self) -> pa.RecordBatch:
        """Everything held as rows of pieces; `number` goes on from those before."""
        rows = [
            (bucket, place, start, number, self.rows[place, start, bucket], b"".join(parts), None, None)
            for number, ((place, start, bucket), parts) in enumerate(self.parts.items(), start=self.sent)
        ]
        self.sent += len(rows)
        self.parts, self.rows, self.size = {}, Counter(), 0
        return make_batch(rows, PIECES)


def make_batch(rows: Sequence[tuple[Any, ...]], columns: str) -> pa.RecordBatch:
    """Rows as an Arrow batch, its columns in Spark's words.

    >>> make_batch([(3, b"ab")], "bucket int, content binary").to_pydict()
    {'bucket': [3], 'content': [b'ab']}
    """
    import pyarrow as pa

    kinds = {"int": pa.int32(), "bigint": pa.int64(), "binary": pa.binary(), "string": pa.string()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in (column.split() for column in columns.split(", "))])
    values = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return pa.RecordBatch.from_arrays(
        [pa.array(column, kind) for column, kind in zip(values, schema.types, strict=True)], schema=schema
    )


def _stretches(batch: pa.RecordBatch, files: Files) -> Iterator[tuple[int, int, pa.RecordBatch]]:
    """Rows that follow one another in one split of a file: the file's place, where the split starts, the rows."""
    file, start = (np.asarray(batch.column(name)) for name in (FILE, START))
    heads = np.flatnonzero(np.append(True, (file[1:] != file[:-1]) | (start[1:] != start[:-1]))[: len(file)]).tolist()
    for low, high in zip(heads, [*heads[1:], len(file)], strict=False):
        yield files.places[int(file[low])], int(start[low]), batch.slice(low, high - low)


def _join_lines(lines: pa.Array) -> bytes:
    """Lines as they follow one another in the memory of an Arrow array."""
    _, ends, content = lines.buffers()
    if content is None:
        return b""
    places = np.frombuffer(ends, np.int32)
    return bytes(content[int(places[lines.offset]) : int(places[lines.offset + len(lines)])])


def _take_frame(rows: pa.RecordBatch, origin: Origin) -> pl.DataFrame:
    """The rows of a table; those of a CSV file that do not have the header's columns are refused (FormatError)."""
    import polars as pl

    frame = pl.DataFrame(rows).drop(FILE, START)
    if CORRUPT in frame.columns:
        corrupt = frame[CORRUPT].drop_nulls().to_list()
        expected = f"{origin.name}: expected {origin.width} columns as in the header, found another number of them"
        if corrupt:
            raise FormatError.listing([f"{expected}: {shorten(row)}." for row in corrupt])
        frame = frame.drop(CORRUPT)
    return frame


def _split_frame(frame: pl.DataFrame, origin: Origin, buckets: int) -> Iterator[tuple[int, pl.DataFrame]]:
    import polars as pl

    topic = column_text(frame[origin.topic], "topic", origin.name).str.strip_chars(ASCII_BLANKS)
    names = topic.unique()
    found = pl.Series([find_bucket(name, buckets) for name in names], dtype=pl.Int32)
    marked = frame.with_columns(topic.replace_strict(names, found).alias(_BUCKET))
    for (number,), part in marked.partition_by(_BUCKET, maintain_order=True, as_dict=True).items():
        yield int(str(number)), part.drop(_BUCKET)


def _as_stream(frame: pl.DataFrame) -> bytes:
    """A table as an Arrow stream, its length before it."""
    stream = io.BytesIO()
    frame.write_ipc_stream(stream)
    return len(stream.getvalue()).to_bytes(8, "little") + stream.getvalue()


def _from_streams(content: bytes) -> pl.DataFrame:
    import polars as pl

    frames, place = [], 0
    while place < len(content):
        end = place + 8 + int.from_bytes(content[place : place + 8], "little")
        frames.append(pl.read_ipc_stream(content[place + 8 : end]))
        place = end
    return pl.concat(frames)


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of the sources, such as those of a bucket.

    Args:
        files: the files they come from.
        contents: the place of a source to its rows as bytes.
        rows: how many rows there are.
    """

    files: Files
    contents: Mapping[int, bytes]
    rows: int = 0

    @classmethod
    def of(cls, pieces: pa.Table, files: Files) -> Part:
        """Pieces put together in the order of the files.

        Raises:
            GainsayerError: whoever cut the pieces has found a fault.
        """
        table = pieces.sort_by([(name, "ascending") for name in ("file", "start", "number")]).to_pydict()
        faults = [fault for fault in zip(table["kind"], table["words"], strict=True) if fault[0] is not None]
        if faults:
            raise join_errors(faults)
        contents: dict[int, list[bytes]] = {}
        for file, content in zip(table["file"], table["content"], strict=True):
            contents.setdefault(files.owners[file], []).append(content)
        return cls(files, {place: b"".join(parts) for place, parts in sorted(contents.items())}, sum(table["rows"]))

    @contextmanager
    def opened(self) -> Iterator[list[str | pl.DataFrame | None]]:
        """The rows of each source as a file or a table, None where it has none; messages are about the source itself.

        A line or row is quoted where a reader would give its number, which is one within the part.
        """
        found: list[str | pl.DataFrame | None] = [None] * len(self.files.origins)
        with tempfile.TemporaryDirectory(prefix="gainsayer-") as folder:
            for place, content in self.contents.items():
                if self.files.origins[place].lines:
                    path = Path(folder, f"{place}.txt")
                    path.write_bytes(content)
                    found[place] = str(path)
                else:
                    found[place] = _from_streams(content)
            try:
                yield found
            except GainsayerError as error:
                raise type(error)(self.reword(str(error), found)) from None

    def reword(self, message: str, opened: Sequence[str | pl.DataFrame | None]) -> str:
        """A message about what was opened, as one about the sources."""
        there = [(place, source) for place, source in enumerate(opened) if source is not None]
        for number, (place, source) in enumerate(there, start=1):
            name = self.files.origins[place].name
            if isinstance(source, str):
                lines = self.contents[place].split(b"\n")
                message = _quote(message, source, name, "line", [line.strip() for line in lines])
            else:
                rows = [" ".join("" if cell is None else str(cell) for cell in row) for row in source.iter_rows()]
                message = message.replace(f"table {number} (polars DataFrame)", name)
                message = _quote(message, name, name, "row", rows)
        return message


def _quote(message: str, found: str, name: str, unit: str, rows: Sequence[str | bytes]) -> str:
    def say(match: re.Match[str]) -> str:
        return f"{name}, the {unit} {shorten(rows[int(match[1]) - 1])}"

    return re.sub(rf"{re.escape(found)}, {unit} (\d+)", say, message).replace(found, name)


def survey_part(part: Part, meaning: Meaning) -> Survey:
    """What is seen in some rows of judgments; see `Meaning.survey`."""
    with part.opened() as opened:
        return meaning.survey(_name_sources(opened, part.files, meaning))


def _name_sources(
    opened: Sequence[str | pl.DataFrame | None], files: Files, meaning: Meaning
) -> list[JudgmentSource | None]:
    """Sources with the name of their assessor, where nothing in them says who gave the levels."""

    def name(source: str | pl.DataFrame, origin: Origin) -> JudgmentSource:
        named = meaning.by_assessor if origin.lines else bool(origin.by)
        return source if named else (origin.owner, source)

    return [
        None if source is None else name(source, origin) for source, origin in zip(opened, files.origins, strict=True)
    ]


def survey_batches(batches: Iterable[pa.RecordBatch], files: Files, meaning: Meaning) -> Iterator[pa.RecordBatch]:
    """What is seen in the batches of a task, as one row; faults are found before anything is moved."""
    seen: list[Survey] = []
    try:
        for batch in batches:
            for place, _, rows in _stretches(batch, files):
                owner = files.owners[place]
                origin = files.origins[owner]
                if origin.lines:
                    content = _join_lines(rows.column(LINE)).removeprefix(BYTE_ORDER_MARK)
                else:
                    content = _as_stream(_take_frame(rows, origin))
                if content.strip():
                    seen.append(survey_part(Part(files, {owner: content}), meaning))
    except GainsayerError as error:
        yield make_batch([(None, *as_words(error))], SURVEYS)
        return
    yield make_batch([(write_survey(join_surveys(seen)), None, None)] if seen else [], SURVEYS)


def write_survey(survey: Survey) -> str:
    """What was seen as text, to be sent."""
    plain = [
        seen and [seen.assessor, seen.titles, seen.implied, [[*who, times] for who, times in seen.times.items()]]
        for seen in survey
    ]
    return json.dumps(plain)


def read_survey(text: str) -> Survey:
    """What `write_survey` made text of.

    >>> read_survey(write_survey((None, SeenSource({("ann", "2"): 3}, "ann"))))
    (None, SeenSource(times={('ann', '2'): 3}, assessor='ann', titles=(), implied=()))
    """
    return tuple(
        seen and SeenSource({(who, label): n for who, label, n in seen[3]}, seen[0], tuple(seen[1]), tuple(seen[2]))
        for seen in json.loads(text)
    )


def make_bucket_waist(
    judged: Part, ranked: Part | None, meaning: Meaning, task: Task, keys: Sequence[RunKey] = ()
) -> Waist:
    """The waist of a bucket, from its pieces.

    Args:
        judged: the rows of judgments.
        ranked: the rows of runs; None where only judgments are wanted.
        meaning: what labels mean.
        task: what the whole says.
        keys: the runs.

    Raises:
        CallError: one topic has more rows than a worker can take.
        GainsayerError: as the readers do.
    """
    if ranked is not None and ranked.rows > MOST_ROWS:
        _refuse_giant(ranked)
    with judged.opened() as opened:
        judgments = meaning.read_part(_name_sources(opened, judged.files, meaning), task.levels)
        if judgments is not None and judgments.findings:
            found = [replace(one, message=judged.reword(one.message, opened)) for one in judgments.findings]
            judgments = replace(judgments, findings=tuple(found))
    if ranked is None:
        return make_waist(judgments, (), task)
    with ranked.opened() as opened:
        return make_waist(judgments, _list_runs(opened, ranked.files, keys), task)


def _list_runs(opened: Sequence[str | pl.DataFrame | None], files: Files, keys: Sequence[RunKey]) -> list[BucketRun]:
    """The runs of a bucket in their order, None where one has no row in it."""
    found: dict[RunKey, BucketRun] = {}
    for place, (source, origin) in enumerate(zip(opened, files.origins, strict=True)):
        if source is None or isinstance(source, str):
            found[place, ""] = source
        elif not origin.by:
            found[place, ""] = run_from_frame(source, origin.name, name=origin.owner)
        else:
            names = column_text(source[origin.by], "run", origin.name).str.strip_chars(ASCII_BLANKS)
            marked = source.with_columns(names.alias(origin.by))
            for (name,), rows in marked.partition_by(origin.by, maintain_order=True, as_dict=True).items():
                found[place, str(name)] = run_from_frame(rows, origin.name, name=str(name))
    return [found.get(key) for key in keys]


def _refuse_giant(ranked: Part) -> None:
    """Refuse a topic that is too large for a worker; many topics together are only slow."""
    counts: Counter[str] = Counter()
    for place, content in ranked.contents.items():
        origin = ranked.files.origins[place]
        if origin.lines:
            counts.update(line.split(None, 1)[0].decode(errors="replace") for line in content.split(b"\n") if line)
        else:
            topic = column_text(_from_streams(content)[origin.topic], "topic", origin.name)
            counts.update(dict(topic.value_counts().iter_rows()))
    topic_, rows = counts.most_common(1)[0]
    if rows > MOST_ROWS:
        raise CallError(
            f"Topic {topic_} has {rows:,} rows in the runs, and a worker of Spark takes {MOST_ROWS:,} of one topic. "
            "Leave it out, keep only the first documents of each list, or use engine='buckets' on one machine."
        )


def as_words(error: GainsayerError) -> tuple[str, str]:
    """An error as text: its kind and its words."""
    kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == errors.__name__)
    return kind, str(error)


def join_errors(faults: Iterable[tuple[str, str]]) -> GainsayerError:
    r"""The error for what several workers found: of faults in files the first ten, of others the first one.

    >>> print(join_errors([("FormatError", "b.run: no."), ("FormatError", "a.run: no.\n... and 2 more like these.")]))
    a.run: no.
    b.run: no.
    ... and 2 more like these.
    """
    every = sorted(set(faults))
    kind, words = next((fault for fault in every if fault[0] != "FormatError"), every[0])
    error: GainsayerError = getattr(errors, kind)(words)
    if kind != "FormatError" or len(every) == 1:
        return error
    lines = Counter(line for _, words in every for line in set(words.split("\n")))
    found = [line for _, words in every for line in words.split("\n") if lines[line] == 1]
    more = [line for line in found if line.startswith("... and ")]
    advice = " ".join(line for line, times in lines.items() if times > 1)
    count = sum(int(re.sub(r"\D", "", line)) for line in more)
    return FormatError.listing([line for line in found if line not in more], count, advice)
