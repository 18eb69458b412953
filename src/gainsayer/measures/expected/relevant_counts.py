"""How many documents of the pool are relevant to a user: the Poisson-binomial distribution, by level."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.ranking.ranked import FloatArray, IntArray

FEW_OF_MANY: Final = 4
MOST_BY_LOGS: Final = 256


def binomial_probabilities(trials: npt.NDArray[np.integer], chance: FloatArray, highest: int) -> FloatArray:
    """P(Bin(n, p) = m) for m = 0, ..., highest; shape [..., highest + 1].

    From the mode outwards by the ratios of neighbours, then divided by the sum: only products and sums of positive
    numbers, so that nothing overflows or cancels for p near 0 or 1, and p = 0 and p = 1 need no care.

    >>> binomial_probabilities(np.array([3, 1]), np.array([0.5, 1.0]), 2).tolist()
    [[0.125, 0.375, 0.375], [0.0, 1.0, 0.0]]
    """
    trials, chance = np.broadcast_arrays(trials, chance)
    count, chance = trials[..., None].astype(np.float64), chance[..., None]
    longest = max(int(trials.max(initial=0)), highest)
    if highest <= MOST_BY_LOGS and longest > FEW_OF_MANY * (highest + 8):
        return _lowest_probabilities(count, chance, highest)
    number = np.arange(longest + 1, dtype=np.float64)
    mode = np.minimum(np.floor((count + 1) * chance), count)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        up = np.maximum(count - number + 1, 0.0) / np.maximum(number, 1.0) * (chance / (1 - chance))
        down = (number + 1) / np.maximum(count - number, 1.0) * ((1 - chance) / chance)
    up = np.where(number > mode, np.where(number > count, 0.0, up), 1.0)
    down = np.where(number < mode, down, 1.0)
    found = np.cumprod(up, axis=-1) * np.cumprod(down[..., ::-1], axis=-1)[..., ::-1]
    return np.asarray(found / found.sum(axis=-1, keepdims=True))[..., : highest + 1]


def _lowest_probabilities(count: FloatArray, chance: FloatArray, highest: int) -> FloatArray:
    """The same where only few of many counts are asked for: from 0 upwards, in logarithms against underflow."""
    number = np.arange(1, highest + 1, dtype=np.float64)
    sure = chance >= 1
    free = np.where(sure, 0.0, chance)
    with np.errstate(divide="ignore"):
        steps = np.log(np.maximum(count - number + 1, 0.0) / number) + (np.log(free) - np.log1p(-free))
    start = count * np.log1p(-free)
    found = np.exp(np.concatenate([start, start + np.cumsum(steps, axis=-1)], axis=-1))
    return np.asarray(np.where(sure, count == np.arange(highest + 1), found))


def highest_likely(pool: IntArray, probability: FloatArray) -> int:
    """A count that R exceeds with a probability below 1e-19, for all draws and topics: mean + 10 sd + 30.

    Bernstein's inequality gives `P(R >= mean + t) <= exp(-t² / (2 var + 2 t / 3))`, at most exp(-45) for this t.

    >>> highest_likely(np.array([[10_000, 0]]), np.array([[0.01, 0.5]]))
    230
    """
    mean = probability @ pool.T
    spread = np.sqrt((probability * (1 - probability)) @ pool.T)
    likely = int(np.ceil((mean + 10 * spread + 30).max(initial=0.0)))
    return min(likely, int(pool.sum(axis=1).max(initial=0)))


class RelevantCount:
    """The distribution of R, whole and without one or two documents, for all draws and topics at once.

    R is a sum of one binomial count per level; so leaving a document out is a binomial of one trial less, never a
    division by its factor, which would be unstable for p near 1. The binomials of the levels are convolved by Fourier
    transform.

    Args:
        pool: documents of each level; shape [topics, levels].
        probability: p(R|i); shape [draws, levels].
        highest: the largest count that is asked for; by default that of `highest_likely`.

    >>> count = RelevantCount(np.array([[1, 1]]), np.array([[0.5, 0.25]]))
    >>> count.without().round(12).tolist(), count.without(0).round(12).tolist()
    ([[[0.375, 0.5, 0.125]]], [[[0.75, 0.25, 0.0]]])
    """

    def __init__(self, pool: IntArray, probability: FloatArray, highest: int | None = None) -> None:
        largest = int(pool.sum(axis=1).max(initial=0))
        wanted = highest_likely(pool, probability) if highest is None else highest
        self.highest = max(min(wanted, largest), 0)
        self._pool, self._probability = pool, probability
        degree = int(np.minimum(pool, self.highest).sum(axis=1).max(initial=0))
        self._length = 1 << degree.bit_length()
        self._spectra: dict[int, npt.NDArray[np.complex128]] = {}

    def without(self, *levels: int) -> FloatArray:
        """P(R without one document of each of these levels = m), shape [draws, topics, highest + 1].

        A level that the pool does not have (often enough) cannot lose a document and stays as it is.
        """
        whole = self._spectrum(0)
        taken = np.bincount(np.array(levels, np.int64), minlength=whole.shape[2])
        product = np.ones_like(whole[:, :, 0])
        for level, times in enumerate(taken.tolist()):
            product *= self._spectrum(times)[:, :, level]
        found = np.fft.irfft(product, self._length, axis=-1)[..., : self.highest + 1]
        return np.maximum(found, 0.0)

    def _spectrum(self, fewer: int) -> npt.NDArray[np.complex128]:
        """The levels' binomials of so many documents fewer, transformed; [draws, topics, levels, frequencies]."""
        if fewer not in self._spectra:
            trials = np.maximum(self._pool - fewer, 0)
            found = binomial_probabilities(trials, self._probability[:, None], self.highest)
            self._spectra[fewer] = np.fft.rfft(found, self._length, axis=-1)
        return self._spectra[fewer]
