"""Who stands for users in an estimate, and whether they are enough to speak about users at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.findings import Finding
from gainsayer.model.estimate import Disagreement
from gainsayer.model.pair_counts import FloatArray

FEWEST_PEOPLE = 4
MOST_NAMES = 3


@dataclass(frozen=True, eq=False)
class UserPanel:
    """The assessors who stand for users: the second side, or everybody where the estimate is symmetric.

    Args:
        sides: the names with pairs on each side that stands for users; one side for a one-sided estimate and where
            there are no sides. Empty where nothing says who gave an opinion.
        recurring: whether some of them judged in several topics. If nobody did, topics and people vary together.
        parts: opinions by person, as `people_intervals` takes them, for the whole matrix: [people, levels, levels] with
            the person in the first and in the second role. None where a side is one name.
        team: which side each person of `parts` is on; None where there is one side.
    """

    sides: tuple[tuple[str, ...], ...]
    recurring: bool
    parts: tuple[FloatArray, FloatArray] | None
    team: npt.NDArray[np.int64] | None

    @property
    def number(self) -> int:
        """People on the smaller of the sides that stand for users."""
        return min(len(side) for side in self.sides)


def find_panel(disagreement: Disagreement) -> UserPanel:
    """Who stands for users, and the opinions that go with each of them.

    One-sided: the second side gives the opinions that are predicted. Symmetric: both sides do, so that without a person
    all pairs go in which they take part.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairing import count_pairs
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> find_panel(estimate_disagreement(count_pairs(twenty_documents()))).sides
    (('U1',), ('U2',))
    """
    counts, people = disagreement.counts, disagreement.counts.people
    one_sided = disagreement.estimator == "one-sided"
    if people is None:
        sides: tuple[tuple[str, ...], ...] = (counts.second,) if one_sided else (counts.first, counts.second)
        if len(counts.first) > 1 or len(counts.second) > 1:
            sides = ((),)
        return UserPanel(sides, len(counts.topics) > 1, None, None)
    first, second = people.first, people.second
    if one_sided:
        first = np.zeros_like(second)
    elif counts.directed:
        first, second = (part + part.transpose(0, 2, 1) for part in (first, second))
    held = np.asarray((first + second).any(axis=(1, 2)))
    names = [name for name, here in zip(people.names, held, strict=True) if here]
    recurring = bool(people.recurs[held].any())
    first, second = first[held], second[held]
    if one_sided or not counts.directed:
        return UserPanel((tuple(names),), recurring, (first, second), None)
    team = np.where(first.any(axis=(1, 2)), 0, 1)
    sides = tuple(tuple(name for name, side in zip(names, team, strict=True) if side == which) for which in (0, 1))
    return UserPanel(sides, recurring, (first, second), team)


def warn_of_few(panel: UserPanel) -> Finding | None:
    """The finding for two or three assessors who judged several topics each."""
    if not panel.recurring or not 2 <= panel.number < FEWEST_PEOPLE:
        return None
    names = " and ".join(f"{len(side)} assessors ({_listed(side)})" for side in panel.sides)
    message = (
        f"Users are represented by {names}, some of whom judged several topics. The intervals are over "
        "topics: for these assessors, not for users, as others may be stricter or more lenient. From "
        f"{FEWEST_PEOPLE} assessors{' on each side' if len(panel.sides) > 1 else ''} on, intervals allow for that."
    )
    return Finding("few-assessors", message)


def note_of_all(panel: UserPanel, topics: int) -> str:
    """What stands under a table whose intervals are over people."""
    numbers = " and ".join(str(len(side)) for side in panel.sides)
    return (
        f"The intervals are for users: the larger of the variances over {topics:,} topics and over {numbers} assessors."
    )


def note_of_these(panel: UserPanel) -> str | None:
    """What stands under a table whose intervals are over topics, where somebody judged several of them."""
    if not panel.recurring:
        return None
    if not any(panel.sides):
        return "The intervals are over topics: nothing says who gave which opinion, so assessors cannot be left out."
    names = [name for side in panel.sides if len(side) == 1 for name in side]
    alone = f" ({', '.join(names)} {'is one name' if len(names) == 1 else 'are one name each'})" if names else ""
    return f"The intervals are over topics: for these assessors, not for users{alone}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{', '.join(names[:MOST_NAMES])}, ..."
