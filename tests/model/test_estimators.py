"""The estimators by name are those that can be asked for."""

from __future__ import annotations

import pytest

from gainsayer.datasets import twenty_documents
from gainsayer.errors import CallError
from gainsayer.model import ESTIMATORS, count_pairs, estimate_disagreement


def test_each_estimator_estimates() -> None:
    """Each name gives an estimate that carries it; any other is refused with these names."""
    counts = count_pairs(twenty_documents())
    assert [estimate_disagreement(counts, estimator=name).estimator for name in ESTIMATORS] == list(ESTIMATORS)
    with pytest.raises(CallError, match=", ".join(ESTIMATORS)):
        estimate_disagreement(counts, estimator="other")  # type: ignore[arg-type]
