"""Rank correlations and paired tests against SciPy, statsmodels, and published values of the tie-aware tau_AP."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from gainsayer.comparison import adjust_p, compare_pairs, kendall_tau, tau_ap

ORDERS = st.integers(2, 25).flatmap(
    lambda runs: st.tuples(*[st.lists(st.integers(0, 8), min_size=runs, max_size=runs)] * 2)
)


@given(ORDERS)
def test_tau_b_is_scipys(case: tuple[list[int], list[int]]) -> None:
    """On scores with many ties; where SciPy says NaN, the coefficient is undefined."""
    a, b = case
    found, expected = kendall_tau(a, b), stats.kendalltau(a, b).statistic
    if np.isnan(expected):
        assert found.value is None
    else:
        assert found.value == pytest.approx(expected, abs=1e-12)


def test_tau_ap_with_ties_is_what_its_authors_print() -> None:
    """The examples in the manual of the R package ircor, by the authors of tau_AP,b."""
    truth = np.array([0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54])
    estimate = np.array([0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84])
    estimate = estimate.round(1)
    assert tau_ap(estimate, truth).value == pytest.approx(0.3317019, abs=5e-8)
    truth = truth.round(1)
    for a, b in ((estimate, truth), (truth, estimate)):
        assert tau_ap(a, b).value == pytest.approx(0.339418, abs=5e-7)


@pytest.mark.parametrize("topics", [2, 5, 25, 200])
def test_paired_t_is_scipys(topics: int) -> None:
    """p for all pairs of eight runs, from far apart to nearly equal."""
    random = np.random.default_rng(topics)
    scores = random.beta(1, 2, size=(8, topics)) + np.linspace(0, 0.8, 8)[:, None]
    found = compare_pairs(scores, test="t")
    expected = stats.ttest_rel(scores[found.a], scores[found.b], axis=1).pvalue
    assert found.p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("topics", [2, 8, 14, 30, 50, 80])
@pytest.mark.parametrize("ties", [False, True])
def test_signed_ranks_are_scipys(topics: int, ties: bool) -> None:
    """p for all pairs; with ties the scores are whole numbers, so that SciPy sees the same ties and zeros."""
    random = np.random.default_rng(100 + topics)
    scores = random.integers(0, 6, size=(6, topics)).astype(float) if ties else random.random((6, topics))
    scores[0] += 1
    found = compare_pairs(scores, test="wilcoxon")
    for a, b, p in zip(found.a, found.b, found.p, strict=True):
        if np.any(scores[a] != scores[b]):
            assert p == pytest.approx(stats.wilcoxon(scores[a], scores[b]).pvalue, rel=1e-9)


def test_signed_ranks_of_tenths_are_those_of_whole_numbers() -> None:
    """P@10 and ten times P@10 have the same p, although tenths do not subtract exactly."""
    whole = np.random.default_rng(3).integers(0, 11, size=(5, 40)).astype(float)
    tenths = compare_pairs(whole / 10, test="wilcoxon")
    assert tenths.p == pytest.approx(compare_pairs(whole, test="wilcoxon").p, rel=1e-12)


@pytest.mark.parametrize("whole", [False, True])
def test_sign_flips_are_scipys_exact_permutation_test(whole: bool) -> None:
    """With ten topics both enumerate all 1,024 patterns; also with tied sums."""
    random = np.random.default_rng(12)
    scores = random.integers(0, 4, size=(4, 10)).astype(float) if whole else random.random((4, 10))
    scores[0] += 0.5
    found = compare_pairs(scores)
    for a, b, p in zip(found.a, found.b, found.p, strict=True):
        expected = stats.permutation_test(
            (scores[a] - scores[b],),
            np.mean,
            permutation_type="samples",
            n_resamples=np.inf,
            alternative="two-sided",
            vectorized=False,
        )
        assert p == pytest.approx(expected.pvalue, abs=1e-12)


@settings(max_examples=30)  # statsmodels takes its time
@given(st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.01, 0.04, 0.05])), min_size=1, max_size=40))
def test_adjusted_p_values_are_those_of_statsmodels(p: list[float]) -> None:
    """Holm and Benjamini-Hochberg, in the order given, ties included."""
    assert adjust_p(p, "holm") == pytest.approx(multipletests(p, method="holm")[1], abs=1e-12)
    assert adjust_p(p, "bh") == pytest.approx(multipletests(p, method="fdr_bh")[1], abs=1e-12)
    assert adjust_p(p, "none").tolist() == p
