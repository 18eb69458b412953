"""Few topics, levels in few topics, ties by rounding: what a comparison says where the data is thin."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.comparison.comparing import compare_runs
from gainsayer.comparison.correlation import kendall_tau
from gainsayer.comparison.intervals import draw_intervals
from gainsayer.comparison.schemes import Scheme, prm_scheme
from gainsayer.counts.pairs import PairCounts
from gainsayer.disagreement.estimate import estimate_disagreement
from gainsayer.gains import binary_gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.lists import ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
TOP = LEVELS.at_or_above("2")
TOPICS = [f"q{place}" for place in range(10)]


def test_given_gains_do_not_depend_on_estimated_ones_beside_them() -> None:
    """Resamples that lack a level are left out for PRM gains alone: binary numbers stay what they are without PRM."""
    rng = np.random.default_rng(1)
    pool = {topic: [10, 5, 5] for topic in TOPICS}
    runs = [
        ranked_from_lists({topic: rng.integers(0, 3, 5).tolist() for topic in TOPICS}, pool, levels=LEVELS, name=name)
        for name in "ab"
    ]
    counts = np.zeros((10, 3, 3))
    counts[:, :2, :2] = 4
    counts[0, 2, 2] = 3
    model = estimate_disagreement(PairCounts.from_matrix(LEVELS, counts, topics=TOPICS), estimator="symmetric")
    binary, measure = Scheme(binary_gains(LEVELS, TOP), relevance=TOP), parse_measure("P@5")
    alone = compare_runs(runs, [measure], [binary], draws=1000).parts[0]
    both = compare_runs(runs, [measure], [prm_scheme(model, TOP), binary], disagreement=model, draws=1000)
    assert [part.left_out > 0 for part in both.parts] == [True, False]
    # With double judgments on every topic the groups, and so the draws, are the same.
    np.testing.assert_array_equal(both.parts[1].standings.interval, alone.standings.interval)
    np.testing.assert_array_equal(both.parts[1].standings.probability_best, alone.standings.probability_best)


def test_a_level_that_no_scored_topic_holds_is_not_needed() -> None:
    """No resample is left out for a level that neither pools nor lists hold."""
    pool = {topic: [3, 3, 0] for topic in TOPICS}
    lists = {topic: [1, 0, 1] for topic in TOPICS}
    run = ranked_from_lists(lists, pool, levels=LEVELS)
    counts = np.zeros((10, 3, 3))
    counts[:, :2, :2] = 4
    counts[0, 2, 2] = 3
    model = estimate_disagreement(PairCounts.from_matrix(LEVELS, counts, topics=TOPICS), estimator="symmetric")
    found = compare_runs([run], [parse_measure("P@3")], [prm_scheme(model, TOP)], disagreement=model, draws=300)
    assert found.left_out == 0


def test_a_difference_that_is_the_same_on_every_topic_has_no_interval() -> None:
    """Three topics that all differ by a half say nothing about the fourth: no interval, and a finding."""
    pool = {topic: [4, 0, 4] for topic in TOPICS[:3]}
    better = {"q0": [2, 2], "q1": [2, 0], "q2": [2, 2]}
    worse = {"q0": [2, 0], "q1": [0, 0], "q2": [2, 0]}
    runs = [ranked_from_lists(lists, pool, levels=LEVELS, name=name) for name, lists in (("a", better), ("b", worse))]
    found = compare_runs(runs, [parse_measure("P@2")], [Scheme(binary_gains(LEVELS, TOP))], draws=500)
    assert np.isnan(found.parts[0].pair_interval).all()
    assert "few-topics" in {finding.code for finding in found.findings}


@pytest.mark.parametrize("topics", [3, 4, 5, 8, 15])
def test_intervals_of_few_topics_cover_about_as_t_does(topics: int) -> None:
    """Normal scores, 95 %: coverage within what 600 rounds allow of what was found (.93 to .95)."""
    rng = np.random.default_rng(topics)
    rounds, hit = 600, 0
    for _ in range(rounds):
        sample = rng.normal(0, 1, topics)
        weights = rng.multinomial(topics, np.full(topics, 1 / topics), size=500) / topics
        low, high = draw_intervals((weights @ sample)[:, None], np.array([sample.mean()]), topics=topics)[0]
        hit += low <= 0 <= high
    assert 0.91 <= hit / rounds <= 0.975


def test_ties_by_rounding_are_ties() -> None:
    """0.1 + 0.2 and 0.3 are one score: the pair is tied, as in the ranks."""
    found = kendall_tau([0.1 + 0.2, 0.3, 0.5], [1.0, 2.0, 3.0])
    assert (found.ties_a, found.concordant, found.discordant) == (1, 2, 0)
