"""How the order of the runs changes between kinds of gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gainsayer.presentation.figures.drawing import finish, names_of, records, row_step, tips
from gainsayer.presentation.figures.figure import WIDTH, check_id, check_shape, whole
from gainsayer.presentation.figures.notebook import Drawn
from gainsayer.presentation.figures.palettes import LIGHT, Palette
from gainsayer.presentation.figures.words import counted, quoted, shortened
from gainsayer.presentation.tables import Cell, Column, Table, show_number

if TYPE_CHECKING:
    from gainsayer.presentation.figures.figure import Drawing

# Of more runs than these, only those that move most are told apart by colour.
_ALL_COLOURED, _MOST_COLOURED = 20, 10


@dataclass(frozen=True)
class RankSlope(Drawn):
    """Ranks of the runs under each kind of gains, joined by lines.

    Tied runs share a rank; the drawing puts them below each other and marks the rank with "=".

    Parameters:
        id: name in anchors and files.
        measure: its name.
        runs: their names.
        gains: names of the kinds of gains, from left to right.
        ranks: rank 1 is the best; `[gains][run]`; tied runs may share a rank or have halves.

    >>> RankSlope("ranks", "nDCG@10", ("a", "b", "c"), ("prm", "binary"), ((1, 2, 3), (3, 1, 2))).title
    "3 of 3 runs change rank between prm and binary gains; 'a' moves most (2 ranks down)"
    """

    id: str
    measure: str
    runs: tuple[str, ...]
    gains: tuple[str, ...]
    ranks: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("ranks", self.ranks, len(self.gains), len(self.runs))

    @property
    def title(self) -> str:
        """How many runs change rank between the first and the last kind of gains, and which one most."""
        moves = self._moves()
        changed = [move for move in moves if move]
        if len(self.gains) < 2 or not self.runs:
            return "There is only one order of the runs"
        between = f"between {shortened(self.gains[0])} and {shortened(self.gains[-1])} gains"
        if not changed:
            return f"No run changes rank {between}"
        most = max(range(len(moves)), key=lambda run: abs(moves[run]))
        way = "down" if moves[most] > 0 else "up"
        return (
            f"{len(changed):,} of {counted(len(self.runs), 'run')} change{'s' if len(changed) == 1 else ''} rank "
            f"{between}; {quoted(self.runs[most])} moves most ({counted(abs(moves[most]), 'rank')} {way})"
        )

    @property
    def description(self) -> str:
        """The largest moves."""
        moves = self._moves()
        largest = sorted((run for run in range(len(moves)) if moves[run]), key=lambda run: -abs(moves[run]))[:5]
        said = [f"{quoted(self.runs[run])} from {self.ranks[0][run]:g} to {self.ranks[-1][run]:g}" for run in largest]
        return (
            f"Ranks of {counted(len(self.runs), 'run')} by {shortened(self.measure)} under "
            f"{', '.join(shortened(name) for name in self.gains)} gains, joined by lines. "
            f"{'Largest moves: ' + ', '.join(said) if said else 'No run moves'}."
        )

    def table(self) -> Table:
        """One row per run and kind of gains, in the order of the first kind."""
        columns = (
            Column("run", "run", align="left"),
            Column("gains", "gains", align="left"),
            Column("rank", f"rank by {shortened(self.measure)}", show_number(1)),
        )
        order = sorted(range(len(self.runs)), key=lambda run: self.ranks[0][run]) if self.ranks else []
        rows = tuple(
            (self.runs[run], gains, whole(ranks[run]))
            for run in order
            for gains, ranks in zip(self.gains, self.ranks, strict=True)
        )
        return Table(self.title, columns, rows)

    def chart(self, *, palette: Palette = LIGHT, width: int = WIDTH, titled: bool = True) -> Drawing:
        """A line per run; names stand at both ends."""
        import altair as alt

        table, steps, kinds = self._drawn(), max(len(self.gains) - 1, 1), self._kinds()
        base = alt.Chart(records(table)).encode(
            # A fifth of the width on either side is for the names.
            x=alt.X(field="gains", type="ordinal", title=None, sort=None)
            .scale(type="point", domain=names_of(self.gains), padding=0.393 * steps)
            .axis(orient="top", labelAngle=0, grid=True, domain=False, ticks=False, labelFontWeight=600),
            y=alt.Y(field="place", type="quantitative", title=None)
            .scale(reverse=True, zero=False, nice=False, domain=[0.5, len(self.runs) + 0.5])
            .axis(None),
            color=alt.Color(field="move", type="nominal", title=None)
            .legend(symbolType="stroke", symbolSize=400)
            .scale(domain=kinds, range=[palette.series[2], palette.quiet, palette.series[1]]),
            tooltip=tips(self.table()),
        )
        lines = base.mark_line(strokeWidth=2, opacity=0.85).encode(
            detail=alt.Detail(field="run", type="nominal"),
            strokeDash=alt.StrokeDash(field="move", type="nominal").scale(domain=kinds, range=[[1, 0], [1, 0], [6, 3]]),
        )
        points = base.mark_point(filled=True, size=45, opacity=1)
        limit = alt.ExprRef("0.2 * width")
        left = base.transform_filter("datum.end == 'first'").mark_text(align="right", dx=-10, fontSize=11, limit=limit)
        right = base.transform_filter("datum.end == 'last'").mark_text(align="left", dx=10, fontSize=11, limit=limit)
        texts = [
            part.encode(text=alt.Text(field="label", type="nominal"), color=alt.value(palette.ink))
            for part in (left, right)
        ]
        return finish(
            alt.layer(lines, points, *texts),
            title=self.title,
            description=self.description,
            palette=palette,
            width=width,
            titled=titled,
            legend=kinds,
            height=max(row_step(len(self.runs)) * len(self.runs), 60),
        )

    def _moves(self) -> list[float]:
        return [last - first for first, last in zip(self.ranks[0], self.ranks[-1], strict=True)] if self.ranks else []

    def _least(self) -> float:
        """From how many ranks on a move is coloured."""
        if len(self.runs) <= _ALL_COLOURED:
            return 0.5
        return max(2.0, sorted(map(abs, self._moves()))[-_MOST_COLOURED])

    def _kinds(self) -> list[str]:
        least = self._least()
        return ["moves up", "stays" if least < 1 else f"moves less than {least:g} ranks", "moves down"]

    def _drawn(self) -> Table:
        """The table with what the drawing needs beside it: a place of its own per run, the label, and the move."""
        moves, kinds = self._moves(), self._kinds()
        rows: list[tuple[Cell, ...]] = []
        for column, (gains, ranks) in enumerate(zip(self.gains, self.ranks, strict=True)):
            order = sorted(range(len(self.runs)), key=lambda run: (ranks[run], self.ranks[0][run], run))
            end = "first" if column == 0 else "last" if column == len(self.gains) - 1 else None
            for place, run in enumerate(order, start=1):
                tied = "=" if ranks.count(ranks[run]) > 1 else ""
                label = f"{ranks[run]:g}{tied} {self.runs[run]}"
                move = kinds[1 if abs(moves[run]) < self._least() else 2 if moves[run] > 0 else 0]
                rows.append((self.runs[run], gains, whole(ranks[run]), place, label, move, end))
        keys = ("run", "gains", "rank", "place", "label", "move", "end")
        return Table("", tuple(Column(key, key) for key in keys), tuple(rows))
