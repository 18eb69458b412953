"""One run after another in one process, beside the evaluators of pytrec_eval and ir_measures; compiled and pure."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.scoring import Score, Size, score_pytrec_eval, write_qrels, write_run
from benchmarks.scoring_claims import score_ours
from benchmarks.timing import Ratio, Taken, choose_both, time_in_turns, time_once
from gainsayer.reading.kernel import find_kernel

MEASURES = ("nDCG@10", "nDCG@1000", "AP", "P@10", "RR")
TREC_NAMES = {"ndcg_cut.10,1000", "map", "P.10", "recip_rank"}
ROUNDS = 15
GOALS = {
    "dicts": {"compiled": 2.0, "pure": 1.0},
    "frame": {"compiled": 5.0, "pure": 3.0},
    "files": {"compiled": 12.0, "pure": 0.8},
}
SETTINGS = {"compiled": {"GAINSAYER_COMPILED": "1"}, "pure": {"GAINSAYER_PURE": "1"}}


def measure(folder: Path) -> Iterator[Ratio]:
    """A run of 50 topics x 1,000 documents, as dicts and as a pandas data frame, evaluators made once; a large one."""
    size = Size(topics=50)
    files = write_qrels(folder / "process.qrels", size), write_run(folder / "process.run", size)
    for reader, settings in SETTINGS.items():
        command = [sys.executable, "-m", "benchmarks.in_process", *map(str, files)]
        done = subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True)
        for line in done.stdout.splitlines():
            what, peer, *seconds = line.split("\t")
            own, own_cpu, other, other_cpu = map(float, seconds)
            yield Ratio(
                f"50 x 1,000 as {what}, {reader}",
                Taken(own, own_cpu),
                peer,
                Taken(other, other_cpu),
                GOALS[what][reader],
                note=f"fastest of {ROUNDS}, in turns; in process",
            )
    yield from measure_files(write_qrels(folder / "large.qrels"), write_run(folder / "large.run"))


def measure_files(qrels: Path, path: Path) -> Iterator[Ratio]:
    """6,980 topics x 1,000 documents from files in this process, by both readers and by pytrec_eval, in turns."""
    jobs: dict[str, Score] = {**dict.fromkeys(SETTINGS, score_ours), "pytrec_eval": score_pytrec_eval}
    times: dict[str, list[Taken]] = {name: [] for name in jobs}
    for _ in range(3):
        for name, job in jobs.items():
            with chosen_reader(SETTINGS.get(name, {})):
                times[name].append(time_once(lambda job=job: job(qrels, path)))
    taken = {name: choose_both(some, min) for name, some in times.items()}
    for reader, goal in GOALS["files"].items():
        what, note = f"6,980 x 1,000 from files, {reader}", "fastest of 3, in turns; in process"
        yield Ratio(what, taken[reader], "pytrec_eval", taken["pytrec_eval"], goal, note=note)


@contextmanager
def chosen_reader(settings: dict[str, str]) -> Iterator[None]:
    """The reader that these settings ask for, in this process."""
    before = dict(os.environ)
    os.environ.update(settings)
    find_kernel.cache_clear()
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        find_kernel.cache_clear()


def compare(qrels: Path, path: Path) -> None:
    """Time both, and print what, beside whom, and the seconds of each."""
    import ir_measures
    import pandas as pd
    import pytrec_eval

    import gainsayer as gs

    labels: dict[str, dict[str, int]] = {}
    for line in qrels.read_text().splitlines():
        topic, _, document, level = line.split()
        labels.setdefault(topic, {})[document] = int(level)
    run: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        topic, _, document, _, score, _ = line.split()
        run.setdefault(topic, {})[document] = float(score)
    rows = [(topic, document, score) for topic, inner in run.items() for document, score in inner.items()]
    ours, theirs = gs.Evaluator(labels, list(MEASURES)), pytrec_eval.RelevanceEvaluator(labels, TREC_NAMES)
    found, expected = ours.evaluate(run).means()["AP"], theirs.evaluate(run)
    assert abs(found - sum(row["map"] for row in expected.values()) / len(expected)) < 1e-9
    show("dicts", "pytrec_eval", lambda: ours.evaluate(run), lambda: theirs.evaluate(run))
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    judged = pd.DataFrame(
        [(topic, document, level) for topic, inner in labels.items() for document, level in inner.items()],
        columns=["query_id", "doc_id", "relevance"],
    )
    other = ir_measures.evaluator([ir_measures.parse_measure(name) for name in MEASURES], judged)
    show("frame", "ir_measures", lambda: ours.evaluate(frame), lambda: other.calc_aggregate(frame))


def show(what: str, peer: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """One line of results."""
    ours(), theirs()
    own, other = time_in_turns(ours, theirs, rounds=ROUNDS, choose=min)
    print(what, peer, own, own.cpu, other, other.cpu, sep="\t")


if __name__ == "__main__":
    compare(Path(sys.argv[1]), Path(sys.argv[2]))
