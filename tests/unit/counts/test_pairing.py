"""Counting pairs, against loops that do it one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainsayer as gs
from gainsayer.counts import tallies
from gainsayer.errors import PairingError

Rows = Sequence[tuple[str, str, str, str]]
Make = Callable[..., gs.Judgments]


def random_rows(seed: int, *, assessors: int, documents: int = 40, share: float = 0.7, repeats: int = 1) -> Rows:
    """Judgments of documents in three topics, each assessor judging a share of them."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{document % 3}", f"d{document}", f"A{assessor}", str(rng.integers(0, 3)))
        for document in range(documents)
        for assessor in range(assessors)
        for _ in range(repeats)
        if rng.random() < share
    ]
    rng.shuffle(rows)  # type: ignore[arg-type]
    return [tuple(row) for row in rows]  # type: ignore[misc]


def slow_counts(
    rows: Rows, first: set[str], second: set[str], weighting: str, weight: Sequence[float] | None = None
) -> tuple[np.ndarray, np.ndarray, int]:
    """J (or all ordered pairs) per topic, the sums of products per document, and the number of pairs, by loops."""
    sides = first != second
    documents: dict[tuple[str, str], list[tuple[str, int, float]]] = {}
    for place, (topic, document, assessor, label) in enumerate(rows):
        mass = 1.0 if weight is None else weight[place]
        documents.setdefault((topic, document), []).append((assessor, int(label), mass))
    topics = sorted({topic for topic, _ in documents})
    counts = np.zeros((len(topics), 3, 3))
    squares = np.zeros((3, 3, 3))
    number = 0
    for (topic, _), judged in documents.items():
        pairs = [
            (i, j, v * w) for (a, i, v), (b, j, w) in permutations(judged, 2) if a != b and a in first and b in second
        ]
        if not pairs:
            continue
        number += len(pairs)
        ones = sum(a in first for a, _, _ in judged)
        twos = sum(b in second for b, _, _ in judged)
        judgments = ones + twos if sides else len(judged)
        scale = {
            "judgment": judgments / (2 * len(pairs)) if sides else judgments / len(pairs),
            "pair": 1.0,
            "document": 1 / len(pairs) if sides else 2 / len(pairs),
        }[weighting]
        cell = np.zeros((3, 3))
        for i, j, mass in pairs:
            cell[i, j] += scale * mass
        counts[topics.index(topic)] += cell
        squares += np.einsum("ij,il->ijl", cell, cell)
    return counts, squares, number if sides else number // 2


@pytest.mark.parametrize("weighting", ["judgment", "pair", "document"])
@pytest.mark.parametrize(("assessors", "repeats"), [(2, 1), (3, 1), (5, 1), (3, 2)])
def test_all_pairs_equal_a_loop(judge: Make, weighting: str, assessors: int, repeats: int) -> None:
    """Without sides, every ordered pair of different assessors' judgments counts, with each of the three weightings."""
    for seed in range(5):
        rows = random_rows(seed, assessors=assessors, repeats=repeats)
        judgments = judge(rows, repeats="all")
        everybody = set(judgments.assessors)
        if len(everybody) == 2:
            continue
        found = gs.count_pairs(judgments, weighting=weighting)  # type: ignore[arg-type]
        counts, squares, pairs = slow_counts(rows, everybody, everybody, weighting)
        np.testing.assert_allclose(found.counts, counts, atol=1e-12)
        np.testing.assert_allclose(found.squares, squares, atol=1e-12)
        assert found.pairs == pairs
        assert not found.directed


@pytest.mark.parametrize("weighting", ["judgment", "pair", "document"])
@pytest.mark.parametrize(("assessors", "repeats"), [(2, 1), (4, 1), (4, 2)])
def test_sides_equal_a_loop(judge: Make, weighting: str, assessors: int, repeats: int) -> None:
    """With sides, each first judgment pairs with each second one, and the symmetric squares are those of c + c'."""
    for seed in range(5):
        rows = random_rows(seed, assessors=assessors, repeats=repeats)
        names = [f"A{place}" for place in range(assessors)]
        first, second = set(names[: assessors // 2]), set(names[assessors // 2 :])
        found = gs.count_pairs(
            judge(rows, repeats="all"),
            first=sorted(first),
            second=sorted(second),
            weighting=weighting,  # type: ignore[arg-type]
            matched=False,
        )
        counts, squares, pairs = slow_counts(rows, first, second, weighting)
        np.testing.assert_allclose(found.counts, counts, atol=1e-12)
        np.testing.assert_allclose(found.squares, squares, atol=1e-12)
        assert found.pairs == pairs


def test_sampling_weights_multiply(judge: Make) -> None:
    """A pair weighs the product of its judgments' weights, in the counts and squared in the squares."""
    for assessors in (2, 4):
        rows = random_rows(1, assessors=assessors)
        weight = np.random.default_rng(5).uniform(0.5, 3, len(rows)).tolist()
        names = [f"A{place}" for place in range(assessors)]
        first, second = set(names[: assessors // 2]), set(names[assessors // 2 :])
        judgments = judge(rows, columns={"weight": weight})
        found = gs.count_pairs(judgments, first=sorted(first), second=sorted(second), matched=False)
        counts, squares, _ = slow_counts(rows, first, second, "judgment", weight)
        np.testing.assert_allclose(found.counts, counts, atol=1e-12)
        np.testing.assert_allclose(found.squares, squares, atol=1e-12)
        assert found.weighted
        if assessors == 4:
            everybody = gs.count_pairs(judgments)
            counts, squares, _ = slow_counts(rows, set(names), set(names), "judgment", weight)
            np.testing.assert_allclose(everybody.counts, counts, atol=1e-12)
            np.testing.assert_allclose(everybody.squares, squares, atol=1e-12)


def test_blocks_do_not_change_the_counts(judge: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded by working in blocks; their size changes nothing."""
    judgments = judge(random_rows(3, assessors=5))
    whole = gs.count_pairs(judgments)
    monkeypatch.setattr(tallies, "BLOCK_CELLS", 20)
    monkeypatch.setattr(tallies, "PIECE", 3)
    blocks = gs.count_pairs(judgments)
    np.testing.assert_allclose(blocks.counts, whole.counts, atol=1e-12)
    np.testing.assert_allclose(blocks.squares, whole.squares, atol=1e-12)


@given(order=st.permutations(range(30)), swap=st.lists(st.booleans(), min_size=30, max_size=30))
@settings(max_examples=50, deadline=None)
def test_order_never_matters_and_swaps_leave_the_symmetric_counts(
    judge: Make, order: list[int], swap: list[bool]
) -> None:
    """Rows may come in any order; exchanging the two labels of any document leaves S as it is (I4)."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, size=(30, 2))
    plain = [
        (f"q{place % 4}", f"d{place}", f"A{side}", str(labels[place, side])) for place in range(30) for side in (0, 1)
    ]
    mixed = [
        (f"q{place % 4}", f"d{place}", f"A{side ^ swap[place]}", str(labels[place, side]))
        for place in order
        for side in (0, 1)
    ]
    np.testing.assert_array_equal(
        gs.count_pairs(judge(plain), first=["A0"]).symmetric(), gs.count_pairs(judge(mixed), first=["A0"]).symmetric()
    )


def test_same_assessor_never_pairs_with_themselves(judge: Make) -> None:
    """Repeated machine calls are all kept, yet form no pair with each other (T9)."""
    rows = [("q", "d", "llm", "0"), ("q", "d", "llm", "1"), ("q", "d", "me", "1"), ("q", "e", "llm", "1")]
    counts = gs.count_pairs(judge(rows, repeats="all"), weighting="pair")
    assert counts.pairs == 2
    assert counts.matrix.tolist() == [[0, 1], [0, 1]]
    with pytest.raises(PairingError):
        gs.count_pairs(judge([("q", "d", "llm", "0"), ("q", "d", "llm", "1")], repeats="all"))


def test_shares_judged_again(judge: Make) -> None:
    """The shares count, per topic with pairs and level, what was judged and what was judged again."""
    rows = [("q1", f"d{place}", "A", str(place % 2)) for place in range(6)]
    rows += [("q1", "d0", "B", "1"), ("q2", "d0", "A", "1")]
    first, second = gs.count_pairs(judge(rows)).shares
    assert (first.judged.tolist(), first.paired.tolist()) == ([[3, 3]], [[1, 0]])
    assert (second.judged.tolist(), second.paired.tolist()) == ([[0, 1]], [[0, 1]])
