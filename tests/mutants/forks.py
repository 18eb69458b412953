"""Jobs in processes of their own, at little cost: heavy libraries are loaded once, and each job is a fork."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

Item = TypeVar("Item")

# What the project and its tests load; never the project itself, which is what changes.
LIBRARIES = (
    *(
        "numpy",
        "scipy.stats",
        "scipy.optimize",
        "scipy.special",
        "polars",
        "pandas",
        "pyarrow",
        "jinja2",
        "rich.console",
    ),
    *("pytest", "hypothesis.strategies", "click.testing", "sklearn.metrics", "statsmodels.stats.api", "krippendorff"),
    *("pytrec_eval", "ir_measures", "xml.etree.ElementTree", "json", "subprocess"),
)


def load_libraries() -> None:
    """Import what every job needs, so that its fork has it already; one thread each, as many jobs run at once."""
    os.environ.update(OMP_NUM_THREADS="1", POLARS_MAX_THREADS="1", OPENBLAS_NUM_THREADS="1")
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def fork_each(
    items: Sequence[Item], job: Callable[[Item, int], object], seconds: Callable[[Item], float], *, workers: int
) -> Iterator[tuple[Item, int, Any]]:
    """Run `job(item, slot)` for each item in a fork, `workers` at a time; yield (item, slot, its answer) as they end.

    A slot is the number of a worker: two jobs at the same time have different ones, and a slot is free again when the
    caller asks for the next answer. An answer passes as JSON; it is None where the job was ended after so many seconds
    of its processor's time (or ten times as long on the clock, for a machine that is busy), or died.
    """
    waiting = list(items)[::-1]
    running: dict[int, tuple[Item, int, float]] = {}
    free = list(range(workers))
    with tempfile.TemporaryDirectory() as folder:
        while waiting or running:
            while waiting and free:
                item, slot = waiting.pop(), free.pop()
                limit = seconds(item)
                with warnings.catch_warnings():
                    # Threads that others started are of no use to the jobs, which need none of them.
                    warnings.simplefilter("ignore", DeprecationWarning)
                    process = os.fork()
                if process == 0:
                    _answer(job, item, slot, Path(folder) / str(slot), limit)
                running[process] = (item, slot, time.monotonic() + 10 * limit)
            process, _ = os.waitpid(-1, os.WNOHANG)
            if process not in running:
                for late in [late for late, (_, _, end) in running.items() if time.monotonic() > end]:
                    _end(late)
                time.sleep(0.02)
                continue
            _end(process)  # and whatever it started
            item, slot, _ = running.pop(process)
            answer = Path(folder) / str(slot)
            yield item, slot, json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else None
            answer.unlink(missing_ok=True)
            free.append(slot)


def _end(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def _answer(job: Callable[[Item, int], object], item: Item, slot: int, path: Path, seconds: float) -> None:
    """In the fork: a group of its own, nothing on the terminal, the answer in a file, and no way back."""
    try:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        text = json.dumps(job(item, slot))
        path.with_suffix(".part").write_text(text, encoding="utf-8")
        path.with_suffix(".part").rename(path)
    finally:
        sys.stdout.flush()
        os._exit(0)
