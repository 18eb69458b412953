"""How the order of the runs changes between kinds of gains."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.comparison.ranks import rank_scores
from gainsayer.drawing.figure import Figure, check_id, check_shape, whole
from gainsayer.drawing.interval_rows import NARROW
from gainsayer.drawing.svg import SIGN, Drawing, cut, dot, line, text
from gainsayer.errors import CallError
from gainsayer.studies.gain_schemes import GainStudy
from gainsayer.studies.robustness import RobustnessStudy
from gainsayer.table import Table
from gainsayer.words import counted, name_side, shortened

# Of more runs than these, only those that move most are told apart by colour.
_ALL_COLOURED, _MOST_COLOURED = 20, 10
_NAMES = 30.0


@dataclass(frozen=True, repr=False)
class RankSlope(Figure):
    """Ranks of the runs under each kind of gains, joined by lines.

    Tied runs share a rank; the drawing puts them below each other and marks the rank with "=".

    Parameters:
        id: name in anchors and files.
        measure: its name.
        runs: their names.
        gains: names of the kinds of gains, from left to right.
        ranks: rank 1 is the best; `[gains][run]`; tied runs may share a rank or have halves.

    >>> RankSlope("ranks", "nDCG@10", ("a", "b", "c"), ("prm", "binary"), ((1, 2, 3), (3, 1, 2))).title
    '3 of 3 runs change places between prm and binary; a moves most, 2 places down'
    """

    id: str
    measure: str
    runs: tuple[str, ...]
    gains: tuple[str, ...]
    ranks: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("ranks", self.ranks, len(self.gains), len(self.runs))

    @classmethod
    def of_sides(cls, study: RobustnessStudy, *, id: str = "robustness") -> RankSlope:
        """The places of the runs by the two sides' labels, with the first kind of gains that both know.

        Raises:
            CallError: no kind of gains is known for both.
        """
        for row in study.rows:
            if row.first is not None and row.second is not None:
                places = tuple(tuple(map(float, rank_scores(scores))) for scores in (row.first, row.second))
                sides = tuple(f"labels of {name_side(side)}" for side in study.sides)
                return cls(id, f"{study.measure}, {row.gains} gains", study.runs, sides, places)
        raise CallError("There is no figure of this study: no kind of gains is known for the labels of both sides.")

    @classmethod
    def of_gains(cls, study: GainStudy, *, id: str = "gains") -> RankSlope:
        """The places of the runs by each kind of gains."""
        places = tuple(tuple(map(float, rank_scores(scores))) for scores in study.scores.values())
        return cls(id, str(study.measure), study.runs, tuple(study.scores), places)

    @property
    def heading(self) -> str:
        """Which places."""
        return f"Places of the runs ({shortened(self.measure)})"

    @property
    def caption(self) -> str:
        """What the colours are."""
        least = self._least()
        less = "" if least < 1 else f" Grey: moves by less than {least:g} places."
        return f"Blue: moves up. Orange, dashed: moves down.{less} Runs with an equals sign share a place."

    @property
    def title(self) -> str:
        """How many runs change rank between the first and the last kind of gains, and which one most."""
        moves = self._moves()
        changed = [move for move in moves if move]
        if len(self.gains) < 2 or not self.runs:
            return "There is only one order of the runs"
        between = f"between {shortened(self.gains[0])} and {shortened(self.gains[-1])}"
        if not changed:
            return f"No run changes its place {between}"
        most = max(range(len(moves)), key=lambda run: abs(moves[run]))
        way = "down" if moves[most] > 0 else "up"
        change = "changes its place" if len(changed) == 1 else "change places"
        return (
            f"{len(changed):,} of {counted(len(self.runs), 'run')} {change} "
            f"{between}; {shortened(self.runs[most])} moves most, {counted(abs(moves[most]), 'place')} {way}"
        )

    def table(self) -> Table:
        """One row per run and kind of gains, in the order of the first kind."""
        columns = (
            Column("run", "Run", align="left"),
            Column("gains", "By", align="left"),
            Column("rank", "Place", show_number(1)),
        )
        order = sorted(range(len(self.runs)), key=lambda run: self.ranks[0][run]) if self.ranks else []
        rows = tuple(
            (self.runs[run], gains, whole(ranks[run]))
            for run in order
            for gains, ranks in zip(self.gains, self.ranks, strict=True)
        )
        return from_rows(self.heading, columns, rows)

    def draw(self) -> Drawing:
        """A line per run; names stand at both ends. Blue moves up, orange down; dashed lines say down, too."""
        wide = self._draw(660)
        return Drawing(wide.height, wide.marks, self._draw(NARROW))

    def _draw(self, width: int) -> Drawing:
        step = 20.0 if len(self.runs) <= _ALL_COLOURED else 16.0
        columns = [self._places(ranks) for ranks in self.ranks]
        steps = max(len(self.gains) - 1, 1)
        xs = [_NAMES + (100 - 2 * _NAMES) * at / steps for at in range(len(self.gains))]
        signs = width * _NAMES / 100 / SIGN - 1
        between = width * (100 - 2 * _NAMES) / 100 / steps / SIGN - 1
        marks = [
            text(x, 13, cut(name, signs if len(xs) < 3 else between), "mid strong small", title=shortened(name))
            for x, name in zip(xs, self.gains, strict=True)
        ]
        moves, least = self._moves(), self._least()
        for run in range(len(self.runs)):
            move = moves[run]
            style = "mark" if abs(move) < least else "orange dashed" if move > 0 else "blue"
            color = style.split()[0]
            ys = [30 + step * places[run] for places in columns]
            said = f"{shortened(self.runs[run])}: " + ", ".join(
                f"{ranks[run]:g} by {shortened(gains)}" for gains, ranks in zip(self.gains, self.ranks, strict=True)
            )
            for at in range(len(xs) - 1):
                marks.append(line(xs[at], ys[at], xs[at + 1], ys[at + 1], f"thick {style}", said))
            marks += [dot(x, y, 3, color, said) for x, y in zip(xs, ys, strict=True)]
            ends = ((0, "end", -8), (len(xs) - 1, "", 8)) if len(xs) > 1 else ((0, "end", -8),)
            for at, side, dx in ends:
                tied = "=" if self.ranks[at].count(self.ranks[at][run]) > 1 else ""
                label = cut(f"{self.ranks[at][run]:g}{tied} {self.runs[run]}", signs)
                marks.append(text(xs[at], ys[at] + 4, label, f"small {side}".strip(), dx=dx, title=said))
        return Drawing(30 + step * max(len(self.runs), 1), tuple(marks))

    def _places(self, ranks: tuple[float, ...]) -> dict[int, int]:
        """A place of its own for each run, also for tied ones."""
        order = sorted(range(len(self.runs)), key=lambda run: (ranks[run], self.ranks[0][run], run))
        return {run: place for place, run in enumerate(order)}

    def _moves(self) -> list[float]:
        return [last - first for first, last in zip(self.ranks[0], self.ranks[-1], strict=True)] if self.ranks else []

    def _least(self) -> float:
        """From how many ranks on a move is coloured."""
        if len(self.runs) <= _ALL_COLOURED:
            return 0.5
        return max(2.0, sorted(map(abs, self._moves()))[-_MOST_COLOURED])
