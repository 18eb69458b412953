"""The rows of a table with their topics, as they stand in the file: CSV and TSV, JSON lines, Parquet.

Rows are told apart as the readers of such files do it, and looked at no further.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

import polars as pl

from gainsayer.errors import CallError
from gainsayer.lines.blocks import cut_blocks
from gainsayer.lines.forking import refuse_fork
from gainsayer.lines.opening import FilePath, Stream, call_file, open_stream
from gainsayer.tables.cells import cell_text, column_text
from gainsayer.tables.columns import ASCII_BLANKS, JUDGMENTS, RUNS, Schema, tell_columns
from gainsayer.tables.files import peek_head, tell_separator, tell_table
from gainsayer.tables.jsonlines import JSON

Kind: TypeAlias = Literal["judgments", "runs"]
TextRow: TypeAlias = tuple[str | None, str, int]
"""The topic of a row, its text, and the line on which it begins; the header of a table has no topic."""

SCHEMAS: Final[dict[Kind, Schema]] = {"judgments": JUDGMENTS, "runs": RUNS}


class UnsplitError(CallError):
    """A file whose rows or their topics cannot be told."""

    def __init__(self, source: FilePath) -> None:
        super().__init__(
            f"{call_file(source)} cannot be split by topics: expected rows, each with its topic. Write it as JSON "
            "lines, CSV, Parquet or TREC text, or use engine='embedded'."
        )


def open_source(source: FilePath, kind: Kind, format: str | None = None) -> tuple[Stream, str]:
    """The file, opened, and its format as its reader tells it: `trec`, `qrels`, `csv`, `tsv`, `jsonl` or `parquet`."""
    stream = open_stream(source, endless=True)
    found = format or tell_table(source, peek_head(stream), SCHEMAS[kind])
    return stream, found or ("qrels" if kind == "judgments" else "trec")


def text_rows(stream: Stream, source: FilePath, kind: Kind, format: str) -> Iterator[TextRow]:
    """The rows of a CSV, TSV or JSON lines file; blank ones are left out.

    Raises:
        UnsplitError: rows or topics cannot be told; its reader may say why.
    """
    if format == "jsonl":
        return _json_rows(stream, source, kind)
    return _csv_rows(stream, source, kind, "\t" if format == "tsv" else None)


def _csv_rows(stream: Stream, source: FilePath, kind: Kind, separator: str | None) -> Iterator[TextRow]:
    """A row with too few cells is one of the topic '': its reader will say so."""
    pending: list[str] = []

    def lines() -> Iterator[str]:
        for block in cut_blocks(stream, width=1, whole_topics=False):
            for line in io.StringIO(block.text.tobytes().decode(), newline=""):  # also ends lines at a lone CR
                pending.append(line)
                yield line

    separator = separator or tell_separator(peek_head(stream))
    reader = csv.reader(lines(), delimiter=separator, strict=True)
    place, begin = -1, 1
    try:
        for row in reader:
            text, line, begin = "".join(pending), begin, reader.line_num + 1
            pending.clear()
            if len(row) <= 1 and not (row and row[0].strip(ASCII_BLANKS)):
                continue
            if place < 0:
                place = _find_topic(row, source, kind)
                yield None, text, line
            else:
                yield row[place].strip(ASCII_BLANKS) if place < len(row) else "", text, line
    except (csv.Error, UnicodeDecodeError):
        raise UnsplitError(source) from None


def _json_rows(stream: Stream, source: FilePath, kind: Kind) -> Iterator[TextRow]:
    titles: dict[tuple[str, ...], str] = {}
    for block in cut_blocks(stream, width=1, whole_topics=False):
        lines = block.text.tobytes().removesuffix(b"\n").split(b"\n")
        for number, text in enumerate(lines, start=block.line):
            if not text or text.isspace():
                continue
            try:
                line = text.decode()
                entry = JSON.decode(line.strip(ASCII_BLANKS))
                keys = tuple(entry) if isinstance(entry, dict) else ()
                if keys not in titles:
                    titles[keys] = keys[_find_topic(keys, source, kind)]
                topic = cell_text(entry[titles[keys]], "topic").strip(ASCII_BLANKS)
            except (ValueError, RecursionError):
                raise UnsplitError(source) from None
            yield topic, line + "\n", number


def scan_topics(stream: Stream, source: FilePath, kind: Kind) -> tuple[pl.LazyFrame, str]:
    """A Parquet file, of which polars reads what it needs, and the title of the topics; see `as_topics`.

    A compressed one is unfolded before.
    """
    refuse_fork()
    content = Path(source) if isinstance(stream, io.FileIO) else io.BytesIO(stream.read())
    table = pl.scan_parquet(content, glob=False)
    titles = list(table.collect_schema())
    return table, titles[_find_topic(titles, source, kind)]


def as_topics(column: pl.Series, source: FilePath) -> pl.Series:
    """A column of topics of any type as text, as the readers have it."""
    return column_text(column, "topic", call_file(source)).str.strip_chars(ASCII_BLANKS)


def _find_topic(titles: Sequence[str], source: FilePath, kind: Kind) -> int:
    """The place of the topic among the titles."""
    meanings = tell_columns(titles, SCHEMAS[kind])
    if "topic" not in meanings:
        raise UnsplitError(source)
    return meanings.index("topic")
