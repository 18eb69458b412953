"""The list of families: every one scores, keeps its bounds and says truly what it can take."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.plain_lists import BINARY, LEVELS, draw_lists

from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.measures import FAMILIES, Measure, parse_measure

HIGH = Gains(LEVELS, np.array([0.0, 2.0, 5.0]), name="linear")


def default(name: str) -> Measure:
    """The measure with a depth where it needs one."""
    return parse_measure(FAMILIES[name].example.replace("@10", "@5"))


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_scores_lists_of_0_and_1(name: str) -> None:
    """One finite number per topic, between 0 and 1 where it is a share, 0 for a topic that the run lacks."""
    case = draw_lists(3)
    found = default(name).score(case.ranked, BINARY)
    assert found.shape == (6,)
    assert np.isfinite(found).all()
    assert (found >= 0).all()
    if FAMILIES[name].up_to_one or name in ("Judged", "Unjudged"):
        assert (found <= 1 + 1e-12).all()
    if name != "PoolRel":
        assert found[-1] == 0


@pytest.mark.parametrize("name", FAMILIES)
def test_gains_beyond_one_are_taken_where_the_family_says_so(name: str) -> None:
    """Measures that count relevant documents refuse gains of 5; the others take them."""
    case, measure = draw_lists(3), default(name)
    if measure.family.needs in ("probabilities", "binary"):
        with pytest.raises(CallError, match=r"needs gains between 0 and 1|needs 0/1 gains"):
            measure.score(case.ranked, HIGH)
    else:
        assert np.isfinite(measure.score(case.ranked, HIGH)).all()


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.linear])
def test_linear_families_are_linear(name: str) -> None:
    """Half the gains give half the score, or the same where the score is a share of an ideal."""
    case, measure = draw_lists(4), default(name)
    whole = measure.score(case.ranked, BINARY)
    half = measure.score(case.ranked, Gains(LEVELS, BINARY.values / 2, name="half"))
    if name in ("R", "nDCG"):
        assert half == pytest.approx(whole)
    elif name not in ("F1", "SetF", "SetRelP"):
        assert half == pytest.approx(whole / 2)


@pytest.mark.parametrize("discount", ["log2", "zipf", "none"])
def test_discounts_reach_dcg_and_ndcg(discount: str) -> None:
    """One relevant document at rank 2 of a list, one in the pool: DCG is c(2), nDCG c(2) / c(1)."""
    from gainsayer.rankings import ranked_from_lists

    ranked = ranked_from_lists({"q": [0, 1]}, {"q": [1, 1, 0]}, levels=LEVELS)
    expected = {"log2": 1 / np.log2(3), "zipf": 0.5, "none": 1.0}[discount]
    for name in ("DCG", "nDCG"):
        assert parse_measure(f"{name}(discount='{discount}')").score(ranked, BINARY) == pytest.approx([expected])
    users = parse_measure(f"nDCG(discount='{discount}',users='independent')")
    assert users.score(ranked, BINARY) == pytest.approx([expected])
