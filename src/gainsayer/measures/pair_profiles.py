"""Pair profiles: which kinds of documents stand before which, weighted; what a level profile is to pairs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gainsayer.measures.sums import sum_before
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels


def pair_profile(ranked: RankedLevels, weight: FloatArray, kind: npt.NDArray[np.integer], kinds: int) -> FloatArray:
    """C[topic, k, l] = sum over ranks r of kind k of weight(r) x number of earlier ranks of kind l.

    A measure that adds up over pairs of documents (AP is one) is `sum_kl C[k, l] x worth of such a pair`, whatever the
    worth; so the list is walked once, and a thousand gain vectors cost one product more.

    Args:
        ranked: whose hits are meant.
        weight: one per hit.
        kind: one per hit, such as its level; `kinds` or more for hits that count for nothing.
        kinds: how many kinds there are.

    Returns:
        Shape [topics, kinds, kinds].

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, 0, 1]}, {"q": [1, 2]})
    >>> pair_profile(ranked, np.array([1.0, 0.5, 0.25]), ranked.level, 2).tolist()
    [[[0.0, 0.5], [0.25, 0.25]]]
    """
    topics = len(ranked.topics)
    counts = kind < kinds
    cell = ranked.topic.astype(np.int64) * kinds + np.where(counts, kind, 0)
    used = np.where(counts, weight, 0.0)
    profile = np.zeros((topics, kinds, kinds))
    for other in np.unique(kind[counts]).tolist():
        before = sum_before(ranked, (kind == other).astype(np.float64))
        profile[:, :, other] = np.bincount(cell, used * before, minlength=topics * kinds).reshape(topics, kinds)
    return profile
