"""Advice after a comparison: the levers of a plan, from the judgments at hand."""

from __future__ import annotations

import json

import polars as pl
import pytest
from tests.collections import DOCUMENTS, TOPICS, draw_labels

import gainsayer as gs
from gainsayer.commands.advice import Advice, say_advice, say_lever
from gainsayer.planning import Lever

FIRST, SECOND = draw_labels()
RUNS = {
    name: {topic: {d: float((int(d[1:]) * step) % 31) for d in labels} for topic, labels in FIRST.items()}
    for name, step in {"a": 13, "b": 7, "c": 11}.items()
}


def compare(*judgments: object, **options: object) -> Advice | None:
    """The advice of a comparison at threshold 2."""
    return gs.compare(list(judgments), RUNS, "P@5", threshold=2, **options).advice  # type: ignore[arg-type]


def test_advice_is_about_the_two_best_runs_and_agrees_with_a_plan() -> None:
    """With everything judged twice: "now" is the printed interval, and the floor of a plan for the same difference."""
    every = compare(FIRST, SECOND)
    assert every is not None
    one, two = every.about.split(" - ")
    advice = gs.compare([FIRST, SECOND], {name: RUNS[name] for name in (one, two)}, "P@5", threshold=2).advice
    assert advice is not None
    assert advice.half_width < every.half_width
    plan = gs.plan(
        FIRST, SECOND, threshold=2, purpose="difference", runs={name: RUNS[name] for name in (one, two)},
        measure="P@5", budget=TOPICS * DOCUMENTS,
    )  # fmt: skip
    assert advice.half_width == pytest.approx(plan.plan.floor, rel=1e-9)
    assert plan.plan.prospect.half_width_now == pytest.approx(advice.half_width, rel=1e-12)
    assert [lever.name for lever in advice.levers] == ["topics"]
    assert advice.left == 0
    assert "has its second judgment" in say_advice(advice)
    assert "all-judged" in [finding.code for finding in plan.findings]


def test_now_is_the_printed_interval() -> None:
    """To the last digit, whatever is judged: of many runs it is the one for all pairs at once, which is said first."""
    some = {topic: labels for topic, labels in SECOND.items() if topic < "q10"}
    few = {topic: dict(list(labels.items())[::3]) for topic, labels in SECOND.items()}
    for second in (SECOND, some, few):
        for estimator in ("one-sided", None):
            table = gs.compare([FIRST, second], RUNS, "P@5", threshold=2, estimator=estimator)  # type: ignore[arg-type]
            assert table.advice is not None
            runs, found = table.comparison.runs, table.comparison.part().differences
            assert found is not None
            one, two = (runs.index(name) for name in table.advice.about.split(" - "))
            place = [at for at, pair in enumerate(zip(found.a, found.b, strict=True)) if set(pair) == {one, two}]
            low, high = found.simultaneous_interval[place[0]]
            assert table.advice.half_width == pytest.approx((high - low) / 2, rel=1e-9)
            for lever in table.advice.levers:
                assert 0 < lever.half_width <= 1


def test_topics_judged_once_are_a_lever() -> None:
    """Where a third of the topics has second judgments, judging in the others is offered, and helps."""
    some = {topic: labels for topic, labels in SECOND.items() if topic < "q10"}
    advice = compare(FIRST, some)
    assert advice is not None
    lever = next(lever for lever in advice.levers if lever.name == "topics judged twice")
    assert lever.half_width < advice.half_width
    assert "20 topics" in lever.change


def test_more_assessors_of_one_team_are_no_second_assessors() -> None:
    """Who takes the place of half of them judges half of the documents anew."""
    names = [f"p{place}" for place in range(4)]
    rows = [
        (topic, document, names[(int(document[1:]) + turn) % 4], level)
        for turn, side in enumerate((FIRST, SECOND))
        for topic, labels in side.items()
        for document, level in labels.items()
    ]
    table = pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")
    advice = compare(table, labels="majority")
    assert advice is not None
    lever = next(lever for lever in advice.levers if lever.name == "assessors")
    assert lever.change == "8 assessors in place of 4, the same documents"
    assert (lever.first, lever.second) == (450, 450)  # of 900 documents, each judged by two


def test_without_double_judgments_there_is_none() -> None:
    """Given gains, or one assessor: nothing was estimated."""
    assert compare(FIRST) is None
    assert compare(FIRST, SECOND, gains="binary") is None


def test_json_and_answer_say_what_to_judge_next() -> None:
    """Stable keys, and a sentence where runs cannot be told apart."""
    table = gs.compare([FIRST, SECOND], RUNS, "P@5", threshold=2)
    found = json.loads(table.to_json())["advice"]
    assert set(found) == {"about", "measure", "half_width", "floor_half_width", "judged", "left", "levers"}
    assert "What to judge next: " in " ".join(table.answer())
    assert gs.compare(FIRST, RUNS, "P@5", threshold=2).advice is None


def test_a_lever_says_what_it_buys() -> None:
    """In three digits; unjudged documents are said as what they leave open."""
    lever = Lever("topics", "2 more topics", 9, 9, 0.0951)
    assert say_lever(lever, 0.1) == "2 more topics would narrow the interval from ±0.100 to ±0.0951."
    assert "off by up to 0.5" in say_lever(Lever("deeper pools", "labels", 9, 0, 0.1, 9, 0.5), 0.1)
