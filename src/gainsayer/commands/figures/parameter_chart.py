"""What each grade is worth: of a hundred users, how many find the document relevant?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.drawing.figure import Figure, Grid, as_grid, check_id, check_shape, known, whole
from gainsayer.drawing.svg import Drawing, bracket, cut, dot, text
from gainsayer.table import Table
from gainsayer.words import name_relevance, shortened, sure, times, user_span, users

_ROW, _NARROW_ROW = 50.0, 38.0


@dataclass(frozen=True, repr=False)
class ParameterChart(Figure):
    """p(R|level) per level and notion of relevance, as users of a hundred, with intervals and the counts behind them.

    Parameters:
        id: name in anchors and files.
        levels: names of the levels, from low to high.
        thresholds: what counts as relevant, in words ("HRel or higher"); the title tells of the first.
        probability, lower, upper: estimates and ends of their intervals, `[threshold][level]`; None where unknown.
        relevant_counts, judged_counts: the two counts behind each estimate, in the same shape.
        confidence: of the intervals.

    >>> ParameterChart(
    ...     "parameters", ("Non", "Key"), ("Key",), ((0.1, 0.5),), ((0.0, 0.4),), ((0.2, 0.6),), ((5, 25),), ((50, 50),)
    ... ).title
    'Of 100 users, 50 find a document relevant that was graded Key'
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

    @classmethod
    def of(cls, predictions: Sequence[PredictedRelevance], *, id: str = "parameters") -> ParameterChart:
        """p(R|i) per level, with intervals, for each notion of relevance."""
        return cls(
            id,
            predictions[0].levels.names,
            tuple(name_relevance(prediction.relevance) for prediction in predictions),
            as_grid([prediction.probability for prediction in predictions]),
            as_grid([prediction.interval.ends[:, 0] for prediction in predictions]),
            as_grid([prediction.interval.ends[:, 1] for prediction in predictions]),
            as_grid([prediction.relevant_count for prediction in predictions]),
            as_grid([prediction.judged_count for prediction in predictions]),
            predictions[0].confidence,
        )

    @property
    def heading(self) -> str:
        """The question."""
        return "Of 100 users, how many find it relevant?"

    @property
    def caption(self) -> str:
        """What a dot and a bracket are, and what relevant means."""
        often = times(self.confidence)
        means = f"; relevant means {shortened(self.thresholds[0])}" if len(self.thresholds) == 1 else ""
        return (
            f"By the grade an assessor gave it. One dot is one user{means}. The bracket holds the true number {often}."
        )

    @property
    def title(self) -> str:
        """What the highest level with an estimate is worth, at the first threshold."""
        found = known(self.probability[0]) if self.probability else []
        if not found:
            return "No grade has second judgments, so nobody knows what one is worth"
        place, share = found[-1]
        return f"Of 100 users, {users(share)} find a document relevant that was graded {shortened(self.levels[place])}"

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
            Column("threshold", "Relevant", align="left"),
            Column("level", "Grade", align="left"),
            Column("probability", "Worth", show_number(3)),
            Column("lower", f"From ({sure(self.confidence)})", show_number(3)),
            Column("upper", f"To ({sure(self.confidence)})", show_number(3)),
            Column("relevant_count", "Found relevant", show_number(1)),
            Column("judged_count", "Second opinions", show_number(1)),
        )
        return from_rows("Share of users who find a document relevant, by its grade", columns, rows)

    def draw(self) -> Drawing:
        """A hundred dots per grade, the highest on top, filled up to the estimate; a bracket for the interval."""
        wide = self._draw(_ROW)
        return Drawing(wide.height, wide.marks, self._draw(_NARROW_ROW))

    def _draw(self, row: float) -> Drawing:
        marks: list[str] = []
        y = 0.0
        for at, threshold in enumerate(self.thresholds):
            if len(self.thresholds) > 1:
                marks.append(text(0, y + 16, f"Relevant: {cut(threshold, 30)}", "strong"))
                y += 28
            for level in reversed(range(len(self.levels))):
                marks += self._draw_level(at, level, y)
                y += row
        return Drawing(max(y, 20.0) - (4 if row == _ROW else 0), tuple(marks))

    def _draw_level(self, at: int, level: int, y: float) -> list[str]:
        share, low, high = self.probability[at][level], self.lower[at][level], self.upper[at][level]
        span = user_span(low, high)
        name = cut(self.levels[level], 26)
        said = f"graded {name}: {users(share)} of 100 users" + (f" ({span})" if span else "")
        marks = [text(0, y + 13, name, "strong", title=said)]
        marks.append(text(100, y + 13, users(share), "end strong", after=(span, "faint") if span else None, title=said))
        filled = 0 if share is None or share != share else round(100 * share)
        for style, first, last in (("blue", 0, filled), ("mark-tint", filled, 100)):
            dots = "".join(dot(place + 0.5, y + 27, 2.1) for place in range(first, last))
            marks.append(f'<g class="users {style}">{dots}</g>' if dots else "")
        if low is not None and high is not None:
            marks.append(bracket(100 * low, 100 * high, y + 35, "ink", said))
        return marks
