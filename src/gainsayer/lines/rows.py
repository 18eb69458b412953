"""The rows of qrels and runs: topic, document and number on each line of a block, or what is wrong with its lines.

A plain block is read by the compiled reader, where there is one, or by `read_plain`; both give the same arrays or
decline. Every other block goes the one slow way: any blanks between the columns, blank lines, and a message for each
line that is none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from gainsayer.errors import FormatError
from gainsayer.lines.decimals import FloatArray, parse_decimals, parse_whole
from gainsayer.lines.faults import shorten
from gainsayer.lines.fields import Block, split_any, split_even, split_single
from gainsayer.lines.kernel import split_block
from gainsayer.lines.names import Names, Rows

Numbers = TypeVar("Numbers")
Labels: TypeAlias = npt.NDArray[np.int16] | Names

_TOPIC: Final = 0
_DOCUMENT: Final = 2
_MOST_COLUMNS: Final = 100


@dataclass(frozen=True, eq=False)
class Layout(Generic[Numbers]):
    """What stands on each line; the topic is the first column, the document the third.

    Args:
        columns: what messages call the columns.
        number: which column has the level or score.
        parse: makes numbers of it, and names the rows that have none.
        even: whether mostly the document alone has more letters on some lines than on others.
        loose: whether words behind the last column are passed over, as trec_eval does.
    """

    columns: tuple[str, ...]
    number: int
    parse: Callable[[Names], tuple[Numbers, Rows]]
    even: bool = False
    loose: bool = False

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.columns)


@dataclass(frozen=True, eq=False)
class BlockRows(Generic[Numbers]):
    """The rows of one block.

    Args:
        topics: the topics as they follow one another; one may come back.
        sizes: how many rows each has.
        document: the document of each row.
        number: the level or score of each row.
        line: the line of the first row, where rows stand on consecutive lines; or of each row.
        more: a further column, where one was asked for.
    """

    topics: Names
    sizes: Rows
    document: Names
    number: Numbers
    line: int | Rows
    more: Numbers | None = None


@dataclass(frozen=True)
class Fault:
    """What is wrong with a line, and how many columns it has where that is it."""

    line: int
    words: str
    width: int | None = None


def _parse_labels(text: Names) -> tuple[Labels, Rows]:
    """Whole numbers in their usual spelling as such, all else as it is: a label may be any word."""
    whole = parse_whole(text)
    return text if whole is None else whole, np.empty(0, np.int64)


QRELS: Final[Layout[Labels]] = Layout(("topic", "iteration", "document", "level"), 3, _parse_labels, even=True)
RUN: Final[Layout[FloatArray]] = Layout(
    ("topic", "Q0", "document", "rank", "score", "tag"), 4, parse_decimals, loose=True
)


def read_rows(
    block: Block, layout: Layout[Numbers], name: str, *, more: int | None = None
) -> BlockRows[Numbers] | list[Fault]:
    r"""The rows of a block, or what is wrong with its lines; without rows and faults, an empty list.

    Columns are separated by blanks, tabs or a mixture; lines end with LF or CRLF; blank lines are passed over. Only
    ASCII blanks separate.

    Args:
        block: the lines.
        layout: what stands on each of them.
        name: what messages call the file.
        more: a further column that is wanted, read as the number is.

    Raises:
        FormatError: the lines are no text.

    >>> rows = read_rows(Block.of(b"q1 0 d1 2\r\n\nq1\t0\td2\t0\n"), QRELS, "a.qrels")
    >>> rows.topics.texts(), rows.document.texts(), rows.number.tolist(), rows.line.tolist()
    (['q1'], ['d1', 'd2'], [2, 0], [1, 3])
    >>> [fault.words for fault in read_rows(Block.of(b"q1 0 d1\n"), QRELS, "a.qrels")]
    ["expected 4 columns (topic, iteration, document, level), found 3: 'q1 0 d1'."]
    """
    compiled = _read_compiled(block, layout) if more is None else None
    return read_numpy(block, layout, name, more=more) if compiled is None else compiled


def read_numpy(
    block: Block, layout: Layout[Numbers], name: str, *, more: int | None = None
) -> BlockRows[Numbers] | list[Fault]:
    """The same as `read_rows`, by NumPy alone."""
    plain = read_plain(block, layout, more=more)
    if plain is not None:
        return plain
    _check_text(block, name)
    wanted = _wanted(layout, more)
    faults: list[Fault] = []
    found = split_any(block, layout.width, wanted)
    if found is None:
        block, faults = _mend(block, layout)
        found = split_any(block, layout.width, wanted)
        assert found is not None, "every line has its columns now, or is blank"
    columns, lines = found
    if len(columns[0]) == 0:
        return faults
    numbers = []
    for place, column in zip(wanted[2:], columns[2:], strict=True):
        number, wrong = layout.parse(column)
        numbers.append(number)
        for row, text in zip(wrong.tolist(), column.rows(wrong).encoded(), strict=True):
            line = block.line + (row if lines is None else int(lines[row]))
            faults.append(Fault(line, f"expected a number as {layout.columns[place]}, found {shorten(text)}."))
    if faults:
        return sorted(faults, key=lambda fault: fault.line)
    return _make_rows(columns, numbers, block.line if lines is None else lines + block.line)


def read_plain(block: Block, layout: Layout[Numbers], *, more: int | None = None) -> BlockRows[Numbers] | None:
    r"""The rows of a plain block, or None for every other one, which `read_rows` then reads or refuses.

    Plain is UTF-8 text with one and the same single blank between as many columns as there should be, with none
    elsewhere, and a number on every line.

    >>> read_plain(Block.of(b"q1 0 d1 2\nq1 0 d22 0\n"), QRELS).document.texts()
    ['d1', 'd22']
    >>> read_plain(Block.of(b"q1 0 d1 2\nq1 0  d22 0\n"), QRELS)
    """
    wanted = _wanted(layout, more)
    columns = None
    if layout.even:
        every = split_even(block, layout.width, free=_DOCUMENT)
        columns = None if every is None else [every[place] for place in wanted]
    columns = columns or split_single(block, layout.width, wanted)
    if columns is None or not _is_utf8(block):
        return None
    numbers = []
    for column in columns[2:]:
        number, wrong = layout.parse(column)
        if len(wrong):
            return None
        numbers.append(number)
    return _make_rows(columns, numbers, block.line)


def _read_compiled(block: Block, layout: Layout[Numbers]) -> BlockRows[Numbers] | None:
    """The rows as the compiled reader gives them: the same, or None; it words no faults."""
    found = split_block(block.buffer, block.start, block.stop, layout.width)
    if found is None:
        return None
    return BlockRows(
        topics=Names(block.buffer, found.head[:, 1], found.head[:, 2]),
        sizes=np.diff(found.head[:, 0], append=len(found.number)),
        document=Names(block.buffer, found.start, found.length),
        number=found.number,  # type: ignore[arg-type]  # scores or levels, as the layout has them
        line=block.line,
    )


def join_lines(parts: Sequence[tuple[int | Rows, int]]) -> int | Rows:
    """The lines of rows in blocks that follow one another, given by line and number of rows; see `BlockRows`.

    >>> join_lines([(1, 2), (3, 1)]), join_lines([(1, 2), (np.array([4, 6]), 2)]).tolist()
    (1, [1, 2, 4, 6])
    """
    first = parts[0][0]
    if isinstance(first, int) and all(isinstance(line, int) for line, _ in parts):
        return first
    return np.concatenate([line + np.arange(rows) if isinstance(line, int) else line for line, rows in parts])


def _wanted(layout: Layout[Numbers], more: int | None) -> list[int]:
    return [_TOPIC, _DOCUMENT, layout.number, *([] if more is None else [more])]


def _make_rows(columns: list[Names], numbers: list[Numbers], line: int | Rows) -> BlockRows[Numbers]:
    topic, document = columns[:2]
    heads = np.flatnonzero(topic.changes)
    sizes = np.diff(heads, append=len(topic))
    return BlockRows(topic.rows(heads), sizes, document, numbers[0], line, numbers[1] if len(numbers) > 1 else None)


def _mend(block: Block, layout: Layout[Numbers]) -> tuple[Block, list[Fault]]:
    """The same lines, those without the right number of columns blank, and what is wrong with these."""
    lines = block.text.tobytes().removesuffix(b"\n").split(b"\n")
    faults = []
    for place, line in enumerate(lines):
        cells = line.split(None, _MOST_COLUMNS)
        if len(cells) in (0, layout.width):
            continue
        if layout.loose and layout.width < len(cells) <= _MOST_COLUMNS:
            lines[place] = b" ".join(cells[: layout.width])
            continue
        count = len(cells) if len(cells) <= _MOST_COLUMNS else f"more than {_MOST_COLUMNS}"
        expected = f"expected {layout.width} columns ({', '.join(layout.columns)})"
        faults.append(Fault(block.line + place, f"{expected}, found {count}: {shorten(line.strip())}.", len(cells)))
        lines[place] = b""
    return Block.of(b"\n".join(lines) + b"\n", block.line), faults


def _is_utf8(block: Block) -> bool:
    if int(block.text.max()) < 128:
        return True
    try:
        block.text.tobytes().decode()
    except UnicodeDecodeError:
        return False
    return True


def _check_text(block: Block, name: str) -> None:
    text = block.text.tobytes()
    if b"\0" in text:
        line = block.line + text.count(b"\n", 0, text.index(0))
        raise FormatError(f"{name}, line {line}: expected text, found a NUL byte: this is a binary file, or damaged.")
    try:
        _ = text.isascii() or text.decode()
    except UnicodeDecodeError as fault:
        line = block.line + text.count(b"\n", 0, fault.start)
        raise FormatError(
            f"{name}, line {line}: expected UTF-8 text, found byte 0x{text[fault.start]:02x}.\n"
            "Convert the file: iconv -f LATIN1 -t UTF-8"
        ) from None
