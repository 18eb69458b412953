"""Ranks, and the ranks that runs may have."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainsayer.comparison import letter_groups, possibly_best, rank_sets
from gainsayer.errors import CallError


def test_rank_sets_count_who_beats_whom() -> None:
    """Run 1 beats 0 and 3, run 2 beats 3: ranks 1 + beaten by ... runs - beats; nobody beats 1 and 2."""
    a, b = np.triu_indices(4, k=1)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    better = np.array([pair in [(1, 3), (2, 3)] for pair in pairs])
    worse = np.array([pair == (0, 1) for pair in pairs])
    sets = rank_sets(4, a, b, better, worse)
    assert sets.tolist() == [[2, 4], [1, 2], [1, 3], [3, 4]]
    assert possibly_best(sets).tolist() == [1, 2]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[int], np.ndarray]:
    """An order of up to nine runs, and any symmetric table of differences."""
    runs = draw(st.integers(1, 9))
    order = draw(st.permutations(range(runs)))
    differs = np.zeros((runs, runs), dtype=bool)
    for i, j in combinations(range(runs), 2):
        differs[i, j] = differs[j, i] = draw(st.booleans())
    return order, differs


def largest_groups(differs: np.ndarray) -> set[frozenset[int]]:
    """Insert and absorb: split a group at each difference, drop what lies within another."""
    groups = {frozenset(range(len(differs)))}
    for i, j in combinations(range(len(differs)), 2):
        if differs[i, j]:
            split = {part for group in groups for part in ((group - {i}, group - {j}) if {i, j} <= group else (group,))}
            groups = {group for group in split if not any(group < other for other in split)}
    return groups


def groups_of(letters: list[str]) -> set[frozenset[int]]:
    """The runs behind each letter."""
    return {frozenset(run for run, own in enumerate(letters) if name in own) for name in set("".join(letters))}


@given(tables())
def test_runs_share_a_letter_if_and_only_if_they_do_not_differ(case: tuple[list[int], np.ndarray]) -> None:
    """For any table; each letter is a group that cannot be widened, and no letter could be spared."""
    order, differs = case
    letters = letter_groups(order, differs)
    for i, j in combinations(range(len(differs)), 2):
        assert bool(set(letters[i]) & set(letters[j])) is not bool(differs[i, j])
    assert all(letters)
    groups = groups_of(letters)
    assert groups <= largest_groups(differs)
    for spared in groups:
        others = groups - {spared}
        joined = {pair for group in others for pair in combinations(sorted(group), 2)}
        pairs = set(combinations(sorted(spared), 2))
        assert not pairs <= joined or (len(spared) == 1 and not any(spared <= other for other in others))


@given(st.lists(st.integers(0, 20), min_size=1, max_size=12), st.integers(0, 12))
def test_by_distance_alone_the_letters_are_those_of_insert_and_absorb(values: list[int], distance: int) -> None:
    """Where runs differ when their means lie far enough apart, both ways give the same groups, best first."""
    means = np.array(values)
    order = sorted(range(len(means)), key=lambda run: -values[run])
    differs = np.abs(means[:, None] - means) > distance
    letters = letter_groups(order, differs)
    assert groups_of(letters) == largest_groups(differs)
    first = [letters[run][0] for run in order]
    assert first == sorted(first)
    assert first[0] == "a"


def test_letters_follow_the_order_given() -> None:
    """The best run gets an a, and the answer is listed by index, not by rank."""
    differs = np.ones((3, 3), dtype=bool) & ~np.eye(3, dtype=bool)
    assert letter_groups([2, 0, 1], differs) == ["b", "c", "a"]
    assert letter_groups([2, 0, 1], np.zeros((3, 3), dtype=bool)) == ["a", "a", "a"]


def test_more_than_26_groups_are_parted_by_blanks() -> None:
    """After z comes aa, and a blank keeps "a" and "a" apart from "aa"."""
    runs = 29
    differs = np.abs(np.arange(runs)[:, None] - np.arange(runs)) > 1  # neighbours alone are alike: 28 groups
    letters = letter_groups(range(runs), differs)
    assert letters[0] == "a"
    assert letters[1] == "a b"
    assert letters[26] == "z aa"
    assert letters[28] == "ab"


def test_what_is_refused() -> None:
    """A table that is not symmetric, or an order that leaves a run out, is the caller's fault."""
    with pytest.raises(CallError, match="symmetric"):
        letter_groups([0, 1], np.array([[False, True], [False, False]]))
    with pytest.raises(CallError, match=r"found \[0, 0\]"):
        letter_groups([0, 0], np.zeros((2, 2), dtype=bool))


def test_letters_that_others_do_the_work_of_are_dropped_one_by_one() -> None:
    """Six runs, four pairs of which differ: every other pair shares a letter, and no letter could be left out."""
    differs = np.zeros((6, 6), dtype=bool)
    for a, b in ((0, 3), (1, 2), (2, 3), (4, 5)):
        differs[a, b] = differs[b, a] = True
    letters = letter_groups(range(6), differs)

    def joined(kept: str) -> np.ndarray:
        own = [{letter for letter in some if letter in kept} for some in letters]
        return np.array([[bool(one & two) for two in own] for one in own])

    every = "".join(sorted(set("".join(letters))))
    assert joined(every).tolist() == (~differs).tolist()
    for letter in every:
        assert joined(every.replace(letter, "")).tolist() != (~differs).tolist()
