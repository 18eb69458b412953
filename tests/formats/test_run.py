"""Run: rows in the order they came in, and parts of them."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.errors import DataError
from gainsayer.reading import Names, Run


def make_run(**options: object) -> Run:
    """Four rows of two topics, the first of which comes back."""
    columns = {"document": Names.of(["a", "b", "c", "d"]), "score": np.array([4.0, 3.0, 2.0, 1.0])}
    topic = np.array([0, 1, 0, 1], np.int32)
    return Run(**{"name": "bm25", "topics": ("q1", "q2"), "topic": topic, **columns, **options})  # type: ignore[arg-type]


def test_rows_are_named_by_line_or_row() -> None:
    """Lines count from the first one, or are given for each row."""
    assert make_run(source="a.run", line=7, unit="line").where(2) == "a.run, line 9"
    assert make_run(line=np.array([1, 3, 5, 9])).where(3) == "run, row 9"


def test_topics_that_come_back_are_not_grouped() -> None:
    """A run is grouped where the rows of each topic stand together."""
    assert not make_run().is_grouped
    assert make_run(topic=np.array([0, 0, 1, 1], np.int32)).is_grouped


@pytest.mark.parametrize("line", [11, np.array([11, 12, 13, 14])])
def test_a_part_keeps_what_its_rows_are(line: int | np.ndarray) -> None:
    """The rows of some topics alone have the names, scores, ranks and places they had."""
    part = make_run(line=line, rank=np.array([1.0, 1.0, 2.0, 2.0])).part(np.array([1, 3]), 1, 2)
    assert part.frame().rows() == [("q2", "b", 3.0, 1.0), ("q2", "d", 1.0, 2.0)]
    assert [part.where(row) for row in range(2)] == ["run, row 12", "run, row 14"]
    assert part.called("other").name == "other"


def test_a_run_without_rows_or_with_a_score_that_is_no_number_is_refused() -> None:
    """There is nothing to rank, or no order."""
    with pytest.raises(DataError, match="run has no documents"):
        make_run(topic=np.empty(0, np.int32), document=Names.of([]), score=np.empty(0))
    with pytest.raises(DataError, match="run, row 2: expected a number as score, found NaN"):
        make_run(score=np.array([1.0, np.nan, 1.0, 1.0]))
