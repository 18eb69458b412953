"""The examples that need a neighbour run as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_pyterrier_takes_our_measures_and_we_its_results(tmp_path: Path) -> None:
    """pt.Experiment shows PRM_nDCG beside nDCG, and its results are compared as they are."""
    pytest.importorskip("pyterrier", reason="pyterrier is not installed: make test-neighbours installs the neighbours")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(EXAMPLES / "pyterrier_experiment.py")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    table, verdict = done.stdout.splitlines()[-3:-1], done.stdout.splitlines()[-1]
    assert [line.split()[1] for line in table] == ["bm25", "dense"]
    assert "PRM_nDCG(model='users')@10" in done.stdout
    assert verdict == "['better']"
