"""The jackknife over topics, against loops and scipy's t."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t, ttest_1samp

from gainsayer.disagreement.topic_jackknife import jackknife_intervals, leave_out_each


@pytest.mark.parametrize("topics", [1, 2, 7])
def test_all_but_one(topics: int) -> None:
    """The sum of the others, for each topic; 0 where there is no other; what was given stays as it is."""
    counts = np.random.default_rng(topics).random((topics, 2, 3))
    kept = counts.copy()
    expected = [np.delete(counts, topic, axis=0).sum(axis=0) for topic in range(topics)]
    np.testing.assert_allclose(leave_out_each(counts), expected, atol=1e-15)
    assert counts.tolist() == kept.tolist()


def test_no_dust_is_left() -> None:
    """A cell that one topic alone holds is exactly 0 without it, which the total less the topic is not."""
    counts = np.array([0.0, 0.1 + 0.2, 0.0])
    assert leave_out_each(counts)[1] == 0.0


@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_of_a_mean_it_is_the_t_interval(confidence: float) -> None:
    """Leaving topics out of a mean gives scipy's t interval, group by group."""
    groups = [np.array([0.1, 0.3, 0.35, 0.2]), np.array([-0.4, 0.5])]
    left = np.concatenate([(own.sum() - own) / (len(own) - 1) for own in groups])
    low, high = jackknife_intervals(
        np.array([[own.mean() for own in groups]]),
        left[None],
        np.array([0, 4, 6]),
        lowest=np.array([-100.0]),
        confidence=confidence,
    )
    for place, own in enumerate(groups):
        expected = ttest_1samp(own, 0).confidence_interval(confidence)
        assert low[0, place] == pytest.approx(expected.low)
        assert high[0, place] == pytest.approx(min(expected.high, 1.0))


def test_ends_are_cut_and_one_topic_has_none() -> None:
    """Not below the least value there is, nor above 1; a group of one topic, or with an unknown estimate, has none."""
    left = np.array([[0.9, 0.1, 0.5, 0.5, np.nan], [0.9, 0.1, 0.5, 0.5, np.nan]])
    low, high = jackknife_intervals(
        np.array([[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]),
        left,
        np.array([0, 2, 3, 5]),
        lowest=np.array([0.0, -1.0]),
        confidence=0.95,
    )
    half = t.ppf(0.975, 1) * np.sqrt(1 / 2 * 2 * 0.4**2)
    assert half > 2
    assert low[:, 0].tolist() == [0.0, -1.0]
    assert high[:, 0].tolist() == [1.0, 1.0]
    assert np.isnan(low[:, 1:]).all()
    assert np.isnan(high[:, 1:]).all()
