"""RankedDocuments: where a run put the judged documents. RankedLevels: their levels, all that a measure sees of a run.

A run meets the pool of judged documents once, whoever judged them. The labels of any assessor, of a second side,
patterns of labels, or a number per document are then read off by the places in the pool: `label_documents`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Patterns
from gainsayer.ranking.duplicates import Duplicates, number_members, one_per_group
from gainsayer.ranking.pool import DocumentPool, Pool
from gainsayer.reading.names import match_names

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RankedLevels:
    """What stands at which rank, per topic, and what the pool of each topic holds.

    Only *hits* are stored: ranks whose document is judged (or repeats an earlier one). Every other rank up to the end
    of a topic's list is unjudged. So a list of a thousand documents with ten judged ones takes ten entries, and a
    measure works on those. Hits are sorted by topic, then rank.

    Args:
        levels: the levels.
        topics: the topics that are scored: those with judgments, sorted.
        topic: place in `topics`, one per hit, ascending.
        rank: from 1, ascending within a topic.
        level: place in `levels`; `len(levels)` for a *duplicate* of a document returned earlier, worth nothing.
        retrieved: length of the topic's list, 0 where the run lacks the topic; shape [topics].
        present: whether the run has the topic; shape [topics].
        pool: judged documents of each level in the topic, one per group of duplicates; shape [topics, levels].
        name: the run's name.
        choice_topic: topics of groups of equal documents with different levels, of which an ideal list takes the best;
            they are not in `pool`.
        choice_levels: which levels each such group holds; shape [groups, levels].
        unscored: topics of the run that have no judgments and were left out.
        member: which of the topic's documents of its level a hit is, from 0, so that two runs can be seen to return
            the same document; `-1 - g` for a document of the g-th group of `choice_topic`; of no meaning for
            duplicates. None where it is not known.
        labels: whose labels these are, in words; empty where nobody said.
    """

    levels: Levels
    topics: tuple[str, ...]
    topic: npt.NDArray[np.int32]
    rank: npt.NDArray[np.int32]
    level: npt.NDArray[np.int16] | npt.NDArray[np.int32]
    retrieved: IntArray
    present: npt.NDArray[np.bool_]
    pool: IntArray
    name: str = "run"
    unscored: tuple[str, ...] = ()
    choice_topic: IntArray | None = None
    choice_levels: npt.NDArray[np.bool_] | None = None
    member: npt.NDArray[np.int32] | None = None
    labels: str = ""

    def __post_init__(self) -> None:
        topics, size = len(self.topics), len(self.levels)
        assert self.topic.shape == self.rank.shape == self.level.shape
        assert self.retrieved.shape == self.present.shape == (topics,)
        assert self.pool.shape == (topics, size)
        assert self.member is None or self.member.shape == self.level.shape

    def pool_by(self, order: npt.NDArray[np.integer]) -> IntArray:
        """The pool when levels are preferred in this order: of groups with several levels the most preferred one."""
        if self.choice_topic is None or self.choice_levels is None or not len(self.choice_topic):
            return self.pool
        pool = self.pool.copy()
        np.add.at(pool, (self.choice_topic, order[self.choice_levels[:, order].argmax(axis=1)]), 1)
        return pool

    def levels_in(self, topics: npt.NDArray[np.integer] | npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Which levels the judged documents of these topics have; of patterns of labels, the levels of the labels."""
        chosen = np.zeros(len(self.topics), dtype=bool)
        chosen[topics] = True
        there = (self.pool[chosen] > 0).any(axis=0)
        if self.choice_topic is not None and self.choice_levels is not None:
            there = there | self.choice_levels[chosen[self.choice_topic]].any(axis=0)
        if isinstance(self.levels, Patterns):
            there = self.levels.shares[there].any(axis=0)
        return np.asarray(there)

    @property
    def duplicate(self) -> int:
        """The code of a document that repeats an earlier one of the list."""
        return len(self.levels)

    @cached_property
    def starts(self) -> IntArray:
        """Where the hits of each topic begin, and at last their number; shape [topics + 1]."""
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1)).astype(np.int64)


def keep_topics(ranked: RankedLevels, topics: Collection[str]) -> RankedLevels:
    """The same run on these of its topics alone, in the order they have.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = ranked_from_lists({"q1": [1], "q2": [0, 1]}, {"q1": [1, 1], "q2": [3, 1]})
    >>> part = keep_topics(ranked, {"q2"})
    >>> part.topics, part.level.tolist(), part.pool.tolist()
    (('q2',), [0, 1], [[3, 1]])
    """
    wanted = set(topics)
    kept = np.array([topic in wanted for topic in ranked.topics], dtype=bool)
    place = np.cumsum(kept) - 1
    hits = kept[ranked.topic]
    chosen = None if ranked.choice_topic is None else kept[ranked.choice_topic]
    member = None if ranked.member is None else ranked.member[hits]
    if member is not None and chosen is not None and (member < 0).any():
        # A group of several levels is known by its place among the groups, which changes with them.
        renumbered = np.cumsum(chosen) - 1
        member = np.where(member < 0, -1 - renumbered[np.maximum(-1 - member, 0)], member).astype(np.int32)
    return replace(
        ranked,
        topics=tuple(topic for topic in ranked.topics if topic in wanted),
        topic=place[ranked.topic[hits]].astype(np.int32),
        rank=ranked.rank[hits],
        level=ranked.level[hits],
        member=member,
        retrieved=ranked.retrieved[kept],
        present=ranked.present[kept],
        pool=ranked.pool[kept],
        choice_topic=None if ranked.choice_topic is None else place[ranked.choice_topic[chosen]],
        choice_levels=None if ranked.choice_levels is None else ranked.choice_levels[chosen],
    )


def cut_lists(ranked: RankedLevels, depth: int) -> RankedLevels:
    """The same without the hits below a rank; how long the lists are, and what the pool holds, stays.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> cut_lists(ranked_from_lists({"q1": [0, 1, 1], "q2": [1]}, {"q1": [1, 2], "q2": [0, 1]}), 2).rank.tolist()
    [1, 2, 1]
    """
    kept = ranked.rank <= depth
    if kept.all():
        return ranked
    member = None if ranked.member is None else ranked.member[kept]
    return replace(ranked, topic=ranked.topic[kept], rank=ranked.rank[kept], level=ranked.level[kept], member=member)


def condense(ranked: RankedLevels) -> RankedLevels:
    """The same lists without their unjudged documents.

    The r-th hit of a topic gets rank r. Duplicates of earlier documents stay: they are known, and worth nothing. A
    topic of which the run returned only unjudged documents has an empty list then, but is still present.

    It is not a fair view of a run that returns many new documents: they are neither good nor bad, they are gone.

    >>> from gainsayer.ranking.ranked import ranked_from_lists
    >>> ranked = condense(ranked_from_lists({"q1": [None, 2, None, 0]}, {"q1": [3, 0, 1]}))
    >>> ranked.rank.tolist(), ranked.level.tolist(), ranked.retrieved.tolist()
    ([1, 2], [2, 0], [2])
    """
    rank = np.arange(len(ranked.topic)) - ranked.starts[ranked.topic] + 1
    return replace(ranked, rank=rank.astype(np.int32), retrieved=np.diff(ranked.starts))


def ranked_from_lists(
    lists: Mapping[str, Sequence[int | None]],
    pool: Mapping[str, Sequence[int]],
    *,
    levels: Levels | None = None,
    name: str = "run",
) -> RankedLevels:
    """RankedLevels from the levels of each topic's list.

    Args:
        lists: per topic the level at each rank: its place among the levels, None for an unjudged document, and the
            number of levels for a duplicate.
        pool: per topic how many judged documents there are of each level; these are the topics that are scored.
        levels: the levels; by default 0, 1, ... as many as the pool has.
        name: the run's name.

    Raises:
        CallError: a list has a level that is not there, or a topic that the pool lacks.

    >>> ranked = ranked_from_lists({"q1": [2, None, 0]}, {"q1": [3, 0, 1], "q2": [1, 1, 0]})
    >>> ranked.topic.tolist(), ranked.rank.tolist(), ranked.level.tolist(), ranked.present.tolist()
    ([0, 0], [1, 3], [2, 0], [True, False])
    """
    topics = tuple(sorted(pool, key=str.encode))
    unknown = sorted(set(lists) - set(topics))
    if unknown:
        raise CallError(f"The pool lacks the topics {', '.join(unknown)} of the lists.")
    size = len(next(iter(pool.values()), ()))
    levels = levels or Levels(tuple(map(str, range(size))))
    hits = [
        (place, rank, level)
        for place, topic in enumerate(topics)
        for rank, level in enumerate(lists.get(topic, ()), start=1)
        if level is not None
    ]
    if any(not 0 <= level <= len(levels) for _, _, level in hits):
        raise CallError(f"A level of a list is a place among {', '.join(levels.names)}: 0 to {len(levels) - 1}.")
    table = np.array(hits, np.int64).reshape(-1, 3)
    return RankedLevels(
        levels=levels,
        topics=topics,
        topic=table[:, 0].astype(np.int32),
        rank=table[:, 1].astype(np.int32),
        level=table[:, 2].astype(np.int16),
        retrieved=np.array([len(lists.get(topic, ())) for topic in topics], np.int64),
        present=np.array([topic in lists for topic in topics], np.bool_),
        pool=np.array([list(pool[topic]) for topic in topics], np.int64).reshape(len(topics), len(levels)),
        name=name,
    )


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

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.ranking.pool import make_pool, pool_documents
    >>> from gainsayer.ranking.matching import rank_documents
    >>> from gainsayer.reading.runs import read_run
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
