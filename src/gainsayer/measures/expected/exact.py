"""Expected measures of a random user whose views of the documents are independent: exact, eqs. (15) to (22).

What depends on the pool and the gains alone is computed once for all runs, and kept; a run adds sums over its hits, by
their *kind*: how likely a user finds the hit relevant, and which document of the pool it is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import scipy

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.measures.expected.relevant_counts import RelevantCount, highest_likely
from gainsayer.measures.lists import EPSILON
from gainsayer.measures.sums import (
    DISCOUNTS,
    Discount,
    gains_of_hits,
    level_profile,
    no_discount,
    pair_profile,
    running_discount,
    sum_before,
)
from gainsayer.measures.unjudged import real_judgments
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedLevels

Answer = TypeVar("Answer")
Worth = Callable[[FloatArray, FloatArray], FloatArray]
# How many numbers a table may have, of those that are made in blocks and of those that are not.
BLOCK_NUMBERS: Final = 1 << 21
MOST_NUMBERS: Final = 1 << 28
# What is kept for each set of gains.
MOST_BYTES: Final = 64 << 20
MOST_ANSWERS: Final = 16
FIRST_NODES: Final = 64
AGREEMENT: Final = 1e-10
_CACHE: Final[WeakKeyDictionary[Gains, OrderedDict[Hashable, Any]]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Kinds:
    """The hits of a run in kinds that a user treats alike, for some of the draws.

    The first kinds are the levels, then follow documents of groups of equal ones with different labels: such a group
    is in the pool with the label worth most, and a user who finds a document of it relevant finds the group relevant,
    too (one user, one threshold within the group). Unjudged documents have no kind: where they may be relevant, they
    have a level of their own (`admit_unjudged`).

    Args:
        draws: which draws these kinds hold for.
        probability: p(R|i); shape [draws, levels].
        chance: the probability that a user finds a hit of the kind relevant; shape [draws, kinds].
        pool_level: the level that the hit has in the pool; shape [kinds].
        pool: documents of each level; shape [topics, levels].
        kind: one per hit; the number of kinds for duplicates, which count for nothing.
    """

    draws: IntArray
    probability: FloatArray
    chance: FloatArray
    pool_level: IntArray
    pool: IntArray
    kind: IntArray

    @property
    def size(self) -> int:
        """How many kinds there are."""
        return len(self.pool_level)

    @property
    def key(self) -> tuple[bytes, ...]:
        """What coefficients of these kinds depend on, but for the gains themselves."""
        return (self.draws.tobytes(), self.pool_level.tobytes(), self.pool.tobytes(), self.chance.tobytes())


def find_kinds(ranked: RankedLevels, gains: Gains) -> Iterator[Kinds]:
    """The kinds of hits: one answer for all draws, or one for each order in which they prefer the labels of a group."""
    values = np.atleast_2d(gains.values)
    size = values.shape[1]
    kind = np.minimum(ranked.level.astype(np.int64), size)  # levels as they are, then what counts for nothing
    if ranked.choice_topic is None or not len(ranked.choice_topic):
        yield _make(np.arange(len(values)), values, ranked.pool, kind, ())
        return
    orders, index = np.unique(np.argsort(-values, axis=1, kind="stable"), axis=0, return_inverse=True)
    duplicate = ranked.level >= ranked.duplicate
    for number, order in enumerate(orders):
        chosen = np.flatnonzero(index.ravel() == number)
        kinds, extra = _sort_choices(ranked, order, kind)
        kinds[duplicate] = size + len(extra)
        yield _make(chosen, values[chosen], ranked.pool_by(order), kinds, extra)


def score_by_kinds(ranked: RankedLevels, gains: Gains, score: Callable[[Kinds], FloatArray]) -> FloatArray:
    """Scores of all draws: shape [topics], or [draws, topics] for gains with draws."""
    table = np.empty((len(np.atleast_2d(gains.values)), len(ranked.topics)))
    for kinds in find_kinds(ranked, gains):
        table[kinds.draws] = score(kinds)
    return table[0] if gains.values.ndim == 1 else table


def split_draws(draws: int, numbers: int) -> Iterator[slice]:
    """Blocks of draws, so that tables with this many numbers per draw stay small."""
    step = max(1, BLOCK_NUMBERS // max(numbers, 1))
    return (slice(low, low + step) for low in range(0, draws, step))


def refuse_many(kinds: Kinds, numbers: int) -> None:
    """Refuse tables of pairs of kinds that fit no memory, as of thousands of patterns of labels (CallError)."""
    if numbers > MOST_NUMBERS:
        raise CallError(
            f"The expected value over independent users needs a table of all pairs of {kinds.size:,} kinds of "
            "documents, which is too large. Score with the majority of the labels or with named assessors' labels, "
            "or ask for users='comonotone', of whom a strict one is strict with every document."
        )


def kind_profile(ranked: RankedLevels, kinds: Kinds, discount: Discount, depth: int | None) -> FloatArray:
    """Sum of the discounts at the ranks of each kind, shape [topics, kinds]."""
    levels = kinds.pool.shape[1]
    if kinds.size == levels:
        return level_profile(ranked, discount, depth)[:, :levels]
    inside = np.ones(len(ranked.rank), np.bool_) if depth is None else ranked.rank <= depth
    cell = ranked.topic[inside].astype(np.int64) * (kinds.size + 1) + kinds.kind[inside]
    weight = discount(ranked.rank[inside].astype(np.float64))
    shape = (len(ranked.topics), kinds.size + 1)
    return np.asarray(np.bincount(cell, weight, minlength=shape[0] * shape[1]), np.float64).reshape(shape)[:, :-1]


def _make(
    draws: IntArray, values: FloatArray, pool: IntArray, kind: IntArray, extra: tuple[tuple[int, int], ...]
) -> Kinds:
    """The levels as kinds, and after them pairs of a hit's own level and the one that its group has in the pool."""
    chance = np.concatenate([values, values[:, [own for own, _ in extra]]], axis=1)
    pool_level = np.array([*range(values.shape[1]), *(best for _, best in extra)], np.int64)
    return Kinds(draws, values, chance, pool_level, pool, kind)


def _sort_choices(
    ranked: RankedLevels, order: IntArray, kind: IntArray
) -> tuple[IntArray, tuple[tuple[int, int], ...]]:
    """Hits of groups with several labels get kinds of their own: pairs of their own label and the group's best."""
    kind = kind.copy()
    if ranked.member is None or ranked.choice_levels is None:
        return kind, ()
    size = len(ranked.levels)
    group = -1 - ranked.member.astype(np.int64)
    hits = np.flatnonzero((group >= 0) & (ranked.level < size))
    best = order[ranked.choice_levels[:, order].argmax(axis=1)][group[hits]]
    codes, code = np.unique(ranked.level[hits].astype(np.int64) * size + best, return_inverse=True)
    kind[hits] = size + code.ravel()
    return kind, tuple((int(found) // size, int(found) % size) for found in codes)


def cached(gains: Gains, key: Hashable, make: Callable[[], Answer]) -> Answer:
    """What `make` gives, kept as long as the gains live: the last few answers of bounded size.

    Gains never change, and `key` says what else the answer depends on, by content; so a kept answer is the same as a
    new one.

    >>> from gainsayer.levels import Levels
    >>> gains = Gains(Levels(("0", "1")), np.array([0.1, 0.7]))
    >>> cached(gains, "a", lambda: 1), cached(gains, "a", lambda: 2), cached(gains, "b", lambda: 3)
    (1, 1, 3)
    """
    kept = _CACHE.setdefault(gains, OrderedDict())
    if key in kept:
        kept.move_to_end(key)
        answer: Answer = kept[key]
        return answer
    answer = make()
    if _bytes(answer) <= MOST_BYTES:
        kept[key] = answer
        while len(kept) > MOST_ANSWERS:
            kept.popitem(last=False)
    return answer


def _bytes(answer: Any) -> int:
    """How much memory the arrays in an answer take."""
    if isinstance(answer, np.ndarray):
        return answer.nbytes
    return sum(map(_bytes, answer)) if isinstance(answer, tuple | list) else 0


def expect_shares(
    kinds: Kinds, *, added: int = 0, first_nodes: int = FIRST_NODES, pairs: bool = True
) -> tuple[FloatArray, FloatArray]:
    """E[X_k / (c + R)] and E[X_k X_l / (c + R)] for documents of kinds k and l, users' views being independent.

    As `1 / (c + R) = int_0^1 t^(c + R - 1) dt`, with `G(t) = prod_d (1 - p_d + p_d t)` and
    `a_k(t) = p_k / (1 - p_k + p_k t)` these are `int t^c G a_k dt` and `int t^(c+1) G a_k a_l dt`, eqs. (15) to (18).
    With c = 0, a user without relevant documents counts as 0.

    The integrands are polynomials, so Gauss-Legendre quadrature with ceil((n + c) / 2) nodes is exact. Far fewer
    suffice: nodes are doubled until all numbers agree to 1e-10 / n, which leaves at most 1e-10 in a measure.

    Args:
        kinds: the documents.
        added: c; the depth for F1.
        first_nodes: how many nodes to begin with.
        pairs: whether pairs are asked for, too; without, the second answer is empty.

    Returns:
        Shapes [draws, topics, kinds] and [draws, topics, kinds, kinds].
    """
    draws, topics = len(kinds.chance), len(kinds.pool)
    largest = int(kinds.pool.sum(axis=1).max(initial=0))
    exact = (largest + added + 1) // 2 + 1
    second = (kinds.size, kinds.size) if pairs else (0, 0)
    refuse_many(kinds, second[0] ** 2 * (topics * draws + min(exact, 2 * first_nodes)))
    once, twice = np.empty((draws, topics, kinds.size)), np.empty((draws, topics, *second))
    for block in split_draws(draws, topics * max(min(exact, 2 * first_nodes), kinds.size**2)):
        nodes = min(first_nodes, exact)
        found = _integrate(kinds, block, nodes, added, pairs)
        while nodes < exact:
            nodes = min(2 * nodes, exact)
            before, found = found, _integrate(kinds, block, nodes, added, pairs)
            apart = max(float(np.abs(new - old).max(initial=0.0)) for new, old in zip(found, before, strict=True))
            if apart <= AGREEMENT / max(largest, 1):
                break
        once[block], twice[block] = found
    return once, twice


def _integrate(kinds: Kinds, block: slice, nodes: int, added: int, pairs: bool) -> tuple[FloatArray, FloatArray]:
    """The two integrals for some of the draws, by a sum over so many nodes."""
    at, weight = _legendre(nodes)
    probability, chance = kinds.probability[block], kinds.chance[block]
    remaining = 1 - probability[..., None] * (1 - at)
    log = np.log1p(-probability[..., None] * (1 - at))
    base = np.exp(kinds.pool.astype(np.float64) @ log + added * np.log(at)) * weight  # t^c G(t), [draws, topics, nodes]
    ratio = chance[..., None] / remaining[:, kinds.pool_level]  # a_k(t), [draws, kinds, nodes]
    once = base @ ratio.transpose(0, 2, 1)
    if not pairs:
        return once, np.empty((*base.shape[:2], 0, 0))
    products = ratio[:, :, None] * ratio[:, None] * at
    twice = base @ products.reshape(len(products), -1, nodes).transpose(0, 2, 1)
    return once, twice.reshape(*base.shape[:2], kinds.size, kinds.size)


@lru_cache(maxsize=16)
def _legendre(nodes: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights on [0, 1]."""
    at, weight = scipy.special.roots_legendre(nodes)
    return (at + 1) / 2, weight / 2


def share_with_relevant(kinds: Kinds) -> FloatArray:
    """P(R > 0) = 1 - prod_d (1 - p_d) over the pool: users to whom anything is relevant; shape [draws, topics]."""
    sure = kinds.probability >= 1
    log = np.log1p(-np.where(sure, 0.0, kinds.probability))
    none = np.exp(log @ kinds.pool.T.astype(np.float64))
    return np.asarray(1 - np.where(sure.astype(np.float64) @ kinds.pool.T > 0, 0.0, none))


def expected_recall(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """E[R@k] = int_0^1 G(t) sum_{r<=k} a_r(t) dt, eq. (16): the mean over users of their own recall.

    Not the expected number found over the expected number there is, which is the plug-in recall. A user without
    relevant documents counts as 0. Unjudged documents are not relevant here; where they have a gain, they are given a
    level first (`admit_unjudged`), and so count in R as well.

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q": [1]}, {"q": [0, 2]})
    >>> expected_recall(ranked, Gains(ranked.levels, np.array([0.0, 0.5]))).round(12).tolist()
    [0.375]
    """
    return _score_shares(ranked, gains, depth, added=0)


def expected_f1(ranked: RankedLevels, gains: Gains, *, depth: int) -> FloatArray:
    """E[F1@k] = 2 int_0^1 t^k G(t) sum_{r<=k} a_r(t) dt, eq. (18), F1@k = 2 TP / (k + R).

    Not the plug-in F1, which divides expected values.
    """
    return 2 * _score_shares(ranked, gains, depth, added=depth)


def _score_shares(ranked: RankedLevels, gains: Gains, depth: int | None, *, added: int) -> FloatArray:
    """E[sum_{r<=k} X_r / (c + R)], c being `added`."""

    def score(kinds: Kinds) -> FloatArray:
        def make() -> tuple[FloatArray, FloatArray]:
            return expect_shares(kinds, added=added, pairs=False)

        once, _ = cached(gains, ("share", added, *kinds.key), make)
        return np.asarray(np.einsum("dtk,tk->dt", once, kind_profile(ranked, kinds, no_discount, depth)))

    return score_by_kinds(ranked, gains, score)


def expected_average_precision(ranked: RankedLevels, gains: Gains, *, depth: int | None = None) -> FloatArray:
    """E[AP] = int_0^1 G(t) sum_r (a_r(t) / r) (1 + t sum_{s<r} a_s(t)) dt, eq. (17).

    The integrals depend on pool and gains alone and are shared by all runs; a run adds how often which level stands
    before which. Not the ratio of expected values, which is the plug-in AP (T8).
    """
    weight = 1 / ranked.rank if depth is None else np.where(ranked.rank <= depth, 1 / ranked.rank, 0.0)
    return _score_pairs(ranked, gains, weight, weight)


def expected_inferred_precision(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """E[infAP], eq. (19): only the relevant documents before a rank are a user's own, the judged ones are counted."""
    pooled = sum_before(ranked, gains_of_hits(ranked, np.ones(len(ranked.levels))))
    judged = sum_before(ranked, gains_of_hits(ranked, real_judgments(ranked.levels).astype(np.float64)))
    pairs = pooled / ranked.rank / (judged + 2 * EPSILON)
    return _score_pairs(ranked, gains, 1 / ranked.rank + EPSILON * pairs, pairs)


def _score_pairs(ranked: RankedLevels, gains: Gains, alone: FloatArray, before: FloatArray) -> FloatArray:
    """E[(1/R) sum_r X_r (alone(r) + before(r) sum_{s<r} X_s)]."""

    def score(kinds: Kinds) -> FloatArray:
        once, twice = cached(gains, ("pairs", *kinds.key), lambda: expect_shares(kinds))
        cell = ranked.topic.astype(np.int64) * (kinds.size + 1) + kinds.kind
        shape = (len(ranked.topics), kinds.size + 1)
        single = np.bincount(cell, alone, minlength=shape[0] * shape[1]).reshape(shape)[:, :-1]
        pairs = pair_profile(ranked, before, kinds.kind, kinds.size)
        return np.asarray(np.einsum("dtk,tk->dt", once, single) + np.einsum("dtkl,tkl->dt", twice, pairs))

    return score_by_kinds(ranked, gains, score)


def expected_normalised_gain(
    ranked: RankedLevels, gains: Gains, *, discount: str = "log2", depth: int | None = None
) -> FloatArray:
    """E[nDCG@k] = sum_{r<=k} c(r) p_r E[1 / I(min(R, k)) | X_r = 1], I(m) = c(1) + ... + c(m), eq. (20).

    The mean over users of their own binary nDCG: each divides by the ideal list of what is relevant to *them*. Not the
    fraction of the best expected DCG that the plug-in nDCG gives (T8). Linear in the run's level profile; what a level
    is worth depends on pool and gains alone.

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.
    """
    weight = DISCOUNTS[discount]

    def score(kinds: Kinds) -> FloatArray:
        key = ("nDCG", discount, depth, *kinds.key)
        worth = cached(gains, key, lambda: _worth_of_kinds(kinds, weight, depth))
        return np.asarray(np.einsum("dtk,tk->dt", worth, kind_profile(ranked, kinds, weight, depth)))

    return score_by_kinds(ranked, gains, score)


def _worth_of_kinds(kinds: Kinds, discount: Discount, depth: int | None) -> FloatArray:
    """p_k E[1 / I(min(R, k)) | X_k = 1], shape [draws, topics, kinds]."""
    draws, (topics, levels) = len(kinds.chance), kinds.pool.shape
    largest = int(kinds.pool.sum(axis=1).max(initial=0))
    last = largest if depth is None else min(depth - 1, largest)  # from rank `depth` on the ideal is the same
    likely = min(last, highest_likely(kinds.pool, kinds.probability) + 1)
    ideal = running_discount(discount, np.arange(1, last + 2))
    base = 1 / ideal[-1]
    over = 1 / ideal[:-1] - base
    worth = np.empty((draws, topics, kinds.size))
    for block in split_draws(draws, topics * levels * 2 * (largest + 1)):
        count = RelevantCount(kinds.pool, kinds.probability[block], likely)
        by_level = np.empty((len(kinds.chance[block]), topics, levels))
        for level in range(levels):
            by_level[..., level] = base + count.without(level)[..., :likely] @ over[:likely]
        worth[block] = by_level[..., kinds.pool_level] * kinds.chance[block][:, None]
    return worth


def expected_r_precision(ranked: RankedLevels, gains: Gains) -> FloatArray:
    """E[R-prec] = sum_r p_r sum_{m>=r} P(R = m | X_r = 1) / m, eq. (21): each user cuts at their own R.

    Not the plug-in R-precision, which cuts at the expected R.

    Returns:
        Shape [topics], or [draws, topics] for gains with draws.
    """

    def worth(rank: FloatArray, relevant: FloatArray) -> FloatArray:
        return np.asarray((rank <= relevant) / relevant)

    return score_by_kinds(ranked, gains, lambda kinds: _score_ranks(ranked, gains, kinds, worth, pairs=False))


def expected_q_measure(
    ranked: RankedLevels, gains: Gains, *, beta: float = 1.0, depth: int | None = None
) -> FloatArray:
    """E[Q], eq. (22), for users who see two levels: relevant (gain 1) and not.

    `Q = (1/R) sum_r X_r (1 + beta) C(r) / (r + beta min(r, R))`, C(r) being the relevant documents down to rank r. Not
    the plug-in Q, which puts p(R|i) for flag, count and gain.
    """

    def worth(rank: FloatArray, relevant: FloatArray) -> FloatArray:
        return np.asarray((1 + beta) / (relevant * (rank + beta * np.minimum(rank, relevant))))

    def score(kinds: Kinds) -> FloatArray:
        return _score_ranks(ranked, gains, kinds, worth, pairs=True, depth=depth)

    return score_by_kinds(ranked, gains, score)


def _score_ranks(
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
    level = kinds.pool_level
    table = np.zeros((draws, topics))
    for block in split_draws(draws, topics * levels * (levels + 1 if pairs else 1) * highest // 2):
        probability, chance = kinds.probability[block], kinds.chance[block]

        def make(probability: FloatArray = probability) -> FloatArray:
            return _given_relevant(kinds.pool, probability, pairs)

        whole = len(chance) == draws
        given = cached(gains, ("given", pairs, *kinds.key), make) if whole else make()
        for (kind, other), profile in held.items():
            column = -1 if other is None else int(level[other])
            both = chance[:, kind] if other is None else chance[:, kind] * chance[:, other]
            reached = given[:, :, level[kind], column]
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
