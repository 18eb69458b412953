"""TREC Deep Learning 2021 as a world with known truth: NIST are the people, and documents are drawn for them again.

What everything judged gives is the truth. For *these* topics it is the score of the run; for *topics like these*, whole
topics are drawn with replacement first, and the truth is the mean over all 53.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from gainsayer.commands.machine_input import MachineRequest, Material, read_material
from gainsayer.commands.ranked_runs import Policies
from gainsayer.machines import (
    DocumentGains,
    Evidence,
    MachineGrades,
    Sample,
    add_chances,
    choose_chances,
    guess_gains,
    judge_machine,
    predict,
    rank_like_judge,
    rank_weights,
    score_documents,
    score_rectified,
    size_documents,
    size_for_suspects,
    weigh_runs,
    weigh_topics,
)
from gainsayer.machines.rectified import Target
from gainsayer.machines.verdict import Verdict
from gainsayer.measures import parse_measure
from gainsayer.ranking import FloatArray, IntArray, RankedDocuments
from gainsayer.ranking.pool import DocumentPool

JUDGES = ("umbrela-gpt4o", "umbrela-gpt4", "umbrela-llama3.2")
LABELS = (300, 500, 1000, 2000)
MEASURES = ("nDCG@10", "DCG@10", "P@10")
TARGETS: tuple[Target, ...] = ("these", "population")


@dataclass(frozen=True, eq=False)
class Track:
    """A pool with what people say of every document of it, a machine's grades, and the runs.

    Args:
        pool: the documents.
        told: 1 where people are satisfied; shape [documents].
        grade: what predicts: the machine's, or bins of the mean of its calls; shape [documents].
        raw: its grades taken as the truth; shape [documents].
        own: its grades from 0 to 1; shape [documents].
        rising: whether grades are bins.
        runs: matched with the pool.
    """

    pool: DocumentPool
    told: FloatArray
    grade: IntArray
    raw: FloatArray
    own: FloatArray
    rising: bool
    runs: tuple[RankedDocuments, ...]

    @property
    def topic(self) -> IntArray:
        """The topic of each document."""
        return self.pool.topic.astype(np.int64)

    def with_grades(self, grade: IntArray) -> Track:
        """The same with another machine, of four grades."""
        return replace(self, grade=grade, raw=(grade >= 2).astype(float), own=grade / 3, rising=False)

    def redraw(self, topics: IntArray) -> Track:
        """These topics, each as a topic of its own however often it comes."""
        starts = self.pool.starts
        spans = [np.arange(starts[t], starts[t + 1]) for t in topics.tolist()]
        index = np.concatenate(spans)
        pool = DocumentPool(
            tuple(f"t{at:03}" for at in range(len(topics))),
            np.concatenate([[0], np.cumsum([len(span) for span in spans])]),
            self.pool.document.rows(index),
        )
        return Track(
            pool,
            self.told[index],
            self.grade[index],
            self.raw[index],
            self.own[index],
            self.rising,
            tuple(_redraw(run, pool, topics) for run in self.runs),
        )

    def truth(self, measure: str) -> FloatArray:
        """What people give each run, everything judged."""
        gains = DocumentGains(self.pool, self.told)
        return np.array([score_documents(run, gains, parse_measure(measure)).mean() for run in self.runs])


def _redraw(run: RankedDocuments, pool: DocumentPool, topics: IntArray) -> RankedDocuments:
    first, last = np.searchsorted(run.topic, topics, "left"), np.searchsorted(run.topic, topics, "right")
    hits = np.concatenate([np.arange(low, high) for low, high in zip(first, last, strict=True)])
    times = last - first
    shift = np.repeat(pool.starts[:-1] - run.pool.starts[topics], times)
    entry = run.entry[hits]
    return replace(
        run,
        pool=pool,
        topic=np.repeat(np.arange(len(topics), dtype=np.int32), times),
        rank=run.rank[hits],
        entry=np.where(entry >= 0, entry + shift, entry).astype(run.entry.dtype),
        later=run.later[hits],
        retrieved=run.retrieved[topics],
        present=run.present[topics],
    )


@cache
def read_track(folder: Path, judge: str, threshold: int = 2) -> Track:
    """DL21 with one of umbrela's machines."""
    asked = MachineRequest(
        machine={judge: folder / "assessors" / f"{judge}.qrels"},
        runs=str(folder / "runs"),
        people=folder / "assessors" / "nist.qrels",
        threshold=threshold,
        policies=Policies(ties="trec9"),
    )
    material: Material = read_material(asked)
    assert material.sample is not None
    assert material.raw is not None
    machine = material.grades
    return Track(
        material.pool,
        material.sample.relevant,
        machine.grade,
        material.raw,
        material.own,
        machine.rising,
        material.runs,
    )


def shuffle(grade: IntArray, topic: IntArray, share: float, seed: int) -> IntArray:
    """Grades of a share of the documents, at random, shuffled within their topic."""
    rng = np.random.default_rng(seed)
    chosen, found = rng.random(len(grade)) < share, grade.copy()
    for one in np.unique(topic).tolist():
        here = np.flatnonzero(chosen & (topic == one))
        found[here] = grade[rng.permutation(here)]
    return found


def plant(track: Track, run: int) -> Track:
    """A machine that puts the documents in its top 10 that hardly another run has there on the top grade."""
    grade = track.grade.copy()
    tops = [set(one.entry[(one.rank <= 10) & (one.entry >= 0)].tolist()) for one in track.runs]
    times = np.bincount(np.concatenate([np.array(sorted(top)) for top in tops]), minlength=len(grade))
    own = np.array(sorted(tops[run]))
    grade[own[times[own] <= 2]] = grade.max()
    return track.with_grades(grade)


def draw(track: Track, chance: FloatArray, keys: FloatArray) -> Evidence:
    """What is known when people judged the documents whose key is below their chance."""
    grades = int(track.grade.max()) + 1
    relevant = np.where(keys < chance, track.told, np.nan)
    sample = Sample(
        track.topic, track.grade, relevant, chance, np.ones(len(track.pool.topics), bool), grades, "documents"
    )
    names = tuple(map(str, range(grades)))
    prediction = predict(sample, MachineGrades("machine", track.grade, names, track.rising))
    return Evidence(track.pool, prediction, DocumentGains(track.pool, track.raw), DocumentGains(track.pool, track.own))


def find_chances(track: Track, labels: float, measure: str) -> FloatArray:
    """Chances as `machine sample` gives them before anybody judged."""
    worth = guess_gains(int(track.grade.max()) + 1)
    size, inside = size_documents(track.runs, [parse_measure(measure)], track.topic, track.grade, worth)
    return choose_chances(size, inside, labels)


@dataclass(frozen=True)
class Covered:
    """One measure in one draw: shares of runs and of pairs whose intervals hold the truth, half-width and bias.

    NaN where the interval was refused.
    """

    measure: str
    refused: bool
    scores: float
    differences: float
    half: float
    bias: float


def cover(track: Track, target: Target, labels: int, seed: int, drawn_for: str = "nDCG@10") -> list[Covered]:
    """One draw, scored by every measure."""
    rng = np.random.default_rng([9000, seed, labels])
    topics = len(track.pool.topics)
    part = track if target == "these" else track.redraw(rng.integers(0, topics, topics))
    chance = find_chances(part, labels, drawn_for)
    evidence = draw(part, chance, rng.random(len(chance)))
    a, b = np.triu_indices(len(track.runs), 1)
    found = []
    for measure in MEASURES:
        estimate = score_rectified(part.runs, parse_measure(measure), evidence, target=target).estimate
        if not estimate.known.any():
            found.append(Covered(measure, True, *[float("nan")] * 4))
            continue
        off = estimate.score - track.truth(measure)
        reach, apart = estimate.reach(0.95), estimate.reach(0.95, a, b)
        held, told = np.abs(off) <= reach, np.abs(off[a] - off[b]) <= apart + 1e-12
        numbers = (held.mean(), told.mean(), reach.mean(), off.mean())
        found.append(Covered(measure, False, *map(float, numbers)))
    return found


def examine(track: Track, labels: int, seed: int, *, named: int | None = None, targeted: int = 0) -> Verdict:
    """The verdict from one draw for DCG@10, with more documents where a named run differs from the others."""
    keys = np.random.default_rng([9100, seed]).random(len(track.grade))
    measure = parse_measure("DCG@10")
    weights, chance = rank_weights(track.runs, measure), find_chances(track, labels, "DCG@10")
    if named is not None and targeted:
        worth = guess_gains(int(track.grade.max()) + 1)
        size = size_for_suspects(weights, np.array([named]), track.grade, worth)
        chance = add_chances(chance, size, targeted)
    evidence = draw(track, chance, keys)
    sample, gain = evidence.sample, evidence.prediction.gain
    machine = weights.sum_by_topic(sample.topic, sample.topics, evidence.raw.value[weights.document]).mean(axis=1)
    return judge_machine(
        evidence.prediction,
        weigh_runs(weigh_topics(sample, gain, weights), sample, gain, weights, machine),
        rank_like_judge(track.runs, evidence.own),
        depth=10,
        named=() if named is None else (named,),
        seed=seed,
    )


FAVOURITE = "TUW_TAS-B_ANN"
Line = tuple[str, str, str, tuple[tuple[str, bool], ...]]


def judge_judges(folder: Path, labels: int = 500, seeds: int = 20) -> dict[str, list[Line]]:
    """Worth, order, favour and the runs flagged (favoured, or slighted), of five judges over so many draws.

    A good one, a poor one, one whose grades are shuffled over all documents, one between (the good one with the grades
    of 40 of 100 documents shuffled within their topic), and the good one with a favourite planted, which is named
    before and has 100 documents drawn for it.
    """
    good, poor = (read_track(folder, judge) for judge in ("umbrela-gpt4o", "umbrela-llama3.2"))
    names = [run.name for run in good.runs]
    favourite = names.index(FAVOURITE)
    planted = plant(good, favourite)
    found: dict[str, list[Line]] = {name: [] for name in ("good", "between", "poor", "shuffled", "planted")}
    for seed in range(seeds):
        shuffled = good.with_grades(np.random.default_rng([1, seed]).permutation(good.grade))
        between = good.with_grades(shuffle(good.grade, good.topic, 0.4, seed))
        for name, track in (("good", good), ("between", between), ("poor", poor), ("shuffled", shuffled)):
            found[name].append(_line(examine(track, labels, seed), names))
        found["planted"].append(_line(examine(planted, labels, seed, named=favourite, targeted=100), names))
    return found


def _line(verdict: Verdict, names: list[str]) -> Line:
    flagged = tuple((names[test.runs[0]], test.favour > 0) for test in verdict.favour.flagged)
    return verdict.worth, verdict.order.answer, verdict.favour.answer, flagged
