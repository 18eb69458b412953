"""Pairs of judgments with the names of who made them: one confusion matrix per pair of assessors and topic.

`PairCounts` forgets who said what, which estimation never needs. Agreement does: Cohen's kappa compares an assessor's
labels with that assessor's own margins. A crowd of hundreds has tens of thousands of pairs of assessors, few of which
share more than a handful of documents, so only the cells that hold something are kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from gainsayer.errors import MOST_FAULTS, PairingError
from gainsayer.findings import Finding
from gainsayer.levels import Levels
from gainsayer.model.label_checks import compare_label_sets, notice_missing_zeros
from gainsayer.model.pairs import FloatArray, IntArray, Sides, choose_sides, match_sides
from gainsayer.reading.judgments import Judgments

BLOCK_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class AssessorPairCounts:
    """Who said what beside whom, per pair of assessors and topic.

    An *entry* is a pair of assessors within a topic in which they share documents; entries stand in the order of
    pairs, then topics. A *cell* is a pair of levels within an entry. Where an assessor judged a document several
    times, the pairs this makes weigh (m_a + m_b) / (2 m_a m_b), so that each judgment counts once; otherwise 1.

    Args:
        levels: rows and columns of every matrix.
        assessors: all assessors, in the order of the judgments.
        topics: topics that hold at least one pair, sorted.
        sides: the assessors of the two sides; None where all pairs of different assessors count alike.
        documents: number of documents with at least one pair.
        first: place in `assessors`, one per pair of assessors; the first side's, or the one named earlier.
        second: the same for the other assessor of the pair.
        pairs: number of pairs of judgments of each pair of assessors.
        starts: where the entries of each pair of assessors begin, and at last their number.
        topic: place in `topics`, one per entry.
        cell: `(entry * levels + i) * levels + j`, ascending.
        weight: how much each cell holds.
        by_judgment: shape [topics, levels, levels], each judgment counted once: J with sides, otherwise the symmetric
            coincidences with weights k_d / m_d, which are 1 / (k_d - 1) where nobody judged a document twice. k_d are
            the judgments of a document and m_d their ordered pairs of different assessors.
        by_document: the same with weights 1 / m_d, so that each document counts once.
        findings: what was noticed on the way.
        refusal: why equal labels may not be taken as equal, in words; empty where they may.
    """

    levels: Levels
    assessors: tuple[str, ...]
    topics: tuple[str, ...]
    sides: tuple[tuple[str, ...], tuple[str, ...]] | None
    documents: int
    first: IntArray
    second: IntArray
    pairs: IntArray
    starts: IntArray
    topic: IntArray
    cell: IntArray
    weight: FloatArray
    by_judgment: FloatArray
    by_document: FloatArray
    findings: tuple[Finding, ...] = ()
    refusal: str = ""

    def __len__(self) -> int:
        return len(self.first)

    def by_pair(self) -> FloatArray:
        """All pairs of assessors together, shape [topics, levels, levels]; rows the first assessor's level."""
        size = len(self.levels)
        entry, cell = np.divmod(self.cell, size * size)
        shape = (len(self.topics), size, size)
        counts = np.bincount(self.topic[entry] * size * size + cell, self.weight, minlength=math.prod(shape))
        return counts.astype(np.float64).reshape(shape)

    def blocks(self) -> Iterator[tuple[slice, slice, FloatArray]]:
        """The pairs of assessors in turn: which pairs, which entries, and matrices of shape [entries, levels, levels].

        No pair is torn apart, and memory stays bounded however many there are.
        """
        area = len(self.levels) ** 2
        step = max(1, BLOCK_CELLS // area)
        begin = 0
        while begin < len(self):
            end = int(np.searchsorted(self.starts, self.starts[begin] + step, side="right")) - 1
            end = max(end, begin + 1)
            entries = slice(int(self.starts[begin]), int(self.starts[end]))
            low, high = np.searchsorted(self.cell, (entries.start * area, entries.stop * area))
            matrices = np.bincount(
                self.cell[low:high] - entries.start * area,
                self.weight[low:high],
                minlength=(entries.stop - entries.start) * area,
            )
            shape = (-1, len(self.levels), len(self.levels))
            yield slice(begin, end), entries, matrices.astype(np.float64).reshape(shape)
            begin = end


def count_assessor_pairs(
    judgments: Judgments,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    matched: bool | None = None,
) -> AssessorPairCounts:
    """Count the pairs of judgments of the same document for each pair of different assessors that share documents.

    `J_ab[t, i, j]` is the number of documents of topic t with level i from assessor a and level j from assessor b.
    Judgments of the same assessor never pair with each other (T9). Sampling weights are left aside: agreement
    describes the judgments that were made, not the collection they came from.

    Args:
        judgments: who said what.
        first: assessors of the first side; with two assessors in all, the first one; with more, no sides.
        second: assessors of the second side; all others where only `first` is given.
        matched: whether the sides list fixed pairs of assessors, as in `count_pairs`.

    Raises:
        CallError: an assessor is unknown, or stands on both sides.
        PairingError: there is one assessor only, or no document that two of them judged.

    >>> from gainsayer.reading.source import source_from_frame
    >>> from gainsayer.reading.judgments import collect_judgments
    >>> import polars as pl
    >>> frame = pl.DataFrame({"topic": ["q"] * 5, "document": ["a", "a", "a", "b", "b"],
    ...                       "assessor": ["U1", "U2", "U3", "U1", "U2"], "label": ["1", "0", "0", "1", "1"]})
    >>> counted = count_assessor_pairs(collect_judgments([source_from_frame("table", frame)]))
    >>> [(counted.assessors[a], counted.assessors[b]) for a, b in zip(counted.first, counted.second, strict=True)]
    [('U1', 'U2'), ('U1', 'U3'), ('U2', 'U3')]
    >>> counted.pairs.tolist(), counted.documents
    ([2, 1, 1], 2)
    """
    sides = choose_sides(judgments, first, second)
    if sides is not None:
        judgments = match_sides(judgments, sides, matched)
    joined, judged = _join(judgments, sides)
    if joined.height == 0:
        raise _no_common_document(judgments, sides)
    held, topic = np.unique(joined["topic"].to_numpy(), return_inverse=True)
    joined = joined.with_columns(pl.Series("topic", topic.astype(np.int32)))
    size = len(judgments.levels)
    shape = (len(held), size, size)
    item = joined["item"].to_numpy()
    paired = np.bincount(item, minlength=judgments.items)
    inverse = 1 / np.maximum(2 * paired, 1)
    both = np.ones(len(judgments), dtype=bool) if sides is None else sides.first_rows | sides.second_rows
    sets = compare_label_sets(judgments, both)

    keys = ["first", "second", "topic", "i", "j"]
    times = pl.col("times_first"), pl.col("times_second")
    weight = ((times[0] + times[1]) / (2 * times[0] * times[1])).sum().alias("weight")
    cells = joined.group_by(keys).agg(pl.len().alias("pairs"), weight).sort(keys)
    a, b, t, i, j = (cells[key].to_numpy().astype(np.int64) for key in keys)
    new_pair = np.append(True, (a[1:] != a[:-1]) | (b[1:] != b[:-1]))
    new_entry = new_pair | np.append(True, t[1:] != t[:-1])
    entry = np.cumsum(new_entry) - 1
    heads = np.flatnonzero(new_pair)
    return AssessorPairCounts(
        levels=judgments.levels,
        assessors=judgments.assessors,
        topics=tuple(judgments.topics[code] for code in held),
        sides=None if sides is None else (sides.first, sides.second),
        documents=int((paired > 0).sum()),
        first=a[heads],
        second=b[heads],
        pairs=np.add.reduceat(cells["pairs"].to_numpy().astype(np.int64), heads),
        starts=np.append(entry[heads], entry[-1] + 1),
        topic=t[new_entry],
        cell=(entry * size + i) * size + j,
        weight=cells["weight"].to_numpy(),
        by_judgment=_spread(joined, (judged * inverse)[item], shape, symmetric=sides is None),
        by_document=_spread(joined, inverse[item], shape, symmetric=sides is None),
        findings=(*judgments.findings, *sets.findings, *notice_missing_zeros(judgments, both)),
        refusal=sets.refusal,
    )


def _join(judgments: Judgments, sides: Sides | None) -> tuple[pl.DataFrame, IntArray]:
    """All pairs of judgments of the same document by different assessors, and the judgments per document.

    Rows are sorted by document, then side, then assessor, so a row pairs with the rows that follow it within its
    document, and the first side's judgment comes first.
    """
    later = np.zeros(len(judgments), dtype=bool) if sides is None else sides.second_rows
    taken = np.ones(len(judgments), dtype=bool) if sides is None else sides.first_rows | sides.second_rows
    judged = np.bincount(judgments.item[taken], minlength=judgments.items)
    rows = np.flatnonzero(taken & (judged[judgments.item] > 1))
    rows = rows[np.lexsort((judgments.assessor[rows], later[rows], judgments.item[rows]))]
    item, assessor, level = judgments.item[rows], judgments.assessor[rows], judgments.level[rows]

    following = _run_ends(item) - np.arange(1, len(rows) + 1)
    one = np.repeat(np.arange(len(rows)), following)
    two = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(following) - following, following)
    counts = assessor[one] != assessor[two] if sides is None else later[rows[one]] != later[rows[two]]
    one, two = one[counts], two[counts]

    slot_changes = np.append(True, (item[1:] != item[:-1]) | (assessor[1:] != assessor[:-1]))[: len(rows)]
    slot = np.cumsum(slot_changes) - 1
    times = np.bincount(slot, minlength=1)[slot] if len(slot) else slot
    frame = pl.DataFrame(
        {
            "item": item[one],
            "topic": judgments.topic[rows[one]],
            "first": assessor[one],
            "second": assessor[two],
            "i": level[one],
            "j": level[two],
            "times_first": times[one],
            "times_second": times[two],
        }
    )
    return frame, judged


def _run_ends(ranked: IntArray) -> IntArray:
    """For each place of a sorted array, the place just behind its run of equal values."""
    return np.searchsorted(ranked, ranked, side="right")


def _spread(joined: pl.DataFrame, weight: FloatArray, shape: tuple[int, int, int], *, symmetric: bool) -> FloatArray:
    topic, i, j = (joined[key].to_numpy().astype(np.int64) for key in ("topic", "i", "j"))
    cell = (topic * shape[1] + i) * shape[2] + j
    counts = np.bincount(cell, weight, minlength=math.prod(shape)).astype(np.float64).reshape(shape)
    return counts + counts.transpose(0, 2, 1) if symmetric else counts


def _no_common_document(judgments: Judgments, sides: Sides | None) -> PairingError:
    slots = np.unique(judgments.item * len(judgments.assessors) + judgments.assessor)
    documents = np.bincount(slots % len(judgments.assessors), minlength=len(judgments.assessors))
    chosen = judgments.assessors if sides is None else (*sides.first, *sides.second)
    known = dict(zip(judgments.assessors, documents.tolist(), strict=True))
    shown = [f"{name} judged {known[name]:,} documents" for name in chosen[:MOST_FAULTS]]
    if len(chosen) > MOST_FAULTS:
        shown.append(f"and {len(chosen) - MOST_FAULTS} more assessors")
    whom = "two different assessors" if sides is None else "both sides"
    return PairingError(
        f"No document was judged by {whom}: {', '.join(shown)}. Check that topic and document ids are written alike, "
        "or have some documents judged a second time."
    )
