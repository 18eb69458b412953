"""RankedLevels written out by hand, for examples and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.rankings.ranked_levels import RankedLevels


def ranked_from_lists(
    lists: Mapping[str, Sequence[int | None]],
    pool: Mapping[str, Sequence[int]],
    *,
    levels: Levels | None = None,
    name: str = "run",
) -> RankedLevels:
    """RankedLevels from the levels of each topic's list.

    Args:
        lists: per topic the level at each rank: its place among the levels, None for an unjudged document, and the
            number of levels for a duplicate.
        pool: per topic how many judged documents there are of each level; these are the topics that are scored.
        levels: the levels; by default 0, 1, ... as many as the pool has.
        name: the run's name.

    Raises:
        CallError: a list has a level that is not there, or a topic that the pool lacks.

    >>> ranked = ranked_from_lists({"q1": [2, None, 0]}, {"q1": [3, 0, 1], "q2": [1, 1, 0]})
    >>> ranked.topic.tolist(), ranked.rank.tolist(), ranked.level.tolist(), ranked.present.tolist()
    ([0, 0], [1, 3], [2, 0], [True, False])
    """
    topics = tuple(sorted(pool, key=str.encode))
    unknown = sorted(set(lists) - set(topics))
    if unknown:
        raise CallError(f"The pool lacks the topics {', '.join(unknown)} of the lists.")
    size = len(next(iter(pool.values()), ()))
    levels = levels or Levels(tuple(map(str, range(size))))
    hits = [
        (place, rank, level)
        for place, topic in enumerate(topics)
        for rank, level in enumerate(lists.get(topic, ()), start=1)
        if level is not None
    ]
    if any(not 0 <= level <= len(levels) for _, _, level in hits):
        raise CallError(f"A level of a list is a place among {', '.join(levels.names)}: 0 to {len(levels) - 1}.")
    table = np.array(hits, np.int64).reshape(-1, 3)
    return RankedLevels(
        levels=levels,
        topics=topics,
        topic=table[:, 0].astype(np.int32),
        rank=table[:, 1].astype(np.int32),
        level=table[:, 2].astype(np.int16),
        retrieved=np.array([len(lists.get(topic, ())) for topic in topics], np.int64),
        present=np.array([topic in lists for topic in topics], np.bool_),
        pool=np.array([list(pool[topic]) for topic in topics], np.int64).reshape(len(topics), len(levels)),
        name=name,
    )
