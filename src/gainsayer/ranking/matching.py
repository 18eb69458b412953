"""Runs and labels in, RankedLevels out; the one place where ties are broken.

trec_eval ignores the rank column and the order of lines. It sorts by score, descending, and among equal scores by
document id, descending by bytes. Most files come in that order, and then nothing is sorted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.errors import MOST_FAULTS, CallError, DataError, FormatError
from gainsayer.findings import Finding
from gainsayer.ranking.duplicates import Duplicates, later_members
from gainsayer.ranking.mappings import MappedHits, match_mapping
from gainsayer.ranking.pool import DocumentPool, Pool
from gainsayer.ranking.ranked import NOT_POOLED, IntArray, RankedDocuments, RankedLevels, label_documents
from gainsayer.reading.files import FilePath, call_file
from gainsayer.reading.kernel import find_kernel
from gainsayer.reading.names import Rows, sort_groups
from gainsayer.reading.run import FloatArray, Run
from gainsayer.reading.runs import map_run, read_run
from gainsayer.reading.trec_runs import InterleavedError
from gainsayer.reading.workers import work_in_turn
from gainsayer.text import option

Rankable: TypeAlias = Run | FilePath | Mapping[str, Mapping[str, float]]
_PIECE_ROWS: Final = 1 << 16
_MOST_NAMED: Final = 5
Ties: TypeAlias = Literal["trec", "trec9", "rank", "input"]
TIES: Final[tuple[Ties, ...]] = ("trec", "trec9", "rank", "input")


def rank_documents(
    run: Rankable,
    pool: DocumentPool,
    *,
    ties: Ties = "trec",
    duplicates: Duplicates | None = None,
    depth: int | None = None,
) -> RankedDocuments:
    """Where a run put the documents of a pool, per topic: what any labels are then read off (`label_documents`).

    Args:
        run: a `Run`; a file, which is read in batches; or dicts {topic: {document: score}}.
        pool: the judged documents, `pool_documents` or `make_pool`.
        ties: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, of which only the first returned counts.
        depth: hits below this rank are dropped as they come, to save memory; None keeps all. Not with duplicates.

    Raises:
        DataError: the run and the pool share no topic.
        FormatError: the file cannot be read, a document is there twice in a topic, or a rank is for `ties='rank'`.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.ranking.pool import pool_documents
    >>> pool = pool_documents(read_judgments({"U1": {"q1": {"a": 2}}, "U2": {"q1": {"b": 0, "c": 1}}}))
    >>> found = rank_documents(read_run({"q1": {"a": 1.0, "x": 3.0, "b": 2.0}}), pool)
    >>> sorted(zip(pool.document.texts(), found.ranks().tolist()))
    [('a', 3), ('b', 2), ('c', 0)]
    """
    found = find_documents(run, pool, ties=ties, duplicates=duplicates, depth=depth)
    if not found.present.any():
        raise no_common_topic(found)
    return found


def find_documents(
    run: Rankable,
    pool: DocumentPool,
    *,
    ties: Ties = "trec",
    duplicates: Duplicates | None = None,
    depth: int | None = None,
) -> RankedDocuments:
    """The same for a part of the topics, which a run may have nothing in common with: `rank_documents` refuses that."""
    if ties not in TIES:
        raise CallError(f"Ties may be broken by {', '.join(TIES)}, found {ties!r}.")
    assert depth is None or duplicates is None

    def work(batch: Run) -> list[_Ranked]:
        return list(work_in_turn(lambda piece: _rank_batch(piece, pool, ties, duplicates, depth), _pieces(batch)))

    if isinstance(run, str | os.PathLike):
        parts = _rank_file(run, work, ranks=ties == "rank")
        source = call_file(run)
    elif isinstance(run, Mapping):
        found = match_mapping(run, pool) if ties == "trec" and duplicates is None else None
        parts = work(read_run(run)) if found is None else [_as_ranked(found)]
        source = parts[0].source
    else:
        parts = work(run)
        source = run.source
    return _join(parts, pool, duplicates, source)


def no_common_topic(ranked: RankedDocuments) -> DataError:
    """The error for a run that shares no topic with the judgments: some of each, so that a reader sees what differs."""
    theirs, ours = (", ".join(names[:_MOST_NAMED]) or "none" for names in (ranked.unscored, ranked.pool.topics))
    more = [", ..." if len(names) > _MOST_NAMED else "" for names in (ranked.unscored, ranked.pool.topics)]
    return DataError(
        f"{ranked.source} and the judgments share no topic. Topics of the run: {theirs}{more[0]}; judged topics: "
        f"{ours}{more[1]}. Topics are text: '001' is not '1'."
    )


def rank_levels(
    run: Rankable,
    pool: Pool,
    *,
    ties: Ties = "trec",
    duplicates: Duplicates | None = None,
) -> RankedLevels:
    """The level at each rank of a run, per topic of the pool.

    Lists are in order of score, descending; equal scores by document id, descending by bytes (`rank_rows`).
    A topic of the pool that the run lacks has an empty list; a topic of the run without judgments is left out, and
    named in `unscored`. An unjudged document is not one of level 0: it is no hit.

    Args:
        run: as `rank_documents` takes it.
        pool: the labels, `make_pool`.
        ties: `trec`, `trec9`, `rank` or `input`.
        duplicates: groups of equal documents, of which only the first returned counts.

    Raises:
        DataError: the run and the pool share no topic.
        FormatError: the file cannot be read, a document is there twice in a topic, or a rank is for `ties='rank'`.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.ranking.pool import make_pool
    >>> pool = make_pool(read_judgments({"U1": {"q1": {"a": 2, "b": 0, "c": 1}}}))
    >>> ranked = rank_levels(read_run({"q1": {"a": 1.0, "x": 3.0, "b": 2.0}}), pool)
    >>> ranked.rank.tolist(), ranked.level.tolist(), ranked.retrieved.tolist()
    ([2, 3], [0, 2], [3])
    """
    return label_documents(rank_documents(run, pool, ties=ties, duplicates=duplicates), pool)


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The hits of one batch: topic, rank, entry of the pool, whether one repeats another; and what else is known."""

    name: str
    source: str
    topic: Rows
    rank: Rows
    entry: Rows
    later: npt.NDArray[np.bool_]
    listed: Rows
    retrieved: Rows
    unscored: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    close: int = 0


def _rank_file(path: FilePath, work: Callable[[Run], list[_Ranked]], *, ranks: bool) -> list[_Ranked]:
    try:
        return [part for parts in map_run(work, path, ranks=ranks) for part in parts]
    except InterleavedError:
        return work(read_run(path, ranks=ranks))


def _pieces(run: Run) -> Iterator[Run]:
    """The run in pieces of whole topics that fit into the processor's cache."""
    grouped = run.is_grouped
    if grouped and len(run) <= 2 * _PIECE_ROWS:
        yield run
        return
    order = None if grouped else sort_groups(run.topic)
    sizes = np.bincount(run.topic, minlength=len(run.topics))
    ends = np.cumsum(sizes)
    low = 0
    while low < len(ends):
        start = int(ends[low] - sizes[low])
        high = max(int(np.searchsorted(ends, start + _PIECE_ROWS, side="right")), low + 1)
        stop = int(ends[high - 1])
        yield run.part(np.arange(start, stop) if order is None else order[start:stop], low, high)
        low = high


def _rank_batch(run: Run, pool: DocumentPool, ties: Ties, duplicates: Duplicates | None, depth: int | None) -> _Ranked:
    codes = np.array([pool.place.get(topic, -1) for topic in run.topics], np.int64)
    bounds = np.searchsorted(run.topic, np.arange(len(codes) + 1, dtype=run.topic.dtype))
    retrieved = np.diff(bounds)
    hits = None
    if ties == "trec" and duplicates is None:
        hits = _rank_compiled(run, bounds, codes, pool)
    if hits is not None:
        topic, rank, entry = hits.T
        later = np.zeros(len(hits), np.bool_)
    else:
        ranks = rank_rows(run, ties=ties)
        row, entry = match_pool(run, bounds, codes, pool)
        later = np.zeros(len(row), np.bool_)
        if duplicates is not None:
            row, entry, later = _mark(run, codes, ranks, row, entry, pool, duplicates)
        topic, rank = codes[run.topic[row]], ranks[row]
    if depth is not None:
        near = rank <= depth
        topic, rank, entry, later = topic[near], rank[near], entry[near], later[near]
    return _Ranked(
        name=run.name,
        source=run.source,
        topic=topic,
        rank=rank,
        entry=entry,
        later=later,
        listed=codes[codes >= 0],
        retrieved=retrieved[codes >= 0],
        unscored=tuple(topic for topic, code in zip(run.topics, codes.tolist(), strict=True) if code < 0),
        findings=run.findings,
        close=int(find_close(run, depth)[codes >= 0].sum()) if ties == "trec" else 0,
    )


def _rank_compiled(run: Run, bounds: Rows, codes: Rows, pool: DocumentPool) -> Rows | None:
    """Topic, rank and entry of each hit by the compiled reader, shape [hits, 3]; None where it does not serve."""
    kernel = find_kernel()
    if kernel is None:
        return None
    rows, judged = run.document, pool.document
    arrays = (
        *(rows.buffer, rows.start, rows.length, run.score, bounds, codes),
        *(judged.buffer, judged.start, judged.length, pool.starts),
    )
    found = kernel.rank_hits(*map(np.ascontiguousarray, arrays))
    return None if found is None else np.frombuffer(found, np.int64).reshape(-1, 3)


def match_pool(run: Run, bounds: Rows, codes: Rows, pool: DocumentPool) -> tuple[Rows, Rows]:
    """The rows whose documents are judged in their topics, and their entries in the pool, topic by topic.

    Args:
        run: a batch of rows; those of a topic stand together.
        bounds: where the rows of each topic begin, and at last their number.
        codes: the place in the pool of each of the run's topics, -1 for none.
        pool: the judged documents.

    Raises:
        FormatError: a document is there twice in a topic; both places are named.
    """
    pairs: list[tuple[int, int]] = []
    repeated: list[int] = []
    for place, code in enumerate(codes.tolist()):
        low, high = int(bounds[place]), int(bounds[place + 1])
        names = run.document.rows(slice(low, high)).encoded()
        row = dict(zip(names, range(low, high), strict=True))
        if len(row) < high - low:
            repeated.append(place)
        if code >= 0:
            first, last = int(pool.starts[code]), int(pool.starts[code + 1])
            judged = pool.document.rows(slice(first, last)).encoded()
            pairs += [(row[name], entry) for entry, name in enumerate(judged, start=first) if name in row]
    if repeated:
        raise _same_documents(run, bounds, repeated)
    rows, entries = np.array(pairs, np.int64).reshape(-1, 2).T
    return rows, entries


def _same_documents(run: Run, bounds: Rows, topics: list[int]) -> FormatError:
    """The error for documents that are there twice in these topics."""
    faults: list[str] = []
    for place in topics:
        seen: dict[bytes, int] = {}
        low, high = int(bounds[place]), int(bounds[place + 1])
        for row, name in enumerate(run.document.rows(slice(low, high)).encoded(), start=low):
            first = seen.setdefault(name, row)
            if first != row:
                what = f"document {name.decode()} of topic {run.topics[place]}"
                faults.append(f"{run.where(row)}: {what} is there already in {run.where(first)}.")
    more = len(faults) - MOST_FAULTS
    return FormatError.listing(faults[:MOST_FAULTS], max(more, 0), "A run lists a document once per topic.")


def _as_ranked(found: MappedHits) -> _Ranked:
    known = found.codes >= 0
    return _Ranked(
        name="run",
        source="mapping",
        topic=found.topic,
        rank=found.rank,
        entry=found.entry,
        later=np.zeros(len(found.entry), np.bool_),
        listed=found.codes[known],
        retrieved=found.retrieved[known],
        unscored=tuple(str(found.topics[place]) for place in np.flatnonzero(~known).tolist()),
    )


def _mark(
    run: Run, codes: Rows, rank: Rows, row: Rows, entry: Rows, pool: DocumentPool, duplicates: Duplicates
) -> tuple[Rows, Rows, npt.NDArray[np.bool_]]:
    """The hits with later duplicates marked."""
    topic = codes[run.topic]
    member, group = duplicates.find(run.document, topic, pool)
    scored = topic[member] >= 0
    member, group = member[scored], group[scored]
    again = later_members(topic[member], group, rank[member])
    entry_of = np.full(len(run), NOT_POOLED, np.int64)
    entry_of[row] = entry
    repeats = np.zeros(len(run), np.bool_)
    repeats[member[again]] = True
    row = np.flatnonzero((entry_of >= 0) | repeats)
    return row, entry_of[row], repeats[row]


def _join(parts: list[_Ranked], pool: DocumentPool, duplicates: Duplicates | None, source: str) -> RankedDocuments:
    listed = _concat([part.listed for part in parts])
    unscored = tuple(topic for part in parts for topic in part.unscored)
    present = np.zeros(len(pool.topics), np.bool_)
    present[listed] = True
    retrieved = np.zeros(len(pool.topics), np.int64)
    retrieved[listed] = _concat([part.retrieved for part in parts])
    topic, rank = _concat([part.topic for part in parts]), _concat([part.rank for part in parts])
    order = np.argsort((topic << 32) | rank)
    return RankedDocuments(
        pool=pool,
        topic=topic[order].astype(np.int32),
        rank=rank[order].astype(np.int32),
        entry=_concat([part.entry for part in parts])[order],
        later=np.concatenate([part.later for part in parts])[order] if parts else np.empty(0, np.bool_),
        retrieved=retrieved,
        present=present,
        unscored=unscored,
        name=parts[0].name if parts else "run",
        source=source,
        duplicates=duplicates,
        findings=parts[0].findings if parts else (),
        close=sum(part.close for part in parts),
    )


def _concat(parts: list[Rows]) -> IntArray:
    return np.concatenate(parts).astype(np.int64) if parts else np.empty(0, np.int64)


def find_close(run: Run, depth: int | None = None) -> npt.NDArray[np.bool_]:
    """Whether a topic's list down to a depth would be another one if scores had single precision; shape [topics].

    So trec_eval 9, pytrec_eval and ir_measures read them: scores that differ only beyond that are equal to them.

    Args:
        run: a run, or a batch of one, whose topics stand together.
        depth: the deepest rank that anybody looks at; None for all.

    >>> from gainsayer.reading.runs import read_run
    >>> run = read_run({"q1": {"a": 0.3000000002, "b": 0.3000000001}, "q2": {"a": 0.4, "b": 0.3}})
    >>> find_close(run).tolist()
    [True, False]
    """
    close = np.zeros(len(run.topics), np.bool_)
    with np.errstate(over="ignore", invalid="ignore"):
        single = run.score.astype(np.float32)
        # Where lists are in order, scores that are the same in single precision stand next to each other.
        unsure = (run.score[1:] > run.score[:-1]) | ((single[1:] == single[:-1]) & (run.score[1:] != run.score[:-1]))
    within = run.topic[1:][unsure & (run.topic[1:] == run.topic[:-1])]
    if not len(within):
        return close
    asked = np.zeros(len(run.topics), np.bool_)
    asked[within] = True
    rows = np.flatnonzero(asked[run.topic])
    part = run.part(rows, 0, len(run.topics))
    exact, coarse = rank_rows(part), rank_rows(part, ties="trec9")
    moved = exact != coarse
    if depth is not None:
        moved &= np.minimum(exact, coarse) <= depth
    close[part.topic[moved]] = True
    return close


def rank_rows(run: Run, *, ties: Ties = "trec") -> Rows:
    """The rank of each row within its topic, from 1.

    Args:
        run: a run, or a batch of one, whose topics stand together.
        ties: `trec` sorts by score and document; `trec9` rounds scores to 32-bit floats first, as trec_eval 9 did, so
            that more of them are equal; `rank` goes by the rank column, `input` by the order of lines.

    Raises:
        CallError: the rank column was not read.
        FormatError: `rank` is asked for, and a topic has the same rank twice.

    >>> from gainsayer.reading.runs import read_run
    >>> rank_rows(read_run({"q1": {"a": 1.0, "b": 3.0, "c": 1.0}})).tolist()
    [3, 1, 2]
    """
    heads = np.flatnonzero(run.topic[1:] != run.topic[:-1]) + 1
    bounds = np.concatenate(([0], heads, [len(run)]))
    ranks: Rows = np.arange(1, len(run) + 1) - np.repeat(bounds[:-1], np.diff(bounds))
    if ties == "input":
        return ranks
    key = _sort_key(run, ties)
    with np.errstate(invalid="ignore"):
        fine = key[1:] > key[:-1]
    fine[heads - 1] = True
    if fine.all():
        return ranks
    torn = np.zeros(len(run.topics), np.bool_)
    torn[run.topic[1:][~fine]] = True
    rows = np.flatnonzero(torn[run.topic])
    order = _sort_rows(run, rows, key, ties)
    # Rows of a topic stand together and stay so: the ranks in place are those of the sorted rows.
    ranks[order] = ranks[rows]
    return ranks


def _sort_key(run: Run, ties: Ties) -> FloatArray:
    """What ascends where a list is in order."""
    if ties == "rank":
        if run.rank is None:
            raise CallError(
                f"{run.source} has no rank column, or it was not read: read_run(..., ranks=True). "
                f"Or order by score: {option('ties', 'trec')}"
            )
        return run.rank
    if ties == "trec9":
        with np.errstate(over="ignore"):
            return -run.score.astype(np.float32).astype(np.float64)
    return -run.score


def _sort_rows(run: Run, rows: Rows, key: FloatArray, ties: Ties) -> Rows:
    """The rows by topic, then key, then document id descending by bytes."""
    by_key = rows[np.argsort(key[rows])]
    order = by_key[sort_groups(run.topic[by_key])]
    topic, value = run.topic[order], key[order]
    tied = (topic[1:] == topic[:-1]) & (value[1:] == value[:-1])
    if not tied.any():
        return order
    if ties == "rank":
        raise _same_ranks(run, order, tied)
    member = np.concatenate((tied, [False])) | np.concatenate(([False], tied))
    group = np.cumsum(np.concatenate(([False], ~tied)))[member]
    among = order[member]
    names = run.document.rows(among).encoded()
    descending = np.empty(len(among), np.int64)
    descending[sorted(range(len(among)), key=names.__getitem__, reverse=True)] = np.arange(len(among))
    order[member] = among[np.lexsort((descending, group))]
    return order


def _same_ranks(run: Run, order: Rows, tied: npt.NDArray[np.bool_]) -> FormatError:
    assert run.rank is not None
    pairs = np.flatnonzero(tied)
    faults = []
    for place in pairs[:MOST_FAULTS].tolist():
        first, second = sorted((int(order[place]), int(order[place + 1])))
        topic, rank = run.topics[run.topic[second]], run.rank[second]
        faults.append(f"{run.where(second)}: topic {topic} has rank {rank:g} already in {run.where(first)}.")
    return FormatError.listing(
        faults, len(pairs) - len(faults), f"Mend the ranks, or order by score: {option('ties', 'trec')}"
    )
