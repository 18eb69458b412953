"""How much the views of one user hang together: a strict assessor is strict with all documents of a topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pairs import FloatArray
from gainsayer.counts.sides import choose_sides, match_sides
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.disagreement.topic_jackknife import leave_out_each
from gainsayer.errors import CallError, DataError, MissingParameterError
from gainsayer.judgments.table import Judgments

IntArray = npt.NDArray[np.int64]
NODES: Final = 96
HALVINGS: Final = 50
GRID: Final = 501


# With fewer second assessors within topics the estimate is far too low, and its error too small.
FEWEST_GROUPS = 5


@dataclass(frozen=True)
class UserCorrelation:
    """The correlation of a user's views of different documents, given their labels.

    Args:
        correlation: rho of the Gaussian copula, from 0 to 1: what `users=0.3` takes.
        standard_error: delete-one-topic jackknife; NaN for a single topic. p(R|i) is taken as given.
        intraclass: the residual intraclass correlation: mean product of the residuals of two documents over the mean
            squared residual. May be below 0, where rho is 0.
        topics: topics with pairs of documents.
        groups: second assessors within topics.
        opinions: second opinions in them.
        pairs: pairs of different documents with second opinions of the same assessor in the same topic.
    """

    correlation: float
    standard_error: float
    intraclass: float
    topics: int
    groups: int
    opinions: int
    pairs: int


def estimate_user_correlation(
    judgments: Judgments,
    prediction: PredictedRelevance,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    matched: bool | None = None,
) -> UserCorrelation:
    """The correlation between one user's views of different documents, from second opinions (spec 2.4.4).

    A second assessor stands for a user. With X_d whether they found document d relevant and p_d = p(R|i) of its first
    label, rho is such that the model expects the residual products that are seen:
    `sum (X_d - p_d)(X_e - p_e) = sum [P(X_d = X_e = 1; rho) - p_d p_e]`, over all pairs of different documents with the
    same topic and second assessor. It assumes that p(R|i) is right on average: what differs between topics beyond the
    label counts as correlation, too, as it does for a user of that topic. p(R|i) from the same judgments makes the
    residuals of each level sum to about 0 over all topics, so with few (topic, assessor) groups rho is too low: 0 for
    one group whatever the truth, .20 for .30 with five, .28 with twenty; below `FEWEST_GROUPS` it means nothing. Give a
    *one-sided* prediction of the same sides: with a symmetric one a second side that is merely more lenient counts as
    correlation.

    Args:
        judgments: who said what.
        prediction: p(R|i) and which levels are relevant.
        first: assessors of the first side, as for `count_pairs`.
        second: assessors of the second side, who stand for the users.
        matched: whether the sides are fixed pairs, as for `count_pairs`.

    Raises:
        CallError: an assessor is unknown.
        DataError: no assessor gave second opinions on two documents of a topic.
        MissingParameterError: a level with second opinions has no p(R|i).

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> from gainsayer.disagreement.relevance import predict_relevance
    >>> judgments = twenty_documents()
    >>> found = estimate_user_correlation(judgments, predict_relevance(estimate_disagreement(count_pairs(judgments))))
    >>> found.opinions, found.pairs, found.topics
    (20, 190, 1)
    """
    sides = choose_sides(judgments, first, second)
    if sides is None:
        rows = np.ones(len(judgments), np.bool_)
        one, two = _join(judgments, rows, rows)
    else:
        judgments = match_sides(judgments, sides, matched)
        one, two = _join(judgments, sides.first_rows, sides.second_rows)
    group = judgments.topic[two].astype(np.int64) * len(judgments.assessors) + judgments.assessor[two]
    return fit_user_correlation(
        probability=prediction.probability,
        topic=judgments.topic[two].astype(np.int64),
        group=group,
        document=judgments.item[two],
        level=judgments.level[one].astype(np.int64),
        relevant=prediction.relevance.indicator[judgments.level[two]] > 0,
    )


def fit_user_correlation(
    *,
    probability: FloatArray,
    topic: IntArray,
    group: IntArray,
    document: IntArray,
    level: IntArray,
    relevant: npt.NDArray[np.bool_],
) -> UserCorrelation:
    """The same from plain arrays, one entry per second opinion.

    Args:
        probability: p(R|i); shape [levels].
        topic: numbers of topics.
        group: numbers of (topic, second assessor).
        document: numbers of documents; two opinions on one document make no pair.
        level: the first label.
        relevant: whether the second assessor found it relevant.

    Raises:
        DataError: no group has two documents.
        MissingParameterError: a level has no probability.
    """
    size = len(probability)
    if np.isnan(probability[level]).any():
        raise MissingParameterError(
            "A level with second opinions has no p(R|i), so there is nothing to compare the opinions with. "
            "Smooth the estimate, or merge the level."
        )
    residual = relevant - probability[level]
    groups = np.unique(group, return_inverse=True)[1].ravel()
    single = np.unique(groups * (int(document.max(initial=0)) + 1) + document, return_inverse=True)[1].ravel()
    sums, held = _tally(groups, level, residual, size)
    own, own_held = _tally(single, level, residual, size)
    # By topic, so that one topic can be left out: pairs within a group, but not within a document.
    topics, place = np.unique(topic, return_inverse=True)
    place = place.ravel()
    of_group, of_single = np.zeros(len(sums), np.int64), np.zeros(len(own), np.int64)
    of_group[groups], of_single[single] = place, place
    products = np.bincount(of_group, sums**2, len(topics)) - np.bincount(of_single, own**2, len(topics))
    pairs = np.zeros((len(topics), size, size))
    np.add.at(pairs, of_group, held[:, :, None] * held[:, None])
    np.subtract.at(pairs, of_single, own_held[:, :, None] * own_held[:, None])
    total = pairs.sum(axis=0)
    if total.sum() < 1:
        raise DataError(
            "No assessor gave second opinions on two documents of one topic, so nothing can be said about how a user's "
            "views hang together. Have several documents of a topic judged by the same second assessor."
        )
    square = float(np.mean(residual**2))
    mean_product = float(products.sum()) / float(total.sum())
    used = pairs.sum(axis=(1, 2)) > 0
    count = int(used.sum())
    error = _jackknife(leave_out_each(products[used]), leave_out_each(pairs[used]), probability)
    return UserCorrelation(
        correlation=_solve(float(products.sum()), total, probability),
        standard_error=error,
        intraclass=mean_product / square if square > 0 else np.nan,
        topics=count,
        groups=len(sums),
        opinions=len(level),
        pairs=round(float(total.sum()) / 2),
    )


def joint_relevance(p: FloatArray, q: FloatArray, correlation: float) -> FloatArray:
    """P(both of two documents are relevant to a user), under the Gaussian copula: Phi_2(Phi^-1(p), Phi^-1(q); rho).

    `p q + 1/(2 pi) int_0^asin(rho) exp(-(x² + y² - 2 x y sin s) / (2 cos² s)) ds`, by Gauss-Legendre quadrature.

    >>> joint_relevance(np.array([0.5, 0.2]), np.array([0.5, 1.0]), 0.5).round(10).tolist()
    [0.3333333333, 0.2]
    """
    from scipy.special import ndtri

    p, q = np.broadcast_arrays(p, q)
    if correlation >= 1:
        return np.minimum(p, q)
    open_ended = (p > 0) & (p < 1) & (q > 0) & (q < 1)
    x, y = (ndtri(np.where(open_ended, each, 0.5))[..., None] for each in (p, q))
    at, weight = _legendre()
    end = np.arcsin(correlation)
    angle = end * (at + 1) / 2
    height = np.exp(-(x**2 + y**2 - 2 * x * y * np.sin(angle)) / (2 * np.cos(angle) ** 2))
    return np.asarray(p * q + np.where(open_ended, height @ weight * end / (4 * np.pi), 0.0))


def _solve(products: float, pairs: FloatArray, probability: FloatArray) -> float:
    """The rho at which the model expects these residual products; 0 or 1 where none does."""
    levels = np.flatnonzero(pairs.sum(axis=1) > 0)
    number = pairs[np.ix_(levels, levels)]
    p, q = probability[levels][:, None], probability[levels][None]

    def expected(correlation: float) -> float:
        return float(np.sum(number * (joint_relevance(p, q, correlation) - p * q)))

    low, high = 0.0, 1.0
    if products <= 0 or not len(levels):
        return low
    if products >= expected(high):
        return high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if expected(middle) < products else (low, middle)
    return (low + high) / 2


def _jackknife(products: FloatArray, pairs: FloatArray, probability: FloatArray) -> float:
    """Standard error from the estimates without each topic, read off a table of what the model expects."""
    count = len(products)
    if count < 2:
        return float("nan")
    known = np.where(np.isnan(probability), 0.0, probability)
    p, q = known[:, None], known[None]
    grid = np.linspace(0.0, 1.0, GRID)
    table = np.stack([joint_relevance(p, q, float(each)) - p * q for each in grid])
    expected = np.einsum("tlm,glm->tg", pairs, table)
    without = np.array([np.interp(seen, rising, grid) for seen, rising in zip(products, expected, strict=True)])
    return float(np.sqrt((count - 1) / count * np.sum((without - without.mean()) ** 2)))


@lru_cache(maxsize=1)
def _legendre() -> tuple[FloatArray, FloatArray]:
    from scipy.special import roots_legendre

    at, weight = roots_legendre(NODES)
    return at, weight


def _tally(unit: IntArray, level: IntArray, residual: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    """Sums of residuals, shape [units], and opinions by first label, shape [units, levels]."""
    units = int(unit.max(initial=-1)) + 1
    held = np.bincount(unit * size + level, minlength=units * size).reshape(units, size)
    return np.bincount(unit, residual, units).astype(np.float64), held.astype(np.float64)


def _join(
    judgments: Judgments, first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_]
) -> tuple[IntArray, IntArray]:
    """Rows of first and second judgments of the same documents by different assessors."""
    rows = np.flatnonzero(first)
    rows = rows[np.argsort(judgments.item[rows], kind="stable")]
    counts = np.bincount(judgments.item[rows], minlength=judgments.items)
    starts = np.cumsum(counts) - counts
    two = np.flatnonzero(second)
    times = counts[judgments.item[two]]
    begin = np.repeat(np.cumsum(times) - times, times)
    two = np.repeat(two, times)
    one = rows[starts[judgments.item[two]] + np.arange(len(two)) - begin]
    apart = judgments.assessor[one] != judgments.assessor[two]
    if not apart.any():
        raise CallError("No document was judged by two different assessors of these sides.")
    return one[apart], two[apart]
