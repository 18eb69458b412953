"""`study`: the analyses of the paper on one's own collection, one function each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, Literal, TypeAlias, TypeVar

import numpy as np

from gainsayer.counts.sides import choose_sides
from gainsayer.disagreement.estimate import Estimator, estimate_disagreement
from gainsayer.display import Displayed
from gainsayer.errors import CallError
from gainsayer.evaluation.gain_choice import choose_gains, gain_of_unjudged
from gainsayer.evaluation.progress import Progress
from gainsayer.evaluation.provenance import Provenance, files_of, record
from gainsayer.evaluation.random_users import MeasureInput, refuse_own_gains, refuse_plain, take_measures
from gainsayer.evaluation.ranked_runs import Policies, Resources, RunInput, find_returned, match_runs
from gainsayer.evaluation.sides import (
    Names,
    Pairing,
    SideChoice,
    choose_side_names,
    for_each_stratum,
    split_assessors,
)
from gainsayer.evaluation.sources import JudgmentInput, choose_relevance, join_second, take_judgments
from gainsayer.findings import Finding
from gainsayer.gains.schemes import KINDS
from gainsayer.gains.values import Gains
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.lines.opening import FilePath
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scoring import NoRelevant, TopicPolicy
from gainsayer.rankings.duplicates import Duplicates
from gainsayer.rankings.labels import apply_rule, decide_labels
from gainsayer.rankings.ordering import Ties
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.rankings.selecting import keep_topics
from gainsayer.studies.amount import AmountStudy, choose_sizes, study_amount
from gainsayer.studies.entry_steps import EntrySteps, enter_by_resources, enter_by_runs
from gainsayer.studies.gain_schemes import GainStudy, study_gains
from gainsayer.studies.policies import Unjudged
from gainsayer.studies.quality import QualityStudy, study_quality
from gainsayer.studies.robustness import ROBUST_SCHEMES, RobustnessStudy, study_robustness
from gainsayer.studies.side_labels import label_sides
from gainsayer.studies.topics import TopicStudy, study_topics

__all__ = ["StudyTable", "amount", "gains", "quality", "robustness", "topics"]

Study: TypeAlias = TopicStudy | AmountStudy | QualityStudy | RobustnessStudy | GainStudy
_Study = TypeVar("_Study", TopicStudy, AmountStudy, QualityStudy, RobustnessStudy, GainStudy)
Order: TypeAlias = Literal["metarank", "depth", "resources"]
KIND_OF: dict[type[Study], str] = {
    TopicStudy: "topics",
    AmountStudy: "amount",
    QualityStudy: "quality",
    RobustnessStudy: "robustness",
    GainStudy: "gains",
}


@dataclass(frozen=True, eq=False)
class StudyTable(Displayed, Generic[_Study]):
    """What a study found, over all topics and per kind of topics.

    Args:
        studies: over all topics: one per measure and notion of relevance.
        strata: the same per kind of topics; empty where a stratum was too small.
        noticed: what else a reader should know.
        provenance: where it comes from.
    """

    studies: tuple[_Study, ...]
    strata: Mapping[str, tuple[_Study, ...]] = field(default_factory=dict)
    noticed: tuple[Finding, ...] = ()
    provenance: Provenance | None = None

    @property
    def kind(self) -> str:
        """The name of the study, such as `topics`."""
        return KIND_OF[type(self.studies[0])]

    @property
    def seed(self) -> int:
        """The seed of everything that was drawn."""
        return self.studies[0].seed

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order."""
        every: list[Study] = [*self.studies, *(study for part in self.strata.values() for study in part)]
        return tuple(dict.fromkeys((*self.noticed, *(finding for study in every for finding in study.findings))))


def topics(
    *judgments: JudgmentInput,
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    first: Names = None,
    second: Names = None,
    pairing: Pairing = "auto",
    estimator: Estimator | None = None,
    draws: int = 300,
    seed: int = 0,
) -> StudyTable[TopicStudy]:
    """How far would p(R|i) move with other topics?

    Draws the doubly judged topics with replacement and estimates p(R|i) each time; see `study_topics`.

    Args:
        *judgments: files, data frames, dicts, or judgments already read; as in `fit`.
        threshold: users are satisfied with this level or a higher one; by default every threshold.
        relevant: users are satisfied with these levels.
        first: assessors whose labels the evaluation uses.
        second: assessors who stand for the users.
        pairing: see `fit`.
        estimator: by default symmetric where it is valid.
        draws: how often the topics are drawn.
        seed: of the draws.

    >>> first = {f"q{t}": {"a": 1, "b": 0, "c": t % 2} for t in range(6)}
    >>> second = {f"q{t}": {"a": 1, "b": 0, "c": 0} for t in range(6)}
    >>> found = topics({"U1": first, "U2": second}, threshold=1).studies[0]
    >>> found.estimate.round(4).tolist(), found.deviation.round(2).tolist()
    ([0.1429, 0.8], [0.07, 0.07])
    """
    options = {name: value for name, value in locals().items() if name not in ("judgments", "seed")}
    read = take_judgments(list(judgments))
    relevances = choose_relevance(read.levels, threshold, relevant)
    sides = choose_side_names(read, first, second, pairing)

    def study(part: Judgments) -> tuple[TopicStudy, ...]:
        counts = sides.count(part)
        if part is not read and len(counts.topics) < 2:
            return ()
        disagreement = estimate_disagreement(counts, estimator=estimator, seed=seed)
        return tuple(study_topics(disagreement, relevance, draws=draws, seed=seed) for relevance in relevances)

    whole = study(read)
    strata, noticed = for_each_stratum(read, study)
    single = [name for name, group in strata.items() if not group]
    if single:
        text = f"Stratum {', '.join(map(repr, single))} has pairs in one topic only: there is nothing to draw from."
        noticed.append(Finding("single-topic", text))
    provenance = record(files_of(list(judgments)), options, seed=seed)
    return StudyTable(whole, strata, tuple(noticed), provenance)


def amount(
    *judgments: JudgmentInput,
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    first: Names = None,
    second: Names = None,
    pairing: Pairing = "auto",
    estimator: Estimator | None = None,
    rounds: int = 50,
    most: int | None = None,
    sizes: Sequence[int] | None = None,
    seed: int = 0,
) -> StudyTable[AmountStudy]:
    """How many double judgments until p(R|i) settles?

    Simulates rounds of judging, in which pairs are drawn with replacement one after another; see `study_amount`.

    Args:
        *judgments: files, data frames, dicts, or judgments already read; as in `fit`.
        threshold: users are satisfied with this level or a higher one; by default every threshold.
        relevant: users are satisfied with these levels.
        first: assessors whose labels the evaluation uses.
        second: assessors who stand for the users.
        pairing: see `fit`.
        estimator: by default symmetric where it is valid.
        rounds: how many rounds of judging are simulated.
        most: draw up to so many pairs; by default as many as there are.
        sizes: look at these numbers of pairs, instead of about 25 in even steps.
        seed: of the draws.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> amount(twenty_documents(), threshold=2, sizes=[10, 20_000]).studies[0].mean[1].round(2).tolist()
    [0.08, 0.29, 0.4]
    """
    options = {name: value for name, value in locals().items() if name not in ("judgments", "seed")}
    if most is not None and sizes is not None:
        raise CallError("The most pairs and the sizes say the same thing in two ways. Give one of them.")
    read = take_judgments(list(judgments))
    relevances = choose_relevance(read.levels, threshold, relevant)
    sides = choose_side_names(read, first, second, pairing)

    def study(part: Judgments) -> tuple[AmountStudy, ...]:
        counts = sides.count(part)
        looked = choose_sizes(counts.pairs, most=most) if sizes is None else sizes
        simulate = partial(study_amount, counts, rounds=rounds, sizes=looked, estimator=estimator, seed=seed)
        return tuple(simulate(relevance) for relevance in relevances)

    whole = study(read)
    strata, noticed = for_each_stratum(read, study)
    provenance = record(files_of(list(judgments)), options, seed=seed)
    return StudyTable(whole, strata, tuple(noticed), provenance)


def quality(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput | None = None,
    *,
    by: Order | None = None,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    labels: Names = None,
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    resources: Resources | None = None,
    good: object | None = None,
    steps: Sequence[int] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> StudyTable[QualityStudy]:
    """Does p(R|i) depend on how good the judged documents are?

    Estimates p(R|i) from the documents that come first: those of the k best resources, or those that runs rank highly.
    The symmetric and the one-sided estimate stand side by side: an order made from one side's labels bends the
    symmetric one; see `study_quality`. No run is scored, so policies about scores play no part.

    Args:
        judgments: files, data frames, dicts, or judgments already read.
        runs: files, folders, patterns, data frames, dicts; for the orders `metarank` and `depth`.
        by: `metarank` (geometric mean rank over the runs), `depth` (best rank), or `resources` (with their resource, by
            the labels); by default metarank with runs, else resources.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: see `fit`.
        threshold: users are satisfied with this level or a higher one; by default every threshold.
        relevant: users are satisfied with these levels.
        labels: whose labels order the resources; by default the first side's.
        ties: order of equal scores.
        duplicates: groups of equal documents, or a file of them.
        resources: what each resource returned, where results are ordered by resource or the runs rank resources.
        good: the best resources have most results of this level or higher; by default the second highest level.
        steps: the k to look at; by default about twenty.
        seed: of what is drawn for the estimate.
        progress: is told what is being done, and the share that is done.

    >>> first, second = {"q1": {"a": 1, "b": 0}}, {"q1": {"a": 1, "b": 1}}
    >>> found = quality({"U1": first, "U2": second}, {"q1": {"a": 2.0, "b": 1.0}}, by="depth").studies[0]
    >>> found.steps.tolist(), found.pairs.tolist()
    ([1, 2], [1.0, 2.0])
    """
    options = {name: value for name, value in locals().items() if name not in ("judgments", "runs", "seed", "progress")}
    order = by or ("resources" if runs is None else "metarank")
    if order == "resources" and runs is not None:
        raise CallError("Runs go with by='metarank' or by='depth'; resources are ordered by the labels.")
    if order == "resources" and (resources is None or (resources.rule is None) == (resources.file is None)):
        raise CallError(
            "Say how documents are ordered: by where runs put them (by='metarank' or by='depth'), or with their "
            "resources, for which a rule or a file says what each of them returned."
        )
    if order != "resources" and runs is None:
        raise CallError(f"The order by='{order}' goes by where runs put a document. Give runs.")
    given, second_names = join_second(judgments, second)
    read = take_judgments(given)
    relevances = choose_relevance(read.levels, threshold, relevant)
    sides = choose_side_names(read, first, second_names, pairing)
    files: tuple[str, ...] = ()
    if order == "resources":
        assert resources is not None
        entry = _enter_resources(read, sides, split_assessors(read, labels), resources, good)
    else:
        assert runs is not None
        policies = Policies(ties=ties, duplicates=duplicates, resources=_without_oracle(resources))
        matched = match_runs(runs, read, policies, labels=_each_once(read), progress=progress)
        entry, files = enter_by_runs(read, matched.runs, by=order), matched.files

    def study(part: Judgments) -> tuple[QualityStudy, ...]:
        own = entry if part is read else entry.of_part(read, part)
        return tuple(
            study_quality(
                part,
                own,
                relevance,
                first=sides.first,
                second=sides.second,
                matched=sides.matched,
                steps=steps,
                seed=seed,
            )
            for relevance in relevances
        )

    whole = study(read)
    strata, noticed = for_each_stratum(read, study)
    sources = [*files_of(given), *files, None if resources is None else resources.file]
    return StudyTable(whole, strata, tuple(noticed), record(sources, options, seed=seed))


def robustness(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput,
    measures: MeasureInput | None = None,
    *,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    gains: str | Sequence[str] | None = None,
    estimator: Estimator | None = None,
    labels: Names = None,
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    fedweb_duplicates: bool = False,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "skip",
    resources: Resources | None = None,
    folds: int | None = None,
    common_documents: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> StudyTable[RobustnessStudy]:
    """Does the order of the runs survive another assessor's labels?

    Scores every run with the first side's labels and with the second's, on the topics that both judged and with the
    same gains, and gives Kendall's tau-b between the two orders; see `study_robustness`. The runs are read once.

    Args:
        judgments: files, data frames, dicts, or judgments already read.
        runs: files, folders, patterns, data frames, dicts, or several of them.
        measures: by default nDCG@10.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: see `fit`.
        threshold: users are satisfied with this level or a higher one; by default every threshold.
        relevant: users are satisfied with these levels.
        gains: among `prm`, `binary`, `linear`, `exponential` and `udm`; by default those that the measure can take.
        estimator: by default symmetric where it is valid.
        labels: which of a side's labels count where it has several on a document: `majority`, `mean`, or assessors of
            both sides; by default those of the assessor named first.
        unjudged: see `score`; bounds give no order.
        ties: see `score`.
        duplicates: see `score`.
        fedweb_duplicates: see `score`.
        topics: all topics that both sides judged, or those of them that every run has.
        no_relevant: topics in which a side has no relevant label: left out (`skip`), as computed (`keep`), or 0.
        resources: see `score`, without the best choice.
        folds: score a topic with the parameters of the other topics, divided into so many parts (cross-fitting).
        common_documents: use only the documents that both sides judged.
        seed: of the folds.
        progress: is told what is being done, and the share that is done.

    >>> first = {f"q{t}": {"a": 1, "b": 0, "c": t % 2} for t in range(6)}
    >>> second = {f"q{t}": {"a": 1, "b": 0, "c": 0} for t in range(6)}
    >>> runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in first}, "poor": {t: {"b": 2.0, "a": 1.0} for t in first}}
    >>> [(row.gains, row.tau.value) for row in robustness({"U1": first, "U2": second}, runs).studies[0].rows][:2]
    [('binary', 1.0), ('prm', 1.0)]
    """
    options = {name: value for name, value in locals().items() if name not in ("judgments", "runs", "seed", "progress")}
    wanted = take_measures(measures)
    refuse_plain(wanted)
    refuse_own_gains(wanted)
    policies = _take_policies(unjudged, ties, duplicates, fedweb_duplicates, topics, no_relevant, resources)
    given, second_names = join_second(judgments, second)
    read = take_judgments(given)
    relevances = choose_relevance(read.levels, threshold, relevant)
    sides = choose_side_names(read, first, second_names, pairing)
    each = label_sides(
        read, first=sides.first, second=sides.second, labels=split_assessors(read, labels), common=common_documents
    )
    matched = match_runs(runs, read, policies, labels=_each_once(read), progress=progress)
    by_first, by_second = matched.label(each.first), matched.label(each.second)

    def study(part: Judgments) -> tuple[RobustnessStudy, ...]:
        compare = partial(
            study_robustness,
            sides.count(part),
            _on_topics(by_first.ranked, part, read),
            _on_topics(by_second.ranked, part, read),
            estimator=estimator,
            folds=folds,
            unjudged=_worth_of_unjudged(policies, read.levels),
            topics=topics,
            no_relevant=no_relevant,
            seed=seed,
        )
        return tuple(
            compare(relevance, measure=measure, schemes=_choose_kinds(gains, measure, read.levels, ROBUST_SCHEMES))
            for measure in wanted
            for relevance in relevances
        )

    whole = study(read)
    strata, gone = for_each_stratum(read, study)
    noticed = tuple(dict.fromkeys((*each.findings, *by_first.findings, *by_second.findings, *gone)))
    provenance = record([*files_of(given), *matched.files], options, seed=seed)
    return StudyTable(whole, strata, noticed, provenance)


def gains(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput,
    measures: MeasureInput | None = None,
    *,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    gains: str | Sequence[str] | None = None,
    estimator: Estimator | None = None,
    labels: Names = None,
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    fedweb_duplicates: bool = False,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "skip",
    resources: Resources | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> StudyTable[GainStudy]:
    """Does the order of the runs depend on the gains?

    Scores every run with PRM, binary, linear, exponential and UDM gains, same labels and topics, and gives rank
    correlations between the orders; see `study_gains`.

    Args:
        judgments: files, data frames, dicts, or judgments already read.
        runs: files, folders, patterns, data frames, dicts, or several of them.
        measures: by default nDCG@20.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: see `fit`.
        threshold: users are satisfied with this level or a higher one; by default every threshold.
        relevant: users are satisfied with these levels.
        gains: among `prm`, `binary`, `linear`, `exponential` and `udm`; by default those that the measure can take.
        estimator: by default symmetric where it is valid.
        labels: whose labels score; see `score`.
        unjudged: see `score`; bounds give no order.
        ties: see `score`.
        duplicates: see `score`.
        fedweb_duplicates: see `score`.
        topics: see `score`.
        no_relevant: topics without a relevant label: left out (`skip`), as computed (`keep`), or 0.
        resources: see `score`, without the best choice.
        seed: of what is drawn for the estimate.
        progress: is told what is being done, and the share that is done.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> judgments = twenty_documents()
    >>> order = sorted(set(judgments.document.to_list()))
    >>> runs = {"a": {"q1": dict.fromkeys(order[:9], 1.0)}, "b": {"q1": dict.fromkeys(order[9:], 1.0)}}
    >>> [(pair.a, pair.b) for pair in gains(judgments, runs, threshold=2, labels="U1").studies[0].pairs][:2]
    [('prm', 'binary'), ('prm', 'linear')]
    """
    options = {name: value for name, value in locals().items() if name not in ("judgments", "runs", "seed", "progress")}
    wanted = take_measures(measures, "nDCG@20")
    refuse_plain(wanted)
    refuse_own_gains(wanted)
    policies = _take_policies(unjudged, ties, duplicates, fedweb_duplicates, topics, no_relevant, resources)
    given, second_names = join_second(judgments, second)
    read = take_judgments(given)
    relevances = choose_relevance(read.levels, threshold, relevant)
    sides = choose_side_names(read, first, second_names, pairing)
    rule = decide_labels(read, split_assessors(read, labels), first=sides.first, second=sides.second)
    scored = apply_rule(read, rule)
    matched = match_runs(runs, read, policies, labels=scored, progress=progress)
    labelled = matched.label(scored)

    def study(part: Judgments) -> tuple[GainStudy, ...]:
        compare = partial(
            study_gains,
            estimate_disagreement(sides.count(part), estimator=estimator, seed=seed),
            _on_topics(labelled.ranked, part, read),
            unjudged=_worth_of_unjudged(policies, read.levels),
            topics=topics,
            no_relevant=no_relevant,
            seed=seed,
        )
        return tuple(
            compare(relevance, measure=measure, schemes=_choose_kinds(gains, measure, read.levels, tuple(KINDS)))
            for measure in wanted
            for relevance in relevances
        )

    whole = study(read)
    strata, gone = for_each_stratum(read, study)
    noticed = (*scored.findings, *labelled.findings, *gone)
    provenance = record([*files_of(given), *matched.files], options, seed=seed)
    return StudyTable(whole, strata, noticed, provenance)


def _take_policies(
    unjudged: str | float,
    ties: Ties,
    duplicates: FilePath | Duplicates | None,
    fedweb_duplicates: bool,
    topics: TopicPolicy,
    no_relevant: NoRelevant,
    resources: Resources | None,
) -> Policies:
    policy = choose_gains(unjudged=unjudged).unjudged
    if policy == "bounds":
        raise CallError("Bounds on unjudged documents make two scores of one, so they order no runs: choose another.")
    return Policies(policy, ties, duplicates, fedweb_duplicates, topics, no_relevant, _without_oracle(resources))


def _without_oracle(resources: Resources | None) -> Resources | None:
    if resources is not None and resources.oracle:
        raise CallError("The best choice of resources depends on the gains: it is no run, and has no place among them.")
    return resources


def _worth_of_unjudged(policies: Policies, levels: Levels) -> Unjudged:
    if policies.unjudged == "level":
        return "level"
    return gain_of_unjudged(Gains(levels, np.zeros(len(levels))), policies.unjudged)


def _choose_kinds(
    asked: str | Sequence[str] | None, measure: Measure, levels: Levels, usual: Sequence[str]
) -> tuple[str, ...]:
    """The kinds of gains asked for; by default those of the usual ones that the measure and the levels can take."""
    kinds = choose_gains(asked).kinds
    if kinds:
        return kinds
    if measure.family.needs == "any" and measure.users is None and levels.ordered:
        return tuple(usual)
    return tuple(name for name in usual if name in ("prm", "binary", "udm"))


def _on_topics(runs: Sequence[RankedLevels], part: Judgments, whole: Judgments) -> list[RankedLevels]:
    """The runs on the topics of a part of the judgments, such as a stratum."""
    if part is whole:
        return list(runs)
    inside = {part.topics[place] for place in np.unique(part.topic).tolist()}
    return [keep_topics(run, inside) for run in runs]


def _each_once(judgments: Judgments) -> Judgments:
    """One judgment of each document, by which it is known what resources returned."""
    return judgments.rows(np.sort(np.unique(judgments.item, return_index=True)[1]))


def _enter_resources(
    judgments: Judgments,
    sides: SideChoice,
    labels: tuple[str, ...] | None,
    resources: Resources,
    good: object | None,
) -> EntrySteps:
    found = choose_sides(judgments, sides.first, sides.second)
    if found is None:
        raise CallError("A quality curve is about two sides. Name them: first=... and second=...")
    levels = judgments.levels
    level = levels.names[max(len(levels) - 2, 1)] if good is None else str(good)
    rule = decide_labels(judgments, labels, first=found.first, second=found.second)
    returned = find_returned(resources, apply_rule(judgments, rule))
    assert returned is not None
    return enter_by_resources(judgments, returned, levels.at_or_above(level), reference=rule, results=resources.results)
