"""Expected AP and nDCG@20 over random users, beside a thousand simulated users through vectorised binary measures."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks.timing import Ratio, time_in_turns
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure
from gainsayer.ranking.ranked import FloatArray, RankedLevels

RUNS, TOPICS, POOL, DEPTH, USERS = 60, 50, 700, 1000, 1000
PEER_RUNS = 2
LEVELS = Levels(("Non", "Rel", "HRel", "Key"))
PROBABILITY = np.array([0.01, 0.08, 0.25, 0.47])
SHARES = np.array([0.7, 0.15, 0.1, 0.05])


def measure() -> list[Ratio]:
    """60 runs of 1,000 documents for 50 topics with pools of 700, half of which each run returns."""
    pool, runs = make_runs(POOL, RUNS)
    names = ("AP", "nDCG@20")
    expected = {name: parse_measure(with_users(name)) for name in names}

    def ours(name: str) -> FloatArray:
        gains = Gains(LEVELS, PROBABILITY, name="prm")  # new ones each time, so that nothing is remembered
        return np.stack([expected[name].score(run, gains) for run in runs])

    results = []
    for name in names:
        by_hand = {"AP": average_precision, "nDCG@20": normalised_gain}[name]
        rounds = {"AP": 1, "nDCG@20": 3}[name]
        own, other = time_in_turns(partial(ours, name), partial(simulate, runs, pool, by_hand), rounds=3)
        simulated = simulate(runs, pool, by_hand).mean(axis=1)
        assert np.abs(ours(name).mean(axis=1) - simulated).max() < 0.003, "both ways must tell the same story"
        draw = least_time(partial(simulate, [], pool, by_hand), rounds=3)
        part = least_time(partial(simulate, runs[:PEER_RUNS], pool, through_measure(name)), rounds=rounds)
        everything = draw + (part - draw) * RUNS / PEER_RUNS
        job = f"expected {name}, {RUNS} runs x {TOPICS} topics"
        note = f"pools of {POOL}; users drawn once for all runs; scored: {PEER_RUNS} runs, times {RUNS // PEER_RUNS}"
        results.append(Ratio(job, own, f"{USERS:,} users, ordinary measures", everything, 50, note=note))
        note = f"pools of {POOL}; users drawn once for all runs; small whole numbers, no checks; median of 3"
        results.append(Ratio(job, own, f"{USERS:,} users, NumPy by hand", other, 15, note=note))
    return [*results, growth()]


def least_time(job: Callable[[], object], *, rounds: int) -> float:
    """The shortest of some rounds, in seconds: to the advantage of the peer."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        job()
        taken.append(time.perf_counter() - start)
    return min(taken)


def through_measure(name: str) -> Callable[..., FloatArray]:
    """The ordinary measure, each user being a topic with labels 0 and 1."""
    binary = Levels(("0", "1"))
    measure, gains = parse_measure(name), Gains(binary, np.array([0.0, 1.0]), name="binary")
    users = tuple(map(str, range(USERS)))

    def score(view: FloatArray, relevant: FloatArray, document: FloatArray, rank: FloatArray) -> FloatArray:
        ranked = RankedLevels(
            levels=binary,
            topics=users,
            topic=np.repeat(np.arange(USERS, dtype=np.int32), len(document)),
            rank=np.tile(rank, USERS),
            level=view[document].T.ravel().astype(np.int16),
            retrieved=np.full(USERS, DEPTH),
            present=np.ones(USERS, bool),
            pool=np.stack([len(view) - relevant, relevant], axis=1),
        )
        return measure.score(ranked, gains)

    return score


def growth() -> Ratio:
    """Pools ten times as large: the time for the pool alone, of AP and nDCG@20 together."""
    taken = {}
    for size in (POOL, 10 * POOL):
        _, runs = make_runs(size, 1)
        run = replace(runs[0], topic=runs[0].topic[:0], rank=runs[0].rank[:0], level=runs[0].level[:0], member=None)
        measures = [parse_measure(with_users(name)) for name in ("AP", "nDCG@20")]
        times = []
        for _ in range(7):
            start = time.perf_counter()
            gains = Gains(LEVELS, PROBABILITY, name="prm")
            for each in measures:
                each.score(run, gains)
            times.append(time.perf_counter() - start)
        taken[size] = float(np.median(times))
    return Ratio(
        f"expected AP and nDCG@20, pools of {10 * POOL:,}",
        taken[10 * POOL],
        f"pools of {POOL}",
        taken[POOL],
        15,
        higher_is_better=False,
        note="median of 7; an empty list, so the pool alone; linear growth is 10",
    )


def with_users(name: str) -> str:
    """AP to AP(users='independent'), nDCG@20 likewise."""
    head, at, depth = name.partition("@")
    return f"{head}(users='independent'){at}{depth}"


def make_runs(size: int, count: int) -> tuple[list[FloatArray], list[RankedLevels]]:
    """The levels of each topic's documents, and runs that return half of them, the good ones rather early."""
    rng = np.random.default_rng(1)
    labels = [np.sort(rng.choice(4, size, p=SHARES)) for _ in range(TOPICS)]
    pool = np.stack([np.bincount(each, minlength=4) for each in labels])
    starts = [np.searchsorted(each, each) for each in labels]
    runs = []
    for _ in range(count):
        topic, rank, level, member = [], [], [], []
        for number, each in enumerate(labels):
            found = np.argsort(-(each + rng.normal(0, 2, size)))[: min(size // 2, DEPTH)]
            topic.append(np.full(len(found), number))
            rank.append(np.sort(rng.choice(DEPTH, len(found), replace=False)) + 1)
            level.append(each[found])
            member.append(found - starts[number][found])
        runs.append(
            RankedLevels(
                levels=LEVELS,
                topics=tuple(f"{place:03}" for place in range(TOPICS)),
                topic=np.concatenate(topic).astype(np.int32),
                rank=np.concatenate(rank).astype(np.int32),
                level=np.concatenate(level).astype(np.int16),
                retrieved=np.full(TOPICS, DEPTH),
                present=np.ones(TOPICS, bool),
                pool=pool,
                member=np.concatenate(member).astype(np.int32),
            )
        )
    return [PROBABILITY[each] for each in labels], runs


def simulate(runs: list[RankedLevels], pool: list[FloatArray], score: Callable[..., FloatArray]) -> FloatArray:
    """The mean over simulated users, shape [runs, topics]; drawn once per topic, shared by all runs."""
    means = np.empty((len(runs), TOPICS))
    for topic, probability in enumerate(pool):
        rng = np.random.default_rng([2, topic])
        view = rng.random((len(probability), USERS), np.float32) < probability[:, None].astype(np.float32)
        relevant = view.sum(axis=0)
        for number, run in enumerate(runs):
            hits = slice(int(run.starts[topic]), int(run.starts[topic + 1]))
            assert run.member is not None
            document = np.searchsorted(probability, PROBABILITY[run.level[hits]]) + run.member[hits]
            means[number, topic] = score(view, relevant, document, run.rank[hits]).mean()
    return means


def average_precision(view: FloatArray, relevant: FloatArray, document: FloatArray, rank: FloatArray) -> FloatArray:
    """AP of every user."""
    seen = view[document]
    before = np.cumsum(seen, axis=0, dtype=np.int16)
    total = (1 / rank).astype(np.float32) @ (before * seen)
    return np.divide(total, relevant, out=np.zeros(USERS), where=relevant > 0)


def normalised_gain(view: FloatArray, relevant: FloatArray, document: FloatArray, rank: FloatArray) -> FloatArray:
    """nDCG@20 of every user."""
    top = rank <= 20
    gain = (1 / np.log2(rank[top] + 1)) @ view[document[top]]
    ideal = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2, 22)))])[np.minimum(relevant, 20)]
    return np.divide(gain, ideal, out=np.zeros(USERS), where=ideal > 0)
