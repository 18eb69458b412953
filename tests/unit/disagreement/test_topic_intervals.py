"""The default interval of p(R|i): delete-one-topic logits, skewness, effective topics; against loops."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import gainsayer as gs
from gainsayer.disagreement.topic_intervals import (
    clopper_pearson,
    delete_each,
    effective_number,
    effective_topics,
    exact_size,
    straighten,
    topic_intervals,
)

LEVELS = gs.Levels(("0", "1", "2"))
COUNTS = np.random.default_rng(2).integers(1, 9, size=(7, 3, 3))
TOP = LEVELS.at_or_above("2")
Make = Callable[..., gs.Judgments]


def fitted(
    counts: np.ndarray, smoothing: gs.disagreement.Smoothing | None = None, estimator: str = "symmetric"
) -> gs.disagreement.Disagreement:
    """The estimate from J per topic."""
    pairs = gs.counts.PairCounts.from_matrix(LEVELS, counts)
    return gs.estimate_disagreement(pairs, estimator=estimator, smoothing=smoothing)  # type: ignore[arg-type]


def logit(p: float) -> float:
    """log(p / (1 - p))."""
    return float(np.log(p / (1 - p)))


def back(x: float) -> float:
    """The inverse of logit."""
    return float(1 / (1 + np.exp(-x)))


def ends_around(centre: float, moves: np.ndarray, share: np.ndarray, confidence: float) -> list[float]:
    """Hall's skewness-corrected ends around a logit, from what each deleted topic moves it by; no clipped ones."""
    topics = len(moves)
    psi = -np.sqrt(1 - share) * moves
    error = np.sqrt((psi**2).sum())
    k = 0.75 * (psi**3).sum() / error**3
    effective = (share**1.5).sum() ** 2 / (share**3).sum()
    q = stats.t.ppf((1 + confidence) / 2, min(topics - 1, max(2, effective)))
    bent = [3 / k * ((1 + k * (x - k / 6)) ** (1 / 3) - 1) for x in (q, -q)]
    return [back(centre - error * x) for x in bent]


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
    assert found.interval.ends[0] == pytest.approx([back(centre - reach), back(centre + reach)], rel=1e-10)
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
    assert found.variance[0] == pytest.approx(residual / 0.25**2, rel=1e-5)


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
