"""The machinery of `make mutants`: changes that are still there to be made, forks that answer or are ended."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.mutants.by_hand import BY_HAND
from tests.mutants.changes import ROOT, Mutant, change_by_hand
from tests.mutants.forks import fork_each
from tests.mutants.line_map import Test, select_tests
from tests.mutants.run import EQUIVALENT


@pytest.mark.parametrize("change", BY_HAND, ids=lambda change: change[0])
def test_changes_by_hand_can_be_made(change: tuple[str, str, str, str]) -> None:
    """The text to change stands in its module once, and the changed module is still a program."""
    mutant = change_by_hand(*change)
    compile(mutant.code, mutant.module, "exec")
    assert mutant.before != mutant.after


def test_equivalent_changes_are_about_lines_that_are_there() -> None:
    """Every line of the list names a module, a line of it and another; the reason stands above it."""
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    for above, line in zip(["", *lines], lines, strict=False):
        if line and not line.startswith("#"):
            module, _, change = line.partition(": ")
            code = {own.strip() for own in (ROOT / module).read_text(encoding="utf-8").splitlines()}
            before = next((own for own in code if own and change.startswith(f"{own} -> ")), None)
            assert before is not None, line
            assert change != f"{before} -> {before}", line
            assert above, f"no reason above: {line}"


def test_tests_are_chosen_by_the_lines_they_execute() -> None:
    """A statement inside a function: those that execute it, fastest first; a header: those that execute the body."""
    module = "src/gainsayer/comparison/differences.py"
    code = (ROOT / module).read_text(encoding="utf-8").splitlines()
    inside = next(at for at, line in enumerate(code, start=1) if "low & high, low, high" in line)
    header = next(at for at, line in enumerate(code, start=1) if "wide: FloatArray | None = None, margin" in line)
    slow, fast, elsewhere = (
        Test("slow", 2.0, {module: 1 << inside}),
        Test("fast", 1.0, {module: 1 << inside | 1 << 3}),
        Test("elsewhere", 0.5, {module: 1 << 3}),
    )
    for line in (inside, header):
        mutant = Mutant("comparison", module, line, "", "", "")
        assert [test.name for test in select_tests(mutant, [slow, fast, elsewhere])] == ["fast", "slow"]


def test_constants_are_known_by_where_they_are_named() -> None:
    """A change of a constant is for tests that execute functions of files which name it."""
    module = "src/gainsayer/comparison/compare.py"
    code = (ROOT / module).read_text(encoding="utf-8").splitlines()
    line = next(at for at, text in enumerate(code, start=1) if text.startswith("FEW_TOPICS ="))
    body = next(at for at, text in enumerate(code, start=1) if text.startswith("    findings = []"))
    here, there = Test("here", 1.0, {module: 1 << body}), Test("there", 1.0, {"src/gainsayer/errors.py": 1 << body})
    assert select_tests(Mutant("comparison", module, line, "", "", ""), [here, there]) == [here]


def test_forks_answer_and_those_that_hang_are_ended(tmp_path: Path) -> None:
    """Each item is answered once; a job that never ends, or dies, is answered by None; slots are not shared."""

    def job(item: int, slot: int) -> object:
        (tmp_path / f"{slot}-{item}").touch()
        if item == 3:
            while True:
                time.process_time()
        if item == 4:
            raise RuntimeError
        return [item, item**2]

    found = {item: answer for item, _, answer in fork_each(range(6), job, lambda item: 1.0, workers=2)}
    assert found == {0: [0, 0], 1: [1, 1], 2: [2, 4], 3: None, 4: None, 5: [5, 25]}
    assert {path.name.split("-")[0] for path in tmp_path.iterdir()} == {"0", "1"}
