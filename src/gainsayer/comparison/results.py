"""What a comparison is asked for, and what it answers: standings, differences, how far orders agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Literal, get_args

import numpy as np

from gainsayer.comparison.differences import Differences
from gainsayer.comparison.fixed_tests import Adjustment, PairTests, PowerCurve, Test
from gainsayer.comparison.ranks import RankCorrelation
from gainsayer.comparison.replicates import Replicates
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import Scheme, tell_apart
from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scores import Scores
from gainsayer.model.intervals import check_confidence
from gainsayer.model.people import Panel
from gainsayer.model.resampling import check_draws
from gainsayer.ranking.ranked import FloatArray, IntArray
from gainsayer.text import nearest, option

FamilyOf = Literal["each", "all"]
FAMILIES: tuple[FamilyOf, ...] = get_args(FamilyOf)


@dataclass(frozen=True)
class Part:
    """A measure with a scheme, and the gains under the name that tells them apart from other schemes'."""

    measure: Measure
    scheme: Scheme
    gains: Gains


@dataclass(frozen=True)
class CompareOptions:
    """How runs are compared (`compare_runs`).

    Raises:
        CallError: an invalid confidence, margin, number, adjustment or family.
    """

    test: Test = "joint"
    adjust: Adjustment | None = None
    baseline: str | None = None
    margin: float | None = None
    draws: int = 1_000
    permutations: int = 10_000
    confidence: float = 0.95
    seed: int = 0
    family: FamilyOf = "each"
    families: int = 1

    def __post_init__(self) -> None:
        check_confidence(self.confidence)
        if self.margin is not None and not self.margin > 0:
            raise CallError(
                f"The margin is the smallest difference that matters, a number above 0; found {self.margin}."
            )
        check_draws(self.permutations, self.seed, what="permutations")
        check_draws(self.draws, self.seed, least=2, what="resamples")
        if self.family not in FAMILIES:
            raise CallError(f"There is no family {self.family!r}: choose one of {', '.join(FAMILIES)}.")
        if self.family == "all" and self.test != "joint":
            raise CallError(
                f"All measures and gains are one family for the joint test only: leave out {option('test')}, or "
                f"{option('family', 'all')}."
            )
        if self.adjust is not None and self.test == "joint":
            raise CallError(
                "The joint test is adjusted for all pairs in one step, so that it agrees with the simultaneous "
                f"intervals. Other adjustments ({self.adjust!r}) go with a test that holds the gains fixed: "
                "randomisation, t or wilcoxon."
            )

    def find_baseline(self, runs: Sequence[str]) -> int | None:
        """The baseline's place among the runs; None for no baseline (CallError: there is no such run)."""
        name = self.baseline
        if name is None:
            return None
        if name not in runs:
            raise CallError(
                f"There is no run {name!r} to compare with: the runs are {', '.join(runs[:20])}.{nearest(name, runs)}"
            )
        return list(runs).index(name)


def list_parts(
    measures: Sequence[Measure], schemes: Sequence[Scheme] | Mapping[Measure, Sequence[Scheme]]
) -> list[Part]:
    """Every measure with every scheme it can be scored with.

    Raises:
        CallError: no measure, no scheme, or the same gains twice.
    """
    of_measure = schemes if isinstance(schemes, Mapping) else dict.fromkeys(measures, schemes)
    every = list_schemes(measures, schemes)
    if not every or not measures:
        raise CallError("A comparison needs at least one measure and one kind of gains.")
    labels = {scheme: tell_apart(scheme, every).gains for scheme in every}
    return [
        Part(measure, scheme, labels[scheme])
        for measure in measures
        for scheme in of_measure[measure]
        if _suits(measure, scheme, of_measure[measure])
    ]


def list_schemes(
    measures: Sequence[Measure], schemes: Sequence[Scheme] | Mapping[Measure, Sequence[Scheme]]
) -> list[Scheme]:
    """The schemes of all measures, in the order given."""
    if not isinstance(schemes, Mapping):
        return list(schemes)
    return list(dict.fromkeys(scheme for measure in measures for scheme in schemes[measure]))


def _suits(measure: Measure, scheme: Scheme, schemes: Sequence[Scheme]) -> bool:
    """Whether to score with these gains: random users need probabilities, so they pass over others where there are any.

    Where there are none the measure refuses them in its own words.
    """
    if measure.users is None or scheme.gains.probabilities:
        return True
    return not any(other.gains.probabilities for other in schemes)


@dataclass(frozen=True, eq=False)
class Standings:
    """Where each run stands; arrays have the shape [runs], intervals [runs, 2].

    Args:
        value: mean score.
        interval: over topics, second judgments and, where they are enough, people; NaN where there is none.
        topic_interval: over topics alone, the gains taken as given: too narrow where they are estimated.
        rank: 1 for the best; equal runs share the better rank.
        rank_interval: the confidence set of the rank, all runs' sets holding at once; NaN where not all pairs were
            tested.
    """

    value: FloatArray
    interval: FloatArray
    topic_interval: FloatArray
    rank: IntArray
    rank_interval: FloatArray


@dataclass(frozen=True, eq=False)
class VarianceShares:
    """Where the uncertainty of each score, or of each difference, comes from; arrays have the shape [scores].

    `topics` and `parameters` are variances with the other one held fixed, as shares of the joint variance; `together`
    is the rest, positive or negative: the same topics bring both. More topics mend the first, more second judgments
    (on more topics) the second.
    """

    topics: FloatArray
    parameters: FloatArray

    @property
    def together(self) -> FloatArray:
        """The rest."""
        return np.asarray(1 - self.topics - self.parameters)


@dataclass(frozen=True, eq=False)
class RunComparison:
    """The runs by one measure and one scheme of gains; arrays over pairs follow `differences.a` and `differences.b`.

    Args:
        measure: the measure.
        scheme: the gains.
        values: scores, shape [runs, topics].
        error: standard deviation of the mean over topics, s / sqrt(topics), gains as given; shape [runs].
        standings: intervals and ranks.
        shares: where the uncertainty of a score comes from; None for gains that are given.
        pair_shares: where the uncertainty of a difference comes from; None likewise.
        differences: of pairs of runs, with intervals and verdicts; None for a single run or topic.
        tests: the p-values asked for: those of the differences, or of a test with the gains held fixed.
        possibly_best: the runs that no run beats significantly; None where not all pairs were tested.
        groups: letters; runs that share one do not differ significantly. Empty where not all pairs were tested.
        power: share of pairs that differ significantly.
        replicates: of the mean scores, which everything else is made of; None for a single topic.
    """

    measure: Measure
    scheme: Scheme
    values: FloatArray
    error: FloatArray
    standings: Standings
    shares: VarianceShares | None = None
    pair_shares: VarianceShares | None = None
    differences: Differences | None = None
    tests: PairTests | None = None
    possibly_best: tuple[int, ...] | None = None
    groups: tuple[str, ...] = ()
    power: PowerCurve | None = None
    replicates: Replicates | None = None

    @property
    def order(self) -> IntArray:
        """The runs from best to worst; those of one rank in the order given."""
        return np.argsort(self.standings.rank, kind="stable")

    @cached_property
    def twin(self) -> IntArray:
        """The first run in the order given that scores the same on every topic, a run's own place where none does."""
        same: dict[bytes, int] = {}
        rows = self.values.round(9) + 0.0  # no -0
        return np.array([same.setdefault(row.tobytes(), run) for run, row in enumerate(rows)])

    @property
    def two_best(self) -> list[int]:
        """The two runs that score highest and are not the same on every topic; one where there is no other."""
        order = self.order.tolist()
        others = (run for run in order if self.twin[run] != self.twin[order[0]])
        return [order[0], *islice(others, 1)]

    @property
    def pairs(self) -> Differences | None:
        """The differences with the p-values and effects of the tests asked for; None where nothing was tested."""
        if self.differences is None or self.tests is None:
            return None
        tests = self.tests
        return replace(self.differences, p=tests.p, p_adjusted=tests.p_adjusted, effect=tests.effect)

    @property
    def winner(self) -> Differences:
        """Of two runs that were tested, the higher one minus the other."""
        found = self.pairs
        assert found is not None
        return found if found.difference[0] >= 0 else found.against(int(found.a[0]))


@dataclass(frozen=True)
class RankingAgreement:
    """How far two schemes order the runs alike, by one measure.

    `tau_interval` is where tau would come to lie with another sample of as many topics; it is *no* interval for the tau
    between the true orders.
    """

    measure: Measure
    a: Gains
    b: Gains
    tau_b: RankCorrelation
    tau_ap: RankCorrelation
    tau_interval: tuple[float, float] | None


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
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
        draws: how many sign flips were asked for as samples for the intervals of tau.
        baseline: the run that all others are compared with; None for all pairs.
        margin: the smallest difference that matters; None where none was given.
        seed: of samples and sign flips.
        findings: what a reader should know.
        panel: whom the intervals are for; None where no gains were estimated from double judgments.
        family: whether the pairs of `each` measure and kind of gains hold at once, or those of `all`.
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
    baseline: str | None
    margin: float | None
    seed: int
    findings: tuple[Finding, ...]
    panel: Panel | None = None
    family: FamilyOf = "each"

    @property
    def held_at_once(self) -> str:
        """Which pairs are one family, in words."""
        if len(self.parts) == 1:
            return self.which_pairs
        every = self.family == "all"
        return f"{self.which_pairs}{', measures and gains' if every else ' of each measure and kind of gains'}"

    @property
    def which_pairs(self) -> str:
        """The pairs that are compared, in words."""
        return "all pairs" if self.baseline is None else "the baseline's pairs"

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Each measure once."""
        return tuple(dict.fromkeys(part.measure for part in self.parts))

    def part(self, measure: Measure | None = None) -> RunComparison:
        """The first kind of gains of a measure; of the first measure by default."""
        wanted = self.parts[0].measure if measure is None else measure
        return next(part for part in self.parts if part.measure == wanted)

    def whom(self, part: RunComparison) -> str:
        """What the intervals of a part speak about: other topics, other people, or these assessors."""
        if part.shares is None:
            return "other topics"
        return "other topics, for these assessors" if self.panel is None else self.panel.whom

    def reference(self, part: RunComparison) -> int:
        """The index of the run that the others are held against: the baseline, else the one that scores highest."""
        return int(part.order[0]) if self.baseline is None else self.runs.index(self.baseline)

    def from_reference(self, part: RunComparison) -> Differences | None:
        """Each other run minus the reference, the higher ones first; None where nothing was tested."""
        if part.pairs is None:
            return None
        found = part.pairs.against(self.reference(part))
        return found.take(np.lexsort(([self.runs[run] for run in found.a], -found.difference)))

    def __repr__(self) -> str:
        return f"Comparison({len(self.runs)} runs, {len(self.topics)} topics)"
