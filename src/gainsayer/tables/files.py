"""Table files: which format one has, by its ending or its content, what its name stands for, and its cells."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from gainsayer.lines.opening import BYTE_ORDER_MARK, STANDARD_INPUT, FilePath, as_text, call_file
from gainsayer.tables.cells import Cells, read_frame
from gainsayer.tables.columns import JUDGMENTS, Schema, is_header, tell_column
from gainsayer.tables.delimited import read_cells, split_header
from gainsayer.tables.jsonlines import read_objects
from gainsayer.tables.parquet import PARQUET_MARK, read_columns

TableFormat: TypeAlias = Literal["csv", "tsv", "jsonl", "parquet"]
TABLE_FORMATS: Final[tuple[TableFormat, ...]] = ("csv", "tsv", "jsonl", "parquet")
HEAD_BYTES: Final = 1 << 17
"""How much of a file's beginning tells its format."""

_COMPRESSION_ENDINGS: Final = frozenset({".gz", ".bz2", ".zst", ".zstd"})
_SNIFFED_ENDINGS: Final = frozenset({".qrels", ".qrel", ".txt"})
_ENDINGS: Final[dict[str, TableFormat]] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def strip_endings(path: FilePath, more: Collection[str] = ()) -> str:
    """The name of a file without folders and known endings, of which there may be more than those of judgments.

    >>> strip_endings("dl19/nist.qrels.gz"), strip_endings("umbrela-llama3.2.qrels"), strip_endings("-")
    ('nist', 'umbrela-llama3.2', 'stdin')
    """
    if path == STANDARD_INPUT:
        return "stdin"
    name = PurePath(call_file(path))
    while name.suffix.lower() in {*_COMPRESSION_ENDINGS, *_SNIFFED_ENDINGS, *_ENDINGS, *more}:
        name = name.with_suffix("")
    return name.name


def tell_table(path: FilePath, head: bytes, schema: Schema = JUDGMENTS) -> TableFormat | None:
    r"""The format of a table, by the ending of its file, else by its first bytes; None for lines without a header.

    A TSV file whose first line names no column, as MS MARCO has them, is no table but a qrels file or a run.

    >>> tell_table("nist.csv.gz", b""), tell_table("-", b"q1 0 d1 2\n"), tell_table("a.txt", b'{"qid": 1}')
    ('csv', None, 'jsonl')
    """
    name = PurePath(path)
    while name.suffix.lower() in _COMPRESSION_ENDINGS:
        name = name.with_suffix("")
    text = head.removeprefix(BYTE_ORDER_MARK)
    by_ending = _ENDINGS.get(name.suffix.lower())
    if by_ending == "tsv" and not any(tell_column(cell, schema.synonyms) for cell in split_header(text, "\t")):
        return None
    return by_ending or tell_content(text, schema)


def tell_content(head: bytes, schema: Schema = JUDGMENTS) -> TableFormat | None:
    r"""The format of a table that the first bytes show, whatever the ending of its file; None where they show none.

    >>> tell_content(b"topic,document,level\n"), tell_content(b"q1 0 d1 2\n")
    ('csv', None)
    """
    text = head.removeprefix(BYTE_ORDER_MARK)
    if text.startswith(PARQUET_MARK):
        return "parquet"
    if re.match(rb"\s*(\{|\[\s*[\[{])", text):
        return "jsonl"
    if is_header(split_header(text, "\t"), schema.synonyms):
        return "tsv"
    return "csv" if is_header(split_header(text, ","), schema.synonyms) else None


def read_table_file(
    content: bytes, name: str, format: TableFormat, schema: Schema, *, raters: Sequence[str] = ()
) -> Cells:
    """The cells of a table file.

    Args:
        content: the bytes of the file, decompressed.
        name: what messages call it.
        format: which format it has.
        schema: what it holds.
        raters: columns of levels, one per rater, where the table is wide.

    Raises:
        FormatError: it cannot be read; the first ten faults are listed with their places.
    """
    if format == "parquet":
        return read_frame(read_columns(content, name, schema, raters=raters), name, schema, raters=raters)
    text = as_text(content, name)
    if format == "jsonl":
        return read_objects(text, name, schema, raters=raters)
    return read_cells(text, name, schema, separator="\t" if format == "tsv" else None, raters=raters)
