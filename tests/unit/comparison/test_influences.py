"""Influences of topics: errors, degrees of freedom, and where the uncertainty comes from."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.comparison.small_worlds import LEVELS, ONE, given_scores, make_replicates, small_world

from gainsayer.comparison.influences import find_influences
from gainsayer.comparison.mean_scores import prepare_runs
from gainsayer.comparison.replicates import leave_out_topics, sort_topics
from gainsayer.counts.pair_counts import PairCounts
from gainsayer.disagreement.estimate import estimate_disagreement
from gainsayer.gains.schemes import FittedElsewhere, Scheme, prm_scheme
from gainsayer.measures.catalogue import parse_measure


def test_given_gains_have_the_errors_of_the_mean() -> None:
    """On the raw scale s is s / sqrt(T) with T - 1 degrees of freedom, and the topics bring all of the variance."""
    scores = np.random.default_rng(1).random((4, 15))
    found = find_influences(given_scores(scores), lambda x: x)
    assert found.error == pytest.approx(scores.std(axis=1, ddof=1) / np.sqrt(15), rel=1e-12)
    assert found.topics == pytest.approx(found.error**2, rel=1e-12)
    assert found.parameters.tolist() == [0.0] * 4
    assert found.degrees.tolist() == [14.0] * 4


def test_levels_given_by_hand_bring_no_uncertainty() -> None:
    """With all levels by hand the joint error is the one over topics alone."""
    runs, model = small_world(12, 12)
    free = find_influences(make_replicates(runs, model, "P@3"), np.log)
    hand = find_influences(make_replicates(runs, model, "P@3", overrides={"0": 0.1, "1": 0.5, "2": 0.9}), np.log)
    assert (free.parameters > 0).all()
    assert hand.parameters.tolist() == [0.0] * 3
    assert hand.error**2 == pytest.approx(hand.topics, rel=1e-12)
    assert hand.degrees.tolist() == [11.0] * 3


def test_probabilities_of_0_and_1_leave_all_doubly_judged_topics() -> None:
    """Where every p is 0 or 1 no v_t is above 0: D* is D, and nothing is undefined."""
    runs, _ = small_world(10, 1)
    sure = PairCounts.from_matrix(LEVELS, [np.diag([3, 2, 4])] * 6, topics=runs[0].topics[:6])
    found = find_influences(make_replicates(runs, estimate_disagreement(sure), "P@3"), np.log)
    assert found.degrees.tolist() == [9.0] * 3
    assert found.parameters.tolist() == [0.0] * 3


@pytest.mark.parametrize("topics", [6, 1_000])
def test_a_model_made_elsewhere_adds_its_covariance(topics: int) -> None:
    """V_P is G' V G, s^2 is V_S + V_P; degrees of freedom rest on the model's topics, and never exceed T - 1."""
    runs, model = small_world(20, 8)
    fixed = prm_scheme(model, ONE)
    covariance = np.array([[4.0, 1, 0], [1, 9, 2], [0, 2, 16]]) * 1e-4
    scheme = Scheme(fixed.gains, relevance=ONE, fitted=FittedElsewhere(covariance, topics))
    scored = prepare_runs(runs, parse_measure("P@5"), scheme.gains, runs[0].topics)
    values = scored.tables(scheme.gains.values[None])[0]
    left = leave_out_topics(scored, scheme, values, sort_topics(runs[0].topics), None)
    found = find_influences(left, lambda x: x)
    # P@5 = (number on each level) . g / 5
    slope = np.stack([[(run.level == level).sum() / 100 for level in range(3)] for run in runs])
    assert found.parameters == pytest.approx(np.einsum("ri,ij,rj->r", slope, covariance, slope), rel=1e-7)
    assert found.error**2 == pytest.approx(found.topics + found.parameters, rel=1e-10)
    phi = found.parameters / (found.topics + found.parameters)
    uncut = 1 / (phi**2 / (topics - 1) + (1 - phi) ** 2 / 19)
    assert (uncut.max() > 19) == (topics == 1_000)
    assert found.degrees == pytest.approx(np.clip(uncut, 1, 19), rel=1e-7)
