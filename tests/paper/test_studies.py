"""The paper's analyses on twins of its collection: simulated data with its numbers of topics and its parameters."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.comparison import kendall_tau
from gainsayer.datasets import FEDWEB13_LEVELS, FEDWEB13_PAGES, draw_pair_counts
from gainsayer.model import PairCounts, estimate_disagreement
from gainsayer.studies import TopicStudy, study_amount, study_topics

KEY = FEDWEB13_LEVELS.at_or_above("Key")


@pytest.fixture(scope="module")
def twins() -> list[TopicStudy]:
    """Twenty collections of 24 topics with 293 doubly judged pages each, whose topics differ as the paper found."""
    topics = 24  # judged twice, of 50
    tables = draw_pair_counts(FEDWEB13_PAGES, topics=topics, pairs_per_topic=293, repeats=20, seed=13)
    return [
        study_topics(
            estimate_disagreement(PairCounts.from_matrix(FEDWEB13_LEVELS, table), estimator="symmetric"), KEY, seed=seed
        )
        for seed, table in enumerate(tables)
    ]


def test_topics_move_the_parameters_three_times_as_far_as_the_binomial_error_says(twins: list[TopicStudy]) -> None:
    """300 draws of 24 topics deviate by about .06 for Key|Key, .05 for Key|HRel; binomial errors are .02 and .01."""
    assert all((study.topics, len(study.draws)) == (24, 300) for study in twins)
    deviation = np.mean([study.deviation for study in twins], axis=0)
    binomial = np.mean([study.binomial for study in twins], axis=0)
    assert deviation[3] == pytest.approx(0.06, abs=0.012)
    assert deviation[2] == pytest.approx(0.05, abs=0.012)
    assert binomial.round(2)[[2, 3]].tolist() == [0.01, 0.02]
    assert all(study.deviation[3] > 1.5 * study.binomial[3] for study in twins)


def test_the_topic_error_is_a_formula_for_what_the_draws_show(twins: list[TopicStudy]) -> None:
    """Eq. (24) and the deviation of the draws agree within a tenth on average, for every level."""
    ratio = np.mean([study.deviation / study.topic for study in twins], axis=0)
    assert ratio == pytest.approx(1.0, abs=0.1)


def test_estimates_settle_with_the_number_of_pairs() -> None:
    """Fifty rounds of growing size: the deviation falls like 1 / sqrt(n), and the mean comes to the printed .53."""
    counts = PairCounts.from_matrix(FEDWEB13_LEVELS, FEDWEB13_PAGES)
    study = study_amount(counts, KEY, sizes=[250, 1_000, 4_000], rounds=400, seed=0)
    assert study.deviation[0, 3] / study.deviation[1, 3] == pytest.approx(2, rel=0.15)
    assert study.deviation[1, 3] / study.deviation[2, 3] == pytest.approx(2, rel=0.15)
    assert study.mean[2] == pytest.approx([0.01, 0.04, 0.27, 0.53], abs=0.01)


def test_fewer_runs_than_the_printed_taus_need_would_not_do() -> None:
    """tau-b of .84 among 8 runs needs ties: one tie among 28 pairs allows it, none does not."""
    without = {round((28 - 2 * swaps) / 28, 2) for swaps in range(29)}
    assert 0.84 not in without
    # Two runs tied on one side, and two exchanged neighbours on the other.
    a = np.array([8.0, 7, 6, 5, 4, 3, 2, 2])
    b = np.array([7.0, 8, 5, 6, 4, 3, 2, 1])
    tau = kendall_tau(a, b)
    assert tau.value is not None
    assert round(tau.value, 2) == 0.84
