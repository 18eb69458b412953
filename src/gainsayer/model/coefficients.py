"""The formulas of agreement, on matrices of counts.

Every function takes a stack of matrices, shape [..., levels, levels], and answers one number per matrix, shape [...].
Almost all are `1 - Do / De`: the disagreement observed over the disagreement expected by chance, disagreements being
weighed by a *distance* between levels (`nominal_distance`, `linear_distance`, `rank_distance`, ...). They differ in
what they call chance. Where no disagreement is to be expected (everybody used one and the same level) the coefficient
is 0/0 and the answer NaN. `measure_agreement` gives each the right matrix.
"""

from __future__ import annotations

import numpy as np

from gainsayer.model.pairs import FloatArray

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
