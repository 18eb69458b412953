"""`gainsayer score` as a command, beside trec_eval: from files to means, start-up included, compiled and pure.

trec_eval is no Python package: it is looked for on the path, or where `TREC_EVAL` says. Without one its rows are left
out, and that is said below the table.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.scoring import MEASURES, Size, write_qrels, write_run
from benchmarks.timing import Ratio, time_in_turns

TREC_MEASURES = ("ndcg_cut.10,1000", "map", "P.10", "recall.100", "recip_rank")
SMALL_RUNS = 20
ROUNDS = 5
READERS = {"compiled": {"GAINSAYER_COMPILED": "1"}, "pure": {"GAINSAYER_PURE": "1"}}


@dataclass(frozen=True)
class Job:
    """A collection, and how many times trec_eval's speed is asked for, by reader; memory as a share of trec_eval's."""

    what: str
    qrels: Path
    runs: tuple[Path, ...]
    goals: dict[str, float]
    memory: float | None = None


def measure(folder: Path) -> list[Ratio]:
    """One run of 6,980 topics x 1,000 documents; 20 runs of 50 topics, in one process of ours and twenty of theirs."""
    small = Size(topics=50)
    jobs = (
        Job(
            "score, 6,980 x 1,000, command line",
            write_qrels(folder / "large.qrels"),
            (write_run(folder / "large.run"),),
            {"compiled": 10, "pure": 4.5},
            memory=0.3,
        ),
        Job(
            "score, 20 runs of 50 x 1,000, command line",
            write_qrels(folder / "small.qrels", small),
            tuple(write_run(folder / f"small{seed}.run", small, seed=seed) for seed in range(1, SMALL_RUNS + 1)),
            {"compiled": 3, "pure": 1.8},
        ),
    )
    return [*(row for job in jobs for row in measure_job(job)), *measure_startup(), *measure_rows(folder)]


def find_trec_eval() -> str | None:
    """The program, where there is one."""
    return os.environ.get("TREC_EVAL") or shutil.which("trec_eval")


def measure_job(job: Job) -> list[Ratio]:
    """One job by both readers beside trec_eval; nothing where there is no trec_eval."""
    program = find_trec_eval()
    if program is None:
        return []
    theirs = partial(run_trec_eval, program, job.qrels, job.runs)
    rows = []
    for reader, goal in job.goals.items():
        ours = partial(run_ours, ("score", *files(job)), reader)
        own, other = time_in_turns(ours, theirs, rounds=ROUNDS, choose=min)
        rows.append(
            Ratio(f"{job.what}, {reader}", own, "trec_eval", other, goal, note=f"fastest of {ROUNDS}, in turns")
        )
        if job.memory is not None:
            held, their_held = ours() / 1e9, theirs() / 1e9
            what = f"peak memory of it, {reader}"
            rows.append(Ratio(what, held, "trec_eval", their_held, job.memory, higher_is_better=False, unit="GB"))
    return rows


def measure_startup() -> list[Ratio]:
    """What a command takes on next to nothing, beside Python importing click and numpy."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, level in (("a.qrels", 1), ("b.qrels", 0)):
            (folder / file).write_text(f"q1 0 d1 {level}\nq1 0 d2 0\nq1 0 d3 1\n")
        (folder / "a.run").write_text("q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n")
        calls = {
            "gainsayer --help": ("--help",),
            "fit, 3 documents": ("fit", folder / "a.qrels", folder / "b.qrels", "--format", "json"),
            "score, 3 documents": (
                "score",
                "--judgments",
                folder / "a.qrels",
                "--runs",
                folder / "a.run",
                "--format",
                "csv",
            ),
        }
        rows = []
        for what, call in calls.items():
            base = partial(run, [sys.executable, "-c", "import click, numpy"])
            own, other = time_in_turns(partial(run_ours, call, "compiled"), base, rounds=10, choose=min)
            rows.append(
                Ratio(f"start-up: {what}", own, "import click, numpy", other, 1.5, higher_is_better=False,
                      note="fastest of 10, in turns; with its little work")
            )  # fmt: skip
    return rows


def measure_rows(folder: Path) -> list[Ratio]:
    """Ten and a hundred times the rows: time grows as they do, and memory does not."""
    sizes = {times: Size(topics=60 * times) for times in (1, 10, 100)}
    calls = {}
    for times, size in sizes.items():
        files = write_qrels(folder / f"rows{times}.qrels", size), write_run(folder / f"rows{times}.run", size)
        calls[times] = partial(run_in_process, *files)
    rows = []
    taken = {times: min(float(call()) for _ in range(3)) for times, call in calls.items()}
    for times in (10, 100):
        what = f"{times} times the rows"
        rows.append(
            Ratio(what, taken[times], "once", taken[1], 1.1 * times, higher_is_better=False, note="fastest of 3")
        )
    deep = Size(topics=60, depth=20_000)
    qrels = write_qrels(folder / "deep.qrels", Size(topics=60))
    one, many = write_run(folder / "flat.run", Size(topics=60)), write_run(folder / "deep.run", deep)
    held = [
        run_ours(("score", "--judgments", qrels, "--runs", path, "-m", "nDCG@10"), "compiled") / 1e9
        for path in (many, one)
    ]
    what = "peak memory, 20 times the rows, same topics and judgments"
    rows.append(Ratio(what, held[0], "once", held[1], 1.5, higher_is_better=False, unit="GB"))
    return rows


def files(job: Job) -> tuple[object, ...]:
    """The arguments of our command."""
    measures = [part for name in MEASURES for part in ("-m", name)]
    return ("--judgments", job.qrels, *(part for path in job.runs for part in ("--runs", path)), *measures, "--quiet")


def run_ours(call: Sequence[object], reader: str) -> int:
    """One process of ours, and its peak memory in bytes."""
    return run([sys.executable, "-m", "gainsayer", *map(str, call)], **READERS[reader])


def run_trec_eval(program: str, qrels: Path, runs: Sequence[Path]) -> int:
    """A process of theirs per run, and the peak memory of the last."""
    chosen = [part for name in TREC_MEASURES for part in ("-m", name)]
    return [run([program, *chosen, str(qrels), str(path)]) for path in runs][-1]


def run(command: Sequence[str], **settings: str) -> int:
    """One process that must do well, and its peak memory in bytes; Python may keep compiled modules, as for users."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=kept | settings)
    assert process.stderr is not None
    with process.stderr as stream:
        said = stream.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, said.decode()
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def run_in_process(qrels: Path, path: Path) -> str:
    """Seconds that score() takes in a process of its own, without its start-up."""
    code = (
        "import sys, time; import gainsayer as gs; gs.score({'q': {'d': 1, 'e': 0}}, {'q': {'d': 1.0}}); "
        "start = time.perf_counter(); gs.score(sys.argv[1], sys.argv[2], ['nDCG@10', 'AP']); "
        "print(time.perf_counter() - start)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(qrels), str(path)], check=True, capture_output=True, text=True
    )
    return done.stdout
