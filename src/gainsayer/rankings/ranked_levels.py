"""RankedLevels: the levels of a run's documents by rank. All that a measure ever sees of a run."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
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


def keep_topics(ranked: RankedLevels, topics: Collection[str]) -> RankedLevels:
    """The same run on these of its topics alone, in the order they have.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q1": [1], "q2": [0, 1]}, {"q1": [1, 1], "q2": [3, 1]})
    >>> part = keep_topics(ranked, {"q2"})
    >>> part.topics, part.level.tolist(), part.pool.tolist()
    (('q2',), [0, 1], [[3, 1]])
    """
    wanted = set(topics)
    kept = np.array([topic in wanted for topic in ranked.topics], dtype=bool)
    place = np.cumsum(kept) - 1
    hits = kept[ranked.topic]
    chosen = None if ranked.choice_topic is None else kept[ranked.choice_topic]
    member = None if ranked.member is None else ranked.member[hits]
    if member is not None and chosen is not None and (member < 0).any():
        # A group of several levels is known by its place among the groups, which changes with them.
        renumbered = np.cumsum(chosen) - 1
        member = np.where(member < 0, -1 - renumbered[np.maximum(-1 - member, 0)], member).astype(np.int32)
    return replace(
        ranked,
        topics=tuple(topic for topic in ranked.topics if topic in wanted),
        topic=place[ranked.topic[hits]].astype(np.int32),
        rank=ranked.rank[hits],
        level=ranked.level[hits],
        member=member,
        retrieved=ranked.retrieved[kept],
        present=ranked.present[kept],
        pool=ranked.pool[kept],
        choice_topic=None if ranked.choice_topic is None else place[ranked.choice_topic[chosen]],
        choice_levels=None if ranked.choice_levels is None else ranked.choice_levels[chosen],
    )


def cut_lists(ranked: RankedLevels, depth: int) -> RankedLevels:
    """The same without the hits below a rank; how long the lists are, and what the pool holds, stays.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> cut_lists(ranked_from_lists({"q1": [0, 1, 1], "q2": [1]}, {"q1": [1, 2], "q2": [0, 1]}), 2).rank.tolist()
    [1, 2, 1]
    """
    kept = ranked.rank <= depth
    if kept.all():
        return ranked
    member = None if ranked.member is None else ranked.member[kept]
    return replace(ranked, topic=ranked.topic[kept], rank=ranked.rank[kept], level=ranked.level[kept], member=member)


def condense(ranked: RankedLevels) -> RankedLevels:
    """The same lists without their unjudged documents.

    The r-th hit of a topic gets rank r. Duplicates of earlier documents stay: they are known, and worth nothing. A
    topic of which the run returned only unjudged documents has an empty list then, but is still present.

    It is not a fair view of a run that returns many new documents: they are neither good nor bad, they are gone.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = condense(ranked_from_lists({"q1": [None, 2, None, 0]}, {"q1": [3, 0, 1]}))
    >>> ranked.rank.tolist(), ranked.level.tolist(), ranked.retrieved.tolist()
    ([1, 2], [2, 0], [2])
    """
    rank = np.arange(len(ranked.topic)) - ranked.starts[ranked.topic] + 1
    return replace(ranked, rank=rank.astype(np.int32), retrieved=np.diff(ranked.starts))
