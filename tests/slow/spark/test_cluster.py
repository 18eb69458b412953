"""On a cluster of two workers: the documented line, and an executor that is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.engines.same_results import differences
from tests.slow.spark.conftest import Cluster, wait_for

import gainsayer as gs

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.spark


def read(printed: str) -> Any:
    """The JSON of a result, without where it comes from."""
    found = json.loads(printed)
    found.pop("provenance")
    return found


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_killed_executor_changes_nothing(cluster: Cluster, shared_data: Callable[[str], Path], command: str) -> None:
    """All 63 runs of dl21, by a cluster one of whose executors is killed on the way, are those of one machine."""
    folder = shared_data("dl21")
    judged = [str(folder / "assessors" / f"{name}.qrels") for name in ("nist", "umbrela-gpt4")]
    options = ["--threshold", "2", "-m", "nDCG@10", "-m", "AP", "--format", "json"]
    options += [] if command == "score" else ["--resamples", "200"]
    line = [sys.executable, "-m", "gainsayer", command, *judged, "--runs", str(folder / "runs"), *options]
    expected = subprocess.run(line, capture_output=True, text=True, check=True)
    asked = [*line, "--engine", "spark", "--master", cluster.master]
    environment = {**cluster.environment, "PYSPARK_PYTHON": sys.executable}
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as found:
        killed: list[int] = []
        before = cluster.deaths
        wait_for(lambda: killed.extend(cluster.executors()) or killed or found.poll() is not None)
        for executor in killed[:1]:
            os.kill(executor, signal.SIGKILL)
        printed, said = found.communicate(timeout=300)
    assert killed, said
    assert found.returncode == 0, said
    assert cluster.deaths == before + 1
    assert list(differences(read(expected.stdout), read(printed))) == []


def test_the_documented_line_runs(cluster: Cluster, tmp_path: Path) -> None:
    """The line for spark-submit runs as it stands in the docs, but for the addresses of master and data."""
    page = (ROOT / "docs" / "how-to" / "work-on-a-cluster.md").read_text()
    [line] = re.findall(r"^\$ (.*spark-submit(?:.*\\\n)*.*)$", page, re.MULTILINE)
    for here, there in (("--master yarn", f"--master {cluster.master}"), ("s3a://log/", f"{tmp_path}/")):
        assert here in line
        line = line.replace(here, there)
    write_tables(tmp_path)
    pack_environment(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, env=cluster.environment)
    assert done.returncode == 0, done.stderr
    tables = tmp_path / "judgments", tmp_path / "runs" / "part-0.parquet"
    assert [name for name in ("bm25", "dense") if re.search(rf"\b{name} +0\.\d+", done.stdout)] == ["bm25", "dense"]
    judgments = gs.read_judgments(str(tables[0]))
    runs = {
        name: rows.drop("run") for (name,), rows in pl.read_parquet(tables[1]).partition_by("run", as_dict=True).items()
    }
    whole = gs.compare(judgments, runs, "nDCG@10", first="llm", second="people", threshold=2)
    assert str(whole).split() == done.stdout.split()


def write_tables(folder: Path) -> None:
    """Judgments in several files of a folder, and the runs of two systems in one."""
    collection = gs.simulate(topics=12, documents=10, runs={"bm25": 0.4, "dense": 0.9}, seed=4)
    levels = pl.col("level").replace({"Non": "0", "Rel": "1", "HRel": "2", "Key": "3"})
    people = pl.col("assessor").replace({"first": "llm", "second": "people"})
    judgments = collection.judgments.frame().with_columns(levels, people)
    tables = [run.with_columns(pl.lit(name).alias("run")) for name, run in collection.runs.items()]
    for name, parts in (("judgments", judgments.iter_slices(70)), ("runs", [pl.concat(tables)])):
        (folder / name).mkdir()
        for number, part in enumerate(parts):
            part.write_parquet(folder / name / f"part-{number}.parquet")


def pack_environment(folder: Path) -> None:
    """An archive as venv-pack makes it, whose Python is that of the tests: packing it as a whole takes a minute."""
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    with tarfile.open(folder / "env.tar.gz", "w:gz") as archive:
        archive.add(python, "bin/python")
