"""Which tests execute which lines of the project, and how long each test takes; kept between calls.

A test file is run once with coverage.py's tracer, each test a context of its own. What runs when the file is imported
or in a fixture that several tests share counts for all tests of the file. The answer is kept in a temporary folder
under a hash of the sources, the fixtures and the test file, so that only what was edited is run again.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutants.changes import ROOMS, ROOT, Mutant
from tests.mutants.forks import fork_each
from tests.mutants.memory import keep, place_of

# The tests that say something quickly. Those beside other tools, on real data and over many repeats are left out.
FOLDERS = (
    *("tests/model", "tests/comparison", "tests/scoring", "tests/datasets", "tests/exports", "tests/unit"),
    *("tests/paper", "tests/golden", "tests/commands"),
)
# Rooms whose tests stand in a folder with another name.
_FOLDER_OF = {"measures": "scoring"}
# A test of how every class is made, which executes none of its functions.
EVERYWHERE = "tests/unit/test_dataclasses.py"
OPTIONS = (
    *("-q", "--no-header", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("-W", "ignore::pytest.PytestWarning"),
)
PATIENCE = 1200.0  # seconds for one test file


@dataclass(frozen=True)
class Test:
    """A test, its seconds, and per source file the lines it executes as the bits of a number."""

    name: str
    seconds: float
    lines: dict[str, int]

    __test__ = False  # not for pytest


def map_tests(copies: Sequence[Path]) -> list[Test]:
    """Every test that passes, from what is kept or by running its file in one of the copies.

    One that fails or is skipped without any change would notice nothing, or everything.
    """
    files = [*(path for folder in FOLDERS for path in sorted(ROOT.glob(f"{folder}/**/test_*.py")))]
    files += [ROOT / "src" / "gainsayer" / room for room in ROOMS]  # examples in docstrings
    common = hashlib.sha256()
    for path in sorted({*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/conftest.py")}):
        common.update(path.read_bytes())
    places = {path: place_of(common.digest() + _read(path)) for path in files}
    missing = [path for path in files if not places[path].exists()]
    print(f"{len(files)} files with tests; {len(missing)} of them to run for the lines they execute", flush=True)

    def trace(path: Path, slot: int) -> object:
        return _trace(copies[slot], _name(path))

    for path, _, answer in fork_each(missing, trace, lambda path: PATIENCE, workers=len(copies)):
        print("." if answer is not None else f"\n{_name(path)} did not end\n", end="", flush=True)
        if answer is not None:
            keep(places[path], answer)
    print(flush=True)
    return [
        Test(name, seconds, {file: int(mask, 16) for file, mask in lines.items()})
        for path in files
        if places[path].exists()
        for name, (seconds, lines) in json.loads(places[path].read_text(encoding="utf-8")).items()
    ]


def enter(copy: Path) -> None:
    """Make this process, and those it starts, import the project from the copy."""
    os.chdir(copy)
    sys.path.insert(0, str(copy / "src"))
    data = os.environ.get("GAINSAYER_DATA", str(ROOT.parent / "shared" / "data"))
    os.environ.update(PYTHONPATH=str(copy / "src"), GAINSAYER_DATA=data)


def select_tests(mutant: Mutant, tests: Iterable[Test]) -> list[Test]:
    """The tests that execute what the mutant changes, fastest first."""
    around = _statements_around(mutant)
    wanted = _lines_that_tell(mutant, around)
    outside = not any(isinstance(node, ast.FunctionDef) for node in around)
    hit = [
        test
        for test in tests
        if any(test.lines.get(file, 0) & mask for file, mask in wanted.items())
        # Which may look at a constant or a class, and execute nothing.
        or (outside and test.name.startswith((own_tests(mutant), EVERYWHERE)))
    ]
    return sorted(hit, key=lambda test: test.seconds)


def own_tests(mutant: Mutant) -> str:
    """The test file of the mutant's module."""
    return f"{tests_of(mutant.room)}/test_{Path(mutant.module).name}"


def tests_of(room: str) -> str:
    """The folder with a room's tests."""
    folder = _FOLDER_OF.get(room, room)
    return f"tests/{folder}" if (ROOT / "tests" / folder).is_dir() else f"tests/unit/{room}"


def _statements_around(mutant: Mutant) -> list[ast.stmt]:
    """The statements that hold the changed line, the outermost first."""
    tree = ast.parse((ROOT / mutant.module).read_text(encoding="utf-8"))
    around = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and mutant.line in _extent(node)]
    return sorted(around, key=lambda node: len(_extent(node)), reverse=True)


def _lines_that_tell(mutant: Mutant, around: Sequence[ast.stmt]) -> dict[str, int]:
    """Lines that run only where the change can matter, as bits per file.

    Inside a function these are the lines of the statement, or the body where a header is changed. What stands outside
    functions runs at import: then all functions in files that mention the name (a constant, a class) are meant.
    """
    if any(isinstance(node, ast.FunctionDef) for node in around):
        last = around[-1]
        first, end = _extent(last)[0], _extent(last)[-1]
        body = getattr(last, "body", None)
        if body and isinstance(last, ast.FunctionDef):
            first = body[0].lineno
        elif body:
            end = body[0].lineno - 1
        return {mutant.module: _bits(range(first, max(first, end) + 1))}
    names = "|".join(re.escape(name) for name in _names(around[0])) if around else r"(?!)"
    found = {}
    for path in ROOT.glob("src/gainsayer/**/*.py"):
        text = path.read_text(encoding="utf-8")
        if re.search(rf"\b({names})\b", text):
            bodies = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
            lines = [line for node in bodies for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)]
            found[_name(path)] = _bits(lines)
    return found


def _extent(node: ast.stmt) -> range:
    decorators = [decorator.lineno for decorator in getattr(node, "decorator_list", [])]
    return range(min([node.lineno, *decorators]), (node.end_lineno or node.lineno) + 1)


def _names(node: ast.stmt) -> list[str]:
    """The names that a statement outside functions defines."""
    if isinstance(node, ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
    return [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]


def _bits(lines: Iterable[int]) -> int:
    mask = 0
    for line in lines:
        mask |= 1 << line
    return mask


def _read(path: Path) -> bytes:
    """A test file with what its folder has for tests to share; of a folder with examples nothing but its name."""
    if path.is_dir():
        return _name(path).encode()
    shared = [other for other in sorted(path.parent.glob("*.py")) if not other.name.startswith("test_")]
    return b"".join(file.read_bytes() for file in (path, *shared))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _trace(copy: Path, file: str) -> dict[str, tuple[float, dict[str, str]]]:
    """In a fork: run one test file under coverage; for each test its seconds and the lines it executes."""
    import coverage
    import pytest

    enter(copy)
    tracer = coverage.Coverage(data_file=None, config_file=False, include=[f"{copy}/src/gainsayer/*"])

    class Watch:
        """Tells the tracer which test is running, and keeps how long each took."""

        def __init__(self) -> None:
            self.seconds: dict[str, float] = defaultdict(float)
            self.running = ""
            self.unfit: set[str] = set()

        def pytest_runtest_logstart(self, nodeid: str) -> None:
            self.running = nodeid
            tracer.switch_context(nodeid)

        def pytest_runtest_logfinish(self) -> None:
            tracer.switch_context("")

        @pytest.hookimpl(wrapper=True)
        def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
            tracer.switch_context(self.running if fixturedef.scope == "function" else "")
            try:
                return (yield)
            finally:
                tracer.switch_context(self.running)

        def pytest_runtest_logreport(self, report: Any) -> None:
            self.seconds[report.nodeid] += report.duration
            if not report.passed:
                self.unfit.add(report.nodeid)

    watch = Watch()
    tracer.start()
    pytest.main([file, *OPTIONS], plugins=[watch])
    tracer.stop()
    masks: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    data = tracer.get_data()
    for source in data.measured_files():
        for line, contexts in data.contexts_by_lineno(source).items():
            for context in contexts:
                masks[context][str(Path(source).relative_to(copy))] |= 1 << line
    return {
        test: (
            seconds,
            {file: hex(masks[test].get(file, 0) | masks[""].get(file, 0)) for file in {*masks[test], *masks[""]}},
        )
        for test, seconds in watch.seconds.items()
        if test not in watch.unfit
    }
