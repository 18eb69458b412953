"""Wide tables: seen where nothing else stands in them, and read where somebody says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.errors import FormatError

BOOK = "query,docid,Ann,Bob\nred dress,d1,3,2.0\nred dress,d2,,0\nblue coat,d1,1,\n"
ROWS = [
    ("blue coat", "d1", "Ann", "1"),
    ("red dress", "d1", "Ann", "3"),
    ("red dress", "d1", "Bob", "2"),
    ("red dress", "d2", "Bob", "0"),
]


def save(path: Path, text: str) -> Path:
    """Write a file."""
    path.write_text(text)
    return path


@pytest.mark.parametrize("form", ["csv", "jsonl", "frame"])
def test_a_book_is_seen_to_be_wide(form: str, tmp_path: Path) -> None:
    """Topic, document and columns of numbers: every one of these is an assessor, which a finding says."""
    path = save(tmp_path / "book.csv", BOOK)
    frame = pl.read_csv(path)
    frame.write_ndjson(tmp_path / "book.jsonl")
    given = {"csv": path, "jsonl": tmp_path / "book.jsonl", "frame": frame}[form]
    judgments = gs.read_judgments(given)
    assert sorted(judgments.frame().rows()) == ROWS
    [found] = [found.message for found in judgments.findings if found.code == "wide-table"]
    assert "taken as an assessor: 'Ann', 'Bob'; the others are 'query', 'docid'." in found


@pytest.mark.parametrize("more", ["title", "Rank", "iteration"])
def test_something_else_beside_the_raters_is_not_guessed_about(more: str, tmp_path: Path) -> None:
    """A text, a rank or an iteration beside the columns of levels: asked for, or refused with what to say."""
    head, *lines = BOOK.splitlines()
    cell = "a long title of some document" if more == "title" else "1"
    path = save(tmp_path / "book.csv", "\n".join([f"{head},{more}", *(f"{line},{cell}" for line in lines)]) + "\n")
    with pytest.raises(FormatError, match=r"take every column that looks so \(wide=True\), or name these"):
        gs.read_judgments(path)
    if more == "title":
        assert sorted(gs.read_judgments(path, wide=True).frame().rows()) == ROWS


def test_one_further_column_is_no_wide_table(tmp_path: Path) -> None:
    """A single column of numbers may be a level under another name: it is taken when asked for."""
    path = save(tmp_path / "book.csv", "query,docid,Ann\nq,d1,3\nq,d2,0\n")
    with pytest.raises(FormatError, match="No level column"):
        gs.read_judgments(path)
    assert gs.read_judgments(path, wide=True).assessors == ("Ann",)


def test_the_command_line_says_wide(tmp_path: Path, run: Callable[..., Result]) -> None:
    """--wide does what wide=True does, and the message that misses it has the flag."""
    path = save(tmp_path / "b.csv", "query,docid,title,Ann,Bob\nq,a,x y z is the title of this one,2,2\nq,b,w,0,1\n")
    refused = run("agree", path)
    assert refused.exit_code == 1
    assert "(--wide)" in refused.stderr
    assert run("agree", path, "--wide", "--format", "json").exit_code == 0
