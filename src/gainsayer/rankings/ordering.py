"""The order of a list: by score, then by document id; the one place where ties are broken.

trec_eval ignores the rank column and the order of lines. It sorts by score, descending, and among equal scores by
document id, descending by bytes. Most files come in that order, and then nothing is sorted.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.errors import MOST_FAULTS, CallError, FormatError
from gainsayer.lines.names import Rows
from gainsayer.runs.run import FloatArray, Run

Ties: TypeAlias = Literal["trec", "trec9", "rank", "input"]
TIES: Final[tuple[Ties, ...]] = ("trec", "trec9", "rank", "input")
_SMALL: Final = 1 << 16


def rank_rows(run: Run, *, ties: Ties = "trec") -> Rows:
    """The rank of each row within its topic, from 1.

    Args:
        run: a run, or a batch of one, whose topics stand together.
        ties: `trec` sorts by score and document; `trec9` rounds scores to 32-bit floats first, as trec_eval 9 did, so
            that more of them are equal; `rank` goes by the rank column, `input` by the order of lines.

    Raises:
        CallError: the rank column was not read.
        FormatError: `rank` is asked for, and a topic has the same rank twice.

    >>> from gainsayer.runs.files import read_run
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
                "Or order by score: ties='trec'"
            )
        return run.rank
    if ties == "trec9":
        with np.errstate(over="ignore"):
            return -run.score.astype(np.float32).astype(np.float64)
    return -run.score


def _sort_rows(run: Run, rows: Rows, key: FloatArray, ties: Ties) -> Rows:
    """The rows by topic, then key, then document id descending by bytes."""
    by_key = rows[np.argsort(key[rows])]
    topic = run.topic[by_key]
    narrow: npt.NDArray[np.generic] = topic.astype(np.uint16) if len(run.topics) <= _SMALL else topic
    order = by_key[np.argsort(narrow, kind="stable")]
    topic, value = run.topic[order], key[order]
    tied = (topic[1:] == topic[:-1]) & (value[1:] == value[:-1])
    if not tied.any():
        return order
    if ties == "rank":
        raise _same_ranks(run, order, tied)
    member = np.concatenate((tied, [False])) | np.concatenate(([False], tied))
    group = np.cumsum(np.concatenate(([False], ~tied)))[member]
    among = order[member]
    keys = run.document.rows(among).order_keys()
    order[member] = among[np.lexsort((*(~key for key in reversed(keys)), group))]
    return order


def _same_ranks(run: Run, order: Rows, tied: npt.NDArray[np.bool_]) -> FormatError:
    assert run.rank is not None
    pairs = np.flatnonzero(tied)
    faults = []
    for place in pairs[:MOST_FAULTS].tolist():
        first, second = sorted((int(order[place]), int(order[place + 1])))
        topic, rank = run.topics[run.topic[second]], run.rank[second]
        faults.append(f"{run.where(second)}: topic {topic} has rank {rank:g} already in {run.where(first)}.")
    return FormatError.listing(faults, len(pairs) - len(faults), "Mend the ranks, or order by score: ties='trec'")
