"""Comparing runs: what is said, and what is said where the data cannot carry it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel

from gainsayer.comparison.run_comparison import compare_runs
from gainsayer.counts.pair_counts import PairCounts
from gainsayer.disagreement.estimate import Disagreement, estimate_disagreement
from gainsayer.errors import CallError
from gainsayer.gains.schemes import Scheme, prm_scheme, udm_scheme
from gainsayer.gains.values import binary_gains, linear_gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.lists import ranked_from_lists
from gainsayer.rankings.ranked_levels import RankedLevels

LEVELS = Levels(("0", "1", "2"))
TOP = LEVELS.at_or_above("2")
BINARY = Scheme(binary_gains(LEVELS, TOP), relevance=TOP)


def _runs(*seeds: int, topics: int = 12, prefix: str = "q") -> list[RankedLevels]:
    names = [f"{prefix}{place:02}" for place in range(topics)]
    pool = {name: [6, 3, 3] for name in names}
    made = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        stock = np.repeat([0, 1, 2], [6, 3, 3])
        lists = {name: rng.permutation(stock)[:6].tolist() for name in names}
        made.append(ranked_from_lists(lists, pool, levels=LEVELS, name=f"run{seed}"))
    return made


def _model(topics: int = 6, prefix: str = "q") -> Disagreement:
    counts = np.random.default_rng(9).integers(1, 8, (topics, 3, 3))
    names = [f"{prefix}{place:02}" for place in range(topics)]
    return estimate_disagreement(PairCounts.from_matrix(LEVELS, counts, topics=names), estimator="symmetric")


def _codes(findings: object) -> set[str]:
    return {finding.code for finding in findings}  # type: ignore[attr-defined]


def test_intervals_hold_the_scores() -> None:
    """Every score lies in its intervals, over topics alone and joint; every rank in its set."""
    model = _model()
    found = compare_runs(_runs(1, 2, 3), [parse_measure("nDCG@5")], [prm_scheme(model, TOP), BINARY])
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
    first, second = _runs(1, 1)
    model = _model()
    found = compare_runs(
        [first, second, *_runs(2)],
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
    found = compare_runs(_runs(1, 2, topics=1), [parse_measure("P@5")], [BINARY])
    part = found.parts[0]
    assert np.isnan(part.standings.interval).all()
    assert part.tests is None
    assert "single-topic" in _codes(found.findings)
    assert np.isfinite(part.standings.value).all()


def test_a_single_run_has_intervals_but_no_pairs() -> None:
    """One run is scored with its interval; there is nothing to compare, and orders agree about nothing."""
    found = compare_runs(_runs(1), [parse_measure("P@5")], [BINARY])
    assert found.parts[0].tests is None
    assert np.isfinite(found.parts[0].standings.interval).all()
    assert found.parts[0].standings.rank_interval.tolist() == [[1.0, 1.0]]


def test_gains_from_other_topics_are_left_out_on_their_own() -> None:
    """Where no scored topic was judged twice, both kinds of topics count, and a finding says what it rests on."""
    model = _model(prefix="other")
    found = compare_runs(_runs(1, 2), [parse_measure("P@5")], [prm_scheme(model, TOP)])
    assert "gains-from-other-topics" in _codes(found.findings)
    assert found.parts[0].shares is not None
    assert (found.paired_topics, found.shared_topics) == (6, 0)


def test_pairs_from_one_topic_leave_the_gains_as_given() -> None:
    """With double judgments on one topic the intervals are over scored topics alone, and say so."""
    model = _model(topics=1)
    found = compare_runs(_runs(1, 2), [parse_measure("P@5")], [prm_scheme(model, TOP)])
    assert "gains-taken-as-given" in _codes(found.findings)
    assert found.parts[0].shares is None


def test_a_baseline_is_compared_with_every_other_run() -> None:
    """With a baseline there is one pair per other run, each minus the baseline, and these alone are the family."""
    runs = _runs(1, 2, 3)
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


def test_two_runs_are_a_family_of_one() -> None:
    """One pair needs no adjustment: its simultaneous interval and adjusted p are its own, and nothing is flipped."""
    found = compare_runs(_runs(1, 2), [parse_measure("P@5")], [BINARY]).parts[0].differences
    assert found is not None
    assert found.flips is None
    assert found.p_adjusted.tolist() == found.p.tolist()
    assert found.simultaneous_interval.tolist() == found.interval.tolist()


def test_the_best_run_as_reference_is_a_lucky_one() -> None:
    """The winner's curse is said where the highest score is what others are held against, and only there."""
    runs = _runs(1, 2, 3)
    measure = [parse_measure("P@5")]
    free = compare_runs(runs, measure, [BINARY])
    best = free.runs[int(np.argmax(free.parts[0].standings.value))]
    other = next(name for name in free.runs if name != best)
    assert "winners-curse" in _codes(free.findings)
    assert "winners-curse" in _codes(compare_runs(runs, measure, [BINARY], baseline=best).findings)
    assert "winners-curse" not in _codes(compare_runs(runs, measure, [BINARY], baseline=other).findings)


def test_other_tests_hold_the_gains_fixed_and_say_so() -> None:
    """With test="t" the p-values are the paired t-test's, intervals and verdicts stay joint, and a finding says so."""
    model = _model()
    runs, measure, scheme = _runs(1, 2, 3), [parse_measure("P@5")], [prm_scheme(model, TOP)]
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
    assert "gains-held-fixed" in _codes(fixed.findings) - _codes(joint.findings)


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


def test_too_few_permutations_are_noticed() -> None:
    """Holm over 45 pairs with 99 permutations can never reach .05."""
    found = compare_runs(
        _runs(*range(10), topics=20),
        [parse_measure("P@5")],
        [BINARY],
        adjust="holm",
        permutations=99,
        test="randomisation",
    )
    assert "too-few-permutations" in _codes(found.findings)


def test_faults_of_the_call_are_refused() -> None:
    """An unknown baseline, gains from different judgments, nothing to compare by, the same gains twice."""
    measure = parse_measure("P@5")
    with pytest.raises(CallError, match="There is no run 'nobody' to compare with: the runs are run1, run2"):
        compare_runs(_runs(1, 2), [measure], [BINARY], baseline="nobody")
    with pytest.raises(CallError, match="must rest on the same double judgments"):
        compare_runs(_runs(1, 2), [measure], [prm_scheme(_model(), TOP), udm_scheme(_model())])
    with pytest.raises(CallError, match="at least one measure"):
        compare_runs(_runs(1, 2), [], [BINARY])
    with pytest.raises(CallError, match="'binary' were asked for twice"):
        compare_runs(_runs(1, 2), [measure], [BINARY, BINARY])
    with pytest.raises(CallError, match="confidence must lie between 0 and 1"):
        compare_runs(_runs(1, 2), [measure], [BINARY], confidence=95)
    with pytest.raises(CallError, match="a number above 0; found -1"):
        compare_runs(_runs(1, 2), [measure], [BINARY], margin=-1)
    with pytest.raises(CallError, match="adjusted for all pairs in one step"):
        compare_runs(_runs(1, 2), [measure], [BINARY], adjust="holm")
    with pytest.raises(CallError, match="resamples must lie between 2"):
        compare_runs(_runs(1, 2), [measure], [BINARY, Scheme(linear_gains(LEVELS))][:1], draws=1)
