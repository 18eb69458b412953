"""The checks of the second round (T6) and of the two sides (T10), against other tools and brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import SquareTable

import gainsayer as gs
from gainsayer.errors import CallError
from gainsayer.model import Exchangeability, Share, check_selection, estimate


def counts_of(matrix: np.ndarray) -> gs.model.PairCounts:
    """Pair counts from J, or J per topic."""
    return gs.model.PairCounts.from_matrix(gs.Levels(tuple(map(str, range(np.shape(matrix)[-1])))), matrix)


@pytest.mark.parametrize("seed", range(8))
def test_bowker_and_stuart_maxwell_equal_statsmodels(seed: int) -> None:
    """Statistics and p-values of symmetry and homogeneity, on random tables of two to five levels."""
    rng = np.random.default_rng(seed)
    size = 2 + seed % 4
    matrix = rng.poisson(rng.uniform(2, 20, size=(size, size))) + 1
    found = gs.model.check_exchangeability(counts_of(matrix))
    table = SquareTable(matrix.astype(float), shift_zeros=False)
    symmetry, homogeneity = table.symmetry(), table.homogeneity(method="stuart_maxwell")
    assert (found.bowker, found.bowker_p) == pytest.approx((symmetry.statistic, symmetry.pvalue), rel=1e-8)
    expected = (homogeneity.statistic, homogeneity.pvalue)
    assert (found.stuart_maxwell, found.stuart_maxwell_p) == pytest.approx(expected, rel=1e-8)


def test_levels_that_nobody_used_cost_no_degrees_of_freedom() -> None:
    """An unused level leaves both tests as they are without it; full agreement gives p = 1."""
    matrix = np.array([[5, 9, 2], [3, 7, 8], [1, 2, 6]])
    one = gs.model.check_exchangeability(counts_of(matrix))
    two = gs.model.check_exchangeability(counts_of(np.pad(matrix, ((0, 1), (0, 1)))))
    for name in ("bowker", "bowker_p", "stuart_maxwell", "stuart_maxwell_p"):
        assert getattr(two, name) == pytest.approx(getattr(one, name), rel=1e-9)
    agreed = gs.model.check_exchangeability(counts_of(np.diag([5, 4, 3])))
    assert (agreed.bowker_p, agreed.stuart_maxwell_p) == (1.0, 1.0)
    assert not agreed.rejected()


def statistics_by_hand(matrix: np.ndarray) -> tuple[float, float]:
    """Stuart-Maxwell with the last level dropped, and Bowker, from J."""
    difference = (matrix.sum(axis=1) - matrix.sum(axis=0))[:-1]
    covariance = -(matrix + matrix.T)
    np.fill_diagonal(covariance, matrix.sum(axis=1) + matrix.sum(axis=0) - 2 * np.diagonal(matrix))
    margins = difference @ np.linalg.solve(covariance[:-1, :-1], difference)
    upper = np.triu_indices(len(matrix), 1)
    return float(margins), float(((matrix - matrix.T)[upper] ** 2 / (matrix + matrix.T)[upper]).sum())


@pytest.mark.parametrize("seed", range(3))
def test_randomised_p_equals_all_exchanges_of_eight_topics(seed: int) -> None:
    """For eight topics all 256 ways to exchange the sides are tried, and counted one by one here."""
    rng = np.random.default_rng(seed)
    parts = rng.poisson(rng.uniform(0.5, 4, size=(3, 3)), size=(8, 3, 3)).astype(float)
    found = gs.model.check_exchangeability(counts_of(parts))
    observed = statistics_by_hand(parts.sum(axis=0))
    extreme = np.zeros(2)
    for exchanged in product([False, True], repeat=8):
        total = sum(part.T if swap else part for part, swap in zip(parts, exchanged, strict=True))
        extreme += np.array(statistics_by_hand(total)) >= np.array(observed) * (1 - 1e-9)
    assert found.randomisations == 256
    assert found.stuart_maxwell_randomised_p == extreme[0] / 256
    assert found.bowker_randomised_p == extreme[1] / 256


def test_many_topics_are_exchanged_at_random_by_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The p-value depends on the seed alone, not on blocks, is never 0, and is None below eight topics."""
    parts = np.random.default_rng(5).poisson(2.0, size=(20, 3, 3))
    one, two = (gs.model.check_exchangeability(counts_of(parts), seed=3) for _ in range(2))
    assert one == two
    assert one.randomisations == 9_999
    monkeypatch.setattr(estimate, "BLOCK_CELLS", 1000)
    assert gs.model.check_exchangeability(counts_of(parts), seed=3) == one
    lopsided = np.array([[[9, 9], [0, 9]]] * 40)
    assert gs.model.check_exchangeability(counts_of(lopsided)).bowker_randomised_p == 1 / 10_000
    assert gs.model.check_exchangeability(counts_of(parts[:7])).bowker_randomised_p is None
    with pytest.raises(CallError, match="The seed must be a whole number of at least 0"):
        gs.model.check_exchangeability(counts_of(parts), seed=-1)


def test_very_many_topics_with_equal_parts_are_exchanged_as_one() -> None:
    """200,000 one-document topics: all 9,999 exchanges are drawn, and p is the exact sign test's within their noise."""
    ahead, behind, agreed = 30_300, 29_900, 139_800
    kinds = np.array([[[0, 1], [0, 0]], [[0, 0], [1, 0]], [[1, 0], [0, 0]]])
    found = gs.model.check_exchangeability(counts_of(np.repeat(kinds, [ahead, behind, agreed], axis=0)))
    exact = stats.binomtest(ahead, ahead + behind).pvalue
    assert found.randomisations == 9_999
    assert found.bowker_randomised_p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 9_999))
    assert found.stuart_maxwell_randomised_p == found.bowker_randomised_p


def test_pooling_equal_parts_changes_no_p_value_but_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Topic by topic or equal parts together, three levels: the same p-values within the noise of 9,999 exchanges."""
    rng = np.random.default_rng(8)
    parts = rng.multinomial(2, [0.2, 0.06, 0.07, 0.06, 0.2, 0.07, 0.07, 0.07, 0.2], size=1_000).reshape(-1, 3, 3)
    one = gs.model.check_exchangeability(counts_of(parts))
    monkeypatch.setattr(estimate, "MANY_TOPICS", 100)
    two = gs.model.check_exchangeability(counts_of(parts))
    for name in ("stuart_maxwell_randomised_p", "bowker_randomised_p"):
        p = getattr(one, name)
        assert 0.01 < p < 0.99
        assert getattr(two, name) == pytest.approx(p, abs=4 * np.sqrt(2 * p * (1 - p) / 9_999))


def test_randomisation_keeps_its_level_where_pairs_are_not_independent() -> None:
    """Where sides differ at random by topic the randomised test rejects near 5 % of trials, the naive one many more."""
    rng = np.random.default_rng(11)
    naive = randomised = 0
    trials = 200
    for _ in range(trials):
        lean = rng.beta(2, 2, size=10)  # in each topic one side is the more generous one
        upper = rng.binomial(12, lean)
        parts = np.array([[[9, up], [12 - up, 9]] for up in upper])
        found = gs.model.check_exchangeability(counts_of(parts))
        assert found.bowker_randomised_p is not None
        naive += found.bowker_p < 0.05
        randomised += found.bowker_randomised_p <= 0.05
    # Three binomial deviations around 5 % of 200 trials.
    assert randomised <= 10 + 3 * np.sqrt(200 * 0.05 * 0.95)
    assert naive > 40


def test_exchangeability_needs_two_sides() -> None:
    """Pairs of all assessors have no sides to exchange."""
    counts = replace(counts_of(np.ones((2, 2))), directed=False)
    with pytest.raises(CallError, match="a question about two sides"):
        gs.model.check_exchangeability(counts)


@pytest.mark.parametrize("seed", range(6))
def test_selection_in_one_topic_is_the_chi_square_of_the_table(seed: int) -> None:
    """For a single topic it is scipy's chi-square test times (N - 1) / N, with the same degrees of freedom."""
    rng = np.random.default_rng(seed)
    judged = rng.integers(5, 60, size=2 + seed % 4)
    paired = rng.binomial(judged, rng.uniform(0.2, 0.8, size=len(judged)))
    found = check_selection(Share("A", judged[None].astype(float), paired[None].astype(float)))
    expected = stats.chi2_contingency(np.array([paired, judged - paired]), correction=False)
    total = judged.sum()
    assert found.degrees == expected.dof
    assert found.statistic == pytest.approx(expected.statistic * (total - 1) / total)
    assert found.p == pytest.approx(stats.chi2.sf(found.statistic, expected.dof))
    assert found.shares == pytest.approx((paired / judged).tolist())


def test_whole_topics_may_be_chosen_in_any_way() -> None:
    """Topics judged twice as a whole, or hardly at all, add nothing to the test, whatever their levels."""
    judged, paired = np.array([[40.0, 10], [7, 30]]), np.array([[10.0, 3], [2, 8]])
    alone = check_selection(Share("A", judged, paired))
    whole = np.array([[90.0, 2], [1, 80]])
    found = check_selection(Share("A", np.vstack([judged, whole]), np.vstack([paired, whole])))
    assert (found.statistic, found.degrees) == pytest.approx((alone.statistic, alone.degrees))
    assert not found.biased
    untouched = check_selection(Share("A", np.vstack([judged, whole]), np.vstack([paired, 0 * whole])))
    assert untouched.statistic == pytest.approx(alone.statistic)


def test_false_alarms_are_as_rare_as_stated() -> None:
    """Documents chosen at random within topics of different levels and rates: p < .05 in near 5 %, p < .001 hardly."""
    rng = np.random.default_rng(21)
    trials, small, tiny = 1000, 0, 0
    for _ in range(trials):
        judged = np.vstack([rng.multinomial(60, rng.dirichlet([3, 2, 1])) for _ in range(12)])
        again = rng.integers(10, 50, size=12)
        paired = np.vstack(
            [rng.multivariate_hypergeometric(row, count) for row, count in zip(judged, again, strict=True)]
        )
        p = check_selection(Share("A", judged.astype(float), paired.astype(float))).p
        small, tiny = small + (p < 0.05), tiny + (p < 0.001)
    assert abs(small - 50) < 4 * np.sqrt(1000 * 0.05 * 0.95)
    assert tiny <= 6


def test_one_level_or_everything_judged_twice_gives_nothing_to_test() -> None:
    """No choice, no test: p = 1 and neither biased nor uneven."""
    for judged, paired in (([[9.0, 0]], [[4.0, 0]]), ([[9.0, 5]], [[9.0, 5]])):
        found = check_selection(Share("A", np.array(judged), np.array(paired)))
        assert found.p == 1.0
        assert not found.biased
        assert not found.uneven


@pytest.mark.parametrize(("p", "rejected"), [(0.024, True), (0.026, False), (0.04, False)])
def test_each_of_the_two_tests_has_half_of_five_percent(p: float, rejected: bool) -> None:
    """Either p below .025 rejects, by default; by randomisation where there is one, whatever the other says."""
    plain = Exchangeability(1.0, p, 1.0, 0.9, None, None, 5, 0, 0)
    other = Exchangeability(1.0, 0.9, 1.0, p, None, None, 5, 0, 0)
    randomised = Exchangeability(1.0, 0.0, 1.0, 0.0, 0.9, p, 12, 999, 0)
    assert [test.rejected() for test in (plain, other, randomised)] == [rejected] * 3
    assert plain.rejected(level=0.1)
