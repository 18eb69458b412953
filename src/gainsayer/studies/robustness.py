"""Robustness: does the order of the runs survive another assessor's labels?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.correlation import RankCorrelation, kendall_tau
from gainsayer.counts.pairs import FloatArray, PairCounts
from gainsayer.disagreement.estimate import Disagreement, Estimator, estimate_disagreement
from gainsayer.display import Displayed
from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.gains import binary_gains
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import score_runs
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.studies.cross_fitting import FittedMatrices, fit_matrices
from gainsayer.studies.schemes import check_schemes, find_levels, make_scheme, name_lacking
from gainsayer.studies.topic_choice import NoRelevant, choose_topics, describe_skipped
from gainsayer.studies.unjudged import find_unjudged

ALL = "all"
ROBUST_SCHEMES = ("binary", "prm", "linear", "exponential")
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SideComparison:
    """The runs under the two sides' labels, with one kind of gains, in one stratum.

    Args:
        stratum: its name, `all` for all topics together.
        gains: the name of the gains.
        values: the gains themselves, shape [levels]; the mean over the folds where they were cross-fitted.
        tau: Kendall's tau-b between the two orders; None where the gains are not known.
        first: mean scores with the first side's labels, shape [runs]; None likewise.
        second: mean scores with the second side's labels.
        topics: topics that were scored.
        fitted_topics: topics whose pairs the parameters come from.
        note: why there is no tau, or None.
    """

    stratum: str
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
        runs: their names.
        rows: one comparison per stratum and kind of gains.
        topics: topics that both sides judged.
        skipped: topics left out of `all`, as one side found nothing relevant in them.
        folds: into how many parts topics were divided for cross-fitting; None for parameters from all topics.
        no_relevant: what was done with topics in which a side found nothing relevant.
        seed: of the folds.
        findings: what a reader should know.
    """

    measure: Measure
    relevance: Relevance
    estimator: Estimator
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
    first: Sequence[RankedLevels],
    second: Sequence[RankedLevels],
    relevance: Relevance,
    *,
    measure: Measure,
    schemes: Sequence[str] = ROBUST_SCHEMES,
    estimator: Estimator | None = None,
    strata: Mapping[str, str] | None = None,
    folds: int | None = None,
    no_relevant: NoRelevant = "skip",
    seed: int = 0,
) -> RobustnessStudy:
    """Score every run with the first side's labels, then with the second's, same gains; compare the two orders.

    Only topics that both sides judged are scored. With strata, parameters are estimated and runs scored within each of
    them, and over all topics together besides (T16).

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
        strata: topic to stratum.
        folds: parts for cross-fitting; None for none.
        no_relevant: `skip` leaves out topics in which either side found nothing relevant, for all gains alike (T12);
            `keep` scores them as computed.
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
    check_schemes(schemes)
    if len(first) < 2:
        raise CallError(f"Orders of runs can be compared from two runs on, found {len(first)}. Give more --runs.")
    if folds is not None and folds < 2:
        raise CallError(f"Cross-fitting divides the topics into at least 2 parts, found {folds}.")
    assert [run.name for run in first] == [run.name for run in second]
    judged = set(second[0].topics)
    common = [topic for topic in first[0].topics if topic in judged]
    if not common:
        raise DataError(
            "No topic was judged by both sides, so their orders of the runs cannot be compared. Check that topic ids "
            "are written alike in both files."
        )
    disagreement = estimate_disagreement(counts, estimator=estimator, seed=seed)
    kept = choose_topics(common, (first[0], second[0]), relevance, no_relevant)
    rows: list[SideComparison] = []
    for stratum, (topics, held) in _group(kept, common, counts.topics, strata).items():
        fitted = fit_matrices(disagreement, held, folds=folds, seed=seed) if held.any() and topics else None
        for name in schemes:
            rows.append(_compare(stratum, name, topics, fitted, disagreement, (first, second), relevance, measure))
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
        runs=tuple(run.name for run in first),
        rows=tuple(rows),
        topics=len(common),
        skipped=len(common) - len(kept),
        folds=folds,
        no_relevant=no_relevant,
        seed=seed,
        findings=tuple(dict.fromkeys(findings)),
    )


def _group(
    kept: Sequence[str], common: Sequence[str], paired: Sequence[str], strata: Mapping[str, str] | None
) -> dict[str, tuple[list[str], BoolArray]]:
    """Per stratum, all topics first: the topics to score, and which topics with pairs give the parameters."""
    groups = {ALL: (list(kept), np.ones(len(paired), dtype=np.bool_))}
    if strata is None:
        return groups
    names = sorted({strata[topic] for topic in common})
    if ALL in names:
        raise CallError(f"A stratum cannot be called {ALL!r}: that stands for all topics together. Rename it.")
    for name in names:
        inside = [topic for topic in kept if strata[topic] == name]
        groups[name] = inside, np.array([strata[topic] == name for topic in paired], dtype=np.bool_)
    return groups


def _compare(
    stratum: str,
    name: str,
    topics: Sequence[str],
    fitted: FittedMatrices | None,
    disagreement: Disagreement,
    sides: tuple[Sequence[RankedLevels], Sequence[RankedLevels]],
    relevance: Relevance,
    measure: Measure,
) -> SideComparison:
    """One row: a kind of gains in a stratum, or why there is none."""
    count = 0 if fitted is None else fitted.topics

    def unknown(note: str) -> SideComparison:
        return SideComparison(stratum, name, None, None, None, None, len(topics), count, note)

    if not topics:
        return unknown("no topic is left")
    if fitted is None:
        return unknown("no pairs in this stratum")
    places = [_find_places(side[0], topics) for side in sides]
    needed = np.zeros(len(disagreement.levels), dtype=np.bool_)
    for side, place in zip(sides, places, strict=True):
        needed |= find_levels(side[0], place)
    gains = make_scheme(name, disagreement, fitted.matrices, relevance, needed)
    if gains is None:
        return unknown(f"p(R|i) is not known for level {name_lacking(disagreement, fitted.matrices, needed)}")
    draw = fitted.choose(topics)
    first, second = (
        np.array([measure.score(run, gains)[draw, place].mean() for run in side])
        for side, place in zip(sides, places, strict=True)
    )
    tau = kendall_tau(first, second)
    note = None if tau.value is not None else "all runs are tied"
    values = gains.values[draw].mean(axis=0)
    return SideComparison(stratum, name, values, tau, first, second, len(topics), count, note)


def _find_places(ranked: RankedLevels, topics: Sequence[str]) -> npt.NDArray[np.int64]:
    place = {topic: at for at, topic in enumerate(ranked.topics)}
    return np.array([place[topic] for topic in topics], dtype=np.int64)


def _find_undefined(rows: Sequence[SideComparison]) -> list[Finding]:
    gone = [f"{row.stratum}, {row.gains}: {row.note}" for row in rows if row.note is not None]
    if not gone:
        return []
    return [Finding("undefined-correlation", f"There is no tau for {'; '.join(gone)}.")]
