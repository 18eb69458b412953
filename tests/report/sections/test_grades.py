"""What a grade is worth, and how much more than the one below: one interval is over what the other is over."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import gainsayer as gs
from gainsayer.reports.sections.grades import decide_grades


def predict(people: int, **options: object) -> gs.model.PredictedRelevance:
    """Of 30 topics with 24 documents each, judged again by people who differ in strictness."""
    rng = np.random.default_rng(7)
    strict = np.linspace(-1.2, 1.2, people)
    rows = []
    for topic in range(30):
        for document in range(24):
            quality, person = rng.normal(), int(rng.integers(people))
            grade = int(np.searchsorted([-0.3, 0.7], quality + 0.5 * rng.normal()))
            again = int(np.searchsorted([-0.3, 0.7], quality + 0.5 * rng.normal() + strict[person]))
            rows += [
                (f"q{topic}", f"d{document}", name, level) for name, level in (("A", grade), (f"B{person}", again))
            ]
    table = pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")
    names = [f"B{person}" for person in range(people)]
    return gs.fit(table, threshold=1, first=["A"], second=names, **options).predict()  # type: ignore[arg-type]


def test_steps_allow_for_other_people_where_grades_do() -> None:
    """Each step is about as unsure over people as the grades it lies between, and far more than over topics alone."""
    over_people, over_topics = (decide_grades(predict(6, interval=kind)) for kind in ("people", "topics"))
    for one, two in zip(over_people.steps, over_topics.steps, strict=True):
        assert one.by == pytest.approx(two.by)
        assert one.by_upper - one.by_lower > 1.5 * (two.by_upper - two.by_lower)


@pytest.mark.parametrize("kind", ["people", "topics"])
def test_a_grade_alone_is_as_unsure_as_its_own_interval_says(kind: str) -> None:
    """On the scale of probabilities as on that of logits, give or take what their curvature makes."""
    found = predict(6, interval=kind)
    reach = found.along(np.eye(3)).reach(0.05)
    assert 2 * reach == pytest.approx(np.diff(found.interval.ends, axis=1).ravel(), rel=0.25)


def test_a_grade_set_to_zero_adds_nothing_to_a_step() -> None:
    """The step above it is as unsure as the grade above."""
    found = predict(6, zero_lowest=True)
    alone, step = found.along(np.array([[0.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])).reach(0.05)
    assert step == pytest.approx(alone)
