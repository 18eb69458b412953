"""The suite gives the same answer every time: the same examples, whatever the machine, the shell and the order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

ROOT = Path(__file__).resolve().parents[1]
FUZZING = bool(os.environ.get("GAINSAYER_FUZZ"))
PROPERTIES = "tests/unit/exports/test_scaled_qrels.py"


def list_examples(*options: str, **environment: str) -> list[str]:
    """Every example that the properties of one file try, in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "GAINSAYER_FUZZ")}
    shown = ("-q", "-s", "-p", "no:cacheprovider", "--hypothesis-verbosity=verbose")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *shown, *options, PROPERTIES],
        cwd=ROOT,
        env=kept | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    _, *examples, _ = done.stdout.split("Test case: ")
    assert len(examples) > 200
    return examples


def test_examples_are_the_same_each_time() -> None:
    """Without CI in the environment, another hash seed, and modules that other tests load, change no example."""
    modules = ("gainsayer.cli.study", "gainsayer.report.figures", "gainsayer.exports.doctor")
    loaded = [word for module in modules for word in ("-p", module)]
    assert list_examples(PYTHONHASHSEED="1") == list_examples(*loaded, PYTHONHASHSEED="2", CI="true")


def test_fuzzing_draws_new_examples() -> None:
    """With GAINSAYER_FUZZ two runs try different examples."""
    assert list_examples(GAINSAYER_FUZZ="1") != list_examples(GAINSAYER_FUZZ="1")


@pytest.mark.skipif(FUZZING, reason="fuzzing draws new examples")
def test_no_property_leaves_the_steady_profile(request: pytest.FixtureRequest) -> None:
    """No property asks for a seed of its own, a database, a deadline, or a health check that looks at the clock."""
    profile = settings.get_profile("steady")
    assert (profile.derandomize, profile.database, profile.deadline) == (True, None, None)
    functions = {item.obj for item in request.session.items if isinstance(item, pytest.Function)}
    for property_ in filter(is_hypothesis_test, functions):
        chosen = property_._hypothesis_internal_use_settings
        assert (chosen.derandomize, chosen.database, chosen.deadline) == (True, None, None), property_.__name__
        assert HealthCheck.too_slow in chosen.suppress_health_check, property_.__name__
        assert property_._hypothesis_internal_use_seed is None, property_.__name__
