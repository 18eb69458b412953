"""The oracle of forecasts: 28 documents as a pilot, worked out by two other codes, to nine digits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import gainsayer as gs
from gainsayer.comparison import compare_runs
from gainsayer.gains import prm_scheme
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.model import count_pairs, estimate_disagreement, predict_relevance
from gainsayer.model.estimate import Disagreement
from gainsayer.planning.prospect import (
    Pilot,
    Prospect,
    allocate,
    bound_shares,
    count_companions,
    guess_levels,
    target_levels,
    target_runs,
)
from gainsayer.ranking import ranked_from_lists

# By topic: first and second label of each document.
PILOT = ("00 00 01 11 11 11", "01 01 00 11 10", "00 00 00 10 10 11", "01 01 11 11 10", "00 00 10 10 00 11")
SEEN, PLANNED = np.array([1 / 3, 1 / 2]), np.array([2 / 3, 3 / 4])
TOPS = ("10", "10", "01", "00", "11")
# One-sided, then symmetric with weights 3 and 2.
EXPECTED = {
    "one-sided": {
        "p": [0.357142857, 0.571428571],
        "V": [0.604013830, 0.300533379],
        "then": [0.453086242, 0.253120332],
        "half": [0.351840731, 0.297740289],
        "S": (0.464285714, 0.053588482, 0.043876355),
    },
    "symmetric": {
        "p": [0.333333333, 0.542372881],
        "V": [0.258487826, 0.134532096],
        "then": [0.179759681, 0.092128826],
        "half": [0.242594282, 0.197834907],
        "S": (0.437853107, 0.008015682, 0.006649623),
    },
}


def pilot(estimator: str) -> tuple[Disagreement, np.ndarray]:  # type: ignore[type-arg]
    """The estimate, weighted where it is symmetric, and the documents there were."""
    rows = []
    for topic, line in enumerate(PILOT):
        for place, (first, second) in enumerate(line.split()):
            weight = 1.0 if estimator == "one-sided" else (3.0, 2.0)[int(first)]
            rows += [(f"t{topic}", f"d{place}", "A", first, 1.0), (f"t{topic}", f"d{place}", "B", second, weight)]
    table = pl.DataFrame(rows, schema=["topic", "document", "assessor", "level", "weight"], orient="row")
    judgments = gs.read_judgments(table.drop("weight") if estimator == "one-sided" else table)
    counts = count_pairs(judgments, first=["A"], second=["B"])
    sizes = np.array(
        [[3 * sum(d[0] == "0" for d in t.split()), 2 * sum(d[0] == "1" for d in t.split())] for t in PILOT]
    )
    return estimate_disagreement(counts, estimator=estimator), sizes.astype(float)  # type: ignore[arg-type]


def prospect(estimator: str) -> Prospect:
    """For p(R|i)."""
    model, sizes = pilot(estimator)
    relevance = model.levels.at_or_above("1")
    found = predict_relevance(model, relevance)
    return Prospect(
        model.levels,
        sizes,
        target_levels(found, [0, 1]),
        found.probability,
        ("pilot",) * 2,
        pilot=Pilot(model, relevance, sizes),
    )


def test_companions_and_what_opinions_have_in_common() -> None:
    """k, k', s, rho and lambda."""
    found = prospect("one-sided").pilot
    assert found is not None
    assert count_companions(found.sizes, SEEN) == pytest.approx([1.857142857] * 2, abs=6e-10)
    assert count_companions(found.sizes, PLANNED) == pytest.approx([4.714285714, 3.333333333], abs=6e-10)
    assert found.share == pytest.approx(SEEN)
    assert found.scale == pytest.approx([0.963788820, 0.991071250], abs=6e-10)
    assert found.intraclass == pytest.approx(0.269200348, abs=6e-10)
    assert found.left(PLANNED) == pytest.approx([0.750125609, 0.842236999], abs=6e-10)


@pytest.mark.parametrize("estimator", EXPECTED)
def test_levels_are_those_of_the_oracle(estimator: str) -> None:
    """p, the variance seen, the one foretold, and half-widths then (without the correction for skewness)."""
    found, expected = prospect(estimator), EXPECTED[estimator]
    assert found.probability == pytest.approx(expected["p"], abs=6e-10)
    spread = found.target.spread
    assert spread is not None
    assert spread.topics == pytest.approx(expected["V"], abs=6e-10)
    then = found.spread(PLANNED)
    assert then.topics == pytest.approx(expected["then"], abs=6e-10)
    assert then.topic_degrees.tolist() == [4.0, 4.0]
    plain = guess_levels(found.levels, found.probability, [0, 1], 0.95)
    ends = plain.ends(then)
    assert (ends[:, 1] - ends[:, 0]) / 2 == pytest.approx(expected["half"], abs=6e-10)


@pytest.mark.parametrize("estimator", EXPECTED)
def test_a_score_is_that_of_the_oracle(estimator: str) -> None:
    """P@2 of a run: the score, and the variance of its logarithm seen and foretold."""
    model, sizes = pilot(estimator)
    relevance = model.levels.at_or_above("1")
    lists = {f"t{topic}": [int(label) for label in top] for topic, top in enumerate(TOPS)}
    run = ranked_from_lists(lists, {topic: [9, 9] for topic in lists}, levels=model.levels, name="a")
    [part] = compare_runs([run], [parse_measure("P@2")], [prm_scheme(model, relevance)]).parts
    target = target_runs(part, ["a"], [0], "score", 0.95)
    found = Prospect(model.levels, sizes, target, np.ones(2), ("pilot",) * 2, pilot=Pilot(model, relevance, sizes))
    score, seen, then = EXPECTED[estimator]["S"]
    assert target.values == pytest.approx([score], abs=6e-10)
    assert target.spread is not None
    assert target.spread.topics == pytest.approx([seen], abs=6e-10)
    assert found.spread(PLANNED).topics == pytest.approx([then], abs=6e-10)


def test_what_is_seen_is_foretold_for_what_is_there() -> None:
    """At the shares of now the spread is the one seen, to the last digit that matters."""
    for estimator in EXPECTED:
        found = prospect(estimator)
        assert found.target.spread is not None
        now = found.spread(SEEN)
        assert now.topics == pytest.approx(found.target.spread.topics, rel=1e-12)
        assert now.topic_degrees == pytest.approx(found.target.spread.topic_degrees)


def test_a_guess_is_that_of_the_oracle() -> None:
    """Without a pilot: V of the logit from 20 and 10 judgments with 1.5 and .5 companions, half-widths at 4 degrees."""
    levels, p, half = Levels(("0", "1")), np.array([0.1, 0.8]), np.array([0.5, 0.5])
    target = guess_levels(levels, p, [0, 1], 0.95)
    # In five topics 3 documents of level 0 are judged and 1.5 of level 1, in five others 1 and .5.
    found = Prospect(levels, np.array([[6.0, 3.0]] * 5 + [[2.0, 1.0]] * 5), target, p, ("default",) * 2)
    assert (found.documents * half).tolist() == [20, 10]
    assert count_companions(found.sizes, half).tolist() == [1.5, 0.5]
    spread = found.spread(half)
    assert spread.topics == pytest.approx([0.730555556, 0.712500000], abs=6e-10)
    ends = target.ends(replace(spread, topic_degrees=np.array([4.0, 4.0])))
    assert (ends[:, 1] - ends[:, 0]) / 2 == pytest.approx([0.266803465, 0.349573287], abs=6e-10)


def test_shares_are_bounded() -> None:
    """No level's share is more than five times another's, unless all of it is judged."""
    worth, documents = np.array([0.3, 0.4, 0.5, 0.4]), np.array([800.0, 120, 60, 20])
    few = allocate(bound_shares(worth, documents), 100, documents, np.zeros(4))
    assert few == pytest.approx([69.868995633, 10.480349345, 10.917030568, 8.733624454], abs=6e-10)
    assert (few / documents).max() / (few / documents).min() == pytest.approx(5)
    many = allocate(bound_shares(worth, documents), 400, documents, np.zeros(4))
    assert many == pytest.approx([290.909090909, 43.636363636, 45.454545455, 20], abs=6e-10)


def judged_by_sides() -> pl.DataFrame:
    """Twenty topics of thirty documents, each judged by one of four and one of four more who differ in strictness."""
    rng = np.random.default_rng(4)
    lean = rng.normal(0, 0.8, (2, 4)) * [[0.3], [1.0]]
    rows = []
    for topic in range(20):
        for document in range(30):
            quality = rng.normal()
            for side, letter in enumerate("AB"):
                person = int(rng.integers(4))
                label = int(quality + 0.5 * rng.normal() + lean[side, person] > 0)
                rows.append((f"t{topic}", f"d{document}", f"{letter}{person}", label))
    return pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")


def test_more_second_assessors_change_nothing_about_the_first() -> None:
    """Of two named sides new people come to the second; with four to a side, half the width is out of reach."""
    names = {side: [f"{side}{place}" for place in range(4)] for side in ("A", "B")}
    made = gs.plan(judged_by_sides(), threshold=1, budget=600, first=names["A"], second=names["B"]).plan
    prospect, whole = made.prospect, np.ones(2)
    assert prospect.target.people == (("first", 4), ("second", 4))
    one, two = prospect.spread(whole), prospect.spread(whole, people=2)
    assert two.people[0] == pytest.approx(one.people[0])
    assert two.people_degrees[0] == pytest.approx(one.people_degrees[0])
    assert np.all(two.people_degrees[1] > one.people_degrees[1])
    assert two.people[1].sum() < one.people[1].sum()
    lever = next(lever for lever in made.levers if lever.name == "assessors")
    assert lever.change == "8 second assessors in place of 4, the same documents"
    assert lever.second == 300  # half of the 600 are judged anew, by the four who come


def test_more_people_narrow_what_few_of_them_leave() -> None:
    """Five people who differ: the interval that is there at five, narrower for ten asked for, whoever asks for them."""
    rng = np.random.default_rng(4)
    strict = np.array([-1.5, -0.7, 0.0, 0.7, 1.5])
    rows = []
    for topic in range(20):
        for document in range(30):
            quality, person = rng.normal(), int(rng.integers(5))
            first, second = (int(quality + 0.5 * rng.normal() + lean > 0) for lean in (0.0, strict[person]))
            rows += [(f"t{topic}", f"d{document}", who, label) for who, label in (("A", first), (f"B{person}", second))]
    table = pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")
    people = [f"B{person}" for person in range(5)]
    options = {"threshold": 1, "budget": 600, "first": ["A"], "second": people}
    plain, more = (gs.plan(table, assessors=count, **options) for count in (None, 10))  # type: ignore[arg-type]
    ends = gs.fit(table, threshold=1, first=["A"], second=people).predict().interval.ends
    assert plain.plan.prospect.half_width_now == pytest.approx((ends[:, 1] - ends[:, 0]).max() / 2)
    assert plain.plan.floor == pytest.approx(plain.plan.prospect.half_width_now, rel=1e-9)
    assert more.plan.floor < 0.85 * plain.plan.floor
    lever = next(lever for lever in plain.plan.levers if lever.name == "assessors")
    assert lever.half_width == pytest.approx(more.plan.half_width, rel=1e-9)
