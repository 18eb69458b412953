"""One topic and every way in which a user may judge its pool: what expected measures are means over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.ranking import RankedLevels, ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
CHANCE = (0.1, 0.45, 0.8)


@dataclass(frozen=True)
class Topic:
    """A list of judged documents by level, and how many documents of each level the pool has."""

    run: tuple[int, ...] = (1, 0, 2, 2, 0)
    pool: tuple[int, ...] = (3, 2, 3)

    @property
    def ranked(self) -> RankedLevels:
        """The same as the package has it."""
        return ranked_from_lists({"q": list(self.run)}, {"q": self.pool}, levels=LEVELS)

    def users(self, chance: tuple[float, ...] = CHANCE) -> Iterator[tuple[float, list[bool], int]]:
        """Probability of a user, what they find relevant by rank, and how much of the pool."""
        left = [count - self.run.count(level) for level, count in enumerate(self.pool)]
        documents = [*self.run, *(level for level in range(3) for _ in range(left[level]))]
        for views in product((False, True), repeat=len(documents)):
            weight = np.prod(
                [chance[level] if view else 1 - chance[level] for level, view in zip(documents, views, strict=True)]
            )
            yield float(weight), list(views[: len(self.run)]), sum(views)

    def mean(self, score: Callable[[list[bool], int], float], chance: tuple[float, ...] = CHANCE) -> float:
        """The mean over all users; those without relevant documents count as 0."""
        return sum(weight * score(seen, relevant) for weight, seen, relevant in self.users(chance) if relevant)


def prm(chance: tuple[float, ...] = CHANCE) -> Gains:
    """New gains, so that nothing is in the cache."""
    return Gains(LEVELS, np.array(chance), name="prm")
