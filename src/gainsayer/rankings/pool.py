"""Pool: the judged documents, with the labels that score runs; and which rows of a run are among them.

Prepared once for all runs. A row is found by topic and hash in one number, sorted, searched, and verified byte by byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gainsayer.errors import MOST_FAULTS, DataError, FormatError
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.lines.names import Hashes, Names, Rows
from gainsayer.rankings.labels import choose_labels
from gainsayer.runs.run import Run
from gainsayer.text import option

IntArray = npt.NDArray[np.int64]
_MOST_ENTRIES = 1 << 20


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

    >>> from gainsayer.judgments.files import read_judgments
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
        document=judgments.documents.rows(row).names,
    )
    return pool, place[judgments.item]


def find_entries(pool: DocumentPool, topics: Sequence[str], documents: Names) -> Rows:
    """The entry of each topic and document, -1 for what is not in the pool.

    >>> from gainsayer.judgments.files import read_judgments
    >>> pool = pool_documents(read_judgments({"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}))
    >>> find_entries(pool, ["q2", "q1", "q1", "q3"], Names.of(["a", "b", "c", "a"])).tolist()
    [2, 1, -1, -1]
    """
    found = np.full(len(topics), -1)
    topic = np.array([pool.place.get(topic, -1) for topic in topics], np.int64)
    known = np.flatnonzero(topic >= 0)
    if not len(known):
        return found
    bits = np.uint64(max(1, (len(pool.topics) - 1).bit_length()))
    shift = np.uint64(64) - bits
    key = documents.hash[known] >> bits | topic[known].astype(np.uint64) << shift
    order = np.argsort(key)
    asked = np.unique(topic[known])
    sizes = pool.starts[asked + 1] - pool.starts[asked]
    for part in np.split(asked, np.flatnonzero(np.diff(np.cumsum(sizes) // _MOST_ENTRIES)) + 1):  # bounds memory
        spans = [np.arange(pool.starts[one], pool.starts[one + 1]) for one in part.tolist()]
        entry = np.concatenate(spans)
        codes = np.repeat(part.astype(np.uint64), [len(span) for span in spans])
        wanted = pool.document.rows(entry).hash >> bits | codes << shift
        row, place = find_equal(key[order], known[order], documents, wanted, entry, pool.document)
        found[row] = place
    return found


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
    _refuse_repeats(judgments, assessor)
    topic, level, documents = judgments.topic, judgments.level, judgments.documents
    if not (topic[1:] >= topic[:-1]).all():
        chosen = order_by_topic(topic, len(judgments.topics))
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
        document=documents.names,
        level=level,
        counts=counts.reshape(-1, size)[kept].astype(np.int64),
    )


def order_by_topic(topic: npt.NDArray[np.integer], topics: int) -> Rows:
    """The order by topic that leaves rows of a topic as they are; NumPy sorts short numbers much faster."""
    return np.argsort(topic.astype(np.uint16) if topics <= 1 << 16 else topic, kind="stable")


def _refuse_repeats(judgments: Judgments, assessor: str) -> None:
    if len(judgments) == judgments.items:
        return
    order = order_by_topic(judgments.topic, len(judgments.topics))
    times = np.bincount(judgments.item)
    row = int(order[np.flatnonzero(times[judgments.item[order]] > 1)[0]])
    raise DataError(
        f"{assessor} judged {int((times > 1).sum()):,} documents several times, such as "
        f"{judgments.topics[judgments.topic[row]]} {judgments.document[row]}; one label per document can score a run. "
        f"Keep one with {option('repeats', 'first', 'last', 'majority')}."
    )


def match_pool(run: Run, pool: DocumentPool, codes: Rows) -> tuple[Rows, Rows]:
    """The rows whose documents are judged in their topics, and their entries in the pool.

    The rows of a batch are sorted by topic and hash; then each judged document is looked up among them. There are about
    ten times fewer of them than rows, and a document that is there twice shows itself on the way.

    Args:
        run: a batch of rows.
        pool: the labels.
        codes: the place in the pool of each of the run's topics, -1 for none.

    Returns:
        Rows and entries, in no particular order; rows of topics without judgments have none.

    Raises:
        FormatError: a document is there twice in a topic; both places are named.
    """
    topics, rows = len(run.topics), len(run)
    row_bits, topic_bits = np.uint64(rows.bit_length()), np.uint64((topics - 1).bit_length())
    cut = row_bits + topic_bits
    assert int(cut) < 56, "a batch has fewer rows"
    shift = np.uint64(64) - cut
    key = run.document.hash >> cut
    key |= run.topic.astype(np.uint64) << shift
    key <<= row_bits
    key |= np.arange(rows, dtype=np.uint64)
    key.sort()
    row = (key & np.uint64((1 << int(row_bits)) - 1)).view(np.int64)
    key >>= row_bits
    same = key[1:] == key[:-1]
    if same.any():
        _refuse_repeated_rows(run, row, same)
    scored = np.flatnonzero(codes >= 0)
    begin = pool.starts[codes[scored]]
    sizes = pool.starts[codes[scored] + 1] - begin
    entry = np.arange(int(sizes.sum())) + np.repeat(begin - (np.cumsum(sizes) - sizes), sizes)
    wanted = pool.document.hash[entry] >> cut
    wanted |= np.repeat(scored.astype(np.uint64), sizes) << shift
    return find_equal(key, row, run.document, wanted, entry, pool.document)


def find_equal(key: Hashes, row: Rows, names: Names, wanted: Hashes, entry: Rows, sought: Names) -> tuple[Rows, Rows]:
    """The pairs (row, entry) with equal names: equal keys first, then all bytes.

    Args:
        key: sorted keys of the rows.
        row: the row of each key.
        names: the names of the rows.
        wanted: keys of the entries.
        entry: the entry of each wanted key.
        sought: the names of the entries.
    """
    place = np.searchsorted(key, wanted)
    rows, entries = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    while True:
        hit = np.flatnonzero(key[np.minimum(place, len(key) - 1)] == wanted) if len(key) else place[:0]
        hit = hit[place[hit] < len(key)]
        if len(hit) == 0:
            return np.concatenate(rows), np.concatenate(entries)
        place, wanted, entry = place[hit], wanted[hit], entry[hit]
        found = row[place]
        equal = ~names.rows(found).differ(sought.rows(entry))
        rows.append(found[equal])
        entries.append(entry[equal])
        place = place + 1  # different names may share a key


def _refuse_repeated_rows(run: Run, row: Rows, same: npt.NDArray[np.bool_]) -> None:
    member = np.concatenate((same, [False])) | np.concatenate(([False], same))
    suspects = np.sort(row[member])
    faults: list[str] = []
    count = 0
    seen: dict[tuple[int, bytes], int] = {}
    names = run.document.rows(suspects).encoded()
    for place, topic, name in zip(suspects.tolist(), run.topic[suspects].tolist(), names, strict=True):
        first = seen.setdefault((topic, name), place)
        if first != place:
            count += 1
            if len(faults) < MOST_FAULTS:
                what = f"document {name.decode()} of topic {run.topics[topic]}"
                faults.append(f"{run.where(place)}: {what} is there already in {run.where(first)}.")
    if faults:
        raise FormatError.listing(faults, count - len(faults), "A run lists a document once per topic.")
