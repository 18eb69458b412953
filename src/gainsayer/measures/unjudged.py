"""Unjudged documents as hits of their own: where they have a gain, and as a level where they may be relevant."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.levels import DerivedLevels
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


def admit_unjudged(ranked: RankedLevels, gains: Gains) -> tuple[RankedLevels, Gains]:
    """The same list and gains, the retrieved unjudged documents being a level of their own with their gain u.

    A user finds each of them relevant with probability u, so they belong to what is relevant to the user, too:
    `R = sum over the pool + sum over the retrieved unjudged documents` (spec 4.7). Counted where it is found but not in
    R, such a document would lift the expected AP above 1, which is the mean of no binary measure.

    So R, unlike the pool, depends on the run: on the whole list, whatever the depth. Unjudged documents that the run
    did not return remain unknown and are in no R.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, None]}, {"q": [0, 2]})
    >>> admitted, gains = admit_unjudged(ranked, Gains(ranked.levels, np.array([0.0, 0.5]), unjudged=0.1))
    >>> admitted.pool.tolist(), admitted.level.tolist(), gains.values.tolist(), gains.unjudged
    ([[0, 2, 1]], [1, 2], [0.0, 0.5, 0.1], 0.0)
    """
    size = len(ranked.levels)
    spelt = spell_out_unjudged(ranked)
    unjudged = spelt.level > spelt.duplicate
    levels = DerivedLevels((*ranked.levels.names, "unjudged"), ordered=False)
    level = np.where(unjudged, size, np.where(spelt.level == spelt.duplicate, size + 1, spelt.level))
    number = np.bincount(spelt.topic[unjudged], minlength=len(spelt.topics))
    member = None
    if spelt.member is not None:  # numbered in the order of the list: nothing more is known of them
        running = np.cumsum(unjudged, dtype=np.int64) - unjudged
        member = np.where(unjudged, running - (np.cumsum(number) - number)[spelt.topic], spelt.member).astype(np.int32)
    choices = spelt.choice_levels
    admitted = replace(
        spelt,
        levels=levels,
        level=level.astype(np.int32),
        pool=np.column_stack([spelt.pool, number]).astype(np.int64),
        member=member,
        choice_levels=None if choices is None else np.column_stack([choices, np.zeros(len(choices), np.bool_)]),
    )
    share = np.full((*gains.values.shape[:-1], 1), gains.unjudged)
    return admitted, Gains(levels, np.concatenate([gains.values, share], axis=-1), name=gains.name)
