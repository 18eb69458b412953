"""What several tests share: the real data beside the project, and small ways to make judgments and run commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture.providers import HypothesisProvider
from hypothesis.internal.constants_ast import Constants

from gainsayer.cli import gainsayer
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection
from gainsayer.judgments import Judgments, Source, collect_judgments
from gainsayer.levels import Levels

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
    *("LANG", "LANGUAGE", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONCOERCECLOCALE", "GAINSAYER_MAX_BYTES"),
):
    os.environ.pop(_name, None)
os.environ.update(TERM="xterm", TZ="UTC", LC_ALL="C.UTF-8")

ROOT = Path(__file__).resolve().parents[1]


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


@pytest.fixture(scope="session")
def simulated_files(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Write a simulated collection of three levels and two strata: first.qrels, second.qrels, strata.tsv and runs/."""

    def make(*, topics: int, documents: int, qualities: Mapping[str, float] | None = None) -> Path:
        collection = simulate_collection(
            LatentModel(shares=(0.5, 0.3, 0.2), leniency=0.0),
            topics=topics,
            documents=documents,
            runs=RunDesign(qualities or {"best": 0.95, "fair": 0.5, "poor": 0.1}),
            strata={"nav": 0.5, "inf": 0.5},
            seed=4,
        )
        return write_collection(collection, tmp_path_factory.mktemp("simulated") / "collection")

    return make


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
        source = Source("table", frame, first_line=None)
        kept: Any = repeats
        return collect_judgments([source], levels=levels, repeats=kept, missing=missing, roles=roles)

    return make
