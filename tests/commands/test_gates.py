"""The gate: whom it stops, with which probability, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from scipy import stats

import gainsayer as gs
from gainsayer.errors import CallError, DataError

TOPICS = 30


def collection(loss: float, seed: int = 5) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Thirty topics with ten relevant documents; each run puts relevant ones at a place with its own probability."""
    random = np.random.default_rng(seed)
    truth = {f"q{t:02}": {f"d{n}": int(n < 10) for n in range(40)} for t in range(TOPICS)}
    runs: dict[str, dict[str, dict[str, float]]] = {"prod": {}, "new": {}}
    for topic in truth:
        for name, share in (("prod", 0.6), ("new", 0.6 - loss)):
            good, poor = random.permutation(10).tolist(), (10 + random.permutation(30)).tolist()
            places = [f"d{good.pop() if good and random.random() < share else poor.pop()}" for _ in range(10)]
            runs[name][topic] = {document: 10.0 - place for place, document in enumerate(places)}
    return truth, runs


def scores(truth: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> np.ndarray:
    """P@10 by topic, counted by hand."""
    return np.array([sum(truth[topic][document] for document in run[topic]) / 10 for topic in sorted(truth)])


@pytest.mark.parametrize("loss", [0.15, 0.03, 0.0, -0.1])
def test_the_probability_is_that_of_a_one_sided_t_test(loss: float) -> None:
    """With given gains and no margin it is near the paired t-test's one-sided confidence, from SciPy."""
    truth, runs = collection(loss)
    [gate] = gs.compare(truth, runs, "P@10", baseline="prod").gates(0.9)
    expected = stats.ttest_rel(scores(truth, runs["new"]), scores(truth, runs["prod"]), alternative="less").pvalue
    assert gate.confidence == pytest.approx(1 - expected, abs=0.02)  # ours is of the relative difference
    assert gate.difference == pytest.approx((scores(truth, runs["new"]) - scores(truth, runs["prod"])).mean())


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.1, 0.2])
def test_with_a_margin_it_is_the_loss_beyond_it(margin: float) -> None:
    """The same with the margin added to every difference."""
    truth, runs = collection(0.15)
    [gate] = gs.compare(truth, runs, "P@10", baseline="prod", margin=margin).gates(0.9)
    shifted = scores(truth, runs["new"]) + margin
    expected = stats.ttest_rel(shifted, scores(truth, runs["prod"]), alternative="less").pvalue
    assert gate.confidence == pytest.approx(1 - expected, abs=0.03)


def test_a_margin_next_to_nothing_changes_nothing() -> None:
    """The probability with a margin goes over into the one without."""
    truth, runs = collection(0.05)
    plain, small = (
        gs.compare(truth, runs, "P@10", baseline="prod", margin=margin).gates()[0] for margin in (None, 1e-9)
    )
    assert small.confidence == pytest.approx(plain.confidence, abs=1e-6)


def test_the_gate_and_the_interval_agree() -> None:
    """At a limit of 0.975 a run is stopped exactly where the 95 % interval of its difference lies below -margin."""
    truth, runs = collection(0.15)
    for margin in (0.02, 0.05, 0.08, 0.11, 0.14):
        table = gs.compare(truth, runs, "P@10", baseline="prod", margin=margin)
        [gate] = table.gates(0.975)
        found = table.comparison.parts[0].differences
        assert found is not None
        assert gate.shut == bool(found.interval[0, 1] < -margin)


def test_the_worst_measure_speaks_and_every_run_is_named() -> None:
    """One gate per run but the baseline; several measures make one sentence."""
    truth, runs = collection(0.15)
    gates = gs.compare(truth, {**runs, "twin": runs["prod"]}, ["P@10", "P@1"], baseline="prod").gates(0.9)
    assert [(gate.run, gate.shut) for gate in gates] == [("new", True), ("twin", False)]
    alone = [gs.compare(truth, runs, name, baseline="prod").gates()[0].confidence for name in ("P@10", "P@1")]
    assert gates[0].confidence == pytest.approx(max(alone))


def test_calls_that_cannot_be_a_gate() -> None:
    """No baseline, a limit that is none, and a single topic."""
    truth, runs = collection(0.1)
    with pytest.raises(CallError, match=r"name that run with baseline=\.\.\."):
        gs.compare(truth, runs, "P@10").gates()
    with pytest.raises(CallError, match=r"from 0\.5 to below 1, such as 0\.9; found 90"):
        gs.compare(truth, runs, "P@10", baseline="prod").gates(90)
    one = {"q00": truth["q00"]}
    few = {name: {"q00": run["q00"]} for name, run in runs.items()}
    with pytest.raises(DataError, match="two topics at least"):
        gs.compare(one, few, "P@10", baseline="prod").gates()


def save(folder: Path, loss: float) -> list[str | Path]:
    """The collection as files."""
    truth, runs = collection(loss)
    rows = [f"{topic} 0 {document} {level}" for topic, table in truth.items() for document, level in table.items()]
    (folder / "a.qrels").write_text("\n".join(rows) + "\n")
    for name, run in runs.items():
        lines = [f"{t} Q0 {d} 1 {score} {name}" for t, table in run.items() for d, score in table.items()]
        (folder / f"{name}.run").write_text("\n".join(lines) + "\n")
    files = ["--judgments", folder / "a.qrels", "--runs", folder / "prod.run", folder / "new.run"]
    return [*files, "-m", "P@10", "--baseline", "prod"]


def test_exit_code_three_and_one_sentence(tmp_path: Path, run: Callable[..., Result]) -> None:
    """A run that is probably worse ends the command with 3; output as ever, the sentence on standard error."""
    asked = save(tmp_path, 0.15)
    plain = run("compare", *asked, "--format", "json")
    shut = run("compare", *asked, "--format", "json", "--fail-if-worse", "0.9")
    assert (plain.exit_code, shut.exit_code) == (0, 3)
    assert shut.stdout == plain.stdout
    [said] = [line for line in shut.stderr.splitlines() if line.startswith("new is stopped")]
    assert said.startswith("new is stopped: worse than prod at over 99.99 %")
    wide = run("compare", *asked, "--fail-if-worse", "0.9", "--margin", "0.5")
    assert wide.exit_code == 0
    assert "new passes: worse than prod by more than 0.5 at under 0.01 % confidence" in wide.stderr


def test_a_gate_that_opens_says_so_unless_quiet(tmp_path: Path, run: Callable[..., Result]) -> None:
    """A better run passes with exit code 0; --quiet keeps silent about those that pass, not about those that do not."""
    asked = save(tmp_path, -0.1)
    passed = run("compare", *asked, "--fail-if-worse", "0.9")
    assert passed.exit_code == 0
    assert "new passes" in passed.stderr
    assert run("compare", *asked, "--fail-if-worse", "0.9", "--quiet").stderr == ""
    stopped = run("compare", *save(tmp_path, 0.2), "--fail-if-worse", "0.9", "--quiet")
    assert stopped.exit_code == 3
    assert stopped.stderr.startswith("new is stopped")


def test_a_gate_without_a_baseline_is_a_faulty_call(tmp_path: Path, run: Callable[..., Result]) -> None:
    """Exit code 2, before anything is computed, in the words of the command line."""
    asked = save(tmp_path, 0.1)[:-2]
    result = run("compare", *asked, "--fail-if-worse", "0.9")
    assert result.exit_code == 2
    assert "name that run with --baseline" in result.stderr


def test_a_gate_does_not_decide_by_topics_that_a_run_lacks(run: Callable[..., Result], tmp_path: Path) -> None:
    """A run with few of the topics neither passes nor is stopped, unless somebody says what missing topics count."""
    truth, runs = collection(0.15)
    few = {**runs, "new": {topic: runs["new"][topic] for topic in list(truth)[:5]}}
    with pytest.raises(DataError, match="new lacks 25 of 30 topics, which count as 0"):
        gs.compare(truth, few, "P@10", baseline="prod").gates()
    [gate] = gs.compare(truth, few, "P@10", baseline="prod").gates(missing_as_zero=True)
    assert gate.shut
    gs.compare(truth, few, "P@10", baseline="prod", topics="common").gates()
    rows = [f"{topic} 0 {document} {level}\n" for topic, found in truth.items() for document, level in found.items()]
    (tmp_path / "a.qrels").write_text("".join(rows))
    for name, ranked in few.items():
        lines = [f"{t} Q0 {d} 1 {s} {name}\n" for t, found in ranked.items() for d, s in found.items()]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    call = ("compare", tmp_path / "a.qrels", "--runs", tmp_path / "new.run", tmp_path / "prod.run", "-m", "P@10")
    call = (*call, "--baseline", "prod", "--fail-if-worse", "0.9", "--quiet")
    assert run(*call).exit_code == 1
    assert run(*call, "--topics", "all").exit_code == 3
    assert run(*call, "--topics", "common").exit_code in (0, 3)
