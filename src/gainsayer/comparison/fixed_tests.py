"""Tests of pairs of runs with the gains held fixed: sign flips, t, Wilcoxon; adjusted for all pairs; power."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from gainsayer.errors import CallError
from gainsayer.model.resampling import all_signs, check_draws, draw_signs
from gainsayer.ranking.ranked import FloatArray, IntArray

TOLERANCE = 1e-12
BLOCK_CELLS = 1 << 22
_CHUNK = 1_000  # permutations drawn at a time; fixed, so that the draws do not depend on how many pairs are tested
# Ratios that differ by less are equal: the rest is rounding.
_SLACK = 1e-9
# Patterns times influences times pairs; beyond that fewer patterns are drawn, down to the fewest.
MOST_WORK = 30_000_000_000
FEWEST_FLIPS = 1_000
_SingleArray = npt.NDArray[np.float32]


def is_enumerable(topics: int, permutations: int) -> bool:
    """Whether all sign patterns of so many topics are no more than the permutations allowed."""
    return topics < 63 and 2**topics <= permutations


def flip_signs(differences: FloatArray, *, permutations: int, seed: int) -> FloatArray:
    """Two-sided p-values of mean difference 0, by flipping the signs of the topics' differences; shape [pairs].

    If two runs are equally good on a topic, which of them got which score was chance: each topic's difference could as
    well have had the other sign. p = (1 + #{|sum of flipped| >= |sum|}) / (permutations + 1), the one being the
    data as they are; where there are no more patterns than permutations, all of them are enumerated, and p is their
    share. The same patterns serve all pairs, and a pair's p does not depend on what else is tested.

    It assumes that differences are symmetric about 0 when the runs are equal. It is *not* a test of medians or ranks.

    >>> flip_signs(np.array([[1.0], [2.0], [3.0]]), permutations=8, seed=0)  # +++ and ---, of 8
    array([0.25])
    """
    topics, pairs = differences.shape
    exact = is_enumerable(topics, permutations)
    # By symmetry the patterns that leave the first topic alone are enough, and count twice.
    total = 2 ** (topics - 1) if exact else permutations
    patterns = sign_patterns(topics, permutations, seed)
    bound = np.abs(differences.sum(axis=0)) - TOLERANCE * np.abs(differences).sum(axis=0)
    reached = np.zeros(pairs, dtype=np.int64)
    step = max(1, BLOCK_CELLS // _CHUNK)
    for signs in patterns:
        for start in range(0, pairs, step):
            part = slice(start, start + step)
            reached[part] += (np.abs(signs @ differences[:, part]) >= bound[part]).sum(axis=0)
    return reached / total if exact else (1 + reached) / (permutations + 1)


def sign_patterns(topics: int, permutations: int, seed: int) -> Iterator[FloatArray]:
    """Sign patterns in pieces, shape [patterns, topics]: all that leave the first topic alone, or so many at random."""
    exact = is_enumerable(topics, permutations)
    generator = np.random.default_rng(seed)
    total = 2 ** (topics - 1) if exact else permutations
    for start in range(0, total, _CHUNK):
        size = min(_CHUNK, total - start)
        if exact:
            others = all_signs(topics - 1, first=start, last=start + size)
            yield np.insert(others.astype(np.float64), 0, 1.0, axis=1)
        else:
            yield draw_signs(generator, _CHUNK, topics)[:size].astype(np.float64)


def adjust_by_largest(differences: FloatArray, *, permutations: int, seed: int) -> FloatArray:
    """Adjusted two-sided p-values of mean difference 0 for all pairs together, step-down maxT; shape [pairs].

    The signs of a topic's differences are flipped for all pairs at once, so that what the pairs have in common stays in
    common. Pairs are ordered by their |t|; the adjusted p of a pair is the share of sign patterns in which the largest
    |t| among it and all weaker pairs reaches its own, made rising along the order (Westfall and Young 1993). The chance
    of any false alarm stays at the level, whichever pairs truly differ.

    Unlike Holm's adjustment it does not multiply: the smallest p possible is 1 / (permutations + 1) for any number of
    pairs. Unlike randomised Tukey a poor run among the others does not widen what a difference of two good ones must
    beat. It assumes that the differences of equal runs are symmetric about 0, all pairs together.

    Args:
        differences: shape [topics, pairs].
        permutations: how many sign patterns; all of them where there are no more.
        seed: of the patterns.

    >>> rng = np.random.default_rng(1)
    >>> noise = rng.normal(0, 1, (30, 3))
    >>> adjust_by_largest(noise + np.array([2.0, 0.0, 0.0]), permutations=999, seed=0).round(3).tolist()[0]
    0.001
    """
    topics, pairs = differences.shape
    squares = (differences**2).sum(axis=0)
    observed = _ratio(differences.sum(axis=0)[None], squares, topics)[0]
    order = np.argsort(-observed, kind="stable")
    sorted_differences, sorted_squares = differences[:, order], squares[order]
    bound = observed[order] * (1 - _SLACK)
    reached = np.zeros(pairs, dtype=np.int64)
    exact = is_enumerable(topics, permutations)
    total = 2 ** (topics - 1) if exact else permutations
    step = max(1, BLOCK_CELLS // max(1, pairs))
    for signs in sign_patterns(topics, permutations, seed):
        for start in range(0, len(signs), step):
            ratio = _ratio(signs[start : start + step] @ sorted_differences, sorted_squares, topics)
            # The largest among a pair and all weaker ones: maxima from the end of the order.
            largest = np.maximum.accumulate(ratio[:, ::-1], axis=1)[:, ::-1]
            reached += (largest >= bound).sum(axis=0)
    share = reached / total if exact else (1 + reached) / (permutations + 1)
    adjusted = np.empty(pairs)
    adjusted[order] = np.maximum.accumulate(share)
    adjusted[squares == 0] = 1.0
    return adjusted


def _ratio(sums: FloatArray, squares: FloatArray, topics: int) -> FloatArray:
    """sum² / (sum of squares - sum² / n), which rises with |t|; infinite where all differences are alike."""
    part = sums**2
    rest = squares - part / topics
    alike = rest <= 1e-12 * squares
    return np.asarray(
        np.where(part == 0, 0.0, np.where(alike, np.inf, part / np.where(alike, 1.0, rest))), dtype=np.float64
    )


@dataclass(frozen=True, eq=False)
class LargestT:
    """The largest |t| among all pairs in each sign pattern.

    Args:
        values: in rising order, shape [patterns].
        topics: how many influences were flipped.
    """

    values: FloatArray
    topics: int

    @property
    def patterns(self) -> int:
        """How many sign patterns were tried."""
        return len(self.values)

    def adjust(self, p: FloatArray) -> FloatArray:
        """Adjusted p-values, `(1 + #{largest t >= t of p}) / (N + 1)`, NaN where p is."""
        with np.errstate(invalid="ignore"):
            bound = np.abs(scipy.special.stdtrit(self.topics - 1, p / 2))  # abs: SciPy gives +inf where p is 0
        reached = self.patterns - np.searchsorted(self.values, np.nan_to_num(bound, nan=0.0), side="left")
        return np.where(np.isnan(p), np.nan, np.where(p >= 1, 1.0, (1 + reached) / (self.patterns + 1)))


class SignFlips:
    """Sign patterns, and the largest sum that each makes; pairs may come in blocks of any size.

    Args:
        topics: how many influences a pair has.
        pairs: how many pairs will come.
        flips: patterns to draw; all 2^topics where they are no more.
        seed: of the drawing.

    >>> flips = SignFlips(3, 1, flips=100, seed=0)
    >>> flips.add(np.array([[1.0], [2.0], [-3.0]]), np.sqrt(np.array([14.0])))
    >>> found = flips.finish()
    >>> found.patterns, found.values.round(3).tolist()
    (8, [0.0, 0.0, 0.459, 0.459, 1.109, 1.109, 3.464, 3.464])
    """

    def __init__(self, topics: int, pairs: int, *, flips: int, seed: int) -> None:
        self.topics = topics
        if topics < 40 and 2**topics <= flips:
            self._signs = all_signs(topics)
        else:
            most = max(FEWEST_FLIPS, MOST_WORK // max(1, topics * pairs))
            self._signs = draw_signs(np.random.default_rng(seed), min(flips, most), topics)
        self._largest: _SingleArray = np.zeros(len(self._signs), dtype=np.float32)

    def add(self, influences: FloatArray, error: FloatArray) -> None:
        """Take these pairs along: influences [topics, pairs] and their errors [pairs]; those without any do not count.

        t rises with |sum of signs times influences| / s, so the largest of that is all that need be kept.
        """
        moves = error > 0
        if not moves.any():
            return
        unit = (influences[:, moves] / error[moves]).astype(np.float32)
        for start in range(0, unit.shape[1], _CHUNK):
            some = np.ascontiguousarray(unit[:, start : start + _CHUNK])
            for part in _parts(len(self._signs)):
                sums = self._signs[part].astype(np.float32) @ some
                np.maximum(self._largest[part], sums.max(axis=1), out=self._largest[part])
                np.maximum(self._largest[part], -sums.min(axis=1), out=self._largest[part])

    def finish(self) -> LargestT:
        """The largest t of each pattern."""
        return largest_t(self._largest.astype(np.float64), self.topics)


def largest_t(largest: FloatArray, count: int) -> LargestT:
    """`|S| / sqrt(n / (n - 1) (1 - S^2 / n))` for the largest |S| of each pattern: sums of n flipped influences over s.

    >>> largest_t(np.array([0.0, 1.0]), 9).values.tolist()
    [0.0, 1.0]
    """
    square = largest**2
    # What is left when all influences are alike is rounding of single precision.
    rest = np.maximum(1 - square / count, 0.0)
    rest[rest < 1e-6] = 0.0
    with np.errstate(divide="ignore"):
        values = np.sqrt(np.divide(square * (count - 1) / count, rest, out=np.full_like(rest, np.inf), where=rest > 0))
    return LargestT(np.sort(values), count)


def _parts(count: int) -> Iterator[slice]:
    return (slice(start, start + _CHUNK) for start in range(0, count, _CHUNK))


FixedTest = Literal["randomisation", "t", "wilcoxon"]
Test = Literal["joint", "randomisation", "t", "wilcoxon"]
Adjustment = Literal["maxt", "holm", "bh", "none"]
ENUMERATED_TOPICS = 13
EXACT_TOPICS = 50


@dataclass(frozen=True, eq=False)
class PairTests:
    """Tests of pairs of runs; every array has shape [pairs].

    Attributes:
        a: index of the first run of each pair; a < b, except with a baseline, where b is always the baseline.
        b: index of the second run.
        difference: mean score of a minus mean score of b.
        p: two-sided p-value, not adjusted.
        p_adjusted: the same, adjusted for the number of pairs tested.
        effect: standardised difference d_z, mean over standard deviation of the topics' differences; NaN where all
            topics differ by the same amount.
        test: "joint" (topics and gains), or with the gains held fixed "randomisation", "t" or "wilcoxon".
        adjustment: "single-step" for the joint test, else "maxt", "holm", "bh" or "none".
        permutations: how many sign patterns were tried, None for tests without; 2^topics means that all were.
    """

    a: IntArray
    b: IntArray
    difference: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    effect: FloatArray
    test: str
    adjustment: str
    permutations: int | None


@dataclass(frozen=True, eq=False)
class PowerCurve:
    """How many pairs of runs differ significantly by a measure.

    Attributes:
        level: the significance level.
        power: share of pairs with p below the level.
        pairs: number of pairs.
        p: the p-values in rising order, shape [pairs].
    """

    level: float
    power: float
    pairs: int
    p: FloatArray


def compare_pairs(
    scores: npt.ArrayLike,
    *,
    test: FixedTest = "randomisation",
    adjust: Adjustment | None = None,
    permutations: int = 10_000,
    seed: int = 0,
    baseline: int | None = None,
) -> PairTests:
    """Test each pair of runs for a difference of their mean scores over topics.

    - "randomisation": signs of the topics' differences flipped at random, p = (1 + #{as large}) / (permutations + 1);
      all 2^topics patterns where these are no more than `permutations`.
    - "t": paired t-test. Where all topics differ by the same amount but 0, t is infinite and its p of 0 would claim
      certainty from however few topics; p is then 2^(1 - topics), what the exact randomisation test gives.
    - "wilcoxon": signed-rank test, topics without difference left out, as scipy.stats.wilcoxon does it by default. It
      asks whether differences are symmetric about 0, *not* whether their mean is 0: skewed ones of mean 0 alarm it.

    Runs that score the same on every topic have p = 1 in all of them. Scores of a topic that agree to a relative 1e-12
    count as equal: a difference that only rounding makes is none. One topic set must serve all runs (T12).

    Args:
        scores: shape [runs, topics], higher is better.
        test: which test.
        adjust: "maxt" (step-down, for the randomisation test and its default) and "holm" (the default of "t" and
            "wilcoxon") keep the chance of any false alarm, "bh" (Benjamini-Hochberg) the share of false alarms.
        permutations: how many random permutations; the smallest p possible is 1 / (permutations + 1).
        seed: of the permutations.
        baseline: index of a run; only its pairs are tested, and differences are "other run minus baseline".

    Raises:
        CallError: fewer than two runs or topics, scores that are not finite, or an option out of range.

    >>> scores = np.array([[0.9, 0.7, 0.8, 0.9], [0.5, 0.6, 0.4, 0.7], [0.5, 0.6, 0.4, 0.7]])
    >>> found = compare_pairs(scores)
    >>> list(zip(found.a.tolist(), found.b.tolist(), found.difference.round(3).tolist(), found.p.tolist()))
    [(0, 1, 0.275, 0.125), (0, 2, 0.275, 0.125), (1, 2, 0.0, 1.0)]
    """
    table = _table(scores)
    runs, topics = table.shape
    adjust = _choose_adjustment(test, adjust)
    check_draws(permutations, seed, what="permutations")
    a, b = list_pairs(runs, baseline)
    differences = _differences(table, a, b)
    used: int | None = None
    if test == "randomisation":
        p = flip_signs(differences, permutations=permutations, seed=seed)
        used = 2**topics if is_enumerable(topics, permutations) else permutations
    elif test == "t":
        p = t_values(_effect(differences), np.any(differences != 0, axis=0), topics)
    elif test == "wilcoxon":
        p = rank_differences(differences)
    else:
        raise CallError(f"The tests with the gains held fixed are 'randomisation', 't' and 'wilcoxon', found {test!r}.")
    if adjust == "maxt":
        adjusted = adjust_by_largest(differences, permutations=permutations, seed=seed)
    else:
        adjusted = adjust_p(p, adjust)
    return PairTests(
        a=a,
        b=b,
        difference=differences.mean(axis=0),
        p=p,
        p_adjusted=adjusted,
        effect=_effect(differences),
        test=test,
        adjustment=adjust,
        permutations=used,
    )


def _choose_adjustment(test: FixedTest, adjust: Adjustment | None) -> Adjustment:
    adjust = adjust or ("maxt" if test == "randomisation" else "holm")
    if adjust not in ("maxt", "holm", "bh", "none"):
        raise CallError(f"p-values are adjusted by 'maxt', 'holm', 'bh' or 'none', found {adjust!r}.")
    if adjust == "maxt" and test != "randomisation":
        raise CallError(f"maxT goes with the randomisation test, whose sign flips it uses; adjust {test!r} by 'holm'.")
    return adjust


def list_pairs(runs: int, baseline: int | None = None) -> tuple[IntArray, IntArray]:
    """All pairs of runs, a < b; or each other run with the baseline.

    >>> [side.tolist() for side in list_pairs(3)], [side.tolist() for side in list_pairs(3, 1)]
    ([[0, 0, 1], [1, 2, 2]], [[0, 2], [1, 1]])
    """
    if baseline is None:
        a, b = np.triu_indices(runs, k=1)
        return a.astype(np.int64), b.astype(np.int64)
    if not 0 <= baseline < runs:
        raise CallError(f"The baseline is the index of a run, from 0 to {runs - 1}; found {baseline}.")
    others = np.delete(np.arange(runs, dtype=np.int64), baseline)
    return others, np.full(runs - 1, baseline, dtype=np.int64)


def standardise(values: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Standardised differences d_z of pairs of runs, from scores [runs, topics]; NaN where all topics differ alike."""
    step = max(1, (1 << 20) // values.shape[1])
    parts = [
        _effect(_differences(values, a[start : start + step], b[start : start + step]))
        for start in range(0, len(a), step)
    ]
    return np.concatenate(parts)


def adjust_p(p: npt.ArrayLike, method: Adjustment) -> FloatArray:
    """p-values adjusted for their number, in the order given.

    With m values in rising order: Holm, max_{j<=k} (m - j + 1) p_j; Benjamini-Hochberg, min_{j>=k} m p_j / j; neither
    above 1. All tests that were made belong in one call, not only those that are shown.

    Args:
        p: p-values, shape [pairs].
        method: "holm" (any false alarm), "bh" (share of false alarms) or "none".

    Raises:
        CallError: a value is not between 0 and 1, or the method is not known.

    >>> adjust_p([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    >>> adjust_p([0.01, 0.04, 0.03], "bh")
    array([0.03, 0.04, 0.04])
    """
    values = _p_values(p)
    order = np.argsort(values, kind="stable")
    rising, count = values[order], len(values)
    if method == "holm":
        rising = np.maximum.accumulate(rising * np.arange(count, 0, -1))
    elif method == "bh":
        rising = np.minimum.accumulate((rising * count / np.arange(1, count + 1))[::-1])[::-1]
    elif method != "none":
        raise CallError(f"p-values are adjusted by 'holm', 'bh' or 'none', found {method!r}.")
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(rising, 1)
    return adjusted


def discriminative_power(p: npt.ArrayLike, *, level: float = 0.05) -> PowerCurve:
    """The share of pairs of runs that differ significantly (Sakai 2006).

    It compares measures or gains on the same runs and topics; their standard errors cannot, as their scales differ
    (T15). It is *no* proof of a good measure: by a score made of nothing but the run's name all runs differ.

    Args:
        p: p-values of the pairs, adjusted or not, but the same for all that is compared.
        level: significance level.

    Raises:
        CallError: no p-values, a value not between 0 and 1, or a level not between 0 and 1.

    >>> discriminative_power([0.20, 0.01, 0.04, 0.70]).power
    0.5
    """
    values = np.sort(_p_values(p))
    if not len(values):
        raise CallError("Discriminative power needs at least one pair of runs, found none.")
    if not 0 < level < 1:
        raise CallError(f"The level must lie between 0 and 1, found {level}.")
    return PowerCurve(level, float(np.mean(values < level)), len(values), values)


def _table(scores: npt.ArrayLike) -> FloatArray:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2:
        raise CallError(f"Tests need scores of the shape [runs, topics], found {table.ndim} dimension(s).")
    runs, topics = table.shape
    if runs < 2:
        raise CallError(f"Runs are tested in pairs: at least two are needed, found {runs}.")
    if topics < 2:
        raise CallError(f"A test over topics needs at least two topics, found {topics}: score more topics.")
    if not np.isfinite(table).all():
        run, topic = np.argwhere(~np.isfinite(table))[0]
        raise CallError(
            f"Every run needs a finite score on every topic; found {table[run, topic]} for run {run} on topic {topic}. "
            "Leave the topic out for all runs, or count it as 0 for all."
        )
    return table


def _p_values(p: npt.ArrayLike) -> FloatArray:
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not np.all((values >= 0) & (values <= 1)):
        raise CallError("p-values are a list of numbers from 0 to 1; found another shape, a value beyond, or NaN.")
    return values


def _differences(table: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Scores of a minus scores of b, shape [topics, pairs]; 0 where rounding alone could have made them differ."""
    first, second = table[a].T, table[b].T
    differences = first - second
    noise = TOLERANCE * np.maximum(np.abs(first), np.abs(second))
    return np.where(np.abs(differences) <= noise, 0.0, differences)


def _deviation(differences: FloatArray) -> FloatArray:
    """Standard deviation over topics; 0 where the differences are equal but for rounding."""
    spread = differences.max(axis=0) - differences.min(axis=0)
    equal = spread <= TOLERANCE * np.abs(differences).max(axis=0)
    return np.where(equal, 0.0, differences.std(axis=0, ddof=1))


def _effect(differences: FloatArray) -> FloatArray:
    deviation = _deviation(differences)
    return np.where(deviation > 0, differences.mean(axis=0) / np.where(deviation > 0, deviation, 1), np.nan)


def t_values(effect: FloatArray, differs: npt.NDArray[np.bool_], topics: int) -> FloatArray:
    """Two-sided p-values of paired t-tests from standardised differences; shape [pairs].

    Args:
        effect: d_z, NaN where all topics differ alike.
        differs: whether any topic does.
        topics: how many there are.

    >>> t_values(np.array([0.5, np.nan]), np.array([True, False]), 20).round(4).tolist()
    [0.0375, 1.0]
    """
    constant = np.where(differs, 2.0 ** (1 - topics), 1.0)
    p = 2 * scipy.special.stdtr(topics - 1, -np.abs(effect) * np.sqrt(topics))
    return np.asarray(np.where(np.isnan(effect), constant, p), dtype=np.float64)


def rank_differences(differences: FloatArray) -> FloatArray:
    """Two-sided p-values of Wilcoxon's signed-rank test, from differences of shape [topics, pairs]; shape [pairs].

    W = sum of the ranks of |difference| over topics with a positive one. Topics without difference are left out, tied
    amounts share their mean rank. As in SciPy (zero_method "wilcox", no continuity correction), p is exact for up to 13
    topics, and for up to 50 where there are neither ties nor zeros; else W is taken as normal with mean sum(r)/2
    and variance sum(r²)/4. If no topic differs, p is 1. Amounts that agree to 12 digits of the largest are tied: on
    paper 0.3 - 0.2 is 0.2 - 0.1, in the machine it is not.

    >>> rank_differences(np.array([[1.0], [2.0], [3.0], [-0.5]]))  # -0.5 has rank 1: W- is 0 or 1, either way, of 16
    array([0.25])
    """
    topics = len(differences)
    ranks, plain = _rank_amounts(differences)
    if topics <= ENUMERATED_TOPICS:
        return flip_signs(ranks, permutations=2**topics, seed=0)
    variance = (ranks**2).sum(axis=0) / 4
    z = ranks.sum(axis=0) / 2 / np.sqrt(np.where(variance > 0, variance, 1))  # half of W+ - W- is W+ less its mean
    p = np.asarray(2 * scipy.special.ndtr(-np.abs(z)), dtype=np.float64)
    if topics <= EXACT_TOPICS:
        larger = np.maximum(ranks, 0).sum(axis=0)
        smaller = np.rint(np.minimum(larger, topics * (topics + 1) / 2 - larger)).astype(np.int64)
        p = np.where(plain, np.minimum(2 * np.cumsum(_rank_sums(topics))[smaller], 1), p)
    return p


def _rank_amounts(differences: FloatArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Signed ranks, 0 where there is no difference, and which pairs have neither ties nor zeros."""
    largest = np.abs(differences).max(axis=0)
    rounded = np.round(differences / np.where(largest > 0, largest, 1), 12)
    ranks = np.asarray(scipy.stats.rankdata(np.abs(rounded), axis=0), dtype=np.float64) - (rounded == 0).sum(axis=0)
    plain = np.all(np.diff(np.sort(np.abs(rounded), axis=0), axis=0, prepend=0) > 0, axis=0)
    return np.sign(rounded) * ranks, plain


def _rank_sums(topics: int) -> FloatArray:
    """The chance of each rank sum 0, 1, ..., n(n+1)/2 when every rank counts with one half."""
    chance = np.ones(1)
    for rank in range(1, topics + 1):
        chance = (np.pad(chance, (0, rank)) + np.pad(chance, (rank, 0))) / 2
    return chance
