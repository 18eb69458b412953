"""DocumentGains, one number per document of the pool; RankWeights, what each of them counts in runs.

`Gains` has one number per level and serves labels. Where several machines, repeated calls, a confidence or a topic's
own cross-fitting give each document a number of its own, this is what a measure sees of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.levels import DerivedLevels
from gainsayer.measures.catalogue import Measure
from gainsayer.ranking.pool import DocumentPool, Pool
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedDocuments, label_documents

# Measures that are sums over documents; nDCG is one of them divided by a number that is the same for all runs.
SUMS: Final = ("NumRel", "CG", "P", "DCG", "RBP")
_MOST_CELLS: Final = 1 << 22


@dataclass(frozen=True, eq=False)
class DocumentGains:
    """What each document of a pool is worth: probabilities, which serve every measure.

    Rectified gains (`rectify`) are *not* such gains. They are right on average, not one by one: they lie below 0 and
    above 1, and a list sorted by them is sorted by luck.

    Args:
        pool: the documents.
        value: shape [documents].

    Raises:
        CallError: a value is not a probability.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.ranking.pool import pool_documents
    >>> pool = pool_documents(read_judgments({"q1": {"a": 1, "b": 0}}))
    >>> DocumentGains(pool, np.array([0.7, 0.1])).value.tolist()
    [0.7, 0.1]
    """

    pool: DocumentPool
    value: FloatArray

    def __post_init__(self) -> None:
        if self.value.shape != (len(self.pool.document),):
            raise CallError(f"{len(self.pool.document):,} documents need as many gains, found {self.value.shape}.")
        if not np.all((self.value >= 0) & (self.value <= 1)):
            raise CallError("Predicted gains are probabilities: each must lie between 0 and 1.")

    def __repr__(self) -> str:
        return f"DocumentGains(documents={len(self.value)}, topics={len(self.pool.topics)})"

    def rows(self) -> list[tuple[str, str, float]]:
        """Topic, document and gain, in the order of the pool."""
        topics = [self.pool.topics[place] for place in self.pool.topic.tolist()]
        return list(zip(topics, self.pool.document.texts(), self.value.tolist(), strict=True))

    @cached_property
    def as_levels(self) -> list[tuple[int, int, Pool, Gains]]:
        """Blocks of topics, each with a pool in which every distinct value is a level, and these levels' gains."""
        return [_as_levels(self, low, high) for low, high in _blocks(self.pool)]


@dataclass(frozen=True, eq=False)
class RankWeights:
    """W: what documents count in runs by a measure that is a sum, of the documents that count in some run.

    Args:
        document: their places in the pool, ascending; shape [tops].
        weight: W; shape [runs, tops].
    """

    document: IntArray
    weight: FloatArray

    def sum_by_topic(self, topic: IntArray, topics: int, values: FloatArray) -> FloatArray:
        """`sum_d W_sd x_d` over the documents of each topic.

        Args:
            topic: of each document of the pool; shape [documents].
            topics: how many there are.
            values: x of the documents that count; shape [tops].

        >>> weights = RankWeights(np.array([1, 2]), np.array([[1.0, 0.5]]))
        >>> weights.sum_by_topic(np.array([0, 0, 1]), 2, np.array([3.0, 4.0])).tolist()
        [[3.0, 2.0]]
        """
        where = topic[self.document]
        return np.stack([np.bincount(where, row * values, minlength=topics) for row in self.weight])

    def of(self, documents: IntArray) -> FloatArray:
        """W of these documents of the pool, 0 for those that count in no run; shape [runs, documents]."""
        found = np.zeros((len(self.weight), len(documents)))
        if len(self.document):
            place = np.minimum(np.searchsorted(self.document, documents), len(self.document) - 1)
            there = self.document[place] == documents
            found[:, there] = self.weight[:, place[there]]
        return found


def rank_weights(runs: Sequence[RankedDocuments], measure: Measure) -> RankWeights:
    """What documents count in each run: the discount of the rank down to the depth (for P divided by the depth).

    Nothing for what the run lacks, for later duplicates, and for documents outside the pool. For nDCG these are the
    weights of DCG.

    Raises:
        CallError: the measure is no sum over documents, nor one divided by the topic's ideal (nDCG).

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.ranking.pool import pool_documents
    >>> from gainsayer.ranking.matching import rank_documents
    >>> from gainsayer.reading.runs import read_run
    >>> pool = pool_documents(read_judgments({"q1": {"a": 1, "b": 0, "c": 0}}))
    >>> run = rank_documents(read_run({"q1": {"c": 3.0, "x": 2.0, "a": 1.0}}), pool)
    >>> found = rank_weights([run], parse_measure("DCG@10"))
    >>> sorted(zip(pool.document.rows(found.document).texts(), found.weight[0].tolist()))
    [('a', 0.5), ('c', 1.0)]
    """
    parts = measure.linear
    if parts is None or measure.family.name not in (*SUMS, "nDCG") or measure.users is not None:
        raise CallError(
            f"{measure} is not a sum over documents, so rectified gains do not serve it; those that are: "
            f"{', '.join(SUMS)}, and nDCG."
        )
    over = float(measure.depth or 1) if measure.family.name == "P" else 1.0
    inside = []
    for run in runs:
        counts = (run.entry >= 0) & ~run.later
        if parts.depth is not None:
            counts &= run.rank <= parts.depth
        inside.append((run.entry[counts].astype(np.int64), parts.discount(run.rank[counts].astype(np.float64)) / over))
    document = np.unique(np.concatenate([entry for entry, _ in inside]))
    weight = np.zeros((len(runs), len(document)))
    for place, (entry, worth) in enumerate(inside):
        weight[place, np.searchsorted(document, entry)] = worth
    return RankWeights(document, weight)


def score_documents(run: RankedDocuments, gains: DocumentGains, measure: Measure) -> FloatArray:
    """The plug-in measure with a gain per document, one number per topic: the values are levels of their own.

    Raises:
        CallError: the measure cannot take such gains.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.ranking.pool import pool_documents
    >>> from gainsayer.ranking.matching import rank_documents
    >>> from gainsayer.reading.runs import read_run
    >>> pool = pool_documents(read_judgments({"q1": {"a": 1, "b": 0}}))
    >>> run = rank_documents(read_run({"q1": {"b": 2.0, "a": 1.0}}), pool)
    >>> gains = DocumentGains(pool, np.array([0.8, 0.4]))
    >>> score_documents(run, gains, parse_measure("P@2")).round(3).tolist()
    [0.6]
    """
    assert run.pool is gains.pool
    scores = np.zeros(len(gains.pool.topics))
    for low, high, pool, worth in gains.as_levels:
        labelled = label_documents(_part(run, pool, low, high), pool)
        scores[low:high] = measure.score(labelled, worth)
    return scores


def _blocks(pool: DocumentPool) -> list[tuple[int, int]]:
    """Topics in blocks so small that topics times documents stay within bounds."""
    blocks, low, topics = [], 0, len(pool.topics)
    for high in range(1, topics + 1):
        wider = high < topics and (high + 1 - low) * int(pool.starts[high + 1] - pool.starts[low]) <= _MOST_CELLS
        if not wider:
            blocks.append((low, high))
            low = high
    return blocks


def _as_levels(gains: DocumentGains, low: int, high: int) -> tuple[int, int, Pool, Gains]:
    """The pool of some topics with a level per distinct value, and the values as gains of these levels."""
    whole = gains.pool
    first, last = int(whole.starts[low]), int(whole.starts[high])
    value, level = np.unique(gains.value[first:last], return_inverse=True)
    if len(value) == 1:  # levels come in twos
        value = np.append(value, value[0])
    levels = DerivedLevels(tuple(map(str, range(len(value)))))
    cell = (whole.topic[first:last] - low).astype(np.int64) * len(value) + level
    pool = Pool(
        topics=whole.topics[low:high],
        starts=whole.starts[low : high + 1] - first,
        document=whole.document.rows(slice(first, last)),
        levels=levels,
        assessor="predicted",
        level=level.astype(np.int32),
        counts=np.bincount(cell, minlength=(high - low) * len(value)).reshape(high - low, len(value)),
    )
    return low, high, pool, Gains(levels, value, name="predicted")


def _part(run: RankedDocuments, pool: Pool, low: int, high: int) -> RankedDocuments:
    """Some topics of a run, as places in their part of the pool."""
    first = int(run.pool.starts[low])
    hits = slice(*np.searchsorted(run.topic, (low, high)))
    entry = run.entry[hits]
    return replace(
        run,
        pool=pool,
        topic=run.topic[hits] - np.int32(low),
        rank=run.rank[hits],
        entry=np.where(entry >= 0, entry - first, entry),
        later=run.later[hits],
        retrieved=run.retrieved[low:high],
        present=run.present[low:high],
    )
