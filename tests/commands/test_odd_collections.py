"""What is said of odd collections contradicts no number, no other sentence, and can be followed when pasted."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.errors import CallError, GainsayerError

Labels = dict[str, dict[str, int]]


def grade(seed: int, *, topics: int = 12, documents: int = 20, top: int = 3, lowest: int = 0) -> Labels:
    """Grades of one assessor that follow the documents' numbers, with errors."""
    rng = np.random.default_rng(seed)
    return {
        f"q{topic:02}": {
            f"d{n}": int(np.clip(round((n % (top + 1)) + rng.normal(0, 0.7)), lowest, top)) for n in range(documents)
        }
        for topic in range(topics)
    }


def write_qrels(folder: Path, name: str, labels: Labels) -> str:
    """A qrels file."""
    rows = [f"{topic} 0 {document} {level}" for topic, found in labels.items() for document, level in found.items()]
    (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(folder / name)


def messages(result: gs.Result, code: str) -> list[str]:
    """What is said under a code."""
    return [finding.message for finding in result.findings if finding.code == code]


def test_an_example_of_a_gain_is_one_that_makes_sense(tmp_path: Path, run: Callable[..., Result]) -> None:
    """Documents of the lowest level are worth nothing unless somebody knows better; the advice runs when pasted."""
    first = grade(1)
    second = {
        topic: {document: level for document, level in grade(2)[topic].items() if first[topic][document] > 0}
        for topic in first
    }
    files = [write_qrels(tmp_path, "a.qrels", first), write_qrels(tmp_path, "b.qrels", second)]
    runs = tmp_path / "x.run"
    runs.write_text("".join(f"{topic} Q0 d{n} {n + 1} {9 - n} x\n" for topic in first for n in range(9)))
    refused = run("score", *files, "--runs", str(runs), "--threshold", "1")
    assert refused.exit_code == 1
    advice = re.search(r"such as (--gain .*)", refused.stderr)
    assert advice is not None
    assert advice[1].strip() == "--gain 0=0"
    assert run("score", *files, "--runs", str(runs), "--threshold", "1", *advice[1].split()).exit_code == 0
    top = {topic: dict.fromkeys(found, 3) for topic, found in first.items()}
    with pytest.raises(GainsayerError, match=r"level '0', '1' or '2', so their gains are not known\. Judge some such"):
        gs.score([("a", top), ("b", top)], {topic: {"d1": 1.0} for topic in top}, levels="0,1,2,3", threshold=2)
    [said] = messages(gs.fit(("a", top), ("b", top), levels="0,1,2,3", threshold=2), "empty-level")
    assert said.startswith("No pair has level '0', '1' or '2', so p(R|i) of these cannot be estimated.")


def test_levels_to_name_hold_the_one_that_was_found() -> None:
    """Everybody said 3: levels 0 and 1 alone would refuse it."""
    same = {"q1": {"a": 3, "b": 3}, "q2": {"a": 3}}
    with pytest.raises(GainsayerError, match="also those nobody used, such as levels='0,1,2,3'"):
        gs.agree(("x", same), ("y", same))
    none = {"q1": {"a": 0, "b": 0}, "q2": {"a": 0}}
    with pytest.raises(GainsayerError, match="such as levels='0,1'"):
        gs.agree(("x", none), ("y", none))


def test_a_tiny_p_value_is_not_0() -> None:
    """A chi-square of hundreds has no p = 0, and nobody needs 6.8e-49."""
    first = grade(1, topics=40, documents=40)
    second = {
        topic: {name: level for name, level in grade(2, topics=40, documents=40)[topic].items() if first[topic][name]}
        for topic in first
    }
    [said] = messages(gs.agree(("a", first), ("b", second)), "biased-second-sample")
    assert "p < 0.0001)" in said


def test_a_finding_of_a_stratum_names_it() -> None:
    """Six topics of one stratum are not six topics of the collection."""
    strata = {f"q{topic:02}": "nav" if topic < 6 else "inf" for topic in range(20)}
    rows: dict[str, list[object]] = {"topic": [], "document": [], "assessor": [], "level": [], "stratum": []}
    for name, seed in (("a", 1), ("b", 2)):
        for topic, found in grade(seed, topics=20).items():
            for document, level in found.items():
                for key, value in zip(rows, (topic, document, name, level, strata[topic]), strict=True):
                    rows[key].append(value)
    runs = {"x": {topic: {f"d{n}": 9.0 - n for n in range(9)} for topic in strata}}
    for found in (
        gs.fit(pl.DataFrame(rows), first="a", second="b", threshold=2),
        gs.compare(pl.DataFrame(rows), runs, first="a", second="b", threshold=2),
    ):
        assert any(
            said.startswith("Stratum nav: Errors over topics rest on 6") for said in messages(found, "few-topics")
        )
        assert all(said.startswith("Stratum nav: ") for said in messages(found, "few-topics"))


def test_sparse_panels_are_told_which_coefficients_are_too_low() -> None:
    """With one or two documents a pair of people, kappa pooled over pairs is far below alpha, and it is said."""
    rng = np.random.default_rng(3)
    truth = grade(1, topics=30)
    by_person: dict[str, Labels] = {f"w{n}": {} for n in range(40)}
    for topic, found in truth.items():
        for document, level in found.items():
            for person in rng.choice(40, 2, replace=False).tolist():
                noisy = int(np.clip(round(level + rng.normal(0, 0.6)), 0, 3))
                by_person[f"w{person}"].setdefault(topic, {})[document] = noisy
    panel = gs.agree(by_person)
    values = panel.agreement.coefficients
    assert values["cohen_kappa"].value < values["krippendorff_alpha_nominal"].value - 0.1
    assert len(messages(panel, "sparse-pairs")) == 1
    pair = gs.agree(("a", grade(1)), ("b", grade(2)))
    assert not messages(pair, "sparse-pairs")


def test_notes_of_coefficients_are_said_once() -> None:
    """Where only one level was used seven coefficients are undefined, for one reason."""
    same = {f"q{topic}": {"a": 3, "b": 3} for topic in range(5)}
    text = gs.agree(("x", same), ("y", same), levels="0,1,2,3").to_text(width=80)
    assert text.count("only one level was used") == 1
    one = gs.agree(("a", grade(1, topics=1)), ("b", grade(2, topics=1))).to_text(width=80)
    assert "with intervals over topics" not in one
    assert one.count("All pairs come from one topic, so there is no interval over topics.") == 1


def test_levels_named_and_merged_by_order_need_no_warning() -> None:
    """Four names, four codes from 0: nothing was guessed, though one level is merged into another."""
    fit = gs.fit(("a", grade(1)), ("b", grade(2)), levels="Non,Rel,HRel,Key", merges={"HRel": "Key"})
    assert not messages(fit, "levels-by-order")
    odd = {topic: {name: 2 * level + 1 for name, level in found.items()} for topic, found in grade(1).items()}
    [said] = messages(
        gs.fit(("a", odd), ("b", odd), levels="Non,Rel,HRel,Key", merges={"HRel": "Key"}), "levels-by-order"
    )
    assert said.endswith("Non=1, Rel=3, Key=7, Key=5.")


def test_a_plan_says_what_there_is() -> None:
    """None is not "Only 0"; no list of documents to judge where nothing is left; runs ask for an aim."""
    first = grade(1)
    plan = gs.plan(("a", first), ("b", first), threshold=1, budget=30)
    [said] = messages(plan, "too-few-seen")[:1]
    assert "Only 0" not in said
    assert "None of " in said
    assert "Documents to judge a second time" not in plan.to_text(width=100)
    runs = {"x": {topic: {"d1": 1.0} for topic in first}}
    with pytest.raises(CallError, match="With runs, say what the plan is for: purpose='score' or 'difference'"):
        gs.plan(("a", first), ("b", grade(2)), runs=runs, threshold=1, within=0.1)
    most = {topic: dict(list(found.items())[: 20 - (topic == "q00")]) for topic, found in grade(2).items()}
    text = gs.plan(("a", first), ("b", most), threshold=2, budget=30).to_text(width=200)
    assert "That is what it is now: what is left to judge hardly helps." in text


def test_runs_of_which_nothing_is_judged_are_asked_how_documents_are_written() -> None:
    """All scores 0 are more often a matter of names than of runs."""
    runs = {name: {topic: {f"x{n}": 9.0 - n for n in range(9)} for topic in grade(1)} for name in "ab"}
    [said] = messages(gs.score(grade(1), runs, "nDCG@5"), "unjudged-documents")
    assert said.endswith("Where nothing is judged: are documents written alike in runs and judgments?")
