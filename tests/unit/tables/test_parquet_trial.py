"""Parquet files that would end the process: refused in words, and the next file is read as ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from gainsayer.errors import FormatError
from gainsayer.judgments import read_judgments
from gainsayer.runs import read_run
from gainsayer.tables import parquet_trial

DEADLY = sorted((Path(__file__).parents[2] / "fuzz" / "examples").glob("*.parquet"))

SECONDS = 300


def write_parquet(path: Path, **columns: list[object]) -> Path:
    """A good Parquet file."""
    pl.DataFrame(columns).write_parquet(path)
    return path


def test_there_are_deadly_files() -> None:
    """The files that made polars 2.1 abort are kept."""
    assert len(DEADLY) >= 2


@pytest.mark.parametrize("path", DEADLY, ids=lambda path: path.stem)
def test_a_deadly_file_is_refused(path: Path) -> None:
    """A file that makes polars abort its process is refused as damaged, as judgments and as a run."""
    with pytest.raises(FormatError, match=r"\.parquet: expected a whole Parquet file, found it damaged or cut off"):
        read_judgments(path)
    with pytest.raises(FormatError, match=r"\.parquet: expected"):
        read_run(path)


def test_good_files_are_read_after_a_deadly_one(tmp_path: Path) -> None:
    """A file that ended the other process leaves the next one as it is."""
    good = write_parquet(tmp_path / "a.parquet", topic=["q1", "q1"], document=["d1", "d2"], score=[2.0, 1.0])
    for path in DEADLY:
        with pytest.raises(FormatError):
            read_run(path)
        assert read_run(good).frame().rows() == [("q1", "d1", 2.0), ("q1", "d2", 1.0)]


def test_a_script_without_a_guard_reads_parquet(tmp_path: Path) -> None:
    """A plain script (no main guard, a polars.py in a folder that may not be written) reads, and prints no panic."""
    good = write_parquet(tmp_path / "a.parquet", topic=["q1", "q1"], document=["d1", "d2"], level=[0, 1])
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nimport gainsayer as gs\nprint(gs.read_judgments(sys.argv[1]))\n"
        "for path in sys.argv[2:]:\n"
        "    try:\n        gs.read_judgments(path)\n    except gs.DataError as error:\n        print('refused')\n"
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "polars.py").write_text("raise SystemExit('not this one')\n")
    folder.chmod(0o555)
    ended = subprocess.run(
        [sys.executable, "-P", script, good, *DEADLY], cwd=folder, capture_output=True, text=True, timeout=SECONDS
    )
    assert ended.stderr == ""
    assert ended.stdout.splitlines()[1:] == ["refused"] * len(DEADLY)
    assert "2 judgments of 2 documents" in ended.stdout
    assert ended.returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == ["polars.py"]


def test_a_process_that_was_killed_is_started_again(tmp_path: Path) -> None:
    """If somebody ends the other process between two files, the second one is not blamed."""
    good = write_parquet(tmp_path / "a.parquet", topic=["q1", "q1"], document=["d1", "d2"], level=[0, 1])
    assert len(read_judgments(good)) == 2
    process = parquet_trial._SERVANT._process
    assert process is not None
    process.kill()
    process.wait()
    assert len(read_judgments(good)) == 2


def test_a_process_that_cannot_start_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no other process can be started, the message says so and names a way out."""
    good = write_parquet(tmp_path / "a.parquet", topic=["q1"], document=["d1"], level=[0])
    parquet_trial._SERVANT.end()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere" / "python"))
    with pytest.raises(ValueError, match=r"cannot be started: No such file or directory\. Write the file as CSV"):
        read_judgments(good)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_leaves_the_other_process_to_its_parent(tmp_path: Path) -> None:
    """After a fork the parent goes on to read Parquet."""
    good = write_parquet(tmp_path / "a.parquet", topic=["q1", "q1"], document=["d1", "d2"], level=[0, 1])
    script = (
        "import os, sys, gainsayer as gs\n"
        "gs.read_judgments(sys.argv[1])\n"
        "if os.fork() == 0:\n    sys.exit(0)\n"
        "os.wait()\nprint(len(gs.read_judgments(sys.argv[1])))\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", script, str(good)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("2\n", "", 0)
