"""Worlds in which few people judge many topics, with known truth: coverage of the intervals of `fit` and `compare`.

A document has a quality, N(topic, 1); a person sees it with noise and through a strictness of their own, and cuts it
into four levels. Two runs rank by the quality and noise of their own. The truth is a population of many topics in which
people are new wherever they change: for every document, for every half of a topic, or for every topic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from gainsayer.comparison import compare_runs
from gainsayer.gains import Gains, prm_scheme
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.model import count_pairs, estimate_disagreement, predict_relevance
from gainsayer.ranking import RankedLevels
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.names import Names

LEVELS = Levels(("0", "1", "2", "3"))
RELEVANT = LEVELS.at_or_above("2")
CUTS = np.array([0.25, 0.8, 1.5])
NOISE = 0.6
BLUR = (0.7, 1.1)  # of the two runs
MEASURES = ("nDCG@10", "P@10", "AP")
KINDS = ("one-sided", "symmetric", "sides", "team")
DESIGNS = ("crossed", "mixed", "nested")
FAMILIES = ("normal", "by level", "skewed")
POPULATION = 40_000
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PeopleWorld:
    """Who judges what.

    Args:
        kind: `one-sided` and `symmetric` (a first side of one name, behind which every topic has another person),
            `sides` (two named sides, symmetric), or `team` (everybody in either role).
        people: on each side that has names.
        sd: of strictness between people.
        topics: how many.
        design: `crossed`: a topic's documents are dealt out to all people; `mixed`: to two of them; `nested`: to one.
        family: of strictness: `normal`; `by level`: half of it is another one for each level; `skewed`: lognormal, a
            few very lenient people.
        documents: of a topic.
    """

    kind: str
    people: int
    sd: float
    topics: int
    design: str = "crossed"
    family: str = "normal"
    documents: int = 25

    def lenience(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """By how much so many people lower each of the three cuts, shape [..., cuts]."""
        common = rng.standard_normal((*shape, 1))
        if self.family == "by level":
            return np.asarray(self.sd * (common + rng.standard_normal((*shape, 3))) / np.sqrt(2))
        if self.family == "skewed":
            common = (np.exp(common) - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e)
        return np.broadcast_to(self.sd * common, (*shape, 3))

    def draw(self, rng: np.random.Generator) -> tuple[Judgments, list[RankedLevels]]:
        """Judgments, those of the first side before those of the second, and two runs with the first labels."""
        shape = (self.topics, self.documents)
        quality = _quality(rng, shape)
        who = [self._deal(rng, shape) for _ in range(2)]
        lenient = [self.lenience(rng, (self.people,)) for _ in range(2)]
        names = [[f"{side}{at:02}" for at in range(self.people)] for side in "ab"]
        if self.kind == "team":
            # The second person is another one; in one topic the same other one, where a person judges all of it.
            others = rng.integers(1, self.people, (shape[0], 1) if self.design == "nested" else shape)
            who[1], lenient[1], names[1] = (who[0] + others) % self.people, lenient[0], []
        elif self.kind != "sides":
            who[0], names[0] = np.broadcast_to(np.arange(self.topics)[:, None], shape), ["first"]
            lenient[0] = self.lenience(rng, (self.topics,))
        labels = [_label(rng, quality, part[chosen]) for part, chosen in zip(lenient, who, strict=True)]
        assessor = [np.zeros(shape, dtype=np.int64) if len(names[0]) == 1 else who[0], who[1]]
        if self.kind != "team":
            assessor[1] = assessor[1] + len(names[0])
        return _judge([*names[0], *names[1]], assessor, labels), _rank(rng, quality, labels[0])

    def _deal(self, rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
        """Who judges each document."""
        if self.design == "crossed":
            return rng.integers(self.people, size=shape)
        one = rng.integers(self.people, size=(shape[0], 1))
        if self.design == "nested":
            return np.broadcast_to(one, shape)
        other = (one + rng.integers(1, self.people, (shape[0], 1))) % self.people
        return np.where(np.arange(shape[1]) % 2 == 0, one, other)


def _quality(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    return np.asarray(0.5 * rng.standard_normal((shape[0], 1)) + rng.standard_normal(shape))


def _label(rng: np.random.Generator, quality: FloatArray, lenient: FloatArray) -> IntArray:
    """How many of the cuts each document passes."""
    seen = quality + NOISE * rng.standard_normal(quality.shape)
    return np.asarray((seen[..., None] + lenient > CUTS).sum(axis=-1))


def _judge(names: list[str], assessor: list[IntArray], labels: list[IntArray]) -> Judgments:
    topics, documents = labels[0].shape
    item = np.tile(np.arange(topics * documents), 2)
    heard = np.unique(np.concatenate([part.ravel() for part in assessor]))
    who = np.searchsorted(heard, np.concatenate([part.ravel() for part in assessor]))
    return Judgments(
        levels=LEVELS,
        topics=_topics(topics),
        assessors=tuple(names[at] for at in heard),
        topic=(item // documents).astype(np.int32),
        assessor=who.astype(np.int32),
        level=np.concatenate([part.ravel() for part in labels]).astype(np.int16),
        item=item,
        items=topics * documents,
        documents=Names.of([f"d{at}" for at in item]),
        declared=True,
    )


def _topics(count: int) -> tuple[str, ...]:
    return tuple(f"q{topic:05}" for topic in range(count))


def _rank(rng: np.random.Generator, quality: FloatArray, labels: IntArray) -> list[RankedLevels]:
    topics, documents = labels.shape
    everywhere = np.ones(topics, dtype=np.bool_)
    pool = np.stack([(labels == level).sum(axis=1) for level in range(4)], axis=1)
    runs = []
    for blur in BLUR:
        order = np.argsort(-(quality + blur * rng.standard_normal(quality.shape)), axis=1)
        runs.append(
            RankedLevels(
                levels=LEVELS,
                topics=_topics(topics),
                topic=np.repeat(np.arange(topics, dtype=np.int32), documents),
                rank=np.tile(np.arange(1, documents + 1, dtype=np.int32), topics),
                level=np.take_along_axis(labels, order, axis=1).ravel().astype(np.int16),
                retrieved=np.full(topics, documents, dtype=np.int64),
                present=everywhere,
                pool=pool.astype(np.int64),
                name=f"run{len(runs)}",
            )
        )
    return runs


@cache
def truth(kind: str, sd: float, family: str, design: str, documents: int) -> tuple[FloatArray, dict[str, FloatArray]]:
    """p(R|i), and the scores of both runs by each measure, where people are new wherever they change."""
    world = PeopleWorld(kind, 2, sd, POPULATION, design, family, documents)
    rng = np.random.default_rng(20261118)
    shape = (POPULATION, documents)
    quality = _quality(rng, shape)
    one = np.zeros(shape, dtype=np.int64)  # somebody judges a whole topic first
    changing = {"nested": one, "mixed": one + np.arange(documents) % 2, "crossed": one + np.arange(documents)}
    place = changing[design if kind in ("sides", "team") else "nested"]
    behind = world.lenience(rng, (POPULATION, int(place.max()) + 1))
    first = _label(rng, quality, behind[np.arange(POPULATION)[:, None], place])
    second = _label(rng, quality, world.lenience(rng, shape))
    pairs = np.bincount((first * 4 + second).ravel(), minlength=16).reshape(4, 4).astype(np.float64)
    if kind != "one-sided":
        pairs = pairs + pairs.T
    p = pairs[:, 2:].sum(axis=1) / pairs.sum(axis=1)
    runs, gains = _rank(rng, quality, first), Gains(LEVELS, p)
    return p, {name: np.array([parse_measure(name).score(run, gains).mean() for run in runs]) for name in MEASURES}


@dataclass(frozen=True)
class Coverage:
    """How often intervals held the truth, and how wide they were relative to it on average.

    Args:
        fit: of p(R|i), shape [levels].
        scores: of both runs' scores, by measure.
        differences: of the two runs, by measure.
        widths: of scores, by measure.
        over_people: how often `compare` allowed for other people.
    """

    fit: FloatArray
    scores: dict[str, float]
    differences: dict[str, float]
    widths: dict[str, float]
    over_people: float


def cover(world: PeopleWorld, repeats: int, seed: int = 0) -> Coverage:
    """Draw so many collections, and ask `predict_relevance` and `compare_runs`."""
    p, means = truth(world.kind, world.sd, world.family, world.design, world.documents)
    measures = [parse_measure(name) for name in MEASURES]
    fits: list[npt.NDArray[np.bool_]] = []
    scores: dict[str, list[bool]] = {name: [] for name in MEASURES}
    widths: dict[str, list[float]] = {name: [] for name in MEASURES}
    differences: dict[str, list[bool]] = {name: [] for name in MEASURES}
    people = []
    for repeat in range(repeats):
        judgments, runs = world.draw(np.random.default_rng([seed, repeat]))
        first = [name for name in judgments.assessors if not name.startswith("b")]
        counts = count_pairs(judgments, first=None if world.kind == "team" else first)
        model = estimate_disagreement(counts, estimator="one-sided" if world.kind == "one-sided" else "symmetric")
        ends = predict_relevance(model, RELEVANT).interval.ends
        fits.append((ends[:, 0] <= p) & (p <= ends[:, 1]))
        compared = compare_runs(runs, measures, [prm_scheme(model, RELEVANT)])
        people.append(compared.panel is not None and compared.panel.over == "topics and people")
        for name, part in zip(MEASURES, compared.parts, strict=True):
            low, high = part.standings.interval.T
            scores[name] += ((low <= means[name]) & (means[name] <= high)).tolist()
            widths[name] += ((high - low) / means[name]).tolist()
            assert part.differences is not None
            low, high = part.differences.interval[0]
            differences[name].append(bool(low <= means[name][0] - means[name][1] <= high))
    return Coverage(
        np.mean(fits, axis=0),
        {name: float(np.mean(held)) for name, held in scores.items()},
        {name: float(np.mean(held)) for name, held in differences.items()},
        {name: float(np.mean(width)) for name, width in widths.items()},
        float(np.mean(people)),
    )


def check_coverage(world: PeopleWorld, repeats: int) -> None:
    """That no share lies further below .92, which nine in ten cells of the table reach, than chance takes it."""
    found = cover(world, repeats)
    # Both runs are scored on the same topics, so that their share is worth little more than that of one.
    least = binom.ppf(0.001, repeats, 0.92) / repeats
    assert found.over_people == 1.0
    held = np.array([*found.fit, *found.scores.values(), *found.differences.values()])
    assert held.min() >= least, found
    assert 0.92 <= held.mean() <= 0.995, found
