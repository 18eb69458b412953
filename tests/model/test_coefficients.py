"""The formulas of agreement, against scikit-learn, krippendorff, statsmodels and their definitions read aloud."""

from __future__ import annotations

from itertools import product

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from gainsayer.model import agreement as formulas

RNG = np.random.default_rng(6)
FIRST = RNG.integers(0, 4, 80)
SECOND = np.clip(FIRST + RNG.integers(-1, 2, 80), 0, 3)
JOINT = np.zeros((4, 4))
np.add.at(JOINT, (FIRST, SECOND), 1)
VALUES = np.array([0.0, 1.0, 3.0, 7.0])


def test_distances_by_hand() -> None:
    """Nominal 0 or 1; linear in steps of 1/3; interval by the levels' numbers over the widest; 0 on the diagonal."""
    for i, j in product(range(4), repeat=2):
        assert formulas.nominal_distance(4)[i, j] == (i != j)
        assert formulas.linear_distance(4)[i, j] == pytest.approx(abs(i - j) / 3)
        assert formulas.interval_distance(VALUES)[i, j] == pytest.approx(((VALUES[i] - VALUES[j]) / 7) ** 2)


def test_the_ordinal_distance_counts_what_lies_between() -> None:
    """(n_i / 2 + all between + n_j / 2)^2 in shares of all."""
    both = JOINT + JOINT.T
    n = both.sum(axis=1) / both.sum()
    for i, j in product(range(4), repeat=2):
        low, high = min(i, j), max(i, j)
        between = n[low : high + 1].sum() - (n[low] + n[high]) / 2
        assert formulas.rank_distance(both)[i, j] == pytest.approx(between**2, abs=1e-15)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_cohens_kappas_are_scikit_learns(weights: str | None) -> None:
    """Plain, linear and quadratic."""
    linear = formulas.linear_distance(4)
    distance = {None: formulas.nominal_distance(4), "linear": linear, "quadratic": linear**2}[weights]
    expected = cohen_kappa_score(FIRST, SECOND, weights=weights)
    observed, chance = formulas.cohen_terms(JOINT, distance)
    assert 1 - observed / chance == pytest.approx(expected)


def test_scott_and_fleiss_are_statsmodels() -> None:
    """With two assessors Fleiss' kappa is Scott's pi, and statsmodels' of the same table."""
    table = np.zeros((80, 4))
    np.add.at(table, (np.arange(80), FIRST), 1)
    np.add.at(table, (np.arange(80), SECOND), 1)
    assert formulas.scott_pi(JOINT) == pytest.approx(statsmodels_fleiss(table))
    assert formulas.fleiss_kappa(JOINT) == pytest.approx(statsmodels_fleiss(table))
    assert formulas.percent_agreement(JOINT) == pytest.approx((FIRST == SECOND).mean())


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_is_krippendorffs(level: str) -> None:
    """The three of them from the coincidences S = J + J'."""
    both = JOINT + JOINT.T
    distance = {
        "nominal": formulas.nominal_distance(4),
        "ordinal": formulas.rank_distance(both),
        "interval": formulas.interval_distance(VALUES),
    }[level]
    labels = np.stack([VALUES[FIRST], VALUES[SECOND]])
    expected = krippendorff.alpha(reliability_data=labels, level_of_measurement=level)
    assert formulas.krippendorff_alpha(both, distance) == pytest.approx(expected)


def test_gwets_coefficients_read_aloud() -> None:
    """(Pa - Pe) / (1 - Pe): Pe = Tw sum pi (1 - pi) / (q (q - 1)), Tw the sum of the weights, q for AC1."""
    pi = (JOINT.sum(axis=0) + JOINT.sum(axis=1)) / (2 * JOINT.sum())
    for found, weight in (
        (formulas.gwet_ac1(JOINT), np.eye(4)),
        (formulas.gwet_ac2(JOINT), 1 - formulas.linear_distance(4) ** 2),
    ):
        agreed = (weight * JOINT).sum() / JOINT.sum()
        chance = weight.sum() * (pi * (1 - pi)).sum() / (4 * 3)
        assert found == pytest.approx((agreed - chance) / (1 - chance))


def test_a_stack_is_scored_matrix_by_matrix() -> None:
    """Axes in front are carried along, also where a distance belongs to each matrix."""
    stack = np.stack([JOINT, JOINT.T + 1, np.eye(4)])
    both = stack + stack.transpose(0, 2, 1)
    distance = formulas.rank_distance(both)
    for place in range(3):
        one = stack[place]
        for score in (formulas.percent_agreement, formulas.scott_pi, formulas.gwet_ac1, formulas.gwet_ac2):
            assert score(stack)[place] == pytest.approx(float(score(one)))
        expected = formulas.krippendorff_alpha(both[place], formulas.rank_distance(both[place]))
        assert formulas.krippendorff_alpha(both, distance)[place] == pytest.approx(float(expected))


def test_one_level_in_use_is_undefined_for_kappas_and_one_for_gwet() -> None:
    """0/0 is NaN, also where fractions leave dust; Gwet's chance is 0 there, so that AC1 is 1."""
    one = np.zeros((3, 3))
    one[1, 1] = 10
    assert np.isnan(formulas.scott_pi(one))
    assert formulas.gwet_ac1(one) == 1
    dust = np.full((1,), 1e-14)
    assert np.isnan(formulas.correct_for_chance(dust, dust, np.array([1.0]))).all()
    assert formulas.correct_for_chance(np.array([1e-3]), np.array([1e-2]), np.array([1.0])) == pytest.approx([0.9])


def test_terms_of_pairs_of_assessors_add_up_and_nothing_adds_nothing() -> None:
    """n Do and n De of a matrix give its pi; an empty matrix adds 0 to both, not NaN."""
    observed, expected = formulas.scott_terms(JOINT)
    assert 1 - observed / expected == pytest.approx(float(formulas.scott_pi(JOINT)))
    assert observed == pytest.approx((FIRST != SECOND).sum())
    empty = np.zeros((4, 4))
    assert [float(term) for term in formulas.scott_terms(empty)] == [0.0, 0.0]
