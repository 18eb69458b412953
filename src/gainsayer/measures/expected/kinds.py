"""Kinds of hits: how likely a user finds each relevant, and which document of the pool it is.

What depends on the pool and the gains alone is computed once for all runs, and kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.measures.profiles import Discount, level_profile
from gainsayer.rankings.ranked_levels import FloatArray, IntArray, RankedLevels

BLOCK_NUMBERS: Final = 1 << 21
MOST_NUMBERS: Final = 1 << 28
Answer = TypeVar("Answer")
MOST_BYTES: Final = 64 << 20
MOST_ANSWERS: Final = 16
_CACHE: Final[WeakKeyDictionary[Gains, OrderedDict[Hashable, Any]]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Kinds:
    """The hits of a run in kinds that a user treats alike, for some of the draws.

    The first kinds are the levels, then follow documents of groups of equal ones with different labels: such a group
    is in the pool with the label worth most, and a user who finds a document of it relevant finds the group relevant,
    too (one user, one threshold within the group). Unjudged documents are of no kind: where they may be relevant, they
    have a level of their own (`admit_unjudged`).

    Args:
        draws: which draws these kinds hold for.
        probability: p(R|i); shape [draws, levels].
        chance: the probability that a user finds a hit of the kind relevant; shape [draws, kinds].
        place: the level as which the hit is in the pool; shape [kinds].
        pool: documents of each level; shape [topics, levels].
        kind: one per hit; the number of kinds for duplicates, which count for nothing.
    """

    draws: IntArray
    probability: FloatArray
    chance: FloatArray
    place: IntArray
    pool: IntArray
    kind: IntArray

    @property
    def size(self) -> int:
        """How many kinds there are."""
        return len(self.place)

    @property
    def key(self) -> tuple[bytes, ...]:
        """What coefficients of these kinds depend on, but for the gains themselves."""
        return (self.draws.tobytes(), self.place.tobytes(), self.pool.tobytes(), self.chance.tobytes())


def find_kinds(ranked: RankedLevels, gains: Gains) -> Iterator[Kinds]:
    """The kinds of hits; one answer for all draws, unless groups of equal documents differ in which label is best."""
    values = np.atleast_2d(gains.values)
    size = values.shape[1]
    kind = np.minimum(ranked.level.astype(np.int64), size)  # levels as they are, then what counts for nothing
    if ranked.choice_topic is None or not len(ranked.choice_topic):
        yield _make(np.arange(len(values)), values, ranked.pool, kind, ())
        return
    orders, place = np.unique(np.argsort(-values, axis=1, kind="stable"), axis=0, return_inverse=True)
    duplicate = ranked.level >= ranked.duplicate
    for number, order in enumerate(orders):
        chosen = np.flatnonzero(place.ravel() == number)
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
    """Refuse tables of pairs of kinds that no memory holds, as thousands of patterns of labels make (CallError)."""
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
    draws: IntArray,
    values: FloatArray,
    pool: IntArray,
    kind: IntArray,
    extra: tuple[tuple[int, int], ...],
) -> Kinds:
    size = values.shape[1]
    own = [own for own, _ in extra]
    chance = np.concatenate([values, values[:, own]], axis=1)
    place = np.array([*range(size), *(best for _, best in extra)], np.int64)
    return Kinds(draws, values, chance, place, pool, kind)


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
    if isinstance(answer, np.ndarray):
        return answer.nbytes
    return sum(map(_bytes, answer)) if isinstance(answer, tuple | list) else 0
