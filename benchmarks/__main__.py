"""Run all benchmarks and print one table: `make bench`."""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path

from benchmarks import bootstrap, command_line, comparison, expected, in_process, planning, reading, reporting, startup
from benchmarks.scoring_claims import measure_scoring
from benchmarks.timing import HEADER


def main() -> None:
    """Measure, print, and exit with 1 where a goal was missed."""
    results = [*startup.measure(), *bootstrap.measure(), *comparison.measure(), *expected.measure()]
    with tempfile.TemporaryDirectory() as folder:
        results += reading.measure(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        results += reporting.measure(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        results += planning.measure(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        results += measure_scoring(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        results += [*in_process.measure(Path(folder)), *command_line.measure(Path(folder))]
    print(f"Python {platform.python_version()}, {platform.machine()}\n")
    print(HEADER)
    for result in results:
        print(result.line())
    if command_line.find_trec_eval() is None:
        print("\ntrec_eval was not found (on the path, or where TREC_EVAL says), so its rows are left out.")
    sys.exit(not all(result.reached for result in results))


if __name__ == "__main__":
    main()
