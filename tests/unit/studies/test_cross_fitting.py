"""Parameters for a topic from other topics."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.counts.pair_counts import PairCounts
from gainsayer.disagreement.estimate import estimate_disagreement
from gainsayer.levels import Levels
from gainsayer.studies.cross_fitting import fit_matrices

BINARY = Levels(("0", "1"))


def test_cross_fitting_keeps_a_topic_out_of_its_own_gains() -> None:
    """Whatever the pairs of a topic say, the matrix it is scored with stays the same; the others' matrices move."""
    rng = np.random.default_rng(1)
    tables = rng.integers(1, 20, size=(12, 2, 2)).astype(float)
    changed = tables.copy()
    changed[4] = [[50, 1], [1, 90]]
    fitted = []
    for counted in (tables, changed):
        disagreement = estimate_disagreement(PairCounts.from_matrix(BINARY, counted), estimator="one-sided")
        fitted.append(fit_matrices(disagreement, np.ones(12, dtype=bool), folds=4, seed=9))
    topics = [f"topic{number}" for number in range(1, 13)]
    before, after = (part.matrices[part.choose(topics)] for part in fitted)
    own = fitted[0].choose(topics) == fitted[0].place["topic5"]
    assert np.array_equal(before[own], after[own])
    assert not np.isclose(before[~own], after[~own]).any()
    assert np.bincount(fitted[0].choose(topics)).tolist() == [3, 3, 3, 3]


def test_leaving_one_topic_out_is_the_sum_of_the_others() -> None:
    """With at least as many folds as topics, a topic's matrix comes from all other topics together."""
    tables = np.random.default_rng(2).integers(1, 20, size=(5, 2, 2)).astype(float)
    disagreement = estimate_disagreement(PairCounts.from_matrix(BINARY, tables), estimator="one-sided")
    fitted = fit_matrices(disagreement, np.ones(5, dtype=bool), folds=99)
    for place in range(5):
        rest = np.delete(tables, place, axis=0).sum(axis=0)
        matrix = fitted.matrices[fitted.choose([f"topic{place + 1}"])[0]]
        assert matrix == pytest.approx(rest / rest.sum(axis=1, keepdims=True))
