"""Intervals over topics by leaving out one topic at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pair_counts import FloatArray


def leave_out_each(counts: FloatArray) -> FloatArray:
    """The sum of all topics but one, for each topic; shape [topics, ...] in and out.

    What stands before is added to what stands behind. The total less one topic would leave rounding dust in cells
    that should be 0, and turn a coefficient that is 0/0 into a number.

    >>> leave_out_each(np.array([1.0, 10.0, 100.0])).tolist()
    [110.0, 101.0, 11.0]
    """
    without = np.zeros_like(counts)
    without[1:] += np.cumsum(counts[:-1], axis=0)
    without[:-1] += np.cumsum(counts[:0:-1], axis=0)[::-1]
    return without


def jackknife_intervals(
    estimate: FloatArray,
    left_out: FloatArray,
    starts: npt.NDArray[np.int64],
    *,
    lowest: FloatArray,
    confidence: float,
) -> tuple[FloatArray, FloatArray]:
    """Low and high ends of `estimate ± t_{T-1} se`, on the coefficient's own scale, cut at `lowest` and 1.

    se² = (T - 1) / T sum_t (theta_(-t) - mean)², theta_(-t) being the estimate without topic t (delete-one jackknife).

    Assumes that topics were drawn independently and that T is not tiny. It is *not* an interval for other assessors:
    they are taken as given. NaN where there is one topic, or where the estimate without some topic is undefined.

    Args:
        estimate: shape [coefficients, groups].
        left_out: the estimates without each topic, the groups one after another; shape [coefficients, entries].
        starts: where the entries of each group begin, and at last their number; shape [groups + 1].
        lowest: the least value possible, shape [coefficients].
        confidence: such as 0.95.

    >>> scores = np.array([0.2, 0.4, 0.9])
    >>> without = (scores.sum() - scores) / 2
    >>> low, high = jackknife_intervals(np.array([[0.5]]), without[None], np.array([0, 3]),
    ...                                 lowest=np.array([-1.0]), confidence=0.5)
    >>> round(float(low[0, 0]), 4), round(float(high[0, 0]), 4)
    (0.33, 0.67)
    """
    from scipy.special import stdtrit

    heads, topics = starts[:-1], np.diff(starts)
    mean = np.add.reduceat(left_out, heads, axis=-1) / topics
    apart = (left_out - np.repeat(mean, topics, axis=-1)) ** 2
    variance = (topics - 1) / topics * np.add.reduceat(apart, heads, axis=-1)
    reach = stdtrit(np.maximum(topics - 1, 1), (1 + confidence) / 2) * np.sqrt(variance)
    reach = np.where(topics > 1, reach, np.nan)
    return np.maximum(estimate - reach, lowest[:, None]), np.minimum(estimate + reach, 1.0)
