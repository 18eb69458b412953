"""Expected recall, F1, AP and infAP, against the mean over every user."""

from __future__ import annotations

import pytest
from tests.unit.measures.expected.every_user import CHANCE, Topic, prm

from gainsayer.measures.expected.divided import (
    expected_average_precision,
    expected_f1,
    expected_inferred_precision,
    expected_recall,
)
from gainsayer.measures.preference import EPSILON

TOPICS = [Topic(), Topic((0, 1), (1, 3, 0)), Topic((2, 2, 2), (0, 0, 3))]
CHANCES = [CHANCE, (0.0, 0.5, 1.0)]


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
