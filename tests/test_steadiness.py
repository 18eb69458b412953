"""The suite says the same every time: the same examples, whatever the shell, the order and the modules loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
from hypothesis import given
from hypothesis import strategies as st
import tests.conftest

@given(st.floats(), st.integers(), st.text(max_size=9))
def show(number, count, word):
    print(number, count, ascii(word))

show()
"""


def list_examples(program: str = PROGRAM, **environment: str) -> list[str]:
    """The examples of a property under the suite's own settings, in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "GAINSAYER_FUZZ")}
    kept["PYTHONPATH"] = os.pathsep.join([str(ROOT), kept.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=kept | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    examples = done.stdout.splitlines()
    assert len(examples) >= 100
    return examples


@pytest.fixture(scope="module")
def examples() -> list[str]:
    """What is tried without `CI` in the environment."""
    return list_examples(PYTHONHASHSEED="1")


def test_examples_are_the_same_each_time(examples: list[str]) -> None:
    """`CI`, the seed of hashes, and modules loaded by other tests before change no example."""
    loaded = "import gainsayer.cli.report, gainsayer.cli.study, gainsayer.exports" + PROGRAM
    assert list_examples(loaded, PYTHONHASHSEED="2", CI="true") == examples


def test_fuzzing_tries_others(examples: list[str]) -> None:
    """With GAINSAYER_FUZZ set, new examples are drawn."""
    assert list_examples(GAINSAYER_FUZZ="1") != examples


@pytest.mark.skipif(bool(os.environ.get("GAINSAYER_FUZZ")), reason="fuzzing draws new examples")
def test_no_property_leaves_the_steady_profile(request: pytest.FixtureRequest) -> None:
    """No property has a seed of its own, a memory of failures, a deadline, or a health check with a clock."""
    profile = settings.get_profile(settings.get_current_profile_name())
    assert (profile.derandomize, profile.database, profile.deadline) == (True, None, None)
    functions = {item.obj for item in request.session.items if isinstance(item, pytest.Function)}
    for tested in filter(is_hypothesis_test, functions):
        chosen = tested._hypothesis_internal_use_settings
        assert (chosen.derandomize, chosen.database, chosen.deadline) == (True, None, None), tested.__name__
        assert HealthCheck.too_slow in chosen.suppress_health_check, tested.__name__
        assert tested._hypothesis_internal_use_seed is None, tested.__name__


def test_a_skip_without_a_listed_reason_fails_in_ci(tmp_path: Path) -> None:
    """CI cannot be green by skipping: only reasons that conftest.py lists leave a test skipped, alone or in a file."""
    skips = {"alone": "no reason", "data": "real data 'x' is not in y"}
    for name, reason in skips.items():
        (tmp_path / f"test_{name}.py").write_text(f"import pytest\ndef test() -> None:\n    pytest.skip({reason!r})\n")
    (tmp_path / "test_file.py").write_text("import pytest\npytest.skip('no reason', allow_module_level=True)\n")
    options = ("-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "--continue-on-collection-errors")
    command = [sys.executable, "-m", "pytest", *options, tmp_path]
    for setting, outcome in (("0", "3 skipped"), ("1", "1 failed, 1 skipped, 1 error")):
        environment = {**os.environ, "GAINSAYER_NO_SKIPS": setting}
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
        assert outcome in done.stdout, done.stdout
        assert (done.returncode == 0) == (setting == "0")
