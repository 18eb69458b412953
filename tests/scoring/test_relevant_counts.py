"""How many documents are relevant to a user: binomials and their sums, against scipy and convolution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from gainsayer.measures import FEW_OF_MANY, RelevantCount, binomial_probabilities, highest_likely

POOL = np.array([[3, 2, 1], [0, 4, 0]])
CHANCE = np.array([[0.1, 0.45, 0.8], [0.0, 1.0, 0.5]])


@pytest.mark.parametrize("trials", [0, 1, 7, 40])
@pytest.mark.parametrize("p", [0.0, 0.03, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("highest", [0, 3, 50])
def test_binomials_are_scipys(trials: int, p: float, highest: int) -> None:
    """Also at p = 0 and p = 1, and for counts beyond the trials."""
    found = binomial_probabilities(np.array([trials]), np.array([p]), highest)
    assert found.shape == (1, highest + 1)
    np.testing.assert_allclose(found[0], binom.pmf(np.arange(highest + 1), trials, p), atol=1e-14)


@pytest.mark.parametrize("p", [0.0, 1e-4, 0.01, 0.2, 1.0])
def test_few_of_many_counts_are_scipys(p: float) -> None:
    """A thousand trials and counts up to ten, from 0 upwards in logarithms."""
    assert FEW_OF_MANY * (10 + 8) < 1000
    found = binomial_probabilities(np.array([1000, 5]), np.array([p, p]), 10)
    np.testing.assert_allclose(found[0], binom.pmf(np.arange(11), 1000, p), rtol=1e-10, atol=1e-300)
    np.testing.assert_allclose(found[1], binom.pmf(np.arange(11), 5, p), rtol=1e-10, atol=1e-14)


def convolve(counts: list[int], chance: np.ndarray) -> np.ndarray:
    """The distribution of a sum of binomials."""
    found = np.ones(1)
    for number, p in zip(counts, chance, strict=True):
        found = np.convolve(found, binom.pmf(np.arange(number + 1), number, p))
    return found


@pytest.mark.parametrize("left_out", [(), (0,), (1,), (2,), (0, 1), (1, 1), (0, 0), (2, 1)])
def test_sums_without_some_documents(left_out: tuple[int, ...]) -> None:
    """One trial less for each document left out; a level that the pool lacks stays at none."""
    found = RelevantCount(POOL, CHANCE).without(*left_out)
    assert found.shape == (2, 2, 7)
    for draw in range(2):
        for topic in range(2):
            counts = [max(int(n) - left_out.count(level), 0) for level, n in enumerate(POOL[topic])]
            expected = convolve(counts, CHANCE[draw])
            np.testing.assert_allclose(found[draw, topic, : len(expected)], expected, atol=1e-14)
            assert np.abs(found[draw, topic, len(expected) :]).max(initial=0) < 1e-14


def test_counts_beyond_what_is_asked_for_are_cut() -> None:
    """Asked for counts up to 2, those up to 2 are the whole distribution's."""
    whole, some = RelevantCount(POOL, CHANCE).without(), RelevantCount(POOL, CHANCE, 2).without()
    assert some.shape == (2, 2, 3)
    np.testing.assert_allclose(some, whole[..., :3], atol=1e-14)
    assert RelevantCount(POOL, CHANCE, 50).highest == 6
    assert RelevantCount(np.zeros((1, 3), np.int64), CHANCE).without().tolist() == [[[1.0]], [[1.0]]]


def test_hardly_any_user_exceeds_what_is_likely() -> None:
    """Mean + 10 deviations + 30, never more than the pool; scipy's tail beyond is below 1e-19."""
    pool = np.array([[10_000, 0], [100, 200]])
    chance = np.array([[0.01, 0.5], [0.02, 0.1]])
    found = highest_likely(pool, chance)
    assert found == int(np.ceil(200 + 10 * np.sqrt(10_000 * 0.02 * 0.98) + 30))
    assert binom.sf(found - 1, 10_000, 0.02) < 1e-19
    assert highest_likely(np.array([[3, 2]]), chance) == 5
