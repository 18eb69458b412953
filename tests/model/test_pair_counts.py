"""Counts from a published matrix, and the calls that counting refuses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import CallError, DataError

Make = Callable[..., gs.Judgments]
LEVELS = gs.Levels(("0", "1"))


def test_topics_without_pairs_are_left_out() -> None:
    """Only topics that hold pairs count as topics; S is J + J' in each."""
    counts = gs.model.PairCounts.from_matrix(
        LEVELS, [[[1, 2], [0, 3]], np.zeros((2, 2)), [[0, 1], [4, 0]]], topics=list("abc")
    )
    assert counts.topics == ("a", "c")
    assert counts.symmetric().tolist() == [[[2, 2], [2, 6]], [[0, 5], [5, 0]]]
    assert (counts.pairs, counts.documents) == (11, 11)


@pytest.mark.parametrize(
    ("matrix", "error", "words"),
    [
        (np.zeros((2, 2)), DataError, "The matrix holds no pair"),
        (np.zeros((0, 2, 2)), DataError, "The matrix holds no pair"),
        ([[1, -1], [0, 1]], DataError, "finite and not negative"),
        ([[1, np.nan], [0, 1]], DataError, "finite and not negative"),
        ([[1, 2, 3]], CallError, r"2 levels need a 2 by 2 matrix of counts, found \(1, 3\)"),
        ([1, 2], CallError, "2 levels need a 2 by 2 matrix"),
        ([[1, 2], [3]], CallError, "Counts are numbers in rows of equal length"),
        ([["a", 2], [3, 4]], CallError, "Counts are numbers in rows of equal length"),
    ],
)
def test_matrices_that_are_no_counts_are_refused(matrix: object, error: type[Exception], words: str) -> None:
    """Every fault is one of ours, in words."""
    with pytest.raises(error, match=words):
        gs.model.PairCounts.from_matrix(LEVELS, matrix)  # type: ignore[arg-type]
    with pytest.raises(CallError, match="1 topics need 1 names, found 2"):
        gs.model.PairCounts.from_matrix(LEVELS, np.ones((2, 2)), topics=["a", "b"])


def test_an_unknown_weighting_is_refused(judge: Make) -> None:
    """Also where every document has two judgments and the weighting would not matter."""
    judgments = judge([("q", "d", "A", "0"), ("q", "d", "B", "1")])
    with pytest.raises(CallError, match="no weighting 'result': choose one of judgment, pair, document"):
        gs.count_pairs(judgments, weighting="result")  # type: ignore[arg-type]
