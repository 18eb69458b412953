"""Which random users are meant, and the expected value of a measure for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.measures.expected.dependent_users import (
    average_over_strictness,
    score_threshold_users,
    share_with_threshold,
)
from gainsayer.measures.expected.kinds import score_by_kinds
from gainsayer.measures.expected.shares import share_with_relevant
from gainsayer.measures.expected.simulated_users import DEFAULT_SAMPLE, UserScores, simulate_users
from gainsayer.measures.profiles import divide
from gainsayer.measures.unjudged import admit_unjudged
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels
from gainsayer.text import option

Users: TypeAlias = Literal["independent", "comonotone"] | float
Score: TypeAlias = Callable[[RankedLevels, Gains], FloatArray]


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
    """The expected value of a binary measure over random users whose views follow the gains (spec 2.4).

    Every user finds a document with label i relevant with probability p(R|i). They differ in how the views of one user
    correlate: `independent`; `comonotone`, where a strict user is strict with every document; or a Gaussian copula
    with a correlation in between. A measure that is linear in relevance does not care. A user to whom nothing is
    relevant counts as 0, unless `condition_on_relevant` leaves them out. Unjudged documents with a gain are relevant to
    some users, so the retrieved ones count in R as well (`admit_unjudged`); no expected value exceeds 1.

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
        values = _average(lambda part: independent(ranked, part), gains, users)
    if condition_on_relevant:
        values = divide(values, share_of_served(ranked, gains, users=users))
    return UserScores(values, np.zeros_like(values))


def share_of_served(ranked: RankedLevels, gains: Gains, *, users: Users = "independent") -> FloatArray:
    """P(R > 0): the share of users to whom at least one document of the pool is relevant.

    `1 - prod_d (1 - p_d)` for independent users. Shape [topics], or [draws, topics] for gains with draws.

    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> ranked = ranked_from_lists({}, {"q": [0, 2]})
    >>> gains = Gains(ranked.levels, np.array([0.0, 0.5]))
    >>> share_of_served(ranked, gains).tolist(), share_of_served(ranked, gains, users="comonotone").tolist()
    ([0.75], [0.5])
    """
    users = check_users(users)
    if users == "comonotone":
        return share_with_threshold(ranked, gains)
    return _average(lambda part: score_by_kinds(ranked, part, share_with_relevant), gains, users)


def _average(score: Callable[[Gains], FloatArray], gains: Gains, users: Users) -> FloatArray:
    return average_over_strictness(score, gains, users) if isinstance(users, float) else score(gains)
