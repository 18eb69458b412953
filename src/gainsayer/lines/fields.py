"""A block of whole lines, and its columns, found with a few passes over its bytes.

Most files have one blank between the columns and none elsewhere; then, in a table of six columns, every sixth blank
ends a line, and that is checked, not assumed. In any other block the edges between blanks and text are found: mixed and
several blanks, CRLF, blank lines. Only ASCII blanks separate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gainsayer.lines.decimals import PAD
from gainsayer.lines.kernel import count_lines
from gainsayer.lines.names import WORD, Names, Rows, Symbols

END: Final = ord("\n")
_SPACE: Final = ord(" ")
_TAB: Final = ord("\t")
# Every ASCII blank becomes a space, every other control character a letter: bytes up to the space are then blanks.
_BLANKS: Final = b"\t\r\f\v"
_CONTROLS: Final = bytes(code for code in range(_SPACE) if code not in b"\n\t\r\f\v")
_PLAIN: Final = bytes.maketrans(_BLANKS + _CONTROLS, b" " * len(_BLANKS) + b"x" * len(_CONTROLS))


@dataclass(frozen=True, eq=False)
class Block:
    r"""Some whole lines of a file, the last one with its line end, where they were read.

    Args:
        buffer: the bytes: at least `PAD` before the lines and `WORD` behind them, whatever these are, so that words
            near the edges can be read.
        start: where the lines begin.
        stop: where they end.
        line: the number of the first line.

    >>> Block.of(b"a 1\nb 22\n").text.tobytes()
    b'a 1\nb 22\n'
    """

    buffer: Symbols
    start: int
    stop: int
    line: int = 1

    @classmethod
    def of(cls, content: bytes, line: int = 1) -> Block:
        """Whole lines in a buffer of their own."""
        buffer = np.frombuffer(b"x" * PAD + content + b"x" * WORD, np.uint8)
        return cls(buffer, PAD, PAD + len(content), line)

    @property
    def text(self) -> Symbols:
        """The lines alone."""
        return self.buffer[self.start : self.stop]

    def count_lines(self) -> int:
        """How many lines there are."""
        count = count_lines(self.buffer, self.start, self.stop)
        return int(np.count_nonzero(self.text == END)) if count is None else count


def split_single(block: Block, width: int, wanted: Sequence[int]) -> list[Names] | None:
    r"""The wanted columns of a block, if one and the same single blank stands between the columns of every line.

    The blank is a space or a tab; there are no other control characters.

    >>> [column.texts() for column in split_single(Block.of(b"a 1\nb 22\n"), 2, [1, 0])]
    [['1', '22'], ['a', 'b']]
    >>> split_single(Block.of(b"a 1\nb  22\n"), 2, [0])
    """
    text = block.text
    blank = text <= _SPACE
    places = np.flatnonzero(blank)
    count, rest = divmod(len(places), width)
    if rest or not count:
        return None
    grid = places.reshape(count, width)
    ends = grid[:, -1]
    symbol = text[places[0]]
    if (
        not (text[ends] == END).all()
        or (width > 1 and symbol != _SPACE and symbol != _TAB)
        or np.count_nonzero(text == symbol) != count * max(width - 1, 1)
        or blank[0]
        or (blank[1:] & blank[:-1]).any()
    ):
        return None
    columns = []
    for place in wanted:
        start = np.empty(count, np.int64)
        if place:
            np.add(grid[:, place - 1], block.start + 1, out=start)
        else:
            start[0] = block.start
            np.add(ends[:-1], block.start + 1, out=start[1:])
        length = grid[:, place] - start
        length += block.start
        columns.append(Names(block.buffer, start, length))
    return columns


def split_even(block: Block, width: int, free: int) -> list[Names] | None:
    r"""All columns of a block, if the lines differ in the width of one column only.

    Then line ends tell where the other columns are: it is enough to see that there are blanks where the first line has
    them, and no others.

    Args:
        block: the lines.
        width: how many columns a line has.
        free: the column whose width may differ from line to line.

    >>> [column.texts() for column in split_even(Block.of(b"a 1 x\nb 22 y\n"), 3, free=1)]
    [['a', 'b'], ['1', '22'], ['x', 'y']]
    >>> split_even(Block.of(b"a 1 x\nbb 22 y\n"), 3, free=1)
    """
    text = block.text
    ends = np.flatnonzero(text == END)
    line = text[: ends[0]].tobytes() if len(ends) else b""
    blank = b"\t" if b"\t" in line else b" "
    cells = line.split(blank, width)
    if len(cells) != width or not all(cells):
        return None
    sizes = [len(cell) + 1 for cell in cells]
    before = [sum(sizes[:place]) for place in range(free + 1)]  # from the line's begin to the column's
    behind = [sum(sizes[place:]) - 1 for place in range(free + 1, width)]  # from the column's begin to the line's end
    begins = np.empty(len(ends), np.int64)
    begins[0] = 0
    np.add(ends[:-1], 1, out=begins[1:])
    symbol = ord(blank)
    if (
        int((ends - begins).min()) < sum(sizes) - sizes[free] + 1
        or not all(bool((text[begins + (step - 1)] == symbol).all()) for step in before[1:])
        or not all(bool((text[ends - (step + 1)] == symbol).all()) for step in behind)
        or np.count_nonzero(text == symbol) != len(ends) * (width - 1)
        or np.count_nonzero(text <= _SPACE) != len(ends) * width
    ):
        return None
    begins += block.start
    ends += block.start
    starts = [begins + step for step in before] + [ends - step for step in behind]
    lengths = [np.full(len(ends), size - 1) for size in sizes]
    lengths[free] = ends - starts[free] - sum(sizes[free + 1 :])
    return [Names(block.buffer, start, length) for start, length in zip(starts, lengths, strict=True)]


def split_any(block: Block, width: int, wanted: Sequence[int]) -> tuple[list[Names], Rows | None] | None:
    r"""The wanted columns of a block, if each line that is not blank has as many columns as it should.

    Columns are separated by any ASCII blanks.

    Args:
        block: the lines.
        width: how many columns a line has.
        wanted: which of them to give, from 0.

    Returns:
        The columns, and the place of each row's line in the block (None where there are no blank lines); None if a line
        has more or fewer columns.

    >>> columns, lines = split_any(Block.of(b" a  1\r\n\nb\t22\n"), 2, [1, 0])
    >>> [column.texts() for column in columns], lines.tolist()
    ([['1', '22'], ['a', 'b']], [0, 2])
    """
    text = np.frombuffer(block.text.tobytes().translate(_PLAIN), np.uint8)
    filled = text > _SPACE
    edges = np.flatnonzero(filled[1:] != filled[:-1])
    edges += 1
    if filled[0]:
        edges = np.concatenate(([0], edges))
    ends = np.flatnonzero(text == END)
    bounds = edges.reshape(-1, 2)
    count = np.diff(np.searchsorted(bounds[:, 0], ends), prepend=0)
    lined = count == width
    if not (lined | (count == 0)).all():
        return None
    grid = bounds.reshape(-1, width, 2)
    columns = []
    for place in wanted:
        start = grid[:, place, 0] + block.start
        columns.append(Names(block.buffer, start, grid[:, place, 1] + block.start - start))
    return columns, None if lined.all() else np.flatnonzero(lined)
