"""Which documents people should judge: chances, floors, keys, more labels."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.errors import CallError
from gainsayer.machines import (
    add_chances,
    choose_chances,
    document_keys,
    guess_gains,
    guess_worth,
    rank_weights,
    size_documents,
    size_for_suspects,
)
from gainsayer.machines.drawing import FLOOR
from gainsayer.measures import log_discount, parse_measure, running_discount
from gainsayer.ranking import RankedDocuments, pool_documents, rank_documents
from gainsayer.ranking.pool import DocumentPool
from gainsayer.reading import read_judgments, read_run


def collection() -> tuple[DocumentPool, list[RankedDocuments], np.ndarray]:
    """Twelve topics of 40 documents, three runs of all of them, and grades from 0 to 3."""
    rng = np.random.default_rng(5)
    judged = {f"q{t:02}": {f"d{d:02}": int(rng.integers(4)) for d in range(40)} for t in range(12)}
    pool = pool_documents(read_judgments(judged))
    runs = [
        rank_documents(read_run({t: {d: float(rng.random()) for d in some} for t, some in judged.items()}), pool)
        for _ in range(3)
    ]
    grade = np.array([judged[pool.topics[t]][d] for t, d in zip(pool.topic, pool.document.texts(), strict=True)])
    return pool, runs, grade


def test_chances_use_up_the_budget_and_are_spent_where_labels_count() -> None:
    """They sum to the labels asked for, grow with the size, and outside the tops take a twentieth at most."""
    rng = np.random.default_rng(0)
    inside = rng.random(2000) < 0.3
    size = np.where(inside, rng.random(2000), 0.0)
    chance = choose_chances(size, inside, 80)
    assert chance.sum() == pytest.approx(80, abs=1e-6)
    assert chance[~inside].sum() == pytest.approx(0.05 * 80)
    assert chance[inside].min() == pytest.approx(min(FLOOR, 80 / (4 * inside.sum())))
    between = inside & (chance > chance[inside].min()) & (chance < 1)
    assert np.ptp(chance[between] / size[between]) < 1e-9
    assert (chance > 0).all()


def test_chances_at_the_ends() -> None:
    """As many labels as documents: all; nothing that counts: all alike; more than what counts: the rest shares."""
    every = np.ones(5, bool)
    assert choose_chances(np.ones(5), every, 5).tolist() == [1] * 5
    assert choose_chances(np.zeros(4), np.zeros(4, bool), 1).tolist() == [0.25] * 4
    assert choose_chances(np.array([1.0, 1, 0, 0]), np.array([True, True, False, False]), 3).tolist() == [
        1,
        1,
        0.5,
        0.5,
    ]
    with pytest.raises(CallError, match="At least one label"):
        choose_chances(np.ones(5), every, 0)


def test_optimal_chances_beat_equal_ones() -> None:
    """The variance of the score that the chances are made for is lower than with equal chances."""
    rng = np.random.default_rng(1)
    squares, gain = (rng.random((3, 400)) ** 8).mean(axis=0), rng.uniform(0.02, 0.98, 400)
    size = np.sqrt(squares * gain * (1 - gain))

    def variance(chance: np.ndarray) -> float:
        return float(((1 - chance) / chance * squares * gain * (1 - gain)).sum())

    assert variance(choose_chances(size, np.ones(400, bool), 60)) < 0.8 * variance(np.full(400, 60 / 400))


@pytest.mark.parametrize("more", [1.0, 30.0, 400.0])
def test_more_labels_keep_every_chance(more: float) -> None:
    """No chance falls, and so many more labels are expected."""
    rng = np.random.default_rng(2)
    size = rng.random(600)
    before = choose_chances(size, np.ones(600, bool), 100)
    after = add_chances(before, size, more)
    assert (after >= before).all()
    assert after.sum() == pytest.approx(before.sum() + more, abs=1e-6)
    part = np.where(np.arange(600) < 200, size, 0.0)
    before = choose_chances(part, part > 0, 100)
    assert add_chances(before, part, more).sum() == pytest.approx(before.sum() + more, abs=1e-6)
    assert add_chances(before, part, 1000).tolist() == [1] * 600
    with pytest.raises(CallError, match="more label"):
        add_chances(before, size, 0)


def test_the_size_for_sums_is_the_mean_square_weight() -> None:
    """Documents below the deepest cutoff count nothing, wherever the machine is unsure of them."""
    pool, runs, grade = collection()
    topic = pool.topic.astype(np.int64)
    worth = guess_gains(4)
    size, inside = size_documents(runs, [parse_measure("DCG@5")], topic, grade, worth)
    plain = np.zeros((3, len(topic)))
    for row, run in zip(plain, runs, strict=True):
        top = run.rank <= 5
        row[run.entry[top]] = 1 / np.log2(run.rank[top] + 1.0)
    expected = np.sqrt((plain**2).mean(axis=0) * worth[grade] * (1 - worth[grade]))
    assert (inside == plain.any(axis=0)).all()
    known = size > 0
    assert (known == (expected > 0)).all()
    assert np.ptp(size[known] / expected[known]) < 1e-9


def test_for_ndcg_documents_outside_the_tops_count_where_few_are_relevant() -> None:
    """size² = mean (W E[w])² + (.3 D dw)², by plain loops over topics."""
    pool, runs, grade = collection()
    topic, worth, measure = pool.topic.astype(np.int64), guess_gains(4), parse_measure("nDCG@5")
    size, inside = size_documents(runs, [measure], topic, grade, worth)
    weights = rank_weights(runs, measure)
    plain = np.zeros((3, len(topic)))
    plain[:, weights.document] = weights.weight
    ideals = running_discount(log_discount, np.arange(6))
    squares = np.zeros(len(topic))
    for one in range(12):
        here = topic == one
        counts = np.bincount(grade[here], minlength=4)[None, :].astype(float)
        expected, step = (float(part[0]) for part in guess_worth(worth, counts, ideals))
        held = plain[:, here] @ worth[grade[here]]
        squares[here] = (plain[:, here] ** 2).mean(axis=0) * expected**2 + 0.09 * (held**2).mean() * step**2
    wanted = np.sqrt(squares * worth[grade] * (1 - worth[grade]))
    assert np.ptp(size / wanted) < 1e-9
    assert (size[~inside] > 0).all()
    with pytest.raises(CallError, match="not a sum over documents"):
        size_documents(runs, [parse_measure("AP")], topic, grade, worth)


def test_labels_for_a_suspect_are_where_it_differs_from_all() -> None:
    """|mean W of theirs - mean W of all| sqrt(g (1 - g))."""
    pool, runs, grade = collection()
    weights, worth = rank_weights(runs, parse_measure("DCG@5")), guess_gains(4)
    size = size_for_suspects(weights, np.array([1]), grade, worth)
    document = int(weights.document[np.argmax(weights.weight[1])])
    at = int(np.flatnonzero(weights.document == document)[0])
    apart = abs(weights.weight[1, at] - weights.weight[:, at].mean())
    g = worth[grade[document]]
    assert size[document] == pytest.approx(apart * np.sqrt(g * (1 - g)))
    assert (size[np.setdiff1d(np.arange(len(pool.topic)), weights.document)] == 0).all()


def test_keys_are_even_and_permanent() -> None:
    """Even from 0 to 1, another for another seed, and the same whatever else is in the pool."""
    pool, _, _ = collection()
    keys = document_keys(pool, 3)
    assert np.histogram(keys, bins=4, range=(0, 1))[0] == pytest.approx([120] * 4, abs=40)
    assert (keys != document_keys(pool, 4)).all()
    one = pool_documents(read_judgments({"q03": {"d07": 1, "e": 0}}))
    place = next(
        at
        for at, (topic, name) in enumerate(zip(pool.topic.tolist(), pool.document.texts(), strict=True))
        if (pool.topics[topic], name) == ("q03", "d07")
    )
    assert keys[place] in document_keys(one, 3)
    assert guess_gains(3).tolist() == pytest.approx([0.05, 0.325, 0.7])
