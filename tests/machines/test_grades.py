"""What grades are worth, how well they tell, what numbers become, and what tells more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t
from sklearn.isotonic import IsotonicRegression

from gainsayer.errors import CallError
from gainsayer.machines import (
    MachineGrades,
    Sample,
    check_sample,
    measure_skill,
    predict,
    take_number,
    value_grades,
)
from gainsayer.ranking import FloatArray, IntArray


def judged(topic: IntArray, grade: IntArray, told: FloatArray, grades: int) -> Sample:
    """All of it judged by people."""
    return Sample(topic, grade, told, np.ones(len(topic)), np.ones(int(topic.max()) + 1, bool), grades, "topics")


def test_bins_hold_about_as_many_documents() -> None:
    """Distinct numbers fall into eight bins of equal size, in order; equal numbers stay together."""
    rng = np.random.default_rng(7)
    values = rng.normal(size=800)
    found = take_number("confidence", values)
    assert np.bincount(found.grade).tolist() == [100] * 8
    assert (np.diff(found.grade[np.argsort(values)]) >= 0).all()
    assert found.rising
    assert len(set(take_number("calls", np.repeat([1.0, 2.0], [700, 100])).grade.tolist())) == 2
    with pytest.raises(CallError, match="says nothing"):
        take_number("silence", np.full(200, np.nan))


def test_values_of_bins_rise_as_isotonic_regression_has_it() -> None:
    """The worth of bins is scikit-learn's isotonic regression of what people said."""
    rng = np.random.default_rng(8)
    score = rng.normal(size=600)
    told = (rng.random(600) < 0.5 + 0.05 * score).astype(float)
    grade = take_number("confidence", score).grade
    values = value_grades(judged(np.repeat(np.arange(20), 30), grade, told, 8), isotonic=True).value
    assert values == pytest.approx(IsotonicRegression().fit(grade, told).predict(np.arange(8)))


def test_the_mean_of_machines_tells_more_than_one() -> None:
    """Two machines that err by themselves: their mean has more skill, and skills of single ones stand beside it."""
    rng = np.random.default_rng(9)
    topic = np.repeat(np.arange(60), 40)
    quality = rng.normal(size=len(topic))
    told = (quality + rng.normal(0, 0.5, len(topic)) > 0.5).astype(float)
    grades = [np.searchsorted([-0.5, 0.3, 1.0], quality + rng.normal(0, 1, len(topic))) for _ in range(2)]
    single = [MachineGrades(f"m{at}", grade, tuple("0123")) for at, grade in enumerate(grades)]
    together = take_number("m0 + m1", np.mean(grades, axis=0))
    found = predict(judged(topic, grades[0], told, 4), together, single)
    assert [skill.name for skill in found.skills] == ["m0", "m1", "m0 + m1"]
    assert found.skill.value > max(skill.value for skill in found.skills[:2])


def test_skill_is_a_jackknife_over_topics_of_losses_out_of_topic() -> None:
    """By plain loops: each topic's labels foretold from all others, with two labels at their base rate added."""
    rng = np.random.default_rng(10)
    topic = np.repeat(np.arange(15), 12)
    told = (rng.random(180) < 0.4).astype(float)
    grade = np.where(rng.random(180) < 0.7, told, 1 - told).astype(int)
    sample = judged(topic, grade, told, 2)
    sample = replace(sample, relevant=np.where(rng.random(180) < 0.6, told, np.nan))
    loss = np.zeros((2, 15))
    for one in range(15):
        away = sample.judged & (topic != one)
        base = told[away].mean()
        for document in np.flatnonzero(sample.judged & (topic == one)).tolist():
            alike = away & (grade == grade[document])
            guess = (told[alike].sum() + 2 * base) / (alike.sum() + 2)
            loss[:, one] += (told[document] - guess) ** 2, (told[document] - base) ** 2
    total = loss.sum(axis=1, keepdims=True)
    left = np.log((total - loss)[0] / (total - loss)[1])
    error = np.sqrt(14 / 15 * ((left - left.mean()) ** 2).sum())
    ratio = np.log(total[0, 0] / total[1, 0])
    reach = t.ppf(0.975, 14) * error
    found = measure_skill("gpt", sample)
    assert found.value == pytest.approx(1 - total[0, 0] / total[1, 0])
    assert (found.lower, found.upper) == pytest.approx((1 - np.exp(ratio + reach), 1 - np.exp(ratio - reach)))


def test_dice_have_no_skill() -> None:
    """Grades by dice do not come near a twentieth off the error of the base rate."""
    rng = np.random.default_rng(11)
    topic, told = np.repeat(np.arange(40), 20), rng.integers(0, 2, 800).astype(float)
    skill = measure_skill("dice", judged(topic, rng.integers(0, 4, 800), told, 4))
    assert skill.value < 0.02
    assert skill.upper <= 0.05


def test_what_a_machine_left_out_is_a_grade_of_its_own() -> None:
    """Documents without a grade from the machine have the value of those without a grade."""
    rng = np.random.default_rng(12)
    topic, told = np.repeat(np.arange(10), 20), rng.integers(0, 2, 200).astype(float)
    grade = np.where(rng.random(200) < 0.2, -1, told.astype(int))
    found = predict(judged(topic, np.maximum(grade, 0), told, 2), MachineGrades("gpt", grade, ("0", "1")))
    assert found.names == ("0", "1", "no grade")
    assert found.values.value == pytest.approx([0, 1, told[grade < 0].mean()])


def test_a_design_that_leaves_too_many_topics_empty_is_noticed() -> None:
    """Drawn in all topics, some are empty by chance; drawn in a third of them, far too many are."""
    rng = np.random.default_rng(13)
    topic = np.repeat(np.arange(200), 20)
    told, chance = np.ones(4000), np.full(4000, 0.05)
    drawn = rng.random(4000) < chance
    everywhere = Sample(
        topic, np.zeros(4000, int), np.where(drawn, told, np.nan), chance, np.ones(200, bool), 1, "documents"
    )
    assert int((everywhere.total(everywhere.judged.astype(float)) == 0).sum()) > 40
    assert check_sample(everywhere, ("0",)) == ()
    some = drawn & (topic % 3 == 0)
    findings = check_sample(replace(everywhere, relevant=np.where(some, told, np.nan)), ("0",))
    assert any("topics have no label, where chance leaves about" in found.message for found in findings)
