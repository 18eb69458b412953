"""How the parameters settle as double judgments are added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gainsayer.presentation.figures.drawing import colors, dashes, finish, records, tips
from gainsayer.presentation.figures.figure import WIDTH, Grid, check_id, check_shape, known
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, Palette
from gainsayer.presentation.figures.words import counted, decimal, quoted
from gainsayer.presentation.tables import Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing

CLOSE = 0.05


@dataclass(frozen=True)
class AmountCurve(Drawn):
    """Mean and standard deviation of p(R|level) over simulated rounds, against the number of double judgments.

    Parameters:
        id: name in anchors and files.
        levels: names of the levels, from low to high.
        amounts: numbers of double judgments, ascending.
        mean, spread: mean and standard deviation over the rounds, `[level][amount]`; None where no round had a case.
        rounds: how many rounds were simulated.

    >>> AmountCurve("amount", ("Key",), (100, 200), ((0.5, 0.5),), ((0.08, 0.04),), 50).title
    'From 200 double judgments on, one standard deviation is at most 0.05 for every level'
    """

    id: str
    levels: tuple[str, ...]
    amounts: tuple[int, ...]
    mean: Grid
    spread: Grid
    rounds: int

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("mean", self.mean, len(self.levels), len(self.amounts))
        check_shape("spread", self.spread, len(self.levels), len(self.amounts))

    @property
    def title(self) -> str:
        """From which amount on all levels are known closely, or which level is not."""
        enough = None
        for place in reversed(range(len(self.amounts))):
            if not all((spread := row[place]) is not None and spread <= CLOSE for row in self.spread):
                break
            enough = self.amounts[place]
        if enough is not None:
            amount = counted(enough, "double judgment")
            return f"From {amount} on, one standard deviation is at most {CLOSE} for every level"
        last = [(row[-1], level) for row, level in zip(self.spread, self.levels, strict=True) if row]
        unknown = [level for spread, level in last if spread is None]
        if unknown:
            return f"Even with all double judgments, {quoted(unknown[0])} stays unknown"
        if not last:
            return "No amount of double judgments was tried"
        spread, level = max((spread or 0.0, level) for spread, level in last)
        return (
            f"Even after {counted(self.amounts[-1], 'double judgment')}, {quoted(level)} is only known "
            f"to ± {decimal(spread)}"
        )

    @property
    def description(self) -> str:
        """Where each level begins and ends."""
        said = []
        for level, means, spreads in zip(self.levels, self.mean, self.spread, strict=True):
            found = known(means)
            if found:
                (start, first), (end, last) = found[0], found[-1]
                said.append(
                    f"{quoted(level)} from {decimal(first)} ± {decimal(spreads[start])} at {self.amounts[start]:,} to "
                    f"{decimal(last)} ± {decimal(spreads[end])} at {self.amounts[end]:,}"
                )
        return (
            f"Mean and one standard deviation of p(R|level) over {counted(self.rounds, 'round')}, against the number "
            f"of double judgments. {'; '.join(said) or 'Nothing is known'}."
        )

    def table(self) -> Table:
        """One row per level and amount."""
        columns = (
            Column("level", "level", align="left"),
            Column("amount", "double judgments", show_number(0)),
            Column("mean", "mean", show_number(3)),
            Column("spread", "standard deviation", show_number(3)),
        )
        rows = tuple(
            (level, amount, mean, spread)
            for level, means, spreads in zip(self.levels, self.mean, self.spread, strict=True)
            for amount, mean, spread in zip(self.amounts, means, spreads, strict=True)
        )
        return Table(self.title, columns, rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """A line per level in a band of one standard deviation."""
        import altair as alt

        table = self.table()
        base = (
            alt.Chart(records(table))
            .transform_calculate(below="datum.mean - datum.spread", above="datum.mean + datum.spread")
            .encode(
                x=alt.X(field="amount", type="quantitative", title="double judgments")
                .scale(zero=False, nice=False)
                .axis(grid=False, tickCount=6, format=",d"),
                color=colors("level", self.levels, palette, title="level").legend(symbolType="stroke", symbolSize=400),
                tooltip=tips(table),
            )
        )
        bands = base.mark_area(opacity=0.16, clip=True).encode(
            y=alt.Y(field="below", type="quantitative", title="p(R|level)").scale(domainMin=0), y2=alt.Y2(field="above")
        )
        lines = base.mark_line(strokeWidth=2).encode(
            y=alt.Y(field="mean", type="quantitative"), strokeDash=dashes("level", self.levels, title="level")
        )
        points = base.mark_point(opacity=0, size=160).encode(y=alt.Y(field="mean", type="quantitative"))
        return finish(
            alt.layer(bands, lines, points),
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            legend=self.levels,
            height=320,
        )
