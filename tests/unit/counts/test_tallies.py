"""Sums over judgments in pieces: the same however large a piece is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.counts import tallies
from gainsayer.counts.tallies import (
    as_slice,
    blocks_of,
    count_cells,
    count_judgments,
    rows_by_block,
    tally_levels,
    tally_own,
    tally_selves,
)

Make = Callable[..., gs.Judgments]


@pytest.mark.parametrize("mask", [[0, 1, 1, 0], [1, 1, 1, 1], [1, 0, 1, 1], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0]])
def test_rows_of_a_mask(mask: list[int]) -> None:
    """Slice or places, the rows are those of the mask; a slice just where they follow one another."""
    chosen = np.array(mask, dtype=bool)
    rows = as_slice(chosen)
    assert np.arange(4)[rows].tolist() == np.flatnonzero(chosen).tolist()
    assert isinstance(rows, slice) == (mask != [1, 0, 1, 1])


@pytest.mark.parametrize("piece", [1, 7, 1 << 16])
@pytest.mark.parametrize("choose", [False, True])
@pytest.mark.parametrize("weigh", [False, True])
def test_cells_are_those_of_a_loop(piece: int, choose: bool, weigh: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights of the chosen entries, summed one by one into the cell that three axes name."""
    monkeypatch.setattr(tallies, "PIECE", piece)
    rng = np.random.default_rng(6)
    axes = tuple(rng.integers(0, length, 200) for length in (2, 3, 4))
    chosen = rng.random(200) < 0.6 if choose else None
    weight = rng.random(200) if weigh else None
    expected = np.zeros((2, 3, 4))
    for at in range(200):
        if chosen is None or chosen[at]:
            expected[axes[0][at], axes[1][at], axes[2][at]] += 1.0 if weight is None else weight[at]
    np.testing.assert_allclose(count_cells((2, 3, 4), axes, chosen, weight), expected, atol=1e-12)


def test_judgments_per_item() -> None:
    """Counted, in small numbers where nobody judged twice."""
    once, twice = count_judgments(np.array([2, 0]), 4), count_judgments(np.array([2, 2, 0]), 4)
    assert (once.tolist(), twice.tolist()) == ([1, 0, 1, 0], [1, 0, 2, 0])
    assert once.dtype == np.uint8


@pytest.mark.parametrize("cells", [1, 30, 1 << 21])
@pytest.mark.parametrize("weigh", [False, True])
def test_tallies_are_those_of_a_loop(judge: Make, cells: int, weigh: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels of each document, pairs of an assessor with themselves, and a row's own levels, in blocks of any size."""
    monkeypatch.setattr(tallies, "BLOCK_CELLS", cells)
    rng = np.random.default_rng(9)
    rows = [
        ("q", f"d{document}", name, str(rng.integers(0, 3)))
        for document in range(12)
        for name in "ABC"
        for _ in range(int(rng.integers(0, 3)))
    ]
    columns = {"weight": rng.uniform(0.5, 2, len(rows)).tolist()} if weigh else None
    judgments = judge(rows, repeats="all", columns=columns)
    mass = np.ones(len(judgments)) if judgments.weight is None else judgments.weight
    items = np.array([1, 2, 5, 7, 8])
    blocks = list(blocks_of(items, 3))
    assert np.concatenate(blocks).tolist() == items.tolist()
    assert max(len(block) for block in blocks) <= max(1, cells // 9)

    def of(item: int, name: int) -> np.ndarray:
        found = np.zeros(3)
        for row in range(len(judgments)):
            if judgments.item[row] == item and judgments.assessor[row] == name:
                found[judgments.level[row]] += mass[row]
        return found

    people = range(len(judgments.assessors))
    levels = np.concatenate(list(tally_levels(judgments, slice(0, len(judgments)), items)))
    np.testing.assert_allclose(levels, [sum(of(item, name) for name in people) for item in items], atol=1e-12)
    selves = np.concatenate(list(tally_selves(judgments, items)))
    expected = [sum(np.outer(of(item, name), of(item, name)) for name in people) for item in items]
    np.testing.assert_allclose(selves, expected, atol=1e-12)
    seen = 0
    every = slice(0, len(judgments))
    for block, (inside, owner), own in zip(
        blocks, rows_by_block(judgments, every, items), tally_own(judgments, items), strict=True
    ):
        for row, place, mine in zip(inside, owner, own, strict=True):
            assert judgments.item[row] == block[place]
            np.testing.assert_allclose(mine, of(block[place], judgments.assessor[row]), atol=1e-12)
            seen += 1
    assert seen == np.isin(judgments.item, items).sum()


def test_some_rows_only(judge: Make) -> None:
    """Rows given as a slice or as places: only their levels are tallied."""
    judgments = judge([("q", f"d{n}", name, str((n + at) % 3)) for at, name in enumerate("AB") for n in range(4)])
    part = slice(4, 8)
    places = np.arange(4, 8)
    items = np.array([0, 3])
    one, two = (np.concatenate(list(tally_levels(judgments, rows, items))) for rows in (part, places))
    assert one.tolist() == two.tolist() == [[0, 1, 0], [0, 1, 0]]
    assert list(tally_levels(judgments, part, np.empty(0, dtype=np.int64))) == []
