"""Standard errors and simple intervals of p(R|i), against plain loops and scipy's distributions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from tests.model.deleted_topics import COUNTS, TOP, fitted

import gainsayer as gs
from gainsayer.model import binomial_error, effective_count, normal_interval, pair_error, topic_covariance

RELEVANT = np.array([0.0, 1.0, 1.0])
Make = Callable[..., gs.Judgments]


def test_binomial_error_by_hand() -> None:
    """sqrt(p (1 - p) / n); not known without opinions."""
    found = binomial_error(np.array([0.2, 0.5, np.nan]), np.array([16.0, 1.0, 0.0]))
    assert found[:2] == pytest.approx([0.1, 0.5])
    assert np.isnan(found[2])


def test_pair_error_is_that_of_a_loop_over_documents() -> None:
    """sqrt(sum of (a_d - p b_d)^2) / B, a_d and b_d a document's relevant and all second opinions of the level."""
    rng = np.random.default_rng(1)
    cells = rng.integers(0, 4, (40, 3, 3)) * rng.random((40, 1, 1))
    cells[:, 2] = 0
    squares = np.einsum("dij,dil->ijl", cells, cells)
    judged, relevant = cells.sum(axis=(0, 2)), (cells @ RELEVANT).sum(axis=0)
    p = np.divide(relevant, judged, out=np.full(3, np.nan), where=judged > 0)
    found = pair_error(np.nan_to_num(p), judged, squares, RELEVANT)
    for level in (0, 1):
        residuals = [(cell[level] @ RELEVANT - p[level] * cell[level].sum()) ** 2 for cell in cells]
        assert found[level] == pytest.approx(np.sqrt(sum(residuals)) / judged[level])
    assert np.isnan(found[2])


def test_weighted_opinions_are_worth_kishs_number() -> None:
    """(sum b)^2 / sum b^2 of the documents' weights: 1, 1, 2 are worth 16 / 6; without any, none."""
    cells = np.zeros((3, 2, 2))
    cells[:, 0, 1] = [1.0, 1.0, 2.0]
    squares = np.einsum("dij,dil->ijl", cells, cells)
    found = effective_count(np.array([4.0, 0.0]), squares, np.ones(2))
    assert found.tolist() == pytest.approx([16 / 6, 0.0])
    assert effective_count(np.array([4.0, 0.0]), squares, np.array([1.0, 0.0])).tolist() == [0.0, 0.0]


def test_covariance_is_that_of_a_loop_over_topics() -> None:
    """T / (T - 1) sum of e_ti e_ti' / (B_i B_i'), for every two levels; unknown for a level of one topic or none."""
    rng = np.random.default_rng(2)
    judged = rng.integers(1, 20, (6, 4)).astype(float)
    judged[1:, 2] = 0
    judged[:, 3] = 0
    relevant = np.floor(judged * rng.random((6, 4)))
    total = judged.sum(axis=0)
    p = np.divide(relevant.sum(axis=0), total, out=np.full(4, np.nan), where=total > 0)
    found = topic_covariance(p, relevant, judged)
    for i in (0, 1):
        for j in (0, 1):
            products = sum(
                (relevant[t, i] - p[i] * judged[t, i]) * (relevant[t, j] - p[j] * judged[t, j]) for t in range(6)
            )
            assert found[i, j] == pytest.approx(6 / 5 * products / (total[i] * total[j]))
    assert np.isnan(found[2:]).all()
    assert np.isnan(found[:, 2:]).all()


def test_two_topics_are_enough_and_one_is_not() -> None:
    """With one topic nothing is known; with two, a level that both hold has an error."""
    judged, relevant = np.array([[4.0], [4.0]]), np.array([[1.0], [3.0]])
    assert np.isnan(topic_covariance(np.array([0.25]), relevant[:1], judged[:1])).all()
    assert topic_covariance(np.array([0.5]), relevant, judged).tolist() == [[2 * 2 / 64]]


def test_pair_and_binomial_intervals() -> None:
    """p +- z error, cut at 0 and 1."""
    for method in ("pair", "binomial"):
        found = gs.predict_relevance(fitted(COUNTS), TOP, interval=method, confidence=0.9)  # type: ignore[arg-type]
        reach = stats.norm.ppf(0.95) * getattr(found, method)
        np.testing.assert_allclose(found.interval.ends[:, 0], found.probability - reach)
        np.testing.assert_allclose(found.interval.ends[:, 1], found.probability + reach)
    cut = normal_interval(np.array([0.1, 0.9]), np.array([1.0, 1.0]), confidence=0.95, method="pair")
    assert cut.ends.tolist() == [[0, 1], [0, 1]]
