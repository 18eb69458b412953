"""Unjudged documents that may be relevant: retrieved ones get a level of their own, and a place in the pool."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.levels import DerivedLevels
from gainsayer.measures.expansion import spell_out_unjudged
from gainsayer.rankings.ranked_levels import RankedLevels


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
