"""Drawing: marks of SVG with x in per cent and y in pixels, so that text keeps its size at every width.

A drawing needs no script. Whatever stands in it comes through `text` or a title, which escape it: no name of a run,
level or assessor can become markup. Styles are the classes of `drawing_style`.

Two hues and greys, by their work. Blue is the answer, won, a link; orange is lost, a machine. Text has a contrast of
4.5 to 1 with its ground and marks that matter 3 to 1 (a test computes both); side, shape or words say again what a
colour says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Final

from gainsayer.text import printable

SIGN: Final = 6.7  # pixels that a sign of a label takes, on average
FONT: Final = (
    "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', 'DejaVu Sans Condensed', "
    "sans-serif"
)


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
    """The same places, moved until each two lie so far apart; for labels next to lines.

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


@dataclass(frozen=True)
class Palette:
    """A colour for each kind of work; a tint is the ground of its hue."""

    ground: str
    panel: str
    ink: str
    soft: str
    faint: str
    rule: str
    hair: str
    blue: str
    blue_tint: str
    orange: str
    orange_tint: str
    mark: str
    mark_tint: str

    def named(self) -> dict[str, str]:
        """The colours by the names of the page's style variables.

        >>> LIGHT.named()["blue-tint"]
        '#bcd6ef'
        """
        return {name.replace("_", "-"): color for name, color in asdict(self).items()}


# In the order of the fields: ground and panel; ink, soft and faint; rule and hair; blue, orange and marks with tints.
LIGHT = Palette(
    *("#ffffff", "#f5f7f9", "#16191d", "#454d57", "#626b76", "#d5dae0", "#e9ecf0"),
    *("#0b5ba8", "#bcd6ef", "#a84300", "#f3cfb4", "#8b949e", "#c3c9d0"),
)
DARK = Palette(
    *("#131619", "#1b1f24", "#eceef1", "#bcc3cb", "#99a2ac", "#363d45", "#262b31"),
    *("#79b4f2", "#2b4a6b", "#f2a065", "#5e3a20", "#828b95", "#4a525b"),
)
# On the page the browser fills in the colours, so that a change of scheme, or printing, needs no new drawing.
PAGE = Palette(**{name.replace("-", "_"): f"var(--{name})" for name in LIGHT.named()})


def drawing_style(palette: Palette) -> str:
    """The style sheet of a drawing: a class per colour, which fills text and shapes and strokes lines.

    >>> ".drawing line.blue{stroke:#0b5ba8}" in drawing_style(LIGHT)
    True
    """
    rules = [
        f".drawing text{{font:12.5px {FONT};fill:{palette.ink}}}",
        ".drawing text.small{font-size:12px}",
        ".drawing text.large{font-size:17px}",
        ".drawing text.strong,.drawing .strong{font-weight:700}",
        ".drawing tspan{font-weight:400}",
        ".drawing .end{text-anchor:end}",
        ".drawing .mid{text-anchor:middle}",
        f".drawing line{{stroke-width:1;stroke:{palette.ink}}}",
        ".drawing line.thick{stroke-width:2}",
        ".drawing line.thin{stroke-width:1.4}",
        ".drawing line.heavy{stroke-width:4}",
        ".drawing line.broad{stroke-width:7}",
        ".drawing line.dashed{stroke-dasharray:5 4}",
    ]
    for name, color in palette.named().items():
        rules.append(f".drawing .{name}{{fill:{color}}}.drawing line.{name}{{stroke:{color}}}")
    hollow = f".drawing .hollow{{fill:{palette.ground};stroke:{palette.ink};stroke-width:1.5}}"
    edge = f".drawing .hollow.orange-edge{{stroke:{palette.orange}}}"
    return "".join([*rules, hollow, edge])
