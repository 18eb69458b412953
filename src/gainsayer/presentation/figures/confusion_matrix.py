"""Confusion matrix: what the second assessor said where the first said so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gainsayer.presentation.figures.drawing import finish, names_of, records, share_of_width, tips
from gainsayer.presentation.figures.figure import WIDTH, Grid, check_id, check_shape, whole
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, RAMP_SWITCH, Palette
from gainsayer.presentation.figures.words import counted, quoted, shortened
from gainsayer.presentation.tables import Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing


@dataclass(frozen=True)
class ConfusionMatrix(Drawn):
    """Counts of pairs by the level of each side, with the share of each row.

    A share is p(second level | first level) as counted, not the symmetric estimate of eq. (5).

    Parameters:
        id: name in anchors and files.
        levels: names of the levels, from low to high.
        counts: pairs, `counts[first][second]`; whole or weighted numbers.
        first, second: what the two sides are called.

    >>> figure = ConfusionMatrix("confusion", ("0", "1", "2"), ((4, 1, 1), (3, 4, 3), (0, 2, 2)), "U1", "U2")
    >>> figure.title
    "The two sides give the same level in 50% of 20 pairs; '1' is confirmed least often (40%)"
    """

    id: str
    levels: tuple[str, ...]
    counts: Grid
    first: str = "first assessor"
    second: str = "second assessor"

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("counts", self.counts, len(self.levels), len(self.levels))

    @property
    def title(self) -> str:
        """How often the sides agree, and which level is confirmed least often."""
        total = self._total()
        if not total:
            return "No document was judged by both sides"
        same = sum(self.counts[place][place] or 0 for place in range(len(self.levels)))
        said = f"The two sides give the same level in {same / total:.0%} of {counted(total, 'pair')}"
        confirmed = self._confirmed()
        if len(confirmed) < 2:
            return said
        least, share = min(confirmed, key=lambda entry: entry[1])
        return f"{said}; {quoted(least)} is confirmed least often ({share:.0%})"

    @property
    def description(self) -> str:
        """How often each level was confirmed."""
        parts = [f"{quoted(level)} in {share:.0%}" for level, share in self._confirmed()]
        return (
            f"Matrix of {counted(self._total(), 'pair')}: rows are the levels given by {shortened(self.first)}, "
            f"columns those given by {shortened(self.second)}, with the share of each row. "
            f"The other side confirmed {', '.join(parts) if parts else 'nothing'}."
        )

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
            Column("count", "pairs", show_number(1)),
            Column("share", "share of row", show_number(3)),
        )
        return Table(self.title, columns, rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """Cells as dark as their share of the row."""
        import altair as alt

        table, names = self.table(), names_of(self.levels)
        base = alt.Chart(records(table)).encode(
            x=alt.X(field="second", type="ordinal", title=f"level by {shortened(self.second)}", sort=None)
            .scale(domain=names)
            .axis(
                orient="top",
                labelAngle=0,
                labelLimit=share_of_width(self.levels),
                labelOverlap=False,
                grid=False,
                domain=False,
                ticks=False,
            ),
            y=alt.Y(field="first", type="ordinal", title=f"level by {shortened(self.first)}", sort=None)
            .scale(domain=names)
            .axis(grid=False, domain=False, ticks=False),
            tooltip=tips(table),
        )
        opacity = alt.FillOpacity(field="share", type="quantitative", legend=None)
        cells = base.mark_rect(fill=palette.ramp, stroke=palette.grid, strokeWidth=1).encode(
            fillOpacity=opacity.scale(domain=[0, 1], range=[0, 1])
        )
        color = alt.condition(f"datum.share > {RAMP_SWITCH}", alt.value(palette.on_high), alt.value(palette.on_low))
        shares = base.mark_text(fontSize=14, fontWeight=600, dy=-8).encode(
            text=alt.Text(field="share", type="quantitative", format=".0%"), color=color
        )
        counts = base.mark_text(fontSize=11, dy=10).encode(
            text=alt.Text(field="count", type="quantitative", format=",~g" if self._weighted() else ",d"), color=color
        )
        return finish(
            alt.layer(cells, shares, counts),
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            height=56 * max(len(names), 1),
        )

    def _total(self) -> float:
        return sum(count or 0 for row in self.counts for count in row)

    def _weighted(self) -> bool:
        return not all(float(count or 0).is_integer() for row in self.counts for count in row)

    def _confirmed(self) -> list[tuple[str, float]]:
        totals = [sum(count or 0 for count in row) for row in self.counts]
        return [
            (level, (self.counts[place][place] or 0) / totals[place])
            for place, level in enumerate(self.levels)
            if totals[place]
        ]
