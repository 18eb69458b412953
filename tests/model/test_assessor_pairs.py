"""Pairs with the names of who made them: one matrix per pair of assessors and topic, against loops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations, permutations, product

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.errors import PairingError
from gainsayer.model import AssessorPairCounts, assessor_pairs, count_assessor_pairs

Make = Callable[..., gs.Judgments]
Rows = Sequence[tuple[str, str, str, str]]


def draw_rows(seed: int, *, people: str = "ABCD", times: int = 2) -> Rows:
    """Thirty documents in three topics; each person judges each up to `times - 1` times."""
    rng = np.random.default_rng(seed)
    return [
        (f"q{document % 3}", f"d{document}", name, str(rng.integers(0, 3)))
        for document in range(30)
        for name in people
        for _ in range(int(rng.integers(0, times)))
    ]


def by_document(rows: Rows) -> dict[tuple[str, str], dict[str, list[int]]]:
    """topic, document: assessor: levels."""
    found: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for topic, document, name, label in rows:
        found[topic, document][name].append(int(label))
    return found


def matrices(counted: AssessorPairCounts) -> dict[tuple[str, str, str], np.ndarray]:
    """first, second, topic: matrix, from the blocks."""
    found = {}
    for pairs, entries, cells in counted.blocks():
        for pair in range(pairs.start, pairs.stop):
            for entry in range(counted.starts[pair], counted.starts[pair + 1]):
                names = counted.assessors[counted.first[pair]], counted.assessors[counted.second[pair]]
                found[(*names, counted.topics[counted.topic[entry]])] = cells[entry - entries.start]
    return found


@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.parametrize("cells", [1, 40, 1 << 20])
def test_every_pair_of_assessors_and_topic(
    judge: Make, times: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels beside labels, each judgment of a repeated document counting (m_a + m_b) / (2 m_a m_b); in any blocks."""
    monkeypatch.setattr(assessor_pairs, "BLOCK_CELLS", cells)
    rows = draw_rows(5, times=times)
    counted = count_assessor_pairs(judge(rows, repeats="all"))
    expected: dict[tuple[str, str, str], np.ndarray] = defaultdict(lambda: np.zeros((3, 3)))
    pairs: dict[tuple[str, str], int] = defaultdict(int)
    order = {name: at for at, name in enumerate(counted.assessors)}
    for (topic, _), judged in by_document(rows).items():
        for a, b in combinations(sorted(judged, key=lambda name: order[name]), 2):
            one, two = judged[a], judged[b]
            pairs[a, b] += len(one) * len(two)
            for i, j in product(one, two):
                expected[a, b, topic][i, j] += (len(one) + len(two)) / (2 * len(one) * len(two))
    found = matrices(counted)
    assert found.keys() == expected.keys()
    for key, matrix in expected.items():
        np.testing.assert_allclose(found[key], matrix, atol=1e-12)
    names = [(counted.assessors[a], counted.assessors[b]) for a, b in zip(counted.first, counted.second, strict=True)]
    assert dict(zip(names, counted.pairs.tolist(), strict=True)) == dict(pairs)
    assert len(counted) == len(pairs)
    total = np.zeros((3, 3, 3))
    for (_, _, topic), matrix in expected.items():
        total[counted.topics.index(topic)] += matrix
    np.testing.assert_allclose(counted.by_pair(), total, atol=1e-12)


@pytest.mark.parametrize("sided", [False, True])
def test_each_judgment_once_or_each_document_once(judge: Make, sided: bool) -> None:
    """by_judgment weighs a document's ordered pairs k / m, by_document 1 / m; with sides each pair is read one way."""
    rows = draw_rows(6, times=3)
    sides = {"first": ["A", "B"], "second": ["C", "D"]} if sided else {}
    counted = count_assessor_pairs(judge(rows, repeats="all"), matched=False if sided else None, **sides)  # type: ignore[arg-type]
    once, documents, held = np.zeros((3, 3, 3)), np.zeros((3, 3, 3)), 0
    for (topic, _), judged in by_document(rows).items():
        labels = [(name, level) for name, levels in judged.items() for level in levels]
        pairs = [
            (i, j) for (a, i), (b, j) in permutations(labels, 2) if a != b and (not sided or (a in "AB" and b in "CD"))
        ]
        held += bool(pairs)
        for i, j in pairs:
            both = 2 * len(pairs) if sided else len(pairs)
            once[counted.topics.index(topic), i, j] += len(labels) / both
            documents[counted.topics.index(topic), i, j] += 1 / both
    np.testing.assert_allclose(counted.by_judgment, once, atol=1e-12)
    np.testing.assert_allclose(counted.by_document, documents, atol=1e-12)
    assert counted.documents == held
    assert counted.sides == ((("A", "B"), ("C", "D")) if sided else None)


def test_sides_put_the_first_sides_label_first(judge: Make) -> None:
    """Rows are the first side's levels, although its assessor is named later in the data."""
    rows = [("q", "d", "late", "2"), ("q", "d", "early", "0"), ("q", "e", "early", "1")]
    counted = count_assessor_pairs(judge(rows), first=["early"], second=["late"])
    assert [
        (counted.assessors[a], counted.assessors[b]) for a, b in zip(counted.first, counted.second, strict=True)
    ] == [("early", "late")]
    assert counted.by_pair()[0].tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_no_document_in_common(judge: Make) -> None:
    """What each judged is said, ten of them by name; an assessor's two judgments of a document are one document."""
    rows = [(f"q{n:02}", "d", f"A{n:02}", str(n % 2)) for n in range(12)] + [("q00", "d", "A00", "1")]
    judgments = judge(rows, repeats="all")
    words = (
        r"by two different assessors: A00 judged 1 documents, .*A09 judged 1 documents, and 2 more assessors\. Check"
    )
    with pytest.raises(PairingError, match=words):
        count_assessor_pairs(judgments)
    with pytest.raises(PairingError, match=r"by both sides: A00 judged 1 documents, A01 judged 1 documents\. Check"):
        count_assessor_pairs(judgments, first=["A00"], second=["A01"])
