"""Sides: who stands on which, fixed pairs of assessors, and what is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gainsayer as gs
from gainsayer.errors import CallError, PairingError

Make = Callable[..., gs.Judgments]


def test_two_assessors_are_first_and_second_in_the_order_given(judge: Make) -> None:
    """The first assessor named in the data is the first side."""
    counts = gs.count_pairs(judge([("q", "d", "Z", "2"), ("q", "d", "A", "0"), ("q", "e", "A", "1")]))
    assert (counts.first, counts.second) == (("Z",), ("A",))
    assert counts.matrix[2, 0] == 1


def test_teams_leave_pairs_across_teams_out_and_say_so(judge: Make) -> None:
    """With sides given pair by pair, a pair across teams is left out and reported; --pairing all counts it."""
    rows = [
        (f"q{place % 5}", f"d{place}", f"{team}{side}", str((place + side) % 3))
        for place in range(200)
        for team in ("x" if place < 100 else "y")
        for side in (1, 2)
    ]
    rows += [("q0", "across", "x1", "0"), ("q0", "across", "y2", "0")]
    judgments = judge(rows)
    sides = {"first": ["x1", "y1"], "second": ["x2", "y2"]}
    counts = gs.count_pairs(judgments, **sides)
    assert counts.pairs == 200
    assert "pairs-across-teams" in [finding.code for finding in counts.findings]
    assert "1 of 201 pairs" in counts.findings[0].message
    assert gs.count_pairs(judgments, **sides, matched=False).pairs == 201


def test_groups_pair_across_when_assessors_mix(judge: Make) -> None:
    """Where members of the two sides met in all combinations, every combination counts."""
    rows = [
        (f"q{place % 5}", f"d{place}", name, str(place % 3))
        for place in range(80)
        for name in (f"x{place % 2}", f"y{place // 2 % 2}")
    ]
    counts = gs.count_pairs(judge(rows), first=["x0", "x1"], second=["y0", "y1"])
    assert counts.pairs == 80
    matched = gs.count_pairs(judge(rows), first=["x0", "x1"], second=["y0", "y1"], matched=True)
    assert matched.pairs == 40


def test_one_assessor_is_not_enough(judge: Make) -> None:
    """The message says what is missing and what to do."""
    with pytest.raises(PairingError, match=r"come from one assessor, 'A'.*second assessor's file.*by_assessor=True"):
        gs.count_pairs(judge([("q", "d", "A", "0"), ("q", "e", "A", "1")]))


def test_no_overlap_shows_what_each_side_judged(judge: Make) -> None:
    """The message shows an id of each side, so that a reader sees what differs."""
    rows = [("1", "d", "A", "0"), ("1", "e", "A", "1"), ("001", "d", "B", "1")]
    with pytest.raises(PairingError, match=r"A judged 2 documents \(such as '1 d'\).*'001 d'.*0 topics are common"):
        gs.count_pairs(judge(rows))
    rows = [("1", name, name, label) for name, label in (("A", "0"), ("B", "1"), ("C", "0"))]
    with pytest.raises(PairingError, match="No document was judged by two different assessors"):
        gs.count_pairs(judge(rows))


def test_sides_are_checked(judge: Make) -> None:
    """Unknown assessors and assessors on both sides are the call's fault."""
    judgments = judge([("q", "d", name, label) for name, label in (("A", "0"), ("B", "1"), ("C", "1"))])
    with pytest.raises(CallError, match="no assessor 'X': the assessors are A, B, C"):
        gs.count_pairs(judgments, first=["X"])
    with pytest.raises(CallError, match="A cannot be on both sides"):
        gs.count_pairs(judgments, first=["A"], second=["A", "B"])
    with pytest.raises(CallError, match="Each side needs at least one assessor"):
        gs.count_pairs(judgments, first=["A", "B", "C"])


def test_fixed_pairs_of_one_and_one_are_plain_pairs(judge: Make) -> None:
    """Two assessors are a fixed pair; sides of unequal lengths are none."""
    rows = [("q", "d", name, label) for name, label in (("A", "0"), ("B", "1"), ("C", "1"))]
    assert gs.count_pairs(judge(rows[:2]), matched=True).pairs == 1
    with pytest.raises(CallError, match="equally long sides, found 1 and 2 assessors"):
        gs.count_pairs(judge(rows), first=["A"], matched=True)


def test_fixed_pairs_that_never_met_are_refused(judge: Make) -> None:
    """Asked for fixed pairs, other pairs are not counted in their place."""
    rows = [("q", "d", "a", "0"), ("q", "d", "z", "1"), ("q", "e", "b", "0"), ("q", "e", "y", "1")]
    sides = {"first": ["a", "b"], "second": ["y", "z"]}
    with pytest.raises(PairingError, match=r"No fixed pair of assessors \(a and y, b and z\).*pairing='all'"):
        gs.count_pairs(judge(rows), **sides, matched=True)
    assert gs.count_pairs(judge(rows), **sides).pairs == 2


def test_one_pair_in_a_hundred_may_be_across_teams(judge: Make) -> None:
    """1 of 100 pairs across fixed pairs is left out, 2 of 101 are not: then all count alike."""
    sides = {"first": ["x1", "y1"], "second": ["x2", "y2"]}
    rows = [("q", f"d{n}", f"{team}{side}", str(n % 3)) for n in range(99) for team in "xy"[n % 2] for side in (1, 2)]
    one = [*rows, ("q", "across", "x1", "0"), ("q", "across", "y2", "0")]
    two = [*one, ("q", "another", "y1", "0"), ("q", "another", "x2", "0")]
    assert gs.count_pairs(judge(one), **sides).pairs == 99
    assert gs.count_pairs(judge(two), **sides).pairs == 101
    assert gs.count_pairs(judge(two), **sides, matched=True).pairs == 99


def test_an_assessor_without_judgments_here_is_no_side(judge: Make) -> None:
    """Known by name and silent on these topics: no pairs, and the message says whose judgments are lacking."""
    judgments = judge([("q", "d", "A", "0"), ("q", "d", "B", "1"), ("r", "d", "C", "1")])
    here = judgments.rows(judgments.topic == judgments.topics.index("q"))
    with pytest.raises(PairingError, match="C judged nothing here, so there are no pairs"):
        gs.count_pairs(here, first=["A"], second=["C"])
    assert gs.count_pairs(here).pairs == 1


def test_long_ids_are_cut_in_messages(judge: Make) -> None:
    """Sixty characters of an id show what differs."""
    rows = [("1", "d" * 80, "A", "0"), ("1", "e", "B", "1")]
    with pytest.raises(PairingError, match=r"\(such as '1 d{58}\.\.\.'\); B judged 1 documents.*1 topics are common"):
        gs.count_pairs(judge(rows))
