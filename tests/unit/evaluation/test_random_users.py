"""Random users as they are asked for, and what they find, against enumeration of all users."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.evaluation.random_users import expand_users, notice_simulation, refuse_plain, take_measures, take_users
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.lists import ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
MODEL = {"0": 0.1, "1": 0.4, "2": 0.7}


def test_measures_once_each_in_order() -> None:
    """Names of trec_eval and ir_measures and measures themselves; the same one twice is one."""
    precision = parse_measure("P@5")
    assert [str(one) for one in take_measures(["map", precision, "AP", "P@5"])] == ["AP", "P@5"]
    assert take_measures(precision) == take_measures("P@5") == (precision,)
    assert [str(one) for one in take_measures(None)] == [str(one) for one in take_measures(())] == ["nDCG@10"]
    with pytest.raises(CallError, match="says nothing about relevance"):
        refuse_plain([precision, parse_measure("Judged@10")])


def test_users_by_name_number_and_band() -> None:
    """A band is both ends; 0 and 1 are the ends as numbers; each kind once."""
    assert take_users("band,0.3,independent") == ("independent", "comonotone", 0.3)
    assert take_users([0, 1, 0.5]) == ("independent", "comonotone", 0.5)
    assert take_users(0.25) == (0.25,)
    assert take_users(None) == ()
    with pytest.raises(CallError, match="found 'strict'"):
        take_users("strict")


def test_measures_are_expanded_where_users_change_them() -> None:
    """AP differs from its expected values, P does not; GAP and counts of judged documents have none."""
    asked = expand_users(take_measures(["AP", "P@5", "GAP"]), ("independent", "comonotone"))
    assert [str(one) for one in asked] == ["AP", "AP(users='independent')", "AP(users='comonotone')", "P@5", "GAP"]


@pytest.mark.parametrize("kind", ["independent", "comonotone"])
def test_how_many_documents_users_find(kind: str) -> None:
    """The shares of users who find 0, 1 or 2 relevant documents in the top 2, over all users and topics."""
    truth = {"q1": {"a": 2, "b": 1}, "q2": {"a": 0, "b": 2}}
    run = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "x": 1.0}}
    table = gs.score(truth, run, "P@2", gain=MODEL, users=kind)
    expected = np.zeros(3)
    for chances in ([0.7, 0.4], [0.1]):
        if kind == "independent":
            for views in product((0, 1), repeat=len(chances)):
                expected[sum(views)] += np.prod([p if seen else 1 - p for p, seen in zip(chances, views, strict=True)])
        else:  # a user of strictness u finds relevant what has a probability above u
            edges = sorted({0.0, *chances, 1.0})
            for low, high in pairwise(edges):
                expected[sum(p >= high for p in chances)] += high - low
    (found,) = table.found
    assert (found.users, found.runs, found.gains) == (kind, ("run",), "custom")
    np.testing.assert_allclose(found.distribution.probability, [expected / 2], atol=1e-12)


def test_simulated_users_leave_an_error_that_is_said() -> None:
    """Only for measures without a formula, and as large as s / sqrt(users) over topics."""
    ranked = ranked_from_lists({"q": [2, 0, 1]}, {"q": [2, 2, 1]}, levels=LEVELS)
    gains = Gains(LEVELS, np.array(list(MODEL.values())))
    simulated, exact = parse_measure("Bpref(users='independent',sample=50)"), parse_measure("AP(users='independent')")
    (finding,) = notice_simulation([ranked], {simulated: [gains], exact: [gains]})
    error = simulated.score_users(ranked, gains).standard_error
    assert error is not None
    assert finding.code == "simulated-users"
    assert f"at most {float(error[0]):.2g} in a run's mean" in finding.message
