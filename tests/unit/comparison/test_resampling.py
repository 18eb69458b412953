"""Topics drawn again: samples by kind, and how far tau varies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, t
from tests.unit.comparison.small_worlds import LEVELS, ONE, make_replicates, small_world

from gainsayer.comparison.mean_scores import prepare_runs
from gainsayer.comparison.replicates import sort_topics
from gainsayer.comparison.resampling import draw_topics, redraw_scores, tau_interval
from gainsayer.gains.schemes import Scheme, prm_scheme
from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import parse_measure


def test_tau_varies_as_over_samples_drawn_and_scored_one_by_one() -> None:
    """The interval's spread is that of scipy's tau over samples of topics, each scored with gains of its own pairs."""
    runs, model = small_world(25, 15, seed=7, runs=8)
    measure = parse_measure("nDCG@5")
    kinds = sort_topics(runs[0].topics, model.counts.topics)
    drawn = draw_topics(kinds, draws=300, seed=3)
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
    drawn = draw_topics(sort_topics(names, [*names[:5], "x", "y"]), draws=200, seed=1)
    assert drawn.scored[:, :5].sum(axis=1) == pytest.approx(np.full(200, 5 / 8))
    assert (drawn.paired[:, :5] == 8 * drawn.scored[:, :5]).all()
    assert (drawn.paired[:, 5:].sum(axis=1) == 2).all()
