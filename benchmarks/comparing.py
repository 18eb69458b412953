"""Ten thousand joint resamples of 60 runs on 50 topics, beside ranx's Fisher test and scipy's bootstrap over topics."""

from __future__ import annotations

import itertools
import time
import warnings

import numpy as np

import gainsayer as gs
from benchmarks.timing import Ratio
from gainsayer.comparison.joint import resample_scores
from gainsayer.comparison.resampling import redraw_matrices, resample_topics
from gainsayer.comparison.standing import find_standings
from gainsayer.datasets.latent import LatentModel
from gainsayer.datasets.simulate import simulate_collection
from gainsayer.datasets.simulated_runs import RunDesign

DRAWS = 10_000
RUNS = 60
TOPICS = 50
FISHER_PAIRS = 40
ROUNDS = 5


def measure() -> list[Ratio]:
    """nDCG@10 of all runs, re-estimated and re-scored in every resample, with intervals, ranks and who is best.

    ranx is timed on 40 of the 1,770 pairs of runs, its compilation not counted, and its time scaled up. scipy resamples
    topics only, with the gains held fixed, paired over all runs, percentile intervals.
    """
    from ranx.statistical_tests import fisher_randomization_test
    from scipy.stats import bootstrap

    qualities = {f"run{place:02}": 0.95 - 0.012 * place for place in range(RUNS)}
    collection = simulate_collection(
        LatentModel(), topics=TOPICS, documents=100, runs=RunDesign(qualities=qualities), seed=1
    )
    judgments = collection.judgments
    model = gs.estimate_disagreement(gs.count_pairs(judgments))
    pool = gs.make_pool(judgments)
    ranked = [gs.rank_levels(gs.read_run(table), pool) for table in collection.runs.values()]
    top = judgments.levels.at_or_above(judgments.levels.top)
    scheme = gs.prm_scheme(model, top)
    measure = gs.parse_measure("nDCG@10")
    scores = np.stack([measure.score(run, scheme.gains) for run in ranked])

    ours, theirs = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        resamples = resample_topics(ranked[0].topics, model.counts.topics, draws=DRAWS, seed=1)
        matrices = redraw_matrices(model, resamples)
        assert scheme.redraw is not None
        values = scheme.redraw(matrices)
        kept = np.isfinite(values).all(axis=1)
        drawn = gs.Gains(judgments.levels, values[kept])
        found = find_standings(resample_scores(ranked, measure, scheme.gains, resamples, drawn=drawn, kept=kept))
        ours.append(time.perf_counter() - start)

        start = time.perf_counter()
        peer = bootstrap(
            tuple(scores),
            lambda *samples, axis: np.stack([sample.mean(axis=axis) for sample in samples]),
            paired=True,
            vectorized=True,
            n_resamples=DRAWS,
            method="percentile",
            rng=np.random.default_rng(1),
            batch=1_000,
        )
        theirs.append(time.perf_counter() - start)

    assert np.allclose(found.value, scores.mean(axis=1)), "both must speak of the same scores"
    low, high = found.topic_interval.T
    assert np.allclose(low, peer.confidence_interval.low, atol=0.02), "the topic-only intervals must agree"
    assert np.allclose(high, peer.confidence_interval.high, atol=0.02), "the topic-only intervals must agree"

    pairs = list(itertools.combinations(range(RUNS), 2))
    chosen = [pairs[place] for place in np.random.default_rng(2).choice(len(pairs), FISHER_PAIRS, replace=False)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fisher_randomization_test(scores[0], scores[1], n_permutations=10, random_seed=1)
        start = time.perf_counter()
        for a, b in chosen:
            fisher_randomization_test(scores[a], scores[b], n_permutations=DRAWS, random_seed=1)
        fisher = (time.perf_counter() - start) * len(pairs) / FISHER_PAIRS
    mine = float(np.median(ours))
    what = f"{DRAWS:,} joint resamples, {RUNS} runs x {TOPICS} topics"
    note = f"ranx's Fisher test at {DRAWS:,}, {FISHER_PAIRS} of {len(pairs):,} pairs timed, scaled up"
    return [
        Ratio(what, mine, "ranx", fisher, 20, note=note),
        Ratio(
            what,
            mine,
            "scipy",
            float(np.median(theirs)),
            5,
            higher_is_better=False,
            note="scipy resamples topics only, gains held fixed",
        ),
    ]
