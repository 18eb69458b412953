"""Exact expected measures: kinds of hits, what is kept, and each formula against the mean over every user."""

from __future__ import annotations

import gc
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from tests.scoring.every_user import CHANCE, LEVELS, Topic, prm

from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.measures import (
    DISCOUNTS,
    EPSILON,
    MOST_ANSWERS,
    MOST_NUMBERS,
    Kinds,
    cached,
    expect_shares,
    expected_average_precision,
    expected_f1,
    expected_inferred_precision,
    expected_normalised_gain,
    expected_q_measure,
    expected_r_precision,
    expected_recall,
    find_kinds,
    kind_profile,
    refuse_many,
    score_by_kinds,
    share_with_relevant,
    split_draws,
    zipf_discount,
)
from gainsayer.measures.expected import exact
from gainsayer.ranking import ranked_from_lists

PLAIN = ranked_from_lists({"q": [2, 0, None, 3, 1], "r": [0, 2]}, {"q": [2, 1, 1], "r": [1, 0, 2]}, levels=LEVELS)
# The documents at ranks 1 and 2 of q are equal to others with another label: groups {1, 2} and {0, 2}.
GROUPED = replace(
    PLAIN,
    member=np.array([-1, -2, 0, 0, 0, 0], dtype=np.int32),
    choice_topic=np.array([0, 0]),
    choice_levels=np.array([[False, True, True], [True, False, True]]),
)


def test_without_groups_kinds_are_levels() -> None:
    """One answer for all draws; a duplicate is of no kind."""
    gains = Gains(LEVELS, np.array([[0.1, 0.45, 0.8], [0.9, 0.2, 0.3]]))
    (found,) = find_kinds(PLAIN, gains)
    assert found.draws.tolist() == [0, 1]
    assert (found.size, found.kind.tolist(), found.pool_level.tolist()) == (3, [2, 0, 3, 1, 0, 2], [0, 1, 2])
    assert found.pool.tolist() == PLAIN.pool.tolist()


def test_documents_of_groups_are_in_the_pool_with_the_best_label() -> None:
    """By PRM gains both groups stand as level 2; the hits keep their own chance of being relevant."""
    (found,) = find_kinds(GROUPED, prm())
    assert found.pool.tolist() == [[2, 1, 3], [1, 0, 2]]
    assert found.size == 5
    assert found.kind.tolist() == [4, 3, 5, 1, 0, 2]
    assert found.pool_level.tolist() == [0, 1, 2, 2, 2]
    assert found.chance.tolist() == [[0.1, 0.45, 0.8, 0.1, 0.8]]


def test_draws_with_other_orders_have_other_kinds() -> None:
    """Where level 1 is worth most the first group is in the pool as that; every draw is answered once."""
    gains = Gains(LEVELS, np.array([[0.1, 0.45, 0.8], [0.1, 0.9, 0.3], [0.1, 0.45, 0.8]]))
    found = {tuple(kinds.draws.tolist()): kinds.pool.tolist()[0] for kinds in find_kinds(GROUPED, gains)}
    assert found == {(0, 2): [2, 1, 3], (1,): [2, 2, 2]}
    scores = score_by_kinds(GROUPED, gains, lambda kinds: kinds.pool[:, 1].astype(float))
    assert scores.tolist() == [[1, 0], [2, 0], [1, 0]]
    assert score_by_kinds(GROUPED, prm(), lambda kinds: kinds.pool[:, 1].astype(float)).tolist() == [1, 0]


@pytest.mark.parametrize("depth", [None, 2])
def test_profiles_of_kinds(depth: int | None) -> None:
    """Discounts at the ranks of each kind, down to the depth, with groups and without."""
    for ranked in (PLAIN, GROUPED):
        (found,) = find_kinds(ranked, prm())
        expected = np.zeros((2, found.size))
        for topic, rank, kind in zip(ranked.topic, ranked.rank, found.kind, strict=True):
            if kind < found.size and (depth is None or rank <= depth):
                expected[topic, kind] += 1 / rank
        np.testing.assert_allclose(kind_profile(ranked, found, zipf_discount, depth), expected, atol=1e-12)


def test_blocks_cover_all_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many draws at a time as the bound allows, at least one."""
    monkeypatch.setattr(exact, "BLOCK_NUMBERS", 10)
    assert [(part.start, part.stop) for part in split_draws(5, 4)] == [(0, 2), (2, 4), (4, 6)]
    assert len(list(split_draws(3, 99))) == 3
    assert len(list(split_draws(3, 0))) == 1


def test_tables_have_a_largest_size() -> None:
    """Just as large as allowed is allowed."""
    (found,) = find_kinds(PLAIN, prm())
    refuse_many(found, MOST_NUMBERS)
    with pytest.raises(CallError, match="all pairs of 3 kinds"):
        refuse_many(found, MOST_NUMBERS + 1)


def test_the_cache_is_bounded_and_dies_with_the_gains() -> None:
    """A few answers per gains, and none once the gains are gone."""
    gains = prm()
    for number in range(3 * MOST_ANSWERS):
        cached(gains, number, lambda number=number: np.full(3, number))  # type: ignore[misc]
    assert len(exact._CACHE[gains]) == MOST_ANSWERS
    before = len(exact._CACHE)
    del gains
    gc.collect()
    assert len(exact._CACHE) < before


def test_the_last_answers_asked_for_are_kept() -> None:
    """An answer asked for again stays when others push the oldest out."""
    gains = prm()
    for number in range(MOST_ANSWERS):
        cached(gains, number, lambda number=number: number)  # type: ignore[misc]
    assert cached(gains, 0, lambda: -1) == 0
    cached(gains, "new", lambda: 1)
    assert cached(gains, 0, lambda: -1) == 0
    assert cached(gains, 1, lambda: -1) == -1, "the oldest one is gone"
    assert cached(prm(), 0, lambda: -2) == -2, "other gains have other answers"


def test_large_answers_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays count with their bytes, also within tuples and lists."""
    monkeypatch.setattr(exact, "MOST_BYTES", 80)
    gains = prm()
    for key, answer, kept in (
        ("small", np.zeros(10), True),
        ("large", np.zeros(11), False),
        ("both", (np.zeros(5), [np.zeros(6)]), False),
        ("pair", (np.zeros(5), [np.zeros(5)]), True),
    ):
        cached(gains, key, lambda answer=answer: answer)  # type: ignore[misc]
        assert (key in exact._CACHE[gains]) == kept


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
    monkeypatch.setattr(exact, "MOST_NUMBERS", 10)
    with pytest.raises(CallError, match="all pairs of 3 kinds of documents, which is too large"):
        expect_shares(kinds_of(CHANCE))
    assert np.isfinite(expect_shares(kinds_of(CHANCE), pairs=False)[0]).all()


TOPICS = [
    *(Topic(), Topic((0, 1), (1, 3, 0)), Topic((2, 2, 2), (0, 0, 3))),
    *(Topic((0,), (1, 0, 0)), Topic((), (1, 0, 1))),
]


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
    for score in (expected_r_precision, expected_q_measure, partial(expected_normalised_gain, depth=3)):
        alone = [score(topic.ranked, prm(chance))[0] for chance in chances]
        assert score(topic.ranked, Gains(LEVELS, np.array(chances)))[:, 0] == pytest.approx(alone)
        with monkeypatch.context() as patched:
            patched.setattr(exact, "BLOCK_NUMBERS", 1)
            assert score(topic.ranked, Gains(LEVELS, np.array(chances)))[:, 0] == pytest.approx(alone)
