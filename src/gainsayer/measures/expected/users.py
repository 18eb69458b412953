"""Which random users are meant, and the expected value of a measure for them.

For users whose views of the documents are independent there are formulas (`exact`), or users are simulated. Comonotone
users differ in one threshold: a strict one is strict throughout. Between them lies a Gaussian copula, integrated over
how strict a user is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import numpy as np
import scipy

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.measures.expected.exact import cached, score_by_kinds, share_with_relevant
from gainsayer.measures.expected.simulated import DEFAULT_SAMPLE, UserScores, simulate_users
from gainsayer.measures.sums import divide
from gainsayer.measures.unjudged import admit_unjudged
from gainsayer.ranking.ranked import FloatArray, RankedLevels
from gainsayer.text import option

Users: TypeAlias = Literal["independent", "comonotone"] | float
Score: TypeAlias = Callable[[RankedLevels, Gains], FloatArray]
AGREEMENT: Final = 1e-10
FIRST_STEP: Final = 0.5
WIDEST: Final = 7.0  # beyond lie 3 users in 10^12
MOST_HALVINGS: Final = 6


def check_users(users: object) -> Users:
    """The users as asked for: `independent`, `comonotone`, or their correlation; 0 and 1 are the two names.

    Raises:
        CallError: there are no such users.

    >>> check_users("comonotone"), check_users(0.3), check_users(0)
    ('comonotone', 0.3, 'independent')
    """
    if users == "independent" or (users == 0 and not isinstance(users, bool)):
        return "independent"
    if users == "comonotone" or (users == 1 and not isinstance(users, bool)):
        return "comonotone"
    if isinstance(users, int | float) and not isinstance(users, bool) and 0 < users < 1:
        return float(users)
    raise CallError(
        "users may be 'independent', 'comonotone' (a strict user is strict with every document), or their correlation "
        f"from 0 to 1, found {users!r}."
    )


def score_users(
    ranked: RankedLevels,
    gains: Gains,
    plug_in: Score,
    *,
    users: Users = "independent",
    independent: Score | None = None,
    linear: bool = False,
    condition_on_relevant: bool = False,
    sample: int = DEFAULT_SAMPLE,
    seed: int = 0,
) -> UserScores:
    """The expected value of a binary measure over random users whose views follow the gains.

    Every user finds a document with label i relevant with probability p(R|i). They differ in how the views of one user
    correlate: `independent`; `comonotone`, where a strict user is strict with every document; or a Gaussian copula
    with a correlation in between. To a measure that is linear in relevance it makes no difference. A user to whom
    nothing is relevant counts as 0, unless `condition_on_relevant` leaves them out. Unjudged documents with a gain are
    relevant to some users, so the retrieved ones count in R as well (`admit_unjudged`); no expected value exceeds 1.

    Args:
        ranked: the run.
        gains: p(R|i).
        plug_in: the measure; for 0/1 gains, the binary measure of one user.
        users: how the views of one user correlate.
        independent: the exact expected value for independent users, where there is a formula; takes gains with draws.
        linear: whether the measure is linear in relevance.
        condition_on_relevant: divide by the share of users to whom anything in the pool is relevant.
        sample: how many users to simulate where there is no formula.
        seed: for simulated users.

    Raises:
        CallError: gains are not probabilities, or users without relevant documents are to be left out while unjudged
            documents may be relevant.
    """
    users = check_users(users)
    if not gains.probabilities:
        raise CallError(
            f"Expected measures need probabilities of relevance as gains; {gains.name} gains are "
            f"{np.round(gains.values, 4).tolist()}. Use {option('gains', 'prm', 'binary')}, or leave out users=."
        )
    if condition_on_relevant and gains.unjudged:
        raise CallError(
            "condition_on_relevant asks whether any judged document is relevant to a user, which says too little where "
            f"unjudged documents may be relevant, too. Leave their gain at 0 ({option('unjudged', '0')})."
        )
    if gains.unjudged and not linear:
        ranked, gains = admit_unjudged(ranked, gains)
    if independent is None and not linear and users != "comonotone":
        correlation = users if isinstance(users, float) else 0.0
        return simulate_users(
            ranked,
            gains,
            plug_in,
            correlation=correlation,
            sample=sample,
            seed=seed,
            condition_on_relevant=condition_on_relevant,
        )
    if linear:
        values = plug_in(ranked, gains)
    elif users == "comonotone":
        values = score_threshold_users(plug_in, ranked, gains)
    else:
        assert independent is not None
        values = average_users(lambda part: independent(ranked, part), gains, users)
    if condition_on_relevant:
        values = divide(values, share_of_served(ranked, gains, users=users))
    return UserScores(values, np.zeros_like(values))


def share_of_served(ranked: RankedLevels, gains: Gains, *, users: Users = "independent") -> FloatArray:
    """P(R > 0): the share of users to whom at least one document of the pool is relevant.

    `1 - prod_d (1 - p_d)` for independent users. Shape [topics], or [draws, topics] for gains with draws.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({}, {"q": [0, 2]})
    >>> gains = Gains(ranked.levels, np.array([0.0, 0.5]))
    >>> share_of_served(ranked, gains).tolist(), share_of_served(ranked, gains, users="comonotone").tolist()
    ([0.75], [0.5])
    """
    users = check_users(users)
    if users == "comonotone":
        return share_with_threshold(ranked, gains)
    return average_users(lambda part: score_by_kinds(ranked, part, share_with_relevant), gains, users)


def average_users(score: Callable[[Gains], FloatArray], gains: Gains, users: Users) -> FloatArray:
    """What `score` expects of independent users, or its mean over users with this correlation."""
    return average_over_strictness(score, gains, users) if isinstance(users, float) else score(gains)


def threshold_users(gains: Gains) -> tuple[list[Gains], FloatArray]:
    """The different users there are, as 0/1 gains, and their shares; shape [draws, users].

    A user's threshold u is uniform on (0, 1), and every document with p > u is relevant to them. So a share
    `q_j - q_{j-1}` finds relevant what has at least the probability q_j, over the distinct probabilities q_1 < q_2 <
    ..., unjudged documents included; 1 - max q find nothing relevant and are not listed.

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


def score_threshold_users(score: Score, ranked: RankedLevels, gains: Gains) -> FloatArray:
    """The expected value of any binary measure over comonotone users: at most levels + 1 ordinary evaluations, exact.

    With parameters in order of the levels it is the user model of graded average precision. Independent users are the
    other extreme: the two together show what dependence between one user's views may do.

    Args:
        score: the binary measure.
        ranked: the run.
        gains: p(R|i), and that of unjudged documents.

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.
    """
    users, share = threshold_users(gains)
    table = np.zeros((len(users), len(ranked.topics)))
    for index, user in enumerate(users):
        table[index] = score(ranked, user)
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
