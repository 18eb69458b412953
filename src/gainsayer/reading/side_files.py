"""Small files beside the judgments: the stratum of each topic, the probability of each intent."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

import polars as pl

from gainsayer.errors import FormatError
from gainsayer.reading.columns import ASCII_BLANKS, SYNONYMS, Schema, find_columns, tell_column
from gainsayer.reading.faults import Faults, shorten
from gainsayer.reading.files import FilePath, as_text, call_file, read_content

_NUMBER: Final = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    **SYNONYMS,
    "stratum": ("stratum", "group", "class"),
    "probability": ("probability", "prob", "p"),
}


def read_topic_table(
    path: FilePath, columns: Sequence[str], *, numbers: Collection[str] = (), several: bool = False
) -> pl.DataFrame:
    """A small table with just these columns, such as `topic, stratum` or `topic, intent, probability`.

    Columns are separated by commas, tabs or ASCII blanks, whichever the first line has. A first line that begins with a
    name for the first column (topic, query, qid, ...) is a header; then the columns may stand in any order, and
    others are left out. The last column is said once for each combination of the others.

    Args:
        path: the file, as it is or compressed; '-' is standard input.
        columns: what the columns are, in the order they have where there is no header.
        numbers: the columns that hold numbers.
        several: whether the last column may have several values for the same others, as a resource has documents.

    Returns:
        The columns, String or (for numbers) Float64, one row per line, equal lines once.

    Raises:
        CallError: there is no such file.
        FormatError: lines are faulty, or one contradicts another; the first ten are listed.
    """
    name = call_file(path)
    text = as_text(read_content(path), name)
    lines = _split(text, name)
    first, head = next(lines)
    places = list(range(len(columns)))
    header = _is_header(head, columns)
    if header:
        synonyms = {column: _SYNONYMS.get(column, (column,)) for column in columns}
        found = find_columns(head, f"{name}, line {first}", Schema(synonyms, columns))
        places = [found[column] for column in columns]
    width = len(head) if header else len(columns)
    rows: dict[tuple[str, ...], tuple[int, str]] = {}
    faults = Faults(name)
    for line, cells in lines if header else _again(first, head, lines):
        fault = _find_fault(cells, width, places, columns, numbers)
        if fault:
            faults.add(line, fault)
            continue
        *key, value = (cells[place] for place in places)
        before, same = rows.setdefault((*key, value) if several else tuple(key), (line, value))
        if same != value:
            what = f"one {columns[-1]} for {' '.join(key)}"
            faults.add(line, f"expected {what}, found {shorten(value)} here and {shorten(same)} on line {before}.")
    faults.settle()
    if not rows:
        raise FormatError(f"{name} has a header but no lines below it.")
    table = [key if several else (*key, value) for key, (_, value) in rows.items()]
    return pl.DataFrame(
        [
            pl.Series(column, [float(row[place]) for row in table], pl.Float64)
            if column in numbers
            else pl.Series(column, [row[place] for row in table], pl.String)
            for place, column in enumerate(columns)
        ]
    )


def _split(text: bytes, name: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is not blank, with its number."""
    head = text.lstrip().partition(b"\n")[0]
    separator = "," if b"," in head else "\t" if b"\t" in head else None
    for number, line in enumerate(text.split(b"\n"), start=1):
        if not line.strip():
            continue
        if separator is None:
            yield number, [cell.decode() for cell in line.split()]
            continue
        try:
            cells = next(csv.reader([line.strip(b"\r").decode()], delimiter=separator, strict=True))
        except csv.Error as fault:
            raise FormatError(f"{name}, line {number}: expected cells quoted as in RFC 4180, found {fault}.") from None
        yield number, [cell.strip(ASCII_BLANKS) for cell in cells]


def _again(first: int, head: list[str], rest: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    yield first, head
    yield from rest


def _is_header(cells: Sequence[str], columns: Sequence[str]) -> bool:
    return any(tell_column(cell) == columns[0] for cell in cells[:1]) or {
        tell_column(cell, _SYNONYMS) for cell in cells
    } >= set(columns)


def _find_fault(
    cells: Sequence[str], width: int, places: Sequence[int], columns: Sequence[str], numbers: Collection[str]
) -> str:
    if len(cells) != width:
        what = "as in the header" if width != len(columns) else f"({', '.join(columns)})"
        return f"expected {width} columns {what}, found {len(cells)}: {shorten(' '.join(cells))}."
    for column, place in zip(columns, places, strict=True):
        if not cells[place]:
            return f"expected a {column}, found an empty one."
        if column in numbers and not _is_number(cells[place]):
            return f"expected a number as {column}, found {shorten(cells[place])}."
    return ""


def _is_number(text: str) -> bool:
    """Whether the text is a number in ASCII digits; Python alone would take 1_0 and other scripts' digits, too."""
    return bool(re.fullmatch(_NUMBER, text)) and math.isfinite(float(text))
