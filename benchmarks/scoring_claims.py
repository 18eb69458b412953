"""The claims about scoring, as ratios: from files to scores per topic, beside the peers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gainsayer as gs
from benchmarks.scoring import (
    MEASURES,
    Size,
    measure,
    measure_growth,
    measure_many,
    peak_memory,
    time_once,
    write_qrels,
    write_run,
)
from benchmarks.timing import Ratio
from gainsayer.reading.kernel import name_reader

GOALS = {"pytrec_eval": 5.0 if name_reader() != "compiled" else 12.0, "ir_measures": 8.0, "ranx": 12.0}


def score_ours(qrels: Path, run: Path) -> list[np.ndarray]:
    """The measures of the peers, per topic, from files."""
    judgments = gs.read_judgments(qrels)
    ranked = gs.ranking.rank_levels(run, gs.ranking.make_pool(judgments))
    levels = judgments.levels
    linear, binary = gs.gains.linear_gains(levels), gs.gains.binary_gains(levels, levels.at_or_above("1"))
    measures = [gs.measures.parse_measure(name) for name in MEASURES]
    return [item.score(ranked, linear if item.family.classic == "linear" else binary) for item in measures]


def score_draws(qrels: Path, run: Path, draws: int) -> np.ndarray:
    """nDCG@10 per topic for so many gain vectors, from files; shape [draws, topics]."""
    judgments = gs.read_judgments(qrels)
    ranked = gs.ranking.rank_levels(run, gs.ranking.make_pool(judgments))
    values = np.sort(np.random.default_rng(1).random((draws, len(judgments.levels))), axis=1)
    return gs.measures.parse_measure("nDCG@10").score(ranked, gs.Gains(judgments.levels, values, name="prm"))


def measure_scoring(folder: Path) -> list[Ratio]:
    """All of them; a quarter of an hour, most of it the peers'."""
    size, note = Size(), "median of 3, in turns; 6,980 topics x 1,000 documents"
    taken = measure(folder, score_ours, rounds=3)
    results = [
        Ratio("six measures from files", taken["sorted"]["ours"], peer, taken["sorted"][peer], goal, note=note)
        for peer, goal in GOALS.items()
    ]
    results += [
        Ratio(f"the same, {shape}", times["ours"], "pytrec_eval", times["pytrec_eval"], 1, note=note)
        for shape, times in taken.items()
        if shape != "sorted"
    ]
    many = measure_many(folder, score_ours)
    results.append(
        Ratio(
            "20 runs of 50 topics", many["ours"], "pytrec_eval", many["pytrec_eval"], 1.8, note="median of 3, in turns"
        )
    )
    qrels, run = write_qrels(folder / "bench.qrels", size), write_run(folder / "bench.run", size)
    ours = peak_memory("score_ours", qrels, run, "benchmarks.scoring_claims") / 1e9
    theirs = peak_memory("score_pytrec_eval", qrels, run) / 1e9
    results.append(Ratio("peak memory (GB)", ours, "pytrec_eval", theirs, 1, note="a process each", unit="GB"))
    score_draws(qrels, run, 2)
    one, thousand = (
        float(np.median([time_once(lambda draws=draws: score_draws(qrels, run, draws)) for _ in range(3)]))
        for draws in (1, 1000)
    )
    results.append(
        Ratio("1,000 gain vectors", thousand, "one", one, 1.5, higher_is_better=False, note="nDCG@10, files")
    )
    tenth, whole = measure_growth(folder, score_ours)
    results.append(
        Ratio("10 times the topics", whole, "a tenth", tenth, 11, higher_is_better=False, note="median of 3")
    )
    return results
