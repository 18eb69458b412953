"""Robustness: does the order of the runs survive another assessor's labels?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.correlation import RankCorrelation, kendall_tau
from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import check_kinds, gains_from, name_lacking
from gainsayer.gains.values import Gains, binary_gains, pattern_gains
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import NoRelevant, TopicPolicy, score_runs, without_relevant
from gainsayer.model.estimate import Disagreement, Estimator, estimate_disagreement
from gainsayer.model.pairs import FloatArray, PairCounts
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.studies.policies import (
    Unjudged,
    choose_topics,
    describe_skipped,
    find_unjudged,
    gains_with_unjudged,
    refuse_single,
    skip_topics,
)

ROBUST_SCHEMES = ("binary", "prm", "linear", "exponential")
Runs = Sequence[RankedLevels]


@dataclass(frozen=True, eq=False)
class SideComparison:
    """The runs under the two sides' labels, with one kind of gains.

    Args:
        gains: the name of the gains.
        values: the gains themselves, shape [levels].
        tau: Kendall's tau-b between the two orders; None where the gains are not known.
        first: mean scores with the first side's labels, shape [runs]; None likewise.
        second: mean scores with the second side's labels.
        topics: topics that were scored.
        fitted_topics: topics whose pairs the parameters come from.
        note: why there is no tau, or None.
    """

    gains: str
    values: FloatArray | None
    tau: RankCorrelation | None
    first: FloatArray | None
    second: FloatArray | None
    topics: int
    fitted_topics: int
    note: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class RobustnessStudy:
    """Every run scored with both sides' labels and the same gains.

    Args:
        measure: what was computed.
        relevance: the relevant levels.
        estimator: symmetric or one-sided.
        sides: the assessors of the first side and of the second.
        runs: their names.
        rows: one comparison per kind of gains.
        topics: topics that both sides judged, and with the policy `common` every run has.
        skipped: topics left out, as one side found nothing relevant in them.
        no_relevant: what was done with topics in which a side found nothing relevant.
        seed: of what was drawn to see whether the symmetric estimate is valid.
        findings: what a reader should know.
    """

    measure: Measure
    relevance: Relevance
    estimator: Estimator
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    runs: tuple[str, ...]
    rows: tuple[SideComparison, ...]
    topics: int
    skipped: int
    no_relevant: NoRelevant
    seed: int
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        return f"RobustnessStudy({len(self.runs)} runs, {self.measure}, {self.topics} topics)"


def study_robustness(
    counts: PairCounts,
    first: Runs,
    second: Runs,
    relevance: Relevance,
    *,
    measure: Measure,
    schemes: Sequence[str] = ROBUST_SCHEMES,
    estimator: Estimator | None = None,
    unjudged: Unjudged = 0.0,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "skip",
    seed: int = 0,
) -> RobustnessStudy:
    """Score every run with the first side's labels, then with the second's, same gains; compare the two orders.

    Only topics that both sides judged are scored. Where topics are of several kinds, study each kind with its own
    pairs (T16).

    Parameters fitted on the very pairs whose labels score the runs are mildly optimistic about agreement (T17).

    It is *not* a measure of how right an order is: gains that ignore the labels would be perfectly robust. A tau
    belongs to these runs: close ones are exchanged by chance, so that few runs, or runs much alike, make it low.

    Args:
        counts: the pairs behind the parameters.
        first: the runs ranked by the first side's labels (`rank_levels`).
        second: the same runs, in the same order, ranked by the second side's labels.
        relevance: which levels satisfy a user.
        measure: such as nDCG@10.
        schemes: kinds of gains.
        estimator: by default symmetric where it is valid.
        unjudged: what an unjudged document is worth.
        topics: all judged ones, or with `common` those that every run has.
        no_relevant: `skip` leaves out topics in which either side found nothing relevant, for all gains alike (T12);
            `keep` scores them as computed, `zero` as 0 by the labels of that side.
        seed: of what is drawn to see whether the symmetric estimate is valid.

    Raises:
        CallError: fewer than two runs, or gains that the measure cannot take.
        DataError: no topic was judged by both sides, or none is left.

    >>> from gainsayer.levels import Levels
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.rankings.lists import ranked_from_lists
    >>> levels = Levels(("0", "1"))
    >>> pools = {"q": [2, 1]}, {"q": [1, 2]}
    >>> a, b = ([ranked_from_lists({"q": order}, pool, levels=levels) for order in orders]
    ...         for pool, orders in zip(pools, (([1, 0], [0, 1]), ([1, 1], [0, 1]))))
    >>> counts = PairCounts.from_matrix(levels, [[1, 1], [0, 1]], topics=["q"])
    >>> study = study_robustness(counts, a, b, levels.at_or_above("1"), measure=parse_measure("nDCG@2"))
    >>> [(row.gains, row.tau.value) for row in study.rows][:2]
    [('binary', 1.0), ('prm', 1.0)]
    """
    check_kinds(schemes)
    refuse_single(first)
    assert [run.name for run in first] == [run.name for run in second]
    if not set(first[0].topics) & set(second[0].topics):
        raise DataError(
            "No topic was judged by both sides, so their orders of the runs cannot be compared. Check that topic ids "
            "are written alike in both files."
        )
    common = choose_topics((first, second), topics)
    kept = skip_topics(common, (first[0], second[0]), relevance, no_relevant)
    disagreement = estimate_disagreement(counts, estimator=estimator, seed=seed)
    setting = _Setting(disagreement, relevance, measure, unjudged, no_relevant)
    rows = tuple(_compare(name, kept, (first, second), setting) for name in schemes)
    findings = list(disagreement.findings)
    plain = {measure: [binary_gains(counts.levels, relevance)]}
    for side, whose in ((first, "the first side"), (second, "the second side")):
        findings += find_unjudged(score_runs(side, [measure], plain), measure, whose)
    findings += describe_skipped(len(common) - len(kept), len(common), relevance, "one side or both")
    findings += _find_undefined(rows)
    return RobustnessStudy(
        measure=measure,
        relevance=relevance,
        estimator=disagreement.estimator,
        sides=(counts.first, counts.second),
        runs=tuple(run.name for run in first),
        rows=rows,
        topics=len(common),
        skipped=len(common) - len(kept),
        no_relevant=no_relevant,
        seed=seed,
        findings=tuple(dict.fromkeys(findings)),
    )


@dataclass(frozen=True, eq=False)
class _Setting:
    disagreement: Disagreement
    relevance: Relevance
    measure: Measure
    unjudged: Unjudged
    no_relevant: NoRelevant


def _compare(name: str, topics: Sequence[str], sides: tuple[Runs, Runs], setting: _Setting) -> SideComparison:
    """One row: a kind of gains, or why there is none."""
    disagreement = setting.disagreement
    count = len(disagreement.counts.topics) if topics else 0

    def unknown(note: str) -> SideComparison:
        return SideComparison(name, None, None, None, None, len(topics), count, note)

    if not topics:
        return unknown("no topic is left")
    needed = np.zeros(len(disagreement.levels), dtype=np.bool_)
    for side in sides:
        needed |= side[0].levels_in(_find_places(side[0], topics))
    gains = gains_from(name, disagreement, setting.relevance, needed)
    if gains is None:
        return unknown(f"p(R|i) is not known for level {name_lacking(disagreement, needed)}")
    first, second = (_score(side, gains, topics, setting) for side in sides)
    tau = kendall_tau(first, second)
    note = None if tau.value is not None else "all runs are tied"
    return SideComparison(name, gains.values, tau, first, second, len(topics), count, note)


def _score(runs: Runs, gains: Gains, topics: Sequence[str], setting: _Setting) -> FloatArray:
    """The mean score of each run over the topics; shape [runs]."""
    place = _find_places(runs[0], topics)
    mixed = pattern_gains(gains_with_unjudged(gains, setting.unjudged), runs[0].levels)
    scores = np.array([setting.measure.score(run, mixed)[place] for run in runs])
    if setting.no_relevant == "zero":
        scores[:, without_relevant(runs[0], setting.relevance)[place]] = 0.0
    return np.asarray(scores.mean(axis=1))


def _find_places(ranked: RankedLevels, topics: Sequence[str]) -> npt.NDArray[np.int64]:
    place = {topic: at for at, topic in enumerate(ranked.topics)}
    return np.array([place[topic] for topic in topics], dtype=np.int64)


def _find_undefined(rows: Sequence[SideComparison]) -> list[Finding]:
    gone = [f"{row.gains}: {row.note}" for row in rows if row.note is not None]
    if not gone:
        return []
    return [Finding("undefined-correlation", f"There is no tau for {'; '.join(gone)}.")]
