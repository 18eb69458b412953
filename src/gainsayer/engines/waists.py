"""Waist: what a bucket of topics comes down to, and how the waists of all buckets become one.

Reading, pairing up judgments of one document, and finding judged documents in runs happen within a topic. What they
leave behind is small: who gave which level to the how-manieth document of a topic, and at which rank a run has it.
Names of documents stay in the bucket. From the joined waist the rest goes on as if all had been read at once: judgments
(`as_judgments`) whose documents are called `#0`, `#1`, ... within their topic, and runs matched with them (`as_runs`).

The same rows give the same bits: in whatever order they come, into however many buckets they fall, and in whatever
order or groups these are joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.judgments.table import Documents, Judgments
from gainsayer.levels import Levels
from gainsayer.lines.names import Names
from gainsayer.lines.opening import FilePath
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.pool import DocumentPool
from gainsayer.rankings.ranking import Ties, find_documents, no_common_topic
from gainsayer.runs.run import Run

IntArray = npt.NDArray[np.int64]
SmallArray = npt.NDArray[np.int32]
BucketRun: TypeAlias = Run | FilePath | None
ADDED: Final = ("labels-missing", "repeats-collapsed", "repeats-resolved", "repeats-kept")
_NOTICED: Final = ("same-assessor", "levels-by-order", "labels-missing", "", "rare-labels", *ADDED[1:])
_NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d+")


def find_bucket(topic: str, buckets: int) -> int:
    """The bucket of a topic: its name's CRC-32, scaled. Spark's `crc32` and Python's are the same, on any machine.

    >>> [find_bucket(f"q{t}", 4) for t in range(6)]
    [1, 0, 2, 3, 1, 0]
    """
    return (crc32(topic.encode()) * buckets) >> 32


@dataclass(frozen=True, eq=False)
class Task:
    """What every bucket needs to know, and only the whole can say.

    Args:
        levels: of all labels, in order.
        assessors: all of them, in their order.
        roles: whether they came one by one; see `Judgments`.
        declared: whether somebody said what the labels mean; see `Judgments`.
        unnamed: which tables name no assessors, for messages.
        ties: how lists are ordered.
        depth: the deepest rank that any measure looks at; None for all.
        runs: what messages call the runs, in their order.
        findings: what was noticed of the whole.
    """

    levels: Levels
    assessors: tuple[str, ...]
    roles: bool = False
    declared: bool = False
    unnamed: str = ""
    ties: Ties = "trec"
    depth: int | None = None
    runs: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class JudgedRows:
    """Who gave which level to which document: sorted by assessor, topic, document and level.

    Args:
        assessor: place in the task's assessors, one per *stretch* of rows of one assessor in one topic.
        topic: place in the waist's topics, one per stretch.
        rows: how many rows a stretch has.
        document: which of its topic's documents a row is about, from 0.
        level: place in the task's levels.
        weight: of each row; None where there are no weights.
    """

    assessor: SmallArray
    topic: SmallArray
    rows: IntArray
    document: SmallArray
    level: npt.NDArray[np.int16]
    weight: npt.NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class FoundRun:
    """Where a run put the judged documents; a run that has none of the bucket's topics has empty lists.

    Args:
        name: its tag; empty where the bucket has no row of it.
        hits: how many judged documents each topic's list has, down to the task's depth.
        rank: from 1, ascending within a topic, one per hit.
        document: which of its topic's documents it is.
        retrieved: length of the topic's list.
        present: whether the run has the topic.
        unscored: its topics without judgments, sorted.
        findings: what was noticed when it was read.
    """

    name: str
    hits: IntArray
    rank: SmallArray
    document: SmallArray
    retrieved: IntArray
    present: npt.NDArray[np.bool_]
    unscored: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class Waist:
    """What a bucket, or all of them, comes down to.

    Args:
        task: what all buckets have in common.
        topics: the judged topics, sorted by bytes.
        documents: how many judged documents each has.
        judged: the judgments.
        runs: one entry per run of the task.
        strata: the stratum of each topic, where judgments say it.
        findings: what was noticed when judgments were read.
    """

    task: Task
    topics: tuple[str, ...]
    documents: IntArray
    judged: JudgedRows
    runs: tuple[FoundRun, ...]
    strata: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    @property
    def starts(self) -> IntArray:
        """The number of each topic's first document, when those of all topics are numbered; and how many there are."""
        return np.concatenate(([0], np.cumsum(self.documents))).astype(np.int64)


def make_waist(judgments: Judgments | None, runs: Sequence[BucketRun], task: Task) -> Waist:
    """The waist of a bucket: a pure function of its rows, whatever their order.

    Args:
        judgments: read with the task's levels; None where nobody judged a topic of the bucket.
        runs: one entry per run, None where it has no row in the bucket.
        task: what the whole says.

    Raises:
        FormatError: a run cannot be read; see `rank_documents`.

    >>> from gainsayer.judgments.files import read_judgments
    >>> from gainsayer.runs.files import read_run
    >>> judged = read_judgments({"ann": {"q1": {"a": 2, "b": 0}}, "bob": {"q1": {"a": 1}}})
    >>> task = Task(judged.levels, judged.assessors)
    >>> waist = make_waist(judged, [read_run({"q1": {"x": 3.0, "a": 2.0}, "q2": {"a": 1.0}})], task)
    >>> waist.judged.rows.tolist(), waist.runs[0].rank.tolist(), waist.runs[0].unscored
    ([2, 1], [2], ('q2',))
    """
    if judgments is None:
        pool, entry = DocumentPool((), np.zeros(1, np.int64), Names.of([])), np.empty(0, np.int64)
        rows = _order_rows(entry, entry, entry, None, pool, task)
    else:
        pool, entry = _pool_by_hash(judgments)
        place = {name: code for code, name in enumerate(task.assessors)}
        whose = np.array([place[name] for name in judgments.assessors], np.int64)[judgments.assessor]
        rows = _order_rows(whose, entry, judgments.level.astype(np.int64), judgments.weight, pool, task)
    return Waist(
        task=task,
        topics=pool.topics,
        documents=np.diff(pool.starts),
        judged=rows,
        runs=tuple(_find_run(run, pool, task) for run in runs),
        strata={} if judgments is None else dict(judgments.strata or {}),
        findings=() if judgments is None else judgments.findings,
    )


def _pool_by_hash(judgments: Judgments) -> tuple[DocumentPool, IntArray]:
    """The judged documents, within a topic in the order of their names' hashes; and the place of each row's."""
    first = np.empty(judgments.items, np.int64)
    first[judgments.item[::-1]] = np.arange(len(judgments))[::-1]
    names, topic = judgments.documents.names.rows(first), judgments.topic[first]
    order = _order_by_hash(names, topic)
    place = np.empty(judgments.items, np.int64)
    place[order] = np.arange(judgments.items)
    sizes = np.bincount(topic, minlength=len(judgments.topics))
    topics = tuple(name for name, size in zip(judgments.topics, sizes.tolist(), strict=True) if size)
    starts = np.concatenate(([0], np.cumsum(sizes[sizes > 0]))).astype(np.int64)
    return DocumentPool(topics, starts, names.rows(order)), place[judgments.item]


def _order_by_hash(names: Names, topic: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Names by topic and hash, and by their bytes where names of a topic share a hash, as numbered ones may.

    >>> names = Names.of(["doc122090", "doc122007"])
    >>> bool(names.hash[0] == names.hash[1]), _order_by_hash(names, np.zeros(2, np.int32)).tolist()
    (True, [1, 0])
    """
    shift, low = np.uint64(24), np.uint64(40)
    key = (names.hash >> shift) | (topic.astype(np.uint64) << low)
    order = np.argsort(key)
    key = key[order]
    tied = np.flatnonzero(key[1:] == key[:-1])
    if len(tied):
        among = np.union1d(tied, tied + 1)
        few = order[among]
        keys: list[npt.NDArray[Any]] = [*reversed(names.rows(few).order_keys()), names.hash[few], topic[few]]
        order[among] = few[np.lexsort(keys)]
    return order


def _order_rows(
    assessor: IntArray,
    entry: IntArray,
    level: IntArray,
    weight: npt.NDArray[np.float64] | None,
    pool: DocumentPool,
    task: Task,
) -> JudgedRows:
    entries, size = max(len(pool.document), 1), len(task.levels)
    key = (assessor * entries + entry) * size + level
    if weight is None:
        key = np.sort(key)
    else:
        order = np.lexsort((weight, key))
        key, weight = key[order], weight[order]
    slot, level = np.divmod(key, size)
    assessor, entry = np.divmod(slot, entries)
    topic = pool.topic[entry]
    new = (assessor[1:] != assessor[:-1]) | (topic[1:] != topic[:-1])
    heads = np.flatnonzero(np.concatenate((np.ones(min(len(key), 1), np.bool_), new)))
    return JudgedRows(
        assessor=assessor[heads].astype(np.int32),
        topic=topic[heads],
        rows=np.diff(heads, append=len(key)).astype(np.int64),
        document=(entry - pool.starts[topic]).astype(np.int32),
        level=level.astype(np.int16),
        weight=weight,
    )


def _find_run(run: BucketRun, pool: DocumentPool, task: Task) -> FoundRun:
    topics = len(pool.topics)
    if run is None:
        none, empty = np.zeros(topics, np.int64), np.empty(0, np.int32)
        return FoundRun("", none, empty, empty, none, np.zeros(topics, np.bool_))
    found = find_documents(run, pool, ties=task.ties)
    kept = slice(None) if task.depth is None else found.rank <= task.depth
    topic, entry = found.topic[kept], found.entry[kept]
    return FoundRun(
        name=found.name,
        hits=np.bincount(topic, minlength=topics).astype(np.int64),
        rank=found.rank[kept],
        document=(entry - pool.starts[topic]).astype(np.int32),
        retrieved=found.retrieved,
        present=found.present,
        unscored=_sorted(found.unscored),
        findings=found.findings,
    )


def join_waists(waists: Iterable[Waist]) -> Waist:
    """One waist of all topics. Waists come in any order and may have been joined before: the same bits.

    Raises:
        DataError: a topic is in two of them.

    >>> from gainsayer.judgments.files import read_judgments
    >>> judged = read_judgments({"ann": {"q1": {"a": 1}, "q2": {"a": 0}}})
    >>> task = Task(judged.levels, judged.assessors)
    >>> parts = [make_waist(judged.rows(judged.topic == place), [], task) for place in (1, 0)]
    >>> whole = join_waists(parts)
    >>> whole.topics, whole.judged.level.tolist()
    (('q1', 'q2'), [1, 0])
    """
    parts = list(waists)
    if len(parts) == 1:
        return parts[0]
    names = [topic for part in parts for topic in part.topics]
    topics = _sorted(names)
    torn = next((one for one, two in pairwise(topics) if one == two), None)
    if torn is not None:
        raise DataError(f"Topic {torn} is in two buckets: a bucket holds whole topics.")
    place = {topic: at for at, topic in enumerate(topics)}
    move = np.array([place[name] for name in names], np.int64)
    shift = np.cumsum([0, *(len(part.topics) for part in parts)])
    documents = np.zeros(len(topics), np.int64)
    documents[move] = np.concatenate([part.documents for part in parts])
    judged = [part.judged for part in parts]
    stretch_topic = [move[rows.topic + low] for rows, low in zip(judged, shift, strict=False)]
    return Waist(
        task=parts[0].task,
        topics=topics,
        documents=documents,
        judged=_join_rows(judged, np.concatenate(stretch_topic)),
        runs=tuple(_join_run(run, move) for run in zip(*(part.runs for part in parts), strict=True)),
        strata={topic: stratum for part in parts for topic, stratum in part.strata.items()},
        findings=join_findings([part.findings for part in parts]),
    )


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=str.encode))


def _join_rows(parts: Sequence[JudgedRows], topic: IntArray) -> JudgedRows:
    assessor = np.concatenate([part.assessor for part in parts])
    rows = np.concatenate([part.rows for part in parts])
    order = np.lexsort((topic, assessor))
    place = _places(rows, order)
    weights = [part.weight for part in parts if part.weight is not None]
    return JudgedRows(
        assessor=assessor[order],
        topic=topic[order].astype(np.int32),
        rows=rows[order],
        document=np.concatenate([part.document for part in parts])[place],
        level=np.concatenate([part.level for part in parts])[place],
        weight=np.concatenate(weights)[place] if weights else None,
    )


def _join_run(parts: Sequence[FoundRun], move: IntArray) -> FoundRun:
    order = np.argsort(move)
    hits = np.concatenate([part.hits for part in parts])
    place = _places(hits, order)
    return FoundRun(
        name=min((part.name for part in parts if part.name), default=""),
        hits=hits[order],
        rank=np.concatenate([part.rank for part in parts])[place],
        document=np.concatenate([part.document for part in parts])[place],
        retrieved=np.concatenate([part.retrieved for part in parts])[order],
        present=np.concatenate([part.present for part in parts])[order],
        unscored=_sorted(topic for part in parts for topic in part.unscored),
        findings=join_findings([part.findings for part in parts]),
    )


def _places(sizes: IntArray, order: npt.NDArray[np.integer]) -> IntArray:
    """Where the entries stand that follow one another when stretches of these sizes are put into an order."""
    begins = (np.cumsum(sizes) - sizes)[order]
    chosen = sizes[order]
    return np.asarray(np.arange(int(sizes.sum())) + np.repeat(begins - (np.cumsum(chosen) - chosen), chosen))


def join_findings(parts: Sequence[Sequence[Finding]]) -> tuple[Finding, ...]:
    """Every finding once; those that count rows with the sums of their counts.

    >>> one, two = (Finding("repeats-collapsed", f"{n} judgments repeat an earlier one.") for n in (999, 1))
    >>> join_findings([[one], [two]])[0].message
    '1,000 judgments repeat an earlier one.'
    """
    counted: dict[tuple[str, str], IntArray] = {}
    for found in (finding for part in parts for finding in part):
        texts = _NUMBER.findall(found.message) if found.code in ADDED else []
        key = found.code, _NUMBER.sub("\0", found.message) if texts else found.message
        counts = np.array([int(text.replace(",", "")) for text in texts], np.int64)
        counted[key] = counts + counted.get(key, 0)
    made = []
    for (code, text), numbers in counted.items():
        pieces = text.split("\0")
        filled = "".join(f"{piece}{number:,}" for piece, number in zip(pieces, numbers.tolist(), strict=False))
        made.append(Finding(code, filled + pieces[-1]))
    return tuple(sorted(made, key=lambda found: (_turn(found.code), found.message)))


def _turn(code: str) -> int:
    """When reading notices it."""
    return _NOTICED.index(code if code in _NOTICED else "")


def as_judgments(waist: Waist) -> Judgments:
    """The judgments of a waist: as they were read, but that a document is called by its number within the topic.

    Raises:
        DataError: there are none.
    """
    task, rows = waist.task, waist.judged
    if not len(rows.level):
        raise DataError("No judgments were given.")
    topic = np.repeat(rows.topic, rows.rows)
    return Judgments(
        levels=task.levels,
        topics=waist.topics,
        assessors=task.assessors,
        topic=topic,
        assessor=np.repeat(rows.assessor, rows.rows),
        level=rows.level,
        item=waist.starts[topic] + rows.document,
        items=int(waist.documents.sum()),
        documents=Documents((_number_names(waist).rows(rows.document),)),  # type: ignore[arg-type]  # places of any size
        weight=rows.weight,
        strata=dict(waist.strata) or None,
        findings=(*task.findings, *waist.findings),
        roles=task.roles,
        unnamed=task.unnamed,
        declared=task.declared,
    )


def as_runs(waist: Waist) -> tuple[RankedDocuments, ...]:
    """The runs of a waist, matched with all judged documents.

    Raises:
        DataError: a run shares no topic with the judgments.
    """
    starts = waist.starts
    document = np.arange(int(starts[-1])) - np.repeat(starts[:-1], waist.documents)
    pool = DocumentPool(waist.topics, starts, _number_names(waist).rows(document))
    found = []
    for place, run in enumerate(waist.runs):
        topic = np.repeat(np.arange(len(waist.topics), dtype=np.int32), run.hits)
        ranked = RankedDocuments(
            pool=pool,
            topic=topic,
            rank=run.rank,
            entry=starts[topic] + run.document,
            later=np.zeros(len(topic), np.bool_),
            retrieved=run.retrieved,
            present=run.present,
            unscored=run.unscored,
            name=run.name,
            source=waist.task.runs[place] if waist.task.runs else run.name,
            findings=run.findings,
        )
        if not ranked.present.any():
            raise no_common_topic(ranked)
        found.append(ranked)
    return tuple(found)


def _number_names(waist: Waist) -> Names:
    """The names `#0`, `#1`, ... for as many documents as any topic has."""
    names = Names.of([f"#{number}" for number in range(int(waist.documents.max(initial=0)))])
    return Names(names.buffer, names.start.astype(np.int32), names.length.astype(np.int32))
