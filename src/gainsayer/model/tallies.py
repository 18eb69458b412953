"""Tallies: sums over judgments by document, by level and by person, in pieces.

As much memory as a piece needs, however many judgments there are. From the pairs by person follows what is left when
one assessor is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from gainsayer.judgments.table import Judgments
from gainsayer.model.pair_counts import BoolArray, FloatArray, IntArray, People

BLOCK_CELLS = 1 << 21
PIECE = 1 << 16
Rows = slice | IntArray
LabelArray = npt.NDArray[np.int16]


def as_slice(mask: BoolArray) -> Rows:
    """The rows of a mask: a slice where they follow one another, as a file's rows do, else their places.

    >>> as_slice(np.array([False, True, True]))
    slice(1, 3, None)
    """
    first, count = int(mask.argmax()), int(np.count_nonzero(mask))
    return slice(first, first + count) if mask[first : first + count].all() else np.flatnonzero(mask)


def count_cells(
    shape: tuple[int, ...],
    axes: Sequence[npt.NDArray[np.integer]],
    chosen: BoolArray | None,
    weight: FloatArray | None,
) -> FloatArray:
    """Sum the weights (1 each where there are none) of the chosen entries into the cells that the axes name.

    >>> count_cells((2, 2), (np.array([0, 1, 1]), np.array([1, 0, 0])), None, None).tolist()
    [[0.0, 1.0], [2.0, 0.0]]
    """
    cells = math.prod(shape)
    total = np.zeros(cells)
    step = max(PIECE, cells)
    for start in range(0, len(axes[0]), step):
        piece = slice(start, start + step)
        cell = axes[0][piece].astype(np.int64)
        for axis, length in zip(axes[1:], shape[1:], strict=True):
            cell *= length
            cell += axis[piece]
        mass = None if weight is None else weight[piece]
        if chosen is not None and not chosen[piece].all():
            cell = cell[chosen[piece]]
            mass = None if mass is None else mass[chosen[piece]]
        total += np.bincount(cell, mass, minlength=cells)
    return total.reshape(shape)


def count_judgments(item: IntArray, items: int) -> npt.NDArray[np.uint8] | IntArray:
    """How many judgments each item has; as small numbers where none has several, which is usual.

    >>> count_judgments(np.array([2, 0]), 3).tolist(), count_judgments(np.array([2, 2]), 3).tolist()
    ([1, 0, 1], [0, 0, 2])
    """
    once = np.zeros(items, dtype=np.uint8)
    once[item] = 1
    return once if int(np.count_nonzero(once)) == len(item) else np.bincount(item, minlength=items)


def blocks_of(items: IntArray, size: int) -> Iterator[IntArray]:
    """The items in blocks whose documents by levels by levels are bounded in size."""
    step = _step(size)
    for start in range(0, len(items), step):
        yield items[start : start + step]


def tally_levels(judgments: Judgments, rows: Rows, items: IntArray) -> Iterator[FloatArray]:
    """n_di, how often each document got each level, weights included, block by block of the (sorted) items.

    Answers arrays of the shape [documents, levels], one for each of `blocks_of(items)`.
    """
    size = len(judgments.levels)
    chosen, owner = _sort_by_item(judgments, rows, items)
    for low, high, start, stop in _bounds(owner, len(items), size):
        inside = chosen[start:stop]
        axes = owner[start:stop] - low, judgments.level[inside]
        weight = None if judgments.weight is None else judgments.weight[inside]
        yield count_cells((high - low, size), axes, None, weight)


def tally_selves(judgments: Judgments, items: IntArray) -> Iterator[FloatArray]:
    """Sum over assessors a of n_dai n_daj: the pairs that assessors would form with themselves (T9), block by block.

    Answers arrays of the shape [documents, levels, levels], one for each of `blocks_of(items)`.
    """
    size, people = len(judgments.levels), len(judgments.assessors)
    chosen, owner = _sort_by_item(judgments, slice(0, len(judgments)), items)
    for low, high, start, stop in _bounds(owner, len(items), size):
        inside = chosen[start:stop]
        slots, slot = np.unique(owner[start:stop] * people + judgments.assessor[inside], return_inverse=True)
        weight = None if judgments.weight is None else judgments.weight[inside]
        tally = count_cells((len(slots), size), (slot, judgments.level[inside]), None, weight)
        products = np.zeros((high - low, size, size))
        np.add.at(products, slots // people - low, tally[:, :, None] * tally[:, None, :])
        yield products


def rows_by_block(judgments: Judgments, rows: Rows, items: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """For each of `blocks_of(items)` its rows, and the place of each one's document in the block."""
    chosen, owner = _sort_by_item(judgments, rows, items)
    for low, _, start, stop in _bounds(owner, len(items), len(judgments.levels)):
        yield chosen[start:stop], owner[start:stop] - low


def tally_own(judgments: Judgments, items: IntArray) -> Iterator[FloatArray]:
    """How often the assessor of a row gave the row's document each level, for the rows of `rows_by_block`."""
    size, people = len(judgments.levels), len(judgments.assessors)
    for rows, owner in rows_by_block(judgments, slice(0, len(judgments)), items):
        slots, slot = np.unique(owner * people + judgments.assessor[rows], return_inverse=True)
        weight = None if judgments.weight is None else judgments.weight[rows]
        yield count_cells((len(slots), size), (slot.ravel(), judgments.level[rows]), None, weight)[slot.ravel()]


def _sort_by_item(judgments: Judgments, rows: Rows, items: IntArray) -> tuple[IntArray, IntArray]:
    """The rows that belong to the items, sorted by item, and the place of each one's item among the items."""
    if len(items) == 0:
        return items, items
    place = np.full(judgments.items, -1, dtype=np.int64)
    place[items] = np.arange(len(items))
    owner = place[judgments.item[rows]]
    inside = np.flatnonzero(owner >= 0)
    inside = inside[np.argsort(owner[inside], kind="stable")]
    chosen = inside + rows.start if isinstance(rows, slice) else rows[inside]
    return chosen, owner[inside]


def _bounds(owner: IntArray, items: int, size: int) -> Iterator[tuple[int, int, int, int]]:
    """For each block, its first and last item (by place) and where its rows begin and end."""
    step = _step(size)
    for low in range(0, items, step):
        high = min(low + step, items)
        start, stop = np.searchsorted(owner, (low, high))
        yield low, high, int(start), int(stop)


def _step(size: int) -> int:
    return max(1, BLOCK_CELLS // (size * size))


def names_people(judgments: Judgments) -> bool:
    """Whether a name is the same person everywhere: not where k-th judgments were taken as k-th opinions."""
    return all(finding.code != "repeats-as-assessors" for finding in judgments.findings)


def count_side_people(
    judgments: Judgments,
    names: tuple[str, ...],
    rows: tuple[Rows, Rows],
    labels: Sequence[LabelArray],
    single: BoolArray,
    weight: FloatArray | None,
    several: IntArray,
    scale: FloatArray,
) -> People:
    """The pairs of two sides by the people who take part in them.

    Args:
        judgments: who said what.
        names: the assessors of the first side, then those of the second.
        rows: the judgments of each side.
        labels: each side's label by document, where it gave one.
        single: documents with one judgment on each side.
        weight: of the pair of each such document; None for 1.
        several: the other documents with pairs, ascending.
        scale: the weight of their pairs.
    """
    place = _places(judgments, names)
    size = len(judgments.levels)
    first, second = (np.zeros((len(names), size, size)) for _ in rows)
    for side, total in zip(rows, (first, second), strict=True):
        person = np.zeros(judgments.items, dtype=np.int32)
        person[judgments.item[side]] = place[judgments.assessor[side]]
        total += count_cells((len(names), size, size), (person, labels[0], labels[1]), single, weight)
    # A judgment of level i stands beside every judgment that the other side gave the document.
    for own, other, total in ((rows[0], rows[1], first), (rows[1], rows[0], second.transpose(0, 2, 1))):
        blocks = zip(blocks_of(several, size), tally_levels(judgments, other, several), strict=True)
        start = 0
        for (block, beside), (inside, owner) in zip(blocks, rows_by_block(judgments, own, several), strict=True):
            each = scale[start : start + len(block), None] * beside
            _add(total, place, judgments, inside, each[owner])
            start += len(block)
    paired = single.copy()
    paired[several] = True
    recurs = [_recurs(judgments, side, paired, place, len(names)) for side in rows]
    return People(names, first, second, recurs[0] | recurs[1])


def count_all_people(judgments: Judgments, paired: IntArray, scale: FloatArray) -> People:
    """All ordered pairs of different assessors' judgments, by the people who take part in them.

    Args:
        judgments: who said what.
        paired: documents with pairs, ascending.
        scale: the weight of their pairs.
    """
    names, size = judgments.assessors, len(judgments.levels)
    first = np.zeros((len(names), size, size))
    place = np.arange(len(names))
    every = slice(0, len(judgments))
    everyone, blocks = tally_levels(judgments, every, paired), rows_by_block(judgments, every, paired)
    start = 0
    for tally, (inside, owner), own in zip(everyone, blocks, tally_own(judgments, paired), strict=True):
        each = scale[start : start + len(tally)]
        _add(first, place, judgments, inside, each[owner, None] * (tally[owner] - own))
        start += len(tally)
    held = np.zeros(judgments.items, dtype=bool)
    held[paired] = True
    return People(names, first, first.transpose(0, 2, 1), _recurs(judgments, every, held, place, len(names)))


def _places(judgments: Judgments, names: Sequence[str]) -> IntArray:
    """Where each assessor of the judgments stands among the names; 0 for those who are not there."""
    of_name = {name: person for person, name in enumerate(names)}
    return np.array([of_name.get(name, 0) for name in judgments.assessors], dtype=np.int64)


def _add(total: FloatArray, place: IntArray, judgments: Judgments, rows: IntArray, beside: FloatArray) -> None:
    """total[k, i, j] += what stands beside k's judgments of level i; `beside` has the shape [rows, levels]."""
    if judgments.weight is not None:
        beside = beside * judgments.weight[rows, None]
    people, size = total.shape[:2]
    cell = place[judgments.assessor[rows]] * size + judgments.level[rows]
    for level in range(size):
        total[:, :, level] += np.bincount(cell, beside[:, level], minlength=people * size).reshape(people, size)


def _recurs(judgments: Judgments, rows: Rows, paired: BoolArray, place: IntArray, people: int) -> BoolArray:
    """Who has pairs in two or more topics: a judgment in another topic than some judgment of theirs."""
    inside = paired[judgments.item[rows]]
    person, topic = place[judgments.assessor[rows][inside]], judgments.topic[rows][inside]
    some = np.zeros(people, dtype=np.int32)
    some[person] = topic
    recurs = np.zeros(people, dtype=bool)
    recurs[person[topic != some[person]]] = True
    return recurs
