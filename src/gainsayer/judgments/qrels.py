"""TREC qrels: topic, iteration, document and level on each line, separated by blanks.

Names stay bytes where they were read, and nothing becomes text before it is needed; see `lines.rows` for how lines are
read. Labels that are all whole numbers come as integers, others as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import FormatError
from gainsayer.judgments.coding import Runs
from gainsayer.lines.blocks import load_blocks
from gainsayer.lines.faults import Faults, shorten
from gainsayer.lines.names import Names
from gainsayer.lines.opening import BYTE_ORDER_MARK, Stream, as_text, may_be_text, peek
from gainsayer.lines.rows import QRELS, BlockRows, Fault, Labels, join_lines, read_rows
from gainsayer.tables.columns import is_header

SecondColumn: TypeAlias = Literal["iteration", "assessor", "intent"]

_LONGEST_HEADER: Final = 1000
_FEW: Final = 1000


@dataclass(frozen=True, eq=False)
class QrelsSource:
    """The rows of a qrels file, labels as they were read; what `tables.Source` is to tables, with names as bytes.

    Args:
        name: what messages call it.
        topic: the topics as they follow one another.
        document: the document of each row.
        label: the label of each row: whole numbers, or text.
        assessor: who gave all the levels; None where column 2 says who.
        line: the line of the first row, where rows stand on consecutive lines; or of each row.
        columns: column 2 by what it holds, `assessor` or `intent`, where that is wanted.
    """

    name: str
    topic: Runs
    document: Names
    label: npt.NDArray[np.int16] | pl.Series
    assessor: str | None
    line: int | npt.NDArray[np.int64] = 1
    columns: dict[str, pl.Series] = field(default_factory=dict)

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.label)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The rows as a table, made when it is needed."""
        columns = {"topic": self.topic.series(), "document": self.document.series(), "label": pl.Series(self.label)}
        order = ("topic", "document", "assessor", "label", "intent")
        return pl.DataFrame(columns | self.columns).select(name for name in order if name in columns | self.columns)

    @property
    def assessors(self) -> pl.Series:
        """Who gave each label, where it was not one assessor."""
        return self.columns["assessor"]

    def optional(self, name: str) -> pl.Series | None:
        """A column that need not be there."""
        return self.columns.get(name)

    def where(self, row: int) -> str:
        """The place of a row, for messages."""
        line = self.line + row if isinstance(self.line, int) else int(self.line[row])
        return f"{self.name}, line {line}"


def read_qrels(stream: Stream, name: str, *, assessor: str, second_column: SecondColumn = "iteration") -> QrelsSource:
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
    [('q1', 'd1', 2), ('q1', 'd2', 0)]
    """
    head = peek(stream, len(BYTE_ORDER_MARK) + _LONGEST_HEADER)
    if b"\0" in head:
        as_text(head, name)  # which refuses it; the rest of such a file need not be read
    if not may_be_text(head) or _find_header(head):
        _refuse(stream, name, [])
    layout = replace(QRELS, columns=("topic", second_column, "document", "level"))
    parts: list[BlockRows[Labels]] = []
    faults: list[Fault] = []
    line = 1
    for block in load_blocks(stream, name):
        try:
            rows = read_rows(replace(block, line=line), layout, name, more=None if second_column == "iteration" else 1)
        except FormatError:
            _refuse(stream, name, faults)
        if isinstance(rows, list):
            faults += rows
        else:
            parts.append(replace(rows, document=_narrow(rows.document)))
        every = not isinstance(rows, list) and isinstance(rows.line, int)  # every line is a row
        line += len(parts[-1].document) if every else block.count_lines()
    if faults or not parts:
        _refuse(stream, name, faults)
    second = [part.more for part in parts if part.more is not None]
    return QrelsSource(
        name=name,
        topic=Runs.join([_find_runs(part) for part in parts]),
        document=Names(  # the last buffer holds what the earlier ones did
            parts[-1].document.buffer,
            np.concatenate([part.document.start for part in parts]),
            np.concatenate([part.document.length for part in parts]),
        ),
        label=_join_labels([part.number for part in parts]),
        assessor=None if second_column == "assessor" else assessor,
        line=join_lines([(part.line, len(part.document)) for part in parts]),
        columns={second_column: _join_texts(second)} if second else {},
    )


def _narrow(names: Names) -> Names:
    """The same names in half the memory, where it serves: fresh memory costs more than the work done in it."""
    if len(names.buffer) > np.iinfo(np.int32).max:
        return names
    return Names(names.buffer, names.start.astype(np.int32), names.length.astype(np.int32))


def _find_runs(rows: BlockRows[Labels]) -> Runs:
    """The topics as they follow one another."""
    if len(rows.topics) <= _FEW:
        return Runs(rows.topics.texts(), np.arange(len(rows.topics)), rows.sizes)
    first, code = rows.topics.distinct  # topics come back
    return Runs(rows.topics.rows(first).texts(), code, rows.sizes)


def _join_labels(parts: Sequence[Labels]) -> npt.NDArray[np.int16] | pl.Series:
    numbers = [part for part in parts if not isinstance(part, Names)]
    return np.concatenate(numbers) if len(numbers) == len(parts) else _join_texts(parts)


def _join_texts(parts: Sequence[Labels]) -> pl.Series:
    return pl.concat(
        [part.series() if isinstance(part, Names) else pl.Series(part).cast(pl.String) for part in parts], rechunk=False
    )


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
