"""Which run is better: said once, for the page and for the terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import gainsayer as gs
from gainsayer.commands.verdict import answer_comparison, pair_facts
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
    said, *_ = answer_comparison(found)
    verdict = gs.report(judged, [str(tmp_path / "c" / "runs")], "nDCG@10", **asked).content.verdict
    assert said.startswith(verdict.headline)
    assert verdict.lead[0].text in said
    assert str(found.comparison.runs[0])[:3] in said


def test_each_measure_has_an_answer_of_its_own() -> None:
    """With several measures each answer begins with the measure it is by; with one, the table names it."""
    truth = {f"q{t}": {"a": 1, "b": int(t > 6), "c": 0} for t in range(12)}
    runs = {"good": {t: {"a": 2.0, "b": 1.0} for t in truth}, "poor": {t: {"b": 2.0, "c": 1.0} for t in truth}}
    said = answer_comparison(gs.compare(truth, runs, ["P@1", "RR"]))
    assert [one.partition(":")[0] for one in said] == ["P@1", "RR"]
    assert answer_comparison(gs.compare(truth, runs, "P@1"))[0].startswith("good is better.")


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
    assert answer_comparison(bare) == answer_comparison(found)
    assert bare.to_json() == found.to_json()
    assert bare.to_markdown() == found.to_markdown()
    facts = [pair_facts(one.comparison, one.comparison.parts[0]) for one in (found, bare) if runs == 2]
    if facts:
        assert {key: facts[0][key] for key in facts[1]} == pytest.approx(facts[1], nan_ok=True)
        assert "won" not in facts[1]
