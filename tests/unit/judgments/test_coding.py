"""Numbers for results: the same as a dictionary would give, whatever hashes collide and however rows are ordered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from gainsayer.judgments import code_items, code_names, coding
from gainsayer.lines import MOST_WORDS, WORD, Names

LONG = "x" * (MOST_WORDS * WORD)
NAMES = (
    "d1",
    "d2",
    "d10",
    "",
    "d" * 8,
    "d" * 9,
    "d" * 16,
    "d" * 17,
    "d\0",
    "é",
    LONG,
    LONG + "a",
    LONG + "b",
    LONG[1:],
)


def number_by_text(topic: np.ndarray, documents: Sequence[str]) -> list[int]:
    """First appearance numbers of (topic, document), by a dictionary."""
    seen: dict[tuple[int, str], int] = {}
    return [seen.setdefault(key, len(seen)) for key in zip(topic.tolist(), documents, strict=True)]


def same_partition(found: np.ndarray, expected: Sequence[int]) -> bool:
    """Whether two numberings put the same rows together."""
    return len(set(zip(found.tolist(), expected, strict=True))) == len(set(found.tolist())) == len(set(expected))


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("block", [1, 7, 1 << 18])
@pytest.mark.parametrize("collide", ["none", "some", "all"])
@pytest.mark.parametrize("kind", ["text", "bytes", "mixed"])
def test_items_are_those_of_a_dictionary(
    ordered: bool, block: int, collide: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In blocks or at once, sorted by topic or not, text or bytes, also when hashes say little or nothing at all."""
    rng = np.random.default_rng(4)
    parts = [rng.integers(0, 9, size=length).astype(np.int32) for length in (40, 0, 25, 60)]
    if ordered:
        parts = [np.sort(part) for part in parts]
    topic = np.concatenate(parts)
    documents = [[NAMES[number] for number in rng.integers(0, len(NAMES), size=len(part))] for part in parts]
    monkeypatch.setattr(coding, "BLOCK_ROWS", block)
    monkeypatch.setattr(coding, "MOST_ROWS", 2 * block)
    if collide != "none":
        plain, kept = coding._hash, np.uint64({"some": 0b111 << 61, "all": 0}[collide])
        monkeypatch.setattr(coding, "_hash", lambda columns, tries: plain(columns, tries) & kept)
    columns: list[pl.Series | Names] = []
    for place, part in enumerate(documents):
        as_bytes = kind == "bytes" or (kind == "mixed" and place % 2)
        columns.append(Names.of(part) if as_bytes else pl.Series(part, dtype=pl.String))
    items, count = code_items(topic, [columns])
    expected = number_by_text(topic, [name for part in documents for name in part])
    assert same_partition(items, expected)
    assert sorted(set(items.tolist())) == list(range(count))


def test_a_further_column_tells_results_apart() -> None:
    """The same document for two intents is two results."""
    column, intent = pl.Series(["a", "a", "a"]), pl.Series(["1", "2", "1"])
    items, count = code_items(np.zeros(3, np.int32), [[column], [intent]])
    assert count == 2
    assert items[0] == items[2] != items[1]


def test_names_are_coded_by_runs_and_sole_names() -> None:
    """A part may be one name for many rows; order of appearance or sorted by bytes."""
    parts = [("zoe", 2), pl.Series(["abe", "zoe", "zoe"]), ("nobody", 0)]
    codes, names = code_names(parts, sort=False)
    assert (codes.tolist(), names) == ([0, 0, 1, 0, 0], ("zoe", "abe"))
    codes, names = code_names(parts, sort=True)
    assert (codes.tolist(), names) == ([1, 1, 0, 1, 1], ("abe", "zoe"))


@pytest.mark.parametrize("repeat", [None, 0, 39])
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("kind", [Names.of, pl.Series])
def test_results_that_are_there_once_are_numbered_in_order(kind: Any, repeat: int | None, ordered: bool) -> None:
    """Rows that all differ, as one assessor's do, get 0, 1, 2, ..., as bytes and as text; equal rows share a number."""
    topic = np.repeat(np.arange(5, dtype=np.int32), 8)
    topic = topic if ordered else topic[::-1].copy()
    documents = [f"d{place % 8}" for place in range(40)]
    if repeat is not None:
        topic, documents = np.append(topic, topic[repeat]), [*documents, documents[repeat]]
    found, count = code_items(topic, [[kind(documents)]], once=True)
    assert same_partition(found, number_by_text(topic, documents))
    assert count == 40
    assert (found.tolist() == list(range(40))) == (repeat is None)


def test_equal_hashes_are_no_equal_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where hashes say nothing, results that are there once still get numbers of their own."""
    monkeypatch.setattr(Names, "hash", property(lambda names: np.zeros(len(names), np.uint64)))
    found, count = code_items(np.zeros(9, np.int32), [[Names.of([f"d{place}" for place in range(9)])]], once=True)
    assert sorted(found.tolist()) == list(range(9))
    assert count == 9
