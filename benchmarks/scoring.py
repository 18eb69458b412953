"""Scoring MS MARCO-like runs from files, beside pytrec_eval, ir_measures and ranx."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Literal

import numpy as np
import polars as pl

from gainsayer.ranking.matching import rank_levels
from gainsayer.ranking.pool import make_pool
from gainsayer.reading.judgment_sources import read_judgments

TOPICS = 6_980
DEPTH = 1_000
JUDGED = 100
DOCUMENTS = 8_841_823
STEP = 7_919  # a prime: the documents of a topic are those at every STEP-th place, so they are distinct
MEASURES = ("nDCG@10", "nDCG@1000", "AP", "P@10", "R@100", "RR")
TREC_NAMES = {"ndcg_cut.10,1000", "map", "P.10", "recall.100", "recip_rank"}

Shape = Literal["sorted", "shuffled", "interleaved", "blanks", "digits"]
SHAPES: tuple[Shape, ...] = ("sorted", "shuffled", "interleaved", "blanks", "digits")
Score = Callable[[Path, Path], object]


@dataclass(frozen=True)
class Size:
    """How large a collection is; document ids are 7-digit numbers, or `msmarco_passage_XX_N` where they are long."""

    topics: int = TOPICS
    depth: int = DEPTH
    judged: int = JUDGED
    long_ids: bool = False


def name_topics(size: Size) -> np.ndarray:
    """Topic numbers, ascending, the same for every seed."""
    return np.sort(np.random.default_rng(0).choice(1_100_000, size.topics, replace=False))


def draw_documents(size: Size) -> np.ndarray:
    """For each topic twice the depth in document numbers; the first half is what runs may return."""
    first = np.random.default_rng(0).integers(0, DOCUMENTS, size.topics)
    return (first[:, None] + np.arange(2 * size.depth)[None, :] * STEP) % DOCUMENTS


def name_documents(numbers: np.ndarray, size: Size) -> pl.Series:
    """Document ids of the numbers, row by row."""
    flat = pl.Series("document", numbers.ravel())
    if not size.long_ids:
        return flat.cast(pl.String)
    frame = flat.to_frame().select(
        pl.format("msmarco_passage_{}_{}", (pl.col("document") % 70).cast(pl.String).str.zfill(2), "document")
    )
    return frame.to_series().alias("document")


def write_qrels(path: Path, size: Size | None = None, *, seed: int = 1) -> Path:
    """Qrels with levels 0 to 3: half of the judged documents are among those that runs may return."""
    size = size or Size()
    rng = np.random.default_rng(seed)
    documents = draw_documents(size)
    inside = min(size.judged // 2, size.depth)
    chosen = np.concatenate(
        [
            rng.permuted(np.tile(np.arange(size.depth), (size.topics, 1)), axis=1)[:, :inside],
            size.depth + np.tile(np.arange(size.judged - inside), (size.topics, 1)),
        ],
        axis=1,
    )
    judged = np.take_along_axis(documents, chosen, axis=1)
    count = size.topics * size.judged
    table = pl.DataFrame(
        {
            "topic": np.repeat(name_topics(size), size.judged),
            "iteration": np.zeros(count, np.int64),
            "document": name_documents(judged, size),
            "level": rng.choice(4, count, p=[0.6, 0.2, 0.15, 0.05]),
        }
    )
    table.write_csv(path, separator=" ", include_header=False)
    return path


def write_run(path: Path, size: Size | None = None, *, seed: int = 1, shape: Shape = "sorted") -> Path:
    """A run in one of five shapes; scores have six decimals, 17 digits for `digits`.

    `sorted` is what systems write; `shuffled` mixes the rows of each topic, `interleaved` goes rank by rank over all
    topics, `blanks` has two blanks between columns.
    """
    size = size or Size()
    rng = np.random.default_rng(seed)
    documents = rng.permuted(draw_documents(size)[:, : size.depth], axis=1)
    score = -np.sort(-rng.normal(20, 5, documents.shape), axis=1)
    count = documents.size
    table = pl.DataFrame(
        {
            "topic": np.repeat(name_topics(size), size.depth),
            "q0": pl.Series(["Q0"]).new_from_index(0, count),
            "document": name_documents(documents, size),
            "rank": np.tile(np.arange(1, size.depth + 1), size.topics),
            "score": score.ravel() if shape == "digits" else np.round(score.ravel(), 6),
            "tag": pl.Series([f"run{seed}"]).new_from_index(0, count),
        }
    )
    if shape == "shuffled":
        places = rng.permuted(np.tile(np.arange(size.depth), (size.topics, 1)), axis=1)
        table = table[(places + np.arange(size.topics)[:, None] * size.depth).ravel()]
    elif shape == "interleaved":
        table = table[np.arange(count).reshape(size.topics, size.depth).T.ravel()]
    if shape == "blanks":
        table = table.select(pl.concat_str(pl.all(), separator="  "))
        table.write_csv(path, include_header=False, quote_style="never")
    else:
        table.write_csv(path, separator=" ", include_header=False)
    return path


def rank_ours(qrels: Path, run: Path) -> object:
    """From files to RankedLevels: all of our work but the measures."""
    return rank_levels(run, make_pool(read_judgments(qrels)))


def score_pytrec_eval(qrels: Path, run: Path) -> object:
    """The measures by pytrec_eval, with its own readers."""
    import pytrec_eval

    with qrels.open() as file:
        labels = pytrec_eval.parse_qrel(file)
    with run.open() as file:
        returned = pytrec_eval.parse_run(file)
    return pytrec_eval.RelevanceEvaluator(labels, TREC_NAMES).evaluate(returned)


def score_ir_measures(qrels: Path, run: Path) -> object:
    """The measures by ir_measures, with its own readers, per topic."""
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    labels, returned = ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
    return list(ir_measures.iter_calc(measures, labels, returned))


def score_ranx(qrels: Path, run: Path) -> object:
    """The measures by ranx, with its own readers, per topic."""
    import ranx

    labels, returned = ranx.Qrels.from_file(str(qrels), kind="trec"), ranx.Run.from_file(str(run), kind="trec")
    names = ["ndcg@10", "ndcg@1000", "map", "precision@10", "recall@100", "mrr"]
    ranx.evaluate(labels, returned, names, make_comparable=True)
    return returned.scores


PEERS: dict[str, Score] = {"pytrec_eval": score_pytrec_eval, "ir_measures": score_ir_measures, "ranx": score_ranx}


def time_once(job: Callable[[], object]) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def measure(
    folder: Path,
    score: Score = rank_ours,
    *,
    size: Size | None = None,
    rounds: int = 3,
    peers: tuple[str, ...] = ("pytrec_eval", "ir_measures", "ranx"),
    shapes: tuple[Shape, ...] = SHAPES,
) -> dict[str, dict[str, float]]:
    """Median seconds by shape of the file, then by tool, in turns; peers other than pytrec_eval on `sorted` only.

    Args:
        folder: where to write the files.
        score: our job, from the paths of qrels and run to per-topic scores.
        size: how large the collection is.
        rounds: how often each job is done, after once to warm up on a small collection.
        peers: which other tools to time.
        shapes: which kinds of files.
    """
    qrels = write_qrels(folder / "bench.qrels", size)
    small = Size(topics=20, depth=50, judged=20)
    warm = write_qrels(folder / "warm.qrels", small), write_run(folder / "warm.run", small)
    jobs: dict[str, Score] = {"ours": score, **{name: PEERS[name] for name in peers}}
    for job in jobs.values():
        job(*warm)
    taken: dict[str, dict[str, float]] = {}
    for shape in shapes:
        run = write_run(folder / "bench.run", size, shape=shape)
        chosen = [name for name in jobs if shape == "sorted" or name in ("ours", "pytrec_eval")]
        times: dict[str, list[float]] = {name: [] for name in chosen}
        for _ in range(rounds):
            for name in chosen:
                times[name].append(time_once(lambda job=jobs[name], run=run: job(qrels, run)))
        taken[shape] = {name: median(each) for name, each in times.items()}
    return taken


def measure_many(folder: Path, score: Score = rank_ours, *, runs: int = 20, rounds: int = 3) -> dict[str, float]:
    """Median seconds for many small runs: 20 of 50 topics x 1,000 documents, each with its qrels, in turns."""
    size = Size(topics=50)
    qrels = write_qrels(folder / "many.qrels", size)
    paths = [write_run(folder / f"many{seed}.run", size, seed=seed) for seed in range(1, runs + 1)]
    jobs = {"ours": score, "pytrec_eval": score_pytrec_eval}
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            times[name].append(time_once(lambda job=job: [job(qrels, path) for path in paths]))
    return {name: median(each) for name, each in times.items()}


def measure_growth(folder: Path, score: Score = rank_ours, *, rounds: int = 3) -> tuple[float, float]:
    """Median seconds of our job on a tenth of the topics, and on all of them."""
    taken = []
    for size in (Size(topics=TOPICS // 10), Size()):
        qrels, run = write_qrels(folder / "growth.qrels", size), write_run(folder / "growth.run", size)
        score(qrels, run)
        taken.append(median(time_once(lambda q=qrels, r=run: score(q, r)) for _ in range(rounds)))
    return taken[0], taken[1]


def peak_memory(function: str, qrels: Path, run: Path, module: str = "benchmarks.scoring") -> int:
    """Peak memory in bytes of a process of its own that imports a function of two paths and calls it."""
    code = (
        "import sys; from pathlib import Path; import importlib; from benchmarks.scoring import own_peak; "
        "getattr(importlib.import_module(sys.argv[1]), sys.argv[2])(Path(sys.argv[3]), Path(sys.argv[4])); "
        "print(own_peak())"
    )
    command = [sys.executable, "-c", code, module, function, str(qrels), str(run)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(answer.stdout.split()[-1])


def own_peak() -> int:
    """Peak memory of this process in bytes, so far.

    On Linux getrusage() also counts what the parent had before the process began its own program; VmHWM does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
