"""Confusion matrix: what the second assessor said where the first said so."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.disagreement.agreement import Agreement
from gainsayer.drawing.figure import Figure, Grid, as_grid, check_id, check_shape, whole
from gainsayer.drawing.svg import Drawing, box, cut, text
from gainsayer.table import Table
from gainsayer.words import counted, name_side, shortened, users

_CELL = 46


@dataclass(frozen=True, repr=False)
class ConfusionMatrix(Figure):
    """Counts of pairs by the level of each side, with the share of each row.

    A share is p(second level | first level) as counted, not the symmetric estimate of eq. (5).

    Parameters:
        id: name in anchors and files.
        levels: names of the levels, from low to high.
        counts: pairs, `counts[first][second]`; whole or weighted numbers.
        first, second: what the two sides are called.

    >>> figure = ConfusionMatrix("confusion", ("0", "1", "2"), ((4, 1, 1), (3, 4, 3), (0, 2, 2)), "U1", "U2")
    >>> figure.title
    'The second grade is the first one for 50 of 100 pairs of judgments; 1 is repeated least often, by 40 of 100'
    """

    id: str
    levels: tuple[str, ...]
    counts: Grid
    first: str = "first assessor"
    second: str = "second assessor"

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("counts", self.counts, len(self.levels), len(self.levels))

    @classmethod
    def of(cls, agreement: Agreement) -> ConfusionMatrix:
        """Who said what, of all pairs of judgments."""
        first, second = (
            ("the first side", "the second side") if agreement.sides is None else map(name_side, agreement.sides)
        )
        return cls("confusion", agreement.levels.names, as_grid(agreement.counts), first, second)

    @property
    def heading(self) -> str:
        """Whose grades."""
        return f"What {shortened(self.second)} said where {shortened(self.first)} had graded"

    @property
    def caption(self) -> str:
        """Rows, columns and shares."""
        return "Rows: the first grade. Columns: the second grade of the same documents, of 100 in each row."

    @property
    def title(self) -> str:
        """How often the sides agree, and which grade is repeated least often."""
        total = self._total()
        if not total:
            return "No document was judged by both sides"
        same = sum(self.counts[place][place] or 0 for place in range(len(self.levels)))
        said = f"The second grade is the first one for {users(same / total)} of 100 pairs of judgments"
        confirmed = self._confirmed()
        if len(confirmed) < 2:
            return said
        least, share = min(confirmed, key=lambda entry: entry[1])
        return f"{said}; {shortened(least)} is repeated least often, by {users(share)} of 100"

    def table(self) -> Table:
        """One row per cell: count, and share of its row."""
        totals = [sum(count or 0 for count in row) for row in self.counts]
        rows = tuple(
            (first, second, whole(count), (count or 0) / total if total else None)
            for first, row, total in zip(self.levels, self.counts, totals, strict=True)
            for second, count in zip(self.levels, row, strict=True)
        )
        columns = (
            Column("first", shortened(self.first), align="left"),
            Column("second", shortened(self.second), align="left"),
            Column("count", "Pairs", show_number(1)),
            Column("share", "Share of its row", show_number(3)),
        )
        return from_rows("Pairs of grades of the same document", columns, rows)

    def draw(self) -> Drawing:
        """Cells as dark as their share of the row."""
        size, left = max(len(self.levels), 1), 24.0
        across = (100 - left) / size
        marks = [text(left, 12, f"Grade by {cut(self.second, 22)}", "small faint")]
        marks.append(text(0, 12, cut(self.first, 10), "small faint"))
        for place, level in enumerate(self.levels):
            marks.append(text(left + across * (place + 0.5), 32, cut(level, 7), "mid strong", title=shortened(level)))
        totals = [sum(count or 0 for count in row) for row in self.counts]
        for first, (row, total) in enumerate(zip(self.counts, totals, strict=True)):
            y = 42 + _CELL * first
            marks.append(text(0, y + 26, cut(self.levels[first], 10), "strong", title=shortened(self.levels[first])))
            for second, count in enumerate(row):
                share = (count or 0) / total if total else None
                said = (
                    f"{shortened(self.levels[first])}, then {shortened(self.levels[second])}: "
                    f"{counted(count or 0, 'pair')}, {users(share)} of 100 in this row"
                )
                x = left + across * second
                marks.append(box(x + 0.4, y, x + across - 0.4, _CELL - 4, "panel", said))
                if share:
                    # A bar from below says the share: its height is read on paper and without colours, too.
                    high = (_CELL - 4) * share
                    style = "blue-tint" if first == second else "mark-tint"
                    marks.append(box(x + 0.4, y + _CELL - 4 - high, x + across - 0.4, high, style, said))
                if share is not None:
                    marks.append(text(x + across / 2, y + 26, users(share), "mid strong", title=said))
        return Drawing(42 + _CELL * size, tuple(marks))

    def _total(self) -> float:
        return sum(count or 0 for row in self.counts for count in row)

    def _confirmed(self) -> list[tuple[str, float]]:
        totals = [sum(count or 0 for count in row) for row in self.counts]
        return [
            (level, (self.counts[place][place] or 0) / totals[place])
            for place, level in enumerate(self.levels)
            if totals[place]
        ]
