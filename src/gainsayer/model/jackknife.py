"""The jackknife: one topic, or one person, left out at a time. The default intervals of p(R|i), and those of agreement.

Intervals of p(R|i) are made on the logit scale and corrected for skewness. They are a function of two arrays, the
relevant and all second opinions per topic and level, which may have further axes in front (repeats of a simulation,
say). Where few assessors stand for users, the larger of the variances over topics and over people counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, expit, stdtrit

from gainsayer.model.pair_counts import FloatArray

BoolArray = npt.NDArray[np.bool_]
SKEWNESS_SHARE: Final = 0.75
NO_SKEWNESS: Final = 1e-6
DOCUMENTS_PER_TOPIC: Final = 3.0
# Sums by topic and by person are added up in different orders: all but this share of a total is all of it.
DUST: Final = 1e-12
# A variance of the logit below this is none: the topics have the same share to the last digit.
STILL: Final = 1e-20


@dataclass(frozen=True, eq=False)
class LogitEnds:
    """Ends of intervals, shape [..., levels, 2], and how they came about; other arrays have the shape [..., levels].

    Args:
        ends: NaN where there is no interval.
        half: where half a count was added, as all relevant (or all other) opinions belong to one topic or one person.
        exact: where leaving out any topic changes nothing, as with an estimate of 0 or 1, and the ends are Clopper and
            Pearson's.
        degrees: degrees of freedom of the t quantile; NaN where none was used.
        variance: of the logit; NaN likewise.
    """

    ends: FloatArray
    half: BoolArray
    exact: BoolArray
    degrees: FloatArray
    variance: FloatArray


def topic_intervals(relevant: FloatArray, judged: FloatArray, *, confidence: float = 0.95) -> LogitEnds:
    """Delete-one-topic jackknife of the logit with a correction for skewness and effective topics.

    With a_t, b_t the relevant and all second opinions of topic t, c_t = b_t - a_t, capitals their sums, h_t = b_t / B:

        f = log(A / C),   d_t = log((A - a_t) / (C - c_t)) - f,   s² = sum_t (1 - h_t) d_t²
        psi_t = -sqrt(1 - h_t) d_t,   k = 3/4 sum psi³ / (sum psi²)^(3/2)
        q = t quantile with min(T - 1, max(2, T*)) degrees of freedom, T* = `effective_topics`
        interval = [expit(f - s g(q)), expit(f - s g(-q))],   g(x) = 3/k (cbrt(1 + k (x - k/6)) - 1)

    g is the inverse of Hall's (1992) transformation of a skewed statistic. Where all relevant (or all other) opinions
    stand in one topic, half a count is added to every sum and k = 0. Where no topic changes the estimate, as it is 0 or
    1, or all topics have the same share, the ends are Clopper and Pearson's for `exact_size` opinions: few topics that
    happen to agree do not make it certain. No interval for a level seen in fewer than two topics.

    Assumes that topics were drawn independently. It is *not* an interval for users where few assessors judged many
    topics: they are taken as given (see `people_intervals`).

    Args:
        relevant: relevant second opinions, shape [..., topics, levels].
        judged: all second opinions, of the same shape. Topics without any at all levels do not count.
        confidence: the share of such intervals that should hold the truth.

    >>> relevant, judged = np.array([[1.0], [3], [2], [8]]), np.array([[10.0], [9], [12], [20]])
    >>> topic_intervals(relevant, judged).ends.round(3).tolist()
    [[0.119, 0.94]]
    """
    other = judged - relevant
    half = _all_in_one(relevant) | _all_in_one(other)
    centre, apart = delete_each(relevant, other, relevant.sum(axis=-2), other.sum(axis=-2), half)
    return logit_ends(relevant, judged, centre, apart, half, confidence=confidence)


def logit_ends(
    relevant: FloatArray,
    judged: FloatArray,
    centre: FloatArray,
    apart: FloatArray,
    half: BoolArray,
    *,
    confidence: float,
    certain: FloatArray | None = None,
) -> LogitEnds:
    """`topic_intervals` with the logits given, which may be those of smoothed estimates.

    Args:
        relevant: relevant second opinions, shape [..., topics, levels].
        judged: all second opinions, likewise.
        centre: f, shape [..., levels].
        apart: d_t, shape [..., topics, levels].
        half: whether half a count stands in f and d_t, so that there is no skewness to correct for.
        confidence: such as 0.95.
        certain: 0 or 1 where the estimate is exactly that, else anything between; shape [..., levels]. By default
            the share of relevant opinions.
    """
    _, usual, _ = _sort_levels(relevant, judged, certain)
    total = judged.sum(axis=-2)
    left = 1 - judged / np.where(total > 0, total, 1.0)[..., None, :]
    moves = np.where(usual[..., None, :], -np.sqrt(left) * apart, 0.0)
    variance = (moves**2).sum(axis=-2)
    skewness = SKEWNESS_SHARE * share_of((moves * moves * moves).sum(axis=-2), variance**1.5, empty=0.0)
    skewness = np.where(half, 0.0, skewness)
    topics = (judged.sum(axis=-1) > 0).sum(axis=-1)[..., None]
    degrees = np.minimum(topics - 1, np.maximum(2.0, effective_topics(judged)))
    reach = quantiles(confidence, np.where(usual, degrees, 1.0))
    error = np.sqrt(variance)
    ends = np.stack([expit(centre - error * straighten(sign * reach, skewness)) for sign in (1, -1)], axis=-1)
    usual_ends = LogitEnds(ends, half, ~usual, degrees, variance)
    return _put_exact(usual_ends, relevant, judged, centre, confidence=confidence, certain=certain)


def _put_exact(
    found: LogitEnds,
    relevant: FloatArray,
    judged: FloatArray,
    centre: FloatArray,
    *,
    confidence: float,
    certain: FloatArray | None,
) -> LogitEnds:
    """The same with Clopper and Pearson's ends where no topic changes the estimate, and none for levels seen once."""
    estimate, usual, exact = _sort_levels(relevant, judged, certain)
    still = usual & (found.variance < STILL)
    exact, usual = exact | still, usual & ~still
    share = estimate if certain is None else np.where(still, expit(centre), estimate)
    certain_ends = clopper_pearson(share, exact_size(relevant, judged), confidence)
    return LogitEnds(
        ends=np.where(exact[..., None], certain_ends, np.where(usual[..., None], found.ends, np.nan)),
        half=usual & found.half,
        exact=exact,
        degrees=np.where(usual, found.degrees, np.nan),
        variance=np.where(usual, found.variance, np.nan),
    )


def _sort_levels(
    relevant: FloatArray, judged: FloatArray, certain: FloatArray | None
) -> tuple[FloatArray, BoolArray, BoolArray]:
    """The estimate, and which levels seen in two or more topics have one between 0 and 1, and which one of 0 or 1."""
    estimate = share_of(relevant.sum(axis=-2), judged.sum(axis=-2)) if certain is None else certain
    known = (judged > 0).sum(axis=-2) > 1
    exact = known & ((estimate == 0) | (estimate == 1))
    return estimate, known & ~exact, exact


def delete_each(
    relevant: FloatArray, other: FloatArray, all_relevant: FloatArray, all_other: FloatArray, half: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """The logit f of all opinions, shape [..., levels], and d_t, by how much it moves without each part of them.

    `log((A - a_t) / (C - c_t)) - log(A / C) = log1p(-a_t / A) - log1p(-c_t / C)`: no small difference of large numbers,
    also with a million topics. Where `half`, half a count is added to all four.
    """
    extra = np.where(half, 0.5, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        a, c = all_relevant + extra, all_other + extra
        centre = np.log(a) - np.log(c)
        apart = np.log1p(-np.minimum(relevant / a[..., None, :], 1)) - np.log1p(-np.minimum(other / c[..., None, :], 1))
    return centre, apart


def straighten(x: FloatArray, skewness: FloatArray) -> FloatArray:
    """Hall's inverse transformation `3/k (cbrt(1 + k (x - k/6)) - 1)`; x itself where k is 0.

    Beyond the turning point, where `1 + k (x - k/6)` is below 0, the far end would run to 0 or 1; there it is
    max(|x|, 3/|k|), outwards.

    >>> straighten(np.array([2.0, -2.0, 2.0]), np.array([0.3, 0.3, 0.0])).round(4).tolist()
    [1.6594, -2.7252, 2.0]
    """
    plain = np.abs(skewness) < NO_SKEWNESS
    k = np.where(plain, 1.0, skewness)
    bent = 1 + k * (x - k / 6)
    outwards = -np.sign(k) * np.maximum(np.abs(x), 3 / np.abs(k))
    return np.where(plain, x, np.where(bent < 0, outwards, 3 / k * (np.cbrt(bent) - 1)))


def effective_topics(judged: FloatArray) -> FloatArray:
    """T* = (sum_t b_t^(3/2))² / sum_t b_t³: how many equal topics these topics are worth; shape [..., levels].

    T for equal topics; NaN without opinions. It is below Kish's number (`effective_number`), as the few large topics
    decide not only the estimate but also its error.

    >>> effective_topics(np.array([[4.0, 16], [4, 1], [4, 1]])).round(2).tolist()
    [3.0, 1.06]
    """
    root = judged * np.sqrt(judged)
    return share_of(root.sum(axis=-2) ** 2, (root * root).sum(axis=-2))


def effective_number(weight: FloatArray) -> FloatArray:
    """Kish's `(sum b)² / sum b²` along the second last axis: T_eff of topics, K* of people; NaN without weight.

    >>> effective_number(np.array([[4.0, 16], [4, 1], [4, 1]])).round(2).tolist()
    [3.0, 1.26]
    """
    return share_of(weight.sum(axis=-2) ** 2, (weight**2).sum(axis=-2))


def exact_size(relevant: FloatArray, judged: FloatArray) -> FloatArray:
    """How many independent opinions those behind an estimate of 0 or 1 are worth; shape [..., levels].

    `min(B / max(1, deff), 3 B² / sum b_t²)`: the opinions over the largest design effect of the other levels,
    `V / (p (1 - p) / B)` with V of eq. (24), and at most three for each (effective) topic.
    """
    total = judged.sum(axis=-2)
    p = share_of(relevant.sum(axis=-2), total, empty=0.0)
    topics = (judged.sum(axis=-1) > 0).sum(axis=-1)[..., None]
    residual = ((relevant - p[..., None, :] * judged) ** 2).sum(axis=-2)
    variance = share_of(topics * residual, (topics - 1) * total**2, empty=0.0)
    effect = share_of(variance * total, p * (1 - p), empty=0.0).max(axis=-1, keepdims=True)
    return np.asarray(np.minimum(total / np.maximum(1, effect), DOCUMENTS_PER_TOPIC * effective_number(judged)))


def clopper_pearson(estimate: FloatArray, size: FloatArray, confidence: float) -> FloatArray:
    """Clopper and Pearson's ends for a share of `size` opinions, which need not be whole numbers; shape [..., 2].

    With x = estimate times size: quantiles of Beta(x, size - x + 1) and Beta(x + 1, size - x); 0 and 1 at the edges.

    >>> clopper_pearson(np.array([0.0, 1.0, 0.5]), np.array([10.0, 10.0, 10.0]), 0.95).round(4).tolist()
    [[0.0, 0.3085], [0.6915, 1.0], [0.1871, 0.8129]]
    """
    tail = (1 - confidence) / 2
    some = estimate * size
    with np.errstate(invalid="ignore"):
        low = np.where(estimate > 0, betaincinv(some, size - some + 1, tail), 0.0)
        high = np.where(estimate < 1, betaincinv(some + 1, size - some, 1 - tail), 1.0)
    return np.stack([low, high], axis=-1)


def quantiles(confidence: float, degrees: FloatArray) -> FloatArray:
    """Two-sided t quantiles for any numbers of degrees of freedom."""
    return np.asarray(stdtrit(degrees, (1 + confidence) / 2))


def share_of(part: FloatArray, whole: FloatArray, *, empty: float = np.nan) -> FloatArray:
    """part / whole, and `empty` where the whole is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, empty))


def _all_in_one(part: FloatArray) -> BoolArray:
    """Whether one topic holds everything there is, so that nothing is left without it; shape [..., levels]."""
    return np.asarray((part.max(axis=-2) >= part.sum(axis=-2)) & (part.max(axis=-2) > 0))


def people_intervals(
    relevant: FloatArray,
    judged: FloatArray,
    person_relevant: FloatArray,
    as_first: FloatArray,
    as_second: FloatArray,
    *,
    team: npt.NDArray[np.int64] | None = None,
    confidence: float = 0.95,
) -> LogitEnds:
    """The larger of the delete-one-topic and the delete-one-person variance of the logit, with a t quantile.

    V_topic = sum_t (1 - h_t) d_t² as in `topic_intervals`. d_k is by how much the logit moves without all opinions in
    which person k takes part, h_k the larger of k's shares in either role, and V_person = sum_k (1 - h_k) d_k². The
    interval is `expit(f +- t sqrt(max(V_topic, V_person)))` with max(1, min(df_person, T_eff - 1)) degrees of freedom:

        df_person = K* - 1 with K* = (sum b_k)² / sum b_k²;   for two teams Welch's
        (V_1 + V_2)² / (V_1² / (K_1* - 1) + V_2² / (K_2* - 1))

    Nothing is subtracted: two people's common noise counts twice, so it is cautious rather than exact. Half a count is
    added where all relevant (or all other) opinions stand in one topic or belong to one person; where the estimate is 0
    or 1, the ends are those of `topic_intervals`. With two or three people it has no information left (t with one or
    two degrees of freedom); it is meant for four or more.

    Args:
        relevant: relevant second opinions, shape [..., topics, levels].
        judged: all second opinions, likewise.
        person_relevant: relevant opinions in which each person takes part, shape [..., people, levels].
        as_first: all opinions in which they gave the first label, likewise.
        as_second: and the second one. For the one-sided estimate people are the second side, and `as_first` is 0.
        team: 0 or 1 for each person where the sides are two teams; None where anybody may be on both, or for one side.
        confidence: the share of such intervals that should hold the truth.

    >>> relevant, judged = np.array([[1.0], [3], [2], [8]]), np.array([[10.0], [9], [12], [20]])
    >>> parts = np.array([[4.0], [10]]), np.zeros((2, 1)), np.array([[19.0], [32]])
    >>> people_intervals(relevant, judged, *parts).ends.round(3).tolist()
    [[0.002, 0.989]]
    """
    other, taking = judged - relevant, as_first + as_second
    sums = relevant.sum(axis=-2), other.sum(axis=-2)
    person_other = taking - person_relevant
    half = np.zeros(sums[0].shape, dtype=bool)
    for part, total in ((relevant, sums[0]), (other, sums[1]), (person_relevant, sums[0]), (person_other, sums[1])):
        half |= (part.max(axis=-2) >= total * (1 - DUST)) & (total > 0)
    centre, by_topic = delete_each(relevant, other, *sums, half)
    _, by_person = delete_each(person_relevant, person_other, *sums, half)
    return larger_ends(
        relevant, judged, centre, by_topic, by_person, as_first, as_second, half, team=team, confidence=confidence
    )


def larger_ends(
    relevant: FloatArray,
    judged: FloatArray,
    centre: FloatArray,
    by_topic: FloatArray,
    by_person: FloatArray,
    as_first: FloatArray,
    as_second: FloatArray,
    half: BoolArray,
    *,
    team: npt.NDArray[np.int64] | None,
    confidence: float,
    certain: FloatArray | None = None,
) -> LogitEnds:
    """`people_intervals` with the logits given, which may be those of smoothed estimates (see `logit_ends`)."""
    _, usual, _ = _sort_levels(relevant, judged, certain)
    total = judged.sum(axis=-2)
    whole = np.where(total > 0, total, 1.0)[..., None, :]
    topic_variance = ((1 - judged / whole) * np.where(usual[..., None, :], by_topic, 0.0) ** 2).sum(axis=-2)
    share = np.minimum(np.maximum(as_first, as_second) / whole, 1.0)
    each = (1 - share) * np.where(usual[..., None, :], by_person, 0.0) ** 2
    taking = as_first + as_second
    if team is None:
        person_variance, person_degrees = each.sum(axis=-2), effective_number(taking) - 1
    else:
        parts = [each[..., team == side, :].sum(axis=-2) for side in (0, 1)]
        numbers = [effective_number(taking[..., team == side, :]) - 1 for side in (0, 1)]
        person_variance, person_degrees = parts[0] + parts[1], _welch(parts, numbers)
    variance = np.maximum(topic_variance, person_variance)
    degrees = np.maximum(1.0, np.fmin(person_degrees, effective_number(judged) - 1))
    degrees = np.where(usual, degrees, 1.0)
    reach = quantiles(confidence, degrees) * np.sqrt(variance)
    ends = np.stack([expit(centre - reach), expit(centre + reach)], axis=-1)
    usual_ends = LogitEnds(ends, half, ~usual, degrees, variance)
    return _put_exact(usual_ends, relevant, judged, centre, confidence=confidence, certain=certain)


def _welch(variances: list[FloatArray], degrees: list[FloatArray]) -> FloatArray:
    """Welch's degrees of freedom of a sum; 0 where a team is one person, the fewer where nothing varies."""
    alone = np.zeros(variances[0].shape, dtype=bool)
    below = np.zeros(variances[0].shape)
    for variance, number in zip(variances, degrees, strict=True):
        single = ~(number > DUST)
        alone |= single
        below = below + np.where(single, 0.0, variance**2 / np.where(single, 1.0, number))
    found = share_of((variances[0] + variances[1]) ** 2, below, empty=np.nan)
    found = np.where(below > 0, found, np.fmin(degrees[0], degrees[1]))
    return np.where(alone, 0.0, found)


def leave_out_each(counts: FloatArray) -> FloatArray:
    """The sum of all topics but one, for each topic; shape [topics, ...] in and out.

    What stands before is added to what stands behind. The total less one topic would leave rounding dust in cells
    that should be 0, and turn a coefficient that is 0/0 into a number.

    >>> leave_out_each(np.array([1.0, 10.0, 100.0])).tolist()
    [110.0, 101.0, 11.0]
    """
    without = np.zeros_like(counts)
    without[1:] += np.cumsum(counts[:-1], axis=0)
    without[:-1] += np.cumsum(counts[:0:-1], axis=0)[::-1]
    return without


def jackknife_intervals(
    estimate: FloatArray,
    left_out: FloatArray,
    starts: npt.NDArray[np.int64],
    *,
    lowest: FloatArray,
    confidence: float,
) -> tuple[FloatArray, FloatArray]:
    """Low and high ends of `estimate ± t_{T-1} se`, on the coefficient's own scale, cut at `lowest` and 1.

    se² = (T - 1) / T sum_t (theta_(-t) - mean)², theta_(-t) being the estimate without topic t (delete-one jackknife).

    Assumes that topics were drawn independently and that T is not tiny. It is *not* an interval for other assessors:
    they are taken as given. NaN where there is one topic, or where the estimate without some topic is undefined.

    Args:
        estimate: shape [coefficients, groups].
        left_out: the estimates without each topic, the groups one after another; shape [coefficients, entries].
        starts: where the entries of each group begin, and at last their number; shape [groups + 1].
        lowest: the least value possible, shape [coefficients].
        confidence: such as 0.95.

    >>> scores = np.array([0.2, 0.4, 0.9])
    >>> without = (scores.sum() - scores) / 2
    >>> low, high = jackknife_intervals(np.array([[0.5]]), without[None], np.array([0, 3]),
    ...                                 lowest=np.array([-1.0]), confidence=0.5)
    >>> round(float(low[0, 0]), 4), round(float(high[0, 0]), 4)
    (0.33, 0.67)
    """
    heads, topics = starts[:-1], np.diff(starts)
    mean = np.add.reduceat(left_out, heads, axis=-1) / topics
    apart = (left_out - np.repeat(mean, topics, axis=-1)) ** 2
    variance = (topics - 1) / topics * np.add.reduceat(apart, heads, axis=-1)
    reach = stdtrit(np.maximum(topics - 1, 1), (1 + confidence) / 2) * np.sqrt(variance)
    reach = np.where(topics > 1, reach, np.nan)
    return np.maximum(estimate - reach, lowest[:, None]), np.minimum(estimate + reach, 1.0)
