"""Signs of topics flipped: the randomisation test of each pair, and the largest t that chance makes among all pairs.

With the gains held fixed, signs of the differences are flipped: how often does chance alone make one as large as that
seen? With topics and gains together, signs of the influences are. What the pairs have in common stays in common, as a
topic has one sign for all of them. Differences within a relative 1e-12 count as equal, so that the order in which a
processor adds numbers never decides about a tie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from gainsayer.model.resampling import all_signs, draw_signs
from gainsayer.rankings.ranked_levels import FloatArray

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

    def critical_share(self, level: float) -> float:
        """alpha': the two-sided tail of t that each pair may have so that all of them hold at this level; 0 for none.

        c is the largest t that at most `level (N + 1) - 1` patterns exceed, alpha' = 2 P(t_{n-1} > c). Then a pair's
        adjusted p is at most `level` exactly where its own p is below alpha'.
        """
        beyond = int(np.floor(level * (self.patterns + 1) + 1e-9)) - 1
        if beyond < 0:
            return 0.0
        return float(2 * stdtr(self.topics - 1, -self.values[self.patterns - 1 - beyond]))

    def adjust(self, p: FloatArray) -> FloatArray:
        """Adjusted p-values, `(1 + #{largest t >= t of p}) / (N + 1)`, NaN where p is."""
        with np.errstate(invalid="ignore"):
            bound = np.abs(stdtrit(self.topics - 1, p / 2))  # abs: SciPy gives +inf where p is 0
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
