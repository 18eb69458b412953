"""Standard errors of p(R|i), from too small to honest, and the simple intervals; the default ones are in `variance`.

Errors take the same pieces: `relevant[t, i]` and `judged[t, i]`, the numerator and denominator of p(R|i) in topic t.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import scipy

from gainsayer.errors import CallError
from gainsayer.model.pairs import FloatArray
from gainsayer.model.variance import LogitEnds

Method = Literal["auto", "topics", "people", "pair", "binomial"]
METHODS: tuple[Method, ...] = get_args(Method)


def binomial_error(probability: FloatArray, judged: FloatArray) -> FloatArray:
    """sigma = sqrt(p (1 - p) / N_D), eq. (6), the paper's.

    Treats topics as fixed and, in the symmetric estimate, the two readings of a pair as independent trials: too small
    in practice.

    >>> binomial_error(np.array([0.4]), np.array([10.0])).round(6).tolist()
    [0.154919]
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(judged > 0, np.sqrt(probability * (1 - probability) / judged), np.nan))


def pair_error(probability: FloatArray, judged: FloatArray, squares: FloatArray, indicator: FloatArray) -> FloatArray:
    """sqrt(sum_d e_d^2) / sum_d b_d with e_d = a_d - p b_d: documents independent, readings of one document not.

    For two judgments a document and the symmetric estimate this is eq. (23): the binomial error times
    sqrt(1 + s (1-p)/p) for relevant levels, sqrt(1 + s p/(1-p)) for the others, s = p(i|i). `squares` holds the sums
    over documents of c[i, j] c[i, l], so `sum_d e_d^2 = sum_jl v_j v_l squares[i, j, l]` with v = 1[j in R] - p.

    Still too small where documents of one topic share their difficulty; see `topic_covariance`.
    """
    residual = indicator[None, :] - probability[:, None]
    variance = np.einsum("ij,il,ijl->i", residual, residual, squares)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(judged > 0, np.sqrt(np.maximum(variance, 0)) / judged, np.nan))


def effective_count(total: FloatArray, squares: FloatArray, indicator: FloatArray) -> FloatArray:
    """Kish's `(sum_d b_d)^2 / sum_d b_d^2`: what weighted opinions are worth in documents of equal weight; [levels].

    Weights have no scale of their own: three pairs that stand for a hundred each are three, not three hundred.
    `indicator` says which second labels count into b_d; `total` is the sum of the b_d.

    >>> squares = np.zeros((1, 1, 1)) + 3 * 100.0**2
    >>> effective_count(np.array([300.0]), squares, np.ones(1)).tolist()
    [3.0]
    """
    mass = np.einsum("j,l,ijl->i", indicator, indicator, squares)
    return np.asarray(np.divide(total**2, mass, out=np.zeros_like(total), where=mass > 0))


def topic_covariance(probability: FloatArray, relevant: FloatArray, judged: FloatArray) -> FloatArray:
    """Covariance of the p(R|i) over topics, eq. (24), shape [levels, levels].

    `T/(T-1) sum_t e_ti e_ti' / (B_i B_i')` with `e_ti = relevant - p judged`. T counts the topics that hold pairs.
    NaN for a level seen in fewer than two topics: its residual is 0 by construction, which says nothing about its
    error.
    """
    topics = len(judged)
    total = judged.sum(axis=0)
    seen = (judged > 0).sum(axis=0)
    if topics < 2:
        return np.full((len(total), len(total)), np.nan)
    residual = relevant - np.where(total > 0, probability, 0.0) * judged
    with np.errstate(invalid="ignore", divide="ignore"):
        covariance = topics / (topics - 1) * (residual.T @ residual) / np.outer(total, total)
    unknown = seen < 2
    covariance[unknown, :] = np.nan
    covariance[:, unknown] = np.nan
    return np.asarray(covariance)


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is none (CallError)."""
    if not isinstance(confidence, float | int) or not 0 < confidence < 1:
        raise CallError(f"The confidence must be a number between 0 and 1, found {confidence!r}.")


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
            over = "jackknife over topics and people" if people else "jackknife over topics"
            how = "logit with half a count added" if found.half[level] else "logit"
            skewness = "" if people or found.half[level] else ", corrected for skewness"
            names.append(f"{over}, {how}{skewness}")
    return tuple(names)


def normal_interval(probability: FloatArray, error: FloatArray, *, confidence: float, method: Method) -> Interval:
    """p +- normal quantile * error, cut at 0 and 1.

    >>> normal_interval(np.array([0.1]), np.array([0.1]), confidence=0.95, method="pair").ends.round(3).tolist()
    [[0.0, 0.296]]
    """
    reach = float(scipy.special.ndtri((1 + confidence) / 2)) * error
    ends = np.clip(np.stack([probability - reach, probability + reach], axis=1), 0, 1)
    known = np.asarray(np.isfinite(ends).all(axis=1))
    name = "normal with the error over documents" if method == "pair" else "normal with the binomial error"
    return Interval(np.where(known[:, None], ends, np.nan), tuple(name if ok else None for ok in known))
