"""Sums over lists: level profiles, ideal scores, pair profiles, and sums over the hits of each topic or up to a hit.

A measure that is linear in the gains is `profile @ gains`. Ten thousand plausible gain vectors cost one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.ranking.ranked import FloatArray, IntArray, RankedLevels

Discount = Callable[[FloatArray], FloatArray]

_MOST_WHOLE: Final = 2.0**53  # below it a float holds every whole number


def log_discount(rank: FloatArray) -> FloatArray:
    """c(r) = 1 / log2(r + 1), so that c(1) = 1; eq. (11).

    >>> log_discount(np.array([1.0, 3.0])).tolist()
    [1.0, 0.5]
    """
    return np.asarray(1 / np.log2(rank + 1))


def zipf_discount(rank: FloatArray) -> FloatArray:
    """c(r) = 1 / r; eq. (11).

    >>> zipf_discount(np.array([1.0, 4.0])).tolist()
    [1.0, 0.25]
    """
    return np.asarray(1 / rank)


def no_discount(rank: FloatArray) -> FloatArray:
    """c(r) = 1: every rank counts alike."""
    return np.ones_like(rank)


DISCOUNTS: Final[dict[str, Discount]] = {"log2": log_discount, "zipf": zipf_discount, "none": no_discount}


def level_profile(ranked: RankedLevels, discount: Discount, depth: int | None = None) -> FloatArray:
    """Sum of the discounts at the ranks that hold each level, shape [topics, levels + 1].

    The last column is the unjudged ranks up to the end of the list (or the depth). Duplicates of earlier documents are
    in no column: they are worth nothing, whatever the gains. The score is `profile @ gains`, unjudged gain last.
    """
    size, topics = len(ranked.levels), len(ranked.topics)
    inside = slice(None) if depth is None else np.flatnonzero(ranked.rank <= depth)
    topic, rank, level = ranked.topic[inside], ranked.rank[inside], ranked.level[inside]
    weight = discount(rank.astype(np.float64))
    cell = topic.astype(np.int64) * (size + 1) + level
    held = np.bincount(cell, weight, minlength=topics * (size + 1)).astype(np.float64).reshape(topics, size + 1)
    lengths = ranked.retrieved if depth is None else np.minimum(ranked.retrieved, depth)
    profile = held.copy()
    profile[:, size] = running_discount(discount, lengths) - held.sum(axis=1)
    profile[:, size][np.abs(profile[:, size]) < 1e-9] = 0.0  # what rounding leaves of a sum that should be 0
    return profile


def running_discount(discount: Discount, lengths: IntArray) -> FloatArray:
    """C(n) = c(1) + ... + c(n) for each length, 0 for none."""
    return np.asarray(_running(discount, int(lengths.max(initial=0)))[lengths])


@lru_cache(maxsize=16)
def _running(discount: Discount, longest: int) -> FloatArray:
    """C(0), ..., C(longest), kept because one run after another asks for the same."""
    return np.concatenate([[0.0], np.cumsum(discount(np.arange(1, longest + 1, dtype=np.float64)))])


def ideal_score(ranked: RankedLevels, gains: FloatArray, discount: Discount, depth: int | None = None) -> FloatArray:
    """Best sum of c(r) g(r) over all judged documents of a topic, sorted by decreasing *gain* (T7), eq. (12).

    Not by level: with p(R|i) out of order the two differ. Level-0 documents belong to it, unjudged ones do not, and a
    negative gain would never be chosen.

    Args:
        ranked: whose pool is meant.
        gains: shape [levels] or [draws, levels].
        discount: weight of a rank.
        depth: cut at this rank.

    Returns:
        Shape [topics] or [draws, topics].
    """
    stack = np.atleast_2d(gains)
    orders = np.argsort(-stack, axis=1, kind="stable")
    kind = np.zeros(1, np.int64)
    if len(stack) > 1:
        orders, kind = np.unique(orders, axis=0, return_inverse=True)
    ideal = np.empty((len(stack), len(ranked.topics)))
    for index, order in enumerate(orders):
        chosen = np.flatnonzero(kind.ravel() == index)
        ends = np.cumsum(np.ascontiguousarray(ranked.pool_by(order)[:, order]), axis=1)
        ends = ends if depth is None else np.minimum(ends, depth)
        profile = np.diff(running_discount(discount, ends), axis=1, prepend=0.0)
        # Not `@`: the order in which BLAS adds up depends on the number of threads.
        ideal[chosen] = np.einsum("dl,tl->dt", np.maximum(stack[np.ix_(chosen, order)], 0.0), profile)
    return ideal[0] if gains.ndim == 1 else ideal


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

    Each topic's sums begin anew, so that they do not depend on other topics. One running sum over all topics, less
    what it was where the topic began, costs less, but would bring along the rounding of all topics before: it is taken
    for whole numbers, such as counts, which are not rounded.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [0, 0, 0], "r": [0, 0]}, {"q": [3, 0], "r": [2, 0]})
    >>> sum_before(ranked, np.array([1e16, 1.0, 1.0, 1.0, 1.0])).tolist()
    [0.0, 1e+16, 1e+16, 0.0, 1.0]
    """
    starts = ranked.starts
    if values.ndim == 1 and bool((values == np.rint(values)).all()) and float(np.abs(values).sum()) < _MOST_WHOLE:
        running = np.cumsum(values) - values
        return np.asarray(running - running[starts[ranked.topic]])
    before = np.zeros(values.shape)
    long = np.flatnonzero(np.diff(starts) > 1)
    for low, high in zip(starts[long].tolist(), starts[long + 1].tolist(), strict=True):
        np.add.accumulate(values[..., low : high - 1], axis=-1, out=before[..., low + 1 : high])
    return before


def gains_of_hits(
    ranked: RankedLevels, gains: FloatArray, depth: int | None = None, *, unjudged: float | FloatArray = 0.0
) -> FloatArray:
    """The gain of each hit, shape [..., hits]: 0 for duplicates and beyond the depth.

    `unjudged` is the gain of unjudged documents, where `spell_out_unjudged` made hits of them; one, or one per draw.
    """
    shape = (*gains.shape[:-1], 1)
    found = np.concatenate([gains, np.zeros(shape), np.broadcast_to(unjudged, shape)], axis=-1)[..., ranked.level]
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


def pair_profile(ranked: RankedLevels, weight: FloatArray, kind: npt.NDArray[np.integer], kinds: int) -> FloatArray:
    """C[topic, k, l] = sum over ranks r of kind k of weight(r) x number of earlier ranks of kind l.

    A measure that adds up over pairs of documents (AP is one) is `sum_kl C[k, l] x worth of such a pair`, whatever the
    worth; so the list is walked once, and a thousand gain vectors cost one product more.

    Args:
        ranked: whose hits are meant.
        weight: one per hit.
        kind: one per hit, such as its level; `kinds` for hits that count for nothing.
        kinds: how many kinds there are.

    Returns:
        Shape [topics, kinds, kinds].

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, 0, 1]}, {"q": [1, 2]})
    >>> pair_profile(ranked, np.array([1.0, 0.5, 0.25]), ranked.level, 2).tolist()
    [[[0.0, 0.5], [0.25, 0.25]]]
    """
    topics, lengths = len(ranked.topics), np.diff(ranked.starts)
    shape = (topics, kinds + 1)
    cell = ranked.topic * np.int64(kinds + 1) + kind
    profile = np.zeros((topics, kinds, kinds))
    held = np.flatnonzero(np.bincount(kind, minlength=kinds + 1)[:kinds])
    # Several counts share the bits of one number: as many bits each as the longest list needs.
    bits = max(int(lengths.max(initial=0)).bit_length(), 1)
    together = 63 // bits
    for low in range(0, len(held), together):
        some = held[low : low + together]
        one = np.zeros(kinds + 1, np.int64)
        one[some] = np.left_shift(1, np.arange(len(some)) * bits)
        own = one[kind]
        running = np.cumsum(own) - own
        running -= np.repeat(running[ranked.starts[:-1][lengths > 0]], lengths[lengths > 0])
        for index, other in enumerate(some.tolist()):
            before = (running >> (index * bits)) & ((1 << bits) - 1)
            found = np.bincount(cell, weight * before, minlength=topics * (kinds + 1))
            profile[:, :, other] = found.reshape(shape)[:, :kinds]
    return profile
