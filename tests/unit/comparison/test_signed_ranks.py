"""Wilcoxon's signed ranks: exact, enumerated and normal p-values, each against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wilcoxon

from gainsayer.comparison.signed_ranks import ENUMERATED_TOPICS, EXACT_TOPICS, rank_differences


@pytest.mark.parametrize("topics", [ENUMERATED_TOPICS, ENUMERATED_TOPICS + 1, EXACT_TOPICS, EXACT_TOPICS + 1])
def test_the_way_changes_and_the_numbers_are_scipys(topics: int) -> None:
    """On both sides of 13 and of 50 topics p is scipy's, for differences without ties."""
    differences = np.random.default_rng(topics).normal(0.3, 1, (topics, 5))
    expected = [wilcoxon(differences[:, pair]).pvalue for pair in range(5)]
    assert rank_differences(differences) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("topics", [ENUMERATED_TOPICS, 20, 60])
def test_ties_and_zeros_are_scipys(topics: int) -> None:
    """Whole numbers with ties and zeros: topics without difference left out, tied amounts at their mean rank."""
    differences = np.random.default_rng(topics).integers(-3, 5, (topics, 5)).astype(float)
    expected = [wilcoxon(differences[:, pair]).pvalue for pair in range(5)]
    assert rank_differences(differences) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("topics", [4, 20, 70])
def test_no_difference_has_p_one(topics: int) -> None:
    """Where no topic differs there is nothing to rank."""
    assert rank_differences(np.zeros((topics, 1))).tolist() == [1.0]


@pytest.mark.parametrize("topics", [8, 30, 60])
def test_signs_and_scale_do_not_matter(topics: int) -> None:
    """Two-sided, and about ranks: b against a, or ten times the amounts, has the same p."""
    differences = np.random.default_rng(2).normal(0.2, 1, (topics, 3))
    found = rank_differences(differences)
    assert rank_differences(-differences).tolist() == found.tolist()
    assert rank_differences(10 * differences) == pytest.approx(found, rel=1e-12)


def test_amounts_equal_on_paper_are_tied() -> None:
    """0.3 - 0.2 and 0.2 - 0.1 are one amount, as whole numbers show; 1e-9 apart they are two."""
    tenths = np.array([0.3 - 0.2, -(0.2 - 0.1), 0.5 - 0.3, 0.4] * 4)[:, None]
    whole = np.array([1.0, -1, 2, 4] * 4)[:, None]
    assert rank_differences(tenths) == pytest.approx([wilcoxon(whole[:, 0]).pvalue], rel=1e-12)
    apart = np.arange(1.0, 21)[:, None]
    apart[1] = 1 + 1e-9
    assert rank_differences(apart * np.resize([1, -1, 1], 20)[:, None]) == pytest.approx(
        [wilcoxon(apart[:, 0] * np.resize([1, -1, 1], 20), method="exact").pvalue], rel=1e-9
    )
