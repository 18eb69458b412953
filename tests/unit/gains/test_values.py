"""Gains: one finite number per level, never missing."""

from __future__ import annotations

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import CallError, UnknownLevelError

LEVELS = gs.Levels(("0", "1", "2"))


def test_incomplete_and_infinite_gains_are_refused() -> None:
    """Every level has a finite gain, and unjudged documents too."""
    with pytest.raises(CallError, match=r"Level '1', '2' has no gain. Give every level one"):
        gs.gains.custom_gains(LEVELS, {"0": 0})
    with pytest.raises(UnknownLevelError, match="no level '3'"):
        gs.gains.custom_gains(LEVELS, {"0": 0, "1": 1, "2": 2, "3": 3})
    with pytest.raises(CallError, match="Level '0' has no gain"):
        gs.gains.custom_gains(LEVELS, {"0": float("nan"), "1": 1, "2": 2})
    with pytest.raises(CallError, match="The gain of level '2' is not a finite number"):
        gs.gains.custom_gains(LEVELS, {"0": 0, "1": 1, "2": float("inf")})
    with pytest.raises(CallError, match=r"3 levels need 3 gains, found the shape \(2,\)"):
        gs.Gains(LEVELS, np.zeros(2))
    with pytest.raises(CallError, match="The gain of level '1' is not a finite number"):
        gs.Gains(LEVELS, np.array([[0.0, 1, 2], [0, np.nan, 2]]))
    with pytest.raises(CallError, match="unjudged documents must be a finite number, found nan"):
        gs.Gains(LEVELS, np.zeros(3), unjudged=float("nan"))


def test_gains_are_copied_and_frozen() -> None:
    """Nothing is written into what was given, nor into what came out; draws are averaged for show."""
    given = np.array([0.0, 0.5, 1.0])
    gains = gs.Gains(LEVELS, given)
    given[0] = 9
    assert gains.values.tolist() == [0, 0.5, 1]
    with pytest.raises(ValueError, match="read-only"):
        gains.values[0] = 1
    draws = gs.Gains(LEVELS, np.array([[0.0, 0.25, 0.5], [0.0, 0.75, 1.0]]))
    assert draws.as_dict() == {"0": 0.0, "1": 0.5, "2": 0.75}


def test_binary_linear_and_exponential() -> None:
    """Indicator, number and 2^number - 1: the level's own number where it has one, else its place; never below 0."""
    levels = gs.Levels(("Non", "Rel", "HRel", "Key"), codes=("0", "1", "3", "7"))
    assert gs.gains.binary_gains(levels, levels.only("Rel", "Key")).values.tolist() == [0, 1, 0, 1]
    assert gs.gains.linear_gains(levels).values.tolist() == [0, 1, 2, 3]
    assert gs.gains.exponential_gains(levels).values.tolist() == [0, 1, 3, 7]
    assert gs.gains.linear_gains(gs.Levels(("-2", "0", "2"))).values.tolist() == [0, 0, 2]
    assert gs.gains.exponential_gains(gs.Levels(("0", "1", "3", "7"))).values.tolist() == [0, 1, 7, 127]
    for make in (gs.gains.linear_gains, gs.gains.exponential_gains):
        with pytest.raises(CallError, match="need an order"):
            make(gs.Levels(("a", "b"), ordered=False))
    with pytest.raises(CallError, match="4 levels need 4 gains"):
        gs.gains.binary_gains(levels, LEVELS.at_or_above("1"))
