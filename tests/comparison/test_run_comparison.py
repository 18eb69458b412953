"""Comparing runs: one engine for every measure and scheme of gains."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import sem, ttest_rel
from tests.comparison.small_worlds import BINARY, LEVELS, TOP, codes_of, random_model, random_runs

from gainsayer.comparison import compare_runs
from gainsayer.errors import CallError
from gainsayer.gains import Scheme, binary_gains, linear_gains, prm_scheme, udm_scheme
from gainsayer.measures import parse_measure
from gainsayer.model import PairCounts, estimate_disagreement
from gainsayer.ranking import ranked_from_lists

TOPICS = [f"q{place}" for place in range(10)]


def test_intervals_hold_the_scores() -> None:
    """Every score lies in its intervals, over topics alone and joint; every rank in its set."""
    model = random_model()
    found = compare_runs(random_runs(1, 2, 3), [parse_measure("nDCG@5")], [prm_scheme(model, TOP), BINARY])
    for part in found.parts:
        standings = part.standings
        for ends in (standings.interval, standings.topic_interval):
            assert ((ends[:, 0] < standings.value) & (standings.value < ends[:, 1])).all()
        low, high = standings.rank_interval.T
        assert ((low <= standings.rank) & (standings.rank <= high)).all()
        assert part.possibly_best is not None
        assert int(np.argmax(standings.value)) in part.possibly_best
    assert [ranking.tau_b.n for ranking in found.rankings] == [3]
    assert (found.paired_topics, found.shared_topics) == (6, 6)


def test_identical_runs_are_equal() -> None:
    """Two copies of a run share the rank and the letter; their difference is exactly nothing."""
    first, second = random_runs(1, 1)
    model = random_model()
    found = compare_runs(
        [first, second, *random_runs(2)],
        [parse_measure("nDCG@5"), parse_measure("AP")],
        [prm_scheme(model, TOP)],
    )
    for part in found.parts:
        differences = part.differences
        assert differences is not None
        assert part.standings.rank[0] == part.standings.rank[1]
        assert (differences.difference[0], differences.p[0], differences.p_adjusted[0]) == (0.0, 1.0, 1.0)
        assert differences.interval[0].tolist() == differences.simultaneous_interval[0].tolist() == [0.0, 0.0]
        assert part.groups[0] == part.groups[1]


def test_a_single_topic_has_no_intervals_and_no_tests() -> None:
    """One topic says nothing about topics; scores and ranks remain, and a finding says why."""
    found = compare_runs(random_runs(1, 2, topics=1), [parse_measure("P@5")], [BINARY])
    part = found.parts[0]
    assert np.isnan(part.standings.interval).all()
    assert part.tests is None
    assert "single-topic" in codes_of(found.findings)
    assert np.isfinite(part.standings.value).all()


def test_a_single_run_has_intervals_but_no_pairs() -> None:
    """One run is scored with its interval; there is nothing to compare, and orders agree about nothing."""
    found = compare_runs(random_runs(1), [parse_measure("P@5")], [BINARY])
    assert found.parts[0].tests is None
    assert np.isfinite(found.parts[0].standings.interval).all()
    assert found.parts[0].standings.rank_interval.tolist() == [[1.0, 1.0]]


def test_a_baseline_is_compared_with_every_other_run() -> None:
    """With a baseline there is one pair per other run, each minus the baseline, and these alone are the family."""
    runs = random_runs(1, 2, 3)
    found = compare_runs(runs, [parse_measure("P@5")], [BINARY], baseline="run2")
    part = found.parts[0]
    assert part.differences is not None
    assert (part.differences.a.tolist(), part.differences.b.tolist()) == ([0, 2], [1, 1])
    assert (part.groups, part.possibly_best) == ((), None)
    assert np.isnan(part.standings.rank_interval).all()
    every = compare_runs(runs, [parse_measure("P@5")], [BINARY]).parts[0].differences
    assert every is not None
    assert part.differences.p[0] == every.p[0]
    narrow, wide = (np.diff(one.simultaneous_interval[0])[0] for one in (part.differences, every))
    assert narrow < wide


def test_what_differs_significantly_does_so_at_five_percent() -> None:
    """Two runs whose only pair has .05 < p < .10 are undecided by default, and decided with a confidence of 90 %."""
    pool = {topic: [4, 0, 4] for topic in TOPICS[:8]}
    lists = [[2, 2], [2, 2], [2, 0], [2, 2], [2, 0], [2, 2], [2, 0], [2, 2]]
    better = dict(zip(pool, lists, strict=True))
    worse = dict(zip(pool, [[2, 0], [2, 0], [2, 2], [2, 0], [2, 0], [2, 0], [2, 0], [2, 0]], strict=True))
    runs = [ranked_from_lists(some, pool, levels=LEVELS, name=name) for name, some in (("a", better), ("b", worse))]
    usual, loose = (
        compare_runs(runs, [parse_measure("P@2")], [BINARY], **options).parts[0]
        for options in ({}, {"confidence": 0.9})
    )
    assert usual.differences is not None
    assert loose.differences is not None
    assert 0.05 < usual.differences.p[0] < 0.10
    assert usual.differences.p.tolist() == loose.differences.p.tolist()
    assert (usual.differences.verdicts.words(), loose.differences.verdicts.words()) == (["undecided"], ["better"])
    assert (usual.groups, loose.groups) == (("a", "a"), ("a", "b"))
    assert usual.power is not None
    assert loose.power is not None
    assert (usual.power.power, loose.power.power) == (0.0, 1.0)
    assert (usual.differences.interval[0, 0] < 0) & (loose.differences.interval[0, 0] > 0)


def test_two_runs_are_a_family_of_one() -> None:
    """One pair needs no adjustment: its simultaneous interval and adjusted p are its own, and nothing is flipped."""
    found = compare_runs(random_runs(1, 2), [parse_measure("P@5")], [BINARY]).parts[0].differences
    assert found is not None
    assert found.flips is None
    assert found.p_adjusted.tolist() == found.p.tolist()
    assert found.simultaneous_interval.tolist() == found.interval.tolist()


def test_other_tests_hold_the_gains_fixed_and_say_so() -> None:
    """With test="t" the p-values are the paired t-test's, intervals and verdicts stay joint, and a finding says so."""
    model = random_model()
    runs, measure, scheme = random_runs(1, 2, 3), [parse_measure("P@5")], [prm_scheme(model, TOP)]
    joint = compare_runs(runs, measure, scheme)
    fixed = compare_runs(runs, measure, scheme, test="t")
    one, other = joint.parts[0], fixed.parts[0]
    assert one.tests is not None
    assert other.tests is not None
    assert one.differences is not None
    assert other.differences is not None
    assert other.tests.p == pytest.approx(ttest_rel(other.values[[0, 0, 1]], other.values[[1, 2, 2]], axis=1).pvalue)
    np.testing.assert_array_equal(one.differences.interval, other.differences.interval)
    assert one.tests.test == "joint"
    assert "gains-held-fixed" in codes_of(fixed.findings) - codes_of(joint.findings)


def test_a_margin_gives_words() -> None:
    """Equal but for one topic in forty: equivalent within .1, undecided without a margin; a run far below is worse."""
    names = [f"q{place:02}" for place in range(40)]
    pool = {name: [6, 0, 6] for name in names}
    rng = np.random.default_rng(2)
    lists = {name: rng.permutation([0, 0, 2, 2, 2]).tolist() for name in names}
    lists = {name: [2, 2, *some[2:]] if at % 3 else some for at, (name, some) in enumerate(lists.items())}
    close = lists | {"q00": [0] * 5}
    poor = {name: [2, 0, 0, 0, 0] if at % 4 else [0] * 5 for at, name in enumerate(names)}
    runs = [
        ranked_from_lists(some, pool, levels=LEVELS, name=name)
        for name, some in (("good", lists), ("close", close), ("poor", poor))
    ]
    measure = [parse_measure("P@5")]

    def words(margin: float | None) -> list[str]:
        found = compare_runs(runs, measure, [BINARY], margin=margin).parts[0].differences
        assert found is not None
        return found.verdicts.words()

    assert words(None) == ["undecided", "better", "better"]
    assert words(0.1) == ["equivalent", "better", "better"]
    assert words(0.9) == ["equivalent", "better, equivalent", "better, equivalent"]
    assert words(0.03)[0] == "no worse"
    assert words(0.001)[0] == "undecided"


def test_faults_of_the_call_are_refused() -> None:
    """An unknown baseline, gains from different judgments, nothing to compare by, the same gains twice."""
    measure = parse_measure("P@5")
    with pytest.raises(CallError, match="There is no run 'nobody' to compare with: the runs are run1, run2"):
        compare_runs(random_runs(1, 2), [measure], [BINARY], baseline="nobody")
    with pytest.raises(CallError, match="must rest on the same double judgments"):
        compare_runs(random_runs(1, 2), [measure], [prm_scheme(random_model(), TOP), udm_scheme(random_model())])
    with pytest.raises(CallError, match="at least one measure"):
        compare_runs(random_runs(1, 2), [], [BINARY])
    with pytest.raises(CallError, match="'binary' were asked for twice"):
        compare_runs(random_runs(1, 2), [measure], [BINARY, BINARY])
    with pytest.raises(CallError, match="confidence must be a number between 0 and 1"):
        compare_runs(random_runs(1, 2), [measure], [BINARY], confidence=95)
    with pytest.raises(CallError, match="a number above 0; found -1"):
        compare_runs(random_runs(1, 2), [measure], [BINARY], margin=-1)
    with pytest.raises(CallError, match="adjusted for all pairs in one step"):
        compare_runs(random_runs(1, 2), [measure], [BINARY], adjust="holm")
    with pytest.raises(CallError, match="resamples must lie between 2"):
        compare_runs(random_runs(1, 2), [measure], [BINARY, Scheme(linear_gains(LEVELS))][:1], draws=1)


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


PROGRAM = """
import json, numpy as np
from gainsayer.datasets.label_models import LatentModel
from gainsayer.datasets.simulation import simulate_collection
from gainsayer.datasets.design import RunDesign
import gainsayer as gs
collection = simulate_collection(LatentModel(), topics=30, documents=40, runs=RunDesign(qualities=(.9, .8, .7)), seed=3)
judgments = collection.judgments
model = gs.estimate_disagreement(gs.count_pairs(judgments))
pool = gs.ranking.make_pool(judgments)
ranked = [gs.ranking.rank_levels(gs.read_run(table), pool) for table in collection.runs.values()]
top = judgments.levels.at_or_above(judgments.levels.top)
found = gs.comparison.compare_runs(ranked, [gs.measures.parse_measure("nDCG@10"), gs.measures.parse_measure("AP")],
                        [gs.gains.prm_scheme(model, top)], permutations=500, seed=7)
for part in found.parts:
    some = part.differences
    print(json.dumps([part.standings.interval.tolist(), part.standings.rank_interval.tolist(), some.interval.tolist(),
                      some.simultaneous_interval.tolist(), some.p.tolist(), some.p_adjusted.tolist()]))
"""


def test_same_seed_same_numbers_whatever_the_threads() -> None:
    """One thread or four: every interval, rank and p-value is the same to the last bit."""
    answers = []
    for threads in ("1", "4"):
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
        environment = os.environ | dict.fromkeys(names, threads)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        answers.append([json.loads(line) for line in done.stdout.splitlines()])
    assert len(answers[0]) == 2
    assert answers[0] == answers[1]


def test_several_thresholds_are_told_apart_by_name() -> None:
    """PRM gains of two thresholds carry these in their names; gains that are alone carry none."""
    model = random_model()
    schemes = [prm_scheme(model, TOP), prm_scheme(model, LEVELS.at_or_above("1")), BINARY]
    found = compare_runs(random_runs(1, 2), [parse_measure("P@5")], schemes)
    assert [gains.name for gains in found.scores.gains] == ["prm (2)", "prm (1)", "binary"]
    assert len(found.rankings) == 3
    first, second = (found.scores.values[parse_measure("P@5"), name] for name in ("prm (2)", "prm (1)"))
    assert (first < second).all()


def test_topics_without_relevant_documents_are_those_of_the_narrowest_users() -> None:
    """q0 has no document of level 2: left out for both thresholds; 0 for all needs one notion of relevance."""
    pool = {topic: [3, 2, 0 if topic == "q0" else 2] for topic in TOPICS}
    runs = [
        ranked_from_lists({topic: [1, 0] for topic in TOPICS}, pool, levels=LEVELS, name=name) for name in ("a", "b")
    ]
    one = LEVELS.at_or_above("1")
    loose = Scheme(binary_gains(LEVELS, one), relevance=one)
    measure = [parse_measure("P@2")]
    assert compare_runs(runs, measure, [BINARY, loose], no_relevant="skip").topics == tuple(TOPICS[1:])
    assert compare_runs(runs, measure, [loose], no_relevant="skip").topics == tuple(TOPICS)
    assert compare_runs(runs, measure, [BINARY, loose]).topics == tuple(TOPICS)
    with pytest.raises(CallError, match="no_relevant='zero' needs one notion of relevance"):
        compare_runs(runs, measure, [BINARY, loose], no_relevant="zero")
    zero = compare_runs(runs, measure, [replace(loose, relevance=TOP)], no_relevant="zero").parts[0]
    assert zero.values.tolist() == [[0.0] + [0.5] * 9] * 2
    assert np.isfinite(zero.standings.interval).all()
    apart = [Scheme(binary_gains(LEVELS, some), relevance=some) for some in (LEVELS.only("1"), LEVELS.only("2"))]
    with pytest.raises(CallError, match="notions of relevance that contain each other"):
        compare_runs(runs, measure, apart, no_relevant="skip")


def test_random_users_pass_over_gains_that_are_no_probabilities() -> None:
    """Beside PRM gains linear ones are left to plug-in measures; alone they are refused in the measure's own words."""
    linear = Scheme(linear_gains(LEVELS))
    asked, plain = parse_measure("nDCG(users='independent')@5"), parse_measure("nDCG@5")
    found = compare_runs(random_runs(1, 2), [asked, plain], [prm_scheme(random_model(), TOP), linear])
    assert [(str(part.measure), part.scheme.name) for part in found.parts] == [
        ("nDCG(users='independent')@5", "prm"),
        ("nDCG@5", "prm"),
        ("nDCG@5", "linear"),
    ]
    with pytest.raises(CallError, match="need probabilities of relevance"):
        compare_runs(random_runs(1, 2), [asked], [linear])


def test_the_share_done_rises_over_measures_and_gains() -> None:
    """Two measures with two kinds of gains are four steps of a quarter each."""
    shares: list[float] = []
    measures = [parse_measure("P@5"), parse_measure("nDCG@5")]
    compare_runs(random_runs(1, 2, 3), measures, [BINARY, Scheme(linear_gains(LEVELS))][:1], progress=shares.append)
    assert shares == [0.5, 1.0]


def test_errors_and_effects_are_scipys() -> None:
    """± is the standard error of the mean over topics; d_z the mean difference over its deviation."""
    part = compare_runs(random_runs(1, 2, 3), [parse_measure("P@5")], [BINARY]).parts[0]
    assert part.error == pytest.approx(sem(part.values, axis=1))
    assert part.tests is not None
    apart = part.values[[0, 0, 1]] - part.values[[1, 2, 2]]
    assert part.tests.effect == pytest.approx(apart.mean(axis=1) / apart.std(axis=1, ddof=1))
    assert part.tests.adjustment == "single-step"


def test_two_topics_have_intervals() -> None:
    """Two are the fewest that can differ: t with one degree of freedom."""
    pool = {topic: [4, 0, 4] for topic in TOPICS[:2]}
    lists = ({"q0": [2, 2], "q1": [2, 0]}, {"q0": [2, 0], "q1": [2, 2]})
    runs = [ranked_from_lists(some, pool, levels=LEVELS, name=name) for name, some in zip("ab", lists, strict=True)]
    part = compare_runs(runs, [parse_measure("P@2")], [BINARY]).parts[0]
    assert np.isfinite(part.standings.interval).all()
    assert part.differences is not None
    assert part.differences.degrees.tolist() == [1.0]
