"""Level profiles and ideal lists, against walks down the ranks."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from tests.unit.measures.plain_lists import DUPLICATE, LEVELS, draw_lists

from gainsayer.measures.profiles import (
    ideal_score,
    level_profile,
    log_discount,
    no_discount,
    running_discount,
    zipf_discount,
)

PLAIN = {
    "log": (log_discount, lambda r: 1 / np.log2(r + 1)),
    "zipf": (zipf_discount, lambda r: 1 / r),
    "none": (no_discount, lambda r: 1.0),
}


@pytest.mark.parametrize("name", PLAIN)
def test_discounts_by_rank(name: str) -> None:
    """Eq. (11) at ranks 1 to 20, and their running sums; the first rank counts 1."""
    discount, plain = PLAIN[name]
    ranks = np.arange(1.0, 21)
    assert discount(ranks) == pytest.approx([plain(r) for r in ranks])
    assert discount(ranks)[0] == 1
    lengths = np.array([0, 1, 5, 20])
    expected = [sum(plain(r) for r in range(1, n + 1)) for n in lengths]
    assert running_discount(discount, lengths) == pytest.approx(expected)


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("depth", [None, 1, 3])
@pytest.mark.parametrize("seed", range(5))
def test_profiles_are_those_of_a_walk(name: str, depth: int | None, seed: int) -> None:
    """Discounts summed by level, unjudged ranks last, duplicates in no column."""
    discount, plain = PLAIN[name]
    case = draw_lists(seed)
    expected = np.zeros((6, 4))
    for topic, (entries, _) in enumerate(case.topics()):
        for rank, entry in enumerate(entries[:depth], start=1):
            if entry != DUPLICATE:
                expected[topic, 3 if entry is None else entry] += plain(rank)
    np.testing.assert_allclose(level_profile(case.ranked, discount, depth)[:, :3], expected[:, :3], atol=1e-12)
    without = draw_lists(seed).lists
    if not any(DUPLICATE in entries for entries in without.values()):
        np.testing.assert_allclose(level_profile(case.ranked, discount, depth), expected, atol=1e-12)


def test_a_duplicate_is_neither_judged_nor_unjudged() -> None:
    """A list of a relevant document, its duplicate and an unjudged one has one unjudged rank."""
    from gainsayer.rankings.lists import ranked_from_lists

    ranked = ranked_from_lists({"q": [2, DUPLICATE, None]}, {"q": [0, 0, 1]}, levels=LEVELS)
    assert level_profile(ranked, zipf_discount).round(12).tolist() == [[0, 0, 1, round(1 / 3, 12)]]


@pytest.mark.parametrize("gains", [[0.1, 0.45, 0.8], [0.3, 0.1, 0.2], [-0.5, 0.2, 0.1], [0.0, 0.0, 1.0]])
@pytest.mark.parametrize("depth", [None, 1, 3])
def test_the_ideal_is_the_best_of_all_orders(gains: list[float], depth: int | None) -> None:
    """Every order of the pool's documents tried; negative gains are never chosen."""
    case = draw_lists(3, topics=4)
    found = ideal_score(case.ranked, np.array(gains), log_discount, depth)
    for topic, (_, pool) in enumerate(case.topics()):
        documents = [max(gains[level], 0.0) for level in range(3) for _ in range(min(pool[level], 3))]
        if any(count > 3 for count in pool) or len(documents) > 7:
            documents = sorted((max(gains[level], 0.0) for level in range(3) for _ in range(pool[level])), reverse=True)
            best = sum(g / np.log2(r + 1) for r, g in enumerate(documents[:depth], start=1))
        else:
            best = max(
                sum(g / np.log2(r + 1) for r, g in enumerate(order[:depth], start=1))
                for order in permutations(documents)
            )
        assert found[topic] == pytest.approx(best)


def test_draws_have_their_own_ideal() -> None:
    """Gains in different orders, stacked, give what each gives alone."""
    case = draw_lists(4)
    stack = np.array([[0.1, 0.45, 0.8], [0.9, 0.2, 0.1], [0.1, 0.45, 0.8], [0.2, 0.2, 0.2]])
    together = ideal_score(case.ranked, stack, zipf_discount, 4)
    assert together.shape == (4, 6)
    for place, gains in enumerate(stack):
        assert together[place] == pytest.approx(ideal_score(case.ranked, gains, zipf_discount, 4))
