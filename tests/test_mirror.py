"""tests/unit is the tree of src again: where the numbers are made, every module has its test file."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("counts", "disagreement", "gains", "measures", "comparison")


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_has_its_test_file(room: str) -> None:
    """`src/gainsayer/ROOM/NAME.py` is tested by `tests/unit/ROOM/test_NAME.py`, which imports from it or its room."""
    source, tests = ROOT / "src" / "gainsayer", ROOT / "tests" / "unit"
    modules = [path.relative_to(source) for path in sorted((source / room).rglob("*.py")) if path.stem != "__init__"]
    assert modules
    lacking = [str(module) for module in modules if not (tests / module.with_name(f"test_{module.name}")).is_file()]
    assert not lacking, f"without a test file: {', '.join(lacking)}"
