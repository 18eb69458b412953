"""The variance engine: second opinions cut by topics, by people and by cells, and intervals that reach as far as these.

Leaving out one part of the opinions at a time is one operation (`Cut`), whatever the parts are. How far a quantity may
be off is a `Spread`: its variance over topics, and over people with the noise that the people share with the topics.
Every interval, p-value and rank set, of p(R|i) as of scores and differences, is a reach of it; a `Family` holds what
many quantities need to hold at once. For agreement there is the plain jackknife (`jackknife_intervals`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import numpy.typing as npt
import scipy

from gainsayer.model.pairs import FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]
SKEWNESS_SHARE: Final = 0.75
NO_SKEWNESS: Final = 1e-6
DOCUMENTS_PER_TOPIC: Final = 3.0
# Sums by topic and by person are added up in different orders: all but this share of a total is all of it.
DUST: Final = 1e-12
# A variance of the logit below this is none: the topics have the same share to the last digit.
STILL: Final = 1e-20


_HALVINGS: Final = 60


@dataclass(frozen=True, eq=False)
class Cut:
    """An estimate without each part of the opinions behind it; arrays have the shape [parts, levels].

    Args:
        moves: by how much the estimate of a level moves without the part.
        share: h, the part's share of the level's opinions.
    """

    moves: FloatArray
    share: FloatArray

    @property
    def influence(self) -> FloatArray:
        """u = -sqrt(1 - h) times the move; 0 for a part that holds a level alone, as nothing is left without it."""
        left = np.maximum(1 - self.share, 0.0)
        return np.asarray(-np.sqrt(left) * np.where(left > DUST, self.moves, 0.0))

    @property
    def covariance(self) -> FloatArray:
        """sum_x u_x u_x', shape [levels, levels]; the variances are its diagonal."""
        influence = self.influence
        return np.asarray(influence.T @ influence)


@dataclass(frozen=True, eq=False)
class Spread:
    """How far quantities may be off, by source; arrays have the shape [quantities], those of people [cuts, quantities].

    A *cut* leaves out people one at a time. With V the variance over topics and q its t quantile, V_P over the people
    of a cut and t its quantile, V_N over cells of topic and person, n how many of a pair's two people are cut:

        left = max(0, V - mean V_N),   net = max(0, V_P - (1 - 1/n) V_N)
        reach = sqrt(max(q² V, q² left + sum over the cuts of t² net))

    What people and topics have in common, the noise of single opinions, goes with the people, whose degrees of freedom
    are fewer. Without cuts it is `q sqrt(V)`: for these people, or where nobody judged in two topics.

    Args:
        topics: V.
        topic_degrees: of freedom of it.
        people: V_P; no row without people.
        noise: V_N.
        people_degrees: max(1, K* - 1), K* being how many equal people those of a cut are worth.
        n: 1 or 2.
    """

    topics: FloatArray
    topic_degrees: FloatArray
    people: FloatArray = field(default_factory=lambda: np.empty((0, 1)))
    noise: FloatArray = field(default_factory=lambda: np.empty((0, 1)))
    people_degrees: FloatArray = field(default_factory=lambda: np.empty((0, 1)))
    n: int = 1

    def take(self, chosen: slice | IntArray) -> Spread:
        """That of these quantities."""
        if not len(self.people):
            return Spread(self.topics[chosen], self.topic_degrees[chosen], n=self.n)
        parts = (self.people[:, chosen], self.noise[:, chosen], self.people_degrees[:, chosen])
        return Spread(self.topics[chosen], self.topic_degrees[chosen], *parts, self.n)

    def beside(self, other: Spread) -> Spread:
        """These quantities, and behind them those of another spread over the same topics and people."""
        names = ("topics", "topic_degrees", "people", "noise", "people_degrees")
        parts = {name: np.concatenate([getattr(self, name), getattr(other, name)], axis=-1) for name in names}
        return Spread(**parts, n=self.n)

    @property
    def left(self) -> FloatArray:
        """What varies over topics and is not the noise of single opinions."""
        return np.asarray(np.maximum(0.0, self.topics - self.noise.mean(axis=0)) if len(self.noise) else self.topics)

    @property
    def net(self) -> FloatArray:
        """What varies over the people of each cut, [cuts, quantities]."""
        return np.asarray(np.maximum(0.0, self.people - (1 - 1 / self.n) * self.noise))

    def quantiles(self, share: float | FloatArray, people: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """q, [quantities], and t, [cuts, quantities], at this two-sided share of error.

        `people` are critical values in place of t, [cuts] or [cuts, quantities].
        """
        q = _quantile(self.topic_degrees, share)
        if people is None or not len(self.people):
            return q, _quantile(self.people_degrees, share) if len(self.people) else self.people
        return q, np.broadcast_to(people if people.ndim == 2 else people[:, None], self.people.shape)

    def reach(self, share: float | FloatArray, people: FloatArray | None = None) -> FloatArray:
        """How far an interval reaches to either side at this two-sided share of error.

        >>> one = Spread(np.array([0.04]), np.array([9.0]))
        >>> one.reach(0.05).round(4).tolist()
        [0.4524]
        >>> people, noise, degrees = np.array([[0.05]]), np.array([[0.02]]), np.array([[3.0]])
        >>> Spread(np.array([0.04]), np.array([9.0]), people, noise, degrees).reach(0.05).round(4).tolist()
        [0.7802]
        """
        q, t = self.quantiles(share, people)
        with np.errstate(over="ignore", invalid="ignore"):
            topics = np.where(self.topics == 0, 0.0, q * np.sqrt(self.topics))
            if not len(self.people):
                return topics
            both = q**2 * self.left + (t**2 * self.net).sum(axis=0)
        return np.asarray(np.fmax(topics, np.sqrt(both)))

    def p(self, distance: FloatArray) -> FloatArray:
        """The two-sided share of error at which the reach is this distance: the p-value of being so far off.

        >>> one = Spread(np.array([0.04]), np.array([9.0]))
        >>> one.p(one.reach(0.05)).round(12).tolist()
        [0.05]
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            alone = np.asarray(2 * scipy.special.stdtr(self.topic_degrees, -np.abs(distance) / np.sqrt(self.topics)))
        if not len(self.people):
            return alone
        # The reach falls with the share, and is never below that over topics: p is at least as large.
        low, high = np.nan_to_num(alone, nan=0.0), np.ones(len(self.topics))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            far = self.reach(middle) > np.abs(distance)
            low, high = np.where(far, middle, low), np.where(far, high, middle)
        return np.where(high > alone * (1 + 1e-12), high, alone)


def _quantile(degrees: FloatArray, share: float | FloatArray) -> FloatArray:
    """The two-sided t quantile for this share of error; infinite for a share of 0."""
    share = np.asarray(share, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return np.where(share > 0, np.abs(scipy.special.stdtrit(degrees, share / 2)), np.inf)


@dataclass(frozen=True, eq=False)
class Family:
    """What many quantities need to hold at once: critical values over topics, and over the people of each cut.

    Args:
        topics: the largest |t| among all quantities in each sign pattern of the topics, ascending.
        degrees: of freedom of these.
        people: the same in each draw of the people of each cut, ascending; shape [cuts, draws].
    """

    topics: FloatArray
    degrees: int
    people: FloatArray

    @property
    def patterns(self) -> int:
        """How many sign patterns were tried."""
        return len(self.topics)

    def at(self, level: float | FloatArray) -> tuple[FloatArray, FloatArray]:
        """alpha', the share of error that each quantity may have over topics, and c of each cut, [cuts, ...].

        The level is taken down to the next step j / (N + 1) of the N sign patterns, so that p-values and intervals
        agree; below the first step alpha' is 0 and c infinite.
        """
        steps = np.floor(np.asarray(level) * (self.patterns + 1) + 1e-9)
        share = 2 * scipy.special.stdtr(self.degrees, -_critical(self.topics, steps - 1))
        drawn = np.floor(steps / (self.patterns + 1) * (self.people.shape[1] + 1) + 1e-9)
        critical = [_critical(values, np.where(steps < 1, -1.0, np.maximum(drawn - 1, 0))) for values in self.people]
        return np.asarray(share), np.array(critical).reshape(len(self.people), *np.shape(steps))

    def reach(self, spread: Spread, level: float | FloatArray) -> FloatArray:
        """How far simultaneous intervals reach at this level of the whole family."""
        return spread.reach(*self.at(level))

    def adjust(self, spread: Spread, distance: FloatArray) -> FloatArray:
        """Adjusted p-values: the smallest level at which the simultaneous intervals do not reach so far."""
        steps = self.patterns + 1
        low, high = np.zeros(len(distance), dtype=np.int64), np.full(len(distance), steps)
        while (high - low > 1).any():
            middle = (low + high) // 2
            far = self.reach(spread, middle / steps) >= np.abs(distance)
            low, high = np.where(far, middle, low), np.where(far, high, middle)
        return np.asarray(high / steps)


def _critical(values: FloatArray, beyond: FloatArray) -> FloatArray:
    """The value that so many of the ascending values exceed; infinite for fewer than none."""
    index = np.clip(len(values) - 1 - beyond, 0, len(values) - 1).astype(np.int64)
    return np.where(beyond < 0, np.inf, values[index])


@dataclass(frozen=True, eq=False)
class LogitEnds:
    """Ends of intervals, shape [..., levels, 2], and how they came about; other arrays have the shape [..., levels].

    Args:
        ends: NaN where there is no interval.
        half: where half a count was added, as all relevant (or all other) opinions belong to one topic or one person.
        exact: where leaving out any topic changes nothing, as with an estimate of 0 or 1, and the ends are Clopper and
            Pearson's.
        degrees: of freedom over topics; NaN where no quantile was used.
        skewness: k, by which the interval over topics is bent; 0 over people.
        spread: of the logit; its variance over topics is NaN likewise.
    """

    ends: FloatArray
    half: BoolArray
    exact: BoolArray
    degrees: FloatArray
    skewness: FloatArray
    spread: Spread


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
    topics: they are taken as given (see `Spread`).

    Args:
        relevant: relevant second opinions, shape [..., topics, levels].
        judged: all second opinions, of the same shape. Topics without any at all levels do not count.
        confidence: the share of such intervals that should hold the truth.

    >>> relevant, judged = np.array([[1.0], [3], [2], [8]]), np.array([[10.0], [9], [12], [20]])
    >>> topic_intervals(relevant, judged).ends.round(3).tolist()
    [[0.119, 0.94]]
    """
    other = judged - relevant
    half = all_in_one(relevant) | all_in_one(other)
    centre, apart = delete_each(relevant, other, relevant.sum(axis=-2), other.sum(axis=-2), half)
    return logit_ends(relevant, judged, centre, apart, half, confidence=confidence)


def logit_ends(
    relevant: FloatArray,
    judged: FloatArray,
    centre: FloatArray,
    moves: FloatArray,
    half: BoolArray,
    *,
    confidence: float,
    certain: FloatArray | None = None,
    people: Sequence[tuple[Cut, Cut]] = (),
    n: int = 1,
) -> LogitEnds:
    """`topic_intervals` with the logits given, which may be those of smoothed estimates; or over people as well.

    Args:
        relevant: relevant second opinions, shape [..., topics, levels].
        judged: all second opinions, likewise.
        centre: f, shape [..., levels].
        moves: d_t, shape [..., topics, levels].
        half: whether half a count stands in f and d_t, so that there is no skewness to correct for.
        confidence: such as 0.95.
        certain: 0 or 1 where the estimate is exactly that, else anything between; shape [..., levels]. By default
            the share of relevant opinions.
        people: the logit without each person, and without each cell of topic and person, for each cut of people. The
            ends are then `expit(f ± reach)` of `Spread`, which knows no skewness.
        n: how many of a pair's two people are cut.
    """
    _, usual, _ = _sort_levels(relevant, judged, certain)
    total = judged.sum(axis=-2)
    left = 1 - judged / np.where(total > 0, total, 1.0)[..., None, :]
    influence = np.where(usual[..., None, :], -np.sqrt(left) * moves, 0.0)
    variance = (influence**2).sum(axis=-2)
    topics = (judged.sum(axis=-1) > 0).sum(axis=-1)[..., None]
    degrees = np.minimum(topics - 1, np.maximum(2.0, effective_topics(judged)))
    spread = Spread(variance, np.where(usual, degrees, 1.0))
    skewness = np.zeros_like(variance)
    if people:
        over, noise = (
            np.stack([np.where(usual, (cut.influence**2).sum(axis=0), 0.0) for cut in cuts])
            for cuts in zip(*people, strict=True)
        )
        worth = np.stack([effective_number(persons.share) for persons, _ in people])
        people_degrees = np.maximum(np.nan_to_num(worth, nan=1.0) - 1, 1.0)
        spread = replace(spread, people=over, noise=noise, people_degrees=people_degrees, n=n)
        reach = spread.reach(1 - confidence)
        ends = np.stack([scipy.special.expit(centre - reach), scipy.special.expit(centre + reach)], axis=-1)
    else:
        cubes = (influence * influence * influence).sum(axis=-2)
        skewness = np.where(half, 0.0, SKEWNESS_SHARE * share_of(cubes, variance**1.5, empty=0.0))
        q, error = _quantile(spread.topic_degrees, 1 - confidence), np.sqrt(variance)
        ends = np.stack(
            [scipy.special.expit(centre - error * straighten(sign * q, skewness)) for sign in (1, -1)], axis=-1
        )
    found = LogitEnds(ends, half, ~usual, degrees, skewness, spread)
    return _put_exact(found, relevant, judged, centre, confidence=confidence, certain=certain)


def _put_exact(
    found: LogitEnds,
    relevant: FloatArray,
    judged: FloatArray,
    centre: FloatArray,
    *,
    confidence: float,
    certain: FloatArray | None,
) -> LogitEnds:
    """The same with Clopper and Pearson's ends where no topic changes the estimate, and none for levels seen once.

    Half a count moves the middle, and where topics hardly differ by more than the reach: the interval then goes on to
    the estimate.
    """
    estimate, usual, exact = _sort_levels(relevant, judged, certain)
    still = usual & (found.spread.topics < STILL)
    exact, usual = exact | still, usual & ~still
    share = estimate if certain is None else np.where(still, scipy.special.expit(centre), estimate)
    certain_ends = clopper_pearson(share, exact_size(relevant, judged), confidence)
    low, high = np.minimum(found.ends[..., 0], estimate), np.maximum(found.ends[..., 1], estimate)
    return LogitEnds(
        ends=np.where(
            exact[..., None], certain_ends, np.where(usual[..., None], np.stack([low, high], axis=-1), np.nan)
        ),
        half=usual & found.half,
        exact=exact,
        degrees=np.where(usual, found.degrees, np.nan),
        skewness=found.skewness,
        spread=replace(found.spread, topics=np.where(usual, found.spread.topics, np.nan)),
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
        low = np.where(estimate > 0, scipy.special.betaincinv(some, size - some + 1, tail), 0.0)
        high = np.where(estimate < 1, scipy.special.betaincinv(some + 1, size - some, 1 - tail), 1.0)
    return np.stack([low, high], axis=-1)


def share_of(part: FloatArray, whole: FloatArray, *, empty: float = np.nan) -> FloatArray:
    """part / whole, and `empty` where the whole is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, empty))


def all_in_one(parts: FloatArray, total: FloatArray | None = None) -> BoolArray:
    """Whether one part holds everything there is, so that nothing is left without it; shape [..., levels].

    `total` where the parts do not add up to it, as each opinion of a team belongs to two people.
    """
    whole = parts.sum(axis=-2) if total is None else total
    return np.asarray((parts.max(axis=-2, initial=0.0) >= whole * (1 - DUST)) & (whole > 0))


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
    reach = scipy.special.stdtrit(np.maximum(topics - 1, 1), (1 + confidence) / 2) * np.sqrt(variance)
    reach = np.where(topics > 1, reach, np.nan)
    return np.maximum(estimate - reach, lowest[:, None]), np.minimum(estimate + reach, 1.0)
