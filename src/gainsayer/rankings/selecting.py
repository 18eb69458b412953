"""Some topics of a run: a stratum, or those that two sides judged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from gainsayer.rankings.ranked_levels import RankedLevels


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
