"""Pool: the judged documents, with the labels that score runs; prepared once for all runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gainsayer.errors import DataError
from gainsayer.levels import Levels
from gainsayer.ranking.whose_labels import choose_labels
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.names import Names, Rows, match_names, sort_groups
from gainsayer.text import option

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
    def member(self) -> npt.NDArray[np.int32]:
        """Which of its topic's documents of its level each entry is, from 0."""
        order = np.argsort(self.level, kind="stable")  # topics ascend already, and do so within each level
        sizes = self.counts.T.ravel()
        first = (np.cumsum(sizes) - sizes).astype(np.int32)
        member = np.empty(len(order), np.int32)
        member[order] = np.arange(len(order), dtype=np.int32) - np.repeat(first, sizes)
        return member


def pool_documents(judgments: Judgments) -> DocumentPool:
    """Every judged document once, whoever judged it.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> len(pool_documents(twenty_documents()).document)
    20
    """
    return place_judgments(judgments)[0]


def place_judgments(judgments: Judgments) -> tuple[DocumentPool, Rows]:
    """Every judged document once, and the entry of each judgment's document.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> pool, entry = place_judgments(read_judgments({"U1": {"q2": {"a": 1}, "q1": {"b": 0}}, "U2": {"q2": {"a": 0}}}))
    >>> pool.topics, entry.tolist()
    (('q1', 'q2'), [1, 0, 1])
    """
    item, row = np.unique(judgments.item, return_index=True)
    order = np.argsort(judgments.topic[row], kind="stable")
    place = np.empty(int(item[-1]) + 1 if len(item) else 0, np.int64)
    place[item[order]] = np.arange(len(order))
    row = row[order]
    judged = np.bincount(judgments.topic[row], minlength=len(judgments.topics))
    kept = np.flatnonzero(judged)
    pool = DocumentPool(
        topics=tuple(judgments.topics[place] for place in kept.tolist()),
        starts=np.concatenate(([0], np.cumsum(judged[kept]))).astype(np.int64),
        document=judgments.documents.rows(row),
    )
    return pool, place[judgments.item]


def find_entries(pool: DocumentPool, topics: Sequence[str], documents: Names) -> Rows:
    """The entry of each topic and document, -1 for what is not in the pool.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> pool = pool_documents(read_judgments({"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}))
    >>> find_entries(pool, ["q2", "q1", "q1", "q3"], Names.of(["a", "b", "c", "a"])).tolist()
    [2, 1, -1, -1]
    """
    topic = np.array([pool.place.get(topic, -1) for topic in topics], np.int64)
    return match_names(topic, documents, pool.topic, pool.document)


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

    >>> from gainsayer.reading.judgment_sources import read_judgments
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
    _refuse_repeats(judgments, assessor)
    topic, level, documents = judgments.topic, judgments.level, judgments.documents
    if not (topic[1:] >= topic[:-1]).all():
        chosen = sort_groups(topic)
        topic, level, documents = topic[chosen], level[chosen], documents.rows(chosen)
    judged = np.bincount(topic, minlength=len(judgments.topics))
    kept = np.flatnonzero(judged)
    size = len(judgments.levels)
    counts = np.bincount(topic.astype(np.int64) * size + level, minlength=len(judgments.topics) * size)
    return Pool(
        levels=judgments.levels,
        assessor=assessor,
        topics=tuple(judgments.topics[place] for place in kept.tolist()),
        starts=np.concatenate(([0], np.cumsum(judged[kept]))).astype(np.int64),
        document=documents,
        level=level,
        counts=counts.reshape(-1, size)[kept].astype(np.int64),
    )


def _refuse_repeats(judgments: Judgments, assessor: str) -> None:
    if len(judgments) == judgments.items:
        return
    order = sort_groups(judgments.topic)
    times = np.bincount(judgments.item)
    row = int(order[np.flatnonzero(times[judgments.item[order]] > 1)[0]])
    raise DataError(
        f"{assessor} judged {int((times > 1).sum()):,} documents several times, such as "
        f"{judgments.topics[judgments.topic[row]]} {judgments.document[row]}; one label per document can score a run. "
        f"Keep one with {option('repeats', 'first', 'last', 'majority')}."
    )
