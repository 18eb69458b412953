"""What people's labels do to the scores of runs: from the machine alone to people, an arrow per run."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.drawing.figure import WIDTH, Figure, Row, check_id, check_shape, known
from gainsayer.drawing.interval_rows import NAMES, NARROW
from gainsayer.drawing.svg import SIGN, Drawing, Scale, axis, cut, diamond, dot, line, text, ticks, tip
from gainsayer.table import Table
from gainsayer.words import counted, decimal, shortened, signed, spanned, sure

MOST_DRAWN = 16
FAR = 1.35  # times the mean change: a bold name


@dataclass(frozen=True, repr=False)
class RunArrows(Figure):
    """Scores by the machine's grades alone, and what people would have given, with its interval.

    Parameters:
        id: name in anchors and files.
        measure: its name.
        runs: their names, in any order; the drawing sorts by people's score.
        machine: scores by the machine's grades alone; None where unknown.
        people, lower, upper: scores that people would have given, and the ends of their intervals.
        labels: how many of people's labels they rest on.
        confidence: of the intervals.

    >>> RunArrows("arrows", "DCG@10", ("a", "b"), (2.5, 2.0), (2.0, 1.9), (1.8, 1.7), (2.2, 2.1), 300).title
    'The machine alone scores runs 0.30 too high on average, a by 0.50'
    """

    id: str
    measure: str
    runs: tuple[str, ...]
    machine: Row
    people: Row
    lower: Row
    upper: Row
    labels: int
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_id(self.id)
        for what in ("machine", "people", "lower", "upper"):
            check_shape(what, (getattr(self, what),), 1, len(self.runs))

    @property
    def changes(self) -> Row:
        """People's score minus the machine's; None where one of them is unknown."""
        pairs = zip(self.people, self.machine, strict=True)
        return tuple(None if after is None or before is None else after - before for after, before in pairs)

    @property
    def heading(self) -> str:
        """The measure."""
        return f"What people's labels do to the scores ({shortened(self.measure)})"

    @property
    def caption(self) -> str:
        """What the marks are."""
        some = f"{MOST_DRAWN} of {len(self.runs):,} runs, evenly picked. " if len(self.runs) > MOST_DRAWN else ""
        return (
            f"{some}Hollow diamond: the machine alone. Circle: with {counted(self.labels, 'label')} of people. Grey: "
            f"{sure(self.confidence)} interval. Bold: the machine is farther off than for most runs."
        )

    @property
    def title(self) -> str:
        """How far the machine is off, on average and at most."""
        found = known(self.changes)
        if not found:
            return "No run has both scores"
        mean = sum(change for _, change in found) / len(found)
        at, most = max(found, key=lambda one: abs(one[1]))
        way = "high" if mean <= 0 else "low"
        said = f"The machine alone scores runs {abs(mean):.2f} too {way} on average"
        return said if len(found) == 1 else f"{said}, {shortened(self.runs[at])} by {abs(most):.2f}"

    def table(self) -> Table:
        """One row per run, the highest first."""
        digits = show_number(3)
        columns = (
            Column("run", "Run", align="left"),
            Column("machine", "Machine alone", digits),
            Column("people", "For people", digits),
            Column("lower", f"From ({sure(self.confidence)})", digits),
            Column("upper", f"To ({sure(self.confidence)})", digits),
            Column("change", "Change", digits),
        )
        changes = self.changes
        rows = tuple(
            (self.runs[at], self.machine[at], self.people[at], self.lower[at], self.upper[at], changes[at])
            for at in self._order()
        )
        return from_rows(f"{shortened(self.measure)} by the machine alone, and for people", columns, rows)

    def draw(self) -> Drawing:
        """A row per run; names at the left on wide screens, above their line on narrow ones."""
        order = self._order()
        if len(order) > MOST_DRAWN:
            order = [order[round(place * (len(order) - 1) / (MOST_DRAWN - 1))] for place in range(MOST_DRAWN)]
        rows = (self.machine, self.people, self.lower, self.upper)
        found = [value for row in rows for at, value in known(row) if at in order]
        low, high = (min(found), max(found)) if found else (0.0, 1.0)
        room = 0.03 * (high - low) or 0.5
        names = min(max((len(self.runs[at]) for at in order), default=1) * SIGN / WIDTH * 100 + 3, NAMES)
        wide = self._draw(order, Scale(low - room, high + room, left=names), names)
        return Drawing(wide.height, wide.marks, self._draw(order, Scale(low - room, high + room), 0.0))

    def _draw(self, order: list[int], scale: Scale, names: float) -> Drawing:
        narrow = not names
        step = 31 if narrow else 20
        bottom = 4 + step * max(len(order), 1)
        marks = axis(scale, ticks(scale.low, scale.high, most=4 if narrow else 6), 0, bottom)
        changes = self.changes
        sizes = [abs(change) for _, change in known(changes)]
        far = FAR * sum(sizes) / len(sizes) if sizes else 0.0
        for place, at in enumerate(order):
            y = 4 + step * place + (23 if narrow else 10)
            change, before, after = changes[at], self.machine[at], self.people[at]
            said = (
                f"{shortened(self.runs[at])}: {decimal(before)} by the machine alone, {decimal(after)} for people"
                f"{spanned(self.lower[at], self.upper[at])}"
            )
            weight = "strong" if change is not None and sizes and abs(change) >= far > 0 else "soft"
            if narrow:
                marks.append(text(0, y - 8, cut(self.runs[at], NARROW / SIGN), weight, title=said))
            else:
                name = cut(self.runs[at], WIDTH * NAMES / 100 / SIGN - 2)
                marks.append(text(names - 1.5, y + 4, name, f"end {weight}", title=said))
            marks += self._draw_arrow(at, y, scale, said)
        return Drawing(bottom + 20, tuple(marks))

    def _draw_arrow(self, at: int, y: float, scale: Scale, said: str) -> list[str]:
        marks = []
        low, high, before, after = self.lower[at], self.upper[at], self.machine[at], self.people[at]
        if low is not None and high is not None:
            marks.append(line(scale(low), y, scale(high), y, "broad mark-tint", said))
        if before is not None and after is not None:
            marks.append(line(scale(before), y, scale(after), y, "thin orange", said))
            marks += [tip(scale(after), y, before > after, "orange")] if before != after else []
        if after is not None:
            marks.append(dot(scale(after), y, 4, "ink", said))
        if before is not None:
            shift = "" if after is None else f" ({signed(after - before)})"
            marks.append(diamond(scale(before), y, 5, "hollow orange-edge", f"{said}{shift}"))
        return marks

    def _order(self) -> list[int]:
        """Places of the runs, the highest score for people first; unknown ones last."""
        found = dict(known(self.people))
        return sorted(range(len(self.runs)), key=lambda at: (at not in found, -found.get(at, 0.0)))
