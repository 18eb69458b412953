"""What a reader of a comparison is told: thin data, lucky winners, tests that hold the gains fixed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.comparison.small_worlds import BINARY, LEVELS, ONE, TOP, codes_of, random_model, random_runs

from gainsayer.comparison import compare_runs
from gainsayer.gains import Scheme, binary_gains, prm_scheme
from gainsayer.measures import parse_measure
from gainsayer.model import PairCounts, estimate_disagreement
from gainsayer.ranking import ranked_from_lists

TOPICS = [f"q{place}" for place in range(10)]


def test_gains_from_other_topics_are_left_out_on_their_own() -> None:
    """Where no scored topic was judged twice, both kinds of topics count, and a finding says what it rests on."""
    model = random_model(prefix="other")
    found = compare_runs(random_runs(1, 2), [parse_measure("P@5")], [prm_scheme(model, TOP)])
    assert "gains-from-other-topics" in codes_of(found.findings)
    assert found.parts[0].shares is not None
    assert (found.paired_topics, found.shared_topics) == (6, 0)


def test_pairs_from_one_topic_leave_the_gains_as_given() -> None:
    """With double judgments on one topic the intervals are over scored topics alone, and say so."""
    model = random_model(topics=1)
    found = compare_runs(random_runs(1, 2), [parse_measure("P@5")], [prm_scheme(model, TOP)])
    assert "gains-taken-as-given" in codes_of(found.findings)
    assert found.parts[0].shares is None


def test_the_best_run_as_reference_is_a_lucky_one() -> None:
    """The winner's curse is said where the highest score is what others are held against, and only there."""
    runs = random_runs(1, 2, 3)
    measure = [parse_measure("P@5")]
    free = compare_runs(runs, measure, [BINARY])
    best = free.runs[int(np.argmax(free.parts[0].standings.value))]
    other = next(name for name in free.runs if name != best)
    assert "winners-curse" in codes_of(free.findings)
    assert "winners-curse" in codes_of(compare_runs(runs, measure, [BINARY], baseline=best).findings)
    assert "winners-curse" not in codes_of(compare_runs(runs, measure, [BINARY], baseline=other).findings)


def test_too_few_permutations_are_noticed() -> None:
    """Holm over 45 pairs with 99 permutations can never reach .05."""
    found = compare_runs(
        random_runs(*range(10), topics=20),
        [parse_measure("P@5")],
        [BINARY],
        adjust="holm",
        permutations=99,
        test="randomisation",
    )
    assert "too-few-permutations" in codes_of(found.findings)


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


@pytest.mark.parametrize(("permutations", "said"), [(59, False), (58, True), (57, True)])
def test_adjusted_p_must_be_able_to_fall_below_five_percent(permutations: int, said: bool) -> None:
    """Three pairs by Holm: 3 / 60 is .05 and enough, 3 / 59 is not."""
    found = compare_runs(
        random_runs(1, 2, 3, topics=20),
        [parse_measure("P@5")],
        [BINARY],
        adjust="holm",
        permutations=permutations,
        test="randomisation",
    )
    assert ("too-few-permutations" in codes_of(found.findings)) == said
    if said:
        text = next(finding.message for finding in found.findings if finding.code == "too-few-permutations")
        least = {58: "0.051", 57: "0.052"}[permutations]  # 3 / 59 and 3 / 58
        assert f"With {permutations} permutations no pair of 3 can have an adjusted p below {least}." in text


def test_a_single_topic_has_no_intervals_to_be_wary_of() -> None:
    """Nothing is said about how far intervals can be trusted where there are none."""
    found = compare_runs(random_runs(1, 2, topics=1), [parse_measure("P@5")], [BINARY])
    assert np.isnan(found.parts[0].standings.interval).all()
    assert "few-topics" not in codes_of(found.findings)


@pytest.mark.parametrize(("topics", "twice", "said"), [(7, 7, True), (8, 8, False), (8, 4, True), (8, 5, False)])
def test_few_topics_are_fewer_than_eight_or_five_judged_twice(topics: int, twice: int, said: bool) -> None:
    """Eight scored topics, five of them judged twice, are enough not to be told."""
    found = compare_runs(
        random_runs(1, 2, topics=topics), [parse_measure("P@5")], [prm_scheme(random_model(twice), TOP)]
    )
    assert ("few-topics" in codes_of(found.findings)) == said


@pytest.mark.parametrize(("runs", "said"), [(19, False), (20, True)])
def test_from_twenty_runs_on_simultaneous_intervals_are_approximate(runs: int, said: bool) -> None:
    """With estimated gains and all pairs; neither with a baseline nor with gains that are given."""
    some, measure, scheme = random_runs(*range(runs)), [parse_measure("P@5")], [prm_scheme(random_model(), TOP)]
    assert ("many-runs" in codes_of(compare_runs(some, measure, scheme, permutations=50).findings)) == said
    against = compare_runs(some, measure, scheme, permutations=50, baseline="run0")
    assert "many-runs" not in codes_of(against.findings)
    assert "many-runs" not in codes_of(compare_runs(some, measure, [BINARY], permutations=50).findings)
