"""Quality: do the parameters depend on how good the results are that were judged twice?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from gainsayer.errors import CallError, DataError, PairingError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Patterns, Relevance
from gainsayer.model.estimate import estimate_disagreement, normalise_rows, part_relevant
from gainsayer.model.intervals import topic_covariance
from gainsayer.model.pairs import PairCounts, choose_sides, count_pairs
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedDocuments
from gainsayer.ranking.resources import Returned
from gainsayer.ranking.whose_labels import Labels, choose_labels
from gainsayer.reading.judgments import Judgments
from gainsayer.text import option

MOST_STEPS = 20
MOST_STEP = 10**12
RunOrder = Literal["metarank", "depth"]


@dataclass(frozen=True, eq=False, repr=False)
class QualityStudy:
    """p(R|i) from the doubly judged results among the first k, for growing k; both estimates side by side.

    Args:
        levels: the levels.
        relevance: the relevant ones.
        order: what a step is: `resources`, `metarank` or `depth`.
        about: the same in words.
        steps: k, ascending; shape [steps].
        symmetric: eq. (5), shape [steps, levels]; NaN where no pair has the level.
        one_sided: eq. (4), shape [steps, levels].
        symmetric_error: standard error over topics, eq. (24), shape [steps, levels].
        one_sided_error: the same for eq. (4).
        pairs: pairs of judgments behind each step, shape [steps]; what they weigh, where documents have several.
        topics: topics that hold them, shape [steps].
        by_labels: whether the first side's labels made the order, so that only `one_sided` can be read (T11).
        seed: of what was drawn to see whether the symmetric estimate is valid.
        findings: what a reader should know.
    """

    levels: Levels
    relevance: Relevance
    order: str
    about: str
    steps: IntArray
    symmetric: FloatArray
    one_sided: FloatArray
    symmetric_error: FloatArray
    one_sided_error: FloatArray
    pairs: FloatArray
    topics: IntArray
    by_labels: bool
    seed: int
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        return f"QualityStudy({self.about}, {len(self.steps)} steps)"


def study_quality(
    judgments: Judgments,
    entry: EntrySteps,
    relevance: Relevance,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    matched: bool | None = None,
    steps: Sequence[int] | None = None,
    seed: int = 0,
) -> QualityStudy:
    """Estimate p(R|i) from the doubly judged results that have entered by step k, for k = 1, 2, ...

    Where the order was made from the first side's labels, a result in an early step is one that the *first* side
    liked, and the symmetric estimate falls over the curve even if all results are alike (T11): what it shows is the
    choice, not the results. The one-sided estimate conditions on that side's label and stays right. An order from the
    runs (`metarank`, `depth`) leaves both right.

    Args:
        judgments: the judgments of two sides.
        entry: the step of each result (`enter_by_resources`, `enter_by_runs`).
        relevance: which levels satisfy a user.
        first: assessors of the first side; where labels made the order, these must be theirs.
        second: assessors of the second side.
        matched: see `count_pairs`.
        steps: the k to look at; by default about twenty, those before the first pair left out.
        seed: of what is drawn to see whether the symmetric estimate is valid.

    Raises:
        CallError: there are no two sides, or a step is below 1.
        PairingError: no result was judged by both sides, or none of those ever enters.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> judgments = twenty_documents()
    >>> place = np.argsort(judgments.item[:20]) + 1.0
    >>> entry = EntrySteps("depth", "first k results", place, by_labels=False)
    >>> study = study_quality(judgments, entry, judgments.levels.at_or_above("2"), steps=[10, 20])
    >>> study.symmetric[-1].round(4).tolist(), study.pairs.tolist()
    ([0.0769, 0.2941, 0.4], [10.0, 20.0])
    """
    if choose_sides(judgments, first, second) is None:
        raise CallError(f"A quality curve is about two sides. Name them: {option('first')} and {option('second')}")
    whole = count_pairs(judgments, first=first, second=second, matched=matched)
    findings = list(estimate_disagreement(whole, seed=seed).findings)
    looked = _choose_steps(judgments, entry, steps, first, second)
    counts = _count_steps(judgments, entry, looked, partial(count_pairs, first=first, second=second, matched=matched))
    held = counts.sum(axis=(2, 3))
    symmetric = [_estimate(step + np.swapaxes(step, 1, 2), relevance) for step in counts]
    one_sided = [_estimate(step, relevance) for step in counts]
    if entry.by_labels:
        findings.append(Finding("selected-by-one-side", _describe_choice(whole.first)))
    return QualityStudy(
        levels=judgments.levels,
        relevance=relevance,
        order=entry.order,
        about=entry.about,
        steps=looked,
        symmetric=np.array([probability for probability, _ in symmetric]),
        one_sided=np.array([probability for probability, _ in one_sided]),
        symmetric_error=np.array([error for _, error in symmetric]),
        one_sided_error=np.array([error for _, error in one_sided]),
        pairs=held.sum(axis=1),
        topics=(held > 0).sum(axis=1),
        by_labels=entry.by_labels,
        seed=seed,
        findings=tuple(findings),
    )


def _count_steps(
    judgments: Judgments, entry: EntrySteps, looked: IntArray, count: Callable[[Judgments], PairCounts]
) -> FloatArray:
    """J of each topic from what has entered by each step, shape [steps, topics, levels, levels].

    Each topic is divided by the step at which its results enter; the pairs are counted once, and added up over steps.
    """
    size, bins = len(judgments.levels), len(looked) + 1
    part = np.searchsorted(looked, entry.step)[judgments.item]
    names = tuple(f"{topic}\n{step:06}" for topic in judgments.topics for step in range(bins))
    divided = replace(judgments, topics=names, topic=(judgments.topic * bins + part).astype(np.int32), strata=None)
    counted = count(divided)
    place = {name: at for at, name in enumerate(names)}
    table = np.zeros((len(names), size, size))
    table[[place[name] for name in counted.topics]] = counted.counts
    by_step = table.reshape(len(judgments.topics), bins, size, size).cumsum(axis=1)[:, :-1]
    return np.swapaxes(by_step, 0, 1)


def _estimate(pairs: FloatArray, relevance: Relevance) -> tuple[FloatArray, FloatArray]:
    """p(R|i) and its standard error over topics from pairs of the shape [topics, levels, levels]."""
    pairs = pairs[pairs.sum(axis=(1, 2)) > 0]
    relevant, other = pairs @ relevance.indicator, pairs @ (1 - relevance.indicator)
    judged = relevant + other
    probability = part_relevant(normalise_rows(pairs.sum(axis=0)), relevance.indicator)
    return probability, np.sqrt(np.diagonal(topic_covariance(probability, relevant, judged)))


def _choose_steps(
    judgments: Judgments,
    entry: EntrySteps,
    asked: Sequence[int] | None,
    first: Sequence[str] | None,
    second: Sequence[str] | None,
) -> IntArray:
    sides = choose_sides(judgments, first, second)
    assert sides is not None
    both = np.zeros(judgments.items, dtype=np.bool_)
    both[np.intersect1d(judgments.item[sides.first_rows], judgments.item[sides.second_rows])] = True
    known = entry.step[both & np.isfinite(entry.step)]
    if not len(known):
        raise PairingError(
            f"None of the {int(both.sum()):,} documents that both sides judged is among the {entry.about}, for any "
            "k. Check that topic and document ids are written alike."
        )
    if asked is not None:
        if not asked or min(asked) < 1 or max(asked) > MOST_STEP:
            raise CallError(f"Steps are whole numbers from 1 to {MOST_STEP:,}, found {list(asked)}.")
        return np.unique(np.array(asked, dtype=np.int64))
    start, last = int(np.ceil(known.min())), int(np.ceil(known.max()))
    single = np.arange(start, min(start + 5, last + 1))
    return np.unique(np.concatenate([single, np.round(np.geomspace(start, last, MOST_STEPS)).astype(np.int64)]))


def _describe_choice(first: Sequence[str]) -> str:
    return (
        f"The labels of {', '.join(first)} decided which results come first. Then the symmetric estimate falls over "
        "the curve even where all resources are alike, as it also asks about labels that were not chosen. Read the "
        f"one-sided estimate, or order the results by something that no label has made ({option('by', 'metarank')} or "
        f"{option('by', 'depth')})."
    )


@dataclass(frozen=True, eq=False)
class EntrySteps:
    """The first step at which each result is among the chosen ones.

    Args:
        order: what a step is: `resources`, `metarank` or `depth`.
        about: a step in words, for titles: "results of the k best resources".
        step: one number per item of the judgments, infinite for a result that never comes in; shape [items].
        by_labels: whether the first side's labels made the order (T11).
    """

    order: str
    about: str
    step: FloatArray
    by_labels: bool

    def of_part(self, whole: Judgments, part: Judgments) -> EntrySteps:
        """The steps for some topics of the judgments, such as a stratum; `part` holds all judgments of its topics."""
        inside = np.isin(whole.topic, np.unique(part.topic))
        return replace(self, step=self.step[np.unique(whole.item[inside])])


def enter_by_resources(
    judgments: Judgments,
    returned: Returned,
    relevance: Relevance,
    *,
    reference: Labels = None,
    results: int = 10,
) -> EntrySteps:
    """Results enter with their resource: per topic, resources by decreasing number of good results (spec 1.6).

    A result is good where the reference assessors' label is among the levels of `relevance`; equal resources stand in
    order of name. The order is made from one side's labels, which bends the symmetric estimate (T11).

    Args:
        judgments: the judgments.
        returned: which resource returned what.
        relevance: the levels of a good result, such as HRel or higher.
        reference: whose labels make the order (`choose_labels`). It should be the *first* side.
        results: how many results of each resource count.

    Raises:
        CallError: fewer than one result, or an unknown assessor.
        DataError: no judged result belongs to a resource.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.ranking.resources import returned_by_rows
    >>> judgments = read_judgments({"U": {"q": {"a": 0, "b": 1, "c": 1}}})
    >>> returned = returned_by_rows([("q", "r1", "a"), ("q", "r2", "b"), ("q", "r2", "c")])
    >>> enter_by_resources(judgments, returned, judgments.levels.at_or_above("1")).step[judgments.item].tolist()
    [2.0, 1.0, 1.0]
    """
    if results < 1:
        raise CallError(f"At least one result of each resource must count, found {results}.")
    labels = choose_labels(judgments, reference)
    if isinstance(labels.levels, Patterns):
        relevance = labels.levels.relevance(relevance)
    good = {
        (labels.topics[topic], document): relevance.mask[level]
        for topic, document, level in zip(
            labels.topic.tolist(), labels.document.to_list(), labels.level.tolist(), strict=True
        )
    }
    entry: dict[tuple[str, str], int] = {}
    for topic, lists in returned.items():
        worth = {
            name: sum(good.get((topic, document), False) for document in documents[:results])
            for name, documents in lists.items()
        }
        for place, name in enumerate(sorted(worth, key=lambda name: (-worth[name], name)), start=1):
            for document in lists[name][:results]:
                entry.setdefault((topic, document), place)
    step = np.full(judgments.items, np.inf)
    places = [
        entry.get((judgments.topics[topic], document), np.inf)
        for topic, document in zip(judgments.topic.tolist(), judgments.document.to_list(), strict=True)
    ]
    step[judgments.item] = places
    _refuse_nothing(step, "no judged document was returned by a resource. Are the documents' names written alike?")
    return EntrySteps("resources", "results of the k best resources of each topic", step, by_labels=True)


def enter_by_runs(judgments: Judgments, runs: Sequence[RankedDocuments], *, by: RunOrder = "metarank") -> EntrySteps:
    """Results enter by where the runs put them, which no label has made.

    `depth` is the best rank over the runs: step k holds what a pool of depth k holds. `metarank` is the geometric mean
    rank over all runs, `exp(mean log rank)`, a run that lacks the result putting it one below its last one; a run that
    lacks the topic says nothing about it.

    Args:
        judgments: the judgments.
        runs: where systems put the judged documents: matched with `pool_documents(judgments)`.
        by: `metarank` or `depth`.

    Raises:
        CallError: there is no such order, or no run.
        DataError: no run returned a judged document.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.ranking.pool import pool_documents
    >>> from gainsayer.ranking.matching import rank_documents
    >>> from gainsayer.reading.runs import read_run
    >>> judgments = read_judgments({"U": {"q": {"a": 0, "b": 1, "c": 1}}})
    >>> pool = pool_documents(judgments)
    >>> tables = [{"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 3.0, "x": 2.0, "y": 1.0, "a": 0.0}}]
    >>> runs = [rank_documents(read_run(table), pool) for table in tables]
    >>> enter_by_runs(judgments, runs, by="depth").step[judgments.item].tolist()
    [1.0, 1.0, inf]
    >>> enter_by_runs(judgments, runs).step[judgments.item].round(2).tolist()
    [2.0, 1.41, 3.87]
    """
    if by not in ("metarank", "depth"):
        raise CallError(f"Results enter by metarank or by depth, found {by!r}.")
    if not runs:
        raise CallError("No runs were given: results enter by where runs put them.")
    item = _items_of_pool(judgments)
    best, total, runs_with_topic = np.full(len(item), np.inf), np.zeros(len(item)), np.zeros(len(item))
    for run in runs:
        rank, length = run.ranks(), run.retrieved[run.pool.topic]
        best = np.minimum(best, np.where(rank > 0, rank, np.inf))
        total += np.log(np.where(rank > 0, rank, length + 1.0))  # 0 where the run lacks the topic
        runs_with_topic += run.present[run.pool.topic]
    _refuse_nothing(best, "no run returned a judged document. Are topics and documents written alike?")
    step = np.full(judgments.items, np.inf)
    mean = np.divide(total, runs_with_topic, out=np.full(len(item), np.inf), where=runs_with_topic > 0)
    step[item] = best if by == "depth" else np.exp(mean)
    about = {
        "depth": "results within the first k ranks of any run",
        "metarank": "results whose geometric mean rank over the runs is at most k",
    }
    return EntrySteps(by, about[by], step, by_labels=False)


def _items_of_pool(judgments: Judgments) -> IntArray:
    """The item of each document of `pool_documents(judgments)`, in its order: by topic, then by item."""
    item, row = np.unique(judgments.item, return_index=True)
    return np.asarray(item[np.argsort(judgments.topic[row], kind="stable")])


def _refuse_nothing(step: FloatArray, message: str) -> None:
    if not np.isfinite(step).any():
        raise DataError(f"Nothing can enter the curve: {message}")
