"""Users drawn at random: the same for all runs, and how closely their mean is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure, simulate_users
from gainsayer.measures.expected.simulated import _TopicViews
from gainsayer.ranking import ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
RANKED = ranked_from_lists({"q": [2, None, 1, 3, 0]}, {"q": [4, 2, 1], "r": [1, 1, 0]}, levels=LEVELS)


def prm(unjudged: float = 0.0) -> Gains:
    """Probabilities of relevance as gains."""
    return Gains(LEVELS, np.array([0.05, 0.3, 0.7]), unjudged, "prm")


def test_simulated_users_can_be_left_out_too() -> None:
    """Conditioning simulated users agrees with dividing by the share of those who have something relevant."""
    measure = parse_measure("AP(users='independent',condition_on_relevant=True)")
    found = simulate_users(RANKED, prm(), parse_measure("AP").score, condition_on_relevant=True, sample=8000)
    assert (np.abs(found.values - measure.score(RANKED, prm())) <= 5 * found.standard_error).all()


def test_simulation_is_reproducible_and_says_its_error() -> None:
    """The same seed gives the same users, another one others; the error falls with the root of their number."""
    one, same, other = (
        parse_measure(f"Bpref(users=0.2,sample=500,seed={seed})").score_users(RANKED, prm()) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one.values, same.values)
    assert (one.values != other.values).any()
    many = parse_measure("Bpref(users=0.2,sample=8000)").score_users(RANKED, prm())
    assert many.standard_error[0] == pytest.approx(one.standard_error[0] / 4, rel=0.15)


def test_draws_of_simulated_users() -> None:
    """A stack of probabilities gives the simulated values of each, with the same users."""
    stack = np.array([[0.05, 0.3, 0.7], [0.0, 0.5, 0.9]])
    together = simulate_users(RANKED, Gains(LEVELS, stack), parse_measure("RR").score, sample=200)
    for place, values in enumerate(stack):
        alone = simulate_users(RANKED, Gains(LEVELS, values), parse_measure("RR").score, sample=200)
        np.testing.assert_array_equal(together.values[place], alone.values)
    assert together.standard_error.shape == (2, 2)


@pytest.mark.parametrize("correlation", [0.0, 0.5, 1.0])
def test_the_mean_is_the_share_that_finds_the_first_document_relevant(correlation: float) -> None:
    """P@1 of a document with p = .7 is .7 for any users; its error is that of a share of so many users."""
    found = simulate_users(RANKED, prm(), parse_measure("P@1").score, correlation=correlation, sample=4000)
    share = found.values[0]
    assert share == pytest.approx(0.7, abs=5 * np.sqrt(0.21 / 4000))
    assert found.standard_error[0] == pytest.approx(np.sqrt(share * (1 - share) / 3999), rel=1e-9)
    assert (found.values[1], found.standard_error[1]) == (0.0, 0.0)


def test_comonotone_users_accept_all_that_is_likelier() -> None:
    """Correlation 1: RR over users is the exact value over thresholds, within five errors."""
    found = simulate_users(RANKED, prm(), parse_measure("AP").score, correlation=1.0, sample=4000)
    exact = parse_measure("AP(users='comonotone')").score(RANKED, prm())
    assert (np.abs(found.values - exact) <= 5 * found.standard_error + 1e-12).all()


def test_runs_meet_the_same_users() -> None:
    """The same document at rank 1 of two lists pleases the same users: P@1 is the same number."""
    other = ranked_from_lists({"q": [2], "r": [1]}, {"q": [4, 2, 1], "r": [1, 1, 0]}, levels=LEVELS)
    one, two = (simulate_users(run, prm(), parse_measure("P@1").score, sample=300).values[0] for run in (RANKED, other))
    assert one == two


def test_two_users_are_the_fewest() -> None:
    """One user has no error; gains must be probabilities."""
    with pytest.raises(CallError, match="needs at least 2 of them, found 1"):
        simulate_users(RANKED, prm(), parse_measure("AP").score, sample=1)
    with pytest.raises(CallError, match="not between 0 and 1"):
        simulate_users(RANKED, Gains(LEVELS, np.array([0.0, 1.0, 2.0])), parse_measure("AP").score)
    assert simulate_users(RANKED, prm(), parse_measure("AP").score, sample=2).values.shape == (2,)


@pytest.mark.parametrize("pool", [[2, 1, 1], [3, 1, 1]])
def test_equal_documents_with_several_labels_are_relevant_together(pool: list[int]) -> None:
    """Two groups of equal documents, both returned: simulated users agree with the exact value for such groups."""
    plain = ranked_from_lists({"q": [2, 0, 1], "r": [0, 2]}, {"q": pool, "r": [1, 0, 2]}, levels=LEVELS)
    grouped = replace(
        plain,
        member=np.array([-1, -2, 0, 0, 0], dtype=np.int32),
        choice_topic=np.array([0, 0]),
        choice_levels=np.array([[False, True, True], [True, False, True]]),
    )
    for name in ("AP", "R@2"):
        found = simulate_users(grouped, prm(), parse_measure(name).score, sample=8000)
        exact = parse_measure(f"{name.split('@')[0]}(users='independent'){name[len(name.split('@')[0]) :]}")
        assert (np.abs(found.values - exact.score(grouped, prm())) <= 4 * found.standard_error).all()


@pytest.mark.parametrize("pool", [[2, 1, 1], [3, 1, 1], [2, 2, 3]])
def test_groups_and_single_documents_are_seen_independently(pool: list[int]) -> None:
    """Two groups and a document, relevant to half of the users each: an eighth of them find nothing."""
    plain = ranked_from_lists({"q": [2, 0, 2]}, {"q": pool}, levels=LEVELS)
    grouped = replace(
        plain,
        member=np.array([-1, -2, 0], dtype=np.int32),
        choice_topic=np.array([0, 0]),
        choice_levels=np.array([[False, True, True], [True, False, True]]),
    )
    even = Gains(LEVELS, np.full(3, 0.5))
    found = simulate_users(grouped, even, parse_measure("Success@3").score, sample=4000)
    assert abs(found.values[0] - 7 / 8) <= 4 * found.standard_error[0]


def test_every_document_has_chances_of_its_own() -> None:
    """No two documents of a list are found relevant by the same draw of a user, whatever their levels."""
    ranked = ranked_from_lists({"q": [0, 0, 0, 1, 1, 1, 2, 2, 2]}, {"q": [3, 3, 3]}, levels=LEVELS)
    views = _TopicViews(ranked, 0, 0.2, 5, 0)
    assert sorted(views._slot.tolist()) == list(range(9))
    assert views._pool_level[views._slot].tolist() == ranked.level.tolist()
