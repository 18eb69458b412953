"""A few fixed inputs of the fuzzer, and all that it ever found."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent
INPUTS = 600
# Smallest forms of what the fuzzer found, by what was wrong with them.
FINDS = {
    "a no-break space split a name in a file of duplicates": ("groups", "0 d0 e\u00a00 f0\n".encode()),
    "a probability with an underscore ended in a traceback": ("side", b"q0 s0 1_0\n"),
    "a score of 5,000 digits hid the tag of a run": ("run", b"q0 Q0 d1 0 " + b"9" * 5000 + b" tag\n"),
    "a second byte-order mark was dropped": ("qrels", b"\xef\xbb\xbf\xef\xbb\xbfq1 0 d1 1\nq1 0 d2 0\n"),
    "a mark below the header was dropped": ("csv", "topic,document,assessor,level\n\ufeffq,d,U,1\nq,e,U,0\n".encode()),
}


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    """The fuzzer, which is a script."""
    spec = importlib.util.spec_from_file_location("fuzz", HERE / "fuzz.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz"] = module
    spec.loader.exec_module(module)
    return module


def test_fixed_inputs_parse_or_are_refused(fuzz: ModuleType, tmp_path: Path) -> None:
    """The same inputs each time, over all readers: none ends in a traceback or a misread row."""
    for seed in range(INPUTS):
        case = fuzz.draw(seed)
        fault = fuzz.try_input(case, tmp_path)
        assert not fault, f"seed {seed} ({case.kind}): {fault}"


@pytest.mark.parametrize("wrong", FINDS)
def test_finds_stay_mended(fuzz: ModuleType, tmp_path: Path, wrong: str) -> None:
    """What the fuzzer found is mended."""
    assert not fuzz.try_input(fuzz.Input(*FINDS[wrong]), tmp_path)


def test_a_fault_is_found(fuzz: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer sees a misread row: one reader that drops a row is a find."""
    case = fuzz.Input("qrels", b"q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 1\n")
    assert fuzz.try_input(case, tmp_path) is None
    plainly = fuzz.split_plainly
    monkeypatch.setattr(fuzz, "split_plainly", lambda content: plainly(content)[1:])
    assert "MisreadError" in fuzz.try_input(case, tmp_path)
