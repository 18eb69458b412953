"""Plans: every aim is reached with as few judgments as the search finds, and not with fewer."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainsayer.errors import CallError, DataError, UnknownLevelError
from gainsayer.levels import Levels
from gainsayer.model.variance import Spread
from gainsayer.planning import Aim, Plan, Prospect, Target, guess_levels, list_levels, make_plan, share_out

LEVELS = Levels(("0", "1", "2"))
GUESS = np.array([0.1, 0.45, 0.8])


def make_prospect(purpose: str = "parameters", *, intraclass: float = 0.1, documents: float = 100.0) -> Prospect:
    """Fifty topics, three levels, no pilot."""
    target = guess_levels(LEVELS, GUESS, [0, 1, 2], 0.95)
    if purpose != "parameters":
        target = Target(
            purpose="difference",
            names=("a - b",),
            values=np.array([0.06]),
            slope=np.array([[0.1, -0.3, 0.5]]),
            weight=np.array([0.1, 0.3, 0.5]),
            ends=lambda spread: 0.06 + spread.reach(0.05)[:, None] * np.array([-1.0, 1.0]),
            spread=Spread(np.array([0.0002]), np.array([49.0])),
            known=np.array([True]),
        )
    sizes = np.full((50, 3), documents / 3)
    return Prospect(LEVELS, sizes, target, GUESS, ("default",) * 3, intraclass=intraclass)


def plan_for(purpose: str, **aim: object) -> Plan:
    """A plan for an aim."""
    return make_plan(make_prospect(purpose), Aim(purpose, **aim), LEVELS)  # type: ignore[arg-type]


def test_a_half_width_for_every_level() -> None:
    """Each interval is within, by shares that do not differ too much; with a tenth fewer the widest is not."""
    plan = plan_for("parameters", within=0.09)
    assert np.all(plan.half_widths <= 0.09)
    assert plan.prospect.half_width(0.9 * plan.share) > 0.09
    assert plan.share.max() / plan.share.min() <= 5 + 1e-9
    assert plan.stopping.kind == "precision"
    assert plan.stopping.within == 0.09


def test_a_half_width_of_a_difference() -> None:
    """The fewest judgments that do, give or take one."""
    plan = plan_for("difference", within=0.04)
    assert plan.half_width <= 0.04
    fewer = replace(plan.aim, within=None, budget=plan.judge.sum() - 2)
    assert make_plan(plan.prospect, fewer, LEVELS).half_width > 0.04


def test_power() -> None:
    """Reached by the plan and not by two judgments fewer; the study then stops by a decision."""
    plan = plan_for("difference", power=0.8)
    assert plan.power is not None
    assert plan.power >= 0.8
    fewer = make_plan(plan.prospect, replace(plan.aim, power=None, budget=plan.judge.sum() - 2), LEVELS)
    assert fewer.power is not None
    assert fewer.power < 0.8
    assert plan.stopping.kind == "decision"
    assert plan.stopping.multiplier > 1.96


@pytest.mark.parametrize("topics", [3, 12, 50])
def test_power_is_that_of_a_t_test(topics: int) -> None:
    """As drawn: a normal difference over the root of chi-square by its degrees; at no difference, the test's size."""
    prospect = make_prospect("difference")
    spread = Spread(np.array([0.0002]), np.array([topics - 1.0]))
    prospect = replace(
        prospect, sizes=prospect.sizes[:topics], target=replace(prospect.target, spread=spread), intraclass=0.0
    )
    whole = np.ones(3)
    assert prospect.power(whole, 1e-12) == pytest.approx(0.05, abs=1e-6)
    found, rng = prospect.spread(whole), np.random.default_rng(3)
    error, q = float(np.sqrt(found.topics[0])), float(found.quantiles(0.05)[0][0])
    for difference in (0.01, 0.04, 0.09):
        scale = np.sqrt(rng.chisquare(topics - 1, 200_000) / (topics - 1))
        shown = np.abs((rng.normal(difference / error, 1, 200_000)) / scale) > q
        assert prospect.power(whole, difference) == pytest.approx(shown.mean(), abs=0.005)


def test_a_budget_is_spent() -> None:
    """No more and no less, in batches that grow to it."""
    plan = plan_for("difference", budget=400)
    assert plan.judge.sum() == pytest.approx(400)
    assert (plan.shares[-1] * plan.prospect.documents).sum() == pytest.approx(400)
    assert plan.shares[0] == pytest.approx(plan.share / 5)


def test_the_curve_falls_to_the_floor() -> None:
    """More judgments never widen an interval, planned ones beat evenly drawn ones, and both end at the floor."""
    plan = plan_for("difference", budget=400)
    widths = [point.half_width for point in plan.curve]
    assert all(one >= two - 1e-12 for one, two in pairwise(widths))
    assert all(point.half_width <= point.uniform_half_width + 1e-9 for point in plan.curve[2:])
    assert widths[-1] == pytest.approx(plan.floor)
    assert 400 in [point.judgments for point in plan.curve]


def test_out_of_reach_says_what_is_the_best_and_what_would_do() -> None:
    """For a half-width and for a power, by numbers."""
    message = (
        r"Even with all 5,000 documents judged twice ±0\.0\d+ is the best that 50 topics allow; ±0\.01 needs about"
    )
    with pytest.raises(DataError, match=message):
        plan_for("parameters", within=0.01)
    with pytest.raises(DataError, match=r"with a power of 0\.\d\d, not 0\.99; about [\d,]+ topics would"):
        plan_for("difference", power=0.99, difference=0.03)


def test_one_assessor_makes_no_plan_but_gets_numbers() -> None:
    """What 100 and 200 judgments by one and by four other people would give."""
    with pytest.raises(DataError, match=r"one-assessor.*100 judgments by one other person.*four.*200 judgments"):
        make_plan(replace(make_prospect(), assessors=1), Aim("parameters", budget=300), LEVELS)


def test_a_budget_below_the_floor_is_said() -> None:
    """Every level gets its floor, and a finding says so."""
    plan = plan_for("parameters", budget=20, minimum=30)
    assert plan.judge.sum() > 20
    said = {finding.code: finding.message for finding in plan.findings}
    assert said["budget-below-floor"].startswith("A budget of 20 is below the floor of")


@pytest.mark.parametrize("shown", [False, True])
def test_floors_raise_no_share_beyond_five_times_the_smallest(shown: bool) -> None:
    """Nor do they after they have taken their part from the large levels."""
    for documents in ([5000.0, 4.0], [5000.0, 400.0, 300.0, 100.0], [730.0, 300.0, 170.0]):
        sizes = np.array(documents)
        share = share_out(np.full(len(sizes), 0.4), 100, sizes, shown=shown) / sizes
        assert share.max() <= share.min() * 5 * (1 + 1e-6)


LEVEL_SIZES = st.lists(st.tuples(st.integers(1, 30_000), st.floats(0, 1)), min_size=2, max_size=5)


@settings(max_examples=100, deadline=None)
@given(LEVEL_SIZES, st.floats(0.001, 1), st.booleans(), st.none() | st.integers(1, 200))
def test_shares_differ_by_no_more_than_five_times(
    cells: list[tuple[int, float]], part: float, shown: bool, minimum: int | None
) -> None:
    """Whatever the sizes, worths, budget and floors, also of levels that are all judged; and the budget is used up."""
    documents, worth = (np.array(column, np.float64) for column in zip(*cells, strict=True))
    budget = max(1.0, part * float(documents.sum()))
    found = share_out(worth, budget, documents, shown=shown, minimum=minimum)
    share = found / documents
    assert share.max() <= share.min() * 5 * (1 + 1e-6)
    assert share.max() <= 1 + 1e-12
    assert found.sum() == pytest.approx(budget, rel=1e-6) or (minimum is not None and found.sum() > budget)


def test_a_level_nobody_used_is_said() -> None:
    """It gets no judgments, and cannot be asked for."""
    prospect = make_prospect()
    sizes = prospect.sizes.copy()
    sizes[:, 1] = 0
    target = guess_levels(LEVELS, GUESS, list_levels(LEVELS, None, sizes.sum(axis=0)), 0.95)
    plan = make_plan(replace(prospect, sizes=sizes, target=target), Aim("parameters", budget=200), LEVELS)
    assert plan.judge[1] == 0
    assert "No document has the first label 1" in " ".join(finding.message for finding in plan.findings)
    with pytest.raises(DataError, match=r"No document has the first label 1, so p\(R\|1\)"):
        list_levels(LEVELS, ["1"], sizes.sum(axis=0))
    with pytest.raises(UnknownLevelError):
        list_levels(LEVELS, ["9"], sizes.sum(axis=0))


def test_what_decides_is_said() -> None:
    """Topics, or people, where hardly anything is left that judgments could take away."""
    many = make_plan(make_prospect(intraclass=0.6), Aim("parameters", budget=2000), LEVELS)
    assert "topics-decide" in {finding.code for finding in many.findings}
    people = make_plan(replace(make_prospect(), assessors=4), Aim("parameters", budget=900), LEVELS)
    assert "the 4 second assessors decide" in {f.code: f.message for f in people.findings}["assessors-decide"]
    few = make_plan(make_prospect(intraclass=0.02), Aim("parameters", budget=150), LEVELS)
    assert "topics-decide" not in {finding.code for finding in few.findings}


def test_one_topic_makes_no_plan() -> None:
    """It says nothing about others."""
    with pytest.raises(DataError, match="One topic"):
        make_plan(replace(make_prospect(), sizes=np.full((1, 3), 9.0)), Aim("parameters", budget=9), LEVELS)


@pytest.mark.parametrize(
    ("aim", "message"),
    [
        ({}, "exactly one of"),
        ({"within": 0.1, "budget": 5}, "exactly one of"),
        ({"within": -0.1}, "above 0"),
        ({"power": 0.8}, "purpose='difference'"),
        ({"power": 1.5}, "between 0 and 1"),
    ],
)
def test_aims_that_are_not_clear_are_refused(aim: dict[str, float], message: str) -> None:
    """One aim, of the kind that its purpose has."""
    with pytest.raises(CallError, match=message):
        Aim("parameters", **aim)  # type: ignore[arg-type]
    with pytest.raises(CallError, match="There is no purpose"):
        Aim("fame", budget=5)  # type: ignore[arg-type]
