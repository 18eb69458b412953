"""How the parameters settle as second judgments are added."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.drawing.curves import Curve, Panel, draw_panels
from gainsayer.drawing.figure import Figure, Grid, as_grid, check_id, check_shape, known
from gainsayer.drawing.svg import Drawing
from gainsayer.studies.amount import AmountStudy
from gainsayer.table import Table
from gainsayer.words import counted, shortened, users

CLOSE = 0.05


@dataclass(frozen=True, repr=False)
class AmountCurve(Figure):
    """Mean and standard deviation of p(R|level) over simulated rounds, against the number of second judgments.

    Parameters:
        id: name in anchors and files.
        levels: names of the levels, from low to high.
        amounts: numbers of second judgments, ascending.
        mean, spread: mean and standard deviation over the rounds, `[level][amount]`; None where no round had a case.
        rounds: how many rounds were simulated.

    >>> AmountCurve("amount", ("Key",), (100, 200), ((0.5, 0.5),), ((0.08, 0.04),), 50).title
    'From 200 second judgments on, every grade moves by at most 5 users'
    """

    id: str
    levels: tuple[str, ...]
    amounts: tuple[int, ...]
    mean: Grid
    spread: Grid
    rounds: int

    def __post_init__(self) -> None:
        check_id(self.id)
        check_shape("mean", self.mean, len(self.levels), len(self.amounts))
        check_shape("spread", self.spread, len(self.levels), len(self.amounts))

    @classmethod
    def of(cls, study: AmountStudy, *, id: str = "amount", most: int | None = None) -> AmountCurve:
        """How the estimates settle as double judgments come in, at all sizes or at so many of them."""
        chosen = pick_some(len(study.sizes), most)
        return cls(
            id,
            study.levels.names,
            tuple(int(size) for size in study.sizes[chosen]),
            as_grid(study.mean[chosen].T),
            as_grid(study.deviation[chosen].T),
            study.rounds,
        )

    @property
    def heading(self) -> str:
        """What moves."""
        return "How far each grade's worth still moves by chance (± users of 100)"

    @property
    def caption(self) -> str:
        """What a line is, and the scale."""
        return (
            f"From the first few second judgments to all of them, in {counted(self.rounds, 'random order')}. Each step "
            "to the right multiplies."
        )

    @property
    def title(self) -> str:
        """From which amount on all levels are known closely, or which level is not."""
        enough = None
        for place in reversed(range(len(self.amounts))):
            if not all((spread := row[place]) is not None and spread <= CLOSE for row in self.spread):
                break
            enough = self.amounts[place]
        if enough is not None:
            return f"From {counted(enough, 'second judgment')} on, every grade moves by at most {users(CLOSE)} users"
        last = [(row[-1], level) for row, level in zip(self.spread, self.levels, strict=True) if row]
        unknown = [level for spread, level in last if spread is None]
        if unknown:
            return f"Even with all second judgments, nobody knows how far {shortened(unknown[0])} moves"
        if not last:
            return "No number of second judgments was tried"
        spread, level = max((spread or 0.0, level) for spread, level in last)
        return (
            f"Even after {counted(self.amounts[-1], 'second judgment')}, {shortened(level)} still moves by "
            f"{users(spread)} users of 100"
        )

    def table(self) -> Table:
        """One row per amount: mean and standard deviation of each level."""
        columns = [Column("amount", "Second judgments", show_number(0))]
        for level in self.levels:
            name = shortened(level)
            columns.append(Column(f"mean {level}", f"Worth of {name}", show_number(3)))
            columns.append(Column(f"spread {level}", f"± {name}", show_number(3)))
        rows = tuple(
            (amount, *(row[place] for pair in zip(self.mean, self.spread, strict=True) for row in pair))
            for place, amount in enumerate(self.amounts)
        )
        return from_rows("Worth of each grade from growing numbers of second judgments", tuple(columns), rows)

    def draw(self) -> Drawing:
        """A line per grade: how far it still moves."""
        curves = [
            Curve(level, tuple((amount, 100 * spread) for amount, spread in self._steps(place) if spread == spread))
            for place, level in enumerate(self.levels)
        ]
        return draw_panels([Panel("", tuple(curves))], x="second judgments", logarithmic=True)

    def _steps(self, level: int) -> list[tuple[float, float]]:
        return [(self.amounts[place], spread) for place, spread in known(self.spread[level])]


def pick_some(count: int, most: int | None) -> list[int]:
    """At most so many of the places from 0 on, evenly apart, the first and the last among them.

    >>> pick_some(9, 3), pick_some(2, 5)
    ([0, 4, 8], [0, 1])
    """
    if most is None or count <= most:
        return list(range(count))
    return [round(place * (count - 1) / (most - 1)) for place in range(most)]
