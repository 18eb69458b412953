"""Everything a report can say: what the data allows, and each run file opened once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gainsayer.errors import PairingError
from gainsayer.evaluation.overview import Overview, OverviewRequest, gather
from gainsayer.evaluation.ranked_runs import Resources
from gainsayer.evaluation.sources import Reading


@pytest.fixture(scope="module")
def folder(simulated_files: Callable[..., Path]) -> Path:
    """Twelve topics, some judged twice, three runs, two strata."""
    return simulated_files(topics=12, documents=30)


def look(folder: Path, *, runs: bool = True, files: tuple[str, ...] = ("first", "second"), **given: Any) -> Overview:
    """An overview of the collection."""
    reading = Reading(tuple(folder / f"{name}.qrels" for name in files), strata=given.pop("strata", None))
    asked = {"resamples": 100, "permutations": 100, **given}
    return gather(OverviewRequest(reading, folder / "runs" if runs else None, "nDCG@10", **asked))


def test_all_of_it(folder: Path) -> None:
    """Two sides and several runs allow every part but a machine's and that of two runs; gains as in `compare`."""
    found = look(folder, strata=folder / "strata.tsv")
    lacking = [name for name, value in vars(found).items() if value is None]
    assert lacking == ["machine", "best_case"]
    assert found.comparison is not None
    kinds = [part.scheme.name for part in found.comparison.parts]
    assert kinds == ["prm", "binary"]
    assert found.strata.keys() == {"nav", "inf"}
    of_strata = found.strata["nav"][1]
    assert of_strata is not None
    assert [part.scheme.name for part in of_strata.parts] == ["prm", "binary"]
    assert [Path(file).name for file in found.files] == ["best.run", "fair.run", "poor.run"]


def test_judgments_alone(folder: Path) -> None:
    """Without runs there is everything about the judgments, and nothing about runs."""
    found = look(folder, runs=False)
    assert found.agreement is not None
    assert found.amount is not None
    assert (found.comparison, found.robustness, found.quality, found.users, found.files) == (None, None, None, None, ())


def test_one_assessor(folder: Path) -> None:
    """Without second opinions runs are compared, and nothing is estimated; two who share no document are refused."""
    found = look(folder, files=("first",))
    assert (found.fit, found.agreement, found.amount) == (None, None, None)
    assert found.comparison is not None
    with pytest.raises(PairingError):
        look(folder, files=("first",), first="first", second="first")


def test_asked_for_gains_are_used(folder: Path) -> None:
    """Gains that were asked for are those of the comparison."""
    comparison = look(folder, gains="linear").comparison
    assert comparison is not None
    assert [part.scheme.name for part in comparison.parts] == ["linear"]


def test_confidence_is_that_of_every_interval(folder: Path) -> None:
    """One confidence for agreement, parameters and comparison."""
    found = look(folder, confidence=0.8)
    assert found.agreement is not None
    assert found.fit is not None
    assert found.comparison is not None
    assert {found.agreement.confidence, found.fit.predict().confidence, found.comparison.confidence} == {0.8}


def test_runs_of_resources_have_no_robustness_and_quality(folder: Path) -> None:
    """Where runs rank resources, their order by the other side and their ranks of documents are not looked at."""
    documents = Resources(count=1, results=1, rule=r"(?P<resource>.+(?P<rank>\d))$")
    found = look(folder, resources=documents)
    assert (found.robustness, found.quality) == (None, None)
    assert found.comparison is not None


def test_each_run_file_is_opened_once(folder: Path) -> None:
    """`report` opens a run file once, but for its fingerprint; an audit hook sees every opening."""
    code = """
import collections, json, sys
from gainsayer.evaluation import provenance
from gainsayer.presentation.report import report
provenance._digest = lambda path: None
opened = collections.Counter()
sys.addaudithook(lambda event, given: opened.update([str(given[0])]) if event == "open" else None)
made = report([sys.argv[1] + "/first.qrels", sys.argv[1] + "/second.qrels"], sys.argv[1] + "/runs", resamples=100)
assert made.overview.robustness is not None and made.overview.quality is not None
print(json.dumps({name: count for name, count in opened.items() if name.endswith(".run")}))
"""
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    opened = json.loads(done.stdout)
    assert {Path(name).name: count for name, count in opened.items()} == {"best.run": 1, "fair.run": 1, "poor.run": 1}
