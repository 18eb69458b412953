"""A small collection of counts, and intervals from a plain loop over deleted topics."""

from __future__ import annotations

import numpy as np
from scipy import stats
from scipy.special import expit

import gainsayer as gs

LEVELS = gs.Levels(("0", "1", "2"))
COUNTS = np.random.default_rng(2).integers(1, 9, size=(7, 3, 3))
TOP = LEVELS.at_or_above("2")


def fitted(
    counts: np.ndarray, smoothing: gs.model.Smoothing | None = None, estimator: str = "symmetric"
) -> gs.model.Disagreement:
    """The estimate from J per topic."""
    pairs = gs.model.PairCounts.from_matrix(LEVELS, counts)
    return gs.estimate_disagreement(pairs, estimator=estimator, smoothing=smoothing)  # type: ignore[arg-type]


def ends_around(centre: float, moves: np.ndarray, share: np.ndarray, confidence: float) -> list[float]:
    """Hall's skewness-corrected ends around a logit, from what each deleted topic moves it by; no clipped ones."""
    topics = len(moves)
    psi = -np.sqrt(1 - share) * moves
    error = np.sqrt((psi**2).sum())
    k = 0.75 * (psi**3).sum() / error**3
    effective = (share**1.5).sum() ** 2 / (share**3).sum()
    q = stats.t.ppf((1 + confidence) / 2, min(topics - 1, max(2, effective)))
    bent = [3 / k * ((1 + k * (x - k / 6)) ** (1 / 3) - 1) for x in (q, -q)]
    return [float(expit(centre - error * x)) for x in bent]
