"""Measures that are linear in the gains, or a ratio of two that are (P, R, F1, CG, DCG, nDCG, RBP, sets), and counts.

Each function says what its measure is made of: the discount of a rank, the depth, and what the sum of discounted gains
is divided by. Scores follow from that, and so do those of ten thousand gain vectors at once, as one product.

With p(R|i) as gains a linear measure *is* the expected value of the binary measure for a random user. nDCG and recall
are ratios of expected values instead; see the traps in their docstrings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.measures.sums import DISCOUNTS, Discount, divide, ideal_score, level_profile, no_discount, pool_total
from gainsayer.measures.unjudged import real_judgments
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedLevels

Divisor = Callable[[RankedLevels, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Linear:
    """What a linear measure is made of: `score[topic] = sum_l profile[topic, l] g(l) / divisor[topic]`.

    `profile[topic, l]` is the sum of the discounts at the ranks that hold level l, unjudged documents last.

    Args:
        discount: the weight of a rank.
        depth: the last rank that counts; None for all.
        divisor: what the sum is divided by, from the lists and the gains [..., levels], shape [..., topics]; scores are
            0 where it is 0. None for nothing.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [2, None, 1]}, {"q": [5, 1, 1]})
    >>> gains = Gains(ranked.levels, np.array([0.0, 0.5, 1.0]))
    >>> Linear(depth=2, divisor=pool_total).score(ranked, gains).round(3).tolist()
    [0.667]
    """

    discount: Discount = no_discount
    depth: int | None = None
    divisor: Divisor | None = None

    def profile(self, ranked: RankedLevels) -> FloatArray:
        """The level profile of a run, shape [topics, levels + 1], unjudged last."""
        return level_profile(ranked, self.discount, self.depth)

    def score(self, ranked: RankedLevels, gains: Gains) -> FloatArray:
        """One number per topic: shape [topics], or [draws, topics] for gains with draws."""
        worth = np.concatenate([gains.values, np.full((*gains.values.shape[:-1], 1), gains.unjudged)], axis=-1)
        total = np.asarray(np.einsum("...l,tl->...t", worth, self.profile(ranked)))
        return total if self.divisor is None else divide(total, self.divisor(ranked, gains.values))


def discounted_gain(*, discount: str = "none", depth: int | None = None) -> Linear:
    """DCG@k = sum over r <= k of c(r) g(i(r)), eq. (10); CG and NumRel without a discount, eqs. (7), (8).

    With PRM gains: the expected (discounted) number of relevant documents for a random user. It holds as long as, given
    the label, being retrieved says nothing more about a document (T3).

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [2, None, 1]}, {"q": [5, 1, 1]})
    >>> discounted_gain().score(ranked, Gains(ranked.levels, np.array([0.1, 0.3, 0.6]))).round(3).tolist()
    [0.9]
    """
    return Linear(DISCOUNTS[discount], depth)


def precision(*, depth: int) -> Linear:
    """P@k = NumRel@k / k, eq. (9). A list shorter than k counts its missing ranks as not relevant."""
    return Linear(
        no_discount, depth, lambda ranked, gains: np.full((*gains.shape[:-1], len(ranked.topics)), float(depth))
    )


def set_precision() -> Linear:
    """SetP = relevant documents in the list / its length; 0 for an empty list."""
    return Linear(divisor=_length)


def relative_set_precision() -> Linear:
    """SetRelP = relevant documents in the list / the most that a list of its length can hold, min(length, R).

    With PRM gains a ratio of expected values: R is the expected number of relevant documents in the pool.
    """
    return Linear(divisor=lambda ranked, gains: np.minimum(_length(ranked, gains), pool_total(ranked, gains)))


def recall(*, depth: int | None = None) -> Linear:
    """R@k = expected relevant documents in the top k / expected relevant documents in the pool.

    With PRM gains a ratio of two expected values, *not* the expected recall of a random user.
    """
    return Linear(no_discount, depth, pool_total)


def f1(*, depth: int) -> Linear:
    """F1@k = 2 x relevant documents in the top k / (k + relevant documents in the pool), harmonic mean of P@k and R@k.

    With PRM gains a ratio of two expected values, *not* the expected F1 of a random user.
    """
    return Linear(no_discount, depth, lambda ranked, gains: (depth + pool_total(ranked, gains)) / 2)


def set_f(*, beta: float = 1.0) -> Linear:
    """SetF = (1 + beta) P R / (R + beta P) of the whole list, as trec_eval has it: beta, not its square, weighs recall.

    That is (1 + beta) x relevant documents in the list / (its length + beta x relevant documents in the pool). With PRM
    gains a ratio of two expected values, *not* the expected F of a random user.
    """
    return Linear(
        divisor=lambda ranked, gains: (_length(ranked, gains) + beta * pool_total(ranked, gains)) / (1 + beta)
    )


def normalised_gain(*, discount: str = "log2", depth: int | None = None) -> Linear:
    """nDCG@k = DCG@k / ideal DCG@k, eq. (12); 0 where the ideal is 0.

    The ideal list holds all judged documents of the topic by decreasing gain, level 0 included (T7). With PRM gains
    this is the fraction of the best expected DCG any ranking could reach knowing the labels, *not* the expected nDCG
    of a random user (T8).
    """
    weight = DISCOUNTS[discount]
    return Linear(weight, depth, lambda ranked, gains: ideal_score(ranked, gains, weight, depth))


def rank_biased_precision(*, p: float = 0.8, depth: int | None = None) -> Linear:
    """RBP = (1 - p) sum_r p^(r-1) g(i(r)): a user who goes on to the next document with probability p.

    Linear in the gains: with PRM gains the expected RBP of a random user.
    """
    return Linear(lambda rank: np.asarray((1 - p) * p ** (rank - 1)), depth)


def graded_precision(*, p: float = 0.9, depth: int | None = None) -> Linear:
    """gRBP, trec_eval's `rbp`: RBP with gains divided by the highest one in the topic's pool, where that is above 1.

    So the same grade counts more in some topics than in others: 2 is worth 1 where nothing is judged 3.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, 2]}, {"q": [5, 1, 1, 0]})
    >>> gains = Gains(ranked.levels, np.array([0.0, 1.0, 2.0, 3.0]))
    >>> graded_precision().score(ranked, gains).round(3).tolist()  # 0.1 (1/2 + 0.9)
    [0.14]
    """

    def highest(ranked: RankedLevels, gains: FloatArray) -> FloatArray:
        held = np.where(ranked.pool > 0, gains[..., None, :], 0.0)
        return np.asarray(np.maximum(held.max(axis=-1), 1.0))

    return Linear(lambda rank: np.asarray((1 - p) * p ** (rank - 1)), depth, highest)


def _length(ranked: RankedLevels, gains: FloatArray) -> FloatArray:
    return np.broadcast_to(ranked.retrieved.astype(np.float64), (*gains.shape[:-1], len(ranked.topics)))


def retrieved_count(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """NumRet: the length of the list."""
    return ranked.retrieved.astype(np.float64)


def relevant_count(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """NumRel over the pool: sum_i n_i g_i, with PRM gains the expected number of relevant judged documents."""
    return pool_total(ranked, gains.values)


def judged_share(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """Judged@k: share of the documents in the top k that were judged; of those returned, if fewer than k were.

    0 where nothing was returned. One minus it is the share of documents whose gain is a policy, not a judgment (T5).
    """
    judged, length = count_judged(ranked, depth)
    return divide(judged.astype(np.float64), length.astype(np.float64))


def count_judged(ranked: RankedLevels, depth: int | None) -> tuple[IntArray, IntArray]:
    """How many documents down to the depth were judged, and how many there are; both of shape [topics]."""
    inside = ranked.topic if depth is None else ranked.topic[ranked.rank <= depth]
    length = ranked.retrieved if depth is None else np.minimum(ranked.retrieved, depth)
    return np.bincount(inside, minlength=len(ranked.topics)), length


def unjudged_share(ranked: RankedLevels, gains: Gains, *, depth: int) -> FloatArray:
    """Unjudged@k: unjudged documents in the top k, divided by k (trec_eval's unj).

    A negative code counts as unjudged, as in trec_eval: the document is in the pool, but nobody looked at it.
    """
    profile = level_profile(ranked, no_discount, depth)
    unseen = np.append(~real_judgments(ranked.levels), True)
    return np.asarray(profile[:, unseen].sum(axis=1) / depth)
