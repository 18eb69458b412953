"""Orders of runs: ranks and the ranks they may have, letters, Kendall's tau and tau-AP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
import numpy.typing as npt
import scipy

from gainsayer.errors import CallError
from gainsayer.ranking.ranked import FloatArray, IntArray

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
    half = float(scipy.special.stdtrit(topics - 1, (1 + confidence) / 2)) * spread / (1 - cut**2)
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


BoolArray = npt.NDArray[np.bool_]
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def rank_scores(scores: FloatArray) -> IntArray:
    """Rank of each run, 1 for the highest; scores within rounding are equal and share the better rank.

    >>> rank_scores(np.array([0.5, 0.7, 0.5])).tolist()
    [2, 1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    begins = np.ones(len(scores), dtype=bool)
    begins[1:] = falling[:-1] - falling[1:] > EQUAL
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[order] = np.maximum.accumulate(np.where(begins, np.arange(1, len(scores) + 1), 0))
    return ranks


def rank_sets(runs: int, a: IntArray, b: IntArray, better: BoolArray, worse: BoolArray) -> IntArray:
    """The ranks that each run may have, from 1 + #{runs significantly better} to S - #{runs significantly worse}.

    If the tests of all pairs hold at once with 95 %, so do all these sets (spec 4.5). They are wide where runs are
    close: that is the data. Unlike ranks over resamples they are *confidence* sets: of ten close runs the true ranks
    all lie inside in at least 95 % of collections.

    Args:
        runs: how many.
        a: first run of each pair, all pairs.
        b: second run.
        better: a is significantly better than b.
        worse: a is significantly worse.

    Returns:
        Lowest and highest rank, shape [runs, 2].

    >>> better = np.array([False, True, False])
    >>> rank_sets(3, np.array([0, 0, 1]), np.array([1, 2, 2]), better, np.zeros(3, dtype=bool)).tolist()
    [[1, 2], [1, 3], [2, 3]]
    """
    beaten_by = np.bincount(b[better], minlength=runs) + np.bincount(a[worse], minlength=runs)
    beats = np.bincount(a[better], minlength=runs) + np.bincount(b[worse], minlength=runs)
    return np.stack([1 + beaten_by, runs - beats], axis=1)


def possibly_best(sets: IntArray) -> IntArray:
    """The runs that no run beats significantly: the truly best one is among them with the family's confidence.

    >>> possibly_best(np.array([[1, 2], [1, 3], [2, 3]])).tolist()
    [0, 1]
    """
    return np.flatnonzero(sets[:, 0] == 1)


def letter_groups(order: Sequence[int], differs: npt.ArrayLike) -> list[str]:
    """The letters of each run, such that two runs share a letter if and only if they do not differ.

    This is the compact letter display of Piepho (2004). His insert-and-absorb lists every largest group of runs without
    a difference among them; there can be exponentially many, of which a table needs few. Here, from the best run
    downwards, each pair that no letter joins yet gets one, and its group is widened as far as it goes; then a letter
    is dropped where others do its work. Where only the distance in the order decides, both give the same letters.

    A shared letter does *not* mean that runs are equally good: the topics could not tell.

    Args:
        order: the indices of the runs from the best to the worst; the first letters go to the best.
        differs: shape [runs, runs], True where two runs differ; symmetric, False on the diagonal.

    Returns:
        One string per run, by index as in `differs` (not by place in `order`), letters in alphabetical order. Up to 26
        groups are "a" to "z", written together ("abc"); with more, "aa", "ab", ... follow, and a blank parts them.

    Raises:
        CallError: `order` does not hold each run once, or `differs` is not symmetric.

    >>> differs = np.zeros((3, 3), dtype=bool)
    >>> differs[0, 2] = differs[2, 0] = True
    >>> letter_groups([0, 1, 2], differs)
    ['a', 'ab', 'b']
    """
    table = np.asarray(differs)
    runs = len(table)
    if table.shape != (runs, runs) or table.dtype != np.bool_ or (table != table.T).any() or table.diagonal().any():
        raise CallError(
            "Which runs differ is a symmetric table of true and false, [runs, runs], false on the diagonal."
        )
    if sorted(order) != list(range(runs)):
        raise CallError(
            f"The order of {runs} runs must hold each index from 0 to {runs - 1} once, found {list(order)}."
        )
    ranked = np.asarray(order, dtype=np.int64)
    alike = ~table[np.ix_(ranked, ranked)]
    groups = sorted(_needed(_covering(alike)), key=lambda group: np.flatnonzero(group).tolist())
    names = [_name(number) for number in range(len(groups))]
    between = "" if len(names) <= len(_ALPHABET) else " "
    letters = [""] * runs
    for place, run in enumerate(ranked):
        letters[run] = between.join(name for name, group in zip(names, groups, strict=True) if group[place])
    return letters


def _covering(alike: npt.NDArray[np.bool_]) -> list[npt.NDArray[np.bool_]]:
    """Groups of runs all alike, none of which can be widened, that join every pair alike and hold every run."""
    runs = len(alike)
    joined = np.zeros_like(alike)
    groups = []
    for best in range(runs):
        for worst in range(runs - 1, best - 1, -1):
            if alike[best, worst] and not joined[best, worst]:
                group = np.zeros(runs, dtype=bool)
                group[[best, worst]] = True
                for other in [*range(best, worst), *range(best), *range(worst + 1, runs)]:
                    group[other] |= bool(alike[other, group].all())
                joined |= group[:, None] & group
                groups.append(group)
    return groups


def _needed(groups: list[npt.NDArray[np.bool_]]) -> list[npt.NDArray[np.bool_]]:
    """The groups without those whose pairs are all joined by the groups kept."""
    members = np.array(groups, dtype=np.int64)
    times = members.T @ members  # how many groups join each pair
    kept = []
    for group in groups:
        pairs = group[:, None] & group
        if (times[pairs] > 1).all():
            times = times - pairs
        else:
            kept.append(group)
    return kept


def _name(number: int) -> str:
    """The letters a to z, then aa, ab, ...

    >>> [_name(number) for number in (0, 25, 26, 27, 702)]
    ['a', 'z', 'aa', 'ab', 'aaa']
    """
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, len(_ALPHABET))
        name = _ALPHABET[letter] + name
    return name
