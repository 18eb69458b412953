"""Comonotone users: one who is strict is strict throughout the topic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels


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
