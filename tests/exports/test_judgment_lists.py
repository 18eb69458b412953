"""Ratings and books for search tools: what is written reads back the same, and what cannot be written is refused."""

from __future__ import annotations

import csv
import io
import json
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.errors import DataError, FormatError
from gainsayer.exports import count_formulas, read_queries, write_opensearch_judgments, write_quepid_csv
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.reading import Judgments

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
    with pytest.raises(DataError, match="There is no query for 1 topic: 2"):
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


TWENTY = gs.twenty_documents()


def rows(judgments: gs.Judgments) -> list[tuple[str, ...]]:
    """The judgments in an order."""
    return sorted(judgments.frame().select("topic", "document", "assessor", "level").rows())


def test_a_book_reads_back_the_same(tmp_path: Path) -> None:
    """Every judge's level of every document, queries by their words."""
    path = tmp_path / "book.json"
    path.write_text(gs.export("quepid-book", TWENTY, queries={"q1": 'red "dress", <b>'}).text)
    again = gs.read_judgments(path)
    assert rows(again) == [('red "dress", <b>', *row[1:]) for row in rows(TWENTY)]


def test_levels_with_names_are_numbered(tmp_path: Path) -> None:
    """A book holds numbers: the places of the levels, which the same levels read back."""
    twin = gs.simulate(topics=3, documents=8, runs=1, seed=3)
    path = tmp_path / "book.json"
    path.write_text(gs.export("quepid-book", twin.judgments).text)
    assert rows(gs.read_judgments(path, levels=twin.levels)) == rows(twin.judgments)


def test_an_opensearch_list_reads_back_the_gains(tmp_path: Path) -> None:
    """The gains are decimals, so reading them back takes their names as levels; they are those of the labels."""
    path = tmp_path / "list.json"
    gains = {"0": 0.01, "1": 0.27, "2": 0.53}
    path.write_text(gs.export("opensearch", TWENTY, labels="U1", gain=gains).text)
    again = gs.read_judgments(path, levels=gs.Levels(("0.01", "0.27", "0.53")))
    worth = {level: f"{gain:g}" for level, gain in gains.items()}
    expected = sorted((row[1], worth[row[3]]) for row in rows(TWENTY) if row[2] == "U1")
    assert sorted((row[1], row[3]) for row in rows(again)) == expected


def test_quepid_ratings_read_back_the_gains(tmp_path: Path) -> None:
    """The CSV of ratings, likewise; scaled ones are whole numbers and need no levels."""
    path = tmp_path / "ratings.csv"
    path.write_text(gs.export("quepid", TWENTY, labels="U1", gain={"0": 0.01, "1": 0.27, "2": 0.53}, scale=100).text)
    assert set(gs.read_judgments(path).levels.names) == {"1", "27", "53"}


def test_the_command_writes_a_book_without_gains(tmp_path: Path, run: Callable[..., Result]) -> None:
    """`export quepid-book` needs judgments and nothing else."""
    (tmp_path / "a.qrels").write_text("q1 0 d1 2\nq1 0 d2 0\n")
    result = run("export", "quepid-book", tmp_path / "a.qrels", "-o", tmp_path / "book.json")
    assert result.exit_code == 0, result.stderr
    assert rows(gs.read_judgments(tmp_path / "book.json")) == [("q1", "d1", "a", "2"), ("q1", "d2", "a", "0")]


def test_intents_have_no_place_in_a_book() -> None:
    """A book has one rating per judge and document, so intents are refused."""
    row = namedtuple("row", "topic document level intent")
    with pytest.raises(DataError, match="A Quepid book has no intents"):
        gs.export("quepid-book", gs.read_judgments([row("q", "d", 1, "1"), row("q", "d", 0, "2")]))
