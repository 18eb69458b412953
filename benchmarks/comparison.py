"""Comparing all pairs of runs with joint intervals, beside ranx's Fisher test and scipy's permutation test per pair."""

from __future__ import annotations

import itertools
import time
import warnings

import numpy as np
import numpy.typing as npt

import gainsayer as gs
from benchmarks.timing import Ratio
from gainsayer.datasets.design import RunDesign
from gainsayer.datasets.label_models import LatentModel
from gainsayer.datasets.simulation import simulate_collection

PERMUTATIONS = 10_000
MOST_TIMED = 40
BUDGET = 30.0


def measure() -> list[Ratio]:
    """nDCG@10 of all runs with PRM gains: joint intervals of scores and of all differences, tests, rank sets.

    The peers test each pair over topics, the gains held fixed, and give no intervals. They are timed on a few pairs,
    ranx without its compilation, and their time is scaled up to all pairs. 500 runs and 5,000 topics must end well
    within half a minute, whatever the peers take.
    """
    rows = []
    for runs, topics, goals in ((60, 50, (20, 20)), (500, 50, (50, 50)), (20, 5_000, (2, 20))):
        ours, scores = _compare(runs, topics)
        what = f"all pairs of {runs} runs x {topics:,} topics"
        pairs = list(itertools.combinations(range(runs), 2))
        timed = MOST_TIMED if topics < 100 else 4
        chosen = [pairs[at] for at in np.random.default_rng(2).choice(len(pairs), timed, replace=False)]
        note = f"{PERMUTATIONS:,} permutations, {timed} of {len(pairs):,} pairs timed, scaled up"
        for name, peer, goal in (("ranx", _fisher, goals[0]), ("scipy", _permute, goals[1])):
            taken = peer(scores, chosen) * len(pairs) / timed
            rows.append(Ratio(what, ours, name, taken, goal, note=note))
        if (runs, topics) != (60, 50):
            rows.append(Ratio(what, ours, "half a minute", BUDGET, 1, note="must end well within it"))
    return rows


def _compare(runs: int, topics: int) -> tuple[float, npt.NDArray[np.float64]]:
    """Seconds of the fastest of three comparisons, and the scores compared."""
    qualities = {f"run{place:03}": 0.95 - 0.7 * place / runs for place in range(runs)}
    collection = simulate_collection(
        LatentModel(), topics=topics, documents=100 if topics < 100 else 40, runs=RunDesign(qualities=qualities), seed=1
    )
    judgments = collection.judgments
    model = gs.estimate_disagreement(gs.count_pairs(judgments))
    pool = gs.ranking.make_pool(judgments)
    ranked = [gs.ranking.rank_levels(gs.read_run(table), pool) for table in collection.runs.values()]
    scheme = gs.gains.prm_scheme(model, judgments.levels.at_or_above(judgments.levels.top))
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        found = gs.comparison.compare_runs(ranked, [gs.measures.parse_measure("nDCG@10")], [scheme])
        taken.append(time.perf_counter() - start)
    part = found.parts[0]
    assert part.differences is not None
    assert np.isfinite(part.differences.simultaneous_interval).all()
    return min(taken), part.values


def _fisher(scores: npt.NDArray[np.float64], pairs: list[tuple[int, int]]) -> float:
    from ranx.statistical_tests import fisher_randomization_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fisher_randomization_test(scores[0], scores[1], n_permutations=10, random_seed=1)
        start = time.perf_counter()
        for a, b in pairs:
            fisher_randomization_test(scores[a], scores[b], n_permutations=PERMUTATIONS, random_seed=1)
    return time.perf_counter() - start


def _permute(scores: npt.NDArray[np.float64], pairs: list[tuple[int, int]]) -> float:
    from scipy.stats import permutation_test

    start = time.perf_counter()
    for a, b in pairs:
        permutation_test(
            (scores[a] - scores[b],),
            lambda x, axis: x.mean(axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=PERMUTATIONS,
            batch=1_000,
            rng=np.random.default_rng(1),
        )
    return time.perf_counter() - start
