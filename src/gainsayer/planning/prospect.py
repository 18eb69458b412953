"""How sure a result would be after more second judgments, topics or people: the interval that will be, foretold.

With a pilot, what is seen is scaled (`Pilot`): the variance of the very quantity that `fit` or `compare` would print,
by how much of it single documents make and how much opinions of one topic and level have in common. Without one it is
guessed (`Guess`), and said to be a guess. Both give the `Spread` of a `Target` after so many judgments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final, Literal

import numpy as np
import scipy

from gainsayer.comparison.differences import PairErrors, is_ratio, measure_pairs
from gainsayer.comparison.intervals import highest_score, score_intervals
from gainsayer.comparison.results import RunComparison
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels, Relevance
from gainsayer.measures.catalogue import Measure
from gainsayer.model.estimate import Disagreement, part_relevant
from gainsayer.model.people import GainPeople, Side
from gainsayer.model.relevance import PredictedRelevance
from gainsayer.model.variance import BoolArray, Spread, effective_topics, share_of, straighten
from gainsayer.planning.sampling import FloatArray
from gainsayer.ranking.ranked import IntArray, RankedLevels

Purpose = Literal["parameters", "score", "difference"]
PURPOSES: tuple[Purpose, ...] = ("parameters", "score", "difference")
Source = Literal["pilot", "guess", "default"]

INTRACLASS: Final = 0.35
"""Without a pilot: how alike opinions on documents of one level and topic are, where p is 1/2."""
STRICTNESS: Final = 0.8
"""Without a pilot: how far people differ, on the logit. One collection, eight people."""
FEWEST_SEEN: Final = 5
"""Of the rarer outcome: below, nothing is foretold for a level."""
FEWEST_PEOPLE: Final = 4
_PRIOR, _WEIGHT, _MOST_INTRACLASS = 0.3, 3.0, 0.9
_CORRELATION = 0.7  # between levels of a topic, without a pilot
_STEP = 0.01


@dataclass(frozen=True, eq=False)
class Target:
    """One or more numbers to be known, what moves them, and how their intervals follow from a spread.

    Args:
        purpose: what they are.
        names: of the numbers, such as a level or a run.
        values: the numbers, as they are seen or guessed.
        slope: of the quantities that have a spread (logits, logarithms of scores, a relative difference and its scale)
            on p; shape [quantities, levels].
        weight: how much the numbers depend on each level, `sqrt(sum_k A_ki^2)`; shape [levels].
        ends: intervals [numbers, 2] from the spread of the quantities.
        spread: of the quantities, as it is seen; None without a pilot.
        counted: V_g, the part of their variance that second judgments bring; all of it for parameters.
        known: which numbers can be foretold.
        effective: T* of the quantities' topics, for parameters.
        people: whose people each cut of the spread leaves out, and how many they are.
    """

    purpose: Purpose
    names: tuple[str, ...]
    values: FloatArray
    slope: FloatArray
    weight: FloatArray
    ends: Callable[[Spread], FloatArray]
    spread: Spread | None = None
    counted: FloatArray = field(default_factory=lambda: np.empty(0))
    known: BoolArray = field(default_factory=lambda: np.empty(0, np.bool_))
    effective: FloatArray = field(default_factory=lambda: np.empty(0))
    people: tuple[tuple[Side, int], ...] = ()


def target_levels(prediction: PredictedRelevance, chosen: Sequence[int]) -> Target:
    """p(R|i) of these levels, as a pilot shows it; its quantities are their logits.

    Nothing is foretold for a level whose rarer outcome was seen fewer than five times.
    """
    places = np.asarray(chosen, dtype=np.int64)
    rarer = np.minimum(prediction.relevant_count, prediction.judged_count - prediction.relevant_count)
    assert prediction.spread is not None
    return _aim_at_levels(
        prediction.levels,
        prediction.probability,
        places,
        prediction.confidence,
        known=(rarer >= FEWEST_SEEN)[places],
        skewness=prediction.skewness[places],
        spread=prediction.spread.take(places),
        effective=prediction.effective_topics[places],
        people=_list_people(prediction.people),
    )


def _list_people(people: GainPeople | None) -> tuple[tuple[Side, int], ...]:
    return () if people is None else tuple(zip(people.sides, people.names, strict=True))


def guess_levels(levels: Levels, probability: FloatArray, chosen: Sequence[int], confidence: float) -> Target:
    """p(R|i) of these levels, as guessed."""
    places = np.asarray(chosen, dtype=np.int64)
    return _aim_at_levels(
        levels,
        probability,
        places,
        confidence,
        known=np.ones(len(places), np.bool_),
        skewness=np.zeros(len(places)),
        spread=None,
        effective=np.empty(0),
        people=(),
    )


def _aim_at_levels(
    levels: Levels,
    probability: FloatArray,
    places: IntArray,
    confidence: float,
    *,
    known: BoolArray,
    skewness: FloatArray,
    spread: Spread | None,
    effective: FloatArray,
    people: tuple[tuple[Side, int], ...],
) -> Target:
    p = probability[places]
    inside = known & (p > 0) & (p < 1)
    centre = scipy.special.logit(np.where(inside, p, 0.5))

    slope = np.zeros((len(places), len(levels)))
    slope[np.arange(len(places)), places] = 1 / np.where(inside, p * (1 - p), 0.25)
    return Target(
        purpose="parameters",
        names=tuple(levels.names[place] for place in places.tolist()),
        values=p,
        slope=slope,
        weight=np.isin(np.arange(len(levels)), places).astype(np.float64),
        ends=partial(_level_ends, centre=centre, skewness=skewness, known=inside, share=1 - confidence),
        spread=spread,
        counted=np.empty(0) if spread is None else spread.topics,
        known=inside,
        effective=effective,
        people=people,
    )


def _level_ends(
    spread: Spread, *, centre: FloatArray, skewness: FloatArray, known: BoolArray, share: float
) -> FloatArray:
    """Ends of p(R|i) from the spread of its logit; the correction for skewness stays as it is."""
    if len(spread.people):
        reach = spread.reach(share)
        both = [centre - reach, centre + reach]
    else:
        q, error = spread.quantiles(share)[0], np.sqrt(spread.topics)
        both = [centre - error * straighten(sign * q, skewness) for sign in (1, -1)]
    return np.where(known[:, None], scipy.special.expit(np.stack(both, axis=-1)), np.nan)


def target_runs(
    part: RunComparison, names: Sequence[str], chosen: Sequence[int], purpose: Purpose, confidence: float
) -> Target:
    """Scores of runs, or the difference of two, as a comparison has them.

    Args:
        part: of the comparison.
        names: of its runs.
        chosen: places of the runs.
        purpose: `score` or `difference`.
        confidence: of the intervals.
    """
    replicates = part.replicates
    assert replicates is not None
    places = np.asarray(chosen, dtype=np.int64)
    highest = highest_score(part.measure, part.scheme.gains, estimated=replicates.estimated)
    slopes = replicates.slopes[places]
    if purpose == "score":
        found = score_intervals(replicates, confidence=confidence, highest=highest).take(places)
        return Target(
            purpose=purpose,
            names=tuple(names[place] for place in places.tolist()),
            values=found.value,
            slope=found.slope,
            weight=np.sqrt((slopes**2).sum(axis=0)),
            ends=found.at,
            spread=found.quantities.spread,
            counted=found.quantities.parameters,
            known=found.known,
            people=_list_people(replicates.people),
        )
    pair, _ = measure_pairs(replicates, places[:1], places[1:2], is_ratio(replicates))
    # Of many runs the interval that is said is the one that holds for all pairs at once.
    share, people = 1 - confidence, None
    if part.differences is not None and part.differences.flips is not None:
        share, people = part.differences.shared
    return Target(
        purpose=purpose,
        names=(f"{names[chosen[0]]} - {names[chosen[1]]}",),
        values=pair.difference,
        slope=np.concatenate([pair.slope.T, pair.middle_slope.T]),
        weight=np.abs(slopes[0] - slopes[1]),
        ends=partial(_pair_ends, pair=pair, share=share, people=people, highest=highest),
        spread=pair.spread.beside(pair.middle_spread),
        counted=np.concatenate([pair.parameters, pair.middle_parameters]),
        known=~(pair.nothing | pair.none) & (share > 0),
        people=_list_people(replicates.people),
    )


def _pair_ends(
    spread: Spread, *, pair: PairErrors, share: float, people: FloatArray | None, highest: float
) -> FloatArray:
    """Ends of a difference from the spread of its relative difference, and of its scale behind that."""
    covariance = pair.topic_covariance * np.sqrt(
        share_of(spread.topics[:1], pair.spread.topics, empty=1.0)
        * share_of(spread.topics[1:], pair.middle_spread.topics, empty=1.0)
    )
    one, two = spread.take(slice(0, 1)), spread.take(slice(1, 2))
    moved = replace(pair, spread=one, middle_spread=two, topic_covariance=covariance)
    return moved.absolute(share, people, highest=highest)


def guess_runs(
    ranked: Sequence[RankedLevels], measure: Measure, probability: FloatArray, purpose: Purpose, confidence: float
) -> Target:
    """Scores of runs, or the difference of two, with guessed p(R|i) as gains.

    The influence of a level is the central difference of the score at the guessed p, step 0.01: exact for measures that
    are linear in the gains, where it is the run's mean level profile.

    Raises:
        CallError: the measure cannot take such gains.
    """
    levels = ranked[0].levels

    def score(values: FloatArray) -> FloatArray:
        return np.stack([measure.score(run, Gains(levels, values, name="prm")) for run in ranked])

    scores = score(probability)
    slopes = np.zeros((len(ranked), len(levels)))
    for level in range(len(levels)):
        low, high = probability.copy(), probability.copy()
        low[level], high[level] = max(probability[level] - _STEP, 0.0), min(probability[level] + _STEP, 1.0)
        slopes[:, level] = (score(high) - score(low)).mean(axis=1) / (high[level] - low[level])
    mean, count = scores.mean(axis=1), scores.shape[1]
    highest = highest_score(measure, Gains(levels, probability, name="prm"), estimated=True)
    if purpose == "difference":
        scores, slopes = scores[:1] - scores[1:2], slopes[:1] - slopes[1:2]
        mean, bottom = scores.mean(axis=1), -highest
        names = [f"{ranked[0].name} - {ranked[1].name}"]
    else:
        names, bottom = [run.name for run in ranked], 0.0

    topics = scores.var(axis=1, ddof=1) / count if count > 1 else np.zeros(len(mean))
    nothing = np.zeros(len(mean))
    return Target(
        purpose=purpose,
        names=tuple(names),
        values=mean,
        slope=slopes,
        weight=np.sqrt((slopes**2).sum(axis=0)),
        ends=partial(_plain_ends, value=mean, share=1 - confidence, lowest=bottom, highest=highest),
        spread=Spread(topics, np.full(len(mean), float(max(count - 1, 1)))),
        counted=nothing,
        known=np.ones(len(mean), np.bool_),
    )


def _plain_ends(spread: Spread, *, value: FloatArray, share: float, lowest: float, highest: float) -> FloatArray:
    reach = spread.reach(share)
    return np.asarray(np.clip(np.stack([value - reach, value + reach], axis=-1), lowest, highest))


def count_companions(sizes: FloatArray, share: FloatArray) -> FloatArray:
    """k: how many others of its topic and level a second opinion has, at these shares drawn by keys; shape [levels].

    With x = share N_t and j = floor(x), `sum_t j (j - 1) + 2 j (x - j)` over `sum_t x`.

    >>> count_companions(np.array([[9.0], [6], [9], [6], [12]]), np.array([2 / 3])).round(9).tolist()
    [5.0]
    """
    expected = sizes * share
    whole = np.floor(expected + 1e-9)
    pairs = whole * (whole - 1) + 2 * whole * (expected - whole)
    return share_of(pairs.sum(axis=0), expected.sum(axis=0), empty=0.0)


@dataclass(frozen=True, eq=False)
class Pilot:
    """Second opinions that are there, and what they say about more of them.

    Args:
        disagreement: the estimate from them.
        relevance: what satisfies users.
        sizes: documents by topic and first level, of the topics they were drawn in; shape [topics, levels].
    """

    disagreement: Disagreement
    relevance: Relevance
    sizes: FloatArray

    @cached_property
    def weight(self) -> FloatArray:
        """What a pair weighs, by its first level; shape [levels]."""
        counts = self.disagreement.counts
        if not counts.weighted or counts.opinions is None:
            return np.ones(len(counts.levels))
        return share_of(counts.matrix.sum(axis=1), counts.opinions.sum(axis=1), empty=1.0)

    @cached_property
    def counts(self) -> FloatArray:
        """Pairs as they are, by topic, first and second level; without sides a half in each direction."""
        return self._unweighted(self.disagreement.counts.counts)

    def _unweighted(self, pairs: FloatArray) -> FloatArray:
        return pairs / self.weight[:, None] if self.disagreement.counts.directed else pairs / 2

    @cached_property
    def cells(self) -> FloatArray:
        """The same by topic and person; without sides by topic and pair of people."""
        counts = self.disagreement.counts
        assert counts.cells is not None
        pairs, keys = counts.cells.pairs, [counts.cells.topic, counts.cells.second]
        if not counts.directed:
            pairs = pairs + pairs.transpose(0, 2, 1)
            keys = [counts.cells.topic, counts.cells.first, counts.cells.second]
        _, part = np.unique(np.stack(keys), axis=1, return_inverse=True)
        found = np.zeros((int(part.max()) + 1, *pairs.shape[1:]))
        np.add.at(found, part.ravel(), pairs)
        return self._unweighted(found)

    @cached_property
    def share(self) -> FloatArray:
        """Of each level's documents, how many have a second opinion; shape [levels]."""
        return np.minimum(share_of(self.counts.sum(axis=(0, 2)), self.sizes.sum(axis=0), empty=0.0), 1.0)

    @cached_property
    def scale(self) -> FloatArray:
        """s = 2 sqrt(p q) with p = (x + 1/2) / (n + 1), one-sided; shape [levels]."""
        relevant, judged = self._opinions()
        p = (relevant.sum(axis=0) + 0.5) / (judged.sum(axis=0) + 1)
        return np.asarray(2 * np.sqrt(p * (1 - p)))

    def _opinions(self) -> tuple[FloatArray, FloatArray]:
        indicator = self.relevance.indicator
        return self.counts @ indicator, self.counts.sum(axis=2)

    @cached_property
    def intraclass(self) -> float:
        """rho: how alike opinions on documents of one topic and level are, where p is 1/2; one number for all levels.

        y_f = D_f / (D_f - 1) sum_t (x_tf - p_f m_tf)^2 / (n_f p_f q_f) - 1
        rho = (sum_f y_f + 3 * 0.3) / (sum_f s_f k_f + 3), from 0 to 0.9
        """
        x, m = self._opinions()
        n, topics = m.sum(axis=0), (m > 0).sum(axis=0)
        p = share_of(x.sum(axis=0), n, empty=0.0)
        told = (topics > 1) & (p > 0) & (p < 1)
        chance = np.where(told, n * p * (1 - p), 1.0)
        y = topics / np.maximum(topics - 1, 1) * ((x - p * m) ** 2).sum(axis=0) / chance - 1
        companions = share_of((m * (m - 1)).sum(axis=0), n, empty=0.0)
        told_by = float((y * told).sum()) + _WEIGHT * _PRIOR
        return float(np.clip(told_by / (float((self.scale * companions * told).sum()) + _WEIGHT), 0, _MOST_INTRACLASS))

    @cached_property
    def _alike(self) -> float:
        """How many companions of an opinion, of its topic and level, are by the same person."""
        pairs = [float((m * (m - 1)).sum()) for m in (self.cells.sum(axis=2), self.counts.sum(axis=2))]
        return min(max(pairs[0], 0.0) / pairs[1], 1.0) if pairs[1] > 0 else 1.0

    def left(self, share: FloatArray, *, cells: bool = False) -> FloatArray:
        """lambda: what is left of the variance of a level's opinions at other shares; shape [levels].

        `(pi / pi') (1 + rho s k') / (1 + rho s k)`; of cells, k are companions by the same person.
        """
        alike = self.intraclass * self.scale * (self._alike if cells else 1.0)
        now, then = (1 + alike * count_companions(self.sizes, at) for at in (self.share, share))
        return share_of(self.share, share, empty=1.0) * then / now

    def readings(self, slope: FloatArray) -> FloatArray:
        """r: by how much a document moves quantities, linearly, by its first and second level; [quantities, L, L]."""
        indicator, pairs = self.relevance.indicator, self.disagreement.pairs.sum(axis=0)
        total = pairs.sum(axis=1)
        p = share_of(pairs @ indicator, total, empty=0.0)
        own = slope / np.where(total > 0, total, np.inf)
        surprise = indicator[None, :] - p[:, None]  # of level i, by what the other one says
        found = own[:, :, None] * surprise[None]
        if self.disagreement.estimator == "symmetric":
            found = found + (own[:, :, None] * surprise[None]).transpose(0, 2, 1)
        return np.asarray(found * self.weight[None, :, None])

    def part(
        self, slope: FloatArray, share: FloatArray, whole: FloatArray | None = None, *, cells: bool = False
    ) -> FloatArray:
        """V' / V at other shares; shape [quantities].

            max( sum_f D_f pi_f / pi'_f / sum_f D_f,  min(1, 1 - sum_f R_f (1 - lambda_f) / V_0) )
            R_f = sum over topics of (sum of r)^2,  D_f = sum over documents of r^2,  r less its mean over level f

        Args:
            slope: of the quantities on p, shape [quantities, levels].
            share: pi', shape [levels].
            whole: V_0; None for the linear variance `sum_t (sum of r)^2`, r as it is.
            cells: whether the parts are topics and people, not topics.
        """
        counts = self.cells if cells else self.counts
        readings = self.readings(slope)
        by_level = counts.sum(axis=0)
        mean = share_of((by_level * readings).sum(axis=2), by_level.sum(axis=1), empty=0.0)
        centred = readings - mean[:, :, None]
        together = (np.einsum("tfh,qfh->tqf", counts, centred) ** 2).sum(axis=0)
        single = (by_level * centred**2).sum(axis=2)
        if whole is None:
            whole = (np.einsum("tfh,qfh->tq", counts, readings) ** 2).sum(axis=0)
        fewer = share_of(self.share, share, empty=1.0)
        least = share_of((single * fewer).sum(axis=1), single.sum(axis=1), empty=1.0)
        most = 1 - share_of((together * (1 - self.left(share, cells=cells))).sum(axis=1), whole, empty=0.0)
        return np.asarray(np.maximum(least, np.minimum(1.0, most)))

    def effective_topics(self, share: FloatArray) -> FloatArray:
        """T* of each level's expected opinions at these shares; symmetric with those that come from the other side."""
        expected = self.sizes * share
        if self.disagreement.estimator == "symmetric":
            matrix = np.nan_to_num(self.disagreement.matrix)
            expected = (expected + expected @ matrix) if self.disagreement.counts.directed else expected
        return effective_topics(expected)


NEARLY_EVERY = 0.9


def take_pilot(
    disagreement: Disagreement,
    relevance: Relevance,
    topics: Sequence[str],
    sizes: FloatArray,
    *,
    whole: bool = False,
) -> Pilot:
    """A pilot in the topics it was drawn in: all of them where it was, or where nearly every one has pairs.

    Args:
        disagreement: the estimate from it.
        relevance: what satisfies users.
        topics: all topics with first labels.
        sizes: documents of these by first level; shape [topics, levels].
        whole: whether documents of all topics could be drawn.
    """
    held = np.isin(np.array(topics, dtype=object), np.array(disagreement.counts.topics, dtype=object))
    if whole or held.mean() >= NEARLY_EVERY:
        held = np.ones(len(topics), np.bool_)
    return Pilot(disagreement, relevance, sizes[held])


@dataclass(frozen=True, eq=False)
class Prospect:
    """What the spread of a target depends on, before anybody judges.

    Args:
        levels: the levels.
        sizes: documents by topic and first level, N_ti; shape [topics, levels].
        target: what is to be known.
        probability: p(R|i), seen or guessed; shape [levels].
        source: where each level's comes from.
        intraclass: rho, how alike opinions of one topic and level are where p is 1/2.
        pilot: what is seen; None where all is guessed.
        assessors: how many people will judge; None where nobody says.
        strictness: how far people differ on the logit, without a pilot.
        confidence: of the intervals.

    >>> from gainsayer.levels import Levels
    >>> levels, p = Levels(("0", "1")), np.array([0.1, 0.8])
    >>> target = guess_levels(levels, p, [0, 1], 0.95)
    >>> prospect = Prospect(levels, np.array([[12.0, 5.0]] * 5), target, p, ("guess",) * 2)
    >>> prospect.half_widths(np.array([20.0, 10.0]) / prospect.documents).round(3).tolist()
    [0.301, 0.365]
    """

    levels: Levels
    sizes: FloatArray
    target: Target
    probability: FloatArray
    source: tuple[Source, ...]
    intraclass: float = INTRACLASS
    pilot: Pilot | None = None
    assessors: int | None = None
    strictness: float = STRICTNESS
    confidence: float = 0.95

    @classmethod
    def seen(cls, pilot: Pilot, target: Target, *, sizes: FloatArray | None = None, confidence: float) -> Prospect:
        """What a pilot shows, nothing guessed; `sizes` where topics are to be judged in which it was not drawn."""
        model = pilot.disagreement
        told: Source = "pilot"
        return cls(
            levels=model.levels,
            sizes=pilot.sizes if sizes is None else sizes,
            target=target,
            probability=np.nan_to_num(part_relevant(model.matrix, pilot.relevance.indicator)),
            source=(told,) * len(model.levels),
            intraclass=pilot.intraclass,
            pilot=pilot,
            confidence=confidence,
        )

    @property
    def topics(self) -> int:
        """T."""
        return len(self.sizes)

    @property
    def second(self) -> int:
        """In how many topics the pilot was drawn; all without one."""
        return self.topics if self.pilot is None else len(self.pilot.sizes)

    @property
    def documents(self) -> FloatArray:
        """How many documents of each level can be judged a second time; shape [levels]."""
        return np.asarray(self.sizes.sum(axis=0))

    @property
    def judged(self) -> FloatArray:
        """Second opinions of each level that are there; shape [levels]."""
        return np.zeros(len(self.levels)) if self.pilot is None else self.pilot.counts.sum(axis=(0, 2))

    @property
    def now(self) -> int | None:
        """How many second assessors, or members of one team, the intervals of the pilot are over; None for none."""
        return next((count for side, count in self.target.people if side != "first"), None)

    @property
    def single_variance(self) -> FloatArray:
        """p (1 - p), the variance of one opinion; half a count keeps it above 0; shape [levels]."""
        if self.pilot is None:
            return np.asarray(self.probability * (1 - self.probability))
        return np.asarray(self.pilot.scale**2 / 4)

    @property
    def agreement(self) -> FloatArray:
        """rho_i = rho 2 sqrt(p q): how alike two opinions of one topic and level are; shape [levels]."""
        return np.asarray(self.intraclass * 2 * np.sqrt(self.single_variance))

    @property
    def worth(self) -> FloatArray:
        """What a judgment of each level is worth: `|A_i| sigma_i`, sigma_i^2 = (1 - rho_i) p_i q_i; shape [levels]."""
        return np.asarray(self.target.weight * np.sqrt((1 - self.agreement) * self.single_variance))

    @property
    def effective_topics(self) -> FloatArray:
        """How many equal topics the documents of a level are worth, `1 / sum_t w_ti^2`; shape [levels]."""
        return share_of(self.documents**2, (self.sizes**2).sum(axis=0), empty=0.0)

    def spread(
        self, share: FloatArray, *, topics: float = 1.0, second: float | None = None, people: float = 1.0
    ) -> Spread:
        """The spread when these shares of each level's documents are judged a second time.

        Args:
            share: of each level, in the topics that are judged twice; shape [levels].
            topics: how many times as many topics there are then.
            second: how many times as many are judged twice; by default all there are.
            people: how many times as many people judge as were asked for, or as the pilot had where nobody said.
        """
        share = np.clip(share, 0.0, 1.0)
        if self.pilot is None or self.target.spread is None:
            return self._guess(share, topics, people)
        if self.assessors is not None and self.now is not None:
            people = people * self.assessors / self.now
        judged_twice = topics * self.topics / self.second
        return self._scale(share, topics, judged_twice if second is None else second, people)

    def _scale(self, share: FloatArray, topics: float, second: float, people: float) -> Spread:
        """What is seen, scaled: by judgments, by topics (which bring scores and opinions), and by people."""
        assert self.pilot is not None
        assert self.target.spread is not None
        spread, slope = self.target.spread, self.target.slope
        of_levels = self.target.purpose == "parameters"
        part = self.pilot.part(slope, share, None if of_levels else spread.topics)
        left = spread.topics * part
        counted = left if of_levels else np.clip(self.target.counted - (spread.topics - left), 0.0, left)
        scored = (left - counted) / topics + counted / second
        if of_levels:
            grown = share_of(
                self.pilot.effective_topics(share), self.pilot.effective_topics(self.pilot.share), empty=1.0
            )
            degrees = np.maximum(self.target.effective * np.nan_to_num(grown @ (slope > 0).T, nan=1.0) * second, 2.0)
            most = self.second * second
        else:
            degrees, most = spread.topic_degrees * topics, self.topics * topics
        degrees = np.clip(degrees, 1.0, max(most - 1, 1.0))
        if not len(spread.people):
            return Spread(scored, degrees)
        noise = spread.noise * self.pilot.part(slope, share, cells=True) / second
        apart = spread.people - spread.noise
        # Where people differ by less than single opinions do, what they seem to differ by falls with that.
        close = spread.people * share_of(noise, spread.noise, empty=1.0)
        # Other people are second assessors, or members of the one team; those of the first side stay who they are.
        times = np.array([[1.0 if side == "first" else people] for side, _ in self.target.people])
        over = np.where(apart > 0, noise + apart / times, close)
        worth = np.maximum((spread.people_degrees + 1) * times - 1, 1.0)
        return Spread(scored, degrees, over, noise, worth, spread.n)

    def _guess(self, share: FloatArray, topics: float, people: float) -> Spread:
        """From other collections: opinions of a topic are alike by `intraclass`, people differ by `strictness`."""
        count = np.where(self.documents > 0, np.maximum(share * self.documents, 1e-9), np.inf)
        one, slope = self.single_variance, self.target.slope
        within = one * (1 - self.agreement) / count
        if self.target.purpose == "parameters":
            alike = one * self.agreement * (1 + count_companions(self.sizes, share)) / count
            between = (slope**2) @ alike
            scored = np.zeros(len(slope))
            # Topics of a level bear its interval by their expected opinions.
            degrees = np.maximum((slope > 0) @ np.nan_to_num(effective_topics(self.sizes * share)), 2.0)
        else:
            own = np.sqrt(2 * self.intraclass * one**1.5)
            covariance = _CORRELATION * np.outer(own, own)
            np.fill_diagonal(covariance, own**2)
            weights = self.sizes / np.maximum(self.documents, 1.0)
            moved = slope[:, None, :] * weights[None]
            between = np.einsum("qtl,lm,qtm->q", moved, covariance, moved)
            assert self.target.spread is not None
            scored = self.target.spread.topics
            degrees = self.target.spread.topic_degrees
        noise = (slope**2) @ within
        total = (scored + between) / topics + noise / topics
        degrees = np.clip(degrees * topics, 1.0, max(self.topics * topics - 1, 1.0))
        judges = None if self.assessors is None else self.assessors * people
        if judges is None or judges < FEWEST_PEOPLE:
            return Spread(total, degrees)
        apart = (np.abs(slope) @ (one * self.strictness)) ** 2 / judges
        single = ((slope**2) @ (one / count))[None] / topics
        return Spread(total, degrees, single + apart, single, np.full((1, len(slope)), judges - 1))

    def half_widths_of(self, spread: Spread) -> FloatArray:
        """Half the width of each number's interval; NaN where nothing can be foretold; shape [numbers]."""
        ends = self.target.ends(spread)
        return np.where(self.target.known, (ends[:, 1] - ends[:, 0]) / 2, np.nan)

    def half_widths(
        self, share: FloatArray, *, topics: float = 1.0, second: float | None = None, people: float = 1.0
    ) -> FloatArray:
        """The same when these shares are judged; see `spread`."""
        return self.half_widths_of(self.spread(share, topics=topics, second=second, people=people))

    def half_width(
        self, share: FloatArray, *, topics: float = 1.0, second: float | None = None, people: float = 1.0
    ) -> float:
        """That of the widest interval: all others are at least as sure; NaN where none is known."""
        return widest(self.half_widths(share, topics=topics, second=second, people=people))

    @property
    def half_width_now(self) -> float:
        """That of the interval that is there; NaN without a pilot."""
        if self.pilot is None or self.target.spread is None:
            return float("nan")
        return widest(self.half_widths_of(self.target.spread))

    def ratio(self, share: FloatArray) -> float | None:
        """r = V / V': what is seen over what these shares would leave; of several numbers the largest, None of none."""
        spread, known = self.target.spread, self.target.known
        if spread is None or not known.any():
            return None
        then = self.spread(share).topics
        seen, left = (found[: len(known)][known] for found in (spread.topics, then))
        return float(np.divide(seen, left, out=np.ones_like(seen), where=left > 0).max())

    def power(self, share: FloatArray, difference: float, *, topics: float = 1.0) -> float:
        """How likely a difference of this size would show: `P(|T| > q)`, T noncentral t about |delta| / sd.

        It has the degrees of freedom of q, and is never below the share of error at which a difference shows.
        """
        spread = self.spread(share, topics=topics)
        degrees, q = float(spread.topic_degrees[0]), float(spread.quantiles(1 - self.confidence)[0][0])
        deviations = abs(difference) / max(widest(self.half_widths_of(spread)), 1e-300) * q
        above = 1 - scipy.special.nctdtr(degrees, deviations, q)
        below = np.nan_to_num(scipy.special.nctdtr(degrees, deviations, -q))  # SciPy has no number for less than 1e-13
        return float(above + below)


def widest(half_widths: FloatArray) -> float:
    """The largest of those that are known; NaN where none is."""
    return float(np.nanmax(half_widths)) if np.isfinite(half_widths).any() else float("nan")


LEAST, LEAST_SHARE, LEAST_SHOWN = 12, 0.02, 30
MOST_UNEVEN = 5.0
"""No level's share is more than so many times another's: beyond ten the symmetric estimate no longer holds."""
NO_WORTH: Final = 1e-200


def bound_shares(worth: FloatArray, documents: FloatArray) -> FloatArray:
    """What each level is worth, such that shares in proportion to it differ by no more than five times.

    `maximum(worth, documents max(worth / documents) / 5)`; equal shares where nothing is worth anything.

    >>> bound_shares(np.array([0.3, 0.4]), np.array([800.0, 20.0])).tolist()
    [3.2, 0.4]
    """
    if worth.max(initial=0.0) <= NO_WORTH:
        return documents
    return np.asarray(
        np.maximum(worth, documents * share_of(worth, documents, empty=0.0).max(initial=0.0) / MOST_UNEVEN)
    )


def least_judgments(
    documents: FloatArray, budget: float, *, shown: bool = False, minimum: int | None = None
) -> FloatArray:
    """The floor of each level: 12, 2 % of the budget, 30 where p(R|i) itself is shown; at most its documents.

    No level goes without: a level that nobody judged again would leave the symmetric estimate without repair.

    >>> least_judgments(np.array([1000.0, 5.0]), 1000).tolist()
    [20.0, 5.0]
    """
    floor = float(max(LEAST, LEAST_SHARE * budget, LEAST_SHOWN if shown else 0)) if minimum is None else float(minimum)
    return np.minimum(floor, documents)


def allocate(worth: FloatArray, budget: float, documents: FloatArray, least: FloatArray) -> FloatArray:
    """n_i proportional to what each level is worth, between its floor and its documents; the budget is used up.

    Minimises `sum_i worth_i^2 / n_i` (Neyman): `worth_i = |A_i| sigma_i`. Where the floors alone cost more than the
    budget, they are all there is: a finding says so.

    Args:
        worth: at least 0; shape [levels].
        budget: how many judgments.
        documents: of each level.
        least: the floor of each level, at most its documents.

    >>> allocate(np.array([1.0, 3.0]), 80, np.array([500.0, 500.0]), np.array([12.0, 12.0])).round(6).tolist()
    [20.0, 60.0]
    >>> allocate(np.array([1.0, 3.0]), 80, np.array([500.0, 50.0]), np.array([12.0, 12.0])).round(6).tolist()
    [30.0, 50.0]
    """
    budget = float(np.clip(budget, least.sum(), documents.sum()))
    most = float(worth.max(initial=0.0))
    worth = np.maximum(worth / most, 1e-12) if most > NO_WORTH else np.ones_like(worth)
    low, high = 0.0, float((documents / worth)[documents > 0].max(initial=1.0))
    for _ in range(200):  # the sum grows with the scale; halving finds it
        scale = (low + high) / 2
        if np.clip(scale * worth, least, documents).sum() < budget:
            low = scale
        else:
            high = scale
        if high - low <= 1e-15 * high:
            break
    return np.clip(high * worth, least, documents)


def share_out(
    worth: FloatArray,
    budget: float,
    documents: FloatArray,
    *,
    shown: bool = False,
    minimum: int | None = None,
    held: FloatArray | None = None,
) -> FloatArray:
    """Judgments of each level for a budget: by worth, with shares that differ by no more than five times.

    Floors give way to that: they are `min(floor, cap * documents)` with the largest cap at which shares differ so
    little. Floors that cost more than the budget shrink, unless a minimum was asked for. What is `held` already stays.

    >>> found = share_out(np.array([0.4, 0.4]), 60, np.array([5000.0, 100.0]))
    >>> found.round(2).tolist(), round(float(found[1] / 100 / (found[0] / 5000)), 6)
    ([54.55, 5.45], 5.0)
    """
    bounded = bound_shares(worth, documents)
    floor = least_judgments(documents, budget, shown=shown, minimum=minimum)
    if minimum is None:  # what is asked for comes first
        floor = floor * min(1.0, budget / max(float(floor.sum()), 1e-300))

    def differ(cap: float) -> bool:
        found = allocate(bounded, budget, documents, np.minimum(floor, cap * documents))
        share = share_of(found, documents)[documents > 0]
        return bool(share.max(initial=0.0) > MOST_UNEVEN * (1 + 1e-12) * share.min(initial=1.0))

    low, high = (0.0, 1.0) if differ(1.0) else (1.0, 1.0)
    while high - low > 1e-14 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if differ(middle) else (middle, high)
    least = np.minimum(floor, low * documents)
    return allocate(bounded, budget, documents, least if held is None else np.maximum(least, held))
