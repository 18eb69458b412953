"""Stopping: multipliers against Pocock's constants, the printed table, and simulated paths."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from gainsayer.errors import CallError
from gainsayer.planning import (
    Stopping,
    any_moment_multiplier,
    looks_multiplier,
    multiplier_at,
)


@pytest.mark.parametrize(
    ("confidence", "looks", "expected"),
    # Pocock 1977, Biometrika 64, table 1
    [(0.95, 2, 2.178), (0.95, 3, 2.289), (0.95, 4, 2.361), (0.95, 5, 2.413), (0.95, 10, 2.555), (0.99, 5, 2.986)],
)
def test_equal_steps_give_pococks_constants(confidence: float, looks: int, expected: float) -> None:
    """Looks at 1, 2, ..., J amounts of information, for two confidences."""
    assert multiplier_at(tuple(range(1, looks + 1)), confidence) == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [(1, 1.960), (1.1, 2.117), (1.25, 2.188), (1.5, 2.251), (2, 2.316), (3, 2.375), (5, 2.423)],
)
def test_five_geometric_looks_give_the_planned_table(ratio: float, expected: float) -> None:
    """The multiplier by the ratio of the variances after the first batch and after the budget."""
    assert looks_multiplier(ratio, 5) == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize("ratio", [1.1, 2.0, 5.0])
def test_any_moment_is_the_limit_of_many_looks(ratio: float) -> None:
    """n looks, with Siegmund's 0.5826 sqrt(step) for the overshoot between them, tend to the any-moment bound."""
    step = np.log(ratio) / 59
    assert looks_multiplier(ratio, 60) + 0.5826 * np.sqrt(step) == pytest.approx(any_moment_multiplier(ratio), abs=4e-3)


def test_paths_stay_inside_as_often_as_said() -> None:
    """Simulated Brownian motions looked at 400 times between I = 1 and 2 leave the any-moment bound in under 5 %."""
    generator = np.random.default_rng(5)
    bound = any_moment_multiplier(2.0)
    steps = np.exp(np.linspace(0, np.log(2), 401))
    path = generator.standard_normal(20_000)
    inside = np.ones(20_000, bool)
    for before, after in pairwise(steps.tolist()):
        inside &= np.abs(path) <= bound * np.sqrt(before)
        path = path + np.sqrt(after - before) * generator.standard_normal(20_000)
    inside &= np.abs(path) <= bound * np.sqrt(2)
    assert 0.95 - 0.004 < inside.mean() < 0.965  # 400 looks are not all moments


def test_one_look_is_no_correction() -> None:
    """With nothing to look at before the end, c is the normal quantile."""
    assert looks_multiplier(1.0, 5) == pytest.approx(stats.norm.ppf(0.975))
    assert any_moment_multiplier(1.0, 0.9) == pytest.approx(stats.norm.ppf(0.95))
    assert looks_multiplier(3.0, 1, 0.9) == pytest.approx(stats.norm.ppf(0.95))


def test_a_precision_stop_uses_the_plain_interval() -> None:
    """It stops when an interval of the plain confidence is small enough, at any moment as after each batch."""
    rule = Stopping("precision", 3.0, 1.96, 0.95, within=0.1)
    assert rule.nominal == 0.95
    assert rule.at_any_moment() is rule


def test_a_decision_stop_asks_for_the_confidence_of_its_multiplier() -> None:
    """2 Phi(c) - 1, and more at any moment."""
    rule = Stopping("decision", 2.0, looks_multiplier(2.0), 0.95)
    assert rule.nominal == pytest.approx(2 * stats.norm.cdf(rule.multiplier) - 1)
    assert rule.at_any_moment().nominal > rule.nominal


def test_what_cannot_be_is_refused() -> None:
    """Ratios below 1, no information, confidences that are none."""
    with pytest.raises(CallError, match=r"ratio of 0\.5"):
        looks_multiplier(0.5)
    with pytest.raises(CallError, match="above 0"):
        multiplier_at((0.0, 1.0))
    with pytest.raises(CallError, match="confidence"):
        any_moment_multiplier(2.0, 1.5)
    with pytest.raises(CallError, match="at least one look"):
        looks_multiplier(2.0, 0)
