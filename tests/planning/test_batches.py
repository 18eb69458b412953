"""Batches: shares grow together, the first batch is at least a fifth, and every document has one batch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainsayer.errors import CallError
from gainsayer.planning import find_batches, grow_shares


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=5), st.integers(1, 30))
def test_shares_grow_together_to_the_plan(shares: list[float], count: int) -> None:
    """All levels keep their proportions, the first batch has a fifth or more, and the last is the plan."""
    plan = np.array(shares)
    grown = grow_shares(plan, count)
    assert np.allclose(grown[-1], plan)
    assert np.all(grown[0] >= 0.2 * plan - 1e-12)
    assert np.all(np.diff(grown, axis=0) >= -1e-12)
    assert np.allclose(grown / plan, grown[:, :1] / plan[:1])


def test_a_document_belongs_to_the_first_batch_that_reaches_it() -> None:
    """Every key up to the plan's share has one batch; those above have none."""
    keys = np.linspace(0.005, 0.995, 100)
    found = find_batches(keys, np.zeros(100, np.int64), grow_shares(np.array([0.5]), 5))
    assert np.bincount(found).tolist() == [50, 10, 10, 10, 10, 10]
    assert np.all(np.diff(found[:50]) >= 0)


@pytest.mark.parametrize("count", [0, -1, 1001])
def test_a_plan_has_some_batches(count: int) -> None:
    """None, or thousands, are refused."""
    with pytest.raises(CallError, match=r"A plan has 1 to 1,000 batches"):
        grow_shares(np.array([0.5]), count)
