"""RankedLevels: the levels of a run's documents by rank. All that a measure ever sees of a run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gainsayer.levels import Levels, Patterns

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RankedLevels:
    """What stands at which rank, per topic, and what the pool of each topic holds.

    Only *hits* are stored: ranks whose document is judged (or repeats an earlier one). Every other rank up to the end
    of a topic's list is unjudged. So a list of a thousand documents with ten judged ones takes ten entries, and a
    measure works on those. Hits are sorted by topic, then rank.

    Args:
        levels: the levels.
        topics: the topics that are scored: those with judgments, sorted.
        topic: place in `topics`, one per hit, ascending.
        rank: from 1, ascending within a topic.
        level: place in `levels`; `len(levels)` for a *duplicate* of a document returned earlier, worth nothing.
        retrieved: length of the topic's list, 0 where the run lacks the topic; shape [topics].
        present: whether the run has the topic; shape [topics].
        pool: judged documents of each level in the topic, one per group of duplicates; shape [topics, levels].
        name: the run's name.
        choice_topic: topics of groups of equal documents with different levels, of which an ideal list takes the best;
            they are not in `pool`.
        choice_levels: which levels each such group holds; shape [groups, levels].
        unscored: topics of the run that have no judgments and were left out.
        member: which of the topic's documents of its level a hit is, from 0, so that two runs can be seen to return
            the same document; `-1 - g` for a document of the g-th group of `choice_topic`; of no meaning for
            duplicates. None where it is not known.
        labels: whose labels these are, in words; empty where nobody said.
    """

    levels: Levels
    topics: tuple[str, ...]
    topic: npt.NDArray[np.int32]
    rank: npt.NDArray[np.int32]
    level: npt.NDArray[np.int16] | npt.NDArray[np.int32]
    retrieved: IntArray
    present: npt.NDArray[np.bool_]
    pool: IntArray
    name: str = "run"
    unscored: tuple[str, ...] = ()
    choice_topic: IntArray | None = None
    choice_levels: npt.NDArray[np.bool_] | None = None
    member: npt.NDArray[np.int32] | None = None
    labels: str = ""

    def __post_init__(self) -> None:
        topics, size = len(self.topics), len(self.levels)
        assert self.topic.shape == self.rank.shape == self.level.shape
        assert self.retrieved.shape == self.present.shape == (topics,)
        assert self.pool.shape == (topics, size)
        assert self.member is None or self.member.shape == self.level.shape

    def pool_by(self, order: npt.NDArray[np.integer]) -> IntArray:
        """The pool when levels are preferred in this order: of groups with several levels the most preferred one."""
        if self.choice_topic is None or self.choice_levels is None or not len(self.choice_topic):
            return self.pool
        pool = self.pool.copy()
        np.add.at(pool, (self.choice_topic, order[self.choice_levels[:, order].argmax(axis=1)]), 1)
        return pool

    def levels_in(self, topics: npt.NDArray[np.integer] | npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Which levels the judged documents of these topics have; of patterns of labels, the levels of the labels."""
        chosen = np.zeros(len(self.topics), dtype=bool)
        chosen[topics] = True
        there = (self.pool[chosen] > 0).any(axis=0)
        if self.choice_topic is not None and self.choice_levels is not None:
            there = there | self.choice_levels[chosen[self.choice_topic]].any(axis=0)
        if isinstance(self.levels, Patterns):
            there = self.levels.shares[there].any(axis=0)
        return np.asarray(there)

    @property
    def duplicate(self) -> int:
        """The code of a document that repeats an earlier one of the list."""
        return len(self.levels)

    @cached_property
    def starts(self) -> IntArray:
        """Where the hits of each topic begin, and at last their number; shape [topics + 1]."""
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1)).astype(np.int64)

    @cached_property
    def judged_before(self) -> IntArray:
        """How many judged documents stand at better ranks of the topic, duplicates not counted; one per hit."""
        judged = (self.level < self.duplicate).astype(np.int64)
        running = np.cumsum(judged) - judged
        return running - running[np.minimum(self.starts[self.topic], max(len(running) - 1, 0))]
