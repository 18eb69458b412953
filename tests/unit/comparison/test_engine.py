"""The engine: edges, agreement of its forms, agreement of its intervals with its tests, and the same numbers always."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, t

from gainsayer.comparison.differences import Differences, find_differences
from gainsayer.comparison.influences import find_influences
from gainsayer.comparison.intervals import difference_intervals, score_intervals
from gainsayer.comparison.mean_scores import prepare_runs
from gainsayer.comparison.ranks import possibly_best, rank_sets
from gainsayer.comparison.replicates import Replicates, leave_out_pairs, leave_out_topics, sort_topics
from gainsayer.comparison.resampling import draw_topics, redraw_scores, tau_interval
from gainsayer.comparison.run_comparison import compare_runs
from gainsayer.comparison.sign_flips import FEWEST_FLIPS, SignFlips
from gainsayer.counts.pair_counts import PairCounts
from gainsayer.disagreement.estimate import Disagreement, estimate_disagreement
from gainsayer.gains.schemes import FittedElsewhere, Scheme, prm_scheme
from gainsayer.gains.values import Gains
from gainsayer.levels import Levels
from gainsayer.measures.catalogue import parse_measure
from gainsayer.rankings.lists import ranked_from_lists
from gainsayer.rankings.ranked_levels import FloatArray, RankedLevels

LEVELS = Levels(("0", "1", "2"))
ONE = LEVELS.at_or_above("1")


def _world(topics: int, twice: int, seed: int = 0, runs: int = 3) -> tuple[list[RankedLevels], Disagreement]:
    """Runs of five documents drawn from pools of ten, and pairs on the first topics."""
    rng = np.random.default_rng(seed)
    names = [f"q{place:04}" for place in range(topics)]
    pool = {name: [5, 3, 2] for name in names}
    made = []
    for at in range(runs):
        lists = {name: rng.permutation(np.repeat([0, 1, 2], [5, 3, 2]))[:5].tolist() for name in names}
        made.append(ranked_from_lists(lists, pool, levels=LEVELS, name=f"run{at}"))
    counts = PairCounts.from_matrix(LEVELS, rng.integers(0, 7, (twice, 3, 3)), topics=names[:twice])
    return made, estimate_disagreement(counts, estimator="symmetric")


def _replicates(
    runs: list[RankedLevels],
    model: Disagreement,
    measure: str,
    *,
    many: int = 10**9,
    overrides: dict[str, float] | None = None,
) -> Replicates:
    scheme = prm_scheme(model, ONE, overrides=overrides)
    scored = prepare_runs(runs, parse_measure(measure), scheme.gains, runs[0].topics)
    values = scored.tables(scheme.gains.values[None])[0]
    kinds = sort_topics(runs[0].topics, model.counts.topics)
    return leave_out_topics(scored, scheme, values, kinds, leave_out_pairs(scheme), many=many)


def _given(scores: FloatArray) -> Replicates:
    """The replicates of scores [runs, topics] with gains that are given."""
    topics = scores.shape[1]
    alone = (scores.sum(axis=1) - scores.T) / (topics - 1)
    return Replicates(scores.mean(axis=1), alone, (np.arange(topics),), alone, np.empty((0, len(scores))), None)


def _all_pairs(replicates: Replicates, **options: float) -> Differences:
    a, b = np.triu_indices(len(replicates.estimate), k=1)
    return find_differences(replicates, a, b, confidence=0.95, highest=np.inf, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("measure", ["nDCG@5", "P@3", "AP", "RR"])
def test_the_infinitesimal_form_agrees_with_leaving_topics_out(measure: str) -> None:
    """With 600 doubly judged topics a gradient gives the errors and intervals of 600 rescorings, within .1 %."""
    runs, model = _world(700, 600, seed=4)
    exact, first_order = (_replicates(runs, model, measure, many=many) for many in (10**9, 0))
    one, other = (find_influences(replicates, np.log) for replicates in (exact, first_order))
    assert other.error == pytest.approx(one.error, rel=1e-3)
    assert other.parameters == pytest.approx(one.parameters, rel=5e-3)
    assert other.degrees == pytest.approx(one.degrees, rel=1e-3)
    ends = [score_intervals(replicates, confidence=0.95, highest=1).interval for replicates in (exact, first_order)]
    assert ends[1] == pytest.approx(ends[0], rel=1e-4)


def test_given_gains_have_the_errors_of_the_mean() -> None:
    """On the raw scale s is s / sqrt(T) with T - 1 degrees of freedom, and the topics bring all of the variance."""
    scores = np.random.default_rng(1).random((4, 15))
    found = find_influences(_given(scores), lambda x: x)
    assert found.error == pytest.approx(scores.std(axis=1, ddof=1) / np.sqrt(15), rel=1e-12)
    assert found.topics == pytest.approx(found.error**2, rel=1e-12)
    assert found.parameters.tolist() == [0.0] * 4
    assert found.degrees.tolist() == [14.0] * 4


def test_levels_given_by_hand_bring_no_uncertainty() -> None:
    """With all levels by hand the joint error is the one over topics alone."""
    runs, model = _world(12, 12)
    free = find_influences(_replicates(runs, model, "P@3"), np.log)
    hand = find_influences(_replicates(runs, model, "P@3", overrides={"0": 0.1, "1": 0.5, "2": 0.9}), np.log)
    assert (free.parameters > 0).all()
    assert hand.parameters.tolist() == [0.0] * 3
    assert hand.error**2 == pytest.approx(hand.topics, rel=1e-12)
    assert hand.degrees.tolist() == [11.0] * 3


def test_probabilities_of_0_and_1_leave_all_doubly_judged_topics() -> None:
    """Where every p is 0 or 1 no v_t is above 0: D* is D, and nothing is undefined."""
    runs, _ = _world(10, 1)
    sure = PairCounts.from_matrix(LEVELS, [np.diag([3, 2, 4])] * 6, topics=runs[0].topics[:6])
    found = find_influences(_replicates(runs, estimate_disagreement(sure), "P@3"), np.log)
    assert found.degrees.tolist() == [9.0] * 3
    assert found.parameters.tolist() == [0.0] * 3


def test_scores_of_zero() -> None:
    """A score of 0 has no interval; one that a single topic makes is on the raw scale; two zeros differ by [0, 0]."""
    scores = np.array([[0.0] * 6, [0.6, 0, 0, 0, 0, 0], [0.0] * 6, [0.3, 0.4, 0.2, 0.5, 0.1, 0.3]])
    found = score_intervals(_given(scores), confidence=0.95, highest=1.0)
    assert np.isnan(found.interval[[0, 2]]).all()
    half = t.ppf(0.975, 5) * scores[1].std(ddof=1) / np.sqrt(6)
    assert found.interval[1] == pytest.approx([0.0, 0.1 + half], rel=1e-12)
    pairs = _all_pairs(_given(scores))
    both = (pairs.a == 0) & (pairs.b == 2)
    assert pairs.interval[both].tolist() == [[0.0, 0.0]]
    assert np.isnan(pairs.p[both]).all()
    assert np.isnan(pairs.p_adjusted[both]).all()
    assert pairs.verdicts.words()[int(np.flatnonzero(both)[0])] == "undecided"


def test_intervals_stay_in_the_range_of_the_measure() -> None:
    """P@1 on eight topics, seven of them perfect: the interval ends at 1, and that of a difference within [-1, 1]."""
    scores = np.array([[1.0] * 7 + [0.5], [0.0] * 7 + [0.5]])
    assert score_intervals(_given(scores), confidence=0.95, highest=1.0).interval.max() == 1.0
    found = find_differences(_given(scores), np.array([0]), np.array([1]), confidence=0.999, highest=1.0)
    assert np.abs(found.interval).max() <= 1.0


SHARES = st.floats(-1.9, 1.9).filter(lambda value: abs(value) > 1e-3)


@given(r=SHARES, m=st.floats(0.01, 1), reach=st.floats(1e-3, 3), scale=st.floats(0, 8), rho=st.floats(-1, 1))
def test_doubt_about_the_scale_cannot_make_or_unmake_a_difference(
    r: float, m: float, reach: float, scale: float, rho: float
) -> None:
    """However uncertain the gains' scale, the interval excludes 0 exactly where the relative difference's does."""
    one = np.array([1.0])
    ends = difference_intervals(
        r * one, m * one, reach * one, m * np.exp(-scale) * one, m * np.exp(scale) * one, rho * one, highest=np.inf
    )[0]
    assert (ends[0] > 0 or ends[1] < 0) == (abs(r) > reach)
    assert ends[0] <= r * m <= ends[1]


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_adjusted_p_and_simultaneous_intervals_agree(confidence: float) -> None:
    """p_adjusted is at most 1 - confidence exactly where the simultaneous intervals, both kinds, exclude 0."""
    decided = 0
    for seed in range(15):
        rng = np.random.default_rng(seed)
        scores = rng.beta(2, 3, (8, 20)) + np.linspace(0, 0.5, 8)[:, None]
        a, b = np.triu_indices(8, k=1)
        found = find_differences(_given(scores), a, b, confidence=confidence, highest=np.inf, flips=999, seed=seed)
        significant = found.p_adjusted <= 1 - confidence + 1e-12
        for ends in (found.simultaneous_interval, found.simultaneous_relative_interval):
            assert ((ends[:, 0] > 0) | (ends[:, 1] < 0)).tolist() == significant.tolist()
        assert (found.verdicts.better | found.verdicts.worse).tolist() == significant.tolist()
        assert (found.p_adjusted >= found.p).all()
        decided += int(significant.sum())
    assert decided > 20


@pytest.mark.parametrize("topics", [50, 4_000])
def test_a_difference_beyond_every_doubt_is_significant(topics: int) -> None:
    """Where p is too small for a float, no sign pattern reaches it: adjusted p is 1 / (patterns + 1), never 1."""
    scores = np.random.default_rng(7).normal([[0.9], [0.5], [0.49]], 1e-9 if topics == 50 else 0.01, (topics, 3, 1))
    found = _all_pairs(_given(scores[..., 0].T), flips=999)
    assert (found.p[:2] == 0).all()
    assert found.p_adjusted.tolist() == [1 / 1_000] * 3
    assert found.verdicts.words() == ["better"] * 3


def test_blocks_of_pairs_do_not_matter() -> None:
    """Pairs come in blocks of bounded memory; taken one at a time they have the same influences and flips."""
    scores = np.random.default_rng(5).random((6, 30))
    found = _all_pairs(_given(scores), flips=500)
    family = SignFlips(30, 15, flips=500, seed=0)
    for a, b in zip(found.a, found.b, strict=True):
        one = find_influences(
            _given(scores[[a, b]]), lambda x: (2 * (x[..., :1] - x[..., 1:])) / x.sum(-1, keepdims=True)
        )
        family.add(one.values, one.error)
    assert found.p_adjusted.tolist() == family.finish().adjust(found.p).tolist()


def test_very_many_pairs_have_fewer_flips_and_say_how_many() -> None:
    """200,000 pairs of fifty topics get as many sign patterns as the work allows, never fewer than a thousand."""
    assert SignFlips(50, 200_000, flips=10_000, seed=0).finish().patterns == 3_000
    assert SignFlips(50, 10**9, flips=10_000, seed=0).finish().patterns == FEWEST_FLIPS
    assert SignFlips(50, 1_000, flips=10_000, seed=0).finish().patterns == 10_000


def test_rank_sets_count_who_beats_whom() -> None:
    """Run 1 beats 0 and 3, run 2 beats 3: ranks 1 + beaten by ... runs - beats; nobody beats 1 and 2."""
    a, b = np.triu_indices(4, k=1)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    better = np.array([pair in [(1, 3), (2, 3)] for pair in pairs])
    worse = np.array([pair == (0, 1) for pair in pairs])
    sets = rank_sets(4, a, b, better, worse)
    assert sets.tolist() == [[2, 4], [1, 2], [1, 3], [3, 4]]
    assert possibly_best(sets).tolist() == [1, 2]


def test_a_model_made_elsewhere_adds_its_covariance() -> None:
    """V_P is G' V G, s^2 is V_S + V_P, and the degrees of freedom rest on the model's topics."""
    runs, model = _world(20, 8)
    fixed = prm_scheme(model, ONE)
    covariance = np.array([[4.0, 1, 0], [1, 9, 2], [0, 2, 16]]) * 1e-4
    scheme = Scheme(fixed.gains, relevance=ONE, fitted=FittedElsewhere(covariance, 6))
    scored = prepare_runs(runs, parse_measure("P@5"), scheme.gains, runs[0].topics)
    values = scored.tables(scheme.gains.values[None])[0]
    left = leave_out_topics(scored, scheme, values, sort_topics(runs[0].topics), None)
    found = find_influences(left, lambda x: x)
    # P@5 = (number on each level) . g / 5
    slope = np.stack([[(run.level == level).sum() / 100 for level in range(3)] for run in runs])
    assert found.parameters == pytest.approx(np.einsum("ri,ij,rj->r", slope, covariance, slope), rel=1e-7)
    assert found.error**2 == pytest.approx(found.topics + found.parameters, rel=1e-10)
    phi = found.parameters / (found.topics + found.parameters)
    assert found.degrees == pytest.approx(np.clip(1 / (phi**2 / 5 + (1 - phi) ** 2 / 19), 1, 19), rel=1e-7)


def test_tau_varies_as_over_samples_drawn_and_scored_one_by_one() -> None:
    """The interval's spread is that of scipy's tau over samples of topics, each scored with gains of its own pairs."""
    runs, model = _world(25, 15, seed=7, runs=8)
    measure = parse_measure("nDCG@5")
    kinds = sort_topics(runs[0].topics, model.counts.topics)
    drawn = draw_topics(kinds, draws=300, seed=3)
    scheme = prm_scheme(model, ONE)
    binary = Gains(LEVELS, np.array([0.0, 1.0, 1.0]))
    left = _replicates(runs, model, "nDCG@5")
    scored = prepare_runs(runs, measure, scheme.gains, runs[0].topics)
    values, plain = scored.tables(np.stack([scheme.gains.values, binary.values]))
    samples = [
        redraw_scores(values, left.behind, scheme, drawn),
        redraw_scores(plain, None, Scheme(binary), drawn),
    ]
    taus = []
    for weights, times in zip(drawn.scored, drawn.paired, strict=True):
        counts = np.repeat(model.counts.counts, times.astype(int), axis=0).sum(axis=0)
        both = counts + counts.T
        gains = Gains(LEVELS, both[:, 1:].sum(axis=1) / both.sum(axis=1))
        means = [np.array([weights @ measure.score(run, kind) for run in runs]) for kind in (gains, binary)]
        taus.append(kendalltau(*means).statistic)
    tau = kendalltau(values.mean(axis=1), plain.mean(axis=1)).statistic
    low, high = tau_interval(tau, samples[0], samples[1], topics=25, confidence=0.95) or (0.0, 0.0)
    half = t.ppf(0.975, 24) * np.std(taus, ddof=1) / (1 - tau**2)
    # To first order in the gains, so nearly the same.
    assert np.arctanh(high) - np.arctanh(tau) == pytest.approx(half, rel=0.03)
    assert np.arctanh(tau) - np.arctanh(low) == pytest.approx(half, rel=0.03)
    assert tau_interval(1.0, samples[0], samples[0], topics=25, confidence=0.95) is None
    assert tau_interval(None, samples[0], samples[0], topics=25, confidence=0.95) is None


def test_topics_are_drawn_within_their_kind() -> None:
    """Every sample holds as many doubly judged topics, and as many others, as there are."""
    names = [f"q{place}" for place in range(8)]
    drawn = draw_topics(sort_topics(names, [*names[:5], "x", "y"]), draws=200, seed=1)
    assert drawn.scored[:, :5].sum(axis=1) == pytest.approx(np.full(200, 5 / 8))
    assert (drawn.paired[:, :5] == 8 * drawn.scored[:, :5]).all()
    assert (drawn.paired[:, 5:].sum(axis=1) == 2).all()


def test_unjudged_documents_as_the_lowest_level_move_with_it() -> None:
    """Lists with unjudged documents have the replicates of lists that hold documents of level 0 in their place."""
    runs, model = _world(9, 9)
    pool = {name: [5, 3, 2] for name in runs[0].topics}
    rng = np.random.default_rng(3)
    lists = {name: rng.choice([0, 1, 2], 6).tolist() for name in pool}
    hidden = {name: [None if level == 0 else level for level in some] for name, some in lists.items()}
    measure = [parse_measure(name) for name in ("P@5", "nDCG@4", "AP")]
    ends = []
    for some, lowest in ((lists, False), (hidden, True)):
        run = ranked_from_lists(some, pool, levels=LEVELS, name="a")
        scheme = prm_scheme(model, ONE)
        if lowest:
            gains = Gains(LEVELS, scheme.gains.values, unjudged=float(scheme.gains.values[0]), name="prm")
            scheme = replace(scheme, gains=gains)
        found = compare_runs([run], measure, [scheme], unjudged_as_lowest=lowest)
        ends.append([part.standings.interval[0].tolist() for part in found.parts])
    assert np.array(ends[1]) == pytest.approx(np.array(ends[0]), rel=1e-10)


PROGRAM = """
import json, numpy as np
from gainsayer.datasets.latent import LatentModel
from gainsayer.datasets.simulation import simulate_collection
from gainsayer.datasets.simulated_runs import RunDesign
import gainsayer as gs
collection = simulate_collection(LatentModel(), topics=30, documents=40, runs=RunDesign(qualities=(.9, .8, .7)), seed=3)
judgments = collection.judgments
model = gs.estimate_disagreement(gs.count_pairs(judgments))
pool = gs.rankings.make_pool(judgments)
ranked = [gs.rankings.rank_levels(gs.read_run(table), pool) for table in collection.runs.values()]
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
