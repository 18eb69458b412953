"""Quepid's books and OpenSearch's lists: what is written reads back the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.errors import DataError

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
    from collections import namedtuple

    row = namedtuple("row", "topic document level intent")
    with pytest.raises(DataError, match="A Quepid book has no intents"):
        gs.export("quepid-book", gs.read_judgments([row("q", "d", 1, "1"), row("q", "d", 0, "2")]))
