"""Which topics a comparison of gains can use: one set for all runs and all gains (T12)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from gainsayer.findings import Finding
from gainsayer.levels import Relevance
from gainsayer.rankings.ranked_levels import RankedLevels

NoRelevant = Literal["skip", "keep"]


def choose_topics(
    topics: Sequence[str], sides: Sequence[RankedLevels], relevance: Relevance, policy: NoRelevant
) -> list[str]:
    """The topics in which every side has a relevant label; all of them with the policy `keep`.

    >>> from gainsayer.levels import Levels
    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({}, {"q1": [2, 1], "q2": [3, 0]})
    >>> choose_topics(["q1", "q2"], [ranked], ranked.levels.at_or_above("1"), "skip")
    ['q1']
    """
    if policy == "keep":
        return list(topics)
    mask = np.array(relevance.mask)
    kept = set(topics)
    for ranked in sides:
        pool = ranked.pool_by(np.argsort(-relevance.indicator, kind="stable"))
        fertile = pool[:, mask].sum(axis=1) > 0
        kept &= {topic for topic, there in zip(ranked.topics, fertile, strict=True) if there}
    return [topic for topic in topics if topic in kept]


def restrict_topics(ranked: RankedLevels, topics: Collection[str]) -> RankedLevels:
    """The same run on these topics alone.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q1": [1], "q2": [0, 1]}, {"q1": [2, 1], "q2": [3, 1]})
    >>> part = restrict_topics(ranked, ["q2"])
    >>> part.topics, part.topic.tolist(), part.level.tolist(), part.pool.tolist()
    (('q2',), [0, 0], [0, 1], [[3, 1]])
    """
    wanted = np.array([topic in topics for topic in ranked.topics], dtype=np.bool_)
    place = np.cumsum(wanted) - 1
    hits = wanted[ranked.topic]
    choice_topic, choice_levels = ranked.choice_topic, ranked.choice_levels
    if choice_topic is not None and choice_levels is not None:
        chosen = wanted[choice_topic]
        choice_topic, choice_levels = place[choice_topic[chosen]].astype(np.int64), choice_levels[chosen]
    return replace(
        ranked,
        topics=tuple(topic for topic, keep in zip(ranked.topics, wanted, strict=True) if keep),
        topic=place[ranked.topic[hits]].astype(np.int32),
        rank=ranked.rank[hits],
        level=ranked.level[hits],
        retrieved=ranked.retrieved[wanted],
        present=ranked.present[wanted],
        pool=ranked.pool[wanted],
        choice_topic=choice_topic,
        choice_levels=choice_levels,
    )


def describe_skipped(skipped: int, topics: int, relevance: Relevance, who: str) -> list[Finding]:
    """A finding where topics were left out, else none."""
    if not skipped:
        return []
    message = (
        f"R = {relevance.name}: {skipped:,} of {topics:,} topics were left out, for all gains alike, as {who} put no "
        "document of theirs on a relevant level. Score them too with --no-relevant keep."
    )
    return [Finding("topics-without-relevant", message)]
