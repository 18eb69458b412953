"""The difference of two runs, with its interval and the margin that is too small to matter."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.commands.verdict import decide_pair
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.drawing.figure import Figure, check_id
from gainsayer.drawing.interval_rows import NARROW
from gainsayer.drawing.svg import Drawing, Scale, axis, box, cut, dot, line, text, ticks
from gainsayer.table import Table
from gainsayer.words import counted, shortened, show_signed, signed, sure, times


@dataclass(frozen=True, repr=False)
class DifferenceLine(Figure):
    """How much higher run a scores than run b: one line, clear of 0 exactly where the test tells them apart.

    Parameters:
        id: name in anchors and files.
        measure: its name.
        a, b: names of the runs.
        difference, lower, upper: a minus b, and the ends of its interval; None where there is none.
        margin: the smallest difference that matters; None where nobody said.
        verdict: in words.
        topics: how many.
        confidence: of the interval.
        inner_lower, inner_upper: the interval that decides about the margin, with twice the error rate; or None.
        over: what would give another difference.

    >>> DifferenceLine("difference", "nDCG@10", "a", "b", 0.011, -0.033, 0.068, 0.02, "undecided", 43).title
    'a scores 0.011 higher than b, from −0.033 to +0.068: undecided'
    """

    id: str
    measure: str
    a: str
    b: str
    difference: float
    lower: float | None
    upper: float | None
    margin: float | None
    verdict: str
    topics: int
    confidence: float = 0.95
    inner_lower: float | None = None
    inner_upper: float | None = None
    over: str = "other topics and assessors"

    def __post_init__(self) -> None:
        check_id(self.id)

    @classmethod
    def of(cls, comparison: Comparison, part: RunComparison, *, id: str = "difference") -> DifferenceLine:
        """The difference of two runs."""
        verdict = decide_pair(comparison, part)
        lower, upper = verdict.interval or (None, None)
        inner_lower, inner_upper = verdict.inner_interval or (None, None)
        return cls(
            id,
            verdict.measure,
            verdict.a,
            verdict.b,
            verdict.difference,
            lower,
            upper,
            margin=verdict.margin,
            verdict=verdict.verdict,
            topics=verdict.topics,
            confidence=verdict.confidence,
            inner_lower=inner_lower,
            inner_upper=inner_upper,
            over=verdict.over,
        )

    @property
    def heading(self) -> str:
        """The measure."""
        return f"Difference in {shortened(self.measure)}"

    @property
    def caption(self) -> str:
        """What dot, line and shade are."""
        often = times(self.confidence)
        share = f"{sure(1 - 2 * (1 - self.confidence))} interval"
        same = "" if self.inner_lower is None else f" Equivalent: its thick part ({share}) keeps inside the shade."
        return (
            f"Dot: mean over {counted(self.topics, 'topic')}. Line: where it would lie with {self.over}, {often}. "
            f"Better: the line keeps clear of zero.{same}"
        )

    @property
    def title(self) -> str:
        """The difference and the verdict."""
        higher = "higher" if self.difference >= 0 else "lower"
        ends = (
            "" if self.lower is None or self.upper is None else f", from {signed(self.lower)} to {signed(self.upper)}"
        )
        return (
            f"{shortened(self.a)} scores {abs(self.difference):.3f} {higher} than {shortened(self.b)}{ends}: "
            f"{self.verdict}"
        )

    def table(self) -> Table:
        """One row."""
        columns = (
            Column("a", "Run", align="left"),
            Column("b", "Other run", align="left"),
            Column("difference", "Difference", show_number(4)),
            Column("lower", f"From ({sure(self.confidence)})", show_number(4)),
            Column("upper", f"To ({sure(self.confidence)})", show_number(4)),
            Column("inner_lower", f"From ({sure(1 - 2 * (1 - self.confidence))})", show_number(4)),
            Column("inner_upper", f"To ({sure(1 - 2 * (1 - self.confidence))})", show_number(4)),
            Column("margin", "Too small to matter", show_number(4)),
            Column("verdict", "Verdict", align="left"),
        )
        ends = (self.lower, self.upper, self.inner_lower, self.inner_upper)
        row = (self.a, self.b, self.difference, *ends, self.margin, self.verdict)
        return from_rows(self.heading, columns, (row,))

    def draw(self) -> Drawing:
        """Zero in the middle, the margin as a shade, dot and both ends with their numbers."""
        wide = self._draw(24, 5)
        return Drawing(wide.height, wide.marks, self._draw(NARROW / 2 / 7 - 5, 3))

    def _draw(self, signs: float, most: int) -> Drawing:
        known = [abs(one) for one in (self.difference, self.lower, self.upper, self.margin) if one is not None]
        reach = 1.45 * (max(known) or 0.01)
        scale = Scale(-reach, reach)
        top, bottom = 26.0, 96.0
        half = [tick for tick in ticks(0, reach * 0.93, most // 2 + 1) if tick > 0]
        marks = [
            text(0, 13, f"← {cut(self.b, signs)} better", "small soft"),
            text(100, 13, f"{cut(self.a, signs)} better →", "small soft end"),
        ]
        if self.margin is not None:
            marks.append(box(scale(-self.margin), top, scale(self.margin), bottom - top, "hair"))
        marks += axis(scale, [*(-tick for tick in reversed(half)), 0.0, *half], top, bottom, show_signed)
        marks.append(line(50, top, 50, bottom, "mark"))
        y = (top + bottom) / 2 + 6
        if self.lower is not None and self.upper is not None:
            inner = self.inner_lower is not None and self.inner_upper is not None
            marks.append(line(scale(self.lower), y, scale(self.upper), y, "thick" if inner else "heavy", self.title))
            if self.inner_lower is not None and self.inner_upper is not None:
                marks.append(line(scale(self.inner_lower), y, scale(self.inner_upper), y, "heavy", self.title))
            marks.append(text(scale(self.lower), y + 4, signed(self.lower), "end strong", dx=-9))
            marks.append(text(scale(self.upper), y + 4, signed(self.upper), "strong", dx=9))
        marks.append(dot(scale(self.difference), y, 7.5, "ink", self.title))
        marks.append(text(scale(self.difference), y - 15, signed(self.difference), "large strong mid"))
        if self.margin is not None:
            marks.append(text(50, bottom + 31, f"shaded: too small to matter, ±{self.margin:g}", "small faint mid"))
            return Drawing(bottom + 38, tuple(marks))
        return Drawing(bottom + 20, tuple(marks))
