"""Pairs by the people who take part in them: the parts add up, and each person's are those of a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import pytest

import gainsayer as gs

Make = Callable[..., gs.Judgments]
Rows = Sequence[tuple[str, str, str, str]]
NAMES = ["A", "B", "C", "D"]


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
def test_parts_of_people_on_two_sides_are_those_of_a_loop(judge: Make, weighting: str, weighted: bool) -> None:
    """Whoever gives the first label, and whoever gives the second, by person; together they are the counts."""
    rows, weight = draw_rows(3)
    weight = weight if weighted else [1.0] * len(rows)
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
