"""Lists written out, topic by topic, so that tests can walk them rank by rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.ranking import RankedLevels, ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
DUPLICATE = 3
Entry = int | None


@dataclass(frozen=True)
class Plain:
    """Lists of levels (None: unjudged, 3: a duplicate) and the pool's counts of levels, by topic."""

    lists: dict[str, list[Entry]]
    pool: dict[str, list[int]]

    @property
    def ranked(self) -> RankedLevels:
        """The same as the package has it."""
        return ranked_from_lists(self.lists, self.pool, levels=LEVELS)

    def topics(self) -> list[tuple[list[Entry], list[int]]]:
        """List and pool of each topic in order; a topic that the run lacks has an empty list."""
        return [(self.lists.get(topic, []), self.pool[topic]) for topic in sorted(self.pool)]


def gain_of(entry: Entry, gains: Gains) -> float:
    """What a document is worth: the unjudged gain for None, nothing for a duplicate."""
    if entry is None:
        return gains.unjudged
    return 0.0 if entry == DUPLICATE else float(gains.values[entry])


def draw_lists(seed: int, *, topics: int = 6) -> Plain:
    """Random lists from random pools, with unjudged documents and duplicates; the last topic is not in the run."""
    rng = np.random.default_rng(seed)
    lists: dict[str, list[Entry]] = {}
    pool: dict[str, list[int]] = {}
    for place in range(topics):
        counts = rng.integers(0, 5, 3)
        counts[int(rng.integers(0, 3))] += 1
        stock: list[Entry] = [level for level in range(3) for _ in range(counts[level])]
        stock += [None] * int(rng.integers(0, 4)) + [DUPLICATE] * int(rng.integers(0, 2))
        order = rng.permutation(len(stock))[: int(rng.integers(1, len(stock) + 1))]
        pool[f"q{place}"] = counts.tolist()
        if place < topics - 1:
            lists[f"q{place}"] = [stock[at] for at in order]
    return Plain(lists, pool)


PRM = Gains(LEVELS, np.array([0.1, 0.45, 0.8]), name="prm")
PRM_UNJUDGED = Gains(LEVELS, np.array([0.1, 0.45, 0.8]), unjudged=0.05, name="prm")
BINARY = Gains(LEVELS, np.array([0.0, 1.0, 1.0]), name="binary")
