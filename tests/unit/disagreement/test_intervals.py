"""Intervals of p(R|i), against plain loops and scipy's distributions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import gainsayer as gs
from gainsayer.disagreement.intervals import normal_interval
from gainsayer.disagreement.topic_intervals import exact_size, topic_intervals
from gainsayer.errors import CallError

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


@pytest.mark.parametrize("kind", ["uniform", "marginal", "isotonic"])
def test_default_smooths_every_replicate(kind: str) -> None:
    """With smoothing, each deleted-topic estimate is smoothed in the same way, for the interval and the error."""
    smoothing = gs.disagreement.Smoothing(kind)  # type: ignore[arg-type]
    found = gs.predict_relevance(fitted(COUNTS, smoothing), TOP)
    both = (COUNTS + COUNTS.transpose(0, 2, 1)).astype(float)
    full = smoothing.apply(both.sum(axis=0))[:, 2]
    without = np.array([smoothing.apply(np.delete(both, t, axis=0).sum(axis=0))[:, 2] for t in range(7)])
    for level in range(3):
        moves = np.array([logit(p) - logit(full[level]) for p in without[:, level]])
        weight = both[:, level].sum(axis=1) / both[:, level].sum()
        assert found.interval.ends[level] == pytest.approx(
            ends_around(logit(full[level]), moves, weight, 0.95), rel=1e-9
        )
        spread = without[:, level] - without[:, level].mean()
        assert found.topic[level] == pytest.approx(np.sqrt(6 / 7 * (spread**2).sum()))


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


def test_weighted_opinions_count_by_what_they_are_worth(judge: Make) -> None:
    """Six pairs that stand for a hundred each give the interval of six opinions, whatever the scale of the weights."""
    rows = [(f"q{t}", f"d{d}", side, "0") for t in range(2) for d in range(3) for side in "AB"]
    for mass in (0.01, 1.0, 100.0):
        weight = [mass if side == "B" else 1.0 for _, _, side, _ in rows]
        judgments = judge(rows, levels=LEVELS, columns={"weight": weight})
        disagreement = gs.estimate_disagreement(gs.count_pairs(judgments), estimator="one-sided")
        found = gs.predict_relevance(disagreement)
        assert found.interval.ends[0] == pytest.approx([0, stats.beta.ppf(0.975, 1, 6)])
        assert "thin-level" in [finding.code for finding in found.findings]
        with pytest.raises(CallError, match="The binomial error knows no weights"):
            gs.predict_relevance(disagreement, interval="binomial")


@pytest.mark.parametrize("method", ["auto", "topics"])
@pytest.mark.parametrize("kind", [None, "uniform", "marginal", "isotonic"])
def test_a_level_seen_in_one_topic_has_no_interval_over_topics(method: str, kind: str | None) -> None:
    """Nor has an empty one, also after smoothing: not knowing the error is not an error of 0."""
    counts = COUNTS.copy()
    counts[:, 2], counts[:, :, 2] = 0, 0
    counts[3, 2, 2] = 5
    levels = gs.Levels(("0", "1", "2", "3"))
    padded = np.pad(counts, ((0, 0), (0, 1), (0, 1)))
    smoothing = None if kind is None else gs.disagreement.Smoothing(kind)  # type: ignore[arg-type]
    disagreement = gs.estimate_disagreement(gs.counts.PairCounts.from_matrix(levels, padded), smoothing=smoothing)
    found = gs.predict_relevance(disagreement, levels.at_or_above("1"), interval=method)  # type: ignore[arg-type]
    assert np.all(np.isnan(found.interval.ends[2:]))
    assert found.interval.methods[2:] == (None, None)
    assert np.all(np.isnan(found.topic[2:]))
    assert np.all(np.isfinite(found.interval.ends[:2]))
    assert found.notes[2] == "seen in one topic: no error over topics"


@pytest.mark.parametrize("method", ["auto", "topics"])
def test_a_single_topic_has_no_interval_over_topics(method: str) -> None:
    """One topic gives NaN ends and no method; the pair interval is still there."""
    disagreement = fitted(COUNTS[:1])
    found = gs.predict_relevance(disagreement, interval=method)  # type: ignore[arg-type]
    assert np.all(np.isnan(found.interval.ends))
    assert found.interval.methods == (None, None, None)
    assert np.all(np.isfinite(gs.predict_relevance(disagreement, interval="pair").interval.ends))


def test_pair_and_binomial_intervals() -> None:
    """p +- z error, cut at 0 and 1."""
    for method in ("pair", "binomial"):
        found = gs.predict_relevance(fitted(COUNTS), TOP, interval=method, confidence=0.9)  # type: ignore[arg-type]
        reach = stats.norm.ppf(0.95) * getattr(found, method)
        np.testing.assert_allclose(found.interval.ends[:, 0], found.probability - reach)
        np.testing.assert_allclose(found.interval.ends[:, 1], found.probability + reach)
    cut = normal_interval(np.array([0.1, 0.9]), np.array([1.0, 1.0]), confidence=0.95, method="pair")
    assert cut.ends.tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize(("kind", "prior"), [("uniform", [0.5, 0.5, 0.5]), ("marginal", None)])
def test_beta_interval_is_the_posterior(kind: str, prior: list[float] | None) -> None:
    """Quantiles of Beta(c_R + alpha m_R, c - c_R + alpha (1 - m_R)) from scipy.stats."""
    both = (COUNTS + COUNTS.transpose(0, 2, 1)).sum(axis=0)
    share = prior or (both.sum(axis=0) / both.sum() * 1.5).tolist()
    found = gs.predict_relevance(fitted(COUNTS, gs.disagreement.Smoothing(kind)), TOP, interval="beta")  # type: ignore[arg-type]
    for level in range(3):
        relevant, judged = both[level, 2], both[level].sum()
        posterior = stats.beta(relevant + share[2], judged - relevant + 1.5 - share[2])
        assert found.interval.ends[level] == pytest.approx([posterior.ppf(0.025), posterior.ppf(0.975)])
        assert found.probability[level] == pytest.approx(posterior.mean())


def test_beta_interval_is_none_where_the_prior_rules_relevance_out() -> None:
    """A marginal prior gives a level nobody used the share 0; there is no posterior to take quantiles of."""
    counts = COUNTS.copy()
    counts[:, 2], counts[:, :, 2] = 0, 0
    found = gs.predict_relevance(fitted(counts, gs.disagreement.Smoothing("marginal")), TOP, interval="beta")
    assert found.interval.methods == (None, None, None)
    assert np.all(np.isnan(found.interval.ends))


def test_extreme_confidence_reaches_the_ends_quietly() -> None:
    """Two topics and a confidence of .99999 give [0, 1] without a warning from the arithmetic."""
    ends = gs.predict_relevance(fitted(COUNTS[:2]), TOP, confidence=0.99999).interval.ends
    assert np.all(ends >= 0)
    assert np.all(ends <= 1)
    np.testing.assert_allclose(ends[0], [0, 1], atol=1e-9)


def test_effective_topics_are_said_where_topics_are_unequal() -> None:
    """One topic with nearly all pairs: the finding names the levels and how many equal topics they are worth."""
    counts = np.repeat(COUNTS[:1], 12, axis=0)
    even = gs.predict_relevance(fitted(counts), TOP)
    counts[0] *= 50
    found = gs.predict_relevance(fitted(counts), TOP)
    assert "few-effective-topics" not in [finding.code for finding in even.findings]
    np.testing.assert_allclose(even.effective_topics, 12)
    message = next(finding.message for finding in found.findings if finding.code == "few-effective-topics")
    expected = (50**1.5 + 11) ** 2 / (50**3 + 11)
    np.testing.assert_allclose(found.effective_topics, expected)
    assert f"0 ({expected:.1f}), 1 ({expected:.1f}), 2 ({expected:.1f})" in message


def test_a_million_topics_need_no_more_than_a_few_passes() -> None:
    """The moves of the logit keep their digits with many topics: the variance is the delta method's."""
    topics = 1_000_000
    judged = np.full((topics, 1), 2.0)
    relevant = np.repeat([[0.0], [1.0], [1.0], [2.0]], topics // 4, axis=0)
    found = topic_intervals(relevant, judged)
    residual = ((relevant - 0.5 * judged) ** 2).sum() / (2 * topics) ** 2
    assert found.variance[0] == pytest.approx(residual / 0.25**2, rel=1e-5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"interval": "wald"}, "no interval 'wald': choose one of auto, topics, people, pair, binomial, beta"),
        ({"confidence": 1.0}, "confidence must lie between 0 and 1, found 1.0"),
        ({"confidence": float("nan")}, "between 0 and 1, found nan"),
        ({"interval": "beta"}, "A beta interval needs a prior"),
        ({"interval": "people"}, "at least two named assessors on each side that stands for users, found first and"),
    ],
)
def test_faults_are_named(arguments: dict[str, object], words: str) -> None:
    """Calls that cannot be served are refused by name."""
    with pytest.raises(CallError, match=words):
        gs.predict_relevance(fitted(COUNTS), TOP, **arguments)  # type: ignore[arg-type]
    with pytest.raises(CallError, match="The pair error is that of raw estimates"):
        gs.predict_relevance(fitted(COUNTS, gs.disagreement.Smoothing("uniform")), TOP, interval="pair")
    with pytest.raises(CallError, match="belong to other levels"):
        gs.predict_relevance(fitted(COUNTS), gs.Levels(("0", "1")).at_or_above("1"))
