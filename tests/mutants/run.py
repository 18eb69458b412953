"""Would the tests notice? Break the code on purpose, one small change at a time, and see whether a test fails.

`make mutants` draws in every room some of the changes that cosmic-ray knows (another operator, another number, a loop
left out), adds those of by_hand.py, and runs for each the tests that execute what it changes: first those of the room,
then the others, the net included, until one fails. It prints how many were noticed and which were not.
A change that alters nothing (an annotation, a docstring) is not drawn. Survivors that cannot be noticed because they
mean the same stand in equivalent.txt, one per line below the reason, and are left out of the share.

    python -m tests.mutants.run [--each 15] [--seed 0] [--workers 2] [--rooms gains,counts]
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.mutants.by_hand import BY_HAND
from tests.mutants.changes import ROOMS, ROOT, Mutant, change_by_hand, draw_mutants
from tests.mutants.forks import fork_each, load_libraries
from tests.mutants.line_map import EVERYWHERE, OPTIONS, Test, enter, map_tests, own_tests, select_tests, tests_of

EQUIVALENT = Path(__file__).with_name("equivalent.txt")
MOST = 10.0  # seconds of tests per mutant; what only further tests would notice counts as not noticed
HUNG = "(did not end)"


def main() -> int:
    """Draw, run, print; 1 where a change made by hand was not noticed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--each", type=int, default=15, help="changes per room")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    asked = parser.parse_args()
    load_libraries()
    same = set(EQUIVALENT.read_text(encoding="utf-8").splitlines()) if EQUIVALENT.exists() else set()
    drawn = draw_mutants(asked.rooms.split(","), asked.each, asked.seed)
    sample = [mutant for mutant in drawn if mutant.key not in same]
    print(f"{len(drawn)} mutants drawn with seed {asked.seed}, {len(drawn) - len(sample)} of them mean the same")
    by_hand = [change_by_hand(*change) for change in BY_HAND]
    with tempfile.TemporaryDirectory() as folder:
        copies = copy_project(Path(folder), asked.workers)
        noticed = try_mutants([*by_hand, *sample], map_tests(copies), copies)
    print_table(sample, noticed)
    for mutant in by_hand:
        print(f"\n{mutant.claim}: {noticed[mutant] or 'NOT NOTICED'}")
    print(*(_show(mutant) for mutant in sample if noticed[mutant] is None), sep="")
    return int(any(noticed[mutant] is None for mutant in by_hand))


def copy_project(folder: Path, workers: int) -> list[Path]:
    """A copy of the project for each worker to break."""
    copies = [folder / f"copy{number}" for number in range(workers)]
    ignored = shutil.ignore_patterns(".git", ".venv", "demo", "*_cache", "__pycache__", ".hypothesis")
    for copy in copies:
        shutil.copytree(ROOT, copy, ignore=ignored)
    return copies


def try_mutants(mutants: Sequence[Mutant], tests: Sequence[Test], copies: Sequence[Path]) -> dict[Mutant, str | None]:
    """The test that notices each mutant, or None."""
    chosen = {mutant: choose_tests(mutant, tests) for mutant in mutants}

    def job(mutant: Mutant, slot: int) -> object:
        (copies[slot] / mutant.module).write_text(mutant.code, encoding="utf-8")
        enter(copies[slot])
        return next((failed for batch in chosen[mutant] if batch and (failed := run_tests(batch))), "")

    def seconds(mutant: Mutant) -> float:
        return 30 + 5 * sum(test.seconds for batch in chosen[mutant] for test in batch)

    before = {mutant.module: (copies[0] / mutant.module).read_bytes() for mutant in mutants}
    noticed: dict[Mutant, str | None] = {}
    for mutant, slot, failed in fork_each(mutants, job, seconds, workers=len(copies)):
        path = copies[slot] / mutant.module
        path.write_bytes(before[mutant.module])
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
        noticed[mutant] = HUNG if failed is None else failed or None
        print("." if noticed[mutant] else _show(mutant), end="", flush=True)
    return noticed


def _show(mutant: Mutant) -> str:
    return f"\nnot noticed: {mutant.module}:{mutant.line}\n  {mutant.before}\n  {mutant.after}\n"


def choose_tests(mutant: Mutant, tests: Sequence[Test]) -> list[list[Test]]:
    """The tests that execute what is changed: of the module, of the room, then others; the fastest of each first."""
    batches: list[list[Test]] = [[], [], []]
    for test in select_tests(mutant, tests):
        batches[2 - sum(test.name.startswith(near) for near in _near(mutant))].append(test)
    left = MOST
    for batch in batches:
        for test in list(batch):
            left -= test.seconds
            if left < 0:
                batch.remove(test)
    return batches


def _near(mutant: Mutant) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How the names of the room's tests begin, and those of the module's own: its test file, and its examples."""
    return (f"{tests_of(mutant.room)}/", mutant.module, EVERYWHERE), (own_tests(mutant), mutant.module, EVERYWHERE)


def run_tests(tests: Sequence[Test]) -> str | None:
    """In a fork: run these tests, quick files first, up to the first failure; its name, or None."""
    import pytest

    files: dict[str, float] = {}
    for test in tests:
        file = test.name.split("::")[0]
        files[file] = files.get(file, 0.0) + test.seconds
    order = {test.name: (files[test.name.split("::")[0]], test.name.split("::")[0], test.seconds) for test in tests}
    failed: list[str] = []

    class Choice:
        """Keeps the tests that were chosen, in order, and the name of the first that fails."""

        def pytest_collection_modifyitems(self, items: list[Any]) -> None:
            items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])

        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed:
                failed.append(report.nodeid)

        def pytest_collectreport(self, report: Any) -> None:
            if report.failed:
                failed.append(f"{report.nodeid} (cannot be imported)")

    code = pytest.main([*sorted(files, key=lambda file: files[file]), "-x", *OPTIONS], plugins=[Choice()])
    return failed[0] if failed else None if code in (0, 5) else f"pytest ended with {int(code)}"


def print_table(mutants: Sequence[Mutant], noticed: dict[Mutant, str | None]) -> None:
    """How many were noticed per room, and how many of them by the room's own tests."""
    print(f"\n\n{'room':<14}{'mutants':>9}{'noticed':>9}{'share':>8}{'by the room':>13}{'hung':>6}")
    for room in (*ROOMS, "all"):
        own = [mutant for mutant in mutants if room in (mutant.room, "all")]
        names = [(mutant, name) for mutant in own if (name := noticed[mutant])]
        near = sum(name.startswith(_near(mutant)[0]) for mutant, name in names)
        hung = sum(name == HUNG for _, name in names)
        if own:
            print(f"{room:<14}{len(own):>9}{len(names):>9}{len(names) / len(own):>8.1%}{near:>13}{hung:>6}")


if __name__ == "__main__":
    sys.exit(main())
