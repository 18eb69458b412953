"""Joint intervals of scores and differences cover the truth, in Gaussian worlds and in others; so do rank sets.

By default a few cells with few repeats; all of them under GAINSAYER_SLOW=1. The tolerance is the Monte Carlo error of
the repeats; docs/explanation/errors-and-intervals.md has the table, and names the cells outside .92 to .97.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, kendalltau
from tests.slow.statistics.populations import LEVELS, TOPICS, Population, close_runs, dirichlet, latent, real

from gainsayer.comparison import compare_runs, find_differences, rank_scores, rank_sets, score_intervals
from gainsayer.gains import Scheme, binary_gains, prm_scheme
from gainsayer.measures import parse_measure

SLOW = bool(os.environ.get("GAINSAYER_SLOW"))
REPEATS = 600 if SLOW else 120
MEASURES = ["NumRel@10", "DCG@10", "nDCG@10", "AP"] if SLOW else ["NumRel@10", "nDCG@10"]
KINDS = ("score", "null", "close", "real")


def coverage(world: Population, topics: int, twice: int, seed: int = 11) -> np.ndarray:
    """Share of 95 % intervals that hold the truth, shape [measures, kinds]; a score, and three differences from it."""
    truth = np.stack([world.truth(name) for name in MEASURES])
    hits, drawn = np.zeros((len(MEASURES), len(KINDS))), 0
    for turn in range(REPEATS):
        found = world.draw(np.random.default_rng([seed, turn]), topics, twice, MEASURES)
        drawn += bool(found)
        for place, replicates in enumerate(found):
            ends = [score_intervals(replicates, confidence=0.95, highest=np.inf).interval[0]]
            for other in (1, 2, 3):
                pair = np.array([0]), np.array([other])
                ends.append(find_differences([replicates], *pair, confidence=0.95, highest=[np.inf])[0].interval[0])
            true = [truth[place, 0], *(truth[place, 0] - truth[place, 1:])]
            hits[place] += [low <= value <= high for (low, high), value in zip(ends, true, strict=True)]
    assert drawn > 0.95 * REPEATS  # a level that no pair holds cannot be estimated
    return hits / drawn


def check(found: np.ndarray, lowest: float = 0.92, highest: float = 0.97) -> None:
    """Within these bounds, but for what so many repeats bring by chance (one cell in a thousand, on either side)."""
    low = binom.ppf(0.001, REPEATS, lowest) / REPEATS
    high = min(1.0, binom.ppf(0.999, REPEATS, highest) / REPEATS)
    assert ((found >= low) & (found <= high)).all(), dict(zip(MEASURES, found.round(3).tolist(), strict=True))


GAUSSIAN = [(3, 0.0, 50, 24), (3, 1.0, 12, 12)]
MORE_GAUSSIAN = [
    *((3, 0.0, topics, twice) for topics, twice in ((50, 8), (24, 24), (12, 12))),
    *((3, 1.0, topics, twice) for topics, twice in ((50, 24), (50, 8), (24, 24))),
    *((1, 0.0, topics, twice) for topics, twice in ((50, 24), (12, 12))),
]


@pytest.mark.slow
@pytest.mark.parametrize(("relevant", "spread", "topics", "twice"), GAUSSIAN + (MORE_GAUSSIAN if SLOW else []))
def test_gaussian_worlds(relevant: int, spread: float, topics: int, twice: int) -> None:
    """Latent quality with lenient and strict topics, even and uneven second pools: .92 to .97."""
    # Null differences with few doubly judged topics are cautious: the product of two uncertainties is counted twice.
    check(coverage(latent(relevant, spread), topics, twice), highest=0.98 if twice == 8 or topics == 12 else 0.97)


@pytest.mark.slow
def test_intervals_over_topics_alone_are_too_sure() -> None:
    """With 8 of 50 topics judged twice, 95 % intervals that hold the gains fixed miss a score in more than 15 %."""
    world, measure = latent(3), "NumRel@10"
    truth, hits = world.truth(measure)[0], 0
    for turn in range(REPEATS):
        (replicates,) = world.draw(np.random.default_rng([3, turn]), 50, 8, [measure])
        low, high = score_intervals(replicates, confidence=0.95, highest=np.inf).topic_interval[0]
        hits += low <= truth <= high
    assert hits / REPEATS < 0.85


@pytest.mark.slow
@pytest.mark.parametrize(("spread", "topics", "twice"), [(0.0, 50, 24), (1.0, 12, 12)] if SLOW else [(1.0, 24, 12)])
def test_dirichlet_worlds(spread: float, topics: int, twice: int) -> None:
    """Every topic with a matrix of its own and no latent quality behind it: .92 to .97."""
    check(coverage(dirichlet(3, spread), topics, twice), highest=0.98)


@pytest.mark.slow
@pytest.mark.parametrize(("topics", "twice"), [(50, 24), (24, 24)] if SLOW else [(24, 24)])
def test_mixtures_of_two_kinds_of_topics(topics: int, twice: int) -> None:
    """15 % of the topics are richer and judged more leniently: .92 to .97 from 24 topics on."""
    check(coverage(dirichlet(3, 0.0, 0.15), topics, twice), highest=0.98)


@pytest.mark.slow
def test_real_topics_drawn_again(shared_data: Callable[[str], Path]) -> None:
    """Topics of TREC DL 2021, drawn with replacement; the truth is what all of them give: .92 to .98."""
    folder = shared_data("dl21")
    nist = folder / "assessors" / "nist.qrels"
    runs = [folder / "runs" / f"{name}.run.gz" for name in ("pash_f1", "NLE_P_v1", "yorku21_a", "p_bm25")]
    world = real(nist, [nist], [folder / "assessors" / "umbrela-gpt4.qrels"], runs, 2)
    check(coverage(world, 53, 53 if SLOW else 24), highest=0.98)


@pytest.mark.slow
def test_true_ranks_of_close_runs_lie_in_their_sets() -> None:
    """Ten close runs: all ten true ranks lie in their sets in at least 95 % of the collections; signs are right."""
    world = close_runs()
    assert world.lists.shape[:2] == (10, TOPICS)
    a, b = np.triu_indices(10, k=1)
    held = wrong = decided = 0
    turns = 400 if SLOW else 100
    truth = world.truth("nDCG@10")
    true = rank_scores(truth)
    for turn in range(turns):
        (replicates,) = world.draw(np.random.default_rng([5, turn]), 50, 24, ["nDCG@10"])
        [found] = find_differences([replicates], a, b, confidence=0.95, highest=[1.0], patterns=999, seed=turn)
        sets = rank_sets(10, a, b, found.verdicts.better, found.verdicts.worse)
        held += bool(((sets[:, 0] <= true) & (true <= sets[:, 1])).all())
        better = truth[a] > truth[b]
        wrong += bool((found.verdicts.better & ~better).any() or (found.verdicts.worse & better).any())
        decided += int((found.verdicts.better | found.verdicts.worse).sum())
    assert held / turns >= 0.95
    assert wrong / turns <= 0.05
    assert decided > 0  # some pairs are decided: the sets are not all ranks throughout


@pytest.mark.slow
def test_tau_from_another_sample_of_topics() -> None:
    """The interval of tau holds the tau to be expected from as many topics, which is below that of the true orders."""
    world = close_runs()
    relevance = LEVELS.at_or_above("3")
    measure, binary = parse_measure("nDCG@10"), Scheme(binary_gains(LEVELS, relevance), relevance=relevance)
    taus, ends = [], []
    for turn in range(300 if SLOW else 60):
        chosen = np.random.default_rng([9, turn]).integers(0, TOPICS, 30)
        runs = world.runs(chosen)
        model = world.model(chosen[:15], runs[0].topics[:15])
        schemes = [prm_scheme(model, relevance), binary]
        found = compare_runs(runs, [measure], schemes, draws=200, permutations=10).rankings[0]
        taus.append(found.tau_b.value)
        ends.append(found.tau_interval or (1.0, 1.0))
    expected = float(np.mean(taus))
    covered = np.mean([low <= expected <= high for low, high in ends])
    assert covered >= 0.9, covered
    every = world.runs(np.arange(TOPICS))
    gains = prm_scheme(world.model(np.arange(TOPICS), every[0].topics), relevance).gains
    means = [[measure.score(run, kind).mean() for run in every] for kind in (gains, binary.gains)]
    assert expected < kendalltau(*means).statistic - 0.02
