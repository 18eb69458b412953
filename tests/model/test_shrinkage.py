"""Empirical Bayes over topics, strata or assessors, against an independent search of the likelihood."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

import gainsayer as gs
from gainsayer.errors import CallError

BINARY = gs.Levels(("0", "1"))
THREE = gs.Levels(("0", "1", "2"))


def spread_units(seed: int, size: int, alpha: float, units: int = 30, opinions: int = 25) -> np.ndarray:
    """Counts of units whose rows differ: Dirichlet(alpha * m) each; shape [units, levels, levels]."""
    rng = np.random.default_rng(seed)
    mean = rng.dirichlet(np.full(size, 3.0), size=size)
    rows = [
        [rng.multinomial(rng.integers(1, 2 * opinions), rng.dirichlet(alpha * mean[level])) for level in range(size)]
        for _ in range(units)
    ]
    return np.array(rows, dtype=float)


def log_likelihood(rows: np.ndarray, parameters: np.ndarray) -> float:
    """Sum over units of scipy's Dirichlet-multinomial log probability."""
    return float(sum(stats.dirichlet_multinomial.logpmf(row, parameters, int(row.sum())) for row in rows.astype(int)))


@pytest.mark.parametrize("seed", range(3))
def test_binary_rows_reach_the_top_of_a_fine_grid(seed: int) -> None:
    """alpha and m beat every point of a grid over both, and lie beside its best point."""
    counts = spread_units(seed, 2, 6.0)
    found = gs.model.shrink_units(BINARY, "topics", [f"q{t}" for t in range(30)], counts)
    alphas, means = np.geomspace(0.5, 60, 120), np.linspace(0.02, 0.98, 97)
    a, m = np.meshgrid(alphas, means, indexing="ij")
    for level in range(2):
        rows = counts[:, level]
        n = rows.sum(axis=1)[:, None, None]
        surface = stats.betabinom.logpmf(rows[:, 1][:, None, None], n, a * m, a * (1 - m)).sum(axis=0)
        best = np.unravel_index(surface.argmax(), surface.shape)
        mine = stats.betabinom.logpmf(
            rows[:, 1],
            rows.sum(axis=1),
            found.alpha[level] * found.mean[level, 1],
            found.alpha[level] * found.mean[level, 0],
        ).sum()
        assert mine >= surface.max() - 1e-9
        assert found.alpha[level] == pytest.approx(a[best], rel=0.1)
        assert found.mean[level, 1] == pytest.approx(m[best], abs=0.02)


def test_three_levels_reach_the_maximum_of_another_search() -> None:
    """No other optimiser finds a higher Dirichlet-multinomial likelihood, and the parameters agree."""
    counts = spread_units(7, 3, 10.0)
    found = gs.model.shrink_units(THREE, "topics", [f"q{t}" for t in range(30)], counts)
    for level in range(3):
        rows = counts[:, level]
        search = optimize.minimize(
            lambda logs, rows=rows: -log_likelihood(rows, np.exp(logs)),
            np.zeros(3),
            method="Nelder-Mead",
            options={"xatol": 1e-5, "fatol": 1e-8, "maxiter": 1000},
        )
        mine = log_likelihood(rows, found.alpha[level] * found.mean[level])
        assert mine >= -search.fun - 1e-6
        assert found.alpha[level] == pytest.approx(np.exp(search.x).sum(), rel=0.01)
        np.testing.assert_allclose(found.mean[level], np.exp(search.x) / np.exp(search.x).sum(), atol=1e-3)


def test_rows_are_shrunk_by_equation_13() -> None:
    """Each unit's row is (c + alpha m) / (n + alpha), and its deviation between units sqrt(p (1-p) / (alpha+1))."""
    counts = spread_units(1, 3, 8.0)
    found = gs.model.shrink_units(THREE, "topics", [f"q{t}" for t in range(30)], counts)
    for unit in range(30):
        for level in range(3):
            c, alpha = counts[unit, level], found.alpha[level]
            expected = (c + alpha * found.mean[level]) / (c.sum() + alpha)
            np.testing.assert_allclose(found.matrix[unit, level], expected)
    top = THREE.at_or_above("2")
    p = found.mean[:, 2]
    np.testing.assert_allclose(found.heterogeneity(top), np.sqrt(p * (1 - p) / (found.alpha + 1)))
    np.testing.assert_allclose(found.probability(top), found.matrix[:, :, 2])


def test_units_that_are_alike_get_the_pooled_row() -> None:
    """With identical units, or units alike beyond chance, alpha is infinite and nothing varies."""
    counts = np.array([[[30.0, 10], [5, 15]]] * 6)
    found = gs.model.shrink_units(BINARY, "strata", list("abcdef"), counts)
    assert np.all(np.isinf(found.alpha))
    np.testing.assert_allclose(found.matrix, [[[0.75, 0.25], [0.25, 0.75]]] * 6)
    np.testing.assert_array_equal(found.heterogeneity(BINARY.at_or_above("1")), [0, 0])


def test_units_without_opinions_get_the_pooled_row() -> None:
    """Pooled, not the units' common mean: they are different things; a level nobody used stays missing."""
    counts = spread_units(3, 3, 5.0)
    counts[4, 1] = 0
    counts[:, 2] = 0
    found = gs.model.shrink_units(THREE, "topics", [f"q{t}" for t in range(30)], counts)
    np.testing.assert_allclose(found.matrix[4, 1], counts[:, 1].sum(axis=0) / counts[:, 1].sum())
    assert np.isfinite(found.alpha[:2]).all()
    assert np.isnan(found.alpha[2])
    assert np.all(np.isnan(found.matrix[:, 2]))
    assert np.isnan(found.heterogeneity(THREE.at_or_above("2"))[2])


def test_units_that_could_not_differ_more() -> None:
    """Units that each use one level only: alpha tends to 0 and each unit keeps its own row."""
    counts = np.array([[[20.0, 0], [0, 3]], [[0, 20], [0, 9]], [[20, 0], [0, 1]], [[0, 20], [0, 5]]])
    found = gs.model.shrink_units(BINARY, "topics", list("abcd"), counts)
    assert found.alpha[0] < 1e-3
    np.testing.assert_allclose(found.matrix[:, 0, 1], [0, 1, 0, 1], atol=1e-3)
    assert np.isinf(found.alpha[1]), "one level alone cannot differ"


@pytest.mark.parametrize("seed", range(20))
def test_probabilities_stay_within_0_and_1(seed: int) -> None:
    """Rounding never carries a probability past 1 or makes a deviation the root of a negative number."""
    counts = spread_units(seed, 3, 3.0, units=6) / 3
    found = gs.model.shrink_units(THREE, "topics", list("abcdef"), counts)
    everything = THREE.at_or_above("0")
    assert np.all(found.probability(everything) <= 1)
    np.testing.assert_allclose(found.probability(everything), 1)
    np.testing.assert_allclose(found.heterogeneity(everything), 0, atol=1e-7)


def test_the_shape_is_checked() -> None:
    """Counts of another number of units are refused."""
    with pytest.raises(CallError, match=r"3 units and 2 levels need counts of that shape, found \(2, 2, 2\)"):
        gs.model.shrink_units(BINARY, "topics", list("abc"), np.ones((2, 2, 2)))


def test_a_label_that_nobody_gives_at_a_level_stays_at_nothing() -> None:
    """Level 0 never beside label 2: the units' rows and their mean have 0 there, and what two labels alone give."""
    rows = np.array([[8.0, 2.0], [3.0, 9.0], [5.0, 5.0], [1.0, 7.0]])
    counts = np.zeros((4, 3, 3))
    counts[:, 0, :2] = rows
    counts[:, 1, 1] = counts[:, 2, 2] = 4
    found = gs.model.shrink_units(THREE, "topics", list("abcd"), counts)
    two = np.zeros((4, 2, 2))
    two[:, 0] = rows
    two[:, 1, 1] = 4
    alone = gs.model.shrink_units(BINARY, "topics", list("abcd"), two)
    assert found.matrix[:, 0, 2].tolist() == [0.0] * 4
    np.testing.assert_allclose(found.matrix[:, 0, :2], alone.matrix[:, 0], rtol=1e-6)
    assert found.alpha[0] == pytest.approx(alone.alpha[0], rel=1e-5)
