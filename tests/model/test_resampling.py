"""Resampling: topics drawn with replacement and signs flipped, against what chance must give."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gainsayer.errors import CallError
from gainsayer.model import all_signs, check_draws, draw_signs, draw_topics, resampling, weigh_topics


def test_a_draw_takes_as_many_topics_as_there_are() -> None:
    """Each draw holds T topics; a topic is in it once on average, with the variance of a binomial, 1 - 1/T."""
    drawn = draw_topics(np.random.default_rng(1), 8, 40_000)
    assert (drawn.sum(axis=1) == 8).all()
    np.testing.assert_allclose(drawn.mean(axis=0), 1, atol=5 * np.sqrt(7 / 8 / 40_000))
    np.testing.assert_allclose(drawn.var(axis=0), 7 / 8, rtol=0.04)
    np.testing.assert_allclose((drawn == 0).mean(axis=0), (7 / 8) ** 8, atol=5 * np.sqrt(0.25 / 40_000))


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the blocks, the same seed draws the same topics."""
    whole = np.concatenate(list(weigh_topics(5, 9, draws=23, seed=4)))
    monkeypatch.setattr(resampling, "BLOCK_CELLS", 20)
    blocks = list(weigh_topics(5, 9, draws=23, seed=4))
    assert len(blocks) == 12
    assert [len(block) for block in blocks[:2]] == [2, 2]
    np.testing.assert_array_equal(np.concatenate(blocks), whole)


def test_all_signs_are_all_patterns() -> None:
    """Every pattern once, the first topic changing fastest; a part of them is that part."""
    expected = [pattern[::-1] for pattern in product((1, -1), repeat=5)]
    assert all_signs(5).tolist() == [list(pattern) for pattern in expected]
    assert all_signs(5, first=7, last=11).tolist() == [list(pattern) for pattern in expected[7:11]]


def test_signs_are_fair_and_independent() -> None:
    """Half of the signs are negative, and those of two topics are uncorrelated."""
    signs = draw_signs(np.random.default_rng(2), 40_000, 4).astype(float)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    np.testing.assert_allclose(np.corrcoef(signs, rowvar=False), np.eye(4), atol=5 / np.sqrt(40_000))
    np.testing.assert_allclose(signs.mean(axis=0), 0, atol=5 / np.sqrt(40_000))


@pytest.mark.parametrize(
    ("draws", "seed", "words"),
    [
        (1, 0, "The number of resamples must lie between 2 and 1,000,000, found 1."),
        (10**6 + 1, 0, "The number of resamples must lie between 2 and 1,000,000, found 1000001."),
        (2, -1, "The seed must be a whole number of at least 0, found -1."),
    ],
)
def test_what_cannot_be_drawn_is_refused(draws: int, seed: int, words: str) -> None:
    """Too few, too many, or from a negative seed: said in words; the bounds themselves are fine."""
    check_draws(2, 0, least=2, what="resamples")
    check_draws(10**6, 0, least=2, what="resamples")
    with pytest.raises(CallError) as refused:
        check_draws(draws, seed, least=2, what="resamples")
    assert str(refused.value) == words
