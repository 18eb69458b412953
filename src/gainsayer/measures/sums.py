"""Sums over the hits of each topic: whole, and up to each hit."""

from __future__ import annotations

from typing import Final

import numpy as np

from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

_MOST_WHOLE: Final = 2.0**53


def sum_by_topic(ranked: RankedLevels, values: FloatArray) -> FloatArray:
    """Sums over each topic's hits: [..., hits] in, [..., topics] out; 0 where a topic has none.

    Without draws the terms are added one after another, as trec_eval does, so that the last digit is the same, too.
    """
    if values.ndim == 1:
        return np.bincount(ranked.topic, values, minlength=len(ranked.topics)).astype(np.float64)
    starts = ranked.starts
    filled = np.flatnonzero(np.diff(starts))
    total = np.zeros((*values.shape[:-1], len(ranked.topics)))
    if len(filled):
        total[..., filled] = np.add.reduceat(values, starts[filled], axis=-1)
    return total


def sum_before(ranked: RankedLevels, values: FloatArray) -> FloatArray:
    """Sums over the hits at better ranks of the same topic, shape [..., hits].

    Each topic's sums begin anew, one term after another, so that they do not depend on other topics. One running
    sum over all topics, less what it was where the topic began, would leave the rounding of all topics before; of
    whole numbers, as counts are, nothing is rounded, and that is the way that costs least.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [0, 0, 0], "r": [0, 0]}, {"q": [3, 0], "r": [2, 0]})
    >>> sum_before(ranked, np.array([1e16, 1.0, 1.0, 1.0, 1.0])).tolist()
    [0.0, 1e+16, 1e+16, 0.0, 1.0]
    """
    starts = ranked.starts
    if values.ndim == 1 and _sum_exactly(values):
        running = np.cumsum(values) - values
        return np.asarray(running - running[starts[ranked.topic]])
    before = np.zeros(values.shape)
    long = np.flatnonzero(np.diff(starts) > 1)
    for low, high in zip(starts[long].tolist(), starts[long + 1].tolist(), strict=True):
        np.add.accumulate(values[..., low : high - 1], axis=-1, out=before[..., low + 1 : high])
    return before


def _sum_exactly(values: FloatArray) -> bool:
    """Whether sums of any of the values are whole numbers that a float holds."""
    return bool((values == np.rint(values)).all()) and float(np.abs(values).sum()) < _MOST_WHOLE


def gains_of_hits(
    ranked: RankedLevels, gains: FloatArray, depth: int | None = None, *, unjudged: float = 0.0
) -> FloatArray:
    """The gain of each hit, shape [..., hits]: 0 for duplicates and beyond the depth.

    `unjudged` is the gain of unjudged documents, where `spell_out_unjudged` made hits of them.
    """
    shape = (*gains.shape[:-1], 1)
    found = np.concatenate([gains, np.zeros(shape), np.full(shape, unjudged)], axis=-1)[..., ranked.level]
    return found if depth is None else np.where(ranked.rank <= depth, found, 0.0)


def pool_total(ranked: RankedLevels, gains: FloatArray) -> FloatArray:
    """Expected number of relevant documents in the pool, sum_i n_i g_i, shape [..., topics]."""
    total: FloatArray = np.einsum("...l,tl->...t", gains, ranked.pool.astype(np.float64))
    if ranked.choice_topic is not None and ranked.choice_levels is not None and len(ranked.choice_topic):
        best = np.where(ranked.choice_levels, gains[..., None, :], -np.inf).max(axis=-1)
        np.add.at(total.T, ranked.choice_topic, best.T)
    return total


def divide(part: FloatArray, whole: FloatArray) -> FloatArray:
    """part / whole, and 0 where the whole is 0, as trec_eval counts it (T12)."""
    part, whole = np.broadcast_arrays(part, whole)
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)
