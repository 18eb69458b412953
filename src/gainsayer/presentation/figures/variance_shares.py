"""Where the uncertainty of a score comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gainsayer.presentation.figures.drawing import colors, finish, names_of, records, row_step, tips
from gainsayer.presentation.figures.figure import WIDTH, Grid, Row, check_id, check_shape
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, Palette
from gainsayer.presentation.figures.words import counted, quoted, shortened
from gainsayer.presentation.tables import Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing


@dataclass(frozen=True)
class VarianceShares(Drawn):
    """Shares of the variance of each run's score by their source.

    Parameters:
        id: name in anchors and files.
        measure: its name.
        runs: their names, in the order to draw them.
        sources: what the variance comes from, as a rule ("topics", "second judgments", "both together").
        shares: `[source][run]`, none negative, summing to 1 per run; None where unknown.
        standard_error: of each run's score, all sources together.

    >>> VarianceShares(
    ...     "variance", "nDCG@10", ("a", "b"), ("topics", "second judgments"), ((0.8, 0.7), (0.2, 0.3)), (0.02, 0.03)
    ... ).title
    "On average topics make up 75% of the variance of a run's nDCG@10, second judgments 25%"
    """

    id: str
    measure: str
    runs: tuple[str, ...]
    sources: tuple[str, ...]
    shares: Grid
    standard_error: Row

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("shares", self.shares, len(self.sources), len(self.runs))
        check_shape("standard_error", (self.standard_error,), 1, len(self.runs))

    @property
    def title(self) -> str:
        """The mean shares."""
        means = self._means()
        if not means:
            return "No run has a variance"
        (first, share), *others = means
        rest = "".join(f", {name} {other:.0%}" for name, other in others)
        return f"On average {first} make up {share:.0%} of the variance of a run's {shortened(self.measure)}{rest}"

    @property
    def description(self) -> str:
        """The mean share per source, and its range over the runs."""
        parts = []
        for name, row in zip(self.sources, self.shares, strict=True):
            found = [(share, run) for share, run in zip(row, self.runs, strict=True) if share is not None]
            if found:
                (low, least), (high, most) = min(found), max(found)
                parts.append(f"{shortened(name)} from {low:.0%} ({quoted(least)}) to {high:.0%} ({quoted(most)})")
        return (
            f"Stacked bars for {counted(len(self.runs), 'run')}: share of the variance of {shortened(self.measure)} "
            f"due to each source; {', '.join(parts) or 'nothing is known'}."
        )

    def table(self) -> Table:
        """One row per run and source."""
        columns = (
            Column("run", "run", align="left"),
            Column("source", "source", align="left"),
            Column("share", "share of the variance", show_number(3)),
            Column("standard_error", f"standard error of {shortened(self.measure)}", show_number(4)),
        )
        rows = tuple(
            (run, source, row[place], self.standard_error[place])
            for place, run in enumerate(self.runs)
            for source, row in zip(self.sources, self.shares, strict=True)
        )
        return Table(self.title, columns, rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """One stacked bar per run."""
        import altair as alt

        table, names = self.table(), names_of(self.runs)
        # Each part's place in the stack, so that the bars are stacked in the order of the legend.
        places = tuple((*row, self.sources.index(str(row[1]))) for row in table.rows)
        drawn = Table("", (*table.columns, Column("place", "place")), places)
        bars = (
            alt.Chart(records(drawn))
            .mark_bar(stroke=palette.ground, strokeWidth=1)
            .encode(
                x=alt.X(field="share", type="quantitative", title="share of the variance", stack="zero")
                .scale(domain=[0, 1])
                .axis(format=".0%", tickCount=5),
                y=alt.Y(field="run", type="nominal", title=None, sort=None)
                .scale(domain=names, padding=0.2)
                .axis(ticks=False, labelOverlap=False, labelFontSize=11),
                color=colors("source", self.sources, palette),
                order=alt.Order(field="place", type="quantitative"),
                tooltip=tips(table),
            )
        )
        return finish(
            alt.layer(bars),
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            legend=self.sources,
            height=row_step(len(names)) * max(len(names), 1),
        )

    def _means(self) -> list[tuple[str, float]]:
        means = []
        for name, row in zip(self.sources, self.shares, strict=True):
            found = [share for share in row if share is not None and share == share]
            if found:
                means.append((shortened(name), sum(found) / len(found)))
        return means
