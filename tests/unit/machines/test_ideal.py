"""The topic shift and the expected ideal, against enumeration, other integration and known truth."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from gainsayer.machines import Sample, expected_ideal, fit_shift
from gainsayer.measures import log_discount, no_discount


def unlabelled(topic: list[int]) -> Sample:
    """Documents of these topics, judged by nobody."""
    size = len(topic)
    seen = np.ones(max(topic) + 1, bool)
    return Sample(np.array(topic), np.zeros(size, int), np.full(size, np.nan), np.ones(size), seen, 1)


def test_ideal_is_the_mean_over_all_people() -> None:
    """Without a shift: every way a person may see five documents, weighted by its chance."""
    chance, depth = np.array([0.9, 0.2, 0.55, 0.05, 0.7]), 3
    worth = np.concatenate([[0], np.cumsum(1 / np.log2(np.arange(1, depth + 1) + 1))])
    expected = sum(
        np.prod(np.where(liked, chance, 1 - chance)) * worth[min(sum(liked), depth)]
        for liked in product([0, 1], repeat=5)
    )
    found = expected_ideal(unlabelled([0] * 5), chance, 0.0, discount=log_discount, depth=depth)
    assert found == pytest.approx([expected], abs=1e-12)


def test_ideal_with_a_shift_is_an_integral() -> None:
    """With a shift of 0.8 the mean over it agrees with adaptive integration."""

    def liked(u: float) -> float:
        p = 1 / (1 + np.exp(-(np.log(np.array([0.3, 0.6]) / np.array([0.7, 0.4])) + u)))
        return float((1 - np.prod(1 - p)) * norm.pdf(u, scale=0.8))

    found = expected_ideal(unlabelled([0, 0]), np.array([0.3, 0.6]), 0.8, discount=no_discount, depth=1)
    assert found == pytest.approx([quad(liked, -8, 8)[0]], abs=1e-4)


def test_topics_are_apart() -> None:
    """Topics of different size have the ideal that they would have alone, whatever the depth."""
    chance = np.array([0.4, 0.5, 0.6, 0.1, 0.9, 0.3])
    for depth in (2, None):
        both = expected_ideal(unlabelled([0, 0, 1, 1, 1, 1]), chance, 0.5, discount=log_discount, depth=depth)
        first = expected_ideal(unlabelled([0, 0]), chance[:2], 0.5, discount=log_discount, depth=depth)
        second = expected_ideal(unlabelled([0] * 4), chance[2:], 0.5, discount=log_discount, depth=depth)
        assert both == pytest.approx(np.concatenate([first, second]))


@pytest.mark.parametrize("sigma", [0.0, 0.5, 1.0])
def test_shift_is_found_again(sigma: float) -> None:
    """The shift of a simulated collection is estimated near its truth, and tested with about the right p."""
    rng = np.random.default_rng(5)
    topic = np.repeat(np.arange(300), 30)
    gain = rng.choice([0.1, 0.4, 0.7], len(topic))
    odds = np.log(gain / (1 - gain)) + rng.normal(0, sigma, 300)[topic]
    told = (rng.random(len(topic)) < 1 / (1 + np.exp(-odds))).astype(float)
    sample = Sample(topic, np.zeros(len(topic), int), told, np.ones(len(topic)), np.ones(300, bool), 1)
    found = fit_shift(sample, gain)
    assert found.sigma == pytest.approx(sigma, abs=0.12)
    assert (found.p < 1e-6) == (sigma > 0)
