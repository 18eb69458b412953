"""Counting pairs, and who made them, against loops that do it one by one; and counts from a published matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainsayer as gs
from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.model import pairs as pairs_module

Make = Callable[..., gs.Judgments]
Rows = Sequence[tuple[str, str, str, str]]
NAMES = ["A", "B", "C", "D"]
LEVELS = gs.Levels(("0", "1"))


def test_two_assessors_are_first_and_second_in_the_order_given(judge: Make) -> None:
    """The first assessor named in the data is the first side."""
    counts = gs.count_pairs(judge([("q", "d", "Z", "2"), ("q", "d", "A", "0"), ("q", "e", "A", "1")]))
    assert (counts.first, counts.second) == (("Z",), ("A",))
    assert counts.matrix[2, 0] == 1


def test_teams_leave_pairs_across_teams_out_and_say_so(judge: Make) -> None:
    """With sides given pair by pair, a pair across teams is left out and reported; --pairing all counts it."""
    rows = [
        (f"q{place % 5}", f"d{place}", f"{team}{side}", str((place + side) % 3))
        for place in range(200)
        for team in ("x" if place < 100 else "y")
        for side in (1, 2)
    ]
    rows += [("q0", "across", "x1", "0"), ("q0", "across", "y2", "0")]
    judgments = judge(rows)
    sides = {"first": ["x1", "y1"], "second": ["x2", "y2"]}
    counts = gs.count_pairs(judgments, **sides)
    assert counts.pairs == 200
    assert "pairs-across-teams" in [finding.code for finding in counts.findings]
    assert "1 of 201 pairs" in counts.findings[0].message
    assert gs.count_pairs(judgments, **sides, matched=False).pairs == 201


def test_groups_pair_across_when_assessors_mix(judge: Make) -> None:
    """Where members of the two sides met in all combinations, every combination counts."""
    rows = [
        (f"q{place % 5}", f"d{place}", name, str(place % 3))
        for place in range(80)
        for name in (f"x{place % 2}", f"y{place // 2 % 2}")
    ]
    counts = gs.count_pairs(judge(rows), first=["x0", "x1"], second=["y0", "y1"])
    assert counts.pairs == 80
    matched = gs.count_pairs(judge(rows), first=["x0", "x1"], second=["y0", "y1"], matched=True)
    assert matched.pairs == 40


def test_one_assessor_is_not_enough(judge: Make) -> None:
    """The message says what is missing and what to do."""
    with pytest.raises(PairingError, match=r"come from one assessor, 'A'.*second assessor's file.*by_assessor=True"):
        gs.count_pairs(judge([("q", "d", "A", "0"), ("q", "e", "A", "1")]))


def test_no_overlap_shows_what_each_side_judged(judge: Make) -> None:
    """The message shows an id of each side, so that a reader sees what differs."""
    rows = [("1", "d", "A", "0"), ("1", "e", "A", "1"), ("001", "d", "B", "1")]
    with pytest.raises(PairingError, match=r"A judged 2 documents \(such as '1 d'\).*'001 d'.*0 topics are common"):
        gs.count_pairs(judge(rows))
    rows = [("1", name, name, label) for name, label in (("A", "0"), ("B", "1"), ("C", "0"))]
    with pytest.raises(PairingError, match="No document was judged by two different assessors"):
        gs.count_pairs(judge(rows))


def test_sides_are_checked(judge: Make) -> None:
    """Unknown assessors and assessors on both sides are the call's fault."""
    judgments = judge([("q", "d", name, label) for name, label in (("A", "0"), ("B", "1"), ("C", "1"))])
    with pytest.raises(CallError, match="no assessor 'X': the assessors are A, B, C"):
        gs.count_pairs(judgments, first=["X"])
    with pytest.raises(CallError, match="A cannot be on both sides"):
        gs.count_pairs(judgments, first=["A"], second=["A", "B"])
    with pytest.raises(CallError, match="Each side needs at least one assessor"):
        gs.count_pairs(judgments, first=["A", "B", "C"])


def test_fixed_pairs_of_one_and_one_are_plain_pairs(judge: Make) -> None:
    """Two assessors are a fixed pair; sides of unequal lengths are none."""
    rows = [("q", "d", name, label) for name, label in (("A", "0"), ("B", "1"), ("C", "1"))]
    assert gs.count_pairs(judge(rows[:2]), matched=True).pairs == 1
    with pytest.raises(CallError, match="equally long sides, found 1 and 2 assessors"):
        gs.count_pairs(judge(rows), first=["A"], matched=True)


def test_fixed_pairs_that_never_met_are_refused(judge: Make) -> None:
    """Asked for fixed pairs, other pairs are not counted in their place."""
    rows = [("q", "d", "a", "0"), ("q", "d", "z", "1"), ("q", "e", "b", "0"), ("q", "e", "y", "1")]
    sides = {"first": ["a", "b"], "second": ["y", "z"]}
    with pytest.raises(PairingError, match=r"No fixed pair of assessors \(a and y, b and z\).*pairing='all'"):
        gs.count_pairs(judge(rows), **sides, matched=True)
    assert gs.count_pairs(judge(rows), **sides).pairs == 2


def test_one_pair_in_a_hundred_may_be_across_teams(judge: Make) -> None:
    """1 of 100 pairs across fixed pairs is left out, 2 of 101 are not: then all count alike."""
    sides = {"first": ["x1", "y1"], "second": ["x2", "y2"]}
    rows = [("q", f"d{n}", f"{team}{side}", str(n % 3)) for n in range(99) for team in "xy"[n % 2] for side in (1, 2)]
    one = [*rows, ("q", "across", "x1", "0"), ("q", "across", "y2", "0")]
    two = [*one, ("q", "another", "y1", "0"), ("q", "another", "x2", "0")]
    assert gs.count_pairs(judge(one), **sides).pairs == 99
    assert gs.count_pairs(judge(two), **sides).pairs == 101
    assert gs.count_pairs(judge(two), **sides, matched=True).pairs == 99


def test_an_assessor_without_judgments_here_is_no_side(judge: Make) -> None:
    """Known by name and silent on these topics: no pairs, and the message says whose judgments are lacking."""
    judgments = judge([("q", "d", "A", "0"), ("q", "d", "B", "1"), ("r", "d", "C", "1")])
    here = judgments.rows(judgments.topic == judgments.topics.index("q"))
    with pytest.raises(PairingError, match="C judged nothing here, so there are no pairs"):
        gs.count_pairs(here, first=["A"], second=["C"])
    assert gs.count_pairs(here).pairs == 1


def test_long_ids_are_cut_in_messages(judge: Make) -> None:
    """Sixty characters of an id show what differs."""
    rows = [("1", "d" * 80, "A", "0"), ("1", "e", "B", "1")]
    with pytest.raises(PairingError, match=r"\(such as '1 d{58}\.\.\.'\); B judged 1 documents.*1 topics are common"):
        gs.count_pairs(judge(rows))


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
    """Memory is bounded by working in blocks of documents, here by two; their size changes nothing."""
    judgments = judge(random_rows(3, assessors=5))
    whole = gs.count_pairs(judgments)
    monkeypatch.setattr(pairs_module, "BLOCK_CELLS", 20)
    blocks = gs.count_pairs(judgments)
    np.testing.assert_allclose(blocks.counts, whole.counts, atol=1e-12)
    np.testing.assert_allclose(blocks.squares, whole.squares, atol=1e-12)
    np.testing.assert_allclose(blocks.symmetric_squares, whole.symmetric_squares, atol=1e-12)


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


def slow_cells(
    rows: Rows, weight: Sequence[float], first: set[str], second: set[str], weighting: str
) -> dict[tuple[str, str, str], np.ndarray]:
    """Pairs by topic, first and second person, by loops; without sides each pair stands in both orders."""
    sides = first != second
    documents: dict[tuple[str, str], list[tuple[str, int, float]]] = {}
    for (topic, document, name, label), mass in zip(rows, weight, strict=True):
        documents.setdefault((topic, document), []).append((name, int(label), mass))
    found: dict[tuple[str, str, str], np.ndarray] = {}
    for (topic, _), judged in documents.items():
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
            found.setdefault((topic, a, b), np.zeros((3, 3)))[i, j] += scale * mass
    return found


def read_cells(counts: gs.model.PairCounts, *, both: bool) -> dict[tuple[str, str, str], np.ndarray]:
    """The cells as the loop has them: by names, and where asked for in both orders."""
    assert counts.cells is not None
    cells, found = counts.cells, dict[tuple[str, str, str], np.ndarray]()
    for pairs, topic, first, second in zip(cells.pairs, cells.topic, cells.first, cells.second, strict=True):
        where, one, two = counts.topics[topic], cells.names[first], cells.names[second]
        for key, part in [((where, one, two), pairs), ((where, two, one), pairs.T)][: 1 + both]:
            found[key] = found.get(key, 0.0) + part
    return found


@pytest.mark.parametrize("weighting", ["judgment", "pair", "document"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("sides", [("AB", "CD"), ("A", "BCD"), ("ABC", "D"), None], ids=str)
def test_cells_are_those_of_a_loop(
    judge: Make, weighting: str, weighted: bool, by_person: bool, sides: tuple[str, str] | None
) -> None:
    """Pairs by topic and by the two people, repeated judgments and weights included; together they are the counts.

    Rows of a person may stand together, as those of a file do, or not.
    """
    rows, weight = draw_rows(3)
    weight = weight if weighted else [1.0] * len(rows)
    if by_person:
        order = sorted(range(len(rows)), key=lambda place: rows[place][2])
        rows, weight = [rows[place] for place in order], [weight[place] for place in order]
    judgments = judge(rows, repeats="all", columns={"weight": weight} if weighted else None)
    chosen = {} if sides is None else {"first": list(sides[0]), "second": list(sides[1]), "matched": False}
    counts = gs.count_pairs(judgments, weighting=weighting, **chosen)  # type: ignore[arg-type]
    first, second = (set(NAMES), set(NAMES)) if sides is None else map(set, sides)
    expected = slow_cells(rows, weight, first, second, weighting)
    found = read_cells(counts, both=sides is None)
    assert found.keys() == expected.keys()
    for key, cell in expected.items():
        np.testing.assert_allclose(found[key], cell, atol=1e-12)
    for place, topic in enumerate(counts.topics):
        total = sum(cell for key, cell in found.items() if key[0] == topic)
        np.testing.assert_allclose(total, counts.counts[place], atol=1e-12)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("sides", [{}, {"first": ["A", "B"], "second": ["C", "D"]}], ids=["team", "sides"])
def test_order_of_rows_and_names_of_documents_leave_the_counts_alone(
    judge: Make, weights: bool, sides: dict[str, list[str]]
) -> None:
    """Shuffled rows and renamed documents give the same counts and cells, also where judgments are repeated."""
    rows, weight = draw_rows(4)
    found = []
    for order in (range(len(rows)), np.random.default_rng(7).permutation(len(rows)).tolist()):
        # Names that sort in another order, too.
        mixed = [(topic, document[::-1] + "x", who, label) for topic, document, who, label in (rows[n] for n in order)]
        columns = {"weight": [weight[place] for place in order]} if weights else None
        found.append(gs.count_pairs(judge(mixed, repeats="all", columns=columns), **sides, matched=False))
    one, two = found
    for name in ("counts", "squares", "symmetric_squares"):
        np.testing.assert_allclose(getattr(two, name), getattr(one, name), rtol=1e-13)
    cells = [read_cells(counts, both=not sides) for counts in found]
    assert cells[0].keys() == cells[1].keys()
    for key, cell in cells[0].items():
        np.testing.assert_allclose(cells[1][key], cell, rtol=1e-13)


def test_two_names_are_two_sides_and_no_cells(judge: Make) -> None:
    """One name on each side leaves nobody to leave out; a second name on either side is somebody."""
    rows = [("q", "d", "A", "0"), ("q", "d", "B", "1"), ("q", "e", "A", "0"), ("q", "e", "C", "1")]
    assert gs.count_pairs(judge(rows[:2])).cells is None
    assert gs.count_pairs(judge(rows), first=["A"]).cells is not None
    assert gs.count_pairs(judge(rows), second=["A"]).cells is not None


def test_opinions_without_names_have_no_cells(judge: Make) -> None:
    """The k-th judgment of each document is nobody in particular."""
    rows = [("q", document, "crowd", label) for document in "de" for label in "010"]
    assert gs.count_pairs(judge(rows, repeats="as-assessors")).cells is None


def test_counts_of_a_matrix_name_nobody() -> None:
    """A published matrix says how many pairs there were, not whose."""
    assert gs.model.PairCounts.from_matrix(LEVELS, [[1, 2], [3, 4]]).cells is None
