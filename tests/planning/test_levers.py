"""Levers: each is better than doing nothing, and costs what it says."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.planning import Aim, Gap, Prospect, find_gap, guess_levels, make_plan
from gainsayer.ranking import ranked_from_lists

LEVELS = Levels(("0", "1"))


def make_prospect(intraclass: float, assessors: int | None = None) -> Prospect:
    """Forty topics of fifty documents."""
    guess = np.array([0.2, 0.6])
    target = guess_levels(LEVELS, guess, [0, 1], 0.95)
    sizes = np.full((40, 2), 25.0)
    return Prospect(LEVELS, sizes, target, guess, ("guess",) * 2, intraclass=intraclass, assessors=assessors)


def test_the_most_useful_comes_first() -> None:
    """Where topics do not differ, judgments help as much as topics that are judged likewise; where they do, topics."""
    for intraclass, much in ((0.0, True), (0.6, False)):
        plan = make_plan(make_prospect(intraclass), Aim("parameters", budget=300), LEVELS)
        assert [lever.half_width for lever in plan.levers] == sorted(lever.half_width for lever in plan.levers)
        found = {lever.name: 1 - lever.half_width / plan.half_width for lever in plan.levers}
        assert all(gain > 0 for gain in found.values())
        assert (found.get("second judgments", 0.0) > 0.8 * found["topics"]) == much


def test_costs() -> None:
    """A tenth more judgments cost those; a tenth more topics cost their documents, and a share of second judgments."""
    plan = make_plan(make_prospect(0.3), Aim("parameters", budget=300), LEVELS)
    found = {lever.name: (lever.first, lever.second) for lever in plan.levers}
    assert found == {"second judgments": (0, 30), "topics": (200, 30)}


def test_more_assessors_help_where_they_are_few() -> None:
    """The lever is there where their number is known."""
    plan = make_plan(make_prospect(0.1, assessors=4), Aim("parameters", budget=300), LEVELS)
    assert plan.levers[0].name == "assessors"
    assert plan.levers[0].half_width < 0.75 * plan.half_width


@pytest.mark.parametrize("assessors", [None, 2, 3, 6])
@pytest.mark.parametrize("budget", [60, 300, 1900])
def test_no_lever_is_worse_than_none(assessors: int | None, budget: int) -> None:
    """Also where a plan for two or three people knows nothing of how people differ, and six would."""
    plan = make_plan(make_prospect(0.3, assessors), Aim("parameters", budget=budget), LEVELS)
    assert all(lever.half_width < 0.996 * plan.half_width for lever in plan.levers)
    widths = [point.half_width for point in plan.curve]
    assert widths == sorted(widths, reverse=True)


def test_unjudged_documents_come_first_where_they_leave_more_open_than_the_interval() -> None:
    """And last where they do not."""
    for width, place in ((5.0, 0), (1e-6, -1)):
        plan = make_plan(make_prospect(0.3), Aim("parameters", budget=300), LEVELS, gap=Gap(width, 17))
        assert plan.levers[place].name == "deeper pools"
        assert (plan.levers[place].first, plan.levers[place].bias) == (17, width)
        assert ("pool-too-shallow" in {finding.code for finding in plan.findings}) == (width > 1)


def test_a_difference_moves_by_no_more_than_one_run_does() -> None:
    """At worst all unjudged documents of one run are relevant, and none of the other; shared ones may count twice."""
    runs = [
        ranked_from_lists({"q": [1, None]}, {"q": [3, 1]}, levels=LEVELS),
        ranked_from_lists({"q": [None, None]}, {"q": [3, 1]}, levels=LEVELS),
    ]
    guess = np.array([0.1, 0.6])
    # P@2 with the unjudged at 0 or 0.6: the first run is worth 0.3 or 0.6, the second 0 or 0.6.
    extremes = [first - second for first in (0.3, 0.6) for second in (0.0, 0.6)]
    gap = find_gap(runs, parse_measure("P@2"), guess)
    assert gap.width == pytest.approx(max(abs(extreme - (0.3 - 0.0)) for extreme in extremes))
    assert gap.wanted == "up to 3 unjudged documents of the runs"
    assert find_gap(runs[:1], parse_measure("P@2"), guess).wanted == "the unjudged document of the runs"
    assert find_gap(runs, parse_measure("P@1"), guess).documents == 1


def test_no_score_is_above_what_the_measure_can_reach() -> None:
    """nDCG with all unjudged documents at their best is at most 1, so nothing can be off by more."""
    runs = [ranked_from_lists({"q": [None, None, 1]}, {"q": [1, 1]}, levels=LEVELS)]
    gap = find_gap(runs, parse_measure("nDCG@3"), np.array([0.01, 0.02]))
    assert 0 < gap.width <= 1
