"""Smoothing, only on request: pseudo-counts (Dirichlet priors) or an order among the levels (isotonic).

Each kind turns counts into the matrix p(j|i), for one matrix or a stack of them, so that the jackknife and the
bootstrap smooth every replicate in the same way. Raw estimates are the default everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from gainsayer.counts.pair_counts import FloatArray
from gainsayer.errors import CallError

Kind = Literal["uniform", "marginal", "pooled", "isotonic"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, eq=False)
class Smoothing:
    """How counts become probabilities when raw shares are not wanted.

    Row i of the counts, c_i, becomes `p(j|i) = (c_ij + alpha m_ij) / (c_i. + alpha)`, eq. (13), with the prior m_i

    * `uniform`: every level alike. The default alpha, half a count per level, adds 0.5 to each cell; for symmetric
      counts the sum stays symmetric, so the identities of eq. (5) keep holding.
    * `marginal`: the second labels over all rows. Shrinks to "labels carry no information", the safe direction.
    * `pooled`: the rows of `prior`, such as all strata together when one stratum is estimated.

    `isotonic` pools neighbouring levels until p(R|i) does not fall from one level to the next, at every threshold
    (weights N_D). It is the order-restricted maximum likelihood estimate for eq. (4), a pseudo-likelihood one for
    eq. (5), and has no meaning for levels without an order.

    >>> Smoothing("uniform").apply(np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]]))[0].round(4).tolist()
    [0.6, 0.2, 0.2]
    """

    kind: Kind
    alpha: float | None = None
    prior: FloatArray | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise CallError(f"There is no smoothing {self.kind!r}: choose one of {', '.join(KINDS)}.")
        if self.alpha is not None and not (np.isfinite(self.alpha) and self.alpha > 0):
            raise CallError(f"The prior's weight (alpha) must be above 0, found {self.alpha}.")
        if self.kind == "isotonic" and self.alpha is not None:
            raise CallError("Isotonic smoothing has no prior, so it takes no alpha.")
        if (self.kind == "pooled") != (self.prior is not None):
            raise CallError("Smoothing towards a pooled matrix needs that matrix, and no other kind takes one.")
        if self.prior is not None and (self.prior.ndim != 2 or self.prior.shape[0] != self.prior.shape[1]):
            raise CallError(f"The pooled matrix has a row and a column per level, found the shape {self.prior.shape}.")

    def weight(self, size: int) -> float:
        """alpha: how many observations the prior is worth; half a count per level unless given."""
        return size / 2 if self.alpha is None else self.alpha

    def prior_rows(self, counts: FloatArray) -> FloatArray:
        """m: the prior of each row, shape [..., levels, levels]."""
        size = counts.shape[-1]
        if self.kind == "uniform":
            return np.broadcast_to(1 / size, counts.shape)
        if self.kind == "marginal":
            margin = counts.sum(axis=-2, keepdims=True)
            return np.broadcast_to(_ratio(margin, margin.sum(axis=-1, keepdims=True)), counts.shape)
        assert self.prior is not None
        return np.broadcast_to(self.prior, counts.shape)

    def apply(self, counts: FloatArray) -> FloatArray:
        """The smoothed matrix p(j|i) of counts of the shape [..., levels, levels]."""
        if self.kind == "isotonic":
            return _order_rows(counts)
        alpha = self.weight(counts.shape[-1])
        smoothed = (counts + alpha * self.prior_rows(counts)) / (counts.sum(axis=-1, keepdims=True) + alpha)
        return np.asarray(smoothed)

    def describe(self, size: int) -> str:
        """In words, for the output."""
        if self.kind == "isotonic":
            return "Neighbouring levels were pooled wherever p(R|i) would have fallen from one level to the next."
        towards = {
            "uniform": "all levels alike",
            "marginal": "the share of each level among the second labels",
            "pooled": "the pooled estimate",
        }
        return f"A prior worth {self.weight(size):g} second opinions per level was added, towards {towards[self.kind]}."


def normalise_rows(counts: FloatArray) -> FloatArray:
    """Raw shares p(j|i) = c_ij / c_i., eqs. (4) and (5); a row without counts is NaN, never 0 (T4).

    >>> normalise_rows(np.array([[8.0, 4, 4], [0, 0, 0], [1, 5, 4]]))[1].tolist()
    [nan, nan, nan]
    """
    return _ratio(counts, counts.sum(axis=-1, keepdims=True))


def part_relevant(matrix: FloatArray, indicator: FloatArray) -> FloatArray:
    """p(R|i) = sum over j in R of p(j|i), of a matrix or a stack; exactly 0 or 1 where the others or R have nothing.

    A plain sum of the p(j|i) may miss 1 by a rounding error, and would then not be known for certainty.

    >>> part_relevant(np.array([[0.1, 0.2, 0.7], [0.0, 0.3, 0.7]]), np.array([0.0, 1.0, 1.0])).tolist()
    [0.9, 1.0]
    """
    relevant, other = matrix @ indicator, matrix @ (1 - indicator)
    return _ratio(relevant, relevant + other)


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, np.nan))


def _order_rows(counts: FloatArray) -> FloatArray:
    """Isotonic rows: p(j >= theta | i) non-decreasing in i for every theta; coherent, as the fit keeps order."""
    above = np.flip(np.cumsum(np.flip(counts, -1), axis=-1), -1)
    # The same running sum, so that a share of everything is exactly 1, also for weighted counts.
    judged = above[..., :1]
    survival = isotonic_means(above, judged)
    survival[..., 0] = np.where(judged[..., 0] > 0, 1.0, np.nan)
    ends = np.zeros((*survival.shape[:-1], 1))
    return np.maximum(-np.diff(np.concatenate([survival, ends], axis=-1), axis=-1), 0.0)


def isotonic_means(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Weighted pool-adjacent-violators of part / whole along the second last axis, by its max-min formula.

    `fit_i = max over a <= i of min over b >= i of sum(part[a..b]) / sum(whole[a..b])`; the weights are `whole`. Rows
    without weight stay NaN.

    >>> isotonic_means(np.array([[1.0], [6], [2]]), np.array([[10.0], [10], [10]])).ravel().tolist()
    [0.1, 0.4, 0.4]
    """
    whole = np.broadcast_to(whole, part.shape)
    fit = np.full(part.shape, -np.inf)
    for a in range(part.shape[-2]):
        # Sums from a on, not differences of sums from 0 on: these would leave rounding dust in weighted counts.
        means = _ratio(np.cumsum(part[..., a:, :], axis=-2), np.cumsum(whole[..., a:, :], axis=-2))
        means = np.where(np.isnan(means), np.inf, means)
        lowest = np.flip(np.minimum.accumulate(np.flip(means, -2), axis=-2), -2)
        fit[..., a:, :] = np.maximum(fit[..., a:, :], lowest)
    return np.where(whole > 0, fit, np.nan)
