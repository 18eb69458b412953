"""Estimated gains: PRM, UDM and utilities; a level that nobody judged twice is refused, never guessed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import gainsayer as gs
from gainsayer.errors import CallError, MissingParameterError, UnknownLevelError

LEVELS = gs.Levels(("0", "1", "2"))
COUNTS = np.array([[40, 5, 5], [10, 10, 5], [2, 8, 10]])


def fitted(matrix: np.ndarray = COUNTS, levels: gs.Levels = LEVELS) -> gs.model.Disagreement:
    """The one-sided estimate of a matrix."""
    return gs.estimate_disagreement(gs.model.PairCounts.from_matrix(levels, matrix), estimator="one-sided")


def test_prm_gains_are_the_probabilities() -> None:
    """g(i) = p(R|i): 5/50, 5/25, 10/20 at the top level."""
    gains = gs.prm_gains(gs.predict_relevance(fitted()))
    assert gains.values.tolist() == [0.1, 0.2, 0.5]
    assert gains.unjudged == 0, "an unjudged document is not a document of level 0"
    assert gains.name == "prm"


@pytest.mark.parametrize(("at_least", "of"), [(1, 1), (1, 2), (2, 2), (2, 3), (3, 5), (1, 20), (20, 20)])
def test_at_least_m_of_n_users_is_a_binomial_tail(at_least: int, of: int) -> None:
    """Eq. (2) from scipy.stats, with p = 0 and p = 1 among the levels."""
    matrix = np.array([[9, 1, 0], [10, 10, 5], [0, 0, 10]])
    prediction = gs.predict_relevance(fitted(matrix))
    gains = gs.prm_gains(prediction, at_least=at_least, of=of)
    np.testing.assert_allclose(gains.values, stats.binom.sf(at_least - 1, of, [0, 0.2, 1]), rtol=1e-12)


@pytest.mark.parametrize(("at_least", "of"), [(1, 2), (2, 2), (2, 3), (1, 1), (3, 6)])
def test_udm_gains_count_the_observed_assessor(at_least: int, of: int) -> None:
    """Eq. (3): the top level has one vote already, the lowest is worth nothing."""
    gains = gs.gains.udm_gains(fitted(), at_least=at_least, of=of).values
    assert gains[0] == 0
    assert gains[1] == pytest.approx(stats.binom.sf(at_least - 1, of - 1, 0.2))
    assert gains[2] == pytest.approx(stats.binom.sf(at_least - 2, of - 1, 0.5))


def test_udm_needs_no_estimate_of_level_0_and_knows_which_it_is() -> None:
    """Level 0 and what stands below it (spam) are worth 0, whether or not they were judged twice."""
    levels = gs.Levels(("-2", "0", "1", "2"))
    matrix = np.array([[0, 0, 0, 0], [1, 5, 2, 2], [1, 2, 5, 2], [0, 1, 1, 2]])
    assert gs.gains.udm_gains(fitted(matrix, levels)).values.tolist() == [0, 0, 0.2, 1]
    binary = gs.Levels(("-1", "0"))
    assert gs.gains.udm_gains(fitted(np.array([[3, 1], [1, 3]]), binary)).values.tolist() == [0, 1]
    categories = gs.Levels(("a", "b", "c"), ordered=False)
    with pytest.raises(CallError, match="have no order"):
        gs.gains.udm_gains(fitted(levels=categories))


@pytest.mark.parametrize(("at_least", "of"), [(0, 1), (2, 1), (-1, 3)])
def test_impossible_numbers_of_users_are_refused(at_least: int, of: int) -> None:
    """At least M of N needs 1 <= M <= N."""
    with pytest.raises(CallError, match=f"needs 1 <= M <= N, found M = {at_least}, N = {of}"):
        gs.prm_gains(gs.predict_relevance(fitted()), at_least=at_least, of=of)
    with pytest.raises(CallError, match="needs 1 <= M <= N"):
        gs.gains.udm_gains(fitted(), at_least=at_least, of=of)


def test_utilities_are_expected_values_for_a_random_user() -> None:
    """g = P u; with u the indicator of R it is the PRM, and thresholds in shares are one utility."""
    disagreement = fitted()
    relevance = LEVELS.at_or_above("1")
    prm = gs.prm_gains(gs.predict_relevance(disagreement, relevance)).values
    np.testing.assert_allclose(gs.gains.utility_gains(disagreement, relevance.indicator).values, prm)
    # Users with threshold 1 in a share of .3 and threshold 2 in a share of .7: u = (0, .3, 1).
    mixed = gs.gains.utility_gains(disagreement, {"0": 0, "1": 0.3, "2": 1.0}).values
    top = gs.prm_gains(gs.predict_relevance(disagreement)).values
    np.testing.assert_allclose(mixed, 0.3 * prm + 0.7 * top)


def test_a_missing_probability_is_refused_never_0() -> None:
    """The message names the level and what to do; a gain given by hand mends it; others are left alone."""
    matrix = COUNTS.copy()
    matrix[1] = 0
    disagreement = fitted(matrix)
    prediction = gs.predict_relevance(disagreement)
    words = r"No pair has level '1'.*Judge some '1' documents a second time.*gain=\{'1': 0.5\}"
    for ask in (
        lambda: gs.prm_gains(prediction),
        lambda: gs.prm_gains(prediction, at_least=2, of=3),
        lambda: gs.gains.udm_gains(disagreement),
        lambda: gs.gains.utility_gains(disagreement, np.arange(3.0)),
    ):
        with pytest.raises(MissingParameterError, match=words):
            ask()
    assert gs.prm_gains(prediction, overrides={"1": 0.25}).values.tolist() == [0.1, 0.25, 0.5]
    with pytest.raises(UnknownLevelError, match="no level '9'"):
        gs.prm_gains(prediction, overrides={"9": 0.25})
