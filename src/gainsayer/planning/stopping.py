"""When to stop: looks at the data, whenever one likes, that keep their coverage.

The topics of a plan are the same at every look, and documents of a topic agree with one another; so the usual
sequences for independent observations do not apply. But each look's estimate contains the one before, and with
`I = 1 / variance` the standardised estimates have the correlations `sqrt(I_j / I_k)` of a Brownian motion, the part of
the variance that only topics reduce included. So the bounds of sequential tests hold.

*Precision stop*: stop when the interval is narrow enough. Plain intervals; nothing to correct, as the width says
nothing about where the estimate lies. *Decision stop*: stop because a difference shows, or at will. The interval has
the multiplier c with `P(|Z| <= c at every moment) = confidence`. It is fixed by the first finished batch, from the
ratio r of the variance then to the one foretold for the whole budget.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
import scipy

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
        information_ratio: r, the variance after the first batch over the variance after the whole budget.
        confidence: of the intervals.
        within: the half-width aimed at; None where a budget decides.

    >>> round(Stopping("decision", 2.0).nominal, 4), Stopping("precision", 2.0, within=0.1).nominal
    (0.9884, 0.95)
    """

    kind: Kind
    information_ratio: float
    confidence: float = 0.95
    within: float | None = None

    @property
    def multiplier(self) -> float:
        """c, in place of the normal quantile: for many topics; as t for fewer."""
        return any_moment_multiplier(1.0 if self.kind == "precision" else self.information_ratio, self.confidence)

    @property
    def nominal(self) -> float:
        """The confidence to ask of an ordinary interval, so that it holds at every moment: `2 Phi(c) - 1`."""
        return self.confidence if self.kind == "precision" else nominal_confidence(self.multiplier)

    def with_ratio(self, ratio: float) -> Stopping:
        """The same with r as the first finished batch has it; there is no upper limit."""
        return replace(self, information_ratio=max(ratio, 1.0))

    def met(self, *, half_width: float | None = None, p: float | None = None) -> bool | None:
        """Whether to stop; None where the rule has no aim, or nothing is known.

        Args:
            half_width: half the width of the widest interval, for precision.
            p: the p-value of the difference, for a decision.

        >>> Stopping("precision", 1.0, within=0.1).met(half_width=0.09), Stopping("decision", 2.0).met(p=0.02)
        (True, False)
        """
        if self.kind == "decision":
            return None if p is None or p != p else p <= 1 - self.nominal
        return (
            None if self.within is None or half_width is None or half_width != half_width else half_width <= self.within
        )


def nominal_confidence(multiplier: float) -> float:
    """The confidence whose normal quantile is the multiplier.

    >>> round(nominal_confidence(1.959964), 6)
    0.95
    """
    return float(2 * scipy.special.ndtr(multiplier) - 1)


@lru_cache(maxsize=256)
def any_moment_multiplier(ratio: float, confidence: float = 0.95) -> float:
    """c for looks at any moment while the variance falls by this ratio.

    `Z` in time `log I` is an Ornstein-Uhlenbeck process; the probability that it stays within +-c is a sum over the
    eigenvalues of its generator with absorbing ends.

    >>> round(any_moment_multiplier(2.0), 3), round(any_moment_multiplier(1.0), 3)
    (2.525, 1.96)
    """
    check_confidence(confidence)
    if not (np.isfinite(ratio) and ratio >= 1):
        raise CallError(
            f"The variance after the first batch is at least that after the last, found a ratio of {ratio}."
        )
    wanted = float(scipy.special.ndtri((1 + confidence) / 2))
    if ratio < 1 + 5e-4:
        return wanted
    time = float(np.log(ratio))
    low, high = wanted, wanted + 0.4  # the secant, on the normal scale of the probability
    at_low, at_high = (_stay_throughout(time, bound) for bound in (low, high))
    for _ in range(20):
        bound = high + (wanted - at_high) * (high - low) / (at_high - at_low)
        low, at_low, high, at_high = high, at_high, bound, _stay_throughout(time, bound)
        if abs(high - low) < 1e-5:
            break
    return high


def _stay_throughout(time: float, bound: float) -> float:
    """P(|Z| <= bound at all times from 0 to `time`), as a normal quantile, for an Ornstein-Uhlenbeck process.

    It is stationary with unit variance. Finite volumes on [0, bound]: by symmetry 0 reflects, the bound absorbs.
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
    stays = float(2 * (np.exp(-values * time) * (np.sqrt(mass) @ vectors) ** 2).sum())
    return float(scipy.special.ndtri((1 + stays) / 2))
