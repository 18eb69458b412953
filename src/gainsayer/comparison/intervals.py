"""Influences of topics and people on quantities made of mean scores, and intervals of scores and differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.replicates import Replicates
from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import Measure
from gainsayer.model.variance import Spread, share_of
from gainsayer.ranking.ranked import FloatArray, IntArray

Quantity = Callable[[FloatArray], FloatArray]
BoolArray = npt.NDArray[np.bool_]
# Relative to their size, scores that differ by less are equal: the rest is rounding.
EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class Quantities:
    """Quantities made of mean scores, and how closely they are known; arrays have the shape [quantities].

    Args:
        influence: I_t, how much each topic moves a quantity, shape [topics, quantities]; their squares sum up to V.
        spread: V = s^2 with its degrees of freedom, and what people add.
        topics: V_S, the variance with the gains held.
        parameters: V_P, the variance with the scored topics held; 0 for gains that are given.
    """

    influence: FloatArray
    spread: Spread
    topics: FloatArray
    parameters: FloatArray


def find_quantities(replicates: Replicates, quantity: Quantity, slope: FloatArray) -> Quantities:
    """The jackknife of a quantity theta, a function of the mean scores [..., runs] with values [..., quantities].

        I_t  = -sqrt((n_g - 1) / n_g) (theta_(t) - mean over its group g) ;   s^2 = sum_t I_t^2
        V_S, V_P = (n - 1) / n sum (theta_(t) - mean)^2  from the topic and the parameter replicates
        phi  = V_P / (V_S + V_P)
        v_t  = sum_i (G_i / B_i)^2 p_i (1 - p_i) b_ti ,  G_i = d theta / d p_i with the topics held
        D*   = (sum v_t^2)^2 / sum v_t^4 ;   all v_t = 0: D* = D
        df   = clip(1 / (phi^2 / max(D* - 1, 1) + (1 - phi)^2 / (T - 1)), 1, T - 1)

    D* is how many doubly judged topics bear the uncertainty about the gains: one large topic among small ones counts
    for little more than one. For a model made elsewhere V_P is G' V G with the model's covariance V, added as if its
    topics were none of those scored, and D* is the number of its topics. What people add along G is
    `GainPeople.along`.

    Needs two scored topics.

    Args:
        replicates: of the mean scores.
        quantity: theta.
        slope: G, shape [quantities, levels].

    >>> given = replicate_given(np.array([[0.2, 0.4, 0.9]]))
    >>> found = find_quantities(given, lambda x: x, np.zeros((1, 0)))
    >>> np.sqrt(found.spread.topics).round(4).tolist(), found.spread.topic_degrees.tolist()  # s / sqrt(n), n - 1
    ([0.2082], [2.0])
    """
    influence = find_influence(quantity(replicates.joint), replicates.groups)
    topics = _variance(quantity(replicates.topics))
    parameters, borne = np.zeros_like(topics), np.ones_like(topics)
    if len(replicates.parameters):
        parameters = _variance(quantity(replicates.parameters))
        borne = _effective(replicates.noise @ (slope**2).T, replicates.doubles)
    elif replicates.estimated:
        apart = replicates.root @ slope.T
        influence = np.concatenate([influence, apart])
        parameters, borne = (apart**2).sum(axis=0), np.full_like(topics, replicates.doubles)
    total, scored = topics + parameters, len(replicates.topics)
    share = share_of(parameters, total, empty=0.0)
    degrees = np.clip(1 / (share**2 / np.maximum(borne - 1, 1) + (1 - share) ** 2 / (scored - 1)), 1, scored - 1)
    spread = Spread((influence**2).sum(axis=0), degrees)
    if replicates.people is not None:
        people, noise, people_degrees = replicates.people.along(slope)
        spread = Spread(spread.topics, degrees, people, noise, people_degrees, replicates.people.n)
    return Quantities(influence, spread, topics, parameters)


def find_influence(left: FloatArray, groups: Sequence[IntArray]) -> FloatArray:
    """I_t of quantities from what they are without each topic, in its group; both [topics, quantities]."""
    influence = np.zeros_like(left)
    for group in groups:
        own = left[group]
        influence[group] = -np.sqrt((len(group) - 1) / len(group)) * (own - own.mean(axis=0))
    return influence


def replicate_given(scores: FloatArray) -> Replicates:
    """The replicates of scores [runs, topics] with gains that are given."""
    runs, count = scores.shape
    alone = (scores.sum(axis=1) - scores.T) / (count - 1)
    nothing = np.empty((0, 0))
    return Replicates(
        estimate=scores.mean(axis=1),
        joint=alone,
        names=tuple(map(str, range(count))),
        groups=(np.arange(count),),
        topics=alone,
        parameters=np.empty((0, runs)),
        slopes=np.zeros((runs, 0)),
        noise=nothing,
        root=nothing,
        doubles=0,
    )


def _variance(left: FloatArray) -> FloatArray:
    """The jackknife's variance, (n - 1) / n times the squared distances from the mean, shape [quantities]."""
    count = len(left)
    return np.asarray((count - 1) / count * ((left - left.mean(axis=0)) ** 2).sum(axis=0))


def _effective(noise: FloatArray, topics: int) -> FloatArray:
    """D*: (sum v^2)^2 / sum v^4 over the doubly judged topics; all of them where no v is above 0."""
    largest = noise.max(axis=0, initial=0.0)
    relative = noise / np.where(largest > 0, largest, 1.0)
    square = (relative**2).sum(axis=0)
    return np.where(largest > 0, square**2 / np.where(largest > 0, (relative**4).sum(axis=0), 1.0), float(topics))


@dataclass(frozen=True, eq=False)
class ScoreErrors:
    """What is known about each run's score; arrays have the shape [runs], intervals [runs, 2].

    Args:
        value: the mean scores.
        topic_interval: over topics alone, the gains taken as given: too narrow where they are estimated.
        quantities: the logarithm of the score, or the score where it or a replicate is 0.
        slope: of these quantities, d theta / d g; shape [runs, levels].
        logged: whether it is the logarithm.
        known: whether there is an interval.
        highest: score there can be.
        confidence: of the intervals.
    """

    value: FloatArray
    topic_interval: FloatArray
    quantities: Quantities
    slope: FloatArray
    logged: BoolArray
    known: BoolArray
    highest: float
    confidence: float

    @property
    def interval(self) -> FloatArray:
        """Over topics and parameters, and over people where they are enough; NaN where there is none."""
        return self.at(self.quantities.spread)

    def take(self, runs: IntArray) -> ScoreErrors:
        """Those of these runs."""
        found = self.quantities
        some = Quantities(found.influence[:, runs], found.spread.take(runs), found.topics[runs], found.parameters[runs])
        return replace(
            self,
            value=self.value[runs],
            topic_interval=self.topic_interval[runs],
            quantities=some,
            slope=self.slope[runs],
            logged=self.logged[runs],
            known=self.known[runs],
        )

    def at(self, spread: Spread) -> FloatArray:
        """What the intervals would be with such a spread."""
        return _ends(self.value, spread.reach(1 - self.confidence), self.logged, self.known, self.highest)


def score_intervals(replicates: Replicates, *, confidence: float, highest: float) -> ScoreErrors:
    """Intervals of mean scores: `exp(log x ± reach)`; cut at the highest score there can be.

    On the raw scale where a replicate is 0. None for a score of 0, nor where no topic moves the score: that all topics
    agree says nothing about the next one.

    >>> given = replicate_given(np.array([[0.2, 0.4, 0.9]]))
    >>> score_intervals(given, confidence=0.5, highest=1.0).interval.round(3).tolist()
    [[0.341, 0.734]]
    """
    value, logged = replicates.estimate, _positive(replicates)
    scale = np.where(logged, value, 1.0)
    slope = replicates.slopes / scale[:, None]
    found = find_quantities(
        replicates, lambda scores: np.where(logged, np.log(np.where(logged, scores, 1.0)), scores), slope
    )
    level = 1 - confidence
    moves = (value != 0) & (np.sqrt(found.spread.topics) > EQUAL * np.where(logged, 1.0, np.abs(value)))
    held = Spread(found.topics, np.full(len(value), float(len(replicates.topics) - 1)))
    return ScoreErrors(
        value=value,
        topic_interval=_ends(value, held.reach(level), logged, moves & (found.topics > 0), highest),
        quantities=found,
        slope=slope,
        logged=logged,
        known=moves,
        highest=highest,
        confidence=confidence,
    )


def difference_intervals(
    relative: FloatArray,
    middle: FloatArray,
    relative_reach: FloatArray,
    middle_low: FloatArray,
    middle_high: FloatArray,
    correlation: FloatArray,
    *,
    highest: float,
) -> FloatArray:
    """Intervals of differences `x1 - x2 = r m`, shape [pairs, 2]: m = (x1 + x2) / 2 is the scale, r = (x1 - x2) / m.

    For r >= 0 (r < 0: the signs of r and rho changed, the ends mirrored), A = m t s_r the reach of r, B_lo = r (m -
    m_lo) and B_hi = r (m_hi - m) those of m, rho the correlation of the two:

        lower = r m - sqrt(max(0, A^2 + (B_lo^2 + 2 rho A B_lo) max(0, 1 - (A / (r m))^2)))
        upper = r m + sqrt(max(0, A^2 + B_hi^2 + 2 rho A B_hi))

    The interval excludes 0 exactly where `r ± t s_r` does: uncertainty of the scale cannot make or unmake a difference.
    (Where the scale is so uncertain that the lower end would still fall below 0, it is the product of both lower ends.)
    """
    sign = np.where(relative < 0, -1.0, 1.0)
    size, rho = np.abs(relative), correlation * sign
    product = size * middle
    a = middle * relative_reach
    low, high = size * (middle - middle_low), size * (middle_high - middle)
    part = np.divide(a, product, out=np.full_like(a, np.inf), where=product > 0)
    with np.errstate(invalid="ignore", over="ignore"):
        inner = np.where(part < 1, (low**2 + 2 * rho * a * low) * (1 - np.minimum(part, 1.0) ** 2), 0.0)
        lower = product - np.sqrt(np.maximum(0.0, a**2 + inner))
        lower = np.where((part < 1) & (lower <= 0), (product - a) * middle_low / np.where(middle > 0, middle, 1), lower)
        upper = product + np.sqrt(np.maximum(0.0, a**2 + high**2 + 2 * rho * a * high))
    ends = np.stack([np.where(sign > 0, lower, -upper), np.where(sign > 0, upper, -lower)], axis=-1)
    top = np.where(product > highest, np.inf, highest)[:, None]
    return np.asarray(np.clip(ends, -top, top))


def highest_score(measure: Measure, gains: Gains, *, estimated: bool) -> float:
    """The highest value that the measure can have, infinite where nothing bounds it.

    Estimated gains are probabilities, which may be as large as 1 whatever was estimated.

    >>> from gainsayer.gains.values import linear_gains
    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> gains = linear_gains(Levels(("0", "1", "2")))
    >>> [highest_score(parse_measure(name), gains, estimated=False) for name in ("nDCG@10", "CG@10", "CG")]
    [1.0, 20.0, inf]
    """
    if measure.family.up_to_one:
        return 1.0
    linear = measure.linear
    if linear is not None and linear.divisor is None and linear.depth is not None:
        most = 1.0 if estimated else max(float(gains.values.max()), gains.unjudged, 0.0)
        return most * float(linear.discount(np.arange(1.0, linear.depth + 1)).sum())
    return float("inf")


def _positive(replicates: Replicates) -> BoolArray:
    """Which runs have no replicate of 0 or below, so that their score has a logarithm throughout."""
    lowest = replicates.estimate
    for left in (replicates.joint, replicates.topics, replicates.parameters):
        lowest = np.minimum(lowest, left.min(axis=0, initial=np.inf))
    return np.asarray(lowest > 0)


def _ends(value: FloatArray, half: FloatArray, logged: BoolArray, known: BoolArray, highest: float) -> FloatArray:
    ends = np.stack([move(value, -half, logged), move(value, half, logged)], axis=-1)
    # Where a score is above what the measure allows, it is the bound that is wrong, and nothing is cut.
    top = np.where(value > highest, np.inf, highest)[:, None]
    bottom = np.minimum(0.0, value)[:, None]
    return np.where(known[:, None], np.clip(ends, bottom, top), np.nan)


def move(value: FloatArray, half: FloatArray, logged: BoolArray) -> FloatArray:
    """The value, moved by so much on the scale of its logarithm or on its own."""
    with np.errstate(over="ignore"):
        return np.asarray(np.where(logged, value * np.exp(np.where(logged, half, 0.0)), value + half))
