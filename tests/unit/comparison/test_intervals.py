"""Intervals of scores and differences: their ends, their scale, their bounds."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.comparison.small_worlds import given_scores

from gainsayer.comparison.differences import find_differences
from gainsayer.comparison.intervals import difference_intervals, score_intervals


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
