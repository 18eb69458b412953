"""Runs in the order of their scores, with joint intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gainsayer.presentation.figures.drawing import colors, finish, names_of, records, row_step, shapes, tips
from gainsayer.presentation.figures.figure import WIDTH, Grid, check_id, check_shape, known
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, Palette
from gainsayer.presentation.figures.words import counted, decimal, quoted, shortened, spanned
from gainsayer.presentation.tables import Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing

_TOLD = 5


@dataclass(frozen=True)
class RunForest(Drawn):
    """Scores of runs under several kinds of gains, with intervals, mostly over topics and second judgments together.

    Overlapping intervals are not a test: runs share topics, and a paired difference is known more closely.

    Parameters:
        id: name in anchors and files.
        measure: its name ("nDCG@10").
        runs: their names, in any order; the drawing sorts by the first kind of gains.
        gains: names of the kinds of gains, the main one first ("prm", "binary").
        value, lower, upper: scores and ends of their intervals, `[gains][run]`; None where unknown.
        confidence: of the intervals.
        over: what the intervals are over.

    >>> RunForest(
    ...     "forest", "nDCG@10", ("a", "b"), ("prm",), ((0.4, 0.6),), ((0.35, 0.5),), ((0.45, 0.7),)
    ... ).title
    "'b' scores highest (nDCG@10 0.60 with prm gains), and no other run's interval reaches its own"
    """

    id: str
    measure: str
    runs: tuple[str, ...]
    gains: tuple[str, ...]
    value: Grid
    lower: Grid
    upper: Grid
    confidence: float = 0.95
    over: str = "topics and second judgments"

    def __post_init__(self) -> None:
        check_id(self.id)
        for what in ("value", "lower", "upper"):
            check_shape(what, getattr(self, what), len(self.gains), len(self.runs))

    @property
    def title(self) -> str:
        """The best run, and how many others reach its interval."""
        order = self._order()
        best = order[0] if order else None
        if best is None or self.value[0][best] is None:
            return "No run has a score"
        said = (
            f"{quoted(self.runs[best])} scores highest ({shortened(self.measure)} {decimal(self.value[0][best])} with "
            f"{shortened(self.gains[0])} gains)"
        )
        least = self.lower[0][best]
        if least is None or len(order) == 1:
            return said
        near = sum(1 for run in order[1:] if (end := self.upper[0][run]) is not None and end >= least)
        if not near:
            return f"{said}, and no other run's interval reaches its own"
        runs = counted(near, "other run")
        return f"{said}, but the interval{'s' if near > 1 else ''} of {runs} reach{'' if near > 1 else 'es'} its own"

    @property
    def description(self) -> str:
        """The best runs and the last one, per kind of gains."""
        order = self._order()
        parts = []
        for gains, values, lows, highs in zip(self.gains, self.value, self.lower, self.upper, strict=True):
            told = order if len(order) <= _TOLD + 1 else [*order[:_TOLD], order[-1]]
            said = [
                f"{quoted(self.runs[run])} {decimal(values[run], 3)}{spanned(lows[run], highs[run], 3)}" for run in told
            ]
            more = f", and {counted(len(order) - len(told), 'run')} between" if len(told) < len(order) else ""
            parts.append(f"With {shortened(gains)} gains: {', '.join(said)}{more}.")
        return (
            f"{shortened(self.measure)} of {counted(len(self.runs), 'run')} with {self.confidence:.0%} intervals over "
            f"{self.over}, sorted by {shortened(self.gains[0]) if self.gains else 'score'}. "
            f"{' '.join(parts)}"
        )

    def table(self) -> Table:
        """One row per run and kind of gains, best run first."""
        columns = (
            Column("run", "run", align="left"),
            Column("gains", "gains", align="left"),
            Column("value", shortened(self.measure), show_number(3)),
            Column("lower", f"lower {self.confidence:.0%}", show_number(3)),
            Column("upper", f"upper {self.confidence:.0%}", show_number(3)),
        )
        rows = tuple(
            (self.runs[run], gains, values[run], lows[run], highs[run])
            for run in self._order()
            for gains, values, lows, highs in zip(self.gains, self.value, self.lower, self.upper, strict=True)
        )
        return Table(self.title, columns, rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """A dot with its interval per run and kind of gains."""
        import altair as alt

        table, names = self.table(), names_of([self.runs[run] for run in self._order()])
        scale = alt.Scale(zero=False, nice=True)
        color, shape = colors("gains", self.gains, palette, title="gains"), shapes("gains", self.gains, title="gains")
        if len(self.gains) == 1:
            color, shape = color.legend(None), shape.legend(None)
        base = alt.Chart(records(table)).encode(
            y=alt.Y(field="run", type="nominal", title=None, sort=None)
            .scale(domain=names, paddingInner=0.15, paddingOuter=0.1)
            .axis(ticks=False, labelOverlap=False, grid=True, labelFontSize=11),
            yOffset=alt.YOffset(field="gains", type="nominal", sort=None).scale(domain=names_of(self.gains)),
            color=color,
            tooltip=tips(table),
        )
        intervals = base.mark_rule(strokeWidth=2, opacity=0.6).encode(
            x=alt.X(field="lower", type="quantitative", title=shortened(self.measure), scale=scale).axis(tickCount=6),
            x2=alt.X2(field="upper"),
        )
        points = base.mark_point(filled=True, size=55, opacity=1).encode(
            x=alt.X(field="value", type="quantitative", scale=scale), shape=shape
        )
        return finish(
            alt.layer(intervals, points),
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            legend=self.gains,
            height=row_step(len(names), len(self.gains)) * max(len(names), 1),
        )

    def _order(self) -> list[int]:
        worth = dict(known(self.value[0])) if self.value else {}
        return sorted(range(len(self.runs)), key=lambda run: (-worth.get(run, float("-inf")), run))
