"""How many relevant documents users find: distributions, against every user and binomials."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom
from tests.scoring.every_user import Topic

from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.measures import FoundDistribution, distribute_found, distribute_runs
from gainsayer.ranking import ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
RANKED = ranked_from_lists({"q": [2, None, 1, 3, 0]}, {"q": [4, 2, 1], "r": [1, 1, 0]}, levels=LEVELS)


def prm(unjudged: float = 0.0) -> Gains:
    """Probabilities of relevance as gains."""
    return Gains(LEVELS, np.array([0.05, 0.3, 0.7]), unjudged, "prm")


def test_half_of_the_users_find_at_least() -> None:
    """The quantile is the number that the share of users reaches, and a topic's mean is the PRM count."""
    found = distribute_found(RANKED, prm(), depth=3)
    assert found.quantile(0.5).tolist() == [1, 0]
    assert found.at_least(1)[0] == pytest.approx(1 - 0.3 * 0.7)
    assert found.probability.mean(axis=-2).sum() == pytest.approx(1.0)
    with pytest.raises(CallError, match="A share of users"):
        found.quantile(0.0)
    with pytest.raises(CallError, match="depth must be above 0"):
        distribute_found(RANKED, prm(), depth=0)


@pytest.mark.parametrize("depth", [1, 3, 9])
def test_independent_users_by_enumeration(depth: int) -> None:
    """The share of all users who find so many in the top; as many numbers as the list is long."""
    topic = Topic()
    found = distribute_found(topic.ranked, prm(), depth=depth).probability[0]
    chance = (0.05, 0.3, 0.7)
    assert len(found) == min(depth, 5) + 1
    for number, share in enumerate(found):
        expected = sum(weight for weight, seen, _ in topic.users(chance) if sum(seen[:depth]) == number)
        assert share == pytest.approx(expected)


def test_comonotone_users_find_by_steps() -> None:
    """Levels 2, 1, 0 at ranks 1, 3, 5: .3 find nothing, .4 one, .25 two, .05 all three."""
    found = distribute_found(RANKED, prm(), depth=5, users="comonotone")
    assert found.probability[0] == pytest.approx([0.3, 0.4, 0.25, 0.05, 0, 0])
    assert found.nothing == pytest.approx([0.3, 1.0])
    assert found.mean == pytest.approx([1.05, 0.0])
    assert found.quantile(0.7).tolist() == [1, 0]
    assert found.quantile(0.71).tolist() == [0, 0]


@pytest.mark.parametrize("users", ["independent", "comonotone", 0.4])
def test_all_users_find_as_many_on_average(users: object) -> None:
    """The mean is the sum of the chances, unjudged documents included; draws stack on the first axis."""
    gains = Gains(LEVELS, np.array([[0.05, 0.3, 0.7], [0.6, 0.1, 0.2]]), unjudged=0.1)
    found = distribute_found(RANKED, gains, depth=4, users=users)  # type: ignore[arg-type]
    assert found.probability.shape == (2, 2, 5)
    assert found.mean[:, 0] == pytest.approx([0.7 + 0.1 + 0.3, 0.2 + 0.1 + 0.1], abs=1e-9)
    assert found.probability.sum(axis=-1) == pytest.approx(np.ones((2, 2)))


def test_documents_of_one_level_are_a_binomial() -> None:
    """Five documents of level 1: scipy's binomial and its tails."""
    run = ranked_from_lists({"q": [1] * 5}, {"q": [0, 5, 0]}, levels=LEVELS)
    found = distribute_found(run, prm(), depth=5)
    assert found.probability[0] == pytest.approx(binom.pmf(np.arange(6), 5, 0.3))
    assert found.at_least(2) == pytest.approx([binom.sf(1, 5, 0.3)])
    assert found.at_least(-1) == pytest.approx([1.0])


def test_runs_on_a_random_topic() -> None:
    """The mean over the chosen topics, padded to the longest run; a share of one is reached by nobody's zero."""
    other = ranked_from_lists({"q": [2], "r": [1]}, {"q": [4, 2, 1], "r": [1, 1, 0]}, levels=LEVELS)
    found = distribute_runs([RANKED, other], prm(), depth=3)
    assert found.probability.shape == (2, 4)
    assert found.probability[1] == pytest.approx([(0.3 + 0.7) / 2, (0.7 + 0.3) / 2, 0, 0])
    only = distribute_runs([RANKED, other], prm(), depth=3, chosen=np.array([True, False]))
    assert only.probability[1] == pytest.approx([0.3, 0.7, 0, 0])
    whole = FoundDistribution(np.array([[0.25, 0.75]]), 1, "independent")
    assert (whole.quantile(1.0).tolist(), whole.probability.mean(axis=-2).tolist()) == ([0], [0.25, 0.75])


def test_found_needs_probabilities() -> None:
    """Gains of 2 are no chances."""
    with pytest.raises(CallError, match="not between 0 and 1"):
        distribute_found(RANKED, Gains(LEVELS, np.array([0.0, 1.0, 2.0])), depth=3)


def test_quantiles_of_draws() -> None:
    """More topics than numbers, on an axis of draws: each has its own quantile."""
    table = np.array([[[0.5, 0.5], [0.2, 0.8], [1.0, 0.0]], [[0.9, 0.1], [0.0, 1.0], [0.3, 0.7]]])
    found = FoundDistribution(table, 1, "independent")
    assert found.quantile(0.5).tolist() == [[1, 1, 0], [0, 1, 1]]
    assert found.probability.mean(axis=-2).round(12).tolist() == [[round(1.7 / 3, 12), round(1.3 / 3, 12)], [0.4, 0.6]]
