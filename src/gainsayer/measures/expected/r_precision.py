"""Expected R-precision and Q: what a rank is worth to a user depends on how much is relevant to them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gainsayer.gains.values import Gains
from gainsayer.measures.expected.kinds import Kinds, cached, refuse_many, score_by_kinds, split_draws
from gainsayer.measures.expected.relevant_counts import RelevantCount, highest_likely
from gainsayer.measures.profiles import sum_before
from gainsayer.rankings.ranked_levels import FloatArray, IntArray, RankedLevels

Worth = Callable[[FloatArray, FloatArray], FloatArray]


def expected_r_precision(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """E[R-prec] = sum_r p_r sum_{m>=r} P(R = m | X_r = 1) / m, eq. (21): each user cuts at their own R.

    Not the plug-in R-precision, which cuts at the expected R.

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.
    """

    def worth(rank: FloatArray, relevant: FloatArray) -> FloatArray:
        return np.asarray((rank <= relevant) / relevant)

    return score_by_kinds(ranked, gains, lambda kinds: _score(ranked, gains, kinds, worth, pairs=False))


def expected_q_measure(
    ranked: RankedLevels, gains: Gains, *, beta: float = 1.0, depth: int | None = None
) -> FloatArray:
    """E[Q], eq. (22), for users who see two levels: relevant (gain 1) and not.

    `Q = (1/R) sum_r X_r (1 + beta) C(r) / (r + beta min(r, R))`, C(r) being the relevant documents down to rank r. Not
    the plug-in Q, which puts p(R|i) for flag, count and gain.
    """

    def worth(rank: FloatArray, relevant: FloatArray) -> FloatArray:
        return np.asarray((1 + beta) / (relevant * (rank + beta * np.minimum(rank, relevant))))

    return score_by_kinds(ranked, gains, lambda kinds: _score(ranked, gains, kinds, worth, pairs=True, depth=depth))


def _score(
    ranked: RankedLevels, gains: Gains, kinds: Kinds, worth: Worth, *, pairs: bool, depth: int | None = None
) -> FloatArray:
    """E[sum_r X_r w(r, R)], or with pairs E[sum_r X_r w(r, R) sum_{s<=r} X_s]; shape [draws, topics].

    The list is summed up first, to one number per kind (or pair of kinds) and R; the distribution of R given that
    documents of these kinds are relevant depends on pool and gains alone.
    """
    draws, (topics, levels) = len(kinds.chance), kinds.pool.shape
    highest = max(highest_likely(kinds.pool, kinds.probability), 1)
    if pairs:
        refuse_many(kinds, topics * levels**2 * highest)
    held = _sum_up(ranked, kinds, worth, highest, pairs, depth)
    place = kinds.place
    table = np.zeros((draws, topics))
    for block in split_draws(draws, topics * levels * (levels + 1 if pairs else 1) * highest // 2):
        probability, chance = kinds.probability[block], kinds.chance[block]

        def make(probability: FloatArray = probability) -> FloatArray:
            return _given_relevant(kinds.pool, probability, pairs)

        whole = len(chance) == draws
        given = cached(gains, ("given", pairs, *kinds.key), make) if whole else make()
        for (kind, other), profile in held.items():
            column = -1 if other is None else int(place[other])
            both = chance[:, kind] if other is None else chance[:, kind] * chance[:, other]
            reached = given[:, :, place[kind], column]
            table[block] += both[:, None] * np.einsum("dtm,tm->dt", reached, profile[:, : reached.shape[-1]])
    return table


def _sum_up(
    ranked: RankedLevels, kinds: Kinds, worth: Worth, highest: int, pairs: bool, depth: int | None
) -> dict[tuple[int, int | None], FloatArray]:
    """Sums over the ranks of a kind of w(r, m), alone and times the earlier ranks of another kind; [topics, m]."""
    inside = kinds.kind < kinds.size
    if depth is not None:
        inside &= ranked.rank <= depth
    found = np.flatnonzero(np.bincount(kinds.kind[inside], minlength=kinds.size)).tolist()
    before = {other: sum_before(ranked, (kinds.kind == other).astype(np.float64)) for other in found if pairs}
    columns: list[tuple[int, int | None]] = [(kind, other) for kind in found for other in (None, *before)]
    if not columns:
        return {}
    held = {column: np.zeros((len(ranked.topics), highest)) for column in columns}
    number = np.arange(1.0, highest + 1)
    for topic in range(len(ranked.topics)):
        hits = slice(int(ranked.starts[topic]), int(ranked.starts[topic + 1]))
        if hits.start == hits.stop:
            continue
        weight = np.stack(
            [
                inside[hits] * (kinds.kind[hits] == kind) * (1.0 if other is None else before[other][hits])
                for kind, other in columns
            ]
        )
        sums = weight @ worth(ranked.rank[hits, None].astype(np.float64), number)
        for column, values in zip(columns, sums, strict=True):
            held[column][topic] = values
    return held


def _given_relevant(pool: IntArray, probability: FloatArray, pairs: bool) -> FloatArray:
    """P(R = m | a document, or two, of these levels are relevant), m = 1, 2, ...

    The last column stands for no second document. Shape [draws, topics, levels, levels + 1, m]; without pairs there is
    only the last column.
    """
    highest, levels = max(highest_likely(pool, probability), 1), pool.shape[1]
    count = RelevantCount(pool, probability, highest)
    given = np.zeros((len(probability), len(pool), levels, levels + 1 if pairs else 1, highest))
    for level in range(levels):
        one = count.without(level)[..., :highest]
        given[:, :, level, -1, : one.shape[-1]] = one
        if not pairs:
            continue
        for other in range(level + 1):
            two = count.without(level, other)[..., : highest - 1]
            given[:, :, level, other, 1 : 1 + two.shape[-1]] = two
            given[:, :, other, level, 1 : 1 + two.shape[-1]] = two
    return given
