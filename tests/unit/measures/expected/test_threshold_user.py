"""Comonotone users: one threshold each, and what they find relevant."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.measures.expected.every_user import LEVELS, Topic, prm

from gainsayer.gains.values import Gains
from gainsayer.measures.cascade import reciprocal_rank
from gainsayer.measures.expected.threshold_user import score_threshold_users, share_with_threshold, threshold_users

GRID = (np.arange(20_000) + 0.5) / 20_000


@pytest.mark.parametrize("chance", [(0.1, 0.45, 0.8), (0.3, 0.3, 0.0), (1.0, 0.2, 0.2), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("unjudged", [0.0, 0.25])
def test_users_are_those_on_a_fine_grid_of_thresholds(chance: tuple[float, ...], unjudged: float) -> None:
    """The share of thresholds below the probability of just these levels."""
    users, share = threshold_users(Gains(LEVELS, np.array(chance), unjudged))
    found = {
        (*user.values.tolist(), user.unjudged): float(part) for user, part in zip(users, share[0], strict=True) if part
    }
    accepted = np.stack([np.array([*chance, unjudged]) > u for u in GRID]).astype(float)
    patterns, times = np.unique(accepted, axis=0, return_counts=True)
    expected = {tuple(p.tolist()): n / 20_000 for p, n in zip(patterns, times, strict=True) if p.any()}
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, abs=1e-4)


def test_scores_are_means_over_thresholds() -> None:
    """RR of each user on a fine grid of thresholds; draws one by one."""
    topic = Topic()
    chances = np.array([[0.1, 0.45, 0.8], [0.7, 0.2, 0.2]])
    found = score_threshold_users(reciprocal_rank, topic.ranked, Gains(LEVELS, chances))
    assert found.shape == (2, 1)
    for draw, chance in enumerate(chances):
        values = []
        for u in GRID[::20]:
            seen = [chance[level] > u for level in topic.run]
            values.append(1 / (seen.index(True) + 1) if any(seen) else 0.0)
        assert found[draw, 0] == pytest.approx(np.mean(values), abs=2e-3)
    alone = score_threshold_users(reciprocal_rank, topic.ranked, prm())
    assert alone == pytest.approx(found[0])


def test_the_largest_probability_in_the_pool_serves_its_share() -> None:
    """Levels that the pool lacks serve nobody; groups of equal documents count with all their levels."""
    ranked = Topic((0, 1), (1, 3, 0)).ranked
    assert share_with_threshold(ranked, prm()) == pytest.approx([0.45])
    assert share_with_threshold(Topic((), (0, 0, 0)).ranked, prm()).tolist() == [0.0]
    group = replace(ranked, choice_topic=np.array([0]), choice_levels=np.array([[True, False, True]]))
    assert share_with_threshold(group, prm()) == pytest.approx([0.8])
    assert share_with_threshold(group, Gains(LEVELS, np.array([[0.1, 0.2, 0.3], [0.9, 0.1, 0.1]]))).tolist() == [
        [0.3],
        [0.9],
    ]
