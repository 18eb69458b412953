"""Errors from sums over topics, held against every topic taken in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t, ttest_rel
from tests.comparison.many_topics import (
    ManyTopics,
    by_topic,
    make_topics,
    with_given_gains,
    with_model_elsewhere,
)
from tests.comparison.small_worlds import LEVELS, ONE

from gainsayer.comparison import (
    flip_pairs,
    list_pairs,
    pair_errors,
    score_errors,
    standardise,
    summed_differences,
    summed_effect,
    summed_intervals,
)
from gainsayer.gains import prm_scheme
from gainsayer.model import PairCounts, estimate_disagreement

WORLDS: dict[str, Callable[[], ManyTopics]] = {
    "some judged twice, others judged twice and not scored": make_topics,
    "all judged twice are scored": lambda: make_topics(unscored=0),
    "none of those judged twice is scored": lambda: make_topics(twice=0, unscored=200),
    "a single one of a kind": lambda: make_topics(twice=250, unscored=1),
    "all scored are judged twice": lambda: make_topics(topics=4_200, twice=4_200, unscored=3),
    "gains that are given": lambda: with_given_gains(make_topics()),
    "a model made elsewhere": lambda: with_model_elsewhere(make_topics()),
}


@pytest.fixture(scope="module", params=WORLDS, ids=str)
def world(request: pytest.FixtureRequest) -> ManyTopics:
    """Each of the worlds."""
    return WORLDS[request.param]()


def test_errors_of_scores_are_those_of_every_topic_in_turn(world: ManyTopics) -> None:
    """s, V_S, V_P and the degrees of freedom of log x, to ten digits."""
    plain, moments = by_topic(world), world.moments()
    logged, found = score_errors(moments)
    assert logged.all()
    assert moments.estimate == pytest.approx(world.scores.mean(axis=1), rel=1e-13)
    for run, mean in enumerate(world.scores.mean(axis=1)):
        gradient = np.eye(len(world.scores))[run] / mean
        error, topics, parameters, degrees = plain.errors(gradient)
        assert found.error[run] == pytest.approx(error, rel=1e-10)
        assert found.topics[run] == pytest.approx(topics, rel=1e-10)
        assert found.parameters[run] == pytest.approx(parameters, rel=1e-10)
        assert found.degrees[run] == pytest.approx(degrees, rel=1e-10)


def test_errors_of_differences_are_those_of_every_topic_in_turn(world: ManyTopics) -> None:
    """The same of r = (x1 - x2) / m and log m, and the correlation of the two."""
    plain, moments = by_topic(world), world.moments()
    a, b = list_pairs(len(world.scores))
    found = pair_errors(moments, a, b)
    mean, unit = world.scores.mean(axis=1), np.eye(len(world.scores))
    for pair, (one, other) in enumerate(zip(a, b, strict=True)):
        middle = (mean[one] + mean[other]) / 2
        relative = (mean[one] - mean[other]) / middle
        gradient = (mean[other] * unit[one] - mean[one] * unit[other]) / middle**2
        scale = (unit[one] + unit[other]) / (2 * middle)
        error, topics, parameters, degrees = plain.errors(gradient)
        assert found.relative[pair] == pytest.approx(relative, rel=1e-10)
        assert found.error[pair] == pytest.approx(error, rel=1e-10)
        assert found.topic_share[pair] == pytest.approx(topics / error**2, rel=1e-10)
        assert found.parameter_share[pair] == pytest.approx(parameters / error**2, rel=1e-10)
        assert found.degrees[pair] == pytest.approx(degrees, rel=1e-10)
        middle_error, _, _, middle_degrees = plain.errors(scale)
        assert found.middle_error[pair] == pytest.approx(middle_error, rel=1e-10)
        assert found.middle_degrees[pair] == pytest.approx(middle_degrees, rel=1e-10)
        shared = sum((gradient @ row) * (scale @ row) for row in plain.influences)
        assert found.correlation[pair] == pytest.approx(shared / (error * middle_error), rel=1e-8, abs=1e-10)


def test_sign_flips_are_those_of_every_topic_in_turn(world: ManyTopics) -> None:
    """The largest t among the pairs, each influence with the sign that its topic has in the pattern."""
    plain, moments = by_topic(world), world.moments()
    a, b = list_pairs(len(world.scores))
    found = flip_pairs(moments, pair_errors(moments, a, b), a, b)
    mean = world.scores.mean(axis=1)
    count = len(plain.influences)
    assert moments.influences == count
    largest = np.zeros(len(plain.signs()))
    for one, other in zip(a, b, strict=True):
        middle = (mean[one] + mean[other]) / 2
        own = (mean[other] * plain.influences[:, one] - mean[one] * plain.influences[:, other]) / middle**2
        sums = plain.signs() @ own
        spread = count / (count - 1) * ((own**2).sum() - sums**2 / count)
        largest = np.maximum(largest, np.abs(sums) / np.sqrt(spread))
    assert found.values == pytest.approx(np.sort(largest), rel=1e-8)


def test_samples_of_topics_are_those_of_every_topic_in_turn(world: ManyTopics) -> None:
    """Mean scores in a sample: as estimated, and every topic's influence times its weight, each kind about its mean."""
    plain, moments = by_topic(world, by_kind=True), world.moments()
    weights = plain.weights()
    expected = world.scores.mean(axis=1) + weights @ plain.influences[: weights.shape[1]]
    if plain.columns:
        normal = np.random.default_rng([world.seed, 1]).standard_normal((len(weights), plain.columns))
        expected = expected + normal @ plain.influences[weights.shape[1] :]
    assert moments.drawn == pytest.approx(expected, rel=1e-9)


def test_intervals_follow_from_the_errors(world: ManyTopics) -> None:
    """exp(log x ± t s) for a score; p from t of r / s."""
    plain, moments = by_topic(world), world.moments()
    scores = summed_intervals(moments, confidence=0.9, highest=1.0)
    mean = world.scores.mean(axis=1)
    error, topics, _, degrees = plain.errors(np.eye(len(mean))[1] / mean[1])
    reach = t.ppf(0.95, degrees) * error
    assert scores.interval[1] == pytest.approx(mean[1] * np.exp([-reach, reach]), rel=1e-10)
    reach = t.ppf(0.95, len(world.names) - 1) * np.sqrt(topics)
    assert scores.topic_interval[1] == pytest.approx(mean[1] * np.exp([-reach, reach]), rel=1e-10)
    found = summed_differences(moments, *list_pairs(len(mean)), confidence=0.9, highest=1.0)
    middle = (mean[0] + mean[1]) / 2
    gradient = np.zeros(len(mean))
    gradient[:2] = mean[1] / middle**2, -mean[0] / middle**2
    error, _, _, degrees = plain.errors(gradient)
    p = 2 * t.sf(abs(mean[0] - mean[1]) / middle / error, degrees)
    assert found.p[0] == pytest.approx(p, rel=1e-7)


def test_paired_t_tests_need_no_topic(world: ManyTopics) -> None:
    """Standardised differences from sums are those of the scores."""
    a, b = list_pairs(len(world.scores))
    difference = world.scores.mean(axis=1)[a] - world.scores.mean(axis=1)[b]
    found = summed_effect(world.moments(), difference, a, b)
    assert found == pytest.approx(standardise(world.scores, a, b), rel=1e-10)
    expected = [ttest_rel(world.scores[one], world.scores[two]).statistic for one, two in zip(a, b, strict=True)]
    assert found * np.sqrt(len(world.names)) == pytest.approx(expected, rel=1e-10)


def test_gains_that_are_certain() -> None:
    """Where everybody agreed, gains of 0 and 1 are estimated and do not move: topics alone bring the variance."""
    world = make_topics()
    sure = np.einsum("tij,ij->tij", world.pairs, np.eye(3))
    names = tuple(name for name, own in zip(world.paired, sure, strict=True) if own.any())
    counts = PairCounts.from_matrix(LEVELS, sure[sure.any(axis=(1, 2))].astype(np.int64), topics=names)
    model = estimate_disagreement(counts, estimator="symmetric")
    moments = replace(
        world, paired=names, pairs=model.pairs, scheme=prm_scheme(model, ONE), slopes=world.slopes[:0]
    ).moments()
    _, errors = score_errors(moments)
    assert moments.estimated
    assert (errors.parameters == 0).all()
    assert (errors.degrees == len(world.names) - 1).all()
    assert errors.error == pytest.approx(np.sqrt(errors.topics), rel=1e-2)  # about the mean of each kind


def test_two_equal_runs() -> None:
    """Runs with the same scores, or scores that differ by rounding alone, do not differ: error 0, p 1, no flip."""
    world = make_topics()
    scores, slopes = world.scores.copy(), world.slopes.copy()
    scores[1], slopes[:, 1] = scores[0], slopes[:, 0]
    scores[2], slopes[:, 2] = scores[0] * (1 + 2e-16), slopes[:, 0] * (1 + 2e-16)
    moments = ManyTopics(world.names, scores, slopes, world.paired, world.pairs, world.scheme).moments()
    a, b = list_pairs(4)
    pairs = pair_errors(moments, a, b)
    same = (a < 3) & (b < 3)
    assert (pairs.error[same] == 0).all()
    assert (pairs.relative[same] == 0).all()
    assert (pairs.error[~same] > 0).all()
    found = summed_differences(moments, a, b, confidence=0.95, highest=1.0)
    assert (found.p[same] == 1).all()
    assert (found.p_adjusted[same] == 1).all()
    alone = flip_pairs(moments, pairs, a, b)
    assert alone.values == pytest.approx(
        flip_pairs(moments, pair_errors(moments, a[2:3], b[2:3]), a[2:3], b[2:3]).values
    )


@pytest.mark.parametrize("size", [0.5, 1e-3, 1e-6])
def test_runs_that_differ_in_one_topic(size: float) -> None:
    """The error of a difference that one topic of 5,000 makes has not drowned in the spread of all topics."""
    world = with_given_gains(make_topics())
    scores = world.scores.copy()
    scores[1] = scores[0]
    scores[1, 77] = scores[0, 77] + size
    world = world.scored_by(scores)
    plain, moments = by_topic(world), world.moments()
    mean = scores.mean(axis=1)
    middle = (mean[0] + mean[1]) / 2
    found = pair_errors(moments, np.array([0]), np.array([1]))
    gradient = np.zeros(4)
    gradient[:2] = 1 / middle, -1 / middle
    relative = (mean[0] - mean[1]) / middle
    # Influences of the difference first, so that this side does not drown either.
    own = (plain.influences[:, 0] - plain.influences[:, 1]) / middle
    own -= relative / middle * (plain.influences[:, 0] + plain.influences[:, 1]) / 2
    assert found.error[0] == pytest.approx(np.sqrt((own**2).sum()), rel=1e-6)
    assert found.error[0] == pytest.approx(abs(found.relative[0]), rel=0.01)


def test_runs_that_score_nothing() -> None:
    """A score of 0 has no interval; two of them differ by [0, 0] and have no test; one topic makes no logarithm."""
    world = make_topics(runs=5)
    scores, slopes = world.scores.copy(), world.slopes.copy()
    scores[:2], slopes[:, :2] = 0, 0
    scores[2], slopes[:, 2] = 0, 0
    scores[2, 9] = 0.7
    moments = ManyTopics(world.names, scores, slopes, world.paired, world.pairs, world.scheme).moments()
    intervals = summed_intervals(moments, confidence=0.95, highest=1.0).interval
    assert np.isnan(intervals[:2]).all()
    assert np.isfinite(intervals[2:]).all()
    logged, _ = score_errors(moments)
    assert logged.tolist() == [False, False, False, True, True]
    assert intervals[2, 0] == 0
    a, b = list_pairs(5)
    found = summed_differences(moments, a, b, confidence=0.95, highest=1.0)
    assert found.interval[0].tolist() == [0, 0]
    assert np.isnan(found.p[0])
    assert found.p[a.tolist().index(1) + 1] < 1e-10  # nothing against run 3


def test_runs_that_are_shares_of_each_other() -> None:
    """Where one run scores nine tenths of the other on every topic, no topic moves r: no interval, and p is 0."""
    world = with_given_gains(make_topics())
    scores = world.scores.copy()
    scores[1] = 0.9 * scores[0]
    found = summed_differences(
        world.scored_by(scores).moments(), np.array([0]), np.array([1]), confidence=0.95, highest=1.0
    )
    assert np.isnan(found.interval).all()
    assert found.p[0] == 0


def test_scores_below_0() -> None:
    """Where a mean score is negative, the difference takes the place of the relative one."""
    world = with_given_gains(make_topics())
    world = world.scored_by(world.scores - 0.5)
    a, b = list_pairs(4)
    found = summed_differences(world.moments(), a, b, confidence=0.95, highest=np.inf)
    assert np.isnan(found.relative).all()
    for pair, (one, two) in enumerate(zip(a, b, strict=True)):
        test = ttest_rel(world.scores[one], world.scores[two])
        assert found.p[pair] == pytest.approx(test.pvalue, rel=1e-8)
        ends = test.confidence_interval(0.95)
        assert found.interval[pair] == pytest.approx([ends.low, ends.high], rel=1e-8)
