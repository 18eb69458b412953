"""How far two orders of the same runs agree: Kendall tau and AP correlation.

All of them take unrounded scores, higher is better, one per run. Rounding makes ties, and ties move every coefficient:
round what is shown, never what is compared. Scores within 1e-12 are equal, as they are in the ranks: what parts them is
the order in which a mean was added up. Where one side holds a single score for all runs there is no order to
compare, and the answer is None, not 0: zero would claim that the orders are unrelated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from gainsayer.errors import CallError
from gainsayer.rankings.ranked_levels import FloatArray

# Scores that differ by less are equal: the rest is rounding.
EQUAL = 1e-12
CUT = 0.999


@dataclass(frozen=True)
class RankCorrelation:
    """A coefficient, and the pairs of runs it was made of.

    Attributes:
        value: the coefficient, or None where it is undefined: fewer than two runs, or one side tied throughout.
        n: number of runs.
        ties_a: pairs of runs with equal scores in the first order.
        ties_b: the same in the second; a pair tied in both counts in both.
        concordant: pairs that both put in the same order.
        discordant: pairs that they put in opposite orders.
    """

    value: float | None
    n: int
    ties_a: int
    ties_b: int
    concordant: int
    discordant: int


def kendall_tau(a: npt.ArrayLike, b: npt.ArrayLike) -> RankCorrelation:
    """Kendall's tau-b between two orders of the same runs.

    tau-b = (C - D) / sqrt((N - ties_a)(N - ties_b)), with C concordant and D discordant pairs among N = n(n-1)/2. The
    paper's values are tau-b.

    Args:
        a: one score per run, higher is better.
        b: the scores of the same runs in the other order.

    Raises:
        CallError: the two differ in length, or hold NaN or infinity.

    >>> kendall_tau([4, 3, 2, 1], [4, 2, 3, 1]).value
    0.6666666666666666
    >>> print(kendall_tau([1, 1, 1], [1, 2, 3]).value)
    None
    """
    first, second = _scores(a, b)
    counted = _count_pairs(first, second)
    if not _has_order(counted):
        return counted
    pairs = counted.n * (counted.n - 1) // 2
    whole = sqrt((pairs - counted.ties_a) * (pairs - counted.ties_b))
    return _valued(counted, (counted.concordant - counted.discordant) / whole)


def tau_ap(a: npt.ArrayLike, b: npt.ArrayLike) -> RankCorrelation:
    """AP correlation: Kendall's tau in which a disagreement costs more, the nearer to the top it is.

    tau_AP = 2/(n-1) sum_{i=2..n} C(i)/(i-1) - 1, where C(i) counts the runs above rank i of one order that the other,
    too, puts above the run at rank i (Yilmaz, Aslam and Robertson 2008); the mean of both directions.

    Ties follow tau_AP,b of Urbano and Marrero (2017): tied pairs of the assessed order are left out, and C(i)/(i-1)
    runs over what is strictly above; it is symmetric, and 1 for equal orders with ties. A pair tied in the reference
    alone counts as a disagreement there.

    Args:
        a: one score per run, higher is better.
        b: the scores of the same runs in the other order.

    Raises:
        CallError: the two differ in length, or hold NaN or infinity.

    >>> round(tau_ap([4, 3, 2, 1], [3, 4, 2, 1]).value, 4)  # the two best exchanged
    0.3333
    >>> round(tau_ap([4, 3, 2, 1], [4, 3, 1, 2]).value, 4)  # the two last exchanged
    0.7778
    """
    first, second = _scores(a, b)
    counted = _count_pairs(first, second)
    if not _has_order(counted):
        return counted
    return _valued(counted, (_strict_tau_ap(first, second) + _strict_tau_ap(second, first)) / 2)


def _scores(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise CallError(
            "Two orders of the same runs are compared, one score per run in each; found the shapes "
            f"{first.shape} and {second.shape}."
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise CallError("A run without a finite score has no place in an order; leave such runs out of both orders.")
    return _snap(first), _snap(second)


def _snap(scores: FloatArray) -> FloatArray:
    """Scores that differ by no more than rounding as one: the order of a sum over topics must not break a tie (T13)."""
    order = np.argsort(scores, kind="stable")
    rising = scores[order]
    apart = np.diff(rising) > EQUAL * np.maximum(np.abs(rising[1:]), 1.0)
    first = np.concatenate(([0], np.flatnonzero(apart) + 1)).astype(np.int64) if len(rising) else np.empty(0, np.int64)
    group = np.concatenate(([0], np.cumsum(apart))).astype(np.int64) if len(rising) else np.empty(0, np.int64)
    snapped = np.empty_like(scores)
    snapped[order] = rising[first][group] if len(rising) else rising
    return snapped


def _count_pairs(first: FloatArray, second: FloatArray) -> RankCorrelation:
    """The counts of the pairs of runs, with no value yet."""
    above_a, above_b = first[:, None] > first, second[:, None] > second
    n = len(first)
    pairs = n * (n - 1) // 2
    return RankCorrelation(
        value=None,
        n=n,
        ties_a=pairs - int(above_a.sum()),
        ties_b=pairs - int(above_b.sum()),
        concordant=int((above_a & above_b).sum()),
        discordant=int((above_a & above_b.T).sum()),
    )


def _has_order(counted: RankCorrelation) -> bool:
    pairs = counted.n * (counted.n - 1) // 2
    return counted.ties_a < pairs and counted.ties_b < pairs


def _valued(counted: RankCorrelation, value: float) -> RankCorrelation:
    return replace(counted, value=value)


def _strict_tau_ap(assessed: FloatArray, reference: FloatArray) -> float:
    """One direction of tau_AP,b: only what stands strictly above, averaged over the runs that are not at the top."""
    above = assessed[:, None] > assessed
    agreeing = (above & (reference[:, None] > reference)).sum(axis=0)
    before = above.sum(axis=0)
    return float(2 * np.mean(agreeing[before > 0] / before[before > 0]) - 1)


def tau_interval(
    tau: float | None, a: FloatArray, b: FloatArray, *, topics: int, confidence: float
) -> tuple[float, float] | None:
    """Where tau would come to lie with another sample of as many topics: `tanh(atanh tau ± t_{T-1} sd / (1 - tau^2))`.

    It is *not* an interval for the tau between the true orders: noise alone makes two orders differ, so that tau from a
    sample lies below that, and no interval mends it. None for a tau of 1 or -1, or one that is undefined.

    Args:
        tau: of all topics.
        a: scores in each sample by the first kind of gains, shape [draws, runs].
        b: by the second kind, from the same samples.
        topics: how many are scored.
        confidence: such as 0.95.

    >>> rng = np.random.default_rng(1)
    >>> true, noise = np.arange(10.0), rng.normal(size=(2, 500, 10))
    >>> low, high = tau_interval(0.8, true + noise[0], true + noise[1], topics=50, confidence=0.95)
    >>> round(low, 2), round(high, 2)
    (0.54, 0.92)
    """
    if tau is None or abs(tau) >= 1 or topics < 2:
        return None
    spread = float(np.nanstd(_taus(a, b), ddof=1))
    cut = float(np.clip(tau, -CUT, CUT))
    half = float(stdtrit(topics - 1, (1 + confidence) / 2)) * spread / (1 - cut**2)
    return float(np.tanh(np.arctanh(cut) - half)), float(np.tanh(np.arctanh(cut) + half))


def _taus(a: FloatArray, b: FloatArray) -> FloatArray:
    """tau-b of each draw, shape [draws]."""
    found = np.empty(len(a))
    for draw, scores in enumerate(zip(a, b, strict=True)):
        above, other = (_above(one) for one in scores)
        concordant, discordant = np.count_nonzero(above & other), np.count_nonzero(above & other.T)
        whole = np.sqrt(float(np.count_nonzero(above)) * np.count_nonzero(other))
        found[draw] = (concordant - discordant) / whole if whole else np.nan
    return found


def _above(scores: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether a run is above another, shape [runs, runs]; small whole numbers are compared many at a time."""
    ranks = np.unique(scores, return_inverse=True)[1].astype(np.int16)
    return np.asarray(ranks[:, None] > ranks)
