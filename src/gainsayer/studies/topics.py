"""Topics: how far would p(R|i) move if the topics were drawn again?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance
from gainsayer.model.bootstrap import draw_probabilities
from gainsayer.model.estimate import Disagreement, Estimator
from gainsayer.model.pairs import FloatArray
from gainsayer.model.relevance import predict_relevance
from gainsayer.model.resampling import check_draws
from gainsayer.studies.amount import spread_of

REACH = 1.5


@dataclass(frozen=True, eq=False)
class Boxes:
    """One box per level: the ends, the quartiles and the whiskers of its draws; arrays have the shape [levels].

    A whisker ends at the last draw within one and a half times the distance of the quartiles, as Tukey has it. NaN for
    a level without any draw.
    """

    lowest: FloatArray
    low_whisker: FloatArray
    low_quartile: FloatArray
    median: FloatArray
    high_quartile: FloatArray
    high_whisker: FloatArray
    highest: FloatArray


def make_boxes(draws: FloatArray) -> Boxes:
    """The boxes of draws of the shape [draws, levels]; undefined draws (NaN) are left out.

    >>> boxes = make_boxes(np.array([[1.0], [2], [3], [4], [100], [np.nan]]))
    >>> boxes.low_quartile.tolist(), boxes.median.tolist(), boxes.high_whisker.tolist(), boxes.highest.tolist()
    ([2.0], [3.0], [4.0], [100.0])
    """
    parts = np.full((7, draws.shape[1]), np.nan)
    for level, column in enumerate(draws.T):
        known = column[~np.isnan(column)]
        if not len(known):
            continue
        low, median, high = np.quantile(known, [0.25, 0.5, 0.75])
        reach = REACH * (high - low)
        inside = known[(known >= low - reach) & (known <= high + reach)]
        parts[:, level] = known.min(), inside.min(), low, median, high, inside.max(), known.max()
    return Boxes(*parts)


@dataclass(frozen=True, eq=False, repr=False)
class TopicStudy:
    """p(R|i) in draws of the topics, beside three standard errors; arrays have the shape [levels] unless stated.

    Args:
        levels: the levels.
        relevance: the relevant ones.
        estimator: symmetric or one-sided.
        estimate: p(R|i) from the topics as they are.
        mean: over the draws in which the level occurs.
        deviation: standard deviation of those draws; NaN for a level seen in fewer than two topics.
        boxes: ends, whiskers and quartiles.
        binomial: eq. (6), topics fixed and readings independent.
        pair: eq. (23), topics fixed.
        topic: eq. (24), the formula for what the draws show.
        draws: p(R|i) in each draw, NaN where the level does not occur; shape [draws, levels].
        undefined: in how many draws the level does not occur.
        topics: topics that hold pairs, as many as each draw takes.
        pairs: pairs of judgments behind it all.
        notes: a remark per level, or None.
        seed: of the draws.
        findings: what a reader should know.
    """

    levels: Levels
    relevance: Relevance
    estimator: Estimator
    estimate: FloatArray
    mean: FloatArray
    deviation: FloatArray
    boxes: Boxes
    binomial: FloatArray
    pair: FloatArray
    topic: FloatArray
    draws: FloatArray
    undefined: npt.NDArray[np.int64]
    topics: int
    pairs: int
    notes: tuple[str | None, ...]
    seed: int
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        return f"TopicStudy({len(self.draws)} draws of {self.topics} topics, {self.pairs} pairs)"


def study_topics(disagreement: Disagreement, relevance: Relevance, *, draws: int = 300, seed: int = 0) -> TopicStudy:
    """Draw the doubly judged topics again and again, with replacement, and estimate p(R|i) each time.

    Each draw takes as many topics as there are; all judgments of a topic enter as often as it was drawn. The standard
    deviation of the draws is the uncertainty that topics add: as a rule far more than the binomial error says (T2).

    Assumes that the topics are a sample of those one cares about. It is *not* a study of other assessors: they stay who
    they are. With few topics the deviation is too small by about sqrt((T - 1) / T).

    Args:
        disagreement: the estimate with its counts per topic.
        relevance: which levels satisfy a user.
        draws: how many.
        seed: of the draws; the same seed gives the same numbers.

    Raises:
        DataError: all pairs come from one topic.
        CallError: fewer than one draw or too many, or a negative seed.

    >>> from gainsayer.model.pairs import PairCounts
    >>> from gainsayer.model.estimate import estimate_disagreement
    >>> levels = Levels(("0", "1"))
    >>> counts = PairCounts.from_matrix(levels, [[[6, 2], [1, 3]], [[9, 1], [2, 8]], [[5, 3], [1, 1]]])
    >>> study = study_topics(estimate_disagreement(counts), levels.at_or_above("1"))
    >>> study.draws.shape, bool((study.deviation > 0).all())
    ((300, 2), True)
    """
    check_draws(draws, seed)
    topics = len(disagreement.pairs)
    if topics < 2:
        raise DataError(
            f"All {disagreement.counts.pairs:,} pairs come from one topic, {disagreement.counts.topics[0]!r}: drawing "
            "it again says nothing about other topics. Have documents of more topics judged a second time."
        )
    prediction = predict_relevance(disagreement, relevance)
    sample = draw_probabilities(disagreement, relevance, draws=draws, seed=seed)
    mean, deviation = spread_of(sample)
    seen = ((disagreement.pairs.sum(axis=2)) > 0).sum(axis=0)
    return TopicStudy(
        levels=disagreement.levels,
        relevance=relevance,
        estimator=disagreement.estimator,
        estimate=prediction.probability,
        mean=mean,
        deviation=np.where(seen > 1, deviation, np.nan),
        boxes=make_boxes(sample),
        binomial=prediction.binomial,
        pair=prediction.pair,
        topic=prediction.topic,
        draws=sample,
        undefined=np.isnan(sample).sum(axis=0),
        topics=topics,
        pairs=disagreement.counts.pairs,
        notes=prediction.notes,
        seed=seed,
        findings=prediction.findings,
    )
