"""Lists written out by hand are those that a run and judgments make."""

from __future__ import annotations

import random

import pytest
from tests.scoring.plain_lists import order, random_labels, random_run

from gainsayer.errors import CallError
from gainsayer.levels import Levels
from gainsayer.ranking import make_pool, rank_levels, ranked_from_lists
from gainsayer.reading import read_judgments, read_run

THREE = Levels(("0", "1", "2"))


@pytest.mark.parametrize("seed", range(10))
def test_by_hand_as_from_files(seed: int) -> None:
    """The levels at each rank, written out with Python's sorting, are what reading and matching gives."""
    generator = random.Random(seed)
    scored, labels = random_run(generator), random_labels(generator)
    matched = rank_levels(read_run(scored), make_pool(read_judgments({"U": labels}, levels=THREE)))
    lists = {topic: [labels[topic].get(name) for name in order(scored[topic])] for topic in labels if topic in scored}
    counts = {topic: [list(own.values()).count(level) for level in range(3)] for topic, own in labels.items()}
    by_hand = ranked_from_lists(lists, counts)
    for name in ("topics", "topic", "rank", "level", "retrieved", "present", "pool"):
        one, two = getattr(matched, name), getattr(by_hand, name)
        assert list(one) == list(two) if name == "topics" else one.tolist() == two.tolist(), name


def test_what_is_no_list_is_refused() -> None:
    """A topic without a pool, and a level that is not there."""
    with pytest.raises(CallError, match="The pool lacks the topics q2, q3 of the lists"):
        ranked_from_lists({"q3": [], "q2": [0], "q1": [0]}, {"q1": [1]})
    with pytest.raises(CallError, match="A level of a list is a place among 0, 1: 0 to 1"):
        ranked_from_lists({"q1": [3]}, {"q1": [1, 1]})
