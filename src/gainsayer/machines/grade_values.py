"""What a machine's grade is worth: p(people satisfied | grade), out of topic, as predicted gains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.machines.sample import BoolArray, Sample
from gainsayer.model.estimate import isotonic_means
from gainsayer.model.variance import topic_intervals
from gainsayer.rankings.ranked_levels import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class GradeValues:
    """What each grade of a machine is worth to people.

    Args:
        value: p_i, from all labels; shape [grades].
        by_topic: the same without the labels of a topic, for use in that topic; shape [topics, grades].
        relevant: people's satisfaction with documents of the grade, each weighted by 1 / pi; shape [topics, grades].
        judged: the weights of the documents that people judged; shape [topics, grades].
        labels: how many documents of the grade people judged; shape [grades].
        borrowed: whether nobody judged a document of the grade, so that the value is a neighbour's; shape [grades].
    """

    value: FloatArray
    by_topic: FloatArray
    relevant: FloatArray
    judged: FloatArray
    labels: IntArray
    borrowed: BoolArray


def value_grades(sample: Sample, *, isotonic: bool = False) -> GradeValues:
    """p_i = sum of delta/pi h over documents of grade i / sum of delta/pi, and the same without each topic.

    One-sided: people predict people, the machine is only what one looks at. A grade of which nobody judged a document
    has the value of the nearest grade that has labels (the lower of two). Folds are topics, always: labels of a topic
    are correlated, so a grade's value must not be learned on the topic it is used in (trap T-e). With `isotonic`, for
    bins of a number that should rise with relevance, neighbours are pooled until no value falls.

    Raises:
        DataError: nobody judged anything, or only in one topic.

    >>> sample = Sample(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2]), np.array([0.0, 1.0, 0.0, np.nan]),
    ...                 np.array([0.5, 0.5, 1.0, 0.5]), np.ones(2, bool), 3)
    >>> found = value_grades(sample)
    >>> found.value.round(3).tolist(), found.by_topic.round(3).tolist(), found.borrowed.tolist()
    ([0.0, 0.667, 0.667], [[0.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [False, False, True])
    """
    size, topics = sample.grades, sample.topics
    cell = sample.topic * size + sample.grade

    def tally(values: FloatArray) -> FloatArray:
        return np.bincount(cell, values, minlength=topics * size).reshape(topics, size).astype(np.float64)

    relevant, judged = tally(sample.weight * sample.told), tally(sample.weight)
    labels = tally(sample.judged.astype(np.float64))
    if not labels.any():
        raise DataError("No person judged a document, so nobody knows what the machine's grades are worth.")
    if np.count_nonzero(labels.sum(axis=1)) < 2:
        raise DataError(
            "People judged documents of one topic only, so what a grade is worth elsewhere cannot be said. "
            "Have documents of several topics judged."
        )
    total = labels.sum(axis=0)
    return GradeValues(
        value=_share(relevant.sum(axis=0), judged.sum(axis=0), total, isotonic),
        by_topic=_share(relevant.sum(axis=0) - relevant, judged.sum(axis=0) - judged, total - labels, isotonic),
        relevant=relevant,
        judged=judged,
        labels=total.astype(np.int64),
        borrowed=total == 0,
    )


def grade_intervals(values: GradeValues, *, confidence: float = 0.95) -> FloatArray:
    """Intervals of what grades are worth, topics deleted one at a time (`topic_intervals`); shape [grades, 2].

    NaN for a grade with labels in fewer than two topics.
    """
    total = values.judged.sum(axis=0)
    # As many opinions as there are labels: that one of them stands for many documents makes it no surer.
    scale = np.divide(values.labels, total, out=np.zeros(len(total)), where=total > 0)
    found = topic_intervals(values.relevant * scale, values.judged * scale, confidence=confidence)
    return np.asarray(found.ends)


def grade_errors(values: GradeValues) -> FloatArray:
    """Standard errors over topics of what grades are worth; NaN with labels in fewer than two topics; shape [grades].

    >>> sample = Sample(np.arange(4), np.zeros(4, int), np.array([0.0, 1, 1, 0]), np.ones(4), np.ones(4, bool), 1)
    >>> grade_errors(value_grades(sample)).round(4).tolist()
    [0.2887]
    """
    left = values.relevant - values.value * values.judged
    count = np.count_nonzero(values.judged, axis=0).astype(np.float64)
    total = values.judged.sum(axis=0)
    known = count > 1
    spread = np.divide(count, count - 1, out=np.zeros_like(total), where=known) * (left**2).sum(axis=0)
    return np.asarray(np.divide(np.sqrt(spread), total, out=np.full_like(total, np.nan), where=known))


def predict_by_grade(sample: Sample, values: GradeValues) -> FloatArray:
    """g = p_i of the document's grade, learned without the document's own topic; shape [documents].

    >>> sample = Sample(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([0.0, 1.0, 0.0]), np.ones(3),
    ...                 np.ones(2, bool), 2)
    >>> predict_by_grade(sample, value_grades(sample)).tolist()
    [0.0, 0.0, 1.0]
    """
    return values.by_topic[sample.topic, sample.grade]


def find_empty_grades(values: GradeValues, names: tuple[str, ...]) -> tuple[Finding, ...]:
    """A finding where grades without labels borrowed a neighbour's value."""
    empty = [name for name, lacking in zip(names, values.borrowed.tolist(), strict=True) if lacking]
    if not empty:
        return ()
    said = f"People judged no document that the machine put on {', '.join(empty)}; the nearest grade's value is used."
    return (Finding("empty-level", said),)


def _share(part: FloatArray, whole: FloatArray, labels: FloatArray, isotonic: bool) -> FloatArray:
    """part / whole where there are labels, else the nearest grade's; shape [..., grades]."""
    known = labels > 0.5  # sums minus a topic's own may leave dust, counts do not
    part, whole = np.where(known, part, 0.0), np.where(known, whole, 0.0)
    if isotonic:
        value = np.nan_to_num(isotonic_means(part[..., None], whole[..., None])[..., 0])
    else:
        value = np.divide(part, whole, out=np.zeros_like(part), where=known)
    value = np.clip(value, 0.0, 1.0)
    filled = value.copy()
    size = value.shape[-1]
    for grade in range(size):
        lacking = ~known[..., grade]
        for other in sorted(range(size), key=lambda place: (abs(place - grade), place)):
            taken = lacking & known[..., other]
            filled[..., grade] = np.where(taken, value[..., other], filled[..., grade])
            lacking = lacking & ~taken
    return filled
