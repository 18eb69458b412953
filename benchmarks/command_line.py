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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import gainsayer as gs
from benchmarks.scoring import MEASURES, Size, write_qrels, write_run
from benchmarks.timing import Ratio, Taken, choose_both, time_in_turns, time_once

TREC_MEASURES = ("ndcg_cut.10,1000", "map", "P.10", "recall.100", "recip_rank")
SMALL_RUNS = 20
READERS = {"compiled": {"GAINSAYER_COMPILED": "1"}, "pure": {"GAINSAYER_PURE": "1"}}


@dataclass(frozen=True)
class Job:
    """A collection, and how many times trec_eval's speed is asked for, by reader; memory as a share of trec_eval's."""

    what: str
    qrels: Path
    runs: tuple[Path, ...]
    goals: dict[str, float]
    memory: float | None = None
    rounds: int = 5


def measure(folder: Path) -> Iterator[Ratio]:
    """One run of 6,980 topics x 1,000 documents; 20 runs of 50 topics, in one process of ours and twenty of theirs."""
    small = Size(topics=50)
    runs = tuple(write_run(folder / f"small{seed}.run", small, seed=seed) for seed in range(1, SMALL_RUNS + 1))
    what = "score, 20 runs of 50 x 1,000, command line"
    many = Job(what, write_qrels(folder / "small.qrels", small), runs, {"compiled": 1.8, "pure": 0.5})
    yield from measure_startup(many)
    yield from measure_job(many)
    yield from measure_rows(folder)
    large = write_qrels(folder / "large.qrels"), (write_run(folder / "large.run"),)
    yield from measure_job(
        Job("score, 6,980 x 1,000, command line", *large, {"compiled": 7, "pure": 0.8}, memory=0.4, rounds=3)
    )


def find_trec_eval() -> str | None:
    """The program, where there is one."""
    return os.environ.get("TREC_EVAL") or shutil.which("trec_eval")


def measure_job(job: Job) -> Iterator[Ratio]:
    """One job by both readers beside trec_eval, all three in turns; nothing where there is no trec_eval."""
    program = find_trec_eval()
    if program is None:
        return
    chosen = [part for name in TREC_MEASURES for part in ("-m", name)]
    theirs = [[program, *chosen, str(job.qrels), str(path)] for path in job.runs]
    jobs: dict[str, Callable[[], object]] = {reader: partial(run_ours, files(job), reader) for reader in job.goals}
    jobs["trec_eval"] = lambda: [run(call) for call in theirs]
    times: dict[str, list[Taken]] = {name: [] for name in jobs}
    for _ in range(job.rounds):
        for name, call in jobs.items():
            times[name].append(time_once(call))
    taken = {name: choose_both(some, min) for name, some in times.items()}
    other = 0.0 if job.memory is None else peak_memory(theirs[0])
    for reader, goal in job.goals.items():
        note = f"fastest of {job.rounds}, in turns"
        yield Ratio(f"{job.what}, {reader}", taken[reader], "trec_eval", taken["trec_eval"], goal, note=note)
        if job.memory is not None:
            what, own = f"peak memory of it, {reader}", peak_memory(our_command(files(job)), **READERS[reader])
            yield Ratio(what, own, "trec_eval", other, job.memory, higher_is_better=False, unit="GB")


def measure_startup(many: Job) -> Iterator[Ratio]:
    """What commands take before they work, beside Python importing click and numpy.

    What is work is what the same call takes in a process that has made it before; the rest is start-up. A difference of
    two short times: all three are taken in turns, so often that each meets a quiet moment.
    """
    base = partial(run, [sys.executable, "-c", "import click, numpy"])
    with tempfile.TemporaryDirectory() as name:
        judgments = gs.twenty_documents()
        paths = [Path(name, f"{who}.qrels") for who in judgments.assessors]
        for path, who in zip(paths, judgments.assessors, strict=True):
            rows = [row for row in judgments.frame().rows() if row[2] == who]
            path.write_text("".join(f"{topic} 0 {document} {level}\n" for topic, document, _, level in rows))
        calls: dict[str, tuple[float, tuple[object, ...]]] = {  # the most that is asked for, and the call
            "gainsayer --help": (1.5, ("--help",)),
            "fit, the twenty documents": (8, ("fit", *paths, "--quiet")),
            "score, 20 runs of 50 x 1,000": (8, files(many)),
        }
        for what, (most, call) in calls.items():
            every: list[tuple[Taken, Taken, Taken]] = []
            for _ in range(6):
                pair = time_in_turns(partial(run_ours, call, "compiled"), base, rounds=5, choose=min)
                every.append((*pair, Taken(*map(float, run_again(call).split()))))
            total, other, again = (choose_both(list(some), min) for some in zip(*every, strict=True))
            own = Taken(total - again, total.cpu - again.cpu)
            note = f"fastest of 30, in turns; less {again:.3f} ({again.cpu:.3f}) s of work"
            yield Ratio(f"start-up: {what}", own, "import click, numpy", other, most, higher_is_better=False, note=note)


def measure_rows(folder: Path) -> Iterator[Ratio]:
    """Ten and a hundred times the rows: time grows as they do, and memory does not."""
    calls = {}
    for times in (1, 10, 100):
        size = Size(topics=60 * times)
        paths = write_qrels(folder / f"rows{times}.qrels", size), write_run(folder / f"rows{times}.run", size)
        calls[times] = partial(run_in_process, *paths)
    every = {times: [Taken(*map(float, call().split())) for _ in range(3)] for times, call in calls.items()}
    taken = {times: choose_both(some, min) for times, some in every.items()}
    for times in (10, 100):
        what = f"{times} times the rows and topics"
        yield Ratio(
            what, taken[times], "once", taken[1], 1.1 * times, higher_is_better=False, note="fastest of 3, in process"
        )
    deep = Size(topics=60, depth=20_000)
    qrels = write_qrels(folder / "deep.qrels", Size(topics=60))
    one, many = write_run(folder / "flat.run", Size(topics=60)), write_run(folder / "deep.run", deep)
    for reader in READERS:
        call = ("score", "--judgments", qrels, "-m", "nDCG@10", "--runs")
        held = [peak_memory(our_command((*call, path)), **READERS[reader]) for path in (many, one)]
        what = f"peak memory, 20 times the rows, same topics and judgments, {reader}"
        yield Ratio(what, held[0], "once", held[1], 1.5, higher_is_better=False, unit="GB")


def files(job: Job) -> tuple[object, ...]:
    """The arguments of our command."""
    measures = [part for name in MEASURES for part in ("-m", name)]
    runs = [part for path in job.runs for part in ("--runs", path)]
    return ("score", "--judgments", job.qrels, *runs, *measures, "--quiet")


def our_command(call: Sequence[object]) -> list[str]:
    """A command of ours."""
    return [sys.executable, "-m", "gainsayer", *map(str, call)]


def run_ours(call: Sequence[object], reader: str) -> None:
    """One process of ours."""
    run(our_command(call), **READERS[reader])


def run(command: Sequence[str], **settings: str) -> str:
    """What a process that must do well prints; Python may keep compiled modules, as it does for users."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, env=kept | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def peak_memory(command: Sequence[str], **settings: str) -> float:
    """Peak memory of a process in GB, started by a small one: what a large parent holds would count as the child's."""
    code = (
        "import os, sys; quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]; "
        "child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet); "
        "_, status, usage = os.wait4(child, 0); print(usage.ru_maxrss); sys.exit(status != 0)"
    )
    held = int(run([sys.executable, "-S", "-c", code, *command], **settings))
    return held * (1 if sys.platform == "darwin" else 1024) / 1e9


def run_again(call: Sequence[object]) -> str:
    """Seconds by the clock and of the processor that a command takes where the same process has done it before."""
    code = (
        "import io, sys, time; from contextlib import redirect_stdout; from gainsayer.cli import gainsayer\n"
        "taken = []\n"
        "for _ in range(4):\n"
        "    start, used = time.perf_counter(), time.process_time()\n"
        "    with redirect_stdout(io.StringIO()):\n"
        "        gainsayer(sys.argv[1:], standalone_mode=False)\n"
        "    taken.append((time.perf_counter() - start, time.process_time() - used))\n"
        "print(*map(min, zip(*taken[1:])))"
    )
    return run([sys.executable, "-c", code, *map(str, call)])


def run_in_process(qrels: Path, path: Path) -> str:
    """Seconds by the clock and of the processor that score() takes in a process of its own, without its start-up."""
    code = (
        "import sys, time; import gainsayer as gs; gs.score({'q': {'d': 1, 'e': 0}}, {'q': {'d': 1.0}}); "
        "start, used = time.perf_counter(), time.process_time(); "
        "gs.score(sys.argv[1], sys.argv[2], ['nDCG@10', 'AP']); "
        "print(time.perf_counter() - start, time.process_time() - used)"
    )
    return run([sys.executable, "-c", code, str(qrels), str(path)])
