"""Measures that are not linear in the gains.

Of a user who stops at the first relevant document (RR, ERR, Success); of precision at each relevant document (AP, GAP,
R-precision, IPrec, Q; SetAP); and for incomplete judgments, as trec_eval defines them (bpref, infAP).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.measures.sums import divide, gains_of_hits, pair_profile, pool_total, sum_before, sum_by_topic
from gainsayer.measures.unjudged import real_judgments
from gainsayer.ranking.ranked import FloatArray, RankedLevels
from gainsayer.text import option

# The highest grade of the Web track, by which its script gdeval, and so ir_measures, divides whatever the levels are.
TOP_OF_THE_WEB_TRACK: Final = 4
EPSILON: Final = 1e-5  # of infAP


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
    highest level instead of `max_rel` where it is higher; so the top of a scale that ends below `max_rel` is far from
    sure to satisfy. Others are divided by the largest gain plus 1.

    >>> from gainsayer.gains.values import exponential_gains
    >>> from gainsayer.ranking.ranked import ranked_from_lists
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
    """sum_r (1/r) s_r prod_{q<r} (1 - s_q): a user stops at each hit with the probability s."""
    sure, log = _parts(satisfied)
    reached: FloatArray = (sum_before(ranked, sure) < 0.5).astype(np.float64)
    if log.any():  # else users stop for sure, or go on for sure
        reached *= np.exp(np.minimum(sum_before(ranked, log), 0.0))
    return sum_by_topic(ranked, satisfied * reached / ranked.rank)


def _parts(probability: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where a user is sure to stop, and log(1 - p) elsewhere: products as sums, without log 0."""
    sure = probability >= 1.0
    return sure.astype(np.float64), np.log1p(-np.where(sure, 0.0, probability))


def average_precision(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """AP = sum_r (p_r / r) (1 + sum_{s<r} p_s) / sum over the pool of p; the classical AP for 0/1 gains.

    With PRM gains a ratio of expected values: numerator and denominator are each exact for a random user (a relevant
    document surely counts itself: X_r X_r = X_r, hence the 1), their ratio is *not* the expected AP.
    """
    found = gains_of_hits(ranked, gains.values, depth, unjudged=gains.unjudged)
    part = found * (1 + sum_before(ranked, found)) / ranked.rank
    return divide(sum_by_topic(ranked, part), pool_total(ranked, gains.values))


def graded_average_precision(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """GAP = sum_r (1/r) sum_{s<=r} min(p_r, p_s) / sum over the pool of p; the classical AP for 0/1 gains.

    Graded average precision (Robertson, Kanoulas, Yilmaz 2010), whose users have a threshold on the level: with p(R|i)
    in order of the levels, `p(R|i) - p(R|i-1)` is the share of users whose threshold is level i. A ratio of expected
    values under comonotone users, who find both of two documents relevant with the smaller probability of the two;
    *not* their expected AP, which is `AP(users='comonotone')`. Where p(R|i) is out of order, the threshold is on p.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, 2]}, {"q": [0, 1, 1]})
    >>> graded_average_precision(ranked, Gains(ranked.levels, np.array([0.0, 0.5, 1.0]))).tolist()
    [0.8333333333333334]
    """
    size = len(ranked.levels) + 1
    unjudged = np.full((*gains.values.shape[:-1], 1), gains.unjudged)
    chance = np.concatenate([gains.values, unjudged], axis=-1)
    kind = np.where(ranked.level > ranked.duplicate, size - 1, np.where(ranked.level < size - 1, ranked.level, size))
    weight = 1 / ranked.rank if depth is None else np.where(ranked.rank <= depth, 1 / ranked.rank, 0.0)
    shape = (len(ranked.topics), size + 1)
    single = np.bincount(ranked.topic * np.int64(size + 1) + kind, weight, shape[0] * shape[1]).reshape(shape)
    own = np.einsum("...k,tk->...t", chance, single[:, :size])
    both = np.minimum(chance[..., :, None], chance[..., None, :])
    pairs = np.einsum("...kl,tkl->...t", both, pair_profile(ranked, weight, kind, size))
    return divide(own + pairs, pool_total(ranked, gains.values))


def r_precision(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """Precision at R, R being the number of relevant documents in the pool.

    With PRM gains R is the expected number; the document across which the cut falls counts by the part before it.
    Not the expected R-precision of a random user.
    """
    relevant = pool_total(ranked, gains.values)
    share = np.clip(relevant[..., ranked.topic] - ranked.rank + 1, 0.0, 1.0)
    return divide(sum_by_topic(ranked, gains_of_hits(ranked, gains.values, unjudged=gains.unjudged) * share), relevant)


def interpolated_precision(ranked: RankedLevels, gains: Gains, *, recall: float, trec: int = 9) -> FloatArray:
    """IPrec@x: the best precision at any rank from which on at least the share x of the relevant documents is found.

    With R relevant documents in the pool, `floor(x R + 0.9)` of them must be found, as trec_eval 9, pytrec_eval and
    ir_measures count it (some round otherwise where x R + 0.9 is nearly whole), or x R rounded, as trec_eval 10 does; 0
    where they never are. Needs 0/1 gains: a maximum has no plug-in value.

    Args:
        ranked: the lists.
        gains: 0 or 1.
        recall: x.
        trec: whose rule, 9 or 10.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [0, 1, 1, 0]}, {"q": [2, 4]})
    >>> gains = Gains(ranked.levels, np.array([0.0, 1.0]))
    >>> [round(float(interpolated_precision(ranked, gains, recall=share)[0]), 3) for share in (0.1, 0.5, 0.8)]
    [0.667, 0.667, 0.0]
    """
    good = gains_of_hits(ranked, gains.values, unjudged=gains.unjudged)
    found = sum_before(ranked, good) + good
    wanted = np.floor(recall * pool_total(ranked, gains.values) + (0.9 if trec == 9 else 0.5))
    counted = np.flatnonzero((good > 0) & (found >= wanted[ranked.topic]))
    best = np.zeros(len(ranked.topics))
    np.maximum.at(best, ranked.topic[counted], (found / ranked.rank)[counted])
    return best


def set_average_precision(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """SetAP = SetP x SetR: precision times recall of the whole list.

    With PRM gains the product of two plug-in values, *not* the expected SetAP of a random user.
    """
    found = sum_by_topic(ranked, gains_of_hits(ranked, gains.values, unjudged=gains.unjudged))
    return divide(found * found, ranked.retrieved * pool_total(ranked, gains.values))


def q_measure(ranked: RankedLevels, gains: Gains, *, beta: float = 1.0, depth: int | None = None) -> FloatArray:
    """Q = (1/R) sum_r f_r (C(r) + beta cg(r)) / (r + beta cg*(r)) (Sakai).

    C counts relevant documents and cg the gains down to rank r, cg* those of the ideal list. f is 1 for a positive
    gain; for gains between 0 and 1, taken as probabilities, f, C and cg all use the gain itself (plug-in). Unjudged
    documents with a gain are neither in R nor in the ideal list, so that Q may then exceed 1, as recall, AP and nDCG
    may.
    """
    values = gains.values
    flags = np.where(gains.probable, values, values > 0)
    found = gains_of_hits(ranked, values, depth, unjudged=gains.unjudged)
    unjudged = np.where(gains.probable, gains.unjudged, gains.unjudged > 0)
    flag = gains_of_hits(ranked, flags, depth, unjudged=unjudged)
    order = np.argsort(-np.atleast_2d(values), axis=1, kind="stable")
    ideal = np.stack([_ideal_running(ranked, *each) for each in zip(np.atleast_2d(values), order, strict=True)])
    ideal = ideal[0] if values.ndim == 1 else ideal
    counted = sum_before(ranked, flag) + flag + beta * (sum_before(ranked, found) + found)
    return divide(sum_by_topic(ranked, flag * counted / (ranked.rank + beta * ideal)), pool_total(ranked, flags))


def _ideal_running(ranked: RankedLevels, gains: FloatArray, order: npt.NDArray[np.int64]) -> FloatArray:
    """cg*(r): the gains of the ideal list down to each hit's rank, shape [hits]."""
    pool = ranked.pool_by(order)[:, order]
    starts = np.cumsum(pool, axis=1) - pool
    inside = np.clip(ranked.rank[:, None] - starts[ranked.topic], 0, pool[ranked.topic])
    return np.asarray(inside @ np.maximum(gains[order], 0.0))


def binary_preference(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """Bpref = (1/R) sum over relevant retrieved of 1 - min(n, R) / min(N, R).

    n counts the documents judged not relevant that stand before the relevant one, N those in the pool, R the relevant
    ones. Unjudged documents have no influence (Buckley and Voorhees 2004).
    """
    relevant, judged = _flags(ranked, gains)
    wrong = gains_of_hits(ranked, judged - relevant)
    good = gains_of_hits(ranked, relevant)
    number = pool_total(ranked, relevant)
    bound = np.minimum(pool_total(ranked, judged - relevant), number)[ranked.topic]
    before = np.minimum(sum_before(ranked, wrong), number[ranked.topic])
    part = good * (1 - np.divide(before, bound, out=np.zeros(len(before)), where=bound > 0))
    return divide(sum_by_topic(ranked, part), number)


def inferred_precision(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """infAP: AP for a pool of which a random part was judged (Yilmaz and Aslam 2006).

    The precision at a relevant document of rank r is `1/r + (d/r) (rel + eps) / (rel + non + 2 eps)`: d pool
    members, rel relevant and non not relevant ones stand before it.
    """
    relevant, judged = _flags(ranked, gains)
    good = gains_of_hits(ranked, relevant)
    before = sum_before(ranked, good)
    wrong = sum_before(ranked, gains_of_hits(ranked, judged - relevant))
    pooled = sum_before(ranked, gains_of_hits(ranked, np.ones(len(ranked.levels))))
    estimate = 1 / ranked.rank + pooled / ranked.rank * (before + EPSILON) / (before + wrong + 2 * EPSILON)
    value = np.where(ranked.rank == 1, 1.0, estimate)
    return divide(sum_by_topic(ranked, good * value), pool_total(ranked, relevant))


def _flags(ranked: RankedLevels, gains: Gains) -> tuple[FloatArray, FloatArray]:
    """Which levels are relevant, and which are judgments at all."""
    values = gains.values
    if values.ndim != 1 or not np.all((values == 0) | (values == 1)):
        raise CallError(
            f"bpref and infAP count relevant documents: they need 0/1 gains. Use {option('gains', 'binary')}."
        )
    return values, real_judgments(ranked.levels).astype(np.float64)
