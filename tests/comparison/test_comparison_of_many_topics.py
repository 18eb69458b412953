"""Comparisons above 4,096 topics, from one end to the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import ttest_rel
from tests.comparison.small_worlds import BINARY, LEVELS, ONE, codes_of, small_world

from gainsayer.comparison import (
    Comparison,
    compare_runs,
    run_comparison,
)
from gainsayer.errors import CallError
from gainsayer.gains import FittedElsewhere, Scheme, prm_scheme
from gainsayer.measures import parse_measure
from gainsayer.model import Disagreement, PairCounts, estimate_disagreement
from gainsayer.rankings import RankedLevels

NDCG, PRECISION = parse_measure("nDCG@5"), parse_measure("P@3")
World = tuple[list[RankedLevels], Disagreement]


@pytest.fixture(scope="module")
def world() -> World:
    """4,200 topics, 600 of them judged twice, and pairs in which higher labels mean more."""
    runs, _ = small_world(4_200, 1, seed=6, runs=4)
    rng = np.random.default_rng(6)
    likely = np.array([[5.0, 2, 1], [2, 3, 2], [1, 2, 4]])
    counts = PairCounts.from_matrix(LEVELS, rng.poisson(likely, (600, 3, 3)), topics=runs[0].topics[:600])
    return runs, estimate_disagreement(counts, estimator="symmetric")


def leave_each_out(monkeypatch: pytest.MonkeyPatch, compare: Callable[[], Comparison]) -> Comparison:
    """The same comparison by leaving out each topic in turn, as below 4,097 topics."""
    with monkeypatch.context() as patch:
        patch.setattr(run_comparison, "MOST_LEFT_OUT", 10**9)
        return compare()


def test_the_way_is_chosen_by_the_number_of_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    """4,096 topics are left out in turn, 4,097 are summed up, whatever else there is."""
    summed: list[int] = []
    monkeypatch.setattr(run_comparison, "compare_sums", lambda scores, *_, **__: summed.append(len(scores.topics)))
    for topics in (4_096, 4_097):
        runs, _ = small_world(topics, 1, runs=2)
        compare_runs(runs, [PRECISION], [BINARY])
    assert summed == [4_097]


@pytest.mark.parametrize("baseline", [None, "run2"])
def test_the_same_words_and_numbers(world: World, monkeypatch: pytest.MonkeyPatch, baseline: str | None) -> None:
    """Everything that a comparison holds is there, as from leaving topics out, and within what first order misses."""
    runs, model = world
    schemes = [prm_scheme(model, ONE), BINARY]

    def compare() -> Comparison:
        return compare_runs(runs, [NDCG, PRECISION], schemes, baseline=baseline, margin=0.01, permutations=2_000)

    found, exact = compare(), leave_each_out(monkeypatch, compare)
    assert found.findings == exact.findings
    assert (found.paired_topics, found.shared_topics) == (600, 600)
    assert found.topics == exact.topics
    for one, other in zip(found.parts, exact.parts, strict=True):
        assert one.measure == other.measure
        assert (one.values == other.values).all()
        assert one.standings.interval == pytest.approx(other.standings.interval, abs=5e-5)
        assert one.standings.rank.tolist() == other.standings.rank.tolist()
        assert one.standings.rank_interval == pytest.approx(other.standings.rank_interval, nan_ok=True)
        assert one.error == pytest.approx(other.error, rel=1e-10)
        assert one.groups == other.groups
        assert one.possibly_best == other.possibly_best
        assert (one.shares is None) == (other.shares is None)
        if one.shares is not None and other.shares is not None:
            assert one.shares.topics == pytest.approx(other.shares.topics, abs=1e-3)
            assert one.shares.parameters == pytest.approx(other.shares.parameters, abs=1e-3)
        assert one.differences is not None
        assert other.differences is not None
        assert one.differences.a.tolist() == other.differences.a.tolist()
        assert one.differences.interval == pytest.approx(other.differences.interval, abs=5e-5)
        assert one.differences.worse == pytest.approx(other.differences.worse, abs=1e-3)
        assert one.differences.verdicts.words() == other.differences.verdicts.words()
        assert one.tests is not None
        assert other.tests is not None
        assert one.tests.effect == pytest.approx(other.tests.effect, rel=1e-8)
        assert (one.tests.adjustment, one.tests.permutations) == ("single-step", 2_000)
    for left, right in zip(found.rankings, exact.rankings, strict=True):
        assert left.tau_b == right.tau_b
        assert (left.tau_interval is None) == (right.tau_interval is None)


def test_the_paired_t_test(world: World) -> None:
    """p-values with the gains held fixed are SciPy's, adjusted by Holm."""
    runs, _ = world
    part = compare_runs(runs, [NDCG], [BINARY], test="t").parts[0]
    assert part.tests is not None
    assert part.values is not None
    pairs = list(zip(part.tests.a, part.tests.b, strict=True))
    expected = [ttest_rel(part.values[one], part.values[two]).pvalue for one, two in pairs]
    assert part.tests.p == pytest.approx(expected, rel=1e-9)
    assert part.tests.adjustment == "holm"
    with pytest.raises(CallError, match="maxT goes with the randomisation test"):
        compare_runs(runs, [NDCG], [BINARY], test="t", adjust="maxt")


def test_tests_that_need_every_topic(world: World) -> None:
    """Where the scores of topics are at hand, randomisation and signed ranks are made of them as ever."""
    runs, _ = world
    for test in ("randomisation", "wilcoxon"):
        part = compare_runs(runs[:2], [PRECISION], [BINARY], test=test, permutations=200).parts[0]
        assert part.tests is not None
        assert part.tests.test == test


def test_a_model_made_elsewhere(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its covariance is added as from leaving topics out; with few topics behind it the degrees of freedom are few."""
    runs, model = world
    fitted = FittedElsewhere(np.diag([1e-4, 4e-4, 2e-4]), 12)
    scheme = Scheme(prm_scheme(model, ONE).gains, fitted=fitted)

    def compare() -> Comparison:
        return compare_runs(runs, [NDCG], [scheme], permutations=2_000)

    found, exact = (one.parts[0] for one in (compare(), leave_each_out(monkeypatch, compare)))
    assert found.standings.interval == pytest.approx(exact.standings.interval, rel=2e-3)
    assert found.differences is not None
    assert exact.differences is not None
    assert found.differences.interval == pytest.approx(exact.differences.interval, abs=2e-4)
    assert found.differences.degrees == pytest.approx(exact.differences.degrees, rel=1e-2)
    assert found.shares is not None
    assert found.shares.parameters.min() > 0.5


def test_pairs_of_one_topic_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one topic holds all pairs, the gains are taken as given, and that is said."""
    runs, _ = world
    counts = PairCounts.from_matrix(LEVELS, np.array([[[9, 3, 1], [2, 5, 2], [1, 2, 6]]]), topics=runs[0].topics[:1])
    scheme = prm_scheme(estimate_disagreement(counts, estimator="symmetric"), ONE)

    def compare() -> Comparison:
        return compare_runs(runs, [NDCG], [scheme], permutations=500)

    found, exact = compare(), leave_each_out(monkeypatch, compare)
    assert "gains-taken-as-given" in codes_of(found.findings)
    assert found.findings == exact.findings
    assert found.parts[0].shares is None
    assert found.parts[0].standings.interval == pytest.approx(exact.parts[0].standings.interval, abs=5e-5)


def test_a_level_of_one_topic(world: World) -> None:
    """A level that was judged twice in one topic alone is named, as with fewer topics."""
    runs, model = world
    counts = model.counts.counts.copy()
    counts[1:, 2], counts[1:, :, 2] = 0, 0
    lone = PairCounts.from_matrix(LEVELS, counts.astype(np.int64), topics=model.counts.topics)
    found = compare_runs(runs, [NDCG], [prm_scheme(estimate_disagreement(lone, estimator="symmetric"), ONE)])
    assert "level-in-one-topic" in codes_of(found.findings)


def test_one_run_and_two(world: World) -> None:
    """A single run has an interval and no pair; two have one difference, which needs no flips."""
    runs, model = world
    scheme = prm_scheme(model, ONE)
    alone = compare_runs(runs[:1], [NDCG], [scheme]).parts[0]
    assert alone.differences is None
    assert np.isfinite(alone.standings.interval).all()
    two = compare_runs(runs[:2], [NDCG], [scheme]).parts[0]
    assert two.differences is not None
    assert two.differences.flips is None
    assert two.differences.p_adjusted == pytest.approx(two.differences.p)
