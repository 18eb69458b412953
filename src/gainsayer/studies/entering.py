"""Entering: the step of a quality curve at which each judged document comes in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gainsayer.errors import CallError, DataError
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Relevance
from gainsayer.rankings.labels import choose_labels
from gainsayer.rankings.matching import match_pool
from gainsayer.rankings.ordering import Ties, rank_rows
from gainsayer.rankings.pool import Pool, make_pool
from gainsayer.rankings.ranked_levels import FloatArray, IntArray
from gainsayer.rankings.resources import Returned
from gainsayer.runs.run import Run

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


def enter_by_resources(
    judgments: Judgments,
    returned: Returned,
    relevance: Relevance,
    *,
    reference: Sequence[str] | None = None,
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


def enter_by_runs(
    judgments: Judgments, runs: Iterable[Run], *, by: RunOrder = "metarank", ties: Ties = "trec"
) -> EntrySteps:
    """Results enter by where the runs put them, which no label has made.

    `depth` is the best rank over the runs: step k holds what a pool of depth k holds. `metarank` is the geometric mean
    rank over all runs, `exp(mean log rank)`, a run that lacks the result putting it one below its last one.

    Args:
        judgments: the judgments.
        runs: what systems returned; read once, one after another.
        by: `metarank` or `depth`.
        ties: how equal scores are ordered.

    Raises:
        CallError: there is no such order, or no run.
        DataError: no run returned a judged document.

    >>> from gainsayer.judgments.files import read_judgments
    >>> from gainsayer.runs.files import read_run
    >>> judgments = read_judgments({"U": {"q": {"a": 0, "b": 1, "c": 1}}})
    >>> runs = [read_run({"q": {"a": 2.0, "b": 1.0}}), read_run({"q": {"b": 3.0, "x": 2.0, "y": 1.0, "a": 0.0}})]
    >>> enter_by_runs(judgments, runs, by="depth").step[judgments.item].tolist()
    [1.0, 1.0, inf]
    >>> enter_by_runs(judgments, runs).step[judgments.item].round(2).tolist()
    [2.0, 1.41, 3.87]
    """
    if by not in ("metarank", "depth"):
        raise CallError(f"Results enter by metarank or by depth, found {by!r}.")
    pool, item = _pool_of_items(judgments)
    best, total, count = np.full(len(item), np.inf), np.zeros(len(item)), 0
    for run in runs:
        rank, length = _rank_entries(run, pool, ties)
        best = np.minimum(best, np.where(rank > 0, rank, np.inf))
        total += np.log(np.where(rank > 0, rank, length + 1.0))
        count += 1
    if not count:
        raise CallError("No runs were given: results enter by where runs put them.")
    _refuse_nothing(best, "no run returned a judged document. Are topics and documents written alike?")
    step = np.full(judgments.items, np.inf)
    step[item] = best if by == "depth" else np.exp(total / count)
    about = {
        "depth": "results within the first k ranks of any run",
        "metarank": "results whose geometric mean rank over the runs is at most k",
    }
    return EntrySteps(by, about[by], step, by_labels=False)


def _pool_of_items(judgments: Judgments) -> tuple[Pool, IntArray]:
    """Every judged result once, whoever judged it, as a pool; and the item of each of its entries."""
    from dataclasses import replace

    item, row = np.unique(judgments.item, return_index=True)
    order = np.argsort(judgments.topic[row], kind="stable")
    once = judgments.rows(row[order])
    sole = replace(once, assessor=np.zeros(len(once), np.int32), assessors=("anybody",))
    return make_pool(sole), item[order]


def _rank_entries(run: Run, pool: Pool, ties: Ties) -> tuple[IntArray, IntArray]:
    """The rank of each entry of the pool in the run, 0 where it is not there, and the length of its topic's list."""
    grouped = run if run.is_grouped else run.part(np.argsort(run.topic, kind="stable"), 0, len(run.topics))
    codes = np.array([pool.place.get(topic, -1) for topic in grouped.topics], np.int64)
    ranks = rank_rows(grouped, ties=ties)
    row, entry = match_pool(grouped, pool, codes)
    rank = np.zeros(len(pool.level), np.int64)
    rank[entry] = ranks[row]
    listed = np.zeros(len(pool.topics), np.int64)
    listed[codes[codes >= 0]] = np.bincount(grouped.topic, minlength=len(codes))[codes >= 0]
    return rank, listed[pool.topic]


def _refuse_nothing(step: FloatArray, message: str) -> None:
    if not np.isfinite(step).any():
        raise DataError(f"Nothing can enter the curve: {message}")
