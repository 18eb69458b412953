"""The ways through the modules, as the page on architecture draws them, are those of real calls."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
# The longest ways there may be, from file to number. A module more is no fault, but should be noticed.
MOST = {"p(R|i)": 30, "nDCG": 38}


def test_the_page_draws_the_ways_of_real_calls() -> None:
    """The page holds what a trace in a fresh process gives now (else: python docs/trace.py --write)."""
    done = subprocess.run([sys.executable, DOCS / "trace.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_ways_are_not_too_long() -> None:
    """A judgment reaches p(R|i), and a run row nDCG, through no more modules than a reader can follow."""
    page = (DOCS / "explanation" / "architecture.md").read_text("utf-8")
    found = {number: int(count) for count, number in re.findall(r"(\d+)\s+modules\s+from\s+file\s+to\s+(\S+),", page)}
    assert found.keys() == MOST.keys()
    assert all(found[number] <= most for number, most in MOST.items()), found


def test_functions_that_run_on_import_are_no_part_of_a_way() -> None:
    """A call that only imports passes nothing; one that calls a function passes its module, and its return is noted."""
    spec = importlib.util.spec_from_file_location("gainsayer_trace", DOCS / "trace.py")
    assert spec is not None
    assert spec.loader is not None
    tracer = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = tracer
    spec.loader.exec_module(tracer)
    assert tracer.trace(lambda: __import__("gainsayer.exports.checks")) == ((), None)

    def call() -> None:
        from gainsayer.levels import canonical_label

        canonical_label("2.0")

    assert tracer.trace(call, "levels:canonical_label") == (("levels",), 1)
