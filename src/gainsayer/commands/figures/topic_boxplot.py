"""How the parameters vary over topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.drawing.figure import Figure, Row, as_row, check_id, check_shape, known
from gainsayer.drawing.svg import Drawing, Scale, axis, box, cut, diamond, line, text, ticks
from gainsayer.studies.topics import TopicStudy
from gainsayer.table import Table
from gainsayer.words import counted, decimal, shortened

_ROW = 54

# The numbers per level: what they are called, and how many digits are shown.
_PARTS = {
    "whisker_low": ("Low whisker", 3),
    "quartile_1": ("First quartile", 3),
    "median": ("Median", 3),
    "quartile_3": ("Third quartile", 3),
    "whisker_high": ("High whisker", 3),
    "topic_error": ("Topic error", 4),
    "estimate": ("Estimate", 3),
    "binomial_error": ("Binomial error", 4),
}


@dataclass(frozen=True, repr=False)
class TopicBoxplot(Figure):
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
    'Other topics move Key 2.5 times as far as chance within topics does'
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

    @classmethod
    def of(cls, study: TopicStudy, *, id: str = "topics") -> TopicBoxplot:
        """p(R|level) over samples of topics."""
        return cls.from_draws(id, study.levels.names, study.draws, study.estimate, study.binomial)

    @property
    def heading(self) -> str:
        """What varies."""
        return "Users of 100 who find it relevant, with topics drawn again"

    @property
    def caption(self) -> str:
        """What boxes and diamonds are."""
        return (
            f"Box: the middle half of {counted(self.draws, 'draw')} of the topics, whiskers to the furthest draw "
            "within 1.5 box lengths. Diamond: the estimate, with one binomial error to each side, which takes "
            "topics as fixed."
        )

    @property
    def title(self) -> str:
        """For which level the topics matter most, against the binomial error."""
        ratios = [
            (topic / binomial, level)
            for level, topic, binomial in zip(self.levels, self.topic_error, self.binomial_error, strict=True)
            if topic is not None and binomial
        ]
        if not ratios:
            return "No grade was judged twice in several topics"
        ratio, level = max(ratios)
        if ratio < 1:
            return "Other topics move no grade further than chance within topics does"
        return f"Other topics move {shortened(level)} {ratio:.1f} times as far as chance within topics does"

    def table(self) -> Table:
        """One row per level."""
        shown = (Column(key, heading, show_number(digits)) for key, (heading, digits) in _PARTS.items())
        series = [getattr(self, key) for key in _PARTS]
        rows = tuple((level, *values) for level, *values in zip(self.levels, *series, strict=True))
        return from_rows(
            "Worth of each grade over draws of the topics", (Column("level", "Grade", align="left"), *shown), rows
        )

    def draw(self) -> Drawing:
        """A box per level, and below it the estimate with one binomial error to each side."""
        reach = [
            100 * (value + sign * (error or 0.0))
            for value, error in zip(self.estimate, self.binomial_error, strict=True)
            if value is not None
            for sign in (-1, 1)
        ]
        reach += [100 * value for _, value in (*known(self.whisker_low), *known(self.whisker_high))]
        low, high = (min(reach), max(reach)) if reach else (0.0, 100.0)
        scale = Scale(low - 2, high + 2, left=22)
        bottom = _ROW * max(len(self.levels), 1)
        marks = axis(scale, ticks(scale.low, scale.high, 5), 0, bottom)
        for place, level in enumerate(reversed(range(len(self.levels)))):
            marks += self._draw_level(level, _ROW * place, scale)
        return Drawing(bottom + 20, tuple(marks))

    def _draw_level(self, level: int, y: float, scale: Scale) -> list[str]:
        name = shortened(self.levels[level])
        marks = [text(0, y + 25, cut(self.levels[level], 14), "strong", title=name)]
        parts = [getattr(self, key)[level] for key in list(_PARTS)[:5]]
        if None not in parts:
            low, first, middle, third, high = (scale(100 * part) for part in parts)
            said = f"{name}, topics drawn again: median {decimal(parts[2])}, quartiles {decimal(parts[1])} and "
            said += decimal(parts[3])
            marks.append(line(low, y + 18, high, y + 18, "mark", said))
            marks.append(box(first, y + 10, third, 16, "blue-tint", said))
            marks.append(line(middle, y + 10, middle, y + 26, "thick blue", said))
        value, error = self.estimate[level], self.binomial_error[level]
        if value is not None:
            said = f"{name}: {decimal(value)}, binomial error {decimal(error, 3)}"
            if error is not None:
                marks.append(line(scale(100 * (value - error)), y + 37, scale(100 * (value + error)), y + 37, "thick"))
            marks.append(diamond(scale(100 * value), y + 37, 5, "ink", said))
        return marks


def _box(values: npt.NDArray[np.float64]) -> tuple[float, ...]:
    """Low whisker, three quartiles, high whisker and standard deviation; NaN where nothing was drawn."""
    if not values.size:
        return (float("nan"),) * 6
    first, middle, third = np.quantile(values, [0.25, 0.5, 0.75])
    reach = 1.5 * (third - first)
    inside = values[(values >= first - reach) & (values <= third + reach)]
    spread = float(values.std(ddof=1)) if values.size > 1 else float("nan")
    return (float(inside.min()), float(first), float(middle), float(third), float(inside.max()), spread)
