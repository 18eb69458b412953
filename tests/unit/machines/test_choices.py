"""Which documents to judge, the composite order, families, and several machines as one."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from tests.unit.machines.fixture import WEIGHTS, some_documents

from gainsayer.errors import CallError, DataError
from gainsayer.machines import (
    FLOOR,
    Opinions,
    Sample,
    TopicScores,
    bin_values,
    choose_probabilities,
    combine_machines,
    combine_scores,
    compare_families,
    draw_documents,
    find_flattery,
    fit_logistic,
    guess_gains,
    predict,
    predict_by_grade,
    rate_prediction,
    take_number,
    value_grades,
    weigh_topics,
)


def test_chances_use_up_the_budget_and_leave_nobody_out() -> None:
    """They sum to the labels asked for, lie between the floor and 1, and are proportional in between."""
    rng = np.random.default_rng(0)
    weights, gain = rng.random((4, 500)) * (rng.random(500) < 0.3), rng.uniform(0.05, 0.95, 500)
    chance = choose_probabilities(weights, gain, 80)
    assert chance.sum() == pytest.approx(80, abs=1e-6)
    assert chance.min() == FLOOR
    assert chance.max() <= 1
    size = np.sqrt((weights**2).mean(axis=0) * gain * (1 - gain))
    inside = (chance > FLOOR) & (chance < 1)
    assert np.ptp((chance / np.where(size > 0, size, 1))[inside]) < 1e-9


def test_chances_at_the_ends() -> None:
    """As many labels as documents: all; hardly any: a lower floor; no weights: all alike; none: refused."""
    assert choose_probabilities(np.ones((1, 5)), np.full(5, 0.5), 5).tolist() == [1] * 5
    few = choose_probabilities(np.array([[1.0] + [0.0] * 999]), np.full(1000, 0.5), 2)
    assert few.sum() == pytest.approx(2)
    assert few.min() == pytest.approx(1 / 999)
    assert choose_probabilities(np.zeros((1, 4)), np.full(4, 0.5), 1).tolist() == [0.25] * 4
    with pytest.raises(CallError, match="At least one label"):
        choose_probabilities(np.ones((1, 5)), np.full(5, 0.5), 0)


def test_optimal_chances_beat_equal_ones() -> None:
    """The variance of the score that the chances are made for is lower than with equal chances."""
    rng = np.random.default_rng(1)
    weights, gain = rng.random((3, 400)) ** 4, rng.uniform(0.02, 0.98, 400)

    def variance(chance: np.ndarray) -> float:
        return float(((1 - chance) / chance * (weights**2).mean(axis=0) * gain * (1 - gain)).sum())

    assert variance(choose_probabilities(weights, gain, 60)) < 0.8 * variance(np.full(400, 60 / 400))


def test_draws_follow_their_chances() -> None:
    """Over 2,000 seeds each document comes as often as its chance says; one seed gives one sample."""
    chance = np.array([0.02, 0.3, 0.9, 1.0])
    share = np.mean([draw_documents(chance, seed) for seed in range(2000)], axis=0)
    assert share == pytest.approx(chance, abs=0.04)
    assert (draw_documents(chance, 7) == draw_documents(chance, 7)).all()
    assert guess_gains(np.arange(3), 3).tolist() == pytest.approx([0.05, 0.325, 0.7])


def test_composite_agrees_with_the_independent_computation() -> None:
    """Line, belief and spread of eight runs."""
    place = np.arange(8)
    people, machine = 2 + 0.1 * place + 0.05 * (-1.0) ** place, 2.5 + 0.12 * place
    found = combine_scores(people, 0.001 * np.eye(8) + 0.005, machine)
    assert found is not None
    assert found.value[:4] == pytest.approx([2.0395, 2.0695, 2.2365, 2.2665], abs=1e-9)
    assert found.belief == pytest.approx(0.685, abs=1e-9)
    assert found.spread**2 == pytest.approx(0.002174603, abs=1e-9)


def test_composite_leaves_favoured_runs_alone() -> None:
    """Runs set apart neither make the line nor move; with fewer than eight others there is no composite."""
    rng = np.random.default_rng(2)
    machine = rng.normal(size=10)
    people = machine + rng.normal(0, 0.1, 10)
    people[3] = -5.0
    apart = np.arange(10) == 3
    found, others = combine_scores(people, 0.01 * np.eye(10), machine, apart), np.delete(np.arange(10), 3)
    alone = combine_scores(people[others], 0.01 * np.eye(9), machine[others])
    assert found is not None
    assert alone is not None
    assert found.value[3] == -5.0
    assert found.value[others] == pytest.approx(alone.value)
    assert combine_scores(people[:7], 0.01 * np.eye(7), machine[:7]) is None
    assert combine_scores(people, 0.01 * np.eye(10), np.ones(10)) is None


def test_flattery_of_families_is_a_paired_t() -> None:
    """A family's overrating against the others is scipy's one-sample t over topics."""
    from scipy.stats import ttest_1samp

    rng = np.random.default_rng(4)
    z, f = rng.normal(size=(4, 25)), rng.normal(size=(4, 25))
    none = np.zeros((4, 4))
    scores = TopicScores(z, f, z, np.ones(25, bool), none, none, "documents")
    one, two = compare_families(scores, {"neural": [0, 2], "classic": [1, 3], "all": [0, 1, 2, 3]})
    above = f - z
    apart = above[[0, 2]].mean(axis=0) - above[[1, 3]].mean(axis=0)
    assert one.p == pytest.approx(ttest_1samp(apart, 0).pvalue)
    assert (one.excess, two.excess) == pytest.approx((apart.mean(), -apart.mean()))
    assert one.p_adjusted == pytest.approx(min(1.0, 2 * one.p))
    with pytest.raises(DataError, match="too few"):
        find_flattery(TopicScores(z[:1], f[:1], z[:1], np.ones(25, bool), none[:1, :1], none[:1, :1], "documents"))


def test_flattery_interval_and_p_agree() -> None:
    """Intervals for all runs at once leave 0 out exactly where the adjusted p is at most .05."""
    sample = some_documents()
    scores = weigh_topics(sample, predict_by_grade(sample, value_grades(sample)), WEIGHTS)
    found = find_flattery(scores)
    outside = (found.interval[:, 0] > 0) | (found.interval[:, 1] < 0)
    assert (outside == found.clear).all()
    assert found.excess.sum() == pytest.approx(0)


def test_logistic_regression_agrees_with_scikit_learn() -> None:
    """Weighted, two parameters, without regularisation."""
    rng = np.random.default_rng(6)
    x, weight = rng.normal(size=400), rng.uniform(0.5, 4, 400)
    y = (rng.random(400) < 1 / (1 + np.exp(-(0.4 + 0.6 * x)))).astype(float)
    other = LogisticRegression(C=1e8, tol=1e-10).fit(x[:, None], y, sample_weight=weight)
    found = fit_logistic(x, y, weight)
    assert found == pytest.approx((other.intercept_[0], other.coef_[0, 0]), abs=1e-3)


def test_bins_hold_about_as_many_documents() -> None:
    """Distinct numbers fall into eight bins of equal size, in order; equal numbers stay together."""
    rng = np.random.default_rng(7)
    values = rng.normal(size=800)
    bins = bin_values(values)
    assert np.bincount(bins).tolist() == [100] * 8
    assert (np.diff(bins[np.argsort(values)]) >= 0).all()
    assert len(set(bin_values(np.repeat([1.0, 2.0], [700, 100])).tolist())) == 2


def test_values_of_bins_rise_as_isotonic_regression_has_it() -> None:
    """The worth of bins is scikit-learn's isotonic regression of what people said."""
    rng = np.random.default_rng(8)
    score = rng.normal(size=600)
    told = (rng.random(600) < 0.5 + 0.05 * score).astype(float)
    opinions = take_number("confidence", score)
    sample = Sample(np.repeat(np.arange(20), 30), opinions.grade, told, np.ones(600), np.ones(20, bool), 8)
    values = value_grades(sample, isotonic=True).value
    fitted = IsotonicRegression().fit(opinions.grade, told).predict(np.arange(8))
    assert values == pytest.approx(fitted)


def simulated(rng: np.random.Generator, machines: int) -> tuple[Sample, list[Opinions]]:
    """Machines whose errors hang together: each sees the same wrong picture, and adds its own noise."""
    topic = np.repeat(np.arange(60), 40)
    quality = rng.normal(size=len(topic))
    told = (quality + rng.normal(0, 0.5, len(topic)) > 0.5).astype(float)
    shared = quality + rng.normal(0, 0.8, len(topic))
    opinions = []
    for place in range(machines):
        seen = shared + rng.normal(0, 0.4, len(topic))
        opinions.append(Opinions(f"m{place}", np.searchsorted([-0.5, 0.3, 1.0], seen), ("0", "1", "2", "3")))
    return Sample(topic, opinions[0].grade, told, np.ones(len(topic)), np.ones(60, bool), 4), opinions


def test_several_machines_beat_one_and_naive_bayes() -> None:
    """Tempered, four machines foretell people better than the best alone; multiplied as they are, they are worse."""
    sample, opinions = simulated(np.random.default_rng(9), 4)
    found = predict(sample, opinions)
    *singles, together = found.machines
    assert together.log_loss < min(one.log_loss for one in singles)
    assert together.temper is not None
    assert 0.2 < together.temper < 0.8
    odds = np.log(found.gain / (1 - found.gain))
    naive = rate_prediction("naive", sample, 1 / (1 + np.exp(-odds / together.temper)))
    assert naive.log_loss > together.log_loss + 0.05
    assert found.informative
    assert together.name == "m0 + m1 + m2 + m3"


def test_gains_of_several_machines_are_learned_elsewhere() -> None:
    """Other labels in a topic change nothing about the gains of that topic's fold."""
    sample, opinions = simulated(np.random.default_rng(10), 2)
    grades = [one.grade for one in opinions]
    before = combine_machines(sample, grades, [4, 4]).predicted
    told = sample.relevant.copy()
    told[:40] = 1 - told[:40]
    other = Sample(sample.topic, sample.grade, told, sample.probability, sample.seen, 4)
    after = combine_machines(other, grades, [4, 4]).predicted
    assert after[:40].tolist() == before[:40].tolist()
    assert (after[40:] != before[40:]).any()


def test_a_machine_that_knows_nothing_is_told() -> None:
    """Grades by dice predict no better than the base rate; a machine that says nothing at all is refused."""
    rng = np.random.default_rng(11)
    topic, told = np.repeat(np.arange(20), 10), rng.integers(0, 2, 200).astype(float)
    grade = rng.integers(0, 4, 200)
    sample = Sample(topic, grade, told, np.ones(200), np.ones(20, bool), 4)
    assert not predict(sample, [Opinions("dice", grade, tuple("0123"))]).informative
    with pytest.raises(CallError, match="says nothing"):
        take_number("silence", np.full(200, np.nan))
    with pytest.raises(CallError, match="No machine"):
        predict(sample, [])


def test_what_a_machine_left_out_is_a_grade_of_its_own() -> None:
    """Documents without a grade from the only machine get the value of those without a grade."""
    rng = np.random.default_rng(12)
    topic, told = np.repeat(np.arange(10), 20), rng.integers(0, 2, 200).astype(float)
    grade = np.where(rng.random(200) < 0.2, -1, told.astype(int))
    found = predict(
        Sample(topic, np.maximum(grade, 0), told, np.ones(200), np.ones(10, bool), 2),
        [Opinions("gpt", grade, ("0", "1"))],
    )
    assert found.names == ("0", "1", "no grade")
    assert found.values.value == pytest.approx([0, 1, told[grade < 0].mean()])
