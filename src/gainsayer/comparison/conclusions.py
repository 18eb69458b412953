"""From what the topics say about runs to standings, verdicts, ranks and words, however the topics were asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.correlation import kendall_tau, tau_ap, tau_interval
from gainsayer.comparison.differences import Differences, flip_runs
from gainsayer.comparison.intervals import Quantities, ScoreErrors
from gainsayer.comparison.options import CompareOptions, Part
from gainsayer.comparison.paired_tests import PairTests, discriminative_power, standardise
from gainsayer.comparison.ranks import letter_groups, possibly_best, rank_scores, rank_sets
from gainsayer.comparison.replicates import Replicates
from gainsayer.comparison.results import RankingAgreement, RunComparison, Standings, VarianceShares
from gainsayer.rankings.ranked_levels import FloatArray

# Runs are given letters up to this number; with more, a table of letters is no longer read.
MOST_LETTERED = 200


def conclude_part(
    part: Part,
    values: FloatArray,
    replicates: Replicates,
    scores: ScoreErrors | None,
    differences: Differences | None,
    tests: PairTests | None,
    options: CompareOptions,
) -> RunComparison:
    """Standings, ranks and tests by one measure and scheme.

    Args:
        part: the measure and scheme.
        values: the scores of every topic, shape [runs, topics].
        replicates: of the mean scores.
        scores: intervals of the scores; None for a single topic.
        differences: of pairs of runs; None for a single run or topic.
        tests: with the gains held fixed, where they were asked for.
        options: what was asked for.
    """
    value, (runs, topics) = replicates.estimate, values.shape
    rank = rank_scores(value)
    if scores is None:
        nothing, unknown = np.full((runs, 2), np.nan), np.full(runs, np.nan)
        standings = Standings(value, nothing, nothing, rank, nothing)
        return RunComparison(part.measure, part.scheme, values, unknown, standings)
    if differences is not None and tests is None:
        tests = _joint_test(differences, standardise(values, differences.a, differences.b))
    sets = np.ones((runs, 2), dtype=np.int64)
    if differences is not None:
        verdicts = differences.verdicts
        sets = rank_sets(runs, differences.a, differences.b, verdicts.better, verdicts.worse)
    compared = options.baseline is None
    level = 1 - options.confidence
    estimated = replicates.estimated
    return RunComparison(
        measure=part.measure,
        scheme=part.scheme,
        values=values,
        error=values.std(axis=1, ddof=1) / np.sqrt(topics),
        standings=Standings(
            value=value,
            interval=scores.interval,
            topic_interval=scores.topic_interval,
            rank=rank,
            rank_interval=sets.astype(np.float64) if compared else np.full((runs, 2), np.nan),
        ),
        shares=_share(scores.quantities) if estimated else None,
        pair_shares=None
        if differences is None or not estimated
        else VarianceShares(differences.topic_share, differences.parameter_share),
        differences=differences,
        tests=tests,
        possibly_best=tuple(possibly_best(sets).tolist()) if compared else None,
        groups=_group(tests, rank, level) if tests is not None and compared and runs <= MOST_LETTERED else (),
        power=None if tests is None else discriminative_power(np.nan_to_num(tests.p_adjusted, nan=1.0), level=level),
    )


def _joint_test(differences: Differences, effect: FloatArray) -> PairTests:
    return PairTests(
        a=differences.a,
        b=differences.b,
        difference=differences.difference,
        p=differences.p,
        p_adjusted=differences.p_adjusted,
        effect=effect,
        test="joint",
        adjustment="none" if differences.flips is None else "single-step",
        permutations=differences.flips,
    )


def _share(quantities: Quantities) -> VarianceShares:
    whole = quantities.spread.topics
    known = whole > 0
    topics, parameters = (
        np.divide(part, whole, out=np.full(len(whole), np.nan), where=known)
        for part in (quantities.topics, quantities.parameters)
    )
    return VarianceShares(topics, parameters)


def _group(tests: PairTests, rank: npt.NDArray[np.int64], level: float) -> tuple[str, ...]:
    differs = np.zeros((len(rank), len(rank)), dtype=bool)
    apart = np.nan_to_num(tests.p_adjusted, nan=1.0) <= level
    differs[tests.a[apart], tests.b[apart]] = differs[tests.b[apart], tests.a[apart]] = True
    return tuple(letter_groups(np.argsort(rank, kind="stable").tolist(), differs))


def agree_schemes(
    parts: Sequence[RunComparison], replicates: Sequence[Replicates], options: CompareOptions
) -> tuple[RankingAgreement, ...]:
    """How far every two schemes agree; in each sample of their orders, a topic's sign is the same for both.

    Args:
        parts: by measure and scheme.
        replicates: of each part.
        options: what was asked for.
    """

    @cache
    def sample(at: int) -> FloatArray:
        return flip_runs(replicates[at], patterns=options.draws, seed=options.seed)

    found = []
    for one, other in combinations(range(len(parts)), 2):
        a, b = parts[one], parts[other]
        if a.measure != b.measure:
            continue
        tau = kendall_tau(a.standings.value, b.standings.value)
        interval, topics = None, len(replicates[one].topics)
        if tau.value is not None and abs(tau.value) < 1 and topics > 1:
            interval = tau_interval(tau.value, sample(one), sample(other), topics=topics, confidence=options.confidence)
        found.append(
            RankingAgreement(
                measure=a.measure,
                a=a.scheme.gains,
                b=b.scheme.gains,
                tau_b=tau,
                tau_ap=tau_ap(a.standings.value, b.standings.value),
                tau_interval=interval,
            )
        )
    return tuple(found)
