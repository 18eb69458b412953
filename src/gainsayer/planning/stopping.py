"""When to stop: looks at the data that keep their coverage.

The topics of a plan are the same at every look, and documents of a topic agree with one another; so the usual
sequences for independent observations do not apply. But each look's estimate contains the one before, and with
`I = 1 / variance` the standardised estimates have the correlations `sqrt(I_j / I_k)` of a Brownian motion, the part of
the variance that only topics reduce included. So the bounds of group-sequential tests hold.

*Precision stop*: stop when the interval is narrow enough. Plain intervals; nothing to correct, as the width says
nothing about where the estimate lies. *Decision stop*: stop because a difference shows, or at will. The interval has
the multiplier c with `P(|Z| <= c at all looks) = confidence`. It is fixed before the first look, by the ratio of the
variances after the first batch and after the whole budget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri

from gainsayer.errors import CallError
from gainsayer.model.intervals import check_confidence

Kind = Literal["precision", "decision"]
_CELLS = 240


@dataclass(frozen=True)
class Stopping:
    """The rule by which a study stops.

    Args:
        kind: `precision` (when the interval is narrow enough) or `decision` (when 0 is outside the interval, or at
            will).
        information_ratio: variance after the first batch over variance after the whole budget.
        multiplier: of the standard error, for many topics; as t for fewer.
        confidence: of the intervals.
        within: the half-width aimed at; None where a budget decides.

    >>> round(Stopping("decision", 2.0, looks_multiplier(2.0, 5), 0.95).nominal, 3)
    0.979
    """

    kind: Kind
    information_ratio: float
    multiplier: float
    confidence: float = 0.95
    within: float | None = None

    @property
    def nominal(self) -> float:
        """The confidence to ask of an ordinary interval, so that it holds at all looks: `2 Phi(multiplier) - 1`."""
        return self.confidence if self.kind == "precision" else nominal_confidence(self.multiplier)

    def at_any_moment(self) -> Stopping:
        """The same for looks at any moment from the first batch to the budget, as on a page that is always open."""
        if self.kind == "precision":
            return self
        return replace(self, multiplier=any_moment_multiplier(self.information_ratio, self.confidence))


def nominal_confidence(multiplier: float) -> float:
    """The confidence whose normal quantile is the multiplier.

    >>> round(nominal_confidence(1.959964), 6)
    0.95
    """
    return float(2 * ndtr(multiplier) - 1)


def looks_multiplier(ratio: float, looks: int = 5, confidence: float = 0.95) -> float:
    """c for so many looks between a first one and a last, whose variances have this ratio; geometric steps between.

    >>> round(looks_multiplier(5.0), 3), round(looks_multiplier(1.0), 3)
    (2.423, 1.96)
    """
    _check_ratio(ratio)
    if looks < 1:
        raise CallError(f"There is at least one look, found {looks}.")
    return multiplier_at(tuple((ratio ** (np.arange(looks) / max(looks - 1, 1))).tolist()), confidence)


@lru_cache(maxsize=256)
def multiplier_at(information: Sequence[float], confidence: float = 0.95) -> float:
    """c with P(|Z_j| <= c at every look) = confidence, for looks at these amounts of information (1 / variance).

    By Armitage, McPherson and Rowe's recursion: the density of the Brownian motion that has stayed inside, from look to
    look. Equal steps give Pocock's (1977) constants.

    >>> [round(multiplier_at(tuple(range(1, looks + 1))), 3) for looks in (1, 2, 5)]
    [1.96, 2.178, 2.413]
    """
    check_confidence(confidence)
    steps = np.array(sorted({float(value) for value in information}))
    if len(steps) == 0 or not np.all(np.isfinite(steps)) or steps[0] <= 0:
        raise CallError("Looks need amounts of information above 0.")
    # Looks that add less than one part in two thousand are one: they move c by less than 0.005.
    kept = [steps[0]]
    for value in steps[1:].tolist():
        if value > kept[-1] * (1 + 5e-4):
            kept.append(value)
    return _solve(lambda bound: _stay_at(np.array(kept), bound), confidence, len(kept))


@lru_cache(maxsize=256)
def any_moment_multiplier(ratio: float, confidence: float = 0.95) -> float:
    """c for looks at any moment while the variance falls by this ratio.

    `Z` in time `log I` is an Ornstein-Uhlenbeck process; the probability that it stays within +-c is a sum over the
    eigenvalues of its generator with absorbing ends.

    >>> round(any_moment_multiplier(2.0), 3), round(any_moment_multiplier(1.0), 3)
    (2.525, 1.96)
    """
    check_confidence(confidence)
    _check_ratio(ratio)
    if ratio < 1 + 5e-4:
        return _solve(lambda bound: _stay_at(np.ones(1), bound), confidence, 1)
    return _solve(lambda bound: _stay_throughout(float(np.log(ratio)), bound), confidence, 10_000)


def _check_ratio(ratio: float) -> None:
    if not (np.isfinite(ratio) and ratio >= 1):
        raise CallError(
            f"The variance after the first batch is at least that after the last, found a ratio of {ratio}."
        )


def _solve(stay: Callable[[float], float], confidence: float, looks: int) -> float:
    """The bound at which the probability to stay inside is the confidence: the secant on the normal scale of it."""
    wanted = float(ndtri((1 + confidence) / 2))
    if looks == 1:
        return wanted
    low, high = wanted, wanted + 0.4
    at_low, at_high = (float(ndtri((1 + stay(bound)) / 2)) for bound in (low, high))
    for _ in range(20):
        bound = high + (wanted - at_high) * (high - low) / (at_high - at_low)
        low, at_low = high, at_high
        high, at_high = bound, float(ndtri((1 + stay(bound)) / 2))
        if abs(high - low) < 1e-5:
            break
    return high


def _stay_at(information: np.ndarray[tuple[int], np.dtype[np.float64]], bound: float) -> float:
    """P(|Z| <= bound at each of these looks)."""
    if len(information) == 1:
        return float(2 * ndtr(bound) - 1)
    roots = np.sqrt(information)
    narrowest = float(np.sqrt(np.diff(information) / information[1:]).min())
    nodes, weights = np.polynomial.legendre.leggauss(int(np.clip(12 * bound / narrowest, 101, 401)))
    at = nodes * bound
    density = np.exp(-(at**2) / 2) / np.sqrt(2 * np.pi)
    for before, after in pairwise(roots.tolist()):
        deviation = np.sqrt(after**2 - before**2)
        if after == roots[-1]:
            inside = ndtr((bound * after - at * before) / deviation) - ndtr((-bound * after - at * before) / deviation)
            return float((density * weights * bound) @ inside)
        kernel = np.exp(-(((at[None, :] * after - at[:, None] * before) / deviation) ** 2) / 2)
        kernel *= after / deviation / np.sqrt(2 * np.pi)
        density = (density * weights * bound) @ kernel
    raise AssertionError("the last look returns")


def _stay_throughout(time: float, bound: float) -> float:
    """P(|Z| <= bound at all times from 0 to `time`) for a stationary Ornstein-Uhlenbeck process of unit variance.

    Finite volumes on [0, bound]: by symmetry 0 reflects, the bound absorbs.
    """
    width = bound / _CELLS
    density = np.exp(-(((np.arange(_CELLS) + 0.5) * width) ** 2) / 2) / np.sqrt(2 * np.pi)
    faces = np.exp(-((np.arange(1, _CELLS + 1) * width) ** 2) / 2) / np.sqrt(2 * np.pi)
    flow = 0.5 * faces / width
    flow[-1] *= 2  # the bound is half a cell away
    mass = density * width
    diagonal = (np.concatenate([[0.0], flow[:-1]]) + flow) / mass
    beside = -flow[:-1] / np.sqrt(mass[:-1] * mass[1:])
    values, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1))
    return float(2 * (np.exp(-values * time) * (np.sqrt(mass) @ vectors) ** 2).sum())
