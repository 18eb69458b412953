"""Families: what parameters a measure has, and what each may be."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.errors import CallError
from gainsayer.measures import DISCOUNTS, USER_PARAMETERS, Family, Linear, choice, number


def nothing(*_: object, **__: object) -> np.ndarray:
    """A score that nobody asks for."""
    return np.zeros(1)


def test_parameters_follow_from_what_a_family_needs() -> None:
    """A family's own parameters come first; rel= goes with those that count relevant documents."""
    beta = number(1.0, 0, 5)
    names = {
        needs: list(Family("X", "about", nothing, needs, parameters={"beta": beta}).all_parameters) for needs in NEEDS
    }
    assert names == {
        "probabilities": ["beta", "judged_only", "rel"],
        "binary": ["beta", "judged_only", "rel"],
        "any": ["beta", "judged_only"],
        "nothing": ["beta"],
    }
    assert USER_PARAMETERS == {"users": None, "condition_on_relevant": False, "sample": 1000, "seed": 0}


NEEDS = ("probabilities", "binary", "any", "nothing")


def test_values_of_parameters() -> None:
    """Names among others, numbers between others; truth is no number."""
    assert [choice("a", "b").allows(value) for value in ("a", "b", "c", 1)] == [True, True, False, False]
    assert (choice("a", "b").default, choice("a", "b", "c").words) == ("a", "a, b or c")
    assert [number(1, 0, 2).allows(value) for value in (0, 0.1, 2, True, "1", None)] == [
        False,
        True,
        False,
        False,
        False,
        False,
    ]
    assert [number(1, 0, 2, ends=True).allows(value) for value in (0, 2, 2.1)] == [True, True, False]
    assert number(1, 0, float("inf")).words == "a number above 0"
    assert number(1, 0, 2, ends=True).words == "a number from 0 to 2"


def test_a_family_is_computed_in_one_way() -> None:
    """By a function or by what it declares."""
    assert Family("X", "about", linear=Linear).score is None
    for both in ({}, {"score": nothing, "linear": Linear}):
        with pytest.raises(CallError, match="one of the two"):
            Family("X", "about", **both)


def test_discounts_by_name() -> None:
    """Rank 3 weighs a half, a third or 1."""
    assert [float(discount(np.array([3.0]))[0]) for discount in DISCOUNTS.values()] == [0.5, 1 / 3, 1.0]
    assert list(DISCOUNTS) == ["log2", "zipf", "none"]
