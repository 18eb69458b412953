"""Pool: the labels that score runs, those of one assessor, prepared once for all runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gainsayer.errors import DataError
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.lines.names import Names
from gainsayer.rankings.labels import choose_labels

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DocumentPool:
    """Judged documents, whoever judged them: what runs are matched with. Entries of a topic stand together.

    Args:
        topics: the topics with at least one judged document, sorted by bytes.
        starts: where the entries of each topic begin, and at last their number; shape [topics + 1].
        document: the judged documents, one per entry.
    """

    topics: tuple[str, ...]
    starts: IntArray
    document: Names

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of each topic."""
        return {topic: place for place, topic in enumerate(self.topics)}

    @cached_property
    def topic(self) -> npt.NDArray[np.int32]:
        """The place of each entry's topic."""
        return np.repeat(np.arange(len(self.topics), dtype=np.int32), np.diff(self.starts))

    @cached_property
    def entries(self) -> tuple[dict[str, int], ...]:
        """For each topic its documents, as text, and the entry of each."""
        names = self.document.texts()
        bounds = zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True)
        return tuple({names[place]: place for place in range(low, high)} for low, high in bounds)


@dataclass(frozen=True, eq=False)
class Pool(DocumentPool):
    """The judged documents of each topic with one label each, or one pattern of labels.

    Args:
        levels: the levels.
        assessor: who gave the labels, in words.
        level: place in `levels`, one per entry.
        counts: judged documents of each level; shape [topics, levels].
    """

    levels: Levels
    assessor: str
    level: npt.NDArray[np.int16] | npt.NDArray[np.int32]
    counts: IntArray

    def __repr__(self) -> str:
        return f"Pool({len(self.level):,} documents for {len(self.topics):,} topics, judged by {self.assessor})"

    @cached_property
    def member(self) -> IntArray:
        """Which of its topic's documents of its level each entry is, from 0."""
        order = np.argsort(self.level, kind="stable")  # topics ascend already, and do so within each level
        level, topic, place = self.level[order], self.topic[order], np.arange(len(order))
        first = np.concatenate(([True], (level[1:] != level[:-1]) | (topic[1:] != topic[:-1])))
        member = np.empty(len(order), np.int64)
        member[order] = place - np.maximum.accumulate(np.where(first, place, 0))
        return member


def pool_documents(judgments: Judgments) -> DocumentPool:
    """Every judged document once, whoever judged it.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> len(pool_documents(twenty_documents()).document)
    20
    """
    _, row = np.unique(judgments.item, return_index=True)
    row = row[np.argsort(judgments.topic[row], kind="stable")]
    judged = np.bincount(judgments.topic[row], minlength=len(judgments.topics))
    kept = np.flatnonzero(judged)
    return DocumentPool(
        topics=tuple(judgments.topics[place] for place in kept.tolist()),
        starts=np.concatenate(([0], np.cumsum(judged[kept]))).astype(np.int64),
        document=judgments.documents.rows(row).names,
    )


def make_pool(judgments: Judgments, *, assessor: str | None = None) -> Pool:
    """The labels, ready to score runs with: one on each document.

    One label scores a document: what others would say is what the gains are for. Where documents have several, the rule
    of `choose_labels` says which.

    Args:
        judgments: the judgments.
        assessor: whose labels; or `majority`, or `mean`.

    Raises:
        CallError: there is no such assessor, or documents have several labels and nothing says which one counts.
        DataError: the assessor judged a document several times, or judgments are by intent.

    >>> from gainsayer.judgments.files import read_judgments
    >>> pool = make_pool(read_judgments({"U1": {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}}))
    >>> pool.topics, pool.counts.tolist()
    (('q1', 'q2'), [[1, 0, 1], [0, 1, 0]])
    """
    if assessor is not None or len(judgments.assessors) > 1:
        judgments = choose_labels(judgments, assessor)
    assessor = judgments.assessors[0]
    if judgments.intent is not None:
        raise DataError(
            "Judgments by intent give a document several levels in a topic, so they cannot score a run. "
            "Make each (topic, intent) a topic of its own, or give one level per document."
        )
    if len(judgments) == 0:
        raise DataError(f"{assessor} judged nothing, so there are no labels to score with.")
    chosen, everything, topic = np.arange(len(judgments)), True, judgments.topic
    if not (topic[1:] >= topic[:-1]).all():
        chosen = chosen[np.argsort(topic, kind="stable")]
        topic, everything = judgments.topic[chosen], False
    _refuse_repeats(judgments, chosen, assessor)
    level = judgments.level if everything else judgments.level[chosen]
    documents = judgments.documents if everything else judgments.documents.rows(chosen)
    judged = np.bincount(topic, minlength=len(judgments.topics))
    kept = np.flatnonzero(judged)
    size = len(judgments.levels)
    counts = np.bincount(topic.astype(np.int64) * size + level, minlength=len(judgments.topics) * size)
    return Pool(
        levels=judgments.levels,
        assessor=assessor,
        topics=tuple(judgments.topics[place] for place in kept.tolist()),
        starts=np.concatenate(([0], np.cumsum(judged[kept]))).astype(np.int64),
        document=documents.names,
        level=level,
        counts=counts.reshape(-1, size)[kept].astype(np.int64),
    )


def _refuse_repeats(judgments: Judgments, chosen: IntArray, assessor: str) -> None:
    item = judgments.item[chosen]
    times = np.bincount(item, minlength=1)
    if int(times.max()) <= 1:
        return
    row = int(chosen[np.flatnonzero(times[item] > 1)[0]])
    raise DataError(
        f"{assessor} judged {int((times > 1).sum()):,} documents several times, such as "
        f"{judgments.topics[judgments.topic[row]]} {judgments.document[row]}; one label per document can score a run. "
        "Keep one with repeats='first', 'last' or 'majority'."
    )
