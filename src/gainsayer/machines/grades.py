"""What a machine's grade is worth: p(people satisfied | grade), out of topic, and how well it tells people's labels.

One machine's grades, the mean of its repeated calls, that of several machines, a confidence: all become grades.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from gainsayer.errors import CallError, DataError
from gainsayer.findings import Finding
from gainsayer.machines.sample import BoolArray, Sample
from gainsayer.model.estimate import isotonic_means
from gainsayer.model.variance import topic_intervals
from gainsayer.ranking.ranked import FloatArray, IntArray

MOST_BINS: Final = 8
_BASE_LABELS: Final = 2


@dataclass(frozen=True, eq=False)
class MachineGrades:
    """What one machine said of each document.

    Args:
        name: the machine's.
        grade: from 0, -1 where it said nothing; shape [documents].
        names: of the grades, from low to high.
        rising: whether grades are bins of a number, whose worth should not fall from one to the next.
    """

    name: str
    grade: IntArray
    names: tuple[str, ...]
    rising: bool = False

    def grade_sample(self, sample: Sample) -> tuple[Sample, tuple[str, ...]]:
        """The sample with these grades, and their names; what was not graded has a grade of its own."""
        silent = self.grade < 0
        if not silent.any():
            return sample.with_grades(self.grade, len(self.names)), self.names
        grade = np.where(silent, len(self.names), self.grade)
        return sample.with_grades(grade, len(self.names) + 1), (*self.names, "no grade")


def take_number(name: str, values: FloatArray) -> MachineGrades:
    """A number per document as grades: the mean of calls or of machines, a confidence; NaN where there is none.

    Each number its own grade where they are few, else at most eight bins of about as many documents each; equal
    numbers share a bin, and bins go by the mean of what they hold.

    >>> take_number("calls", np.array([0.0, 1.5, np.nan, 1.5])).grade.tolist()
    [0, 1, -1, 1]
    """
    known = ~np.isnan(values)
    if not known.any():
        raise CallError(f"{name} says nothing of any document.")
    distinct, place = np.unique(values[known], return_inverse=True)
    if len(distinct) > MOST_BINS:
        below = np.searchsorted(np.sort(values[known]), distinct, side="left")
        _, number = np.unique(below * MOST_BINS // int(known.sum()), return_inverse=True)
        place = number[place]
    grade = np.full(len(values), -1)
    grade[known] = place
    means = np.bincount(place, values[known]) / np.bincount(place)
    return MachineGrades(name, grade, tuple(f"{mean:.3g}" for mean in means.tolist()), rising=True)


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
    ...                 np.array([0.5, 0.5, 1.0, 0.5]), np.ones(2, bool), 3, "documents")
    >>> found = value_grades(sample)
    >>> found.value.round(3).tolist(), found.by_topic.round(3).tolist(), found.borrowed.tolist()
    ([0.0, 0.667, 0.667], [[0.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [False, False, True])
    """
    size, topics = sample.grades, sample.topics
    labelled = np.flatnonzero(sample.judged)
    cell, weight = sample.topic[labelled] * size + sample.grade[labelled], sample.weight[labelled]

    def tally(values: FloatArray) -> FloatArray:
        return np.bincount(cell, values, minlength=topics * size).reshape(topics, size).astype(np.float64)

    relevant, judged = tally(weight * sample.relevant[labelled]), tally(weight)
    labels = tally(np.ones(len(labelled)))
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

    >>> told, all_seen = np.array([0.0, 1, 1, 0]), np.ones(4, bool)
    >>> sample = Sample(np.arange(4), np.zeros(4, int), told, np.ones(4), all_seen, 1, "topics")
    >>> grade_errors(value_grades(sample)).round(4).tolist()
    [0.2887]
    """
    left = values.relevant - values.value * values.judged
    count = np.count_nonzero(values.judged, axis=0).astype(np.float64)
    total = values.judged.sum(axis=0)
    known = count > 1
    spread = np.divide(count, count - 1, out=np.zeros_like(total), where=known) * (left**2).sum(axis=0)
    return np.asarray(np.divide(np.sqrt(spread), total, out=np.full_like(total, np.nan), where=known))


@dataclass(frozen=True)
class Skill:
    """How much better than the base rate a machine's grades foretell people's labels, in topics not looked at.

    Args:
        name: whose grades.
        brier: mean squared distance of the prediction from what people said.
        base: the same for the base rate.
        lower: end of the interval of the skill.
        upper: likewise.
        topics: with labels.
    """

    name: str
    brier: float
    base: float
    lower: float
    upper: float
    topics: int

    @property
    def value(self) -> float:
        """1 - L_machine / L_base; NaN where people said the same of every document."""
        return 1 - self.brier / self.base if self.base > 0 else float("nan")


def measure_skill(name: str, sample: Sample, *, confidence: float = 0.95) -> Skill:
    """1 - L_machine / L_base, sums of squared errors over all labels, unweighted, each learned without its topic.

    A grade foretells the share of its labels that satisfied, with two labels at the base rate added. The logarithm of
    the ratio of losses is jackknifed over the n topics with labels, t with n - 1 degrees of freedom. Labels count
    alike, whatever their chances: one with a chance of a fiftieth would decide alone.

    >>> rng = np.random.default_rng(1)
    >>> topic, told = np.repeat(np.arange(20), 30), rng.integers(2, size=600).astype(float)
    >>> grade = np.where(rng.random(600) < 0.9, told, 1 - told).astype(int)
    >>> sample = Sample(topic, grade, told, np.ones(600), np.ones(20, bool), 2, "topics")
    >>> skill = measure_skill("gpt", sample)
    >>> skill.lower < skill.value < skill.upper, round(skill.value, 1)
    (True, 0.6)
    """
    judged = np.flatnonzero(sample.judged)
    topic, grade, told = sample.topic[judged], sample.grade[judged], sample.relevant[judged]
    cell, size = topic * sample.grades + grade, sample.topics * sample.grades
    yes = np.bincount(cell, told, minlength=size).reshape(-1, sample.grades)
    every = np.bincount(cell, minlength=size).reshape(-1, sample.grades)
    away_yes, away = yes.sum(axis=0) - yes, every.sum(axis=0) - every
    base = (away_yes.sum(axis=1) / np.maximum(away.sum(axis=1), 1))[:, None]
    guess = (away_yes + _BASE_LABELS * base) / (away + _BASE_LABELS)
    errors = ((told - guess[topic, grade]) ** 2, (told - base[topic, 0]) ** 2)
    loss = np.stack([np.bincount(topic, error, minlength=sample.topics) for error in errors])
    loss = loss[:, every.sum(axis=1) > 0]
    count, total = loss.shape[1], loss.sum(axis=1, keepdims=True)
    lower = upper = float("nan")
    if count > 1 and (total - loss > 0).all():
        log_ratio = float(np.log(total[0, 0] / total[1, 0]))
        left = np.log(np.divide(*(total - loss)))
        error = np.sqrt((count - 1) / count * ((left - left.mean()) ** 2).sum())
        reach = float(scipy.special.stdtrit(count - 1, (1 + confidence) / 2) * error)
        lower, upper = 1 - float(np.exp(log_ratio + reach)), 1 - float(np.exp(log_ratio - reach))
    brier, own = (total[:, 0] / max(len(judged), 1)).tolist()
    return Skill(name, brier, own, lower, upper, count)


@dataclass(frozen=True, eq=False)
class Prediction:
    """Predicted gains and how good they are.

    Args:
        gain: g, out of topic; shape [documents].
        sample: what people said, with the grades that predict.
        names: of these grades.
        values: what each of these grades is worth.
        skills: of each machine, and at last of all of them together where there are several.
    """

    gain: FloatArray
    sample: Sample
    names: tuple[str, ...]
    values: GradeValues
    skills: tuple[Skill, ...]

    @property
    def skill(self) -> Skill:
        """Of what predicts."""
        return self.skills[-1]


def predict(sample: Sample, machine: MachineGrades, others: Sequence[MachineGrades] = ()) -> Prediction:
    """Predicted gains: what each document's grade is worth, learned without the document's own topic.

    Args:
        sample: what people said; its grades are not used.
        machine: whose grades predict; several machines' mean is one.
        others: single machines behind that mean, whose skill is measured next to it.

    >>> sample = Sample(np.array([0, 0, 1]), np.zeros(3, int), np.array([0.0, 1.0, 0.0]), np.ones(3),
    ...                 np.ones(2, bool), 1, "topics")
    >>> predict(sample, MachineGrades("gpt", np.array([0, 1, 1]), ("0", "1"))).gain.tolist()
    [0.0, 0.0, 1.0]
    """
    graded, names = machine.grade_sample(sample)
    values = value_grades(graded, isotonic=machine.rising)
    skills = [measure_skill(one.name, one.grade_sample(sample)[0]) for one in (*others, machine)]
    return Prediction(values.by_topic[graded.topic, graded.grade], graded, names, values, tuple(skills))


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
