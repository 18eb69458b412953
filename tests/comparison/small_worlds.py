"""Small runs, double judgments and replicates that the tests of the comparison share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gainsayer.comparison import (
    Differences,
    Replicates,
    find_differences,
    leave_out_topics,
    prepare_runs,
    replicate_given,
    sort_topics,
)
from gainsayer.findings import Finding
from gainsayer.gains import Scheme, binary_gains, prm_scheme
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.model import Disagreement, PairCounts, estimate_disagreement
from gainsayer.ranking import FloatArray, RankedLevels, ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
ONE = LEVELS.at_or_above("1")
TOP = LEVELS.at_or_above("2")
BINARY = Scheme(binary_gains(LEVELS, TOP), relevance=TOP)


def random_runs(*seeds: int, topics: int = 12, prefix: str = "q") -> list[RankedLevels]:
    """A run per seed: six documents in random order from pools of twelve."""
    names = [f"{prefix}{place:02}" for place in range(topics)]
    pool = {name: [6, 3, 3] for name in names}
    made = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        stock = np.repeat([0, 1, 2], [6, 3, 3])
        lists = {name: rng.permutation(stock)[:6].tolist() for name in names}
        made.append(ranked_from_lists(lists, pool, levels=LEVELS, name=f"run{seed}"))
    return made


def random_model(topics: int = 6, prefix: str = "q") -> Disagreement:
    """Pairs on the first topics."""
    counts = np.random.default_rng(9).integers(1, 8, (topics, 3, 3))
    names = [f"{prefix}{place:02}" for place in range(topics)]
    return estimate_disagreement(PairCounts.from_matrix(LEVELS, counts, topics=names), estimator="symmetric")


def codes_of(findings: Iterable[Finding]) -> set[str]:
    """Their codes."""
    return {finding.code for finding in findings}


def small_world(topics: int, twice: int, seed: int = 0, runs: int = 3) -> tuple[list[RankedLevels], Disagreement]:
    """Runs of five documents drawn from pools of ten, and pairs on the first topics."""
    rng = np.random.default_rng(seed)
    names = [f"q{place:04}" for place in range(topics)]
    pool = {name: [5, 3, 2] for name in names}
    made = []
    for at in range(runs):
        lists = {name: rng.permutation(np.repeat([0, 1, 2], [5, 3, 2]))[:5].tolist() for name in names}
        made.append(ranked_from_lists(lists, pool, levels=LEVELS, name=f"run{at}"))
    counts = PairCounts.from_matrix(LEVELS, rng.integers(0, 7, (twice, 3, 3)), topics=names[:twice])
    return made, estimate_disagreement(counts, estimator="symmetric")


def make_replicates(
    runs: list[RankedLevels], model: Disagreement, measure: str, *, overrides: dict[str, float] | None = None
) -> Replicates:
    """The mean scores without each topic."""
    scheme = prm_scheme(model, ONE, overrides=overrides)
    return replicate_scheme(runs, scheme, measure, model.counts.topics)


def replicate_scheme(runs: list[RankedLevels], scheme: Scheme, measure: str, paired: Sequence[str] = ()) -> Replicates:
    """The mean scores by any scheme without each topic; `paired` are those judged twice."""
    scored = prepare_runs(runs, parse_measure(measure), scheme.gains, runs[0].topics)
    values = np.concatenate([scored.table(run, scheme.gains.values[None]) for run in range(len(runs))])
    return leave_out_topics(scored, scheme, values, sort_topics(runs[0].topics, paired))


def given_scores(scores: FloatArray) -> Replicates:
    """The replicates of scores [runs, topics] with gains that are given."""
    return replicate_given(scores)


def all_pairs(
    replicates: Replicates,
    *,
    confidence: float = 0.95,
    margin: float | None = None,
    flips: int = 10_000,
    seed: int = 0,
) -> Differences:
    """Every two runs."""
    a, b = np.triu_indices(len(replicates.estimate), k=1)
    return find_differences(
        [replicates], a, b, confidence=confidence, highest=[np.inf], margin=margin, patterns=flips, seed=seed
    )[0]
