"""Wide tables: without a level column, every column that holds levels and nothing else is a rater's."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.errors import FormatError

BOOK = {
    "query": ["red dress"] * 40 + ["blue coat"],
    "docid": [f"d{number}" for number in range(41)],
    "title": ["1984", *["a long title of some document"] * 40],
    "rank": [*range(1, 41), 1],
    "Ann": [None, *[number % 3 for number in range(40)]],
    "Bob": [None] * 40 + [2],
    "score": list(range(41)),
    "task_id": list(range(41)),
}
ROWS = sorted(
    (query, document, rater, str(BOOK[rater][row]))
    for row, (query, document) in enumerate(zip(BOOK["query"], BOOK["docid"], strict=True))
    for rater in ("Ann", "Bob")
    if BOOK[rater][row] is not None
)
LEVELS = gs.Levels(("low", "high"), missing=frozenset({"?"}))


def save(form: str, columns: dict[str, list[Any]], folder: Path) -> Any:
    """The same table in a file or an object of this kind."""
    path, frame = folder / f"book.{form}", pl.DataFrame(columns)
    if form == "quoted":
        path = folder / "book.csv"
        frame.write_csv(path, quote_style="always")
    elif form in ("csv", "tsv"):
        frame.write_csv(path, separator="\t" if form == "tsv" else ",")
    elif form == "jsonl":
        frame.write_ndjson(path)
    elif form == "sparse.jsonl":
        rows = [{key: cell for key, cell in row.items() if cell is not None} for row in frame.to_dicts()]
        path.write_text("\n".join(map(json.dumps, rows)))
    elif form == "json":
        path.write_text(json.dumps(frame.to_dicts(), indent=1))
    elif form == "parquet":
        frame.write_parquet(path)
    elif form == "polars":
        return frame
    elif form == "pandas":
        return frame.to_pandas()
    elif form == "tuples":
        return [namedtuple("Row", columns)(*row) for row in frame.rows()]
    return path


@pytest.mark.parametrize(
    "form",
    ["csv", "quoted", "tsv", "jsonl", "sparse.jsonl", "json", "parquet", "polars", "pandas", "tuples"],
)
def test_every_format_sees_the_same_raters(form: str, tmp_path: Path) -> None:
    """A rater who begins late, however sparse, is one; texts, ranks, scores and ids are not, which a finding says."""
    judgments = gs.read_judgments(save(form, BOOK, tmp_path))
    assert sorted(judgments.frame().rows()) == ROWS
    [found] = [found.message for found in judgments.findings if found.code == "wide-table"]
    assert "taken as an assessor: 'Ann', 'Bob'; the others are 'query', 'docid', 'title', 'rank', " in found


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "polars"])
def test_named_levels_tell_raters_as_numbers_do(form: str, tmp_path: Path) -> None:
    """Where levels are named, columns of these names and of labels that mean 'not judged' are raters'."""
    columns = {"qid": [1, 1], "docno": ["a", "b"], "Ann": ["low", "high"], "Bob": ["?", "low"], "note": ["low", "odd"]}
    given = save(form, columns, tmp_path)
    assert gs.read_judgments(given, levels=LEVELS).assessors == ("Ann", "Bob")
    with pytest.raises(FormatError, match=r"No level column.*\n.*name those columns: raters='Ann,Bob,note'$"):
        gs.read_judgments(given)


@pytest.mark.parametrize("cells", ["1.5 2", "x 2", " ", "true false"])
def test_cells_that_are_not_all_levels(cells: str, tmp_path: Path) -> None:
    """Decimals, text, truth, and a column with nothing in it make no rater."""
    first, second = cells.split(" ")
    path = tmp_path / "book.csv"
    path.write_text(f"query,docid,Ann\nq,d1,{first}\nq,d2,{second}\n")
    with pytest.raises(FormatError, match="No level column"):
        gs.read_judgments(path)


@pytest.mark.parametrize("title", ["Confidence", "timestamp", "ID", "position", "weight", "worker id"])
def test_titles_that_mean_something_else(title: str) -> None:
    """Whole numbers below a title that says what else they are make no rater."""
    with pytest.raises(FormatError, match="No level column"):
        gs.read_judgments(pl.DataFrame({"query": ["q", "q"], "docid": ["a", "b"], title: [1, 2]}))


def test_more_numbers_than_there_may_be_levels_are_no_levels(tmp_path: Path) -> None:
    """A column of more than a hundred different numbers is left out, a single other column is a rater."""
    rows = [f"q,d{number},{number % 2},{1000 + number}" for number in range(101)]
    path = tmp_path / "book.csv"
    path.write_text("\n".join(["query,docid,Ann,words", *rows]))
    assert gs.read_judgments(path).assessors == ("Ann",)


def test_an_assessor_column_is_of_no_wide_table() -> None:
    """Where a column says who judged, the level column is missing, and the message has the option to type."""
    table = pl.DataFrame({"qid": [1], "docno": ["a"], "judge": ["x"], "verdict": [1]})
    with pytest.raises(FormatError, match=r"No level column.*\n.*raters='verdict'$"):
        gs.read_judgments(table)


def test_the_command_line_names_raters(tmp_path: Path, run: Callable[..., Result]) -> None:
    """The message that misses a level column says what to type."""
    path = tmp_path / "b.csv"
    path.write_text("query,docid,Ann,Bob\nq,a,good,good\nq,b,bad,good\n")
    refused = run("agree", path)
    assert refused.exit_code == 1
    assert "name those columns: --raters Ann,Bob" in refused.stderr
    assert run("agree", path, "--raters", "Ann,Bob", "--format", "json").exit_code == 0
