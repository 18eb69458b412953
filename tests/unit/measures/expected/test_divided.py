"""Expected recall, F1, AP, infAP and nDCG, against the mean over every user."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.expected.every_user import CHANCE, LEVELS, Topic, prm

from gainsayer.gains import Gains
from gainsayer.measures import (
    DISCOUNTS,
    EPSILON,
    expected_average_precision,
    expected_f1,
    expected_inferred_precision,
    expected_normalised_gain,
    expected_recall,
)
from gainsayer.measures.expected import kinds

CHANCES = [CHANCE, (0.0, 0.5, 1.0)]
TOPICS = [Topic(), Topic((0, 1), (1, 3, 0)), Topic((2, 2, 2), (0, 0, 3)), Topic((0,), (1, 0, 0))]


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("depth", [None, 1, 3])
def test_recall_and_average_precision(topic: Topic, chance: tuple[float, ...], depth: int | None) -> None:
    """Each user divides by what is relevant to them."""

    def ap(seen: list[bool], relevant: int) -> float:
        return sum(sum(seen[: r + 1]) / (r + 1) for r, view in enumerate(seen[:depth]) if view) / relevant

    recall = expected_recall(topic.ranked, prm(chance), depth=depth)
    assert recall[0] == pytest.approx(topic.mean(lambda seen, relevant: sum(seen[:depth]) / relevant, chance))
    assert expected_average_precision(topic.ranked, prm(chance), depth=depth)[0] == pytest.approx(
        topic.mean(ap, chance)
    )


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("depth", [1, 3, 10])
def test_f1(topic: Topic, depth: int) -> None:
    """2 found / (k + R)."""
    expected = topic.mean(lambda seen, relevant: 2 * sum(seen[:depth]) / (depth + relevant))
    assert expected_f1(topic.ranked, prm(), depth=depth)[0] == pytest.approx(expected)


@pytest.mark.parametrize("topic", TOPICS)
def test_inferred_precision(topic: Topic) -> None:
    """1/r + (pool before / r) (relevant before + eps) / (judged before + 2 eps) at each relevant document.

    At rank 1 nothing stands before, so that the formula is 1 by itself.
    """

    def score(seen: list[bool], relevant: int) -> float:
        return (
            sum(
                1 / (r + 1) + r / (r + 1) * (sum(seen[:r]) + EPSILON) / (r + 2 * EPSILON)
                for r, view in enumerate(seen)
                if view
            )
            / relevant
        )

    assert expected_inferred_precision(topic.ranked, prm())[0] == pytest.approx(topic.mean(score))


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
