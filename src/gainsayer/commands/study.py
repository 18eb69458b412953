"""`study`: the analyses of the paper on one's own collection, one function each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Generic, Literal, TypeAlias, TypeVar

import numpy as np

from gainsayer.commands.gains import choose_gains, gain_of_unjudged
from gainsayer.commands.inputs import (
    JudgmentInput,
    LevelInput,
    Names,
    Pairing,
    SideChoice,
    choose_relevance,
    choose_side_names,
    for_each_stratum,
    gather_sources,
    join_second,
    split_assessors,
    take_judgments,
)
from gainsayer.commands.provenance import Provenance, record
from gainsayer.commands.ranked_runs import Policies, Progress, RunInput, make_policies, match_runs
from gainsayer.commands.setup import MeasureInput, Request, refuse_own_gains, refuse_plain, take_measures
from gainsayer.commands.study_tables import Study, describe_study, draw_study, study_rows, study_tables
from gainsayer.drawing.figure import Figure, panels
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.gains.schemes import KINDS
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.scores import NoRelevant, TopicPolicy
from gainsayer.model.estimate import Estimator, estimate_disagreement
from gainsayer.model.pairs import choose_sides
from gainsayer.ranking.duplicates import Duplicates
from gainsayer.ranking.matching import Ties
from gainsayer.ranking.resources import RESULTS, find_returned
from gainsayer.ranking.whose_labels import LabelRule, apply_rule, decide_labels
from gainsayer.reading.files import FilePath
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.labels import Repeats
from gainsayer.result import Result, describe_findings
from gainsayer.studies.orders import (
    ROBUST_SCHEMES,
    GainStudy,
    RobustnessStudy,
    label_sides,
    study_gains,
    study_robustness,
)
from gainsayer.studies.parameters import AmountStudy, TopicStudy, choose_sizes, study_amount, study_topics
from gainsayer.studies.quality import QualityStudy, enter_by_resources, enter_by_runs, study_quality
from gainsayer.table import Json, Table, stack
from gainsayer.text import option
from gainsayer.words import name_relevance

__all__ = ["StudyTable", "amount", "gains", "quality", "robustness", "topics"]

_Study = TypeVar("_Study", bound=Study)
Order: TypeAlias = Literal["metarank", "depth", "resources"]
_KINDS: Final[Mapping[type[Study], str]] = {
    TopicStudy: "topics",
    AmountStudy: "amount",
    QualityStudy: "quality",
    RobustnessStudy: "robustness",
    GainStudy: "gains",
}


@dataclass(frozen=True, eq=False, repr=False)
class StudyTable(Result, Generic[_Study]):
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
        first: Study = self.studies[0]
        return _KINDS[type(first)]

    @property
    def seed(self) -> int:
        """The seed of everything that was drawn."""
        return self.studies[0].seed

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding once, in order."""
        found = (finding for _, group in self._groups() for study in group for finding in study.findings)
        return tuple(dict.fromkeys((*self.noticed, *found)))

    def about(self) -> str:
        """The question of the study, and what it was asked of."""
        return self.tables()[0].title

    def tables(self) -> list[Table]:
        """The tables of all topics together, then those of the strata; of the robustness study one for all of them."""
        if self.kind == "robustness":
            return [
                stack([study_rows(group[index], stratum) for stratum, group in self._groups()])
                for index in range(len(self.studies))
            ]
        return [table for stratum, group in self._groups() for study in group for table in study_tables(study, stratum)]

    def rows(self) -> Table:
        """The rows of all topics together, then those of the strata."""
        return stack([study_rows(study, stratum) for stratum, group in self._groups() for study in group])

    def document(self) -> dict[str, Json]:
        """The study as plain data; strata under their names, those of the robustness study as rows of its results."""
        results = [describe_study(study) for study in self.studies]
        strata = {name: [describe_study(study) for study in group] for name, group in self.strata.items()}
        if self.kind == "robustness":
            results = [{**one, "rows": table.records()} for one, table in zip(results, self.tables(), strict=True)]
            strata = {}
        return {
            "study": self.kind,
            "seed": self.seed,
            "results": results,
            "strata": strata or None,
            "warnings": describe_findings(self.findings),
            "provenance": None if self.provenance is None else self.provenance.as_dict(),
        }

    def figure(self) -> Figure:
        """A panel for each notion of relevance and stratum."""
        drawn = {}
        for stratum, group in self._groups():
            for study in group:
                words = [] if len(group) == 1 else [f"relevant: {name_relevance(study.relevance)}"]
                words += [] if stratum is None else [f"{stratum} topics"]
                drawn[", ".join(words)] = draw_study(study)
        return panels(self.kind, drawn)

    def _groups(self) -> list[tuple[str | None, tuple[_Study, ...]]]:
        """The studies of all topics together, then those of each stratum with its name."""
        return [(None, self.studies), *self.strata.items()]


def topics(
    *judgments: JudgmentInput,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
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
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
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
    options = dict(locals())
    sources = gather_sources(list(judgments), levels, merges, missing, maps, repeats, raters, by_assessor)
    read = take_judgments(sources)
    relevances = choose_relevance(read.levels, threshold, relevant)
    sides = choose_side_names(read, first, second, pairing)

    def study(part: Judgments) -> tuple[TopicStudy, ...]:
        counts = sides.count(part)
        if part is not read and len(counts.topics) < 2:
            return ()
        disagreement = estimate_disagreement(counts, estimator=estimator, seed=seed)
        return tuple(study_topics(disagreement, relevance, draws=draws, seed=seed) for relevance in relevances)

    table = _study_strata(read, study, record(sources, options, seed=seed))
    single = [name for name, group in table.strata.items() if not group]
    if not single:
        return table
    text = f"Stratum {', '.join(map(repr, single))} has pairs in one topic only: there is nothing to draw from."
    return replace(table, noticed=(*table.noticed, Finding("single-topic", text)))


def amount(
    *judgments: JudgmentInput,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
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
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
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
    options = dict(locals())
    if most is not None and sizes is not None:
        raise CallError("The most pairs and the sizes say the same thing in two ways. Give one of them.")
    sources = gather_sources(list(judgments), levels, merges, missing, maps, repeats, raters, by_assessor)
    read = take_judgments(sources)
    relevances = choose_relevance(read.levels, threshold, relevant)
    sides = choose_side_names(read, first, second, pairing)

    def study(part: Judgments) -> tuple[AmountStudy, ...]:
        counts = sides.count(part)
        looked = choose_sizes(counts.pairs, most=most) if sizes is None else sizes
        simulate = partial(study_amount, counts, rounds=rounds, sizes=looked, estimator=estimator, seed=seed)
        return tuple(simulate(relevance) for relevance in relevances)

    return _study_strata(read, study, record(sources, options, seed=seed))


def quality(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput | None = None,
    *,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
    by: Order | None = None,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    labels: Names = None,
    resource_rule: str | None = None,
    resource_file: FilePath | None = None,
    results: int | None = None,
    good: object | None = None,
    steps: Sequence[int] | None = None,
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> StudyTable[QualityStudy]:
    """Does p(R|i) depend on how good the judged documents are?

    Estimates p(R|i) from the documents that come first: those of the k best resources, or those that runs rank highly.
    The symmetric and the one-sided estimate stand side by side: an order made from one side's labels bends the
    symmetric one; see `study_quality`. No run is scored, so policies about scores play no part.

    Args:
        judgments: files, data frames, dicts, judgments already read, or {name of an assessor: any of these};
            see `read_judgments`.
        runs: files, folders, patterns, data frames, dicts; for the orders `metarank` and `depth`.
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        by: `metarank` (geometric mean rank over the runs), `depth` (best rank), or `resources` (with their
            resource, by the labels); by default metarank with runs, else resources.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        threshold: users are satisfied with this level or a higher one; by default every threshold.
        relevant: users are satisfied with these levels.
        labels: whose labels order the resources; by default the first side's.
        resource_rule: a regular expression by which a document id names its resource and rank.
        resource_file: lines of topic, resource and document, in the resource's order; instead of a rule.
        results: how many results of each resource count; 10 by default.
        good: the best resources have most results of this level or higher; by default the second highest level.
        steps: the k to look at; by default about twenty.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    >>> first, second = {"q1": {"a": 1, "b": 0}}, {"q1": {"a": 1, "b": 1}}
    >>> found = quality({"U1": first, "U2": second}, {"q1": {"a": 2.0, "b": 1.0}}, by="depth").studies[0]
    >>> found.steps.tolist(), found.pairs.tolist()
    ([1, 2], [1.0, 2.0])
    """
    options = dict(locals())
    order = by or ("resources" if runs is None else "metarank")
    of_resources = [value for value in (resource_rule, resource_file, results) if value is not None]
    if runs is not None and (order == "resources" or of_resources):
        raise CallError(
            f"Runs go with {option('by', 'metarank')} or {option('by', 'depth')}; resources are ordered by the labels."
        )
    if order == "resources" and (resource_rule is None) == (resource_file is None):
        raise CallError(
            f"Say how documents are ordered: by where runs put them ({option('by', 'metarank')} or "
            f"{option('by', 'depth')}), or with their resources, for which a rule or a file says what each of them "
            "returned."
        )
    if order != "resources" and runs is None:
        raise CallError(f"The order {option('by', order)} goes by where runs put a document. Give runs.")
    given, named = join_second(judgments, second)
    sources = gather_sources(given, levels, merges, missing, maps, repeats, raters, by_assessor)
    read = take_judgments(sources)
    sides = choose_side_names(read, first, named, pairing)
    relevances = choose_relevance(read.levels, threshold, relevant)
    files: tuple[str, ...] = ()
    if order == "resources":
        rule = _rule_of_first(read, sides, labels)
        returned = find_returned(apply_rule(read, rule), resource_rule, resource_file)
        level = read.levels.names[max(len(read.levels) - 2, 1)] if good is None else str(good)
        many = RESULTS if results is None else results
        entry = enter_by_resources(read, returned, read.levels.at_or_above(level), reference=rule, results=many)
    else:
        assert runs is not None
        matched = match_runs(runs, read, Policies(ties=ties, duplicates=duplicates), progress=progress)
        entry, files = enter_by_runs(read, matched.runs, by=order), matched.files

    def study(part: Judgments) -> tuple[QualityStudy, ...]:
        look = partial(
            study_quality,
            part,
            entry if part is read else entry.of_part(read, part),
            first=sides.first,
            second=sides.second,
            matched=sides.matched,
            steps=steps,
            seed=seed,
        )
        return tuple(look(relevance) for relevance in relevances)

    return _study_strata(read, study, record([*sources, *files, resource_file], options, seed=seed))


def robustness(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput,
    measures: MeasureInput | None = None,
    *,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    labels: Names = None,
    gains: str | Sequence[str] | None = None,
    estimator: Estimator | None = None,
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "skip",
    common_documents: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> StudyTable[RobustnessStudy]:
    """Does the order of the runs survive another assessor's labels?

    Scores every run with the first side's labels and with the second's, on the topics that both judged and with the
    same gains, and gives Kendall's tau-b between the two orders; see `study_robustness`. The runs are read once.

    Args:
        judgments: files, data frames, dicts, judgments already read, or {name of an assessor: any of these};
            see `read_judgments`.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: such as "nDCG@10", the default; names of ir_measures or trec_eval.
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        threshold: users are satisfied with this level or a higher one; by default every threshold.
        relevant: users are satisfied with these levels.
        labels: which of a side's labels count where it has several on a document: `majority`, `mean`, or
            assessors of both sides; by default those of the assessor named first.
        gains: among `prm`, `binary`, `linear`, `exponential` and `udm`; by default those that the measure can
            take.
        estimator: `symmetric` or `one-sided`; by default symmetric where it is valid.
        unjudged: what an unjudged document is worth: `0`, `level`, a number or `condense`.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        topics: all topics that both sides judged, or those of them that every run has (`common`).
        no_relevant: topics in which a side has no relevant label: left out (`skip`), as computed (`keep`), or
            `zero`.
        common_documents: use only the documents that both sides judged.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    >>> first = {f"q{t}": {"a": 1, "b": 0, "c": t % 2} for t in range(6)}
    >>> second = {f"q{t}": {"a": 1, "b": 0, "c": 0} for t in range(6)}
    >>> runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in first}, "poor": {t: {"b": 2.0, "a": 1.0} for t in first}}
    >>> [(row.gains, row.tau.value) for row in robustness({"U1": first, "U2": second}, runs).studies[0].rows][:2]
    [('binary', 1.0), ('prm', 1.0)]
    """
    options = dict(locals())
    given, named = join_second(judgments, second)
    request = Request(
        sources=gather_sources(given, levels, merges, missing, maps, repeats, raters, by_assessor),
        first=first,
        second=named,
        pairing=pairing,
        threshold=threshold,
        relevant=relevant,
        labels=labels,
        choice=choose_gains(gains, unjudged=unjudged),
        estimator=estimator,
        policies=make_policies(unjudged, ties, duplicates, topics, no_relevant),
        seed=seed,
        progress=progress,
    )
    wanted = _take_ordering(request, measures, "nDCG@10")
    read, sides = request.read()
    own = split_assessors(read, labels, "labels")
    each = label_sides(read, first=sides.first, second=sides.second, labels=own, common=common_documents)
    matched = match_runs(runs, read, request.policies, progress=progress)
    by_first, by_second = matched.label(each.first), matched.label(each.second)

    def study(part: Judgments) -> tuple[RobustnessStudy, ...]:
        compare = partial(
            study_robustness,
            sides.count(part),
            by_first.on_topics_of(part).ranked,
            by_second.on_topics_of(part).ranked,
            estimator=estimator,
        )
        return _order(request, compare, read.levels, wanted, ROBUST_SCHEMES)

    noticed = (*each.findings, *by_first.findings, *by_second.findings)
    return _study_strata(read, study, request.record(options, *matched.files), noticed)


def gains(
    judgments: JudgmentInput | Sequence[JudgmentInput],
    runs: RunInput,
    measures: MeasureInput | None = None,
    *,
    levels: LevelInput = None,
    merges: Mapping[str, str] | None = None,
    missing: str | Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
    repeats: Repeats = "error",
    raters: str | Sequence[str] = (),
    by_assessor: bool = False,
    second: Names | JudgmentInput = None,
    first: Names = None,
    pairing: Pairing = "auto",
    threshold: object | Sequence[object] | None = None,
    relevant: Sequence[object] | None = None,
    labels: Names = None,
    gains: str | Sequence[str] | None = None,
    estimator: Estimator | None = None,
    unjudged: str | float = "0",
    ties: Ties = "trec",
    duplicates: FilePath | Duplicates | None = None,
    topics: TopicPolicy = "all",
    no_relevant: NoRelevant = "skip",
    seed: int = 0,
    progress: Progress | None = None,
) -> StudyTable[GainStudy]:
    """Does the order of the runs depend on the gains?

    Scores every run with PRM, binary, linear, exponential and UDM gains, same labels and topics, and gives rank
    correlations between the orders; see `study_gains`.

    Args:
        judgments: files, data frames, dicts, judgments already read, or {name of an assessor: any of these};
            see `read_judgments`.
        runs: files, folders, patterns, data frames, dicts {topic: {document: score}}, or several of them.
        measures: such as "nDCG@20", the default; names of ir_measures or trec_eval.
        levels: the levels from low to high, as a list, as "Non,Rel,HRel,Key" or as `Levels`; without them, the
            numbers found.
        merges: labels that mean another level.
        missing: labels that mean *not judged*.
        maps: assessor or file to the labels that its labels stand for, before anything else.
        repeats: what to do with different levels from one assessor for one document.
        raters: columns of levels, one per rater, of tables with a row per document.
        by_assessor: column 2 of qrels files is the assessor.
        second: assessors who stand for the users, or their judgments: a file, data frame or dict.
        first: assessors whose labels the evaluation uses.
        pairing: whether members of the sides pair one by one (`matched`), all with all, or as the data has it.
        threshold: users are satisfied with this level or a higher one; by default every threshold.
        relevant: users are satisfied with these levels.
        labels: whose labels score: assessors (the first who judged a document), `majority`, `mean`, or
            `posterior` (all of them together, learned where a document has a further opinion).
        gains: among `prm`, `binary`, `linear`, `exponential` and `udm`; by default those that the measure can
            take.
        estimator: `symmetric` or `one-sided`; by default symmetric where it is valid.
        unjudged: what an unjudged document is worth: `0`, `level`, a number or `condense`.
        ties: order of equal scores: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, or a file of them.
        topics: all judged topics, or those that every run has (`common`).
        no_relevant: topics without a relevant label: left out (`skip`), as computed (`keep`), or `zero`.
        seed: of everything that is drawn.
        progress: called with what is being done, and the share that is done.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> judgments = twenty_documents()
    >>> order = sorted(set(judgments.document.to_list()))
    >>> runs = {"a": {"q1": dict.fromkeys(order[:9], 1.0)}, "b": {"q1": dict.fromkeys(order[9:], 1.0)}}
    >>> [(pair.a, pair.b) for pair in gains(judgments, runs, threshold=2, labels="U1").studies[0].pairs][:2]
    [('prm', 'binary'), ('prm', 'linear')]
    """
    options = dict(locals())
    given, named = join_second(judgments, second)
    request = Request(
        sources=gather_sources(given, levels, merges, missing, maps, repeats, raters, by_assessor),
        first=first,
        second=named,
        pairing=pairing,
        threshold=threshold,
        relevant=relevant,
        labels=labels,
        choice=choose_gains(gains, unjudged=unjudged),
        estimator=estimator,
        policies=make_policies(unjudged, ties, duplicates, topics, no_relevant),
        seed=seed,
        progress=progress,
    )
    wanted = _take_ordering(request, measures, "nDCG@20")
    read, sides = request.read()
    rule = decide_labels(read, split_assessors(read, labels, "labels"), first=sides.first, second=sides.second)
    scored = apply_rule(read, rule)
    matched = match_runs(runs, read, request.policies, progress=progress)
    labelled = matched.label(scored)

    def study(part: Judgments) -> tuple[GainStudy, ...]:
        disagreement = estimate_disagreement(sides.count(part), estimator=estimator, seed=seed)
        compare = partial(study_gains, disagreement, labelled.on_topics_of(part).ranked)
        return _order(request, compare, read.levels, wanted, tuple(KINDS))

    return _study_strata(read, study, request.record(options, *matched.files), (*scored.findings, *labelled.findings))


def _study_strata(
    judgments: Judgments,
    study: Callable[[Judgments], tuple[_Study, ...]],
    provenance: Provenance,
    noticed: Sequence[Finding] = (),
) -> StudyTable[_Study]:
    """The study of all topics, and of each kind of topics."""
    strata: dict[str, tuple[_Study, ...]]
    lacking: list[Finding]
    whole = study(judgments)
    strata, lacking = for_each_stratum(judgments, study)
    return StudyTable(whole, strata, tuple(dict.fromkeys((*noticed, *lacking))), provenance)


def _order(
    request: Request,
    compare: Callable[..., _Study],
    levels: Levels,
    measures: Sequence[Measure],
    usual: Sequence[str],
) -> tuple[_Study, ...]:
    """What `compare` finds by each measure and notion of relevance, under the policies asked for."""
    policy = request.policies.unjudged
    unjudged = policy if policy == "level" else gain_of_unjudged(Gains(levels, np.zeros(len(levels))), policy)
    return tuple(
        compare(
            relevance,
            measure=measure,
            schemes=_choose_kinds(request.choice.kinds, measure, levels, usual),
            unjudged=unjudged,
            topics=request.policies.topics,
            no_relevant=request.policies.no_relevant,
            seed=request.seed,
        )
        for measure in measures
        for relevance in choose_relevance(levels, request.threshold, request.relevant)
    )


def _choose_kinds(kinds: tuple[str, ...], measure: Measure, levels: Levels, usual: Sequence[str]) -> tuple[str, ...]:
    """The kinds of gains asked for; by default those of the usual ones that the measure and the levels can take."""
    if kinds:
        return kinds
    if measure.family.needs == "any" and measure.users is None and levels.ordered:
        return tuple(usual)
    return tuple(name for name in usual if name in ("prm", "binary", "udm"))


def _rule_of_first(judgments: Judgments, sides: SideChoice, labels: Names) -> LabelRule:
    """Whose labels say how good a resource is."""
    found = choose_sides(judgments, sides.first, sides.second)
    if found is None:
        raise CallError(f"A quality curve is about two sides. Name them: {option('first')} and {option('second')}")
    own = split_assessors(judgments, labels, "labels")
    return decide_labels(judgments, own, first=found.first, second=found.second)


def _take_ordering(request: Request, measures: MeasureInput | None, usual: str) -> tuple[Measure, ...]:
    """The measures, where they and the policies order runs; else CallError."""
    wanted = take_measures(measures, usual)
    refuse_plain(wanted)
    refuse_own_gains(wanted)
    if request.policies.unjudged == "bounds":
        raise CallError("Bounds on unjudged documents make two scores of one, so they order no runs: choose another.")
    return wanted
