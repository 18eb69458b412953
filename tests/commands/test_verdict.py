"""Which run is better: said once, for the page and for the terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gainsayer as gs
from gainsayer.commands.compare_figures import forest
from gainsayer.commands.compare_tables import group_runs
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


TOPICS = [f"q{topic:02}" for topic in range(16)]
JUDGED = {topic: {"a": 1, "b": 0, "c": 0} for topic in TOPICS}


def hit(*topics: int) -> dict[str, dict[str, float]]:
    """A run that ranks the relevant document first on these topics alone."""
    return {topic: {"a": 2.0, "b": 1.0 + 2 * (place not in topics)} for place, topic in enumerate(TOPICS)}


def test_two_runs_that_score_the_same_are_said_to() -> None:
    """Neither a difference of 0.000 nor an interval of it, and nothing to judge next."""
    found = gs.compare([("x", JUDGED), ("y", JUDGED)], {"a": hit(*range(8)), "b": hit(*range(8))}, "P@1")
    assert found.answer() == [
        "a and b score the same. Both score 0.500, and the same on each of the 16 topics: P@1 cannot choose."
    ]
    assert decide_pair(found.comparison, found.comparison.parts[0]).badge == "The same"
    assert found.table("differences").to_polars()["verdict"].to_list() == ["the same"] * len(found.comparison.parts)
    assert "equal-runs" in {finding.code for finding in found.findings}


def test_runs_equal_on_average_are_not_the_same() -> None:
    """Equal means over different topics leave open which is better."""
    found = gs.compare(JUDGED, {"a": hit(*range(8)), "b": hit(*range(4, 12))}, "P@1")
    assert found.answer()[0].startswith(
        "Which of the two is better is still open. a and b score the same on average, but with other topics"
    )


def test_a_verdict_without_an_interval_says_why() -> None:
    """Where one run is right on every topic and the other on none, no topic differs from another."""
    said = gs.compare(JUDGED, {"most": hit(*range(12)), "none": hit()}, "P@1").answer()[0]
    assert "most scores 0.750 higher than none, but no interval can be given: none scores 0 on every topic" in said


def test_equal_runs_count_as_one() -> None:
    """Those that equal the best one are named; where nobody else may be the best, together they are."""
    runs = {"a": hit(*range(16)), "twin": hit(*range(16)), "poor": hit(1), "bad": hit(2)}
    found = gs.compare(JUDGED, runs, "P@1")
    verdict = decide_runs(found.comparison, found.comparison.parts[0])
    assert verdict.headline() == "a and twin score the same, and are the best of 4 runs."
    assert verdict.reasons()[0].text == "They score 1.000 on these 16 topics, topic by topic."
    assert (verdict.level, verdict.same, verdict.same_pairs, verdict.may_be_best) == (("twin",), ("twin",), 1, 2)
    assert found.comparison.parts[0].two_best == [0, 2]
    assert [finding.message for finding in found.findings if finding.code == "equal-runs"] == [
        "Runs that score the same on every topic: a = twin."
    ]
    near = gs.compare(JUDGED, {**runs, "near": hit(*range(15))}, "P@1").answer()[0]
    assert "a scores highest, 1.000 (as does twin, topic by topic), but on these 16 topics near could be" in near
    same = gs.compare(JUDGED, {name: hit(3, 4) for name in "abc"}, "P@1").answer()[0]
    assert same == (
        "All 3 runs score the same. They score 0.125, and the same on each of these 16 topics: P@1 cannot choose."
    )


def test_equal_runs_are_marked_in_table_and_figure() -> None:
    """A reader of the table alone, or of the figure alone, sees which runs are the same; nobody won by luck there."""
    runs = {"a": hit(*range(8)), "twin": hit(*range(8)), "poor": hit(1)}
    found = gs.compare(JUDGED, runs, "P@1")
    assert "The same on every topic: a = twin." in found.to_text(width=200)
    assert forest(found.comparison, found.comparison.parts[0]).caption.endswith("The same on every topic: a = twin.")
    same = gs.compare(JUDGED, {name: hit(3, 4) for name in "abc"}, "P@1")
    assert "winners-curse" not in {finding.code for finding in same.findings}


def test_runs_equal_to_the_baseline_are_not_called_higher() -> None:
    """A run that scores what the baseline scores is neither highest nor untold: it is the same."""
    runs = {"twin": hit(*range(8)), "old": hit(*range(8)), "poor": hit()}
    found = gs.compare(JUDGED, runs, "P@1", baseline="old")
    assert found.answer()[0] == (
        "No run is shown to be better than old. old scores highest, 0.500; 1 is shown to be worse than the baseline on "
        "these 16 topics. twin scores the same as the baseline."
    )
    assert group_runs(found.comparison, found.comparison.parts[0]) == ["the same", "the baseline", "below the baseline"]
    same = gs.compare(JUDGED, {name: hit(3, 4) for name in "abc"}, "P@1", baseline="b").answer()[0]
    assert same.startswith("All 3 runs score the same.")


def test_nothing_is_said_of_tests_and_columns_that_are_not_there() -> None:
    """Runs that find nothing have no p-value and no per cent; one run has no rank; one topic tells nobody apart."""
    dead = gs.compare(JUDGED, {name: hit() for name in "abc"}, "P@1", baseline="b").to_text(width=200)
    assert "Per cent" not in dead
    assert "P-values" not in dead
    alone = gs.compare(JUDGED, {"a": hit(1, 2, 3)}, "P@1")
    assert "possible ranks" not in alone.to_text(width=200)
    assert re.search(r"over 16 topics; 19 times in 20 it would lie between 0\.\d{3} and 0\.\d{3}\.$", alone.answer()[0])
    one = {"q00": JUDGED["q00"]}
    runs = {"a": hit(0), "b": hit(1), "c": hit(1)}
    said = gs.compare(one, runs, "P@1", topics="common", baseline="b").answer()[0]
    assert said == "a scores highest of 3 runs. It scores 1.000 on 1 topic."


def test_sentence_table_and_tile_count_the_same_runs() -> None:
    """A run that another one beats is not among those that may be the best, wherever they are counted."""
    rng = np.random.default_rng(4)
    runs = {f"run{place}": hit(*rng.permutation(16)[: 13 - place]) for place in range(12)}
    found = gs.compare(JUDGED, runs, "P@1").comparison
    part = found.parts[0]
    verdict = decide_runs(found, part)
    assert part.possibly_best is not None
    assert verdict.may_be_best == len(part.possibly_best) == 1 + len(verdict.level or ())
    assert f"{verdict.may_be_best} of the 12 could be" in verdict.headline()
    assert group_runs(found, part).count("may be best") == verdict.may_be_best
    assert f"{len(verdict.level or ())} others could be the best as well" in verdict.reasons()[0].text
    assert (verdict.lower or 0) + len(verdict.level or ()) == 11


def test_a_verdict_that_rests_on_missing_topics_says_so() -> None:
    """In the headline, not in a warning below; a tenth of the topics may be lacking."""
    few = {topic: hit(0)[topic] for topic in TOPICS[:2]}
    said = gs.compare(JUDGED, {"good": hit(*range(15)), "few": few}, "P@1").answer()[0]
    assert said.startswith("good is better, but few lacks 14 of the 16 topics, which count as 0. good scores 0.875")
    runs = {"good": hit(*range(16)), "few": few, "poor": hit(1), "nothing": {"q00": {"b": 1.0}}}
    found = gs.compare(JUDGED, runs, "P@1").comparison
    headline = decide_runs(found, found.parts[0]).headline()
    assert decide_runs(found, found.parts[0]).reasons()[0].text.startswith("good scores 1.000")
    assert headline.endswith(", but 2 runs lack more than a tenth of the topics, which count as 0.")
    most = {topic: hit()[topic] for topic in TOPICS[:15]}
    assert "lacks" not in gs.compare(JUDGED, {"good": hit(*range(16)), "most": most}, "P@1").answer()[0]


def test_per_cent_are_of_the_baseline() -> None:
    """0.75 against 0.5 is +50 %; the relative difference stays one of the mean of both: 0.25 / 0.625."""
    found = gs.compare(JUDGED, {"new": hit(*range(12)), "old": hit(*range(8))}, "P@1", baseline="old")
    row = found.table("differences").to_polars().to_dicts()[0]
    assert row["percent_difference"] == pytest.approx(50)
    assert row["relative_difference"] == pytest.approx(0.4)
    low, high = row["relative_lower"], row["relative_upper"]
    assert row["percent_lower"] == pytest.approx(100 * low / (1 - low / 2))
    assert row["percent_upper"] == pytest.approx(100 * high / (1 - high / 2))
    every = {"new": hit(*range(12)), "old": hit(*range(8)), "other": hit(2)}
    text = gs.compare(JUDGED, every, "P@1", baseline="old").to_text(width=200)
    assert "Per cent of the baseline's score." in text
    assert "95 % for the baseline's pairs" in text
    assert "adjusted for the baseline's pairs" in text


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
