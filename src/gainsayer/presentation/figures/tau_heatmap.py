"""How alike the orders of the runs are under each two kinds of gains."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.presentation.figures.drawing import Drawing, box, cut, text
from gainsayer.presentation.figures.figure import Figure, Grid, check_id, check_shape
from gainsayer.presentation.figures.words import counted, decimal, shortened
from gainsayer.presentation.tables import Column, Table, show_number

_CELL = 40


@dataclass(frozen=True, repr=False)
class TauHeatmap(Figure):
    """Kendall's tau-b between the orders of the runs under each two kinds of gains.

    Parameters:
        id: name in anchors and files.
        measure: its name.
        gains: names of the kinds of gains.
        tau: square, `[gains][gains]`; None where undefined (all runs tied).
        runs: how many runs were ordered.

    >>> TauHeatmap("tau", "nDCG@10", ("prm", "binary"), ((1.0, 0.71), (0.71, 1.0)), 12).title
    'prm and binary gains order the 12 runs least alike (tau 0.71)'
    """

    id: str
    measure: str
    gains: tuple[str, ...]
    tau: Grid
    runs: int

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("tau", self.tau, len(self.gains), len(self.gains))

    @property
    def heading(self) -> str:
        """Whose orders."""
        return f"How alike the orders of the runs are ({shortened(self.measure)})"

    @property
    def caption(self) -> str:
        """What tau is."""
        return "Kendall's tau: 1 where every two runs stand in the same order, 0 where as many do as do not."

    @property
    def title(self) -> str:
        """Which two kinds of gains order the runs least alike."""
        pairs = self._pairs()
        if not pairs:
            return "There are no two orders of the runs to compare"
        tau, a, b = min(pairs)
        if tau == 1:
            return f"All kinds of gains order the {counted(self.runs, 'run')} alike"
        return (
            f"{shortened(self.gains[a])} and {shortened(self.gains[b])} gains order the {counted(self.runs, 'run')} "
            f"least alike (tau {decimal(tau)})"
        )

    @property
    def description(self) -> str:
        """Every tau."""
        said = [
            f"{shortened(self.gains[a])} and {shortened(self.gains[b])} {decimal(tau)}" for tau, a, b in self._pairs()
        ]
        return (
            f"Kendall's tau-b between the orders of {counted(self.runs, 'run')} by {shortened(self.measure)}: "
            f"{', '.join(said) or 'none is known'}."
        )

    def table(self) -> Table:
        """One row per two kinds of gains."""
        columns = (
            Column("a", "Gains", align="left"),
            Column("b", "Other gains", align="left"),
            Column("tau", "Kendall's tau-b", show_number(3)),
        )
        rows = tuple(
            (a, b, value)
            for a, row in zip(self.gains, self.tau, strict=True)
            for b, value in zip(self.gains, row, strict=True)
        )
        return Table(self.heading, columns, rows)

    def draw(self) -> Drawing:
        """A cell per two kinds; its bar is as high as tau."""
        size, left = max(len(self.gains), 1), 26.0
        across = (100 - left) / size
        marks = [
            text(left + across * (place + 0.5), 14, cut(name, 12), "mid small soft", title=shortened(name))
            for place, name in enumerate(self.gains)
        ]
        for first, row in enumerate(self.tau):
            y = 22 + _CELL * first
            marks.append(text(0, y + 23, cut(self.gains[first], 24), "soft", title=shortened(self.gains[first])))
            for second, tau in enumerate(row):
                x, said = left + across * second, f"{self.gains[first]} and {self.gains[second]}: tau {decimal(tau)}"
                marks.append(box(x + 0.4, y, x + across - 0.4, _CELL - 4, "panel", said))
                if tau is not None and tau > 0 and first != second:
                    high = (_CELL - 4) * tau
                    marks.append(box(x + 0.4, y + _CELL - 4 - high, x + across - 0.4, high, "blue-tint", said))
                if first != second:
                    marks.append(text(x + across / 2, y + 23, decimal(tau), "mid strong", title=said))
        return Drawing(22 + _CELL * size, tuple(marks))

    def _pairs(self) -> list[tuple[float, int, int]]:
        return [
            (tau, a, b)
            for a in range(len(self.gains))
            for b in range(a + 1, len(self.gains))
            if (tau := self.tau[a][b]) is not None and tau == tau
        ]
