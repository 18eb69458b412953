"""Paired tests of runs: pairs, degenerate scores, seeds, and what is refused."""

from __future__ import annotations

from itertools import product
from typing import Literal

import numpy as np
import pytest
from scipy.stats import wilcoxon

from gainsayer.comparison import (
    ENUMERATED_TOPICS,
    EXACT_TOPICS,
    adjust_p,
    compare_pairs,
    discriminative_power,
    rank_differences,
)
from gainsayer.errors import CallError

Test = Literal["randomisation", "t", "wilcoxon"]
TESTS: tuple[Test, ...] = ("randomisation", "t", "wilcoxon")
SCORES = np.random.default_rng(7).random((5, 30)) + np.array([[0.3], [0.1], [0.0], [0.0], [0.2]])


@pytest.mark.parametrize("test", TESTS)
def test_all_pairs_or_those_of_the_baseline(test: Test) -> None:
    """Pairs stand in order of the runs; with a baseline they are the others against it, and p is what it was."""
    everything = compare_pairs(SCORES, test=test, permutations=500, adjust="none")
    assert list(zip(everything.a, everything.b, strict=True)) == [(i, j) for i in range(5) for j in range(i + 1, 5)]
    means = SCORES.mean(axis=1)
    assert everything.difference == pytest.approx(means[everything.a] - means[everything.b], abs=1e-15)
    against = compare_pairs(SCORES, test=test, permutations=500, adjust="none", baseline=2)
    assert against.a.tolist() == [0, 1, 3, 4]
    assert against.b.tolist() == [2, 2, 2, 2]
    assert against.difference == pytest.approx(means[[0, 1, 3, 4]] - means[2], abs=1e-15)
    same = [p for a, b, p in zip(everything.a, everything.b, everything.p, strict=True) if 2 in (a, b)]
    assert against.p.tolist() == pytest.approx(same, abs=1e-15)


@pytest.mark.parametrize("test", TESTS)
def test_identical_runs_have_p_one(test: Test) -> None:
    """Runs that score the same have p = 1, no difference and no effect, also if only rounding parts them."""
    scores = np.stack([SCORES[0], SCORES[0], SCORES[0] * (1 + 2e-16) + 1e-17, SCORES[1]])
    found = compare_pairs(scores, test=test, permutations=200)
    for pair in (0, 1, 3):
        assert (found.p[pair], found.p_adjusted[pair], found.difference[pair]) == (1, 1, 0)
        assert np.isnan(found.effect[pair])
    assert np.isfinite(found.effect[[2, 4, 5]]).all()


@pytest.mark.parametrize("topics", [2, 5, 60])
def test_constant_difference_is_not_certainty(topics: int) -> None:
    """If all topics differ by the same amount, the t-test gives the p of the exact randomisation test, never 0."""
    scores = np.stack([np.linspace(0.1, 0.6, topics) + 0.1, np.linspace(0.1, 0.6, topics)])
    found = compare_pairs(scores, test="t")
    assert found.p[0] == 2.0 ** (1 - topics)
    assert np.isnan(found.effect[0])
    if topics <= 5:
        assert compare_pairs(scores).p[0] == found.p[0]
    assert compare_pairs(scores[::-1], test="t").p.tolist() == found.p.tolist(), "whichever run is the better one"


def test_sign_patterns_by_enumeration() -> None:
    """With no more patterns than permutations, p is the share of all patterns that reach the difference."""
    differences = np.array([0.1, -0.2, 0.3, 0.3, 0.0, 0.1, -0.1])
    sums = [abs(np.dot(signs, differences)) for signs in product((1, -1), repeat=7)]
    expected = sum(value >= 0.5 - 1e-9 for value in sums) / 128
    found = compare_pairs(np.stack([differences + 0.5, np.full(7, 0.5)]), permutations=128)
    assert found.p[0] == pytest.approx(expected, abs=1e-15)
    assert found.permutations == 128
    random = compare_pairs(np.stack([differences + 0.5, np.full(7, 0.5)]), permutations=127, seed=3)
    assert random.permutations == 127


def test_same_seed_same_numbers() -> None:
    """The seed decides; another seed gives other permutations."""
    first = compare_pairs(SCORES, permutations=999, seed=4)
    again = compare_pairs(SCORES, permutations=999, seed=4)
    other = compare_pairs(SCORES, permutations=999, seed=5)
    assert first.p.tolist() == again.p.tolist() != other.p.tolist()
    assert first.permutations == 999
    assert first.p.min() >= 1 / 1000


def test_effect_is_mean_over_deviation() -> None:
    """d_z of the differences 1, 2, 3 is 2."""
    assert compare_pairs(np.array([[1.0, 2, 3], [0, 0, 0]]), test="t").effect[0] == pytest.approx(2)


def test_power_is_the_share_below_the_level() -> None:
    """Sakai's power counts p below the level; the p-values come in rising order."""
    found = discriminative_power([0.5, 0.05, 0.01, 0.5], level=0.05)
    assert (found.power, found.pairs, found.level) == (0.25, 4, 0.05)
    assert found.p.tolist() == [0.01, 0.05, 0.5, 0.5]


def test_power_is_at_five_percent_unless_asked_otherwise() -> None:
    """.049 differs significantly, .051 and .09 do not; at 10 % all three do."""
    assert discriminative_power([0.049, 0.051, 0.09, 0.5]).power == 0.25
    assert discriminative_power([0.049, 0.051, 0.09, 0.5], level=0.1).power == 0.75


def test_what_is_refused() -> None:
    """One run, one topic, NaN, unknown tests: the message says what was expected and what to do."""
    with pytest.raises(CallError, match="at least two are needed, found 1"):
        compare_pairs(SCORES[:1])
    for test in TESTS:
        with pytest.raises(CallError, match="at least two topics, found 1"):
            compare_pairs(SCORES[:, :1], test=test)
    with pytest.raises(CallError, match="found nan for run 0 on topic 1"):
        compare_pairs([[0.1, np.nan], [0.2, 0.3]])
    with pytest.raises(CallError, match=r"\[runs, topics\]"):
        compare_pairs([0.1, 0.2])
    with pytest.raises(CallError, match="from 0 to 4; found 5"):
        compare_pairs(SCORES, baseline=5)
    with pytest.raises(CallError, match="found 'u'"):
        compare_pairs(SCORES, test="u")  # type: ignore[arg-type]
    with pytest.raises(CallError, match="found 'by'"):
        compare_pairs(SCORES, adjust="by")  # type: ignore[arg-type]
    with pytest.raises(CallError, match="found 'by'"):
        adjust_p([0.1], "by")  # type: ignore[arg-type]
    with pytest.raises(CallError, match="permutations must lie between 1 and 1,000,000, found 0"):
        compare_pairs(SCORES, permutations=0)
    with pytest.raises(CallError, match="from 0 to 1"):
        adjust_p([0.1, np.nan], "holm")
    with pytest.raises(CallError, match="at least one pair"):
        discriminative_power([])
    with pytest.raises(CallError, match="found 1"):
        discriminative_power([0.5], level=1)


@pytest.mark.parametrize("test", ["randomisation", "wilcoxon", "t"])
def test_order_of_topics_does_not_matter(test: Test) -> None:
    """Scores in tenths make many tied sums; adding the topics in another order moves no enumerated p."""
    random = np.random.default_rng(8)
    scores = random.integers(0, 11, size=(12, 11)) / 10
    found = compare_pairs(scores, test=test)
    for _ in range(5):
        again = compare_pairs(scores[:, random.permutation(11)], test=test)
        assert again.p == pytest.approx(found.p, abs=1e-12)


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
