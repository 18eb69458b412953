"""Expected R-precision and Q, against the mean over every user."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.expected.every_user import CHANCE, LEVELS, Topic, prm

from gainsayer.gains import Gains
from gainsayer.measures import expected_q_measure, expected_r_precision
from gainsayer.measures.expected import kinds

TOPICS = [Topic(), Topic((0, 1), (1, 3, 0)), Topic((2, 2, 2), (0, 0, 3)), Topic((), (1, 0, 1))]
CHANCES = [CHANCE, (0.0, 0.5, 1.0)]


def q(seen: list[bool], relevant: int, beta: float, depth: int | None) -> float:
    """Sakai's Q of one user."""
    parts = [
        (1 + beta) * sum(seen[:r]) / (r + beta * min(r, relevant))
        for r, view in enumerate(seen[:depth], start=1)
        if view
    ]
    return sum(parts) / relevant


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("chance", CHANCES)
def test_every_user_cuts_at_their_own_r(topic: Topic, chance: tuple[float, ...]) -> None:
    """Relevant documents among the first R, over R."""
    expected = topic.mean(lambda seen, relevant: sum(seen[:relevant]) / relevant, chance)
    assert expected_r_precision(topic.ranked, prm(chance))[0] == pytest.approx(expected)


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("beta", [1.0, 10.0])
@pytest.mark.parametrize("depth", [None, 2])
def test_q_of_every_user(topic: Topic, chance: tuple[float, ...], beta: float, depth: int | None) -> None:
    """Counts and gains are the same for a user who sees two levels."""
    expected = topic.mean(lambda seen, relevant: q(seen, relevant, beta, depth), chance)
    assert expected_q_measure(topic.ranked, prm(chance), beta=beta, depth=depth)[0] == pytest.approx(expected)


def test_draws_in_blocks_are_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three draws, one at a time in memory, give what each gives by itself."""
    chances = [CHANCE, (0.0, 0.5, 1.0), (0.9, 0.2, 0.3)]
    topic = Topic()
    for score in (expected_r_precision, expected_q_measure):
        alone = [score(topic.ranked, prm(chance))[0] for chance in chances]
        assert score(topic.ranked, Gains(LEVELS, np.array(chances)))[:, 0] == pytest.approx(alone)
        with monkeypatch.context() as patched:
            patched.setattr(kinds, "BLOCK_NUMBERS", 1)
            assert score(topic.ranked, Gains(LEVELS, np.array(chances)))[:, 0] == pytest.approx(alone)
