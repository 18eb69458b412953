"""Drawers of values with intervals: rows with names, many rows close together, arrows, pairs, boxes, one difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gainsayer.drawing.svg import SIGN, Drawing, Scale, axis, box, cut, diamond, dot, line, text, ticks, tip
from gainsayer.words import decimal, show_signed, signed, users

NARROW: Final = 288  # pixels on a narrow phone
ALL_NAMED: Final = 12  # lines of a dense drawing, of which none is left unnamed
_NAMED, _NAMED_NARROW = 10, 4  # where there are more
_WIDE: Final = 500  # pixels of a column on the narrowest screen that shows two
_ROOM: Final = 720  # pixels by which names are measured
_NAMES: Final = 36.0  # per cent of the width that names take at most
_BOX_ROW: Final = 54


@dataclass(frozen=True)
class Line:
    """A value with its interval in a row of its own; NaN is not drawn."""

    name: str
    value: float
    lower: float
    upper: float
    style: str
    title: str
    strong: bool = False

    @property
    def left(self) -> float:
        """Where it begins: at the lower end, or at the value alone."""
        return self.value if math.isnan(self.lower) else self.lower

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.value if math.isnan(self.upper) else self.upper


def interval_lines(
    lines: Sequence[Line],
    *,
    show: Callable[[float], str] | None = None,
    zero: bool = False,
    reference: float | None = None,
) -> Drawing:
    """A row per line: names at the left on wide screens, above their line on narrow ones.

    Args:
        lines: from top to bottom.
        show: how a tick is written.
        zero: whether 0 is in view and marked.
        reference: a value that is marked, too.
    """
    marked = [*([0.0] if zero else []), *([] if reference is None else [reference])]

    def draw(at: int, y: float, scale: Scale) -> list[str]:
        one, marks = lines[at], []
        if _known(one.lower, one.upper):
            marks.append(line(scale(one.lower), y, scale(one.upper), y, f"thick {one.style}", one.title))
        if _known(one.value):
            marks.append(dot(scale(one.value), y, 4, one.style, one.title))
        return marks

    values = [*(value for one in lines for value in (one.value, one.lower, one.upper)), *marked]
    names = [(one.name, one.strong, one.title) for one in lines]
    return _draw_rows(names, values, draw, show=show, marked=marked)


@dataclass(frozen=True)
class Arrow:
    """A value that moved, and the interval of where it ended; NaN is not drawn."""

    name: str
    before: float
    after: float
    lower: float
    upper: float
    title: str
    strong: bool = False


def arrows(rows: Sequence[Arrow]) -> Drawing:
    """A row per arrow, from a hollow diamond to a dot."""

    def draw(at: int, y: float, scale: Scale) -> list[str]:
        one, marks = rows[at], []
        if _known(one.lower, one.upper):
            marks.append(line(scale(one.lower), y, scale(one.upper), y, "broad mark-tint", one.title))
        if _known(one.before, one.after):
            marks.append(line(scale(one.before), y, scale(one.after), y, "thin orange", one.title))
            if one.before != one.after:
                marks.append(tip(scale(one.after), y, one.before > one.after, "orange"))
        if _known(one.after):
            marks.append(dot(scale(one.after), y, 4, "ink", one.title))
        if _known(one.before):
            shift = f" ({signed(one.after - one.before)})" if _known(one.after) else ""
            marks.append(diamond(scale(one.before), y, 5, "hollow orange-edge", f"{one.title}{shift}"))
        return marks

    values = [value for one in rows for value in (one.before, one.after, one.lower, one.upper)]
    return _draw_rows([(one.name, one.strong, one.title) for one in rows], values, draw)


def _draw_rows(
    names: Sequence[tuple[str, bool, str]],
    values: Iterable[float],
    draw: Callable[[int, float, Scale], list[str]],
    *,
    show: Callable[[float], str] | None = None,
    marked: Sequence[float] = (),
) -> Drawing:
    """Rows of names, each with whether it is bold and its title; `draw` gives the marks of a row, all on one scale."""
    found = [value for value in values if _known(value)]
    low, high = (min(found), max(found)) if found else (0.0, 1.0)
    room = 0.03 * (high - low) or 0.5
    ends = (low - room, high + room)
    left = min(max((len(name) for name, _, _ in names), default=1) * SIGN / _ROOM * 100 + 3, _NAMES)

    def drawn(narrow: bool) -> Drawing:
        scale = Scale(*ends, left=0 if narrow else left)
        step = 31 if narrow else 20
        bottom = 4 + step * max(len(names), 1)
        marks = axis(scale, ticks(*ends, most=4 if narrow else 6), 0, bottom, show)
        marks += [line(scale(value), 0, scale(value), bottom, "mark") for value in marked]
        for at, (name, strong, title) in enumerate(names):
            y = 4 + step * at + (23 if narrow else 10)
            weight = "strong" if strong else "soft"
            if narrow:
                marks.append(text(0, y - 8, cut(name, NARROW / SIGN), weight, title=title))
            else:
                short = cut(name, _ROOM * _NAMES / 100 / SIGN - 2)
                marks.append(text(left - 1.5, y + 4, short, f"end {weight}", title=title))
            marks += draw(at, y, scale)
        return Drawing(bottom + 20, tuple(marks))

    return replace(drawn(narrow=False), narrow=drawn(narrow=True))


@dataclass(frozen=True)
class Label:
    """Words next to unnamed lines that belong together.

    Args:
        members: indices of these lines.
        style: of the words.
        wide, narrow: the words, in rows.
        before: whether they stand to the left of the lines where there is room.
    """

    members: Collection[int]
    style: str
    wide: tuple[str, ...]
    narrow: tuple[str, ...]
    before: bool = False


def dense_lines(lines: Sequence[Line], labels: Sequence[Label] = ()) -> Drawing:
    """Lines, highest first: the first ones named, the others close together, those far below the others as words.

    Args:
        lines: all of them with a value; of those without a name, the strong ones are named at their end.
        labels: of groups of lines.
    """
    few = len(lines) <= ALL_NAMED
    wide = _draw_dense(lines, labels, ALL_NAMED if few else _NAMED, _WIDE, 24.0 if few else 18.0)
    narrow = _draw_dense(lines, labels, ALL_NAMED if few else _NAMED_NARROW, NARROW, 15.0)
    return replace(wide, narrow=narrow)


def _draw_dense(lines: Sequence[Line], labels: Sequence[Label], named: int, width: int, step: float) -> Drawing:
    named = min(named, len(lines))
    inside = len(lines) - _count_off(lines)
    kept = lines[:inside]
    spans = [value for one in kept for value in (one.value, one.lower, one.upper) if _known(value)]
    low, high = min(spans), max(spans)
    room = 0.02 * (high - low) or 0.01
    # Names stand at the left end of their lines: the scale begins so far left that they fit. Those of low lines may
    # stand at the right end.
    left = low - room
    for one in kept[:named]:
        share = min((len(cut(one.name, 30)) * SIGN * 1.06 + 14) / width, 0.62)
        if (high - one.right) / (high - low or 1) < share:
            left = min(left, (one.left - share * (high + room)) / (1 - share))
    scale = Scale(left, high + room)
    dense = min(4.3, (215 if width == _WIDE else 125) / max(len(kept) - named, 1))
    marks: list[str] = []
    ys = [
        8 + step * at if at < named else 8 + step * (named - 1) + step / 2 + 4 + dense * (at - named)
        for at in range(len(kept))
    ]
    for at, (one, y) in enumerate(zip(kept, ys, strict=True)):
        if _known(one.lower, one.upper):
            weight = "thick" if at < named else "thin"
            marks.append(line(scale(one.lower), y, scale(one.upper), y, f"{weight} {one.style}", one.title))
        marks.append(dot(scale(one.value), y, 4 if at < named else 1.7, one.style, one.title))
        if at < named:
            marks.append(_name_line(one, y, scale, width, "strong" if at == 0 else "soft"))
    bottom = 8 + step * named + dense * max(len(kept) - named, 0) + 6
    for label in labels:
        marks += _draw_label(label, kept, ys, named, scale, width)
    for one, y in list(zip(kept, ys, strict=True))[named:]:
        if one.strong:
            marks.append(text(scale(one.right), y + 4, cut(one.name, 24), "small", dx=6))
    for one in lines[inside:]:
        bottom += 14
        words = f"◀ {cut(one.name, 28)} {decimal(one.value)}, off the scale"
        marks.append(text(0, bottom - 4, words, "small faint", title=one.title))
    beginning = [line(0, 0, 0, bottom, "hair")]
    return Drawing(bottom + 20, (*beginning, *axis(scale, ticks(scale.low, scale.high, 6), 0, bottom), *marks))


def _name_line(one: Line, y: float, scale: Scale, width: int, weight: str) -> str:
    """The name at the left end of a line, or at the right one where there is more room."""
    before, behind = scale(one.left), 100 - scale(one.right)
    need = (len(cut(one.name, 30)) * SIGN * 1.06 + 10) / width * 100
    if before >= need or before >= behind:
        return text(before, y + 4, cut(one.name, before / 100 * width / SIGN), f"end {weight}", dx=-8, title=one.title)
    return text(100 - behind, y + 4, cut(one.name, behind / 100 * width / SIGN), weight, dx=8, title=one.title)


def _draw_label(
    label: Label, kept: Sequence[Line], ys: Sequence[float], named: int, scale: Scale, width: int
) -> list[str]:
    """The words next to the middle of their lines, where four or more of these have no name and there is room."""
    some = [at for at in range(named, len(kept)) if at in label.members]
    if len(some) < 4:
        return []
    words = label.wide if width == _WIDE else label.narrow
    y = (ys[some[0]] + ys[some[-1]]) / 2
    around = [one for one, own in zip(kept, ys, strict=True) if abs(own - y) < 22]
    left, right = min(scale(one.left) for one in around), max(scale(one.right) for one in around)
    need = 100 * SIGN * 1.08 * max(map(len, words)) / width + 2
    if left > need and (label.before or 100 - right <= need):
        x, side, dx = left, " end", -10
    elif 100 - right > need:
        x, side, dx = right, "", 10
    else:
        return []
    return [
        text(x, y + shift, part, f"{label.style} strong{side}", dx=dx)
        for shift, part in zip((-4, 12, 28), words, strict=False)
    ]


def _count_off(lines: Sequence[Line]) -> int:
    """How many of the lowest lie so far from the others that a scale for all would hide these."""
    for count in (3, 2, 1):
        at = len(lines) - count
        if at > ALL_NAMED:
            last = lines[at - 1].value
            if last - lines[at].value > 0.5 * (lines[0].value - last):
                return count
    return 0


def difference_line(
    names: tuple[str, str],
    value: float,
    interval: tuple[float, float] | None,
    *,
    inner: tuple[float, float] | None,
    margin: float | None,
    title: str,
) -> Drawing:
    """A difference on a scale with zero in its middle, between the names of the two; numbers at its ends.

    Args:
        names: on whose side it lies where it is positive, and where it is negative.
        value: the difference.
        interval: its ends.
        inner: the ends of a thicker part.
        margin: half the width of a shade around zero.
        title: of the line and the dot.
    """
    sizes = [value, *(interval or ()), *([] if margin is None else [margin])]
    reach = 1.45 * (max(map(abs, sizes)) or 0.01)
    scale = Scale(-reach, reach)
    top, bottom = 26.0, 96.0
    y = (top + bottom) / 2 + 6

    def drawn(signs: float, most: int) -> Drawing:
        half = [tick for tick in ticks(0, reach * 0.93, most // 2 + 1) if tick > 0]
        marks = [
            text(0, 13, f"← {cut(names[1], signs)} better", "small soft"),
            text(100, 13, f"{cut(names[0], signs)} better →", "small soft end"),
        ]
        if margin is not None:
            marks.append(box(scale(-margin), top, scale(margin), bottom - top, "hair"))
        marks += axis(scale, [*(-tick for tick in reversed(half)), 0.0, *half], top, bottom, show_signed)
        marks.append(line(50, top, 50, bottom, "mark"))
        if interval is not None:
            lower, upper = interval
            marks.append(line(scale(lower), y, scale(upper), y, "heavy" if inner is None else "thick", title))
            if inner is not None:
                marks.append(line(scale(inner[0]), y, scale(inner[1]), y, "heavy", title))
            marks.append(text(scale(lower), y + 4, signed(lower), "end strong", dx=-9))
            marks.append(text(scale(upper), y + 4, signed(upper), "strong", dx=9))
        marks.append(dot(scale(value), y, 7.5, "ink", title))
        marks.append(text(scale(value), y - 15, signed(value), "large strong mid"))
        if margin is None:
            return Drawing(bottom + 20, tuple(marks))
        marks.append(text(50, bottom + 31, f"shaded: too small to matter, ±{margin:g}", "small faint mid"))
        return Drawing(bottom + 38, tuple(marks))

    return replace(drawn(24, 5), narrow=drawn(NARROW / 2 / 7 - 5, 3))


@dataclass(frozen=True)
class Mark:
    """A share of users with its interval; NaN is not drawn."""

    share: float
    lower: float
    upper: float
    title: str


@dataclass(frozen=True)
class PairRow:
    """Two shares of users below one name: a circle and a diamond; and a verdict with a note."""

    name: str
    first: Mark
    second: Mark
    verdict: str
    note: str
    style: str


def paired_lines(rows: Sequence[PairRow]) -> Drawing:
    """Two marks per row on a scale of a hundred users; the verdict next to them, or in the same line as the name."""
    narrow = _draw_pairs(rows, Scale(0, 100, 0, 92), 53.0, (15.0, 27.0, 43.0), verdict_at=0)
    wide = _draw_pairs(rows, Scale(0, 100, 17, 68), 60.0, (34.0, 20.0, 40.0), verdict_at=73)
    return replace(wide, narrow=narrow)


def _draw_pairs(
    rows: Sequence[PairRow], scale: Scale, step: float, highs: tuple[float, float, float], *, verdict_at: float
) -> Drawing:
    """Rows of this height; in each the name and the two marks stand so high."""
    name, first, second = highs
    bottom = step * max(len(rows), 1)
    marks = axis(scale, (0, 25, 50, 75, 100), 0, bottom)
    for at, row in enumerate(rows):
        y = step * at
        if at:
            marks.append(line(0, y, 100, y, "rule"))
        marks.append(text(0, y + name, cut(row.name, 14), "strong"))
        marks += _draw_mark(row.first, dot, y + first, scale, "ink")
        marks += _draw_mark(row.second, diamond, y + second, scale, "orange")
        if row.verdict and verdict_at:
            marks.append(text(verdict_at, y + 26, row.verdict, f"strong {row.style}"))
            marks.append(text(verdict_at, y + 42, row.note, "soft"))
        elif row.verdict:
            marks.append(text(100, y + name, row.verdict, f"end strong {row.style}", after=(row.note, "faint")))
    return Drawing(bottom + 20, tuple(marks))


def _draw_mark(one: Mark, shape: Callable[..., str], y: float, scale: Scale, style: str) -> list[str]:
    if not _known(one.share):
        return []
    marks, end = [], one.share
    if _known(one.lower, one.upper):
        marks.append(line(scale(100 * one.lower), y, scale(100 * one.upper), y, f"thick {style}", one.title))
        end = one.upper
    marks.append(shape(scale(100 * one.share), y, 5, style, one.title))
    marks.append(text(scale(100 * end), y + 4, users(one.share), f"strong {style}", dx=7))
    return marks


@dataclass(frozen=True)
class BoxRow:
    """Whiskers, quartiles and median of a share of users, and below them an estimate with its error; NaN for unknown.

    Args:
        name: of the row.
        box: low whisker, quartile, median, quartile, high whisker.
        box_title: what they are.
        estimate: and its error to each side.
        estimate_title: what it is.
    """

    name: str
    name_title: str
    box: tuple[float, float, float, float, float]
    box_title: str
    estimate: float
    error: float
    estimate_title: str


def box_rows(rows: Sequence[BoxRow]) -> Drawing:
    """A box per row, and below it the estimate with one error to each side; in users of a hundred."""
    reach = []
    for row in rows:
        error = row.error if _known(row.error) else 0.0
        reach += [row.box[0], row.box[4], row.estimate - error, row.estimate + error]
    shown = [100 * value for value in reach if _known(value)]
    low, high = (min(shown), max(shown)) if shown else (0.0, 100.0)
    scale = Scale(low - 2, high + 2, left=22)
    bottom = _BOX_ROW * max(len(rows), 1)
    marks = axis(scale, ticks(scale.low, scale.high, 5), 0, bottom)
    for at, row in enumerate(rows):
        y = _BOX_ROW * at
        marks.append(text(0, y + 25, cut(row.name, 14), "strong", title=row.name_title))
        if _known(*row.box):
            left, first, middle, third, right = (scale(100 * value) for value in row.box)
            marks.append(line(left, y + 18, right, y + 18, "mark", row.box_title))
            marks.append(box(first, y + 10, third, 16, "blue-tint", row.box_title))
            marks.append(line(middle, y + 10, middle, y + 26, "thick blue", row.box_title))
        if _known(row.estimate):
            if _known(row.error):
                left, right = (scale(100 * (row.estimate + sign * row.error)) for sign in (-1, 1))
                marks.append(line(left, y + 37, right, y + 37, "thick"))
            marks.append(diamond(scale(100 * row.estimate), y + 37, 5, "ink", row.estimate_title))
    return Drawing(bottom + 20, tuple(marks))


def _known(*values: float) -> bool:
    return all(math.isfinite(value) for value in values)
