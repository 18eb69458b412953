"""Sums over lists, against walks down the ranks; and a topic's sums are its own, whatever stands next to it."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from tests.scoring.level_lists import DUPLICATE, LEVELS, PRM, PRM_UNJUDGED, draw_lists, gain_of

from gainsayer.gains import Gains
from gainsayer.measures import (
    divide,
    gains_of_hits,
    ideal_score,
    level_profile,
    log_discount,
    no_discount,
    pair_profile,
    parse_measure,
    pool_total,
    running_discount,
    spell_out_unjudged,
    sum_before,
    sum_by_topic,
    zipf_discount,
)
from gainsayer.ranking import ranked_from_lists

PLAIN = {
    "log": (log_discount, lambda r: 1 / np.log2(r + 1)),
    "zipf": (zipf_discount, lambda r: 1 / r),
    "none": (no_discount, lambda r: 1.0),
}
RANKED = draw_lists(8).ranked
VALUES = np.random.default_rng(2).random((3, len(RANKED.rank)))


@pytest.mark.parametrize("name", PLAIN)
def test_discounts_by_rank(name: str) -> None:
    """Eq. (11) at ranks 1 to 20, and their running sums; the first rank counts 1."""
    discount, plain = PLAIN[name]
    ranks = np.arange(1.0, 21)
    assert discount(ranks) == pytest.approx([plain(r) for r in ranks])
    assert discount(ranks)[0] == 1
    lengths = np.array([0, 1, 5, 20])
    expected = [sum(plain(r) for r in range(1, n + 1)) for n in lengths]
    assert running_discount(discount, lengths) == pytest.approx(expected)


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("depth", [None, 1, 3])
@pytest.mark.parametrize("seed", range(5))
def test_profiles_are_those_of_a_walk(name: str, depth: int | None, seed: int) -> None:
    """Discounts summed by level, unjudged ranks last, duplicates in no column."""
    discount, plain = PLAIN[name]
    case = draw_lists(seed)
    expected = np.zeros((6, 4))
    for topic, (entries, _) in enumerate(case.topics()):
        for rank, entry in enumerate(entries[:depth], start=1):
            if entry != DUPLICATE:
                expected[topic, 3 if entry is None else entry] += plain(rank)
    np.testing.assert_allclose(level_profile(case.ranked, discount, depth)[:, :3], expected[:, :3], atol=1e-12)
    without = draw_lists(seed).lists
    if not any(DUPLICATE in entries for entries in without.values()):
        np.testing.assert_allclose(level_profile(case.ranked, discount, depth), expected, atol=1e-12)


def test_a_duplicate_is_neither_judged_nor_unjudged() -> None:
    """A list of a relevant document, its duplicate and an unjudged one has one unjudged rank."""
    from gainsayer.ranking import ranked_from_lists

    ranked = ranked_from_lists({"q": [2, DUPLICATE, None]}, {"q": [0, 0, 1]}, levels=LEVELS)
    assert level_profile(ranked, zipf_discount).round(12).tolist() == [[0, 0, 1, round(1 / 3, 12)]]


@pytest.mark.parametrize("gains", [[0.1, 0.45, 0.8], [0.3, 0.1, 0.2], [-0.5, 0.2, 0.1], [0.0, 0.0, 1.0]])
@pytest.mark.parametrize("depth", [None, 1, 3])
def test_the_ideal_is_the_best_of_all_orders(gains: list[float], depth: int | None) -> None:
    """Every order of the pool's documents tried; negative gains are never chosen."""
    case = draw_lists(3, topics=4)
    found = ideal_score(case.ranked, np.array(gains), log_discount, depth)
    for topic, (_, pool) in enumerate(case.topics()):
        documents = [max(gains[level], 0.0) for level in range(3) for _ in range(min(pool[level], 3))]
        if any(count > 3 for count in pool) or len(documents) > 7:
            documents = sorted((max(gains[level], 0.0) for level in range(3) for _ in range(pool[level])), reverse=True)
            best = sum(g / np.log2(r + 1) for r, g in enumerate(documents[:depth], start=1))
        else:
            best = max(
                sum(g / np.log2(r + 1) for r, g in enumerate(order[:depth], start=1))
                for order in permutations(documents)
            )
        assert found[topic] == pytest.approx(best)


def test_draws_have_their_own_ideal() -> None:
    """Gains in different orders, stacked, give what each gives alone."""
    case = draw_lists(4)
    stack = np.array([[0.1, 0.45, 0.8], [0.9, 0.2, 0.1], [0.1, 0.45, 0.8], [0.2, 0.2, 0.2]])
    together = ideal_score(case.ranked, stack, zipf_discount, 4)
    assert together.shape == (4, 6)
    for place, gains in enumerate(stack):
        assert together[place] == pytest.approx(ideal_score(case.ranked, gains, zipf_discount, 4))


def test_sums_by_topic() -> None:
    """One draw or three: each topic's sum; 0 for empty topics."""
    for values in (VALUES, VALUES[0]):
        whole = sum_by_topic(RANKED, values)
        for topic in range(6):
            assert whole[..., topic] == pytest.approx(values[..., topic == RANKED.topic].sum(axis=-1))


@pytest.mark.parametrize("depth", [None, 2])
def test_gains_of_hits(depth: int | None) -> None:
    """The level's gain; nothing for duplicates and beyond the depth; the unjudged gain where they are spelt out."""
    case = draw_lists(9)
    spelt = spell_out_unjudged(case.ranked)
    found = gains_of_hits(spelt, PRM_UNJUDGED.values, depth, unjudged=0.05)
    expected = [
        gain_of(entry, PRM_UNJUDGED) if depth is None or rank <= depth else 0.0
        for entries, _ in case.topics()
        for rank, entry in enumerate(entries, start=1)
    ]
    assert found == pytest.approx(expected)
    stack = np.stack([PRM.values, PRM.values / 2])
    assert gains_of_hits(spelt, stack)[1] == pytest.approx(gains_of_hits(spelt, PRM.values) / 2)


def test_pools_are_worth_what_their_documents_are() -> None:
    """Counts times gains; a group of equal documents with several labels is worth its best label."""
    case = draw_lists(10)
    expected = [sum(n * g for n, g in zip(pool, PRM.values, strict=True)) for _, pool in case.topics()]
    assert pool_total(case.ranked, PRM.values) == pytest.approx(expected)
    chosen = replace(
        case.ranked,
        choice_topic=np.array([1, 1]),
        choice_levels=np.array([[True, True, False], [True, False, True]]),
    )
    assert pool_total(chosen, PRM.values)[1] == pytest.approx(expected[1] + 0.45 + 0.8)
    assert pool_total(chosen, PRM.values)[0] == pytest.approx(expected[0])
    stack = np.stack([PRM.values, PRM.values[::-1]])
    assert pool_total(chosen, stack)[1, 1] == pytest.approx(pool_total(case.ranked, PRM.values[::-1])[1] + 0.8 + 0.8)


def test_nothing_of_nothing_is_nothing() -> None:
    """0 where the whole is 0, also for shapes that stretch; never a division by 0."""
    assert divide(np.array([1.0, 2.0]), np.array([0.0, 4.0])).tolist() == [0.0, 0.5]
    assert divide(np.ones((2, 2)), np.array([0.0, 4.0])).tolist() == [[0.0, 0.25]] * 2


@pytest.mark.parametrize(("kinds", "length"), [(3, 6), (12, 60), (40, 300)])
def test_pairs_are_those_of_a_walk(kinds: int, length: int) -> None:
    """Weights of later ranks times the earlier ones of each kind; kinds beyond the last count for nothing."""
    rng = np.random.default_rng(kinds)
    lists = {f"q{t}": [0] * int(rng.integers(0, length)) for t in range(4)} | {"q4": [0] * length, "q5": []}
    ranked = ranked_from_lists(lists, {topic: [length, 0] for topic in lists})
    kind = rng.integers(0, kinds + 1, len(ranked.rank))
    weight = rng.random(len(ranked.rank))
    expected = np.zeros((6, kinds, kinds))
    for topic in range(6):
        hits = np.flatnonzero(ranked.topic == topic)
        for place, hit in enumerate(hits):
            for earlier in hits[:place]:
                if kind[hit] < kinds and kind[earlier] < kinds:
                    expected[topic, kind[hit], kind[earlier]] += weight[hit]
    np.testing.assert_allclose(pair_profile(ranked, weight, kind, kinds), expected, atol=1e-10)


def test_lists_without_hits_have_no_pairs() -> None:
    """Nothing retrieved, nothing summed."""
    ranked = ranked_from_lists({"q": [None]}, {"q": [1, 1]})
    assert pair_profile(ranked, np.empty(0), np.empty(0, np.int64), 2).tolist() == [[[0, 0], [0, 0]]]


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
