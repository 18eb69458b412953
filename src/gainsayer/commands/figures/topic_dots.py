"""A dot per topic: who won it, or how many users agree with a grade there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.commands.verdict import SAME
from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.drawing.figure import Figure, check_id, check_shape
from gainsayer.drawing.interval_rows import NARROW
from gainsayer.drawing.svg import Drawing, Scale, axis, cut, dot, line, text, ticks
from gainsayer.table import Table
from gainsayer.words import counted, shortened, show_signed, signed, users

_MOST_HIGH = 13


@dataclass(frozen=True, repr=False)
class TopicDifferences(Figure):
    """How much higher run a scores than run b on each topic; topics within 0.005 are ties.

    Parameters:
        id: name in anchors and files.
        measure: its name.
        a, b: names of the runs.
        topics: their names.
        scores_a, scores_b: of the two runs, per topic.

    >>> TopicDifferences("topics", "P@5", "a", "b", ("t1", "t2", "t3"), (0.4, 0.2, 0.2), (0.2, 0.2, 0.6)).title
    'a wins 1 topic and loses 1; 1 is the same'
    """

    id: str
    measure: str
    a: str
    b: str
    topics: tuple[str, ...]
    scores_a: tuple[float, ...]
    scores_b: tuple[float, ...]

    def __post_init__(self) -> None:
        check_id(self.id)
        for what in ("scores_a", "scores_b"):
            check_shape(what, (getattr(self, what),), 1, len(self.topics))

    @property
    def differences(self) -> tuple[float, ...]:
        """Of each topic, a minus b."""
        return tuple(one - other for one, other in zip(self.scores_a, self.scores_b, strict=True))

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many topics were won by a, lost, and the same."""
        won = sum(value > SAME for value in self.differences)
        lost = sum(value < -SAME for value in self.differences)
        return won, lost, len(self.topics) - won - lost

    @classmethod
    def of(cls, comparison: Comparison, part: RunComparison, *, id: str = "topic-dots") -> TopicDifferences:
        """The difference of two runs on each topic; without topics where their scores were not gathered."""
        found = part.winner
        a, b = int(found.a[0]), int(found.b[0])
        names = comparison.runs[a], comparison.runs[b]
        if part.values is None:
            return cls(id, str(part.measure), *names, (), (), ())
        scores = (tuple(part.values[run].tolist()) for run in (a, b))
        return cls(id, str(part.measure), *names, comparison.topics, *scores)

    @property
    def heading(self) -> str:
        """What a dot is."""
        return "One dot per topic"

    @property
    def caption(self) -> str:
        """What the place of a dot is."""
        return f"How much higher or lower {shortened(self.a)} scores than {shortened(self.b)} on each topic."

    @property
    def title(self) -> str:
        """Topics won, lost and the same."""
        won, lost, same = self.counts
        return (
            f"{shortened(self.a)} wins {counted(won, 'topic')} and loses {lost:,}; "
            f"{same:,} {'is' if same == 1 else 'are'} the same"
        )

    def order(self) -> list[int]:
        """The topics from the clearest win to the clearest loss."""
        return sorted(range(len(self.topics)), key=lambda at: (-self.differences[at], self.topics[at]))

    def table(self) -> Table:
        """One row per topic."""
        columns = (
            Column("topic", "Topic", align="left"),
            Column("score_a", shortened(self.a), show_number(3)),
            Column("score_b", shortened(self.b), show_number(3)),
            Column("difference", "Difference", show_number(3)),
        )
        rows = tuple(
            (self.topics[at], self.scores_a[at], self.scores_b[at], self.differences[at]) for at in self.order()
        )
        return from_rows(f"{shortened(self.measure)} by topic", columns, rows)

    def draw(self) -> Drawing:
        """Wins to the right in blue, losses to the left in orange, ties in the middle; the clearest ones named."""
        wide = self._draw(690)
        return Drawing(wide.height, wide.marks, self._draw(NARROW))

    def _draw(self, width: int) -> Drawing:
        reach = 1.08 * max((abs(value) for value in self.differences), default=0.0) or 1.0
        scale = Scale(-reach, reach)
        won, lost, same = self.counts

        def color(value: float) -> str:
            return "mark" if abs(value) <= SAME else "blue" if value > 0 else "orange"

        def middle(value: float) -> float:
            return 0.0 if abs(value) <= SAME else value

        dots, high = stack_dots(
            [middle(value) for value in self.differences],
            scale,
            width,
            [color(value) for value in self.differences],
            [f"{shortened(t)}: {signed(v)}" for t, v in zip(self.topics, self.differences, strict=True)],
            apart=True,
        )
        top, bottom = 4.0, 48.0 + max(high, 46.0)
        half = [tick for tick in ticks(0, reach, 3 if width < 500 else 4) if tick > 0]
        marks = axis(scale, [*(-tick for tick in reversed(half)), 0.0, *half], top, bottom, show_signed)
        marks.append(line(50, top, 50, bottom, "mark"))
        marks += [
            text(0, 15, f"{counted(lost, 'topic')} lost", "orange strong"),
            text(100, 15, f"{counted(won, 'topic')} won", "blue strong end"),
            text(50, 15, f"{same:,} the same", "soft strong", dx=8),
        ]
        order = self.order()
        for at, wins in ((order[0], True), (order[-1], False)) if order else ():
            value = self.differences[at]
            if abs(value) > SAME and (value > 0) is wins:
                x = scale(value)
                marks.append(line(x, 44, x, bottom - 10, "rule"))
                name = cut(self.topics[at], 22 if width > 500 else 16)
                marks.append(text(x, 38, name, "small soft end" if wins else "small soft", dx=4 if wins else -4))
        marks += dots(bottom)
        return Drawing(bottom + 20, tuple(marks))


@dataclass(frozen=True, repr=False)
class TopicSpread(Figure):
    """How many users agree with one grade, topic by topic.

    Parameters:
        id: name in anchors and files.
        level: the grade.
        topics: topics with enough second judgments of this grade.
        share: of the users who find such documents relevant, per topic.
        judged: second judgments behind each.
        least: how many second judgments a topic needs to be shown.

    >>> TopicSpread("by-topic", "Key", ("a", "b"), (0.07, 0.95), (9, 8), 8).title
    'By topic, between 7 and 95 of 100 users find a document relevant that was graded Key'
    """

    id: str
    level: str
    topics: tuple[str, ...]
    share: tuple[float, ...]
    judged: tuple[float, ...]
    least: int

    def __post_init__(self) -> None:
        check_id(self.id)
        for what in ("share", "judged"):
            check_shape(what, (getattr(self, what),), 1, len(self.topics))

    @property
    def heading(self) -> str:
        """What a dot is."""
        return f"Users of 100 who find documents relevant that were graded {shortened(self.level)}, by topic"

    @property
    def caption(self) -> str:
        """Which topics are shown."""
        return (
            f"One dot is one topic: users of 100 who find its {shortened(self.level)} documents relevant "
            f"({counted(len(self.topics), 'topic')} with at least {self.least} second opinions of such documents)."
        )

    @property
    def title(self) -> str:
        """The range."""
        if not self.topics:
            return "No topic has enough second judgments"
        return (
            f"By topic, between {users(min(self.share))} and {users(max(self.share))} of 100 users find a document "
            f"relevant that was graded {shortened(self.level)}"
        )

    def table(self) -> Table:
        """One row per topic."""
        columns = (
            Column("topic", "Topic", align="left"),
            Column("share", "Share of users", show_number(3)),
            Column("judged", "Second opinions", show_number(0)),
        )
        rows = tuple((self.topics[at], self.share[at], round(self.judged[at])) for at in self._order())
        return from_rows(f"Grade {shortened(self.level)} by topic", columns, rows)

    def draw(self) -> Drawing:
        """Dots on a scale of users."""
        wide = self._draw(690)
        return Drawing(wide.height, wide.marks, self._draw(NARROW))

    def _draw(self, width: int) -> Drawing:
        scale = Scale(0, 100, left=2, right=98)
        said = [f"{shortened(t)}: {users(share)} of 100" for t, share in zip(self.topics, self.share, strict=True)]
        dots, high = stack_dots([100 * share for share in self.share], scale, width, ["blue"] * len(said), said)
        bottom = max(high, 20.0) + 12
        marks = axis(scale, (0, 25, 50, 75, 100), 0, bottom)
        return Drawing(bottom + 20, (*marks, *dots(bottom)))

    def _order(self) -> list[int]:
        return sorted(range(len(self.topics)), key=lambda at: (-self.share[at], self.topics[at]))


def stack_dots(
    values: Sequence[float],
    scale: Scale,
    width: int,
    styles: Sequence[str],
    titles: Sequence[str],
    *,
    apart: bool = False,
) -> tuple[Callable[[float], list[str]], float]:
    """Dots in columns: how to draw them above a bottom line, and how high they stand.

    A column is as wide as a dot; with `apart` the middle column holds nothing but zeros, so that colour and side never
    mix. Where a column would be too high its dots shrink.
    """
    size = 100 * 10.5 / width
    columns: dict[int, list[int]] = {}
    for at in sorted(range(len(values)), key=lambda at: values[at]):
        place = (scale(values[at]) - scale(0)) / size
        column = round(place)
        if apart and values[at] and column == 0:
            column = 1 if values[at] > 0 else -1
        columns.setdefault(column, []).append(at)
    highest = max((len(column) for column in columns.values()), default=0)
    step = min(10.5, _MOST_HIGH * 10.5 / max(highest, 1))

    def drawn(bottom: float) -> list[str]:
        return [
            dot(scale(0) + column * size, bottom - 6 - step * high, min(4.6, step / 2), styles[at], titles[at])
            for column, members in columns.items()
            for high, at in enumerate(members)
        ]

    return drawn, step * highest
