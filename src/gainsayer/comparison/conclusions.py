"""From what the topics say about runs to standings, verdicts, ranks and words, however the topics were asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.caveats import Evidence, notice_comparison
from gainsayer.comparison.correlation import kendall_tau, tau_ap, tau_interval
from gainsayer.comparison.differences import Differences
from gainsayer.comparison.intervals import Errors, ScoreErrors
from gainsayer.comparison.options import CompareOptions, Part
from gainsayer.comparison.paired_tests import PairTests, discriminative_power
from gainsayer.comparison.ranks import letter_groups, possibly_best, rank_scores, rank_sets
from gainsayer.comparison.results import Comparison, RankingAgreement, RunComparison, Standings, VarianceShares
from gainsayer.measures.scoring import Scores
from gainsayer.rankings.ranked_levels import FloatArray

# Runs are given letters up to this number; with more, a table of letters is no longer read.
MOST_LETTERED = 200


@dataclass(frozen=True, eq=False)
class Measured:
    """What the topics say about the runs, however they were asked.

    Args:
        value: mean scores, shape [runs].
        deviation: of the topics' scores, shape [runs].
        estimated: whether the gains are.
        scores: intervals of the scores; None for a single topic.
        differences: of pairs of runs; None for a single run or topic.
        effect: standardised differences of the pairs.
        topics: how many were scored.
        fixed: tests with the gains held fixed, where they were asked for.
    """

    value: FloatArray
    deviation: FloatArray
    estimated: bool
    scores: ScoreErrors | None
    differences: Differences | None
    effect: FloatArray
    topics: int
    fixed: PairTests | None = None


def conclude_part(part: Part, values: FloatArray | None, measured: Measured, options: CompareOptions) -> RunComparison:
    """Standings, ranks and tests by one measure and scheme; `values` are the scores of every topic, where gathered."""
    value, differences, errors = measured.value, measured.differences, measured.scores
    runs, rank = len(value), rank_scores(measured.value)
    if errors is None:
        nothing = np.full((runs, 2), np.nan)
        unknown = np.full(runs, np.nan)
        standings = Standings(value, nothing, nothing, rank, nothing)
        return RunComparison(
            part.measure, part.scheme, values, unknown, standings, None, None, None, None, None, (), None
        )
    tests = measured.fixed
    if differences is not None and tests is None:
        tests = _joint_test(differences, measured.effect)
    sets = np.ones((runs, 2), dtype=np.int64)
    if differences is not None:
        verdicts = differences.verdicts
        sets = rank_sets(runs, differences.a, differences.b, verdicts.better, verdicts.worse)
    compared = options.baseline is None
    level = 1 - options.confidence
    return RunComparison(
        measure=part.measure,
        scheme=part.scheme,
        values=values,
        error=measured.deviation / np.sqrt(measured.topics),
        standings=Standings(
            value=value,
            interval=errors.interval,
            topic_interval=errors.topic_interval,
            rank=rank,
            rank_interval=sets.astype(np.float64) if compared else np.full((runs, 2), np.nan),
        ),
        shares=_share(errors.errors) if measured.estimated else None,
        pair_shares=None
        if differences is None or not measured.estimated
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


def _share(errors: Errors) -> VarianceShares:
    known = errors.error > 0
    whole = np.where(known, errors.error, 1.0) ** 2
    return VarianceShares(
        np.where(known, errors.topics / whole, np.nan), np.where(known, errors.parameters / whole, np.nan)
    )


def _group(tests: PairTests, rank: npt.NDArray[np.int64], level: float) -> tuple[str, ...]:
    differs = np.zeros((len(rank), len(rank)), dtype=bool)
    apart = np.nan_to_num(tests.p_adjusted, nan=1.0) <= level
    differs[tests.a[apart], tests.b[apart]] = differs[tests.b[apart], tests.a[apart]] = True
    return tuple(letter_groups(np.argsort(rank, kind="stable").tolist(), differs))


def _agree(
    parts: Sequence[RunComparison],
    draw: Callable[[], Callable[[int], FloatArray]],
    topics: int,
    confidence: float,
) -> tuple[RankingAgreement, ...]:
    """How far every two schemes agree; both orders of a sample come from the same topics and double judgments."""
    pairs = [
        (one, other) for one, other in combinations(range(len(parts)), 2) if parts[one].measure == parts[other].measure
    ]
    if not pairs:
        return ()
    redraw = cache(draw())
    found = []
    for one, other in pairs:
        a, b = parts[one], parts[other]
        tau = kendall_tau(a.standings.value, b.standings.value)
        interval = None
        if tau.value is not None and abs(tau.value) < 1 and topics > 1:
            interval = tau_interval(tau.value, redraw(one), redraw(other), topics=topics, confidence=confidence)
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


def conclude(
    scores: Scores,
    parts: Sequence[RunComparison],
    evidence: Evidence,
    options: CompareOptions,
    draw: Callable[[], Callable[[int], FloatArray]],
    draws: int,
) -> Comparison:
    """The comparison by all measures and schemes, with what a reader should know.

    Args:
        scores: what was compared.
        parts: by measure and scheme.
        evidence: what the intervals rest on.
        options: what was asked for.
        draw: gives, where it is called at all, a function from a part's number to its scores in each sample of topics,
            shape [draws, runs].
        draws: how many samples.
    """
    at = options.find_baseline(scores.runs)
    return Comparison(
        runs=scores.runs,
        topics=scores.topics,
        paired_topics=evidence.paired,
        shared_topics=evidence.shared,
        parts=tuple(parts),
        rankings=_agree(parts, draw, len(scores.topics), options.confidence),
        scores=scores,
        confidence=options.confidence,
        draws=draws,
        baseline=options.baseline,
        margin=options.margin,
        seed=options.seed,
        findings=(
            *scores.findings,
            *notice_comparison(scores, evidence, parts, at, options.test, options.adjust),
        ),
    )
