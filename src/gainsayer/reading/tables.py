"""Table files: which format one has, by its ending or its content, what its name stands for, and its cells.

CSV and TSV are read here: a header that names the columns, cells quoted as in RFC 4180. Files without any quote are
parsed by polars; the others, and those with a fault, row by row with the csv module, which knows on which line each row
begins. JSON lines and Parquet have readers of their own.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

import polars as pl

from gainsayer.errors import CallError, FormatError
from gainsayer.reading.cells import Cells, read_frame
from gainsayer.reading.columns import ASCII_BLANKS, JUDGMENTS, Schema, find_columns, is_header, tell_column
from gainsayer.reading.faults import Faults, shorten
from gainsayer.reading.files import BYTE_ORDER_MARK, STANDARD_INPUT, FilePath, Stream, as_text, call_file, peek
from gainsayer.reading.jsonlines import read_objects

PARQUET_MARK: Final = b"PAR1"
_TABLE_FORMATS: Final = {"_delta_log": "Delta", ".hoodie": "Hudi"}


def read_columns(content: bytes, name: str, schema: Schema = JUDGMENTS, *, raters: Sequence[str] = ()) -> pl.DataFrame:
    """The known columns of a Parquet file, under their own titles.

    Args:
        content: the bytes of the file.
        name: what messages call it.
        schema: what the table holds.
        raters: columns of levels, one per rater, where the table is wide.

    Raises:
        FormatError: it is no Parquet file, it is damaged, or its columns do not fit.
    """
    if not content.startswith(PARQUET_MARK):
        raise FormatError(f"{name}: expected a Parquet file, found {shorten(content) if content else 'nothing'}.")
    try:
        titles = list(pl.read_parquet_schema(io.BytesIO(content)))
        places = find_columns(titles, name, schema, raters=raters)
        return pl.read_parquet(io.BytesIO(content), columns=[titles[place] for place in places.values()])
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as fault:
        # A damaged file may make polars panic, which Python sees as a BaseException.
        raise FormatError(
            f"{name}: expected a whole Parquet file, found it damaged or cut off ({shorten(str(fault))}). "
            "Copy or write it again."
        ) from None


def list_columns(content: bytes) -> tuple[str, ...]:
    """All titles of a Parquet file that could be read."""
    return tuple(pl.read_parquet_schema(io.BytesIO(content)))


def list_parquet(folder: FilePath) -> list[Path]:
    """The Parquet files in a folder, in order; those whose names, or whose folders', begin with `.` or `_` are no data.

    Raises:
        CallError: the folder is a table whose own log says which files count.
    """
    if not os.path.isdir(folder):
        return []
    refuse_log(call_file(folder), os.listdir(folder))
    found = Path(folder).rglob("*.parquet")
    return sorted(path for path in found if is_data(path.relative_to(folder).as_posix()))


def is_data(below: str) -> bool:
    """Whether a path within a folder is one of its table's data files, as Spark has them.

    >>> is_data("day=1/part-0.parquet"), is_data("_temporary/part-0.parquet"), is_data(".part-0.parquet.crc")
    (True, False, False)
    """
    return not any(part.startswith((".", "_")) for part in below.split("/"))


def refuse_log(path: str, names: Iterable[str]) -> None:
    """Refuse a folder whose own log says which of its files count, by the names in it."""
    there = set(names)
    kind = next((kind for name, kind in _TABLE_FORMATS.items() if name in there), None)
    if kind is None and {"data", "metadata"} <= there:
        kind = "Iceberg"
    if kind is not None:
        raise CallError(
            f"{path!r} is a {kind} table, some files of which may not count any more. Give it as a data frame: "
            f"spark.table('NAME'), or spark.read.format('{kind.lower()}').load(...)"
        )


TableFormat: TypeAlias = Literal["csv", "tsv", "jsonl", "parquet"]
TABLE_FORMATS: Final[tuple[TableFormat, ...]] = ("csv", "tsv", "jsonl", "parquet")
_HEAD_BYTES: Final = 1 << 17
_FEW_LINES: Final = 1 << 12
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
_LONGEST_HEADER: Final = 65_536
_ROWS_AT_ONCE: Final = 50_000


def strip_endings(path: FilePath, more: Collection[str] = ()) -> str:
    """The name of a file without folders and known endings, of which there may be more than those of judgments.

    >>> strip_endings("dl19/nist.qrels.gz"), strip_endings("umbrela-llama3.2.qrels"), strip_endings("-")
    ('nist', 'umbrela-llama3.2', 'stdin')
    """
    if path == STANDARD_INPUT:
        return "stdin"
    known = {*_COMPRESSION_ENDINGS, *_SNIFFED_ENDINGS, *_ENDINGS, *more}
    return _split_endings(os.path.basename(call_file(path)), known)[0]


def peek_head(stream: Stream) -> bytes:
    """As much of a file's beginning as tells its format: its first line, where no quote may join it to the next."""
    head = peek(stream, _FEW_LINES)
    enough = len(head) < _FEW_LINES or (b"\n" in head.lstrip() and b'"' not in head)
    return head if enough else peek(stream, _HEAD_BYTES)


def tell_table(path: FilePath, head: bytes, schema: Schema = JUDGMENTS) -> TableFormat | None:
    r"""The format of a table, by the ending of its file, else by its first bytes; None for lines without a header.

    A TSV file whose first line names no column, as MS MARCO has them, is no table but a qrels file or a run.

    >>> tell_table("nist.csv.gz", b""), tell_table("-", b"q1 0 d1 2\n"), tell_table("a.txt", b'{"qid": 1}')
    ('csv', None, 'jsonl')
    """
    text = head.removeprefix(BYTE_ORDER_MARK)
    by_ending = _ENDINGS.get(_split_endings(os.fspath(path), _COMPRESSION_ENDINGS)[1])
    if by_ending == "tsv" and not any(tell_column(cell, schema.synonyms) for cell in split_header(text, "\t")):
        return None
    return by_ending or tell_content(text, schema)


def _split_endings(name: str, known: Collection[str]) -> tuple[str, str]:
    """A name without the known endings that it has, and the ending that it then has."""
    stem, ending = os.path.splitext(name)
    return _split_endings(stem, known) if ending.lower() in known else (name, ending.lower())


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
    kinds: dict[str, TableFormat] = {"\t": "tsv", ",": "csv"}
    separators = [separator for separator in kinds if separator.encode() in text]
    return next((kinds[one] for one in separators if is_header(split_header(text, one), schema.synonyms)), None)


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
        cells = read_frame(read_columns(content, name, schema, raters=raters), name, schema, raters=raters)
        return replace(cells, titles=list_columns(content))  # also those that were not read
    text = as_text(content, name)
    if format == "jsonl":
        return read_objects(text, name, schema, raters=raters)
    return read_cells(text, name, schema, separator="\t" if format == "tsv" else None, raters=raters)


def read_cells(
    text: bytes, name: str, schema: Schema = JUDGMENTS, *, separator: str | None = None, raters: Sequence[str] = ()
) -> Cells:
    r"""The known columns of a CSV or TSV file as text.

    Args:
        text: the content, UTF-8 without a byte-order mark (see `files.as_text`).
        name: what messages call the file.
        schema: what the table holds.
        separator: the symbol between the columns; by default the comma, tab or semicolon that the header has.
        raters: columns of levels, one per rater, where the table is wide.

    Raises:
        FormatError: a column is missing or there twice, or rows are faulty; the first ten are listed.

    >>> read_cells(b'qid,docno,rel\nq1,"d,1",2\n', "a.csv", JUDGMENTS).columns["document"].to_list()
    ['d,1']
    """
    separator = separator or tell_separator(text)
    line, titles = _read_header(text, name, separator, schema.header)
    places = find_columns(titles, f"{name}, line {line}", schema, raters=raters)
    table = _parse_plain(text, line, len(titles), places, separator)
    if table is not None:
        columns = {meaning: table[meaning] for meaning in places}
        return Cells(columns, first_line=line + 1, titles=tuple(titles))
    table = _parse_rows(text, name, len(titles), places, separator)
    columns = {meaning: table[meaning] for meaning in places}
    return Cells(columns, lines=table["line"].to_numpy(), titles=tuple(titles))


def split_header(text: bytes, separator: str) -> list[str]:
    r"""The cells of the first line; none if it is too long or too odd for a header.

    >>> split_header(b'topic,"document"\nq1,d1\n', ",")
    ['topic', 'document']
    """
    try:
        return _read_header(text, "", separator, "")[1]
    except FormatError:
        return []


def tell_separator(text: bytes) -> str:
    r"""The symbol between the columns of a CSV file, by its header: comma, tab or semicolon.

    >>> tell_separator(b"topic;document;level\nq1;d1;2\n")
    ';'
    """
    head = re.split(rb"[\r\n]", text[:_LONGEST_HEADER].lstrip(), maxsplit=1)[0]
    return next((symbol for symbol in (",", "\t", ";") if symbol.encode() in head), ",")


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Each row with the line on which it begins; blank lines are passed over.

    A row that is quoted wrongly comes as the csv module's error, and is the last one.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    try:
        for row in reader:
            if len(row) > 1 or (row and row[0].strip(ASCII_BLANKS)):
                yield begins, row
            begins = reader.line_num + 1
    except csv.Error as fault:
        yield begins, fault


def _read_header(text: bytes, name: str, separator: str, example: str) -> tuple[int, list[str]]:
    """The line of the header, and the titles in it."""
    head = text[:_LONGEST_HEADER]
    line, titles = next(_rows(head.decode(errors="ignore"), separator), (1, []))
    endless = len(text) > _LONGEST_HEADER and not re.search(rb"[\r\n]", head.strip())
    if endless or isinstance(titles, csv.Error):
        raise FormatError(
            f"{name}, line {line}: expected a header line such as {example}, found {shorten(text.lstrip())}."
        )
    return line, titles


def _parse_plain(text: bytes, header: int, width: int, places: dict[str, int], separator: str) -> pl.DataFrame | None:
    """The known columns, if no cell is quoted and every line has as many cells as the header; else None."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    if b'"' in text or b"\r" in text:
        return None
    rest = text.split(b"\n", header)[-1] if text.count(b"\n") >= header else b""
    symbol = separator.encode()
    height = rest.count(b"\n") + (not rest.endswith(b"\n"))
    head = rest[: rest.find(b"\n") + 1] or rest
    if not rest or rest.startswith(BYTE_ORDER_MARK):  # which polars would drop
        return None
    if head.count(symbol) != width - 1 or rest.count(symbol) != height * (width - 1):
        return None
    try:
        table = pl.read_csv(
            rest,
            separator=separator,
            has_header=False,
            quote_char=None,
            schema={str(place): pl.String for place in range(width)},
        )
    except pl.exceptions.PolarsError:
        return None
    if table.height != height:
        return None
    # No line is longer than the header (polars would refuse it), so by the count of separators none is shorter
    # either, and a null is an empty cell.
    return table.select(pl.col(str(place)).fill_null("").alias(meaning) for meaning, place in places.items())


def _parse_rows(text: bytes, name: str, width: int, places: dict[str, int], separator: str) -> pl.DataFrame:
    """The known columns and the line of each row, row by row."""
    faults = Faults(name)
    parts: list[pl.DataFrame] = []
    cells: list[tuple[int | str, ...]] = []
    chosen = tuple(places.values())
    schema: dict[str, type[pl.DataType]] = {"line": pl.Int64, **dict.fromkeys(places, pl.String)}
    rows = _rows(text.decode(), separator)
    next(rows)
    for line, row in rows:
        if isinstance(row, csv.Error):
            faults.add(line, f"expected cells quoted as in RFC 4180, found a fault in this row: {row}.")
        elif len(row) != width:
            found = shorten(separator.join(row[:width]))
            faults.add(line, f"expected {width} columns as in the header, found {len(row)}: {found}.")
        else:
            cells.append((line, *(row[place] for place in chosen)))
        if len(cells) == _ROWS_AT_ONCE:
            parts.append(pl.DataFrame(cells, schema, orient="row"))
            cells = []
    faults.settle()
    return pl.concat([*parts, pl.DataFrame(cells, schema, orient="row")])
