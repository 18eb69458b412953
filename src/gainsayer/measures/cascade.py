"""Measures of a user who stops at the first relevant document: RR, ERR, Success."""

from __future__ import annotations

from typing import Final

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.measures.profiles import gains_of_hits, sum_before, sum_by_topic
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

# The highest grade of the Web track, by which its script gdeval, and so ir_measures, divides whatever the levels are.
TOP_OF_THE_WEB_TRACK: Final = 4


def reciprocal_rank(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """RR = sum_r (1/r) p_r prod_{s<r} (1 - p_s): 1 / rank of the first relevant document for 0/1 gains.

    With PRM gains it is the expected RR of a random user whose views of the documents are independent, and equal to ERR
    with R_i = p(R|i).
    """
    return _stop(ranked, gains_of_hits(ranked, gains.values, depth, unjudged=gains.unjudged))


def expected_reciprocal_rank(
    ranked: RankedLevels, gains: Gains, *, max_rel: float = TOP_OF_THE_WEB_TRACK, depth: int | None = None
) -> FloatArray:
    """ERR = sum_r (1/r) R_r prod_{s<r} (1 - R_s), R being the probability that the document satisfies.

    Gains that are probabilities are used as they are. Exponential gains give R_i = (2^i - 1) / 2^max_rel, with the
    highest level in place of `max_rel` where it is higher; so the top of a scale that ends below `max_rel` is far from
    sure to satisfy. Others are divided by the largest gain plus 1.

    >>> from gainsayer.gains.values import exponential_gains
    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [2]}, {"q": [1, 1, 1]})
    >>> gains = exponential_gains(ranked.levels)
    >>> [expected_reciprocal_rank(ranked, gains, max_rel=top).tolist() for top in (4, 2)]
    [[0.1875], [0.75]]
    """
    scale = gains.values.max(axis=-1, keepdims=True) + 1
    if gains.name.startswith("exponential"):
        scale = np.maximum(scale, 2.0**max_rel)
    else:
        scale = np.where(gains.probable, 1.0, scale)
    satisfied = np.clip(gains.values / scale, 0.0, 1.0)
    return _stop(ranked, gains_of_hits(ranked, satisfied, depth, unjudged=gains.unjudged / scale))


def reciprocal_rank_of_users(
    ranked: RankedLevels, gains: Gains, *, max_rel: float = TOP_OF_THE_WEB_TRACK, depth: int | None = None
) -> FloatArray:
    """ERR of independent users, whose gains are probabilities already: their expected RR, whatever `max_rel` is."""
    return reciprocal_rank(ranked, gains, depth=depth)


def success(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """Success@k = 1 - prod_{r<=k} (1 - p_r): whether, or how probably, a user finds anything relevant.

    With PRM gains it takes a user's views of the documents to be independent.
    """
    found = gains_of_hits(ranked, gains.values, depth, unjudged=gains.unjudged)
    sure, log = _parts(found)
    missed = np.exp(sum_by_topic(ranked, log)) * (sum_by_topic(ranked, sure) == 0)
    return np.asarray(1 - missed)


def _stop(ranked: RankedLevels, satisfied: FloatArray) -> FloatArray:
    sure, log = _parts(satisfied)
    reached: FloatArray = (sum_before(ranked, sure) < 0.5).astype(np.float64)
    if log.any():  # else users stop for sure, or go on for sure
        reached *= np.exp(np.minimum(sum_before(ranked, log), 0.0))
    return sum_by_topic(ranked, satisfied * reached / ranked.rank)


def _parts(probability: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where a user surely stops, and log(1 - p) elsewhere: products as sums, without log 0."""
    sure = probability >= 1.0
    return sure.astype(np.float64), np.log1p(-np.where(sure, 0.0, probability))
