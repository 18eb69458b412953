"""E[X / (c + R)] by quadrature, against the mean over every user."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.expected.every_user import CHANCE, Topic, prm

from gainsayer.errors import CallError
from gainsayer.measures import Kinds, expect_shares, find_kinds, share_with_relevant
from gainsayer.measures.expected import kinds as module

TOPIC = Topic((0, 1, 2, 0, 1, 2), (2, 2, 3))  # the first two documents of each level are in the list
CHANCES = [CHANCE, (0.0, 0.5, 1.0)]


def kinds_of(chance: tuple[float, ...], topic: Topic = TOPIC) -> Kinds:
    """The kinds of the topic's hits."""
    return next(find_kinds(topic.ranked, prm(chance)))


@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("added", [0, 1, 4])
@pytest.mark.parametrize("nodes", [1, 2, 64])
def test_shares_of_one_document_and_of_two(chance: tuple[float, ...], added: int, nodes: int) -> None:
    """For documents of each level, and for two of each two levels; however few nodes the rule begins with."""
    once, twice = expect_shares(kinds_of(chance), added=added, first_nodes=nodes)
    for one in range(3):
        single = TOPIC.mean(lambda seen, relevant, one=one: seen[one] / (added + relevant), chance)
        assert once[0, 0, one] == pytest.approx(single, abs=1e-10)
        for two in range(3):
            both = TOPIC.mean(
                lambda seen, relevant, one=one, two=two: seen[one] * seen[3 + two] / (added + relevant), chance
            )
            assert twice[0, 0, one, two] == pytest.approx(both, abs=1e-10)


@pytest.mark.parametrize("chance", [*CHANCES, (0.0, 0.0, 0.0)])
def test_users_to_whom_anything_is_relevant(chance: tuple[float, ...]) -> None:
    """1 - prod (1 - p) over the pool; 1 where a document is relevant to everybody, 0 where none is to anybody."""
    expected = sum(weight for weight, _, relevant in TOPIC.users(chance) if relevant)
    assert share_with_relevant(kinds_of(chance))[0, 0] == pytest.approx(expected)


def test_without_pairs_there_are_no_pairs() -> None:
    """The first answer is the same, the second empty."""
    alone, none = expect_shares(kinds_of(CHANCE), pairs=False)
    assert none.shape == (1, 1, 0, 0)
    assert alone == pytest.approx(expect_shares(kinds_of(CHANCE))[0])


def test_tables_that_no_memory_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs of very many kinds: the message says what to ask for instead; without pairs it is no matter."""
    monkeypatch.setattr(module, "MOST_NUMBERS", 10)
    with pytest.raises(CallError, match="all pairs of 3 kinds of documents, which is too large"):
        expect_shares(kinds_of(CHANCE))
    assert np.isfinite(expect_shares(kinds_of(CHANCE), pairs=False)[0]).all()
