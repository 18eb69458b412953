"""How p(R|i) varies: with the topics that were drawn, and with how much was judged twice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, Relevance
from gainsayer.model.bootstrap import draw_probabilities
from gainsayer.model.estimate import Disagreement, Estimator, estimate_disagreement, normalise_rows, part_relevant
from gainsayer.model.pairs import FloatArray, PairCounts
from gainsayer.model.relevance import predict_relevance
from gainsayer.model.resampling import check_draws

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


FIRST_SIZE = 10
MOST_SIZES = 25
MOST_CELLS = 5_000_000
MOST_PAIRS = 10**12
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class AmountStudy:
    """p(R|i) from growing numbers of double judgments.

    Args:
        levels: the levels.
        relevance: the relevant ones.
        estimator: symmetric or one-sided.
        estimate: p(R|i) from all pairs, shape [levels].
        sizes: numbers of pairs drawn, ascending; shape [sizes].
        mean: over the rounds in which the level has occurred, shape [sizes, levels].
        deviation: standard deviation of those rounds, shape [sizes, levels]; NaN where fewer than two know the level.
        undefined: in how many rounds the level has not occurred yet, shape [sizes, levels].
        draws: p(R|i) in each round, shape [rounds, sizes, levels].
        rounds: how many.
        pairs: pairs of judgments that are there.
        seed: of the draws.
        findings: what a reader should know.
    """

    levels: Levels
    relevance: Relevance
    estimator: Estimator
    estimate: FloatArray
    sizes: IntArray
    mean: FloatArray
    deviation: FloatArray
    undefined: IntArray
    draws: FloatArray
    rounds: int
    pairs: int
    seed: int
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        return f"AmountStudy({self.rounds} rounds of up to {self.pairs} pairs)"


def study_amount(
    counts: PairCounts,
    relevance: Relevance,
    *,
    rounds: int = 50,
    sizes: Sequence[int] | None = None,
    estimator: Estimator | None = None,
    seed: int = 0,
) -> AmountStudy:
    """Simulated rounds of double judgments drawn with replacement one after another, p(R|i) estimated on the way.

    A round of n pairs goes on from its first m < n pairs, as judging would. Pairs with sampling weights are drawn in
    proportion to them, and count once each. A level that has not occurred yet has no estimate: such rounds are left out
    of the mean, and counted.

    Assumes that pairs are drawn one by one from all topics, so it is *not* the uncertainty of a round that judges whole
    topics: the deviation at the number of pairs that are there is the pair error, eq. (23), and the topic error is
    larger (see `study_topics`).

    Args:
        counts: pairs of judgments.
        relevance: which levels satisfy a user.
        rounds: how many simulated rounds.
        sizes: numbers of pairs at which to look; by default about 25 up to the number of pairs there are
            (`choose_sizes`).
        estimator: by default symmetric where it is valid.
        seed: of the draws.

    Raises:
        CallError: no rounds, sizes below 1, or a negative seed.
        BiasedSampleError: the symmetric estimate was asked for, and is wrong for this second round.

    >>> levels = Levels(("0", "1", "2"))
    >>> counts = PairCounts.from_matrix(levels, [[4, 1, 1], [3, 4, 3], [0, 2, 2]])
    >>> study = study_amount(counts, levels.at_or_above("2"), sizes=[5, 20_000])
    >>> study.draws.shape, study.mean[1].round(2).tolist()
    ((50, 2, 3), [0.08, 0.29, 0.4])
    """
    check_draws(rounds, seed, what="rounds")
    levels = counts.levels
    cells = len(levels) ** 2
    asked = sizes
    if asked is None:  # with a hundred levels there is room for a few sizes
        asked = choose_sizes(counts.pairs)
        room = max(MOST_CELLS // (rounds * cells), 1)
        asked = asked[:: -math.ceil(len(asked) / room)]
    if not asked or min(asked) < 1 or max(asked) > MOST_PAIRS:
        raise CallError(f"Numbers of pairs must lie between 1 and {MOST_PAIRS:,}, found {list(asked)}.")
    looked = np.unique(np.array(asked, dtype=np.int64))
    if rounds * len(looked) * cells > MOST_CELLS:
        raise CallError(
            f"{rounds:,} rounds at {len(looked):,} sizes would take too much memory. Look at fewer sizes, or draw "
            "fewer rounds."
        )
    disagreement = estimate_disagreement(counts, estimator=estimator, seed=seed)
    share = counts.matrix.ravel() / counts.matrix.sum()
    steps = np.diff(looked, prepend=0)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(steps, share, size=(rounds, len(looked)))
    pairs = np.cumsum(drawn, axis=1).reshape(rounds, len(looked), len(levels), len(levels)).astype(np.float64)
    if disagreement.estimator == "symmetric":
        pairs = pairs + np.swapaxes(pairs, -1, -2)
    sample = part_relevant(normalise_rows(pairs), relevance.indicator)
    mean, deviation = spread_of(sample)
    return AmountStudy(
        levels=levels,
        relevance=relevance,
        estimator=disagreement.estimator,
        estimate=part_relevant(disagreement.matrix, relevance.indicator),
        sizes=looked,
        mean=mean,
        deviation=deviation,
        undefined=np.isnan(sample).sum(axis=0),
        draws=sample,
        rounds=rounds,
        pairs=counts.pairs,
        seed=seed,
        findings=disagreement.findings,
    )


def choose_sizes(pairs: int, *, most: int | None = None) -> tuple[int, ...]:
    """About 25 numbers of pairs, evenly spaced on a log scale, from ten to `most` (all pairs by default).

    >>> choose_sizes(20), choose_sizes(7), len(choose_sizes(7027))
    ((10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20), (7,), 25)
    """
    last = pairs if most is None else most
    if not 1 <= last <= MOST_PAIRS:
        raise CallError(f"Between 1 and {MOST_PAIRS:,} pairs may be drawn, found {last:,}.")
    spaced = np.geomspace(min(FIRST_SIZE, last), last, MOST_SIZES)
    return tuple(np.unique(np.round(spaced).astype(np.int64)).tolist())


def spread_of(draws: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation (divisor n - 1) over the first axis, undefined draws left out.

    The mean is NaN where no draw is defined, the deviation where fewer than two are.

    >>> mean, deviation = spread_of(np.array([[1.0, np.nan], [3.0, 5.0]]))
    >>> mean.tolist(), deviation.round(4).tolist()
    ([2.0, 5.0], [1.4142, nan])
    """
    known = ~np.isnan(draws)
    count = known.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(count > 0, np.where(known, draws, 0.0).sum(axis=0) / count, np.nan)
        squares = np.where(known, (draws - mean) ** 2, 0.0).sum(axis=0)
        deviation = np.where(count > 1, np.sqrt(squares / (count - 1)), np.nan)
    return np.asarray(mean), np.asarray(deviation)
