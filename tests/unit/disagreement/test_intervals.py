"""Intervals of p(R|i), against plain loops and scipy's distributions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import gainsayer as gs
from gainsayer.disagreement.intervals import normal_interval

LEVELS = gs.Levels(("0", "1", "2"))
COUNTS = np.random.default_rng(2).integers(1, 9, size=(7, 3, 3))
TOP = LEVELS.at_or_above("2")
Make = Callable[..., gs.Judgments]


def fitted(
    counts: np.ndarray, smoothing: gs.disagreement.Smoothing | None = None, estimator: str = "symmetric"
) -> gs.disagreement.Disagreement:
    """The estimate from J per topic."""
    pairs = gs.counts.PairCounts.from_matrix(LEVELS, counts)
    return gs.estimate_disagreement(pairs, estimator=estimator, smoothing=smoothing)  # type: ignore[arg-type]


def test_pair_and_binomial_intervals() -> None:
    """p +- z error, cut at 0 and 1."""
    for method in ("pair", "binomial"):
        found = gs.predict_relevance(fitted(COUNTS), TOP, interval=method, confidence=0.9)  # type: ignore[arg-type]
        reach = stats.norm.ppf(0.95) * getattr(found, method)
        np.testing.assert_allclose(found.interval.ends[:, 0], found.probability - reach)
        np.testing.assert_allclose(found.interval.ends[:, 1], found.probability + reach)
    cut = normal_interval(np.array([0.1, 0.9]), np.array([1.0, 1.0]), confidence=0.95, method="pair")
    assert cut.ends.tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize(("kind", "prior"), [("uniform", [0.5, 0.5, 0.5]), ("marginal", None)])
def test_beta_interval_is_the_posterior(kind: str, prior: list[float] | None) -> None:
    """Quantiles of Beta(c_R + alpha m_R, c - c_R + alpha (1 - m_R)) from scipy.stats."""
    both = (COUNTS + COUNTS.transpose(0, 2, 1)).sum(axis=0)
    share = prior or (both.sum(axis=0) / both.sum() * 1.5).tolist()
    found = gs.predict_relevance(fitted(COUNTS, gs.disagreement.Smoothing(kind)), TOP, interval="beta")  # type: ignore[arg-type]
    for level in range(3):
        relevant, judged = both[level, 2], both[level].sum()
        posterior = stats.beta(relevant + share[2], judged - relevant + 1.5 - share[2])
        assert found.interval.ends[level] == pytest.approx([posterior.ppf(0.025), posterior.ppf(0.975)])
        assert found.probability[level] == pytest.approx(posterior.mean())


def test_beta_interval_is_none_where_the_prior_rules_relevance_out() -> None:
    """A marginal prior gives a level nobody used the share 0; there is no posterior to take quantiles of."""
    counts = COUNTS.copy()
    counts[:, 2], counts[:, :, 2] = 0, 0
    found = gs.predict_relevance(fitted(counts, gs.disagreement.Smoothing("marginal")), TOP, interval="beta")
    assert found.interval.methods == (None, None, None)
    assert np.all(np.isnan(found.interval.ends))
