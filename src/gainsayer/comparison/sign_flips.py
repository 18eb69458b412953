"""Signs of the topics' influences flipped at random: the largest t that chance makes among all pairs of runs.

What the pairs have in common stays in common, as a topic's sign is the same for all of them. One step for all: the same
largest t gives p-values and intervals, so that these agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.disagreement.resampling import all_signs, draw_signs
from gainsayer.rankings.ranked_levels import FloatArray

# Patterns times influences times pairs; beyond that fewer patterns are drawn, down to the fewest.
MOST_WORK = 30_000_000_000
FEWEST_FLIPS = 1_000
_CHUNK = 1_000
_SingleArray = npt.NDArray[np.float32]


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
        from scipy.special import stdtr

        beyond = int(np.floor(level * (self.patterns + 1) + 1e-9)) - 1
        if beyond < 0:
            return 0.0
        return float(2 * stdtr(self.topics - 1, -self.values[self.patterns - 1 - beyond]))

    def adjust(self, p: FloatArray) -> FloatArray:
        """Adjusted p-values, `(1 + #{largest t >= t of p}) / (N + 1)`, NaN where p is."""
        from scipy.special import stdtrit

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
        """The largest t of each pattern: `|S| / sqrt(n / (n - 1) (1 - S^2 / n))` for the largest |S|, S = sum / s."""
        square = self._largest.astype(np.float64) ** 2
        count = self.topics
        # What is left when all influences are alike is rounding of single precision.
        rest = np.maximum(1 - square / count, 0.0)
        rest[rest < 1e-6] = 0.0
        with np.errstate(divide="ignore"):
            largest = np.sqrt(
                np.divide(square * (count - 1) / count, rest, out=np.full_like(rest, np.inf), where=rest > 0)
            )
        return LargestT(np.sort(largest), count)


def _parts(count: int) -> Iterator[slice]:
    return (slice(start, start + _CHUNK) for start in range(0, count, _CHUNK))
