"""Run all benchmarks and print one table: `make bench`. Some of them: `python -m benchmarks command_line scoring`."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks import (
    bootstrap,
    command_line,
    comparison,
    expected,
    in_process,
    planning,
    reading,
    reporting,
    scoring_claims,
    startup,
)
from benchmarks.timing import HEADER, Ratio

Part = Callable[[Path], Iterable[Ratio]]
# The goals of the reader first: from files to scores.
PARTS: dict[str, Part] = {
    "command_line": command_line.measure,
    "in_process": in_process.measure,
    "scoring": scoring_claims.measure_scoring,
    "startup": lambda _: startup.measure(),
    "bootstrap": lambda _: bootstrap.measure(),
    "comparison": lambda _: comparison.measure(),
    "expected": lambda _: expected.measure(),
    "reading": reading.measure,
    "reporting": reporting.measure,
    "planning": planning.measure,
}


def main(names: list[str]) -> int:
    """Measure, print each row when it is known, and give 1 where a goal was missed."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"There is no benchmark {unknown[0]!r}. There are: {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()}, {platform.machine()}\n\n{HEADER}", flush=True)
    missed = False
    for name in names or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            for result in PARTS[name](Path(folder)):
                print(result.line(), flush=True)
                missed |= not result.reached
    if command_line.find_trec_eval() is None:
        print("\ntrec_eval was not found (on the path, or where TREC_EVAL says), so its rows are left out.")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
