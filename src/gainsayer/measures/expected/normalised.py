"""Expected nDCG, R-precision and Q of a random user whose views of the documents are independent."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from gainsayer.gains import Gains
from gainsayer.measures.expected.kinds import OUTSIDE, Kinds, kind_profile, score_by_kinds, split_draws
from gainsayer.measures.expected.relevant_counts import RelevantCount
from gainsayer.measures.expected.remembering import remember
from gainsayer.measures.profiles import Discount, running_discount
from gainsayer.measures.sums import sum_before, sum_by_topic
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

RANK_STEP: Final = 256


def expected_normalised_gain(
    ranked: RankedLevels, gains: Gains, *, discount: Discount, depth: int | None = None
) -> FloatArray:
    """E[nDCG@k] = sum_{r<=k} c(r) p_r E[1 / I(min(R, k)) | X_r = 1], I(m) = c(1) + ... + c(m), eq. (20).

    The mean over users of their own binary nDCG: each divides by the ideal list of what is relevant to *them*. Not the
    fraction of the best expected DCG that the plug-in nDCG gives (T8). Linear in the run's level profile; what a level
    is worth depends on pool and gains alone.

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.
    """

    def score(kinds: Kinds) -> FloatArray:
        key = ("nDCG", discount, depth, *kinds.key)
        worth = remember(gains, key, lambda: _worth_of_kinds(kinds, discount, depth))
        return np.asarray(np.einsum("dtk,tk->dt", worth, kind_profile(ranked, kinds, discount, depth)))

    return score_by_kinds(ranked, gains, score)


def expected_r_precision(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """E[R-prec] = sum_r p_r sum_{m>=r} P(R = m | X_r = 1) / m, eq. (21): each user cuts at their own R.

    Not the plug-in R-precision, which cuts at the expected R.
    """

    def score(kinds: Kinds) -> FloatArray:
        table = np.zeros((len(kinds.draws), len(ranked.topics)))
        longest = max(int(kinds.pool.sum(axis=1).max(initial=0)), 1)
        hits = np.flatnonzero((kinds.kind < kinds.size) & (ranked.rank <= longest))
        topic, kind, rank = ranked.topic[hits], kinds.kind[hits], ranked.rank[hits]
        for block, tails in _remember_blocks(gains, "Rprec", kinds, kinds.size * longest, _tails):
            part = np.zeros((len(tails), len(ranked.rank)))
            part[:, hits] = tails[:, topic, kind, rank - 1]
            table[block] = sum_by_topic(ranked, part)
        return table

    return score_by_kinds(ranked, gains, score)


def expected_q_measure(
    ranked: RankedLevels, gains: Gains, *, beta: float = 1.0, depth: int | None = None
) -> FloatArray:
    """E[Q], eq. (22), for users who see two levels: relevant (gain 1) and not.

    `Q = (1/R) sum_r X_r (1 + beta) C(r) / (r + beta min(r, R))`, C(r) being the relevant documents down to rank r. Not
    the plug-in Q, which puts p(R|i) for flag, count and gain.
    """
    deepest = int(ranked.rank.max(initial=1)) if depth is None else min(int(ranked.rank.max(initial=1)), depth)
    ranks = -(-deepest // RANK_STEP) * RANK_STEP  # runs of nearly the same depth share the table

    def score(kinds: Kinds) -> FloatArray:
        table = np.zeros((len(kinds.draws), len(ranked.topics)))
        levels = kinds.pool.shape[1] + 1
        place = np.where(kinds.place == OUTSIDE, levels - 1, kinds.place)
        hits = np.flatnonzero((kinds.kind < kinds.size) & (ranked.rank <= deepest))
        topic, kind, rank = ranked.topic[hits], kinds.kind[hits], ranked.rank[hits]
        held = np.unique(kind).tolist()
        before = {other: sum_before(ranked, (kinds.kind == other).astype(np.float64))[hits] for other in held}
        numbers = (levels + levels**2) * max(ranks, int(kinds.pool.sum(axis=1).max(initial=0)))

        def make(part: Kinds) -> FloatArray:
            return _q_table(part, ranks, beta)

        for block, found in _remember_blocks(gains, ("Q", beta, ranks), kinds, numbers, make):
            chance = kinds.chance[block]
            value = found[:, topic, place[kind], levels, rank - 1]
            for other in held:
                pairs = found[:, topic, place[kind], place[other], rank - 1]
                value = value + before[other] * chance[:, other, None] * pairs
            part = np.zeros((len(found), len(ranked.rank)))
            part[:, hits] = value * chance[:, kind]
            table[block] = sum_by_topic(ranked, part)
        return table

    return score_by_kinds(ranked, gains, score)


def _worth_of_kinds(kinds: Kinds, discount: Discount, depth: int | None) -> FloatArray:
    """p_k E[1 / I(min(R, k)) | X_k = 1], shape [draws, topics, kinds]; unjudged ones: P(R > 0) instead of X_k = 1."""
    draws, (topics, levels) = len(kinds.chance), kinds.pool.shape
    largest = int(kinds.pool.sum(axis=1).max(initial=0))
    last = largest if depth is None else min(depth - 1, largest)  # from rank `depth` on the ideal is the same
    ideal = running_discount(discount, np.arange(1, last + 2))
    base = 1 / ideal[-1]
    over = 1 / ideal[:-1] - base
    worth = np.empty((draws, topics, kinds.size))
    for block in split_draws(draws, topics * levels * 2 * (largest + 1)):
        count = RelevantCount(kinds.pool, kinds.probability[block], last)
        by_place = np.empty((len(kinds.chance[block]), topics, levels + 1))
        for level in range(levels):
            by_place[..., level] = base + count.without(level)[..., :last] @ over
        whole = count.without()
        by_place[..., levels] = base * (1 - whole[..., 0]) + whole[..., 1 : last + 1] @ over
        worth[block] = by_place[..., kinds.place] * kinds.chance[block][:, None]
    return worth


def _tails(kinds: Kinds) -> FloatArray:
    """p_k sum_{m>=r} P(R = m | X_k = 1) / m for r = 1, 2, ...; shape [draws, topics, kinds, ranks]."""
    count = RelevantCount(kinds.pool, kinds.probability)
    longest = max(count.highest, 1)
    number = np.arange(1, longest + 1)
    found = [count.without(level)[..., :longest] for level in range(kinds.pool.shape[1])]
    found.append(_padded(count.without()[..., 1:], longest))
    by_place = np.stack([np.cumsum((each / number)[..., ::-1], axis=-1)[..., ::-1] for each in found], axis=2)
    return np.asarray(by_place[:, :, kinds.place] * kinds.chance[:, None, :, None])


def _q_table(kinds: Kinds, ranks: int, beta: float) -> FloatArray:
    """E[(1/R) (1 + beta) / (r + beta min(r, R)) | ...] by what is known to be relevant, and rank.

    Given a document of one level, and given two; the last level stands for unjudged documents, the last column for
    no second document. Shape [draws, topics, levels + 1, levels + 2, ranks].
    """
    count = RelevantCount(kinds.pool, kinds.probability)
    longest, levels = max(count.highest, 1), kinds.pool.shape[1]
    number, rank = np.arange(1.0, longest + 1), np.arange(1.0, ranks + 1)[:, None]
    kernel = ((1 + beta) / (number * (rank + beta * np.minimum(rank, number)))).T
    single = [count.without(level)[..., :longest] @ kernel for level in range(levels)]
    single.append(_padded(count.without()[..., 1:], longest) @ kernel)
    table = np.empty((*single[0].shape[:2], levels + 1, levels + 2, ranks))
    for level in range(levels + 1):
        table[:, :, level, levels + 1] = single[level]
        table[:, :, level, levels] = table[:, :, levels, level] = single[level]
        for other in range(min(level + 1, levels)):
            if level < levels:
                pair = count.without(level, other)[..., : longest - 1] @ kernel[1:]
                table[:, :, level, other] = table[:, :, other, level] = pair
    return table


def _padded(values: FloatArray, length: int) -> FloatArray:
    return np.pad(values, ((0, 0), (0, 0), (0, length - values.shape[-1])))


def _remember_blocks(
    gains: Gains, name: Hashable, kinds: Kinds, numbers: int, make: Callable[[Kinds], FloatArray]
) -> Iterator[tuple[slice, FloatArray]]:
    """Blocks of draws with their tables; a table of all draws is kept for the next run, if it is small enough."""
    draws, topics = len(kinds.chance), len(kinds.pool)
    for block in split_draws(draws, topics * numbers):
        part = replace(
            kinds, draws=kinds.draws[block], probability=kinds.probability[block], chance=kinds.chance[block]
        )
        if len(part.draws) == draws:
            yield block, remember(gains, (name, *kinds.key), partial(make, part))
        else:
            yield block, make(part)
