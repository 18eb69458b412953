"""Random users: names, refusals, what each kind finds relevant, and what is kept between runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from scipy.integrate import quad
from scipy.stats import norm
from tests.scoring.every_user import LEVELS, Topic, prm

from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.measures import (
    average_over_strictness,
    check_users,
    distribute_found,
    parse_measure,
    reciprocal_rank,
    score_threshold_users,
    score_users,
    share_with_threshold,
    simulate_users,
    spell_out_unjudged,
    success,
    threshold_users,
)
from gainsayer.ranking import ranked_from_lists

RANKED = ranked_from_lists({"q": [2, None, 1, 3, 0]}, {"q": [4, 2, 1], "r": [1, 1, 0]}, levels=LEVELS)


def chances(unjudged: float = 0.0) -> Gains:
    """Probabilities of relevance as gains."""
    return Gains(LEVELS, np.array([0.05, 0.3, 0.7]), unjudged, "prm")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AP(users='strict')", r"'independent', 'comonotone' \(.*\), or their correlation"),
        ("AP(users=1.5)", "found 1.5"),
        ("AP(users=True)", "found True"),
        ("AP(condition_on_relevant=True)", "is about random users"),
        ("AP(users='independent',condition_on_relevant=2)", "True or False"),
        ("Bpref(users='independent',sample=1)", "at least 2"),
        ("Bpref(users='independent',seed=-1)", "at least 0"),
        ("NumRet(users='independent')", "no parameter 'users'"),
        ("GAP(users='comonotone')", "no parameter 'users'"),
        ("Judged(users='independent')@5", "no parameter 'users'"),
        ("F1", "needs a depth"),
    ],
)
def test_senseless_users_are_refused(text: str, words: str) -> None:
    """What cannot be meant is refused with what may be given."""
    with pytest.raises(CallError, match=words):
        parse_measure(text)


def test_the_ends_of_the_correlation_have_names() -> None:
    """A correlation of 0 is independent, of 1 comonotone."""
    assert str(parse_measure("AP(users=0)")) == "AP(users='independent')"
    assert str(parse_measure("AP(users=1.0)")) == "AP(users='comonotone')"
    assert parse_measure("ndcg_cut_10").users is None
    assert parse_measure("nDCG(users='independent')@10").trec_name == "nDCG(users='independent')@10"


def test_users_have_binary_views_where_no_gains_are_given() -> None:
    """Classical nDCG takes linear gains, that of users binary ones."""
    assert parse_measure("nDCG@10").classic == "linear"
    assert parse_measure("nDCG(users='comonotone')@10").classic == "binary"


def test_linear_measures_are_the_plug_in_value_exactly() -> None:
    """P, CG, DCG, RBP and NumRel do not care how views correlate; nor do they lose a digit."""
    for name in ("NumRel", "P@3", "CG@2", "DCG@4", "RBP", "PoolRel"):
        head, at, depth = name.partition("@")
        plain = parse_measure(name).score(RANKED, chances(0.2))
        for users in ("'independent'", "'comonotone'", "0.4"):
            found = parse_measure(f"{head}(users={users}){at}{depth}").score_users(RANKED, chances(0.2))
            np.testing.assert_array_equal(found.values, plain)
            assert not found.standard_error.any()


def test_gains_that_are_no_probabilities_are_refused() -> None:
    """Users need p(R|i): linear gains of three levels are none."""
    with pytest.raises(CallError, match="need probabilities of relevance"):
        parse_measure("nDCG(users='independent')").score(RANKED, Gains(LEVELS, np.arange(3.0), name="linear"))
    with pytest.raises(CallError, match="plug-in measure"):
        parse_measure("nDCG").score_users(RANKED, chances())
    with pytest.raises(CallError, match="not between 0 and 1"):
        simulate_users(RANKED, Gains(LEVELS, np.arange(3.0)), parse_measure("RR").score)
    with pytest.raises(CallError, match="not between 0 and 1"):
        distribute_found(RANKED, Gains(LEVELS, np.arange(3.0)), depth=3)


def test_leaving_out_users_needs_unjudged_documents_worth_nothing() -> None:
    """Whether anything is relevant to a user is not known where unjudged documents may be."""
    measure = parse_measure("AP(users='independent',condition_on_relevant=True)")
    with pytest.raises(CallError, match="unjudged documents may be relevant"):
        measure.score(RANKED, chances(0.1))
    share = 1 - 0.95**4 * 0.7**2 * 0.3
    plain = parse_measure("AP(users='independent')").score(RANKED, chances())
    np.testing.assert_allclose(measure.score(RANKED, chances())[0], plain[0] / share)


def test_a_measure_of_your_own() -> None:
    """Any function of a ranked list and 0/1 gains has an expected value, exactly where it is linear."""

    def first_two(ranked: object, gains: Gains) -> np.ndarray:
        return parse_measure("NumRel@1").score(ranked, gains)  # type: ignore[arg-type]

    exact = score_users(RANKED, chances(), first_two, users="comonotone")  # type: ignore[arg-type]
    np.testing.assert_allclose(exact.values, [0.7, 0.0])
    drawn = score_users(RANKED, chances(), first_two, users="independent", sample=4000)  # type: ignore[arg-type]
    assert drawn.standard_error[0] > 0
    assert abs(drawn.values[0] - 0.7) < 5 * drawn.standard_error[0]


def test_other_pools_are_not_mixed_up() -> None:
    """One set of gains, two pools: each run gets the coefficients of its own."""
    gains = chances()
    other = ranked_from_lists({"q": [2, None, 1]}, {"q": [9, 1, 3], "r": [0, 0, 1]}, levels=LEVELS)
    for name in ("AP(users='independent')", "nDCG(users='independent')@2", "Q(users='independent')"):
        measure = parse_measure(name)
        mixed = [measure.score(ranked, gains) for ranked in (RANKED, other, RANKED)]
        np.testing.assert_array_equal(mixed[0], mixed[2])
        np.testing.assert_array_equal(mixed[1], measure.score(other, chances()))


def test_catalogue_tells_of_users(run: Callable[..., Result]) -> None:
    """`gainsayer measures` says which users may be asked for, and how each measure's expected value is found."""
    text = run("measures").stdout
    assert "users='comonotone'" in text
    assert "plug-in: gains are put where the measure has a gain" in text
    assert "simulated" in next(line for line in text.splitlines() if line.startswith("Bpref"))


def test_scoring_with_users_from_the_command_line(run: Callable[..., Result], tmp_path: Path) -> None:
    """score takes users= in a measure's name and prints the expected value beside the plug-in one."""
    (tmp_path / "a.qrels").write_text("q 0 a 2\nq 0 b 0\nq 0 c 1\nq 0 d 0\n")
    (tmp_path / "run.txt").write_text("q Q0 a 1 3 x\nq Q0 b 2 2 x\nq Q0 c 3 1 x\n")
    gains = ["--gain", "0=0.1,1=0.5,2=0.8"]
    measures = ["-m", "AP", "-m", "AP(users='independent')", "-m", "nDCG(users='comonotone')@2"]
    result = run(
        *("score", "--judgments", tmp_path / "a.qrels", "--runs", tmp_path / "run.txt"), *gains, *measures, "--quiet"
    )
    assert result.exit_code == 0, result.output
    assert "AP(users='independent')" in result.stdout
    assert "nDCG(users='comonotone')@2" in result.stdout


@pytest.mark.parametrize("users", [-0.5, 1.5, True, False, "strict", None, float("nan")])
def test_no_such_users(users: object) -> None:
    """Neither a correlation beyond 0 and 1 nor anything else."""
    with pytest.raises(CallError, match="users may be 'independent', 'comonotone'"):
        check_users(users)


GRID = (np.arange(20_000) + 0.5) / 20_000


@pytest.mark.parametrize("chance", [(0.1, 0.45, 0.8), (0.3, 0.3, 0.0), (1.0, 0.2, 0.2), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("unjudged", [0.0, 0.25])
def test_users_are_those_on_a_fine_grid_of_thresholds(chance: tuple[float, ...], unjudged: float) -> None:
    """The share of thresholds below the probability of just these levels."""
    users, share = threshold_users(Gains(LEVELS, np.array(chance), unjudged))
    found = {
        (*user.values.tolist(), user.unjudged): float(part) for user, part in zip(users, share[0], strict=True) if part
    }
    accepted = np.stack([np.array([*chance, unjudged]) > u for u in GRID]).astype(float)
    patterns, times = np.unique(accepted, axis=0, return_counts=True)
    expected = {tuple(p.tolist()): n / 20_000 for p, n in zip(patterns, times, strict=True) if p.any()}
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, abs=1e-4)


def test_scores_are_means_over_thresholds() -> None:
    """RR of each user on a fine grid of thresholds; draws one by one."""
    topic = Topic()
    chances = np.array([[0.1, 0.45, 0.8], [0.7, 0.2, 0.2]])
    found = score_threshold_users(reciprocal_rank, topic.ranked, Gains(LEVELS, chances))
    assert found.shape == (2, 1)
    for draw, chance in enumerate(chances):
        values = []
        for u in GRID[::20]:
            seen = [chance[level] > u for level in topic.run]
            values.append(1 / (seen.index(True) + 1) if any(seen) else 0.0)
        assert found[draw, 0] == pytest.approx(np.mean(values), abs=2e-3)
    alone = score_threshold_users(reciprocal_rank, topic.ranked, prm())
    assert alone == pytest.approx(found[0])


def test_the_largest_probability_in_the_pool_serves_its_share() -> None:
    """Levels that the pool lacks serve nobody; groups of equal documents count with all their levels."""
    ranked = Topic((0, 1), (1, 3, 0)).ranked
    assert share_with_threshold(ranked, prm()) == pytest.approx([0.45])
    assert share_with_threshold(Topic((), (0, 0, 0)).ranked, prm()).tolist() == [0.0]
    group = replace(ranked, choice_topic=np.array([0]), choice_levels=np.array([[True, False, True]]))
    assert share_with_threshold(group, prm()) == pytest.approx([0.8])
    assert share_with_threshold(group, Gains(LEVELS, np.array([[0.1, 0.2, 0.3], [0.9, 0.1, 0.1]]))).tolist() == [
        [0.3],
        [0.9],
    ]


@pytest.mark.parametrize("unjudged", [0.0, 0.2])
def test_any_score_is_an_integral_over_strictness(unjudged: float) -> None:
    """Against scipy's adaptive quadrature of the independent users' value given W, unjudged documents included."""
    ranked = spell_out_unjudged(ranked_from_lists({"q": [None, 1, 0, 2]}, {"q": [1, 1, 1]}, levels=LEVELS))
    chance, rho = np.array([0.1, 0.45, 0.8]), 0.4

    def given(w: float, p: np.ndarray) -> np.ndarray:
        return np.asarray(norm.cdf((norm.ppf(p) - np.sqrt(rho) * w) / np.sqrt(1 - rho)))

    def integrand(w: float) -> float:
        p = [float(given(w, np.array(unjudged))), *(float(given(w, chance[level])) for level in (1, 0, 2))]
        return float(norm.pdf(w) * (1 - np.prod([1 - own for own in p])))

    expected = quad(integrand, -8, 8, epsabs=1e-12)[0]
    found = average_over_strictness(lambda gains: success(ranked, gains), Gains(LEVELS, chance, unjudged), rho)
    assert found[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("unjudged", [0.0, 0.2])
def test_draws_are_each_alone(unjudged: float) -> None:
    """A stack of probabilities gives what each gives by itself."""
    topic = Topic()
    stack = np.array([[0.1, 0.45, 0.8], [0.9, 0.2, 0.3]])
    together = average_over_strictness(lambda gains: success(topic.ranked, gains), Gains(LEVELS, stack, unjudged), 0.3)
    assert together.shape == (2, 1)
    for place, values in enumerate(stack):
        alone = average_over_strictness(
            lambda gains: success(topic.ranked, gains), Gains(LEVELS, values, unjudged), 0.3
        )
        assert together[place] == pytest.approx(alone, abs=1e-10)


@pytest.mark.parametrize("documents", [300, 3000])
def test_steep_scores_are_integrated_as_closely(documents: int) -> None:
    """Success in a long list of unlikely documents is a step in W; the rule is refined until it fits."""
    ranked = ranked_from_lists({"q": [0] * documents}, {"q": [documents, 0, 0]}, levels=LEVELS)
    gains, rho = Gains(LEVELS, np.array([0.001, 0.5, 0.5])), 0.6

    def integrand(w: float) -> float:
        p = norm.cdf((norm.ppf(0.001) - np.sqrt(rho) * w) / np.sqrt(1 - rho))
        return float(norm.pdf(w) * -np.expm1(documents * np.log1p(-p)))

    expected = quad(integrand, -9, 9, epsabs=1e-13, limit=500)[0]
    found = average_over_strictness(lambda part: success(ranked, part), gains, rho)
    assert found[0] == pytest.approx(expected, abs=1e-9)
