"""TREC qrels: topic, iteration, document and level on each line, separated by blanks.

Names stay bytes where they were read, and nothing becomes text before it is needed; `reading.trec` says how lines are
read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import FormatError
from gainsayer.reading.columns import is_header
from gainsayer.reading.faults import Faults, shorten
from gainsayer.reading.files import BYTE_ORDER_MARK, Stream, as_text, may_be_text, peek
from gainsayer.reading.source import Source
from gainsayer.reading.trec import QRELS, Fault, Rows, cut_blocks, join_rows, read_block

SecondColumn: TypeAlias = Literal["iteration", "assessor", "intent"]

_LONGEST_HEADER: Final = 1000
_SECOND: Final = 1


def read_qrels(stream: Stream, name: str, *, assessor: str, second_column: SecondColumn = "iteration") -> Source:
    r"""The rows of a TREC qrels file.

    Column 2 is the iteration, which means nothing and is left out, unless `second_column` says that it holds the
    `assessor` (trec_eval's `qrels_jg`) or the `intent` (diversity qrels).

    Args:
        stream: the bytes of the file; read to its end, not closed.
        name: what messages call the file.
        assessor: who gave the levels; not used where column 2 says so.
        second_column: what column 2 holds.

    Raises:
        FormatError: a line does not have four columns; the first ten such lines are listed. Or it is no text.

    >>> import io
    >>> read_qrels(io.BytesIO(b"q1 0 d1 2\r\nq1\t0\td2\t0\n"), "nist.qrels", assessor="nist").frame.rows()
    [('q1', 'd1', 'nist', 2), ('q1', 'd2', 'nist', 0)]
    """
    head = peek(stream, len(BYTE_ORDER_MARK) + _LONGEST_HEADER)
    if b"\0" in head:
        as_text(head, name)  # which refuses it; the rest of such a file need not be read
    if not may_be_text(head) or _find_header(head):
        _refuse(stream, name, [])
    layout = replace(QRELS, columns=("topic", second_column, "document", "level"))
    parts: list[Rows] = []
    faults: list[Fault] = []
    for block in cut_blocks(stream, name, whole_topics=False):
        try:
            rows = read_block(block, layout, name, other=None if second_column == "iteration" else _SECOND)
        except FormatError:
            _refuse(stream, name, faults)
        if isinstance(rows, list):
            faults += rows
        else:
            parts.append(rows)
    if faults or not parts:
        _refuse(stream, name, faults)
    topics, topic, document, line = join_rows(parts)
    second = [part.other for part in parts if part.other is not None]
    return Source(
        name=name,
        topics=topics,
        topic=topic,
        document=document,
        label=_join_labels([part.number for part in parts]),
        assessor=None if second_column == "assessor" else assessor,
        columns={second_column: pl.concat(map(_as_text, second))} if second else {},
        line=line,
    )


def _join_labels(parts: Sequence[npt.NDArray[np.int16] | list[str]]) -> npt.NDArray[np.int16] | pl.Series:
    numbers = [part for part in parts if isinstance(part, np.ndarray)]
    return np.concatenate(numbers) if len(numbers) == len(parts) else pl.concat(map(_as_text, parts))


def _as_text(labels: npt.NDArray[np.int16] | list[str]) -> pl.Series:
    return pl.Series(labels).cast(pl.String)


def _refuse(stream: Stream, name: str, faults: Sequence[Fault]) -> NoReturn:
    """Say what is wrong with a file that is no text, has a header, or lines without four columns."""
    stream.seek(0)
    text = as_text(stream.read(), name)
    if header := _find_header(text):
        raise FormatError(
            f"{name}, line 1: expected judgments, found the header {shorten(header)}. "
            "TREC qrels have none: remove the line, or separate all columns by tabs or commas."
        )
    listed = Faults(name)
    for fault in faults:
        listed.add(fault.line, fault.words)
    listed.settle(_advise(max((fault.width or 0 for fault in faults), default=0), text))
    raise AssertionError("there is a fault")


def _advise(columns: int, text: bytes) -> str:
    head = text[:_LONGEST_HEADER].split(b"\n")[0]
    if columns == 6:
        return "Six columns look like a run (topic, Q0, document, rank, score, tag), not like qrels."
    if b"," in head and len(head.split()) < 4:
        return "Is it a CSV file? Then it needs a header line: topic,document,assessor,level"
    if b"\r" in text and b"\n" not in text:
        return "The lines end with CR alone; let them end with LF: tr '\\r' '\\n'"
    if columns > 4:
        return "A qrels file has no names with blanks in them; a table with other columns needs a header line."
    return ""


def _find_header(text: bytes) -> str:
    """The header of a qrels file, which should have none; empty if there is none."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    end = text.find(b"\n", 0, _LONGEST_HEADER)
    cells = [cell.decode(errors="replace").strip('"') for cell in text[: max(end, 0)].split()]
    return " ".join(cells) if len(cells) == 4 and is_header(cells) else ""
