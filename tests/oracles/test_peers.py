"""Other evaluators: what they make of fractional gains, and that scaled qrels bring them to the right value."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import numpy as np
import pytest

from gainsayer.exports.asking import Patience, Question, ask_peer, find_version
from gainsayer.exports.doctor import PERFECT, Check, check_peers, example_gains
from gainsayer.exports.exact import exact_ndcg
from gainsayer.exports.labels import take_labels
from gainsayer.exports.scaled_qrels import bound_error, write_scaled_qrels
from gainsayer.gains import Gains
from gainsayer.judgments.files import read_judgments
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels

LEVELS = Levels(("0", "1", "2", "3"))


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
            assert found[topic][measure] == pytest.approx(exact_ndcg(ranked, pool, depth=depth), abs=bound + 1e-9)


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


STUB = """#!/bin/sh
case "$1" in --version) echo "trec_eval version 9.0.99"; exit 0;; esac
case "$2" in
  ndcg.0=*) printf 'ndcg\\tall\\t1.0000\\n';;
  ndcg.3=*) printf 'ndcg\\tall\\t2.1900\\n';;
  *) awk '$4 != int($4) { bad = 1 } END { exit bad }' "$3" || { echo "bad qrels" >&2; exit 3; }
     printf 'ndcg\\tall\\t1.0000\\n';;
esac
"""


def test_the_binary_is_asked_by_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a trec_eval on PATH prints is read, its refusals are quoted; here a stand-in that prints known values."""
    stub = tmp_path / "trec_eval"
    stub.write_text(STUB)
    stub.chmod(stub.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    labels, _, _ = simulate(2)
    checks = {check.given: check for check in check_peers(labels, example_gains(LEVELS), peers=["trec_eval"])}
    assert {check.version for check in checks.values()} == {"9.0.99"}
    assert (checks["gains as relevance"].verdict, checks["gains as relevance"].words) == ("refused", "bad qrels")
    assert checks["gain map, low to high"].verdict == "right"
    assert (checks["gain map, high to low"].verdict, checks["gain map, high to low"].value) == ("wrong", 2.19)
    assert "above 1" in checks["gain map, high to low"].words
    assert checks["scaled qrels"].verdict == "right"


def hang(folder: Path, monkeypatch: pytest.MonkeyPatch, *, script: str) -> None:
    """Put a trec_eval on PATH that tells its version, and does this when it is asked."""
    stub = folder / "trec_eval"
    stub.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo 9.0.99; exit; fi\n{script}\n')
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("script", ["exec sleep 60", "sleep 60 & sleep 60"])
def test_a_peer_that_hangs_is_left_after_the_time_limit(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No answer within the limit is an answer of its own, whatever the peer has started."""
    hang(tmp_path, monkeypatch, script=script)
    question = Question({"q": {"d": 1}}, None, {PERFECT: {"q": ["d"]}})
    answer = ask_peer("trec_eval", question, Patience.of(0.3))
    assert answer.late
    assert answer.death == "no answer within 0.3 seconds"


def test_the_time_limit_holds_for_all_questions_to_a_peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first question uses the time up, the others are not asked; each row says so."""
    hang(tmp_path, monkeypatch, script=f'echo asked >> "{tmp_path}/log"; exec sleep 60')
    labels, _, _ = simulate(3)
    checks = check_peers(labels, example_gains(LEVELS), seconds=3, peers=["trec_eval"])
    assert {check.verdict for check in checks} == {"no answer"}
    assert {check.given: check.words for check in checks} == {
        "scaled qrels": "no answer within 3 seconds",
        "gains as relevance": "not asked: its 3 seconds were used up",
        "gain map, low to high": "not asked: its 3 seconds were used up",
        "gain map, high to low": "not asked: its 3 seconds were used up",
    }
    assert (tmp_path / "log").read_text() == "asked\n"


def test_a_missing_peer_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not installed is said, and nothing is asked."""
    monkeypatch.setenv("PATH", "")
    labels, _, _ = simulate(3)
    [check] = check_peers(labels, example_gains(LEVELS), peers=["trec_eval"])
    assert (check.verdict, check.words) == ("not installed", "not on PATH")
