"""Differences of runs, all pairs at once: intervals, p-values and verdicts that agree with each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

import numpy as np

from gainsayer.comparison.fixed_tests import FEWEST_FLIPS, LargestT, largest_t
from gainsayer.comparison.intervals import (
    EQUAL,
    BoolArray,
    difference_intervals,
    find_influence,
    find_quantities,
    move,
)
from gainsayer.comparison.replicates import Replicates
from gainsayer.model.resampling import all_signs, draw_signs
from gainsayer.model.variance import Family, Spread, share_of
from gainsayer.ranking.ranked import FloatArray, IntArray

Progress = Callable[[float], None]
BLOCK_CELLS = 1 << 19
_HALVINGS = 30
# Sign patterns times topics times runs, which take some ten seconds.
MOST_WORK = 100_000_000_000
PEOPLE_DRAWS = 10_000
_TOPICS, _PAIRS = 4_096, 256  # at a time


@dataclass(frozen=True, eq=False)
class Differences:
    """Differences of pairs of runs, a minus b; arrays have the shape [pairs], intervals [pairs, 2].

    Args:
        a: index of the first run of each pair; a < b, except with a baseline, where b is always the baseline.
        b: index of the second run.
        difference: mean score of a minus mean score of b.
        interval: of one difference alone; NaN where there is none.
        simultaneous_interval: all of them hold at once; approximate with many runs, where relative ones are better.
        relative: the difference over the mean of both scores, from -2 to 2; NaN where there is none.
        relative_interval: of one relative difference alone.
        simultaneous_relative_interval: all of them hold at once.
        p: two-sided, that the relative difference is 0: t with `degrees` degrees of freedom.
        p_adjusted: for all pairs together, single step: at most .05 exactly where the simultaneous 95 % intervals
            exclude 0.
        degrees: of freedom of the relative difference's error.
        topic_share: variance with the gains held, as a share of the joint one.
        parameter_share: variance with the scored topics held, likewise.
        verdicts: in words.
        flips: sign patterns behind the family; None for a single pair, which needs none.
        one_sided_interval: the interval behind "equivalent" and "no worse", with twice the error rate; None without a
            margin.
        worse: how probable it is that a is worse than b, by more than the margin where there is one: the share of
            one-sided intervals, of every confidence, that lie below. Of one pair alone; NaN where two runs score 0, and
            where a pair was turned.
        effect: standardised difference over topics, where the tests asked for are joined with the differences.
        shared: the share of error that each pair has over topics, and the critical value of each cut of people, in the
            simultaneous intervals.
    """

    a: IntArray
    b: IntArray
    difference: FloatArray
    interval: FloatArray
    simultaneous_interval: FloatArray
    relative: FloatArray
    relative_interval: FloatArray
    simultaneous_relative_interval: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    degrees: FloatArray
    topic_share: FloatArray
    parameter_share: FloatArray
    verdicts: Verdicts
    flips: int | None
    one_sided_interval: FloatArray | None = None
    worse: FloatArray = field(default_factory=lambda: np.empty(0))
    effect: FloatArray | None = None
    shared: tuple[float, FloatArray | None] = (0.05, None)

    def against(self, run: int) -> Differences:
        """The pairs that this run is one of, each as the other run minus this one.

        >>> nothing = np.zeros(2, dtype=bool)
        >>> verdicts = Verdicts(np.array([True, False]), nothing, nothing, nothing, nothing)
        >>> ends, p = np.array([[0.1, 0.3], [-0.2, 0.1]]), np.array([0.01, 0.5])
        >>> found = Differences(
        ...     *(np.array([0, 1]), np.array([1, 2]), np.array([0.2, -0.1]), ends, ends, p, ends, ends, p, p, p, p, p),
        ...     *(verdicts, None, None, p),
        ... )
        >>> turned = found.against(1)
        >>> turned.a.tolist(), turned.difference.tolist(), turned.interval.tolist(), turned.verdicts.words()
        ([0, 2], [0.2, 0.1], [[0.1, 0.3], [-0.1, 0.2]], ['better', 'undecided'])
        """
        found = self.take(np.flatnonzero((self.a == run) | (self.b == run)))
        turned = found.a == run
        sign = np.where(turned, -1.0, 1.0)

        def ends(interval: FloatArray) -> FloatArray:
            return np.where(turned[:, None], -interval[:, ::-1], interval)

        return replace(
            found,
            a=np.where(turned, found.b, found.a),
            b=np.full(len(turned), run),
            difference=sign * found.difference,
            interval=ends(found.interval),
            simultaneous_interval=ends(found.simultaneous_interval),
            relative=sign * found.relative,
            relative_interval=ends(found.relative_interval),
            simultaneous_relative_interval=ends(found.simultaneous_relative_interval),
            verdicts=found.verdicts.turned(turned),
            one_sided_interval=None if found.one_sided_interval is None else ends(found.one_sided_interval),
            worse=np.where(turned, np.nan, found.worse),
            effect=None if found.effect is None else sign * found.effect,
        )

    def take(self, pairs: IntArray) -> Differences:
        """These pairs, in this order."""
        arrays = {name: value[pairs] for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return replace(self, **arrays, verdicts=self.verdicts.take(pairs))  # type: ignore[arg-type]


def find_differences(
    parts: Sequence[Replicates],
    a: IntArray,
    b: IntArray,
    *,
    confidence: float,
    highest: Sequence[float],
    margin: float | None = None,
    patterns: int = 10_000,
    families: int = 1,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Differences]:
    """Compare the runs a with the runs b by each measure and kind of gains, the pairs of all parts being one family.

    The relative difference r = (x_a - x_b) / m, m being the mean of both scores, and log m have a `Spread` each
    (`find_quantities`); the interval of the difference is made of both (`difference_intervals`), and excludes 0 exactly
    where that of r does. p is the share of error at which the reach of r is |r|. For all pairs together the signs of
    the topics' influences on r are flipped, and people drawn (`Family`), in one step.

    Two runs that score 0 differ by [0, 0], and there is no test. Where no topic moves r, which is not 0, there is no
    interval, and p is 2^(1 - topics), the chance of all topics pointing one way. Where scores can be negative the
    difference itself takes the place of the relative one.

    Args:
        parts: replicates of the mean scores by each measure and kind of gains, on the same topics.
        a: the first run of each pair.
        b: the second.
        confidence: such as 0.95.
        highest: score there can be in each part.
        margin: the smallest difference that matters; None for no such thing.
        patterns: of signs, at most.
        families: so many families hold at once, this being one of them (Bonferroni).
        seed: of patterns and of drawn people.
        progress: called with the share that is done.

    >>> from gainsayer.comparison.intervals import replicate_given
    >>> rng = np.random.default_rng(3)
    >>> scores = rng.uniform(0.2, 0.6, (3, 20)) + np.array([[0.3], [0.0], [0.0]])
    >>> [found] = find_differences(
    ...     [replicate_given(scores)], np.array([0, 0, 1]), np.array([1, 2, 2]), confidence=0.95, highest=[1.0]
    ... )
    >>> found.verdicts.words()
    ['better', 'better', 'undecided']
    """
    together = len(a) * len(parts) > 1
    rows = max(len(part.joint) + len(part.root) for part in parts)
    flips = Flips(parts[0].names, rows, len(a) * len(parts), patterns=patterns, seed=seed) if together else None
    step = min(4096, max(64, BLOCK_CELLS // rows))
    found: list[PairErrors] = []
    for number, replicates in enumerate(parts):
        ratio = is_ratio(replicates)
        pieces: list[PairErrors] = []
        for start in range(0, len(a), step):
            piece, influence = measure_pairs(replicates, a[start : start + step], b[start : start + step], ratio)
            pieces.append(piece)
            if flips is not None:
                flips.add(influence, piece.spread.topics)
            if progress is not None:
                progress((number + min((start + step) / len(a), 1.0)) / len(parts))
        found.append(_join(pieces))
    family = None
    if flips is not None:
        # The same draws serve all measures of the same gains; other gains take them along their own directions.
        drawn = [_draw_people(part, pairs, seed=seed) for part, pairs in zip(parts, found, strict=True)]
        most = np.maximum.reduce([each for each in drawn if len(each)] or drawn[:1])
        family = Family(largest_t(flips.largest, rows).values, rows - 1, np.sort(most, axis=1))
    return [
        _conclude(
            pairs,
            a,
            b,
            family,
            len(part.joint) + len(part.root),
            confidence=confidence,
            highest=most,
            margin=margin,
            families=families,
        )
        for part, pairs, most in zip(parts, found, highest, strict=True)
    ]


def is_ratio(replicates: Replicates) -> bool:
    """Whether no score can be negative, so that differences have a scale."""
    return bool(min(left.min(initial=0.0) for left in (replicates.estimate, replicates.joint)) >= 0)


@dataclass(frozen=True, eq=False)
class PairErrors:
    """Each pair's relative difference r and scale m, with their spreads; arrays have the shape [pairs].

    Args:
        difference: mean score of a minus mean score of b.
        relative: r, or the difference itself where scores can be negative.
        middle: m, or 1 where scores can be negative.
        spread: of r; its variance is 0 where no topic moves it.
        middle_spread: of log m, or of m where that has no logarithm throughout.
        logged: whether it has.
        topic_covariance: of the two over topics.
        people_covariance: of the two over the people of each cut; [cuts, pairs].
        noise_covariance: over cells, which is the noise that people and topics share; [cuts, pairs].
        slope: d r / d g, shape [levels, pairs].
        middle_slope: d log m / d g, or d m / d g; likewise.
        ratio: whether no score can be negative, so that r is the difference over m.
        topic_share: variance of r with the gains held, as a share of the joint one.
        parameter_share: with the scored topics held, likewise.
        parameters: that variance of r; then of log m, or of m.
    """

    difference: FloatArray
    relative: FloatArray
    middle: FloatArray
    spread: Spread
    middle_spread: Spread
    logged: BoolArray
    topic_covariance: FloatArray
    people_covariance: FloatArray
    noise_covariance: FloatArray
    slope: FloatArray
    middle_slope: FloatArray
    ratio: bool
    topic_share: FloatArray
    parameter_share: FloatArray
    parameters: FloatArray
    middle_parameters: FloatArray

    @property
    def nothing(self) -> BoolArray:
        """Two runs that score 0."""
        return np.asarray(self.ratio & (self.middle == 0))

    @property
    def none(self) -> BoolArray:
        """Where no topic moves a difference that is there: it has no interval."""
        return np.asarray((self.spread.topics == 0) & (self.relative != 0) & ~self.nothing)

    def absolute(self, share: float | FloatArray, people: FloatArray | None = None, *, highest: float) -> FloatArray:
        """Intervals of the differences at this share of error, shape [pairs, 2]; see `difference_intervals`."""
        half = self.middle_spread.reach(share, people)
        ends = difference_intervals(
            self.relative,
            self.middle,
            self.spread.reach(share, people),
            np.maximum(move(self.middle, -half, self.logged & self.ratio), 0.0),
            move(self.middle, half, self.logged & self.ratio),
            self.correlation(share, people),
            highest=highest,
        )
        return np.where(self.nothing[:, None], 0.0, np.where(self.none[:, None], np.nan, ends))

    def correlation(self, share: float | FloatArray, people: FloatArray | None = None) -> FloatArray:
        """rho of the two at this share of error: their covariance by each source, with the quantiles of that source."""
        one, two = self.spread, self.middle_spread
        q, t = one.quantiles(share, people)
        q_middle, t_middle = two.quantiles(share, people)
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            topics = q * q_middle * self.topic_covariance
            if len(one.people):
                most = np.sqrt(one.left * two.left)
                left = np.clip(self.topic_covariance - self.noise_covariance.mean(axis=0), -most, most)
                most = np.sqrt(one.net * two.net)
                net = self.people_covariance - (1 - 1 / one.n) * self.noise_covariance
                both = q * q_middle * left + (t * t_middle * np.clip(net, -most, most)).sum(axis=0)
                alone = (one.reach(share, people) <= q * np.sqrt(one.topics)) | (
                    two.reach(share, people) <= q_middle * np.sqrt(two.topics)
                )
                topics = np.where(alone, topics, both)
            found = topics / (one.reach(share, people) * two.reach(share, people))
        return np.clip(np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0), -1.0, 1.0)


def _join(parts: Sequence[PairErrors]) -> PairErrors:
    def joined(values: Sequence[Any]) -> Any:
        first = values[0]
        if isinstance(first, bool):
            return first
        if isinstance(first, Spread):
            names = ("topics", "topic_degrees", "people", "noise", "people_degrees")
            return Spread(**{name: joined([getattr(value, name) for value in values]) for name in names}, n=first.n)
        return np.concatenate(values, axis=-1)

    names = [item.name for item in fields(PairErrors)]
    return PairErrors(**{name: joined([getattr(part, name) for part in parts]) for name in names})


def measure_pairs(replicates: Replicates, a: IntArray, b: IntArray, ratio: bool) -> tuple[PairErrors, FloatArray]:
    """The quantities of some pairs, and the influences on their relative differences, [rows, pairs]."""
    estimate, slopes, pairs = replicates.estimate, replicates.slopes, len(a)
    relative, middle = np.split(_both(estimate, a, b, ratio), 2)
    logged = np.ones(pairs, dtype=np.bool_)
    for left in (estimate[None], replicates.joint, replicates.topics, replicates.parameters):
        if ratio and len(left):
            logged &= ((left[:, a] + left[:, b]) / 2 > 0).all(axis=0)
    scale = np.where(middle > 0, middle, 1.0)
    one, two = slopes[a], slopes[b]
    share = relative if ratio else np.zeros(pairs)
    slope = (one - two - share[:, None] * (one + two) / 2) / scale[:, None]
    other = (one + two) / 2 / np.where(logged, scale, 1.0)[:, None] if ratio else np.zeros_like(slope)
    # Both quantities side by side, so that the replicates are taken apart once: r, then m.
    which = np.concatenate([np.zeros(pairs, dtype=np.bool_), logged & ratio])

    def quantity(scores: FloatArray) -> FloatArray:
        found = _both(scores, a, b, ratio)
        return np.where(which, np.log(np.where(which, found, 1.0)), found)

    found = find_quantities(replicates, quantity, np.concatenate([slope, other]))
    spread, middle_spread = found.spread.take(slice(0, pairs)), found.spread.take(slice(pairs, None))
    still = np.sqrt(spread.topics) <= EQUAL * np.abs(relative)
    spread = replace(spread, topics=np.where(still, 0.0, spread.topics))
    nothing = np.zeros((len(spread.people), pairs))
    people, noise = (nothing, nothing) if replicates.people is None else replicates.people.between(slope, other)
    block = PairErrors(
        difference=np.where(relative == 0, 0.0, estimate[a] - estimate[b]),
        relative=relative,
        middle=middle,
        spread=spread,
        middle_spread=middle_spread,
        logged=logged,
        topic_covariance=(found.influence[:, :pairs] * found.influence[:, pairs:]).sum(axis=0),
        people_covariance=people,
        noise_covariance=noise,
        slope=slope.T,
        middle_slope=other.T,
        ratio=ratio,
        topic_share=share_of(found.topics[:pairs], spread.topics),
        parameter_share=share_of(found.parameters[:pairs], spread.topics),
        parameters=found.parameters[:pairs],
        middle_parameters=found.parameters[pairs:],
    )
    return block, found.influence[:, :pairs]


def _both(scores: FloatArray, a: IntArray, b: IntArray, ratio: bool) -> FloatArray:
    """r and m of the pairs, one behind the other; where scores can be negative, the difference and 1."""
    first, second = scores[..., a], scores[..., b]
    difference = first - second
    size = np.maximum(np.abs(first), np.abs(second))
    difference = np.where(np.abs(difference) <= EQUAL * size, 0.0, difference)
    if not ratio:
        return np.concatenate([difference, np.ones_like(difference)], axis=-1)
    middle = (first + second) / 2
    relative = np.divide(difference, middle, out=np.zeros_like(middle), where=middle > 0)
    return np.concatenate([relative, middle], axis=-1)


class Flips:
    """The signs of topics flipped: the largest sum of flipped influences among all pairs, in each pattern.

    A topic has one sign for all pairs and whatever is scored, drawn in the order of the topics' names: all patterns
    where they are no more than asked for. With very many topics and pairs fewer are drawn. Signs are drawn for so many
    topics at a time, from a generator of their own.

    Args:
        names: of the topics, which come first among the influences.
        rows: how many influences a quantity has at most: those of a model made elsewhere stand behind the topics'.
        pairs: how many will come.
        patterns: how many to try, at most.
        seed: of the drawing.
    """

    def __init__(self, names: Sequence[str], rows: int, pairs: int, *, patterns: int, seed: int) -> None:
        self._order = np.array([*sorted(range(len(names)), key=names.__getitem__), *range(len(names), rows)])
        self._all = rows < 40 and 2**rows <= patterns
        self._number = 2**rows if self._all else min(patterns, max(FEWEST_FLIPS, MOST_WORK // max(1, rows * pairs)))
        self._seed = seed
        self.largest = np.zeros(self._number)

    def add(self, influence: FloatArray, variance: FloatArray) -> None:
        """Take these pairs along: influences [rows, pairs] and the variances they sum up to; 0 does not count."""
        moving = np.flatnonzero(variance > 0)
        for start in range(0, len(moving), _PAIRS):
            some = moving[start : start + _PAIRS]
            sums = np.abs(self.sum(influence[:, some] / np.sqrt(variance[some])))
            np.maximum(self.largest, sums.max(axis=1), out=self.largest)

    def sum(self, influence: FloatArray) -> FloatArray:
        """Sums of influences [rows, quantities] in each pattern; shape [patterns, quantities]."""
        whole = np.zeros((len(self._order), influence.shape[1]), dtype=np.float32)
        whole[: len(influence)] = influence
        ordered = whole[self._order]
        if self._all:
            return np.asarray(all_signs(len(ordered)).astype(np.float32) @ ordered, dtype=np.float64)
        sums = np.zeros((self._number, ordered.shape[1]), dtype=np.float32)
        for start in range(0, len(ordered), _TOPICS):
            some = ordered[start : start + _TOPICS]
            generator = np.random.default_rng([self._seed, start])
            sums += draw_signs(generator, self._number, len(some)).astype(np.float32) @ some
        return sums.astype(np.float64)


def flip_runs(replicates: Replicates, *, patterns: int, seed: int, rows: int = 0) -> FloatArray:
    """The mean scores as flipped signs of the topics make them, shape [patterns, runs]: orders that might have been.

    Args:
        replicates: of the mean scores.
        patterns: how many.
        seed: of the signs.
        rows: how many signs a pattern has at least: those of several schemes are the same where these are.
    """
    influence = find_influence(replicates.joint, replicates.groups)
    influence = np.concatenate([influence, replicates.root @ replicates.slopes.T])
    influence = np.pad(influence, ((0, max(rows - len(influence), 0)), (0, 0)))
    flips = Flips(replicates.names, len(influence), influence.shape[1], patterns=patterns, seed=seed)
    return np.asarray(replicates.estimate + flips.sum(influence))


def _draw_people(replicates: Replicates, pairs: PairErrors, *, seed: int) -> FloatArray:
    """The largest |z' J| / |J| among all pairs in each draw of the people of each cut; [cuts, draws].

    z is normal with covariance M_P and J = d r / d g; all of it over the root of a chi-square with max(1, K* - 1)
    degrees of freedom over these, one for all pairs.
    """
    largest = np.zeros((len(pairs.spread.people), PEOPLE_DRAWS))
    generator = np.random.default_rng([seed, 3])
    for cut in range(len(largest)):
        assert replicates.people is not None
        values, vectors = np.linalg.eigh(replicates.people.people[cut])
        drawn = generator.standard_normal((PEOPLE_DRAWS, len(values))) * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
        degrees = max(1.0, float(replicates.people.effective[cut]) - 1)
        luck = np.sqrt(generator.chisquare(degrees, PEOPLE_DRAWS) / degrees)
        for some in _pieces(np.flatnonzero(pairs.spread.people[cut] > 0)):
            sums = np.abs(drawn @ pairs.slope[:, some] / np.sqrt(pairs.spread.people[cut, some]))
            np.maximum(largest[cut], sums.max(axis=1) / luck, out=largest[cut])
    return largest


def _pieces(chosen: IntArray) -> Iterator[IntArray]:
    return (chosen[start : start + _PAIRS] for start in range(0, len(chosen), _PAIRS))


def _conclude(
    pairs: PairErrors,
    a: IntArray,
    b: IntArray,
    family: Family | None,
    influences: int,
    *,
    confidence: float,
    highest: float,
    margin: float | None,
    families: int,
) -> Differences:
    """Intervals, p-values and verdicts of the pairs; `influences` is how many topics there are."""
    level = 1 - confidence
    nothing, none = pairs.nothing, pairs.none
    moves = pairs.spread.topics > 0
    distance = np.abs(pairs.relative)
    still = (pairs.spread.topics == 0) & (pairs.relative != 0)
    p = np.where(moves, pairs.spread.p(distance), np.where(still, 2.0 ** (1 - influences), 1.0))
    p = np.where(nothing, np.nan, p)
    adjusted = p
    if family is not None:
        own = np.where(distance == 0, 1.0, family.adjust(pairs.spread, distance))
        by_p = LargestT(family.topics, family.degrees + 1).adjust(p)  # where no topic moves a pair
        adjusted = np.where(nothing, np.nan, np.where(moves, own, by_p))
    adjusted = np.minimum(families * adjusted, 1.0)
    missing = none | nothing
    absolute = partial(pairs.absolute, highest=highest)

    def relative(share: float | FloatArray, people: FloatArray | None = None) -> FloatArray:
        half = pairs.spread.reach(share, people)[:, None] * np.array([-1.0, 1.0])
        ends = np.clip(pairs.relative[:, None] + half, -2.0, 2.0)
        return np.where(missing[:, None] | (not pairs.ratio), np.nan, ends)

    def together(of: float) -> tuple[float | FloatArray, FloatArray | None]:
        return (of / families, None) if family is None else family.at(of / families)

    # Where there are fewer patterns than the level asks for.
    unknown = family is not None and not float(family.at(level / families)[0]) > 0
    blank = np.full((len(a), 2), np.nan)
    simultaneous = blank if unknown else absolute(*together(level))
    wide = None if margin is None else blank if unknown else absolute(*together(2 * level))
    verdicts = judge_pairs(
        pairs.relative, significant=np.nan_to_num(adjusted, nan=1.0) <= level, wide=wide, margin=margin
    )
    return Differences(
        a=a,
        b=b,
        difference=pairs.difference,
        interval=absolute(level),
        simultaneous_interval=np.where(nothing[:, None], 0.0, simultaneous),
        relative=np.where(nothing | (not pairs.ratio), np.nan, pairs.relative),
        relative_interval=relative(level),
        simultaneous_relative_interval=blank if unknown else relative(*together(level)),
        p=p,
        p_adjusted=adjusted,
        degrees=pairs.spread.topic_degrees,
        topic_share=pairs.topic_share,
        parameter_share=pairs.parameter_share,
        verdicts=verdicts,
        flips=None if family is None else family.patterns,
        one_sided_interval=wide,
        worse=_probably_worse(pairs, p, absolute, margin),
        shared=(float(together(level)[0]), together(level)[1]),
    )


def _probably_worse(
    pairs: PairErrors, p: FloatArray, absolute: Callable[[float | FloatArray], FloatArray], margin: float | None
) -> FloatArray:
    """The confidence at which the upper end of a one-sided interval of a - b comes down to -margin.

    Without a margin that is 1 - p / 2 where a is behind, and p / 2 where it is ahead. With one, the end is found by
    halving; where there is no interval, as no topic moves the difference, the difference itself decides.
    """
    behind = np.where(pairs.relative < 0, 1 - p / 2, p / 2)
    if margin is None:
        return behind
    low, high = np.zeros(len(p)), np.full(len(p), 2.0)  # the two-sided share of error; above 1, the other end's
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        share = np.minimum(middle, 2 - middle)
        ends = absolute(share)
        end = np.where(middle <= 1, ends[:, 1], ends[:, 0])
        below = end < -margin
        low, high = np.where(below, low, middle), np.where(below, middle, high)
    unknown = np.isnan(absolute(0.5)).any(axis=1)
    return np.where(unknown, np.where(pairs.difference < -margin, behind, 0.0), 1 - (low + high) / 4)


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What holds for each pair, a against b; arrays have the shape [pairs].

    Args:
        better: the interval of a - b lies above 0.
        worse: below 0.
        equivalent: within the margin on both sides.
        no_worse: a is not worse than b by as much as the margin.
        no_better: b is not worse than a by as much as the margin.
    """

    better: BoolArray
    worse: BoolArray
    equivalent: BoolArray
    no_worse: BoolArray
    no_better: BoolArray

    @property
    def clear(self) -> BoolArray:
        """Whether the two runs are told apart."""
        return self.better | self.worse

    def take(self, pairs: IntArray) -> Verdicts:
        """Those of these pairs."""
        kinds = (self.better, self.worse, self.equivalent, self.no_worse, self.no_better)
        return Verdicts(*(kind[pairs] for kind in kinds))

    def turned(self, turned: BoolArray) -> Verdicts:
        """The same where some pairs are turned: b against a."""
        return Verdicts(
            better=np.where(turned, self.worse, self.better),
            worse=np.where(turned, self.better, self.worse),
            equivalent=self.equivalent,
            no_worse=np.where(turned, self.no_better, self.no_worse),
            no_better=np.where(turned, self.no_worse, self.no_better),
        )

    def words(self, *, reverse: bool = False) -> list[str]:
        """In words, both where two hold: "better, equivalent" is better by less than matters."""
        kinds = np.stack([self.better, self.worse, self.equivalent, self.no_worse, self.no_better])
        different, which = np.unique(kinds, axis=1, return_inverse=True)
        known = [Verdicts(*different[:, [at]]).word(0, reverse=reverse) for at in range(different.shape[1])]
        return [known[at] for at in which.ravel().tolist()]

    def word(self, at: int, *, reverse: bool = False) -> str:
        """The words for one pair; `reverse` for b against a."""
        better, worse = (self.worse, self.better) if reverse else (self.better, self.worse)
        no_worse = self.no_better if reverse else self.no_worse
        said = [name for name, holds in (("better", better[at]), ("worse", worse[at])) if holds]
        if self.equivalent[at]:
            said.append("equivalent")
        elif no_worse[at] and not said:
            said.append("no worse")
        return ", ".join(said) or "undecided"


def judge_pairs(
    difference: FloatArray, *, significant: BoolArray, wide: FloatArray | None = None, margin: float | None = None
) -> Verdicts:
    """Which verdicts hold: better and worse by the two-sided test, the others by two one-sided tests with a margin.

    [l, u] being the interval of a - b with twice the error rate, 90 % for 95 %: equivalent if -margin < l and u <
    margin, no worse if l > -margin. "No worse" goes without saying where a is better or equivalent. Not being
    significant is *no* sign of being equivalent.

    Args:
        difference: its sign says who is better, shape [pairs].
        significant: whether there is a difference, shape [pairs].
        wide: the interval for the one-sided tests, shape [pairs, 2]; None without a margin.
        margin: the smallest difference that matters; None for no such thing.

    >>> none = np.array([False, False])
    >>> wide = np.array([[-0.005, 0.004], [-0.004, 0.02]])
    >>> judge_pairs(np.zeros(2), significant=none, wide=wide, margin=0.01).words()
    ['equivalent', 'no worse']
    """
    nothing = np.zeros(len(difference), dtype=bool)
    better, worse = significant & (difference > 0), significant & (difference < 0)
    if wide is None or margin is None:
        return Verdicts(better, worse, nothing, nothing, nothing)
    with np.errstate(invalid="ignore"):
        low, high = wide[:, 0] > -margin, wide[:, 1] < margin
    return Verdicts(better, worse, low & high, low, high)
