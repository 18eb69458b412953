"""The estimators by name are those that can be asked for."""

from __future__ import annotations

import pytest

from gainsayer.counts import count_pairs
from gainsayer.datasets import twenty_documents
from gainsayer.disagreement import ESTIMATORS, estimate_disagreement
from gainsayer.errors import CallError


def test_each_estimator_estimates() -> None:
    """Each name gives an estimate that carries it; any other is refused with these names."""
    counts = count_pairs(twenty_documents())
    assert [estimate_disagreement(counts, estimator=name).estimator for name in ESTIMATORS] == list(ESTIMATORS)
    with pytest.raises(CallError, match=", ".join(ESTIMATORS)):
        estimate_disagreement(counts, estimator="other")  # type: ignore[arg-type]
