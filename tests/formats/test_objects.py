"""Doors for objects of other libraries: whatever gives a data frame or a dict, and rows of named tuples."""

from __future__ import annotations

import subprocess
import sys
from collections import namedtuple
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import gainsayer as gs
from gainsayer.errors import CallError, FormatError

Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")
Scored = namedtuple("Scored", "query_id doc_id score")
QRELS = [Qrel("q1", "d1", 2, "0"), Qrel("q1", "d2", 0, "0"), Qrel("q2", "d1", 1, "0")]
SCORED = [Scored("q1", "d2", 3), Scored("q1", "d1", 2.5), Scored("q2", "d1", 1.0)]


class HasPolars:
    """What Hugging Face's datasets look like from outside."""

    def to_polars(self) -> pl.DataFrame:
        """The rows."""
        return pl.DataFrame([row._asdict() for row in QRELS])


class HasDict:
    """What ranx' objects look like from outside."""

    name = "bm25"

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Topics, documents, numbers."""
        return {"q1": {"d2": 3.0, "d1": 2.5}, "q2": {"d1": 1.0}}


def rows(judgments: gs.Judgments) -> list[tuple[Any, ...]]:
    """The judgments in an order."""
    return sorted(judgments.frame().rows())


@pytest.mark.parametrize("given", [QRELS, tuple(QRELS), iter(QRELS), HasPolars()], ids=type)
def test_rows_of_any_kind_are_one_table(given: Any) -> None:
    """A list, a tuple and a generator of named tuples, and what gives a data frame, hold the same judgments."""
    expected = [("q1", "d1", "labels", "2"), ("q1", "d2", "labels", "0"), ("q2", "d1", "labels", "1")]
    assert rows(gs.read_judgments(given)) == expected


def test_runs_of_any_kind_score_alike() -> None:
    """Named tuples and objects with a dict give the scores that the dict itself gives."""
    expected = gs.score(QRELS, HasDict().to_dict(), "nDCG@2").means()
    for run in (SCORED, iter(SCORED), HasDict(), {"mine": SCORED}, {"mine": HasDict()}, [iter(SCORED)]):
        assert gs.score(iter(QRELS), run, "nDCG@2").means() == expected
    assert gs.read_run(HasDict()).name == "bm25"


def test_two_lists_of_rows_are_two_assessors() -> None:
    """Pairs of a name and rows, and lists of lists of rows, are several sources."""
    named = gs.read_judgments(("ann", QRELS), ("bob", iter(QRELS)))
    assert named.assessors == ("ann", "bob")
    assert gs.agree([QRELS, QRELS]).agreement.pairs == 3


def test_text_and_numbers_in_one_field_become_text() -> None:
    """Ids that are sometimes numbers are names all the same."""
    mixed = [Qrel(7, "d1", 2, "0"), Qrel("q2", "d1", 1, "0")]
    assert gs.read_judgments(mixed).topics == ("7", "q2")


def test_rows_of_another_kind_are_told_by_number() -> None:
    """Rows with other fields, and cells that are neither text nor number, are named by their row."""
    with pytest.raises(FormatError, match="named tuples, row 4: expected the fields query_id, doc_id, relevance"):
        gs.read_judgments([*QRELS, SCORED[0]])
    with pytest.raises(FormatError, match="named tuples, row 2: expected text or a number as relevance, found"):
        gs.read_judgments([QRELS[0], Qrel("q1", "d2", {}, "0")])


def test_what_is_no_source_is_told_what_would_be() -> None:
    """Plain tuples, numbers and an empty generator are refused in words."""

    def nothing() -> Iterator[Any]:
        yield from ()

    for given in ([("q1", "d1", 2)], 7, nothing()):
        with pytest.raises(CallError):
            gs.read_judgments(given)
    with pytest.raises(CallError, match="or named tuples, found generator"):
        gs.read_run(nothing())


def test_a_dictionary_of_datasets_asks_for_one() -> None:
    """Hugging Face's DatasetDict holds splits, of which one is meant."""
    kind = type("DatasetDict", (dict,), {})
    with pytest.raises(CallError, match=r"give one of them, \['train'\] or \['test'\]"):
        gs.read_judgments(kind(train=HasPolars(), test=HasPolars()))


RESULTS = pl.DataFrame(
    {
        "qid": ["q1", "q1"],
        "docid": [17, 4],
        "docno": ["d1", "d2"],
        "rank": [0, 1],
        "score": [2.0, 1.0],
        "query": ["red dress", "red dress"],
    }
)


def test_the_columns_of_pyterrier_results_have_an_order_of_preference(tmp_path: Any) -> None:
    """docno is the document, not docid; qid is the topic, not query; and both are said, also for files."""
    for name in ("run.csv", "run.jsonl", "run.parquet"):
        path = tmp_path / name
        {"csv": RESULTS.write_csv, "jsonl": RESULTS.write_ndjson, "parquet": RESULTS.write_parquet}[path.suffix[1:]](
            path
        )
        for given in (RESULTS, path):
            table = gs.score({"q1": {"d1": 1, "d2": 0}}, given, "RR")
            assert table.means() == {"RR": 1.0}
            [found] = [found.message for found in table.findings if found.code == "columns-chosen"]
            assert "'docno' was taken as the document, not 'docid'; 'qid' as the topic, not 'query'." in found


def test_equal_titles_are_still_refused() -> None:
    """Two columns of the same weight are not guessed about."""
    with pytest.raises(FormatError, match="expected one topic column, found two: 'qid' and 'topic'"):
        gs.read_run(RESULTS.with_columns(topic=pl.lit("q9")))


@pytest.mark.parametrize("ending", ["tsv", "txt", "jsonl", None])
def test_scores_beside_corpus_ids_are_levels(ending: str | None, tmp_path: Any) -> None:
    """BEIR's qrels are read, and a finding says that they list relevant documents alone."""
    beir = pl.DataFrame({"query-id": ["1", "2"], "corpus-id": ["a", "b"], "score": [1, 2]})
    given: Any = beir
    if ending is not None:
        given = tmp_path / f"test.{ending}"
        beir.write_ndjson(given) if ending == "jsonl" else beir.write_csv(given, separator="\t")
    judgments = gs.read_judgments(given)
    assert [row[:2] + row[3:] for row in rows(judgments)] == [("1", "a", "1"), ("2", "b", "2")]
    codes = {found.code: found.message for found in judgments.findings}
    assert "'score' was taken as the level" in codes["columns-chosen"]
    assert "lists relevant documents alone" in codes["positives-only"]


def test_a_table_of_ones_alone_has_two_levels() -> None:
    """Most of BEIR's qrels hold 1 and nothing else: 0 is a level all the same, so that runs can be scored."""
    beir = pl.DataFrame({"query-id": ["1", "1"], "corpus-id": ["a", "b"], "score": [1, 1]})
    assert gs.read_judgments(beir).levels.names == ("0", "1")
    assert gs.score(beir, {"1": {"a": 2.0, "x": 1.0}}, "P@2").means() == {"P@2": 0.5}


def test_zeros_beside_corpus_ids_are_judgments() -> None:
    """Where such a table has a level 0 it does not list relevant documents alone."""
    beir = pl.DataFrame({"query-id": ["1", "2"], "corpus-id": ["a", "b"], "score": [0, 2]})
    assert "positives-only" not in {found.code for found in gs.read_judgments(beir).findings}


def test_scores_without_corpus_ids_are_no_levels() -> None:
    """A run given as judgments is still refused."""
    with pytest.raises(FormatError, match="No level column"):
        gs.read_judgments(pl.DataFrame({"qid": ["1"], "docno": ["a"], "score": [2.5]}))


def test_quepid_and_umbrela_titles_are_understood() -> None:
    """Query Text, Doc ID and Rating; and umbrela's judgment beside the ids of the request."""
    levels = gs.Levels(("0", "1", "2", "3"))
    quepid = pl.DataFrame({"Query Text": ["red dress"], "Doc ID": ["d1"], "Doc Position": [1], "Rating": [3]})
    assert rows(gs.read_judgments(quepid, levels=levels)) == [("red dress", "d1", "labels", "3")]
    umbrela = {
        "model": "m",
        "query": "red",
        "passage": "a dress",
        "prediction": "2",
        "judgment": 2,
        "qid": "q",
        "docid": "d",
    }
    assert rows(gs.read_judgments(pl.DataFrame([umbrela]), levels=levels)) == [("q", "d", "labels", "2")]
    assert rows(gs.read_judgments(pl.DataFrame([{**umbrela, "label": 1}]), levels=levels))[0][3] == "1"


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import pandas, gainsayer as gs
labels = pandas.DataFrame({"qid": ["q1", "q1", "q2"], "docno": ["a", "b", "a"], "rel": [2, None, 0]})
for kind in (object, "category", "string"):
    labels["docno"] = labels["docno"].astype(kind)
    print(gs.read_judgments(labels).frame().rows())
one = pandas.DataFrame({"qid": [7], "docno": [3.0], "judge": ["U1"], "rel": ["1"]})
print(gs.read_judgments(one, levels=gs.Levels(("0", "1"))).frame().rows())
print(gs.read_run(pandas.DataFrame({"qid": ["q1", "q1"], "docno": ["a", "b"], "score": [0.5, 1.5]})).frame().rows())
"""


def test_pandas_frames_are_read_without_pyarrow() -> None:
    """With pandas alone, judgments and runs are what they are with pyarrow: text, whole numbers, gaps and all."""
    pytest.importorskip("pandas")
    found = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], capture_output=True, text=True, check=False)
    assert found.stderr == ""
    rows = "[('q1', 'a', 'labels', '2'), ('q2', 'a', 'labels', '0')]"
    assert found.stdout.splitlines() == [
        *[rows] * 3, "[('7', '3', 'U1', '1')]", "[('q1', 'a', 0.5), ('q1', 'b', 1.5)]",
    ]  # fmt: skip
