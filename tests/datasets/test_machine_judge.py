"""A simulated machine: generous, with a taste that some runs share, asked once or several times."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.datasets import MachineJudge, RunDesign, draw_grades, draw_runs
from gainsayer.errors import CallError


def flattery(**options: object) -> gs.datasets.SimulatedCollection:
    """Forty topics, eight equally good runs, a machine with a taste that every other run shares."""
    asked = {"topics": 40, "documents": 60, "runs": [0.7] * 8, "unjudged": 0.0, "machine": "gpt", "seed": 3}
    return gs.simulate(**(asked | options))  # type: ignore[arg-type]


def test_people_and_other_runs_stay_as_they_are() -> None:
    """A machine changes neither people's labels nor the runs that do not share its taste."""
    plain, beside = flattery(machine=None), flattery(reranker="self")
    assert beside.judgments.frame().equals(plain.judgments.frame())
    assert [name for name in plain.runs if beside.runs[name].equals(plain.runs[name])] == [
        *("run02", "run04", "run06", "run08")
    ]
    assert list(beside.runs) == [*plain.runs, "self"]


def test_a_shared_taste_leaves_the_quality_of_a_run() -> None:
    """A run that shares the taste correlates with quality as asked for, and with the style as its share says."""
    import polars as pl

    rng = np.random.default_rng(1)
    signal, style = rng.standard_normal((2, 200, 100))
    names = pl.Series([f"q{t:03}" for t in range(200)])
    ids = pl.Series([f"q{t:03}-d{d:03}" for t in range(200) for d in range(100)])
    design = RunDesign({"a": 0.6, "b": 0.6})
    runs = draw_runs(design, signal, names, ids, np.random.SeedSequence(2), style=style, tastes={"a": 0.8})
    for name, liked in (("a", 0.8 * np.sqrt(1 - 0.36)), ("b", 0.0)):
        score = runs[name].sort("document")["score"].to_numpy()
        found = [np.corrcoef(score, part.ravel())[0, 1] for part in (signal, style)]
        assert found == pytest.approx([0.6, liked], abs=0.02)


def test_generosity_and_calls() -> None:
    """Without generosity grades have people's shares; with it more are high; calls differ by their noise."""
    rng = np.random.default_rng(4)
    signal, shares = rng.standard_normal((100, 200)), np.array([0.5, 0.3, 0.2])
    _, fair = draw_grades(MachineJudge(generosity=0, calls=3), signal, shares, rng)
    assert np.bincount(fair.ravel()) / fair.size == pytest.approx(shares, abs=0.01)
    _, kind = draw_grades(MachineJudge(generosity=1), signal, shares, rng)
    assert (kind == 2).mean() > 0.35
    assert 0.02 < (fair[0] != fair[1]).mean() < 0.35
    _, same = draw_grades(MachineJudge(call_noise=0, calls=2), signal, shares, rng)
    assert (same[0] == same[1]).all()


def test_the_check_finds_what_was_put_in() -> None:
    """Runs that share the taste are overrated, others are not, and the re-ranking run ranks as the judge does."""
    world = flattery()
    assert world.machine is not None
    table = gs.machine.check(
        world.machine, dict(world.runs), people=world.judgments.rows(world.judgments.assessor == 0), threshold="Rel"
    )
    verdict = table.verdict
    assert verdict.machine is not None
    assert verdict.people is not None
    above = verdict.machine - verdict.people
    assert above[::2].min() > above[1::2].max()
    circular = flattery(reranker="self", calls=3)
    assert circular.machine is not None
    found = gs.machine.check(circular.machine, dict(circular.runs))
    assert found.verdict.own[-1] > 0.95
    assert found.verdict.own[:-1].max() < 0.9


def test_a_machine_without_a_taste_favours_nobody() -> None:
    """With no taste and no generosity no run is flagged."""
    world = flattery(taste=0.0, generosity=0.0)
    assert world.machine is not None
    table = gs.machine.check(
        world.machine, dict(world.runs), people=world.judgments.rows(world.judgments.assessor == 0), threshold="Rel"
    )
    assert not table.verdict.favour.flagged


def test_files_have_a_line_per_call(run: Callable[..., Result], tmp_path: Path) -> None:
    """The command writes the machine's grades as qrels with a line per call, which `machine score` reads as calls."""
    folder = tmp_path / "twin"
    done = run(
        *("simulate", "-o", folder, "--topics", "6", "--documents", "10", "--runs", "3", "--machine", "gpt"),
        *("--calls", "2", "--reranker", "self", "--tasteful", "run02", "--quiet"),
    )
    assert done.exit_code == 0, done.output
    assert len((folder / "gpt.qrels").read_text().splitlines()) == 6 * 10 * 2
    assert (folder / "runs" / "self.run").exists()
    score = run("machine", "score", "--machine", folder / "gpt.qrels", "--runs", folder / "runs", "-m", "P@5")
    assert score.exit_code == 0, score.output
    assert gs.simulate(topics=6, documents=10, runs=3, machine="gpt", calls=2).options["machine"]["calls"] == 2


def test_a_machine_must_be_named_and_runs_must_be_there(run: Callable[..., Result], tmp_path: Path) -> None:
    """A re-ranking run without a machine, an unknown run, and a name that is taken are refused in words."""
    done = run("simulate", "-o", tmp_path / "twin", "--reranker", "self")
    assert done.exit_code == 2
    assert "needs the machine: name it, --machine gpt" in done.stderr
    with pytest.raises(CallError, match="There is no run 'x' to share"):
        flattery(tasteful=["x"])
    with pytest.raises(CallError, match="called 'run01' already"):
        flattery(reranker="run01")
    with pytest.raises(CallError, match="Assessor names must differ"):
        gs.datasets.write_collection(flattery(machine="first"), tmp_path / "other")
