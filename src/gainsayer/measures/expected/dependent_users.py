"""Users whose views of documents depend on each other: a strict one is strict throughout the topic, or mostly.

Comonotone users differ in one threshold. Between them and independent ones lies a Gaussian copula, integrated over how
strict a user is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import scipy

from gainsayer.gains.values import Gains
from gainsayer.measures.expected.kinds import cached
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

AGREEMENT: Final = 1e-10
FIRST_STEP: Final = 0.5
WIDEST: Final = 7.0  # beyond lie 3 users in 10^12
MOST_HALVINGS: Final = 6


def threshold_users(gains: Gains) -> tuple[list[Gains], FloatArray]:
    """The different users there are, as 0/1 gains, and their shares; shape [draws, users].

    A user's threshold u is uniform on (0, 1), and every document with p > u is relevant to them. So a share
    `q_j - q_{j-1}` finds relevant what has at least the probability q_j, over the distinct probabilities q_1 < q_2 <
    ..., unjudged documents included; 1 - max q find nothing relevant and are not listed (spec 2.4.4).

    >>> from gainsayer.levels import Levels
    >>> users, share = threshold_users(Gains(Levels(("0", "1", "2")), np.array([0.1, 0.3, 0.6])))
    >>> [user.values.tolist() for user in users], share.round(12).tolist()
    ([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]], [[0.3, 0.2, 0.1]])
    """
    values = np.atleast_2d(gains.values)
    chance = np.concatenate([values, np.full((len(values), 1), gains.unjudged)], axis=1)
    threshold = np.sort(chance, axis=1)
    step = np.diff(threshold, axis=1, prepend=0.0)
    draw, number = np.nonzero(step > 0)
    accepted = chance[draw] >= threshold[draw, number, None]
    patterns, pattern = np.unique(accepted, axis=0, return_inverse=True)
    share = np.zeros((len(values), len(patterns)))
    share[draw, pattern.ravel()] = step[draw, number]
    users = [Gains(gains.levels, each[:-1].astype(np.float64), float(each[-1]), "binary") for each in patterns]
    return users, share


def score_threshold_users(
    score: Callable[[RankedLevels, Gains], FloatArray], ranked: RankedLevels, gains: Gains
) -> FloatArray:
    """The expected value of any binary measure over comonotone users: at most levels + 1 ordinary evaluations, exact.

    With parameters in order of the levels it is the user model of graded average precision. The other end from
    independent users: the two together are a band for what dependence within a user may do.

    Args:
        score: the binary measure.
        ranked: the run.
        gains: p(R|i), and that of unjudged documents.

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.
    """
    users, share = threshold_users(gains)
    table = np.zeros((len(users), len(ranked.topics)))
    for place, user in enumerate(users):
        table[place] = score(ranked, user)
    found = share @ table
    return np.asarray(found[0] if gains.values.ndim == 1 else found)


def share_with_threshold(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """P(R > 0) for comonotone users: the largest p(R|i) in the pool; shape [topics] or [draws, topics]."""
    held = ranked.pool > 0
    if ranked.choice_topic is not None and ranked.choice_levels is not None and len(ranked.choice_topic):
        held = held.copy()
        np.logical_or.at(held, ranked.choice_topic, ranked.choice_levels)
    return np.asarray(np.where(held, gains.values[..., None, :], 0.0).max(axis=-1, initial=0.0))


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

    def shifted(probability: FloatArray) -> FloatArray:
        at = strictness.reshape(-1, *[1] * probability.ndim)
        return np.asarray(
            scipy.special.ndtr((scipy.special.ndtri(probability) - correlation**0.5 * at) / (1 - correlation) ** 0.5)
        )

    values = shifted(gains.values)
    if gains.unjudged in (0.0, 1.0):
        return [Gains(gains.levels, values.reshape(-1, values.shape[-1]), gains.unjudged, gains.name)]
    unjudged = shifted(np.array(gains.unjudged))
    return [Gains(gains.levels, each, float(own), gains.name) for each, own in zip(values, unjudged, strict=True)]
