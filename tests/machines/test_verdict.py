"""Worth, order and favour, against numbers computed elsewhere, simulation with known truth, and what must hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2, t
from tests.machines.fixture import EVERY, HUMAN, TOPICS, as_weights, some_documents, ten_runs

from gainsayer.machines import measure_skill, value_grades, weigh_runs, weigh_topics
from gainsayer.machines.verdict import (
    RunEvidence,
    compare_with_line,
    find_ends,
    fit_line,
    fit_taste,
    guess_scores,
    judge_favour,
    judge_order,
    project,
    trim_best_labels,
)

EXACT = 1e-9


def ten() -> RunEvidence:
    """Ten runs by DCG@3, 79 labels, a grade of 2 taken as relevant by the machine."""
    sample, weights = some_documents(), as_weights(ten_runs())
    predicted = value_grades(sample).by_topic[sample.topic, sample.grade]
    topics = weigh_topics(sample, predicted, weights)
    machine = weights.weight @ (sample.grade >= 2).astype(float) / TOPICS
    found = weigh_runs(topics, sample, predicted, weights, machine)
    assert found is not None
    return found


def test_scores_and_covariances_agree_with_two_other_codes() -> None:
    """theta, M, C and K; the millionth of the mean diagonal is added after these."""
    runs = ten()
    assert runs.people[:2] == pytest.approx([1.348638248, 1.109460941], abs=EXACT)
    assert runs.machine[0] == pytest.approx(1.065464877, abs=EXACT)
    ridge = 1e-6 * np.trace(runs.drawn) / 10 / (1 + 1e-6)
    assert runs.drawn[0, :2] == pytest.approx([0.012313615 + ridge, 0.003841535], abs=EXACT)
    ridge = 1e-6 * np.trace(runs.taste) / 10 / (1 + 1e-6)
    assert runs.taste[0, :2] == pytest.approx([0.013482119 + ridge, 0.004299715], abs=EXACT)


def test_taste_and_line_agree_with_two_other_codes() -> None:
    """kappa² with its interval, and at the median of its law the line."""
    runs = ten()
    assert fit_taste(runs, 8) == pytest.approx(1.364378739, abs=EXACT)
    line = fit_line(runs)
    assert (line.kappa_lower**2, line.kappa_upper**2) == pytest.approx((0.129243327, 7.432628899), abs=EXACT)
    assert line.kappa**2 == pytest.approx(1.567303052, abs=EXACT)
    assert (line.slope, line.slope_error) == pytest.approx((0.580881736, 0.487950622), abs=EXACT)
    assert line.level == pytest.approx(float((runs.machine - runs.people).mean()))


def test_the_best_guess_agrees_with_two_other_codes() -> None:
    """theta - C R theta at the median kappa², and its covariance C - C R C."""
    runs = ten()
    guess = guess_scores(runs, np.arange(10))
    assert guess is not None
    assert guess[:3] == pytest.approx([1.253204140, 1.125046038, 1.081183449], abs=EXACT)
    left = project(runs, 1.567303052)
    assert (runs.drawn - runs.drawn @ left @ runs.drawn)[0, :2] == pytest.approx([0.010037662, 0.004745082], abs=EXACT)


def test_a_named_run_agrees_with_two_other_codes() -> None:
    """Run 0, kappa from the others: its shift, the error, and z without its best label."""
    test = compare_with_line(ten(), np.arange(1, 10), np.array([0]), 1, named=True)
    assert test.named
    assert (-test.favour, test.error) == pytest.approx((0.138610175, 0.129261987), abs=EXACT)
    assert test.p == pytest.approx(2 * t.sf(0.631050780, 7), abs=EXACT)


def test_runs_without_their_best_label_agree_with_two_other_codes() -> None:
    """How clearly runs lie off the line, with all labels and without the one that speaks most for it."""
    r, own, z = trim_best_labels(ten())
    assert (r / np.sqrt(own))[:2] == pytest.approx([1.062580537, -0.052470650], abs=EXACT)
    assert z[0] == pytest.approx(0.625408846, abs=EXACT)


def test_the_worth_of_grades_agrees_with_two_other_codes() -> None:
    """1 - L_machine / L_base, jackknifed over the 18 topics that have labels."""
    skill = measure_skill("machine", some_documents())
    assert (skill.value, skill.lower, skill.upper) == pytest.approx((0.495828078, 0.396317990, 0.578935064), abs=EXACT)
    assert skill.topics == 18


def test_more_labels_make_runs_surer() -> None:
    """Doubled chances: the error of run 0."""
    runs = ten()
    assert runs.more is not None
    assert np.sqrt(runs.more.drawn(2.0)[0, 0]) == pytest.approx(0.013955309, abs=EXACT)


def test_taste_is_found_again_and_flags_are_rare() -> None:
    """Scores generated off a line with kappa² = 2: the interval covers it in 95 of 100, flags come in few."""
    rng = np.random.default_rng(3)
    size, documents = 24, 400
    weights = rng.exponential(size=(size, documents)) * (rng.random((size, documents)) < 0.15)
    taste, drawn = weights @ weights.T / documents, weights @ weights.T / documents / 2
    machine = rng.normal(size=size)
    covered = flagged = 0
    for _ in range(200):
        noise = rng.multivariate_normal(np.zeros(size), drawn + 2 * taste)
        people = 0.3 + 0.7 * machine + noise
        nothing = (np.zeros((size, 1)), np.zeros(1))
        runs = RunEvidence(people, machine, drawn, taste, *nothing, 0.1, np.arange(size))
        line = fit_line(runs)
        covered += line.kappa_lower**2 <= 2 <= line.kappa_upper**2
        flagged += judge_favour(runs).answer == "yes"
    assert 0.90 <= covered / 200 <= 0.985
    assert flagged / 200 <= 0.08
    moments = [float(chi2.ppf(share, size - 2)) for share in (0.025, 0.975)]
    assert fit_taste(runs, moments[0]) > fit_taste(runs, moments[1])


def planted(favour: float) -> RunEvidence:
    """Thirty runs on a line, of which the machine overrates the fifth by so much."""
    rng = np.random.default_rng(8)
    machine = np.sort(rng.normal(size=30))
    people = 0.2 + 0.8 * machine + rng.normal(0, 0.05, 30)
    people[5] -= favour
    own = 0.05**2 * np.eye(30)
    return RunEvidence(people, machine, own / 2, own / 2, np.zeros((30, 1)), np.zeros(1), 0.2, np.arange(30))


def test_a_planted_favourite_is_flagged_with_its_sign_and_size() -> None:
    """Positive where the machine favours it, negative where it slights it, and nobody else is flagged."""
    for sign in (1, -1):
        found = judge_favour(planted(sign * 0.6))
        assert found.answer == "yes"
        assert [test.runs for test in found.flagged] == [(5,)]
        assert found.flagged[0].favour == pytest.approx(sign * 0.6, abs=0.15)
    assert judge_favour(planted(0.0)).answer == "no"


def test_a_favourite_with_a_twin_is_found() -> None:
    """A copy of its run is no witness for it: both are tested as one, and flagged."""
    alone = planted(0.6)
    with_copy = np.append(np.arange(30), 5)
    twins = alone.rows(with_copy)
    found, before = judge_favour(twins), judge_favour(alone)
    assert [test.runs for test in found.flagged] == [(5, 30)]
    assert found.flagged[0].favour == pytest.approx(before.flagged[0].favour)
    assert [test.runs for test in judge_favour(twins, named=[30]).tests if test.named] == [(5, 30)]


def test_a_flag_must_survive_the_loss_of_its_best_label() -> None:
    """The same scores, all of whose distance from the line one label made, are not a favourite."""
    runs = planted(0.6)
    held = np.zeros((30, 1))
    held[5] = 1.0
    assert judge_favour(replace(runs, weights=held, move=np.array([-0.6]))).answer == "no"
    assert judge_favour(replace(runs, weights=held, move=np.array([0.6]))).answer == "yes"


def test_a_family_is_compared_with_all_others() -> None:
    """Three runs that the machine overrates alike are found as a family, runs by chance are not."""
    runs = planted(0.0)
    people = runs.people.copy()
    people[[3, 9, 14]] -= 0.25
    found = judge_favour(replace(runs, people=people), families={"ours": [3, 9, 14], "theirs": [2, 10, 20]})
    assert [(one.family, one.flagged) for one in found.families] == [("ours", True), ("theirs", False)]
    assert found.families[0].favour == pytest.approx(0.25, abs=0.1)


def test_runs_beyond_all_others_have_nobody_to_be_compared_with() -> None:
    """The best by far is neither tested nor fitted; with two close ones at the end, both are."""
    assert find_ends(np.array([0.0, 0.1, 0.2, 0.3, 0.9])) == [4]
    assert find_ends(np.array([0.0, 0.1, 0.2, 0.88, 0.9])) == []


def test_an_order_is_right_wrong_or_open() -> None:
    """The machine in people's order, against it, and with people's scores hardly known."""
    runs = planted(0.0)
    assert judge_order(runs).answer == "yes"
    against = judge_order(replace(runs, machine=-runs.machine[np.random.default_rng(1).permutation(30)]))
    assert against.answer == "no"
    assert against.lower > 0.05
    people = runs.people + np.random.default_rng(2).normal(0, 0.7, 30)
    alike = judge_order(replace(runs, people=0.01 * runs.people, machine=runs.machine[::-1].copy(), apart=0.5))
    assert (alike.answer, alike.few, alike.upper) == ("open", True, 0)  # none of no pairs is wrong
    vague = judge_order(replace(runs, people=people, drawn=0.4 * np.eye(30), taste=0.1 * np.eye(30), apart=0.3))
    assert vague.answer == "open"
    assert vague.lower <= 0.05 < vague.upper


def test_scores_judged_wholly_are_sure() -> None:
    """With all documents judged, C is a millionth of K: the best guess is people's own score."""
    sample = some_documents()
    whole = replace(sample, relevant=HUMAN.ravel(), probability=np.ones(EVERY.size))
    weights = as_weights(ten_runs())
    predicted = value_grades(whole).by_topic[whole.topic, whole.grade]
    machine = weights.weight @ (whole.grade >= 2).astype(float) / TOPICS
    runs = weigh_runs(weigh_topics(whole, predicted, weights), whole, predicted, weights, machine)
    assert runs is not None
    truth = weights.weight @ HUMAN.ravel() / TOPICS
    assert runs.people == pytest.approx(truth)
    assert guess_scores(runs, np.arange(10)) == pytest.approx(truth, abs=1e-3)


def test_runs_set_apart_keep_their_scores_and_bend_nothing() -> None:
    """A run far off the line, known to rank as the judge: without it the others are as if it were not there."""
    runs = planted(0.0)
    people = runs.people.copy()
    people[29] -= 3
    off = replace(runs, people=people)
    found = guess_scores(off, np.arange(29))
    assert found is not None
    assert found[29] == people[29]
    assert found[:29] == pytest.approx(guess_scores(runs.rows(np.arange(29)), np.arange(29)))
    assert judge_favour(off, apart=[29]).answer == "no"
    assert guess_scores(runs, np.arange(7)) is None
