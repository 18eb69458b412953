"""The correlation of a user's views: the bivariate normal, recovery of a known value, and what cannot be estimated."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import gainsayer as gs
from gainsayer.disagreement.user_correlation import (
    estimate_user_correlation,
    fit_user_correlation,
    joint_relevance,
)

PROBABILITY = np.array([0.05, 0.3, 0.7])
STUDIES = 400 if os.environ.get("GAINSAYER_SLOW") else 40


def draw_opinions(correlation: float, groups: int, documents: int, seed: int) -> dict[str, np.ndarray]:
    """Second opinions of users with a known correlation, one user per topic."""
    rng = np.random.default_rng(seed)
    level = rng.choice(3, (groups, documents), p=[0.6, 0.25, 0.15])
    shared = rng.standard_normal((groups, 1))
    position = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * rng.standard_normal((groups, documents))
    group = np.repeat(np.arange(groups), documents)
    return {
        "topic": group,
        "group": group,
        "document": np.arange(groups * documents),
        "level": level.ravel(),
        "relevant": (position < stats.norm.ppf(PROBABILITY)[level]).ravel(),
    }


@pytest.mark.parametrize("correlation", [0.1, 0.5, 0.9, 0.99])
def test_joint_relevance_is_the_bivariate_normal(correlation: float) -> None:
    """P(both relevant) equals SciPy's bivariate normal distribution function."""
    p, q = np.meshgrid([0.01, 0.3, 0.5, 0.93], [0.02, 0.3, 0.88])
    found = joint_relevance(p, q, correlation)
    normal = stats.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
    expected = normal.cdf(np.stack([stats.norm.ppf(p), stats.norm.ppf(q)], axis=-1))
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_joint_relevance_at_the_ends() -> None:
    """Independent views multiply, comonotone ones take the smaller, and certainty leaves the other."""
    p, q = np.array([0.2, 0.0, 1.0, 0.6]), np.array([0.7, 0.4, 0.4, 0.6])
    np.testing.assert_allclose(joint_relevance(p, q, 0.0), p * q)
    np.testing.assert_allclose(joint_relevance(p, q, 1.0), np.minimum(p, q))
    np.testing.assert_allclose(joint_relevance(p, q, 0.999999)[1:3], [0.0, 0.4])


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.3, 0.7])
def test_known_correlation_is_recovered(correlation: float) -> None:
    """With 600 users of 40 documents the estimate lies within four of its own standard errors of the truth."""
    found = fit_user_correlation(probability=PROBABILITY, **draw_opinions(correlation, 600, 40, seed=5))
    assert found.standard_error < 0.06
    assert abs(found.correlation - correlation) < 4 * found.standard_error + 0.005
    assert (found.groups, found.topics, found.opinions, found.pairs) == (600, 600, 24_000, 600 * 40 * 39 // 2)


@pytest.mark.slow
def test_mean_over_many_small_studies_is_near_the_truth() -> None:
    """Over 40 or more studies of 50 users, the mean estimate lies within 0.02 of the truth."""
    found = [
        fit_user_correlation(probability=PROBABILITY, **draw_opinions(0.3, 50, 40, seed)).correlation
        for seed in range(STUDIES)
    ]
    assert np.mean(found) == pytest.approx(0.3, abs=0.02)


def test_intraclass_correlation_by_definition() -> None:
    """Two users, two documents each: mean product of residuals over mean squared residual, by hand."""
    found = fit_user_correlation(
        probability=np.array([0.5, 0.5]),
        topic=np.array([0, 0, 1, 1]),
        group=np.array([0, 0, 1, 1]),
        document=np.array([0, 1, 2, 3]),
        level=np.array([0, 1, 0, 1]),
        relevant=np.array([True, True, False, True]),
    )
    assert found.intraclass == pytest.approx((0.25 - 0.25) / 2 / 0.25)
    assert found.correlation == 0.0


def test_opinions_on_one_document_make_no_pair() -> None:
    """Two first labels of the same document, one second assessor: only pairs of different documents count."""
    arrays = {
        "topic": np.zeros(3, np.int64),
        "group": np.zeros(3, np.int64),
        "document": np.array([0, 0, 1]),
        "level": np.array([0, 1, 1]),
        "relevant": np.array([True, True, True]),
    }
    found = fit_user_correlation(probability=np.array([0.2, 0.6]), **arrays)
    assert found.pairs == 2
    assert found.intraclass == pytest.approx((0.8 * 0.4 + 0.4 * 0.4) / 2 / np.mean([0.64, 0.16, 0.16]))
    assert np.isnan(found.standard_error)


def test_comonotone_users_have_correlation_one() -> None:
    """Users with one threshold for all documents have rho 1, up to the error of so many users."""
    found = fit_user_correlation(probability=PROBABILITY, **draw_opinions(1.0, 400, 30, seed=2))
    assert found.correlation > 0.9


def test_judgments_give_the_same_as_arrays(judge: Callable[..., gs.Judgments]) -> None:
    """From judgments: second opinions are paired with first labels, within topic and second assessor."""
    arrays = draw_opinions(0.4, 60, 20, seed=3)
    rows = []
    for topic, document, level, relevant in zip(
        arrays["topic"], arrays["document"], arrays["level"], arrays["relevant"], strict=True
    ):
        rows.append((f"q{topic:03}", f"d{document}", "first", str(level)))
        rows.append((f"q{topic:03}", f"d{document}", "second", "2" if relevant else "0"))
    judgments = judge(rows)
    disagreement = gs.estimate_disagreement(gs.count_pairs(judgments), estimator="one-sided")
    prediction = gs.predict_relevance(disagreement, judgments.levels.at_or_above("2"))
    found = estimate_user_correlation(judgments, prediction)
    expected = fit_user_correlation(probability=prediction.probability, **arrays)
    assert found.correlation == pytest.approx(expected.correlation, abs=1e-12)
    assert found.standard_error == pytest.approx(expected.standard_error, abs=1e-12)
    assert (found.pairs, found.groups) == (expected.pairs, expected.groups)


def test_what_cannot_be_estimated() -> None:
    """One document per user says nothing, and a level without p(R|i) cannot be compared: both are said."""
    arrays = draw_opinions(0.3, 10, 1, seed=1)
    with pytest.raises(gs.DataError, match="two documents of one topic"):
        fit_user_correlation(probability=PROBABILITY, **arrays)
    with pytest.raises(gs.GainsayerError, match="no p\\(R\\|i\\)"):
        fit_user_correlation(probability=np.full(3, np.nan), **arrays)
