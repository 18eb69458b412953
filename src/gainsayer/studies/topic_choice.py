"""Which topics a comparison of gains can use: one set for all runs and all gains (T12)."""

from __future__ import annotations

from collections.abc import Sequence
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


def describe_skipped(skipped: int, topics: int, relevance: Relevance, who: str) -> list[Finding]:
    """A finding where topics were left out, else none."""
    if not skipped:
        return []
    message = (
        f"R = {relevance.name}: {skipped:,} of {topics:,} topics were left out, for all gains alike, as {who} put no "
        "document of theirs on a relevant level. Score them too with --no-relevant keep."
    )
    return [Finding("topics-without-relevant", message)]
