"""Drawers of curves, stacked dots, slopes, matrices and users of a hundred; `interval_lines` has those of intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.drawing.interval_lines import NARROW
from gainsayer.drawing.svg import (
    SIGN,
    Drawing,
    Scale,
    axis,
    box,
    bracket,
    cut,
    dot,
    line,
    spread_apart,
    text,
    ticks,
)
from gainsayer.words import shortened, show_signed, signed, user_span, users

_LEFT, _RIGHT, _HIGH = 6.0, 84.0, 190  # of curves
_MOST_HIGH: Final = 13  # dots in a column; where there are more, they shrink
_SLOPE_NAMES: Final = 30.0  # per cent of the width, at each side
_CELL: Final = 46  # of a matrix
_USERS_ROW, _NARROW_USERS_ROW = 50.0, 38.0
_NOTHING: Final = Drawing(24, (text(0, 14, "Nothing is known.", "faint"),))


@dataclass(frozen=True)
class Curve:
    """A name and its points, x ascending."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Panel:
    """Curves that share their axes; the heading stands above them, if there is any."""

    heading: str
    curves: tuple[Curve, ...]


def curves(
    panels: Sequence[Panel], *, x: str, ends: tuple[float, float] | None = None, logarithmic: bool = False
) -> Drawing:
    """The panels with common axes; names at the right ends of the curves, apart from each other.

    Args:
        panels: from top to bottom.
        x: what the horizontal axis counts, in words.
        ends: of the vertical axis; by default from 0 to the highest point.
        logarithmic: whether each step to the right multiplies.
    """
    points = [point for panel in panels for curve in panel.curves for point in curve.points]
    if not points:
        return _NOTHING
    shift: Callable[[float], float] = math.log10 if logarithmic and min(at for at, _ in points) > 0 else float
    across = Scale(shift(min(at for at, _ in points)), shift(max(at for at, _ in points)), _LEFT, _RIGHT)
    low, high = ends or (0.0, max(value for _, value in points) * 1.05 or 1.0)
    marks: list[str] = []
    top = 4.0
    for panel in panels:
        if panel.heading:
            marks.append(text(0, top + 12, panel.heading, "strong"))
            top += 24
        up = Scale(low, high, top + _HIGH, top)
        for tick in ticks(low, high, 4):
            marks += [
                line(_LEFT, up(tick), _RIGHT, up(tick), "hair"),
                text(0, up(tick) + 4, f"{tick:g}", "small faint"),
            ]
        marks += _draw_curves(panel.curves, across, up, shift, x)
        top += _HIGH + 8
        for tick in _x_ticks(points, logarithmic=shift is math.log10):
            at = across(shift(tick))
            side = "" if at < _LEFT + 2 else "mid"
            marks.append(text(at, top + 8, f"{tick:,g}", f"small faint {side}".strip()))
        top += 24
    marks.append(text(_RIGHT, top + 4, x, "small faint end"))
    return Drawing(top + 12, tuple(marks))


def _draw_curves(
    curves: Sequence[Curve], across: Scale, up: Scale, shift: Callable[[float], float], x: str
) -> list[str]:
    marks = []
    known = [curve for curve in curves if curve.points]
    labels = spread_apart([up(curve.points[-1][1]) for curve in known], 14)
    for curve, label in zip(known, labels, strict=True):
        drawn = [(across(shift(at)), up(value)) for at, value in curve.points]
        marks += [line(*one, *two, "thin blue") for one, two in pairwise(drawn)]
        for (x1, y1), (at, value) in zip(drawn, curve.points, strict=True):
            marks.append(dot(x1, y1, 2.4, "blue", f"{cut(curve.name, 40)}: {value:.0f} at {at:,g} {x}"))
        marks.append(text(drawn[-1][0], label + 4, cut(curve.name, 7), "strong", dx=8, title=cut(curve.name, 60)))
    return marks


def _x_ticks(points: Sequence[tuple[float, float]], *, logarithmic: bool) -> list[float]:
    """Ticks of the horizontal axis: round numbers, or powers of ten with their halves and fifths between the ends."""
    low, high = min(at for at, _ in points), max(at for at, _ in points)
    if not logarithmic:
        return ticks(low, high, 5)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for parts in ((1, 2, 5), (1, 3), (1,)):
        found = [part * 10.0**power for power in powers for part in parts if low <= part * 10.0**power <= high]
        if len(found) <= 6:
            return found or [low]
    return found


def falling_curves(
    x: Sequence[float],
    named: Mapping[str, Sequence[float]],
    *,
    floor: float,
    floor_name: str,
    here: tuple[float, float],
    unit: str,
) -> Drawing:
    """Half-widths by an amount, each step to the right multiplying: curves named where they begin, above a floor.

    Args:
        x: the amounts, ascending.
        named: the half-widths by name of the curve.
        floor: below which none falls.
        floor_name: what it is called.
        here: an amount and its half-width that are marked.
        unit: what the amounts count.
    """
    if not x:
        return _NOTHING
    across = Scale(math.log10(x[0]), math.log10(x[-1]), 8.0, 98.0)
    up = Scale(0.0, 1.05 * max(floor, *(value for values in named.values() for value in values)), 214.0, 18.0)
    marks = [text(0, 10, "±", "small faint")]
    for tick in ticks(0.0, up.high, 4):
        marks += [line(8, up(tick), 98, up(tick), "hair"), text(0, up(tick) + 4, f"{tick:g}", "small faint")]
    marks.append(line(8, up(floor), 98, up(floor), "thin orange", f"floor: ±{floor:.3g}"))
    marks.append(text(98, up(floor) + 16, floor_name, "small end"))
    for name, values in named.items():
        drawn = [(across(math.log10(at)), up(value)) for at, value in zip(x, values, strict=True)]
        marks += [line(*one, *two, "thin blue") for one, two in pairwise(drawn)]
        marks += [
            dot(*point, 2.2, "blue", f"{name}: ±{value:.3g} with {at:,} {unit}")
            for point, value, at in zip(drawn, values, x, strict=True)
        ]
        marks.append(text(drawn[0][0], drawn[0][1] - 8, name, "strong", dx=4))
    amount, half_width = here
    at = across(math.log10(max(amount, 1)))
    marks.append(dot(at, up(half_width), 5, "blue", f"the plan: ±{half_width:.3g}"))
    marks.append(text(at, up(half_width) - 10, f"{amount:,}", "strong", dx=6))
    marks += [
        text(across(math.log10(amount)), 232, f"{amount:,}", "small faint mid") for amount in x[:: max(1, len(x) // 4)]
    ]
    marks.append(text(98, 252, unit, "small faint end"))
    return Drawing(260, tuple(marks))


def dots_by_side(names: Sequence[str], values: Sequence[float], *, same: float, words: tuple[str, str, str]) -> Drawing:
    """A dot per value: positive ones to the right in blue, negative ones to the left in orange, the rest in the middle.

    Args:
        names: of the values; the highest and the lowest one are written above them.
        values: of any sign.
        same: up to this size a value is drawn as zero.
        words: above the left side, the middle and the right side.
    """
    reach = 1.08 * max(map(abs, values), default=0.0) or 1.0
    scale = Scale(-reach, reach)
    styles = ["mark" if abs(value) <= same else "blue" if value > 0 else "orange" for value in values]
    titles = [f"{shortened(name)}: {signed(value)}" for name, value in zip(names, values, strict=True)]
    order = sorted(range(len(values)), key=lambda at: (-values[at], names[at]))

    def drawn(width: int) -> Drawing:
        middle = [0.0 if abs(value) <= same else value for value in values]
        dots, high = _stack_dots(middle, scale, width, styles, titles, apart=True)
        top, bottom = 4.0, 48.0 + max(high, 46.0)
        half = [tick for tick in ticks(0, reach, 3 if width < 500 else 4) if tick > 0]
        marks = axis(scale, [*(-tick for tick in reversed(half)), 0.0, *half], top, bottom, show_signed)
        marks.append(line(50, top, 50, bottom, "mark"))
        marks += [
            text(0, 15, words[0], "orange strong"),
            text(100, 15, words[2], "blue strong end"),
            text(50, 15, words[1], "soft strong", dx=8),
        ]
        for at, wins in ((order[0], True), (order[-1], False)) if order else ():
            if abs(values[at]) > same and (values[at] > 0) is wins:
                x = scale(values[at])
                marks.append(line(x, 44, x, bottom - 10, "rule"))
                name = cut(names[at], 22 if width > 500 else 16)
                marks.append(text(x, 38, name, "small soft end" if wins else "small soft", dx=4 if wins else -4))
        return Drawing(bottom + 20, (*marks, *dots(bottom)))

    return replace(drawn(690), narrow=drawn(NARROW))


def dots_of_users(names: Sequence[str], shares: Sequence[float]) -> Drawing:
    """A dot per share, on a scale of a hundred users."""
    scale = Scale(0, 100, left=2, right=98)
    titles = [f"{shortened(name)}: {users(share)} of 100" for name, share in zip(names, shares, strict=True)]

    def drawn(width: int) -> Drawing:
        values = [100 * share for share in shares]
        dots, high = _stack_dots(values, scale, width, ["blue"] * len(values), titles)
        bottom = max(high, 20.0) + 12
        return Drawing(bottom + 20, (*axis(scale, (0, 25, 50, 75, 100), 0, bottom), *dots(bottom)))

    return replace(drawn(690), narrow=drawn(NARROW))


def _stack_dots(
    values: Sequence[float],
    scale: Scale,
    width: int,
    styles: Sequence[str],
    titles: Sequence[str],
    *,
    apart: bool = False,
) -> tuple[Callable[[float], list[str]], float]:
    """Dots in columns: how to draw them above a bottom line, and how high they stand.

    A column is as wide as a dot; with `apart` the middle column holds nothing but zeros, so that colour and side never
    mix. Where a column would be too high its dots shrink.
    """
    size = 100 * 10.5 / width
    columns: dict[int, list[int]] = {}
    for at in sorted(range(len(values)), key=lambda at: values[at]):
        column = round((scale(values[at]) - scale(0)) / size)
        if apart and values[at] and column == 0:
            column = 1 if values[at] > 0 else -1
        columns.setdefault(column, []).append(at)
    highest = max((len(column) for column in columns.values()), default=0)
    step = min(10.5, _MOST_HIGH * 10.5 / max(highest, 1))

    def drawn(bottom: float) -> list[str]:
        return [
            dot(scale(0) + column * size, bottom - 6 - step * high, min(4.6, step / 2), styles[at], titles[at])
            for column, members in columns.items()
            for high, at in enumerate(members)
        ]

    return drawn, step * highest


def slope(
    names: Sequence[str],
    heads: Sequence[str],
    ranks: npt.NDArray[np.float64],
    *,
    titles: Sequence[str],
    least: float,
    step: float,
) -> Drawing:
    """A line per name through its ranks; names stand at both ends. Blue moves up, orange down, dashed, too.

    Args:
        names: of the lines.
        heads: what each column is, from left to right.
        ranks: rank 1 on top, of the shape [columns, names]; those that share a rank stand below each other.
        titles: of the lines.
        least: from how many ranks on a move is coloured.
        step: pixels from one line to the next.
    """
    columns = [np.argsort(np.lexsort((np.arange(len(names)), ranks[0], own))).tolist() for own in ranks]
    moves = (ranks[-1] - ranks[0]).tolist()
    steps = max(len(heads) - 1, 1)
    xs = [_SLOPE_NAMES + (100 - 2 * _SLOPE_NAMES) * at / steps for at in range(len(heads))]

    def drawn(width: int) -> Drawing:
        signs = width * _SLOPE_NAMES / 100 / SIGN - 1
        between = width * (100 - 2 * _SLOPE_NAMES) / 100 / steps / SIGN - 1
        marks = [
            text(x, 13, cut(head, signs if len(xs) < 3 else between), "mid strong small", title=shortened(head))
            for x, head in zip(xs, heads, strict=True)
        ]
        for one, (name, move, title) in enumerate(zip(names, moves, titles, strict=True)):
            color = "mark" if abs(move) < least else "orange" if move > 0 else "blue"
            ys = [30 + step * column[one] for column in columns]
            style = "orange dashed" if color == "orange" else color
            marks += [line(*start, *end, f"thick {style}", title) for start, end in pairwise(zip(xs, ys, strict=True))]
            marks += [dot(x, y, 3, color, title) for x, y in zip(xs, ys, strict=True)]
            ends = ((0, "end", -8), (len(xs) - 1, "", 8)) if len(xs) > 1 else ((0, "end", -8),)
            for at, side, dx in ends:
                tied = "=" if (ranks[at] == ranks[at, one]).sum() > 1 else ""
                label = cut(f"{ranks[at, one]:g}{tied} {name}", signs)
                marks.append(text(xs[at], ys[at] + 4, label, f"small {side}".strip(), dx=dx, title=title))
        return Drawing(30 + step * max(len(names), 1), tuple(marks))

    return replace(drawn(660), narrow=drawn(NARROW))


def matrix(
    names: Sequence[str], shares: npt.NDArray[np.float64], titles: Sequence[Sequence[str]], *, sides: tuple[str, str]
) -> Drawing:
    """Cells as full as their share of the row.

    Args:
        names: of rows and columns.
        shares: of each row, in the shape [rows, columns]; NaN where nothing is known.
        titles: of the cells.
        sides: what rows and columns are.
    """
    size, left = max(len(names), 1), 24.0
    across = (100 - left) / size
    marks = [
        text(left, 12, f"Grade by {cut(sides[1], 22)}", "small faint"),
        text(0, 12, cut(sides[0], 10), "small faint"),
    ]
    for at, name in enumerate(names):
        marks.append(text(left + across * (at + 0.5), 32, cut(name, 7), "mid strong", title=shortened(name)))
    for first, name in enumerate(names):
        y = 42 + _CELL * first
        marks.append(text(0, y + 26, cut(name, 10), "strong", title=shortened(name)))
        for second, (share, title) in enumerate(zip(shares[first].tolist(), titles[first], strict=True)):
            x = left + across * second
            marks.append(box(x + 0.4, y, x + across - 0.4, _CELL - 4, "panel", title))
            if math.isnan(share):
                continue
            if share:
                # A bar from below says the share: its height is read on paper and without colours, too.
                high = (_CELL - 4) * share
                style = "blue-tint" if first == second else "mark-tint"
                marks.append(box(x + 0.4, y + _CELL - 4 - high, x + across - 0.4, high, style, title))
            marks.append(text(x + across / 2, y + 26, users(share), "mid strong", title=title))
    return Drawing(42 + _CELL * size, tuple(marks))


@dataclass(frozen=True)
class UserRow:
    """A share of users with its interval; NaN where nothing is known."""

    name: str
    share: float
    lower: float
    upper: float


def users_of_100(groups: Sequence[tuple[str, Sequence[UserRow]]]) -> Drawing:
    """A hundred dots per row, filled up to its share, a bracket for its interval; several groups under their names."""

    def drawn(step: float) -> Drawing:
        marks: list[str] = []
        y = 0.0
        for name, rows in groups:
            if len(groups) > 1:
                marks.append(text(0, y + 16, f"Relevant: {cut(name, 30)}", "strong"))
                y += 28
            for row in rows:
                marks += _draw_users(row, y)
                y += step
        return Drawing(max(y, 20.0) - (4 if step == _USERS_ROW else 0), tuple(marks))

    return replace(drawn(_USERS_ROW), narrow=drawn(_NARROW_USERS_ROW))


def _draw_users(row: UserRow, y: float) -> list[str]:
    span = user_span(row.lower, row.upper)
    name = cut(row.name, 26)
    said = f"graded {name}: {users(row.share)} of 100" + (f" ({span})" if span else "")
    more = (span, "faint") if span else None
    marks = [
        text(0, y + 13, name, "strong", title=said),
        text(100, y + 13, users(row.share), "end strong", after=more, title=said),
    ]
    filled = 0 if math.isnan(row.share) else round(100 * row.share)
    for style, first, last in (("blue", 0, filled), ("mark-tint", filled, 100)):
        dots = "".join(dot(at + 0.5, y + 27, 2.1) for at in range(first, last))
        marks.append(f'<g class="users {style}">{dots}</g>' if dots else "")
    if span:
        marks.append(bracket(100 * row.lower, 100 * row.upper, y + 35, "ink", said))
    return marks
