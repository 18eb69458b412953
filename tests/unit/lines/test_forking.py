"""Reading in a forked process: it works or refuses, and never waits forever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gainsayer.lines import find_kernel

SECONDS = 120
QRELS = "q1 0 d1 1\nq1 0 d2 0\n"
CSV = "topic,document,assessor,level\nq1,d1,U,1\nq1,d2,U,0\n"
FORK = """\
import multiprocessing, sys
import polars as pl
import gainsayer as gs

def read(path):
    try:
        return str(len(gs.read_run(path) if path.endswith(".run") else gs.read_judgments(path)))
    except gs.GainsayerError as error:
        return type(error).__name__ + ": " + str(error)

if sys.argv[1] == "used":
    gs.read_judgments(sys.argv[2])
with multiprocessing.get_context("fork").Pool(1) as pool:
    for path in sys.argv[2:]:
        print(pool.apply_async(read, (path,)).get(60))
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


def read_in_fork(folder: Path, past: str) -> list[str]:
    """What a forked process says of a CSV file, plain and odd qrels, words as labels, a plain run, odd numbers."""
    contents = {
        "a.csv": CSV,
        "clean.qrels": QRELS,
        "odd.qrels": QRELS.replace(" 0 ", "  0 "),
        "words.qrels": QRELS.replace("1\n", "Key\n").replace("0\n", "Non\n"),
        "clean.run": "q1 Q0 d1 1 2.5 x\nq1 Q0 d2 2 1.5 x\n",
        "odd.run": "q1 Q0 d1 1 2.5e-3 x\nq1 Q0 d2 2 1.5 x\n",
    }
    for name, text in contents.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-W", "ignore", "-c", FORK, past, *(str(folder / name) for name in contents)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


def test_a_fork_reads_where_polars_had_not_worked(tmp_path: Path) -> None:
    """Where polars was imported but not yet at work, a forked process reads every file."""
    assert read_in_fork(tmp_path, "fresh") == ["2"] * 6


def test_a_fork_refuses_where_polars_was_at_work(tmp_path: Path) -> None:
    """Where polars was at work, a forked process reads qrels and runs as bytes, and refuses what needs polars.

    The compiled reader needs no polars for exponents.
    """
    table, plain, odd, words, run, numbers = read_in_fork(tmp_path, "used")
    assert plain == odd == run == "2"
    if find_kernel() is not None:
        assert numbers == "2"
        numbers = table
    for said in (table, words, numbers):
        assert said.startswith("CallError: This process was forked from one in which polars was at work")
        assert "get_context('spawn')" in said
