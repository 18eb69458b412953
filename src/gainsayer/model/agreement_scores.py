"""All coefficients of agreement at once, for two sides, for many assessors, and for each pair of assessors."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from gainsayer.levels import Levels
from gainsayer.model import coefficients as formulas
from gainsayer.model.assessor_pairs import AssessorPairCounts
from gainsayer.model.pairs import FloatArray, IntArray
from gainsayer.model.variance import jackknife_intervals, leave_out_each

COEFFICIENTS: Final = (
    "percent",
    "cohen_kappa",
    "weighted_kappa_linear",
    "weighted_kappa_quadratic",
    "scott_pi",
    "fleiss_kappa",
    "krippendorff_alpha_nominal",
    "krippendorff_alpha_ordinal",
    "krippendorff_alpha_interval",
    "gwet_ac1",
    "gwet_ac2",
)
ORDERED: Final = frozenset(
    {
        "weighted_kappa_linear",
        "weighted_kappa_quadratic",
        "krippendorff_alpha_ordinal",
        "krippendorff_alpha_interval",
        "gwet_ac2",
    }
)
_NEEDS_ORDER: Final = np.array([name in ORDERED for name in COEFFICIENTS])
_LOWEST: Final = np.array([0.0 if name == "percent" else -1.0 for name in COEFFICIENTS])


@dataclasses.dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient of agreement: `value` is NaN where undefined, `interval` None where none can be given.

    `note` says why, or what to mind.
    """

    value: float
    interval: tuple[float, float] | None
    note: str | None = None


@dataclass(frozen=True, eq=False)
class AgreementScores:
    """Coefficients with the ends of their intervals, shape [coefficients, groups]; NaN where there is none."""

    value: FloatArray
    low: FloatArray
    high: FloatArray
    topics: IntArray
    levels: Levels

    def describe(self, group: int) -> dict[str, Coefficient]:
        """The coefficients of one group by name, with the reason where something is missing."""
        topics = int(self.topics[group])
        columns = (self.value[:, group], self.low[:, group], self.high[:, group])
        rows = zip(COEFFICIENTS, *(column.tolist() for column in columns), strict=True)
        ordered = self.levels.ordered
        return {
            name: _describe(value, low, high, topics, lacks_order=name in ORDERED and not ordered)
            for name, value, low, high in rows
        }


def score_sides(joint: FloatArray, levels: Levels, confidence: float) -> AgreementScores:
    """One group: two sides, from J of shape [topics, levels, levels]."""
    value = _coefficients_of_sides(joint.sum(axis=0), levels)
    return _with_interval(value, _coefficients_of_sides(leave_out_each(joint), levels), levels, confidence)


def score_many(counted: AssessorPairCounts, confidence: float) -> AgreementScores:
    """One group: all assessors together; Cohen's kappas and Scott's pi pooled over their pairs."""
    shares, coincidences = counted.by_document, counted.by_judgment
    pooled, pooled_without = _pool_kappas(counted)
    value = _coefficients(shares.sum(axis=0), coincidences.sum(axis=0), pooled, counted.levels)
    left_out = _coefficients(leave_out_each(shares), leave_out_each(coincidences), pooled_without, counted.levels)
    return _with_interval(value, left_out, counted.levels, confidence)


def _with_interval(value: FloatArray, left_out: FloatArray, levels: Levels, confidence: float) -> AgreementScores:
    starts = np.array([0, left_out.shape[-1]])
    low, high = jackknife_intervals(value[:, None], left_out, starts, lowest=_LOWEST, confidence=confidence)
    return AgreementScores(value[:, None], low, high, np.diff(starts), levels)


def score_assessor_pairs(counted: AssessorPairCounts, confidence: float) -> AgreementScores:
    """One group per pair of assessors, each pair's first and second assessor being the sides."""
    value, low, high = np.empty((3, len(COEFFICIENTS), len(counted)))
    for pairs, entries, matrices in counted.blocks():
        starts = counted.starts[pairs.start : pairs.stop + 1] - entries.start
        totals, left_out = (
            _coefficients_of_sides(part, counted.levels) for part in _leave_out_within(matrices, starts)
        )
        value[:, pairs] = totals
        low[:, pairs], high[:, pairs] = jackknife_intervals(
            totals, left_out, starts, lowest=_LOWEST, confidence=confidence
        )
    return AgreementScores(value, low, high, np.diff(counted.starts), counted.levels)


def _leave_out_within(matrices: FloatArray, starts: IntArray) -> tuple[FloatArray, FloatArray]:
    """The sum of each pair's matrices, one per pair of assessors, and that sum less each of them, one per entry."""
    totals = np.add.reduceat(matrices, starts[:-1], axis=0)
    return totals, np.repeat(totals, np.diff(starts), axis=0) - matrices


def _pool_kappas(counted: AssessorPairCounts) -> tuple[FloatArray, FloatArray]:
    """The pooled kappas and pi, shape [4], and without each topic, shape [4, topics].

    Leaving out a topic changes the margins of those pairs alone that share documents in it, so the expected
    disagreement is mended entry by entry.
    """
    expected, change = np.zeros(4), np.zeros((4, len(counted.topics)))
    for pairs, entries, matrices in counted.blocks():
        starts = counted.starts[pairs.start : pairs.stop + 1] - entries.start
        totals, left_out = _leave_out_within(matrices, starts)
        whole = _kappa_terms(totals)[1]
        lost = np.repeat(whole, np.diff(starts), axis=1) - _kappa_terms(left_out)[1]
        expected += whole.sum(axis=1)
        change += [np.bincount(counted.topic[entries], row, minlength=len(counted.topics)) for row in lost]
    joint = counted.by_pair()
    observed, total = _kappa_terms(joint)[0], joint.sum()
    value = formulas.correct_for_chance(observed.sum(axis=1), expected, total)
    without = formulas.correct_for_chance(leave_out_each(observed.T).T, expected[:, None] - change, total)
    return value, without


def _kappa_terms(joint: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The terms n Do and n De of the three kappas and Scott's pi, each of shape [4, ...]."""
    size = joint.shape[-1]
    linear = formulas.linear_distance(size)
    distances = formulas.nominal_distance(size), linear, linear**2
    terms = [*(formulas.cohen_terms(joint, distance) for distance in distances), formulas.scott_terms(joint)]
    return np.stack([observed for observed, _ in terms]), np.stack([expected for _, expected in terms])


def _coefficients_of_sides(joint: FloatArray, levels: Levels) -> FloatArray:
    kappas = formulas.correct_for_chance(*_kappa_terms(joint), joint.sum(axis=(-2, -1)))
    return _coefficients(joint, joint + np.swapaxes(joint, -1, -2), kappas, levels)


def _coefficients(shares: FloatArray, coincidences: FloatArray, kappas: FloatArray, levels: Levels) -> FloatArray:
    """All coefficients in the order of `COEFFICIENTS`; shape [coefficients, ...]."""
    distances = (
        formulas.nominal_distance(len(levels)),
        formulas.rank_distance(coincidences),
        formulas.interval_distance(levels.values()),
    )
    found = np.stack(
        [
            formulas.percent_agreement(shares),
            *kappas,
            formulas.fleiss_kappa(shares),
            *(formulas.krippendorff_alpha(coincidences, distance) for distance in distances),
            formulas.gwet_ac1(shares),
            formulas.gwet_ac2(shares),
        ]
    )
    if not levels.ordered:
        found[_NEEDS_ORDER] = np.nan
    return found


def _describe(value: float, low: float, high: float, topics: int, *, lacks_order: bool) -> Coefficient:
    if lacks_order:
        note = "The levels have no order, so there is no distance between them. Name them from low to high."
        return Coefficient(float("nan"), None, note)
    if math.isnan(value):
        note = "Undefined (0/0): only one level was used, so no disagreement is to be expected by chance."
        return Coefficient(float("nan"), None, note)
    if topics < 2:
        return Coefficient(value, None, "All pairs come from one topic, so there is no interval over topics.")
    if math.isnan(low):
        note = "Undefined (0/0) when one of the topics is left out, so there is no interval over topics."
        return Coefficient(value, None, note)
    flat = high - low < formulas.DUST
    note = "The same without any one of the topics, so the interval has no width; do not read it as certainty."
    return Coefficient(value, (low, high), note if flat else None)
