"""Few topics, levels in few topics, ties by rounding: what a comparison says where the data is thin."""

from __future__ import annotations

import numpy as np

from gainsayer.comparison.correlation import kendall_tau
from gainsayer.comparison.run_comparison import compare_runs
from gainsayer.counts.pair_counts import PairCounts
from gainsayer.disagreement.estimate import estimate_disagreement
from gainsayer.gains.schemes import Scheme, prm_scheme
from gainsayer.gains.values import binary_gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.lists import ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
TOP = LEVELS.at_or_above("2")
ONE = LEVELS.at_or_above("1")
TOPICS = [f"q{place}" for place in range(10)]


def test_given_gains_do_not_depend_on_estimated_ones_beside_them() -> None:
    """Which topics were judged twice is nothing to binary gains: their numbers stay what they are without PRM."""
    rng = np.random.default_rng(1)
    pool = {topic: [10, 5, 5] for topic in TOPICS}
    runs = [
        ranked_from_lists({topic: rng.integers(0, 3, 5).tolist() for topic in TOPICS}, pool, levels=LEVELS, name=name)
        for name in "abc"
    ]
    counts = rng.integers(1, 6, (4, 3, 3))
    model = estimate_disagreement(PairCounts.from_matrix(LEVELS, counts, topics=TOPICS[:4]), estimator="symmetric")
    binary, measure = Scheme(binary_gains(LEVELS, TOP), relevance=TOP), parse_measure("P@5")
    alone = compare_runs(runs, [measure], [binary]).parts[0]
    both = compare_runs(runs, [measure], [prm_scheme(model, TOP), binary]).parts[1]
    np.testing.assert_array_equal(both.standings.interval, alone.standings.interval)
    assert alone.differences is not None
    assert both.differences is not None
    np.testing.assert_array_equal(both.differences.simultaneous_interval, alone.differences.simultaneous_interval)
    assert both.differences.degrees.tolist() == [9, 9, 9]


def _level_in_one_topic(pool: list[int], lists: list[int]) -> set[str]:
    """The findings where level 2 was judged twice in one topic alone."""
    run = ranked_from_lists(dict.fromkeys(TOPICS, lists), dict.fromkeys(TOPICS, pool), levels=LEVELS)
    counts = np.zeros((10, 3, 3))
    counts[:, :2, :2] = np.random.default_rng(3).integers(1, 9, (10, 2, 2))
    counts[0, 2, 2] = 3
    model = estimate_disagreement(PairCounts.from_matrix(LEVELS, counts, topics=TOPICS), estimator="symmetric")
    found = compare_runs([run], [parse_measure("P@3")], [prm_scheme(model, ONE)])
    assert np.isfinite(found.parts[0].standings.interval).all()
    return {finding.code for finding in found.findings}


def test_a_level_that_one_topic_alone_holds_is_said() -> None:
    """Without that topic its gain has no estimate: it stays as it is, and a finding says what the intervals lack."""
    assert "level-in-one-topic" in _level_in_one_topic([3, 3, 1], [1, 0, 2])


def test_a_level_that_no_scored_topic_holds_is_not_needed() -> None:
    """Nothing is said about a level that neither pools nor lists hold."""
    assert "level-in-one-topic" not in _level_in_one_topic([3, 3, 0], [1, 0, 1])


def test_few_topics_are_said() -> None:
    """Three topics have intervals, wide ones, and a finding; three runs on them have no simultaneous interval."""
    pool = {topic: [4, 0, 4] for topic in TOPICS[:3]}
    lists = ({"q0": [2, 2], "q1": [2, 0], "q2": [2, 2]}, {"q0": [2, 0], "q1": [0, 0], "q2": [2, 0]})
    third = {"q0": [2, 0], "q1": [0, 2], "q2": [2, 2]}
    runs = [
        ranked_from_lists(some, pool, levels=LEVELS, name=name)
        for name, some in zip("abc", (*lists, third), strict=True)
    ]
    found = compare_runs(runs, [parse_measure("P@2")], [Scheme(binary_gains(LEVELS, TOP))])
    differences = found.parts[0].differences
    assert differences is not None
    assert np.isfinite(differences.interval).all()
    assert np.isnan(differences.simultaneous_interval).all()
    assert found.parts[0].standings.rank_interval.tolist() == [[1, 3]] * 3
    assert "few-topics" in {finding.code for finding in found.findings}


def test_a_lead_that_no_topic_moves_has_no_interval() -> None:
    """Twice as much on every topic: that all topics agree says nothing about the next; p is 2^(1 - topics)."""
    pool = {topic: [4, 0, 4] for topic in TOPICS[:6]}
    better = {topic: [2, 2] for topic in pool}
    worse = {topic: [2, 0] for topic in pool}
    runs = [ranked_from_lists(lists, pool, levels=LEVELS, name=name) for name, lists in (("a", better), ("b", worse))]
    part = compare_runs(runs, [parse_measure("P@2")], [Scheme(binary_gains(LEVELS, TOP))]).parts[0]
    assert part.differences is not None
    assert np.isnan(part.differences.interval).all()
    assert part.differences.p.tolist() == [2.0**-5]
    assert part.differences.verdicts.words() == ["better"]
    assert np.isnan(part.standings.interval).all()


def test_ties_by_rounding_are_ties() -> None:
    """0.1 + 0.2 and 0.3 are one score: the pair is tied, as in the ranks."""
    found = kendall_tau([0.1 + 0.2, 0.3, 0.5], [1.0, 2.0, 3.0])
    assert (found.ties_a, found.concordant, found.discordant) == (1, 2, 0)
