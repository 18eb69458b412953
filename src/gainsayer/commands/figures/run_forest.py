"""Runs in the order of their scores, with joint intervals."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.commands.compare_tables import group_runs
from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.drawing.figure import Figure, Row, as_row, check_id, check_shape, known
from gainsayer.drawing.interval_rows import NARROW, IntervalRow, draw_rows
from gainsayer.drawing.svg import SIGN, Drawing, Scale, axis, cut, dot, line, text, ticks
from gainsayer.table import Table
from gainsayer.words import (
    ABOVE_BASELINE,
    BASELINE,
    BELOW,
    FIRST,
    counted,
    decimal,
    shortened,
    spanned,
    sure,
    times,
)

_BLUE = (FIRST, ABOVE_BASELINE)
ALL_NAMED = 12
_NAMED, _NAMED_NARROW = 10, 4
_WIDE = 500  # pixels of a column on the narrowest screen that shows two


@dataclass(frozen=True, repr=False)
class RunForest(Figure):
    """Scores of runs with intervals, mostly over topics and second judgments together.

    Overlapping intervals are not a test: runs share topics, and a paired difference is known more closely. The groups
    are the test's; blue runs cannot be told apart from the first one, or are better than the baseline.

    Parameters:
        id: name in anchors and files.
        measure: its name ("nDCG@10").
        runs: their names, in any order; the drawing sorts by score.
        value, lower, upper: scores and ends of their intervals; None where unknown.
        group: of each run, in words; empty where there was no test.
        best_place, worst_place: the places a run may have; None where unknown.
        short: whether many runs are drawn close together and only the highest named.
        confidence: of the intervals.
        over: what the intervals are over.

    >>> RunForest(
    ...     "forest", "nDCG@10", ("a", "b"), (0.4, 0.6), (0.35, 0.5), (0.45, 0.7), (BELOW, FIRST), (2, 1), (2, 1)
    ... ).title
    'b is the best of 2 runs'
    """

    id: str
    measure: str
    runs: tuple[str, ...]
    value: Row
    lower: Row
    upper: Row
    group: tuple[str, ...] = ()
    best_place: Row = ()
    worst_place: Row = ()
    short: bool = False
    confidence: float = 0.95
    over: str = "other topics and other assessors"

    def __post_init__(self) -> None:
        check_id(self.id)
        for what in ("value", "lower", "upper"):
            check_shape(what, (getattr(self, what),), 1, len(self.runs))
        for what in ("group", "best_place", "worst_place"):
            if getattr(self, what):
                check_shape(what, (getattr(self, what),), 1, len(self.runs))

    @classmethod
    def of(cls, comparison: Comparison, part: RunComparison, *, id: str = "forest", short: bool = False) -> RunForest:
        """The runs by one measure and kind of gains, with joint intervals."""
        standings = part.standings
        return cls(
            id,
            str(part.measure),
            comparison.runs,
            as_row(standings.value),
            as_row(standings.interval[:, 0]),
            as_row(standings.interval[:, 1]),
            tuple(group_runs(comparison, part)),
            as_row(standings.rank_interval[:, 0]),
            as_row(standings.rank_interval[:, 1]),
            short,
            comparison.confidence,
            "other topics and other assessors" if part.shares is not None else "other topics",
        )

    @property
    def heading(self) -> str:
        """The measure."""
        return f"Score of each run ({shortened(self.measure)})"

    @property
    def caption(self) -> str:
        """What dot, line and colours are."""
        often = times(self.confidence)
        said = f"Dot: score. Line: where it would lie with {self.over}, {often}."
        if FIRST in self.group and not self._is_short():
            said += " Blue: cannot be told apart from the first. Grey: shown to score lower."
        elif BASELINE in self.group:
            said += " Blue: shown to be better than the baseline."
        return said

    @property
    def title(self) -> str:
        """The best run, or how many may be it."""
        order = self._order()
        if not order or self.value[order[0]] is None:
            return "No run has a score"
        best = shortened(self.runs[order[0]])
        near = sum(group == FIRST for group in self.group)
        if near > 1:
            return f"{best} scores highest, but {near - 1:,} of {len(order) - 1:,} others cannot be told apart from it"
        if near == 1 and len(order) > 1:
            return f"{best} is the best of {len(order):,} runs"
        return f"{best} scores highest, {decimal(self.value[order[0]], 3)}"

    def table(self) -> Table:
        """One row per run, best run first."""
        columns = (
            Column("run", "Run", align="left"),
            Column("value", "Score", show_number(3)),
            Column("lower", f"From ({sure(self.confidence)})", show_number(3)),
            Column("upper", f"To ({sure(self.confidence)})", show_number(3)),
            Column("places", "Places it may have", lambda cell: str(cell or "")),
            Column("group", "Group", lambda cell: str(cell or ""), "left"),
        )
        rows = tuple(
            (
                *(self.runs[run], self.value[run], self.lower[run], self.upper[run]),
                *(self._places(run), self.group[run] if self.group else None),
            )
            for run in self._order()
        )
        return from_rows(f"{shortened(self.measure)}, {counted(len(self.runs), 'run')}", columns, rows)

    def draw(self) -> Drawing:
        """Every run in a row of its own; or the highest ones named, and the others close together below."""
        if self.short and known(self.value):
            few = len(known(self.value)) <= ALL_NAMED
            wide = self._draw_short(ALL_NAMED if few else _NAMED, _WIDE, 24.0 if few else 18.0)
            narrow = self._draw_short(ALL_NAMED if few else _NAMED_NARROW, NARROW, 15.0)
            return Drawing(wide.height, wide.marks, narrow)
        rows = [
            IntervalRow(
                *(self.runs[run], self.value[run], self.lower[run], self.upper[run]),
                *(self._style(run), self._say(run), place == 0 or self._is_baseline(run)),
            )
            for place, run in enumerate(self._order())
        ]
        return draw_rows(rows)

    def _draw_short(self, named: int, width: int, step: float) -> Drawing:
        order = [run for run in self._order() if self.value[run] is not None]
        named = min(named, len(order))
        kept, off = order[: len(order) - self._count_off(order)], order[len(order) - self._count_off(order) :]
        spans = [one for run in kept for one in (self.value[run], self.lower[run], self.upper[run]) if one is not None]
        low, high = min(spans), max(spans)
        room = 0.02 * (high - low) or 0.01
        # Names stand at the left end of their lines: the scale begins so far left that they fit. Those of low runs may
        # stand at the right end.
        left = low - room
        for run in kept[:named]:
            share = min((len(cut(self.runs[run], 30)) * SIGN * 1.06 + 14) / width, 0.62)
            if (high - _high(self, run)) / (high - low or 1) < share:
                left = min(left, (_low(self, run) - share * (high + room)) / (1 - share))
        scale = Scale(left, high + room)
        dense = min(4.3, (215 if width == _WIDE else 125) / max(len(kept) - named, 1))
        marks: list[str] = []
        places: dict[int, float] = {}
        for place, run in enumerate(kept):
            inside = place < named
            y = 8 + step * place if inside else 8 + step * (named - 1) + step / 2 + 4 + dense * (place - named)
            places[run] = y
            style, said = self._style(run), self._say(run)
            lower, upper = self.lower[run], self.upper[run]
            if lower is not None and upper is not None:
                weight = "thick" if inside else "thin"
                marks.append(line(scale(lower), y, scale(upper), y, f"{weight} {style}", said))
            marks.append(dot(scale(self.value[run] or 0.0), y, 4 if inside else 1.7, style, said))
            if inside:
                weight = "strong" if place == 0 else "soft"
                before, behind = scale(_low(self, run)), 100 - scale(_high(self, run))
                need = (len(cut(self.runs[run], 30)) * SIGN * 1.06 + 10) / width * 100
                if before >= need or before >= behind:
                    name = cut(self.runs[run], before / 100 * width / SIGN)
                    marks.append(text(before, y + 4, name, f"end {weight}", dx=-8, title=said))
                else:
                    name = cut(self.runs[run], behind / 100 * width / SIGN)
                    marks.append(text(100 - behind, y + 4, name, weight, dx=8, title=said))
        bottom = 8 + step * named + dense * max(len(kept) - named, 0) + 6
        marks += self._count_groups(kept, named, places, scale, width)
        for run in off:
            bottom += 14
            words = f"◀ {cut(self.runs[run], 28)} {decimal(self.value[run])}, off the scale"
            marks.append(text(0, bottom - 4, words, "small faint", title=self._say(run)))
        beginning = [line(0, 0, 0, bottom, "hair")]
        return Drawing(
            bottom + 20,
            (*beginning, *axis(scale, ticks(scale.low, scale.high, 6), 0, bottom), *marks),
        )

    def _count_groups(
        self, kept: list[int], named: int, places: dict[int, float], scale: Scale, width: int
    ) -> list[str]:
        """How many are blue and how many grey, beside the lines."""
        marks = []
        # Of those with the first, the first itself is not one that cannot be told apart from it.
        near, lower = sum(group == FIRST for group in self.group) - 1, sum(group == BELOW for group in self.group)
        words = {
            "blue": (f"{near:,} others cannot be", "told apart from the first")
            if width == _WIDE
            else (f"{near:,} others cannot", "be told apart", "from the first"),
            "soft": (f"{lower:,} run{'s score' if lower != 1 else ' scores'}", "lower than it"),
        }
        for style, group in (("blue", FIRST), ("soft", BELOW)):
            some = [run for run in kept[named:] if self.group and self.group[run] == group]
            if len(some) < 4:
                continue
            y = (places[some[0]] + places[some[-1]]) / 2
            around = [run for run in kept if abs(places[run] - y) < 22]
            left, right = min(scale(_low(self, run)) for run in around), max(scale(_high(self, run)) for run in around)
            need = 100 * SIGN * 1.08 * max(map(len, words[style])) / width + 2
            if group == FIRST and left > need:
                x, side, dx = left, " end", -10
            elif 100 - right > need:
                x, side, dx = right, "", 10
            elif left > need:
                x, side, dx = left, " end", -10
            else:
                continue
            marks += [
                text(x, y + shift, part, f"{style} strong{side}", dx=dx)
                for shift, part in zip((-4, 12, 28), words[style], strict=False)
            ]
        baseline = [run for run in kept[named:] if self._is_baseline(run)]
        for run in baseline:
            marks.append(text(scale(_high(self, run)), places[run] + 4, cut(self.runs[run], 24), "small", dx=6))
        return marks

    def _count_off(self, order: list[int]) -> int:
        """How many of the lowest runs lie so far from the others that a scale for all would hide these."""
        worth = dict(known(self.value))
        for count in (3, 2, 1):
            at = len(order) - count
            if at > ALL_NAMED and worth[order[at - 1]] - worth[order[at]] > 0.5 * (
                worth[order[0]] - worth[order[at - 1]]
            ):
                return count
        return 0

    def _places(self, run: int) -> str | None:
        best = self.best_place[run] if self.best_place else None
        worst = self.worst_place[run] if self.worst_place else None
        if best is None or worst is None:
            return None
        return f"{best:.0f}" if best == worst else f"{best:.0f} to {worst:.0f}"

    def _is_short(self) -> bool:
        return self.short and len(known(self.value)) > ALL_NAMED

    def _is_baseline(self, run: int) -> bool:
        return bool(self.group) and self.group[run] == BASELINE

    def _style(self, run: int) -> str:
        if not self.group or self._is_baseline(run):
            return "ink" if self.group else "blue"
        return "blue" if self.group[run] in _BLUE else "mark"

    def _say(self, run: int) -> str:
        group = f"; {self.group[run]}" if self.group and self.group[run] else ""
        ends = spanned(self.lower[run], self.upper[run], 3)
        return f"{shortened(self.runs[run])}: {decimal(self.value[run], 3)}{ends}{group}"

    def _order(self) -> list[int]:
        worth = dict(known(self.value))
        return sorted(range(len(self.runs)), key=lambda run: (-worth.get(run, float("-inf")), run))


def _low(figure: RunForest, run: int) -> float:
    low = figure.lower[run]
    return low if low is not None else figure.value[run] or 0.0


def _high(figure: RunForest, run: int) -> float:
    high = figure.upper[run]
    return high if high is not None else figure.value[run] or 0.0
