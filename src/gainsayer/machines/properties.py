"""What tells more about people than the machine's grade: a property of documents, or the topic itself?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy
from scipy.optimize import minimize_scalar

from gainsayer.comparison.fixed_tests import adjust_p
from gainsayer.errors import DataError
from gainsayer.machines.grades import value_grades
from gainsayer.machines.sample import Sample
from gainsayer.rankings.ranked_levels import FloatArray

_CLIP = 0.001
_WIDEST = 4.0
_GRID = np.arange(-100, 101) / 10.0


@dataclass(frozen=True)
class Effect:
    """What a property of documents tells within the machine's grades.

    Args:
        what: the property.
        slope: how much more of people are satisfied where it is larger by one.
        standard_error: over topics.
        t: their ratio.
        p: two-sided, n - 1 degrees of freedom.
        p_adjusted: by Holm, over all properties that were asked for.
    """

    what: str
    slope: float
    standard_error: float
    t: float
    p: float
    p_adjusted: float


def find_effects(sample: Sample, properties: Mapping[str, FloatArray]) -> tuple[Effect, ...]:
    """Weighted regression of people's word on each property within grades, errors clustered by topic.

    With c = x - its mean within the grade and e = delta/pi (h - p_i): slope b = sum e c / sum delta/pi c^2, and
    se = sqrt(n/(n-1) sum_t U_t^2) / sum delta/pi c^2, U_t = sum_d (e - b delta/pi c) c over the n topics with labels.
    A property whose slope differs from 0 makes some documents worth more than their grade says: then the machine's
    scores favour runs that return the others. *Not* a reason to put the number of runs into gains used alone: consensus
    would reward itself (trap T-g).

    Args:
        sample: what people said.
        properties: name to a number per document; shape [documents] each.

    Raises:
        DataError: labels in fewer than two topics.

    >>> rng = np.random.default_rng(0)
    >>> topic, grade = np.repeat(np.arange(30), 20), rng.integers(2, size=600)
    >>> length = rng.normal(size=600)
    >>> told = (rng.random(600) < 0.3 + 0.3 * grade + 0.1 * np.tanh(length)).astype(float)
    >>> sample = Sample(topic, grade, told, np.ones(600), np.ones(30, bool), 2, "topics")
    >>> effect = find_effects(sample, {"length": length})[0]
    >>> effect.slope > 0, effect.p < 0.05
    (True, True)
    """
    values, weight = value_grades(sample), sample.weight
    labelled = int(np.count_nonzero(sample.total(sample.judged.astype(np.float64))))
    if labelled < 2:
        raise DataError(f"An effect is tested over topics, at least two; people judged in {labelled}.")
    error = weight * (sample.told - values.value[sample.grade])
    found = []
    for what, x in properties.items():
        centred = x - _mean_in_grade(sample, x)[sample.grade]
        total = float((weight * centred**2).sum())
        if not total > 1e-12 * max(1.0, float((weight * x**2).sum())):
            found.append((what, np.nan, np.nan, np.nan, 1.0))
            continue
        slope = float((error * centred).sum()) / total
        left = sample.total((error - slope * weight * centred) * centred)
        deviation = float(np.sqrt(labelled / (labelled - 1) * (left**2).sum())) / total
        t = slope / deviation if deviation > 0 else np.nan
        found.append(
            (what, slope, deviation, t, float(2 * scipy.special.stdtr(labelled - 1, -abs(t))) if t == t else 1.0)
        )
    adjusted = adjust_p([row[-1] for row in found], "holm")
    return tuple(Effect(*row, p_adjusted=p) for row, p in zip(found, adjusted.tolist(), strict=True))


def _mean_in_grade(sample: Sample, x: FloatArray) -> FloatArray:
    total = np.bincount(sample.grade, sample.weight, minlength=sample.grades)
    summed = np.bincount(sample.grade, sample.weight * x, minlength=sample.grades)
    return np.divide(summed, total, out=np.zeros(sample.grades), where=total > 0)


@dataclass(frozen=True)
class TopicShift:
    """How far topics lie apart when the grade is known.

    Args:
        sigma: standard deviation of the topics' shifts on the scale of log odds.
        likelihood_ratio: twice the gain in log likelihood over no shift at all.
        p: of that, sigma being at the edge of what is possible: half of P(chi2_1 > ratio).
    """

    sigma: float
    likelihood_ratio: float
    p: float

    @property
    def odds_factor(self) -> float:
        """exp(sigma): by so much the odds of a topic's documents typically differ from another's."""
        return float(np.exp(self.sigma))


def fit_shift(sample: Sample, predicted: FloatArray) -> TopicShift:
    """sigma of logit p_td = logit g_td + u_t, u_t ~ N(0, sigma²), by marginal maximum likelihood over topics.

    The integral over u is a sum over a fixed grid of shifts, so that each topic's likelihood is computed once for all
    sigma; g is clipped to [.001, .999]. The chances of being drawn do not enter: given g they say nothing more about a
    document.

    >>> rng = np.random.default_rng(1)
    >>> topic = np.repeat(np.arange(200), 20)
    >>> chance = 1 / (1 + np.exp(-rng.normal(0, 1, 200)[topic]))
    >>> told = (rng.random(4000) < chance).astype(float)
    >>> sample = Sample(topic, np.zeros(4000, int), told, np.ones(4000), np.ones(200, bool), 1, "topics")
    >>> 0.8 < fit_shift(sample, np.full(4000, 0.5)).sigma < 1.2
    True
    """
    judged = sample.judged
    odds = scipy.special.logit(np.clip(predicted[judged], _CLIP, 1 - _CLIP))
    told, topic = sample.relevant[judged], sample.topic[judged]
    likely = np.empty((sample.topics, len(_GRID)))
    for place, shift in enumerate(_GRID.tolist()):
        moved = odds + shift
        likely[:, place] = np.bincount(topic, told * moved - np.logaddexp(0.0, moved), minlength=sample.topics)
    likely = np.exp(likely - likely.max(axis=1, keepdims=True))

    def loss(sigma: float) -> float:
        weight = np.exp(-0.5 * (_GRID / sigma) ** 2) if sigma > 0 else (_GRID == 0).astype(np.float64)
        summed = np.einsum("tu,u->t", likely, weight / weight.sum())
        return -float(np.log(np.maximum(summed, 1e-300)).sum())

    sigma = float(minimize_scalar(loss, bounds=(0.0, _WIDEST), method="bounded", options={"xatol": 1e-8}).x)
    ratio = 2 * (loss(0.0) - loss(sigma))
    if ratio <= 1e-9:
        return TopicShift(0.0, 0.0, 1.0)
    return TopicShift(sigma, ratio, float(scipy.special.chdtrc(1, ratio)) / 2)
