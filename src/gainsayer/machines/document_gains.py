"""DocumentGains: one number per document of the pool, predicted or rectified. The fourth waist.

`Gains` has one number per level and serves labels. Where several machines, repeated calls, a confidence or a topic's
own cross-fitting give each document a number of its own, this is what a measure sees of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

import numpy as np

from gainsayer.errors import CallError
from gainsayer.gains.values import Gains
from gainsayer.levels import DerivedLevels
from gainsayer.measures.catalogue import Measure
from gainsayer.rankings.documents import RankedDocuments, label_documents
from gainsayer.rankings.pool import DocumentPool, Pool
from gainsayer.rankings.ranked_levels import FloatArray

Kind = Literal["predicted", "rectified"]
# Measures that are sums over documents; nDCG is one of them divided by a number that is the same for all runs.
SUMS: Final = ("NumRel", "CG", "P", "DCG", "RBP")
_MOST_CELLS: Final = 1 << 22


@dataclass(frozen=True, eq=False)
class DocumentGains:
    """What each document of a pool is worth.

    Predicted gains are probabilities and serve every measure. Rectified gains are right on average, not one by one:
    they lie below 0 and above 1, and a list sorted by them is sorted by luck. So they serve sums over documents alone
    (`SUMS`, and the nDCG whose ideal comes from predicted gains), and nobody may write them out for another tool.

    Args:
        pool: the documents.
        value: shape [documents].
        kind: `predicted` or `rectified`.

    Raises:
        CallError: a value is not finite, or predicted gains are no probabilities.

    >>> from gainsayer.judgments.files import read_judgments
    >>> from gainsayer.rankings.pool import pool_documents
    >>> pool = pool_documents(read_judgments({"q1": {"a": 1, "b": 0}}))
    >>> DocumentGains(pool, np.array([0.7, 0.1]), "predicted").value.tolist()
    [0.7, 0.1]
    """

    pool: DocumentPool
    value: FloatArray
    kind: Kind

    def __post_init__(self) -> None:
        if self.value.shape != (len(self.pool.document),):
            raise CallError(f"{len(self.pool.document):,} documents need as many gains, found {self.value.shape}.")
        if not np.isfinite(self.value).all():
            raise CallError("The gain of a document is not a finite number.")
        if self.kind == "predicted" and not np.all((self.value >= 0) & (self.value <= 1)):
            raise CallError("Predicted gains are probabilities: each must lie between 0 and 1.")

    def __repr__(self) -> str:
        return f"DocumentGains({self.kind!r}, documents={len(self.value)}, topics={len(self.pool.topics)})"

    def rows(self) -> list[tuple[str, str, float]]:
        """Topic, document and gain, in the order of the pool: what other tools may have.

        Raises:
            CallError: the gains are rectified.
        """
        if self.kind == "rectified":
            raise CallError(
                "Rectified gains are right in sums alone, and other tools would sort them: they are not handed out. "
                "Take predicted gains, or scores."
            )
        topics = [self.pool.topics[place] for place in self.pool.topic.tolist()]
        return list(zip(topics, self.pool.document.texts(), self.value.tolist(), strict=True))

    @cached_property
    def as_levels(self) -> list[tuple[int, int, Pool, Gains]]:
        """Blocks of topics, each with a pool in which every distinct value is a level, and these levels' gains."""
        return [_as_levels(self, low, high) for low, high in _blocks(self.pool)]

    @property
    def expected_relevant(self) -> FloatArray:
        """How many documents of each topic a person is satisfied with, on average; shape [topics].

        >>> from gainsayer.judgments.files import read_judgments
        >>> from gainsayer.rankings.pool import pool_documents
        >>> pool = pool_documents(read_judgments({"q1": {"a": 1, "b": 0}}))
        >>> DocumentGains(pool, np.array([0.7, 0.1]), "predicted").expected_relevant.round(3).tolist()
        [0.8]
        """
        return np.bincount(self.pool.topic, self.value, minlength=len(self.pool.topics)).astype(np.float64)


def rank_weights(runs: tuple[RankedDocuments, ...], measure: Measure) -> FloatArray:
    """W: what each document of the pool counts in each run by a measure that is a sum; shape [runs, documents].

    The discount of its rank down to the depth (divided by the depth for P), 0 for what the run lacks, for later
    duplicates, and for documents outside the pool.

    Raises:
        CallError: the measure is no sum over documents, nor one divided by the topic's ideal (nDCG).

    >>> from gainsayer.judgments.files import read_judgments
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.rankings.pool import pool_documents
    >>> from gainsayer.rankings.ranking import rank_documents
    >>> from gainsayer.runs.files import read_run
    >>> pool = pool_documents(read_judgments({"q1": {"a": 1, "b": 0, "c": 0}}))
    >>> run = rank_documents(read_run({"q1": {"c": 3.0, "x": 2.0, "a": 1.0}}), pool)
    >>> weights = rank_weights((run,), parse_measure("DCG@10"))
    >>> sorted(zip(pool.document.texts(), weights[0].tolist()))
    [('a', 0.5), ('b', 0.0), ('c', 1.0)]
    """
    parts = measure.linear
    if parts is None or measure.family.name not in (*SUMS, "nDCG") or measure.users is not None:
        raise CallError(
            f"{measure} is no sum over documents, so rectified gains do not serve it; those that are: "
            f"{', '.join(SUMS)}, and nDCG."
        )
    over = float(measure.depth or 1) if measure.family.name == "P" else 1.0
    weights = np.zeros((len(runs), len(runs[0].pool.document)))
    for place, run in enumerate(runs):
        counts = (run.entry >= 0) & ~run.later
        if parts.depth is not None:
            counts &= run.rank <= parts.depth
        weights[place, run.entry[counts]] = parts.discount(run.rank[counts].astype(np.float64)) / over
    return weights


def score_documents(run: RankedDocuments, gains: DocumentGains, measure: Measure) -> FloatArray:
    """The plug-in measure with a gain per document, one number per topic: the values are levels of their own.

    Raises:
        CallError: the gains are rectified, and the measure is no sum over documents; or it cannot take such gains.

    >>> from gainsayer.judgments.files import read_judgments
    >>> from gainsayer.measures.catalogue import parse_measure
    >>> from gainsayer.rankings.pool import pool_documents
    >>> from gainsayer.rankings.ranking import rank_documents
    >>> from gainsayer.runs.files import read_run
    >>> pool = pool_documents(read_judgments({"q1": {"a": 1, "b": 0}}))
    >>> run = rank_documents(read_run({"q1": {"b": 2.0, "a": 1.0}}), pool)
    >>> gains = DocumentGains(pool, np.array([0.8, 0.4]), "predicted")
    >>> score_documents(run, gains, parse_measure("P@2")).round(3).tolist()
    [0.6]
    """
    if gains.kind == "rectified" and measure.family.name not in SUMS:
        raise CallError(
            f"{measure} sorts or multiplies gains, and rectified gains are right only in sums. Use predicted gains."
        )
    assert run.pool is gains.pool
    scores = np.zeros(len(gains.pool.topics))
    for low, high, pool, worth in gains.as_levels:
        labelled = label_documents(_part(run, pool, low, high), pool)
        if gains.kind == "rectified":  # a sum does not mind values outside [0, 1], though the measure as such would
            assert measure.linear is not None
            scores[low:high] = measure.linear.score(labelled, worth)
        else:
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
        assessor=gains.kind,
        level=level.astype(np.int32),
        counts=np.bincount(cell, minlength=(high - low) * len(value)).reshape(high - low, len(value)),
    )
    return low, high, pool, Gains(levels, value, name=gains.kind)


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
