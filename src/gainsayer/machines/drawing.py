"""Which documents people should judge: those that move scores and of which the machine's word is least sure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from gainsayer.errors import CallError
from gainsayer.machines.document_gains import SUMS, RankWeights, rank_weights
from gainsayer.machines.ndcg import guess_worth
from gainsayer.machines.sample import BoolArray
from gainsayer.measures.catalogue import Measure
from gainsayer.measures.sums import running_discount
from gainsayer.planning.sampling import draw_key
from gainsayer.ranking.pool import DocumentPool
from gainsayer.ranking.ranked import FloatArray, IntArray, RankedDocuments

FLOOR: Final = 0.02
FLOOR_SHARE: Final = 0.25
OUTSIDE_SHARE: Final = 0.05
IDEAL_SHARE: Final = 0.3
_GUESSES: Final = (0.05, 0.2, 0.45, 0.7)


def guess_gains(grades: int) -> FloatArray:
    """What each grade is worth before anybody judged: .05, .2, .45, .7 from the lowest to the highest of four.

    >>> guess_gains(4).tolist(), guess_gains(2).tolist()
    ([0.05, 0.2, 0.45, 0.7], [0.05, 0.7])
    """
    scale = np.linspace(0, 1, len(_GUESSES))
    return np.interp(np.arange(grades) / max(grades - 1, 1), scale, _GUESSES)


def size_documents(
    runs: Sequence[RankedDocuments],
    measures: Sequence[Measure],
    topic: IntArray,
    grade: IntArray,
    worth: FloatArray,
) -> tuple[FloatArray, BoolArray]:
    """How much each document moves scores and how unsure it is: what its chance grows with; and whether it is in a top.

    For sums `size² = mean_s W²`. For nDCG `mean_s (W E[w])² + (.3 D_t dw_t)²`: what one document counts in the runs,
    and what it counts in the ideal list of its topic, all before anybody judged. Times `sqrt(g (1 - g))`. Several
    measures count alike.

    Args:
        runs: matched with the pool.
        measures: by which they will be scored.
        topic: of each document of the pool, from 0, ascending; shape [documents].
        grade: the machine's; shape [documents].
        worth: g of each grade, guessed or learned; shape [grades].

    Raises:
        CallError: a measure is neither a sum over documents nor nDCG.
    """
    topics, grades = int(topic[-1]) + 1, len(worth)
    counts = np.bincount(topic * grades + grade, minlength=topics * grades).reshape(topics, grades).astype(np.float64)
    total, inside = np.zeros(len(topic)), np.zeros(len(topic), np.bool_)
    for measure in measures:
        weights = rank_weights(runs, measure)
        inside[weights.document] = True
        squares = np.zeros(len(topic))
        squares[weights.document] = (weights.weight**2).mean(axis=0)
        if measure.family.name not in SUMS:
            squares = _size_for_ndcg(weights, measure, squares, counts, topic, grade, worth)
        total += squares / max(float(squares.mean()), 1e-300)
    g = worth[grade]
    return np.sqrt(total * g * (1 - g)), inside


def _size_for_ndcg(
    weights: RankWeights,
    measure: Measure,
    squares: FloatArray,
    counts: FloatArray,
    topic: IntArray,
    grade: IntArray,
    worth: FloatArray,
) -> FloatArray:
    parts = measure.linear
    assert parts is not None
    longest = int(counts.sum(axis=1).max())
    depth = longest if parts.depth is None else min(parts.depth, longest)
    expected, step = guess_worth(worth, counts, running_discount(parts.discount, np.arange(depth + 1)))
    held = weights.sum_by_topic(topic, len(counts), worth[grade[weights.document]])
    moved = IDEAL_SHARE * np.sqrt((held**2).mean(axis=0)) * step
    return np.asarray(squares * expected[topic] ** 2 + moved[topic] ** 2)


def choose_chances(size: FloatArray, inside: BoolArray, labels: float) -> FloatArray:
    """pi in proportion to the size, at least a floor, at most 1, so that as many labels are expected as asked for.

    The floor is .02 at most: in some run's top it takes a quarter of the labels at most, elsewhere a twentieth. So
    every document has a chance, also those that no run has near its top: without it nothing could be said of them, nor
    of runs that come later.

    Args:
        size: of each document; shape [documents].
        inside: whether some run has it in its top; shape [documents].
        labels: how many documents people can judge; the number drawn varies around it.

    Raises:
        CallError: no labels are asked for.

    >>> found = choose_chances(np.array([0.5, 0.25, 0.0]), np.array([True, True, False]), 1.0)
    >>> found.round(4).tolist(), round(float(found.sum()), 6)
    ([0.6533, 0.3267, 0.02], 1.0)
    """
    if not labels > 0:
        raise CallError(f"At least one label is needed, found {labels}.")
    held, away = max(int(inside.sum()), 1), max(int((~inside).sum()), 1)
    floor = np.where(inside, min(FLOOR, FLOOR_SHARE * labels / held), min(FLOOR, OUTSIDE_SHARE * labels / away))
    return add_chances(floor, size, labels - float(floor.sum()))


def add_chances(probability: FloatArray, size: FloatArray, more: float) -> FloatArray:
    """Chances with which so many more labels are expected; none is smaller than it was, so that what was judged stays.

    Args:
        probability: as they are; shape [documents].
        size: in proportion to which they grow; shape [documents].
        more: labels.

    >>> add_chances(np.array([0.5, 0.1, 0.1]), np.array([1.0, 1.0, 0.0]), 0.3).round(4).tolist()
    [0.5, 0.4, 0.1]
    """
    if not more > 0:
        raise CallError(f"At least one more label is needed, found {more}.")
    wanted, counts = float(probability.sum()) + more, size > 0
    if wanted < np.where(counts, 1.0, probability).sum():
        return _scale(size, probability, wanted)
    found, left = np.ones(len(size)), wanted - int(counts.sum())  # all that count, and of the rest what is left
    if left < int((~counts).sum()):
        found[~counts] = _scale(np.ones(int((~counts).sum())), probability[~counts], left)
    return found


def _scale(size: FloatArray, floor: FloatArray, labels: float) -> FloatArray:
    """clip(c size, floor, 1) with c such that so many labels are expected."""
    low, high = 0.0, 1.0 / float(size[size > 0].min())
    while low < (middle := (low + high) / 2) < high:  # the sum rises with the factor
        if float(np.clip(middle * size, floor, 1.0).sum()) < labels:
            low = middle
        else:
            high = middle
    return np.asarray(np.clip(high * size, floor, 1.0))


def size_for_suspects(weights: RankWeights, suspects: IntArray, grade: IntArray, worth: FloatArray) -> FloatArray:
    """What tells whether these runs are favoured: `|mean W of theirs - mean W of all| sqrt(g (1 - g))`, by document."""
    apart = np.zeros(len(grade))
    apart[weights.document] = np.abs(weights.weight[suspects].mean(axis=0) - weights.weight.mean(axis=0))
    g = worth[grade]
    return np.asarray(apart * np.sqrt(g * (1 - g)))


def document_keys(pool: DocumentPool, seed: int) -> FloatArray:
    """A permanent number from 0 to 1 for each document, by its topic and name alone; it is drawn where pi exceeds it.

    So a sample with larger chances holds every smaller one, and a pool may grow.

    >>> from gainsayer.reading.judgment_sources import read_judgments
    >>> from gainsayer.ranking.pool import pool_documents
    >>> judged = [read_judgments({"q": dict.fromkeys(some, 1) | {"z": 0}}) for some in ("ab", "abc")]
    >>> small, large = map(pool_documents, judged)
    >>> keys = [dict(zip(pool.document.texts(), document_keys(pool, 1).tolist())) for pool in (small, large)]
    >>> keys[0]["b"] == keys[1]["b"], 0 < keys[0]["b"] < 1
    (True, True)
    """
    keys = np.empty(len(pool.document))
    for at, topic in enumerate(pool.topics):  # as text, names are large
        part = slice(int(pool.starts[at]), int(pool.starts[at + 1]))
        keys[part] = [draw_key(seed, topic, name) for name in pool.document.rows(part).texts()]
    return keys
