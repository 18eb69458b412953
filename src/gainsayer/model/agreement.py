"""How far assessors agree: coefficients with intervals over topics, for every two sides."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from gainsayer.errors import LabelSetError
from gainsayer.findings import Finding
from gainsayer.levels import Levels
from gainsayer.model.assessor_pairs import AssessorPairCounts, count_assessor_pairs
from gainsayer.model.intervals import check_confidence
from gainsayer.model.pairs import FloatArray, IntArray
from gainsayer.model.variance import jackknife_intervals, leave_out_each
from gainsayer.reading.judgments import Judgments

# Sums of fractions such as 1/3 leave a little dust where a zero is meant.
DUST = 1e-12


def nominal_distance(size: int) -> FloatArray:
    """0 for equal levels, 1 for different ones: no order needed."""
    return 1 - np.eye(size)


def linear_distance(size: int) -> FloatArray:
    """|i - j| / (levels - 1), by the places of the levels in the order; its square is the quadratic distance."""
    places = np.arange(size)
    return np.asarray(np.abs(places[:, None] - places[None, :]) / (size - 1))


def interval_distance(values: FloatArray) -> FloatArray:
    """(v_i - v_j)², as a share of the widest one; `values` has one number per level (`Levels.values`).

    >>> interval_distance(np.array([0.0, 1.0, 4.0])).tolist()
    [[0.0, 0.0625, 1.0], [0.0625, 0.0, 0.5625], [1.0, 0.5625, 0.0]]
    """
    return ((values[:, None] - values[None, :]) / np.ptp(values)) ** 2


def rank_distance(coincidences: FloatArray) -> FloatArray:
    """Krippendorff's ordinal distance: (sum of n_g for g from i to j, less (n_i + n_j) / 2)², in shares of all.

    It is the squared difference of the two levels' mean ranks, so it depends on how often each level was used.
    """
    share = coincidences.sum(axis=-1) / np.maximum(coincidences.sum(axis=(-2, -1)), DUST)[..., None]
    rank = np.cumsum(share, axis=-1) - share / 2
    return np.asarray((rank[..., :, None] - rank[..., None, :]) ** 2)


def percent_agreement(joint: FloatArray) -> FloatArray:
    """Share of pairs with equal levels: sum_i J[i,i] / sum J.

    It is *not* corrected for chance: with 95 % of the documents at level 0, two assessors who never look at a document
    agree on 90 %.

    >>> twenty = np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]])
    >>> float(percent_agreement(twenty))
    0.5
    """
    return _divide(np.trace(joint, axis1=-2, axis2=-1), joint.sum(axis=(-2, -1)))


def scott_pi(joint: FloatArray) -> FloatArray:
    """Scott's pi, 1 - Do / De with chance from the margins of both assessors together (Scott 1955).

    De = 1 - sum_i m_i², m_i = (r_i + c_i) / 2n. Assumes that the assessors are exchangeable (T10): a difference in
    leniency counts as disagreement. For two levels it is p(R|R) - p(R|not R), the spread of the PRM gains (I6).

    >>> twenty = np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]])
    >>> collapsed = np.array([[twenty[:2, :2].sum(), twenty[:2, 2].sum()], [twenty[2, :2].sum(), twenty[2, 2]]])
    >>> round(float(scott_pi(twenty)), 6), round(float(scott_pi(collapsed)), 6)
    (0.232246, 0.2)
    """
    return correct_for_chance(*scott_terms(joint), joint.sum(axis=(-2, -1)))


def fleiss_kappa(shares: FloatArray) -> FloatArray:
    """Fleiss' kappa, 1 - Do / De for many assessors who need not be the same for each document (Fleiss 1971).

    `shares[i, j]` sums, over documents, the share of a document's ordered pairs of judgments with levels i, j; then
    Do = 1 - mean share of agreeing pairs, De = 1 - sum pi_i², pi_i = mean of n_di / k_d (where an assessor judged a
    document several times: the margins of its pairs, so that they do not crowd out the others). Each document counts
    once, also with unequal k_d (Fleiss assumed equal ones). Trap: in spite of its name it generalises Scott's pi,
    not Cohen's kappa; with two assessors it is Scott's pi.

    >>> twenty = np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]])
    >>> round(float(fleiss_kappa(twenty)), 6)
    0.232246
    """
    return scott_pi(shares)


def krippendorff_alpha(coincidences: FloatArray, distance: FloatArray) -> FloatArray:
    """Krippendorff's alpha, 1 - Do / De with chance from drawing two judgments without putting the first back.

    `coincidences` o is symmetric, S = J + J' for one pair per document, otherwise all ordered pairs of a document at
    weight 1 / (k_d - 1), so that each judgment counts once; n_i its margins, n their sum. Do = sum o_ij v_ij / n,
    De = sum n_i n_j v_ij / (n (n - 1)). Distance: nominal, `rank_distance(o)` for ordinal, `interval_distance`.

    Assumes exchangeable assessors, like Scott's pi, from which the nominal one differs by the factor (n - 1) / n in Do:
    alpha = 1 - (1 - pi) (n - 1) / n. Trap: the interval one rests on the numbers given to the levels.

    >>> twenty = np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]])
    >>> o = twenty + twenty.T
    >>> distances = nominal_distance(3), rank_distance(o), interval_distance(np.arange(3.0))
    >>> [round(float(krippendorff_alpha(o, distance)), 6) for distance in distances]
    [0.25144, 0.450797, 0.443469]
    """
    total = coincidences.sum(axis=(-2, -1))
    margin = coincidences.sum(axis=-1)
    observed = _divide(_weigh(coincidences, distance) * (total - 1), total)
    expected = _divide(_form(margin, distance, margin), total)
    return correct_for_chance(observed, expected, total)


def gwet_ac1(shares: FloatArray) -> FloatArray:
    """Gwet's AC1, (Pa - Pe) / (1 - Pe) with Pe = sum pi_i (1 - pi_i) / (levels - 1) (Gwet 2008).

    Chance is the agreement of assessors who guess, each level alike, on documents hard to judge; so it stays below
    1/levels, and with one level in use AC1 is defined where the kappas are 0/0. `shares` as for Fleiss' kappa; with two
    assessors J serves. Trap: *levels* are all levels declared, also those nobody used, and more of them raise AC1;
    on collections that are mostly level 0 it is far above kappa for the same labels.

    >>> twenty = np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]])
    >>> round(float(gwet_ac1(twenty)), 6)
    0.258573
    """
    return _gwet(shares, nominal_distance(shares.shape[-1]))


def gwet_ac2(shares: FloatArray) -> FloatArray:
    """Gwet's AC2: AC1 with quadratic weights w_ij = 1 - ((i - j) / (levels - 1))², by the places of the levels.

    Pa = sum w_ij of the shares, Pe = sum_ij w_ij sum_i pi_i (1 - pi_i) / (levels (levels - 1)) (Gwet 2014). Trap:
    other weights are in use elsewhere under the same name, so say *quadratic* with the number.

    >>> twenty = np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]])
    >>> round(float(gwet_ac2(twenty)), 6)
    0.53405
    """
    return _gwet(shares, linear_distance(shares.shape[-1]) ** 2)


def cohen_terms(joint: FloatArray, distance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The terms n Do and n De of Cohen's kappa, 1 - Do / De with chance from each assessor's own margins.

    Do = sum v_ij J[i,j] / n, De = sum v_ij r_i c_j / n², r and c being the sums of rows and columns, v the distance:
    nominal for the plain kappa (Cohen 1960), linear or its square for the weighted ones (1968; by the places of the
    levels). Summed over pairs of assessors the terms give the pooled kappa.

    Assumes that the rows belong to one assessor (or side) and the columns to another. Trap: assessors whose margins
    differ are corrected for less chance, so a biased assessor may look better; compare with `scott_pi`.

    >>> twenty, linear = np.array([[4.0, 1, 1], [3, 4, 3], [0, 2, 2]]), linear_distance(3)
    >>> terms = [cohen_terms(twenty, v) for v in (nominal_distance(3), linear, linear**2)]
    >>> [round(float(1 - observed / expected), 6) for observed, expected in terms]
    [0.242424, 0.329268, 0.429825]
    """
    expected = _form(joint.sum(axis=-1), distance, joint.sum(axis=-2))
    return _terms(joint, distance, expected)


def scott_terms(joint: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The terms n Do and n De of Scott's pi; summed over pairs of assessors they give the pooled pi."""
    distance = nominal_distance(joint.shape[-1])
    margin = (joint.sum(axis=-1) + joint.sum(axis=-2)) / 2
    return _terms(joint, distance, _form(margin, distance, margin))


def correct_for_chance(observed: FloatArray, expected: FloatArray, total: FloatArray) -> FloatArray:
    """1 - observed / expected; NaN where the expected disagreement is nothing beside `total`, the number of pairs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > DUST * total, 1 - observed / expected, np.nan)


def _gwet(shares: FloatArray, distance: FloatArray) -> FloatArray:
    size = shares.shape[-1]
    total = shares.sum(axis=(-2, -1))
    prevalence = _divide((shares.sum(axis=-1) + shares.sum(axis=-2)) / 2, total[..., None])
    chance = (1 - distance).sum() * (prevalence * (1 - prevalence)).sum(axis=-1) / (size * (size - 1))
    observed = _divide(_weigh(shares, distance), total)
    return np.asarray(1 - observed / (1 - chance))


def _terms(joint: FloatArray, distance: FloatArray, expected: FloatArray) -> tuple[FloatArray, FloatArray]:
    total = joint.sum(axis=(-2, -1))
    # A pair of assessors without a pair of judgments (its only topic left out) adds nothing, not NaN.
    return _weigh(joint, distance), np.where(total > 0, _divide(expected, total), 0.0)


def _form(left: FloatArray, distance: FloatArray, right: FloatArray) -> FloatArray:
    """The sum over i, j of left_i v_ij right_j, for one distance or one per matrix."""
    return np.asarray(np.einsum("...i,...i->...", np.einsum("...i,...ij->...j", left, distance), right))


def _weigh(matrix: FloatArray, distance: FloatArray) -> FloatArray:
    """The sum over i, j of matrix_ij v_ij, for one distance or one per matrix."""
    return np.asarray(np.einsum("...ij,...ij->...", matrix, distance))


def _divide(part: FloatArray, whole: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(part / whole)


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
    lowest = _lowest(len(levels))
    low, high = jackknife_intervals(value[:, None], left_out, starts, lowest=lowest, confidence=confidence)
    return AgreementScores(_within(value[:, None], levels), low, high, np.diff(starts), levels)


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
            totals, left_out, starts, lowest=_lowest(len(counted.levels)), confidence=confidence
        )
    return AgreementScores(_within(value, counted.levels), low, high, np.diff(counted.starts), counted.levels)


def _lowest(levels: int) -> FloatArray:
    """The least value of each coefficient: -Pe / (1 - Pe) of AC2, at most with all levels alike, and -1 of the others.

    >>> _lowest(2)[[0, -1]].tolist(), float(_lowest(4)[-1].round(6))
    ([0.0, -1.0], -2.6)
    """
    distance = linear_distance(levels) ** 2
    least = {"percent": 0.0, "gwet_ac2": 1 - 1 / distance.mean()}
    return np.array([least.get(name, -1.0) for name in COEFFICIENTS])


def _within(value: FloatArray, levels: Levels) -> FloatArray:
    """Without what rounding takes beyond the ends of a coefficient's scale."""
    return np.clip(value, _lowest(len(levels))[:, None], 1.0)


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
    value = correct_for_chance(observed.sum(axis=1), expected, total)
    without = correct_for_chance(leave_out_each(observed.T).T, expected[:, None] - change, total)
    return value, without


def _kappa_terms(joint: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The terms n Do and n De of the three kappas and Scott's pi, each of shape [4, ...]."""
    size = joint.shape[-1]
    linear = linear_distance(size)
    distances = nominal_distance(size), linear, linear**2
    terms = [*(cohen_terms(joint, distance) for distance in distances), scott_terms(joint)]
    return np.stack([observed for observed, _ in terms]), np.stack([expected for _, expected in terms])


def _coefficients_of_sides(joint: FloatArray, levels: Levels) -> FloatArray:
    kappas = correct_for_chance(*_kappa_terms(joint), joint.sum(axis=(-2, -1)))
    return _coefficients(joint, joint + np.swapaxes(joint, -1, -2), kappas, levels)


def _coefficients(shares: FloatArray, coincidences: FloatArray, kappas: FloatArray, levels: Levels) -> FloatArray:
    """All coefficients in the order of `COEFFICIENTS`; shape [coefficients, ...]."""
    distances = (
        nominal_distance(len(levels)),
        rank_distance(coincidences),
        interval_distance(levels.values()),
    )
    found = np.stack(
        [
            percent_agreement(shares),
            *kappas,
            fleiss_kappa(shares),
            *(krippendorff_alpha(coincidences, distance) for distance in distances),
            gwet_ac1(shares),
            gwet_ac2(shares),
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
    flat = high - low < DUST
    note = "The same without any one of the topics, so the interval has no width; do not read it as certainty."
    return Coefficient(value, (low, high), note if flat else None)


@dataclasses.dataclass(frozen=True, slots=True)
class AssessorPair:
    """Agreement of two assessors on the documents both judged: `pairs` pairs of judgments in `topics` topics."""

    first: str
    second: str
    pairs: int
    topics: int
    coefficients: dict[str, Coefficient]


@dataclass(frozen=True, eq=False, repr=False)
class Agreement:
    """How far the assessors agree.

    Args:
        levels: the levels, rows and columns of the counts.
        sides: the assessors of the two sides, or None where all pairs of different assessors count.
        topics: number of topics that hold pairs.
        pairs: number of pairs of judgments, each counted once.
        documents: number of documents with at least one pair.
        counts: shape [levels, levels]. With sides J, rows the first side's level; otherwise Krippendorff's
            coincidences, all ordered pairs at weight 1 / (k_d - 1).
        coefficients: by name, in the order of `COEFFICIENTS`.
        confidence: of the intervals.
        findings: what was noticed on the way.
        by_assessors: the counts of each pair of assessors.
        pair_scores: the coefficients of each pair of assessors, as arrays; `assessor_pairs` shows them one by one.
    """

    levels: Levels
    sides: tuple[tuple[str, ...], tuple[str, ...]] | None
    topics: int
    pairs: int
    documents: int
    counts: FloatArray
    coefficients: dict[str, Coefficient]
    confidence: float
    findings: tuple[Finding, ...]
    by_assessors: AssessorPairCounts
    pair_scores: AgreementScores

    def __repr__(self) -> str:
        return f"Agreement({self.pairs} pairs, {self.topics} topics, levels {', '.join(self.levels.names)})"

    @cached_property
    def assessor_pairs(self) -> tuple[AssessorPair, ...]:
        """Every pair of assessors that share documents (with sides: across them), in the order of the assessors.

        Kept as arrays until asked for: a crowd of hundreds has tens of thousands of pairs.
        """
        return tuple(self.assessor_pair(place) for place in range(self.assessor_pair_count))

    @property
    def assessor_pair_count(self) -> int:
        """How many pairs of assessors share documents."""
        return len(self.by_assessors)

    def assessor_pair(self, place: int) -> AssessorPair:
        """One of the pairs of assessors."""
        counted, scores = self.by_assessors, self.pair_scores
        names = counted.assessors[counted.first[place]], counted.assessors[counted.second[place]]
        return AssessorPair(*names, int(counted.pairs[place]), int(scores.topics[place]), scores.describe(place))


def measure_agreement(
    judgments: Judgments,
    *,
    first: Sequence[str] | None = None,
    second: Sequence[str] | None = None,
    matched: bool | None = None,
    confidence: float = 0.95,
) -> Agreement:
    """Agreement of the assessors over the documents that several of them judged, and of each pair of assessors.

    With two assessors or two sides, everything comes from J[topic, i, j], a side being treated as one
    assessor. With more assessors, any of whom may lack documents: percent, Fleiss and Gwet count each document once,
    Krippendorff each judgment once, and Cohen's, the weighted kappas and Scott's pi are pooled over pairs of assessors,
    `1 - sum_ab n_ab Do_ab / sum_ab n_ab De_ab` (de Vries et al. 2008, weighted by the pairs' numbers of documents).
    With two assessors and nothing missing all of them are the classical ones. See `coefficients` for each formula.

    Intervals leave out one topic at a time (`jackknife_intervals`). They say what other topics might have given, not
    other assessors. Judgments of one assessor never pair with each other; sampling weights are left aside.

    Args:
        judgments: who said what.
        first: assessors of the first side; with two assessors in all, the first one; with more, no sides.
        second: assessors of the second side; all others where only `first` is given.
        matched: whether the sides list fixed pairs of assessors, as in `count_pairs`.
        confidence: of the intervals.

    Raises:
        CallError: an assessor is unknown or stands on both sides, or the confidence is not between 0 and 1.
        PairingError: there is one assessor only, or no document that two of them judged.
        LabelSetError: somebody's labels look shifted or coarser, and nobody said what they mean.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> agreement = measure_agreement(twenty_documents())
    >>> agreement.pairs, agreement.counts.astype(int).tolist()
    (20, [[4, 1, 1], [3, 4, 3], [0, 2, 2]])
    >>> round(agreement.coefficients["cohen_kappa"].value, 6), agreement.coefficients["cohen_kappa"].note
    (0.242424, 'All pairs come from one topic, so there is no interval over topics.')
    """
    check_confidence(confidence)
    counted = count_assessor_pairs(judgments, first=first, second=second, matched=matched)
    if counted.refusal:
        raise LabelSetError(counted.refusal)
    if counted.sides is None:
        overall = score_many(counted, confidence)
    else:
        overall = score_sides(counted.by_judgment, counted.levels, confidence)
    return Agreement(
        levels=counted.levels,
        sides=counted.sides,
        topics=len(counted.topics),
        pairs=int(counted.pairs.sum()),
        documents=counted.documents,
        counts=counted.by_judgment.sum(axis=0),
        coefficients=overall.describe(0),
        confidence=confidence,
        findings=counted.findings,
        by_assessors=counted,
        pair_scores=score_assessor_pairs(counted, confidence),
    )
