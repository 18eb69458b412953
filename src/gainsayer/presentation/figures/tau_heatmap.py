"""How alike the orders of the runs are under each two kinds of gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gainsayer.presentation.figures.drawing import finish, names_of, records, share_of_width, tips
from gainsayer.presentation.figures.figure import WIDTH, Grid, check_id, check_shape
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, RAMP_SWITCH, Palette
from gainsayer.presentation.figures.words import counted, decimal, shortened
from gainsayer.presentation.tables import Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing


@dataclass(frozen=True)
class TauHeatmap(Drawn):
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
            Column("a", "gains", align="left"),
            Column("b", "other gains", align="left"),
            Column("tau", "tau-b", show_number(3)),
        )
        rows = tuple(
            (a, b, value)
            for a, row in zip(self.gains, self.tau, strict=True)
            for b, value in zip(self.gains, row, strict=True)
        )
        return Table(self.title, columns, rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """Cells as dark as the orders are alike; a tau below 0 is as light as 0."""
        import altair as alt

        table, names = self.table(), names_of(self.gains)
        axis = alt.Axis(grid=False, domain=False, ticks=False)
        below = alt.Axis(
            labelAngle=0,
            labelLimit=share_of_width(self.gains),
            labelOverlap=False,
            grid=False,
            domain=False,
            ticks=False,
        )
        base = alt.Chart(records(table)).encode(
            x=alt.X(field="b", type="nominal", title=None, sort=None, axis=below).scale(domain=names),
            y=alt.Y(field="a", type="nominal", title=None, sort=None, axis=axis).scale(domain=names),
            tooltip=tips(table),
        )
        # Taus between orders of runs crowd near 1; the square keeps their shades apart.
        shade = base.transform_calculate(shade="isValid(datum.tau) ? pow(max(datum.tau, 0), 2) * 0.9 : 0")
        cells = shade.mark_rect(fill=palette.ramp, stroke=palette.grid, strokeWidth=1).encode(
            fillOpacity=alt.FillOpacity(field="shade", type="quantitative", legend=None).scale(
                domain=[0, 1], range=[0, 1]
            )
        )
        texts = shade.mark_text(fontSize=14, fontWeight=600).encode(
            text=alt.Text(field="tau", type="quantitative", format=".2f"),
            color=alt.condition(f"datum.shade > {RAMP_SWITCH}", alt.value(palette.on_high), alt.value(palette.on_low)),
        )
        return finish(
            alt.layer(cells, texts),
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            height=52 * max(len(names), 1),
        )

    def _pairs(self) -> list[tuple[float, int, int]]:
        return [
            (tau, a, b)
            for a in range(len(self.gains))
            for b in range(a + 1, len(self.gains))
            if (tau := self.tau[a][b]) is not None and tau == tau
        ]
