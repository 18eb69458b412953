"""Differences of runs, all pairs at once: intervals, p-values and verdicts that agree with each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from gainsayer.comparison.intervals import EQUAL, BoolArray, difference_intervals, find_influences, reach, spread
from gainsayer.comparison.replicates import Replicates
from gainsayer.comparison.sign_flips import LargestT, SignFlips
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

Progress = Callable[[float], None]
BLOCK_CELLS = 1 << 19
_HALVINGS = 30


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
    replicates: Replicates,
    a: IntArray,
    b: IntArray,
    *,
    confidence: float,
    highest: float,
    margin: float | None = None,
    flips: int = 10_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Differences:
    """Compare the runs a with the runs b, the pairs being one family.

    With m = (x1 + x2) / 2, each pair rests on its relative difference r = (x1 - x2) / m and on log m. A common error of
    the gains' scale moves m and hardly r, so r decides whether there is a difference, and r m how large it is. p is
    the two-sided t of r / s_r; the family's intervals and adjusted p-values come from sign flips of the influences on
    r, all pairs together, in one step.

    Pairs are taken in blocks, so that memory is bounded. Two runs that score 0 differ by [0, 0], and there is no test.
    Where no topic moves r, which is not 0, there is no interval, and p is 2^(1 - topics), the chance of all topics
    pointing one way. Where scores can be negative the difference itself takes the place of the relative one.

    >>> rng = np.random.default_rng(3)
    >>> scores = rng.uniform(0.2, 0.6, (3, 20)) + np.array([[0.3], [0.0], [0.0]])
    >>> alone = (scores.sum(axis=1) - scores.T) / 19
    >>> given = Replicates(scores.mean(axis=1), alone, (np.arange(20),), alone, np.empty((0, 3)), None)
    >>> found = find_differences(given, np.array([0, 0, 1]), np.array([1, 2, 2]), confidence=0.95, highest=1.0)
    >>> found.verdicts.words()
    ['better', 'better', 'undecided']
    """
    ratio = bool(min(left.min(initial=0.0) for left in (replicates.estimate, replicates.joint)) >= 0)
    pairs, count = len(a), len(replicates.joint)
    rows = count + (0 if replicates.behind is None else len(replicates.behind.root))
    family = SignFlips(rows, pairs, flips=flips, seed=seed) if pairs > 1 else None
    parts: list[PairErrors] = []
    step = min(4096, max(64, BLOCK_CELLS // rows))
    for start in range(0, pairs, step):
        part = slice(start, start + step)
        block, influences = _measure(replicates, a[part], b[part], ratio)
        if family is not None:
            family.add(influences, block.error)
        parts.append(block)
        if progress is not None:
            progress(min((start + step) / pairs, 1.0))
    return conclude_differences(
        _join(parts),
        a,
        b,
        None if family is None else family.finish(),
        rows,
        ratio=ratio,
        confidence=confidence,
        highest=highest,
        margin=margin,
    )


@dataclass(frozen=True, eq=False)
class PairErrors:
    """Each pair's relative difference r and scale m, with their errors; arrays have the shape [pairs].

    Args:
        difference: mean score of a minus mean score of b.
        relative: r, or the difference itself where scores can be negative.
        middle: m, or 1 where scores can be negative.
        error: of r; 0 where no topic moves it.
        degrees: of freedom of that.
        middle_error: of log m, or of m where that has no logarithm throughout.
        middle_degrees: of freedom of that.
        logged: whether it has.
        correlation: of the two errors.
        topic_share: variance of r with the gains held, as a share of the joint one.
        parameter_share: with the scored topics held, likewise.
    """

    difference: FloatArray
    relative: FloatArray
    middle: FloatArray
    error: FloatArray
    degrees: FloatArray
    middle_error: FloatArray
    middle_degrees: FloatArray
    logged: BoolArray
    correlation: FloatArray
    topic_share: FloatArray
    parameter_share: FloatArray


def _join(parts: list[PairErrors]) -> PairErrors:
    fields = PairErrors.__dataclass_fields__
    return PairErrors(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in fields})


def _measure(replicates: Replicates, a: IntArray, b: IntArray, ratio: bool) -> tuple[PairErrors, FloatArray]:
    """The quantities of some pairs, and the influences on their relative differences [topics, pairs]."""
    pairs = len(a)
    # Both quantities side by side, so that the replicates are taken apart once: r, then m.
    split = _split(replicates, a, b, ratio)
    relative, middle = split.estimate[:pairs], split.estimate[pairs:]
    lowest = middle
    for left in (split.joint, split.topics, split.parameters):
        lowest = np.minimum(lowest, left[:, pairs:].min(axis=0, initial=np.inf))
    logged = np.asarray(lowest > 0)
    both = np.concatenate([np.zeros(pairs, dtype=bool), logged])
    found = find_influences(split, lambda x: np.where(both, np.log(np.where(both, x, 1.0)), x))
    error, middle_error = found.error[:pairs], found.error[pairs:]
    error = np.where(error <= EQUAL * np.abs(relative), 0.0, error)
    shared = (found.values[:, :pairs] * found.values[:, pairs:]).sum(axis=0)
    scale = error * middle_error
    block = PairErrors(
        difference=np.where(relative == 0, 0.0, replicates.estimate[a] - replicates.estimate[b]),
        relative=relative,
        middle=middle,
        error=error,
        degrees=found.degrees[:pairs],
        middle_error=middle_error,
        middle_degrees=found.degrees[pairs:],
        logged=logged,
        correlation=np.divide(shared, scale, out=np.zeros(pairs), where=scale > 0),
        topic_share=share_of_variance(found.topics[:pairs], error),
        parameter_share=share_of_variance(found.parameters[:pairs], error),
    )
    return block, found.values[:, :pairs]


def share_of_variance(part: FloatArray, error: FloatArray) -> FloatArray:
    """A variance as a share of the joint one; NaN where nothing moves."""
    return np.asarray(np.divide(part, error**2, out=np.full(len(part), np.nan), where=error > 0))


def _split(replicates: Replicates, a: IntArray, b: IntArray, ratio: bool) -> Replicates:
    """The same replicates of r and m in place of the runs' scores."""

    def both(scores: FloatArray) -> FloatArray:
        first, second = scores[..., a], scores[..., b]
        difference = first - second
        size = np.maximum(np.abs(first), np.abs(second))
        difference = np.where(np.abs(difference) <= EQUAL * size, 0.0, difference)
        if not ratio:
            return np.asarray(np.concatenate([difference, np.ones_like(difference)], axis=-1))
        middle = (first + second) / 2
        relative = np.divide(difference, middle, out=np.zeros_like(middle), where=middle > 0)
        return np.concatenate([relative, middle], axis=-1)

    behind = replicates.behind
    if behind is not None:
        behind = replace(behind, up=both(behind.up), down=both(behind.down))
    return Replicates(
        both(replicates.estimate),
        both(replicates.joint),
        replicates.groups,
        both(replicates.topics),
        both(replicates.parameters),
        behind,
    )


def conclude_differences(
    block: PairErrors,
    a: IntArray,
    b: IntArray,
    largest: LargestT | None,
    influences: int,
    *,
    ratio: bool,
    confidence: float,
    highest: float,
    margin: float | None,
) -> Differences:
    """`find_differences` from the errors of the pairs.

    Args:
        block: the errors.
        a: the first run of each pair.
        b: the second.
        largest: t among all pairs in each sign pattern; None for a single pair.
        influences: how many there are: topics, and columns of a model made elsewhere.
        ratio: whether relative differences can be told, as no score is negative.
        confidence: such as 0.95.
        highest: score there can be.
        margin: the smallest difference that matters; None for no such thing.
    """
    level = 1 - confidence
    nothing = ratio & (block.middle == 0)  # two runs that score 0
    still = (block.error == 0) & (block.relative != 0)
    moves = block.error > 0
    ratio_t = np.divide(np.abs(block.relative), block.error, out=np.zeros_like(block.error), where=moves)
    p = np.where(moves, 2 * stdtr(block.degrees, -ratio_t), np.where(still, 2.0 ** (1 - influences), 1.0))
    p = np.where(nothing, np.nan, p)
    shares = {level: level, 2 * level: 2 * level}
    adjusted, flips = p, None
    if largest is not None:
        shares = {share: largest.critical_share(share) for share in shares}
        adjusted, flips = largest.adjust(p), largest.patterns
    none = still & ~nothing

    def absolute(share: float | FloatArray) -> FloatArray:
        return _absolute(block, share, none, nothing, highest)

    def relative(share: float) -> FloatArray:
        half = _reach(block.degrees, share) * block.error
        ends = np.clip(block.relative[:, None] + half[:, None] * np.array([-1.0, 1.0]), -2.0, 2.0)
        return np.where((none | nothing)[:, None] | (not ratio), np.nan, ends)

    simultaneous = absolute(shares[level])
    wide = None if margin is None else absolute(shares[2 * level])
    verdicts = judge_pairs(
        block.relative, significant=np.nan_to_num(adjusted, nan=1.0) <= level, wide=wide, margin=margin
    )
    return Differences(
        a=a,
        b=b,
        difference=block.difference,
        interval=absolute(level),
        simultaneous_interval=simultaneous,
        relative=np.where(nothing | (not ratio), np.nan, block.relative),
        relative_interval=relative(level),
        simultaneous_relative_interval=relative(shares[level]),
        p=p,
        p_adjusted=adjusted,
        degrees=block.degrees,
        topic_share=block.topic_share,
        parameter_share=block.parameter_share,
        verdicts=verdicts,
        flips=flips,
        one_sided_interval=wide,
        worse=_probably_worse(block, p, absolute, margin),
    )


def _probably_worse(
    block: PairErrors, p: FloatArray, absolute: Callable[[float | FloatArray], FloatArray], margin: float | None
) -> FloatArray:
    """The confidence at which the upper end of a one-sided interval of a - b comes down to -margin.

    Without a margin that is 1 - p / 2 where a is behind, and p / 2 where it is ahead. With one, the end is found by
    halving; where there is no interval, as no topic moves the difference, the difference itself decides.
    """
    behind = np.where(block.relative < 0, 1 - p / 2, p / 2)
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
    return np.where(unknown, np.where(block.difference < -margin, behind, 0.0), 1 - (low + high) / 4)


def _reach(degrees: FloatArray, share: float | FloatArray) -> FloatArray:
    """The t quantile for this two-sided share; NaN for a share of 0, which no interval has."""
    return reach(degrees, 1 - share) if np.all(share > 0) else np.full_like(degrees, np.nan)


def _absolute(
    block: PairErrors,
    share: float | FloatArray,
    none: npt.NDArray[np.bool_],
    nothing: npt.NDArray[np.bool_],
    highest: float,
) -> FloatArray:
    half = _reach(block.middle_degrees, share) * block.middle_error
    ends = difference_intervals(
        block.relative,
        block.middle,
        _reach(block.degrees, share) * block.error,
        np.maximum(spread(block.middle, -half, block.logged), 0.0),
        spread(block.middle, half, block.logged),
        block.correlation,
        highest=highest,
    )
    return np.where(nothing[:, None], 0.0, np.where(none[:, None], np.nan, ends))


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
