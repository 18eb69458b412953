"""Pairs by the people who take part in them: what is left when one assessor is left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pair_counts import FloatArray, People
from gainsayer.counts.sides import BoolArray, IntArray, Sides
from gainsayer.counts.tallies import Rows, blocks_of, count_cells, rows_by_block, tally_levels, tally_own
from gainsayer.judgments.table import Judgments

LabelArray = npt.NDArray[np.int16]


def names_people(judgments: Judgments) -> bool:
    """Whether a name is the same person everywhere: not where k-th judgments were taken as k-th opinions."""
    return all(finding.code != "repeats-as-assessors" for finding in judgments.findings)


def count_side_people(
    judgments: Judgments,
    sides: Sides,
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
        sides: the two sides.
        rows: the judgments of each side.
        labels: each side's label by document, where it gave one.
        single: documents with one judgment on each side.
        weight: of the pair of each such document; None for 1.
        several: the other documents with pairs, ascending.
        scale: the weight of their pairs.
    """
    names = (*sides.first, *sides.second)
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
