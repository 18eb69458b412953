"""Predicted gains: one machine's grades, its repeated calls, or several machines, as probabilities per document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gainsayer.errors import CallError
from gainsayer.machines.combination import bin_values, combine_machines
from gainsayer.machines.grade_values import GradeValues, predict_by_grade, value_grades
from gainsayer.machines.sample import Sample
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

_SURE = 1e-3


@dataclass(frozen=True, eq=False)
class Opinions:
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


def take_number(name: str, values: FloatArray) -> Opinions:
    """A number per document as a machine's opinion: the mean of its calls, a confidence; NaN where it has none.

    At most eight bins of about as many documents each; bins go by the mean of what they hold.

    >>> take_number("calls", np.array([0.0, 1.5, np.nan, 1.5])).grade.tolist()
    [0, 1, -1, 1]
    """
    known = ~np.isnan(values)
    if not known.any():
        raise CallError(f"{name} says nothing of any document.")
    grade = np.full(len(values), -1)
    grade[known] = bin_values(values[known])
    means = [float(values[grade == place].mean()) for place in range(int(grade.max()) + 1)]
    return Opinions(name, grade, tuple(f"{mean:.3g}" for mean in means), rising=True)


@dataclass(frozen=True)
class Worth:
    """How well people's word is foretold in topics that were not looked at; each label weighted by 1 / pi.

    Args:
        name: whose predictions.
        log_loss: mean of -log of the probability given to what people said.
        brier: mean squared distance of the probability from what people said.
        temper: b of `combine_machines` where several machines are put together, else None.
    """

    name: str
    log_loss: float
    brier: float
    temper: float | None = None


@dataclass(frozen=True, eq=False)
class Prediction:
    """Predicted gains and how good they are.

    Args:
        gain: g, out of topic; shape [documents].
        sample: what people said, with the grades by which the gains are reported: the machine's own, or bins of g.
        names: of these grades.
        values: what each of these grades is worth.
        base: how good the base rate is, for comparison.
        machines: how good each machine is, and at last all of them together where there are several.
    """

    gain: FloatArray
    sample: Sample
    names: tuple[str, ...]
    values: GradeValues
    base: Worth
    machines: tuple[Worth, ...]

    @property
    def informative(self) -> bool:
        """Whether the prediction beats the base rate, out of topic."""
        return self.machines[-1].brier < self.base.brier


def predict(sample: Sample, opinions: Sequence[Opinions], *, seed: int = 0) -> Prediction:
    """Predicted gains from one machine (what its grades are worth) or several (tempered naive Bayes).

    Args:
        sample: what people said; its grades are not used.
        opinions: one per machine.
        seed: of the folds of topics, with several machines.

    >>> rng = np.random.default_rng(1)
    >>> topic, told = np.repeat(np.arange(20), 30), rng.integers(2, size=600).astype(float)
    >>> grade = np.where(rng.random(600) < 0.9, told, 1 - told).astype(int)
    >>> sample = Sample(topic, grade, told, np.ones(600), np.ones(20, bool), 2)
    >>> found = predict(sample, [Opinions("gpt", grade, ("0", "1"))])
    >>> found.values.value.round(1).tolist(), found.informative
    ([0.1, 0.9], True)
    """
    if not opinions:
        raise CallError("No machine was named.")
    worths = []
    for one in opinions:
        alone, names = _grade_by(sample, one)
        values = value_grades(alone, isotonic=one.rising)
        gain = predict_by_grade(alone, values)
        worths.append(rate_prediction(one.name, sample, gain))
    everybody = np.zeros(len(sample.topic), np.int64)
    base = sample.with_grades(everybody, 1)
    ground = rate_prediction("base rate", sample, predict_by_grade(base, value_grades(base)))
    if len(opinions) == 1:
        return Prediction(gain, alone, names, values, ground, tuple(worths))
    sizes = [len(one.names) for one in opinions]
    both = combine_machines(sample, [one.grade for one in opinions], sizes, seed=seed)
    told = take_number("together", both.predicted)
    binned, names = _grade_by(sample, told)
    together = rate_prediction(" + ".join(one.name for one in opinions), sample, both.predicted, both.temper)
    return Prediction(both.predicted, binned, names, value_grades(binned), ground, (*worths, together))


def rate_prediction(name: str, sample: Sample, predicted: FloatArray, temper: float | None = None) -> Worth:
    """Log loss and Brier score of predictions on what people judged; they must have been learned elsewhere.

    >>> sample = Sample(np.zeros(2, int), np.zeros(2, int), np.array([0.0, 1.0]), np.ones(2), np.ones(1, bool), 1)
    >>> rate_prediction("coin", sample, np.full(2, 0.5)).brier
    0.25
    """
    judged, weight = sample.judged, sample.weight[sample.judged]
    told, chance = sample.relevant[judged], np.clip(predicted[judged], _SURE, 1 - _SURE)
    loss = -(told * np.log(chance) + (1 - told) * np.log(1 - chance))
    total = float(weight.sum())
    brier = float((weight * (told - predicted[judged]) ** 2).sum()) / total
    return Worth(name, float((weight * loss).sum()) / total, brier, temper)


def _grade_by(sample: Sample, one: Opinions) -> tuple[Sample, tuple[str, ...]]:
    """The sample graded by one machine; what it said nothing of is a grade of its own."""
    silent = one.grade < 0
    if not silent.any():
        return sample.with_grades(one.grade, len(one.names)), one.names
    grade = np.where(silent, len(one.names), one.grade)
    return sample.with_grades(grade, len(one.names) + 1), (*one.names, "no grade")
