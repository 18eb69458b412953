"""Mean scores without each topic, to first order in the gains."""

from __future__ import annotations

import numpy as np
import pytest
from tests.comparison.small_worlds import LEVELS, ONE, make_replicates, small_world

from gainsayer.comparison import find_quantities, flip_runs, move_gains, sort_topics, tau_interval
from gainsayer.gains import Gains, prm_scheme
from gainsayer.measures import parse_measure
from gainsayer.model import PairCounts, estimate_disagreement


def test_gains_without_each_doubly_judged_topic() -> None:
    """p(R|i) counted anew without a topic, p (1 - p) b_t / B^2 as its noise; a level of one topic alone stays."""
    counts = np.random.default_rng(2).integers(1, 6, (5, 3, 3))
    counts[:, 2], counts[:, :, 2] = 0, 0
    counts[3, 2, 2] = 4
    model = estimate_disagreement(PairCounts.from_matrix(LEVELS, counts), estimator="one-sided")
    moved, noises = move_gains(prm_scheme(model, ONE))
    whole = counts.sum(axis=0)
    p = whole[:, 1:].sum(axis=1) / whole.sum(axis=1)
    for topic in range(5):
        left = whole - counts[topic]
        for level in range(3):
            gone = left[level].sum() == 0
            expected = p[level] if gone else left[level, 1:].sum() / left[level].sum()
            assert p[level] + moved[topic, level] == pytest.approx(expected)
            noise = p[level] * (1 - p[level]) * counts[topic, level].sum() / whole[level].sum() ** 2
            assert noises[topic, level] == pytest.approx(noise)


def test_topics_by_kind() -> None:
    """Scored and judged twice, scored only, judged twice only; one topic of a kind makes all of them one."""
    kinds = sort_topics(["a", "b", "c", "d"], ["d", "x", "b", "y"])
    assert kinds.places.tolist() == [3, 4, 1, 5]
    assert [group.tolist() for group in kinds.groups] == [[1, 3], [0, 2], [4, 5]]
    assert kinds.shared == 2
    assert [group.tolist() for group in sort_topics(["a", "b", "c"], ["c", "x", "y"]).groups] == [[0, 1, 2, 3, 4]]
    assert sort_topics(["a", "b"]).shared == 0


@pytest.mark.parametrize(("measure", "far"), [("P@3", 1e-12), ("CG@5", 1e-12), ("RBP", 1e-12), ("AP", 1e-3)])
def test_replicates_are_scores_without_each_topic(measure: str, far: float) -> None:
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
        assert found.joint[topic] == pytest.approx(scores[:, kept].mean(axis=1), abs=far)
        if topic < 5:
            assert found.parameters[topic] == pytest.approx(scores.mean(axis=1), abs=far)
        whole = np.stack([plain.score(run, prm_scheme(model, ONE).gains) for run in runs])
        assert found.topics[topic] == pytest.approx(whole[:, kept].mean(axis=1))


def test_flipped_runs_vary_as_the_scores_do() -> None:
    """Mean scores with flipped signs have the mean scores as centre and the squared errors as variance."""
    runs, model = small_world(25, 15, seed=7, runs=4)
    left = make_replicates(runs, model, "nDCG@5")
    flipped = flip_runs(left, patterns=20_000, seed=3)
    found = find_quantities(left, lambda x: x, left.slopes)
    np.testing.assert_allclose(
        flipped.mean(axis=0), left.estimate, atol=5 * np.sqrt(found.spread.topics.max() / 20_000)
    )
    np.testing.assert_allclose(flipped.var(axis=0), found.spread.topics, rtol=0.05)


def test_tau_without_spread_has_no_interval() -> None:
    """Orders that agree throughout, or are not known, have no interval."""
    samples = np.random.default_rng(1).random((50, 4))
    assert tau_interval(1.0, samples, samples, topics=25, confidence=0.95) is None
    assert tau_interval(None, samples, samples, topics=25, confidence=0.95) is None
