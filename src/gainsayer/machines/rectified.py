"""Rectified gains, and scores that people would have given: right on average whatever the machine says.

g is what the machine's grade predicts, h what people say. Where people were asked, the error of the prediction is seen;
weighted by the chance of being asked it stands for the errors that were not seen. So a poor machine costs precision,
never truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from gainsayer.errors import CallError, DataError
from gainsayer.machines.sample import BoolArray, Design, Sample
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

Target = Literal["population", "these"]
FEWEST_TOPICS = 5
FEW_TOPICS = 10


def rectify(sample: Sample, predicted: FloatArray) -> FloatArray:
    """x = g + delta/pi (h - g), whose mean over all samples is h whatever g is; shape [documents].

    Exact under the design, as long as g of a document does not depend on the document's own label: that is why it is
    learned on other topics. Not to be clipped to [0, 1], sorted, or shown one by one: clipping is filling holes with
    the machine's word, and brings its taste back (traps T-b, T-m).

    >>> half = np.full(2, 0.5)
    >>> sample = Sample(np.array([0, 0]), np.array([0, 1]), np.array([np.nan, 1.0]), half, np.ones(1, bool), 2)
    >>> rectify(sample, np.array([0.2, 0.6])).round(3).tolist()
    [0.2, 1.4]
    """
    return np.asarray(predicted + sample.weight * (sample.told - predicted))


@dataclass(frozen=True, eq=False)
class TopicScores:
    """What a measure gives each run on each topic, by people as far as they judged, and by prediction.

    Args:
        people: z, the score with rectified gains, or people's own where whole topics were judged; only of the seen
            topics; shape [runs, seen].
        predicted: f, the score with predicted gains, of all topics; shape [runs, topics].
        alone: z with g = 0, what people alone would estimate from the same labels; shape [runs, seen].
        seen: which topics were seen; shape [topics].
        noise: covariance of the runs' summed z that comes from drawing documents, sum of v_t over seen topics; shape
            [runs, runs]. 0 where whole topics were judged.
        noise_alone: the same with g = 0.
        design: what was drawn.
    """

    people: FloatArray
    predicted: FloatArray
    alone: FloatArray
    seen: BoolArray
    noise: FloatArray
    noise_alone: FloatArray
    design: Design

    @property
    def topics(self) -> int:
        """T."""
        return len(self.seen)

    @property
    def seen_topics(self) -> int:
        """n."""
        return int(self.people.shape[1])


@dataclass(frozen=True, eq=False)
class Estimate:
    """Scores of runs and how sure they are.

    Args:
        score: theta; shape [runs].
        covariance: of the scores of all runs, from which that of any difference follows; shape [runs, runs].
        freedom: degrees of freedom of its t; infinite where the normal distribution serves.
        target: `population` (topics like these) or `these` (what judging everything would give).
    """

    score: FloatArray
    covariance: FloatArray
    freedom: float
    target: Target

    @property
    def standard_error(self) -> FloatArray:
        """Of each score; shape [runs]."""
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    def difference_error(self, a: IntArray, b: IntArray) -> FloatArray:
        """Standard error of the difference of the scores of pairs of runs, V_aa + V_bb - 2 V_ab; shape [pairs]."""
        own = np.diagonal(self.covariance)
        return np.asarray(np.sqrt(np.maximum(own[a] + own[b] - 2 * self.covariance[a, b], 0.0)))

    def reach(self, error: FloatArray, confidence: float) -> FloatArray:
        """Half the width of an interval with this standard error."""
        tail = (1 + confidence) / 2
        quantile = scipy.special.ndtri(tail) if np.isinf(self.freedom) else scipy.special.stdtrit(self.freedom, tail)
        return np.asarray(error * quantile)

    def interval(self, confidence: float) -> FloatArray:
        """Of each score; shape [runs, 2]."""
        reach = self.reach(self.standard_error, confidence)
        return np.stack([self.score - reach, self.score + reach], axis=1)


def weigh_topics(sample: Sample, predicted: FloatArray, weights: FloatArray) -> TopicScores:
    """The scores of each topic by a measure that is a sum, z = sum_d W x and f = sum_d W g.

    Args:
        sample: what people said.
        predicted: g; shape [documents].
        weights: W; shape [runs, documents]. For nDCG divided by the topic's ideal.

    >>> sample = Sample(np.array([0, 1]), np.array([0, 1]), np.array([1.0, 0.0]), np.ones(2), np.ones(2, bool), 2)
    >>> weigh_topics(sample, np.array([0.2, 0.6]), np.ones((1, 2))).people.round(12).tolist()
    [[1.0, 0.0]]
    """
    _refuse_unreachable(sample, weights)
    used = np.flatnonzero(weights.any(axis=0))
    topic, weights = sample.topic[used], weights[:, used]
    seen = sample.seen
    starts = np.searchsorted(topic, np.arange(sample.topics + 1))

    def by_topic(values: FloatArray) -> FloatArray:
        running = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights * values[used], axis=1)], axis=1)
        return np.asarray(running[:, starts[1:]] - running[:, starts[:-1]])

    nothing = np.zeros_like(predicted)
    chosen = used[sample.judged[used] & (sample.probability[used] < 1)]
    spread = np.zeros(len(sample.topic))
    spread[chosen] = (1 - sample.probability[chosen]) / sample.probability[chosen] ** 2

    def noise(prediction: FloatArray) -> FloatArray:
        held = np.searchsorted(used, chosen)
        squared = spread[chosen] * (sample.told[chosen] - prediction[chosen]) ** 2
        # Not `@`: what BLAS adds up in which order depends on the number of threads.
        return np.asarray(np.einsum("ad,bd->ab", weights[:, held] * squared, weights[:, held]))

    return TopicScores(
        people=by_topic(rectify(sample, predicted))[:, seen],
        predicted=by_topic(predicted),
        alone=by_topic(rectify(sample, nothing))[:, seen],
        seen=seen,
        noise=noise(predicted),
        noise_alone=noise(nothing),
        design=sample.design,
    )


def whole_topics(people: FloatArray, predicted: FloatArray, sample: Sample) -> TopicScores:
    """The same for any measure, where people judged whole topics: z is their own score.

    Args:
        people: people's scores of the seen topics; shape [runs, seen].
        predicted: scores with predicted gains of all topics; shape [runs, topics].
        sample: what people said.
    """
    if sample.design != "topics":
        raise CallError("A measure that is no sum over documents needs whole topics.")
    none = np.zeros((len(people), len(people)))
    return TopicScores(people, predicted, people, sample.seen, none, none, "topics")


def estimate_scores(scores: TopicScores, target: Target = "population") -> Estimate:
    """theta = mean over seen topics of (z - f) + mean over all topics of f, with its covariance between runs.

    With e = z - f, and covariances of e and z over the n seen of T topics (divisor n - 1),

        population   V = (1/n - 1/T) S_e + S_z / T
        these        V = (1/n - 1/T) S_e + (sum of v_t over the n seen topics / n) / T

    and v_t the variance that drawing documents brings. Exact for any fixed machine weight: here it is 1, since g was
    fitted to people already. Then scores are additive, no run's score depends on what else is in the table, and the
    difference of two runs has V_aa + V_bb - 2 V_ab. *Not* with a weight per run or per topic (trap T-a).

    Raises:
        DataError: fewer than two seen topics.

    >>> z, f = np.array([[1.0, 3.0]]), np.array([[1.0, 2.0, 3.0]])
    >>> none = np.zeros((1, 1))
    >>> found = estimate_scores(TopicScores(z, f, z, np.array([True, True, False]), none, none, "topics"))
    >>> found.score.tolist(), found.standard_error.round(4).tolist()
    ([2.5], [0.866])
    """
    count, topics = scores.seen_topics, scores.topics
    if count < 2:
        raise DataError(f"An error over topics needs at least two topics that people judged, found {count}.")
    residual = scores.people - scores.predicted[:, scores.seen]
    score = residual.mean(axis=1) + scores.predicted.mean(axis=1)
    between = (1 / count - 1 / topics) * _covariance(residual)
    if target == "population":
        return Estimate(score, between + _covariance(scores.people) / topics, count - 1, target)
    freedom = np.inf if count == topics else count - 1
    return Estimate(score, between + scores.noise / count / topics, freedom, target)


def estimate_people_alone(scores: TopicScores, target: Target = "population") -> Estimate:
    """What the same labels give without the machine: the mean of people's scores, each weighted by its chance.

    It is what the machine has to beat. With documents drawn it is the Horvitz-Thompson estimate.
    """
    count, topics = scores.seen_topics, scores.topics
    if count < 2:
        raise DataError(f"An error over topics needs at least two topics that people judged, found {count}.")
    between = _covariance(scores.alone)
    if target == "population":
        return Estimate(scores.alone.mean(axis=1), between / count, count - 1, target)
    freedom = np.inf if count == topics else count - 1
    spread = (1 / count - 1 / topics) * between + scores.noise_alone / count / topics
    return Estimate(scores.alone.mean(axis=1), spread, freedom, target)


@dataclass(frozen=True)
class Saving:
    """What the machine was good for.

    Args:
        of: scores, or differences of runs.
        saved: 1 - V / V_0: the share of people's labels that it saved, against people alone on the same sample;
            below 0 where it cost some.
        equivalent_topics: so many whole topics judged by people alone would say as much; None where it has no bound.
    """

    of: Literal["score", "difference"]
    saved: float
    equivalent_topics: float | None


def find_savings(scores: TopicScores, target: Target = "population") -> tuple[Saving, ...]:
    """Labels saved against people alone on the same sample, over all runs, and over all pairs of runs.

    saved = 1 - V / V_0; V_0 is V with g = 0. n* = 1 / (V_these / S_h + 1/T), S_h = S_z - mean of v_t: the number of
    whole topics at which people alone are as sure about these topics.

    >>> z = np.array([[1.0, 3.0, 2.0, 4.0]])
    >>> none = np.zeros((1, 1))
    >>> scores = TopicScores(z, np.hstack([z, z]), z, np.arange(8) < 4, none, none, "topics")
    >>> [(found.of, found.saved) for found in find_savings(scores)]
    [('score', 0.5)]
    """
    used, alone = estimate_scores(scores, target).covariance, estimate_people_alone(scores, target).covariance
    these = estimate_scores(scores, "these").covariance
    between = _covariance(scores.people) - scores.noise / scores.seen_topics
    savings = []
    kinds: list[Literal["score", "difference"]] = ["score"] if len(used) < 2 else ["score", "difference"]
    for of in kinds:
        ours, theirs, exact, spread = (_mean_variance(part, of) for part in (used, alone, these, between))
        most = None if spread <= 0 else 1 / (exact / spread + 1 / scores.topics)
        savings.append(Saving(of, 1 - ours / theirs if theirs > 0 else 0.0, most))
    return tuple(savings)


def _mean_variance(covariance: FloatArray, of: str) -> float:
    """Mean over the runs of a variance, or over all pairs of runs of that of their difference."""
    runs, trace = len(covariance), float(np.trace(covariance))
    if of == "score":
        return trace / runs
    return 2 * (runs * trace - float(covariance.sum())) / (runs * (runs - 1))


def _covariance(values: FloatArray) -> FloatArray:
    """Between rows, divisor columns - 1."""
    centred = values - values.mean(axis=1, keepdims=True)
    return np.asarray(np.einsum("at,bt->ab", centred, centred) / (values.shape[1] - 1))


def _refuse_unreachable(sample: Sample, weights: FloatArray) -> None:
    """Refuse a document that counts and could not have been drawn (trap of every convenience sample)."""
    reachable = sample.probability > 0
    lost = sample.seen[sample.topic] & ~reachable & ~np.isnan(sample.probability) & weights.any(axis=0)
    if lost.any():
        raise DataError(
            f"{int(lost.sum()):,} documents count in a run but could not be drawn: their probability is 0. No "
            "weighting can repair that. Give every document a chance, or cut the measure where all documents have one."
        )
