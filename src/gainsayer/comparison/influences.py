"""Influences of topics on any quantity made of mean scores: its error, its degrees of freedom, where they come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gainsayer.comparison.replicates import Replicates
from gainsayer.rankings.ranked_levels import FloatArray

Quantity = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Influences:
    """How much each topic moves a quantity; arrays have the shape [quantities] but for `values`.

    Args:
        values: I_t, shape [topics, quantities]; their squares sum up to the variance.
        error: s, the standard error.
        topics: V_S, the variance with the gains held.
        parameters: V_P, the variance with the scored topics held; 0 for gains that are given.
        degrees: of freedom of s.
    """

    values: FloatArray
    error: FloatArray
    topics: FloatArray
    parameters: FloatArray
    degrees: FloatArray


def find_influences(replicates: Replicates, quantity: Quantity) -> Influences:
    """The jackknife of a quantity theta, a function of the mean scores [..., runs] with values [..., quantities].

        I_t  = -sqrt((n_g - 1) / n_g) (theta_(t) - mean over its group g) ;   s^2 = sum_t I_t^2
        V_S, V_P = (n - 1) / n sum (theta_(t) - mean)^2  from the topic and the parameter replicates
        phi  = V_P / (V_S + V_P)
        v_t  = sum_i (G_i / B_i)^2 p_i (1 - p_i) b_ti ,  G_i = d theta / d p_i with the topics held
        D*   = (sum v_t^2)^2 / sum v_t^4 ;   all v_t = 0: D* = D
        df   = clip(1 / (phi^2 / max(D* - 1, 1) + (1 - phi)^2 / (T - 1)), 1, T - 1)

    D* is how many doubly judged topics bear the uncertainty about the gains: one large topic among small ones counts
    for little more than one. For a model made elsewhere V_P is G' V G with the model's covariance V, added as if its
    topics were none of those scored, and D* is the number of its topics.

    Needs two scored topics. It knows of topics alone: what other assessors or another pool would change is not in it.

    >>> scores = np.array([[0.2, 0.4, 0.9]])
    >>> alone = (scores.sum() - scores.T) / 2
    >>> given = Replicates(scores.mean(axis=1), alone, (np.arange(3),), alone, np.empty((0, 1)), None)
    >>> found = find_influences(given, lambda x: x)
    >>> found.error.round(4).tolist(), found.degrees.tolist()  # s / sqrt(n), n - 1
    ([0.2082], [2.0])
    """
    left = quantity(replicates.joint)
    values = np.empty_like(left)
    for group in replicates.groups:
        own = left[group]
        values[group] = -np.sqrt((len(group) - 1) / len(group)) * (own - own.mean(axis=0))
    topics = _variance(quantity(replicates.topics))
    parameters = np.zeros_like(topics)
    scored = len(replicates.topics)
    behind = replicates.behind
    borne = np.ones_like(topics)
    if behind is not None:
        slope = (quantity(behind.up) - quantity(behind.down)) / (2 * behind.step[:, None])
        if len(replicates.parameters):
            parameters = _variance(quantity(replicates.parameters))
            borne = _effective(np.einsum("dl,lq->dq", behind.noise, slope**2), behind.topics)
        else:
            apart = np.einsum("kl,lq->kq", behind.root, slope)
            values = np.concatenate([values, apart])
            parameters = (apart**2).sum(axis=0)
            borne = np.full_like(topics, behind.topics)
    total = topics + parameters
    share = np.divide(parameters, total, out=np.zeros_like(total), where=total > 0)
    rest = 1 / (share**2 / np.maximum(borne - 1, 1) + (1 - share) ** 2 / (scored - 1))
    return Influences(
        values=values,
        error=np.sqrt((values**2).sum(axis=0)),
        topics=topics,
        parameters=parameters,
        degrees=np.clip(rest, 1, scored - 1),
    )


def _variance(left: FloatArray) -> FloatArray:
    """The jackknife's variance, (n - 1) / n times the squared distances from the mean, shape [quantities]."""
    count = len(left)
    return np.asarray((count - 1) / count * ((left - left.mean(axis=0)) ** 2).sum(axis=0))


def _effective(noise: FloatArray, topics: int) -> FloatArray:
    """D*: (sum v^2)^2 / sum v^4 over the doubly judged topics; all of them where no v is above 0."""
    largest = noise.max(axis=0, initial=0.0)
    relative = noise / np.where(largest > 0, largest, 1.0)
    square = (relative**2).sum(axis=0)
    return np.where(largest > 0, square**2 / np.where(largest > 0, (relative**4).sum(axis=0), 1.0), float(topics))
