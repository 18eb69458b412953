"""What tells more about people than the machine's grade: which property of documents?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from gainsayer.comparison.fixed_tests import adjust_p
from gainsayer.errors import DataError
from gainsayer.machines.grades import value_grades
from gainsayer.machines.sample import Sample
from gainsayer.ranking.ranked import FloatArray


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
    labelled = int(np.count_nonzero(sample.labels_by_topic))
    if labelled < 2:
        raise DataError(f"An effect is tested over topics, at least two; people judged in {labelled}.")
    error = weight * (np.nan_to_num(sample.relevant) - values.value[sample.grade])
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
