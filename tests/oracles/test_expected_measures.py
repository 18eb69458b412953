"""Expected measures on long lists: beside SciPy, exact quadrature, simulated users, and enumeration of odd cases."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import gainsayer as gs
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.measures import (
    RelevantCount,
    binomial_probabilities,
    distribute_found,
    expect_shares,
    expected_average_precision,
    find_kinds,
    pair_profile,
    parse_measure,
    simulate_users,
)
from gainsayer.model import estimate_user_correlation
from gainsayer.ranking import FloatArray, RankedLevels, group_duplicates, make_pool, rank_levels, ranked_from_lists

LEVELS = Levels(("0", "1", "2", "3"))
PROBABILITY = np.array([0.02, 0.1, 0.4, 0.6])


def long_lists(pool: list[int], length: int, *, topics: int = 2, seed: int = 0) -> RankedLevels:
    """Lists of judged and unjudged documents from pools of this size."""
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(len(pool)), pool)
    lists = {}
    for topic in range(topics):
        found = rng.permutation(np.concatenate([documents, np.full(len(documents) // 2, -1)]))[:length]
        lists[f"q{topic}"] = [None if level < 0 else int(level) for level in found]
    return ranked_from_lists(lists, dict.fromkeys(lists, pool), levels=LEVELS)


@pytest.mark.parametrize("highest", [19, 12_000])
@pytest.mark.parametrize("p", [0.0, 1e-300, 1e-9, 0.01, 0.5, 0.93, 1 - 1e-9, 1.0])
def test_binomial_probabilities_are_scipys(p: float, highest: int) -> None:
    """From few trials to ten thousand, from sure to impossible, whole or only the lowest counts."""
    trials = np.array([0, 1, 7, 300, 10_000])
    found = binomial_probabilities(trials, np.full(5, p), highest)
    expected = stats.binom.pmf(np.arange(highest + 1), trials[:, None], p)
    np.testing.assert_allclose(found, expected, atol=1e-13)


def test_distribution_of_the_relevant_count_is_that_of_the_recursion() -> None:
    """Whole, and without one or two documents: `f <- (1 - p) f + p shift(f)`, one document after another."""
    pool, probability = np.array([[90, 40, 20, 9], [3, 0, 1, 2]]), np.array([[0.02, 0.4, 0.97, 1.0]])
    for highest in (None, 12):
        count = RelevantCount(pool, probability, highest)
        for without in ((), (0,), (2,), (3,), (1, 1), (0, 3), (2, 3)):
            for topic in range(2):
                left = pool[topic] - np.bincount(np.array(without, int), minlength=4)
                if (left < 0).any():
                    continue
                expected = np.zeros(400)
                expected[0] = 1.0
                for p in np.repeat(probability[0], left):
                    expected = (1 - p) * expected + p * np.append(0.0, expected[:-1])
                found = count.without(*without)[0, topic]
                np.testing.assert_allclose(found, expected[: len(found)], atol=1e-14)


def test_few_nodes_agree_with_exact_quadrature() -> None:
    """Pool of 1,700, depth 1,000: the nodes chosen on the way give the E[AP] of exact nodes to 1e-10."""
    ranked = long_lists([1200, 300, 120, 80], 1000)
    gains = Gains(LEVELS, PROBABILITY, name="prm")
    kinds = next(iter(find_kinds(ranked, gains)))
    once, twice = expect_shares(kinds, first_nodes=851)
    weight = 1 / ranked.rank
    single = np.zeros((2, kinds.size))
    np.add.at(single, (ranked.topic, ranked.level), weight)
    pairs = pair_profile(ranked, weight, kinds.kind, kinds.size)
    exact = (once[0] * single).sum(axis=1) + (twice[0] * pairs).sum(axis=(1, 2))
    np.testing.assert_allclose(expected_average_precision(ranked, gains), exact, atol=1e-10)


@pytest.mark.parametrize(
    "values",
    [(0.0, 0.0, 0.0, 0.0), (1e-300, 1e-12, 0.5, 1 - 1e-12), (1.0, 1.0, 1.0, 1.0), (0.0, 1e-9, 1 - 1e-9, 1.0)],
)
def test_nothing_overflows_in_large_pools(values: tuple[float, ...]) -> None:
    """Pools of 10,000 with probabilities at and near 0 and 1: finite, in [0, 1], and without a warning."""
    ranked = long_lists([7000, 1500, 1000, 500], 1000, topics=1)
    gains = Gains(LEVELS, np.array(values), name="prm")
    for users in ("'independent'", "'comonotone'"):
        for name in ("AP", "R", "nDCG", "Rprec", "Q", "RR", "infAP"):
            found = parse_measure(f"{name}(users={users})").score(ranked, gains)
            assert np.isfinite(found).all(), name
            assert ((found >= 0) & (found <= 1 + 1e-12)).all(), name
    for name in ("nDCG(users='independent')@20", "F1(users='independent')@100"):
        assert 0 <= parse_measure(name).score(ranked, gains)[0] <= 1


def test_certain_large_pools_are_binary() -> None:
    """With 0/1 probabilities and R = 3,000 the quadrature still gives binary AP, recall and F1 to 1e-10."""
    ranked = long_lists([7000, 1500, 1000, 500], 1000, topics=1)
    gains = Gains(LEVELS, np.array([0.0, 1.0, 1.0, 1.0]), name="binary")
    for name, users in (
        ("AP", "AP(users='independent')"),
        ("R@500", "R(users='independent')@500"),
        ("F1@100", "F1(users='independent')@100"),
        ("Q", "Q(users='independent')"),
    ):
        expected = parse_measure(name).score(ranked, gains)
        np.testing.assert_allclose(parse_measure(users).score(ranked, gains), expected, atol=1e-10)


MEASURES = ["AP", "AP@50", "nDCG@20", "nDCG", "R@100", "F1@50", "Q", "Rprec", "RR", "Success@5", "infAP"]


@pytest.mark.parametrize("users", ["'independent'", "0.3", "0.8", "'comonotone'"])
@pytest.mark.parametrize("unjudged", [0.0, 0.05])
def test_long_lists_agree_with_simulated_users(users: str, unjudged: float) -> None:
    """Every formula lies within five standard errors of 2,000 simulated users, correlated or not."""
    ranked = long_lists([150, 50, 20, 10], 200)
    gains = Gains(LEVELS, PROBABILITY, unjudged, name="prm")
    correlation = {"'independent'": 0.0, "'comonotone'": 1.0}.get(users) if users.startswith("'") else float(users)
    assert correlation is not None
    for name in MEASURES:
        plain = parse_measure(name)
        head, at, depth = name.partition("@")
        exact = parse_measure(f"{head}(users={users}){at}{depth}").score(ranked, gains)
        given = Gains(LEVELS, PROBABILITY, 0.0 if name == "infAP" else unjudged, name="prm")
        found = simulate_users(ranked, given, plain.score, correlation=correlation, sample=2000)
        assert (np.abs(exact - found.values) <= 5 * found.standard_error + 1e-9).all(), name


def test_correlated_success_is_the_bivariate_normal() -> None:
    """Two documents: 1 - P(neither), by SciPy's bivariate normal distribution."""
    ranked = ranked_from_lists({"q": [1, 2]}, {"q": [5, 1, 1, 0]}, levels=LEVELS)
    gains = Gains(LEVELS, PROBABILITY, name="prm")
    for correlation in (0.05, 0.3, 0.8):
        normal = stats.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
        limits = stats.norm.ppf(1 - PROBABILITY[[1, 2]])
        found = parse_measure(f"Success(users={correlation})@5").score(ranked, gains)[0]
        assert found == pytest.approx(1 - normal.cdf(limits), abs=1e-8)
        share = distribute_found(ranked, gains, depth=2, users=correlation)
        assert share.probability.sum() == pytest.approx(1.0)
        assert share.nothing[0] == pytest.approx(normal.cdf(limits), abs=1e-8)


def test_correlation_leads_from_independent_to_comonotone() -> None:
    """rho near 0 and near 1 come near the two ends."""
    ranked = long_lists([15, 5, 2, 1], 15)
    gains = Gains(LEVELS, PROBABILITY, name="prm")
    for name in ("AP", "nDCG", "Success@5"):
        head, at, depth = name.partition("@")
        low, near, far, high = (
            parse_measure(f"{head}(users={users}){at}{depth}").score(ranked, gains)
            for users in ("'independent'", 1e-6, 0.9999, "'comonotone'")
        )
        np.testing.assert_allclose(near, low, atol=1e-5)
        np.testing.assert_allclose(far, high, atol=5e-3)


def test_measures_for_incomplete_judgments_by_enumeration() -> None:
    """infAP exactly and bpref within its error, documents in the pool that nobody judged (negative codes) included."""
    levels = Levels(("-1", "0", "1", "2"))
    pool = [2, 2, 2, 1]
    order: list[int | None] = [1, 0, 2, None, 3, 1, 4, 2]
    ranked = ranked_from_lists({"q": order}, {"q": pool}, levels=levels)
    chance = np.array([0.0, 0.1, 0.5, 0.8])
    documents = [0, 0, 1, 1, 2, 2, 3]
    place = [2, 0, 4, None, 6, 3, None, 5]
    seen = Levels(("-1", "0", "1"))
    binary = Gains(seen, np.array([0.0, 0.0, 1.0]), name="binary")
    expected = {"infAP": 0.0, "Bpref": 0.0}
    for views in product((0, 1), repeat=len(documents)):
        weight = np.prod(np.where(views, chance[documents], 1 - chance[documents]))
        if weight == 0:
            continue
        label = [2 if view else 0 if level == 0 else 1 for level, view in zip(documents, views, strict=True)]
        run = [3 if order[rank] == 4 else None if at is None else label[at] for rank, at in enumerate(place)]
        user = ranked_from_lists({"q": run}, {"q": np.bincount(label, minlength=3).tolist()}, levels=seen)
        for name in expected:
            expected[name] += float(weight) * float(parse_measure(name).score(user, binary)[0])
    gains = Gains(levels, chance, name="prm")
    exact = parse_measure("infAP(users='independent')").score(ranked, gains)[0]
    assert exact == pytest.approx(expected["infAP"], abs=1e-12)
    found = parse_measure("Bpref(users='independent',sample=20000)").score_users(ranked, gains)
    assert abs(found.values[0] - expected["Bpref"]) < 5 * found.standard_error[0] < 0.02


def test_equal_documents_with_different_labels_by_enumeration() -> None:
    """A group is in the pool with its best label; a user who finds a worse member relevant finds the group relevant."""
    qrels = {"q": {"a": 2, "b": 1, "c": 1, "d": 0, "e": 2, "f": 1}}
    pool = make_pool(gs.read_judgments({"U1": qrels}))
    same = group_duplicates([(None, ["a", "b"]), (None, ["c", "f"])])
    run = gs.read_run({"q": {name: -float(rank) for rank, name in enumerate("dbcaxfe")}})
    ranked = rank_levels(run, pool, duplicates=same)
    p = np.array([0.1, 0.35, 0.8])
    gains = Gains(ranked.levels, p, name="prm")
    # Documents: d (0), the group of a and b (p .8, its member b .35), the group of c and f (.35), e (.8).
    outcomes = {
        "d": [(0.9, 0, 0), (0.1, 1, 1)],
        "b": [(0.2, 0, 0), (0.45, 0, 1), (0.35, 1, 1)],
        "c": [(0.65, 0, 0), (0.35, 1, 1)],
        "e": [(0.2, 0, 0), (0.8, 1, 1)],
    }
    expected = {"AP": 0.0, "R@3": 0.0, "nDCG@3": 0.0, "Q": 0.0, "Rprec": 0.0}
    plain = Levels(("0", "1"))
    for chosen in product(*outcomes.values()):
        weight = float(np.prod([each[0] for each in chosen]))
        view = dict(zip(outcomes, (each[1] for each in chosen), strict=True))
        relevant = sum(each[2] for each in chosen)
        seen = [view["d"], view["b"], view["c"], 2, None, 2, view["e"]]
        user = ranked_from_lists({"q": seen}, {"q": [4 - relevant, relevant]}, levels=plain)
        binary = Gains(plain, np.array([0.0, 1.0]), name="binary")
        for name in expected:
            expected[name] += weight * float(parse_measure(name).score(user, binary)[0])
    for name, value in expected.items():
        head, at, depth = name.partition("@")
        measure = parse_measure(f"{head}(users='independent'){at}{depth}")
        assert measure.score(ranked, gains)[0] == pytest.approx(value, abs=1e-12), name
        stack = Gains(ranked.levels, np.stack([p, p[[2, 1, 0]], p]), name="prm")
        assert measure.score(ranked, stack)[[0, 2], 0] == pytest.approx([value, value], abs=1e-12), name
        found = simulate_users(ranked, gains, parse_measure(name).score, sample=4000)
        assert abs(found.values[0] - value) < 5 * found.standard_error[0], name


def test_all_runs_meet_the_same_users() -> None:
    """Users are tied to documents: runs that return the same documents in any order find the same numbers."""
    qrels = {"q1": {f"d{place}": place % 3 for place in range(40)}, "q2": {"a": 1, "b": 2}}
    pool = make_pool(gs.read_judgments({"U1": qrels}))
    rng = np.random.default_rng(4)
    names = [f"d{place}" for place in range(5, 25)]
    seen: list[FloatArray] = []

    def count(ranked: RankedLevels, gains: Gains) -> FloatArray:
        number = parse_measure("NumRel").score(ranked, gains)
        seen.append(number + 100 * ranked.pool[:, -1])
        return number

    for _ in range(2):
        order = rng.permutation(names)
        run = gs.read_run({"q1": {name: -float(rank) for rank, name in enumerate(order)}, "q2": {"b": 1.0}})
        gains = Gains(pool.levels, np.array([0.1, 0.4, 0.7]), name="prm")
        simulate_users(rank_levels(run, pool), gains, count, sample=300, correlation=0.2, seed=9)
    half = len(seen) // 2
    np.testing.assert_array_equal(np.concatenate(seen[:half]), np.concatenate(seen[half:]))
    assert len(np.unique(seen[0])) > 5


def test_real_assessors_are_far_from_independent(shared_data: Callable[[str], Path]) -> None:
    """The residual intraclass correlation of real second opinions lies between 0.07 and 0.39, as found elsewhere."""
    folder = shared_data("dl19/annotators")
    judgments = gs.read_judgments(*(str(path) for path in sorted(folder.glob("pair*.qrels"))))
    sides = [[name for name in judgments.assessors if name.endswith(side)] for side in ("first", "second")]
    found = []
    for first, second in (sides, sides[::-1]):
        for threshold in ("1", "2", "3"):
            relevance = judgments.levels.at_or_above(threshold)
            found.append(estimate_user_correlation(judgments, relevance, first=first, second=second))
    assert all(0.065 < each.intraclass < 0.395 for each in found)
    assert max(each.intraclass for each in found) == pytest.approx(0.39, abs=0.005)
    assert all(each.correlation > each.intraclass for each in found)


def test_real_run_agrees_with_simulated_users(shared_data: Callable[[str], Path]) -> None:
    """A real run on 43 topics: the mean E[AP] and E[nDCG@10] lie within five errors of simulated users."""
    pool = make_pool(gs.read_judgments(str(shared_data("dl19/nist.qrels"))))
    ranked = rank_levels(str(sorted(shared_data("dl19/runs").iterdir())[0]), pool)
    gains = Gains(pool.levels, np.array([0.136, 0.451, 0.6, 0.8]), name="prm")
    for name, users in (("AP", "AP(users='independent')"), ("nDCG@10", "nDCG(users='independent')@10")):
        exact = parse_measure(users).score(ranked, gains)
        found = simulate_users(ranked, gains, parse_measure(name).score, sample=300)
        error = np.sqrt(np.sum(found.standard_error**2)) / len(exact)
        assert abs(exact.mean() - found.values.mean()) < 5 * error
        assert error < 0.002
