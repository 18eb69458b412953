"""Sign patterns: how many, and the largest t they make."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from gainsayer.comparison import FEWEST_FLIPS, SignFlips, adjust_by_largest, fixed_tests, flip_signs, sign_patterns

DIFFERENCES = np.random.default_rng(4).normal([0.8, -0.5, 0.1, 0.4], 1.0, (8, 4))


def test_ties_are_ties_whatever_the_order_of_adding() -> None:
    """Patterns whose sums are equal on paper count as equal: 0.1 + 0.2 against 0.3 decides nothing."""
    differences = np.array([[0.1], [0.2], [0.3], [-0.3]])
    exact = flip_signs(differences, permutations=16, seed=0)[0]
    whole = np.array([1, 2, 3, -3])
    assert exact == sum(abs(np.dot(signs, whole)) >= 3 for signs in product((1, -1), repeat=4)) / 16


def test_random_signs_approach_all_signs() -> None:
    """With 20,000 random patterns, p is within five standard errors of the share among all 2^14 patterns."""
    differences = np.random.default_rng(5).normal(0.2, 1, size=(14, 6))
    exact = flip_signs(differences, permutations=2**14, seed=0)
    random = flip_signs(differences, permutations=2**14 - 1, seed=11)
    assert np.all(np.abs(random - exact) < 5 * np.sqrt(exact * (1 - exact) / 2**14) + 1e-4)


def enumerate_patterns(differences: np.ndarray) -> np.ndarray:
    """Westfall and Young's step-down maxT read aloud, with scipy's t in every one of the 2^n sign patterns."""
    topics, pairs = differences.shape
    flipped = [
        np.abs(ttest_1samp(np.array(signs)[:, None] * differences, 0).statistic)
        for signs in product((1, -1), repeat=topics)
    ]
    observed = np.abs(ttest_1samp(differences, 0).statistic)
    order = np.argsort(-observed)
    adjusted, highest = np.empty(pairs), 0.0
    for place, pair in enumerate(order):
        weaker = order[place:]
        share = np.mean([max(t[weaker]) >= observed[pair] * (1 - 1e-9) for t in flipped])
        highest = max(highest, share)
        adjusted[pair] = highest
    return adjusted


def test_all_patterns_give_westfall_and_youngs_p() -> None:
    """With 2^8 patterns allowed, the adjusted p-values are those of the enumeration."""
    found = adjust_by_largest(DIFFERENCES, permutations=256, seed=0)
    assert found == pytest.approx(enumerate_patterns(DIFFERENCES), abs=1e-12)


def test_random_patterns_approach_all_patterns() -> None:
    """20,000 random patterns of fifteen topics are within five standard errors of all 32,768."""
    differences = np.random.default_rng(8).normal([0.7, 0.3, 0.0], 1.0, (15, 3))
    exact = adjust_by_largest(differences, permutations=2**15, seed=0)
    random = adjust_by_largest(differences, permutations=20_000, seed=3)
    assert np.all(np.abs(random - exact) < 5 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4)


def test_a_certain_difference_has_the_smallest_p_there_is() -> None:
    """Twenty topics that all point one way: only the data itself reaches the t, p = 1 / (permutations + 1)."""
    differences = np.column_stack([np.linspace(1, 1.2, 20), np.linspace(-1, 1.1, 20)])
    found = adjust_by_largest(differences, permutations=999, seed=1)
    assert found[0] == 1 / 1000
    assert found[1] > 0.5


def test_pairs_without_any_difference_have_p_one() -> None:
    """Runs that are the same on every topic take no part, and leave the others' p as it is."""
    both = np.column_stack([DIFFERENCES, np.zeros(8)])
    found = adjust_by_largest(both, permutations=256, seed=0)
    assert found[-1] == 1.0
    assert found[:-1] == pytest.approx(enumerate_patterns(DIFFERENCES), abs=1e-12)


def test_equal_differences_have_an_infinite_t() -> None:
    """All topics alike: only the pattern as it is and its mirror image have a t so large, 2 of 2^6."""
    assert adjust_by_largest(np.full((6, 1), 0.3), permutations=64, seed=0).tolist() == [2 / 64]


def test_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patterns taken a few at a time give the same p-values."""
    whole = adjust_by_largest(DIFFERENCES, permutations=100, seed=5)
    monkeypatch.setattr(fixed_tests, "BLOCK_CELLS", 12)
    assert adjust_by_largest(DIFFERENCES, permutations=100, seed=5).tolist() == whole.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_random_patterns_count_the_data_as_one_of_them(seed: int) -> None:
    """(1 + patterns that reach the pair's t) / (permutations + 1), by scipy's t in each pattern that was drawn."""
    differences = np.random.default_rng(seed).normal([0.9, 0.3], 1.0, (12, 2))
    signs = np.concatenate(list(sign_patterns(12, 99, seed)))
    observed = np.abs(ttest_1samp(differences, 0).statistic)
    flipped = np.array([np.abs(ttest_1samp(some[:, None] * differences, 0).statistic) for some in signs])
    strong, weak = np.argsort(-observed)
    expected = np.empty(2)
    expected[strong] = (1 + (flipped.max(axis=1) >= observed[strong] - 1e-9).sum()) / 100
    expected[weak] = max(expected[strong], (1 + (flipped[:, weak] >= observed[weak] - 1e-9).sum()) / 100)
    assert adjust_by_largest(differences, permutations=99, seed=seed) == pytest.approx(expected)


def test_very_many_pairs_have_fewer_flips_and_say_how_many() -> None:
    """200,000 pairs of fifty topics get as many sign patterns as the work allows, never fewer than a thousand."""
    assert SignFlips(50, 200_000, flips=10_000, seed=0).finish().patterns == 3_000
    assert SignFlips(50, 10**9, flips=10_000, seed=0).finish().patterns == FEWEST_FLIPS
    assert SignFlips(50, 1_000, flips=10_000, seed=0).finish().patterns == 10_000
