"""p(R|i): how likely a random user is to find a document relevant that an assessor put on level i."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gainsayer.counts.pairs import FloatArray
from gainsayer.disagreement.bootstrap import draw_probabilities
from gainsayer.disagreement.estimate import Disagreement, Estimator
from gainsayer.disagreement.intervals import (
    METHODS,
    Interval,
    Method,
    beta_interval,
    bootstrap_interval,
    jackknife_interval,
    normal_interval,
)
from gainsayer.disagreement.remarks import Evidence, describe_levels, find_weaknesses
from gainsayer.disagreement.smoothing import Smoothing, normalise_rows, part_relevant
from gainsayer.disagreement.standard_errors import binomial_error, effective_count, pair_error, topic_covariance
from gainsayer.disagreement.topic_jackknife import leave_out_each
from gainsayer.display import Displayed
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance


@dataclass(frozen=True, eq=False)
class PredictedRelevance(Displayed):
    """p(R|i) for one notion of relevance, with its counts, errors and intervals; arrays have the shape [levels].

    `probability[i] = relevant_count[i] / judged_count[i]` unless smoothed; NaN where nobody gave a second opinion on
    level i. `covariance` is the one over topics. With smoothing, `binomial` and `pair` are NaN and `topic` is the
    jackknife's; with sampling weights `binomial` is NaN. No error over topics for a level seen in a single one.
    `one_sided` is eq. (4) beside a symmetric estimate of two sides: where these are not exchangeable, the symmetric
    one is an average of two directions (T10).
    """

    levels: Levels
    relevance: Relevance
    estimator: Estimator
    probability: FloatArray
    relevant_count: FloatArray
    judged_count: FloatArray
    binomial: FloatArray
    pair: FloatArray
    topic: FloatArray
    covariance: FloatArray
    interval: Interval
    confidence: float
    topics: int
    pairs: int
    smoothing: Smoothing | None
    seed: int
    notes: tuple[str | None, ...]
    findings: tuple[Finding, ...]
    one_sided: FloatArray | None = None


def predict_relevance(
    disagreement: Disagreement,
    relevance: Relevance | None = None,
    *,
    interval: Method = "jackknife",
    confidence: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> PredictedRelevance:
    """Predict user relevance from the label: `p(R|i) = sum over j in R of p(j|i)`, eqs. (1), (4), (5).

    Assumes that users differ from the first assessor as the second assessors do, and that the label is all that
    matters. It does not hold for documents chosen by something the label does not say, such as being ranked first (T3).

    Args:
        disagreement: the matrix p(j|i).
        relevance: which levels satisfy a user; by default the top level alone.
        interval: `jackknife` over topics on the logit scale (the default), `bootstrap` over topics, `topic` (t with
            eq. 24), `pair`, `binomial`, or `beta` (after smoothing with a prior).
        confidence: the share of such intervals that should cover the truth.
        draws: for the bootstrap interval.
        seed: for the bootstrap interval.

    Raises:
        CallError: an unknown interval; `beta` without a prior; `binomial` of weighted pairs; isotonic smoothing of a
            set that is no threshold.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> prediction = predict_relevance(estimate_disagreement(count_pairs(twenty_documents())))
    >>> prediction.relevant_count.tolist(), prediction.judged_count.tolist()
    ([1.0, 5.0, 4.0], [13.0, 17.0, 10.0])
    >>> prediction.pair.round(6).tolist()
    [0.075777, 0.12086, 0.195959]
    """
    levels = disagreement.levels
    relevance = levels.at_or_above(levels.top) if relevance is None else relevance
    _check(disagreement, relevance, interval, confidence)
    indicator, smoothing = relevance.indicator, disagreement.smoothing
    pairs = disagreement.pairs
    relevant_by_topic = pairs @ indicator
    # Not the row sums: added up in another order they may differ from the relevant ones where there are no others.
    judged_by_topic = relevant_by_topic + pairs @ (1 - indicator)
    judged, relevant = judged_by_topic.sum(axis=0), relevant_by_topic.sum(axis=0)
    share = _share(relevant, judged)
    probability = share if smoothing is None else part_relevant(disagreement.matrix, indicator)
    replicates = _replicates(disagreement, indicator)
    known = (judged_by_topic > 0).sum(axis=0) > 1

    # Weights have no scale of their own, so weighted opinions are counted by what they are worth.
    weighted = disagreement.counts.weighted
    size, relevant_size = judged, relevant
    if weighted:
        size = effective_count(judged, disagreement.squares, np.ones(len(levels)))
        relevant_size = effective_count(relevant, disagreement.squares, indicator)
    binomial = binomial_error(share, size)
    covariance = topic_covariance(share, relevant_by_topic, judged_by_topic)
    effect = _design_effect(np.diagonal(covariance), binomial)
    if smoothing is None:
        pair = pair_error(probability, judged, disagreement.squares, indicator)
    else:
        pair = np.full(len(levels), np.nan)
        covariance = _jackknife_covariance(replicates, known)
    if weighted or smoothing is not None:
        binomial = np.full(len(levels), np.nan)
    topic = np.sqrt(np.diagonal(covariance))

    if interval == "jackknife":
        left = leave_out_each(judged_by_topic) * _share(size, judged)
        ends = jackknife_interval(
            probability,
            np.where(known, replicates, np.nan),
            size,
            left,
            confidence=confidence,
            design_effect=effect,
        )
    elif interval == "bootstrap":
        sample = draw_probabilities(disagreement, relevance, draws=draws, seed=seed)
        ends = bootstrap_interval(np.where(known, sample, np.nan), confidence=confidence)
    elif interval == "beta":
        assert smoothing is not None
        prior = smoothing.weight(len(levels)) * (smoothing.prior_rows(pairs.sum(axis=0)) @ indicator)
        rest = smoothing.weight(len(levels)) - prior
        ends = beta_interval(relevant + prior, judged - relevant + rest, confidence=confidence)
    else:
        error = {"topic": topic, "pair": pair, "binomial": binomial}[interval]
        degrees = len(pairs) - 1 if interval == "topic" else np.inf
        ends = normal_interval(probability, error, confidence=confidence, degrees=degrees, method=interval)

    evidence = Evidence(levels, relevance, share, probability, relevant_size, size, known, len(pairs), smoothing)
    findings = (*disagreement.findings, *find_weaknesses(evidence))
    return PredictedRelevance(
        levels=levels,
        relevance=relevance,
        estimator=disagreement.estimator,
        probability=probability,
        relevant_count=relevant,
        judged_count=judged,
        binomial=binomial,
        pair=pair,
        topic=topic,
        covariance=covariance,
        interval=ends,
        confidence=confidence,
        topics=len(pairs),
        pairs=disagreement.counts.pairs,
        smoothing=smoothing,
        seed=seed,
        notes=describe_levels(evidence),
        findings=findings,
        one_sided=_one_sided(disagreement, indicator),
    )


def _one_sided(disagreement: Disagreement, indicator: FloatArray) -> FloatArray | None:
    counts = disagreement.counts
    if disagreement.estimator == "one-sided" or not counts.directed:
        return None
    return np.asarray(normalise_rows(counts.matrix) @ indicator)


def set_lowest_to_zero(prediction: PredictedRelevance) -> PredictedRelevance:
    """The same with p(R|0) = 0, for parameters that stand for the whole collection; only ever on request.

    The doubly judged documents come from a pool, which is richer in relevant documents than the collection: there
    p(R|0) is not 0, and counts over a pool need it.

    Raises:
        CallError: the levels have no order, and none is called 0.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.counts.pairing import count_pairs
    >>> from gainsayer.disagreement.estimate import estimate_disagreement
    >>> prediction = predict_relevance(estimate_disagreement(count_pairs(twenty_documents())))
    >>> set_lowest_to_zero(prediction).probability.round(3).tolist()
    [0.0, 0.294, 0.4]
    """
    lowest = prediction.levels.lowest

    def zeroed(values: FloatArray) -> FloatArray:
        changed = values.copy()
        changed[lowest] = 0.0
        return changed

    covariance = prediction.covariance.copy()
    covariance[lowest, :] = covariance[:, lowest] = 0.0
    methods = tuple(
        "set to 0" if level == lowest else method for level, method in enumerate(prediction.interval.methods)
    )
    estimate = prediction.probability[lowest]
    note = f"set to 0 as asked ({'no estimate' if np.isnan(estimate) else f'estimate {estimate:.4f}'})"
    notes = tuple(note if level == lowest else old for level, old in enumerate(prediction.notes))
    name = prediction.levels.names[lowest]
    finding = Finding("zeroed-lowest", f"p(R|{name}) was set to 0 as asked.")
    return replace(
        prediction,
        probability=zeroed(prediction.probability),
        binomial=zeroed(prediction.binomial),
        pair=zeroed(prediction.pair),
        topic=zeroed(prediction.topic),
        covariance=covariance,
        interval=Interval(zeroed(prediction.interval.ends), methods),
        notes=notes,
        findings=(*prediction.findings, finding),
    )


def _check(disagreement: Disagreement, relevance: Relevance, interval: Method, confidence: float) -> None:
    if len(relevance.mask) != len(disagreement.levels):
        raise CallError("The relevant levels belong to other levels than the estimate.")
    if interval not in METHODS:
        raise CallError(f"There is no interval {interval!r}: choose one of {', '.join(METHODS)}.")
    if not 0 < confidence < 1:
        raise CallError(f"The confidence must lie between 0 and 1, found {confidence}.")
    smoothing = disagreement.smoothing
    if interval == "beta" and (smoothing is None or smoothing.kind == "isotonic"):
        raise CallError("A beta interval needs a prior: --smooth uniform, marginal or pooled.")
    if interval in ("pair", "binomial") and smoothing is not None:
        raise CallError(
            f"The {interval} error is that of raw estimates. Leave out --smooth, or choose another interval."
        )
    if interval == "binomial" and disagreement.counts.weighted:
        raise CallError(
            "The binomial error knows no weights. Choose another interval: jackknife, bootstrap, topic or pair."
        )
    if smoothing is not None and smoothing.kind == "isotonic" and relevance.threshold is None:
        raise CallError("Isotonic smoothing needs a threshold: the relevant levels must be the highest ones.")


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, np.nan))


def _replicates(disagreement: Disagreement, indicator: FloatArray) -> FloatArray:
    """p(R|i) without each topic in turn, shape [topics, levels]."""
    if disagreement.smoothing is not None:
        return part_relevant(disagreement.apply(leave_out_each(disagreement.pairs)), indicator)
    relevant = leave_out_each(disagreement.pairs @ indicator)
    other = leave_out_each(disagreement.pairs @ (1 - indicator))
    return _share(relevant, relevant + other)


def _jackknife_covariance(replicates: FloatArray, known: npt.NDArray[np.bool_]) -> FloatArray:
    """NaN for a level seen in fewer than two topics: without them the prior is left, which does not vary."""
    topics, size = replicates.shape
    if topics < 2:
        return np.full((size, size), np.nan)
    centred = np.where(known, replicates - replicates.mean(axis=0), np.nan)
    return np.asarray((topics - 1) / topics * (centred.T @ centred))


def _design_effect(variance: FloatArray, binomial: FloatArray) -> float:
    """The largest ratio of the variance over topics to the binomial one; at least 1."""
    known = np.isfinite(variance) & (binomial > 0)
    return float((variance[known] / binomial[known] ** 2).max(initial=1.0))
