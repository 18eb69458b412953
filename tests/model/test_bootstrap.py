"""Topics drawn again: each draw is a sum over topics with whole numbers, and the seed decides."""

from __future__ import annotations

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.model import draw_matrices, draw_probabilities, resampling

LEVELS = gs.Levels(("0", "1", "2"))
COUNTS = np.random.default_rng(5).integers(1, 9, (6, 3, 3))


def fitted(kind: str | None = None) -> gs.model.Disagreement:
    """The one-sided estimate, smoothed or not."""
    smoothing = None if kind is None else gs.model.Smoothing(kind)  # type: ignore[arg-type]
    pairs = gs.model.PairCounts.from_matrix(LEVELS, COUNTS)
    return gs.estimate_disagreement(pairs, estimator="one-sided", smoothing=smoothing)


def test_draws_are_topics_drawn_with_replacement() -> None:
    """Each draw is the matrix of six topics drawn by NumPy's multinomial with the same seed."""
    times = np.random.default_rng(4).multinomial(6, np.full(6, 1 / 6), size=50)
    total = np.einsum("dt,tij->dij", times, COUNTS)
    expected = total / total.sum(axis=2, keepdims=True)
    np.testing.assert_allclose(draw_matrices(fitted(), draws=50, seed=4), expected, rtol=1e-12)


@pytest.mark.parametrize("kind", [None, "uniform"])
@pytest.mark.parametrize("cells", [1, 20, 1 << 22])
def test_probabilities_are_those_of_the_same_draws(
    kind: str | None, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """p(R|i) is the part of each drawn row in R, smoothed or not, in blocks of any size."""
    whole = draw_matrices(fitted(kind), draws=30, seed=1)
    monkeypatch.setattr(resampling, "BLOCK_CELLS", cells)
    found = draw_probabilities(fitted(kind), LEVELS.only("0", "2"), draws=30, seed=1)
    assert found.shape == (30, 3)
    np.testing.assert_allclose(found, whole[..., 0] + whole[..., 2], atol=1e-12)
    np.testing.assert_allclose(draw_matrices(fitted(kind), draws=30, seed=1), whole, atol=1e-15)


def test_a_level_that_a_draw_lacks_is_not_known_in_it() -> None:
    """Level 2 stands in one of two topics: a quarter of the draws lack it, and are NaN there alone."""
    counts = COUNTS[:2].copy()
    counts[0, 2] = 0
    pairs = gs.model.PairCounts.from_matrix(LEVELS, counts)
    draws = draw_matrices(gs.estimate_disagreement(pairs, estimator="one-sided"), draws=2000, seed=0)
    lacking = np.isnan(draws[:, 2]).all(axis=1)
    assert lacking.mean() == pytest.approx(0.25, abs=0.05)
    assert np.isfinite(draws[:, :2]).all()
    assert np.isfinite(draws[~lacking]).all()


def test_calls_that_draw_nothing_are_refused() -> None:
    """No draws, or a seed below 0; one draw and a seed of 0 are fine."""
    for draw in (draw_matrices, lambda model, **options: draw_probabilities(model, LEVELS.only("2"), **options)):
        with pytest.raises(CallError, match="draws must lie between 1 and 1,000,000, found 0"):
            draw(fitted(), draws=0)
        with pytest.raises(CallError, match="at least 0, found -1"):
            draw(fitted(), seed=-1)
        assert len(draw(fitted(), draws=1, seed=0)) == 1
