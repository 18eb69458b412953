"""Plans keep what they promise: predicted errors against achieved ones, coverage after stops, unbiased weights.

Reduced by default; more repeats under GAINSAYER_SLOW=1.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student
from tests.collections import answer, draw_labels

import gainsayer as gs
from gainsayer.commands.ranked_runs import Policies, match_runs
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.planning import (
    FirstLabels,
    Prospect,
    Targets,
    allocate,
    estimate_components,
    fill_components,
    grow_shares,
    looks_multiplier,
    nominal_confidence,
    target_scores,
)
from gainsayer.rankings import choose_labels

SLOW = bool(os.environ.get("GAINSAYER_SLOW"))
pytestmark = pytest.mark.slow
LEVELS = Levels(("0", "1", "2", "3"))
FloatArray = np.ndarray
Cells = tuple[FloatArray, FloatArray]


def expit(value: FloatArray) -> FloatArray:
    """The logistic function."""
    return np.asarray(1 / (1 + np.exp(-value)))


class TopicWorld:
    """Topics with a leniency of their own, lognormal sizes, levels 0 to 3; opinions are drawn document by document."""

    def __init__(self, generator: np.random.Generator, topics: int, *, leniency: float = 0.8) -> None:
        sizes = generator.poisson(generator.lognormal(3.6, 0.5, (topics, 1)) * np.array([0.5, 0.25, 0.15, 0.1])) + 1
        self.sizes = sizes
        self.chance = expit(np.array([-2.5, -1.0, 0.2, 1.0]) + leniency * generator.standard_normal((topics, 1)))
        topic, level = (np.repeat(place.ravel(), sizes.ravel()) for place in np.indices(sizes.shape))
        self.labels = FirstLabels(
            LEVELS, tuple(f"q{t}" for t in range(topics)), topic, tuple(f"d{d}" for d in range(len(topic))), level
        )
        self.likes = generator.random(len(topic)) < self.chance[topic, level]

    def judged(self, chosen: np.ndarray) -> Cells:
        """Relevant and all second opinions of the chosen documents, per topic and level."""
        shape = self.sizes.shape
        cell = self.labels.cell[chosen]
        counts = np.bincount(cell, minlength=self.sizes.size).reshape(shape).astype(float)
        return np.bincount(cell, self.likes[chosen], minlength=self.sizes.size).reshape(shape), counts


TRUTH = expit(np.array([-2.5, -1.0, 0.2, 1.0]) + 0.8 * np.random.default_rng(0).standard_normal((400_000, 1))).mean(
    axis=0
)
INFLUENCE = np.array([0.4, 1.0, 1.6, 1.5])


def test_predicted_errors_are_achieved_in_simulated_worlds() -> None:
    """Predicted over achieved standard deviation of A.p and of each p lies within .85 and 1.2, at three budgets."""
    generator = np.random.default_rng(21)
    large = TopicWorld(generator, 400)
    known = fill_components(LEVELS, estimate_components(*large.judged(np.ones(len(large.labels), bool))))
    targets = Targets(("A.p", *LEVELS.names), np.vstack([INFLUENCE, np.eye(4)]), np.zeros(5), np.zeros(5))
    repeats = 600 if SLOW else 120
    budgets = (150, 300, 800)
    found: dict[int, list[FloatArray]] = {budget: [] for budget in budgets}
    predicted: dict[int, list[FloatArray]] = {budget: [] for budget in budgets}
    for seed in range(repeats):
        world = TopicWorld(generator, 40)
        prospect = Prospect(world.sizes.astype(float), known, targets)
        keys = world.labels.keys(seed)
        for budget in budgets:
            judge = allocate(prospect.worth, budget, prospect.documents, np.minimum(12, prospect.documents))
            relevant, judged = world.judged(keys <= (judge / prospect.documents)[world.labels.level])
            p = relevant.sum(axis=0) / judged.sum(axis=0)
            found[budget].append(np.array([INFLUENCE @ p, *p]))
            predicted[budget].append(prospect.variance(judge).total)
    for budget in budgets:
        ratio = np.sqrt(np.mean(predicted[budget], axis=0)) / np.std(found[budget], axis=0, ddof=1)
        slack = 2 / np.sqrt(2 * repeats)  # two Monte Carlo errors of a standard deviation
        assert np.all((ratio > 0.85 * (1 - slack)) & (ratio < 1.2 * (1 + slack))), (budget, ratio)


def estimate(relevant: FloatArray, judged: FloatArray) -> tuple[float, float]:
    """A.p and its jackknife error over topics."""

    def theta(total: FloatArray, count: FloatArray) -> FloatArray:
        return np.asarray((total / np.maximum(count, 1)) @ INFLUENCE)

    total, count = relevant.sum(axis=0), judged.sum(axis=0)
    left = theta(total - relevant, count - judged)
    topics = len(relevant)
    return float(theta(total, count)), float(np.sqrt((topics - 1) / topics * ((left - left.mean()) ** 2).sum()))


def test_intervals_cover_after_precision_and_decision_stops() -> None:
    """At 40 topics and five looks: plain intervals after a precision stop, and with c at all looks together; plain ones
    at all looks do not.
    """
    generator = np.random.default_rng(11)
    repeats = 1500 if SLOW else 300
    truth = float(INFLUENCE @ TRUTH)
    held = {"precision": 0, "decision": 0, "all looks": 0, "all looks, plain": 0}
    large = TopicWorld(generator, 400)
    known = fill_components(LEVELS, estimate_components(*large.judged(np.ones(len(large.labels), bool))))
    targets = Targets(("A.p",), INFLUENCE[None], np.zeros(1), np.zeros(1))
    plain = float(student.ppf(0.975, 39))
    for seed in range(repeats):
        world = TopicWorld(generator, 40)
        prospect = Prospect(world.sizes.astype(float), known, targets)
        judge = allocate(prospect.worth, 400, prospect.documents, np.minimum(12, prospect.documents))
        shares = grow_shares(judge / prospect.documents, 5)
        variances = [float(prospect.variance(row * prospect.documents).total[0]) for row in shares]
        ratio = max(variances[0] / variances[-1], 1.0)
        # A ratio rounded up to a few steps, so that its multiplier is found once.
        multiplier = looks_multiplier(float(np.ceil(20 * ratio) / 20), 5)
        wide = float(student.ppf((1 + nominal_confidence(multiplier)) / 2, 39))
        within = plain * np.sqrt(np.sqrt(variances[0] * variances[-1]))
        keys = world.labels.keys(seed)
        looks = [estimate(*world.judged(keys <= row[world.labels.level])) for row in shares]
        inside = [abs(value - truth) <= wide * error for value, error in looks]
        covered = [abs(value - truth) <= plain * error for value, error in looks]
        stop = next((at for at, (_, error) in enumerate(looks) if plain * error <= within), 4)
        # A study that stops as soon as the estimate differs from the truth is the worst case of a decision.
        shown = inside.index(False) if False in inside else 4
        held["precision"] += covered[stop]
        held["decision"] += inside[shown]
        held["all looks"] += all(inside)
        held["all looks, plain"] += all(covered)
    slack = 3 * np.sqrt(0.05 * 0.95 / repeats)
    share = {name: count / repeats for name, count in held.items()}
    for name in ("precision", "decision", "all looks"):
        assert 0.92 - slack < share[name] < 0.97 + slack, share
    assert share["all looks, plain"] < share["all looks"] - 0.01, share


def test_fits_by_a_plan_are_unbiased() -> None:
    """Over plans, one-sided and weighted symmetric estimates average to those of everything judged twice; the
    unweighted symmetric one does not.
    """
    first, second = draw_labels(3)
    whole = {
        estimator: gs.fit(("a", first), ("b", second), threshold=2, estimator=estimator).predict().probability
        for estimator in ("one-sided", "symmetric")
    }
    repeats = 200 if SLOW else 30
    found: dict[str, list[FloatArray]] = {"one-sided": [], "symmetric": [], "unweighted": []}
    for seed in range(repeats):
        table = gs.plan(("a", first), threshold=2, level="2", budget=220, seed=seed)
        saved = json.loads(table.to_json())
        judged = answer(second, table)
        for estimator in ("one-sided", "symmetric"):
            fit = gs.fit(("a", first), ("b", judged), plan=saved, estimator=estimator)  # type: ignore[arg-type]
            found[estimator].append(fit.predict().probability)
        counts = gs.count_pairs(gs.read_judgments({"a": first, "b": judged})).matrix
        both = counts + counts.T
        found["unweighted"].append(both[:, 2] / both.sum(axis=1))
    for estimator in ("one-sided", "symmetric"):
        error = np.std(found[estimator], axis=0, ddof=1) / np.sqrt(repeats)
        bias = np.mean(found[estimator], axis=0) - whole[estimator]
        assert np.all(np.abs(bias) < 4 * error + 0.004), (estimator, bias)
    assert np.mean(found["unweighted"], axis=0)[0] > whole["symmetric"][0] + 0.1


def resample(cells: Cells, share: FloatArray, profile: FloatArray, generator: np.random.Generator) -> FloatArray:
    """Scores and p over samples of topics, each judged anew with these shares; shape [draws, 1 + levels]."""
    relevant, judged = (part.astype(np.int64) for part in cells)
    topics = len(judged)
    found = []
    for _ in range(1000 if SLOW else 300):
        drawn = generator.integers(0, topics, topics)
        part = judged[drawn] * share
        count = np.floor(part).astype(np.int64) + (generator.random(part.shape) < part - np.floor(part))
        count = np.minimum(count, judged[drawn])
        liked = generator.hypergeometric(relevant[drawn], (judged - relevant)[drawn], count)
        p = liked.sum(axis=0) / np.maximum(count.sum(axis=0), 1)
        found.append([profile[drawn].mean(axis=0) @ p, *p])
    return np.array(found)


@pytest.mark.parametrize("name", ["dl19", "dl21"])
def test_predicted_errors_are_achieved_on_real_judgments(name: str, shared_data: Callable[[str], Path]) -> None:
    """DCG@10 of a run and each p(R|i), n = 400, at thresholds 1 to 3, topics drawn anew."""
    if name == "dl19":
        folder = shared_data("dl19/annotators")
        sides = [[f"pair{pair}-{side}" for pair in range(1, 5)] for side in ("first", "second")]
        judgments = gs.read_judgments(*(folder / f"{one}.qrels" for side in sides for one in side))
    else:
        folder = shared_data("dl21/assessors")
        sides = [["nist"], ["umbrela-gpt4"]]
        judgments = gs.read_judgments(*(folder / f"{side[0]}.qrels" for side in sides))
    run = sorted(shared_data(f"{name}/runs").iterdir())[0]
    labels = choose_labels(judgments, sides[0])
    ranked = match_runs(str(run), judgments, Policies()).label(labels).ranked
    pairs = gs.count_pairs(judgments, first=sides[0], second=sides[1])
    assert tuple(pairs.topics) == tuple(ranked[0].topics)
    measure = parse_measure("DCG@10")
    profile = np.stack([target_scores(ranked, measure, np.eye(4)[level]).scores[0] for level in range(4)], axis=1)  # type: ignore[index]
    generator = np.random.default_rng(5)
    ratios = []
    for threshold in (1, 2, 3):
        cells = pairs.counts[:, :, threshold:].sum(axis=2), pairs.counts.sum(axis=2)
        known = fill_components(LEVELS, estimate_components(*cells))
        score = target_scores(ranked, measure, known.probability)
        influence = np.vstack([score.influence, np.eye(4)])
        targets = Targets(("score", *LEVELS.names), influence, np.zeros(5), np.append(score.topics, np.zeros(4)))
        covariance = np.append(score.covariance(known.residual), np.zeros(4))
        prospect = Prospect(cells[1], known, targets, covariance=covariance)
        judge = allocate(prospect.worth, 400, prospect.documents, np.minimum(12.0, prospect.documents))
        achieved = resample(cells, judge / prospect.documents, profile, generator).std(axis=0, ddof=1)
        moved = achieved > 0  # at threshold 1 the machine calls every document of dl21's top level relevant
        ratios.append(np.where(moved, np.sqrt(prospect.variance(judge).total) / np.where(moved, achieved, 1.0), 1.0))
    slack = 0.0 if SLOW else 0.05
    ratio = np.array(ratios)
    assert np.all((ratio > 0.85 - slack) & (ratio < 1.2 + slack)), ratio.round(3)
