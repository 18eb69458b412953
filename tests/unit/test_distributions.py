"""Quantiles of our own, against scipy.special over wide grids."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from gainsayer.distributions import beta_quantile, logistic, t_quantile

SHARES = (1e-12, 1e-5, 0.005, 0.025, 0.05, 0.3, 0.5, 0.51, 0.7, 0.95, 0.975, 0.995, 1 - 1e-9)


@pytest.mark.parametrize("share", SHARES)
def test_t_quantiles_are_those_of_scipy(share: float) -> None:
    """To 1e-12 of their size, from a tenth of a degree of freedom to ten millions."""
    degrees = np.concatenate([np.geomspace(0.1, 1e7, 400), np.arange(1.0, 100)])
    np.testing.assert_allclose(t_quantile(share, degrees), special.stdtrit(degrees, share), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("share", SHARES)
def test_beta_quantiles_are_those_of_scipy(share: float) -> None:
    """To 1e-12 of their size, for every mixture of small and large parameters."""
    a, b = np.meshgrid(np.geomspace(0.05, 1e6, 40), np.geomspace(0.05, 1e6, 37))
    np.testing.assert_allclose(beta_quantile(share, a, b), special.betaincinv(a, b, share), rtol=1e-12, atol=1e-300)


def test_quantiles_at_the_ends() -> None:
    """Shares of 0 and 1 give the ends of the range, parameters that are no numbers above 0 give NaN."""
    assert t_quantile(0.0, [3.0]).tolist() == [-math.inf]
    assert t_quantile(1.0, [3.0]).tolist() == [math.inf]
    assert beta_quantile(0.0, [2.0], 3.0).tolist() == [0.0]
    assert beta_quantile(1.0, [2.0], 3.0).tolist() == [1.0]
    assert np.isnan(t_quantile(0.9, [0.0, -1.0, math.nan])).all()
    assert np.isnan(beta_quantile(0.9, [0.0, 1.0, math.nan, 1.0], [1.0, 0.0, 1.0, -2.0])).all()
    assert t_quantile(0.975, np.zeros((0, 2))).shape == (0, 2)
    assert t_quantile(0.975, 4).shape == ()


def test_the_logistic_function_is_that_of_scipy() -> None:
    """At the ends of the range, too, without warnings."""
    x = np.array([-1e4, -745.0, -30.0, -1e-9, 0.0, 1e-9, 2.0, 40.0, 1e4, math.inf, -math.inf])
    np.testing.assert_allclose(logistic(x), special.expit(x), rtol=1e-15)
