"""Wilcoxon's signed-rank test for many pairs of runs at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.randomisation import flip_signs
from gainsayer.rankings.ranked_levels import FloatArray

ENUMERATED_TOPICS = 13
EXACT_TOPICS = 50


def rank_differences(differences: FloatArray) -> FloatArray:
    """Two-sided p-values of Wilcoxon's signed-rank test, from differences of shape [topics, pairs]; shape [pairs].

    W = sum of the ranks of |difference| over topics with a positive one. Topics without difference are left out, tied
    amounts share their mean rank. As in SciPy (zero_method "wilcox", no continuity correction), p is exact for up to 13
    topics, and for up to 50 where there are neither ties nor zeros; else W is taken as normal with mean sum(r)/2
    and variance sum(r²)/4. If no topic differs, p is 1. Amounts that agree to 12 digits of the largest are tied: on
    paper 0.3 - 0.2 is 0.2 - 0.1, in the machine it is not.

    >>> rank_differences(np.array([[1.0], [2.0], [3.0], [-0.5]]))  # -0.5 has rank 1: W- is 0 or 1, either way, of 16
    array([0.25])
    """
    from scipy.special import ndtr

    topics = len(differences)
    ranks, plain = _rank_amounts(differences)
    if topics <= ENUMERATED_TOPICS:
        return flip_signs(ranks, permutations=2**topics, seed=0)
    variance = (ranks**2).sum(axis=0) / 4
    z = ranks.sum(axis=0) / 2 / np.sqrt(np.where(variance > 0, variance, 1))  # half of W+ - W- is W+ less its mean
    p = np.asarray(2 * ndtr(-np.abs(z)), dtype=np.float64)
    if topics <= EXACT_TOPICS:
        larger = np.maximum(ranks, 0).sum(axis=0)
        smaller = np.rint(np.minimum(larger, topics * (topics + 1) / 2 - larger)).astype(np.int64)
        p = np.where(plain, np.minimum(2 * np.cumsum(_rank_sums(topics))[smaller], 1), p)
    return p


def _rank_amounts(differences: FloatArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Signed ranks, 0 where there is no difference, and which pairs have neither ties nor zeros."""
    from scipy.stats import rankdata

    largest = np.abs(differences).max(axis=0)
    rounded = np.round(differences / np.where(largest > 0, largest, 1), 12)
    ranks = np.asarray(rankdata(np.abs(rounded), axis=0), dtype=np.float64) - (rounded == 0).sum(axis=0)
    plain = np.all(np.diff(np.sort(np.abs(rounded), axis=0), axis=0, prepend=0) > 0, axis=0)
    return np.sign(rounded) * ranks, plain


def _rank_sums(topics: int) -> FloatArray:
    """The chance of each rank sum 0, 1, ..., n(n+1)/2 when every rank counts with one half."""
    chance = np.ones(1)
    for rank in range(1, topics + 1):
        chance = (np.pad(chance, (0, rank)) + np.pad(chance, (rank, 0))) / 2
    return chance
