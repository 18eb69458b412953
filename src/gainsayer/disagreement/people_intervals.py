"""Intervals of p(R|i) for users, where few assessors stand for them: the larger of topics' and people's variance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pair_counts import FloatArray
from gainsayer.disagreement.topic_intervals import (
    DUST,
    BoolArray,
    LogitEnds,
    clopper_pearson,
    delete_each,
    effective_number,
    exact_size,
    quantiles,
    share_of,
)


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
    from scipy.special import expit

    total = judged.sum(axis=-2)
    known = (judged > 0).sum(axis=-2) > 1
    estimate = share_of(relevant.sum(axis=-2), total) if certain is None else certain
    exact = known & ((estimate == 0) | (estimate == 1))
    usual = known & ~exact
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
    ends = np.where(exact[..., None], clopper_pearson(estimate, exact_size(relevant, judged), confidence), ends)
    return LogitEnds(
        ends=np.where(known[..., None], ends, np.nan),
        half=usual & half,
        exact=exact,
        degrees=np.where(usual, degrees, np.nan),
        variance=np.where(usual, variance, np.nan),
    )


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
