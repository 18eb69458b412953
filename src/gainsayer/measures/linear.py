"""Measures that are linear in the gains, or a ratio of two that are: NumRel, P, R, F1, CG, DCG, nDCG, RBP.

With p(R|i) as gains a linear measure *is* the expected value of the binary measure for a random user. nDCG and recall
are ratios of expected values instead; see the traps in their docstrings.
"""

from __future__ import annotations

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.measures.profiles import Discount, ideal_score, level_profile, no_discount
from gainsayer.measures.sums import divide, pool_total
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels


def discounted_gain(
    ranked: RankedLevels, gains: Gains, *, discount: Discount = no_discount, depth: int | None = None
) -> FloatArray:
    """DCG@k = sum over r <= k of c(r) g(i(r)), eq. (10); CG and NumRel without a discount, eqs. (7), (8).

    With PRM gains: the expected (discounted) number of relevant documents for a random user. It holds as long as, given
    the label, being retrieved says nothing more about a document (T3).

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> from gainsayer.levels import Levels
    >>> levels = Levels(("0", "1", "2"))
    >>> ranked = ranked_from_lists({"q": [2, None, 1]}, {"q": [5, 1, 1]}, levels=levels)
    >>> discounted_gain(ranked, Gains(levels, np.array([0.1, 0.3, 0.6]))).round(3).tolist()
    [0.9]
    """
    weights = np.concatenate([gains.values, np.full((*gains.values.shape[:-1], 1), gains.unjudged)], axis=-1)
    return np.asarray(np.einsum("...l,tl->...t", weights, level_profile(ranked, discount, depth)))


def precision(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """P@k = NumRel@k / k, eq. (9); without a depth, over what was retrieved (0 where nothing was).

    A list shorter than k counts its missing ranks as not relevant.
    """
    found = discounted_gain(ranked, gains, depth=depth)
    return divide(found, ranked.retrieved.astype(np.float64)) if depth is None else found / depth


def recall(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """R@k = expected relevant documents in the top k / expected relevant documents in the pool.

    With PRM gains a ratio of two expected values, *not* the expected recall of a random user.
    """
    return divide(discounted_gain(ranked, gains, depth=depth), pool_total(ranked, gains.values))


def f1(ranked: RankedLevels, gains: Gains, *, depth: int) -> FloatArray:
    """F1@k = 2 x relevant documents in the top k / (k + relevant documents in the pool), harmonic mean of P@k and R@k.

    With PRM gains a ratio of two expected values, *not* the expected F1 of a random user.
    """
    return divide(2 * discounted_gain(ranked, gains, depth=depth), depth + pool_total(ranked, gains.values))


def normalised_gain(ranked: RankedLevels, gains: Gains, *, discount: Discount, depth: int | None = None) -> FloatArray:
    """nDCG@k = DCG@k / ideal DCG@k, eq. (12); 0 where the ideal is 0.

    The ideal list holds all judged documents of the topic by decreasing gain, level 0 included (T7). With PRM gains
    this is the fraction of the best expected DCG any ranking could reach knowing the labels, *not* the expected nDCG
    of a random user (T8).
    """
    ideal = ideal_score(ranked, gains.values, discount, depth)
    return divide(discounted_gain(ranked, gains, discount=discount, depth=depth), ideal)


def rank_biased_precision(ranked: RankedLevels, gains: Gains, *, p: float, depth: int | None = None) -> FloatArray:
    """RBP = (1 - p) sum_r p^(r-1) g(i(r)): a user who goes on to the next document with probability p.

    Linear in the gains: with PRM gains the expected RBP of a random user.
    """

    def persistence(rank: FloatArray) -> FloatArray:
        return np.asarray((1 - p) * p ** (rank - 1))

    return discounted_gain(ranked, gains, discount=persistence, depth=depth)
