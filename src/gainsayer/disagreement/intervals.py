"""Kinds of intervals of p(R|i), and the simple ones; the default is in `topic_intervals` and `people_intervals`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from gainsayer.counts.pair_counts import FloatArray
from gainsayer.disagreement.topic_intervals import LogitEnds
from gainsayer.errors import CallError

Method = Literal["auto", "topics", "people", "pair", "binomial", "beta"]
METHODS: tuple[Method, ...] = get_args(Method)


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is none (CallError)."""
    if not 0 < confidence < 1:
        raise CallError(f"The confidence must lie between 0 and 1, found {confidence}.")


@dataclass(frozen=True, eq=False)
class Interval:
    """Lower and upper ends, shape [levels, 2], and how each was made (None where there is none)."""

    ends: FloatArray
    methods: tuple[str | None, ...]


def name_methods(found: LogitEnds, *, people: bool) -> tuple[str | None, ...]:
    """How the interval of each level was made, in words."""
    known = np.asarray(np.isfinite(found.ends).all(axis=1))
    names: list[str | None] = []
    for level in range(len(known)):
        if not known[level]:
            names.append(None)
        elif found.exact[level]:
            names.append("clopper-pearson, effective size")
        else:
            over = "larger of the jackknives over topics and over people" if people else "jackknife over topics"
            how = "logit with half a count added" if found.half[level] else "logit"
            skewness = "" if people or found.half[level] else ", corrected for skewness"
            names.append(f"{over}, {how}{skewness}")
    return tuple(names)


def normal_interval(probability: FloatArray, error: FloatArray, *, confidence: float, method: Method) -> Interval:
    """p +- normal quantile * error, cut at 0 and 1.

    >>> normal_interval(np.array([0.1]), np.array([0.1]), confidence=0.95, method="pair").ends.round(3).tolist()
    [[0.0, 0.296]]
    """
    from scipy.special import ndtri

    reach = float(ndtri((1 + confidence) / 2)) * error
    ends = np.clip(np.stack([probability - reach, probability + reach], axis=1), 0, 1)
    known = np.asarray(np.isfinite(ends).all(axis=1))
    name = "normal with the error over documents" if method == "pair" else "normal with the binomial error"
    return Interval(np.where(known[:, None], ends, np.nan), tuple(name if ok else None for ok in known))


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
