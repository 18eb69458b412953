"""Users as parameters of measures: names, defaults, refusals, and what is cached between runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from gainsayer.errors import CallError
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.measures import check_users, distribute_found, parse_measure, score_users, simulate_users
from gainsayer.rankings import ranked_from_lists

LEVELS = Levels(("0", "1", "2"))
RANKED = ranked_from_lists({"q": [2, None, 1, 3, 0]}, {"q": [4, 2, 1], "r": [1, 1, 0]}, levels=LEVELS)


def prm(unjudged: float = 0.0) -> Gains:
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
        plain = parse_measure(name).score(RANKED, prm(0.2))
        for users in ("'independent'", "'comonotone'", "0.4"):
            found = parse_measure(f"{head}(users={users}){at}{depth}").score_users(RANKED, prm(0.2))
            np.testing.assert_array_equal(found.values, plain)
            assert not found.standard_error.any()


def test_gains_that_are_no_probabilities_are_refused() -> None:
    """Users need p(R|i): linear gains of three levels are none."""
    with pytest.raises(CallError, match="need probabilities of relevance"):
        parse_measure("nDCG(users='independent')").score(RANKED, Gains(LEVELS, np.arange(3.0), name="linear"))
    with pytest.raises(CallError, match="plug-in measure"):
        parse_measure("nDCG").score_users(RANKED, prm())
    with pytest.raises(CallError, match="not between 0 and 1"):
        simulate_users(RANKED, Gains(LEVELS, np.arange(3.0)), parse_measure("RR").score)
    with pytest.raises(CallError, match="not between 0 and 1"):
        distribute_found(RANKED, Gains(LEVELS, np.arange(3.0)), depth=3)


def test_leaving_out_users_needs_unjudged_documents_worth_nothing() -> None:
    """Whether anything is relevant to a user is not known where unjudged documents may be."""
    measure = parse_measure("AP(users='independent',condition_on_relevant=True)")
    with pytest.raises(CallError, match="unjudged documents may be relevant"):
        measure.score(RANKED, prm(0.1))
    share = 1 - 0.95**4 * 0.7**2 * 0.3
    plain = parse_measure("AP(users='independent')").score(RANKED, prm())
    np.testing.assert_allclose(measure.score(RANKED, prm())[0], plain[0] / share)


def test_a_measure_of_your_own() -> None:
    """Any function of a ranked list and 0/1 gains has an expected value, exactly where it is linear."""

    def first_two(ranked: object, gains: Gains) -> np.ndarray:
        return parse_measure("NumRel@1").score(ranked, gains)  # type: ignore[arg-type]

    exact = score_users(RANKED, prm(), first_two, users="comonotone")  # type: ignore[arg-type]
    np.testing.assert_allclose(exact.values, [0.7, 0.0])
    drawn = score_users(RANKED, prm(), first_two, users="independent", sample=4000)  # type: ignore[arg-type]
    assert drawn.standard_error[0] > 0
    assert abs(drawn.values[0] - 0.7) < 5 * drawn.standard_error[0]


def test_other_pools_are_not_mixed_up() -> None:
    """One set of gains, two pools: each run gets the coefficients of its own."""
    gains = prm()
    other = ranked_from_lists({"q": [2, None, 1]}, {"q": [9, 1, 3], "r": [0, 0, 1]}, levels=LEVELS)
    for name in ("AP(users='independent')", "nDCG(users='independent')@2", "Q(users='independent')"):
        measure = parse_measure(name)
        mixed = [measure.score(ranked, gains) for ranked in (RANKED, other, RANKED)]
        np.testing.assert_array_equal(mixed[0], mixed[2])
        np.testing.assert_array_equal(mixed[1], measure.score(other, prm()))


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
