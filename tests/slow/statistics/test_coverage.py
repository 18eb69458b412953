"""How often intervals of p(R|i) hold the truth, in simulated worlds: the default ones do, simpler ones do not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.slow.statistics.worlds import LATENT, BetaWorld, coverage, resample

import gainsayer as gs
from gainsayer.model import FloatArray, binomial_error, normal_interval, topic_intervals

SLOW = bool(os.environ.get("GAINSAYER_SLOW"))
REPEATS = 4000 if SLOW else 400
TOPICS = (8, 12, 24, 50) if SLOW else (8, 24)
POPULATION = 400_000 if SLOW else 60_000

# Coverage over the cells (levels by thresholds) found by others with other code, 2,000 repeats, T = 8, 12, 24, 50.
PUBLISHED = {
    "balanced": ((0.948, 0.975), (0.953, 0.977), (0.952, 0.970), (0.940, 0.958)),
    "lognormal 1.2": ((0.933, 0.972), (0.940, 0.974), (0.942, 0.977), (0.941, 0.959)),
    "size~quality": ((0.927, 0.977), (0.938, 0.977), (0.931, 0.960), (0.938, 0.951)),
    "rare top": ((0.952, 0.983), (0.957, 0.984), (0.953, 0.981), (0.953, 0.977)),
    "leniency 1.2": ((0.943, 0.978), (0.957, 0.977), (0.953, 0.977), (0.945, 0.967)),
    "one-sided size~quality": ((0.930, 0.985), (0.934, 0.988), (0.946, 0.979), (0.941, 0.960)),
    "IPW": ((0.957, 0.985), (0.959, 0.976), (0.950, 0.968), (0.936, 0.960)),
}
# Worlds that are not Gaussian latent quality.
BETA = {
    "beta": BetaWorld(),
    "beta, sizes 1.0": BetaWorld(spread=1.0),
    "beta, unlike topics": BetaWorld(weight=3.0, spread=0.5),
    "mixture": BetaWorld(means=(0.0725, 0.2, 0.29), kinds=0.15, weight=50.0),
}
# The least coverage that was found, where docs/explanation/errors-and-intervals.md names a cell; else .92 is asked for.
DOCUMENTED = {
    ("size~quality", 50): 0.92,  # .917 and .923 in two runs, published .938 for a milder world
    ("mixture", 8): 0.87,
    ("mixture", 12): 0.88,
    ("dl19", 8): 0.91,
    ("dl19", 12): 0.90,
    ("dl19", 24): 0.89,
    ("dl19", 50): 0.91,
    ("dl21", 8): 0.91,
    ("dl21", 12): 0.89,
}


def allowance(repeats: int) -> float:
    """Three and a half Monte Carlo errors of one coverage near .95."""
    return 3.5 * float(np.sqrt(0.95 * 0.05 / repeats))


def default_ends(relevant: FloatArray, judged: FloatArray) -> FloatArray:
    """The default interval over topics."""
    return topic_intervals(relevant, judged).ends


def check_cells(found: FloatArray, name: str, topics: int) -> None:
    """Every cell covers .92 or what is documented for it, and no cell nearly always."""
    least = DOCUMENTED.get((name, topics), 0.92)
    assert found.min() >= least - allowance(REPEATS), found
    assert found.max() <= 0.985 + allowance(REPEATS), found


@pytest.mark.slow
@pytest.mark.parametrize("topics", TOPICS)
@pytest.mark.parametrize("name", LATENT)
def test_default_interval_covers_as_published(name: str, topics: int) -> None:
    """In each Gaussian world the cells lie in the range that was published, within Monte Carlo error."""
    world = LATENT[name]
    pairs = world.draw(REPEATS, topics, np.random.default_rng([20260101, topics]))
    found = np.concatenate(
        [
            coverage(default_ends, world.split(pairs, threshold), world.truth(threshold, topics=POPULATION))
            for threshold in (1, 3)
        ]
    )
    low, high = PUBLISHED[name][(8, 12, 24, 50).index(topics)]
    low = min(low, DOCUMENTED.get((name, topics), low))
    error = float(np.hypot(allowance(REPEATS), allowance(2000)))
    assert found.min() >= low - error, found
    assert found.max() <= high + error, found


@pytest.mark.slow
@pytest.mark.parametrize("topics", TOPICS)
@pytest.mark.parametrize("name", BETA)
def test_default_interval_covers_where_topics_have_their_own_share(name: str, topics: int) -> None:
    """Dirichlet-multinomial topics, equal and unequal, and a mixture of two kinds of topics."""
    world = BETA[name]
    rounds = world.draw(REPEATS, topics, np.random.default_rng([20260102, topics]))
    check_cells(coverage(default_ends, rounds, np.array(world.means)), name, topics)


@pytest.mark.slow
@pytest.mark.parametrize("topics", TOPICS)
@pytest.mark.parametrize("name", ["dl19", "dl21"])
def test_default_interval_covers_the_pool_of_real_topics(
    name: str, topics: int, shared_data: Callable[[str], Path]
) -> None:
    """Topics drawn with replacement from real ones: the truth is all of them together."""
    if name == "dl19":
        files = sorted(shared_data("dl19/annotators").glob("pair*.qrels"))
        sides = [[path.stem for path in files if path.stem.endswith(side)] for side in ("first", "second")]
    else:
        files = [shared_data(f"dl21/assessors/{who}.qrels") for who in ("nist", "umbrela-gpt4")]
        sides = [["nist"], ["umbrela-gpt4"]]
    judgments = gs.read_judgments(*map(str, files))
    pairs = gs.count_pairs(judgments, first=sides[0], second=sides[1]).symmetric()
    pool = pairs.sum(axis=0)
    found = []
    for threshold in (1, 2, 3):
        rounds = resample(pairs, threshold, REPEATS, topics, np.random.default_rng([20260103, topics]))
        found.append(coverage(default_ends, rounds, pool[:, threshold:].sum(axis=1) / pool.sum(axis=1)))
    check_cells(np.concatenate(found), name, topics)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["balanced", "size~quality"])
def test_binomial_interval_does_not_cover(name: str) -> None:
    """It takes the documents of a topic as independent: some levels are covered in less than four of five cases."""
    world = LATENT[name]
    pairs = world.draw(REPEATS, 24, np.random.default_rng(20260104))
    relevant, judged = (part.sum(axis=1) for part in world.split(pairs, 3))
    truth = world.truth(3, topics=POPULATION)
    held = np.zeros(len(truth))
    for a, b in zip(relevant, judged, strict=True):
        p = a / b
        ends = normal_interval(p, binomial_error(p, b), confidence=0.95, method="binomial").ends
        held += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    assert (held / REPEATS).min() < 0.8
