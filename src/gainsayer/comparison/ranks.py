"""Ranks of runs, and which ranks they may have: confidence sets from tests of all pairs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.correlation import EQUAL
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]


def rank_scores(scores: FloatArray) -> IntArray:
    """Rank of each run, 1 for the highest; scores within rounding are equal and share the better rank.

    >>> rank_scores(np.array([0.5, 0.7, 0.5])).tolist()
    [2, 1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    begins = np.ones(len(scores), dtype=bool)
    begins[1:] = falling[:-1] - falling[1:] > EQUAL
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[order] = np.maximum.accumulate(np.where(begins, np.arange(1, len(scores) + 1), 0))
    return ranks


def rank_sets(runs: int, a: IntArray, b: IntArray, better: BoolArray, worse: BoolArray) -> IntArray:
    """The ranks that each run may have, from 1 + #{runs significantly better} to S - #{runs significantly worse}.

    If the tests of all pairs hold at once with 95 %, so do all these sets (spec 4.5). They are wide where runs are
    close: that is the data. Unlike ranks over resamples they are *confidence* sets: of ten close runs the true ranks
    all lie inside in at least 95 % of collections.

    Args:
        runs: how many.
        a: first run of each pair, all pairs.
        b: second run.
        better: a is significantly better than b.
        worse: a is significantly worse.

    Returns:
        Lowest and highest rank, shape [runs, 2].

    >>> better = np.array([False, True, False])
    >>> rank_sets(3, np.array([0, 0, 1]), np.array([1, 2, 2]), better, np.zeros(3, dtype=bool)).tolist()
    [[1, 2], [1, 3], [2, 3]]
    """
    beaten_by = np.bincount(b[better], minlength=runs) + np.bincount(a[worse], minlength=runs)
    beats = np.bincount(a[better], minlength=runs) + np.bincount(b[worse], minlength=runs)
    return np.stack([1 + beaten_by, runs - beats], axis=1)


def possibly_best(sets: IntArray) -> IntArray:
    """The runs that no run beats significantly: the truly best one is among them with the family's confidence.

    >>> possibly_best(np.array([[1, 2], [1, 3], [2, 3]])).tolist()
    [0, 1]
    """
    return np.flatnonzero(sets[:, 0] == 1)
