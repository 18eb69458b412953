"""What Spark's workers do first: rows are cut into pieces by bucket.

A *piece* is some rows of one file that belong to one bucket, as bytes: lines as they stand in the file, or rows of a
table as Arrow streams. So a cluster moves a few large pieces where it would move millions of rows, and whoever gets a
bucket reads it with the readers of files. Nothing here knows Spark: batches come in, batches go out.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import numpy as np
import polars as pl

from gainsayer.engines.error_words import as_words
from gainsayer.engines.text_pieces import cut_pieces
from gainsayer.engines.waists import find_bucket
from gainsayer.errors import FormatError, GainsayerError
from gainsayer.lines.faults import shorten
from gainsayer.lines.fields import Block
from gainsayer.lines.opening import BYTE_ORDER_MARK
from gainsayer.tables.cells import column_text
from gainsayer.tables.columns import ASCII_BLANKS

if TYPE_CHECKING:
    import pyarrow as pa

FILE: Final = "gainsayer file"
START: Final = "gainsayer start"
LINE: Final = "gainsayer line"
CORRUPT: Final = "gainsayer corrupt"
"""Columns that Spark adds: the number of the file, where the split begins in it, a line, a row that is no row."""
PIECES: Final = "bucket int, file int, start bigint, number int, rows bigint, content binary, kind string, words string"
_HELD_BYTES: Final = 1 << 26
_BUCKET: Final = "gainsayer bucket"


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
        for place, start, rows in stretches(batch, files):
            text = join_lines(rows.column(LINE))
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
            for place, start, rows in stretches(batch, files):
                origin = files.origins[files.owners[place]]
                for bucket, part in _split_frame(take_frame(rows, origin), origin, buckets):
                    held.add(place, start, bucket, as_stream(part), part.height)
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


def stretches(batch: pa.RecordBatch, files: Files) -> Iterator[tuple[int, int, pa.RecordBatch]]:
    """Rows that follow one another in one split of a file: the file's place, where the split starts, the rows."""
    file, start = (np.asarray(batch.column(name)) for name in (FILE, START))
    heads = np.flatnonzero(np.append(True, (file[1:] != file[:-1]) | (start[1:] != start[:-1]))[: len(file)]).tolist()
    for low, high in zip(heads, [*heads[1:], len(file)], strict=False):
        yield files.places[int(file[low])], int(start[low]), batch.slice(low, high - low)


def join_lines(lines: pa.Array) -> bytes:
    """Lines as they follow one another in the memory of an Arrow array."""
    _, ends, content = lines.buffers()
    if content is None:
        return b""
    places = np.frombuffer(ends, np.int32)
    return bytes(content[int(places[lines.offset]) : int(places[lines.offset + len(lines)])])


def take_frame(rows: pa.RecordBatch, origin: Origin) -> pl.DataFrame:
    """The rows of a table; those of a CSV file that do not have the header's columns are refused (FormatError)."""
    frame = pl.DataFrame(rows).drop(FILE, START)
    if CORRUPT in frame.columns:
        corrupt = frame[CORRUPT].drop_nulls().to_list()
        expected = f"{origin.name}: expected {origin.width} columns as in the header, found another number of them"
        if corrupt:
            raise FormatError.listing([f"{expected}: {shorten(row)}." for row in corrupt])
        frame = frame.drop(CORRUPT)
    return frame


def _split_frame(frame: pl.DataFrame, origin: Origin, buckets: int) -> Iterator[tuple[int, pl.DataFrame]]:
    topic = column_text(frame[origin.topic], "topic", origin.name).str.strip_chars(ASCII_BLANKS)
    names = topic.unique()
    found = pl.Series([find_bucket(name, buckets) for name in names], dtype=pl.Int32)
    marked = frame.with_columns(topic.replace_strict(names, found).alias(_BUCKET))
    for (number,), part in marked.partition_by(_BUCKET, maintain_order=True, as_dict=True).items():
        yield int(str(number)), part.drop(_BUCKET)


def as_stream(frame: pl.DataFrame) -> bytes:
    """A table as an Arrow stream, its length before it."""
    stream = io.BytesIO()
    frame.write_ipc_stream(stream)
    return len(stream.getvalue()).to_bytes(8, "little") + stream.getvalue()


def from_streams(content: bytes) -> pl.DataFrame:
    """The rows of tables as `as_stream` wrote them, one after the other."""
    frames, place = [], 0
    while place < len(content):
        end = place + 8 + int.from_bytes(content[place : place + 8], "little")
        frames.append(pl.read_ipc_stream(content[place + 8 : end]))
        place = end
    return pl.concat(frames)
