"""Parameters of single topics, shrunk towards what they have in common (empirical Bayes)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from gainsayer.errors import CallError
from gainsayer.levels import Levels, Relevance
from gainsayer.model.estimate import normalise_rows
from gainsayer.model.pairs import FloatArray

NO_HETEROGENEITY = 1e4


@dataclass(frozen=True, eq=False)
class UnitEstimates:
    """p(j|i) per unit, and how much the units differ.

    Args:
        levels: the levels.
        kind: what a unit is, such as topics.
        units: their names.
        matrix: shape [units, levels, levels].
        alpha: how many second opinions the common row is worth, per level; infinite where the units do not differ
            detectably, NaN where no unit has any.
        mean: the units' common matrix, shape [levels, levels]. Weighs units nearly alike; the pooled estimate weighs
        them by
            size. They are different things, and the headline parameter is the pooled one.
    """

    levels: Levels
    kind: str
    units: tuple[str, ...]
    matrix: FloatArray
    alpha: FloatArray
    mean: FloatArray

    def __repr__(self) -> str:
        return f"UnitEstimates({self.kind!r}, units={len(self.units)}, levels={len(self.levels)})"

    def probability(self, relevance: Relevance) -> FloatArray:
        """p(R|i) per unit, shape [units, levels]."""
        return np.minimum(self.matrix @ relevance.indicator, 1.0)

    def heterogeneity(self, relevance: Relevance) -> FloatArray:
        """Standard deviation of p(R|i) between units: sqrt(p (1 - p) / (alpha + 1)), shape [levels]."""
        p = np.minimum(self.mean @ relevance.indicator, 1.0)
        return np.asarray(np.sqrt(p * (1 - p) / (self.alpha + 1)))


def shrink_units(levels: Levels, kind: str, units: Sequence[str], counts: FloatArray) -> UnitEstimates:
    """Empirical Bayes: each unit's rows shrunk towards the common ones by as much as the units are alike.

    For each level i the counts of the units follow a Dirichlet-multinomial with mean m_i and weight alpha_i, which
    are chosen by maximum likelihood; then `p_u(j|i) = (c_uij + alpha_i m_ij) / (c_ui. + alpha_i)`, eq. (13). A unit
    without second opinions on a level gets the pooled row. Where alpha runs off to infinity no difference between
    units is detectable, and every unit gets the pooled row.

    Assumes that the units are like draws from one population; kinds known beforehand are better kept apart as strata.
    The rows are nearer to each other than the units are, so they are *not* fit to find out how much units differ.

    Args:
        levels: the levels.
        kind: what a unit is, for the output.
        units: their names.
        counts: shape [units, levels, levels], rows the first label.

    >>> counts = np.array([[[40.0, 10], [5, 5]], [[10.0, 40], [2, 8]]])
    >>> shrink_units(Levels(("0", "1")), "topics", ["a", "b"], counts).matrix[0, 0].round(2).tolist()
    [0.78, 0.22]
    """
    size = len(levels)
    if counts.shape != (len(units), size, size):
        raise CallError(f"{len(units)} units and {size} levels need counts of that shape, found {counts.shape}.")
    pooled = normalise_rows(counts.sum(axis=0))
    matrix = np.repeat(pooled[None], len(units), axis=0)
    alpha = np.full(size, np.nan)
    mean = pooled.copy()
    for level in range(size):
        rows = counts[:, level, :]
        held = rows.sum(axis=1) > 0
        used = rows.sum(axis=0) > 0
        if not held.any():
            continue
        if held.sum() < 2 or used.sum() < 2:
            alpha[level] = np.inf
            continue
        weight, shares = _maximise(rows[np.ix_(held, used)])
        alpha[level] = weight
        if np.isinf(weight):
            continue
        mean[level] = 0.0
        mean[level, used] = shares
        total = rows[held].sum(axis=1, keepdims=True)
        matrix[held, level] = (rows[held] + weight * mean[level]) / (total + weight)
    return UnitEstimates(levels, kind, tuple(units), matrix, alpha, mean)


def _maximise(rows: FloatArray) -> tuple[float, FloatArray]:
    """alpha and m of the Dirichlet-multinomial with the largest likelihood, by L-BFGS on the log parameters."""
    total = rows.sum(axis=1)

    def loss(logs: FloatArray) -> tuple[float, FloatArray]:
        parameters = np.exp(logs)
        alpha = parameters.sum()
        gammaln, psi = scipy.special.gammaln, scipy.special.psi
        likelihood = (gammaln(alpha) - gammaln(total + alpha)).sum()
        likelihood += (gammaln(rows + parameters) - gammaln(parameters)).sum()
        slope = (psi(alpha) - psi(total + alpha)).sum() + (psi(rows + parameters) - psi(parameters)).sum(axis=0)
        return -likelihood, -slope * parameters

    start = rows.sum(axis=0) / rows.sum()
    bounds = [(-20.0, np.log(100 * NO_HETEROGENEITY))] * rows.shape[1]
    fits = [
        scipy.optimize.minimize(
            loss, np.log(start * weight), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 1000}
        )
        for weight in (2.0, 50.0)
    ]
    best = min(fits, key=lambda fit: float(fit.fun))
    parameters = np.exp(best.x)
    alpha = float(parameters.sum())
    # A multinomial is the limit of the likelihood; where it is as good, no difference between units can be seen.
    limit = -float((rows * np.log(start)).sum())
    if alpha > NO_HETEROGENEITY or float(best.fun) >= limit - 1e-6:
        return np.inf, start
    return alpha, parameters / alpha
