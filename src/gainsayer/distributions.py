"""Quantiles of the distributions behind the usual intervals: Student's t and beta; the logistic function.

They are here, and not taken from scipy.special, because importing that takes longer than a whole small command (see
docs/decisions/0032-quantiles-of-our-own.md). They agree with it to 1e-12; other functions of it are imported where they
are used.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
_MOST_STEPS = 100_000


def t_quantile(share: float, degrees: npt.ArrayLike) -> FloatArray:
    """What a t variable with so many degrees of freedom, whole or not, stays below with probability `share`.

    t² / (t² + degrees) has the distribution Beta(1/2, degrees / 2), so it is a beta quantile.

    >>> t_quantile(0.975, [1, 2.5, 30]).round(4).tolist()
    [12.7062, 3.5747, 2.0423]
    """
    far = 2 * min(share, 1 - share)
    size = np.exp(_beta_log_odds(np.asarray(0.5), np.asarray(degrees, np.float64) / 2, 1 - far, far) / 2)
    return np.asarray(size if share >= 0.5 else -size)


def beta_quantile(share: float, a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """The x with `I_x(a, b) = share`; NaN where a or b is not above 0.

    >>> beta_quantile(0.975, [1, 5], [10, 0.5]).round(4).tolist()
    [0.3085, 0.9999]
    """
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = np.log(first / second)
    return logistic(_beta_log_odds(first, second, share, 1 - share) + middle)


def logistic(x: npt.ArrayLike) -> FloatArray:
    """1 / (1 + exp(-x)), the share whose log odds are x.

    >>> logistic([-1000.0, 0.0, 1.0]).round(4).tolist()
    [0.0, 0.5, 0.7311]
    """
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-np.asarray(x, np.float64))))


def _beta_log_odds(a: FloatArray, b: FloatArray, below: float, above: float) -> FloatArray:
    """d, the log odds of the beta quantile less log(a / b); `below` and `above` are the shares on either side of it.

    Newton's method on log F(d). On the scale of log odds the density is log-concave, and so is F: from the left each
    step stays on the left of the answer, and one from the right ends there.
    """
    if below == 0:
        return np.full(np.broadcast(a, b).shape, -math.inf)
    if below > above:
        return -_beta_log_odds(b, a, above, below)
    first, second = np.broadcast_arrays(a, b)
    known = (first > 0) & (second > 0) & np.isfinite(first) & np.isfinite(second)
    answer = np.full(known.shape, np.nan)
    x, y = first[known], second[known]
    found = np.zeros(x.shape)
    front = 0.5 * np.log(x * y / (x + y) / (2 * math.pi)) + _stirling(x + y) - _stirling(x) - _stirling(y)
    left = np.arange(len(x))
    while len(left):
        log_share, ratio = _beta_share(x[left], y[left], found[left], front[left])
        step = (math.log(below) - log_share) * ratio
        found[left] += step
        left = left[np.abs(step) > 1e-8]  # the next one would be of the size of its square
    answer[known] = found
    return answer


def _beta_share(a: FloatArray, b: FloatArray, d: FloatArray, front: FloatArray) -> tuple[FloatArray, FloatArray]:
    """log F and F / F' at log odds of log(a / b) + d, where F is the beta distribution function."""
    less, sign = np.minimum(a, b), np.where(a <= b, 1.0, -1.0)
    log_density = less * sign * d - (a + b) * np.log1p(less / (a + b) * np.expm1(sign * d)) + front
    odds = d + np.log(a / b)
    x, rest = logistic(odds), logistic(-odds)
    left = x < (a + 1) / (a + b + 2)  # else the other side is summed up
    ratio = _fraction(*(np.where(left, one, other) for one, other in ((a, b), (b, a), (x, rest), (rest, x), (d, -d))))
    log_share = np.where(left, log_density + np.log(ratio), np.log1p(-np.where(left, 0.0, np.exp(log_density) * ratio)))
    return log_share, np.where(left, ratio, np.exp(log_share - log_density))


def _fraction(a: FloatArray, b: FloatArray, x: FloatArray, rest: FloatArray, d: FloatArray) -> FloatArray:
    """`B(a, b) I_x(a, b) / (x^a (1 - x)^b)` by a continued fraction (DiDonato & Morris 1992, eq. 9), Lentz's way.

    `rest` is 1 - x, and d the log odds less log(a / b): both may be small where x, or a, is large.
    """
    beyond = 1 - a * rest * np.expm1(d)  # a + 1 - (a + b) x
    value = a * beyond / (a + 1)
    up, down = value.copy(), np.zeros(x.shape)
    going = np.ones(x.shape, np.bool_)  # each number ends by itself, so that it is the same whatever stands beside it
    for n in range(1, _MOST_STEPS):
        over = (a + n - 1) * (a + b + n - 1) * n * (b - n) * (x / (a + 2 * n - 1)) ** 2
        under = n + n * (b - n) * x / (a + 2 * n - 1) + (a + n) * (beyond + n * (1 + rest)) / (a + 2 * n + 1)
        up, down = under + over / up, 1 / (under + over * down)
        value = np.where(going, value * (up * down), value)
        going &= np.abs(up * down - 1) > 1e-15
        if not going.any():
            break
    return 1 / value


def _stirling(x: FloatArray) -> FloatArray:
    """log Gamma(x) less Stirling's formula for it: no small difference of large numbers, also for large x."""
    large = np.maximum(x, 10.0)
    inverse = 1 / (large * large)
    series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / large
    small = x < 10
    if small.any():
        less = x[small]
        exact = np.array([math.lgamma(value) for value in less.tolist()])
        series[small] = exact - (less - 0.5) * np.log(less) + less - 0.5 * math.log(2 * math.pi)
    return np.asarray(series)
