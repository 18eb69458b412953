"""Users drawn at random, for measures without a formula: the same users for all runs, and an error of the mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import scipy

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.unjudged import admit_unjudged, real_judgments
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedLevels

DEFAULT_SAMPLE: Final = 1000
BLOCK_HITS: Final = 1 << 20
_SEEN: Final = Levels(("-1", "0", "1"))
_BINARY: Final = Gains(_SEEN, np.array([0.0, 0.0, 1.0]), name="binary")


@dataclass(frozen=True, eq=False)
class UserScores:
    """The expected value of a binary measure over random users.

    Args:
        values: shape [topics], or [draws, topics] for gains with draws.
        standard_error: s / sqrt(users) of each value, the uncertainty that more simulated users would take away, no
            more; 0 where none were simulated.
    """

    values: FloatArray
    standard_error: FloatArray


def simulate_users(
    ranked: RankedLevels,
    gains: Gains,
    score: Callable[[RankedLevels, Gains], FloatArray],
    *,
    correlation: float = 0.0,
    sample: int = DEFAULT_SAMPLE,
    seed: int = 0,
    condition_on_relevant: bool = False,
) -> UserScores:
    """The expected value of any binary measure over random users, by Monte Carlo.

    Each user finds document d relevant where `sqrt(rho) W + sqrt(1 - rho) e_d < Phi^-1(p_d)`, with one W per user and
    topic; rho = 0 are independent users. `score` sees a user as a topic with two levels and 0/1 gains, so any
    measure of the catalogue will do, and any function of your own. What a user thinks of a judged document is drawn
    from a stream keyed by topic, level and document: all runs, whenever scored, meet the same users, and differences
    between runs are far more certain than the runs' own errors say. Unjudged documents are keyed by their order in the
    list, as nothing more is known of them.

    Args:
        ranked: the run.
        gains: p(R|i).
        score: the binary measure, (RankedLevels, Gains) to one number per topic.
        correlation: rho, from 0 to 1; 1 are comonotone users (a strict one is strict with every document).
        sample: how many users per topic.
        seed: where the streams start.
        condition_on_relevant: leave out users without any relevant document.

    Raises:
        CallError: gains are not probabilities, or there are fewer than two users.

    >>> from gainsayer.measures.lists import reciprocal_rank
    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1, 1]}, {"q": [0, 2]})
    >>> found = simulate_users(ranked, Gains(ranked.levels, np.array([0.0, 0.5])), reciprocal_rank)
    >>> abs(found.values[0] - 0.625) < 4 * found.standard_error[0]
    np.True_
    """
    if not gains.probabilities:
        raise CallError(f"Users need probabilities of relevance; {gains.name} gains are not between 0 and 1.")
    if sample < 2:
        raise CallError(f"A mean over users with an error needs at least 2 of them, found {sample}.")
    if gains.unjudged:
        ranked, gains = admit_unjudged(ranked, gains)
    table = np.atleast_2d(gains.values)
    values, errors = np.zeros((len(table), len(ranked.topics))), np.zeros((len(table), len(ranked.topics)))
    for topic in range(len(ranked.topics)):
        views = _TopicViews(ranked, topic, correlation, sample, seed)
        for draw, probability in enumerate(table):
            scored, relevant = views.score(score, probability)
            kept = scored[relevant > 0] if condition_on_relevant else scored
            if len(kept):
                values[draw, topic] = kept.mean()
            if len(kept) > 1:
                errors[draw, topic] = kept.std(ddof=1) / np.sqrt(len(kept))
    return UserScores(values[0], errors[0]) if gains.values.ndim == 1 else UserScores(values, errors)


class _TopicViews:
    """One topic: the chances of its documents for every user, and which of them the run returned where."""

    def __init__(self, ranked: RankedLevels, topic: int, correlation: float, sample: int, seed: int) -> None:
        self._correlation = correlation
        self._sample = sample
        size = len(ranked.levels)
        hits = slice(int(ranked.starts[topic]), int(ranked.starts[topic + 1]))
        self._rank, self._level = ranked.rank[hits], ranked.level[hits].astype(np.int64)
        self._retrieved = int(ranked.retrieved[topic])
        self._judged = real_judgments(ranked.levels)
        member = _number_members(self._level) if ranked.member is None else ranked.member[hits].astype(np.int64)
        name = ranked.topics[topic]

        def draw(stream: int, count: int) -> FloatArray:
            generator = np.random.default_rng(np.random.SeedSequence([seed, stream, *name.encode()]))
            return generator.standard_normal((count, sample))

        counts = ranked.pool[topic]
        self._strictness = draw(0, 1)[0]
        noise, levels, first = [], [], np.zeros(size + 1, np.int64)
        none = np.zeros(0, np.int64)
        choices = none if ranked.choice_topic is None else np.flatnonzero(ranked.choice_topic == topic)
        known = self._level < size
        grouped = known & (member < 0)
        total = 0
        for level in range(size):
            mine = known & ~grouped & (self._level == level)
            # A hit beyond the pool's count (a list written by hand) has chances, too, but is not in R.
            extent = max(int(counts[level]), int(member[mine].max(initial=-1)) + 1)
            first[level] = total
            noise.append(draw(1 + level, extent))
            levels.append(np.where(np.arange(extent) < counts[level], level, -1))
            total += extent
        self._pool_level = np.concatenate(levels)
        noise.append(draw(size + 1, len(choices)))
        self._noise = np.concatenate([*noise, np.zeros((1, sample))])  # the last row: duplicates, never relevant
        self._choice = ranked.choice_levels[choices] if ranked.choice_levels is not None else np.zeros((0, size), bool)
        self._first_choice = total
        slot = np.full(len(self._level), len(self._noise) - 1, np.int64)
        plain = known & ~grouped
        slot[plain] = first[self._level[plain]] + member[plain]
        slot[grouped] = total + np.searchsorted(choices, -1 - member[grouped])
        self._slot = slot

    def score(
        self, score: Callable[[RankedLevels, Gains], FloatArray], probability: FloatArray
    ) -> tuple[FloatArray, IntArray]:
        """The measure of each user, and how many documents of the pool are relevant to them."""
        limits = scipy.special.ndtri(np.append(probability, 0.0))
        choice_limits = scipy.special.ndtri(np.where(self._choice, probability, 0.0).max(axis=1, initial=0.0))
        in_pool = np.flatnonzero(self._pool_level >= 0)
        level = self._pool_level[in_pool]
        pooled = np.concatenate([in_pool, self._first_choice + np.arange(len(self._choice))])
        thresholds = np.concatenate([limits[level], choice_limits])
        judged = np.concatenate([self._judged[level], np.ones(len(self._choice), np.bool_)])
        values, number = np.empty(self._sample), np.empty(self._sample, np.int64)
        step = max(1, BLOCK_HITS // max(len(self._slot), len(self._noise), 1))
        for low in range(0, self._sample, step):
            block = slice(low, low + step)
            view = self._noise[:, block]
            if self._correlation:
                shared = self._correlation**0.5 * self._strictness[block]
                view = (1 - self._correlation) ** 0.5 * view + shared
            seen = view[pooled] < thresholds[:, None]
            relevant = seen.sum(axis=0)
            wrong = (~seen & judged[:, None]).sum(axis=0)
            hits = view[self._slot] < limits[self._level][:, None]
            values[block] = score(self._as_topics(hits, relevant, wrong, len(pooled)), _BINARY)
            number[block] = relevant
        return values, number

    def _as_topics(
        self, views: npt.NDArray[np.bool_], relevant: IntArray, wrong: IntArray, pooled: int
    ) -> RankedLevels:
        """Each user as a topic of levels -1 (in the pool, not judged), 0 and 1."""
        users = len(relevant)
        size = len(self._judged)
        known = self._level < size
        # What is not relevant stays what it was: judged, not judged, or (duplicates) worth nothing.
        otherwise = np.full(len(self._level), _SEEN.index("1") + 1, np.int16)
        otherwise[known] = np.where(self._judged[self._level[known]], _SEEN.index("0"), _SEEN.index("-1"))
        level = np.where(views.T, np.int16(_SEEN.index("1")), otherwise)
        return RankedLevels(
            levels=_SEEN,
            topics=tuple(map(str, range(users))),
            topic=np.repeat(np.arange(users, dtype=np.int32), len(self._level)),
            rank=np.tile(self._rank, users),
            level=level.ravel(),
            retrieved=np.full(users, self._retrieved, np.int64),
            present=np.ones(users, np.bool_),
            pool=np.stack([pooled - relevant - wrong, wrong, relevant], axis=1),
        )


def _number_members(level: IntArray) -> IntArray:
    """Hits numbered by level in order of rank, where it is not known which documents they are."""
    member = np.zeros(len(level), np.int64)
    for each in np.unique(level).tolist():
        mine = level == each
        member[mine] = np.arange(int(mine.sum()))
    return member
