"""Jackknife intervals, over topics and over people: deleted logits, skewness, effective topics; against loops."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit
from scipy.stats import ttest_1samp
from tests.model.deleted_topics import COUNTS, TOP, ends_around, fitted

import gainsayer as gs
from gainsayer.model import (
    clopper_pearson,
    delete_each,
    effective_number,
    effective_topics,
    exact_size,
    jackknife_intervals,
    leave_out_each,
    straighten,
    topic_intervals,
)
from gainsayer.model.variance import Family, Spread

Make = Callable[..., gs.Judgments]
RNG = np.random.default_rng(7)


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize("estimator", ["symmetric", "one-sided"])
def test_default_equals_a_loop_that_deletes_topics(estimator: str, confidence: float) -> None:
    """Each topic is deleted, p re-estimated and put on the logit scale; the ends are Hall's with scipy's t quantile."""
    disagreement = fitted(COUNTS, estimator=estimator)
    found = gs.predict_relevance(disagreement, TOP, confidence=confidence)
    for level in range(3):
        shares, sizes = [], []
        for chosen in [range(7), *([t for t in range(7) if t != left] for left in range(7))]:
            total = COUNTS[list(chosen)].sum(axis=0)
            total = total + total.T if estimator == "symmetric" else total
            shares.append(total[level, 2] / total[level].sum())
            sizes.append(total[level].sum())
        moves = np.array([logit(p) - logit(shares[0]) for p in shares[1:]])
        weight = 1 - np.array(sizes[1:]) / sizes[0]
        expected = ends_around(logit(shares[0]), moves, weight, confidence)
        assert found.interval.ends[level] == pytest.approx(expected, rel=1e-10)
        assert found.effective_topics[level] == pytest.approx((weight**1.5).sum() ** 2 / (weight**3).sum())
        assert found.degrees[level] == pytest.approx(min(6, found.effective_topics[level]))
    assert set(found.interval.methods) == {"jackknife over topics, logit, corrected for skewness"}


def test_half_a_count_where_all_relevant_opinions_stand_in_one_topic() -> None:
    """The logits are those of (relevant + 1/2) / (others + 1/2), and there is no correction for skewness."""
    counts = np.array([[[10, 3, 0]], [[20, 5, 0]], [[9, 9, 7]]])
    counts = np.concatenate([counts, np.full((3, 1, 3), 5), np.full((3, 1, 3), 5)], axis=1)
    found = gs.predict_relevance(fitted(counts, estimator="one-sided"), TOP)
    centre = np.log(7.5 / 56.5)
    moves = np.log([7.5 / 43.5, 7.5 / 31.5, 0.5 / 38.5]) - centre
    weight = np.array([13, 25, 25]) / 63
    reach = stats.t.ppf(0.975, 2) * np.sqrt(((1 - weight) * moves**2).sum())
    assert found.interval.ends[0] == pytest.approx([expit(centre - reach), expit(centre + reach)], rel=1e-10)
    assert found.interval.methods[0] == "jackknife over topics, logit with half a count added"


def test_clopper_pearson_with_the_effective_size_at_0_and_1() -> None:
    """Where p is 0 or 1 the ends are the exact binomial ones for opinions over the largest design effect."""
    counts = np.zeros((6, 3, 3))
    counts[:, 0] = [[16, 4, 0], [13, 7, 0], [19, 1, 0], [20, 0, 0], [5, 15, 0], [18, 2, 0]]
    counts[:, 1] = [[1, 0, 19], [9, 9, 2], [20, 5, 0], [0, 2, 17], [9, 3, 1], [4, 4, 0]]
    counts[:, 2] = [[0, 0, 90], [0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 0], [0, 0, 0]]
    found = gs.predict_relevance(fitted(counts, estimator="one-sided"), TOP)
    effect = found.topic[1] ** 2 / found.binomial[1] ** 2
    assert effect > 1
    n0 = 120 / effect
    n2 = 3 * 93**2 / (90**2 + 3)
    assert n0 < 3 * 6
    assert n2 < 93 / effect
    assert found.interval.ends[0] == pytest.approx([0, stats.beta.ppf(0.975, 1, n0)])
    assert found.interval.ends[2] == pytest.approx([stats.beta.ppf(0.025, n2, 1), 1])
    assert found.interval.methods[0] == "clopper-pearson, effective size"
    assert np.isnan(found.degrees[[0, 2]]).all()


def test_topics_with_the_same_share_do_not_make_it_certain() -> None:
    """Three topics with one relevant opinion of two each have the binomial interval of six opinions, not [.5, .5]."""
    found = topic_intervals(np.ones((3, 1)), np.full((3, 1), 2.0))
    assert found.ends[0] == pytest.approx([stats.beta.ppf(0.025, 3, 4), stats.beta.ppf(0.975, 4, 3)])
    assert found.exact.all()


def test_a_topic_is_worth_at_most_three_documents() -> None:
    """Without another level there is no design effect, and two topics of a hundred opinions count as six."""
    assert exact_size(np.zeros((2, 1)), np.full((2, 1), 100.0)).tolist() == [6.0]


def test_extreme_confidence_reaches_the_ends_quietly() -> None:
    """Two topics and a confidence of .99999 give [0, 1] without a warning from the arithmetic."""
    ends = gs.predict_relevance(fitted(COUNTS[:2]), TOP, confidence=0.99999).interval.ends
    assert np.all(ends >= 0)
    assert np.all(ends <= 1)
    np.testing.assert_allclose(ends[0], [0, 1], atol=1e-9)


def test_a_million_topics_need_no_more_than_a_few_passes() -> None:
    """The moves of the logit keep their digits with many topics: the variance is the delta method's."""
    topics = 1_000_000
    judged = np.full((topics, 1), 2.0)
    relevant = np.repeat([[0.0], [1.0], [1.0], [2.0]], topics // 4, axis=0)
    found = topic_intervals(relevant, judged)
    residual = ((relevant - 0.5 * judged) ** 2).sum() / (2 * topics) ** 2
    assert found.spread.topics[0] == pytest.approx(residual / 0.25**2, rel=1e-5)


def test_effective_numbers_by_hand() -> None:
    """(sum b^1.5)^2 / sum b^3 and (sum b)^2 / sum b^2: 4 and 4 topics for equal ones, (8 + 1)^2 / 65 and 25 / 17."""
    judged = np.array([[5.0, 4.0, 0.0], [5.0, 1.0, 0.0], [5.0, 0.0, 0.0], [5.0, 0.0, 0.0]])
    assert effective_topics(judged)[:2] == pytest.approx([4, 81 / 65])
    assert effective_number(judged)[:2] == pytest.approx([4, 25 / 17])
    assert np.isnan(effective_topics(judged)[2])
    assert np.isnan(effective_number(judged)[2])


@pytest.mark.parametrize("k", [0.4, -0.4, 1.5])
def test_straightening_is_the_inverse_of_halls_transformation(k: float) -> None:
    """With y = g(x), Hall's x = y + k y^2 / 3 + k^2 y^3 / 27 + k / 6; without skewness nothing changes."""
    x = np.linspace(-0.4, 0.4, 9) / abs(k)
    y = straighten(x, np.full(9, k))
    assert y + k * y**2 / 3 + k**2 * y**3 / 27 + k / 6 == pytest.approx(x, abs=1e-12)
    assert straighten(x, np.full(9, 1e-7)).tolist() == x.tolist()


def test_beyond_the_turning_point_the_far_end_stays_finite() -> None:
    """Where 1 + k (x - k/6) is below 0 the end lies max(|x|, 3/|k|) outwards."""
    found = straighten(np.array([-3.0, 3.0, -9.0]), np.array([1.2, -1.2, 0.5]))
    assert found == pytest.approx([-3.0, 3.0, -9.0])
    assert straighten(np.array([-2.0]), np.array([1.0])) == pytest.approx([-3.0])


def test_leaving_out_moves_the_logit_as_counting_anew_does() -> None:
    """f is log(A/C); d_t is the logit without a topic less f; half a count goes to all four sums."""
    relevant, judged = np.array([[1.0], [3], [2]]), np.array([[10.0], [9], [12]])
    for extra in (0.0, 0.5):
        centre, apart = delete_each(
            relevant, judged - relevant, np.array([6.0]), np.array([25.0]), np.array([extra > 0])
        )
        assert centre[0] == pytest.approx(np.log((6 + extra) / (25 + extra)))
        for topic in range(3):
            a, c = 6 - relevant[topic, 0], 25 - (judged - relevant)[topic, 0]
            assert apart[topic, 0] == pytest.approx(np.log((a + extra) / (c + extra)) - centre[0])


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_exact_ends_are_the_quantiles_of_a_beta(confidence: float) -> None:
    """Nothing of n: [0, Beta(1, n)]; everything: [Beta(n, 1), 1], from scipy, also for sizes that are not whole."""
    tail = (1 - confidence) / 2
    found = clopper_pearson(np.array([0.0, 1.0]), np.array([7.5, 7.5]), confidence)
    assert found[0] == pytest.approx([0, stats.beta.ppf(1 - tail, 1, 7.5)])
    assert found[1] == pytest.approx([stats.beta.ppf(tail, 7.5, 1), 1])


def test_the_exact_size_by_hand() -> None:
    """B over the largest design effect of the levels, at most three for each effective topic.

    Level 1 of three topics: a = 0, 4, 8 of 10 each, p = .4; residuals -4, 0, 4; V = 3/2 * 32 / 900; p (1 - p) / B =
    .008, so that the design effect is 20 / 3. Level 0 never: 60 / (20 / 3) = 9 = 3 x 3.
    """
    relevant = np.array([[0.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 8.0, 0.0]])
    judged = np.array([[20.0, 10.0, 1.0], [20.0, 10.0, 1.0], [20.0, 10.0, 1.0]])
    assert exact_size(relevant, judged)[[0, 2]] == pytest.approx([9.0, 3 / (20 / 3)])


@pytest.mark.parametrize("topics", [1, 2, 7])
def test_all_but_one(topics: int) -> None:
    """The sum of the others, for each topic; 0 where there is no other; what was given stays as it is."""
    counts = np.random.default_rng(topics).random((topics, 2, 3))
    kept = counts.copy()
    expected = [np.delete(counts, topic, axis=0).sum(axis=0) for topic in range(topics)]
    np.testing.assert_allclose(leave_out_each(counts), expected, atol=1e-15)
    assert counts.tolist() == kept.tolist()


def test_no_dust_is_left() -> None:
    """A cell that one topic alone holds is exactly 0 without it, which the total less the topic is not."""
    counts = np.array([0.0, 0.1 + 0.2, 0.0])
    assert leave_out_each(counts)[1] == 0.0


@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_of_a_mean_it_is_the_t_interval(confidence: float) -> None:
    """Leaving topics out of a mean gives scipy's t interval, group by group."""
    groups = [np.array([0.1, 0.3, 0.35, 0.2]), np.array([-0.4, 0.5])]
    left = np.concatenate([(own.sum() - own) / (len(own) - 1) for own in groups])
    low, high = jackknife_intervals(
        np.array([[own.mean() for own in groups]]),
        left[None],
        np.array([0, 4, 6]),
        lowest=np.array([-100.0]),
        confidence=confidence,
    )
    for place, own in enumerate(groups):
        expected = ttest_1samp(own, 0).confidence_interval(confidence)
        assert low[0, place] == pytest.approx(expected.low)
        assert high[0, place] == pytest.approx(min(expected.high, 1.0))


def test_ends_are_cut_and_one_topic_has_none() -> None:
    """Not below the least value there is, nor above 1; a group of one topic, or with an unknown estimate, has none."""
    left = np.array([[0.9, 0.1, 0.5, 0.5, np.nan], [0.9, 0.1, 0.5, 0.5, np.nan]])
    low, high = jackknife_intervals(
        np.array([[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]),
        left,
        np.array([0, 2, 3, 5]),
        lowest=np.array([0.0, -1.0]),
        confidence=0.95,
    )
    half = stats.t.ppf(0.975, 1) * np.sqrt(1 / 2 * 2 * 0.4**2)
    assert half > 2
    assert low[:, 0].tolist() == [0.0, -1.0]
    assert high[:, 0].tolist() == [1.0, 1.0]
    assert np.isnan(low[:, 1:]).all()
    assert np.isnan(high[:, 1:]).all()


def some_spread(cuts: int) -> Spread:
    """Four quantities with so many cuts of people."""
    rng = np.random.default_rng(5)
    people, noise, degrees = (
        rng.uniform(0, 0.2, (cuts, 4)),
        rng.uniform(0, 0.1, (cuts, 4)),
        rng.uniform(1, 6, (cuts, 4)),
    )
    return Spread(rng.uniform(0.05, 0.2, 4), rng.uniform(3, 20, 4), people, noise, degrees, max(cuts, 1))


@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_p_is_the_share_at_which_the_reach_is_the_distance(cuts: int) -> None:
    """Of any distance; so p is below a level exactly where the interval of that level excludes 0."""
    found = some_spread(cuts)
    for distance in (0.1, 0.5, 2.0):
        p = found.p(np.full(4, distance))
        assert found.reach(p) == pytest.approx(distance, rel=1e-9)


def test_the_reach_is_the_formula() -> None:
    """The larger of q² V and q² max(0, V - mean V_N) + sum of t² max(0, V_P - (1 - 1/n) V_N), by scipy's quantiles."""
    found = some_spread(2)
    for at in range(4):
        q = stats.t.ppf(0.975, found.topic_degrees[at])
        left = max(0.0, found.topics[at] - (found.noise[0, at] + found.noise[1, at]) / 2)
        square = q**2 * left
        for cut in range(2):
            t = stats.t.ppf(0.975, found.people_degrees[cut, at])
            square += t**2 * max(0.0, found.people[cut, at] - found.noise[cut, at] / 2)
        assert found.reach(0.05)[at] == pytest.approx(np.sqrt(max(q**2 * found.topics[at], square)), rel=1e-12)
    alone = Spread(found.topics, found.topic_degrees)
    assert alone.reach(0.05) == pytest.approx(stats.t.ppf(0.975, found.topic_degrees) * np.sqrt(found.topics))


@pytest.mark.parametrize("cuts", [0, 2])
@pytest.mark.parametrize("patterns", [64, 999])
def test_adjusted_p_values_agree_with_simultaneous_intervals(cuts: int, patterns: int) -> None:
    """At most the level exactly where the reach at that level is below the distance, on the grid and off it."""
    rng = np.random.default_rng(patterns)
    found = some_spread(cuts)
    family = Family(
        np.sort(np.abs(rng.standard_t(9, patterns))), 9, np.sort(np.abs(rng.normal(0, 2, (cuts, 500))), axis=1)
    )
    for distance in rng.uniform(0, 3, (40, 4)):
        adjusted = family.adjust(found, distance)
        for level in (0.01, 0.05, 0.1234, 10 / (patterns + 1)):
            assert ((adjusted <= level + 1e-12) == (family.reach(found, level) < distance)).all()
