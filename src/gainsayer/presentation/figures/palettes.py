"""Colours of the figures, for light and dark grounds, and the settings of Vega-Lite that follow from them.

Six colours in the manner of Okabe and Ito, darkened on light and brightened on dark grounds until each has a contrast
of 3 to 1 or more with its ground and keeps apart from the others for readers with any of the common colour-vision
deficiencies (a test computes both). Shapes and dashes say the same again, so that a print in grey is readable too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (12, 4))
# Share of the ramp from which on a text in a cell is set in `on_high`.
RAMP_SWITCH = 0.675


@dataclass(frozen=True)
class Palette:
    """Colours by their work: text, quiet text, grid lines, ground, heat-map cells with their texts, and the series."""

    ink: str
    muted: str
    grid: str
    ground: str
    quiet: str
    ramp: str
    on_low: str
    on_high: str
    series: tuple[str, ...]

    def named(self) -> dict[str, str]:
        """The colours by the names of the page's style variables.

        >>> LIGHT.named()["series-1"]
        '#005b96'
        """
        single = {part.name.replace("_", "-"): getattr(self, part.name) for part in fields(self)[:-1]}
        return single | {f"series-{place}": color for place, color in enumerate(self.series, start=1)}


LIGHT = Palette(
    ink="#1c2024",
    muted="#5a626b",
    grid="#e2e4e8",
    ground="#ffffff",
    quiet="#868d95",
    ramp="#003a63",
    on_low="#000000",
    on_high="#ffffff",
    series=("#005b96", "#d55e00", "#009068", "#b3528c", "#7a5900", "#4c97d6"),
)
DARK = Palette(
    ink="#e8eaed",
    muted="#a9b0b9",
    grid="#33383f",
    ground="#16181d",
    quiet="#727983",
    ramp="#6aa9d8",
    on_low="#ffffff",
    on_high="#000000",
    series=("#5aa9f0", "#f08a3c", "#4cc38a", "#d878b8", "#f0e442", "#e6e8ec"),
)
# On the page the browser fills in the colours, so that a change of scheme, or printing, needs no new drawing.
PAGE = replace(
    LIGHT,
    **{name.replace("-", "_"): f"var(--{name})" for name in LIGHT.named() if not name.startswith("series")},
    series=tuple(f"var(--series-{place})" for place in range(1, len(LIGHT.series) + 1)),
)


def cycle(values: Sequence[Any], count: int) -> list[Any]:
    """So many of the values, beginning anew where they end.

    >>> cycle("ab", 3)
    ['a', 'b', 'a']
    """
    return [values[place % len(values)] for place in range(count)]


def chart_settings(palette: Palette) -> dict[str, Any]:
    """Vega-Lite's `config`: quiet axes, legend above, and a ground of its own, as half-transparent colours need one."""
    return {
        "background": palette.ground,
        "font": FONT,
        "padding": 4,
        "view": {"stroke": None},
        "mark": {"color": palette.series[0]},
        "text": {"color": palette.ink, "fontSize": 12},
        "rule": {"color": palette.quiet},
        "axis": {
            "labelColor": palette.muted,
            "labelFontSize": 12,
            "labelLimit": 180,
            "labelPadding": 6,
            "labelSeparation": 8,
            "titleColor": palette.muted,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 10,
            "gridColor": palette.grid,
            "domainColor": palette.grid,
            "tickColor": palette.grid,
        },
        "legend": {
            "orient": "top",
            "direction": "horizontal",
            "labelColor": palette.ink,
            "labelFontSize": 12,
            "titleColor": palette.muted,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "symbolSize": 90,
            "symbolOpacity": 1,
            "symbolStrokeWidth": 2,
            "offset": 12,
        },
        "header": {"labelColor": palette.ink, "labelFontSize": 12, "labelFontWeight": 600, "labelLimit": 260},
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "color": palette.ink,
            "fontSize": 15,
            "fontWeight": 600,
            "lineHeight": 20,
            "offset": 14,
        },
    }
