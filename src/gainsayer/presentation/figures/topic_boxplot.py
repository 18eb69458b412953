"""How the parameters vary over topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gainsayer.presentation.figures.drawing import finish, names_of, records, share_of_width, tips
from gainsayer.presentation.figures.figure import WIDTH, Row, as_row, check_id, check_shape, known
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, Palette
from gainsayer.presentation.figures.words import counted, decimal, quoted
from gainsayer.presentation.tables import Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing

_KINDS = ("topics drawn anew", "binomial error")

# The numbers per level: what they are called, and how many digits are shown.
_PARTS = {
    "whisker_low": ("low whisker", 3),
    "quartile_1": ("first quartile", 3),
    "median": ("median", 3),
    "quartile_3": ("third quartile", 3),
    "whisker_high": ("high whisker", 3),
    "topic_error": ("topic error", 4),
    "estimate": ("estimate", 3),
    "binomial_error": ("binomial error", 4),
}


@dataclass(frozen=True)
class TopicBoxplot(Drawn):
    """The bootstrap over topics per level, as a boxplot, beside the estimate with its binomial error.

    Boxes reach from the first to the third quartile, whiskers to the furthest draw within 1.5 box lengths.

    Parameters:
        id: name in anchors and files.
        levels: names of the levels, from low to high.
        whisker_low, quartile_1, median, quartile_3, whisker_high: the boxplot per level; None where unknown.
        topic_error: standard deviation of the draws per level.
        estimate, binomial_error: p(R|level) and its binomial error, which holds topics fixed.
        draws: how many times the topics were drawn.

    >>> rng = np.random.default_rng(0)
    >>> draws = rng.normal(0.5, 0.1, (300, 2))
    >>> TopicBoxplot.from_draws("topics", ("Rel", "Key"), draws, (0.5, 0.5), (0.05, 0.04)).title
    "Drawing topics anew gives 2.5 times the binomial error for 'Key'"
    """

    id: str
    levels: tuple[str, ...]
    whisker_low: Row
    quartile_1: Row
    median: Row
    quartile_3: Row
    whisker_high: Row
    topic_error: Row
    estimate: Row
    binomial_error: Row
    draws: int

    def __post_init__(self) -> None:
        check_id(self.id)
        for key in _PARTS:
            check_shape(key, (getattr(self, key),), 1, len(self.levels))

    @classmethod
    def from_draws(
        cls,
        id: str,
        levels: Sequence[str],
        draws: npt.ArrayLike,
        estimate: npt.ArrayLike,
        binomial_error: npt.ArrayLike,
    ) -> TopicBoxplot:
        """The boxplot of bootstrap draws, shape (draws, levels); draws without an estimate (NaN) are left out."""
        values = np.asarray(draws, dtype=np.float64)
        boxes = np.array([_box(column[np.isfinite(column)]) for column in values.T])
        low, first, median, third, high, spread = (as_row(part) for part in boxes.reshape(-1, 6).T)
        given = (as_row(estimate), as_row(binomial_error), len(values))
        return cls(id, tuple(levels), low, first, median, third, high, spread, *given)

    @property
    def title(self) -> str:
        """For which level the topics matter most, against the binomial error."""
        ratios = [
            (topic / binomial, level)
            for level, topic, binomial in zip(self.levels, self.topic_error, self.binomial_error, strict=True)
            if topic is not None and binomial
        ]
        if not ratios:
            return "No level has an error over topics"
        ratio, level = max(ratios)
        if ratio < 1:
            return "For no level do the topics add to the binomial error"
        return f"Drawing topics anew gives {ratio:.1f} times the binomial error for {quoted(level)}"

    @property
    def description(self) -> str:
        """Median, quartiles and both errors per level."""
        said = [
            f"{quoted(self.levels[place])} median {decimal(median)}, quartiles {decimal(self.quartile_1[place])} and "
            f"{decimal(self.quartile_3[place])}, topic error {decimal(self.topic_error[place], 3)}, "
            f"binomial error {decimal(self.binomial_error[place], 3)}"
            for place, median in known(self.median)
        ]
        return f"Boxplot per level of p(R|level) over {counted(self.draws, 'draw')} of the topics. {'; '.join(said)}."

    def table(self) -> Table:
        """One row per level."""
        shown = (Column(key, heading, show_number(digits)) for key, (heading, digits) in _PARTS.items())
        series = [getattr(self, key) for key in _PARTS]
        rows = tuple((level, *values) for level, *values in zip(self.levels, *series, strict=True))
        return Table(self.title, (Column("level", "level", align="left"), *shown), rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """A box per level, and beside it the estimate with one binomial error to each side."""
        import altair as alt

        table = self.table()
        scale = alt.Scale(zero=False, nice=True)
        color = alt.Color(field="kind", type="nominal", title=None).scale(
            domain=list(_KINDS), range=list(palette.series[:2])
        )
        base = alt.Chart(records(table)).encode(
            x=alt.X(field="level", type="ordinal", title="level", sort=None)
            .scale(domain=names_of(self.levels), paddingInner=0.2, paddingOuter=0.1)
            .axis(labelAngle=0, labelOverlap=False, labelLimit=share_of_width(self.levels), ticks=False),
            xOffset=alt.XOffset(field="kind", type="nominal", sort=None).scale(domain=list(_KINDS)),
            color=color,
            tooltip=tips(table),
        )
        topics = base.transform_calculate(kind=f"'{_KINDS[0]}'")
        binomial = base.transform_calculate(
            kind=f"'{_KINDS[1]}'",
            below="datum.estimate - datum.binomial_error",
            above="datum.estimate + datum.binomial_error",
        )
        box = alt.ExprRef(f"max(6, min(28, 0.25 * width / {max(len(self.levels), 1)}))")
        whiskers = topics.mark_rule(strokeWidth=1.5).encode(
            y=alt.Y(field="whisker_low", type="quantitative", title="p(R|level)", scale=scale),
            y2=alt.Y2(field="whisker_high"),
        )
        boxes = topics.mark_rule(strokeWidth=box, opacity=0.4).encode(
            y=alt.Y(field="quartile_1", type="quantitative", scale=scale), y2=alt.Y2(field="quartile_3")
        )
        medians = topics.mark_point(shape="stroke", size=alt.ExprRef(f"pow({box.expr}, 2)"), strokeWidth=3).encode(
            y=alt.Y(field="median", type="quantitative", scale=scale)
        )
        errors = binomial.mark_rule(strokeWidth=2.5, opacity=0.7).encode(
            y=alt.Y(field="below", type="quantitative", scale=scale), y2=alt.Y2(field="above")
        )
        points = binomial.mark_point(filled=True, size=90, opacity=1, shape="diamond").encode(
            y=alt.Y(field="estimate", type="quantitative", scale=scale)
        )
        return finish(
            alt.layer(whiskers, boxes, medians, errors, points),
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            legend=_KINDS,
            height=300,
        )


def _box(values: npt.NDArray[np.float64]) -> tuple[float, ...]:
    """Low whisker, three quartiles, high whisker and standard deviation; NaN where nothing was drawn."""
    if not values.size:
        return (float("nan"),) * 6
    first, middle, third = np.quantile(values, [0.25, 0.5, 0.75])
    reach = 1.5 * (third - first)
    inside = values[(values >= first - reach) & (values <= third + reach)]
    spread = float(values.std(ddof=1)) if values.size > 1 else float("nan")
    return (float(inside.min()), float(first), float(middle), float(third), float(inside.max()), spread)
