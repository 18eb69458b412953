"""Several figures of one kind below each other: one for each notion of relevance, kind of topics or measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gainsayer.drawing.figure import Figure, check_id
from gainsayer.drawing.svg import Drawing, text
from gainsayer.table import Column, Table, stack
from gainsayer.words import shortened

_ABOVE, _BELOW = 26.0, 18.0


def show_panels(id: str, parts: Mapping[str, Figure]) -> Figure:
    """The figures as one, each under its name; a single one as it is."""
    figures = list(parts.values())
    return figures[0] if len(figures) == 1 else Panels(id, tuple(parts), tuple(figures))


@dataclass(frozen=True, repr=False)
class Panels(Figure):
    """Figures of one kind, one below the other.

    Args:
        id: name in anchors and files.
        names: of the panels; the first may be empty, where it stands for all.
        parts: the figures.
    """

    id: str
    names: tuple[str, ...]
    parts: tuple[Figure, ...]

    def __post_init__(self) -> None:
        check_id(self.id)

    @property
    def heading(self) -> str:
        """What all of them show."""
        return self.parts[0].heading

    @property
    def caption(self) -> str:
        """How to read them."""
        return self.parts[0].caption

    @property
    def title(self) -> str:
        """The finding of each panel."""
        return "; ".join(f"{name}: {part.title}" for name, part in zip(self._called(), self.parts, strict=True))

    def table(self) -> Table:
        """The rows of all panels, with the name of the panel."""
        tables = [part.table() for part in self.parts]
        return stack(
            [
                table.keep((Column("panel", name, "Panel"), *table.columns))
                for name, table in zip(self._called(), tables, strict=True)
            ]
        )

    def draw(self) -> Drawing:
        """Each panel under its name."""
        marks: list[str] = []
        top = 0.0
        for name, part in zip(self._called(), self.parts, strict=True):
            drawing = part.draw()
            marks.append(text(0, top + 13, shortened(name), "strong"))
            inside = "".join(drawing.marks)
            place = f'y="{top + _ABOVE:g}" width="100%" height="{drawing.height:g}" overflow="visible"'
            marks.append(f"<svg {place}>{inside}</svg>")
            top += _ABOVE + drawing.height + _BELOW
        return Drawing(top - _BELOW, tuple(marks))

    def _called(self) -> list[str]:
        return [name or "all topics" for name in self.names]
