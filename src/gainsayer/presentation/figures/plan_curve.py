"""How sure a result would be, by the number of second judgments; and what topics leave."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.presentation.figures.curves import Curve, Panel, draw_panels
from gainsayer.presentation.figures.drawing import Drawing
from gainsayer.presentation.figures.figure import Figure, check_id
from gainsayer.presentation.figures.words import counted
from gainsayer.presentation.tables import Column, Table, show_number


@dataclass(frozen=True, repr=False)
class PlanCurve(Figure):
    """Half-widths by budget: as planned, drawn evenly, and the floor that topics set.

    Parameters:
        id: name in anchors and files.
        judgments: numbers of second judgments, ascending.
        planned: half-width with each.
        even: half-width with as many drawn evenly, whatever the first labels.
        budget, half_width: what the plan has.
        floor: with all documents judged twice.
        topics: in how many topics.

    >>> PlanCurve("plan", (100, 1000), (0.2, 0.11), (0.3, 0.12), 300.0, 0.14, 0.1, 43).title
    'After 300 second judgments ±0.14; with all of them, 43 topics still leave ±0.1'
    """

    id: str
    judgments: tuple[float, ...]
    planned: tuple[float, ...]
    even: tuple[float, ...]
    budget: float
    half_width: float
    floor: float
    topics: int

    def __post_init__(self) -> None:
        check_id(self.id)
        assert len(self.judgments) == len(self.planned) == len(self.even)

    @property
    def heading(self) -> str:
        """What is drawn."""
        return "Half-width of the interval, by number of second judgments"

    @property
    def caption(self) -> str:
        """What the lines are."""
        return (
            f"As planned, drawn evenly whatever the first labels, and the floor that "
            f"{counted(self.topics, 'topic')} set. Each step to the right multiplies."
        )

    @property
    def title(self) -> str:
        """What the plan reaches, and what is left in any case."""
        return (
            f"After {self.budget:,.0f} second judgments ±{self.half_width:.2g}; with all of them, "
            f"{counted(self.topics, 'topic')} still leave ±{self.floor:.2g}"
        )

    @property
    def description(self) -> str:
        """Where the curves begin and end."""
        ends = ""
        if self.judgments:
            ends = (
                f" From ±{self.planned[0]:.3g} (drawn evenly ±{self.even[0]:.3g}) with {self.judgments[0]:,.0f} second "
                f"judgments to ±{self.planned[-1]:.3g} with {self.judgments[-1]:,.0f}."
            )
        return f"Half-width against the number of second judgments.{ends} The floor is ±{self.floor:.3g}."

    def table(self) -> Table:
        """One row per budget."""
        columns = (
            Column("judgments", "Second judgments", show_number(0)),
            Column("half_width", "± as planned", show_number(3)),
            Column("uniform_half_width", "± drawn evenly", show_number(3)),
        )
        rows = tuple(zip(self.judgments, self.planned, self.even, strict=True))
        return Table("Half-width by number of second judgments", columns, rows)

    def draw(self) -> Drawing:
        """Three lines, and the floor named at its end."""
        points = list(zip(self.judgments, self.planned, self.even, strict=True))
        curves = (
            Curve("evenly", tuple((at, 1000 * even) for at, _, even in points)),
            Curve("planned", tuple((at, 1000 * planned) for at, planned, _ in points)),
            Curve("floor", tuple((at, 1000 * self.floor) for at, _, _ in points)),
        )
        return draw_panels([Panel("± in thousandths", curves)], x="second judgments", logarithmic=True)
