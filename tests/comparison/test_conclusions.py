"""From what the topics say to standings and tests, however they were asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.comparison.many_topics import make_topics

from gainsayer.comparison import (
    CompareOptions,
    Measured,
    Part,
    compare_effects,
    conclude_part,
    list_pairs,
    summed_differences,
    summed_effect,
    summed_intervals,
)
from gainsayer.measures import parse_measure


@pytest.fixture(scope="module")
def measured() -> Measured:
    """Four runs on 5,000 topics."""
    moments = make_topics().moments()
    a, b = list_pairs(4)
    scores = summed_intervals(moments, confidence=0.95, highest=1.0)
    differences = summed_differences(moments, a, b, confidence=0.95, highest=1.0)
    effect = summed_effect(moments, differences.difference, a, b)
    return Measured(moments.estimate, moments.deviation, True, scores, differences, effect, 5_000)


@pytest.fixture(scope="module")
def part() -> Part:
    """A measure and a scheme."""
    scheme = make_topics().scheme
    return Part(parse_measure("P@3"), scheme, scheme.gains)


def test_standings_shares_and_tests(measured: Measured, part: Part) -> None:
    """Scores come with s / sqrt(T), ranks with sets, shares as parts of the joint variance, and a test of all pairs."""
    found = conclude_part(part, None, measured, CompareOptions())
    assert found.values is None
    assert found.standings.value is measured.value
    assert found.error == pytest.approx(measured.deviation / np.sqrt(5_000))
    assert found.standings.rank.tolist() == [4, 3, 2, 1]
    low, high = found.standings.rank_interval.T
    assert ((low <= found.standings.rank) & (found.standings.rank <= high)).all()
    assert found.shares is not None
    assert measured.scores is not None
    errors = measured.scores.errors
    assert found.shares.topics == pytest.approx(errors.topics / errors.error**2)
    assert found.shares.parameters == pytest.approx(errors.parameters / errors.error**2)
    assert found.tests is not None
    assert (found.tests.test, found.tests.adjustment) == ("joint", "single-step")
    assert len(found.groups) == 4
    assert found.possibly_best is not None
    assert 3 in found.possibly_best


def test_given_gains_have_no_shares(measured: Measured, part: Part) -> None:
    """Where nothing is estimated, nothing says where the uncertainty comes from."""
    found = conclude_part(part, None, replace(measured, estimated=False), CompareOptions())
    assert found.shares is None
    assert found.pair_shares is None


def test_a_baseline_leaves_ranks_open(measured: Measured, part: Part) -> None:
    """Where not all pairs are tested there are no rank sets, letters or best runs."""
    found = conclude_part(part, None, measured, CompareOptions(baseline="x"))
    assert np.isnan(found.standings.rank_interval).all()
    assert found.groups == ()
    assert found.possibly_best is None


def test_fixed_tests_are_kept(measured: Measured, part: Part) -> None:
    """A test with the gains held fixed takes the place of the joint one."""
    a, b = list_pairs(4)
    assert measured.differences is not None
    fixed = compare_effects(a, b, measured.differences.difference, measured.effect, topics=5_000)
    found = conclude_part(part, None, replace(measured, fixed=fixed), CompareOptions(test="t"))
    assert found.tests is fixed
    assert found.power is not None
    assert found.power.power == pytest.approx(np.mean(fixed.p_adjusted < 0.05))


def test_a_single_topic_says_nothing(part: Part) -> None:
    """No errors, no intervals, no tests; scores and ranks stay."""
    bare = Measured(np.array([0.2, 0.5]), np.full(2, np.nan), True, None, None, np.empty(0), 1)
    found = conclude_part(part, np.array([[0.2], [0.5]]), bare, CompareOptions())
    assert found.standings.rank.tolist() == [2, 1]
    assert np.isnan(found.standings.interval).all()
    assert found.tests is None
