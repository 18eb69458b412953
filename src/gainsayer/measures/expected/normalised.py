"""Expected nDCG of a random user whose views of the documents are independent."""

from __future__ import annotations

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.measures.expected.cache import cached
from gainsayer.measures.expected.kinds import Kinds, kind_profile, score_by_kinds, split_draws
from gainsayer.measures.expected.relevant_counts import RelevantCount, highest_likely
from gainsayer.measures.profiles import DISCOUNTS, Discount, running_discount
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels


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
