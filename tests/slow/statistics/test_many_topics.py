"""Above 4,096 topics: sums over topics agree with leaving out every topic, and their intervals cover.

Topics are drawn with replacement from a population of 4,000, so that the truth is what the population gives, and a
topic is scored once however often it was drawn. Few repeats by default; more under GAINSAYER_SLOW=1.
"""

from __future__ import annotations

import os
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom
from tests.slow.statistics.populations import LEVELS, Population, close_runs, latent

from gainsayer.comparison import (
    Differences,
    DoubleJudgments,
    Replicates,
    ScoredRuns,
    ScoreErrors,
    SumPlan,
    compare_runs,
    draw_kinds,
    find_differences,
    find_moments,
    find_moves,
    find_slopes,
    leave_out_pairs,
    leave_out_topics,
    list_pairs,
    prepare_runs,
    rank_scores,
    rank_sets,
    redraw_scores,
    score_intervals,
    sort_topics,
    sum_topics,
    summed_differences,
    summed_intervals,
    tau_interval,
)
from gainsayer.gains import Scheme, binary_gains, prm_scheme
from gainsayer.measures import parse_measure
from gainsayer.rankings import FloatArray, IntArray

SLOW = bool(os.environ.get("GAINSAYER_SLOW"))


@cache
def population_runs(world: Population, measure: str) -> ScoredRuns:
    """All topics of a population, ready to be scored."""
    runs = world.runs(np.arange(world.lists.shape[1]))
    gains = binary_gains(LEVELS, LEVELS.at_or_above("3"))
    return prepare_runs(runs, parse_measure(measure), gains, runs[0].topics)


@cache
def topic_names(topics: int) -> tuple[str, ...]:
    """Of so many topics."""
    return tuple(f"q{place:06}" for place in range(topics))


def summarise(
    world: Population, chosen: IntArray, twice: int, measure: str, patterns: int = 0, seed: int = 0
) -> tuple[ScoreErrors, Differences]:
    """A collection of these topics, the first of them judged twice, by its sums over topics."""
    names = topic_names(len(chosen))
    pairs = world.pairs[chosen[:twice]]
    scheme = prm_scheme(world.model(chosen[:twice], names[:twice]), LEVELS.at_or_above(str(world.relevant)))
    scored = population_runs(world, measure)
    table = scored.tables(scheme.gains.values[None])[0][:, chosen]
    slopes = find_slopes(scored, scheme)[:, :, chosen]
    moves: DoubleJudgments = find_moves(scheme, names[:twice], pairs, pairs.sum(axis=0))
    plan = SumPlan(len(chosen), len(table), patterns, 0, seed)
    moments = find_moments(sum_topics(names, table, slopes, moves, plan), scheme)
    a, b = list_pairs(len(table))
    return (
        summed_intervals(moments, confidence=0.95, highest=np.inf),
        summed_differences(moments, a, b, confidence=0.95, highest=np.inf),
    )


CASES = [(5_000, 1_000, 400 if SLOW else 60), (100_000, 5_000, 200 if SLOW else 16)]


@pytest.mark.slow
@pytest.mark.parametrize(("topics", "twice", "repeats"), CASES)
@pytest.mark.parametrize("measure", ["nDCG@10", "DCG@10", "AP"] if SLOW else ["nDCG@10"])
def test_intervals_of_sums_cover(topics: int, twice: int, repeats: int, measure: str) -> None:
    """95 % intervals of a score, and of null, close and real differences, hold the truth in .92 to .98 of cases."""
    world = latent(3, 1.0)
    truth = world.truth(measure)
    hits = np.zeros(4)
    for turn in range(repeats):
        chosen = np.random.default_rng([topics, turn]).integers(0, world.lists.shape[1], topics)
        scores, differences = summarise(world, chosen, twice, measure)
        ends = [scores.interval[0], *differences.interval[:3]]
        true = [truth[0], *(truth[0] - truth[1:])]
        hits += [low <= value <= high for (low, high), value in zip(ends, true, strict=True)]
    # One cell in a thousand, on either side, by chance.
    assert (hits >= binom.ppf(0.001, repeats, 0.92)).all(), hits / repeats
    assert (hits <= binom.ppf(0.999, repeats, 0.98)).all(), hits / repeats


@pytest.mark.slow
def test_families_of_close_runs_hold_together() -> None:
    """Ten close runs on 5,000 topics: simultaneous intervals, rank sets and signs hold all at once in some 95 %."""
    world, repeats = close_runs(), 300 if SLOW else 40
    truth = world.truth("nDCG@10")
    a, b = list_pairs(10)
    held = together = wrong = 0
    for turn in range(repeats):
        chosen = np.random.default_rng([3, turn]).integers(0, world.lists.shape[1], 5_000)
        _, found = summarise(world, chosen, 1_000, "nDCG@10", patterns=999, seed=turn)
        low, high = found.simultaneous_interval.T
        together += bool(((low <= truth[a] - truth[b]) & (truth[a] - truth[b] <= high)).all())
        sets = rank_sets(10, a, b, found.verdicts.better, found.verdicts.worse)
        true = rank_scores(truth)
        held += bool(((sets[:, 0] <= true) & (true <= sets[:, 1])).all())
        better = truth[a] > truth[b]
        wrong += bool((found.verdicts.better & ~better).any() or (found.verdicts.worse & better).any())
    low, high = binom.ppf([0.001, 0.999], repeats, [0.92, 0.98])
    assert low <= together <= high, together / repeats
    assert held >= binom.ppf(0.001, repeats, 0.95)
    assert wrong <= binom.ppf(0.999, repeats, 0.05)


def leave_out_everything(
    world: Population, chosen: IntArray, twice: int, measure: str
) -> tuple[Scheme, Replicates, FloatArray]:
    """Every topic really left out, and all runs scored anew with the gains of the others."""
    runs = world.runs(chosen)
    names = runs[0].topics
    scheme = prm_scheme(world.model(chosen[:twice], names[:twice]), LEVELS.at_or_above(str(world.relevant)))
    scored = prepare_runs(runs, parse_measure(measure), scheme.gains, names)
    values = scored.tables(scheme.gains.values[None])[0]
    kinds = sort_topics(names, names[:twice])
    left = leave_out_topics(scored, scheme, values, kinds, leave_out_pairs(scheme), many=10**9)
    return scheme, left, values


@pytest.mark.parametrize("measure", ["nDCG@10", "AP"])
def test_sums_agree_with_leaving_out_each_of_5000_topics(measure: str) -> None:
    """Intervals, p-values, degrees of freedom and rank sets are those of the exact jackknife, in the digits shown."""
    world, topics, twice = latent(3, 1.0), 5_000, 400
    chosen = np.random.default_rng(17).integers(0, world.lists.shape[1], topics)
    scheme, left, _ = leave_out_everything(world, chosen, twice, measure)
    part = compare_runs(world.runs(chosen), [parse_measure(measure)], [scheme], permutations=10_000).parts[0]
    a, b = list_pairs(4)
    exact = find_differences(left, a, b, confidence=0.95, highest=1.0, flips=10_000)
    scores = score_intervals(left, confidence=0.95, highest=1.0)
    found = part.differences
    assert found is not None
    assert part.standings.interval == pytest.approx(scores.interval, abs=5e-5)
    assert part.standings.topic_interval == pytest.approx(scores.topic_interval, abs=5e-5)
    assert found.difference == pytest.approx(exact.difference, abs=1e-12)
    assert found.interval == pytest.approx(exact.interval, abs=5e-5)
    assert found.relative_interval == pytest.approx(exact.relative_interval, abs=2e-4)
    assert found.p == pytest.approx(exact.p, abs=5e-4)
    assert found.degrees == pytest.approx(exact.degrees, rel=0.01)
    assert found.topic_share == pytest.approx(exact.topic_share, abs=5e-3)
    assert found.parameter_share == pytest.approx(exact.parameter_share, abs=5e-3)
    assert found.verdicts.words() == exact.verdicts.words()
    sets = rank_sets(4, a, b, exact.verdicts.better, exact.verdicts.worse)
    assert part.standings.rank_interval.tolist() == sets.tolist()
    # Other sign patterns: the family's critical value is known within the noise of 10,000.
    width, other = (np.diff(one.simultaneous_interval)[:, 0] for one in (found, exact))
    assert width == pytest.approx(other, rel=0.02)
    noise = np.sqrt(exact.p_adjusted * (1 - exact.p_adjusted) / 10_000)
    assert (np.abs(found.p_adjusted - exact.p_adjusted) <= 6 * noise + 2e-3).all()


def test_poisson_draws_spread_as_multinomial_ones() -> None:
    """Mean scores, their differences and tau vary over hashed weights as over topics drawn with replacement."""
    world, topics, twice, draws = close_runs(), 5_000, 1_000, 2_000
    chosen = np.random.default_rng(23).integers(0, world.lists.shape[1], topics)
    scheme, left, values = leave_out_everything(world, chosen, twice, "nDCG@10")
    names = world.runs(chosen)[0].topics
    relevance = LEVELS.at_or_above("3")
    runs = world.runs(chosen)
    binary = Scheme(binary_gains(LEVELS, relevance), relevance=relevance)
    plain = prepare_runs(runs, parse_measure("nDCG@10"), binary.gains, names).tables(binary.gains.values[None])[0]
    drawn = draw_kinds(sort_topics(names, names[:twice]), draws=draws, seed=1)
    multinomial = [redraw_scores(values, left.behind, scheme, drawn), redraw_scores(plain, None, binary, drawn)]
    pairs = world.pairs[chosen[:twice]]
    plan = SumPlan(topics, 10, 0, draws, 1)
    scored = prepare_runs(runs, parse_measure("nDCG@10"), scheme.gains, names)
    poisson = []
    for made, table in ((scheme, values), (binary, plain)):
        moves = find_moves(made, names[:twice], pairs, pairs.sum(axis=0))
        poisson.append(find_moments(sum_topics(names, table, find_slopes(scored, made), moves, plan), made).drawn)
    noise = np.sqrt(1 / draws)  # of the ratio of two standard deviations, each of so many draws
    for one, other in zip(poisson, multinomial, strict=True):
        assert one.std(axis=0) / other.std(axis=0) == pytest.approx(1, abs=4.5 * noise)
        apart = [side[:, 0, None] - side[:, 1:] for side in (one, other)]
        assert apart[0].std(axis=0) / apart[1].std(axis=0) == pytest.approx(1, abs=4.5 * noise)
    ends = [tau_interval(0.9, *side, topics=topics, confidence=0.95) for side in (poisson, multinomial)]
    halves = [np.diff(np.arctanh(side))[0] for side in ends if side is not None]
    assert halves[0] == pytest.approx(halves[1], rel=4.5 * noise)
