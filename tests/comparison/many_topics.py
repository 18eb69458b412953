"""Thousands of topics as bare arrays, and the infinitesimal jackknife of them written out topic by topic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import sqrt

import numpy as np
from tests.comparison.small_worlds import LEVELS, ONE

from gainsayer.comparison import (
    RunMoments,
    SumPlan,
    TopicSums,
    find_moments,
    find_moves,
    hashed_signs,
    name_keys,
    poisson_weights,
    sum_topics,
)
from gainsayer.gains import FittedElsewhere, Gains, Scheme, prm_scheme
from gainsayer.model import PairCounts, estimate_disagreement
from gainsayer.rankings import FloatArray, IntArray

PATTERNS, DRAWS = 70, 9


@dataclass(frozen=True, eq=False)
class ManyTopics:
    """Scores, slopes and double judgments as they might be.

    Args:
        names: of the scored topics.
        scores: shape [runs, topics].
        slopes: shape [levels, runs, topics].
        paired: names of the doubly judged topics.
        pairs: shape [paired, levels, levels].
        scheme: the gains.
        seed: of signs and weights.
    """

    names: tuple[str, ...]
    scores: FloatArray
    slopes: FloatArray
    paired: tuple[str, ...]
    pairs: FloatArray
    scheme: Scheme
    seed: int = 5

    @property
    def plan(self) -> SumPlan:
        """With few patterns and draws."""
        return SumPlan(len(self.names), len(self.scores), PATTERNS, DRAWS, self.seed)

    def sums(self, chosen: IntArray | None = None, bare: IntArray | None = None) -> TopicSums:
        """Over these scored and these doubly judged topics; all by default."""
        chosen = np.arange(len(self.names)) if chosen is None else chosen
        bare = np.arange(len(self.paired)) if bare is None else bare
        names = [self.paired[at] for at in bare]
        moves = find_moves(self.scheme, names, self.pairs[bare], self.pairs.sum(axis=0))
        some = [self.names[at] for at in chosen]
        return sum_topics(some, self.scores[:, chosen], self.slopes[:, :, chosen], moves, self.plan)

    @cache  # noqa: B019 - worlds are few, and live as long as the tests
    def moments(self) -> RunMoments:
        """Of all topics."""
        return find_moments(self.sums(), self.scheme)

    def scored_by(self, scores: FloatArray) -> ManyTopics:
        """The same with other scores."""
        return replace(self, scores=scores)


def make_topics(topics: int = 5_000, twice: int = 300, unscored: int = 60, runs: int = 4, seed: int = 1) -> ManyTopics:
    """Scored topics, some of them judged twice; and topics that are judged twice and not scored."""
    rng = np.random.default_rng(seed)
    names = tuple(f"q{at}" for at in range(topics))
    ease = rng.beta(2, 3, topics)
    scores = np.clip(ease + rng.normal(0, 0.15, (runs, topics)) + np.linspace(0, 0.03, runs)[:, None], 0, 1)
    slopes = rng.uniform(0, 1, (3, runs, topics)) * (0.5 + ease)
    sizes = rng.lognormal(0, 1, (twice + unscored, 1, 1))
    pairs = rng.poisson(sizes * np.array([[6.0, 2, 0.5], [2, 3, 1], [0.5, 1, 3]])).astype(float)
    pairs[:, 0, 1] += (10 * np.concatenate([ease[:twice], rng.beta(2, 3, unscored)])).astype(int)
    pairs = pairs + pairs.transpose(0, 2, 1)
    paired = (*names[:twice], *(f"other {at}" for at in range(unscored)))
    counts = PairCounts.from_matrix(LEVELS, pairs.astype(np.int64) // 2, topics=paired)
    model = estimate_disagreement(counts, estimator="symmetric")
    return ManyTopics(names, scores, slopes, model.counts.topics, model.pairs, prm_scheme(model, ONE))


def with_given_gains(world: ManyTopics) -> ManyTopics:
    """The same with gains that nobody estimated."""
    given = Scheme(Gains(LEVELS, world.scheme.gains.values, name="given"))
    return replace(world, scheme=given, slopes=world.slopes[:0])


def with_model_elsewhere(world: ManyTopics) -> ManyTopics:
    """The same with gains of a model file, made of 40 topics."""
    root = np.array([[2.0, 1, 0], [1, 3, -1], [0, 1, 2]]) / 100
    fitted = FittedElsewhere(root.T @ root, 40)
    return replace(world, scheme=Scheme(world.scheme.gains, fitted=fitted))


@dataclass(frozen=True, eq=False)
class Plainly:
    """Influences and their parts, each topic and run in turn: lists of lists, no sums over topics until the end.

    Args:
        world: the topics.
        influences: I of each topic (and column of a model) on each mean score.
        alone: the same with the gains held.
        moved: the same with the scored topics held.
        noise: v of each doubly judged topic as a function of squared slopes, shape [paired, levels].
        names: whose sign flips each influence.
    """

    world: ManyTopics
    influences: FloatArray
    alone: FloatArray
    moved: FloatArray
    noise: FloatArray
    names: tuple[str, ...]
    columns: int

    def errors(self, gradient: FloatArray) -> tuple[float, float, float, float]:
        """s, V_S, V_P and the degrees of freedom of a quantity with this gradient in the mean scores."""
        world = self.world
        total = float(sum((gradient @ row) ** 2 for row in self.influences))
        topics = float(sum((gradient @ row) ** 2 for row in self.alone))
        parameters = float(sum((gradient @ row) ** 2 for row in self.moved))
        borne = 1.0
        if world.scheme.fitted is not None:
            borne = world.scheme.fitted.topics
        elif world.scheme.rule is not None:
            slope = world.slopes.mean(axis=2) @ gradient
            noise = [float(row @ slope**2) for row in self.noise]
            borne = sum(v**2 for v in noise) ** 2 / sum(v**4 for v in noise)
        phi = parameters / (topics + parameters)
        count = len(world.names)
        degrees = 1 / (phi**2 / max(borne - 1, 1) + (1 - phi) ** 2 / (count - 1))
        return sqrt(total), topics, parameters, min(max(degrees, 1), count - 1)

    @cache  # noqa: B019
    def signs(self) -> FloatArray:
        """Of every influence, shape [patterns, influences]."""
        keys = [name_keys(self.names), name_keys([str(at) for at in range(self.columns)], kind="column")]
        return hashed_signs(np.concatenate(keys), range(PATTERNS), self.world.seed)

    def weights(self) -> FloatArray:
        """Of every topic, shape [draws, topics]."""
        return poisson_weights(name_keys(self.names), range(DRAWS), self.world.seed)


@cache
def by_topic(world: ManyTopics, *, by_kind: bool | None = None) -> Plainly:
    """The infinitesimal jackknife, topic by topic; by default topics are of a kind each where gains are estimated."""
    runs, count = world.scores.shape
    mean = world.scores.mean(axis=1)
    estimated = world.scheme.rule is not None
    by_kind = estimated if by_kind is None else by_kind
    slope = world.slopes.mean(axis=2)
    total = world.pairs.sum(axis=0)
    gain = world.scheme.gains.values
    moves: dict[str, FloatArray] = {}
    for name, own in zip(world.paired, world.pairs, strict=True):
        left = total - own
        moves[name] = np.array([left[i, 1:].sum() / left[i].sum() for i in range(3)]) - gain
    names = list(world.names)
    if estimated:
        names += [name for name in world.paired if name not in set(world.names)]
    place = {name: at for at, name in enumerate(world.names)}
    left_out = []
    for name in names:
        without = np.zeros(runs)
        if name in place:
            without += (mean - world.scores[:, place[name]]) / (count - 1)
        if estimated and name in moves:
            without += moves[name] @ slope
        left_out.append(without)
    kinds: dict[object, list[int]] = {}
    for at, name in enumerate(names):
        kinds.setdefault((name in place, name in moves) if by_kind else None, []).append(at)
    groups = [list(range(len(names)))] if any(len(kind) == 1 for kind in kinds.values()) else list(kinds.values())
    influences = np.empty((len(names), runs))
    for group in groups:
        centre = sum(left_out[at] for at in group) / len(group)
        for at in group:
            influences[at] = -sqrt((len(group) - 1) / len(group)) * (left_out[at] - centre)
    alone = np.array([(world.scores[:, at] - mean) / sqrt(count * (count - 1)) for at in range(count)])
    moved, noise, columns = np.zeros((0, runs)), np.zeros((0, 3)), 0
    if estimated:
        middle = sum(moves.values()) / len(moves)
        moved = np.array([sqrt((len(moves) - 1) / len(moves)) * ((move - middle) @ slope) for move in moves.values()])
        judged = total.sum(axis=1)
        noise = np.array([gain * (1 - gain) * own.sum(axis=1) / judged**2 for own in world.pairs])
    elif world.scheme.fitted is not None:
        moved = world.scheme.fitted.root() @ slope
        influences = np.concatenate([influences, moved])
        columns = len(moved)
    return Plainly(world, influences, alone, moved, noise, tuple(names), columns)
