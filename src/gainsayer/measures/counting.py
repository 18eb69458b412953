"""What a list and a pool hold: numbers of documents, and the share of judged ones."""

from __future__ import annotations

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.measures.preference import real_judgments
from gainsayer.measures.profiles import level_profile, no_discount
from gainsayer.measures.sums import divide, pool_total
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels


def retrieved_count(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """NumRet: the length of the list."""
    return ranked.retrieved.astype(np.float64)


def relevant_count(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """NumRel over the pool: sum_i n_i g_i, with PRM gains the expected number of relevant judged documents."""
    return pool_total(ranked, gains.values)


def judged_share(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """Judged@k: share of the documents in the top k that were judged; of those returned, if fewer than k were."""
    return share_of_judged(ranked, depth)


def share_of_judged(ranked: RankedLevels, depth: int | None = None) -> FloatArray:
    """The same without gains; 0 where nothing was returned.

    One minus it is the share of documents whose gain is a policy, not a judgment (T5).
    """
    inside = ranked.topic if depth is None else ranked.topic[ranked.rank <= depth]
    length = ranked.retrieved if depth is None else np.minimum(ranked.retrieved, depth)
    judged = np.bincount(inside, minlength=len(ranked.topics))
    return divide(judged.astype(np.float64), length.astype(np.float64))


def unjudged_share(ranked: RankedLevels, gains: Gains, *, depth: int) -> FloatArray:
    """Unjudged@k: unjudged documents in the top k, divided by k (trec_eval's unj).

    A negative code counts as unjudged, as in trec_eval's qrels: in the pool, but nobody looked.
    """
    profile = level_profile(ranked, no_discount, depth)
    unseen = np.append(~real_judgments(ranked.levels), True)
    return np.asarray(profile[:, unseen].sum(axis=1) / depth)
