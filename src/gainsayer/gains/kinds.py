"""Gains that are estimated: PRM, its predecessor UDM, and utilities. To add a kind, write a function here.

A function gives the gains of one estimate; `schemes` says how they follow when the estimate changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import scipy

from gainsayer.errors import CallError
from gainsayer.gains.values import FloatArray, Gains, complete_gains, custom_gains
from gainsayer.levels import Levels
from gainsayer.model.estimate import Disagreement
from gainsayer.model.relevance import PredictedRelevance


def prm_gains(
    prediction: PredictedRelevance,
    *,
    at_least: int = 1,
    of: int = 1,
    overrides: Mapping[str, float] | None = None,
) -> Gains:
    """Gains of the Predicted Relevance Model: g(i) = p(R|i), or P(at least M of N random users), eq. (2).

    With p(R|i) as gains, counts, precision, CG and DCG are expected values for a random user. nDCG is the expected
    DCG over the best expected DCG any ranking could reach, *not* the expected nDCG (T8). `at_least` of `of` users gives
    `P(Bin(N, p(R|i)) >= M)`; it takes documents of one level to be alike, which makes it too small for M close to N
    when they are not (T14).

    Args:
        prediction: p(R|i).
        at_least: M.
        of: N.
        overrides: gains given by hand, level name to number, for levels without an estimate.

    Raises:
        MissingParameterError: a level has no second opinions and no override.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairs import count_pairs
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> from gainsayer.model.relevance import predict_relevance
    >>> prediction = predict_relevance(estimate_disagreement(count_pairs(twenty_documents())))
    >>> prm_gains(prediction).values.round(4).tolist()
    [0.0769, 0.2941, 0.4]
    """
    values = _at_least(prediction.probability, at_least, of)
    name = "prm" if of == 1 else f"prm-{at_least}-of-{of}"
    gains = complete_gains(prediction.levels, values, overrides, name=name)
    return replace(gains, threshold=prediction.relevance.name)


def udm_gains(disagreement: Disagreement, *, at_least: int = 1, of: int = 2) -> Gains:
    """Gains of the User Disagreement Model, the predecessor, for comparison, eq. (3).

    The probability that at least M of N assessors, *the observed one included*, say top: for the top level
    `P(Bin(N-1, p(T|T)) >= M-1)`, for the levels between `P(Bin(N-1, p(T|i)) >= M)`, for level 0 (the lowest where none
    is called 0) and any below it 0. Unlike PRM gains
    they do not sum to an expected number of relevant documents for a random user.

    Raises:
        MissingParameterError: a level above the lowest has no second opinions.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairs import count_pairs
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> udm_gains(estimate_disagreement(count_pairs(twenty_documents()))).values.round(4).tolist()
    [0.0, 0.2941, 1.0]
    """
    levels = disagreement.levels
    values = udm_values(levels, disagreement.matrix, at_least=at_least, of=of)
    return complete_gains(levels, values, name="udm")


def udm_values(levels: Levels, matrix: FloatArray, *, at_least: int = 1, of: int = 2) -> FloatArray:
    """UDM gains of one or many matrices p(j|i): [..., levels, levels] in, [..., levels] out; NaN where a row is."""
    top = levels.index(levels.top)
    _check_users(at_least, of)
    probability = np.asarray(matrix[..., top])
    values = _tail(probability, at_least, of - 1)
    values[..., top] = _tail(probability[..., top], at_least - 1, of - 1)
    values[..., : min(levels.lowest, top - 1) + 1] = 0.0
    return values


def utility_gains(
    disagreement: Disagreement, utilities: Mapping[str, float] | FloatArray, *, name: str = "utility"
) -> Gains:
    """Gains `g = P u`: the expected utility of a document to a random user, `g_i = sum_j p(j|i) u_j`.

    `utilities` says what a document is worth that the *user* would put on level j. u = 1[j in R] is the PRM; u = j and
    u = 2^j - 1 give linear and exponential gains corrected for disagreement. Assumes that all users who would put a
    document on level j have the same use of it. It is *not* the utility of the label: where u rises with the level, the
    top label is worth less than u of the top level as soon as anybody disagrees.

    Raises:
        MissingParameterError: a level has no second opinions.
        CallError: a level has no utility.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairs import count_pairs
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> utility_gains(estimate_disagreement(count_pairs(twenty_documents())), np.arange(3.0)).values.round(6).tolist()
    [0.461538, 1.058824, 1.3]
    """
    levels = disagreement.levels
    given = custom_gains(levels, utilities) if isinstance(utilities, Mapping) else Gains(levels, utilities)
    return complete_gains(levels, disagreement.matrix @ given.values, name=name)


def _check_users(at_least: int, of: int) -> None:
    if not 1 <= at_least <= of:
        raise CallError(f"At least M of N users needs 1 <= M <= N, found M = {at_least}, N = {of}.")


def _at_least(probability: FloatArray, at_least: int, of: int) -> FloatArray:
    _check_users(at_least, of)
    return _tail(probability, at_least, of)


def _tail(probability: FloatArray, at_least: int, of: int) -> FloatArray:
    """P(Bin(N, p) >= M), NaN where p is."""
    if at_least <= 0:
        return np.where(np.isnan(probability), np.nan, 1.0)
    if at_least > of:
        return np.where(np.isnan(probability), np.nan, 0.0)
    if of == 1:
        return probability.copy()  # p itself, not 1 - (1 - p)
    return np.asarray(scipy.special.bdtrc(at_least - 1, of, probability))
