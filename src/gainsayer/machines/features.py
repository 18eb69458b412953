"""Beyond the grade: p(people satisfied | grade, property of the document), shrunk to what the grade alone is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gainsayer.machines.combination import bin_values
from gainsayer.machines.grade_values import value_grades
from gainsayer.machines.sample import Sample
from gainsayer.rankings.ranked_levels import FloatArray, IntArray

MOST_GROUPS: Final = 4
# Features that tell what other runs think of a document: in gains used alone, consensus rewards itself.
CONSENSUS: Final = ("votes", "rank", "metarank")


@dataclass(frozen=True, eq=False)
class Feature:
    """A property of documents, as groups.

    Args:
        name: what it is.
        group: of each document, from 0; shape [documents].
        names: of the groups.
        number: the property itself where it is a number, else None; shape [documents].
    """

    name: str
    group: IntArray
    names: tuple[str, ...]
    number: FloatArray | None = None

    @property
    def columns(self) -> dict[str, FloatArray]:
        """Numbers whose effect can be tested: itself, or one of 0 and 1 for each group."""
        if self.number is not None:
            return {self.name: self.number}
        return {f"{self.name}={name}": (self.group == place).astype(float) for place, name in enumerate(self.names)}


def feature_of_number(name: str, number: FloatArray) -> Feature:
    """A number per document as at most four groups that hold about as many documents each.

    >>> feature_of_number("length", np.array([10.0, 20, 30, 40, 50])).names
    ('10 to 20', '30', '40', '50')
    """
    group = bin_values(number, MOST_GROUPS)
    ends = [(number[group == place].min(), number[group == place].max()) for place in range(int(group.max()) + 1)]
    names = tuple(f"{low:.3g}" if low == high else f"{low:.3g} to {high:.3g}" for low, high in ends)
    return Feature(name, group, names, number)


@dataclass(frozen=True, eq=False)
class FeatureValues:
    """What each grade is worth in each group of documents.

    Args:
        feature: the groups.
        share: as counted; NaN where nobody judged; shape [grades, groups].
        value: shrunk to what the grade is worth; shape [grades, groups].
        error: of the share, over topics; NaN with labels in fewer than two topics; shape [grades, groups].
        labels: how many; shape [grades, groups].
        spread: how far groups of one grade truly lie apart, as a share of p (1 - p): the square of a correlation.
        predicted: g of each document, without its own topic; shape [documents].
    """

    feature: Feature
    share: FloatArray
    value: FloatArray
    error: FloatArray
    labels: IntArray
    spread: float
    predicted: FloatArray


def value_features(sample: Sample, feature: Feature) -> FeatureValues:
    """p(R | grade i, group x), shrunk to p(R | i) by empirical Bayes.

    With p_ix the weighted share of people who are satisfied and v_ix its variance over topics (clustered, so that
    topics which differ are no effect): rho = max(0, sum [(p_ix - p_i)^2 - v_ix] / sum p_i (1 - p_i)) over the cells
    with labels in two topics or more, and the value is

        p_i + (p_ix - p_i) rho p_i (1 - p_i) / (rho p_i (1 - p_i) + v_ix).

    A cell with few labels has its grade's value; where groups differ by no more than chance, all have. Learned without
    the document's own topic.

    *Not* for gains used alone where the property is what other runs think of a document, its ranks or their number:
    runs that agree with the others are then rewarded for it (trap T-g; on DL21 the error of scores falls, and so does
    tau with people's order: from .929 to .919, and to .906 with eight groups).

    >>> rng = np.random.default_rng(0)
    >>> topic, grade = np.repeat(np.arange(40), 50), rng.integers(2, size=2000)
    >>> group = rng.integers(2, size=2000)
    >>> told = (rng.random(2000) < 0.2 + 0.4 * grade + 0.2 * group).astype(float)
    >>> sample = Sample(topic, grade, told, np.ones(2000), np.ones(40, bool), 2)
    >>> value_features(sample, Feature("kind", group, ("a", "b"))).value.round(1).tolist()
    [[0.2, 0.4], [0.6, 0.8]]
    """
    plain = value_grades(sample)
    cells = sample.with_grades(sample.grade * len(feature.names) + feature.group, sample.grades * len(feature.names))
    shape = (sample.topics, sample.grades, len(feature.names))
    found = value_grades(cells)
    relevant, judged = found.relevant.reshape(shape), found.judged.reshape(shape)
    labels = np.bincount(sample.topic * cells.grades + cells.grade, sample.judged, minlength=relevant.size)
    there = (judged > 0).astype(np.float64)
    own = [relevant, judged, relevant**2, relevant * judged, judged**2, there, labels.reshape(shape)]
    total = [part.sum(axis=0) for part in own]
    without = [whole - part for whole, part in zip(total, own, strict=True)]
    share, value, error, spread = _shrink(total, plain.value)
    _, by_topic, _, _ = _shrink(without, plain.by_topic)
    return FeatureValues(
        feature=feature,
        share=share,
        value=value,
        error=error,
        labels=found.labels.reshape(shape[1:]),
        spread=float(spread),
        predicted=by_topic[sample.topic, sample.grade, feature.group],
    )


def _shrink(sums: Sequence[FloatArray], grade: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Shares, shrunk values, errors [..., grades, groups], and rho [...], from sums over topics."""
    relevant, judged, relevant_square, product, judged_square, topics, labels = sums
    there = labels > 0.5
    share = np.divide(relevant, judged, out=np.full_like(judged, np.nan), where=there)
    known = there & (topics > 1.5)
    filled = np.where(there, share, 0.0)
    left = np.maximum(relevant_square - 2 * filled * product + filled**2 * judged_square, 0.0)
    more = np.divide(topics, topics - 1, out=np.ones_like(judged), where=known)
    expected = np.broadcast_to(grade[..., None], share.shape)
    apart = np.where(known, filled - expected, 0.0)
    within = expected * (1 - expected)
    clustered = np.divide(more * left, judged**2, out=np.full_like(judged, np.inf), where=known)
    # At least what so many labels would have by chance: three labels that agree are not known without error.
    variance = np.maximum(clustered, np.divide(within, labels, out=np.zeros_like(within), where=known))
    excess = np.where(known, apart**2 - np.where(known, variance, 0.0), 0.0).sum(axis=(-2, -1))
    room = np.where(known, within, 0.0).sum(axis=(-2, -1))
    rho = np.maximum(np.divide(excess, room, out=np.zeros_like(excess), where=room > 0), 0.0)
    true = rho[..., None, None] * within
    trust = np.divide(true, true + variance, out=np.zeros_like(true), where=known & (true > 0))
    value = np.clip(expected + trust * apart, 0.0, 1.0)
    return share, value, np.where(known, np.sqrt(np.where(known, variance, 0.0)), np.nan), rho
