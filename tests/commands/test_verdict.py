"""Which run is better: said once, for the page and for the terminal."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

import gainsayer as gs
from gainsayer.commands.verdict import decide_pair, decide_runs
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection


@pytest.mark.parametrize("runs", [1, 2, 4])
@pytest.mark.parametrize("more", [{}, {"margin": 0.05}], ids=["", "margin"])
def test_the_terminal_says_what_the_page_says(tmp_path: Path, runs: int, more: dict[str, float]) -> None:
    """Headline and lead of the report's first screen stand word for word before the tables of `compare`."""
    qualities = {f"run{place}": 0.9 - 0.15 * place for place in range(runs)}
    made = simulate_collection(LatentModel(), topics=16, documents=20, runs=RunDesign(qualities=qualities), seed=3)
    write_collection(made, tmp_path / "c")
    judged = [str(tmp_path / "c" / f"{side}.qrels") for side in ("first", "second")]
    asked = {"threshold": 2, "resamples": 50, "permutations": 200, **more}
    found = gs.compare(judged, [str(tmp_path / "c" / "runs")], "nDCG@10", **asked)
    said, *_ = found.answer()
    verdict = gs.report(judged, [str(tmp_path / "c" / "runs")], "nDCG@10", **asked).content.verdict
    assert said.startswith(verdict.headline)
    assert verdict.lead[0].text in said
    assert str(found.comparison.runs[0])[:3] in said


def test_each_measure_has_an_answer_of_its_own() -> None:
    """With several measures each answer begins with the measure it is by; with one, the table names it."""
    truth = {f"q{t}": {"a": 1, "b": int(t > 6), "c": 0} for t in range(12)}
    runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in truth}, "poor": {t: {"b": 2.0, "c": 1.0} for t in truth}}
    said = gs.compare(truth, runs, ["P@1", "RR"]).answer()
    assert [one.partition(":")[0] for one in said] == ["P@1", "RR"]
    assert gs.compare(truth, runs, "P@1").answer()[0].startswith("good is better.")


@pytest.mark.parametrize("runs", [2, 3])
def test_nothing_of_a_comparison_needs_the_scores_of_topics(tmp_path: Path, runs: int) -> None:
    """Without them, as where topics were summed up elsewhere, answer, tables, advice and JSON are the same."""
    qualities = {f"run{place}": 0.9 - 0.15 * place for place in range(runs)}
    made = simulate_collection(LatentModel(), topics=16, documents=20, runs=RunDesign(qualities=qualities), seed=3)
    write_collection(made, tmp_path / "c")
    judged = [str(tmp_path / "c" / f"{side}.qrels") for side in ("first", "second")]
    found = gs.compare(judged, [str(tmp_path / "c" / "runs")], "nDCG@10", threshold=2, resamples=50, permutations=200)
    whole = found.comparison
    parts = tuple(replace(part, values=None) for part in whole.parts)
    bare = replace(found, comparison=replace(whole, parts=parts, scores=replace(whole.scores, values={})))
    assert bare.answer() == found.answer()
    assert bare.to_json() == found.to_json()
    assert bare.to_markdown() == found.to_markdown()
    if runs == 2:
        known, unknown = (asdict(decide_pair(one.comparison, one.comparison.parts[0])) for one in (found, bare))
        topics = {"won", "lost", "same", "clearest_win", "clearest_loss", "without_clearest_win"}
        assert {name for name, value in unknown.items() if value is None} - set(known) == set()
        assert all(unknown[name] is None and known[name] is not None for name in topics)
        assert {name: unknown[name] for name in known if name not in topics} == {
            name: pytest.approx(value) if isinstance(value, float) else value
            for name, value in known.items()
            if name not in topics
        }


def test_with_a_baseline_nobody_is_called_the_others() -> None:
    """Who is worse than the baseline, and who cannot be told apart from it, are counted where there are such."""
    truth = {f"q{t}": {"a": 1, "b": int(t > 8), "c": 0} for t in range(12)}
    runs = {
        "good": {t: {"a": 2.0, "b": 1.0} for t in truth},
        "poor": {t: {"b": 2.0, "c": 1.0} for t in truth},
        "bad": {t: {"b": 2.0 + (t > "q7"), "c": 1.0} for t in truth},
    }
    found = gs.compare(truth, runs, "P@1", baseline="good").comparison
    verdict = decide_runs(found, found.part())
    assert (verdict.above_baseline, verdict.below_baseline, verdict.level) == (0, 2, ())
    [said] = verdict.reasons()
    assert said.text == "good scores highest, 1.000; 2 are shown to be worse than the baseline on these 12 topics."
    near = replace(verdict, below_baseline=1, level=("bad",))
    assert "1 is shown to be worse than the baseline, and 1 run cannot be told apart from it" in near.reasons()[0].text


def test_the_topics_needed_are_those_of_the_confidence_asked_for() -> None:
    """A test at 1 % needs more topics than one at 5 %."""
    truth = {f"q{t}": {"a": 1, "b": int(t > 6), "c": 0} for t in range(12)}
    runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in truth}, "poor": {t: {"b": 2.0, "c": 1.0} for t in truth}}
    needed = []
    for confidence in (0.95, 0.99):
        found = gs.compare(truth, runs, "P@1", confidence=confidence).comparison
        needed.append(dict(decide_pair(found, found.part()).topics_needed)[0.05])
    assert needed[0] is not None
    assert needed[1] is not None
    assert needed[1] > needed[0]
