"""Several judgments of one document by one assessor: refused, resolved, or taken as opinions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gainsayer.errors import RepeatError
from gainsayer.judgments.files import read_judgments
from gainsayer.judgments.table import Judgments

if sys.version_info >= (3, 14):
    pass
else:
    pass
import gainsayer as gs


def save(path: Path, text: str) -> Path:
    """A file with this text."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_conflicting_repeats_are_named_by_their_places(tmp_path: Path) -> None:
    """Two levels of one assessor for one document are both shown, and may be settled."""
    path = save(tmp_path / "a.qrels", "q1 0 d1 2\nq1 0 d2 0\nq1 0 d1 0\n")
    with pytest.raises(RepeatError, match=r"a gave q1 d1 the levels 2, 0 \(.*a\.qrels, line 1; .*a\.qrels, line 3\)"):
        read_judgments(path)
    assert read_judgments(path, repeats="last").level.tolist() == [0, 0]


def test_repeated_judgments_as_so_many_opinions(tmp_path: Path) -> None:
    """The k-th judgment of a document is the k-th opinion: all pairs within a document count, whatever the order."""
    lines = ["q 0 a 1", "q 0 a 0", "q 0 a 1", "q 0 b 2", "q 0 b 2", "q 0 c 0"]
    path = tmp_path / "crowd.qrels"
    for order in (lines, lines[::-1]):
        path.write_text("\n".join(order) + "\n")
        judgments = read_judgments(path, repeats="as-assessors")
        assert judgments.assessors == ("crowd 1", "crowd 2", "crowd 3")
        assert [finding.code for finding in judgments.findings] == ["repeats-as-assessors"]
        counts = gs.count_pairs(judgments, weighting="pair")
        assert (counts.directed, counts.pairs) == (False, 4)
        assert counts.matrix.tolist() == [[0, 2, 0], [2, 2, 0], [0, 0, 2]]


def test_documents_are_counted_not_rows(judge: Callable[..., Judgments]) -> None:
    """A document that two assessors judged twice is one document with different levels."""
    rows = [("q", "a", name, label) for name in ("ann", "bob") for label in ("0", "1")]
    with pytest.raises(RepeatError, match=r"^1 document has different levels"):
        judge(rows)
    assert "1 documents had different levels" in judge(rows, repeats="first").findings[0].message
    assert (
        "1 documents were judged several times by one assessor (4 judgments"
        in judge(rows, repeats="all").findings[0].message
    )


def test_majority_of_repeats_takes_the_lowest_of_equals(judge: Callable[..., Judgments]) -> None:
    """Equally frequent levels of one assessor: the lowest, not the one that came first."""
    rows = [("q", "a", "ann", label) for label in ("2", "0", "2", "0", "1")] + [("q", "b", "ann", "1")]
    for order in (rows, rows[::-1]):
        kept = dict(judge(order, repeats="majority").frame().select("document", "level").rows())
        assert kept == {"a": "0", "b": "1"}
