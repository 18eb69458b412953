"""Mean scores without each topic: by scoring anew, and to first order."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, t
from tests.comparison.small_worlds import LEVELS, ONE, make_replicates, small_world

from gainsayer.comparison import (
    TopicDraws,
    draw_kinds,
    find_influences,
    leave_out_pairs,
    leave_out_topics,
    prepare_runs,
    redraw_scores,
    score_intervals,
    sort_topics,
    tau_interval,
)
from gainsayer.errors import CallError
from gainsayer.gains import FittedElsewhere, Gains, Scheme, prm_scheme
from gainsayer.measures import parse_measure
from gainsayer.model import PairCounts, estimate_disagreement


@pytest.mark.parametrize("measure", ["nDCG@5", "P@3", "AP", "RR"])
def test_the_infinitesimal_form_agrees_with_leaving_topics_out(measure: str) -> None:
    """With 600 doubly judged topics a gradient gives the errors and intervals of 600 rescorings, within .1 %."""
    runs, model = small_world(700, 600, seed=4)
    exact, first_order = (make_replicates(runs, model, measure, many=many) for many in (10**9, 0))
    one, other = (find_influences(replicates, np.log) for replicates in (exact, first_order))
    assert other.error == pytest.approx(one.error, rel=1e-3)
    assert other.parameters == pytest.approx(one.parameters, rel=5e-3)
    assert other.degrees == pytest.approx(one.degrees, rel=1e-3)
    ends = [score_intervals(replicates, confidence=0.95, highest=1).interval for replicates in (exact, first_order)]
    assert ends[1] == pytest.approx(ends[0], rel=1e-4)


def test_gains_without_each_doubly_judged_topic() -> None:
    """p(R|i) counted anew without a topic, p (1 - p) b_t / B^2 as its noise; a level of one topic alone stays."""
    counts = np.random.default_rng(2).integers(1, 6, (5, 3, 3))
    counts[:, 2], counts[:, :, 2] = 0, 0
    counts[3, 2, 2] = 4
    model = estimate_disagreement(PairCounts.from_matrix(LEVELS, counts), estimator="one-sided")
    found = leave_out_pairs(prm_scheme(model, ONE))
    whole = counts.sum(axis=0)
    p = whole[:, 1:].sum(axis=1) / whole.sum(axis=1)
    for topic in range(5):
        left = whole - counts[topic]
        for level in range(3):
            gone = left[level].sum() == 0
            expected = p[level] if gone else left[level, 1:].sum() / left[level].sum()
            assert found.values[topic, level] == pytest.approx(expected)
            noise = p[level] * (1 - p[level]) * counts[topic, level].sum() / whole[level].sum() ** 2
            assert found.noise[topic, level] == pytest.approx(noise)


def test_topics_by_kind() -> None:
    """Scored and judged twice, scored only, judged twice only; one topic of a kind makes all of them one."""
    kinds = sort_topics(["a", "b", "c", "d"], ["d", "x", "b", "y"])
    assert kinds.places.tolist() == [3, 4, 1, 5]
    assert [group.tolist() for group in kinds.groups] == [[1, 3], [0, 2], [4, 5]]
    assert kinds.shared == 2
    assert [group.tolist() for group in sort_topics(["a", "b", "c"], ["c", "x", "y"]).groups] == [[0, 1, 2, 3, 4]]
    assert sort_topics(["a", "b"]).shared == 0


@pytest.mark.parametrize("measure", ["P@3", "nDCG@5", "AP"])
def test_replicates_are_scores_without_each_topic(measure: str) -> None:
    """joint: out of mean and double judgments; topics: out of the mean; parameters: out of the double judgments."""
    runs, model = small_world(8, 5, seed=2)
    found = make_replicates(runs, model, measure)
    plain = parse_measure(measure)
    for topic in range(8):
        kept = np.delete(np.arange(8), topic)
        counts = (np.delete(model.counts.counts, topic, axis=0) if topic < 5 else model.counts.counts).sum(axis=0)
        both = counts + counts.T
        gains = Gains(LEVELS, both[:, 1:].sum(axis=1) / both.sum(axis=1))
        scores = np.stack([plain.score(run, gains) for run in runs])
        assert found.joint[topic] == pytest.approx(scores[:, kept].mean(axis=1))
        if topic < 5:
            assert found.parameters[topic] == pytest.approx(scores.mean(axis=1))
        whole = np.stack([plain.score(run, prm_scheme(model, ONE).gains) for run in runs])
        assert found.topics[topic] == pytest.approx(whole[:, kept].mean(axis=1))


@pytest.mark.parametrize("measure", ["P@3", "CG@5", "RBP"])
def test_to_first_order_a_linear_measure_is_exact(measure: str) -> None:
    """With a gradient in place of rescoring, joint and parameter replicates of a linear measure are the same."""
    runs, model = small_world(8, 5, seed=2)
    exact, first_order = (make_replicates(runs, model, measure, many=many) for many in (10**9, 0))
    for one, other in zip((exact.joint, exact.parameters), (first_order.joint, first_order.parameters), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-9)


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
