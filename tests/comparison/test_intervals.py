"""Intervals of scores and differences: their ends, their scale, their bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t
from tests.comparison.small_worlds import LEVELS, ONE, given_scores, make_replicates, replicate_scheme, small_world

from gainsayer.comparison import (
    Replicates,
    difference_intervals,
    find_differences,
    find_quantities,
    highest_score,
    score_intervals,
)
from gainsayer.comparison.intervals import Quantities
from gainsayer.gains import FittedElsewhere, Gains, Scheme, prm_scheme
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.model import PairCounts, estimate_disagreement

NO_SLOPE = np.zeros((4, 0))


def logarithms(replicates: Replicates) -> Quantities:
    """The jackknife of log x, with d log x / dg = (dx/dg) / x."""
    return find_quantities(replicates, np.log, replicates.slopes / replicates.estimate[:, None])


def test_given_gains_have_the_errors_of_the_mean() -> None:
    """On the raw scale s is s / sqrt(T) with T - 1 degrees of freedom, and the topics bring all of the variance."""
    scores = np.random.default_rng(1).random((4, 15))
    found = find_quantities(given_scores(scores), lambda x: x, NO_SLOPE)
    assert found.spread.topics == pytest.approx(scores.var(axis=1, ddof=1) / 15, rel=1e-12)
    assert found.topics == pytest.approx(found.spread.topics, rel=1e-12)
    assert found.parameters.tolist() == [0.0] * 4
    assert found.spread.topic_degrees.tolist() == [14.0] * 4
    assert not len(found.spread.people)


def test_levels_given_by_hand_bring_no_uncertainty() -> None:
    """With all levels by hand the joint error is the one over topics alone."""
    runs, model = small_world(12, 12)
    free = logarithms(make_replicates(runs, model, "P@3"))
    hand = logarithms(make_replicates(runs, model, "P@3", overrides={"0": 0.1, "1": 0.5, "2": 0.9}))
    assert (free.parameters > 0).all()
    assert hand.parameters.tolist() == [0.0] * 3
    assert hand.spread.topics == pytest.approx(hand.topics, rel=1e-12)
    assert hand.spread.topic_degrees.tolist() == [11.0] * 3


def test_probabilities_of_0_and_1_leave_all_doubly_judged_topics() -> None:
    """Where every p is 0 or 1 no v_t is above 0: D* is D, and nothing is undefined."""
    runs, _ = small_world(10, 1)
    sure = PairCounts.from_matrix(LEVELS, [np.diag([3, 2, 4])] * 6, topics=runs[0].topics[:6])
    found = logarithms(make_replicates(runs, estimate_disagreement(sure), "P@3"))
    assert found.spread.topic_degrees.tolist() == [9.0] * 3
    assert found.parameters.tolist() == [0.0] * 3


@pytest.mark.parametrize("topics", [6, 1_000])
def test_a_model_made_elsewhere_adds_its_covariance(topics: int) -> None:
    """V_P is G' V G, s^2 is V_S + V_P; degrees of freedom rest on the model's topics, and never exceed T - 1."""
    runs, model = small_world(20, 8)
    fixed = prm_scheme(model, ONE)
    covariance = np.array([[4.0, 1, 0], [1, 9, 2], [0, 2, 16]]) * 1e-4
    scheme = Scheme(fixed.gains, relevance=ONE, fitted=FittedElsewhere(covariance, topics))
    left = replicate_scheme(runs, scheme, "P@5")
    found = find_quantities(left, lambda x: x, left.slopes)
    # P@5 = (number on each level) . g / 5
    slope = np.stack([[(run.level == level).sum() / 100 for level in range(3)] for run in runs])
    assert found.parameters == pytest.approx(np.einsum("ri,ij,rj->r", slope, covariance, slope), rel=1e-7)
    assert found.spread.topics == pytest.approx(found.topics + found.parameters, rel=1e-10)
    phi = found.parameters / (found.topics + found.parameters)
    uncut = 1 / (phi**2 / (topics - 1) + (1 - phi) ** 2 / 19)
    assert (uncut.max() > 19) == (topics == 1_000)
    assert found.spread.topic_degrees == pytest.approx(np.clip(uncut, 1, 19), rel=1e-7)


def test_intervals_stay_in_the_range_of_the_measure() -> None:
    """P@1 on eight topics, seven of them perfect: the interval ends at 1, and that of a difference within [-1, 1]."""
    scores = np.array([[1.0] * 7 + [0.5], [0.0] * 7 + [0.5]])
    assert score_intervals(given_scores(scores), confidence=0.95, highest=1.0).interval.max() == 1.0
    [found] = find_differences([given_scores(scores)], np.array([0]), np.array([1]), confidence=0.999, highest=[1.0])
    assert np.abs(found.interval).max() <= 1.0


def test_a_score_above_what_the_measure_allows_is_not_cut() -> None:
    """Where a score lies above the bound, the bound is wrong: its interval holds it, and goes beyond."""
    scores = np.array([[1.2, 1.4, 1.3, 1.7], [0.6, 0.9, 0.8, 0.7]])
    above, below = score_intervals(given_scores(scores), confidence=0.95, highest=1.0).interval
    free = score_intervals(given_scores(scores), confidence=0.95, highest=np.inf).interval
    assert above.tolist() == free[0].tolist()
    assert above[0] < scores[0].mean() < above[1]
    assert below == pytest.approx(np.minimum(free[1], 1.0))


SHARES = st.floats(-1.9, 1.9).filter(lambda value: abs(value) > 1e-3)


@given(r=SHARES, m=st.floats(0.01, 1), reach=st.floats(1e-3, 3), scale=st.floats(0, 8), rho=st.floats(-1, 1))
def test_doubt_about_the_scale_cannot_make_or_unmake_a_difference(
    r: float, m: float, reach: float, scale: float, rho: float
) -> None:
    """However uncertain the gains' scale, the interval excludes 0 exactly where the relative difference's does."""
    one = np.array([1.0])
    ends = difference_intervals(
        r * one, m * one, reach * one, m * np.exp(-scale) * one, m * np.exp(scale) * one, rho * one, highest=np.inf
    )[0]
    assert (ends[0] > 0 or ends[1] < 0) == (abs(r) > reach)
    assert ends[0] <= r * m <= ends[1]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("rho", [-0.6, 0.0, 0.4])
@pytest.mark.parametrize(("r", "reach"), [(0.5, 0.2), (0.5, 0.45), (0.2, 0.6), (1.2, 0.1)])
def test_intervals_of_differences_read_aloud(sign: int, rho: float, r: float, reach: float) -> None:
    """A = m t s_r, B_lo = r (m - m_lo), B_hi = r (m_hi - m): both ends as they are written down, mirrored below 0."""
    m, low, high = 0.4, 0.31, 0.52
    a, b_low, b_high = m * reach, r * (m - low), r * (high - m)
    own = rho * sign
    inner = (b_low**2 + 2 * own * a * b_low) * max(0.0, 1 - (a / (r * m)) ** 2)
    lower = r * m - np.sqrt(max(0.0, a**2 + inner))
    upper = r * m + np.sqrt(max(0.0, a**2 + b_high**2 + 2 * own * a * b_high))
    if a < r * m and lower <= 0:
        lower = (r * m - a) * low / m
    expected = (lower, upper) if sign > 0 else (-upper, -lower)
    one = np.ones(1)
    found = difference_intervals(
        sign * r * one, m * one, reach * one, low * one, high * one, rho * one, highest=np.inf
    )[0]
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("measure", "estimated", "expected"),
    [
        ("nDCG@10", False, 1.0),
        ("AP", True, 1.0),
        ("CG@5", False, 10.0),
        ("CG@5", True, 5.0),
        ("NumRel@5", True, 5.0),
        ("DCG@3", False, 2 * (1 + 1 / np.log2(3) + 0.5)),
        ("DCG(discount='zipf')@3", True, 1 + 1 / 2 + 1 / 3),
        ("DCG", False, np.inf),
        ("CG", True, np.inf),
    ],
)
def test_the_highest_score_there_can_be(measure: str, estimated: bool, expected: float) -> None:
    """All ranks hold the best level, worth 2, or as estimated gains may be 1; nothing bounds a list without depth."""
    gains = Gains(Levels(("0", "1", "2")), np.array([0.0, 1.0, 2.0]))
    assert highest_score(parse_measure(measure), gains, estimated=estimated) == pytest.approx(expected)


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_intervals_of_scores_are_those_of_the_logarithm(confidence: float) -> None:
    """exp(log x ± t s), s the jackknife's error of log x, with T - 1 degrees of freedom."""
    scores = np.random.default_rng(3).beta(2, 2, (3, 12))
    found = score_intervals(given_scores(scores), confidence=confidence, highest=np.inf)
    left = np.log([np.delete(scores, topic, axis=1).mean(axis=1) for topic in range(12)])
    error = np.sqrt(11 / 12 * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    half = t.ppf((1 + confidence) / 2, 11) * error
    value = scores.mean(axis=1)
    assert found.interval == pytest.approx(np.stack([value * np.exp(-half), value * np.exp(half)], axis=1))
    assert found.topic_interval == pytest.approx(found.interval)
    assert np.sqrt(found.quantities.spread.topics) == pytest.approx(error)
