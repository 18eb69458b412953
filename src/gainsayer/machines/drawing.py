"""Which documents people should judge: those that move scores and of which the machine's word is least sure."""

from __future__ import annotations

from typing import Final

import numpy as np

from gainsayer.errors import CallError
from gainsayer.machines.sample import BoolArray
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

FLOOR: Final = 0.02
_GUESSES: Final = (0.05, 0.2, 0.45, 0.7)


def guess_gains(grade: IntArray, grades: int) -> FloatArray:
    """What documents are worth before anybody judged: .05, .2, .45, .7 from the lowest to the highest of four grades.

    >>> guess_gains(np.array([0, 1, 3]), 4).tolist(), guess_gains(np.array([0, 1]), 2).tolist()
    ([0.05, 0.2, 0.7], [0.05, 0.7])
    """
    scale = np.linspace(0, 1, len(_GUESSES))
    return np.interp(grade / max(grades - 1, 1), scale, _GUESSES)


def choose_probabilities(weights: FloatArray, predicted: FloatArray, labels: float) -> FloatArray:
    """pi proportional to sqrt(mean_s W^2) sqrt(g (1 - g)), at least .02, at most 1, as many labels as asked for.

    The first factor is what the document counts in the runs, the second how unsure its worth is. Every document has a
    chance, also those that no run has near its top: without it nothing could be said of them. The floor is lower where
    half the labels would not be enough for it.

    Args:
        weights: W of all runs, of one measure or of several stacked; shape [runs, documents].
        predicted: g, or a guess of it; shape [documents].
        labels: how many documents people can judge; the number drawn varies around it.

    Raises:
        CallError: no labels are asked for.

    >>> found = choose_probabilities(np.array([[1.0, 0.5, 0.0]]), np.full(3, 0.5), 1.0)
    >>> found.round(4).tolist(), round(float(found.sum()), 6)
    ([0.6533, 0.3267, 0.02], 1.0)
    """
    documents = weights.shape[1]
    if not labels > 0:
        raise CallError(f"At least one label is needed, found {labels}.")
    if labels >= documents:
        return np.ones(documents)
    floor = min(FLOOR, labels / documents / 2)
    size = np.sqrt((weights**2).mean(axis=0)) * np.sqrt(predicted * (1 - predicted))
    if not size.any():
        return np.full(documents, labels / documents)
    counts = int(np.count_nonzero(size))
    if labels >= counts + floor * (documents - counts):  # all that count are judged, the rest shares what is left
        return np.where(size > 0, 1.0, (labels - counts) / (documents - counts))
    low, high = 0.0, 1.0 / float(size[size > 0].min())
    for _ in range(200):  # the sum rises with the factor
        middle = (low + high) / 2
        if float(np.clip(middle * size, floor, 1.0).sum()) < labels:
            low = middle
        else:
            high = middle
    return np.asarray(np.clip(high * size, floor, 1.0))


def draw_documents(probability: FloatArray, seed: int) -> BoolArray:
    """Draw each document with its own chance, independently of all others (Poisson sampling); shape [documents].

    >>> draw_documents(np.array([1.0, 0.0]), 1).tolist()
    [True, False]
    """
    return np.asarray(np.random.default_rng(seed).random(len(probability)) < probability)
