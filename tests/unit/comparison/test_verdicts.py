"""Verdicts: what intervals say about a pair of runs, in words."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.comparison.verdicts import judge_pairs

SURE, UNSURE = np.array([True]), np.array([False])


@pytest.mark.parametrize(
    ("difference", "significant", "word", "other_way"),
    [(0.2, SURE, "better", "worse"), (-0.2, SURE, "worse", "better"), (0.2, UNSURE, "undecided", "undecided")],
)
def test_the_sign_says_who_is_better(difference: float, significant: np.ndarray, word: str, other_way: str) -> None:
    """a scores higher than b: a is better, b worse; without significance nothing is said, whatever the sign."""
    found = judge_pairs(np.array([difference]), significant=significant)
    assert found.words() == [word]
    assert found.words(reverse=True) == [other_way]


def test_a_difference_of_nothing_is_neither_better_nor_worse() -> None:
    """Even where a test calls it significant, 0 has no sign."""
    assert judge_pairs(np.zeros(1), significant=SURE).words() == ["undecided"]


@pytest.mark.parametrize(
    ("low", "high", "word", "other_way"),
    [
        (-0.04, 0.04, "equivalent", "equivalent"),
        (-0.04, 0.06, "no worse", "undecided"),
        (-0.06, 0.04, "undecided", "no worse"),
        (-0.06, 0.06, "undecided", "undecided"),
        (-0.05, 0.04, "undecided", "no worse"),
        (-0.04, 0.05, "no worse", "undecided"),
    ],
)
def test_two_one_sided_tests_with_a_margin(low: float, high: float, word: str, other_way: str) -> None:
    """Within .05 on both sides: equivalent; on one side: no worse; an end on the margin itself is not within."""
    found = judge_pairs(np.zeros(1), significant=UNSURE, wide=np.array([[low, high]]), margin=0.05)
    assert found.words() == [word]
    assert found.words(reverse=True) == [other_way]


def test_better_by_less_than_matters() -> None:
    """Both hold where a small difference is certain; "no worse" goes without saying where a run is better."""
    ends = np.array([[0.01, 0.03], [0.01, 0.3]])
    found = judge_pairs(np.array([0.02, 0.15]), significant=np.array([True, True]), wide=ends, margin=0.05)
    assert found.words() == ["better, equivalent", "better"]
    assert found.words(reverse=True) == ["worse, equivalent", "worse"]


def test_words_of_many_pairs_are_those_of_each() -> None:
    """Pairs of a kind are worded once; the list is what one pair at a time gives."""
    rng = np.random.default_rng(2)
    difference = rng.normal(size=200)
    wide = np.sort(rng.normal(0, 0.1, (200, 2)), axis=1)
    found = judge_pairs(difference, significant=rng.random(200) < 0.4, wide=wide, margin=0.08)
    for reverse in (False, True):
        assert found.words(reverse=reverse) == [found.word(at, reverse=reverse) for at in range(200)]
    assert len(set(found.words())) > 4


def test_intervals_that_are_not_known_decide_nothing() -> None:
    """NaN lies on neither side of the margin, quietly."""
    found = judge_pairs(np.zeros(1), significant=UNSURE, wide=np.full((1, 2), np.nan), margin=0.1)
    assert found.words() == ["undecided"]
