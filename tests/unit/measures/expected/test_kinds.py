"""Kinds of hits: levels, and documents of groups with several labels; and what is kept of them."""

from __future__ import annotations

import gc
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.measures.expected.every_user import LEVELS, prm

from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.measures import (
    MOST_ANSWERS,
    MOST_NUMBERS,
    cached,
    find_kinds,
    kind_profile,
    refuse_many,
    score_by_kinds,
    split_draws,
    zipf_discount,
)
from gainsayer.measures.expected import kinds as module
from gainsayer.measures.expected.kinds import _CACHE
from gainsayer.rankings import ranked_from_lists

PLAIN = ranked_from_lists({"q": [2, 0, None, 3, 1], "r": [0, 2]}, {"q": [2, 1, 1], "r": [1, 0, 2]}, levels=LEVELS)
# The documents at ranks 1 and 2 of q are equal to others with another label: groups {1, 2} and {0, 2}.
GROUPED = replace(
    PLAIN,
    member=np.array([-1, -2, 0, 0, 0, 0], dtype=np.int32),
    choice_topic=np.array([0, 0]),
    choice_levels=np.array([[False, True, True], [True, False, True]]),
)


def test_without_groups_kinds_are_levels() -> None:
    """One answer for all draws; a duplicate is of no kind."""
    gains = Gains(LEVELS, np.array([[0.1, 0.45, 0.8], [0.9, 0.2, 0.3]]))
    (found,) = find_kinds(PLAIN, gains)
    assert found.draws.tolist() == [0, 1]
    assert (found.size, found.kind.tolist(), found.place.tolist()) == (3, [2, 0, 3, 1, 0, 2], [0, 1, 2])
    assert found.pool.tolist() == PLAIN.pool.tolist()


def test_documents_of_groups_are_in_the_pool_with_the_best_label() -> None:
    """By PRM gains both groups stand as level 2; the hits keep their own chance of being relevant."""
    (found,) = find_kinds(GROUPED, prm())
    assert found.pool.tolist() == [[2, 1, 3], [1, 0, 2]]
    assert found.size == 5
    assert found.kind.tolist() == [4, 3, 5, 1, 0, 2]
    assert found.place.tolist() == [0, 1, 2, 2, 2]
    assert found.chance.tolist() == [[0.1, 0.45, 0.8, 0.1, 0.8]]


def test_draws_with_other_orders_have_other_kinds() -> None:
    """Where level 1 is worth most the first group is in the pool as that; every draw is answered once."""
    gains = Gains(LEVELS, np.array([[0.1, 0.45, 0.8], [0.1, 0.9, 0.3], [0.1, 0.45, 0.8]]))
    found = {tuple(kinds.draws.tolist()): kinds.pool.tolist()[0] for kinds in find_kinds(GROUPED, gains)}
    assert found == {(0, 2): [2, 1, 3], (1,): [2, 2, 2]}
    scores = score_by_kinds(GROUPED, gains, lambda kinds: kinds.pool[:, 1].astype(float))
    assert scores.tolist() == [[1, 0], [2, 0], [1, 0]]
    assert score_by_kinds(GROUPED, prm(), lambda kinds: kinds.pool[:, 1].astype(float)).tolist() == [1, 0]


@pytest.mark.parametrize("depth", [None, 2])
def test_profiles_of_kinds(depth: int | None) -> None:
    """Discounts at the ranks of each kind, down to the depth, with groups and without."""
    for ranked in (PLAIN, GROUPED):
        (found,) = find_kinds(ranked, prm())
        expected = np.zeros((2, found.size))
        for topic, rank, kind in zip(ranked.topic, ranked.rank, found.kind, strict=True):
            if kind < found.size and (depth is None or rank <= depth):
                expected[topic, kind] += 1 / rank
        np.testing.assert_allclose(kind_profile(ranked, found, zipf_discount, depth), expected, atol=1e-12)


def test_blocks_cover_all_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many draws at a time as the bound allows, at least one."""
    monkeypatch.setattr(module, "BLOCK_NUMBERS", 10)
    assert [(part.start, part.stop) for part in split_draws(5, 4)] == [(0, 2), (2, 4), (4, 6)]
    assert len(list(split_draws(3, 99))) == 3
    assert len(list(split_draws(3, 0))) == 1


def test_tables_have_a_largest_size() -> None:
    """Just as large as allowed is allowed."""
    (found,) = find_kinds(PLAIN, prm())
    refuse_many(found, MOST_NUMBERS)
    with pytest.raises(CallError, match="all pairs of 3 kinds"):
        refuse_many(found, MOST_NUMBERS + 1)


def test_the_cache_is_bounded_and_dies_with_the_gains() -> None:
    """A few answers per gains, and none once the gains are gone."""
    gains = prm()
    for number in range(3 * MOST_ANSWERS):
        cached(gains, number, lambda number=number: np.full(3, number))  # type: ignore[misc]
    assert len(_CACHE[gains]) == MOST_ANSWERS
    before = len(_CACHE)
    del gains
    gc.collect()
    assert len(_CACHE) < before


def test_the_last_answers_asked_for_are_kept() -> None:
    """An answer asked for again stays when others push the oldest out."""
    gains = prm()
    for number in range(MOST_ANSWERS):
        cached(gains, number, lambda number=number: number)  # type: ignore[misc]
    assert cached(gains, 0, lambda: -1) == 0
    cached(gains, "new", lambda: 1)
    assert cached(gains, 0, lambda: -1) == 0
    assert cached(gains, 1, lambda: -1) == -1, "the oldest one is gone"
    assert cached(prm(), 0, lambda: -2) == -2, "other gains have other answers"


def test_large_answers_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays count with their bytes, also within tuples and lists."""
    monkeypatch.setattr(module, "MOST_BYTES", 80)
    gains = prm()
    for key, answer, kept in (
        ("small", np.zeros(10), True),
        ("large", np.zeros(11), False),
        ("both", (np.zeros(5), [np.zeros(6)]), False),
        ("pair", (np.zeros(5), [np.zeros(5)]), True),
    ):
        cached(gains, key, lambda answer=answer: answer)  # type: ignore[misc]
        assert (key in _CACHE[gains]) == kept
