"""How far orders of runs agree: between kinds of gains, and between the labels of two sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.comparison.ranks import RankCorrelation, kendall_tau, tau_ap
from gainsayer.errors import CallError, DataError, MissingParameterError, SeveralLabelsError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import KINDS, check_kinds, gains_from, name_lacking
from gainsayer.gains.values import Gains, binary_gains, pattern_gains
from gainsayer.levels import Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scores import MUCH_UNJUDGED, NoRelevant, Scores, TopicPolicy, score_runs, without_relevant
from gainsayer.model.estimate import Disagreement, Estimator, estimate_disagreement
from gainsayer.model.pairs import FloatArray, PairCounts, choose_sides
from gainsayer.ranking.ranked import RankedLevels
from gainsayer.ranking.whose_labels import choose_labels
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option

MUCH_APART = 0.05


@dataclass(frozen=True, eq=False)
class SideLabels:
    """Each side's labels on the topics that both judged.

    Args:
        first: labels of the first side.
        second: labels of the second side.
        findings: what a reader should know.
    """

    first: Judgments
    second: Judgments
    findings: tuple[Finding, ...]


def label_sides(
    judgments: Judgments,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    common: bool = False,
) -> SideLabels:
    """The labels of each side on the topics that both judged.

    Where several assessors of a side judged a document, the label of the one named first counts; where nobody named
    them, it is refused. A side's documents need not be the other's: then the orders of runs differ by what was judged
    as well as by what was said, and `common` keeps only the documents that both sides judged.

    Args:
        judgments: the judgments.
        first: assessors of the first side.
        second: assessors of the second side.
        labels: `majority` or `mean` for the labels of each side, or assessors of both sides: the label of the first of
            them who judged a document.
        common: whether to keep only documents that both sides judged.

    Raises:
        CallError: there are no two sides, or nobody of a side is among the assessors whose labels count.
        DataError: no topic (or with `common` no document) was judged by both sides.
        SeveralLabelsError: several assessors of a side that nobody named judged the same document.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> sides = label_sides(twenty_documents())
    >>> sides.first.assessors, sides.second.assessors, len(sides.first)
    (('U1',), ('U2',), 20)
    """
    sides = choose_sides(judgments, first, second)
    if sides is None:
        raise CallError(
            f"{len(judgments.assessors)} assessors make no two sides. Name the sides: {option('first')} and "
            f"{option('second')}"
        )
    rows = sides.first_rows, sides.second_rows
    topics = np.intersect1d(judgments.topic[rows[0]], judgments.topic[rows[1]])
    if not len(topics):
        examples = " and ".join(repr(judgments.topics[judgments.topic[np.flatnonzero(side)[0]]]) for side in rows)
        raise DataError(
            f"No topic was judged by both sides (they judged topics such as {examples}), so their orders of runs "
            "cannot be compared. Check that topic ids are written alike."
        )
    items = [np.unique(judgments.item[side & np.isin(judgments.topic, topics)]) for side in rows]
    both = np.intersect1d(items[0], items[1])
    either = len(items[0]) + len(items[1]) - len(both)
    if common and not len(both):
        raise DataError("No document was judged by both sides. Check that document ids are written alike.")
    kept = np.isin(judgments.item, both) if common else np.isin(judgments.topic, topics)
    part = judgments.rows(kept)
    one = _labels_of(part, sides.first, first, labels)
    two = _labels_of(part, sides.second, second, labels)
    findings = [*one.findings, *two.findings]
    if not common and either - len(both) > MUCH_APART * either:
        message = (
            f"Of {either:,} documents that either side judged on {len(topics)} common topics, both judged "
            f"{len(both):,}. So the orders of the runs differ by what was judged, too, not by disagreement alone. Use "
            f"the documents that both judged: {option('common_documents', True)}."
        )
        findings.append(Finding("different-documents", message))
    return SideLabels(one, two, tuple(dict.fromkeys(findings)))


def _labels_of(
    judgments: Judgments, names: Sequence[str], named: Sequence[str] | None, labels: Sequence[str] | None
) -> Judgments:
    """One side's labels, by the rule or the assessors asked for, else in the order in which somebody named the side."""
    inside = np.isin(judgments.assessor, [judgments.assessors.index(name) for name in names])
    chosen = named
    if labels:
        chosen = [name for name in labels if name in names or name not in judgments.assessors]
        if not chosen:
            raise CallError(
                f"None of {', '.join(labels)}, whose labels are to count, is on the side of {', '.join(names[:5])}. "
                "Name assessors of both sides."
            )
    try:
        return choose_labels(replace(judgments.rows(inside), roles=False), chosen)
    except SeveralLabelsError as error:
        raise SeveralLabelsError(
            f"Several of {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}, who make one side, judged the same "
            "documents. Name the assessors of both sides in order (the label of the first who judged a document "
            f"counts), or take the majority of a document's labels ({option('labels', 'majority')}) or the mean of "
            f"their gains ({option('labels', 'mean')})."
        ) from error


Unjudged: TypeAlias = float | Literal["level"]
"""What an unjudged document is worth: a number, or as much as one of the lowest level."""


def gains_with_unjudged(gains: Gains, unjudged: Unjudged) -> Gains:
    """Gains of the shape [levels] with this worth of an unjudged document.

    >>> from gainsayer.gains.values import custom_gains
    >>> from gainsayer.levels import Levels
    >>> gains_with_unjudged(custom_gains(Levels(("0", "1")), {"0": 0.1, "1": 0.7}), "level").unjudged
    0.1
    """
    worth = float(gains.values[gains.levels.lowest]) if unjudged == "level" else float(unjudged)
    return replace(gains, unjudged=worth)


def refuse_single(runs: Sequence[RankedLevels]) -> None:
    """Refuse a single run, which has no order (CallError)."""
    if len(runs) < 2:
        raise CallError(f"Orders of runs can be compared from two runs on, found {len(runs)}. Give more runs.")


def choose_topics(sides: Sequence[Sequence[RankedLevels]], policy: TopicPolicy = "all") -> list[str]:
    """The topics that every side judged; with `common`, those of them that every run has.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> choose_topics([[ranked_from_lists({"q2": [1]}, {"q1": [2, 1], "q2": [3, 0]})]], "common")
    ['q2']
    """
    kept = set(sides[0][0].topics)
    for runs in sides:
        present = np.all([run.present for run in runs], axis=0) | (policy == "all")
        kept &= {topic for topic, there in zip(runs[0].topics, present, strict=True) if there}
    return [topic for topic in sides[0][0].topics if topic in kept]


def skip_topics(
    topics: Sequence[str], sides: Sequence[RankedLevels], relevance: Relevance, policy: NoRelevant
) -> list[str]:
    """The topics that are scored: with `skip`, those in which every side has a relevant label, for all runs and gains.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({}, {"q1": [2, 1], "q2": [3, 0]})
    >>> skip_topics(["q1", "q2"], [ranked], ranked.levels.at_or_above("1"), "skip")
    ['q1']
    """
    if policy != "skip":
        return list(topics)
    gone = {
        topic
        for ranked in sides
        for topic, lacks in zip(ranked.topics, without_relevant(ranked, relevance), strict=True)
        if lacks
    }
    return [topic for topic in topics if topic not in gone]


def describe_skipped(skipped: int, topics: int, relevance: Relevance, who: str) -> list[Finding]:
    """A finding where topics were left out for lack of relevant labels, else none."""
    if not skipped:
        return []
    message = (
        f"R = {relevance.name}: {skipped:,} of {topics:,} topics were left out, for all gains alike, as {who} put no "
        f"document of theirs on a relevant level. Score them too: {option('no_relevant', 'keep')}."
    )
    return [Finding("topics-without-relevant", message)]


def find_unjudged(scores: Scores, measure: Measure, whose: str) -> list[Finding]:
    """A finding where runs hold many unjudged documents within the measure's depth, else none.

    An unjudged document is worth the same whatever the labels. So the more there are, the more alike two sides' orders
    of the runs become, whatever their labels say.
    """
    if measure.depth is None or measure.family.needs == "nothing":
        return []
    shares = np.nan_to_num(scores.unjudged[measure])
    many = int((shares > MUCH_UNJUDGED).sum())
    if not many:
        return []
    worst = int(np.argmax(shares))
    message = (
        f"By the labels of {whose}, {many} of {len(shares)} runs have more than {MUCH_UNJUDGED:.0%} unjudged documents "
        f"within {measure}, {scores.runs[worst]} most of them ({shares[worst]:.1%}; the middle run "
        f"{np.median(shares):.1%}). They are worth the same whoever judged, which makes orders alike. Leave them out "
        f"({option('unjudged', 'condense')}), or judge more."
    )
    return [Finding("unjudged-documents", message)]


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
    >>> from gainsayer.ranking.ranked import ranked_from_lists
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
    >>> from gainsayer.ranking.ranked import ranked_from_lists
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
