"""The best guess of the order: people's noisy scores drawn to the line on which the machine's scores lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from gainsayer.machines.sample import BoolArray
from gainsayer.rankings.ranked_levels import FloatArray

FEWEST_RUNS: Final = 8


@dataclass(frozen=True, eq=False)
class Composite:
    """Scores between people's and the machine's, to order runs by. Not a measurement, so there is no interval.

    Args:
        value: shape [runs].
        slope: points of people's score per point of the machine's; far from 1 is compression, harmless to the order.
        slope_error: its standard error.
        spread: standard deviation of people's true scores about the line: the machine's own taste, harmful.
        belief: B, how far a run stays where people put it; 0 is the line, 1 is people's score.
        fitted: runs that made the line; shape [runs].
    """

    value: FloatArray
    slope: float
    slope_error: float
    spread: float
    belief: float
    fitted: BoolArray


def combine_scores(
    people: FloatArray, covariance: FloatArray, machine: FloatArray, apart: BoolArray | None = None
) -> Composite | None:
    """Fay and Herriot's composite: line + B r, for residuals r of people's scores about the machine's line.

    With P the centring and Q = I - hat matrix of the line: v = tr(PC) / (S - 1), v_r = tr(QC) / (S - 2), spread^2 =
    max(0, sum r^2 / (S - 2) - v_r), B = spread^2 / (spread^2 + v). Its intervals would not cover (.69 where .95 was
    asked for), so it has none.

    Args:
        people: theta, rectified scores; shape [runs].
        covariance: C, of theta between runs; shape [runs, runs].
        machine: the machine's own scores; shape [runs].
        apart: runs known to be favoured: they neither make the line nor are drawn to it; shape [runs].

    Returns:
        None with fewer than eight runs for the line, or where the machine scores them all alike.

    >>> place = np.arange(8)
    >>> found = combine_scores(2 + 0.1 * place + 0.05 * (-1.0) ** place, 0.001 * np.eye(8) + 0.005, 2.5 + 0.12 * place)
    >>> found.value[:4].round(4).tolist(), round(found.belief, 3)
    ([2.0395, 2.0695, 2.2365, 2.2665], 0.685)
    """
    fitted = np.ones(len(people), np.bool_) if apart is None else ~apart
    runs = int(fitted.sum())
    if runs < FEWEST_RUNS:
        return None
    x, y, c = machine[fitted], people[fitted], covariance[np.ix_(fitted, fitted)]
    centred = x - x.mean()
    square = float((centred**2).sum())
    if square <= 1e-18 * max(1.0, float((x**2).sum())):
        return None
    slope = float((centred * y).sum()) / square
    residual = y - y.mean() - slope * centred
    centring = np.eye(runs) - 1 / runs
    off_line = centring - np.outer(centred, centred) / square
    noise = float((centring * c).sum()) / (runs - 1)
    spread = max(0.0, float((residual**2).sum()) / (runs - 2) - float((off_line * c).sum()) / (runs - 2))
    belief = spread / (spread + noise) if spread + noise > 0 else 0.0
    value = people.copy()
    value[fitted] = y.mean() + slope * centred + belief * residual
    tilt = centred / square
    error = float(np.sqrt(max(0.0, float(tilt @ c @ tilt) + spread / square)))
    return Composite(value, slope, error, float(np.sqrt(spread)), belief, fitted)
