"""Grade values, rectified gains and scores, against numbers computed elsewhere, enumeration and what must hold."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from scipy.stats import t as student
from tests.machines.fixture import (
    HUMAN,
    RUNS,
    TOPICS,
    WEIGHTS,
    as_weights,
    people_sample,
    some_documents,
    whole_topics,
)

from gainsayer.errors import DataError
from gainsayer.machines import (
    Sample,
    TopicScores,
    estimate_people_alone,
    estimate_scores,
    find_effects,
    find_empty_grades,
    find_savings,
    rectify,
    value_grades,
    weigh_topics,
)

EXACT = 1e-9
A, B = np.array([0, 0, 1]), np.array([1, 2, 2])


def scored(sample: Sample) -> TopicScores:
    """DCG@3 of the three runs, with gains predicted out of topic."""
    return weigh_topics(sample, out_of_topic(sample), as_weights(WEIGHTS))


def out_of_topic(sample: Sample) -> np.ndarray:
    """g, learned without each topic's own labels."""
    return np.asarray(value_grades(sample).by_topic[sample.topic, sample.grade])


def test_whole_topics_agree_with_the_independent_computation() -> None:
    """Grade values, scores, their errors and those of differences, from ten of twenty topics."""
    sample = whole_topics()
    assert value_grades(sample).value == pytest.approx([0, 0.4375, 0.894736842, 1], abs=EXACT)
    population, these = estimate_scores(scored(sample)), estimate_scores(scored(sample), "these")
    assert population.score == pytest.approx([1.321900786, 1.221563191, 1.181884057], abs=EXACT)
    assert population.error() == pytest.approx([0.105244722, 0.158072034, 0.158576284], abs=EXACT)
    assert these.error() == pytest.approx([0.062213311, 0.082367786, 0.076815351], abs=EXACT)
    assert population.error(A, B) == pytest.approx([0.177936842, 0.191648171, 0.180891656], abs=EXACT)
    assert (population.freedom, these.freedom) == (9, 9)


def test_drawn_documents_agree_with_the_independent_computation() -> None:
    """The same from 79 documents drawn with known chances, and the rectified gains of a topic."""
    sample = some_documents()
    assert sample.labels == 79
    assert sample.design == "documents"
    values = value_grades(sample)
    assert values.value == pytest.approx([0, 0.466666667, 0.529411765, 1], abs=EXACT)
    gains = rectify(sample, out_of_topic(sample))
    assert gains[:7] == pytest.approx([0, 0.466666667, 1.533333333, 1, 0, 0.466666667, 1.533333333], abs=EXACT)
    population, these = estimate_scores(scored(sample)), estimate_scores(scored(sample), "these")
    assert population.score == pytest.approx([1.208026857, 1.010272061, 1.084375578], abs=EXACT)
    assert population.error() == pytest.approx([0.186563024, 0.186707188, 0.180063563], abs=EXACT)
    assert these.error() == pytest.approx([0.116214730, 0.097996726, 0.107076720], abs=EXACT)
    assert these.error(A, B) == pytest.approx([0.105604215, 0.117700915, 0.106473283], abs=EXACT)
    assert np.isinf(these.freedom)


def test_votes_agree_with_the_independent_computation() -> None:
    """What the number of runs tells beyond the grade: slope and its clustered error."""
    votes = (WEIGHTS > 0).sum(axis=0).astype(float)
    effect = find_effects(some_documents(), {"votes": votes})[0]
    assert effect.slope == pytest.approx(0.000323246, abs=EXACT)
    assert effect.standard_error == pytest.approx(0.045241400, abs=EXACT)


def test_mean_over_all_samples_is_the_truth() -> None:
    """Over all 64 samples of six documents the rectified DCG is unbiased; with clipped gains it is not."""
    told = np.array([1.0, 0, 1, 1, 0, 1])
    guess = np.array([0.9, 0.4, 0.2, 0.6, 0.7, 0.1])
    chance = np.array([0.3, 0.5, 0.2, 0.8, 0.6, 0.4])
    discount = 1 / np.log2(np.arange(6) + 2)
    truth, expected, clipped, bilinear, ideal = discount @ told, 0.0, 0.0, 0.0, 0.0
    products = sum(told[i] * told[j] for i in range(6) for j in range(i))
    for drawn in product([False, True], repeat=6):
        there = np.array(drawn)
        p = np.prod(np.where(there, chance, 1 - chance))
        sample = Sample(
            np.zeros(6, int), np.zeros(6, int), np.where(there, told, np.nan), chance, np.ones(1, bool), 1, "documents"
        )
        x = rectify(sample, guess)
        expected += p * float(discount @ x)
        clipped += p * float(discount @ np.clip(x, 0, 1))
        bilinear += p * sum(x[i] * x[j] for i in range(6) for j in range(i))
        ideal += p * float(discount @ np.sort(x)[::-1])
    assert expected == pytest.approx(truth, abs=1e-12)
    assert bilinear == pytest.approx(products, abs=1e-12)
    assert abs(clipped - truth) > 0.05
    assert ideal > discount @ np.sort(told)[::-1] + 0.05


chances = st.lists(st.floats(0.05, 1.0), min_size=140, max_size=140)
predictions = st.lists(st.floats(0.0, 1.0), min_size=140, max_size=140)


@given(predictions)
def test_judged_wholly_the_machine_does_not_matter(predicted: list[float]) -> None:
    """With every document judged, the score is people's, whatever the machine says."""
    base = whole_topics()
    everything = Sample(
        base.topic, base.grade, HUMAN.ravel(), np.ones(HUMAN.size), np.ones(TOPICS, bool), 4, "documents"
    )
    scores = weigh_topics(everything, np.array(predicted), as_weights(WEIGHTS))
    expected = (WEIGHTS.reshape(RUNS, TOPICS, -1) * HUMAN).sum(axis=2).mean(axis=1)
    assert estimate_scores(scores).score == pytest.approx(expected)
    assert expected == pytest.approx([1.147011364, 0.972011364, 1.077371901], abs=EXACT)


@given(chances, st.integers(0, 2**32))
def test_people_alone_know_the_mean_of_other_topics(chance: list[float], seed: int) -> None:
    """g = 0 gives the sum of W h / pi over judged documents; people alone take the mean of other topics for g."""
    pi = np.array(chance)
    drawn = np.random.default_rng(seed).random(140) < pi
    base = whole_topics()
    told = np.where(drawn, HUMAN.ravel(), np.nan)
    sample = Sample(base.topic, base.grade, told, pi, np.ones(TOPICS, bool), 4, "documents")
    scores = weigh_topics(sample, np.zeros(140), as_weights(WEIGHTS))
    direct = (WEIGHTS[:, drawn] * (HUMAN.ravel() / pi)[drawn]).sum(axis=1) / TOPICS
    assert estimate_scores(scores).score == pytest.approx(direct)
    weight, mean = drawn / pi, np.zeros(140)
    for topic in range(TOPICS):
        others = base.topic != topic
        total = weight[others].sum()
        mean[~others] = (weight * HUMAN.ravel())[others].sum() / total if total else 0
    alone = WEIGHTS @ (mean + weight * (HUMAN.ravel() - mean)) / TOPICS
    found = estimate_people_alone(scores, "these")
    assert found.score == pytest.approx(alone)
    squared = (1 - pi) / pi**2 * drawn * (HUMAN.ravel() - mean) ** 2
    assert found.spread().topics == pytest.approx(WEIGHTS**2 @ squared / TOPICS**2)


def test_several_people_agree_with_the_independent_computation() -> None:
    """Four people, documents judged by one or two of them: scores, V_S, V_P and V_N of a score and of a difference."""
    sample = people_sample()
    assert sample.opinions is not None
    assert len(sample.opinions.document) == 133
    scores = scored(sample)
    parts = scores.of_people
    assert parts is not None
    assert parts.effective == pytest.approx(3.878316159, abs=EXACT)
    assert parts.enough
    found = estimate_scores(scores, "these")
    assert found.score == pytest.approx([1.004796376, 0.815400031, 0.873283928], abs=EXACT)
    wanted = {
        "score": ((None, None), (0.013244415, 0.060278139, 0.012827595)),
        "difference": ((A[:1], B[:1]), (0.010475938, 0.004882953, 0.011489117)),
    }
    for pair, values in wanted.values():
        spread = found.spread(*pair)
        assert (spread.topics[0], spread.people[0, 0], spread.noise[0, 0]) == pytest.approx(values, abs=EXACT)
        topics, people, noise = values
        q, t = norm.ppf(0.975), student.ppf(0.975, parts.effective - 1)
        expected = max(q**2 * topics, q**2 * max(0, topics - noise) + t**2 * people)
        assert found.reach(0.95, *pair)[0] ** 2 == pytest.approx(expected)


@given(st.floats(-0.5, 0.5), predictions)
def test_a_constant_added_to_predictions_changes_no_expectation(constant: float, predicted: list[float]) -> None:
    """What a shift of g adds to x is c (1 - delta/pi), whose mean over samples is 0."""
    sample, g = some_documents(), np.array(predicted)
    moved = rectify(sample, g + constant) - rectify(sample, g)
    assert moved == pytest.approx(constant * (1 - sample.weight))
    pi = sample.probability
    assert pi * (1 - 1 / pi) + (1 - pi) == pytest.approx(np.zeros(140), abs=1e-12)


def test_values_of_a_topic_are_learned_elsewhere() -> None:
    """What a grade is worth in a topic is computed from all other topics, by hand."""
    sample = some_documents()
    values = value_grades(sample)
    for topic in (0, 5, 14):
        for grade in range(4):
            chosen = sample.judged & (sample.topic != topic) & (sample.grade == grade)
            weight = 1 / sample.probability[chosen]
            expected = (weight * sample.relevant[chosen]).sum() / weight.sum()
            assert values.by_topic[topic, grade] == pytest.approx(expected)


def test_a_grade_without_labels_borrows_from_the_nearest() -> None:
    """The nearest grade with labels lends its value, the lower of two, and it is said."""
    grade = np.array([0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
    told = np.array([0.0, np.nan, 1, np.nan, np.nan, 0, np.nan, 0, np.nan, np.nan])
    sample = Sample(np.repeat([0, 1], 5), grade, told, np.full(10, 0.5), np.ones(2, bool), 5, "documents")
    values = value_grades(sample)
    assert values.value.tolist() == [0, 0, 0.5, 0.5, 0.5]
    assert values.borrowed.tolist() == [False, True, False, True, True]
    assert "no document that the machine put on b, d, e" in find_empty_grades(values, tuple("abcde"))[0].message


def test_no_labels_or_one_topic_are_refused() -> None:
    """Without labels, or with labels of one topic, nothing can be said out of topic."""
    nobody = Sample(
        np.array([0, 1]), np.array([0, 1]), np.full(2, np.nan), np.ones(2), np.ones(2, bool), 2, "documents"
    )
    with pytest.raises(DataError, match="No person judged a document"):
        value_grades(nobody)
    one = Sample(
        np.array([0, 1]), np.array([0, 1]), np.array([1.0, np.nan]), np.ones(2), np.ones(2, bool), 2, "documents"
    )
    with pytest.raises(DataError, match="one topic only"):
        value_grades(one)


def test_impossible_chances_are_refused() -> None:
    """A judged document with no chance, one in a topic that was not seen, a needed one that could not be drawn."""
    with pytest.raises(DataError, match="has 0 as its probability"):
        Sample(np.array([0]), np.array([0]), np.array([1.0]), np.zeros(1), np.ones(1, bool), 1, "documents")
    with pytest.raises(DataError, match="in which none was to be chosen"):
        Sample(np.array([0]), np.array([0]), np.array([1.0]), np.ones(1), np.zeros(1, bool), 1, "topics")
    sample = Sample(
        np.array([0, 0]),
        np.array([0, 0]),
        np.array([1.0, np.nan]),
        np.array([0.5, 0]),
        np.ones(1, bool),
        1,
        "documents",
    )
    with pytest.raises(DataError, match="1 document could not be drawn"):
        weigh_topics(sample, np.zeros(2), as_weights(np.ones((1, 2))))


def test_savings_are_variances_against_people_alone() -> None:
    """Whole topics: 1 - V n / S_z, and for these topics 1 - S_e / S_z; n* equals n for a machine that knows nothing."""
    scores = scored(whole_topics())
    z, f = scores.people, scores.predicted[:, scores.seen]
    e = z - f
    variance = [np.trace(np.cov(part)) for part in (z, e)]
    score = find_savings(scores, "these")[0]
    assert score.saved == pytest.approx(1 - variance[1] / variance[0])
    population = estimate_scores(scores).covariance
    assert find_savings(scores)[0].saved == pytest.approx(1 - np.trace(population) / (variance[0] / 10))
    flat = TopicScores(
        z, np.zeros((RUNS, TOPICS)), z, scores.seen, scores.noise, scores.noise, "topics", scores.complete
    )
    assert find_savings(flat)[0].saved == pytest.approx(0)
    assert find_savings(flat)[0].equivalent_topics == pytest.approx(10)


def test_what_was_not_drawn_is_expected_where_few_labels_are_relevant() -> None:
    """With 2 of 100 documents relevant intervals hold the truth, where labels alone show hardly any error."""
    rng = np.random.default_rng(5)
    topics, each, runs = 40, 60, 6
    topic = np.repeat(np.arange(topics), each)
    grade = (rng.random(len(topic)) < 0.3).astype(int)
    told = (rng.random(len(topic)) < np.where(grade == 1, 0.04, 0.01)).astype(float)
    weights = as_weights(rng.random((runs, len(topic))) * (rng.random((runs, len(topic))) < 0.3))
    truth = (weights.weight * told).sum(axis=1) / topics
    chance, held, shown = np.where(grade == 1, 0.3, 0.1), [], []
    for _ in range(100):
        some = np.where(rng.random(len(topic)) < chance, told, np.nan)
        sample = Sample(topic, grade, some, chance, np.ones(topics, bool), 2, "documents")
        scores = weigh_topics(sample, value_grades(sample).by_topic[topic, grade], weights)
        for found, from_labels in ((held, scores), (shown, replace(scores, unseen=None))):
            estimate = estimate_scores(from_labels, "these")
            found.append(np.abs(estimate.score - truth) <= estimate.reach(0.95))
    assert np.mean(held) > 0.94
    assert np.mean(shown) < 0.9
