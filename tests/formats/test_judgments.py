"""The one table of judgments: places of faults, nobody named, and what goes out again."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import gainsayer as gs
from gainsayer.errors import FormatError, PairingError, RepeatError
from gainsayer.reading import read_judgments


def test_lines_of_faults_in_wide_tables(tmp_path: Path) -> None:
    """A label that is no level is named by the line of the file it stands on."""
    path = tmp_path / "wide.csv"
    path.write_text("qid,docno,ann,bob\n1,a,1,0\n1,b,0,x\n")
    with pytest.raises(FormatError, match=r"wide\.csv, line 3: expected a whole number as level, found 'x'"):
        read_judgments(path, raters=["ann", "bob"])


def test_no_assessor_column_is_said_with_the_columns_seen(tmp_path: Path) -> None:
    """It shows where one assessor is not enough: conflicting labels, or nobody to pair with."""
    table = pl.DataFrame({"qid": ["q", "q"], "docno": ["a", "a"], "turker": ["x", "y"], "rel": [0, 1]})
    with pytest.raises(RepeatError, match=r"(?s)No assessor column.*its columns are 'qid', 'docno', 'turker', 'rel'"):
        read_judgments(table)
    assert read_judgments(table.head(1), levels=gs.Levels(("0", "1"))).assessors == ("labels",)
    path = tmp_path / "crowd.csv"
    table.write_csv(path)
    said = r"No assessor column was found in .*crowd\.csv.*'qid', 'docno', 'turker', 'rel'"
    with pytest.raises(RepeatError, match=said):
        read_judgments(path)
    table.with_columns(docno=pl.Series(["a", "b"])).write_csv(path)
    with pytest.raises(PairingError, match=said):
        gs.count_pairs(read_judgments(path))


def test_judgments_go_out_as_they_came_in() -> None:
    """The polars, pandas and pyarrow tables have the rows that were given, and read back as the same judgments."""
    rows = [("q1", "d1", "ann", "2"), ("q1", "d2", "bob", "0"), ("q2", "d1", "ann", "1")]
    given = pl.DataFrame(rows, ["topic", "document", "assessor", "level"], orient="row")
    judgments = read_judgments(given)
    tables = (judgments.to_polars(), judgments.to_pandas(), judgments.to_arrow())
    assert [type(table).__module__.partition(".")[0] for table in tables] == ["polars", "pandas", "pyarrow"]
    for table in tables:
        assert pl.DataFrame(table).equals(given)
        assert read_judgments(table).frame().equals(judgments.frame())
