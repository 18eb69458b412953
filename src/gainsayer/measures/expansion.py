"""Unjudged documents as hits of their own, for measures that are not linear and gains that give them something."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gainsayer.rankings.ranked_levels import RankedLevels


def spell_out_unjudged(ranked: RankedLevels, depth: int | None = None) -> RankedLevels:
    """The same with a hit at every rank down to the depth; unjudged ones have the code `len(levels) + 1`.

    Takes as much memory as the lists are long, so it is done only where an unjudged document has a gain.
    """
    lengths = ranked.retrieved if depth is None else np.minimum(ranked.retrieved, depth)
    topic = np.repeat(np.arange(len(ranked.topics), dtype=np.int32), lengths)
    first = np.cumsum(lengths) - lengths
    rank = (np.arange(len(topic)) - first[topic] + 1).astype(np.int32)
    level = np.full(len(topic), ranked.duplicate + 1, dtype=ranked.level.dtype)
    inside = ranked.rank <= lengths[ranked.topic]
    place = first[ranked.topic[inside]] + ranked.rank[inside] - 1
    level[place] = ranked.level[inside]
    member = None
    if ranked.member is not None:
        member = np.zeros(len(topic), dtype=np.int32)
        member[place] = ranked.member[inside]
    return replace(ranked, topic=topic, rank=rank, level=level, member=member)


def take_unjudged_as(ranked: RankedLevels, level: int, depth: int | None = None) -> RankedLevels:
    """The same with unjudged documents taken as hits of this level; they are no part of the pool (T5)."""
    spelt = spell_out_unjudged(ranked, depth)
    known = np.where(spelt.level == ranked.duplicate + 1, level, spelt.level)
    return replace(spelt, level=known.astype(np.int32))
