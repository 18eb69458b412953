"""One run after another in one process, beside the evaluators of pytrec_eval and ir_measures; compiled and pure."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.scoring import Size, write_qrels, write_run
from benchmarks.timing import Ratio, time_in_turns

MEASURES = ("nDCG@10", "nDCG@1000", "AP", "P@10", "RR")
TREC_NAMES = {"ndcg_cut.10,1000", "map", "P.10", "recip_rank"}
ROUNDS = 15
GOALS = {"dicts": {"compiled": 1.5, "pure": 1.0}, "frame": {"compiled": 5.0, "pure": 3.0}}
SETTINGS = {"compiled": {"GAINSAYER_COMPILED": "1"}, "pure": {"GAINSAYER_PURE": "1"}}


def measure(folder: Path) -> list[Ratio]:
    """A run of 50 topics x 1,000 documents, as dicts and as a pandas data frame; evaluators are made once."""
    size = Size(topics=50)
    files = write_qrels(folder / "process.qrels", size), write_run(folder / "process.run", size)
    rows = []
    for reader, settings in SETTINGS.items():
        command = [sys.executable, "-m", "benchmarks.in_process", *map(str, files)]
        done = subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True)
        for line in done.stdout.splitlines():
            what, peer, own, other = line.split("\t")
            goal = GOALS[what][reader]
            note = f"fastest of {ROUNDS}, in turns; in process"
            rows.append(Ratio(f"50 x 1,000 as {what}, {reader}", float(own), peer, float(other), goal, note=note))
    return rows


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
    print(what, peer, own, other, sep="\t")


if __name__ == "__main__":
    compare(Path(sys.argv[1]), Path(sys.argv[2]))
