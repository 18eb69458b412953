"""Signs and weights that come from the names of topics."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from scipy.stats import chisquare, poisson

from gainsayer.comparison import hashed_signs, name_keys, poisson_weights

NAMES = [f"topic {at}" for at in range(400)]
KEYS = name_keys(NAMES)
# Of so many independent correlations none is beyond five standard errors but in one suite of two million.
FAR = 5.0


def test_a_key_is_the_hash_of_the_name() -> None:
    """Eight bytes of BLAKE2b, read from the low end, for any name that a file can hold."""
    odd = ["", "é", "a\ud800b", "701"]
    for name, key in zip(odd, name_keys(odd), strict=True):
        digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, person=b"topic").digest()
        assert int(key) == int.from_bytes(digest, "little")


def test_the_stream_is_splitmix() -> None:
    """Signs are the bits of SplitMix64 in plain whole numbers, started from the scrambled key."""
    mask = (1 << 64) - 1

    def scramble(word: int) -> int:
        word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & mask
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & mask
        return word ^ word >> 31

    signs = hashed_signs(KEYS[:3], range(130), seed=7)
    for topic in range(3):
        state = scramble(int(KEYS[topic]) ^ scramble(7 * 4 + 1))
        for pattern in range(130):
            word = scramble((state + (pattern // 64 + 1) * 0x9E3779B97F4A7C15) & mask)
            assert signs[pattern, topic] == (-1 if word >> pattern % 64 & 1 else 1)


@pytest.mark.parametrize("draw", [hashed_signs, poisson_weights])
def test_whoever_holds_a_topic_draws_the_same(draw: type) -> None:
    """Other topics, their order, and which patterns are asked for at a time have no part in a topic's draws."""
    whole = draw(KEYS, range(300), 3)
    mixed = np.random.default_rng(0).permutation(len(KEYS))
    assert (draw(KEYS[mixed], range(300), 3) == whole[:, mixed]).all()
    parts = [draw(KEYS, range(start, stop), 3) for start, stop in ((0, 1), (1, 67), (67, 128), (128, 300))]
    assert (np.concatenate(parts) == whole).all()
    assert (draw(KEYS, range(300), 4) != whole).mean() > 0.3


@pytest.mark.parametrize("draw", [hashed_signs, poisson_weights])
def test_draws_are_uncorrelated(draw: type) -> None:
    """No two topics, patterns, neighbouring patterns of neighbouring topics, or seeds go together beyond chance."""
    draws = draw(KEYS, range(2_000), 0)
    between_topics = np.corrcoef(draws.T)[np.triu_indices(len(KEYS), 1)] * np.sqrt(len(draws))
    assert np.abs(between_topics).max() < FAR + 0.5
    assert between_topics.std() == pytest.approx(1, abs=0.02)
    between_draws = np.corrcoef(draws[:400])[np.triu_indices(400, 1)] * np.sqrt(len(KEYS))
    assert np.abs(between_draws).max() < FAR + 0.5
    assert between_draws.std() == pytest.approx(1, abs=0.02)
    for other in (np.roll(draws, (1, 1), axis=(0, 1)), np.roll(draws, 64, axis=0), draw(KEYS, range(2_000), 1)):
        assert abs(np.corrcoef(draws.ravel(), other.ravel())[0, 1]) < FAR / np.sqrt(draws.size)


def test_signs_and_weights_of_a_topic_have_nothing_in_common() -> None:
    """The signs of a topic say nothing about its weights."""
    signs, weights = hashed_signs(KEYS, range(2_000), 0), poisson_weights(KEYS, range(2_000), 0)
    assert abs(np.corrcoef(signs.ravel(), weights.ravel())[0, 1]) < FAR / np.sqrt(signs.size)


def test_signs_have_mean_0_and_variance_1() -> None:
    """Over topics and patterns, over the patterns of each topic, and over the topics of each pattern."""
    signs = hashed_signs(KEYS, range(10_000), 0)
    assert (np.abs(signs) == 1).all()
    assert abs(signs.mean()) < FAR / np.sqrt(signs.size)
    assert np.abs(signs.mean(axis=0)).max() < FAR / np.sqrt(signs.shape[0])
    assert np.abs(signs.mean(axis=1)).max() < FAR / np.sqrt(signs.shape[1])
    # Sums of patterns are spread as sums of coins are.
    assert signs.sum(axis=1).var() == pytest.approx(len(KEYS), rel=FAR * np.sqrt(2 / len(signs)))


def test_weights_are_poisson_with_mean_1() -> None:
    """Mean 1, variance 1, and as many of each size as Poisson's law has."""
    weights = poisson_weights(KEYS, range(4_000), 0)
    error = 1 / np.sqrt(weights.size)
    assert abs(weights.mean() - 1) < FAR * error
    assert abs(weights.var() - 1) < FAR * np.sqrt(3) * error  # the fourth central moment is 4
    sizes = np.arange(6)
    found = np.array([*((weights == size).sum() for size in sizes), (weights > 5).sum()])
    expected = np.array([*poisson.pmf(sizes, 1), poisson.sf(5, 1)]) * weights.size
    assert chisquare(found, expected).pvalue > 1e-4
