"""Which rows of a run are judged: topic and hash in one number, sorted, searched, and verified byte by byte."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gainsayer.errors import MOST_FAULTS, FormatError
from gainsayer.lines.names import Hashes, Names, Rows
from gainsayer.rankings.pool import DocumentPool
from gainsayer.runs.run import Run


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
        _refuse_repeats(run, row, same)
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


def _refuse_repeats(run: Run, row: Rows, same: npt.NDArray[np.bool_]) -> None:
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
