"""How many relevant documents users find in the top k: the whole distribution over users, not only its mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.measures.expected.exact import split_draws
from gainsayer.measures.expected.relevant_counts import RelevantCount
from gainsayer.measures.expected.users import Users, average_users, check_users, threshold_users
from gainsayer.measures.sums import level_profile, no_discount
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedLevels


@dataclass(frozen=True, eq=False)
class FoundDistribution:
    """The shares of users who find exactly 0, 1, 2, ... relevant documents in the top k.

    Args:
        probability: shape [topics, numbers], or [draws, topics, numbers] for gains with draws; numbers are 0, ..., k,
            or as many as the longest list has.
        depth: k.
        users: how the views of one user correlate.
    """

    probability: FloatArray
    depth: int
    users: Users

    @property
    def nothing(self) -> FloatArray:
        """The share of users who find nothing relevant: 1 - Success@k."""
        return np.asarray(self.probability[..., 0])

    @property
    def mean(self) -> FloatArray:
        """The expected number: NumRel@k; divided by k, P@k."""
        return np.asarray(self.probability @ np.arange(self.probability.shape[-1]))

    def at_least(self, number: int) -> FloatArray:
        """The share of users who find at least this many."""
        return np.asarray(self.probability[..., max(number, 0) :].sum(axis=-1))

    def quantile(self, share: float) -> IntArray:
        """The largest number that at least this share of the users reach: `quantile(0.5)` = "half find at least ...".

        Raises:
            CallError: the share is not above 0 and at most 1.
        """
        if not 0 < share <= 1:
            raise CallError(f"A share of users lies above 0 and is at most 1, found {share}.")
        tail = np.cumsum(self.probability[..., ::-1], axis=-1)[..., ::-1]
        reached = tail >= share - 1e-12  # sums of probabilities carry rounding errors
        return np.asarray(np.where(reached, np.arange(self.probability.shape[-1]), 0).max(axis=-1))


def distribute_found(
    ranked: RankedLevels, gains: Gains, *, depth: int, users: Users = "independent"
) -> FoundDistribution:
    """P(a user finds exactly m relevant documents in the top k), for m = 0, ..., k.

    For independent users a Poisson-binomial distribution; for comonotone ones (a strict user is strict with every
    document) a step per level; for correlated ones a mixture over how strict a user is. All have the same mean, the
    PRM count of eq. (8), and very different spreads: if users are comonotone, far more of them find nothing.

    Raises:
        CallError: gains are not probabilities, or the depth is not above 0.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, 1, 0]}, {"q": [3, 2]})
    >>> gains = Gains(ranked.levels, np.array([0.0, 0.5]))
    >>> distribute_found(ranked, gains, depth=2).probability.round(12).tolist()
    [[0.25, 0.5, 0.25]]
    >>> distribute_found(ranked, gains, depth=2, users="comonotone").probability.tolist()
    [[0.5, 0.0, 0.5]]
    """
    users = check_users(users)
    if depth < 1:
        raise CallError(f"The depth must be above 0, found {depth}.")
    if not gains.probabilities:
        raise CallError(f"Users need probabilities of relevance; {gains.name} gains are not between 0 and 1.")
    counts = np.rint(level_profile(ranked, no_discount, depth)).astype(np.int64)
    highest = min(depth, int(ranked.retrieved.max(initial=0)))
    if users == "comonotone":
        found = _steps(counts, gains, highest)
    else:
        found = average_users(lambda part: _count(counts, part, highest), gains, users)
    return FoundDistribution(found.reshape(*gains.values.shape[:-1], len(counts), highest + 1), depth, users)


def distribute_runs(
    ranked: Sequence[RankedLevels],
    gains: Gains,
    *,
    depth: int,
    users: Users = "independent",
    chosen: npt.NDArray[np.bool_] | None = None,
) -> FoundDistribution:
    """The same for several runs, each on a random topic; `probability` has the shape [runs, numbers].

    `chosen` says which topics count, shape [topics]; all by default.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1], "r": [0]}, {"q": [1, 1], "r": [1, 1]})
    >>> gains = Gains(ranked.levels, np.array([0.0, 0.5]))
    >>> distribute_runs([ranked], gains, depth=1).probability.tolist()
    [[0.75, 0.25]]
    """
    kept = np.ones(len(ranked[0].topics), dtype=bool) if chosen is None else chosen
    shares = [distribute_found(run, gains, depth=depth, users=users).probability[kept].mean(axis=0) for run in ranked]
    longest = max(map(len, shares))
    table = np.stack([np.pad(share, (0, longest - len(share))) for share in shares])
    return FoundDistribution(table, depth, check_users(users))


def _count(counts: IntArray, gains: Gains, highest: int) -> FloatArray:
    """Of independent users; shape [topics * numbers], or [draws, topics * numbers] for gains with draws."""
    values = np.atleast_2d(gains.values)
    chance = np.concatenate([values, np.full((len(values), 1), gains.unjudged)], axis=1)
    found = np.zeros((len(values), len(counts), highest + 1))
    for block in split_draws(len(values), counts.size * 2 * (highest + 1)):
        part = RelevantCount(counts, chance[block]).without()
        found[block, :, : part.shape[-1]] = part
    return found.reshape(*gains.values.shape[:-1], -1)


def _steps(counts: IntArray, gains: Gains, highest: int) -> FloatArray:
    """Of comonotone users; shape [draws, topics, numbers]."""
    users, share = threshold_users(gains)
    found = np.zeros((len(share), len(counts), highest + 1))
    found[..., 0] = 1 - share.sum(axis=1)[:, None]
    for index, user in enumerate(users):
        number = counts @ np.append(user.values, user.unjudged).astype(np.int64)
        found[:, np.arange(len(counts)), number] += share[:, index, None]
    return found
