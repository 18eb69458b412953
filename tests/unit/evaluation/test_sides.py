"""The two sides as a person names them, and strata one by one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gainsayer as gs
from gainsayer.counts.strata import assign_strata
from gainsayer.errors import DataError, PairingError
from gainsayer.evaluation.sides import SideChoice, choose_side_names, for_each_stratum, split_assessors

Make = Callable[..., gs.Judgments]
ROWS = [("q1", "d", name, "1") for name in ("A", "B", "Smith, J.", "C")] + [
    ("q2", "e", "A", "0"),
    ("q2", "e", "B", "1"),
]


def test_names_between_commas_unless_the_comma_belongs_to_the_name(judge: Make) -> None:
    """A whole name that exists is that assessor; else commas separate names; blanks and repeats do not count."""
    judgments = judge(ROWS)
    assert split_assessors(judgments, "A, B,A") == ("A", "B")
    assert split_assessors(judgments, "Smith, J.") == ("Smith, J.",)
    assert split_assessors(judgments, ["Smith, J.", "A,C"]) == ("Smith, J.", "A", "C")
    assert split_assessors(judgments, None) is split_assessors(judgments, " , ") is None


@pytest.mark.parametrize(("pairing", "matched"), [("auto", None), ("matched", True), ("all", False)])
def test_pairing_in_words(judge: Make, pairing: str, matched: bool | None) -> None:
    """Members pair one by one, all with all, or as the data has it."""
    chosen = choose_side_names(judge(ROWS), "A", ("B", "C"), pairing)  # type: ignore[arg-type]
    assert chosen == SideChoice(("A",), ("B", "C"), pairing)  # type: ignore[arg-type]
    assert chosen.matched is matched


def test_sides_count_their_pairs(judge: Make) -> None:
    """A against B: one pair on each of two documents, (1, 1) and (0, 1)."""
    assert SideChoice(("A",), ("B",)).count(judge(ROWS)).matrix.tolist() == [[0, 1], [0, 1]]


def test_strata_one_by_one(judge: Make) -> None:
    """A stratum without pairs is left out and said; any other fault names the stratum."""
    judgments = assign_strata(judge(ROWS), {"q1": "nav", "q2": "inf"})

    def count(part: gs.Judgments) -> int:
        if "q2" in {part.topics[place] for place in part.topic.tolist()}:
            raise PairingError("no pairs")
        return len(part)

    found, noticed = for_each_stratum(judgments, count)
    assert found == {"nav": 4}
    assert [(one.code, "'inf'" in one.message) for one in noticed] == [("stratum-without-pairs", True)]

    def fail(part: gs.Judgments) -> int:
        raise DataError("nothing left")

    with pytest.raises(DataError, match=r"^Stratum 'inf': nothing left$"):
        for_each_stratum(judgments, fail)
    assert for_each_stratum(judge(ROWS), fail) == ({}, [])
