"""Plans made from a pilot, carried out, and looked at: what was foretold against what came, and stops at any moment.

Topics differ, and each has people of its own. Documents are drawn by the plan's keys, shares by the plan's rule, second
judgments weighed by them; `predict_relevance` and `compare_runs` say what came.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from gainsayer.comparison import compare_runs
from gainsayer.comparison.results import Comparison
from gainsayer.gains import Gains, prm_scheme
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.model import count_pairs, estimate_disagreement, predict_relevance
from gainsayer.model.estimate import Disagreement, Estimator
from gainsayer.model.relevance import PredictedRelevance
from gainsayer.planning import FirstLabels, Pilot, Prospect, Stopping, Target, share_out, target_levels, target_runs
from gainsayer.ranking import RankedLevels
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.names import Names

LEVELS = Levels(("0", "1", "2", "3"))
RELEVANT = LEVELS.at_or_above("2")
CUTS = np.array([0.25, 0.8, 1.5])
MEASURES = ("P@10", "nDCG@10")
POPULATION = 20_000
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PlanWorld:
    """A study.

    Args:
        estimator: of p(R|i).
        topics: how many.
        twice: in how many of them second judgments are made.
        pilot: share of the plan's judgments in the first batch.
        judged: share of all documents, in the topics judged twice, that the whole plan asks for.
        heavy: whether noise and topics have heavy tails, and topics' sizes differ.
        documents: of a topic.
    """

    estimator: Estimator
    topics: int
    twice: int
    pilot: float = 0.2
    judged: float = 0.6
    heavy: bool = False
    documents: int = 40


@dataclass(frozen=True, eq=False)
class Study:
    """One draw of it: labels and runs of all documents, keys, and the shares of the plan."""

    world: PlanWorld
    first: IntArray
    second: IntArray
    kept: npt.NDArray[np.bool_]
    runs: list[RankedLevels]
    keys: FloatArray
    sizes: FloatArray
    share: FloatArray

    def look(self, part: float) -> tuple[Disagreement, PredictedRelevance, Comparison]:
        """What is known when this part of the plan is done."""
        share = self.share * part
        chosen = self.keys <= share[self.first.ravel()].reshape(self.keys.shape)
        chosen &= self.kept & (np.arange(self.world.topics) < self.world.twice)[:, None]
        judgments = _judge(self.first, self.second, self.kept, chosen, share)
        model = estimate_disagreement(count_pairs(judgments, first=["a"]), estimator=self.world.estimator)
        measures = [parse_measure(name) for name in MEASURES]
        compared = compare_runs(self.runs, measures, [prm_scheme(model, RELEVANT)], permutations=16)
        return model, predict_relevance(model, RELEVANT), compared

    def foretell(self, target: Target, model: Disagreement) -> Prospect:
        """The prospect of a target."""
        pilot = Pilot(model, RELEVANT, self.sizes[: self.world.twice])
        return Prospect(LEVELS, self.sizes, target, np.zeros(4), ("pilot",) * 4, intraclass=0.0, pilot=pilot)


def draw(world: PlanWorld, seed: list[int]) -> Study:
    """Labels, two runs, keys; shares for p(R|i) of all levels from guesses, as a first plan would make them."""
    rng = np.random.default_rng(seed)
    shape = (world.topics, world.documents)
    first, second, kept, scores = _draw(rng, world, shape)
    names = tuple(f"q{t:03}" for t in range(shape[0]))
    topic, document = np.nonzero(kept)
    labels = FirstLabels(LEVELS, names, topic, tuple(f"d{d}" for d in document.tolist()), first[kept])
    keys = np.full(shape, 2.0)
    keys[kept] = labels.keys(seed[-1])
    sizes = labels.sizes.astype(np.float64)
    documents = sizes[: world.twice].sum(axis=0)
    guess = np.linspace(0.1, 0.8, 4)
    judge = share_out(np.sqrt(guess * (1 - guess)), world.judged * documents.sum(), documents, shown=True)
    share = np.divide(judge, documents, out=np.zeros(4), where=documents > 0)
    return Study(world, first, second, kept, _rank(first, kept, scores), keys, sizes, share)


def _draw(
    rng: np.random.Generator, world: PlanWorld, shape: tuple[int, int]
) -> tuple[IntArray, IntArray, npt.NDArray[np.bool_], list[FloatArray]]:
    def noise(*size: int) -> FloatArray:
        return rng.standard_t(4, size) / np.sqrt(2) if world.heavy else rng.standard_normal(size)

    quality = 0.5 * noise(shape[0], 1) + rng.standard_normal(shape)
    first, second = ((quality + 0.5 * noise(shape[0], 1) + 0.6 * noise(*shape))[..., None] > CUTS for _ in range(2))
    size = np.full(shape[0], shape[1])
    if world.heavy:
        size = np.clip(np.round(shape[1] * 0.5 * np.exp(0.6 * rng.standard_normal(shape[0]))), 12, shape[1]).astype(int)
    kept = np.arange(shape[1]) < size[:, None]
    scores = [quality + blur * rng.standard_normal(shape) for blur in (0.7, 1.1)]
    return first.sum(axis=-1), second.sum(axis=-1), kept, scores


def _judge(
    first: IntArray, second: IntArray, kept: npt.NDArray[np.bool_], chosen: npt.NDArray[np.bool_], share: FloatArray
) -> Judgments:
    """First labels of all documents, second ones of those chosen, weighed by one over their share."""
    number = np.cumsum(kept.ravel()).reshape(kept.shape) - 1
    (t1, _), (t2, _) = np.nonzero(kept), np.nonzero(chosen)
    item = np.concatenate([number[kept], number[chosen]])
    return Judgments(
        levels=LEVELS,
        topics=tuple(f"q{t:03}" for t in range(len(first))),
        assessors=("a", "b"),
        topic=np.concatenate([t1, t2]).astype(np.int32),
        assessor=np.repeat([0, 1], [len(t1), len(t2)]).astype(np.int32),
        level=np.concatenate([first[kept], second[chosen]]).astype(np.int16),
        item=item.astype(np.int64),
        items=int(kept.sum()),
        documents=Names.of([f"d{at}" for at in item.tolist()]),
        declared=True,
        weight=np.concatenate([np.ones(len(t1)), 1 / share[first[chosen]]]),
    )


def _rank(first: IntArray, kept: npt.NDArray[np.bool_], scores: list[FloatArray]) -> list[RankedLevels]:
    topics, documents = first.shape
    pool = np.stack([((first == level) & kept).sum(axis=1) for level in range(4)], axis=1).astype(np.int64)
    runs = []
    for score in scores:
        order = np.argsort(np.where(kept, -score, np.inf), axis=1)
        inside = np.take_along_axis(kept, order, axis=1)
        rank = np.broadcast_to(np.arange(1, documents + 1), first.shape)
        runs.append(
            RankedLevels(
                levels=LEVELS,
                topics=tuple(f"q{t:03}" for t in range(topics)),
                topic=np.nonzero(inside)[0].astype(np.int32),
                rank=rank[inside].astype(np.int32),
                level=np.take_along_axis(first, order, axis=1)[inside].astype(np.int16),
                retrieved=kept.sum(axis=1).astype(np.int64),
                present=np.ones(topics, dtype=np.bool_),
                pool=pool,
                name=f"run{len(runs)}",
            )
        )
    return runs


@dataclass(frozen=True, eq=False)
class Foretold:
    """Foretold over achieved half-widths: medians by level (NaN where never seen enough), scores and differences.

    Args:
        levels: shape [levels].
        scores: by measure and run.
        differences: by measure.
        seen: how often a level's rarer outcome was seen five times in the pilot.
    """

    levels: FloatArray
    scores: FloatArray
    differences: FloatArray
    seen: FloatArray


def foretell(world: PlanWorld, repeats: int, seed: int = 0) -> Foretold:
    """Make a plan from its first batch, carry it out, and compare half-widths."""
    found: list[list[float]] = []
    for repeat in range(repeats):
        study = draw(world, [seed, repeat])
        try:
            early, late = study.look(world.pilot), study.look(1.0)
        except (ValueError, ZeroDivisionError):  # a pilot that holds a level nowhere
            continue
        row = []
        for now, then in zip(_targets(early), _targets(late), strict=True):
            prospect = study.foretell(now, early[0])
            assert then.spread is not None
            predicted = prospect.half_widths(study.share, second=1.0)
            came = np.diff(then.ends(then.spread), axis=1).ravel() / 2
            row += np.where(now.known & (came > 0), predicted / np.where(came > 0, came, 1), np.nan).tolist()
        found.append(row)
    ratios = np.array(found)
    with np.errstate(all="ignore"):
        median = np.nanmedian(ratios, axis=0)
    seen = np.isfinite(ratios[:, :4]).mean(axis=0)
    return Foretold(np.where(seen > 0.2, median[:4], np.nan), median[4:8], median[8:], seen)


def _targets(look: tuple[Disagreement, PredictedRelevance, Comparison]) -> list[Target]:
    """p(R|i), then the scores by each measure, then the differences."""
    _, prediction, compared = look
    scores = [target_runs(part, compared.runs, [0, 1], "score", 0.95) for part in compared.parts]
    differences = [target_runs(part, compared.runs, [0, 1], "difference", 0.95) for part in compared.parts]
    return [target_levels(prediction, range(4)), *scores, *differences]


@cache
def truth(heavy: bool, documents: int, estimator: Estimator) -> tuple[FloatArray, FloatArray, FloatArray]:
    """p(R|i), the runs' scores by measure, and the differences, in a population of many topics."""
    world = PlanWorld(estimator, POPULATION, POPULATION, heavy=heavy, documents=documents)
    rng = np.random.default_rng(20261119)
    first, second, kept, scores = _draw(rng, world, (POPULATION, documents))
    pairs = np.bincount(first[kept] * 4 + second[kept], minlength=16).reshape(4, 4).astype(np.float64)
    if estimator == "symmetric":
        pairs = pairs + pairs.T
    p = pairs[:, 2:].sum(axis=1) / pairs.sum(axis=1)
    gains = Gains(LEVELS, p)
    mean = [[parse_measure(name).score(run, gains).mean() for run in _rank(first, kept, scores)] for name in MEASURES]
    table = np.array(mean)
    return p, table.ravel(), table[:, 0] - table[:, 1]


@dataclass(frozen=True, eq=False)
class Stopped:
    """How often all looks from the first finished batch to the last held the truth; by level, score, difference."""

    levels: FloatArray
    scores: FloatArray
    differences: FloatArray
    fixed: FloatArray


def stop(world: PlanWorld, repeats: int, looks: int = 10, seed: int = 0) -> Stopped:
    """Look at every quantity by its own multiplier, which the first batch fixes; `fixed` is one look at the end."""
    true = np.concatenate(truth(world.heavy, world.documents, world.estimator))
    held, at_end = [], []
    for repeat in range(repeats):
        study = draw(world, [seed, repeat])
        try:
            seen = [study.look(part) for part in np.geomspace(world.pilot, 1.0, looks).tolist()]
        except (ValueError, ZeroDivisionError):
            continue
        confidences = []
        for target in _targets(seen[0]):
            prospect = study.foretell(target, seen[0][0])
            assert target.spread is not None
            then = prospect.spread(study.share, second=1.0).topics
            count = len(target.known)
            ratio = np.divide(target.spread.topics, then, out=np.ones_like(then), where=then > 0)[:count]
            confidences += [Stopping("decision", max(float(r), 1.0)).nominal for r in np.nan_to_num(ratio, nan=1.0)]
        inside = []
        for look in seen:
            ends = [_ends_at(look, at, confidence) for at, confidence in enumerate(confidences)]
            inside.append([low <= value <= high for (low, high), value in zip(ends, true, strict=True)])
        held.append(np.all(inside, axis=0))
        plain = [_ends_at(seen[-1], at, 0.95) for at in range(len(true))]
        at_end.append([low <= value <= high for (low, high), value in zip(plain, true, strict=True)])
    mean, fixed = np.mean(held, axis=0), np.mean(at_end, axis=0)
    return Stopped(mean[:4], mean[4:8], mean[8:], fixed)


def _ends_at(
    look: tuple[Disagreement, PredictedRelevance, Comparison], place: int, confidence: float
) -> tuple[float, float]:
    """The interval of a quantity, counted as `_targets` does, at a confidence of its own; all numbers where none."""
    model, _, compared = look
    if place < 4:
        ends = predict_relevance(model, RELEVANT, confidence=confidence).interval.ends[place]
    else:
        at, differs = (place - 4, False) if place < 4 + 2 * len(MEASURES) else (place - 4 - 2 * len(MEASURES), True)
        part = compared.parts[at if differs else at // 2]
        target = target_runs(part, compared.runs, [0, 1], "difference" if differs else "score", confidence)
        assert target.spread is not None
        ends = target.ends(target.spread)[0 if differs else at % 2]
    low, high = ends.tolist()
    return (-np.inf, np.inf) if low != low else (low, high)
