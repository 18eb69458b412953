"""Expected recall, AP, F1, infAP and nDCG of a random user whose views of the documents are independent."""

from __future__ import annotations

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.measures.expected.kinds import Kinds, cached, kind_profile, score_by_kinds, split_draws
from gainsayer.measures.expected.relevant_counts import RelevantCount, highest_likely
from gainsayer.measures.expected.shares import expect_shares
from gainsayer.measures.preference import EPSILON, real_judgments
from gainsayer.measures.profiles import (
    DISCOUNTS,
    Discount,
    gains_of_hits,
    no_discount,
    pair_profile,
    running_discount,
    sum_before,
)
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels


def expected_recall(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """E[R@k] = int_0^1 G(t) sum_{r<=k} a_r(t) dt, eq. (16): the mean over users of their own recall.

    Not the expected number found over the expected number there is, which is the plug-in recall. A user without
    relevant documents counts as 0. Unjudged documents are not relevant here; where they have a gain, they are given a
    level first (`admit_unjudged`), and so count in R as well.

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1]}, {"q": [0, 2]})
    >>> expected_recall(ranked, Gains(ranked.levels, np.array([0.0, 0.5]))).round(12).tolist()
    [0.375]
    """

    def score(kinds: Kinds) -> FloatArray:
        once, _ = cached(gains, ("share", *kinds.key), lambda: expect_shares(kinds, pairs=False))
        return np.asarray(np.einsum("dtk,tk->dt", once, kind_profile(ranked, kinds, no_discount, depth)))

    return score_by_kinds(ranked, gains, score)


def expected_f1(ranked: RankedLevels, gains: Gains, *, depth: int) -> FloatArray:
    """E[F1@k] = 2 int_0^1 t^k G(t) sum_{r<=k} a_r(t) dt, eq. (18), F1@k = 2 TP / (k + R).

    Not the plug-in F1, which divides expected values.
    """

    def score(kinds: Kinds) -> FloatArray:
        def make() -> tuple[FloatArray, FloatArray]:
            return expect_shares(kinds, added=depth, pairs=False)

        once, _ = cached(gains, ("share", depth, *kinds.key), make)
        return np.asarray(2 * np.einsum("dtk,tk->dt", once, kind_profile(ranked, kinds, no_discount, depth)))

    return score_by_kinds(ranked, gains, score)


def expected_average_precision(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """E[AP] = int_0^1 G(t) sum_r (a_r(t) / r) (1 + t sum_{s<r} a_s(t)) dt, eq. (17).

    The integrals depend on pool and gains alone and are shared by all runs; a run adds how often which level stands
    before which. Not the ratio of expected values, which is the plug-in AP (T8).
    """
    weight = 1 / ranked.rank if depth is None else np.where(ranked.rank <= depth, 1 / ranked.rank, 0.0)
    return _score_pairs(ranked, gains, weight, weight)


def expected_inferred_precision(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """E[infAP], eq. (19): only the relevant documents before a rank are a user's own, the judged ones are counted."""
    pooled = sum_before(ranked, gains_of_hits(ranked, np.ones(len(ranked.levels))))
    judged = sum_before(ranked, gains_of_hits(ranked, real_judgments(ranked.levels).astype(np.float64)))
    pairs = pooled / ranked.rank / (judged + 2 * EPSILON)
    return _score_pairs(ranked, gains, 1 / ranked.rank + EPSILON * pairs, pairs)


def _score_pairs(ranked: RankedLevels, gains: Gains, alone: FloatArray, before: FloatArray) -> FloatArray:
    """E[(1/R) sum_r X_r (alone(r) + before(r) sum_{s<r} X_s)]."""

    def score(kinds: Kinds) -> FloatArray:
        once, twice = cached(gains, ("pairs", *kinds.key), lambda: expect_shares(kinds))
        cell = ranked.topic.astype(np.int64) * (kinds.size + 1) + kinds.kind
        shape = (len(ranked.topics), kinds.size + 1)
        single = np.bincount(cell, alone, minlength=shape[0] * shape[1]).reshape(shape)[:, :-1]
        pairs = pair_profile(ranked, before, kinds.kind, kinds.size)
        return np.asarray(np.einsum("dtk,tk->dt", once, single) + np.einsum("dtkl,tkl->dt", twice, pairs))

    return score_by_kinds(ranked, gains, score)


def expected_normalised_gain(
    ranked: RankedLevels, gains: Gains, *, discount: str = "log2", depth: int | None = None
) -> FloatArray:
    """E[nDCG@k] = sum_{r<=k} c(r) p_r E[1 / I(min(R, k)) | X_r = 1], I(m) = c(1) + ... + c(m), eq. (20).

    The mean over users of their own binary nDCG: each divides by the ideal list of what is relevant to *them*. Not the
    fraction of the best expected DCG that the plug-in nDCG gives (T8). Linear in the run's level profile; what a level
    is worth depends on pool and gains alone.

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.
    """
    weight = DISCOUNTS[discount]

    def score(kinds: Kinds) -> FloatArray:
        key = ("nDCG", discount, depth, *kinds.key)
        worth = cached(gains, key, lambda: _worth_of_kinds(kinds, weight, depth))
        return np.asarray(np.einsum("dtk,tk->dt", worth, kind_profile(ranked, kinds, weight, depth)))

    return score_by_kinds(ranked, gains, score)


def _worth_of_kinds(kinds: Kinds, discount: Discount, depth: int | None) -> FloatArray:
    """p_k E[1 / I(min(R, k)) | X_k = 1], shape [draws, topics, kinds]."""
    draws, (topics, levels) = len(kinds.chance), kinds.pool.shape
    largest = int(kinds.pool.sum(axis=1).max(initial=0))
    last = largest if depth is None else min(depth - 1, largest)  # from rank `depth` on the ideal is the same
    likely = min(last, highest_likely(kinds.pool, kinds.probability) + 1)
    ideal = running_discount(discount, np.arange(1, last + 2))
    base = 1 / ideal[-1]
    over = 1 / ideal[:-1] - base
    worth = np.empty((draws, topics, kinds.size))
    for block in split_draws(draws, topics * levels * 2 * (largest + 1)):
        count = RelevantCount(kinds.pool, kinds.probability[block], likely)
        by_place = np.empty((len(kinds.chance[block]), topics, levels))
        for level in range(levels):
            by_place[..., level] = base + count.without(level)[..., :likely] @ over[:likely]
        worth[block] = by_place[..., kinds.place] * kinds.chance[block][:, None]
    return worth
