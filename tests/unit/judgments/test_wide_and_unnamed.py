"""Tables as people have them: raters in columns, titles spelt in any way, nobody named, endings that lie."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import gainsayer as gs
from gainsayer.errors import CallError, FormatError, PairingError, RepeatError
from gainsayer.judgments.files import read_judgments
from gainsayer.judgments.table import Judgments
from gainsayer.tables.columns import SYNONYMS, tell_column

WIDE = pl.DataFrame(
    {
        "Query": ["q1", "q1", "q2"],
        "DocID": ["a", "b", "a"],
        "snippet": ["a long text about nothing in particular", "another one of them", "and a third that is longer"],
        "rater_1": [2, 0, 1],
        "Rater 2": [1, None, 0],
        "llm": [2, 0, 2],
    }
)
RATERS = ["rater_1", "rater 2", "llm"]
JUDGED = [
    *[("q1", "a", "Rater 2", "1"), ("q1", "a", "llm", "2"), ("q1", "a", "rater_1", "2")],
    *[("q1", "b", "llm", "0"), ("q1", "b", "rater_1", "0")],
    *[("q2", "a", "Rater 2", "0"), ("q2", "a", "llm", "2"), ("q2", "a", "rater_1", "1")],
]


@pytest.mark.parametrize("meaning", ["topic", "document", "assessor", "level"])
def test_every_synonym_in_any_spelling(meaning: str) -> None:
    """Case, blanks, hyphens and underscores, leading ones as well, make no difference."""
    for title in SYNONYMS[meaning]:
        spellings = [title.upper(), f"_{title}", title.replace("_", ""), title.replace("_", " "), f" {title} "]
        spellings += [title.replace("_", "-").title(), f"__{title.replace('_', '__')}"]
        assert {tell_column(spelling) for spelling in spellings} == {meaning}, title


@pytest.mark.parametrize("form", ["csv", "quoted", "tsv", "jsonl", "parquet", "frame"])
def test_wide_tables_read_alike_in_every_format(form: str, tmp_path: Path) -> None:
    """One row per document and a column per rater: every cell that is not empty is that rater's judgment."""
    path = tmp_path / f"wide.{'csv' if form == 'quoted' else form}"
    writers: dict[str, Callable[[], object]] = {
        "csv": lambda: WIDE.write_csv(path),
        "quoted": lambda: WIDE.write_csv(path, quote_style="always"),
        "tsv": lambda: WIDE.write_csv(path, separator="\t"),
        "jsonl": lambda: WIDE.rename({"Rater 2": "rater 2"}).write_ndjson(path),
        "parquet": lambda: WIDE.write_parquet(path),
        "frame": lambda: None,
    }
    writers[form]()
    judgments = read_judgments(WIDE if form == "frame" else path, raters=RATERS)
    rows = [tuple(row) for row in judgments.frame().rows()]
    expected = [(*row[:2], "rater 2" if form == "jsonl" and row[2] == "Rater 2" else row[2], row[3]) for row in JUDGED]
    assert sorted(rows) == sorted(expected)


def test_a_table_without_levels_suggests_the_raters(tmp_path: Path) -> None:
    """The error names the columns that look like labels, and not the text beside them."""
    path = tmp_path / "book.csv"
    WIDE.write_csv(path)
    with pytest.raises(FormatError, match=r"No level column.*\n.*raters='rater_1,Rater 2,llm'$"):
        read_judgments(path)
    with pytest.raises(FormatError, match=r"raters='rater_1,Rater 2,llm'$"):
        read_judgments(WIDE)
    with pytest.raises(FormatError, match=r"column 'bob' with a rater's levels, found no such column among 'Query'"):
        read_judgments(path, raters=["bob", "llm"])


def test_a_line_may_lack_a_rater_but_a_key_that_no_line_has_is_told(tmp_path: Path) -> None:
    """JSON lines write only what there is; a rater nobody has is a slip of the pen."""
    path = tmp_path / "wide.jsonl"
    path.write_text('{"qid": 1, "docno": "a", "ann": 1}\n{"qid": 1, "docno": "b", "bob": 0}\n')
    assert len(read_judgments(path, raters=["ann", "bob"])) == 2
    with pytest.raises(FormatError, match=r"key 'eve' with a rater's levels, found none in any line"):
        read_judgments(path, raters=["ann", "eve"])


def test_lines_of_faults_in_wide_tables(tmp_path: Path) -> None:
    """A label that is no level is named by the line of the file it stands on."""
    path = tmp_path / "wide.csv"
    path.write_text("qid,docno,ann,bob\n1,a,1,0\n1,b,0,x\n")
    with pytest.raises(FormatError, match=r"wide\.csv, line 3: expected a whole number as level, found 'x'"):
        read_judgments(path, raters=["ann", "bob"])


def test_qrels_have_no_raters(tmp_path: Path) -> None:
    """A qrels file has one column of levels."""
    path = tmp_path / "a.qrels"
    path.write_text("q 0 a 1\nq 0 b 0\n")
    with pytest.raises(CallError, match="has one column of levels"):
        read_judgments(path, raters=["x"])


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
    with pytest.raises(RepeatError, match=r"^1 documents have different levels"):
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


@pytest.mark.parametrize(
    ("name", "content", "likely"),
    [
        ("a.json", "q1 0 d1 2\nq1 0 d2 0\n", "qrels"),
        ("a.parquet", "q1 0 d1 2\n", "qrels"),
        ("a.csv", "q1\t0\td1\t2\n", "qrels"),
        ("a.jsonl", "qid,docno,judge,rel\nq1,d1,U,1\n", "csv"),
        ("a.csv", '{"qid": 1, "docno": "d", "rel": 1}\n', "jsonl"),
    ],
)
def test_an_ending_that_lies_is_told(name: str, content: str, likely: str, tmp_path: Path) -> None:
    """The error says what the content looks like, and how to say so; saying so reads it."""
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(FormatError, match=rf"its content looks like {likely}.*format='{likely}'"):
        read_judgments(path)


def test_named_levels_beside_numbers(tmp_path: Path) -> None:
    """Names in one file and numbers in another are the same levels by place, which is said."""
    levels = gs.levels.parse_levels("Non,Rel,Key")
    (tmp_path / "a.qrels").write_text("q 0 a 0\nq 0 b 2\n")
    (tmp_path / "b.csv").write_text("qid,docno,rel\nq,a,Rel\nq,b,Key\n")
    judgments = read_judgments(tmp_path / "a.qrels", tmp_path / "b.csv", levels=levels)
    assert judgments.level.tolist() == [0, 2, 1, 2]
    assert "Non=0, Rel=1, Key=2" in judgments.findings[0].message
    (tmp_path / "a.qrels").write_text("q 0 a 1\nq 0 b 9\n")
    with pytest.raises(FormatError, match="Say which number stands for which level: levels='Non=0"):
        read_judgments(tmp_path / "a.qrels", levels=levels)
