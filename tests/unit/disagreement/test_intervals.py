"""Intervals of p(R|i), against plain loops and scipy's distributions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import gainsayer as gs
from gainsayer.disagreement.intervals import (
    bootstrap_interval,
    jackknife_interval,
    normal_interval,
    quantile,
)
from gainsayer.errors import CallError

LEVELS = gs.Levels(("0", "1", "2"))
COUNTS = np.random.default_rng(2).integers(1, 9, size=(7, 3, 3))
TOP = LEVELS.at_or_above("2")
Make = Callable[..., gs.Judgments]


def fitted(counts: np.ndarray, smoothing: gs.Smoothing | None = None, estimator: str = "symmetric") -> gs.Disagreement:
    """The estimate from J per topic."""
    pairs = gs.PairCounts.from_matrix(LEVELS, counts)
    return gs.estimate_disagreement(pairs, estimator=estimator, smoothing=smoothing)  # type: ignore[arg-type]


def logit(p: float) -> float:
    """log(p / (1 - p))."""
    return float(np.log(p / (1 - p)))


def back(x: float) -> float:
    """The inverse of logit."""
    return float(1 / (1 + np.exp(-x)))


def ends_around(centre: float, logits: list[float], confidence: float) -> list[float]:
    """centre +- t * jackknife error of the logits, transformed back."""
    topics = len(logits)
    error = np.sqrt((topics - 1) / topics * sum((value - np.mean(logits)) ** 2 for value in logits))
    reach = stats.t.ppf((1 + confidence) / 2, topics - 1) * error
    return [back(centre - reach), back(centre + reach)]


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize("estimator", ["symmetric", "one-sided"])
def test_jackknife_equals_a_loop_that_deletes_topics(estimator: str, confidence: float) -> None:
    """Each topic is deleted, p re-estimated and put on the logit scale; the ends use scipy's t quantile."""
    disagreement = fitted(COUNTS, estimator=estimator)
    found = gs.predict_relevance(disagreement, TOP, confidence=confidence)
    for level in range(3):
        shares = []
        for chosen in [range(7), *([t for t in range(7) if t != left] for left in range(7))]:
            total = COUNTS[list(chosen)].sum(axis=0)
            total = total + total.T if estimator == "symmetric" else total
            shares.append(total[level, 2] / total[level].sum())
        expected = ends_around(logit(shares[0]), [logit(p) for p in shares[1:]], confidence)
        assert found.interval.ends[level] == pytest.approx(expected, rel=1e-10)
    assert set(found.interval.methods) == {"jackknife over topics, logit"}


@pytest.mark.parametrize("kind", ["uniform", "marginal", "isotonic"])
def test_jackknife_smooths_every_replicate(kind: str) -> None:
    """With smoothing, each deleted-topic estimate is smoothed in the same way, for the interval and the error."""
    smoothing = gs.Smoothing(kind)  # type: ignore[arg-type]
    found = gs.predict_relevance(fitted(COUNTS, smoothing), TOP)
    both = (COUNTS + COUNTS.transpose(0, 2, 1)).astype(float)
    full = smoothing.apply(both.sum(axis=0))[:, 2]
    without = np.array([smoothing.apply(np.delete(both, t, axis=0).sum(axis=0))[:, 2] for t in range(7)])
    for level in range(3):
        expected = ends_around(logit(full[level]), [logit(p) for p in without[:, level]], 0.95)
        assert found.interval.ends[level] == pytest.approx(expected, rel=1e-9)
        spread = without[:, level] - without[:, level].mean()
        assert found.topic[level] == pytest.approx(np.sqrt(6 / 7 * (spread**2).sum()))


def test_half_a_count_where_a_replicate_is_0() -> None:
    """All relevant opinions in one topic: the logits are those of (relevant + 1/2) / (opinions + 1)."""
    counts = np.array([[[10, 3, 0]], [[20, 5, 0]], [[9, 9, 7]]])
    counts = np.concatenate([counts, np.full((3, 1, 3), 5), np.full((3, 1, 3), 5)], axis=1)
    found = gs.predict_relevance(fitted(counts, estimator="one-sided"), TOP)
    centre = logit(7.5 / 64)
    without = [logit(7.5 / 51), logit(7.5 / 39), logit(0.5 / 39)]
    assert found.interval.ends[0] == pytest.approx(ends_around(centre, without, 0.95), rel=1e-10)
    assert found.interval.methods[0] == "jackknife over topics, logit with half a count added"


def test_clopper_pearson_with_the_effective_size_at_0_and_1() -> None:
    """Where p is 0 or 1 the ends are the exact binomial ones for opinions over the largest design effect."""
    counts = np.zeros((3, 3, 3))
    counts[:, 0] = [[40, 5, 0], [30, 8, 0], [25, 2, 0]]
    counts[:, 1] = [[3, 9, 8], [9, 9, 2], [5, 5, 1]]
    counts[:, 2] = [[0, 0, 9], [0, 0, 4], [0, 0, 6]]
    found = gs.predict_relevance(fitted(counts, estimator="one-sided"), TOP)
    effect = found.topic[1] ** 2 / found.binomial[1] ** 2
    assert effect > 1
    n0, n2 = 110 / effect, 19 / effect
    assert found.interval.ends[0] == pytest.approx([0, stats.beta.ppf(0.975, 1, n0)])
    assert found.interval.ends[2] == pytest.approx([stats.beta.ppf(0.025, n2, 1), 1])
    assert found.interval.methods[0] == "clopper-pearson, effective size"


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


@pytest.mark.parametrize("method", ["jackknife", "bootstrap", "topic"])
@pytest.mark.parametrize("kind", [None, "uniform", "marginal", "isotonic"])
def test_a_level_seen_in_one_topic_has_no_interval_over_topics(method: str, kind: str | None) -> None:
    """Nor has an empty one, also after smoothing: not knowing the error is not an error of 0."""
    counts = COUNTS.copy()
    counts[:, 2], counts[:, :, 2] = 0, 0
    counts[3, 2, 2] = 5
    levels = gs.Levels(("0", "1", "2", "3"))
    padded = np.pad(counts, ((0, 0), (0, 1), (0, 1)))
    smoothing = None if kind is None else gs.Smoothing(kind)  # type: ignore[arg-type]
    disagreement = gs.estimate_disagreement(gs.PairCounts.from_matrix(levels, padded), smoothing=smoothing)
    found = gs.predict_relevance(disagreement, levels.at_or_above("1"), interval=method, draws=50)  # type: ignore[arg-type]
    assert np.all(np.isnan(found.interval.ends[2:]))
    assert found.interval.methods[2:] == (None, None)
    assert np.all(np.isnan(found.topic[2:]))
    assert np.all(np.isfinite(found.interval.ends[:2]))
    assert found.notes[2] == "seen in one topic: no error over topics"


@pytest.mark.parametrize("method", ["jackknife", "bootstrap", "topic"])
def test_a_single_topic_has_no_interval_over_topics(method: str) -> None:
    """One topic gives NaN ends and no method; the pair interval is still there."""
    disagreement = fitted(COUNTS[:1])
    found = gs.predict_relevance(disagreement, interval=method, draws=20)  # type: ignore[arg-type]
    assert np.all(np.isnan(found.interval.ends))
    assert found.interval.methods == (None, None, None)
    assert np.all(np.isfinite(gs.predict_relevance(disagreement, interval="pair").interval.ends))


def test_topic_pair_and_binomial_intervals() -> None:
    """p +- t_{T-1} error over topics, p +- z error for the other two, cut at 0 and 1."""
    for method, factor in (
        ("topic", stats.t.ppf(0.95, 6)),
        ("pair", stats.norm.ppf(0.95)),
        ("binomial", stats.norm.ppf(0.95)),
    ):
        found = gs.predict_relevance(fitted(COUNTS), TOP, interval=method, confidence=0.9)  # type: ignore[arg-type]
        error = getattr(found, method)
        np.testing.assert_allclose(found.interval.ends[:, 0], found.probability - factor * error)
        np.testing.assert_allclose(found.interval.ends[:, 1], found.probability + factor * error)
    cut = normal_interval(np.array([0.1, 0.9]), np.array([1.0, 1.0]), confidence=0.95, degrees=np.inf, method="pair")
    assert cut.ends.tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize(("kind", "prior"), [("uniform", [0.5, 0.5, 0.5]), ("marginal", None)])
def test_beta_interval_is_the_posterior(kind: str, prior: list[float] | None) -> None:
    """Quantiles of Beta(c_R + alpha m_R, c - c_R + alpha (1 - m_R)) from scipy.stats."""
    both = (COUNTS + COUNTS.transpose(0, 2, 1)).sum(axis=0)
    share = prior or (both.sum(axis=0) / both.sum() * 1.5).tolist()
    found = gs.predict_relevance(fitted(COUNTS, gs.Smoothing(kind)), TOP, interval="beta")  # type: ignore[arg-type]
    for level in range(3):
        relevant, judged = both[level, 2], both[level].sum()
        posterior = stats.beta(relevant + share[2], judged - relevant + 1.5 - share[2])
        assert found.interval.ends[level] == pytest.approx([posterior.ppf(0.025), posterior.ppf(0.975)])
        assert found.probability[level] == pytest.approx(posterior.mean())


def test_beta_interval_is_none_where_the_prior_rules_relevance_out() -> None:
    """A marginal prior gives a level nobody used the share 0; there is no posterior to take quantiles of."""
    counts = COUNTS.copy()
    counts[:, 2], counts[:, :, 2] = 0, 0
    found = gs.predict_relevance(fitted(counts, gs.Smoothing("marginal")), TOP, interval="beta")
    assert found.interval.methods == (None, None, None)
    assert np.all(np.isnan(found.interval.ends))


def test_bootstrap_interval_is_the_quantiles_of_the_draws() -> None:
    """Draws that lack the level are left out; the seed decides the draws."""
    disagreement = fitted(COUNTS)
    found = gs.predict_relevance(disagreement, TOP, interval="bootstrap", draws=400, seed=3, confidence=0.8)
    draws = gs.draw_probabilities(disagreement, TOP, draws=400, seed=3)
    np.testing.assert_allclose(found.interval.ends, np.quantile(draws, [0.1, 0.9], axis=0).T)
    again = gs.predict_relevance(disagreement, TOP, interval="bootstrap", draws=400, seed=4, confidence=0.8)
    assert not np.array_equal(found.interval.ends, again.interval.ends)
    ends = bootstrap_interval(np.array([[0.1], [np.nan], [0.3]]), confidence=0.5).ends
    np.testing.assert_allclose(ends, [[0.15, 0.25]])


def test_extreme_confidence_reaches_the_ends_quietly() -> None:
    """Two topics and a confidence of .99999 give [0, 1] without a warning from the arithmetic."""
    ends = gs.predict_relevance(fitted(COUNTS[:2]), TOP, confidence=0.99999).interval.ends
    assert np.all(ends >= 0)
    assert np.all(ends <= 1)
    np.testing.assert_allclose(ends[0], [0, 1], atol=1e-9)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("degrees", [1, 2, 23, np.inf])
def test_quantiles_are_scipys(confidence: float, degrees: float) -> None:
    """Two-sided t quantiles, the normal one for infinite degrees of freedom."""
    assert quantile(confidence, degrees) == pytest.approx(stats.t.ppf((1 + confidence) / 2, degrees))


def test_a_level_that_a_replicate_lacks_has_no_jackknife_interval() -> None:
    """A NaN replicate leaves the level without ends."""
    replicates = np.array([[0.5, np.nan], [0.4, 0.2]])
    found = jackknife_interval(
        np.array([0.45, 0.2]),
        replicates,
        np.array([20.0, 5]),
        np.array([[10.0, 0], [10, 5]]),
        confidence=0.95,
        design_effect=1.0,
    )
    assert np.isfinite(found.ends[0]).all()
    assert found.methods[1] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"interval": "wald"}, "no interval 'wald': choose one of jackknife, bootstrap, topic, pair, binomial, beta"),
        ({"confidence": 1.0}, "confidence must lie between 0 and 1, found 1.0"),
        ({"confidence": float("nan")}, "between 0 and 1, found nan"),
        ({"interval": "beta"}, "A beta interval needs a prior"),
        ({"interval": "bootstrap", "draws": 0}, "At least one draw is needed, found 0"),
        ({"interval": "bootstrap", "seed": -1}, "The seed must be a whole number of at least 0, found -1"),
    ],
)
def test_faults_are_named(arguments: dict[str, object], words: str) -> None:
    """Calls that cannot be served are refused by name."""
    with pytest.raises(CallError, match=words):
        gs.predict_relevance(fitted(COUNTS), TOP, **arguments)  # type: ignore[arg-type]
    with pytest.raises(CallError, match="The pair error is that of raw estimates"):
        gs.predict_relevance(fitted(COUNTS, gs.Smoothing("uniform")), TOP, interval="pair")
    with pytest.raises(CallError, match="belong to other levels"):
        gs.predict_relevance(fitted(COUNTS), gs.Levels(("0", "1")).at_or_above("1"))
