"""The disagreement parameters: what each level is worth to a random user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gainsayer.presentation.figures.drawing import colors, finish, names_of, records, shapes, share_of_width, tips
from gainsayer.presentation.figures.figure import WIDTH, Grid, check_id, check_shape, known, whole
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, Palette
from gainsayer.presentation.figures.words import decimal, quoted, share_in_words, spanned
from gainsayer.presentation.tables import Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing


@dataclass(frozen=True)
class ParameterChart(Drawn):
    """p(R|level) per level and notion of relevance, with intervals and the counts behind them.

    Parameters:
        id: name in anchors and files.
        levels: names of the levels, from low to high.
        thresholds: what counts as relevant, in words for the legend ("HRel or better"); the title tells of the first.
        probability, lower, upper: estimates and ends of their intervals, `[threshold][level]`; None where unknown.
        relevant_counts, judged_counts: the two counts behind each estimate, in the same shape.
        confidence: of the intervals.

    >>> ParameterChart(
    ...     "parameters", ("Non", "Key"), ("Key",), ((0.1, 0.5),), ((0.0, 0.4),), ((0.2, 0.6),), ((5, 25),), ((50, 50),)
    ... ).title
    "A 'Key' satisfies about half of the users"
    """

    id: str
    levels: tuple[str, ...]
    thresholds: tuple[str, ...]
    probability: Grid
    lower: Grid
    upper: Grid
    relevant_counts: Grid
    judged_counts: Grid
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_id(self.id)
        for what in ("probability", "lower", "upper", "relevant_counts", "judged_counts"):
            check_shape(what, getattr(self, what), len(self.thresholds), len(self.levels))

    @property
    def title(self) -> str:
        """What the highest level with an estimate is worth, at the first threshold."""
        found = known(self.probability[0]) if self.probability else []
        if not found:
            return "No level has second opinions, so no parameter is known"
        place, share = found[-1]
        who = "users" if len(self.thresholds) == 1 else f"users who look for {quoted(self.thresholds[0])}"
        article = "An" if self.levels[place][:1] in tuple("aeiouAEIOU") else "A"
        return f"{article} {quoted(self.levels[place])} satisfies {share_in_words(share)} of the {who}"

    @property
    def description(self) -> str:
        """Every estimate with its interval."""
        parts = []
        for threshold, values, lows, highs in zip(
            self.thresholds, self.probability, self.lower, self.upper, strict=True
        ):
            said = [
                f"{quoted(level)} {decimal(value)}{spanned(low, high)}"
                for level, value, low, high in zip(self.levels, values, lows, highs, strict=True)
            ]
            parts.append(f"Relevant is {quoted(threshold)}: {', '.join(said)}.")
        return (
            "Probability that a random user finds a document of each level relevant, with "
            f"{self.confidence:.0%} intervals. {' '.join(parts)}"
        )

    def table(self) -> Table:
        """One row per threshold and level."""
        rows = tuple(
            (threshold, level, *values[:3], *map(whole, values[3:]))
            for threshold, *series in zip(
                self.thresholds,
                self.probability,
                self.lower,
                self.upper,
                self.relevant_counts,
                self.judged_counts,
                strict=True,
            )
            for level, *values in zip(self.levels, *series, strict=True)
        )
        columns = (
            Column("threshold", "relevant", align="left"),
            Column("level", "level", align="left"),
            Column("probability", "p(R|level)", show_number(3)),
            Column("lower", f"lower {self.confidence:.0%}", show_number(3)),
            Column("upper", f"upper {self.confidence:.0%}", show_number(3)),
            Column("relevant_count", "found relevant", show_number(1)),
            Column("judged_count", "judged", show_number(1)),
        )
        return Table(self.title, columns, rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """Points with intervals, side by side per level."""
        import altair as alt

        table = self.table()
        color = colors("threshold", self.thresholds, palette, title="relevant")
        shape = shapes("threshold", self.thresholds, title="relevant")
        if len(self.thresholds) == 1:
            color, shape = color.legend(None), shape.legend(None)
        base = alt.Chart(records(table)).encode(
            x=alt.X(field="level", type="ordinal", title="level given by an assessor", sort=None)
            .scale(domain=names_of(self.levels), paddingInner=0.3, paddingOuter=0.2)
            .axis(labelAngle=0, labelOverlap=False, labelLimit=share_of_width(self.levels), ticks=False),
            xOffset=alt.XOffset(field="threshold", type="nominal", sort=None).scale(domain=names_of(self.thresholds)),
            color=color,
            tooltip=tips(table),
        )
        intervals = base.mark_rule(strokeWidth=2.5, opacity=0.7).encode(
            y=alt.Y(field="lower", type="quantitative", title="p(R|level)").scale(domain=[0, 1]),
            y2=alt.Y2(field="upper"),
        )
        points = base.mark_point(filled=True, size=110, opacity=1).encode(
            y=alt.Y(field="probability", type="quantitative").scale(domain=[0, 1]), shape=shape
        )
        labels = base.mark_text(align="left", dx=8, fontSize=11).encode(
            y=alt.Y(field="probability", type="quantitative").scale(domain=[0, 1]),
            text=alt.Text(field="probability", type="quantitative", format=".2f"),
            color=alt.value(palette.muted),
        )
        return finish(
            alt.layer(intervals, points, labels),
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            legend=self.thresholds,
            height=300,
        )
