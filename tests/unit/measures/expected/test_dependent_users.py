"""Comonotone users: one threshold each, and what they find relevant."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm
from tests.unit.measures.expected.every_user import LEVELS, Topic, prm

from gainsayer.gains import Gains
from gainsayer.measures import (
    average_over_strictness,
    reciprocal_rank,
    score_threshold_users,
    share_with_threshold,
    spell_out_unjudged,
    success,
    threshold_users,
)
from gainsayer.rankings import ranked_from_lists

GRID = (np.arange(20_000) + 0.5) / 20_000
TWO = ranked_from_lists({"q": [1, 2]}, {"q": [0, 1, 1]}, levels=LEVELS)


@pytest.mark.parametrize("chance", [(0.1, 0.45, 0.8), (0.3, 0.3, 0.0), (1.0, 0.2, 0.2), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("unjudged", [0.0, 0.25])
def test_users_are_those_on_a_fine_grid_of_thresholds(chance: tuple[float, ...], unjudged: float) -> None:
    """The share of thresholds below the probability of just these levels."""
    users, share = threshold_users(Gains(LEVELS, np.array(chance), unjudged))
    found = {
        (*user.values.tolist(), user.unjudged): float(part) for user, part in zip(users, share[0], strict=True) if part
    }
    accepted = np.stack([np.array([*chance, unjudged]) > u for u in GRID]).astype(float)
    patterns, times = np.unique(accepted, axis=0, return_counts=True)
    expected = {tuple(p.tolist()): n / 20_000 for p, n in zip(patterns, times, strict=True) if p.any()}
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, abs=1e-4)


def test_scores_are_means_over_thresholds() -> None:
    """RR of each user on a fine grid of thresholds; draws one by one."""
    topic = Topic()
    chances = np.array([[0.1, 0.45, 0.8], [0.7, 0.2, 0.2]])
    found = score_threshold_users(reciprocal_rank, topic.ranked, Gains(LEVELS, chances))
    assert found.shape == (2, 1)
    for draw, chance in enumerate(chances):
        values = []
        for u in GRID[::20]:
            seen = [chance[level] > u for level in topic.run]
            values.append(1 / (seen.index(True) + 1) if any(seen) else 0.0)
        assert found[draw, 0] == pytest.approx(np.mean(values), abs=2e-3)
    alone = score_threshold_users(reciprocal_rank, topic.ranked, prm())
    assert alone == pytest.approx(found[0])


def test_the_largest_probability_in_the_pool_serves_its_share() -> None:
    """Levels that the pool lacks serve nobody; groups of equal documents count with all their levels."""
    ranked = Topic((0, 1), (1, 3, 0)).ranked
    assert share_with_threshold(ranked, prm()) == pytest.approx([0.45])
    assert share_with_threshold(Topic((), (0, 0, 0)).ranked, prm()).tolist() == [0.0]
    group = replace(ranked, choice_topic=np.array([0]), choice_levels=np.array([[True, False, True]]))
    assert share_with_threshold(group, prm()) == pytest.approx([0.8])
    assert share_with_threshold(group, Gains(LEVELS, np.array([[0.1, 0.2, 0.3], [0.9, 0.1, 0.1]]))).tolist() == [
        [0.3],
        [0.9],
    ]


@pytest.mark.parametrize("rho", [0.05, 0.3, 0.7, 0.95])
def test_success_of_two_documents_is_the_bivariate_normal(rho: float) -> None:
    """1 - P(both beyond their thresholds), scipy's normal with the correlation rho."""
    found = average_over_strictness(lambda gains: success(TWO, gains), prm(), rho)
    limits = norm.ppf([0.45, 0.8])
    neither = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf(-limits)
    assert found[0] == pytest.approx(1 - neither, abs=1e-7)


@pytest.mark.parametrize("unjudged", [0.0, 0.2])
def test_any_score_is_an_integral_over_strictness(unjudged: float) -> None:
    """Against scipy's adaptive quadrature of the independent users' value given W, unjudged documents included."""
    ranked = spell_out_unjudged(ranked_from_lists({"q": [None, 1, 0, 2]}, {"q": [1, 1, 1]}, levels=LEVELS))
    chance, rho = np.array([0.1, 0.45, 0.8]), 0.4

    def given(w: float, p: np.ndarray) -> np.ndarray:
        return np.asarray(norm.cdf((norm.ppf(p) - np.sqrt(rho) * w) / np.sqrt(1 - rho)))

    def integrand(w: float) -> float:
        p = [float(given(w, np.array(unjudged))), *(float(given(w, chance[level])) for level in (1, 0, 2))]
        return float(norm.pdf(w) * (1 - np.prod([1 - own for own in p])))

    expected = quad(integrand, -8, 8, epsabs=1e-12)[0]
    found = average_over_strictness(lambda gains: success(ranked, gains), Gains(LEVELS, chance, unjudged), rho)
    assert found[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("unjudged", [0.0, 0.2])
def test_draws_are_each_alone(unjudged: float) -> None:
    """A stack of probabilities gives what each gives by itself."""
    topic = Topic()
    stack = np.array([[0.1, 0.45, 0.8], [0.9, 0.2, 0.3]])
    together = average_over_strictness(lambda gains: success(topic.ranked, gains), Gains(LEVELS, stack, unjudged), 0.3)
    assert together.shape == (2, 1)
    for place, values in enumerate(stack):
        alone = average_over_strictness(
            lambda gains: success(topic.ranked, gains), Gains(LEVELS, values, unjudged), 0.3
        )
        assert together[place] == pytest.approx(alone, abs=1e-10)


@pytest.mark.parametrize("documents", [300, 3000])
def test_steep_scores_are_integrated_as_closely(documents: int) -> None:
    """Success in a long list of unlikely documents is a step in W; the rule is refined until it fits."""
    ranked = ranked_from_lists({"q": [0] * documents}, {"q": [documents, 0, 0]}, levels=LEVELS)
    gains, rho = Gains(LEVELS, np.array([0.001, 0.5, 0.5])), 0.6

    def integrand(w: float) -> float:
        p = norm.cdf((norm.ppf(0.001) - np.sqrt(rho) * w) / np.sqrt(1 - rho))
        return float(norm.pdf(w) * -np.expm1(documents * np.log1p(-p)))

    expected = quad(integrand, -9, 9, epsabs=1e-13, limit=500)[0]
    found = average_over_strictness(lambda part: success(ranked, part), gains, rho)
    assert found[0] == pytest.approx(expected, abs=1e-9)
