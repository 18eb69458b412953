"""Worlds in which few people judge many topics, with known truth: coverage of the intervals of `fit` and `compare`.

A document has a quality, N(topic, 1); a person sees it through a strictness of their own and noise, and cuts it into
four levels. Two runs rank by the quality and noise of their own. The truth is a population of many topics in which
every document, or every topic, has other people.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from gainsayer.comparison import compare_runs
from gainsayer.gains import Gains, prm_scheme
from gainsayer.judgments.files import read_judgments
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.model import count_pairs, estimate_disagreement, predict_relevance
from gainsayer.rankings import RankedLevels, ranked_from_lists

LEVELS = Levels(("0", "1", "2", "3"))
RELEVANT = LEVELS.at_or_above("2")
CUTS = np.array([0.25, 0.8, 1.5])
MEASURES = ("nDCG@10", "P@10", "AP")
POPULATION = 20_000
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PeopleWorld:
    """Who judges what.

    Args:
        kind: `one-sided` and `symmetric` (a first side of one name, which has other people for every topic), `sides`
            (two named sides), or `team`.
        people: on each side that has names.
        sd: of strictness between people.
        topics: how many.
        nested: whether one person judges a whole topic; else the documents of a topic are spread over all.
        family: of strictness: `normal`, or `skewed` (lognormal, a few very lenient people).
        documents: of a topic.
    """

    kind: str
    people: int
    sd: float
    topics: int
    nested: bool = False
    family: str = "normal"
    documents: int = 25

    def strictness(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Of so many people."""
        drawn = rng.standard_normal(shape)
        if self.family == "skewed":
            drawn = (np.exp(drawn) - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e)
        return self.sd * drawn

    def labels(self, rng: np.random.Generator, quality: FloatArray, lenient: FloatArray) -> IntArray:
        """What people say who are so lenient."""
        return np.searchsorted(CUTS, quality + lenient + 0.6 * rng.standard_normal(quality.shape))

    def draw(self, rng: np.random.Generator) -> tuple[Judgments, tuple[str, ...], tuple[str, ...], list[RankedLevels]]:
        """Judgments, the names of both sides (none for a team) and two runs with the first labels."""
        shape = (self.topics, self.documents)
        quality = _quality(rng, shape)
        teams = [self.strictness(rng, (self.people,)) for _ in range(2)]
        who = [self._choose(rng, shape) for _ in range(2)]
        if self.kind == "team":
            teams[1] = teams[0]
            who[1] = (who[0] + rng.integers(1, self.people, (shape[0], 1) if self.nested else shape)) % self.people
        lenient = [team[chosen] for team, chosen in zip(teams, who, strict=True)]
        named = [[f"a{at}" for at in range(self.people)], [f"b{at}" for at in range(self.people)]]
        if self.kind in ("one-sided", "symmetric"):
            lenient[0] = np.broadcast_to(self.strictness(rng, (self.topics, 1)), shape)
            named[0], who[0] = ["first"], np.zeros(shape, dtype=np.int64)
        if self.kind == "team":
            named[1] = named[0]
        given = [self.labels(rng, quality, each) for each in lenient]
        return _judge(named, who, given), tuple(named[0]), tuple(named[1]), _rank(rng, quality, given[0])

    def _choose(self, rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
        drawn = rng.integers(self.people, size=(shape[0], 1) if self.nested else shape)
        return np.broadcast_to(drawn, shape)


def _quality(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    return np.asarray(0.5 * rng.standard_normal((shape[0], 1)) + rng.standard_normal(shape))


def _judge(named: list[list[str]], who: list[IntArray], given: list[IntArray]) -> Judgments:
    made: dict[str, dict[str, dict[str, int]]] = {}
    for names, chosen, levels in zip(named, who, given, strict=True):
        for (topic, document), level in np.ndenumerate(levels):
            person = names[int(chosen[topic, document])]
            made.setdefault(person, {}).setdefault(f"q{topic:04}", {})[f"d{document}"] = int(level)
    return read_judgments(made, levels=LEVELS)


def _rank(rng: np.random.Generator, quality: FloatArray, labels: IntArray) -> list[RankedLevels]:
    names = [f"q{topic:04}" for topic in range(len(quality))]
    pool = {name: np.bincount(row, minlength=4).tolist() for name, row in zip(names, labels, strict=True)}
    runs = []
    for run, blur in enumerate((0.7, 1.1)):
        order = np.argsort(-(quality + blur * rng.standard_normal(quality.shape)), axis=1)
        ranked = np.take_along_axis(labels, order, axis=1)
        lists = {name: row.tolist() for name, row in zip(names, ranked, strict=True)}
        runs.append(ranked_from_lists(lists, pool, levels=LEVELS, name=f"run{run}"))
    return runs


@cache
def truth(kind: str, sd: float, family: str, documents: int, nested: bool) -> tuple[FloatArray, dict[str, FloatArray]]:
    """p(R|i), and the scores of both runs by each measure, where people are new for every document, or every topic."""
    world = PeopleWorld(kind, 2, sd, POPULATION, family=family, documents=documents)
    rng = np.random.default_rng(20261118)
    shape = (POPULATION, documents)
    quality = _quality(rng, shape)
    whole = nested or kind in ("one-sided", "symmetric")  # somebody judges a whole topic first
    first, second = (
        world.labels(rng, quality, world.strictness(rng, (POPULATION, 1) if topic else shape))
        for topic in (whole, False)
    )
    pairs = np.bincount((first * 4 + second).ravel(), minlength=16).reshape(4, 4).astype(np.float64)
    if kind != "one-sided":
        pairs = pairs + pairs.T
    p = pairs[:, 2:].sum(axis=1) / pairs.sum(axis=1)
    runs, gains = _rank(rng, quality, first), Gains(LEVELS, p)
    return p, {name: np.array([parse_measure(name).score(run, gains).mean() for run in runs]) for name in MEASURES}


@dataclass(frozen=True)
class Coverage:
    """How often intervals held the truth: of p(R|i) [levels], of scores and of the difference by measure."""

    fit: FloatArray
    scores: dict[str, float]
    differences: dict[str, float]
    over_people: float


def cover(world: PeopleWorld, repeats: int, seed: int = 0) -> Coverage:
    """Draw so many collections, and ask `predict_relevance` and `compare_runs`."""
    p, means = truth(world.kind, world.sd, world.family, world.documents, world.nested)
    measures = [parse_measure(name) for name in MEASURES]
    fits: list[npt.NDArray[np.bool_]] = []
    scores: dict[str, list[bool]] = {name: [] for name in MEASURES}
    differences: dict[str, list[bool]] = {name: [] for name in MEASURES}
    people = []
    for repeat in range(repeats):
        judgments, first, second, runs = world.draw(np.random.default_rng([seed, repeat]))
        sides = [[name for name in side if name in judgments.assessors] for side in (first, second)]
        counts = count_pairs(judgments, **({} if world.kind == "team" else {"first": sides[0], "second": sides[1]}))
        model = estimate_disagreement(counts, estimator="one-sided" if world.kind == "one-sided" else "symmetric")
        found = predict_relevance(model, RELEVANT)
        ends = found.interval.ends
        fits.append((ends[:, 0] <= p) & (p <= ends[:, 1]))
        compared = compare_runs(runs, measures, [prm_scheme(model, RELEVANT)])
        people.append(compared.panel is not None and compared.panel.over == "topics and people")
        for name, part in zip(MEASURES, compared.parts, strict=True):
            low, high = part.standings.interval.T
            scores[name] += ((low <= means[name]) & (means[name] <= high)).tolist()
            assert part.differences is not None
            low, high = part.differences.interval[0]
            differences[name].append(bool(low <= means[name][0] - means[name][1] <= high))
    return Coverage(
        np.mean(fits, axis=0),
        {name: float(np.mean(held)) for name, held in scores.items()},
        {name: float(np.mean(held)) for name, held in differences.items()},
        float(np.mean(people)),
    )
