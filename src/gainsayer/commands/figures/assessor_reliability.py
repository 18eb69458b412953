"""Reliability of each assessor or machine judge."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.drawing.figure import Figure, Row, check_id, check_shape, known
from gainsayer.drawing.interval_rows import IntervalRow, draw_rows
from gainsayer.drawing.svg import Drawing
from gainsayer.table import Table
from gainsayer.words import counted, decimal, shortened, spanned, sure


@dataclass(frozen=True, repr=False)
class AssessorReliability(Figure):
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
    'agreement lies between 0.50 (b) and 0.80 (a)'
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
    def heading(self) -> str:
        """What is counted."""
        return f"{shortened(self.quantity[:1].upper() + self.quantity[1:])}, by assessor"

    @property
    def caption(self) -> str:
        """What dot and line are."""
        beside = "" if self.reference is None else " Grey line: all assessors together."
        return f"Dot: {shortened(self.quantity)}. Line: {sure(self.confidence)} interval.{beside}"

    @property
    def title(self) -> str:
        """Between which numbers they lie, and whether the data can tell the ends apart."""
        found = sorted(known(self.value), key=lambda entry: entry[1])
        what = shortened(self.quantity)
        if not found:
            return "No assessor shares documents with another one"
        (worst, low), (best, high) = found[0], found[-1]
        if len(found) == 1:
            return f"{shortened(self.assessors[best])}: {what} {decimal(high)}"
        least, most = self.lower[best], self.upper[worst]
        also = ", but their intervals overlap" if least is not None and most is not None and least <= most else ""
        return (
            f"{what} lies between {decimal(low)} ({shortened(self.assessors[worst])}) and {decimal(high)} "
            f"({shortened(self.assessors[best])}){also}"
        )

    def table(self) -> Table:
        """One row per assessor, by name."""
        columns = (
            Column("assessor", "Assessor", align="left"),
            Column("value", shortened(self.quantity), show_number(3)),
            Column("lower", f"From ({sure(self.confidence)})", show_number(3)),
            Column("upper", f"To ({sure(self.confidence)})", show_number(3)),
            Column("pairs", "Pairs", show_number(0)),
        )
        rows = tuple(
            (self.assessors[place], self.value[place], self.lower[place], self.upper[place], self.pairs[place])
            for place in self._order()
        )
        return from_rows(self.heading, columns, rows)

    def draw(self) -> Drawing:
        """A dot with its interval per assessor, by name."""
        rows = [
            IntervalRow(
                *(self.assessors[place], self.value[place], self.lower[place], self.upper[place], "ink"),
                f"{shortened(self.assessors[place])}: {decimal(self.value[place])}"
                f"{spanned(self.lower[place], self.upper[place])}, {counted(self.pairs[place], 'pair')}",
            )
            for place in self._order()
        ]
        return draw_rows(rows, reference=self.reference)

    def _order(self) -> list[int]:
        return sorted(range(len(self.assessors)), key=lambda place: self.assessors[place])
