"""The columns of a block of lines, found with a few passes over its bytes.

Most files have one blank between the columns and none elsewhere; then every sixth blank ends a line, and that is
checked, not assumed. In any other block the edges between blanks and text are found: tabs, several blanks, CRLF, blank
lines. Only ASCII blanks separate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from gainsayer.lines.decimals import PAD
from gainsayer.lines.names import WORD, Names, Rows, Symbols

_SPACE: Final = ord(" ")
_END: Final = ord("\n")
# Every ASCII blank becomes a space, every other control character a letter: bytes up to the space are then blanks.
_BLANKS: Final = b"\t\r\f\v"
_CONTROLS: Final = bytes(code for code in range(_SPACE) if code not in b"\n\t\r\f\v")
_PLAIN: Final = bytes.maketrans(_BLANKS + _CONTROLS, b" " * len(_BLANKS) + b"x" * len(_CONTROLS))


def make_block(content: bytes | Symbols) -> Symbols:
    """Whole lines as an array, with letters before and behind them so that words near the edges can be read."""
    size = len(content)
    closed = size > 0 and content[size - 1] == _END
    block = np.empty(PAD + size + (not closed) + WORD, np.uint8)
    block[:PAD] = ord("x")
    block[PAD : PAD + size] = content if isinstance(content, np.ndarray) else np.frombuffer(content, np.uint8)
    block[PAD + size :] = ord("x")
    if not closed:
        block[PAD + size] = _END
    return block


def split_columns(block: Symbols, width: int, wanted: Sequence[int]) -> tuple[list[Names], Rows | None, int] | None:
    r"""The wanted columns of a block, if each line that is not blank has as many columns as it should.

    Args:
        block: as made by `make_block`.
        width: how many columns a line has.
        wanted: which of them to give, from 0.

    Returns:
        The columns; the place of each row's line in the block (None where there are no blank lines); the number of
        lines. None if a line has more or fewer columns.

    >>> columns, lines, count = split_columns(make_block(b"a 1\nb 22\n"), 2, [1, 0])
    >>> [column.texts() for column in columns], lines, count
    ([['1', '22'], ['a', 'b']], None, 2)
    """
    return _split_single(block, width, wanted) or _split_any(block, width, wanted)


def _split_single(block: Symbols, width: int, wanted: Sequence[int]) -> tuple[list[Names], None, int] | None:
    text = block[:-WORD]
    blank = text <= _SPACE
    places = np.flatnonzero(blank)
    count, rest = divmod(len(places), width)
    if rest or not count:
        return None
    grid = places.reshape(count, width)
    ends = grid[:, -1]
    if (
        not (text[ends] == _END).all()
        or np.count_nonzero(text < _SPACE) != count
        or blank[PAD]
        or (blank[1:] & blank[:-1]).any()
    ):
        return None
    columns = []
    for place in wanted:
        start = np.empty(count, np.int64)
        if place:
            np.add(grid[:, place - 1], 1, out=start)
        else:
            start[0] = PAD
            np.add(ends[:-1], 1, out=start[1:])
        columns.append(Names(block, start, grid[:, place] - start))
    return columns, None, count


def _split_any(block: Symbols, width: int, wanted: Sequence[int]) -> tuple[list[Names], Rows | None, int] | None:
    text = np.frombuffer(block[PAD:-WORD].tobytes().translate(_PLAIN), np.uint8)
    filled = text > _SPACE
    edges = np.flatnonzero(filled[1:] != filled[:-1])
    edges += PAD + 1
    if filled[0]:
        edges = np.concatenate(([PAD], edges))
    ends = np.flatnonzero(text == _END)
    bounds = edges.reshape(-1, 2)
    count = np.diff(np.searchsorted(bounds[:, 0], ends + PAD), prepend=0)
    lined = count == width
    if not (lined | (count == 0)).all():
        return None
    grid = bounds.reshape(-1, width, 2)
    columns = []
    for place in wanted:
        start = np.ascontiguousarray(grid[:, place, 0])
        columns.append(Names(block, start, grid[:, place, 1] - start))
    return columns, None if lined.all() else np.flatnonzero(lined), len(ends)
