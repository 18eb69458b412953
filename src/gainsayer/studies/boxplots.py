"""What a boxplot draws, from draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gainsayer.counts.pair_counts import FloatArray

REACH = 1.5


@dataclass(frozen=True, eq=False)
class Boxes:
    """One box per level: the ends, the quartiles and the whiskers of its draws; arrays have the shape [levels].

    A whisker ends at the last draw within one and a half times the distance of the quartiles, as Tukey has it. NaN for
    a level without any draw.
    """

    lowest: FloatArray
    low_whisker: FloatArray
    low_quartile: FloatArray
    median: FloatArray
    high_quartile: FloatArray
    high_whisker: FloatArray
    highest: FloatArray


def make_boxes(draws: FloatArray) -> Boxes:
    """The boxes of draws of the shape [draws, levels]; undefined draws (NaN) are left out.

    >>> boxes = make_boxes(np.array([[1.0], [2], [3], [4], [100], [np.nan]]))
    >>> boxes.low_quartile.tolist(), boxes.median.tolist(), boxes.high_whisker.tolist(), boxes.highest.tolist()
    ([2.0], [3.0], [4.0], [100.0])
    """
    parts = np.full((7, draws.shape[1]), np.nan)
    for level, column in enumerate(draws.T):
        known = column[~np.isnan(column)]
        if not len(known):
            continue
        low, median, high = np.quantile(known, [0.25, 0.5, 0.75])
        reach = REACH * (high - low)
        inside = known[(known >= low - reach) & (known <= high + reach)]
        parts[:, level] = known.min(), inside.min(), low, median, high, inside.max(), known.max()
    return Boxes(*parts)


def spread_of(draws: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation (divisor n - 1) over the first axis, undefined draws left out.

    The mean is NaN where no draw is defined, the deviation where fewer than two are.

    >>> mean, deviation = spread_of(np.array([[1.0, np.nan], [3.0, 5.0]]))
    >>> mean.tolist(), deviation.round(4).tolist()
    ([2.0, 5.0], [1.4142, nan])
    """
    known = ~np.isnan(draws)
    count = known.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(count > 0, np.where(known, draws, 0.0).sum(axis=0) / count, np.nan)
        squares = np.where(known, (draws - mean) ** 2, 0.0).sum(axis=0)
        deviation = np.where(count > 1, np.sqrt(squares / (count - 1)), np.nan)
    return np.asarray(mean), np.asarray(deviation)
