"""RankedDocuments: where a run put the judged documents. Matched once; any labels are a look-up on it.

A run meets the pool of judged documents once, whoever judged them. The labels of any assessor, of a second side,
patterns of labels, or a number per document are then read off by the places in the pool: `label_documents`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.findings import Finding
from gainsayer.lines.names import match_names
from gainsayer.rankings.duplicates import Duplicates, number_members, one_per_group
from gainsayer.rankings.pool import DocumentPool, Pool
from gainsayer.rankings.ranked_levels import IntArray, RankedLevels

NOT_POOLED = -1


@dataclass(frozen=True, eq=False)
class RankedDocuments:
    """What stands at which rank, per topic, as places in a pool of documents.

    Hits are the ranks whose document is in the pool, or repeats an earlier one; they are sorted by topic, then rank.
    Every other rank up to the end of a topic's list holds a document that nobody judged.

    Args:
        pool: the documents that the run was matched with.
        topic: place in the pool's topics, one per hit, ascending.
        rank: from 1, ascending within a topic.
        entry: place in the pool; -1 for a duplicate that is not in it.
        later: whether the document repeats one returned earlier.
        retrieved: length of the topic's list, 0 where the run lacks the topic; shape [topics].
        present: whether the run has the topic; shape [topics].
        unscored: topics of the run that are not in the pool.
        name: the run's name.
        source: what messages call the file or table.
        duplicates: the groups of equal documents; None where there are none.
        findings: what was noticed when the run was read.
        close: how many topics have another list in single precision, as far down as anybody looks.
    """

    pool: DocumentPool
    topic: npt.NDArray[np.int32]
    rank: npt.NDArray[np.int32]
    entry: IntArray
    later: npt.NDArray[np.bool_]
    retrieved: IntArray
    present: npt.NDArray[np.bool_]
    unscored: tuple[str, ...]
    name: str
    source: str = "the run"
    duplicates: Duplicates | None = None
    findings: tuple[Finding, ...] = ()
    close: int = 0

    def ranks(self) -> IntArray:
        """The rank of each document of the pool, 0 where the run lacks it; shape [entries]."""
        rank = np.zeros(len(self.pool.document), np.int64)
        held = self.entry >= 0
        rank[self.entry[held]] = self.rank[held]
        return rank


def label_documents(ranked: RankedDocuments, pool: Pool) -> RankedLevels:
    """The level at each rank, by these labels; a document without a label is unjudged.

    Args:
        ranked: a run, matched with these documents or more.
        pool: the labels, `make_pool`; topics without a label are not scored.

    >>> from gainsayer.judgments.files import read_judgments
    >>> from gainsayer.rankings.pool import make_pool, pool_documents
    >>> from gainsayer.rankings.ranking import rank_documents
    >>> from gainsayer.runs.files import read_run
    >>> judgments = read_judgments({"U1": {"q1": {"a": 2, "b": 0}}, "U2": {"q1": {"b": 1}}})
    >>> matched = rank_documents(read_run({"q1": {"a": 1.0, "x": 3.0, "b": 2.0}}), pool_documents(judgments))
    >>> for name in judgments.assessors:
    ...     found = label_documents(matched, make_pool(judgments, assessor=name))
    ...     print(name, found.rank.tolist(), found.level.tolist())
    U1 [2, 3] [0, 2]
    U2 [2] [1]
    """
    return label_runs([ranked], pool)[0]


def label_runs(runs: Sequence[RankedDocuments], pool: Pool) -> tuple[RankedLevels, ...]:
    """Several runs by the same labels; those that were matched with the same documents are aligned once."""
    aligned: dict[int, IntArray | None] = {}
    labelled = []
    for run in runs:
        if id(run.pool) not in aligned:
            aligned[id(run.pool)] = None if run.pool is pool else _align(run.pool, pool)
        labelled.append(_label(run, pool, aligned[id(run.pool)]))
    return tuple(labelled)


def _label(ranked: RankedDocuments, pool: Pool, translated: IntArray | None) -> RankedLevels:
    place = np.arange(len(pool.topics))
    if translated is not None:
        place = np.array([ranked.pool.place[topic] for topic in pool.topics])
    back = np.full(len(ranked.pool.topics), NOT_POOLED)
    back[place] = np.arange(len(place))
    entry, topic = ranked.entry, ranked.topic
    if translated is not None:
        entry = np.where(entry >= 0, translated[np.maximum(entry, 0)], NOT_POOLED)
        topic = back[topic]
    held = (topic >= 0) & (ranked.later | (entry >= 0))
    hit = slice(None) if held.all() else held
    entry, later = entry[hit], ranked.later[hit]
    level = pool.level[np.maximum(entry, 0)]
    level[later] = len(pool.levels)
    counts, member = pool.counts, pool.member
    choice_topic, choice_levels = np.empty(0, np.int64), np.zeros((0, len(pool.levels)), np.bool_)
    if ranked.duplicates is not None:
        counts, choice_topic, choice_levels = one_per_group(pool, ranked.duplicates)
        member = number_members(pool, ranked.duplicates)
    gone = [ranked.pool.topics[at] for at in np.flatnonzero((back < 0) & ranked.present).tolist()]
    return RankedLevels(
        levels=pool.levels,
        topics=pool.topics,
        topic=topic[hit].astype(np.int32),
        rank=ranked.rank[hit],
        level=level,
        retrieved=ranked.retrieved[place],
        present=ranked.present[place],
        pool=counts,
        name=ranked.name,
        labels=pool.assessor,
        unscored=(*ranked.unscored, *gone),
        choice_topic=choice_topic,
        choice_levels=choice_levels,
        member=member[np.maximum(entry, 0)],
    )


def _align(documents: DocumentPool, pool: DocumentPool) -> IntArray:
    """For each document of the larger pool its place in the other, -1 where it is not there."""
    known = {name: place for place, name in enumerate(pool.topics)}
    topic = np.array([known.get(name, -1) for name in documents.topics], np.int64)[documents.topic]
    return match_names(topic, documents.document, pool.topic, pool.document)
