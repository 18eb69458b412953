"""Labels on their way to levels: merged, missing, named, rare, repeated, and what is said of others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import gainsayer as gs
from gainsayer.errors import DataError, FormatError, RepeatError
from gainsayer.levels import Levels
from gainsayer.reading import Judgments, read_judgments

FRAME = pl.DataFrame(
    {
        "topic": ["q1", "q1", "q1", "q2"],
        "document": ["d,1", 'd"2', "d1", "d3"],
        "assessor": ["U1", "U1", "U2", "U2"],
        "level": ["2", "0", "1", "0"],
    }
)


def save(path: Path, text: str) -> Path:
    """A file with this text."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def codes(judgments: Judgments) -> list[str]:
    """The codes of the findings."""
    return [finding.code for finding in judgments.findings]


def test_labels_that_mean_not_judged_are_left_out(tmp_path: Path) -> None:
    """Missing labels are dropped and counted, the empty one included, with declared levels or without."""
    path = save(tmp_path / "U1.csv", "topic,doc,rel\nq1,d1,0\nq1,d2,\nq1,d3,1\nq1,d4,-1\n")
    for levels in (None, Levels(("0", "1"))):
        judgments = read_judgments(path, levels=levels, missing=["", "-1"])
        assert len(judgments) == 2
        assert codes(judgments) == ["labels-missing"]


def test_merges_are_added_to_declared_levels(tmp_path: Path) -> None:
    """Merges given beside levels are not forgotten."""
    path = save(tmp_path / "U1.qrels", "q1 0 d1 Non\nq1 0 d2 Nav\nq1 0 d3 Key\n")
    judgments = read_judgments(path, levels=Levels(("Non", "Key")), merges={"Nav": "Key"})
    assert judgments.level.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.qrels", "q1 0 d1 2\nq1 0 d2 x\n", "line 2"),
        ("a.qrels", "\n\nq1 0 d1 2\n\nq1 0 d2 x\n", "line 5"),
        ("a.csv", "topic,doc,rel\nq1,d1,2\nq1,d2,x\n", "line 3"),
        ("a.jsonl", '{"topic": 1, "doc": 2, "rel": 3}\n{"topic": 1, "doc": 3, "rel": "x"}\n', "line 2"),
    ],
)
def test_a_level_that_is_no_number_is_named_by_its_place(tmp_path: Path, name: str, text: str, place: str) -> None:
    """Among whole numbers, another label is an error with its line in the file."""
    path = save(tmp_path / name, text)
    with pytest.raises(FormatError, match=f"{name}, {place}: expected a whole number as level, found 'x'"):
        read_judgments(path)


@pytest.mark.parametrize("levels", [None, Levels(("0", "1", "2"))])
@pytest.mark.parametrize("missing", [(), ("",)])
def test_an_empty_level_is_no_judgment(tmp_path: Path, levels: Levels | None, missing: tuple[str, ...]) -> None:
    """An empty cell of a file, or a null of a table, is left out and counted, whether or not somebody says so."""
    path = save(tmp_path / "a.csv", "topic,doc,rel\nq1,d1,2\nq1,d2,\nq1,d3, \nq1,d4,0\n")
    table = pl.DataFrame({"topic": ["q1"] * 4, "doc": ["d1", "d2", "d3", "d4"], "rel": [2, None, None, 0]})
    for source in (path, table):
        judgments = read_judgments(source, levels=levels, missing=missing)
        assert judgments.document.to_list() == ["d1", "d4"]
        [finding] = [finding for finding in judgments.findings if finding.code == "labels-missing"]
        assert finding.message == "2 empty labels were left out."


def test_labels_that_are_left_out_are_counted() -> None:
    """Those declared as 'not judged', and how many of them are empty."""
    for values, said in (
        ([2, 0, -1], "1 label that means 'not judged' was left out."),
        ([2, 0, None, -1], "2 labels that mean 'not judged' were left out, 1 of them empty."),
        ([2, 0, None], "1 empty label was left out."),
    ):
        names = [f"d{place}" for place in range(len(values))]
        table = pl.DataFrame({"topic": ["q"] * len(values), "doc": names, "rel": values})
        assert [f.message for f in read_judgments(table, missing=["-1"]).findings if f.code == "labels-missing"] == [
            said
        ]


def test_a_level_outside_the_declared_ones_is_named(tmp_path: Path) -> None:
    """A label that is no declared level is an error with its line."""
    path = save(tmp_path / "a.qrels", "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 7\n")
    with pytest.raises(FormatError, match=r"a\.qrels, line 3: expected one of the levels 0, 1, 2, found '7'"):
        read_judgments(path, levels=Levels(("0", "1", "2")))


def test_one_level_alone_is_a_fault_of_the_data(tmp_path: Path) -> None:
    """Levels cannot be told from a single one."""
    with pytest.raises(DataError, match="At least two levels are needed, found only '1'"):
        read_judgments(save(tmp_path / "a.qrels", "q1 0 d1 1\n"))


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
