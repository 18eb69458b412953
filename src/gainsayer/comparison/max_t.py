"""p-values adjusted by the largest t that sign flips make among all pairs: Westfall and Young's maxT."""

from __future__ import annotations

import numpy as np

from gainsayer.comparison.randomisation import BLOCK_CELLS, Progress, is_enumerable, sign_patterns
from gainsayer.rankings.ranked_levels import FloatArray

# Ratios that differ by less are equal: the rest is rounding.
_SLACK = 1e-9


def adjust_by_largest(
    differences: FloatArray, *, permutations: int, seed: int, progress: Progress | None = None
) -> FloatArray:
    """Adjusted two-sided p-values of mean difference 0 for all pairs together, step-down maxT; shape [pairs].

    The signs of a topic's differences are flipped for all pairs at once, so that what the pairs have in common stays in
    common. Pairs are ordered by their |t|; the adjusted p of a pair is the share of sign patterns in which the largest
    |t| among it and all weaker pairs reaches its own, made rising along the order (Westfall and Young 1993). The chance
    of any false alarm stays at the level, whichever pairs truly differ.

    Unlike Holm's adjustment it does not multiply: the smallest p possible is 1 / (permutations + 1) for any number of
    pairs. Unlike randomised Tukey a poor run among the others does not widen what a difference of two good ones must
    beat. It assumes that the differences of equal runs are symmetric about 0, all pairs together.

    Args:
        differences: shape [topics, pairs].
        permutations: how many sign patterns; all of them where there are no more.
        seed: of the patterns.
        progress: called with the share done.

    >>> rng = np.random.default_rng(1)
    >>> noise = rng.normal(0, 1, (30, 3))
    >>> adjust_by_largest(noise + np.array([2.0, 0.0, 0.0]), permutations=999, seed=0).round(3).tolist()[0]
    0.001
    """
    topics, pairs = differences.shape
    squares = (differences**2).sum(axis=0)
    observed = _ratio(differences.sum(axis=0)[None], squares, topics)[0]
    order = np.argsort(-observed, kind="stable")
    sorted_differences, sorted_squares = differences[:, order], squares[order]
    bound = observed[order] * (1 - _SLACK)
    reached = np.zeros(pairs, dtype=np.int64)
    exact = is_enumerable(topics, permutations)
    total = 2 ** (topics - 1) if exact else permutations
    step = max(1, BLOCK_CELLS // max(1, pairs))
    done = 0
    for signs in sign_patterns(topics, permutations, seed):
        for start in range(0, len(signs), step):
            ratio = _ratio(signs[start : start + step] @ sorted_differences, sorted_squares, topics)
            # The largest among a pair and all weaker ones: maxima from the end of the order.
            largest = np.maximum.accumulate(ratio[:, ::-1], axis=1)[:, ::-1]
            reached += (largest >= bound).sum(axis=0)
        done += len(signs)
        if progress is not None:
            progress(done / total)
    share = reached / total if exact else (1 + reached) / (permutations + 1)
    adjusted = np.empty(pairs)
    adjusted[order] = np.maximum.accumulate(share)
    adjusted[squares == 0] = 1.0
    return adjusted


def _ratio(sums: FloatArray, squares: FloatArray, topics: int) -> FloatArray:
    """sum² / (sum of squares - sum² / n), which rises with |t|; infinite where all differences are alike."""
    part = sums**2
    rest = squares - part / topics
    alike = rest <= 1e-12 * squares
    return np.asarray(
        np.where(part == 0, 0.0, np.where(alike, np.inf, part / np.where(alike, 1.0, rest))), dtype=np.float64
    )
