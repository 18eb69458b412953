"""From judgments to pairs: every two different assessors' judgments of the same document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pairs import WEIGHTINGS, FloatArray, PairCounts, Share, Weighting, single_pair_squares
from gainsayer.counts.sides import BoolArray, IntArray, Sides, choose_sides, describe_gap, match_sides
from gainsayer.errors import CallError, PairingError
from gainsayer.judgments.table import Judgments

BLOCK_CELLS = 1 << 21


def count_pairs(
    judgments: Judgments,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    weighting: Weighting = "judgment",
    matched: bool | None = None,
) -> PairCounts:
    """Count the pairs of judgments of the same document by different assessors, per topic.

    With two sides, `J[t, i, j]` is the number of documents of topic t with first label i and second label j. With
    more assessors and no sides, all ordered pairs of different assessors' judgments are counted, eq. (14):
    `sum_d w_d n_di (n_dj - 1[i = j])`.

    Assumes that the two judgments of a pair were made independently. It is *not* a comparison of an assessor with
    themselves: repeated judgments of one assessor never pair with each other (T9).

    Args:
        judgments: who said what.
        first: assessors of the first side, whose labels the evaluation uses. With two assessors in all, the first
            one; with more, no sides.
        second: assessors of the second side, who stand for the users; all others where only `first` is given.
        weighting: what counts once where documents have unequal numbers of judgments: each `judgment` (the default;
            Krippendorff's coincidences), each `pair`, or each `document`. The same where all have equally many.
        matched: whether the first assessor of one side pairs only with the first of the other, the second with the
            second, and so on. By default this is so where both sides list equally many assessors and all but one in a
            hundred pairs are of this kind, as in a design of fixed pairs; the few others are left out and reported.

    Raises:
        CallError: an assessor is unknown, or stands on both sides; there is no such weighting.
        PairingError: there is one assessor only, or no document that two of them judged.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> count_pairs(twenty_documents()).matrix.astype(int).tolist()
    [[4, 1, 1], [3, 4, 3], [0, 2, 2]]
    """
    if weighting not in WEIGHTINGS:
        raise CallError(f"There is no weighting {weighting!r}: choose one of {', '.join(WEIGHTINGS)}.")
    sides = choose_sides(judgments, first, second)
    if sides is None:
        return _count_all(judgments, weighting)
    return _count_sides(match_sides(judgments, sides, matched), sides, weighting)


def _count_sides(judgments: Judgments, sides: Sides, weighting: Weighting) -> PairCounts:
    size, items = len(judgments.levels), judgments.items
    rows = (np.flatnonzero(sides.first_rows), np.flatnonzero(sides.second_rows))
    judged = tuple(np.bincount(judgments.item[side], minlength=items) for side in rows)
    paired = (judged[0] > 0) & (judged[1] > 0)
    if not paired.any():
        raise describe_gap(judgments, sides)
    topic = _topic_of_items(judgments)
    held = np.zeros(len(judgments.topics), dtype=bool)
    held[topic[paired]] = True
    place = np.cumsum(held) - 1

    single = paired & (judged[0] == 1) & (judged[1] == 1)
    labels = [np.zeros(items, dtype=np.int64) for _ in rows]
    weight = np.ones(items) if judgments.weight is not None else None
    for side, label in zip(rows, labels, strict=True):
        label[judgments.item[side]] = judgments.level[side]
        if weight is not None and judgments.weight is not None:
            weight[judgments.item[side]] *= judgments.weight[side]
    cell = (place[topic[single]] * size + labels[0][single]) * size + labels[1][single]
    shape = (int(held.sum()), size, size)
    counts = _spread(cell, None if weight is None else weight[single], shape)
    mass = counts if weight is None else _spread(cell, weight[single] ** 2, shape)
    squares, symmetric = single_pair_squares(mass.sum(axis=0))

    several = np.flatnonzero(paired & ~single)
    for block in _blocks(several, size):
        m1, m2 = judged[0][block].astype(np.float64), judged[1][block].astype(np.float64)
        scale = {
            "judgment": (m1 + m2) / (2 * m1 * m2),
            "pair": np.ones(len(block)),
            "document": 1 / (m1 * m2),
        }
        one, two = (_tally(judgments, side, block) for side in rows)
        cells = one[:, :, None] * two[:, None, :] * scale[weighting][:, None, None]
        np.add.at(counts, place[topic[block]], cells)
        squares += _products(cells)
        symmetric += _products(cells + cells.transpose(0, 2, 1))
    return PairCounts(
        levels=judgments.levels,
        topics=tuple(name for name, keep in zip(judgments.topics, held, strict=True) if keep),
        counts=counts,
        squares=squares,
        symmetric_squares=symmetric,
        directed=True,
        first=sides.first,
        second=sides.second,
        pairs=int((judged[0] * judged[1]).sum()),
        documents=int(paired.sum()),
        weighting=weighting,
        weighted=judgments.weight is not None,
        shares=tuple(
            _share(", ".join(names), judgments, side, paired, held)
            for names, side in zip((sides.first, sides.second), rows, strict=True)
        ),
        findings=judgments.findings,
    )


def _count_all(judgments: Judgments, weighting: Weighting) -> PairCounts:
    size, items = len(judgments.levels), judgments.items
    slots, slot = np.unique(judgments.item * len(judgments.assessors) + judgments.assessor, return_inverse=True)
    owner = slots // len(judgments.assessors)
    judged = np.bincount(judgments.item, minlength=items)
    own = np.bincount(owner, np.bincount(slot).astype(np.float64) ** 2, minlength=items)
    ordered = judged.astype(np.float64) ** 2 - own
    paired = ordered > 0
    if not paired.any():
        raise PairingError(
            f"No document was judged by two different assessors ({items:,} documents, "
            f"{len(judgments.assessors)} assessors). Check that topic and document ids are written alike."
        )
    topic = _topic_of_items(judgments)
    held = np.zeros(len(judgments.topics), dtype=bool)
    held[topic[paired]] = True
    place = np.cumsum(held) - 1
    counts = np.zeros((int(held.sum()), size, size))
    squares = np.zeros((size, size, size))

    plain = judgments.weight is None
    single = paired & (judged == 2) & plain
    total = np.bincount(judgments.item, judgments.level, minlength=items).astype(np.int64)
    label = np.zeros(items, dtype=np.int64)
    label[judgments.item] = judgments.level
    cell = (place[topic[single]] * size + label[single]) * size + (total - label)[single]
    split = _spread(cell, None, counts.shape)
    counts += split + split.transpose(0, 2, 1)
    squares += single_pair_squares(split.sum(axis=0))[1]

    every = np.arange(len(judgments))
    for block in _blocks(np.flatnonzero(paired & ~single), size):
        scale = {
            "judgment": judged[block] / ordered[block],
            "pair": np.ones(len(block)),
            "document": 2 / ordered[block],
        }
        tally = _tally(judgments, every, block)
        cells = tally[:, :, None] * tally[:, None, :]
        cells -= _own_products(judgments, slot, owner, block)
        cells *= scale[weighting][:, None, None]
        np.add.at(counts, place[topic[block]], cells)
        squares += _products(cells)
    return PairCounts(
        levels=judgments.levels,
        topics=tuple(name for name, keep in zip(judgments.topics, held, strict=True) if keep),
        counts=counts,
        squares=squares,
        symmetric_squares=squares,
        directed=False,
        first=judgments.assessors,
        second=judgments.assessors,
        pairs=int(ordered[paired].sum()) // 2,
        documents=int(paired.sum()),
        weighting=weighting,
        weighted=not plain,
        shares=(_share("all assessors", judgments, every, paired, held, 1 / np.maximum(judged, 1)),),
        findings=judgments.findings,
    )


def _spread(cell: IntArray, weight: FloatArray | None, shape: tuple[int, ...]) -> FloatArray:
    """Sum the weights (1 each where there are none) into an array of the given shape."""
    return np.bincount(cell, weight, minlength=math.prod(shape)).astype(np.float64).reshape(shape)


def _topic_of_items(judgments: Judgments) -> npt.NDArray[np.int32]:
    topic = np.zeros(judgments.items, dtype=np.int32)
    topic[judgments.item] = judgments.topic
    return topic


def _blocks(items: IntArray, size: int) -> Iterator[IntArray]:
    """The items in sorted blocks, so that memory stays bounded whatever their number."""
    step = max(1, BLOCK_CELLS // (size * size))
    for start in range(0, len(items), step):
        yield items[start : start + step]


def _tally(judgments: Judgments, rows: IntArray, block: IntArray) -> FloatArray:
    """n_di: how often each document of the block got each level, weights included; shape [documents, levels]."""
    size = len(judgments.levels)
    item = judgments.item[rows]
    where = np.searchsorted(block, item)
    inside = (where < len(block)) & (block[np.minimum(where, len(block) - 1)] == item)
    rows, where = rows[inside], where[inside]
    weight = None if judgments.weight is None else judgments.weight[rows]
    return _spread(where * size + judgments.level[rows], weight, (len(block), size))


def _own_products(judgments: Judgments, slot: IntArray, owner: IntArray, block: IntArray) -> FloatArray:
    """Sum over assessors a of n_dai n_daj: the pairs that an assessor would form with themselves (T9)."""
    size = len(judgments.levels)
    mine = np.isin(owner, block)
    number = np.cumsum(mine) - 1
    rows = mine[slot]
    weight = None if judgments.weight is None else judgments.weight[rows]
    cells = np.bincount(number[slot[rows]] * size + judgments.level[rows], weight, minlength=int(mine.sum()) * size)
    tally = cells.reshape(-1, size).astype(np.float64)
    products = np.zeros((len(block), size, size))
    np.add.at(products, np.searchsorted(block, owner[mine]), tally[:, :, None] * tally[:, None, :])
    return products


def _products(cells: FloatArray) -> FloatArray:
    """Sum over documents of c[i, j] c[i, l]; shape [levels, levels, levels]."""
    return np.asarray(np.einsum("dij,dil->ijl", cells, cells))


def _share(
    side: str,
    judgments: Judgments,
    rows: IntArray,
    paired: BoolArray,
    held: BoolArray,
    part: FloatArray | None = None,
) -> Share:
    """How many judgments of each level there are, and how many of them stand on doubly judged documents."""
    size = len(judgments.levels)
    cell = judgments.topic[rows].astype(np.int64)
    cell *= size
    cell += judgments.level[rows]
    item = judgments.item[rows]
    again = paired[item]
    weight = None if part is None else part[item]
    shape = (len(judgments.topics), size)
    judged = _spread(cell, weight, shape)
    twice = _spread(cell[again], None if weight is None else weight[again], shape)
    return Share(side, judged[held], twice[held])
