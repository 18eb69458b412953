"""Intervals of tau: topics drawn by kind, and how far tau varies over the samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, t
from tests.unit.comparison.small_worlds import LEVELS, ONE, make_replicates, small_world

from gainsayer.comparison.mean_scores import prepare_runs
from gainsayer.comparison.replicates import leave_out_topics, sort_topics
from gainsayer.comparison.tau_intervals import TopicDraws, draw_kinds, redraw_scores, tau_interval
from gainsayer.errors import CallError
from gainsayer.gains.schemes import FittedElsewhere, Scheme, prm_scheme
from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import parse_measure


def test_tau_varies_as_over_samples_drawn_and_scored_one_by_one() -> None:
    """The interval's spread is that of scipy's tau over samples of topics, each scored with gains of its own pairs."""
    runs, model = small_world(25, 15, seed=7, runs=8)
    measure = parse_measure("nDCG@5")
    kinds = sort_topics(runs[0].topics, model.counts.topics)
    drawn = draw_kinds(kinds, draws=300, seed=3)
    scheme = prm_scheme(model, ONE)
    binary = Gains(LEVELS, np.array([0.0, 1.0, 1.0]))
    left = make_replicates(runs, model, "nDCG@5")
    scored = prepare_runs(runs, measure, scheme.gains, runs[0].topics)
    values, plain = scored.tables(np.stack([scheme.gains.values, binary.values]))
    samples = [
        redraw_scores(values, left.behind, scheme, drawn),
        redraw_scores(plain, None, Scheme(binary), drawn),
    ]
    taus = []
    for weights, times in zip(drawn.scored, drawn.paired, strict=True):
        counts = np.repeat(model.counts.counts, times.astype(int), axis=0).sum(axis=0)
        both = counts + counts.T
        gains = Gains(LEVELS, both[:, 1:].sum(axis=1) / both.sum(axis=1))
        means = [np.array([weights @ measure.score(run, kind) for run in runs]) for kind in (gains, binary)]
        taus.append(kendalltau(*means).statistic)
    tau = kendalltau(values.mean(axis=1), plain.mean(axis=1)).statistic
    low, high = tau_interval(tau, samples[0], samples[1], topics=25, confidence=0.95) or (0.0, 0.0)
    half = t.ppf(0.975, 24) * np.std(taus, ddof=1) / (1 - tau**2)
    # To first order in the gains, so nearly the same.
    assert np.arctanh(high) - np.arctanh(tau) == pytest.approx(half, rel=0.03)
    assert np.arctanh(tau) - np.arctanh(low) == pytest.approx(half, rel=0.03)
    assert tau_interval(1.0, samples[0], samples[0], topics=25, confidence=0.95) is None
    assert tau_interval(None, samples[0], samples[0], topics=25, confidence=0.95) is None


def test_topics_are_drawn_within_their_kind() -> None:
    """Every sample holds as many doubly judged topics, and as many others, as there are."""
    names = [f"q{place}" for place in range(8)]
    drawn = draw_kinds(sort_topics(names, [*names[:5], "x", "y"]), draws=200, seed=1)
    assert drawn.scored[:, :5].sum(axis=1) == pytest.approx(np.full(200, 5 / 8))
    assert (drawn.paired[:, :5] == 8 * drawn.scored[:, :5]).all()
    assert (drawn.paired[:, 5:].sum(axis=1) == 2).all()


def test_every_topic_is_drawn_once_on_average() -> None:
    """With replacement, each kind among itself: mean 1 and variance 1 - 1/n, within five errors of 4,000 draws."""
    names = [f"q{place}" for place in range(8)]
    drawn = draw_kinds(sort_topics(names, names[:5]), draws=4_000, seed=1)
    times = 8 * drawn.scored
    assert np.abs(times.mean(axis=0) - 1).max() < 5 / np.sqrt(4_000)
    assert times[:, :5].var(axis=0) == pytest.approx(np.full(5, 4 / 5), rel=0.12)
    assert times[:, 5:].var(axis=0) == pytest.approx(np.full(3, 2 / 3), rel=0.12)


def test_numbers_of_samples_are_checked() -> None:
    """From two to a million, and a seed of at least 0."""
    kinds = sort_topics(["q1", "q2"])
    for draws in (1, 1_000_001):
        with pytest.raises(CallError, match=f"resamples must lie between 2 and 1,000,000, found {draws}"):
            draw_kinds(kinds, draws=draws, seed=0)
    with pytest.raises(CallError, match="at least 0, found -1"):
        draw_kinds(kinds, draws=2, seed=-1)
    assert draw_kinds(kinds, draws=2, seed=0).scored.shape == (2, 2)


@pytest.mark.parametrize(("tau", "topics"), [(1.0, 25), (-1.0, 25), (0.5, 1), (None, 25)])
def test_no_interval_where_tau_cannot_vary(tau: float | None, topics: int) -> None:
    """Not for 1, -1, an undefined tau, or a single topic."""
    scores = np.random.default_rng(1).random((20, 5))
    assert tau_interval(tau, scores, scores[::-1], topics=topics, confidence=0.95) is None


@pytest.mark.parametrize(("tau", "topics"), [(0.4, 30), (-0.6, 2), (0.9995, 30)])
def test_the_ends_of_tau_on_the_scale_of_atanh(tau: float, topics: int) -> None:
    """tanh(atanh tau ± t sd / (1 - tau^2)), sd of scipy's tau-b over the samples; a tau beyond .999 is cut to that."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 4, (2, 60, 6)).astype(float)
    deviation = np.nanstd([kendalltau(one, two).statistic for one, two in zip(a, b, strict=True)], ddof=1)
    low, high = tau_interval(tau, a, b, topics=topics, confidence=0.9) or (0.0, 0.0)
    cut = min(tau, 0.999)
    half = t.ppf(0.95, topics - 1) * deviation / (1 - cut**2)
    assert (low, high) == pytest.approx((np.tanh(np.arctanh(cut) - half), np.tanh(np.arctanh(cut) + half)), abs=1e-9)


def test_a_model_made_elsewhere_is_drawn_from_its_covariance() -> None:
    """Gains vary as the covariance says: of P@5 the variance over samples of one topic set is G' V G."""
    runs, model = small_world(20, 8)
    covariance = np.array([[4.0, 1, 0], [1, 9, 2], [0, 2, 16]]) * 1e-4
    scheme = Scheme(prm_scheme(model, ONE).gains, relevance=ONE, fitted=FittedElsewhere(covariance, 6))
    scored = prepare_runs(runs, parse_measure("P@5"), scheme.gains, runs[0].topics)
    values = scored.tables(scheme.gains.values[None])[0]
    left = leave_out_topics(scored, scheme, values, sort_topics(runs[0].topics), None)
    same = TopicDraws(np.full((4_000, 20), 1 / 20), np.empty((4_000, 0)), seed=3)
    found = redraw_scores(values, left.behind, scheme, same)
    slope = np.stack([[(run.level == level).sum() / 100 for level in range(3)] for run in runs])
    expected = np.einsum("ri,ij,rj->r", slope, covariance, slope)
    assert found.var(axis=0) == pytest.approx(expected, rel=0.12)
    assert found.mean(axis=0) == pytest.approx(values.mean(axis=1), abs=5 * np.sqrt(expected.max() / 4_000))
