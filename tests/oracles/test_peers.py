"""Other evaluators: what they make of fractional gains, and that scaled qrels bring them to the right value."""

from __future__ import annotations

import numpy as np
import pytest

from gainsayer.exports import (
    PERFECT,
    Check,
    bound_error,
    check_peers,
    example_gains,
    find_version,
    take_labels,
    write_scaled_qrels,
)
from gainsayer.gains import Gains
from gainsayer.judgments import Judgments, read_judgments
from gainsayer.levels import Levels

LEVELS = Levels(("0", "1", "2", "3"))


def exact_ndcg(ranked: np.ndarray, pool: np.ndarray, depth: int | None) -> float:
    """nDCG of one topic in the plainest way, eq. (12): gains by rank, over those of the best list."""

    def total(gains: np.ndarray) -> float:
        return float(sum(gain / np.log2(rank + 1) for rank, gain in enumerate(gains[:depth], start=1)))

    return total(ranked) / total(np.sort(pool)[::-1])


def simulate(seed: int) -> tuple[Judgments, dict[str, dict[str, int]], dict[str, list[str]]]:
    """Labels of six topics, as judgments and as a mapping, and a run that holds some unjudged documents."""
    random = np.random.default_rng(seed)
    table = {
        f"q{topic}": {f"d{document:02}": int(level) for document, level in enumerate(random.integers(0, 4, 15))}
        for topic in range(6)
    }
    run = {
        topic: [str(name) for name in random.permutation([*list(pool)[:10], "u1", "u2", "u3"])]
        for topic, pool in table.items()
    }
    return read_judgments({"U1": table}, levels=LEVELS), table, run


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("thousandths", [True, False])
def test_scaled_qrels_through_pytrec_eval(seed: int, thousandths: bool) -> None:
    """ndcg and ndcg_cut on the scaled qrels lie within the bound; with exact thousandths they agree to 1e-9."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    labels, table, run = simulate(seed)
    values = np.random.default_rng(seed + 100).random(4)
    values = np.maximum(1, np.rint(1000 * values)) / 1000 if thousandths else values
    gains = Gains(LEVELS, values)
    qrels = pytrec_eval.parse_qrel(write_scaled_qrels(labels, gains).splitlines())
    assert {topic: set(pool) for topic, pool in qrels.items()} == {topic: set(pool) for topic, pool in table.items()}
    scores = {topic: {name: -float(rank) for rank, name in enumerate(names)} for topic, names in run.items()}
    found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg", "ndcg_cut.5,10"}).evaluate(scores)
    bound = bound_error(labels, gains).worst
    assert bound < (1e-12 if thousandths else 0.2)
    for topic, names in run.items():
        pool = values[list(table[topic].values())]
        ranked = np.array([values[table[topic][name]] if name in table[topic] else 0.0 for name in names])
        for measure, depth in (("ndcg", None), ("ndcg_cut_5", 5), ("ndcg_cut_10", 10)):
            assert found[topic][measure] == pytest.approx(exact_ndcg(ranked, pool, depth), abs=bound + 1e-9)


def look(peer: str, *, gains: Gains | None = None) -> dict[tuple[str | None, str | None], Check]:
    """The doctor's checks of one peer on a small collection, by what was given and the ranking."""
    if find_version(peer) is None:
        pytest.skip(f"{peer} is not installed")
    labels, _, run = simulate(1)
    checks = check_peers(take_labels(labels), gains or example_gains(LEVELS), run, seconds=900, peers=[peer])
    return {(check.given, check.ranking): check for check in checks}


def expect_scaled_right(checks: dict[tuple[str | None, str | None], Check]) -> None:
    """On scaled qrels the perfect ranking scores 1, and the run its exact value."""
    for ranking in (PERFECT, "your run"):
        check = checks["scaled qrels", ranking]
        assert check.verdict == "right"
        assert check.value == pytest.approx(check.right, abs=1e-4)
    assert checks["scaled qrels", PERFECT].right == pytest.approx(1)


def test_pytrec_eval_refuses_gains_and_dies_of_a_gain_map() -> None:
    """Fractions as relevance are refused in its words; a gain map takes its process down, and only that."""
    checks = look("pytrec_eval")
    refused = checks["gains as relevance", None]
    assert refused.verdict == "refused"
    assert "Expected relevance to be integer" in refused.words
    assert checks["gain map, low to high", None].verdict == "crashed"
    expect_scaled_right(checks)


def test_ir_measures_refuses_fractions_in_both_forms() -> None:
    """Gains as relevance and as gains={...} are both refused when it computes."""
    checks = look("ir_measures")
    for given in ("gains as relevance", "gain map, low to high"):
        assert checks[given, None].verdict == "refused"
        assert "Expected relevance to be integer" in checks[given, None].words
    expect_scaled_right(checks)


def test_ranx_cuts_gains_down_to_zero() -> None:
    """ranx takes fractions, casts them to whole numbers, and gives a perfect ranking nDCG 0 without a word."""
    checks = look("ranx")
    silent = checks["gains as relevance", PERFECT]
    assert (silent.verdict, silent.value) == ("wrong", 0.0)
    assert silent.words == "gains cut down to 0, in silence"
    expect_scaled_right(checks)


def test_trec_eval_depends_on_the_order_of_a_gain_map() -> None:
    """With the best level first, the ideal list of trec_eval begins with the worst documents: nDCG above 1."""
    checks = look("trec_eval")
    assert checks["gain map, high to low", PERFECT].verdict == "wrong"
    assert (checks["gain map, high to low", PERFECT].value or 0) > 1
    assert checks["gains as relevance", PERFECT].verdict == "wrong"
    expect_scaled_right(checks)
