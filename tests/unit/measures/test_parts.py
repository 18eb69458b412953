"""The parts of linear measures: profile times gains over divisor is the measure itself."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.measures.plain_lists import LEVELS, draw_lists

from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import parse_measure
from gainsayer.measures.parts import linear_parts

STACK = np.array([[0.1, 0.45, 0.8], [0.6, 0.2, 0.3]])


@pytest.mark.parametrize(
    "name",
    [
        *("NumRel", "NumRel@3", "CG@4", "P@1", "P@5", "R", "R@3", "DCG@3", "DCG(discount='zipf')", "nDCG", "nDCG@3"),
        *("nDCG(discount='none')@4", "RBP", "RBP(p=0.5)@4", "P(users='independent')@5", "RBP(users=0.3)"),
    ],
)
@pytest.mark.parametrize("unjudged", [0.0, 0.07])
def test_parts_make_the_measure(name: str, unjudged: float) -> None:
    """For every draw of the gains, unjudged documents included."""
    case, measure = draw_lists(7), parse_measure(name)
    parts = linear_parts(measure)
    assert parts is not None
    profile = parts.profile(case.ranked)
    divisor = np.ones((2, 6)) if parts.divisor is None else parts.divisor(case.ranked, STACK)
    for draw in range(2):
        gains = Gains(LEVELS, STACK[draw], unjudged)
        total = profile @ np.append(STACK[draw], unjudged)
        expected = measure.score(case.ranked, gains)
        assert np.divide(total, divisor[draw], out=np.zeros(6), where=divisor[draw] > 0) == pytest.approx(expected)


@pytest.mark.parametrize(
    "name", ["AP", "RR", "Rprec", "Q", "ERR", "F1@3", "R(users='independent')", "nDCG(users=0.2)@5"]
)
def test_other_measures_have_no_parts(name: str) -> None:
    """Neither those that look at pairs of documents, nor an expected ratio, which is no ratio of expected values."""
    assert linear_parts(parse_measure(name)) is None
