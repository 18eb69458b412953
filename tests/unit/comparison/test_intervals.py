"""Intervals of scores and differences: their ends, their scale, their bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t
from tests.unit.comparison.small_worlds import given_scores

from gainsayer.comparison.differences import find_differences
from gainsayer.comparison.intervals import difference_intervals, highest_score, score_intervals
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure


def test_intervals_stay_in_the_range_of_the_measure() -> None:
    """P@1 on eight topics, seven of them perfect: the interval ends at 1, and that of a difference within [-1, 1]."""
    scores = np.array([[1.0] * 7 + [0.5], [0.0] * 7 + [0.5]])
    assert score_intervals(given_scores(scores), confidence=0.95, highest=1.0).interval.max() == 1.0
    found = find_differences(given_scores(scores), np.array([0]), np.array([1]), confidence=0.999, highest=1.0)
    assert np.abs(found.interval).max() <= 1.0


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
    """exp(log x ± t s), s the jackknife's error of log x; the standard error is x s."""
    scores = np.random.default_rng(3).beta(2, 2, (3, 12))
    found = score_intervals(given_scores(scores), confidence=confidence, highest=np.inf)
    left = np.log([np.delete(scores, topic, axis=1).mean(axis=1) for topic in range(12)])
    error = np.sqrt(11 / 12 * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    half = t.ppf((1 + confidence) / 2, 11) * error
    value = scores.mean(axis=1)
    assert found.interval == pytest.approx(np.stack([value * np.exp(-half), value * np.exp(half)], axis=1))
    assert found.topic_interval == pytest.approx(found.interval)
    assert found.error == pytest.approx(value * error)
