"""Families: what parameters a measure has."""

from __future__ import annotations

import numpy as np

from gainsayer.measures.family import DISCOUNTS, USER_PARAMETERS, Family


def nothing(*_: object, **__: object) -> np.ndarray:
    """A score that nobody asks for."""
    return np.zeros(1)


def test_parameters_about_users_go_with_measures_that_have_expected_values() -> None:
    """A family's own parameters come first; one without expected values has no others."""
    with_users = Family("X", "about", nothing, parameters={"beta": 1.0})
    without = Family("Y", "about", nothing, parameters={"beta": 1.0}, for_users="no")
    assert dict(with_users.all_parameters) == {"beta": 1.0, **USER_PARAMETERS}
    assert dict(without.all_parameters) == {"beta": 1.0}
    assert (USER_PARAMETERS["users"], USER_PARAMETERS["condition_on_relevant"], USER_PARAMETERS["seed"]) == (
        None,
        False,
        0,
    )


def test_discounts_by_name() -> None:
    """Rank 3 weighs a half, a third or 1."""
    assert [float(discount(np.array([3.0]))[0]) for discount in DISCOUNTS.values()] == [0.5, 1 / 3, 1.0]
    assert list(DISCOUNTS) == ["log2", "zipf", "none"]
