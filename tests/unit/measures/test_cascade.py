"""RR, ERR and Success of users who stop, against walks down the ranks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.plain_lists import BINARY, LEVELS, PRM, PRM_UNJUDGED, draw_lists, gain_of

from gainsayer.gains import Gains, exponential_gains, linear_gains
from gainsayer.measures import expected_reciprocal_rank, reciprocal_rank, spell_out_unjudged, success

SURE = Gains(LEVELS, np.array([0.0, 0.5, 1.0]), name="prm")


@pytest.mark.parametrize("gains", [PRM, PRM_UNJUDGED, BINARY, SURE])
@pytest.mark.parametrize("depth", [None, 1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_users_go_on_until_satisfied(gains: Gains, depth: int | None, seed: int) -> None:
    """RR sums p_r / r times the chance of getting there; Success is the chance of stopping anywhere."""
    case = draw_lists(seed)
    ranked = spell_out_unjudged(case.ranked)
    found = reciprocal_rank(ranked, gains, depth=depth), success(ranked, gains, depth=depth)
    for topic, (entries, _) in enumerate(case.topics()):
        value, going = 0.0, 1.0
        for rank, entry in enumerate(entries[:depth], start=1):
            p = gain_of(entry, gains)
            value += going * p / rank
            going *= 1 - p
        assert found[0][topic] == pytest.approx(value, abs=1e-12)
        assert found[1][topic] == pytest.approx(1 - going, abs=1e-12)
    np.testing.assert_allclose(expected_reciprocal_rank(ranked, gains, depth=depth), found[0], atol=1e-12)


@pytest.mark.parametrize(
    ("gains", "satisfied"),
    [
        (exponential_gains(LEVELS), [0.0, 1 / 4, 3 / 4]),
        (linear_gains(LEVELS), [0.0, 1 / 3, 2 / 3]),
        (Gains(LEVELS, np.array([0.0, 0.5, 1.0]), name="exponential"), [0.0, 0.25, 0.5]),
    ],
)
def test_gains_that_are_no_probabilities_are_divided_by_the_largest_plus_one(
    gains: Gains, satisfied: list[float]
) -> None:
    """(2^i - 1) / 2^T, ERR on the levels' own scale; exponential gains of two levels are no probabilities either."""
    case = draw_lists(2)
    expected = reciprocal_rank(case.ranked, Gains(LEVELS, np.array(satisfied)))
    assert expected_reciprocal_rank(case.ranked, gains, max_rel=1) == pytest.approx(expected)


def test_each_draw_has_its_own_scale() -> None:
    """Stacked gains give what each of them gives alone, also for unjudged documents, and where one is probable."""
    ranked = spell_out_unjudged(draw_lists(6).ranked)
    stack = np.array([[0.0, 1.0, 3.0], [0.0, 2.0, 7.0], [0.0, 0.5, 1.0]])
    together = expected_reciprocal_rank(ranked, Gains(LEVELS, stack, unjudged=0.4))
    for place, values in enumerate(stack):
        alone = expected_reciprocal_rank(ranked, Gains(LEVELS, values, unjudged=0.4))
        assert together[place] == pytest.approx(alone)


def test_an_unjudged_document_is_scaled_like_the_others() -> None:
    """Worth 1 beside levels worth up to 3 it satisfies one user in four."""
    from gainsayer.rankings import ranked_from_lists

    ranked = spell_out_unjudged(ranked_from_lists({"q": [None]}, {"q": [1, 0, 1]}, levels=LEVELS))
    gains = Gains(LEVELS, np.array([0.0, 1.0, 3.0]), unjudged=1.0, name="exponential")
    assert expected_reciprocal_rank(ranked, gains, max_rel=2).tolist() == [0.25]
    assert expected_reciprocal_rank(ranked, gains).tolist() == [1 / 16]
