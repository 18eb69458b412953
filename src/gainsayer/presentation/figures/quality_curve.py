"""How the estimates move when only the best results were judged twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gainsayer.presentation.figures.drawing import colors, finish, names_of, records, shapes, tips
from gainsayer.presentation.figures.figure import WIDTH, Grid, check_id, check_shape, known
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, Palette
from gainsayer.presentation.figures.words import decimal, quoted, shortened
from gainsayer.presentation.tables import Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing


@dataclass(frozen=True)
class QualityCurve(Drawn):
    """p(R|level) estimated from the doubly judged results of the k best sources, by each estimator, side by side.

    A second round chosen by the first labels biases the symmetric estimate, not the one-sided one: the two panels show
    how far.

    Parameters:
        id: name in anchors and files.
        levels: names of the levels, from low to high.
        estimators: their names, as a rule ("symmetric", "one-sided").
        sources: the values of k, ascending.
        probability: estimates, `[estimator][level][k]`; None where unknown.

    >>> QualityCurve(
    ...     "quality", ("Key",), ("symmetric", "one-sided"), (1, 2), (((0.9, 0.6),), ((0.62, 0.6),))
    ... ).title
    "With fewer sources the symmetric estimate moves most: p(R|'Key') by 0.30; one-sided by at most 0.02"
    """

    id: str
    levels: tuple[str, ...]
    estimators: tuple[str, ...]
    sources: tuple[int, ...]
    probability: tuple[Grid, ...]

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("probability", self.probability, len(self.estimators), len(self.levels))
        for grid in self.probability:
            check_shape("probability", grid, len(self.levels), len(self.sources))

    @property
    def title(self) -> str:
        """Which estimator moves most between few and all sources, for which level, and how far the others move."""
        moves = []
        for estimator, grid in zip(self.estimators, self.probability, strict=True):
            ranges = [
                (max(value for _, value in found) - min(value for _, value in found), level)
                for level, row in zip(self.levels, grid, strict=True)
                if (found := known(row))
            ]
            if ranges:
                moves.append((*max(ranges), estimator))
        if not moves:
            return "No estimate is known for any number of sources"
        moves.sort(reverse=True)
        most, level, estimator = moves[0]
        others = "".join(f"; {shortened(name)} by at most {decimal(move)}" for move, _, name in moves[1:])
        return (
            f"With fewer sources the {shortened(estimator)} estimate moves most: p(R|{quoted(level)}) by "
            f"{decimal(most)}{others}"
        )

    @property
    def description(self) -> str:
        """Where each level begins and ends, per estimator."""
        parts = []
        for estimator, grid in zip(self.estimators, self.probability, strict=True):
            said = [
                f"{quoted(level)} {decimal(found[0][1])} with k = {self.sources[found[0][0]]} and "
                f"{decimal(found[-1][1])} with k = {self.sources[found[-1][0]]}"
                for level, row in zip(self.levels, grid, strict=True)
                if (found := known(row))
            ]
            parts.append(f"{shortened(estimator)}: {', '.join(said) or 'nothing is known'}.")
        return f"p(R|level) from the doubly judged results of the k best sources. {' '.join(parts)}"

    def table(self) -> Table:
        """One row per estimator, level and k."""
        columns = (
            Column("estimator", "estimator", align="left"),
            Column("level", "level", align="left"),
            Column("sources", "sources (k)", show_number(0)),
            Column("probability", "p(R|level)", show_number(3)),
        )
        rows = tuple(
            (estimator, level, sources, value)
            for estimator, grid in zip(self.estimators, self.probability, strict=True)
            for level, row in zip(self.levels, grid, strict=True)
            for sources, value in zip(self.sources, row, strict=True)
        )
        return Table(self.title, columns, rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """A panel per estimator, a line per level."""
        import altair as alt

        table, columns = self.table(), max(len(self.estimators), 1)
        base = (
            alt.Chart()
            .encode(
                x=alt.X(field="sources", type="quantitative", title="k best sources")
                .scale(zero=False, nice=False, padding=8)
                .axis(grid=False, tickMinStep=1, tickCount=6, format="d"),
                y=alt.Y(field="probability", type="quantitative", title="p(R|level)").scale(domain=[0, 1]),
                color=colors("level", self.levels, palette, title="level"),
                tooltip=tips(table),
            )
            .properties(width=max((width - 70) // columns - 20, 120), height=260)
        )
        lines = base.mark_line(strokeWidth=2)
        points = base.mark_point(filled=True, size=50, opacity=1).encode(
            shape=shapes("level", self.levels, title="level")
        )
        panels = alt.layer(lines, points, data=records(table)).facet(
            facet=alt.Facet(field="estimator", type="nominal", title=None, sort=names_of(self.estimators)),
            columns=columns,
        )
        return finish(
            panels,
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            legend=self.levels,
        )
