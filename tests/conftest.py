"""What several tests share: the real data beside the project, and small ways to make judgments and run commands.

Tests in tests/slow are marked `slow`, and `make test` leaves out what is marked so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture.providers import HypothesisProvider
from hypothesis.internal.constants_ast import Constants
from tests.collections import simulated_files, world

from gainsayer.cli import gainsayer
from gainsayer.levels import Levels
from gainsayer.reading import Judgments, collect_judgments, source_from_frame

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

# ranx compiles for minutes where numba has not seen it before; on small data plain Python is quicker.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

# A machine that is busy, small or set up in another way is no fault. Hypothesis tries the same examples each time: no
# seed from the clock, no memory of earlier failures, no time limits, and none of the constants it collects from the
# project's modules, because which of them are loaded depends on the tests that ran before in the same process.
# `make fuzz` sets GAINSAYER_FUZZ, and new examples are drawn.
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", derandomize=True, database=None, **_PATIENT)
settings.register_profile("fuzz", derandomize=False, print_blob=True, **_PATIENT)
if os.environ.get("GAINSAYER_FUZZ"):
    settings.load_profile("fuzz")
else:
    settings.load_profile("steady")
    HypothesisProvider._local_constants = Constants()  # type: ignore[assignment]

# What a user's shell says about the terminal, the language, the time and limits is not what most tests are about, and
# those that are set these variables themselves. Programs that the tests start see the same.
for _name in (
    *("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "TTY_INTERACTIVE"),
    *("LANG", "LANGUAGE", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONCOERCECLOCALE"),
):
    os.environ.pop(_name, None)
os.environ.update(TERM="xterm", TZ="UTC", LC_ALL="C.UTF-8")

ROOT = Path(__file__).resolve().parents[1]
__all__ = ["simulated_files", "world"]
# With GAINSAYER_NO_SKIPS=1, as in CI, a skip is a failure, but for these reasons. GAINSAYER_NOT_RUN names programs that
# could not be installed there; CI says so in its last line.
MAY_BE_SKIPPED = (
    "real data",  # the folder is absent
    "trec_eval is not installed",  # no package registry has it
    "marimo is not installed",  # it and the documentation's site want different versions of one package
    *os.environ.get("GAINSAYER_NOT_RUN", "").split(),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in tests/slow."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "slow"):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that was skipped for a reason of its own has failed, where that is asked for."""
    return _refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a file that is skipped as a whole."""
    return _refuse_skip((yield))


def _refuse_skip(report: Report) -> Report:
    reason = str(report.longrepr[2]) if report.skipped and isinstance(report.longrepr, tuple) else ""
    if reason and os.environ.get("GAINSAYER_NO_SKIPS") == "1" and not any(word in reason for word in MAY_BE_SKIPPED):
        report.outcome = "failed"
        report.longrepr = f"Nothing may be skipped here for another reason than those in tests/conftest.py: {reason}"
    return report


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Find real data: $GAINSAYER_DATA, then ../shared/data beside the project; skip with a reason where absent."""
    folder = Path(os.environ.get("GAINSAYER_DATA", ROOT.parent / "shared" / "data"))

    def find(name: str) -> Path:
        path = folder / name
        if not path.exists():
            pytest.skip(f"real data {name!r} is not in {folder}; set GAINSAYER_DATA to the folder that holds it")
        return path

    return find


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run a gainsayer command in this process: `run("fit", "a.qrels", "b.qrels")`."""

    def call(*arguments: str | Path, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(gainsayer, [str(argument) for argument in arguments], input=stdin)

    return call


Rows = Sequence[tuple[str, str, str, str]]


@pytest.fixture(scope="session")
def judge() -> Callable[..., Judgments]:
    """Make judgments from rows of (topic, document, assessor, label) and further columns.

    The assessors are taken as named one by one, in the order of the rows; with `roles` None they are a table's panel.
    """

    def make(
        rows: Rows,
        *,
        levels: Levels | None = None,
        columns: Mapping[str, Sequence[object]] | None = None,
        repeats: str = "error",
        missing: Sequence[str] = (),
        roles: bool | None = True,
    ) -> Judgments:
        frame = pl.DataFrame(list(rows), schema=["topic", "document", "assessor", "label"], orient="row")
        for name, values in (columns or {}).items():
            frame = frame.with_columns(pl.Series(name, values))
        source = source_from_frame("table", frame)
        kept: Any = repeats
        return collect_judgments([source], levels=levels, repeats=kept, missing=missing, roles=roles)

    return make
