"""Names as bytes: the same answers as Python's strings give, whatever their lengths."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from gainsayer.lines import MOST_WORDS, WORD, Names

LONG = "x" * (MOST_WORDS * WORD)
TEXTS = ["a", "a", "b", "", "d" * 8, "d" * 8, "d" * 9, "e" * 16, "e" * 17, "é", LONG, LONG, LONG + "a", LONG + "b"]


def test_changes_are_those_of_the_texts() -> None:
    """A row changes where its text is not the text before it, also beyond the words that are looked at first."""
    expected = [row == 0 or text != TEXTS[row - 1] for row, text in enumerate(TEXTS)]
    assert Names.of(TEXTS).changes.tolist() == expected


def test_names_differ_as_texts_do() -> None:
    """Every text beside every other."""
    left = [one for one in TEXTS for _ in TEXTS]
    right = TEXTS * len(TEXTS)
    expected = [one != other for one, other in zip(left, right, strict=True)]
    assert Names.of(left).differ(Names.of(right)).tolist() == expected


def test_hashes_do_not_depend_on_the_neighbours() -> None:
    """A name has the same hash alone, at the end of a buffer, and beside longer ones."""
    together = Names.of(TEXTS).hash
    alone = [int(Names.of([text]).hash[0]) for text in TEXTS]
    assert together.tolist() == alone
    assert len(set(alone)) == len(set(TEXTS))


def test_hashes_of_long_names_are_made_without_a_word() -> None:
    """A sum that overflows would be a warning on the user's terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(set(Names.of([f"{LONG}{number}" for number in range(100)]).hash.tolist())) == 100


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_names_become_text_again(kind: type[np.signedinteger]) -> None:
    """Names give back their texts, in any order, with small and large places."""
    names = Names.of(TEXTS)
    small = Names(names.buffer, names.start.astype(kind), names.length.astype(kind))
    order = np.random.default_rng(1).permutation(len(TEXTS))
    shuffled = [TEXTS[place] for place in order]
    assert small.rows(order).texts() == small.rows(order).series().to_list() == shuffled
    assert small.rows(order).hash.tolist() == names.hash[order].tolist()
    assert Names.of([]).series().to_list() == []


@pytest.mark.parametrize("odd", ["\n", "a\n", "\nb\n", ""])
def test_line_ends_in_names_are_kept(odd: str) -> None:
    """Names come from tables, too, where they may hold anything."""
    texts = [f"d{number}" for number in range(100)] + [odd]
    assert Names.of(texts).texts() == Names.of(texts).series().to_list() == texts
