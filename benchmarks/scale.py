"""Data that outgrows one machine's memory: the engines beside each other, `make bench-scale`.

Ten runs of 50,000 topics x 100 rows (50 million rows) and 5 million documents judged twice, written once to a folder;
then `gainsayer score` and `compare` by each engine in a process of its own, with the processor's time and the peak
memory of that process and all it started. A tenth of the topics beside it shows how both grow.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

TOPICS: Final = 50_000
RUNS: Final = 10
DEPTH: Final = 100
JUDGED: Final = 100
_POOLED: Final = 200
_PIECE: Final = 5_000
_FLIP: Final = 0.3
MOST_MEMORY: Final = 1.5
MOST_GROWTH: Final = 11.0


@dataclass(frozen=True)
class Cost:
    """What a command took: seconds by the clock and of the processor, and the peak of its memory in GB."""

    wall: float
    cpu: float
    memory: float

    def cells(self) -> str:
        """As cells of a table."""
        return f"{self.cpu:.1f} | {self.memory:.2f} | {self.wall:.1f}"


def write_collection(folder: Path, topics: int, *, seed: int = 1) -> None:
    """Two assessors' qrels and ten runs, some topics at a time; half of what a run returns is judged.

    Args:
        folder: where to write `first.qrels`, `second.qrels` and `runs/`.
        topics: how many topics.
        seed: of everything drawn.
    """
    (folder / "runs").mkdir(parents=True)
    generator = np.random.default_rng(seed)
    for low in range(0, topics, _PIECE):
        count = min(_PIECE, topics - low)
        names = np.repeat(np.arange(low, low + count), JUDGED)
        document = names * 1_000 + np.tile(np.arange(JUDGED), count)
        first = np.minimum(generator.geometric(0.5, len(names)) - 1, 3)
        second = np.where(generator.random(len(names)) < _FLIP, generator.integers(0, 4, len(names)), first)
        for name, level in (("first.qrels", first), ("second.qrels", second)):
            _append(folder / name, pl.DataFrame({"t": names, "0": 0, "d": document, "l": level}))
        worth = np.repeat(0.0, count * _POOLED).reshape(count, _POOLED)
        worth[:, :JUDGED] = first.reshape(count, JUDGED)
        for run in range(RUNS):
            score = worth * (0.3 + 0.1 * run) + generator.normal(size=worth.shape)
            order = np.argsort(-score, axis=1)[:, :DEPTH]
            row = np.arange(count)[:, None]
            table = pl.DataFrame(
                {
                    "t": np.repeat(np.arange(low, low + count), DEPTH),
                    "q": pl.Series(["Q0"]).extend_constant("Q0", count * DEPTH - 1),
                    "d": ((low + row) * 1_000 + order).ravel(),
                    "r": np.tile(np.arange(1, DEPTH + 1), count),
                    "s": score[row, order].ravel(),
                    "n": pl.Series([f"run{run:02}"]).extend_constant(f"run{run:02}", count * DEPTH - 1),
                }
            )
            _append(folder / "runs" / f"run{run:02}.run", table)


def _append(path: Path, table: pl.DataFrame) -> None:
    texts = table.with_columns(
        ("topic-" + pl.col("t").cast(pl.String).str.zfill(7)).alias("t"),
        ("doc" + pl.col("d").cast(pl.String)).alias("d"),
    )
    with path.open("ab") as file:
        texts.write_csv(file, separator=" ", include_header=False, float_precision=6)


def run_command(arguments: Sequence[str]) -> Cost:
    """The cost of `gainsayer` with these arguments, in a process of its own.

    Raises:
        RuntimeError: it failed; with what it said.
    """
    begin, before = time.perf_counter(), _children()
    process = subprocess.Popen(
        [sys.executable, "-m", "gainsayer", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    watch = _Watch(process.pid)
    watch.start()
    _, said = process.communicate()
    watch.join()
    if process.returncode:
        raise RuntimeError(f"gainsayer {' '.join(arguments)}: {said.decode(errors='replace')[-2000:]}")
    return Cost(time.perf_counter() - begin, max(_children() - before, watch.cpu), watch.peak / 1e9)


def _children() -> float:
    """Seconds of the processor that all processes took that we started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Watch(threading.Thread):
    """Looks at a process and all below it until it ends: the most memory they held, and what they took of processors.

    Memory is the proportional set size (pages that several share are counted once), looked at ten times a second; the
    peak that the first process itself reports (VmHWM) is taken where it is higher. What processes took that nobody
    waited for, as Spark's Java, is known from these looks alone.
    """

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.peak, self.cpu = pid, 0.0, 0.0

    def run(self) -> None:
        """Look until the process is gone."""
        seen: dict[int, float] = {}
        while alive := list(_tree(self.pid)):
            held = 0.0
            for pid in alive:
                held += _memory(pid)
                seen[pid] = max(seen.get(pid, 0.0), _processor(pid))
            self.peak = max(self.peak, held, _status(self.pid, "VmHWM"))
            self.cpu = max(self.cpu, sum(seen.values()))
            time.sleep(0.1)


def _tree(root: int) -> Iterator[int]:
    """A process that runs, and all that it started and that still run."""
    try:
        if Path(f"/proc/{root}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return
        yield root
        for task in Path(f"/proc/{root}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _tree(int(child))
    except OSError:
        return


def _memory(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0.0)


def _status(pid: int, key: str) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) * 1024 for line in lines if line.startswith(key)), 0.0)


def _processor(pid: int) -> float:
    """Seconds of the processor that a process has taken; not those of its children."""
    try:
        cells = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(cells[11]) + int(cells[12])) / 100


def measure(folder: Path, sizes: Sequence[int], commands: Sequence[str], engines: Sequence[str]) -> bool:
    """Print a row for each command, engine and size, then whether the goals were reached; True where they were."""
    costs: dict[tuple[str, str, int], Cost] = {}
    print("| command | engine | topics | run rows | CPU s | peak GB | s by the clock |")
    print("|---|---|---:|---:|---:|---:|---:|", flush=True)
    for topics in sizes:
        place = folder / f"{topics}"
        if not place.exists():
            half = folder / f"{topics}.half"
            shutil.rmtree(half, ignore_errors=True)
            write_collection(half, topics)
            half.rename(place)
        files = [str(place / "first.qrels"), str(place / "second.qrels"), "--runs", str(place / "runs")]
        options = ["-m", "nDCG@10", "-m", "P@10", "-m", "RR@10", "--threshold", "2", "--format", "json", "--quiet"]
        for command in commands:
            for engine in engines:
                extra = ["--master", "local[2]"] if engine == "spark" else []
                cost = run_command([command, *files, *options, "--engine", engine, *extra])
                costs[command, engine, topics] = cost
                rows = topics * RUNS * DEPTH
                print(f"| {command} | {engine} | {topics:,} | {rows:,} | {cost.cells()} |", flush=True)
    return _judge(costs, sizes, commands)


def _judge(costs: dict[tuple[str, str, int], Cost], sizes: Sequence[int], commands: Sequence[str]) -> bool:
    reached = True
    large, small = max(sizes), min(sizes)
    for command in commands:
        ours = costs.get((command, "embedded", large))
        if ours is None:
            continue
        goals = [("peak memory, GB", ours.memory, MOST_MEMORY)]
        if small < large:
            grown = ours.cpu / costs[command, "embedded", small].cpu / (large / small) * 10
            goals.append(("CPU for ten times the rows", grown, MOST_GROWTH))
        for name, found, most in goals:
            print(
                f"{command}, embedded: {name} {found:.2f}, goal <= {most}: {'reached' if found <= most else 'MISSED'}"
            )
            reached &= found <= most
    return reached


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; gives 1 where a goal was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="keep the collections here, and use those that are here")
    parser.add_argument("--topics", type=int, default=TOPICS)
    parser.add_argument("--commands", default="score,compare")
    parser.add_argument("--engines", default="embedded,spark")
    given = parser.parse_args(arguments)
    engines = given.engines.split(",")
    if importlib.util.find_spec("pyspark") is None and "spark" in engines:
        engines.remove("spark")
        print("pyspark is not installed, so Spark's rows are left out.")
    print(f"Python {platform.python_version()}, {platform.machine()}\n")
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        sizes = (given.topics // 10, given.topics)
        return int(not measure(folder, sizes, given.commands.split(","), engines))


if __name__ == "__main__":
    sys.exit(main())
