"""How far each run lies from the first one, or from the baseline, with intervals that hold for all pairs at once."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.drawing.figure import Figure, Row, as_row, check_id, check_shape
from gainsayer.drawing.interval_rows import IntervalRow, draw_rows
from gainsayer.drawing.svg import Drawing
from gainsayer.table import Table
from gainsayer.words import counted, shortened, show_signed, signed, sure

MOST_DRAWN = 40


@dataclass(frozen=True, repr=False)
class RunDifferences(Figure):
    """Each run minus one other run: a line that reaches zero is a difference that the test does not confirm.

    Parameters:
        id: name in anchors and files.
        measure: its name.
        other: the run that is taken away: the first, or the baseline.
        runs: the other runs, the nearest first.
        difference, lower, upper: run minus other; ends for all pairs at once.
        clear: whether the test tells the run from the other.
        p: adjusted for all pairs.
        pairs: how many pairs the intervals hold for.
        confidence: of the intervals.

    >>> RunDifferences(
    ...     "apart", "P@5", "a", ("b", "c"), (-0.1, -0.2), (-0.2, -0.3), (0.01, -0.1), (False, True), (0.1, 0.01), 3
    ... ).title
    'Of 2 runs, 1 cannot be told apart from a'
    """

    id: str
    measure: str
    other: str
    runs: tuple[str, ...]
    difference: Row
    lower: Row
    upper: Row
    clear: tuple[bool, ...]
    p: Row
    pairs: int
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_id(self.id)
        for what in ("difference", "lower", "upper", "clear", "p"):
            check_shape(what, (getattr(self, what),), 1, len(self.runs))

    @classmethod
    def of(cls, comparison: Comparison, part: RunComparison, *, id: str = "differences") -> RunDifferences | None:
        """Each run minus the first one or the baseline; None where there are no tests."""
        found = comparison.from_reference(part)
        if found is None or part.differences is None:
            return None
        return cls(
            id,
            str(part.measure),
            comparison.runs[comparison.reference(part)],
            tuple(comparison.runs[run] for run in found.a.tolist()),
            as_row(found.difference),
            as_row(found.simultaneous_interval[:, 0]),
            as_row(found.simultaneous_interval[:, 1]),
            tuple(found.verdicts.clear.tolist()),
            as_row(found.p_adjusted),
            len(part.differences.a),
            comparison.confidence,
        )

    @property
    def heading(self) -> str:
        """From which run."""
        return f"Difference from {shortened(self.other)} ({shortened(self.measure)})"

    @property
    def caption(self) -> str:
        """What a line says, and that all of them hold at once."""
        some = f"The {MOST_DRAWN} nearest. " if len(self.runs) > MOST_DRAWN else ""
        at_once = f" for all {self.pairs:,} pairs of runs at once" if self.pairs > 1 else ""
        return (
            f"{some}Line: {sure(self.confidence)} interval{at_once}. Blue: it reaches zero, so the test does not tell "
            "the run apart."
        )

    @property
    def title(self) -> str:
        """How many cannot be told apart."""
        near = sum(not clear for clear in self.clear)
        return f"Of {counted(len(self.runs), 'run')}, {near:,} cannot be told apart from {shortened(self.other)}"

    def table(self) -> Table:
        """One row per run, the nearest first."""
        columns = (
            Column("run", "Run", align="left"),
            Column("difference", "Difference", show_number(3)),
            Column("lower", f"From ({sure(self.confidence)}, all pairs)", show_number(3)),
            Column("upper", f"To ({sure(self.confidence)}, all pairs)", show_number(3)),
            Column("p", "p, corrected", show_p),
            Column("clear", "Told apart", align="left"),
        )
        rows = tuple(
            (run, difference, low, high, p, "yes" if clear else "no")
            for run, difference, low, high, p, clear in zip(
                self.runs, self.difference, self.lower, self.upper, self.p, self.clear, strict=True
            )
        )
        return from_rows(self.heading, columns, rows)

    def draw(self) -> Drawing:
        """A row per run, zero in view."""
        rows = [
            IntervalRow(
                *(run, difference, low, high, "mark" if clear else "blue"),
                f"{shortened(run)}: {'unknown' if difference is None else signed(difference)}, "
                f"{'told apart' if clear else 'not told apart'}",
            )
            for run, difference, low, high, clear in list(
                zip(self.runs, self.difference, self.lower, self.upper, self.clear, strict=True)
            )[:MOST_DRAWN]
        ]
        return draw_rows(rows, zero=True, show=show_signed)


def show_p(cell: Cell) -> str:
    """A p-value; one too small to be shown as what it lies below.

    >>> show_p(0.0312), show_p(1e-9), show_p(None)
    ('0.031', '<0.001', '-')
    """
    return "<0.001" if isinstance(cell, float) and cell < 0.001 else show_number(3)(cell)
