"""Gain schemes: how much does the order of the runs depend on what a level is worth?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gainsayer.comparison.correlation import RankCorrelation, kendall_tau, tau_ap
from gainsayer.errors import CallError, MissingParameterError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import KINDS, check_kinds, gains_from, name_lacking
from gainsayer.gains.values import Gains
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import NoRelevant, TopicPolicy, score_runs
from gainsayer.model.estimate import Disagreement, Estimator
from gainsayer.model.pairs import FloatArray
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.studies.policies import (
    Unjudged,
    choose_topics,
    describe_skipped,
    find_unjudged,
    gains_with_unjudged,
    refuse_single,
)


@dataclass(frozen=True)
class SchemePair:
    """Two kinds of gains, and how alike they order the runs."""

    a: str
    b: str
    tau: RankCorrelation
    tau_ap: RankCorrelation


@dataclass(frozen=True, eq=False, repr=False)
class GainStudy:
    """The same runs, labels and topics under several kinds of gains.

    Args:
        measure: what was computed.
        relevance: the relevant levels.
        estimator: symmetric or one-sided.
        runs: their names.
        topics: how many were scored.
        skipped: topics left out, as no document of theirs is on a relevant level.
        gains: the kinds, in the order asked for.
        scores: name of the gains to mean scores, shape [runs].
        pairs: every two of them.
        no_relevant: what was done with topics without a relevant label.
        labels: whose labels scored, in words.
        seed: of what was drawn for the estimate.
        findings: what a reader should know.
    """

    measure: Measure
    relevance: Relevance
    estimator: Estimator
    runs: tuple[str, ...]
    topics: int
    skipped: int
    gains: tuple[Gains, ...]
    scores: Mapping[str, FloatArray]
    pairs: tuple[SchemePair, ...]
    no_relevant: NoRelevant
    labels: str
    seed: int
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        return f"GainStudy({len(self.runs)} runs, {self.measure}, {self.topics} topics)"


def study_gains(
    disagreement: Disagreement,
    ranked: Sequence[RankedLevels],
    relevance: Relevance,
    *,
    measure: Measure,
    schemes: Sequence[str] = tuple(KINDS),
    unjudged: Unjudged = 0.0,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "skip",
    whole: Sequence[RankedLevels] | None = None,
    seed: int = 0,
) -> GainStudy:
    """Rank correlations between the orders of the runs under PRM, binary, linear, exponential and UDM gains.

    All kinds of gains see the same runs, labels and topics. Kendall's tau-b counts exchanged pairs of runs, wherever
    they stand; tau_ap weighs exchanges among the best runs more.

    A tau of 1 says that the choice does not matter *here*, not that the two gains mean the same; a low one does *not*
    say which of the two is right. UDM gains ask about the top level whatever R is.

    Args:
        disagreement: the matrix p(j|i).
        ranked: the runs, ranked by the first side's labels (`rank_levels`).
        relevance: which levels satisfy a user.
        measure: such as nDCG@20.
        schemes: kinds of gains, in the order of the answer.
        unjudged: what an unjudged document is worth.
        topics: all judged ones, or with `common` those that every run has.
        no_relevant: `skip` leaves out topics without a relevant label, for all gains alike (T12); `keep` scores them as
            computed, `zero` as 0.
        whole: the runs before they were condensed, for the share of unjudged documents; None where they were not.
        seed: recorded; nothing is drawn here.

    Raises:
        CallError: fewer than two runs or kinds of gains, or gains that the measure cannot take.
        MissingParameterError: a document of a run's topics has a level without second opinions.
        DataError: no topic is left.

    >>> from gainsayer.model.pairs import PairCounts
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> levels = Levels(("0", "1", "2"))
    >>> runs = [ranked_from_lists({"q": order}, {"q": [2, 2, 1]}, levels=levels, name=name)
    ...         for name, order in (("a", [2, 0, 0]), ("b", [1, 1, 0]))]
    >>> disagreement = estimate_disagreement(PairCounts.from_matrix(levels, [[4, 1, 1], [3, 4, 3], [0, 2, 2]]))
    >>> study = study_gains(disagreement, runs, levels.at_or_above("2"), measure=parse_measure("nDCG@2"))
    >>> [(pair.a, pair.b, pair.tau.value) for pair in study.pairs][:3]
    [('prm', 'binary', -1.0), ('prm', 'linear', -1.0), ('prm', 'exponential', -1.0)]
    """
    check_kinds(schemes)
    names = list(dict.fromkeys(schemes))
    refuse_single(ranked)
    if len(names) < 2:
        raise CallError(f"Two kinds of gains are needed for a comparison, found {names[0]} alone.")
    needed = ranked[0].levels_in(np.arange(len(ranked[0].topics)))
    gains = []
    for name in names:
        made = gains_from(name, disagreement, relevance, needed)
        if made is None:
            lacking = name_lacking(disagreement, needed)
            raise MissingParameterError(
                f"No pair has level {lacking}, but documents to be scored have it, so its {name} gain is not known. "
                "Judge some of them a second time, merge the level with another, or leave out these gains."
            )
        gains.append(gains_with_unjudged(made, unjudged))
    scores = score_runs(
        ranked,
        [measure],
        {measure: gains},
        relevance=relevance,
        topics=topics,
        no_relevant=no_relevant,
        whole=whole,
    )
    means = {kind.name: scores.values[measure, kind.name].mean(axis=1) for kind in gains}
    pairs = tuple(
        SchemePair(a, b, kendall_tau(means[a], means[b]), tau_ap(means[a], means[b])) for a, b in combinations(names, 2)
    )
    judged = len(choose_topics([ranked], topics))
    skipped = judged - len(scores.topics)
    findings = [*disagreement.findings, *find_unjudged(scores, measure, "the first side")]
    findings += describe_skipped(skipped, judged, relevance, "the first side")
    undefined = [f"{pair.a} and {pair.b}" for pair in pairs if pair.tau.value is None]
    if undefined:
        message = f"There is no tau between {'; '.join(undefined)}: all runs are tied."
        findings.append(Finding("undefined-correlation", message))
    return GainStudy(
        measure=measure,
        relevance=relevance,
        estimator=disagreement.estimator,
        runs=scores.runs,
        topics=len(scores.topics),
        skipped=skipped,
        gains=tuple(gains),
        scores=means,
        pairs=pairs,
        no_relevant=no_relevant,
        labels=scores.labels,
        seed=seed,
        findings=tuple(dict.fromkeys(findings)),
    )
