"""What was read, with the place of each row."""

from __future__ import annotations

import numpy as np
import polars as pl

from gainsayer.judgments.coding import Runs
from gainsayer.judgments.source import QrelsSource, Source
from gainsayer.lines.names import Names

FRAME = pl.DataFrame({"topic": ["q1", "q2"], "document": ["a", "b"], "assessor": ["U1", "U2"], "label": ["1", "0"]})


def make_qrels(**options: object) -> QrelsSource:
    """Two rows of a qrels file."""
    topic = Runs(["q1", "q2"], np.array([0, 1]), np.array([1, 1]))
    return QrelsSource("a.qrels", topic, Names.of(["a", "b"]), np.array([1, 0], np.int16), **options)  # type: ignore[arg-type]


def test_places_are_lines_or_rows() -> None:
    """A row is named by its line: counted from the first, or its own; in tables without lines, by its row."""
    assert [Source("a", FRAME, first_line=5).where(row) for row in (0, 1)] == ["a, line 5", "a, line 6"]
    assert Source("a", FRAME, lines=np.array([2, 9])).where(1) == "a, line 9"
    assert Source("a", FRAME, first_line=None).where(1) == "a, row 2"
    assert make_qrels(assessor="U1", line=3).where(1) == "a.qrels, line 4"
    assert make_qrels(assessor="U1", line=np.array([2, 9])).where(1) == "a.qrels, line 9"


def test_qrels_have_the_columns_of_tables() -> None:
    """As a table, qrels have the same columns in the same order, with what column 2 holds."""
    people = make_qrels(assessor=None, columns={"assessor": pl.Series(["U1", "U2"])})
    assert people.frame.equals(FRAME.with_columns(label=pl.Series([1, 0], dtype=pl.Int16)))
    assert people.assessors.to_list() == Source("a", FRAME).assessors.to_list()
    intents = make_qrels(assessor="U1", columns={"intent": pl.Series(["1", "2"])})
    assert intents.frame.columns == ["topic", "document", "label", "intent"]
    assert intents.optional("weight") is None
