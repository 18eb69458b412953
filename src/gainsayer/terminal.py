"""Text within a width: sentences wrapped, and columns side by side that give way where there is too little room.

Columns that fit stand as they are, three blanks apart. Where they do not, they stand two blanks apart, headings break
at blanks, sentences in cells wrap, and names lose their middle; what still does not fit is left out, the least needed
first. Numbers are never cut.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Final, Literal, TypeAlias
from unicodedata import category, east_asian_width

from gainsayer.text import printable

Narrow: TypeAlias = Literal["shorten", "wrap"]

PAGE_WIDTH: Final = 100  # of sentences that go elsewhere than to a terminal
LEAST_PAGE_WIDTH: Final = 60
_LEAST: Final[dict[Narrow, int]] = {"shorten": 12, "wrap": 24}
_HEADING_LINES: Final = 3
_GAP, _NARROW_GAP = 3, 2


def page_width(stream: IO[str] | None) -> int | None:
    """How wide text may be: as COLUMNS says, or as the terminal is, but at least `LEAST_PAGE_WIDTH`; None elsewhere."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked):
        return max(int(asked), LEAST_PAGE_WIDTH)
    try:
        width = 0 if stream is None else os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):  # not a terminal, closed, not a file
        width = 0
    return max(width, LEAST_PAGE_WIDTH) if width else None


def wrap(text: str, width: int) -> list[str]:
    """A text as lines of this width, parted at blanks: a long name or path stays whole, and so does "95 %".

    >>> wrap("The intervals are over topics.", 14)
    ['The intervals', 'are over', 'topics.']
    """
    lines: list[str] = []
    for word in re.split(r"\s+(?!%)", printable(text).strip()):
        if lines and width_of(lines[-1]) + 1 + width_of(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes: two for wide letters, none for marks on the letter before."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(letter) in ("Mn", "Me", "Cf") else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def shorten(name: str, room: int) -> str:
    """A name that takes no more room than this: its middle is left out.

    >>> shorten("bl_bcai_p_nn_rt", 12), shorten("p_bm25", 12)
    ('bl_bca…nn_rt', 'p_bm25')
    """
    if width_of(name) <= room:
        return name
    after = (room - 1) // 2
    return f"{_begin(name, room - 1 - after)}…{_begin(name[::-1], after)[::-1]}"


def _begin(text: str, room: int) -> str:
    """As much of a text as takes this room."""
    ends = [end for end in range(room + 1) if width_of(text[:end]) <= room]
    return text[: ends[-1]]


@dataclass(frozen=True)
class TextColumn:
    """A column of text.

    Args:
        heading: above it.
        cells: one per row, each on one line.
        right: whether cells stand at the right edge.
        narrow: how cells give way: names are shortened in the middle, sentences wrapped, others stay.
        spare: the higher, the earlier it is left out, negative ones last; from the right where equal.
        fixed: it is never left out.
    """

    heading: str
    cells: Sequence[str]
    right: bool = False
    narrow: Narrow | None = None
    spare: int = 0
    fixed: bool = False

    @cached_property
    def width(self) -> int:
        """Of heading and cells as they are."""
        return max(width_of(self.heading), _widest(self.cells))

    def whole_cells(self, lines: int) -> int:
        """How narrow it can be with a heading of so many lines, if its cells stay as they are."""
        return max(self._heading_width(lines), _widest(self.cells))

    @cached_property
    def least(self) -> int:
        """How narrow it can be; names stay distinct."""
        if self.narrow is None:
            return self.whole_cells(_HEADING_LINES)
        room = min(_widest(self.cells), _LEAST[self.narrow])
        if self.narrow == "wrap":
            room = max(room, _widest(word for cell in self.cells for word in cell.split()))
        else:
            names = set(self.cells)
            while len({shorten(name, room) for name in names}) < len(names):
                room += 1
        return max(room, self._heading_width(_HEADING_LINES))

    def _heading_width(self, lines: int) -> int:
        """The least width in which the heading takes no more lines than this."""
        width = _widest(wrap(self.heading, 1))
        while len(wrap(self.heading, width)) > lines:
            width += 1
        return width

    def lines(self, width: int) -> tuple[list[str], list[list[str]]]:
        """The lines of the heading and of each cell, none wider than this where they can give way."""
        heading = [self.heading] if width_of(self.heading) <= width else wrap(self.heading, width)
        if self.narrow == "shorten":
            return heading, [[shorten(cell, width)] for cell in self.cells]
        if self.narrow == "wrap":
            return heading, [[cell] if width_of(cell) <= width else wrap(cell, width) for cell in self.cells]
        return heading, [[cell] for cell in self.cells]


@dataclass(frozen=True)
class Layout:
    """Columns side by side.

    Args:
        head: the lines of the headings.
        body: a rule and the rows.
        left_out: the indices of the columns for which there is no room.
    """

    head: list[str]
    body: list[str]
    left_out: list[int]


def lay_out(columns: Sequence[TextColumn], width: int | None, *, all_columns: bool = False) -> Layout:
    r"""Columns side by side within a width, where that is possible.

    Args:
        columns: in order, all of one height.
        width: of the page; None for as wide as they are.
        all_columns: none is left out, however wide they are.

    >>> columns = [TextColumn("run", ["a_very_long_name"], narrow="shorten"), TextColumn("P@10", ["0.5"], right=True)]
    >>> print(*lay_out(columns, 18).body, sep="\n")
    ──────────────────
    a_very…_name   0.5
    """
    left_out: list[int] = []
    width = _natural(columns) if width is None else width
    leaving = [] if all_columns else list(_leaving(columns))
    for group in ([], *leaving):
        left_out += group
        kept = [column for index, column in enumerate(columns) if index not in left_out]
        if _natural(kept) <= width or _total([column.least for column in kept], _NARROW_GAP) <= width:
            break
    widths, gap = _share(kept, width)
    head, rows = _set(kept, widths, gap)
    return Layout(head, rows, sorted(left_out))


def _leaving(columns: Sequence[TextColumn]) -> Iterator[list[int]]:
    """The columns in the order in which they are left out; spare ones with the same heading go together."""
    groups: dict[tuple[int, str | int], list[int]] = {}
    for index, column in reversed(list(enumerate(columns))):
        if not column.fixed:
            groups.setdefault((column.spare, column.heading if column.spare > 0 else index), []).append(index)
    for key in sorted(groups, key=lambda key: -key[0]):
        yield groups[key]


def _share(columns: Sequence[TextColumn], width: int) -> tuple[list[int], int]:
    """How wide each column may be, and how far apart they stand."""
    widths = [column.width for column in columns]
    if _natural(columns) <= width:
        return widths, _GAP
    for lines in range(2, _HEADING_LINES + 1):
        if _total(widths, _NARROW_GAP) > width:
            widths = [column.whole_cells(lines) for column in columns]
    for narrow in ("wrap", "shorten"):  # all of a kind down to one width: a name looks the same in two columns
        least = {index: column.least for index, column in enumerate(columns) if column.narrow == narrow}
        widest = max((widths[index] for index in least), default=0)
        while _total(widths, _NARROW_GAP) > width and any(widths[index] > least[index] for index in least):
            widest -= 1
            for index in least:
                widths[index] = max(min(widths[index], widest), least[index])
    return widths, _NARROW_GAP


def _set(columns: Sequence[TextColumn], widths: Sequence[int], gap: int) -> tuple[list[str], list[str]]:
    """The lines of the headings, and a rule with the rows."""
    parts = [column.lines(width) for column, width in zip(columns, widths, strict=True)]
    rooms = [_widest(line for lines in (heading, *cells) for line in lines) for heading, cells in parts]
    sides = [column.right for column in columns]

    def beside(lines: Sequence[Sequence[str]]) -> Iterator[str]:
        for row in zip(*lines, strict=True):
            yield (" " * gap).join(_pad(*cell) for cell in zip(row, rooms, sides, strict=True)).rstrip()

    tallest = max((len(heading) for heading, _ in parts), default=0)
    head = list(beside([[""] * (tallest - len(heading)) + heading for heading, _ in parts]))
    body = ["─" * _total(rooms, gap)]
    for cells in zip(*(cells for _, cells in parts), strict=True):
        tallest = max(map(len, cells))
        body += beside([cell + [""] * (tallest - len(cell)) for cell in cells])
    return head, body


def _pad(text: str, room: int, right: bool) -> str:
    blank = " " * (room - width_of(text))
    return blank + text if right else text + blank


def _natural(columns: Sequence[TextColumn]) -> int:
    return _total([column.width for column in columns], _GAP)


def _total(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _widest(texts: Iterable[str]) -> int:
    return max(map(width_of, texts), default=0)
