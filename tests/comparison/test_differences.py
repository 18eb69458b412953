"""Differences of all pairs: intervals, p-values and verdicts that agree with each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t, ttest_rel
from tests.comparison.small_worlds import all_pairs, given_scores

from gainsayer.comparison import differences, find_differences, judge_pairs, score_intervals

SURE, UNSURE = np.array([True]), np.array([False])


def test_scores_of_zero() -> None:
    """A score of 0 has no interval; one that a single topic makes is on the raw scale; two zeros differ by [0, 0]."""
    scores = np.array([[0.0] * 6, [0.6, 0, 0, 0, 0, 0], [0.0] * 6, [0.3, 0.4, 0.2, 0.5, 0.1, 0.3]])
    found = score_intervals(given_scores(scores), confidence=0.95, highest=1.0)
    assert np.isnan(found.interval[[0, 2]]).all()
    half = t.ppf(0.975, 5) * scores[1].std(ddof=1) / np.sqrt(6)
    assert found.interval[1] == pytest.approx([0.0, 0.1 + half], rel=1e-12)
    pairs = all_pairs(given_scores(scores))
    both = (pairs.a == 0) & (pairs.b == 2)
    assert pairs.interval[both].tolist() == [[0.0, 0.0]]
    assert np.isnan(pairs.p[both]).all()
    assert np.isnan(pairs.p_adjusted[both]).all()
    assert pairs.verdicts.words()[int(np.flatnonzero(both)[0])] == "undecided"


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_adjusted_p_and_simultaneous_intervals_agree(confidence: float) -> None:
    """p_adjusted is at most 1 - confidence exactly where the simultaneous intervals, both kinds, exclude 0."""
    decided = 0
    for seed in range(15):
        rng = np.random.default_rng(seed)
        scores = rng.beta(2, 3, (8, 20)) + np.linspace(0, 0.5, 8)[:, None]
        a, b = np.triu_indices(8, k=1)
        [found] = find_differences(
            [given_scores(scores)], a, b, confidence=confidence, highest=[np.inf], patterns=999, seed=seed
        )
        significant = found.p_adjusted <= 1 - confidence + 1e-12
        for ends in (found.simultaneous_interval, found.simultaneous_relative_interval):
            assert ((ends[:, 0] > 0) | (ends[:, 1] < 0)).tolist() == significant.tolist()
        assert (found.verdicts.better | found.verdicts.worse).tolist() == significant.tolist()
        assert (found.p_adjusted >= found.p).all()
        decided += int(significant.sum())
    assert decided > 20


@pytest.mark.parametrize("topics", [50, 4_000])
def test_a_difference_beyond_every_doubt_is_significant(topics: int) -> None:
    """Where p is too small for a float, no sign pattern reaches it: adjusted p is 1 / (patterns + 1), never 1."""
    scores = np.random.default_rng(7).normal([[0.9], [0.5], [0.49]], 1e-9 if topics == 50 else 0.01, (topics, 3, 1))
    found = all_pairs(given_scores(scores[..., 0].T), flips=999)
    assert (found.p[:2] == 0).all()
    assert found.p_adjusted.tolist() == [1 / 1_000] * 3
    assert found.verdicts.words() == ["better"] * 3


def test_blocks_of_pairs_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs come in blocks of bounded memory; in blocks of 64 they have the same p-values and intervals."""
    scores = np.random.default_rng(5).random((14, 30))
    found = all_pairs(given_scores(scores), flips=500)
    monkeypatch.setattr(differences, "BLOCK_CELLS", 1)
    again = all_pairs(given_scores(scores), flips=500)
    assert again.p_adjusted.tolist() == found.p_adjusted.tolist()
    np.testing.assert_allclose(again.simultaneous_interval, found.simultaneous_interval, rtol=1e-12)


def test_order_of_topics_never_matters() -> None:
    """Signs belong to the names of topics: with the topics in another order p-values and intervals are the same."""
    scores = np.random.default_rng(6).random((5, 30))
    order = np.random.default_rng(7).permutation(30)
    plain = given_scores(scores)
    mixed = replace(given_scores(scores[:, order]), names=tuple(plain.names[at] for at in order))
    one, other = all_pairs(plain, flips=500), all_pairs(mixed, flips=500)
    assert other.p_adjusted.tolist() == one.p_adjusted.tolist()
    np.testing.assert_allclose(other.simultaneous_interval, one.simultaneous_interval, rtol=1e-6)


def test_thousands_of_topics() -> None:
    """5,000 topics: the interval is that of the mean's logarithm; two equal runs differ by nothing, with no test."""
    scores = np.random.default_rng(8).beta(2, 3, (3, 5_000))
    scores[2] = scores[1]
    found = all_pairs(given_scores(scores), flips=200)
    interval = score_intervals(given_scores(scores), confidence=0.95, highest=1.0).interval
    error = scores.std(axis=1, ddof=1) / np.sqrt(5_000) / scores.mean(axis=1)
    half = t.ppf(0.975, 4_999) * error
    np.testing.assert_allclose(np.log(interval[:, 1] / scores.mean(axis=1)), half, rtol=1e-3)
    assert found.difference[2] == 0
    assert found.p_adjusted[2] == 1


def test_progress_is_the_share_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty-six pairs in blocks of at least 64: 64/66 are done, then all."""
    monkeypatch.setattr(differences, "BLOCK_CELLS", 1)
    shares: list[float] = []
    a, b = np.triu_indices(12, k=1)
    scores = np.random.default_rng(1).random((12, 20))
    find_differences([given_scores(scores)], a, b, confidence=0.95, highest=[1.0], patterns=50, progress=shares.append)
    assert shares == [64 / 66, 1.0]


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_one_pair_is_the_t_test_of_the_relative_difference(confidence: float) -> None:
    """r, its jackknife error and scipy's t: p, and r ± t s within [-2, 2]; a margin is held against twice the level."""
    scores = np.random.default_rng(8).beta(2, 3, (2, 15)) + np.array([[0.25], [0.0]])
    [found] = find_differences(
        [given_scores(scores)], np.array([0]), np.array([1]), confidence=confidence, highest=[np.inf]
    )
    means = np.stack([np.delete(scores, topic, axis=1).mean(axis=1) for topic in range(15)])
    left = 2 * (means[:, 0] - means[:, 1]) / means.sum(axis=1)
    error = np.sqrt(14 / 15 * ((left - left.mean()) ** 2).sum())
    whole = scores.mean(axis=1)
    relative = 2 * (whole[0] - whole[1]) / whole.sum()
    assert found.relative == pytest.approx([relative])
    assert found.p == pytest.approx([2 * t.sf(abs(relative) / error, 14)])
    half = t.ppf((1 + confidence) / 2, 14) * error
    assert found.relative_interval[0] == pytest.approx([relative - half, relative + half])
    assert found.difference == pytest.approx([whole[0] - whole[1]])


@pytest.mark.parametrize("runs", [2, 4])
def test_a_margin_is_held_against_the_interval_of_twice_the_level(runs: int) -> None:
    """Two one-sided tests of 5 % each: the (simultaneous) 90 % interval must lie within the margin."""
    replicates = given_scores(np.random.default_rng(8).beta(2, 3, (runs, 15)))
    wide = np.abs(all_pairs(replicates, confidence=0.9).simultaneous_interval).max(axis=1)
    for pair, edge in enumerate(wide):
        for margin, within in ((1.001 * edge, True), (0.999 * edge, False)):
            assert all_pairs(replicates, margin=margin).verdicts.equivalent[pair] == within


def test_scores_that_may_be_negative_have_plain_differences() -> None:
    """Below 0 there is no relative difference: the difference takes its place, with scipy's paired t."""
    scores = np.random.default_rng(9).normal([[0.1], [-0.2]], 0.5, (2, 12))
    [found] = find_differences([given_scores(scores)], np.array([0]), np.array([1]), confidence=0.95, highest=[np.inf])
    expected = ttest_rel(scores[0], scores[1])
    assert found.p == pytest.approx([expected.pvalue])
    assert np.isnan(found.relative).all()
    assert np.isnan(found.relative_interval).all()
    ends = expected.confidence_interval()
    assert found.interval[0] == pytest.approx([ends.low, ends.high])


@pytest.mark.parametrize(
    ("difference", "significant", "word", "other_way"),
    [(0.2, SURE, "better", "worse"), (-0.2, SURE, "worse", "better"), (0.2, UNSURE, "undecided", "undecided")],
)
def test_the_sign_says_who_is_better(difference: float, significant: np.ndarray, word: str, other_way: str) -> None:
    """a scores higher than b: a is better, b worse; without significance nothing is said, whatever the sign."""
    found = judge_pairs(np.array([difference]), significant=significant)
    assert found.words() == [word]
    assert found.words(reverse=True) == [other_way]


def test_a_difference_of_nothing_is_neither_better_nor_worse() -> None:
    """Even where a test calls it significant, 0 has no sign."""
    assert judge_pairs(np.zeros(1), significant=SURE).words() == ["undecided"]


@pytest.mark.parametrize(
    ("low", "high", "word", "other_way"),
    [
        (-0.04, 0.04, "equivalent", "equivalent"),
        (-0.04, 0.06, "no worse", "undecided"),
        (-0.06, 0.04, "undecided", "no worse"),
        (-0.06, 0.06, "undecided", "undecided"),
        (-0.05, 0.04, "undecided", "no worse"),
        (-0.04, 0.05, "no worse", "undecided"),
    ],
)
def test_two_one_sided_tests_with_a_margin(low: float, high: float, word: str, other_way: str) -> None:
    """Within .05 on both sides: equivalent; on one side: no worse; an end on the margin itself is not within."""
    found = judge_pairs(np.zeros(1), significant=UNSURE, wide=np.array([[low, high]]), margin=0.05)
    assert found.words() == [word]
    assert found.words(reverse=True) == [other_way]


def test_better_by_less_than_matters() -> None:
    """Both hold where a small difference is certain; "no worse" goes without saying where a run is better."""
    ends = np.array([[0.01, 0.03], [0.01, 0.3]])
    found = judge_pairs(np.array([0.02, 0.15]), significant=np.array([True, True]), wide=ends, margin=0.05)
    assert found.words() == ["better, equivalent", "better"]
    assert found.words(reverse=True) == ["worse, equivalent", "worse"]


def test_words_of_many_pairs_are_those_of_each() -> None:
    """Pairs of a kind are worded once; the list is what one pair at a time gives."""
    rng = np.random.default_rng(2)
    difference = rng.normal(size=200)
    wide = np.sort(rng.normal(0, 0.1, (200, 2)), axis=1)
    found = judge_pairs(difference, significant=rng.random(200) < 0.4, wide=wide, margin=0.08)
    for reverse in (False, True):
        assert found.words(reverse=reverse) == [found.word(at, reverse=reverse) for at in range(200)]
    assert len(set(found.words())) > 4


def test_intervals_that_are_not_known_decide_nothing() -> None:
    """NaN lies on neither side of the margin, quietly."""
    found = judge_pairs(np.zeros(1), significant=UNSURE, wide=np.full((1, 2), np.nan), margin=0.1)
    assert found.words() == ["undecided"]
