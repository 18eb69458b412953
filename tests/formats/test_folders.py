"""A folder of Parquet files as one table of judgments."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import gainsayer as gs
from gainsayer.errors import CallError, FormatError

TABLE = pl.DataFrame(
    {"qid": ["q1", "q1", "q2"], "docno": ["a", "b", "a"], "judge": ["ann", "bob", "ann"], "rel": [2, 0, 1]}
)


def write_folder(folder: Path) -> Path:
    """The table in three files, with what Spark puts next to them."""
    for number, part in enumerate(TABLE.iter_slices(1)):
        below = folder / "judgments" / f"day={number}"
        below.mkdir(parents=True)
        part.write_parquet(below / f"part-{number}.parquet")
    (folder / "judgments" / "_SUCCESS").touch()
    (folder / "judgments" / "_temporary").mkdir()
    TABLE.write_parquet(folder / "judgments" / "_temporary" / "part-9.parquet")
    return folder / "judgments"


def test_a_folder_is_one_table(tmp_path: Path) -> None:
    """Its files' rows are those of one table, in the order of their names; what begins with `_` or `.` is no data."""
    found = gs.read_judgments(write_folder(tmp_path))
    assert found.frame().equals(gs.read_judgments(TABLE).frame())
    assert gs.read_judgments(str(tmp_path / "judgments")).findings == ()


def test_a_folder_without_assessors_is_its_own(tmp_path: Path) -> None:
    """Where no column says who judged, the folder's name does."""
    (tmp_path / "crowd").mkdir()
    TABLE.drop("judge").write_parquet(tmp_path / "crowd" / "part-0.parquet")
    assert gs.read_judgments(tmp_path / "crowd").assessors == ("crowd",)


def test_folders_that_are_something_else(tmp_path: Path) -> None:
    """A folder without Parquet is refused as ever, a table with a log by its kind, files that differ with a reason."""
    folder = write_folder(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(CallError, match=r"is a folder: expected a file"):
        gs.read_judgments(tmp_path / "empty")
    TABLE.rename({"rel": "grade"}).write_parquet(folder / "part-3.parquet")
    with pytest.raises(FormatError, match=r"judgments: expected files with the same columns, found others"):
        gs.read_judgments(folder)


@pytest.mark.parametrize(
    ("names", "kind"),
    [(["_delta_log", "part-0.parquet"], "Delta"), ([".hoodie"], "Hudi"), (["metadata", "data"], "Iceberg")],
)
def test_tables_with_a_log_are_not_folders(tmp_path: Path, names: list[str], kind: str) -> None:
    """Files of a Delta, Hudi or Iceberg table may not count any more: only its own reader knows."""
    for name in names:
        (tmp_path / name).mkdir()
    with pytest.raises(CallError, match=rf" is a {kind} table, .* spark\.table\('NAME'\)"):
        gs.read_judgments(tmp_path)
