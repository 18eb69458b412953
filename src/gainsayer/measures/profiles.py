"""Level profiles: a run's list and its ideal as weights of levels, so that a score is a product with the gains.

A measure that is linear in the gains is `profile @ gains`. Ten thousand plausible gain vectors cost one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

from gainsayer.rankings.ranked_levels import FloatArray, IntArray, RankedLevels

Discount = Callable[[FloatArray], FloatArray]


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
    # What is left of a sum that should be 0 is dust.
    profile[:, size][np.abs(profile[:, size]) < 1e-9] = 0.0
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
    for place, order in enumerate(orders):
        chosen = np.flatnonzero(kind.ravel() == place)
        profile = _ideal_profile(ranked.pool_by(order)[:, order], discount, depth)
        # Not `@`: what BLAS adds up in which order depends on the number of threads.
        ideal[chosen] = np.einsum("dl,tl->dt", np.maximum(stack[np.ix_(chosen, order)], 0.0), profile)
    return ideal[0] if gains.ndim == 1 else ideal


def _ideal_profile(pool: IntArray, discount: Discount, depth: int | None) -> FloatArray:
    """Sum of the discounts at the ranks of each level when levels are listed in the order of the columns."""
    ends = np.cumsum(np.ascontiguousarray(pool), axis=1)
    if depth is not None:
        ends = np.minimum(ends, depth)
    running = running_discount(discount, ends)
    return np.diff(running, axis=1, prepend=0.0)
