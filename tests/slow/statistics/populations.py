"""Populations of topics with a known truth, from which collections are drawn.

A population holds some thousand topics (or the topics of a real collection): the labels of its pool, the lists of its
runs, and its double judgments. A collection is a random sample of its topics, some of them judged twice. The truth is
what the whole population gives: p(R|i) from all of its pairs, and the mean score of each run over all of its topics.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

import gainsayer as gs
from gainsayer.comparison import Replicates, leave_out_topics, prepare_runs, sort_topics
from gainsayer.datasets import LatentModel
from gainsayer.gains import prm_scheme
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.model import Disagreement, PairCounts, normalise_rows
from gainsayer.ranking import RankedLevels

FloatArray = npt.NDArray[np.float64]
LEVELS = Levels(("0", "1", "2", "3"))
TOPICS = 4_000
DEPTH = 20


@dataclass(frozen=True, eq=False)
class Population:
    """Topics that collections are drawn from.

    Args:
        lists: the level at each rank, -1 for an unjudged document; shape [runs, topics, ranks].
        pool: documents on each level, shape [topics, levels].
        pairs: symmetric counts of the double judgments, shape [topics, levels, levels].
        relevant: the lowest relevant level.
    """

    lists: npt.NDArray[np.int16]
    pool: npt.NDArray[np.int64]
    pairs: FloatArray
    relevant: int

    def runs(self, topics: npt.NDArray[np.int64]) -> list[RankedLevels]:
        """The runs on these topics."""
        count, depth = len(topics), self.lists.shape[2]
        names = tuple(f"q{place:05}" for place in range(count))
        topic = np.repeat(np.arange(count), depth).astype(np.int32)
        rank = np.tile(np.arange(1, depth + 1), count).astype(np.int32)
        made = []
        for lists in self.lists:
            level = lists[topics].ravel()
            judged = level >= 0
            made.append(
                RankedLevels(
                    levels=LEVELS,
                    topics=names,
                    topic=topic[judged],
                    rank=rank[judged],
                    level=level[judged],
                    retrieved=np.full(count, depth),
                    present=np.ones(count, dtype=bool),
                    pool=self.pool[topics],
                )
            )
        return made

    def model(self, topics: npt.NDArray[np.int64], names: tuple[str, ...]) -> Disagreement:
        """p(j|i) from the double judgments of these topics, called so."""
        zeros = np.zeros((4, 4, 4))
        count = len(topics)
        counts = PairCounts(LEVELS, names, self.pairs[topics], zeros, zeros, False, ("a",), ("a",), count, count)
        return Disagreement(counts, "symmetric", normalise_rows(self.pairs[topics].sum(axis=0)))

    def truth(self, measure: str) -> FloatArray:
        """The mean score of each run over the population, with its gains."""
        every = np.arange(self.lists.shape[1])
        runs = self.runs(every)
        gains = prm_scheme(self.model(every, runs[0].topics), LEVELS.at_or_above(str(self.relevant))).gains
        return np.array([parse_measure(measure).score(run, gains).mean() for run in runs])

    def draw(self, rng: np.random.Generator, topics: int, twice: int, measures: list[str]) -> list[Replicates]:
        """One collection: so many topics, the first `twice` judged twice; its replicates by each measure."""
        chosen = rng.integers(0, self.lists.shape[1], topics)
        runs = self.runs(chosen)
        held = self.pairs[chosen[:twice]].sum(axis=(1, 2)) > 0
        names = tuple(name for name, keep in zip(runs[0].topics[:twice], held, strict=True) if keep)
        model = self.model(chosen[:twice][held], names)
        if np.isnan(model.matrix).any():
            return []
        scheme = prm_scheme(model, LEVELS.at_or_above(str(self.relevant)))
        kinds = sort_topics(runs[0].topics, names)
        found = []
        for name in measures:
            scored = prepare_runs(runs, parse_measure(name), scheme.gains, runs[0].topics)
            values = np.stack([scored.measure.score(run, scheme.gains) for run in runs])
            found.append(leave_out_topics(scored, scheme, values, kinds))
        return found


def order_runs(
    quality: FloatArray, labels: npt.NDArray[np.int16], blurs: list[float], rng: np.random.Generator
) -> npt.NDArray[np.int16]:
    """Lists of runs that see the quality more or less clearly, shape [runs, topics, ranks]."""
    lists = []
    for blur in blurs:
        order = np.argsort(-(quality + blur * rng.standard_normal(quality.shape)), axis=1)[:, :DEPTH]
        lists.append(np.take_along_axis(labels, order, axis=1))
    return np.stack(lists).astype(np.int16)


def count_pool(labels: npt.NDArray[np.int16]) -> npt.NDArray[np.int64]:
    """Documents on each level, shape [topics, levels]."""
    return np.stack([(labels == level).sum(axis=1) for level in range(4)], axis=1).astype(np.int64)


def count_pairs(
    first: npt.NDArray[np.int16], second: npt.NDArray[np.int16], judged: npt.NDArray[np.int64]
) -> FloatArray:
    """Symmetric counts per topic, of its first `judged` documents."""
    topics, documents = first.shape
    inside = np.arange(documents) < judged[:, None]
    cell = (np.arange(topics)[:, None] * 4 + first) * 4 + second
    counts = np.bincount(cell[inside].astype(np.int64), minlength=topics * 16).reshape(topics, 4, 4).astype(np.float64)
    return counts + counts.transpose(0, 2, 1)


# Null: runs 0 and 1 are as good as each other. Close: 0 and 2. Real: 0 and 3.
BLURS = [0.7, 0.7, 0.8, 1.3]
SHARES = (0.6, 0.18, 0.12, 0.10)


@cache
def latent(relevant: int, spread: float = 0.0, noise: float = 0.48, leniency: float = 0.5) -> Population:
    """Gaussian latent quality, topics judged by people of their own leniency, `spread` of the second pools' sizes."""
    rng = np.random.default_rng([31, relevant, int(100 * spread), int(100 * noise)])
    model = LatentModel(shares=SHARES, topic_effect=0.5, leniency=leniency, noise=noise)
    quality, labels = model.draw(rng, 80, rng.standard_normal((2, TOPICS)))
    judged = np.clip(np.rint(40 * np.exp(spread * rng.standard_normal(TOPICS))), 4, 80).astype(np.int64)
    shuffled = rng.permuted(np.tile(np.arange(80), (TOPICS, 1)), axis=1)
    first, second = (np.take_along_axis(side, shuffled, axis=1) for side in labels)
    lists = order_runs(quality, labels[0], BLURS, rng)
    return Population(lists, count_pool(labels[0]), count_pairs(first, second, judged), relevant)


@cache
def close_runs() -> Population:
    """Ten runs that see the quality nearly as clearly as each other."""
    rng = np.random.default_rng(83)
    quality, labels = LatentModel(shares=SHARES, leniency=0.5).draw(rng, 80, rng.standard_normal((2, TOPICS)))
    lists = order_runs(quality, labels[0], [0.7 + 0.04 * place for place in range(10)], rng)
    every = np.full(TOPICS, 40)
    return Population(lists, count_pool(labels[0]), count_pairs(labels[0], labels[1], every), 3)


MATRIX = np.array([[0.80, 0.12, 0.06, 0.02], [0.35, 0.35, 0.2, 0.1], [0.15, 0.25, 0.35, 0.25], [0.05, 0.15, 0.3, 0.5]])


@cache
def dirichlet(relevant: int, spread: float = 0.0, lenient: float = 0.0) -> Population:
    """Each topic has a matrix p(j|i) of its own, drawn from Dirichlet distributions: no latent quality of a document.

    With `lenient`, so large a share of the topics is of another kind: twice as often called relevant, and with more on
    the upper levels.
    """
    rng = np.random.default_rng([57, relevant, int(100 * spread), int(100 * lenient)])
    other = rng.random(TOPICS) < lenient
    rows = np.where(other[:, None, None], 0.4 * MATRIX + 0.6 * np.array([0.1, 0.2, 0.3, 0.4]), MATRIX)
    gamma = rng.standard_gamma(12 * rows)
    chance = gamma / gamma.sum(axis=2, keepdims=True)
    share = rng.dirichlet(np.array([6.0, 1.8, 1.2, 1.0]), TOPICS)
    share = np.where(other[:, None], 0.5 * share + 0.5 * np.array([0.3, 0.2, 0.2, 0.3]), share)
    documents = 80
    first = (rng.random((TOPICS, documents, 1)) > share.cumsum(axis=1)[:, None, :-1]).sum(axis=2).astype(np.int16)
    rows_of = np.take_along_axis(chance.cumsum(axis=2)[..., :-1], first[..., None].astype(np.int64), axis=1)
    second = (rng.random((TOPICS, documents, 1)) > rows_of).sum(axis=2).astype(np.int16)
    judged = np.clip(np.rint(40 * np.exp(spread * rng.standard_normal(TOPICS))), 4, documents).astype(np.int64)
    lists = order_runs(first + rng.normal(0, 0.8, first.shape), first, BLURS, rng)
    return Population(lists, count_pool(first), count_pairs(first, second, judged), relevant)


def real(labels: Path, first: list[Path], second: list[Path], runs: list[Path], relevant: int) -> Population:
    """The topics of a real collection: these labels score four of its runs, and both sides make the pairs."""
    names = [path.name.split(".")[0] for path in (*first, *second)]
    sides = tuple(names[: len(first)]), tuple(names[len(first) :])
    counts = gs.count_pairs(gs.read_judgments(*first, *second, levels=LEVELS), first=sides[0], second=sides[1])
    pool = gs.ranking.make_pool(gs.read_judgments(labels, levels=LEVELS))
    made = [gs.ranking.rank_levels(gs.read_run(path), pool) for path in runs]
    place = {name: at for at, name in enumerate(counts.topics)}
    topics = [at for at, name in enumerate(made[0].topics) if name in place]
    lists = np.full((len(made), len(made[0].topics), DEPTH), -1, dtype=np.int16)
    for at, run in enumerate(made):
        inside = run.rank <= DEPTH
        lists[at, run.topic[inside], run.rank[inside] - 1] = run.level[inside]
    pairs = counts.symmetric()[[place[made[0].topics[at]] for at in topics]]
    return Population(lists[:, topics], made[0].pool[topics], pairs, relevant)
