"""Rows with a name, a dot and an interval: what runs, differences and assessors look like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gainsayer.drawing.figure import WIDTH
from gainsayer.drawing.svg import SIGN, Drawing, Scale, axis, cut, dot, line, text, ticks

NAMES = 36.0  # per cent of the width that names take at most
NARROW = 288  # pixels on a narrow phone


@dataclass(frozen=True)
class IntervalRow:
    """One row: unknown numbers are None and not drawn."""

    name: str
    value: float | None
    lower: float | None
    upper: float | None
    style: str
    title: str
    strong: bool = False


def draw_rows(
    rows: Sequence[IntervalRow],
    *,
    show: Callable[[float], str] | None = None,
    zero: bool = False,
    reference: float | None = None,
) -> Drawing:
    """Names at the left on wide screens, above their line on narrow ones.

    Args:
        rows: from top to bottom.
        show: how a tick is written.
        zero: whether 0 is in view and marked.
        reference: a value that is marked, too.
    """
    found = [one for row in rows for one in (row.value, row.lower, row.upper) if one is not None]
    found += [0.0] if zero else []
    found += [] if reference is None else [reference]
    low, high = (min(found), max(found)) if found else (0.0, 1.0)
    room = 0.03 * (high - low) or 0.5
    ends = (low - room, high + room)
    names = min(max((len(row.name) for row in rows), default=1) * SIGN / WIDTH * 100 + 3, NAMES)
    marked = [*([0.0] if zero else []), *([] if reference is None else [reference])]

    def drawn(narrow: bool) -> Drawing:
        scale = Scale(*ends, left=0 if narrow else names)
        step = 31 if narrow else 20
        bottom = 4 + step * max(len(rows), 1)
        marks = axis(scale, ticks(*ends, most=4 if narrow else 6), 0, bottom, show)
        marks += [line(scale(place), 0, scale(place), bottom, "mark") for place in marked]
        for place, row in enumerate(rows):
            y = 4 + step * place + (23 if narrow else 10)
            weight = "strong" if row.strong else "soft"
            if narrow:
                marks.append(text(0, y - 8, cut(row.name, NARROW / SIGN), weight, title=row.title))
            else:
                name = cut(row.name, WIDTH * NAMES / 100 / SIGN - 2)
                marks.append(text(names - 1.5, y + 4, name, f"end {weight}", title=row.title))
            if row.lower is not None and row.upper is not None:
                marks.append(line(scale(row.lower), y, scale(row.upper), y, f"thick {row.style}", row.title))
            if row.value is not None:
                marks.append(dot(scale(row.value), y, 4, row.style, row.title))
        return Drawing(bottom + 20, tuple(marks))

    wide = drawn(narrow=False)
    return Drawing(wide.height, wide.marks, drawn(narrow=True))
