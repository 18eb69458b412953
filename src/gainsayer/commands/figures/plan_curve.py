"""How sure a result would be, by the number of second judgments; and what topics leave."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.drawing.figure import Figure, check_id
from gainsayer.drawing.svg import Drawing, Scale, dot, line, text, ticks
from gainsayer.table import Table
from gainsayer.words import counted


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

    >>> PlanCurve("plan", (100, 1000), (0.2, 0.11), (0.3, 0.12), 300, 0.14, 0.1, 43).title
    'After 300 second judgments ±0.14; with all of them, 43 topics still leave ±0.1'
    """

    id: str
    judgments: tuple[int, ...]
    planned: tuple[float, ...]
    even: tuple[float, ...]
    budget: int
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
            f"After {self.budget:,} second judgments ±{self.half_width:.2g}; with all of them, "
            f"{counted(self.topics, 'topic')} still leave ±{self.floor:.2g}"
        )

    def table(self) -> Table:
        """One row per budget."""
        columns = (
            Column("judgments", "Second judgments", show_number(0)),
            Column("half_width", "± as planned", show_number(3)),
            Column("uniform_half_width", "± drawn evenly", show_number(3)),
        )
        rows = tuple(zip(self.judgments, self.planned, self.even, strict=True))
        return from_rows("Half-width by number of second judgments", columns, rows)

    def draw(self) -> Drawing:
        """Two curves named where they begin, the floor as a line below them, and the plan as a dot."""
        if not self.judgments:
            return Drawing(24, (text(0, 14, "Nothing is known.", "faint"),))
        across = Scale(math.log10(self.judgments[0]), math.log10(self.judgments[-1]), 8.0, 98.0)
        up = Scale(0.0, 1.05 * max(*self.planned, *self.even, self.floor), 214.0, 18.0)
        marks = [text(0, 10, "±", "small faint")]
        for tick in ticks(0.0, up.high, 4):
            marks += [line(8, up(tick), 98, up(tick), "hair"), text(0, up(tick) + 4, f"{tick:g}", "small faint")]
        marks.append(line(8, up(self.floor), 98, up(self.floor), "thin orange", f"floor: ±{self.floor:.3g}"))
        marks.append(text(98, up(self.floor) + 16, f"the floor of {counted(self.topics, 'topic')}", "small end"))
        for name, widths in (("drawn evenly", self.even), ("planned", self.planned)):
            places = [(across(math.log10(at)), up(width)) for at, width in zip(self.judgments, widths, strict=True)]
            marks += [line(*one, *two, "thin blue") for one, two in pairwise(places)]
            marks += [
                dot(*place, 2.2, "blue", f"{name}: ±{width:.3g} with {at:,} second judgments")
                for place, width, at in zip(places, widths, self.judgments, strict=True)
            ]
            marks.append(text(places[0][0], places[0][1] - 8, name, "strong", dx=4))
        here = across(math.log10(max(self.budget, 1)))
        marks.append(dot(here, up(self.half_width), 5, "blue", f"the plan: ±{self.half_width:.3g}"))
        marks.append(text(here, up(self.half_width) - 10, f"{self.budget:,}", "strong", dx=6))
        marks += [
            text(across(math.log10(at)), 232, f"{at:,}", "small faint mid")
            for at in self.judgments[:: max(1, len(self.judgments) // 4)]
        ]
        marks.append(text(98, 252, "second judgments", "small faint end"))
        return Drawing(260, tuple(marks))
