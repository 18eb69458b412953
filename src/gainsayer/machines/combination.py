"""Several opinions of machines on one document as one: calls of one machine, several machines, a confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.gains.posterior import logistic
from gainsayer.machines.sample import Sample
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

MOST_BINS: Final = 8
FOLDS: Final = 5
_BELIEF: Final = 0.001


def bin_values(values: FloatArray, most: int = MOST_BINS) -> IntArray:
    """Numbers as grades: each its own where they are few, else so many bins that hold about as many documents each.

    Equal numbers share a bin. For the mean of repeated calls, and for confidences.

    >>> bin_values(np.array([0.1, 0.9, 0.1, 0.5])).tolist(), bin_values(np.arange(8.0), most=2).tolist()
    ([0, 2, 0, 1], [0, 0, 0, 0, 1, 1, 1, 1])
    """
    distinct, place = np.unique(values, return_inverse=True)
    if len(distinct) <= most:
        return place.astype(np.int64)
    below = np.searchsorted(np.sort(values), distinct, side="left")
    _, number = np.unique(below * most // len(values), return_inverse=True)
    return number[place].astype(np.int64)


@dataclass(frozen=True, eq=False)
class CombinedGains:
    """What several machines together say.

    Args:
        predicted: g of each document, learned without its topic's fold; shape [documents].
        temper: b: so many machines count as b times as many that err independently.
    """

    predicted: FloatArray
    temper: float


def combine_machines(
    sample: Sample, grades: Sequence[IntArray], sizes: Sequence[int], *, seed: int = 0
) -> CombinedGains:
    """g = logistic(a + b L), L = sum over machines j of log P(m_j | h = 1) / P(m_j | h = 0): tempered naive Bayes.

    Machines err together, so multiplying what they say (b = 1) is far too sure of itself (trap T-h): b, fitted by
    weighted logistic regression, takes that back. Half a count is added to each cell, labels are weighted by 1 / pi,
    and all of it is learned on other topics, in five folds. Agreement between machines plays no part: it says nothing
    about people (trap T-i).

    Args:
        sample: what people said.
        grades: per machine the grade of each document, -1 where it gave none; shape [documents] each.
        sizes: per machine how many grades it has.
        seed: of the folds.

    >>> rng = np.random.default_rng(0)
    >>> topic, told = np.repeat(np.arange(40), 30), rng.integers(2, size=1200).astype(float)
    >>> one = np.where(rng.random(1200) < 0.8, told, 1 - told).astype(int)
    >>> sample = Sample(topic, one, told, np.ones(1200), np.ones(40, bool), 2)
    >>> copies, single = combine_machines(sample, [one] * 3, [2] * 3), combine_machines(sample, [one], [2])
    >>> bool(np.allclose(copies.predicted, single.predicted, atol=1e-3)), round(copies.temper / single.temper, 2)
    (True, 0.33)
    """
    order = np.random.default_rng(seed).permutation(sample.topics)
    fold = np.empty(sample.topics, np.int64)
    fold[order] = np.arange(sample.topics) % FOLDS
    predicted = np.empty(len(sample.topic))
    for part in range(FOLDS):
        inside = fold[sample.topic] == part
        evidence, intercept, temper = _fit(sample, grades, sizes, ~inside)
        predicted[inside] = logistic(intercept + temper * evidence[inside])
    _, _, temper = _fit(sample, grades, sizes, np.ones(len(sample.topic), np.bool_))
    return CombinedGains(predicted, temper)


def _fit(
    sample: Sample, grades: Sequence[IntArray], sizes: Sequence[int], used: npt.NDArray[np.bool_]
) -> tuple[FloatArray, float, float]:
    """L of all documents, a and b, learned on some of them."""
    weight = np.where(used, sample.weight, 0.0)
    yes, no = weight * sample.told, weight * (1 - sample.told)
    evidence = np.zeros(len(sample.topic))
    for grade, size in zip(grades, sizes, strict=True):
        there = grade >= 0
        likely = [np.bincount(grade[there], part[there], minlength=size) + 0.5 for part in (yes, no)]
        ratio = np.log(likely[0] / likely[0].sum()) - np.log(likely[1] / likely[1].sum())
        evidence += np.where(there, ratio[np.maximum(grade, 0)], 0.0)
    intercept, temper = fit_logistic(evidence[weight > 0], sample.told[weight > 0], weight[weight > 0])
    return evidence, intercept, temper


def fit_logistic(x: FloatArray, y: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """a and b of weighted logistic regression y ~ logistic(a + b x), by Newton's steps.

    A thousandth of a label's belief in b = 1 keeps b finite where x tells y without error.

    >>> x, y = np.array([0.0, 0, 1, 1, 1]), np.array([0.0, 1, 1, 1, 0])
    >>> [round(value, 2) for value in fit_logistic(x, y, np.ones(5))]  # odds 1 at x = 0, 2 at x = 1
    [-0.0, 0.69]
    """
    design = np.stack([np.ones_like(x), x])
    start = np.array([0.0, 1.0])
    belief = _BELIEF * float(weight.mean())

    def worth(theta: FloatArray) -> float:
        odds = theta @ design
        return float((weight * (y * odds - np.logaddexp(0, odds))).sum() - belief / 2 * ((theta - start) ** 2).sum())

    theta, best = start, worth(start)
    for _ in range(100):
        chance = logistic(theta @ design)
        slope = design @ (weight * (y - chance)) - belief * (theta - start)
        curve = (design * (weight * chance * (1 - chance))) @ design.T + belief * np.eye(2)
        step = np.linalg.solve(curve, slope)
        while worth(theta + step) < best and np.abs(step).max() > 1e-10:
            step = step / 2
        if np.abs(step).max() <= 1e-10:
            break
        theta = theta + step
        best = worth(theta)
    return float(theta[0]), float(theta[1])
