"""Allocation: the budget is used up, floors hold, and no other allocation does better."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from gainsayer.planning import allocate, least_judgments, spread_evenly


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 5), st.integers(0, 500)), min_size=2, max_size=5),
    st.floats(1, 1500),
)
def test_the_budget_is_used_up_between_floor_and_documents(rows: list[tuple[float, int]], budget: float) -> None:
    """Whatever the levels are worth, the sum is the budget, or the floor or all documents where it cannot be."""
    worth, documents = (np.array(column, float) for column in zip(*rows, strict=True))
    least = least_judgments(documents, budget)
    found = allocate(worth, budget, documents, least)
    assert np.all(found >= least - 1e-9)
    assert np.all(found <= documents + 1e-9)
    assert found.sum() == pytest.approx(np.clip(budget, least.sum(), documents.sum()), rel=1e-6, abs=1e-6)


def test_no_optimiser_finds_a_better_allocation() -> None:
    """SciPy's minimum of sum worth^2 / n under the same limits is no lower."""
    worth, documents, least = np.array([1.0, 4.0, 2.0]), np.array([400.0, 60.0, 90.0]), np.full(3, 12.0)
    found = allocate(worth, 200, documents, least)
    best = minimize(
        lambda count: (worth**2 / count).sum(),
        np.full(3, 40.0),
        bounds=list(zip(least, documents, strict=True)),
        constraints={"type": "eq", "fun": lambda count: count.sum() - 200},
    )
    assert (worth**2 / found).sum() <= best.fun * (1 + 1e-6)


def test_floors() -> None:
    """12, 2 % of the budget, 30 where p is shown, a number of one's own; never more than there is."""
    documents = np.array([1000.0, 20.0])
    assert least_judgments(documents, 100).tolist() == [12, 12]
    assert least_judgments(documents, 5000).tolist() == [100, 20]
    assert least_judgments(documents, 100, shown=True).tolist() == [30, 20]
    assert least_judgments(documents, 100, minimum=3).tolist() == [3, 3]


def test_even_shares() -> None:
    """The same share of every level."""
    assert spread_evenly(1e9, np.array([5.0, 7.0])).tolist() == [5, 7]
