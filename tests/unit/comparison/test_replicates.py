"""Mean scores without each topic: by scoring anew, and to first order."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.comparison.small_worlds import LEVELS, ONE, make_replicates, small_world

from gainsayer.comparison.influences import find_influences
from gainsayer.comparison.intervals import score_intervals
from gainsayer.comparison.replicates import leave_out_pairs, sort_topics
from gainsayer.counts.pair_counts import PairCounts
from gainsayer.disagreement.estimate import estimate_disagreement
from gainsayer.gains.schemes import prm_scheme
from gainsayer.gains.values import Gains
from gainsayer.measures.catalogue import parse_measure


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
    assert found.single.tolist() == [False, False, True]


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
