"""Robustness: does the order of the runs survive another assessor's labels?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.correlation import RankCorrelation, kendall_tau
from gainsayer.counts.pair_counts import FloatArray, PairCounts
from gainsayer.disagreement.estimate import Disagreement, Estimator, estimate_disagreement
from gainsayer.display import Displayed
from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import check_kinds, gains_from, name_lacking
from gainsayer.gains.values import Gains, binary_gains, pattern_gains
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import NoRelevant, TopicPolicy, score_runs, without_relevant
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.studies.policies import (
    Unjudged,
    choose_topics,
    describe_skipped,
    find_unjudged,
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
        values: the gains themselves, shape [levels]; the mean over the folds where they were cross-fitted.
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


@dataclass(frozen=True, eq=False)
class RobustnessStudy(Displayed):
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
        folds: into how many parts topics were divided for cross-fitting; None for parameters from all topics.
        no_relevant: what was done with topics in which a side found nothing relevant.
        seed: of the folds.
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
    folds: int | None
    no_relevant: NoRelevant
    seed: int
    findings: tuple[Finding, ...]


def study_robustness(
    counts: PairCounts,
    first: Runs,
    second: Runs,
    relevance: Relevance,
    *,
    measure: Measure,
    schemes: Sequence[str] = ROBUST_SCHEMES,
    estimator: Estimator | None = None,
    folds: int | None = None,
    unjudged: Unjudged = 0.0,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "skip",
    seed: int = 0,
) -> RobustnessStudy:
    """Score every run with the first side's labels, then with the second's, same gains; compare the two orders.

    Only topics that both sides judged are scored. Where topics are of several kinds, study each kind with its own
    pairs (T16).

    Parameters fitted on the very pairs whose labels score the runs are mildly optimistic about agreement (T17). With
    `folds` the topics are divided at random, and a topic is scored with the parameters of the other parts.

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
        folds: parts for cross-fitting; None for none.
        unjudged: what an unjudged document is worth.
        topics: all judged ones, or with `common` those that every run has.
        no_relevant: `skip` leaves out topics in which either side found nothing relevant, for all gains alike (T12);
            `keep` scores them as computed, `zero` as 0 by the labels of that side.
        seed: of the folds.

    Raises:
        CallError: fewer than two runs, one fold, or gains that the measure cannot take.
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
    if folds is not None and folds < 2:
        raise CallError(f"Cross-fitting divides the topics into at least 2 parts, found {folds}.")
    assert [run.name for run in first] == [run.name for run in second]
    if not set(first[0].topics) & set(second[0].topics):
        raise DataError(
            "No topic was judged by both sides, so their orders of the runs cannot be compared. Check that topic ids "
            "are written alike in both files."
        )
    common = choose_topics((first, second), topics)
    kept = skip_topics(common, (first[0], second[0]), relevance, no_relevant)
    disagreement = estimate_disagreement(counts, estimator=estimator, seed=seed)
    every = np.ones(len(counts.topics), dtype=np.bool_)
    fitted = fit_matrices(disagreement, every, folds=folds, seed=seed) if kept else None
    setting = _Setting(disagreement, relevance, measure, unjudged, no_relevant)
    rows = tuple(_compare(name, kept, fitted, (first, second), setting) for name in schemes)
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
        folds=folds,
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


def _compare(
    name: str, topics: Sequence[str], fitted: FittedMatrices | None, sides: tuple[Runs, Runs], setting: _Setting
) -> SideComparison:
    """One row: a kind of gains, or why there is none."""
    count = 0 if fitted is None else fitted.topics

    def unknown(note: str) -> SideComparison:
        return SideComparison(name, None, None, None, None, len(topics), count, note)

    if fitted is None:
        return unknown("no topic is left")
    disagreement = setting.disagreement
    needed = np.zeros(len(disagreement.levels), dtype=np.bool_)
    for side in sides:
        needed |= side[0].levels_in(_find_places(side[0], topics))
    gains = gains_from(name, disagreement, fitted.matrices, setting.relevance, needed)
    if gains is None:
        return unknown(f"p(R|i) is not known for level {name_lacking(disagreement, fitted.matrices, needed)}")
    draw = fitted.choose(topics)
    first, second = (_score(side, gains, topics, draw, setting) for side in sides)
    tau = kendall_tau(first, second)
    note = None if tau.value is not None else "all runs are tied"
    values = gains.values[draw].mean(axis=0)
    return SideComparison(name, values, tau, first, second, len(topics), count, note)


def _score(
    runs: Runs, gains: Gains, topics: Sequence[str], draw: npt.NDArray[np.int64], setting: _Setting
) -> FloatArray:
    """The mean score of each run over the topics, each with the gains of its draw; shape [runs]."""
    place = _find_places(runs[0], topics)
    lowest = gains.values[:, gains.levels.lowest]
    worth = (lowest if setting.unjudged == "level" else np.full(len(lowest), float(setting.unjudged)))[draw]
    scores = np.empty((len(runs), len(topics)))
    for unjudged in np.unique(worth).tolist():
        mixed, here = pattern_gains(replace(gains, unjudged=unjudged), runs[0].levels), worth == unjudged
        for at, run in enumerate(runs):
            scores[at, here] = setting.measure.score(run, mixed)[draw[here], place[here]]
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


@dataclass(frozen=True, eq=False)
class FittedMatrices:
    """p(j|i), and which of several a topic is scored with.

    Args:
        matrices: shape [draws, levels, levels]; one per fold, the last one from all topics.
        place: topic to its matrix; a topic without pairs has the last one.
        topics: how many topics hold the pairs.
    """

    matrices: FloatArray
    place: dict[str, int]
    topics: int

    def choose(self, topics: Sequence[str]) -> npt.NDArray[np.int64]:
        """The matrix of each topic."""
        last = len(self.matrices) - 1
        return np.array([self.place.get(topic, last) for topic in topics], dtype=np.int64)


def fit_matrices(
    disagreement: Disagreement, held: npt.NDArray[np.bool_], *, folds: int | None = None, seed: int = 0
) -> FittedMatrices:
    """p(j|i) from the `held` topics; with `folds`, for each part of them from the other parts.

    Topics are dealt into parts at random; where there are fewer topics than folds, each is a part of its own. A topic
    without pairs has had no say in the estimate, and takes that of all topics.

    Args:
        disagreement: the way of estimating, and the pairs of all topics.
        held: which of its topics count, shape [topics].
        folds: how many parts; None for one estimate from all of them.
        seed: of the dealing.

    Raises:
        DataError: there are folds, and fewer than two topics hold pairs.

    >>> from gainsayer.counts.pair_counts import PairCounts
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> from gainsayer.levels import Levels
    >>> counts = PairCounts.from_matrix(Levels(("0", "1")), [[[3, 1], [0, 4]], [[1, 3], [0, 4]]], topics=["a", "b"])
    >>> fitted = fit_matrices(estimate_disagreement(counts, estimator="one-sided"), np.ones(2, bool), folds=2)
    >>> fitted.matrices[fitted.choose(["a", "b", "c"]), 0, 1].tolist()
    [0.75, 0.25, 0.5]
    """
    pairs = disagreement.pairs[held]
    topics = [name for name, keep in zip(disagreement.counts.topics, held, strict=True) if keep]
    whole = disagreement.apply(pairs.sum(axis=0))[None]
    if folds is None:
        return FittedMatrices(whole, {}, len(topics))
    if len(topics) < 2:
        raise DataError(
            f"Cross-fitting takes a topic's parameters from other topics, but {len(topics)} topic holds pairs. Fit one "
            "estimate to all topics, or have documents of more topics judged a second time."
        )
    parts = min(folds, len(topics))
    fold = np.empty(len(topics), dtype=np.int64)
    fold[np.random.default_rng(seed).permutation(len(topics))] = np.arange(len(topics)) % parts
    others = np.stack([pairs[fold != part].sum(axis=0) for part in range(parts)])
    matrices = np.concatenate([disagreement.apply(others), whole])
    return FittedMatrices(matrices, dict(zip(topics, fold.tolist(), strict=True)), len(topics))
