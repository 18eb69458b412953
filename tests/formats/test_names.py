"""Names as bytes: the same answers as Python's strings give, whatever their lengths."""

from __future__ import annotations

import numpy as np
import pytest
from tests.readers import both_readers

from gainsayer.reading import Names, code_column, match_names, number_names

LONG = "x" * 300
TEXTS = ["a", "a", "b", "", "d" * 8, "d" * 8, "d" * 9, "e" * 16, "e" * 17, "é", "d\0", LONG, LONG, LONG + "a", LONG[1:]]


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_names_become_text_again(kind: type[np.signedinteger]) -> None:
    """Names give back their texts, in any order, from near and from far, with small and large places."""
    names = Names.of(TEXTS)
    small = Names(names.buffer, names.start.astype(kind), names.length.astype(kind))
    order = np.random.default_rng(1).permutation(len(TEXTS))
    shuffled = [TEXTS[place] for place in order]
    assert small.rows(order).texts() == small.rows(order).series().to_list() == shuffled
    assert Names.join([small, small.rows(order)]).compact().texts() == TEXTS + shuffled
    far = Names.of(["a", "-" * 10_000, "b"]).rows(np.array([2, 0]))
    assert (far.texts(), Names.of([]).series().to_list()) == (["b", "a"], [])


@pytest.mark.parametrize("odd", ["\n", "a\n", "\nb\n", ""])
def test_line_ends_in_names_are_kept(odd: str) -> None:
    """Names come from tables, too, where they may hold anything."""
    texts = [f"d{number}" for number in range(100)] + [odd]
    assert Names.of(texts).texts() == Names.of(texts).series().to_list() == texts


@both_readers
@pytest.mark.parametrize("ordered", [True, False])
def test_numbers_are_those_of_a_dictionary(ordered: bool) -> None:
    """Equal numbers are equal groups and names, from 0 without gaps, in the order in which they appear in a group."""
    rng = np.random.default_rng(4)
    group = rng.integers(-2, 70_000, 2_000) % 40
    group = np.sort(group) if ordered else group
    texts = [TEXTS[place] for place in rng.integers(0, len(TEXTS), len(group))]
    numbers, count = number_names(group, Names.of(texts))
    seen: dict[tuple[int, str], int] = {}
    for place in np.argsort(group, kind="stable").tolist():
        seen.setdefault((int(group[place]), texts[place]), len(seen))
    assert numbers.tolist() == [seen[key] for key in zip(group.tolist(), texts, strict=True)]
    assert count == len(seen)
    assert number_names(group[:0], Names.of([]))[1] == 0


@both_readers
def test_names_are_found_among_others() -> None:
    """A name is found in its own group alone; what is not there is -1."""
    group, other = np.array([0, 0, 1, 3]), np.array([1, 0, 2])
    found = match_names(group, Names.of(["a", "b", "a", "c"]), other, Names.of(["a", "b", "c"]))
    assert found.tolist() == [-1, 1, 0, -1]


def test_columns_are_coded_by_first_appearance() -> None:
    """Runs of equal texts or not, every row has the place of its text."""
    texts = Names.of(["b", "b", "a", "b", "", ""]).series()
    names, codes = code_column(texts)
    assert (names, codes.tolist()) == (("b", "a", ""), [0, 0, 1, 0, 2, 2])
    assert code_column(texts.head(0))[0] == ()
