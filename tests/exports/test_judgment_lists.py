"""Judgment lists for OpenSearch and Quepid, and the queries behind the topics."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gainsayer.errors import DataError, FormatError
from gainsayer.exports import count_formulas, read_queries, write_opensearch_judgments, write_quepid_csv
from gainsayer.gains import Gains
from gainsayer.judgments import Judgments
from gainsayer.levels import Levels

Judge = Callable[..., Judgments]


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


GAINS = Gains(Levels(("0", "1", "2")), np.array([1 / 13, 5 / 17, 0.4]))


NASTY = [
    ('say "hi", <b>{{7*7}}</b>', "=cmd|' /C calc'!A0", "a", "2"),
    ('say "hi", <b>{{7*7}}</b>', "d,2", "a", "0"),
    ("naïve ✓", "d'3", "a", "1"),
]


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
