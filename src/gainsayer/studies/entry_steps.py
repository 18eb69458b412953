"""Entry steps: at which step of a quality curve each judged document comes in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gainsayer.errors import CallError, DataError
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Patterns, Relevance
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.labels import Labels, choose_labels
from gainsayer.rankings.ranked_levels import FloatArray, IntArray
from gainsayer.rankings.resources import Returned

RunOrder = Literal["metarank", "depth"]


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

    >>> from gainsayer.judgments.files import read_judgments
    >>> from gainsayer.rankings.resources import returned_by_rows
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
    for topic, lists in returned.documents.items():
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

    >>> from gainsayer.judgments.files import read_judgments
    >>> from gainsayer.rankings.pool import pool_documents
    >>> from gainsayer.rankings.ranking import rank_documents
    >>> from gainsayer.runs.files import read_run
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
