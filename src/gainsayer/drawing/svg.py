"""Drawing: marks of SVG with x in per cent and y in pixels, so that text keeps its size at every width.

A drawing needs no script. Whatever stands in it comes through `text` or a title, which escape it: no name of a run,
level or assessor can become markup. Styles are the classes of `palettes.drawing_style`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from gainsayer.text import printable

SIGN = 6.7  # pixels that a sign of a label takes, on average


@dataclass(frozen=True)
class Drawing:
    """A drawing: its height in pixels and its marks; `narrow` takes its place where there is little room."""

    height: float
    marks: tuple[str, ...]
    narrow: Drawing | None = None


@dataclass(frozen=True)
class Scale:
    """From numbers to per cent of the width.

    >>> Scale(0, 10, left=20, right=100)(5)
    60.0
    """

    low: float
    high: float
    left: float = 0.0
    right: float = 100.0

    def __call__(self, value: float) -> float:
        """The place of a value."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.left + share * (self.right - self.left)

    def holds(self, value: float) -> bool:
        """Whether a value lies on it."""
        return self.low <= value <= self.high


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two ends, at most so many.

    >>> ticks(0.41, 0.9), ticks(0, 100)
    ([0.5, 0.6, 0.7, 0.8, 0.9], [0.0, 20.0, 40.0, 60.0, 80.0, 100.0])
    """
    if not high > low:
        return [low]
    rough = (high - low) / most
    size = 10.0 ** math.floor(math.log10(rough))
    for part in (1, 2, 2.5, 5, 10, 20):
        step = part * size
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            return [round(at * step, 12) for at in range(first, last + 1)]
    return [low]


def text(
    x: float,
    y: float,
    words: str,
    style: str = "",
    *,
    dx: float = 0,
    title: str | None = None,
    after: tuple[str, str] | None = None,
) -> str:
    """Words at a place; `after` are more words in another style.

    >>> text(50, 12, "a < b", "end", dx=-4)
    '<text x="50%" y="12" dx="-4" class="end">a &lt; b</text>'
    """
    place = f'x="{_short(x)}%" y="{_short(y)}"' + (f' dx="{_short(dx)}"' if dx else "")
    more = "" if after is None else f' <tspan class="{after[1]}">{clean(after[0])}</tspan>'
    return f"<text {place}{_class(style)}>{_title(title)}{clean(words)}{more}</text>"


def line(x1: float, y1: float, x2: float, y2: float, style: str = "", title: str | None = None) -> str:
    """A straight line."""
    ends = f'x1="{_short(x1)}%" y1="{_short(y1)}" x2="{_short(x2)}%" y2="{_short(y2)}"'
    return _element("line", ends, style, title)


def dot(x: float, y: float, radius: float, style: str = "", title: str | None = None) -> str:
    """A filled circle."""
    return _element("circle", f'cx="{_short(x)}%" cy="{_short(y)}" r="{_short(radius)}"', style, title)


def diamond(x: float, y: float, radius: float, style: str = "", title: str | None = None) -> str:
    """A square on its corner."""
    r = _short(radius)
    path = _element("path", f'd="M-{r} 0L0-{r}L{r} 0L0 {r}z"', style, title)
    return f'<svg x="{_short(x)}%" y="{_short(y)}" overflow="visible">{path}</svg>'


def tip(x: float, y: float, to_left: bool, style: str = "") -> str:
    """The head of an arrow that ends at a dot at this place."""
    near, far = ("5", "12") if to_left else ("-5", "-12")
    path = _element("path", f'd="M{near} 0L{far}-4L{far} 4z"', style, None)
    return f'<svg x="{_short(x)}%" y="{_short(y)}" overflow="visible">{path}</svg>'


def box(x1: float, y: float, x2: float, height: float, style: str = "", title: str | None = None) -> str:
    """A filled rectangle."""
    size = f'x="{_short(x1)}%" y="{_short(y)}" width="{_short(max(x2 - x1, 0))}%" height="{_short(height)}"'
    return _element("rect", size, style, title)


def shade(points: Sequence[tuple[float, float]], height: float, style: str) -> str:
    """A filled area with these corners, x in per cent and y in pixels."""
    path = "L".join(f"{_short(x)} {_short(y)}" for x, y in points)
    inside = f'viewBox="0 0 100 {_short(height)}" preserveAspectRatio="none"'
    return f'<svg width="100%" height="{_short(height)}" {inside}><path d="M{path}z"{_class(style)}/></svg>'


def bracket(x1: float, x2: float, y: float, style: str = "", title: str | None = None) -> str:
    """A line with small feet at its ends, for an interval."""
    feet = "".join(line(x, y - 3, x, y + 3, style) for x in (x1, x2))
    return line(x1, y, x2, y, style, title) + feet


def axis(
    scale: Scale, places: Iterable[float], top: float, bottom: float, show: Callable[[float], str] | None = None
) -> list[str]:
    """Hairlines at the ticks with labels below; the first and last label turn inwards at the edge of the drawing."""
    marks = []
    for place in places:
        x = scale(place)
        side = "" if x < 3 else " end" if x > 97 else " mid"
        words = show(place) if show is not None else f"{place:g}"
        marks += [line(x, top, x, bottom, "hair"), text(x, bottom + 15, words, f"small faint{side}")]
    return marks


def spread_apart(places: Sequence[float], least: float) -> list[float]:
    """The same places, moved until each two lie so far apart; for labels beside lines.

    >>> spread_apart([10, 12, 40], 10)
    [6.0, 16.0, 40.0]
    """
    order = sorted(range(len(places)), key=lambda at: places[at])
    groups: list[list[int]] = [[at] for at in order]
    centre = [float(places[at]) for at in order]
    at = 0
    while at + 1 < len(groups):
        reach = least * (len(groups[at]) + len(groups[at + 1])) / 2
        if centre[at + 1] - centre[at] >= reach - 1e-9:
            at += 1
            continue
        merged = groups[at] + groups[at + 1]
        centre[at : at + 2] = [sum(places[one] for one in merged) / len(merged)]
        groups[at : at + 2] = [merged]
        at = max(at - 1, 0)
    moved = [0.0] * len(places)
    for group, middle in zip(groups, centre, strict=True):
        for place, one in enumerate(group):
            moved[one] = middle + least * (place - (len(group) - 1) / 2)
    return moved


def cut(words: str, signs: float) -> str:
    """A name on one line, cut where it is longer than so many signs.

    >>> cut("a long name", 7)
    'a long…'
    """
    short = " ".join(printable(words).split())
    most = max(int(signs), 3)
    return short if len(short) <= most else short[: most - 1].rstrip() + "…"


def clean(words: str) -> str:
    """Text that may stand in a drawing: nothing in it is markup, nothing steers the writing."""
    return escape(printable(words))


def _element(tag: str, attributes: str, style: str, title: str | None) -> str:
    if title is None:
        return f"<{tag} {attributes}{_class(style)}/>"
    return f"<{tag} {attributes}{_class(style)}>{_title(title)}</{tag}>"


def _class(style: str) -> str:
    return f' class="{style}"' if style else ""


def _title(title: str | None) -> str:
    return "" if title is None else f"<title>{clean(title)}</title>"


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"
