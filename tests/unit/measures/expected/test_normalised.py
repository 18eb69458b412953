"""Expected nDCG, against the mean over every user."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.expected.every_user import CHANCE, LEVELS, Topic, prm

from gainsayer.gains.values import Gains
from gainsayer.measures.expected import kinds
from gainsayer.measures.expected.normalised import expected_normalised_gain
from gainsayer.measures.profiles import DISCOUNTS

TOPICS = [Topic(), Topic((0, 1), (1, 3, 0)), Topic((2, 2, 2), (0, 0, 3)), Topic((0,), (1, 0, 0))]


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("discount", DISCOUNTS)
@pytest.mark.parametrize("depth", [None, 1, 2, 4, 50])
def test_every_user_has_an_ideal_of_their_own(topic: Topic, discount: str, depth: int | None) -> None:
    """DCG of what a user finds relevant over the best DCG that this user could have, down to the depth."""
    weight = DISCOUNTS[discount](np.arange(1.0, 60))

    def score(seen: list[bool], relevant: int) -> float:
        top = seen[:depth]
        ideal = weight[: relevant if depth is None else min(relevant, depth)].sum()
        return float((weight[: len(top)] * top).sum() / ideal)

    found = expected_normalised_gain(topic.ranked, prm(), discount=discount, depth=depth)
    assert found[0] == pytest.approx(topic.mean(score))


def test_draws_in_blocks_are_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three draws, one at a time in memory, give what each gives by itself."""
    chances = [CHANCE, (0.0, 0.5, 1.0), (0.9, 0.2, 0.3)]
    topic = Topic()
    alone = [expected_normalised_gain(topic.ranked, prm(chance), depth=3)[0] for chance in chances]
    monkeypatch.setattr(kinds, "BLOCK_NUMBERS", 1)
    together = expected_normalised_gain(topic.ranked, Gains(LEVELS, np.array(chances)), depth=3)
    assert together[:, 0] == pytest.approx(alone)
