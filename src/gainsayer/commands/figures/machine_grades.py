"""A grade from a machine beside the same grade from a person."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.drawing.figure import Figure, Row, check_id, check_shape
from gainsayer.drawing.svg import Drawing, Scale, axis, cut, diamond, dot, line, text
from gainsayer.table import Table
from gainsayer.words import listed, shortened, signed, sure, times, user_span, users

VERDICTS = ("worth less", "worth more", "no difference found", "worth the same")
_SERIES = (
    *("person", "person_lower", "person_upper", "machine", "machine_lower", "machine_upper"),
    *("difference", "difference_lower", "difference_upper", "person_repeats", "machine_repeats"),
)


@dataclass(frozen=True, repr=False)
class MachineGrades(Figure):
    """Users of a hundred who find a document relevant, by who gave it the grade; and how often a person repeats it.

    Both come from the same documents and topics, so that the difference has an interval of its own.

    Parameters:
        id: name in anchors and files.
        machine: its name.
        levels: names of the levels, from low to high.
        person, person_lower, person_upper: worth of a grade that a person gave; None where unknown.
        machine_...: the same of a grade that the machine gave.
        difference, ...: machine minus person.
        person_repeats, machine_repeats: share of a person's, or the machine's, grades that another person repeats.
        verdict: per level, one of `VERDICTS`, or empty where nothing is known.
        confidence: of the intervals.
    """

    id: str
    machine_name: str
    levels: tuple[str, ...]
    person: Row
    person_lower: Row
    person_upper: Row
    machine: Row
    machine_lower: Row
    machine_upper: Row
    difference: Row
    difference_lower: Row
    difference_upper: Row
    person_repeats: Row
    machine_repeats: Row
    verdict: tuple[str, ...]
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_id(self.id)
        for what in (*_SERIES, "verdict"):
            check_shape(what, (getattr(self, what),), 1, len(self.levels))

    @property
    def heading(self) -> str:
        """Grade by grade."""
        return f"Grade by grade: a person's word and {shortened(self.machine_name)}'s"

    @property
    def caption(self) -> str:
        """What the shapes are."""
        often = times(self.confidence)
        return (
            "Users of 100 who find a document relevant. Circle: a person gave the grade. Diamond: "
            f"{shortened(self.machine_name)} gave it. Line: the true number lies on it {often}."
        )

    @property
    def title(self) -> str:
        """Which grades are worth less, more, or the same."""
        said = [
            f"{listed(some)} {word}"
            for word in VERDICTS
            if (some := [shortened(level) for level, one in zip(self.levels, self.verdict, strict=True) if one == word])
        ]
        return f"From {shortened(self.machine_name)}: {'; '.join(said)}" if said else "No grade can be compared"

    def table(self) -> Table:
        """One row per grade, the highest first."""
        share = show_number(3)
        columns = (
            Column("level", "Grade", align="left"),
            Column("person", "Given by a person", share),
            Column("person_lower", f"From ({sure(self.confidence)})", share),
            Column("person_upper", f"To ({sure(self.confidence)})", share),
            Column("machine", f"Given by {shortened(self.machine_name)}", share),
            Column("machine_lower", f"From ({sure(self.confidence)})", share),
            Column("machine_upper", f"To ({sure(self.confidence)})", share),
            Column("difference", "Difference", share),
            Column("difference_lower", f"From ({sure(self.confidence)})", share),
            Column("difference_upper", f"To ({sure(self.confidence)})", share),
            Column("person_repeats", "A person's grade is repeated", share),
            Column("machine_repeats", "The machine's grade is repeated", share),
            Column("verdict", "Verdict", align="left"),
        )
        rows = tuple(
            (self.levels[at], *(getattr(self, series)[at] for series in _SERIES), self.verdict[at])
            for at in reversed(range(len(self.levels)))
        )
        return from_rows("Share of users who find the document relevant, by who graded it", columns, rows)

    def draw(self) -> Drawing:
        """Two marks per grade; the verdict with its difference beside them."""
        narrow = self._draw(Scale(0, 100, 0, 92), 53.0, (15.0, 27.0, 43.0), verdict_at=0)
        wide = self._draw(Scale(0, 100, 17, 68), 60.0, (34.0, 20.0, 40.0), verdict_at=73)
        return Drawing(wide.height, wide.marks, narrow)

    def _draw(self, scale: Scale, row: float, highs: tuple[float, float, float], *, verdict_at: float) -> Drawing:
        """Rows of this height; in each the grade, a person's mark and the machine's stand so high."""
        name, person, machine = highs
        bottom = row * max(len(self.levels), 1)
        marks = axis(scale, (0, 25, 50, 75, 100), 0, bottom)
        for place, at in enumerate(reversed(range(len(self.levels)))):
            y = row * place
            if place:
                marks.append(line(0, y, 100, y, "rule"))
            marks.append(text(0, y + name, cut(self.levels[at], 14), "strong"))
            for kind, style, high in (("person", "ink", person), ("machine", "orange", machine)):
                marks += self._draw_mark(kind, at, y + high, scale, style)
            marks += self._say_verdict(at, y + (name if verdict_at == 0 else 26), verdict_at)
        return Drawing(bottom + 20, tuple(marks))

    def _draw_mark(self, kind: str, at: int, y: float, scale: Scale, style: str) -> list[str]:
        value, low, high = (getattr(self, f"{kind}{end}")[at] for end in ("", "_lower", "_upper"))
        if value is None:
            return []
        who = "a person" if kind == "person" else shortened(self.machine_name)
        said = f"{shortened(self.levels[at])} from {who}: {users(value)} of 100 users ({user_span(low, high)})"
        marks = []
        end = value
        if low is not None and high is not None:
            marks.append(line(scale(100 * low), y, scale(100 * high), y, f"thick {style}", said))
            end = high
        marks.append((dot if kind == "person" else diamond)(scale(100 * value), y, 5, style, said))
        marks.append(text(scale(100 * end), y + 4, users(value), f"strong {style}", dx=7))
        return marks

    def _say_verdict(self, at: int, y: float, x: float) -> list[str]:
        verdict, difference = self.verdict[at], self.difference[at]
        if not verdict or difference is None:
            return []
        low, high = self.difference_lower[at], self.difference_upper[at]
        ends = "" if low is None or high is None else f" ({signed(100 * low, 0)} to {signed(100 * high, 0)})"
        style = "orange" if verdict in VERDICTS[:2] else "blue"
        words = f"{signed(100 * difference, 0)}{ends}"
        if x == 0:
            return [text(100, y, verdict, f"end strong {style}", after=(words, "faint"))]
        return [text(x, y, verdict, f"strong {style}"), text(x, y + 16, words, "soft")]
