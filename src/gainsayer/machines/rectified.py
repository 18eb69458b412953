"""Rectified gains, and scores that people would have given: right on average whatever the machine says.

g is what the machine's grade predicts, h what people say. Where people were asked, the error of the prediction is seen;
weighted by the chance of being asked it stands for the errors that were not seen. So a poor machine costs precision,
never truth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from gainsayer.errors import DataError
from gainsayer.machines.document_gains import RankWeights
from gainsayer.machines.sample import BoolArray, Design, Opinions, Sample
from gainsayer.model.variance import Spread, share_of
from gainsayer.ranking.ranked import FloatArray, IntArray
from gainsayer.words import counted

Target = Literal["population", "these"]
FEW_LIKED: Final = 40
"""Relevant labels below which the variance is that which is expected, where this is larger than what labels show."""
FEWEST_PEOPLE: Final = 3
"""K* above which intervals allow for other people."""
_DUST: Final = 1e-12
_ALL: Final = slice(None)


def rectify(sample: Sample, predicted: FloatArray, documents: IntArray | slice = _ALL) -> FloatArray:
    """x = g + delta/pi (h - g), whose mean over all samples is h whatever g is, of all or of these documents.

    Exact under the design, as long as g of a document does not depend on the document's own label: that is why it is
    learned on other topics. Not to be clipped to [0, 1], sorted, or shown one by one: clipping is filling holes with
    the machine's word, and brings its taste back (traps T-b, T-m).

    Args:
        sample: what people said.
        predicted: g of these documents.
        documents: their places; all of them by default.

    >>> half = np.full(2, 0.5)
    >>> told, seen = np.array([np.nan, 1.0]), np.ones(1, bool)
    >>> sample = Sample(np.array([0, 0]), np.array([0, 1]), told, half, seen, 2, "documents")
    >>> rectify(sample, np.array([0.2, 0.6])).round(3).tolist()
    [0.2, 1.4]
    """
    told = np.nan_to_num(sample.relevant[documents])  # nobody's word weighs nothing
    return np.asarray(predicted + sample.weight[documents] * (told - predicted))


def base_rate(sample: Sample) -> FloatArray:
    """The weighted mean of people's labels of all other topics: g of somebody who has no machine; shape [topics].

    >>> told, chance = np.array([1.0, 0.0, 0.0]), np.array([0.5, 1.0, 1.0])
    >>> base_rate(Sample(np.arange(3), np.zeros(3, int), told, chance, np.ones(3, bool), 1, "documents")).tolist()
    [0.0, 0.6666666666666666, 0.6666666666666666]
    """
    labelled = np.flatnonzero(sample.judged)
    topic, weight = sample.topic[labelled], sample.weight[labelled]
    every, liked = (
        np.bincount(topic, values, minlength=sample.topics) for values in (weight, weight * sample.relevant[labelled])
    )
    return share_of(liked.sum() - liked, every.sum() - every, empty=0.0)


@dataclass(frozen=True, eq=False)
class PeopleParts:
    """What people's own ways bring to scores, as matrices over runs; see `spread_over_people`.

    Args:
        people: V_P.
        noise: V_N.
        labels: the sum of v_t where a judged document's label is still one person's; takes the place of the noise of
            drawing.
        effective: K*, how many people who judge alike much these are worth.
        apart: whether some person judged in two topics, so that people can be told from topics.
    """

    people: FloatArray
    noise: FloatArray
    labels: FloatArray
    effective: float
    apart: bool

    @property
    def enough(self) -> bool:
        """Whether there are enough people to speak of others like them."""
        return self.apart and self.effective > FEWEST_PEOPLE


@dataclass(frozen=True, eq=False)
class TopicScores:
    """What a measure gives each run on each topic, by people as far as they judged, and by prediction.

    Args:
        people: z, the score with rectified gains, or people's own where whole topics were judged; only of the seen
            topics; shape [runs, seen].
        predicted: f, the score with predicted gains, of all topics; shape [runs, topics].
        alone: z with the base rate for g, what people alone would estimate from the same labels; shape [runs, seen].
        seen: which topics were seen; shape [topics].
        noise: covariance of the runs' summed z that comes from drawing documents, sum of v_t over seen topics; shape
            [runs, runs]. 0 where whole topics were judged.
        noise_alone: the same with the base rate for g.
        design: what was drawn.
        complete: whether every document that counts in the run was judged; shape [runs].
        of_people: where several people are known by name.
        unseen: by how much more noise is expected of all documents than labels show; None where enough were relevant.
    """

    people: FloatArray
    predicted: FloatArray
    alone: FloatArray
    seen: BoolArray
    noise: FloatArray
    noise_alone: FloatArray
    design: Design
    complete: BoolArray
    of_people: PeopleParts | None = None
    unseen: FloatArray | None = None

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

    A quantity's variance is that of its matrix: `V_ss` of a score, `V_aa + V_bb - 2 V_ab` of a difference.

    Args:
        score: theta; shape [runs].
        covariance: of the scores of all runs; shape [runs, runs].
        freedom: degrees of freedom of its t; infinite where the normal distribution serves.
        target: `population` (topics like these) or `these` (what judging everything would give).
        known: whether there is an interval; shape [runs].
        either: two further parts of the variance, of which the larger counts.
        of_people: where the interval allows for other people.
    """

    score: FloatArray
    covariance: FloatArray
    freedom: float
    target: Target
    known: BoolArray
    either: tuple[FloatArray, FloatArray] | None = None
    of_people: PeopleParts | None = None

    def spread(self, a: IntArray | None = None, b: IntArray | None = None) -> Spread:
        """Of the scores, or of the differences of pairs of runs."""
        topics = variance_of(self.covariance, a, b)
        if self.either is not None:
            topics = topics + np.maximum(*(variance_of(part, a, b) for part in self.either))
        degrees = np.full(len(topics), self.freedom)
        if self.of_people is None:
            return Spread(topics, degrees)
        people, noise = (variance_of(part, a, b)[None] for part in (self.of_people.people, self.of_people.noise))
        return Spread(topics, degrees, people, noise, np.full_like(people, max(1.0, self.of_people.effective - 1)))

    def error(self, a: IntArray | None = None, b: IntArray | None = None) -> FloatArray:
        """Standard errors of scores or differences; NaN where they are not known."""
        spread = self.spread(a, b)
        total = np.maximum(spread.topics, spread.left + spread.net.sum(axis=0))
        return np.where(self._known(a, b), np.sqrt(total), np.nan)

    def reach(self, confidence: float, a: IntArray | None = None, b: IntArray | None = None) -> FloatArray:
        """Half the width of intervals of scores or differences; NaN where there is none."""
        return np.where(self._known(a, b), self.spread(a, b).reach(1 - confidence), np.nan)

    def interval(self, confidence: float) -> FloatArray:
        """Of each score; shape [runs, 2]."""
        reach = self.reach(confidence)
        return np.stack([self.score - reach, self.score + reach], axis=1)

    def p(self, a: IntArray, b: IntArray) -> FloatArray:
        """Two-sided p-values of differences; NaN where nothing is known."""
        spread, apart = self.spread(a, b), self.score[a] - self.score[b]
        return np.where(self._known(a, b), np.where(apart == 0, 1.0, spread.p(apart)), np.nan)

    def _known(self, a: IntArray | None, b: IntArray | None) -> BoolArray:
        return self.known if a is None or b is None else self.known[a] & self.known[b]


def variance_of(matrix: FloatArray, a: IntArray | None, b: IntArray | None) -> FloatArray:
    """V_ss of all runs, or V_aa + V_bb - 2 V_ab of pairs; what is only rounding is 0."""
    own = np.diagonal(matrix)
    if a is None or b is None:
        return np.maximum(own, 0.0)
    both = own[a] + own[b]
    apart = both - 2 * matrix[a, b]
    return np.where(apart > _DUST * np.abs(both), apart, 0.0)


def weigh_topics(sample: Sample, predicted: FloatArray, weights: RankWeights) -> TopicScores:
    """The scores of each topic by a measure that is a sum, z = sum_d W x and f = sum_d W g.

    Args:
        sample: what people said.
        predicted: g; shape [documents].
        weights: W.

    >>> told, all_seen = np.array([1.0, 0.0]), np.ones(2, bool)
    >>> sample = Sample(np.array([0, 1]), np.array([0, 1]), told, np.ones(2), all_seen, 2, "documents")
    >>> weights = RankWeights(np.array([0, 1]), np.ones((1, 2)))
    >>> weigh_topics(sample, np.array([0.2, 0.6]), weights).people.round(12).tolist()
    [[1.0, 0.0]]
    """
    refuse_unreachable(sample, weights.document)
    top, seen = weights.document, sample.seen
    rate, gain = base_rate(sample), predicted[top]
    labelled = np.flatnonzero(sample.judged)
    held, pi, told = weights.of(labelled), sample.probability[labelled], sample.relevant[labelled]
    plain = rate[sample.topic[labelled]]

    def by_topic(values: FloatArray) -> FloatArray:
        return weights.sum_by_topic(sample.topic, sample.topics, values)

    def noise(prediction: FloatArray, share: FloatArray) -> FloatArray:
        squared = share * (told - prediction) ** 2
        # Not `@`: what BLAS adds up in which order depends on the number of threads.
        return np.asarray(np.einsum("ad,bd->ab", held * squared, held))

    drawn = (1 - pi) / pi**2
    shown, unseen, inside = noise(predicted[labelled], drawn), None, seen[sample.topic[top]]
    if sample.liked < FEW_LIKED and (sample.probability[top][inside] > 0).all():
        odds = np.divide(1 - sample.probability[top], sample.probability[top], out=np.zeros(len(top)), where=inside)
        scale = odds * gain * (1 - gain)
        unseen = np.asarray(np.einsum("ad,bd->ab", weights.weight * scale, weights.weight) - shown)
    missing = inside & ~sample.judged[top]
    return TopicScores(
        people=by_topic(rectify(sample, gain, top))[:, seen],
        predicted=by_topic(gain),
        alone=by_topic(rectify(sample, rate[sample.topic[top]], top))[:, seen],
        seen=seen,
        noise=shown,
        noise_alone=noise(plain, drawn),
        design=sample.design,
        complete=np.asarray(~((weights.weight > 0) & missing).any(axis=1)),
        of_people=None
        if sample.opinions is None
        else spread_over_people(sample, sample.opinions, predicted, weights, noise(predicted[labelled], 1 / pi**2)),
        unseen=unseen,
    )


def spread_over_people(
    sample: Sample, opinions: Opinions, predicted: FloatArray, weights: RankWeights, labels: FloatArray
) -> PeopleParts:
    """How scores vary with the people who judge.

    For every opinion o on a document d that n_d people judged:

        c_o = W (y_o - g) / (n_d pi T),   r_k = sum of person k's,   s_k = k's share of the opinions
        V_P = sum_k (r_k - s_k r)² / (1 - s_k),   V_N = sum_o c_o²,   K* = 1 / sum s_k²
    """
    document, person = opinions.document, opinions.person
    times = np.bincount(document, minlength=len(sample.topic))[document]
    worth = (opinions.satisfied - predicted[document]) / (times * sample.probability[document] * sample.seen_topics)
    each = weights.of(document) * worth
    share = np.bincount(person, minlength=len(opinions.people)) / len(person)
    own = np.stack([np.bincount(person, row, minlength=len(opinions.people)) for row in each])
    apart = (own - share * own.sum(axis=1, keepdims=True)) / np.sqrt(np.maximum(1 - share, _DUST))
    topics = np.unique(np.stack([person, sample.topic[document]]), axis=1)[0]
    return PeopleParts(
        people=np.asarray(np.einsum("ak,bk->ab", apart, apart)),
        noise=np.asarray(np.einsum("ao,bo->ab", each, each)),
        labels=labels,
        effective=float(1 / (share**2).sum()),
        apart=bool((np.bincount(topics) > 1).any()),
    )


def estimate_scores(scores: TopicScores, target: Target = "population") -> Estimate:
    """theta = mean over seen topics of (z - f) + mean over all topics of f, with its covariance between runs.

    With e = z - f, and covariances of e and z over the n seen of T topics (divisor n - 1),

        population   V = (1/n - 1/T) S_e + S_z / T
        these        V = (1/n - 1/T) S_e + (sum of v_t over the n seen topics / n) / T

    and v_t the variance that drawing documents brings. Where few labels are relevant, most that are were not drawn and
    leave no trace in v_t; then the larger counts of v_t and what the grades lead to expect of all documents,

        sum_d W² (1 - pi) / pi g (1 - g)

    Exact for any fixed machine weight: here it is 1, since g was
    fitted to people already. Then scores are additive, no run's score depends on what else is in the table, and the
    difference of two runs has V_aa + V_bb - 2 V_ab. *Not* with a weight per run or per topic (trap T-a).

    Where enough people are known by name, V is the topics' part of a `Spread`, next to V_P and V_N; for these topics
    v_t is then what single labels bring, also of documents that were sure to be judged.

    Where no error was seen at all, as people liked none of what they judged, there is no interval: a variance of 0
    would be that of a sample that happens to say nothing.

    Raises:
        DataError: fewer than two seen topics.

    >>> z, f = np.array([[1.0, 3.0]]), np.array([[1.0, 2.0, 3.0]])
    >>> none, seen = np.zeros((1, 1)), np.array([True, True, False])
    >>> found = estimate_scores(TopicScores(z, f, z, seen, none, none, "topics", np.ones(1, bool)))
    >>> found.score.tolist(), found.error().round(4).tolist()
    ([2.5], [0.866])
    """
    count, topics = _count_topics(scores)
    people = scores.of_people if scores.of_people is not None and scores.of_people.enough else None
    residual = scores.people - scores.predicted[:, scores.seen]
    score = residual.mean(axis=1) + scores.predicted.mean(axis=1)
    total = (1 / count - 1 / topics) * covariance_of(residual)
    freedom = float(count - 1)
    if target == "population":
        total = total + covariance_of(scores.people) / topics
    else:
        noise = scores.noise if people is None else people.labels
        total = total + noise / count / topics
        freedom = np.inf if count == topics else freedom
    more = None if scores.unseen is None else (scores.unseen / count / topics, np.zeros_like(total))
    widest = np.diagonal(total) + (0.0 if more is None else np.maximum(np.diagonal(more[0]), 0.0))
    every = scores.complete & (count == topics) & (target == "these")
    known = every | (widest > _DUST**2 * np.maximum(1.0, score**2))
    return Estimate(score, total, freedom, target, known, more, people)


def estimate_people_alone(scores: TopicScores, target: Target = "population") -> Estimate:
    """What the same labels give without the machine: it is what the machine has to beat.

    With documents drawn, the same estimate with the base rate for g, which is at least as good as weighing labels by
    their chances alone; with whole topics the mean of people's scores.
    """
    count, topics = _count_topics(scores)
    between = covariance_of(scores.alone)
    freedom = float(count - 1)
    if target == "population":
        total = between / count
    else:
        total = (1 / count - 1 / topics) * between + scores.noise_alone / count / topics
        freedom = np.inf if count == topics else freedom
    return Estimate(scores.alone.mean(axis=1), total, freedom, target, np.diagonal(total) > 0)


def _count_topics(scores: TopicScores) -> tuple[int, int]:
    if scores.seen_topics < 2:
        raise DataError(
            f"An error over topics needs at least two topics that people judged, found {scores.seen_topics}."
        )
    return scores.seen_topics, scores.topics


@dataclass(frozen=True)
class Saving:
    """What the machine was good for.

    Args:
        of: scores, or differences of runs.
        saved: 1 - V / V_0: the share of the variance that it took away, against people alone on the same sample;
            below 0 where it brought some.
        equivalent_topics: so many whole topics judged by people alone would say as much; None where it has no bound.
    """

    of: Literal["score", "difference"]
    saved: float
    equivalent_topics: float | None = field(default=None)


def find_savings(scores: TopicScores, target: Target = "population") -> tuple[Saving, ...]:
    """How much of the variance the machine saved against people alone, over all runs, and over all pairs of runs.

    saved = 1 - V / V_0; V_0 is V with the base rate for g. n* = 1 / (V_these / S_h + 1/T), S_h = S_z - mean of v_t: the
    number of whole topics at which people alone are as sure about these topics.

    >>> z = np.array([[1.0, 3.0, 2.0, 4.0]])
    >>> none, seen = np.zeros((1, 1)), np.arange(8) < 4
    >>> scores = TopicScores(z, np.hstack([z, z]), z, seen, none, none, "topics", np.ones(1, bool))
    >>> [(found.of, found.saved) for found in find_savings(scores)]
    [('score', 0.5)]
    """
    used, alone = estimate_scores(scores, target).covariance, estimate_people_alone(scores, target).covariance
    these = estimate_scores(scores, "these").covariance
    between = covariance_of(scores.people) - scores.noise / scores.seen_topics
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


def covariance_of(values: FloatArray) -> FloatArray:
    """Between rows, divisor columns - 1."""
    centred = values - values.mean(axis=1, keepdims=True)
    return np.asarray(np.einsum("at,bt->ab", centred, centred) / (values.shape[1] - 1))


def refuse_unreachable(sample: Sample, needed: IntArray) -> None:
    """Refuse documents that count and could not have been drawn (trap of every convenience sample)."""
    lost = sample.seen[sample.topic[needed]] & (sample.probability[needed] <= 0)
    if lost.any():
        raise DataError(
            f"{counted(int(lost.sum()), 'document')} could not be drawn, as the probability is 0, and may count. No "
            "weighting can repair that. Give every document a chance, or cut the measure where all documents have one."
        )
