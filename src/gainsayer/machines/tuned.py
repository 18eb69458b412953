"""Tuned weights of the machine: one for what all runs share on a topic, one for how they differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gainsayer.errors import CallError
from gainsayer.machines.rectified import FEWEST_TO_TUNE, Estimate, Target, TopicScores
from gainsayer.rankings.ranked_levels import FloatArray


@dataclass(frozen=True)
class TunedWeights:
    """How far the machine's predictions are believed.

    Args:
        shared: lambda_1, for the mean over the runs on a topic.
        between: lambda_2, for what a run differs from that mean.
    """

    shared: float
    between: float


def tune_weights(scores: TopicScores) -> TunedWeights:
    """lambda_1 = cov / var over seen topics of the runs' mean scores, lambda_2 = the same of double-centred scores.

    Two pooled weights, never one per run: that would widen differences by 2 to 10 % against people alone (trap T-a).

    >>> z = np.array([[1.0, 2.0, 4.0], [1.5, 2.0, 3.0]])
    >>> none = np.zeros((2, 2))
    >>> tune_weights(TopicScores(z, 2 * z, z, np.ones(3, bool), none, none, "topics"))
    TunedWeights(shared=0.5, between=0.5)
    """
    people, machine = _split(scores.people), _split(scores.predicted[:, scores.seen])
    weights = [
        float((p * m).sum() / (m * m).sum()) if (m * m).sum() > 0 else 1.0 for p, m in zip(people, machine, strict=True)
    ]
    return TunedWeights(*weights)


def estimate_tuned(scores: TopicScores, target: Target = "population") -> tuple[Estimate, TunedWeights]:
    """The estimate with f replaced by lambda_1 F + lambda_2 (f - F), F the mean over the runs.

    Residuals are divided by 1 - leverage, so that the fitting of the weights is in the error. A run's score then
    depends on which other runs are in the table.

    Raises:
        CallError: documents were drawn in all topics (there is nothing to tune), or fewer than 20 topics were seen.
    """
    count, topics = scores.seen_topics, scores.topics
    if scores.design == "documents" or count == topics:
        raise CallError("Where every topic was seen, there is nothing to tune: the machine's weight cancels.")
    if count < FEWEST_TO_TUNE:
        raise CallError(f"Tuning needs at least {FEWEST_TO_TUNE} topics that people judged, found {count}.")
    weights = tune_weights(scores)
    mean = scores.predicted.mean(axis=0)
    fitted = weights.shared * mean + weights.between * (scores.predicted - mean)
    score = (scores.people - fitted[:, scores.seen]).mean(axis=1) + fitted.mean(axis=1)
    (shared, between), (level, own) = _split(scores.people), _split(scores.predicted[:, scores.seen])
    residual = (shared - weights.shared * level) / _rest(level, count)
    residual = residual + (between - weights.between * own) / _rest(own, count)
    spread = (count - 1) / count**2 * np.einsum("at,bt->ab", residual, residual)
    centred = scores.people - scores.people.mean(axis=1, keepdims=True)
    outer = np.einsum("at,bt->ab", centred, centred) / (count - 1) if target == "population" else scores.noise / count
    return Estimate(score, (1 / count - 1 / topics) * spread + outer / topics, count - 1, target), weights


def _split(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean over runs, centred over topics, shape [1, topics]; and the rest, centred both ways."""
    mean = values.mean(axis=0, keepdims=True)
    rest = values - mean
    return mean - mean.mean(), rest - rest.mean(axis=1, keepdims=True)


def _rest(values: FloatArray, count: int) -> FloatArray:
    """1 - leverage."""
    total = float((values * values).sum())
    return np.asarray(1 - 1 / count - (values**2 / total if total > 0 else 0.0))
