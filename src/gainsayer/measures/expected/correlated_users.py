"""Users between independent and comonotone: a Gaussian copula, integrated over how strict a user is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.measures.expected.cache import cached
from gainsayer.rankings.ranked_levels import FloatArray

AGREEMENT: Final = 1e-10
FIRST_STEP: Final = 0.5
WIDEST: Final = 7.0  # beyond lie 3 users in 10^12
MOST_HALVINGS: Final = 6


def average_over_strictness(score: Callable[[Gains], FloatArray], gains: Gains, correlation: float) -> FloatArray:
    """The expected value over users whose views of different documents are correlated, `Z = sqrt(rho) W + ...`.

    In the Gaussian copula a user finds document d relevant where `sqrt(rho) W + sqrt(1 - rho) e_d < Phi^-1(p_d)`; W,
    standard normal, is how strict the user is. Given W the views are independent, with the probabilities
    `Phi((Phi^-1(p) - sqrt(rho) W) / sqrt(1 - rho))`. So the expected value is an integral over W of that for
    independent users: no users are drawn. The trapezoidal rule, whose error falls exponentially here, is refined until
    two steps agree to 1e-10.

    Args:
        score: the expected value for independent users; takes gains with draws.
        gains: p(R|i).
        correlation: rho, above 0 and below 1.

    Returns:
        What `score` gives: [topics], or [draws, topics] for gains with draws.
    """
    step = FIRST_STEP * min(1.0, ((1 - correlation) / correlation) ** 0.5)
    total, mass = _sum(score, gains, correlation, 0.0, step)
    found = total / mass
    for _ in range(MOST_HALVINGS):
        more, extra = _sum(score, gains, correlation, step / 2, step)  # half-way between the nodes there are
        total, mass, step = total + more, mass + extra, step / 2
        before, found = found, total / mass
        if float(np.abs(found - before).max(initial=0.0)) <= AGREEMENT:
            break
    return found


def _sum(
    score: Callable[[Gains], FloatArray], gains: Gains, correlation: float, shift: float, step: float
) -> tuple[FloatArray, float]:
    """Weighted sum of the scores at shift, shift +- step, ..., and the sum of the weights."""
    count = int(np.ceil(WIDEST / step))
    strictness = np.arange(-count, count + 1, dtype=np.float64) * step + shift
    weight = np.exp(-(strictness**2) / 2)
    parts = cached(gains, ("strictness", correlation, shift, step), lambda: _users(gains, correlation, strictness))
    if len(parts) == 1:
        table = score(parts[0]).reshape(len(strictness), *gains.values.shape[:-1], -1)
        return np.asarray(np.tensordot(weight, table, axes=1)), float(weight.sum())
    total = np.asarray(sum(share * score(part) for share, part in zip(weight, parts, strict=True)))
    return total, float(weight.sum())


def _users(gains: Gains, correlation: float, strictness: FloatArray) -> list[Gains]:
    """Gains given each W: all in one stack of draws, or one by one where unjudged documents have chances, too."""
    from scipy.special import ndtr, ndtri

    def shifted(probability: FloatArray) -> FloatArray:
        at = strictness.reshape(-1, *[1] * probability.ndim)
        return np.asarray(ndtr((ndtri(probability) - correlation**0.5 * at) / (1 - correlation) ** 0.5))

    values = shifted(gains.values)
    if gains.unjudged in (0.0, 1.0):
        return [Gains(gains.levels, values.reshape(-1, values.shape[-1]), gains.unjudged, gains.name)]
    unjudged = shifted(np.array(gains.unjudged))
    return [Gains(gains.levels, each, float(own), gains.name) for each, own in zip(values, unjudged, strict=True)]
