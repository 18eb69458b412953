"""p(R|i): how likely a random user is to find a document relevant that an assessor put on level i."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance
from gainsayer.model.caveats import Evidence, describe_levels, find_empty_intervals, find_heavy_topic, find_weaknesses
from gainsayer.model.estimate import Disagreement, Estimator, Smoothing, normalise_rows, part_relevant
from gainsayer.model.intervals import (
    METHODS,
    Interval,
    Method,
    binomial_error,
    check_confidence,
    effective_count,
    name_methods,
    normal_interval,
    pair_error,
    topic_covariance,
)
from gainsayer.model.pairs import FloatArray, PairCounts
from gainsayer.model.people import GainPeople, Panel, PeopleCut, choose_panel, find_cuts, warn_of_few, weigh_people
from gainsayer.model.variance import (
    BoolArray,
    Cut,
    LogitEnds,
    Spread,
    all_in_one,
    delete_each,
    effective_topics,
    leave_out_each,
    logit_ends,
    share_of,
)
from gainsayer.text import option


@dataclass(frozen=True, eq=False, repr=False)
class PredictedRelevance:
    """p(R|i) for one notion of relevance, with its counts, errors and intervals; arrays have the shape [levels].

    `judged_count` and `relevant_count` are second opinions, without weights; `probability` is their ratio unless pairs
    have weights (sampling, unequal numbers of judgments) or were smoothed, NaN where nobody gave a second opinion on
    level i. `covariance` is the one over topics. With smoothing, `binomial` and `pair` are NaN and `topic` is the
    jackknife's; with sampling weights `binomial` is NaN. No error over topics for a level seen in a single one.
    `effective_topics` is T*, how many equal topics the level's topics are worth; `degrees` are those of the t quantile,
    NaN where the interval uses none. `panel` is who stands for users, and `spread` how far the logits may be off; None
    for intervals that are over neither topics nor people; `people` is what people add on the scale of probabilities,
    None where the intervals are not over people. `skewness` bends intervals over topics. `counted` says what
    `judged_count` counts: second opinions, or judgments where each is shared among the others who judged the document.
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
    notes: tuple[str | None, ...]
    findings: tuple[Finding, ...]
    effective_topics: FloatArray
    degrees: FloatArray
    panel: Panel
    spread: Spread | None = None
    people: GainPeople | None = None
    known: bool = True
    counted: str = "second opinions"
    one_sided: FloatArray | None = None
    skewness: FloatArray = field(default_factory=lambda: np.empty(0))

    @property
    def interval_note(self) -> str | None:
        """Whom the intervals are for, in a sentence; None where there is no such interval."""
        return f"The intervals speak of {self.panel.whom}." if self.known else None

    def along(self, slope: FloatArray) -> Spread:
        """How far sums of the probabilities, `slope @ p`, may be off: [quantities, levels] in, [quantities] out.

        The variance over topics is `G' C G` with as many degrees of freedom as the weakest of the levels has; over
        people see `GainPeople.along`.
        """
        variance = np.einsum("ql,lm,qm->q", slope, np.nan_to_num(self.covariance), slope)
        variance[(slope != 0) @ np.isnan(np.diagonal(self.covariance))] = np.nan
        own = np.where(np.isnan(self.degrees), self.topics - 1.0, self.degrees)
        degrees = np.where(slope != 0, own, np.inf).min(axis=1)
        if self.people is None:
            return Spread(variance, degrees)
        return Spread(variance, degrees, *self.people.along(slope), self.people.n)

    def __repr__(self) -> str:
        worth = ", ".join(f"{name}: {p:.3f}" for name, p in zip(self.levels.names, self.probability, strict=True))
        return f"PredictedRelevance({worth}; R = {self.relevance.name}, {self.estimator}, {self.topics} topics)"


def predict_relevance(
    disagreement: Disagreement,
    relevance: Relevance | None = None,
    *,
    interval: Method = "auto",
    confidence: float = 0.95,
) -> PredictedRelevance:
    """Predict user relevance from the label: `p(R|i) = sum over j in R of p(j|i)`, eqs. (1), (4), (5).

    Assumes that users differ from the first assessor as the second assessors do, and that the label is all that
    matters. It does not hold for documents chosen by something the label does not say, such as being ranked first (T3).

    Args:
        disagreement: the matrix p(j|i).
        relevance: which levels satisfy a user; by default the top level alone.
        interval: `topics` (see `topic_intervals`), `people` (topics and people: see `Spread`), `pair` or `binomial`.
            `auto`, the default, is `people` where the named assessors who stand for users are worth more than three
            equal ones and some of them judged several topics, else `topics`.
        confidence: the share of such intervals that should cover the truth.

    Raises:
        CallError: an unknown interval; `people` where no side that stands for users has two names; `binomial` of
            weighted pairs; isotonic smoothing of a set that is no threshold.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.model.pairs import count_pairs
    >>> from gainsayer.model.estimate import estimate_disagreement
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
    relevant_by_topic, judged_by_topic = _count_by(pairs, indicator)
    judged, relevant = judged_by_topic.sum(axis=0), relevant_by_topic.sum(axis=0)
    share = share_of(relevant, judged)
    probability = share if smoothing is None else part_relevant(disagreement.matrix, indicator)
    known = (judged_by_topic > 0).sum(axis=0) > 1
    opinions, relevant_opinions = _count_opinions(disagreement, indicator)

    # Weights have no scale of their own, so weighted opinions are counted by what they are worth.
    weighted = disagreement.counts.weighted
    size, relevant_size = opinions, relevant_opinions
    if weighted:
        size = effective_count(judged, disagreement.squares, np.ones(len(levels)))
        relevant_size = effective_count(relevant, disagreement.squares, indicator)
    covariance = topic_covariance(share, relevant_by_topic, judged_by_topic)
    if smoothing is None:
        pair = pair_error(probability, judged, disagreement.squares, indicator)
    else:
        pair = np.full(len(levels), np.nan)
        covariance = _jackknife_covariance(_without_each_topic(disagreement, indicator), known)
    binomial = binomial_error(share, opinions)
    if weighted or smoothing is not None:
        binomial = np.full(len(levels), np.nan)

    cuts, n = find_cuts(disagreement)
    single_variance = np.nan_to_num(share * (1 - share))
    panel = choose_panel(disagreement, cuts, [single_variance], forced=interval == "people")
    over_people = interval in ("auto", "people") and panel.over == "topics and people"
    panel = panel if over_people else replace(panel, over="topics")
    degrees = np.full(len(levels), np.nan)
    spread: Spread | None = None
    people: GainPeople | None = None
    skewness = np.zeros(len(levels))
    findings = list(disagreement.findings)
    if interval in ("auto", "topics", "people"):
        ones = np.ones(len(levels))
        found = _find_ends(
            disagreement,
            indicator,
            probability,
            share_of(size, judged, empty=1.0) if weighted else ones,
            _scale_of_rarer(relevant, judged, relevant_opinions, opinions) if weighted else ones,
            cuts if over_people else (),
            n,
            confidence,
        )
        ends = Interval(found.ends, name_methods(found, people=over_people))
        degrees, spread, skewness = found.degrees, found.spread, found.skewness
        if over_people:
            predict = partial(_predict_from_counts, disagreement, indicator)
            people = weigh_people(cuts, n, predict, single_variance)
        few = warn_of_few(panel) if known.any() else None
        findings += [] if few is None else [few]
    else:
        error = {"pair": pair, "binomial": binomial}[interval]
        ends = normal_interval(probability, error, confidence=confidence, method=interval)

    effective = effective_topics(judged_by_topic)
    evidence = Evidence(
        levels,
        relevance,
        share,
        probability,
        relevant_size,
        size,
        known,
        len(pairs),
        float(effective_topics(judged_by_topic.sum(axis=1, keepdims=True))[0]),
        smoothing,
    )
    return PredictedRelevance(
        levels=levels,
        relevance=relevance,
        estimator=disagreement.estimator,
        probability=probability,
        relevant_count=relevant_opinions,
        judged_count=opinions,
        binomial=binomial,
        pair=pair,
        topic=np.sqrt(np.diagonal(covariance)),
        covariance=covariance,
        interval=ends,
        confidence=confidence,
        topics=len(pairs),
        pairs=disagreement.counts.pairs,
        smoothing=smoothing,
        notes=describe_levels(evidence),
        findings=(
            *findings,
            *find_weaknesses(evidence),
            *find_empty_intervals(levels, ends.ends, relevance.name),
            *find_heavy_topic(
                levels, disagreement.counts.topics, judged_by_topic, relevant_by_topic, ends.ends, relevance.name
            ),
        ),
        effective_topics=effective,
        degrees=degrees,
        panel=panel,
        spread=spread,
        people=people,
        known=bool(known.any()) and interval in ("auto", "topics", "people"),
        counted=_name_counted(disagreement.counts),
        one_sided=_one_sided(disagreement, indicator),
        skewness=skewness,
    )


def _predict_from_counts(disagreement: Disagreement, indicator: FloatArray, counts: FloatArray) -> FloatArray:
    """p(R|i) of other counts, shape [..., levels]."""
    return part_relevant(disagreement.apply(counts), indicator)


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
    >>> from gainsayer.model.pairs import count_pairs
    >>> from gainsayer.model.estimate import estimate_disagreement
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
    people = prediction.people
    if people is not None:
        others = np.arange(len(prediction.levels)) != lowest
        both = np.outer(others, others)
        single = people.single_variance * others
        people = replace(people, people=people.people * both, noise=people.noise * both, single_variance=single)
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
        people=people,
        interval=Interval(zeroed(prediction.interval.ends), methods),
        degrees=np.where(np.arange(len(prediction.levels)) == lowest, np.nan, prediction.degrees),
        notes=notes,
        findings=(*prediction.findings, finding),
    )


def _check(disagreement: Disagreement, relevance: Relevance, interval: Method, confidence: float) -> None:
    if len(relevance.mask) != len(disagreement.levels):
        raise CallError("The relevant levels belong to other levels than the estimate.")
    if interval not in METHODS:
        raise CallError(f"There is no interval {interval!r}: choose one of {', '.join(METHODS)}.")
    check_confidence(confidence)
    smoothing = disagreement.smoothing
    if interval == "people":
        cuts, _ = find_cuts(disagreement)
        if not cuts:
            panel = choose_panel(disagreement, cuts, ())
            found = " and ".join(", ".join(side) or "opinions without names" for side in panel.sides)
            raise CallError(
                "An interval over people needs at least two named assessors on a side that stands for users, found "
                f"{found}. Name the assessors, or take the interval over topics."
            )
    if interval in ("pair", "binomial") and smoothing is not None:
        raise CallError(
            f"The {interval} error is that of raw estimates. Leave out {option('smooth')}, or choose another interval."
        )
    if interval == "binomial" and disagreement.counts.weighted:
        raise CallError("The binomial error knows no weights. Choose another interval: topics, people or pair.")
    if smoothing is not None and smoothing.kind == "isotonic" and relevance.threshold is None:
        raise CallError("Isotonic smoothing needs a threshold: the relevant levels must be the highest ones.")


def _count_opinions(disagreement: Disagreement, indicator: FloatArray) -> tuple[FloatArray, FloatArray]:
    """All second opinions by first label, whole numbers, and the relevant ones among them; shape [levels]."""
    counts = disagreement.counts
    opinions = counts.matrix if counts.opinions is None else counts.opinions
    if disagreement.estimator == "symmetric" and counts.directed:
        opinions = opinions + opinions.T
    relevant = opinions @ indicator
    judged = relevant + opinions @ (1 - indicator)
    return np.round(judged), relevant


def _scale_of_rarer(
    relevant: FloatArray, judged: FloatArray, relevant_count: FloatArray, count: FloatArray
) -> FloatArray:
    """What makes the mean weight of the rarer outcome's readings 1, so that half a count is half of one of them.

    Rarer is what weighs less in all, however many readings that are: many light ones may be worth less than one heavy.
    """
    other, other_count = judged - relevant, count - relevant_count
    fewer = relevant <= other
    number, weight = np.where(fewer, relevant_count, other_count), np.where(fewer, relevant, other)
    return np.where(number > 0, share_of(number, weight, empty=1.0), share_of(count, judged, empty=1.0))


def _name_counted(counts: PairCounts) -> str:
    return "second opinions" if counts.directed or counts.weighting == "pair" else "judgments"


def _find_ends(
    disagreement: Disagreement,
    indicator: FloatArray,
    probability: FloatArray,
    scale: FloatArray,
    rare: FloatArray,
    cuts: Sequence[PeopleCut],
    n: int,
    confidence: float,
) -> LogitEnds:
    """The interval over topics, and over people where there are cuts of them.

    After smoothing the logits are those of the smoothed estimate and of its replicates; h, T* and degrees of freedom
    are those of the opinions, as without smoothing.

    Args:
        disagreement: the estimate.
        indicator: 1 for the relevant levels.
        probability: p(R|i).
        scale: what makes weighted opinions as many as they are worth; shape [levels].
        rare: the same where half a count is added, which is half a reading of the rarer outcome.
        cuts: whom to leave out.
        n: how many of a pair's two people that are.
        confidence: such as 0.95.
    """
    relevant, judged = _count_by(disagreement.pairs, indicator)
    other = judged - relevant
    parts = [_count_by(cut.people, indicator) for cut in cuts]
    sums = relevant.sum(axis=0), other.sum(axis=0)
    if disagreement.smoothing is None:
        half = all_in_one(relevant) | all_in_one(other)
        for a, b in parts:
            half |= all_in_one(a, sums[0]) | all_in_one(b - a, sums[1])
        unit = np.where(half, rare, scale)
        relevant, judged, other = relevant * unit, judged * unit, other * unit
        sums = relevant.sum(axis=0), other.sum(axis=0)
        centre, moves = delete_each(relevant, other, *sums, half)

        def cut_logit(by: FloatArray, whole: FloatArray | None) -> Cut:
            a, b = (part * unit for part in _count_by(by, indicator))
            total = judged.sum(axis=0) if whole is None else whole * unit
            return Cut(delete_each(a, b - a, *sums, half)[1], share_of(b, total, empty=0.0))

        people = [(cut_logit(cut.people, cut.people.sum(axis=(0, 2))), cut_logit(cut.cells, None)) for cut in cuts]
        return logit_ends(relevant, judged, centre, moves, half, confidence=confidence, people=people, n=n)
    relevant, judged = relevant * scale, judged * scale
    replicates = [(_without_each_topic(disagreement, indicator), leave_out_each(judged))]
    for cut in cuts:
        for by in (cut.people, cut.cells):
            rest = np.maximum(cut.total - by, 0.0)
            replicates.append((part_relevant(disagreement.apply(rest), indicator), rest.sum(axis=2) * scale))
    seen = [replicates[0], *replicates[1::2]]
    centre, moved, half = _smoothed_logits(probability, judged, replicates, seen)
    shares = [
        share_of(by.sum(axis=2), whole, empty=0.0)
        for cut in cuts
        for by, whole in ((cut.people, cut.people.sum(axis=(0, 2))), (cut.cells, cut.total.sum(axis=1)))
    ]
    made = [Cut(moves, share) for moves, share in zip(moved[1:], shares, strict=True)]
    return logit_ends(
        relevant,
        judged,
        centre,
        moved[0],
        half,
        confidence=confidence,
        certain=probability,
        people=list(zip(made[::2], made[1::2], strict=True)),
        n=n,
    )


def _count_by(pairs: FloatArray, indicator: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Relevant and all second opinions of each part, shape [parts, levels]."""
    # By level in memory, as everything is then summed over parts, of which there may be a million.
    relevant = np.asfortranarray(pairs @ indicator)
    # Not the row sums: added up in another order they may differ from the relevant ones where there are no others.
    return relevant, relevant + np.asfortranarray(pairs @ (1 - indicator))


def _smoothed_logits(
    probability: FloatArray,
    judged: FloatArray,
    replicates: Sequence[tuple[FloatArray, FloatArray]],
    seen: Sequence[tuple[FloatArray, FloatArray]],
) -> tuple[FloatArray, list[FloatArray], BoolArray]:
    """The logit of a smoothed estimate, by how much it moves in each replicate, and whether half a count was added.

    Half a count as without smoothing, where a replicate of those `seen` is 0 or 1: `(p n + 1/2) / (n + 1)`, n being the
    opinions.
    """
    half = np.zeros(len(probability), dtype=np.bool_)
    for values, _ in seen:
        half |= ~((values > 0) & (values < 1)).all(axis=0)

    def logit(values: FloatArray, count: FloatArray) -> FloatArray:
        shrunk = (np.nan_to_num(values) * count + 0.5) / (count + 1)
        inside = np.where(half, shrunk, values)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log(inside) - np.log1p(-inside))

    centre = logit(probability, judged.sum(axis=0))
    return centre, [logit(values, count) - centre for values, count in replicates], half


def _without_each_topic(disagreement: Disagreement, indicator: FloatArray) -> FloatArray:
    """Smoothed p(R|i) without each topic in turn, shape [topics, levels]."""
    return part_relevant(disagreement.apply(leave_out_each(disagreement.pairs)), indicator)


def _jackknife_covariance(replicates: FloatArray, known: npt.NDArray[np.bool_]) -> FloatArray:
    """NaN for a level seen in fewer than two topics: without them the prior is left, which does not vary."""
    topics, size = replicates.shape
    if topics < 2:
        return np.full((size, size), np.nan)
    centred = np.where(known, replicates - replicates.mean(axis=0), np.nan)
    return np.asarray((topics - 1) / topics * (centred.T @ centred))
