"""Errors of scores and differences from sums over topics: the infinitesimal jackknife.

To first order in what a topic brings, the replicate of run r without topic t is `x_r + (x_r - s_tr) / (T - 1) + m_t'
S_r`: T scored topics, x_r and s_tr the run's mean and topic score, m_t the moves of the gains without the topic's
double judgments, S_r the mean slope of the run's scores. So the influence of a topic of kind g, which has n_g topics,

    I_tr = sqrt((n_g - 1) / n_g) ((s_tr - mean_g s_r) / (T - 1) - (m_t - mean_g m)' S_r)

is linear in a topic's columns (`KindSums`), and so are its sums over sign patterns and draws; a smooth quantity theta
of the mean scores has `s^2 = sum_t (grad theta' I_t)^2`, a quadratic form of squares and products of the columns. Log
x, the relative difference r = (x_a - x_b) / m and log m, m = (x_a + x_b) / 2, have the gradients 1 / x,
(e_a - e_b - r (e_a + e_b) / 2) / m and (e_a + e_b) / (2 m).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from gainsayer.comparison.differences import Differences, PairErrors, conclude_differences, share_of_variance
from gainsayer.comparison.hashed_draws import hashed_signs, name_keys
from gainsayer.comparison.intervals import EQUAL, BoolArray, Errors, ScoreErrors, conclude_scores, find_degrees
from gainsayer.comparison.replicates import is_estimated, moving_levels
from gainsayer.comparison.sign_flips import LargestT, largest_t
from gainsayer.comparison.topic_sums import ONCE, TWICE, UNSCORED, KindSums, SumPlan, TopicSums, add_kinds
from gainsayer.gains.schemes import Scheme
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

# A variance that is so small a part of the terms it is a difference of is rounding.
ROUNDING = 1e-13
_CHUNK = 256  # pairs at a time


@dataclass(frozen=True, eq=False)
class RunMoments:
    """What the topics say about mean scores: variances of every run and of the difference of every two.

    Matrices have the shape [runs + 1, runs + 1]: at [a, b] the variance of x_a - x_b, in the last column, which stands
    for a run that scores 0, that of x_a.

    Args:
        plan: behind the sums.
        estimate: mean scores, shape [runs].
        rest: sum of a run's scores without its best topic, shape [runs]: at or below 0, some replicate is.
        joint: variances over topics and parameters.
        topics: V_S, with the gains held.
        parameters: V_P, with the scored topics held.
        slopes: mean ds/dg, shape [runs + 1, levels].
        noise: `p (1 - p) / B` of each level, shape [levels].
        second: `sum h_i h_j`, shape [levels, levels]; h_t are the shares of second opinions that a topic has.
        fourth: `sum h_i h_j h_k h_l`, shape [levels^2, levels^2].
        borne: doubly judged topics behind the gains; a model's own where it was made elsewhere.
        elsewhere: whether it was.
        influences: how many there are, topics and columns of a model made elsewhere.
        flipped: sums of the influences on the runs in each sign pattern, shape [patterns, runs].
        drawn: mean scores in each sample of topics, shape [draws, runs].
        shared: topics judged twice that are scored.
        estimated: whether gains are estimated.
    """

    plan: SumPlan
    estimate: FloatArray
    rest: FloatArray
    joint: FloatArray
    topics: FloatArray
    parameters: FloatArray
    slopes: FloatArray
    noise: FloatArray
    second: FloatArray
    fourth: FloatArray
    borne: int
    elsewhere: bool
    influences: int
    flipped: FloatArray
    drawn: FloatArray
    shared: int
    estimated: bool

    @property
    def scored(self) -> int:
        """How many topics are scored."""
        return self.plan.topics

    @property
    def deviation(self) -> FloatArray:
        """Standard deviation of the topics' scores, shape [runs]."""
        return np.asarray(np.sqrt(self.topics[:-1, -1] * self.scored))


def find_moments(sums: TopicSums, scheme: Scheme) -> RunMoments:
    """The moments of a scheme's scores, from the sums over all topics.

    Topics of a kind are centred about their own mean; all together where a kind has a single topic (`sort_topics`). A
    topic that is not scored then counts as one that scores the mean: it moves the gains alone.

    Raises:
        CallError: topics are lacking.
    """
    kinds = sums.whole()
    plan, count = sums.plan, sums.plan.topics
    scored = reduce(add_kinds, [kinds[kind] for kind in (TWICE, ONCE) if kind in kinds])
    paired = [kinds[kind] for kind in (TWICE, UNSCORED) if kind in kinds]
    runs = plan.runs
    estimate = scored.mean[:runs]
    slopes = np.concatenate([scored.slopes.T / count, np.zeros((1, len(scored.slopes)))])
    levels, _ = moving_levels(scheme)
    estimated = is_estimated(scheme)
    here = estimated and scheme.rule is not None
    by_kind = _group(kinds, estimate)
    groups = by_kind if here else [scored]
    held = _spread(scored) / (count * (count - 1))
    zero = np.zeros_like(held)
    joint = sum((_joint(group, slopes, count) for group in groups), start=zero)
    parameters, noise, topics = zero, np.empty(0), sum(kind.topics for kind in paired)
    second, fourth = scored.second, scored.fourth
    flipped = sum((_weighted(group, group.signed, slopes, count) for group in groups), start=np.zeros((1, 1)))
    # Both orders of a sample come from the same topics, so that they are drawn by kind also where gains are given.
    drawn = estimate + sum((_weighted(group, group.drawn, slopes, count) for group in by_kind), start=np.zeros((1, 1)))
    columns = 0
    if here:
        whole = reduce(add_kinds, paired)
        parameters = (whole.topics - 1) / whole.topics * _moved(whole, slopes)
        second, fourth = whole.second, whole.fourth
        noise = _noise(scheme, levels)
    elif estimated and scheme.fitted is not None:
        root = scheme.fitted.root()[:, levels]
        columns, topics = len(root), scheme.fitted.topics
        apart = np.einsum("kl,rl->kr", root, slopes)
        parameters = ((apart[:, :, None] - apart[:, None, :]) ** 2).sum(axis=0)
        joint = joint + parameters
        keys = name_keys([str(column) for column in range(columns)], kind="column")
        flipped = flipped + np.einsum("pk,kr->pr", hashed_signs(keys, range(plan.patterns), plan.seed), apart[:, :runs])
        normal = np.random.default_rng([plan.seed, 1]).standard_normal((plan.draws, columns))
        drawn = drawn + np.einsum("dk,kr->dr", normal, apart[:, :runs])
    return RunMoments(
        plan=plan,
        estimate=estimate,
        rest=scored.total[:runs] - scored.highest,
        joint=joint,
        topics=held,
        parameters=parameters,
        slopes=slopes,
        noise=noise,
        second=second,
        fourth=fourth,
        borne=topics,
        elsewhere=estimated and not here,
        influences=(sum(group.topics for group in groups)) + columns,
        flipped=flipped,
        drawn=drawn,
        shared=kinds[TWICE].topics if TWICE in kinds else 0,
        estimated=estimated,
    )


def _group(kinds: dict[str, KindSums], estimate: FloatArray) -> list[KindSums]:
    """The kinds of topics; all of them as one where a kind has a single topic."""
    if all(kind.topics > 1 for kind in kinds.values()):
        return list(kinds.values())
    every = dict(kinds)
    if UNSCORED in every:
        bare, runs = every[UNSCORED], len(estimate)
        total, signed, drawn = bare.total.copy(), bare.signed.copy(), bare.drawn.copy()
        total[:runs] = bare.topics * estimate
        for weighed in (signed, drawn):
            weighed[:, 1 : 1 + runs] = weighed[:, :1] * estimate
        every[UNSCORED] = replace(bare, total=total, signed=signed, drawn=drawn)
    return [reduce(add_kinds, every.values())]


def _spread(kind: KindSums) -> FloatArray:
    """Squared distances of the scores, 0 for two runs whose scores are equal but for rounding."""
    runs = len(kind.highest)
    size = kind.squares[:, -1] + kind.topics * np.append(kind.mean[:runs], 0.0) ** 2
    return np.asarray(np.where(kind.squares <= EQUAL**2 * np.maximum(size[:, None], size), 0.0, kind.squares))


def _moved(kind: KindSums, slopes: FloatArray) -> FloatArray:
    """`sum ((m - mean)' (S_a - S_b))^2` of every two runs."""
    apart = slopes[:, None] - slopes
    moves = kind.products[:, len(kind.highest) :]
    return np.asarray((np.einsum("abl,lk->abk", apart, moves) * apart).sum(axis=2))


def _joint(kind: KindSums, slopes: FloatArray, count: int) -> FloatArray:
    """`sum (I_a - I_b)^2` of every two runs over the topics of a kind."""
    runs = len(kind.highest)
    crossed = np.concatenate([kind.products[:, :runs].T, np.zeros((1, len(kind.products)))])
    both = ((crossed[:, None] - crossed) * (slopes[:, None] - slopes)).sum(axis=2)
    found = _spread(kind) / (count - 1) ** 2 - 2 / (count - 1) * both + _moved(kind, slopes)
    return np.asarray(np.maximum(found, 0.0) * (kind.topics - 1) / kind.topics)


def _weighted(kind: KindSums, weighed: FloatArray, slopes: FloatArray, count: int) -> FloatArray:
    """`sum_t w_t I_tr` over the topics of a kind, of the sums of w_t and of the columns times w_t; [weights, runs]."""
    runs = len(kind.highest)
    apart = weighed[:, 1:] - weighed[:, :1] * kind.mean
    moved = np.einsum("wl,rl->wr", apart[:, runs:], slopes[:runs])
    return np.asarray(np.sqrt((kind.topics - 1) / kind.topics) * (apart[:, :runs] / (count - 1) - moved))


def _noise(scheme: Scheme, levels: IntArray) -> FloatArray:
    assert scheme.disagreement is not None
    judged = scheme.disagreement.pairs.sum(axis=(0, 2))[levels]
    gain = scheme.gains.values[levels]
    return np.asarray(np.divide(gain * (1 - gain), judged, out=np.zeros_like(gain), where=judged > 0))


def summed_intervals(moments: RunMoments, *, confidence: float, highest: float) -> ScoreErrors:
    """Intervals of mean scores, as `score_intervals` has them from replicates."""
    logged, errors = score_errors(moments)
    return conclude_scores(moments.estimate, logged, errors, moments.scored, confidence=confidence, highest=highest)


def score_errors(moments: RunMoments) -> tuple[BoolArray, Errors]:
    """Which scores have a logarithm throughout, and the errors of these logarithms, and of the other scores."""
    value = moments.estimate
    logged = (value > 0) & (moments.rest > 0)
    scale = np.where(logged, np.where(logged, value, 1.0), 1.0) ** 2
    joint, topics, parameters = (
        matrix[:-1, -1] / scale for matrix in (moments.joint, moments.topics, moments.parameters)
    )
    borne = _borne(moments, moments.slopes[:-1])
    return logged, Errors(np.sqrt(joint), topics, parameters, find_degrees(topics, parameters, borne, moments.scored))


def can_be_relative(moments: RunMoments) -> bool:
    """Whether no replicate of a score is negative, so that differences can be told as a share of the scores."""
    return bool((moments.estimate >= 0).all() and (moments.rest >= 0).all())


def summed_differences(
    moments: RunMoments,
    a: IntArray,
    b: IntArray,
    *,
    confidence: float,
    highest: float,
    margin: float | None = None,
) -> Differences:
    """Compare the runs a with the runs b, the pairs being one family, as `find_differences` does with replicates."""
    pairs = pair_errors(moments, a, b)
    return conclude_differences(
        pairs,
        a,
        b,
        flip_pairs(moments, pairs, a, b) if len(a) > 1 else None,
        moments.influences,
        ratio=can_be_relative(moments),
        confidence=confidence,
        highest=highest,
        margin=margin,
    )


def pair_errors(moments: RunMoments, a: IntArray, b: IntArray) -> PairErrors:
    """The errors of the runs a against the runs b, as `find_differences` has them from replicates."""
    first, second = moments.estimate[a], moments.estimate[b]
    difference = first - second
    size = np.maximum(np.abs(first), np.abs(second))
    difference = np.where(np.abs(difference) <= EQUAL * size, 0.0, difference)
    ratio = can_be_relative(moments)
    middle = (first + second) / 2 if ratio else np.ones_like(difference)
    relative = np.divide(difference, middle, out=np.zeros_like(middle), where=middle > 0) if ratio else difference
    share = relative if ratio else np.zeros_like(relative)
    logged = (middle > 0) & (moments.rest[a] + moments.rest[b] > 0) if ratio else np.ones(len(a), dtype=bool)
    scale = np.where(middle > 0, middle, 1.0)
    same = _same_slopes(moments, a, b) & (moments.topics[a, b] == 0)
    variances = []
    for matrix in (moments.joint, moments.topics, moments.parameters):
        apart, crossed, half = _three(matrix, a, b)
        whole = apart - 2 * share * crossed + share**2 * half
        rounding = ROUNDING * (apart + 2 * np.abs(share * crossed) + share**2 * half)
        variances.append(np.where(same | (whole <= rounding), 0.0, whole) / scale**2)
    joint, topics, parameters = variances
    error = np.sqrt(joint)
    error = np.where(error <= EQUAL * np.abs(relative), 0.0, error)
    _, crossed, half = _three(moments.joint, a, b)
    unit = np.where(logged, scale, 1.0)
    shared = (crossed - share * half) / (scale * unit)
    middle_error = np.sqrt(half) / unit if ratio else np.zeros_like(error)
    middle_topics, middle_parameters = (
        _three(matrix, a, b)[2] / unit**2 for matrix in (moments.topics, moments.parameters)
    )
    slope, other = moments.slopes[a], moments.slopes[b]
    both = error * middle_error
    return PairErrors(
        difference=difference,
        relative=relative,
        middle=middle,
        error=error,
        degrees=find_degrees(
            topics,
            parameters,
            _borne(moments, slope - other - share[:, None] * (slope + other) / 2),
            moments.scored,
        ),
        middle_error=middle_error,
        middle_degrees=find_degrees(middle_topics, middle_parameters, _borne(moments, slope + other), moments.scored),
        logged=logged,
        correlation=np.clip(np.divide(shared, both, out=np.zeros_like(both), where=both > 0), -1.0, 1.0),
        topic_share=share_of_variance(topics, error),
        parameter_share=share_of_variance(parameters, error),
    )


def _three(matrix: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Variance of x_a - x_b, its covariance with (x_a + x_b) / 2, and the variance of that."""
    apart, first, second = matrix[a, b], matrix[a, -1], matrix[b, -1]
    return apart, (first - second) / 2, np.maximum((first + second) / 2 - apart / 4, 0.0)


def _same_slopes(moments: RunMoments, a: IntArray, b: IntArray) -> BoolArray:
    """Pairs whose scores answer alike to the gains, but for the rounding of a difference over a small step."""
    one, other = moments.slopes[a], moments.slopes[b]
    size = np.maximum(np.abs(one), np.abs(other))
    return np.asarray((np.abs(one - other) <= 1e-8 * size).all(axis=1))


def _borne(moments: RunMoments, slope: FloatArray) -> FloatArray:
    """D* of `find_influences`, (sum v^2)^2 / sum v^4 with v_t = sum_i slope_i^2 noise_i h_ti; slope [..., levels]."""
    given = np.full(len(slope), float(max(moments.borne, 1)))
    if moments.elsewhere or not moments.estimated:
        return given
    weight = slope**2 * moments.noise
    largest = weight.max(axis=1, initial=0.0)
    moves = largest > 0
    weight = weight / np.where(moves, largest, 1.0)[:, None]
    squares = (weight[:, :, None] * weight[:, None, :]).reshape(len(weight), weight.shape[1] ** 2)
    square = np.einsum("qi,i->q", squares, moments.second.ravel())
    fourth = (np.einsum("qi,ij->qj", squares, moments.fourth) * squares).sum(axis=1)
    moves &= fourth > 0
    return np.where(moves, square**2 / np.where(moves, fourth, 1.0), given)


def flip_pairs(moments: RunMoments, pairs: PairErrors, a: IntArray, b: IntArray) -> LargestT:
    """The largest t of all pairs in each sign pattern, from the runs' sums of flipped influences.

    A pair's sum is `((F_a - F_b) - r (F_a + F_b) / 2) / m`: no array over topics and pairs.
    """
    ratio = can_be_relative(moments)
    largest = np.zeros(len(moments.flipped))
    moving = np.flatnonzero(pairs.error > 0)
    for start in range(0, len(moving), _CHUNK):
        some = moving[start : start + _CHUNK]
        first, second = moments.flipped[:, a[some]], moments.flipped[:, b[some]]
        scale = np.where(pairs.middle[some] > 0, pairs.middle[some], 1.0) * pairs.error[some]
        sums = first - second
        if ratio:
            sums -= pairs.relative[some] / 2 * (first + second)
        np.maximum(largest, np.abs(sums / scale).max(axis=1), out=largest)
    return largest_t(largest, moments.influences)


def summed_effect(moments: RunMoments, difference: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Standardised differences d_z with the gains held (`standardise`); NaN where all topics differ alike."""
    deviation = np.sqrt(moments.topics[a, b] * moments.scored)
    varies = deviation > EQUAL * np.abs(difference)
    return np.where(varies, difference / np.where(varies, deviation, 1.0), np.nan)
