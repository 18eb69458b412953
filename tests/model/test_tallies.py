"""Sums over judgments in pieces: the same however large a piece is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.model import (
    as_slice,
    blocks_of,
    count_cells,
    count_judgments,
    rows_by_block,
    tallies,
    tally_levels,
    tally_own,
    tally_selves,
)

Make = Callable[..., gs.Judgments]
Rows = Sequence[tuple[str, str, str, str]]
NAMES = ["A", "B", "C", "D"]


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
    part = slice(3, 8)  # the last label of A, and all of B's
    places = np.arange(3, 8)
    items = np.array([0, 1, 3])
    one, two = (np.concatenate(list(tally_levels(judgments, rows, items))) for rows in (part, places))
    assert one.tolist() == two.tolist() == [[0, 1, 0], [0, 0, 1], [1, 1, 0]]
    assert list(tally_levels(judgments, part, np.empty(0, dtype=np.int64))) == []


def draw_rows(seed: int) -> tuple[Rows, list[float]]:
    """Judgments of thirty documents in three topics by four people, each of whom judged some twice; with weights."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{document % 3}", f"d{document}", name, str(rng.integers(0, 3)))
        for document in range(30)
        for name in NAMES
        for _ in range(int(rng.integers(0, 3)))
    ]
    return rows, rng.uniform(0.5, 2, len(rows)).tolist()


def loop(
    rows: Rows, weight: Sequence[float], first: set[str], second: set[str], weighting: str
) -> tuple[np.ndarray, np.ndarray]:
    """For each person the pairs with their label first, and with their label second, [people, levels, levels]."""
    sides = first != second
    documents: dict[tuple[str, str], list[tuple[str, int, float]]] = {}
    for (topic, document, name, label), mass in zip(rows, weight, strict=True):
        documents.setdefault((topic, document), []).append((name, int(label), mass))
    found = np.zeros((2, 4, 3, 3))
    for judged in documents.values():
        pairs = [
            (a, b, i, j, v * w)
            for (a, i, v), (b, j, w) in permutations(judged, 2)
            if a != b and a in first and b in second
        ]
        counted = sum(name in first or name in second for name, _, _ in judged)
        for a, b, i, j, mass in pairs:
            scale = {
                "judgment": counted / ((2 if sides else 1) * len(pairs)),
                "pair": 1.0,
                "document": (1 if sides else 2) / len(pairs),
            }[weighting]
            found[0, NAMES.index(a), i, j] += scale * mass
            found[1, NAMES.index(b), i, j] += scale * mass
    return found[0], found[1]


@pytest.mark.parametrize("weighting", ["judgment", "pair", "document"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("cells", [tallies.BLOCK_CELLS, 45])
def test_parts_of_people_on_two_sides_are_those_of_a_loop(
    judge: Make, weighting: str, weighted: bool, by_person: bool, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever gives the first label, and whoever gives the second, by person; together they are the counts.

    Rows of a side may stand together, as those of a file do; documents are taken some at a time, here by five.
    """
    monkeypatch.setattr(tallies, "BLOCK_CELLS", cells)
    rows, weight = draw_rows(3)
    weight = weight if weighted else [1.0] * len(rows)
    if by_person:
        order = sorted(range(len(rows)), key=lambda place: rows[place][2])
        rows, weight = [rows[place] for place in order], [weight[place] for place in order]
    judgments = judge(rows, repeats="all", columns={"weight": weight} if weighted else None)
    counts = gs.count_pairs(judgments, first=["A", "B"], second=["C", "D"], weighting=weighting, matched=False)  # type: ignore[arg-type]
    first, second = loop(rows, weight, {"A", "B"}, {"C", "D"}, weighting)
    assert counts.people is not None
    assert counts.people.names == ("A", "B", "C", "D")
    np.testing.assert_allclose(counts.people.first, first, atol=1e-12)
    np.testing.assert_allclose(counts.people.second, second, atol=1e-12)
    np.testing.assert_allclose(counts.people.first.sum(axis=0), counts.matrix, atol=1e-12)


@pytest.mark.parametrize("weighting", ["judgment", "pair", "document"])
@pytest.mark.parametrize("weighted", [False, True])
def test_parts_of_people_without_sides_are_those_of_a_loop(judge: Make, weighting: str, weighted: bool) -> None:
    """Every pair is read both ways: the second labels' parts are the first labels' transposed."""
    rows, weight = draw_rows(4)
    weight = weight if weighted else [1.0] * len(rows)
    judgments = judge(rows, repeats="all", columns={"weight": weight} if weighted else None)
    counts = gs.count_pairs(judgments, weighting=weighting)  # type: ignore[arg-type]
    first, _ = loop(rows, weight, set(NAMES), set(NAMES), weighting)
    assert counts.people is not None
    order = [counts.people.names.index(name) for name in NAMES]
    np.testing.assert_allclose(counts.people.first[order], first, atol=1e-12)
    np.testing.assert_allclose(counts.people.second, counts.people.first.transpose(0, 2, 1), atol=1e-15)
    np.testing.assert_allclose(counts.people.first.sum(axis=0), counts.matrix, atol=1e-12)


def test_who_has_pairs_in_several_topics(judge: Make) -> None:
    """A and C judged with others in two topics; B in one; D in two, but alone in the second."""
    rows = [("q1", "d", name, "1") for name in "ABCD"]
    rows += [("q2", "d", name, "0") for name in "AC"] + [("q2", "alone", "D", "0")]
    recurs = {"A": True, "B": False, "C": True, "D": False}
    plain = gs.count_pairs(judge(rows)).people
    assert plain is not None
    assert dict(zip(plain.names, plain.recurs.tolist(), strict=True)) == recurs
    sides = gs.count_pairs(judge(rows), first=["A", "B"], second=["C", "D"], matched=False).people
    assert sides is not None
    assert dict(zip(sides.names, sides.recurs.tolist(), strict=True)) == recurs


def test_two_names_are_two_sides_and_no_people(judge: Make) -> None:
    """One name on each side leaves nobody to leave out."""
    assert gs.count_pairs(judge([("q", "d", "A", "0"), ("q", "d", "B", "1")])).people is None


@pytest.mark.parametrize(("first", "second"), [(["A", "B"], ["C"]), (["A"], ["B", "C"])])
def test_several_names_on_one_side_are_people(judge: Make, first: list[str], second: list[str]) -> None:
    """Two names on either side are enough to leave somebody out; those of the first side come first."""
    counts = gs.count_pairs(judge(draw_rows(5)[0], repeats="all"), first=first, second=second)
    assert counts.people is not None
    assert counts.people.names == ("A", "B", "C")
    assert counts.people.second[: len(first)].sum() == 0
    assert counts.people.first[len(first) :].sum() == 0
    np.testing.assert_allclose(counts.people.second.sum(axis=0), counts.matrix, atol=1e-12)
