"""Reliability of each assessor or machine judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gainsayer.presentation.figures.drawing import finish, names_of, records, row_step, tips
from gainsayer.presentation.figures.figure import WIDTH, Row, check_id, check_shape, known
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, Palette
from gainsayer.presentation.figures.words import counted, decimal, quoted, shortened, spanned
from gainsayer.presentation.tables import Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing


@dataclass(frozen=True)
class AssessorReliability(Drawn):
    """One number per assessor (a person or a machine) with its interval and the pairs behind it.

    Parameters:
        id: name in anchors and files.
        assessors: their names.
        quantity: what the number is, in words ("agreement with the other assessors", "p(R|relevant label)").
        value, lower, upper: per assessor; None where unknown.
        pairs: double judgments behind each number.
        reference: one number to compare with (all assessors together), drawn as a line; None for none.
        confidence: of the intervals.

    >>> AssessorReliability(
    ...     "reliability", ("a", "b"), "agreement", (0.8, 0.5), (0.7, 0.4), (0.9, 0.6), (40, 40), reference=0.65
    ... ).title
    "'a' is the most reliable (agreement 0.80), 'b' the least (0.50)"
    """

    id: str
    assessors: tuple[str, ...]
    quantity: str
    value: Row
    lower: Row
    upper: Row
    pairs: tuple[int, ...]
    reference: float | None = None
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_id(self.id)
        for what in ("value", "lower", "upper", "pairs"):
            check_shape(what, (getattr(self, what),), 1, len(self.assessors))

    @property
    def title(self) -> str:
        """Who is the most and who the least reliable, and whether the data can tell them apart."""
        found = sorted(known(self.value), key=lambda entry: entry[1])
        what = shortened(self.quantity)
        if not found:
            return "No assessor shares documents with another one"
        (worst, low), (best, high) = found[0], found[-1]
        if len(found) == 1:
            return f"{quoted(self.assessors[best])}: {what} {decimal(high)}"
        least, most = self.lower[best], self.upper[worst]
        doubt = ", but their intervals overlap" if least is not None and most is not None and least <= most else ""
        return (
            f"{quoted(self.assessors[best])} is the most reliable ({what} {decimal(high)}), "
            f"{quoted(self.assessors[worst])} the least ({decimal(low)}){doubt}"
        )

    @property
    def description(self) -> str:
        """Every assessor's number and interval, from high to low."""
        said = [
            f"{quoted(self.assessors[place])} {decimal(self.value[place])}"
            f"{spanned(self.lower[place], self.upper[place])} from {counted(self.pairs[place], 'pair')}"
            for place in self._order()
        ]
        beside = "" if self.reference is None else f" All together: {decimal(self.reference)}."
        return (
            f"{shortened(self.quantity)} per assessor with {self.confidence:.0%} intervals: {'; '.join(said)}.{beside}"
        )

    def table(self) -> Table:
        """One row per assessor, from high to low."""
        columns = (
            Column("assessor", "assessor", align="left"),
            Column("value", shortened(self.quantity), show_number(3)),
            Column("lower", f"lower {self.confidence:.0%}", show_number(3)),
            Column("upper", f"upper {self.confidence:.0%}", show_number(3)),
            Column("pairs", "pairs", show_number(0)),
        )
        rows = tuple(
            (self.assessors[place], self.value[place], self.lower[place], self.upper[place], self.pairs[place])
            for place in self._order()
        )
        return Table(self.title, columns, rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """A dot with its interval per assessor."""
        import altair as alt

        table, names = self.table(), names_of([self.assessors[place] for place in self._order()])
        scale = alt.Scale(zero=False, nice=True)
        base = alt.Chart(records(table)).encode(
            y=alt.Y(field="assessor", type="nominal", title=None, sort=None).scale(domain=names).axis(ticks=False),
            tooltip=tips(table),
        )
        intervals = base.mark_rule(strokeWidth=2.5, opacity=0.6, color=palette.series[0]).encode(
            x=alt.X(field="lower", type="quantitative", title=shortened(self.quantity), scale=scale).axis(tickCount=6),
            x2=alt.X2(field="upper"),
        )
        points = base.mark_point(filled=True, size=100, opacity=1, color=palette.series[0]).encode(
            x=alt.X(field="value", type="quantitative", scale=scale)
        )
        layers = [intervals, points]
        if self.reference is not None:
            line = alt.Chart(alt.InlineData(values=[{"reference": self.reference}]))
            layers.insert(
                0,
                line.mark_rule(strokeDash=[4, 3], strokeWidth=1.5, color=palette.quiet).encode(
                    x=alt.X(field="reference", type="quantitative", scale=scale),
                    tooltip=[
                        alt.Tooltip(
                            field="reference", type="quantitative", title="all assessors together", format=".3f"
                        )
                    ],
                ),
            )
        return finish(
            alt.layer(*layers),
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            height=row_step(len(names)) * max(len(names), 1),
        )

    def _order(self) -> list[int]:
        worth = dict(known(self.value))
        return sorted(range(len(self.assessors)), key=lambda place: -worth.get(place, float("-inf")))
