"""Stopping: multipliers against Pocock's constants, the printed table, and simulated paths."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from gainsayer.errors import CallError
from gainsayer.planning import Stopping, any_moment_multiplier


@pytest.mark.parametrize(
    ("ratio", "expected", "tolerance"),
    [
        *((ratio, c, 5e-5) for ratio, c in ((1.02, 2.0695), (1.05, 2.1294), (7, 2.7995), (10, 2.8499))),
        *((ratio, c, 5e-4) for ratio, c in ((1.1, 2.193), (1.25, 2.305), (2, 2.525), (5, 2.744))),
    ],
)
def test_any_moment_gives_the_planned_table(ratio: float, expected: float, tolerance: float) -> None:
    """The multiplier by the ratio of the variances after the first batch and the budget, to the digits printed."""
    assert any_moment_multiplier(ratio) == pytest.approx(expected, abs=tolerance)


def test_five_looks_need_less() -> None:
    """Pocock's constant for five equal looks (1977, Biometrika 64, table 1: 2.413) is below that of every moment."""
    assert any_moment_multiplier(5.0) > 2.413


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
    assert any_moment_multiplier(1.0, 0.9) == pytest.approx(stats.norm.ppf(0.95))


def test_a_precision_stop_uses_the_plain_interval() -> None:
    """It stops when an interval of the plain confidence is narrow enough; without aim or interval nobody knows."""
    rule = Stopping("precision", 3.0, 0.95, within=0.1)
    assert rule.nominal == 0.95
    assert [rule.met(half_width=half) for half in (0.1, 0.11, float("nan"), None)] == [True, False, None, None]
    assert Stopping("precision", 3.0).met(half_width=0.01) is None


def test_a_decision_stop_asks_for_the_confidence_of_its_multiplier() -> None:
    """2 Phi(c) - 1, by the ratio that the first batch shows, which has no upper limit."""
    rule = Stopping("decision", 2.0, 0.95)
    assert rule.nominal == pytest.approx(2 * stats.norm.cdf(rule.multiplier) - 1)
    later = rule.with_ratio(9.0)
    assert later.multiplier > rule.multiplier
    assert rule.with_ratio(0.5).multiplier == pytest.approx(stats.norm.ppf(0.975))
    p = 2 * stats.norm.sf(rule.multiplier)
    assert (rule.met(p=p * 0.99), rule.met(p=p * 1.01), rule.met()) == (True, False, None)


def test_what_cannot_be_is_refused() -> None:
    """Ratios below 1, confidences that are none."""
    with pytest.raises(CallError, match=r"ratio of 0\.5"):
        any_moment_multiplier(0.5)
    with pytest.raises(CallError, match="confidence"):
        any_moment_multiplier(2.0, 1.5)
