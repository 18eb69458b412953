"""Targets: influences of levels on scores, exact for linear measures."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.planning import target_difference, target_parameters, target_scores
from gainsayer.rankings import RankedLevels, ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
GUESS = np.array([0.1, 0.4, 0.7])


def make_run(*lists: list[int | None]) -> RankedLevels:
    """A run over topics that all hold ten documents of each level."""
    named = {f"q{place}": ranks for place, ranks in enumerate(lists)}
    return ranked_from_lists(named, {name: [10, 10, 10] for name in named}, levels=LEVELS)


def test_the_influence_on_a_linear_measure_is_the_mean_profile() -> None:
    """P@4: how many of four ranks hold the level, over four; scores are the products with p."""
    run = make_run([2, 1, 0, 0], [2, 2, None, 1])
    found = target_scores([run], parse_measure("P@4"), GUESS)
    assert found.influence[0] == pytest.approx([0.25, 0.25, 0.375])
    assert found.values[0] == pytest.approx(found.influence[0] @ GUESS)
    assert found.topics[0] == pytest.approx(np.var([1.3 / 4, 1.8 / 4], ddof=1) / 2)


def test_the_influence_on_ndcg_is_its_slope() -> None:
    """A finite difference of other width, on the mean score, agrees."""
    run = make_run([2, 1, 0], [0, 2, 1], [1, 1, 2])
    measure = parse_measure("nDCG@3")
    found = target_scores([run], measure, GUESS).influence[0]
    for level in range(3):
        step = np.eye(3)[level] * 1e-4
        ends = [float(measure.score(run, Gains(LEVELS, GUESS + sign * step)).mean()) for sign in (1, -1)]
        assert found[level] == pytest.approx((ends[0] - ends[1]) / 2e-4, abs=1e-3)


def test_probabilities_at_the_ends_have_slopes_too() -> None:
    """p of 0 and 1 are stepped from inwards."""
    found = target_scores([make_run([2, 0])], parse_measure("P@2"), np.array([0.0, 0.5, 1.0]))
    assert found.influence[0] == pytest.approx([0.5, 0.0, 0.5])


def test_the_difference_of_two_runs() -> None:
    """Influences and topic scores are differences, so what both runs share cancels."""
    one, two = make_run([2, 1], [2, 0]), make_run([1, 2], [0, 1])
    scores = target_scores([one, two], parse_measure("P@2"), GUESS)
    found = target_difference(scores)
    assert found.influence[0] == pytest.approx([0.0, -0.25, 0.25])
    assert found.values[0] == pytest.approx(0.075)


def test_covariance_needs_twenty_topics_of_a_pilot() -> None:
    """2 / (T - 1) sum (s_t - mean) sum_i A_i e_ti / n_i, or 0."""
    generator = np.random.default_rng(1)
    lists = [[int(level) for level in generator.integers(0, 3, 3)] for _ in range(25)]
    targets = target_scores([make_run(*lists)], parse_measure("P@3"), GUESS)
    residual = generator.normal(size=(25, 3))
    scores = targets.scores[0]  # type: ignore[index]
    expected = 2 / 24 * ((scores - scores.mean()) * (residual @ targets.influence[0])).sum()
    assert targets.covariance(residual) == pytest.approx([expected])
    residual[:6] = 0
    assert targets.covariance(residual).tolist() == [0.0]
    assert target_parameters(LEVELS, GUESS, [0]).covariance(residual).tolist() == [0.0]
