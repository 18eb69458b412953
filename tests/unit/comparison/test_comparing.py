"""Comparing runs: what is said, and what is said where the data cannot carry it."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.comparison.comparing import compare_runs
from gainsayer.comparison.schemes import Scheme, prm_scheme
from gainsayer.counts.pairs import PairCounts
from gainsayer.disagreement.estimate import Disagreement, estimate_disagreement
from gainsayer.errors import CallError, DataError
from gainsayer.gains import binary_gains, linear_gains
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


def test_probabilities_to_be_best_sum_to_one() -> None:
    """In each draw one run is best, or several share it."""
    model = _model()
    found = compare_runs(
        _runs(1, 2, 3), [parse_measure("nDCG@5")], [prm_scheme(model, TOP), BINARY], disagreement=model, draws=300
    )
    for part in found.parts:
        assert part.standings.probability_best.sum() == pytest.approx(1)
        assert part.tests is not None
        low, high = part.standings.interval.T
        assert ((low <= part.standings.value) & (part.standings.value <= high)).all()
    assert [ranking.tau_b.n for ranking in found.rankings] == [3]
    assert (found.paired_topics, found.shared_topics) == (6, 6)


def test_identical_runs_are_equal() -> None:
    """Two copies of a run share the rank, every draw and the letter; their difference is exactly nothing."""
    first, second = _runs(1, 1)
    model = _model()
    found = compare_runs(
        [first, second, *_runs(2)],
        [parse_measure("nDCG@5"), parse_measure("AP")],
        [prm_scheme(model, TOP)],
        disagreement=model,
        draws=300,
    )
    for part in found.parts:
        assert part.tests is not None
        assert part.standings.rank[0] == part.standings.rank[1]
        assert part.standings.probability_best[0] == part.standings.probability_best[1]
        assert (part.tests.difference[0], part.tests.p[0]) == (0.0, 1.0)
        assert part.pair_interval[0].tolist() == [0.0, 0.0]
        assert part.probability_better[0] == 0.5
        assert part.groups[0] == part.groups[1]


def test_a_single_topic_has_no_intervals_and_no_tests() -> None:
    """One topic says nothing about topics; scores and ranks remain, and a finding says why."""
    found = compare_runs(_runs(1, 2, topics=1), [parse_measure("P@5")], [BINARY], draws=50)
    part = found.parts[0]
    assert np.isnan(part.standings.interval).all()
    assert part.tests is None
    assert "single-topic" in _codes(found.findings)
    assert np.isfinite(part.standings.value).all()


def test_a_single_run_has_intervals_but_no_pairs() -> None:
    """One run is scored with its interval; there is nothing to compare, and orders agree about nothing."""
    found = compare_runs(_runs(1), [parse_measure("P@5")], [BINARY, Scheme(linear_gains(LEVELS))][:1], draws=50)
    assert found.parts[0].tests is None
    assert np.isfinite(found.parts[0].standings.interval).all()
    assert found.parts[0].standings.probability_best.tolist() == [1.0]


def test_gains_from_other_topics_are_drawn_on_their_own() -> None:
    """Where no scored topic was judged twice, both kinds of topics are drawn, and a finding says what it rests on."""
    model = _model(prefix="other")
    found = compare_runs(_runs(1, 2), [parse_measure("P@5")], [prm_scheme(model, TOP)], disagreement=model, draws=200)
    assert "gains-from-other-topics" in _codes(found.findings)
    assert found.parts[0].shares is not None
    assert (found.paired_topics, found.shared_topics) == (6, 0)


def test_pairs_from_one_topic_leave_the_gains_as_given() -> None:
    """With double judgments on one topic the intervals are over scored topics alone, and say so."""
    model = _model(topics=1)
    found = compare_runs(_runs(1, 2), [parse_measure("P@5")], [prm_scheme(model, TOP)], disagreement=model, draws=200)
    assert "gains-taken-as-given" in _codes(found.findings)
    assert found.parts[0].shares is None


def test_resamples_without_a_level_are_left_out_and_counted() -> None:
    """A level that one topic alone holds is lacking in about a third of the resamples."""
    counts = np.zeros((6, 3, 3))
    counts[:, :2, :2] = 3
    counts[0, 2, 2] = 4
    model = estimate_disagreement(
        PairCounts.from_matrix(LEVELS, counts, topics=[f"q{place:02}" for place in range(6)]), estimator="symmetric"
    )
    found = compare_runs(_runs(1, 2), [parse_measure("P@5")], [prm_scheme(model, TOP)], disagreement=model, draws=3000)
    assert found.left_out / 3000 == pytest.approx((5 / 6) ** 6, abs=0.03)
    assert "resamples-left-out" in _codes(found.findings)


def test_a_baseline_is_compared_with_every_other_run() -> None:
    """With a baseline there is one pair per other run, each minus the baseline, and no letters."""
    found = compare_runs(_runs(1, 2, 3), [parse_measure("P@5")], [BINARY], baseline="run2", draws=50)
    tests = found.parts[0].tests
    assert tests is not None
    assert (tests.a.tolist(), tests.b.tolist(), tests.test) == ([0, 2], [1, 1], "randomisation")
    assert found.parts[0].groups == ()


def test_too_few_permutations_are_noticed() -> None:
    """Holm over 45 pairs with 99 permutations can never reach .05."""
    found = compare_runs(
        _runs(*range(10), topics=20),
        [parse_measure("P@5")],
        [BINARY],
        adjust="holm",
        permutations=99,
        draws=20,
    )
    assert "too-few-permutations" in _codes(found.findings)


def test_faults_of_the_call_are_refused() -> None:
    """An unknown baseline, gains without their judgments, nothing to compare by, the same gains twice."""
    measure = parse_measure("P@5")
    with pytest.raises(CallError, match="There is no run 'nobody' to compare with: the runs are run1, run2"):
        compare_runs(_runs(1, 2), [measure], [BINARY], baseline="nobody")
    with pytest.raises(CallError, match="need the double judgments behind them"):
        compare_runs(_runs(1, 2), [measure], [prm_scheme(_model(), TOP)])
    with pytest.raises(CallError, match="at least one measure"):
        compare_runs(_runs(1, 2), [], [BINARY])
    with pytest.raises(CallError, match="'binary' were asked for twice"):
        compare_runs(_runs(1, 2), [measure], [BINARY, BINARY])
    with pytest.raises(CallError, match="confidence must lie between 0 and 1"):
        compare_runs(_runs(1, 2), [measure], [BINARY], confidence=95)


def test_a_level_that_hardly_any_resample_holds_is_refused() -> None:
    """Nothing can be said where no resample holds all levels."""
    counts = np.zeros((2, 3, 3))
    counts[0, 0, 0] = counts[1, 1, 1] = counts[1, 2, 2] = counts[0, 1, 0] = 5
    model = estimate_disagreement(PairCounts.from_matrix(LEVELS, counts, topics=["q00", "q01"]), estimator="symmetric")
    with pytest.raises(DataError, match="judged twice in one or two topics only"):
        compare_runs(_runs(1, 2), [parse_measure("P@5")], [prm_scheme(model, TOP)], disagreement=model, draws=2, seed=1)
