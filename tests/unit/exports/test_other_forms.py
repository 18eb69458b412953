"""Gain maps, OpenSearch and Quepid: read back by what other tools use, nothing lost, nothing executed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gainsayer.errors import CallError, DataError, FormatError
from gainsayer.exports.gain_maps import write_gain_json, write_ir_measures_gains, write_trec_eval_gains
from gainsayer.exports.opensearch import write_opensearch_judgments
from gainsayer.exports.quepid import count_formulas, write_quepid_csv
from gainsayer.exports.queries import read_queries
from gainsayer.gains import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.report.model_file import read_model, read_model_levels

Judge = Callable[..., Judgments]
GAINS = Gains(Levels(("0", "1", "2")), np.array([1 / 13, 5 / 17, 0.4]))
NASTY = [
    ('say "hi", <b>{{7*7}}</b>', "=cmd|' /C calc'!A0", "a", "2"),
    ('say "hi", <b>{{7*7}}</b>', "d,2", "a", "0"),
    ("naïve ✓", "d'3", "a", "1"),
]


def test_gain_json_reads_back_exactly() -> None:
    """The JSON map has every digit, and names that need escaping come back."""
    named = Gains(Levels(('N"on', "Key\\")), np.array([1 / 3, 1e-300]))
    assert json.loads(write_gain_json(named)) == {'N"on': 1 / 3, "Key\\": 1e-300}


def test_trec_eval_levels_stand_by_increasing_gain() -> None:
    """The order is that of the gains, in plain decimals, with the codes of the qrels as levels."""
    levels = Levels(("Non", "Rel", "HRel", "Key"), codes=("0", "1", "3", "7"))
    text = write_trec_eval_gains(Gains(levels, np.array([0.21, 0.41, 0.00001, 0.48])))
    assert text == "-m ndcg.3=0.00001,0=0.21,1=0.41,7=0.48"


def test_ir_measures_gains_are_whole_and_parse() -> None:
    """ir_measures reads the measure back, with the scaled gains."""
    ir_measures = pytest.importorskip("ir_measures")
    measure = ir_measures.parse_measure(write_ir_measures_gains(GAINS))
    assert measure.params["gains"] == {0: 77, 1: 294, 2: 400}


def test_maps_need_whole_levels() -> None:
    """Names without numbers, and negative levels, are refused with a way out."""
    with pytest.raises(CallError, match="--levels Non=0,Key=1"):
        write_trec_eval_gains(Gains(Levels(("Non", "Key")), np.array([0.0, 0.5])))
    with pytest.raises(CallError, match="whole numbers from 0, found -1, 0"):
        write_ir_measures_gains(Gains(Levels(("-1", "0")), np.array([0.0, 0.5])))


def test_opensearch_round_trip(judge: Judge) -> None:
    """Ratings are decimal strings that give the gains back exactly; text stays text."""
    body = json.loads(write_opensearch_judgments(judge(NASTY), GAINS, name='a "name"'))
    assert (body["name"], body["type"]) == ('a "name"', "IMPORT_JUDGMENT")
    found = {
        (part["query"], rating["docId"]): rating["rating"]
        for part in body["judgmentRatings"]
        for rating in part["ratings"]
    }
    assert {key: float(rating) for key, rating in found.items()} == {
        (topic, document): GAINS.values[int(level)] for topic, document, _, level in NASTY
    }
    assert all(isinstance(rating, str) and "e" not in rating for rating in found.values())
    assert found[NASTY[0][:2]] == "0.400"


@pytest.mark.parametrize("scale", [None, 1000])
def test_quepid_round_trip(judge: Judge, scale: int | None) -> None:
    """The header is Quepid's, lines end in a line feed, and a CSV reader gives back every cell."""
    text = write_quepid_csv(judge(NASTY), GAINS, scale=scale)
    assert text.startswith("query,docid,rating\n")
    assert "\r" not in text
    rows = list(csv.reader(io.StringIO(text)))[1:]
    wanted = GAINS.values if scale is None else np.array([77, 294, 400])
    assert [(query, document, float(rating)) for query, document, rating in rows] == [
        (topic, document, wanted[int(level)]) for topic, document, _, level in NASTY
    ]
    assert count_formulas(judge(NASTY)) == 1


def test_line_breaks_are_refused(judge: Judge) -> None:
    """A ratings file holds one rating per line, so a break inside an id is refused, in topics and in queries."""
    rows = [("q1", "d\u2028x", "a", "0"), ("q2", "d", "a", "1")]
    gains = Gains(Levels(("0", "1")), np.array([0.1, 0.5]))
    with pytest.raises(DataError, match=r"cannot hold line breaks.*document"):
        write_quepid_csv(judge(rows), gains)
    with pytest.raises(DataError, match="has a line break"):
        write_quepid_csv(
            judge([("q1", "c", "a", "0"), ("q2", "d", "a", "1")]), gains, queries={"q1": "a\nb", "q2": "c"}
        )


def test_queries_replace_topics(judge: Judge, tmp_path: Path) -> None:
    """Queries come from lines of topic and query; a topic without one and two topics with the same are refused."""
    labels = judge([("1", "c", "a", "0"), ("2", "d", "a", "1")])
    gains = Gains(Levels(("0", "1")), np.array([0.1, 0.5]))
    path = tmp_path / "queries.tsv"
    path.write_text('1\tred, "dress"\n\n2   blue jeans\n')
    queries = read_queries(path)
    assert queries == {"1": 'red, "dress"', "2": "blue jeans"}
    assert '"red, ""dress""",c,0.1\nblue jeans,d,0.5\n' in write_quepid_csv(labels, gains, queries=queries)
    with pytest.raises(DataError, match="1 topics have no query: 2"):
        write_opensearch_judgments(labels, gains, queries={"1": "x"})
    with pytest.raises(DataError, match="'1' and '2' have the same query 'x'"):
        write_opensearch_judgments(labels, gains, queries={"1": "x", "2": "x"})
    path.write_text("1\n2\tx\n2\ty\n")
    with pytest.raises(
        FormatError, match=r"line 1: expected a topic and its query(.|\n)*line 3: expected one query for 2"
    ):
        read_queries(path)


MODEL = {
    "threshold": "2",
    "relevant": ["2"],
    "levels": [{"level": "0", "probability": 0.1}, {"level": "2", "probability": None}],
    "thresholds": [
        {"threshold": "2", "relevant": ["2"], "levels": [{"level": "0", "probability": 0.1}]},
        {"threshold": None, "relevant": ["0", "2"], "levels": [{"level": "0", "probability": 0.9}]},
    ],
    "level_scheme": {"names": ["0", "2"], "codes": None, "merges": {"3": "2"}, "missing": ["-1"], "ordered": True},
}


def test_a_model_reads_back(tmp_path: Path) -> None:
    """Probabilities by level, NaN where unknown; any threshold of the model by its name; the levels as fitted."""
    path = tmp_path / "model.json"
    path.write_text(json.dumps(MODEL))
    probabilities = read_model(path)
    assert probabilities["0"] == 0.1
    assert np.isnan(probabilities["2"])
    assert read_model(path, threshold="2.0") == {"0": 0.1}
    assert read_model(path, threshold="0,2") == {"0": 0.9}
    levels = read_model_levels(path)
    assert levels is not None
    assert levels.match(["3", "-1"]) == {"3": 1, "-1": -1}
    with pytest.raises(CallError, match=r"no threshold '1': it has 2, 0,2\. Fit it"):
        read_model(path, threshold="1")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "found no JSON"),
        ("[1]", r"expected a model file, found \[1\]"),
        ("{}", "expected a list of 'levels', found nothing"),
        ('{"levels": [3]}', "level 1 needs 'level' and 'probability', found 3"),
        ('{"levels": [{"level": "0", "probability": 1.5}]}', "from 0 to 1 for level '0', found 1.5"),
        ('{"levels": [{"level": "0", "probability": "x"}]}', "found 'x'"),
        ('{"levels": [{"level": 0, "probability": 1}, {"level": "0", "probability": 1}]}', "'0' stands there twice"),
        ("[" * 100_000, "found no JSON"),
        ("q1 0 d1 1", "found no JSON"),
    ],
)
def test_a_file_that_is_no_model(content: str, words: str, tmp_path: Path) -> None:
    """The data is at fault, the file is named, and the way to make a model stands in the message."""
    path = tmp_path / "model.json"
    path.write_text(content)
    with pytest.raises(DataError, match=rf"model.json: .*{words}.*gainsayer fit"):
        read_model(path)
