"""Intervals of p(R|i). The default deletes one topic at a time and works on the logit scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from gainsayer.counts.pairs import FloatArray

Method = Literal["jackknife", "bootstrap", "topic", "pair", "binomial", "beta"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, eq=False)
class Interval:
    """Lower and upper ends, shape [levels, 2], and how each was made (None where there is none)."""

    ends: FloatArray
    methods: tuple[str | None, ...]


def jackknife_interval(
    probability: FloatArray,
    replicates: FloatArray,
    judged: FloatArray,
    left: FloatArray,
    *,
    confidence: float,
    design_effect: float,
) -> Interval:
    """Delete-one-topic jackknife on the logit scale with the t quantile of T - 1 degrees of freedom (T2).

    With `f_t = logit p(R|i)` estimated without topic t: `logit p +- t * sqrt((T-1)/T sum_t (f_t - mean f)^2)`,
    transformed back. Where a replicate is exactly 0 or 1 (all relevant opinions stand in one topic) the logits take
    half a count more on both sides: `(p n + 1/2) / (n + 1)`, n being the opinions behind p. Where the estimate itself
    is 0 or 1 no replicate differs, and the ends are Clopper and Pearson's for the number of second opinions divided by
    the largest design effect of the other levels.
    No interval for a level seen in a single topic.

    Args:
        probability: the estimates, shape [levels].
        replicates: the estimates without each topic, shape [topics, levels]; NaN where the level is gone.
        judged: second opinions per level, shape [levels].
        left: second opinions per level without each topic, shape [topics, levels].
        confidence: such as 0.95.
        design_effect: variance over topics relative to the binomial one, the largest over the levels, at least 1.
    """
    topics, size = replicates.shape
    ends = np.full((size, 2), np.nan)
    methods: list[str | None] = [None] * size
    for level in range(size):
        p, values, count = probability[level], replicates[:, level], judged[level]
        if topics < 2 or not np.isfinite(p) or not np.all(np.isfinite(values)):
            continue
        if p in (0.0, 1.0):
            ends[level] = _clopper_pearson(p, count / design_effect, confidence)
            methods[level] = "clopper-pearson, effective size"
        elif np.all((values > 0) & (values < 1)):
            ends[level] = _logit_jackknife(p, values, confidence)
            methods[level] = "jackknife over topics, logit"
        else:
            shrunk = (values * left[:, level] + 0.5) / (left[:, level] + 1)
            ends[level] = _logit_jackknife((p * count + 0.5) / (count + 1), shrunk, confidence)
            methods[level] = "jackknife over topics, logit with half a count added"
    return Interval(ends, tuple(methods))


def normal_interval(
    probability: FloatArray, error: FloatArray, *, confidence: float, degrees: float, method: Method
) -> Interval:
    """p +- quantile * error, cut at 0 and 1; the t quantile, or the normal one for infinite degrees of freedom."""
    reach = quantile(confidence, degrees) * error
    ends = np.clip(np.stack([probability - reach, probability + reach], axis=1), 0, 1)
    known = np.asarray(np.isfinite(ends).all(axis=1))
    kind = {"topic": "t with the error over topics", "pair": "normal with the error over documents"}
    name = kind.get(method, "normal with the binomial error")
    return Interval(np.where(known[:, None], ends, np.nan), tuple(name if ok else None for ok in known))


def bootstrap_interval(draws: FloatArray, *, confidence: float) -> Interval:
    """Quantiles of the topic-bootstrap draws, shape [draws, levels]; draws that lack the level are left out.

    Where the estimate is 0 or 1 all draws are alike and the interval has no width, which is not certainty.
    """
    tail = (1 - confidence) / 2
    size = draws.shape[1]
    ends = np.full((size, 2), np.nan)
    methods: list[str | None] = [None] * size
    for level in range(size):
        values = draws[np.isfinite(draws[:, level]), level]
        if len(values):
            ends[level] = np.quantile(values, [tail, 1 - tail])
            methods[level] = "quantiles of the topic bootstrap"
    return Interval(ends, tuple(methods))


def beta_interval(relevant: FloatArray, other: FloatArray, *, confidence: float) -> Interval:
    """Quantiles of Beta(relevant, other), the posterior of p(R|i) under a Dirichlet prior.

    `relevant` and `other` hold counts and pseudo-counts together. Second opinions are taken as independent: topics and,
    in the symmetric estimate, the two readings of a pair are ignored. No interval where one of the two is 0 (the prior
    rules relevant, or other, opinions out).
    """
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    known = (relevant > 0) & (other > 0)
    ends = np.full((len(relevant), 2), np.nan)
    for place, end in enumerate((tail, 1 - tail)):
        ends[known, place] = betaincinv(relevant[known], other[known], end)
    return Interval(ends, tuple("posterior quantiles" if ok else None for ok in known))


def quantile(confidence: float, degrees: float) -> float:
    """The two-sided t quantile; the normal one for infinite degrees of freedom.

    >>> round(quantile(0.95, 23), 4), round(quantile(0.95, float("inf")), 4)
    (2.0687, 1.96)
    """
    from scipy.special import ndtri, stdtrit

    upper = (1 + confidence) / 2
    return float(ndtri(upper) if np.isinf(degrees) else stdtrit(degrees, upper))


def _logit_jackknife(p: float, values: FloatArray, confidence: float) -> FloatArray:
    from scipy.special import expit

    topics = len(values)
    logits = np.log(values) - np.log1p(-values)
    error = np.sqrt((topics - 1) / topics * ((logits - logits.mean()) ** 2).sum())
    centre = np.log(p) - np.log1p(-p)
    reach = quantile(confidence, topics - 1) * error
    return np.asarray(expit(np.array([centre - reach, centre + reach])))


def _clopper_pearson(p: float, size: float, confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    return (0.0, 1 - tail ** (1 / size)) if p == 0 else (tail ** (1 / size), 1.0)
