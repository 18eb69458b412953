"""What a comparison of runs holds."""

from __future__ import annotations

from dataclasses import dataclass

from gainsayer.comparison.correlation import RankCorrelation
from gainsayer.comparison.schemes import Scheme
from gainsayer.comparison.standing import Standings, VarianceShares
from gainsayer.comparison.testing import PairTests, PowerCurve
from gainsayer.display import Displayed
from gainsayer.findings import Finding
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import Scores
from gainsayer.rankings.ranked_levels import FloatArray


@dataclass(frozen=True, eq=False)
class RunComparison:
    """The runs by one measure and one scheme of gains; arrays over pairs follow `tests.a` and `tests.b`.

    Args:
        measure: the measure.
        scheme: the gains.
        values: scores, shape [runs, topics].
        error: standard deviation of the mean over topics, s / sqrt(topics), gains as given; shape [runs].
        standings: intervals, ranks, the chance to be best.
        shares: where the doubt about a score comes from; None for gains that are given.
        pair_shares: where the doubt about a difference comes from, some pairs of runs; None likewise.
        tests: of pairs of runs; None for a single run or topic.
        pair_interval: joint interval of each difference, shape [pairs, 2].
        probability_better: share of the draws in which a is better than b; equal ones count half; shape [pairs].
        groups: letters; runs that share one cannot be told apart. Empty where not all pairs were tested.
        power: share of pairs told apart.
        left_out: resamples that lacked a level, so that its gain was not known; they do not count.
    """

    measure: Measure
    scheme: Scheme
    values: FloatArray
    error: FloatArray
    standings: Standings
    shares: VarianceShares | None
    pair_shares: VarianceShares | None
    tests: PairTests | None
    pair_interval: FloatArray
    probability_better: FloatArray
    groups: tuple[str, ...]
    power: PowerCurve | None
    left_out: int


@dataclass(frozen=True)
class RankingAgreement:
    """How far two schemes order the runs alike, by one measure."""

    measure: Measure
    a: Scheme
    b: Scheme
    tau_b: RankCorrelation
    tau_ap: RankCorrelation
    rbo: RankCorrelation


@dataclass(frozen=True, eq=False)
class Comparison(Displayed):
    """All of it: the runs, by measure and scheme, and how the schemes' orders agree.

    Args:
        runs: their names.
        topics: the topics scored.
        paired_topics: how many topics were judged twice; 0 where no gains were estimated.
        shared_topics: how many of those are scored.
        parts: by measure and scheme, in the order asked for.
        rankings: every two schemes, by measure.
        scores: what was compared.
        confidence: of the intervals.
        draws: how many resamples were made.
        left_out: resamples that lacked a level, by the scheme that lost most.
        baseline: the run that all others are tested against; None for all pairs.
        seed: of resamples and permutations.
        findings: what a reader should know.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    paired_topics: int
    shared_topics: int
    parts: tuple[RunComparison, ...]
    rankings: tuple[RankingAgreement, ...]
    scores: Scores
    confidence: float
    draws: int
    left_out: int
    baseline: str | None
    seed: int
    findings: tuple[Finding, ...]
