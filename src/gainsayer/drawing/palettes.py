"""Colours by their work, for light and dark grounds, and the style of every drawing.

Two hues and greys. Blue is the answer, won, a link; orange is lost, a machine. Text has a contrast of 4.5 to 1 with its
ground and marks that matter 3 to 1 (a test computes both); side, shape or words say again what a colour says.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

FONT = (
    "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', 'DejaVu Sans Condensed', "
    "sans-serif"
)


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
