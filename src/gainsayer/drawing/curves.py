"""Curves that carry their names at their ends, in panels below each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gainsayer.drawing.svg import Drawing, Scale, cut, dot, line, spread_apart, text, ticks

_LEFT, _RIGHT, _HIGH = 6.0, 84.0, 190


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


def draw_panels(
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
        return Drawing(24, (text(0, 14, "Nothing is known.", "faint"),))
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
        for tick in _places(points, logarithmic=shift is math.log10):
            place = across(shift(tick))
            side = "" if place < _LEFT + 2 else "mid"
            marks.append(text(place, top + 8, f"{tick:,g}", f"small faint {side}".strip()))
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
        places = [(across(shift(at)), up(value), at, value) for at, value in curve.points]
        for (x1, y1, *_), (x2, y2, *_) in pairwise(places):
            marks.append(line(x1, y1, x2, y2, "thin blue"))
        for x1, y1, at, value in places:
            marks.append(dot(x1, y1, 2.4, "blue", f"{cut(curve.name, 40)}: {value:.0f} at {at:,g} {x}"))
        marks.append(text(places[-1][0], label + 4, cut(curve.name, 7), "strong", dx=8, title=cut(curve.name, 60)))
    return marks


def _places(points: Sequence[tuple[float, float]], *, logarithmic: bool) -> list[float]:
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
