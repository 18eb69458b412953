"""Sums over hits: a topic's score is its own, whatever stands beside it."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.gains import Gains
from gainsayer.measures import parse_measure, sum_before
from gainsayer.rankings import ranked_from_lists

TOPICS = 10_000
CHANCES = np.array([0.013, 0.171, 0.4239, 0.777])
Lists = dict[str, list[int | None]]


@pytest.fixture(scope="module")
def lists() -> Lists:
    """Lists of up to forty documents of four levels or none, for many topics."""
    random = np.random.default_rng(1)
    sizes = random.integers(0, 40, TOPICS)
    drawn = [random.integers(0, 5, size).tolist() for size in sizes]
    return {f"q{at:05}": [None if level == 4 else level for level in some] for at, some in enumerate(drawn)}


@pytest.mark.parametrize(
    "name", ["AP", "AP@10", "RR", "ERR", "Q", "GAP", "Rprec", "Success@5", "nDCG", "nDCG@10", "RBP", "F1@10", "infAP"]
)
def test_a_topic_scores_the_same_alone_and_among_ten_thousand(name: str, lists: Lists) -> None:
    """Scores of single topics equal those among all topics bit by bit, for gains with and without draws."""
    measure = parse_measure(name)
    pool = {topic: [20, 20, 20, 20] for topic in lists}
    everything = ranked_from_lists(lists, pool)
    values = (CHANCES > 0.4).astype(float) if name == "infAP" else CHANCES
    draws = np.random.default_rng(2).random((5, 4))
    scores = measure.score(everything, Gains(everything.levels, values))
    drawn = None if name == "infAP" else measure.score(everything, Gains(everything.levels, draws))
    for topic in list(lists)[:: TOPICS // 40][1:]:
        alone = ranked_from_lists({topic: lists[topic]}, {topic: pool[topic]})
        place = everything.topics.index(topic)
        assert measure.score(alone, Gains(alone.levels, values))[0] == scores[place]
        if drawn is not None:
            assert measure.score(alone, Gains(alone.levels, draws))[:, 0].tolist() == drawn[:, place].tolist()


def test_sums_before_a_hit_are_those_of_a_loop() -> None:
    """Sums before each hit equal a plain loop's, for lists of all lengths, empty ones among them."""
    random = np.random.default_rng(3)
    lists = {f"q{size:02}": [0] * size for size in (0, 1, 2, 3, 4, 5, 8, 9, 31, 0, 64)}
    ranked = ranked_from_lists(lists, {topic: [100, 0] for topic in lists})
    values = random.random((2, len(ranked.topic)))
    found = sum_before(ranked, values)
    for draw in range(2):
        total, last = 0.0, -1
        for hit, topic in enumerate(ranked.topic.tolist()):
            total = 0.0 if topic != last else total
            assert found[draw, hit] == total
            total, last = total + values[draw, hit], topic
    for whole in (random.integers(0, 3, len(ranked.topic)).astype(float), np.full(len(ranked.topic), 2.0**53 - 1)):
        total, last = 0.0, -1
        for hit, topic in enumerate(ranked.topic.tolist()):
            total = 0.0 if topic != last else total
            assert sum_before(ranked, whole)[hit] == total
            total, last = total + whole[hit], topic
    empty = ranked_from_lists({}, {"q": [1, 0]})
    assert sum_before(empty, np.zeros((3, 0))).shape == (3, 0)
