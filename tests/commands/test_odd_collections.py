"""What is said of odd collections contradicts no number, no other sentence, and can be followed when pasted."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from itertools import pairwise
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


def page(first: Labels, second: Labels, runs: dict[str, dict[str, dict[str, float]]], **more: object) -> str:
    """The text of a report, without its marks."""
    html = gs.report([("first", first), ("second", second)], runs, threshold=2, **more).to_html()  # type: ignore[arg-type]
    html = re.sub(r"<(style|script).*?</\1>", "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def rank(labels: Labels, noise: float, seed: int) -> dict[str, dict[str, float]]:
    """A run that follows labels, with errors."""
    rng = np.random.default_rng(seed)
    return {
        topic: {document: level + float(rng.normal(0, noise)) for document, level in found.items()}
        for topic, found in labels.items()
    }


def test_a_report_on_one_topic_has_no_lines_brackets_or_tests() -> None:
    """Captions speak of what is drawn, and "Not at all" of both other kinds of grades."""
    first, second = grade(1, topics=1, documents=60), grade(2, topics=1, documents=60)
    text = page(first, second, {f"run{n}": rank(first, n + 0.5, n) for n in range(3)})
    for words in ("where it would lie with", "The bracket holds", "interval in brackets", "two lines may overlap"):
        assert words not in text
    moved = re.search(r"Would other grades change the order of runs\? (.*?)\. An order", text)
    assert moved is not None
    assert moved[1].startswith("Not at all") == ("no two runs change places" in moved[1] and "none do" in moved[1])


def test_a_report_on_runs_that_are_the_same_asks_nothing_of_their_differences() -> None:
    """No distance "about 0.000", no "2 of the 2 others could be the best"."""
    first = grade(1)
    runs = {name: rank(first, 0, 1) for name in "abc"}
    text = page(first, grade(2), runs)
    assert "None of them: all 3 runs score the same." in text
    assert "How large must a difference be to show?" not in text
    assert "of the 2 others" not in text


def test_a_report_does_not_count_what_is_not_there() -> None:
    """Where no document of a run was judged, no user finds 0.0 documents, 100 of 100."""
    first = grade(1)
    runs = {name: {topic: {f"x{n}": 9.0 - n for n in range(9)} for topic in first} for name in "ab"}
    assert "What does one user get" not in page(first, grade(2), runs)


def test_steps_between_grades_are_those_of_the_numbers_shown() -> None:
    """79 and 60 are 19 apart, here as in the headline."""
    first, second = grade(1, topics=30), grade(2, topics=30)
    text = page(first, second, {f"run{n}": rank(first, n + 0.5, n) for n in range(3)})
    shown = re.search(r"Of 100 users, (\d+) find a document relevant that was graded 3, (\d+) graded 2, (\d+)", text)
    assert shown is not None
    for (high, low), (grade_high, grade_low) in zip(pairwise(shown.groups()), (("3", "2"), ("2", "1")), strict=True):
        gap = re.search(rf"{grade_high} is worth (\d+) more users of 100 than {grade_low}", text)
        assert gap is not None
        assert int(gap[1]) == int(high) - int(low)


def test_topics_that_differ_by_chance_are_not_said_to_differ() -> None:
    """A dozen second opinions a topic lie far apart by themselves; one share for all of them is not "much"."""
    found = page(grade(1), grade(2), {f"run{n}": rank(grade(1), n + 0.5, n) for n in range(3)})
    assert "Do topics differ in what a grade is worth? Much" not in found
    first, second = grade(1, documents=40), grade(2, documents=40)
    strict = {t: {d: level if int(t[1:]) % 2 else 0 for d, level in own.items()} for t, own in second.items()}
    found = page(first, strict, {f"run{n}": rank(first, n + 0.5, n) for n in range(3)})
    assert "Do topics differ in what a grade is worth? Much" in found


def test_a_page_on_a_machine_has_its_answers_under_their_questions() -> None:
    """No "Not known" of nobody knows what, and nothing about users where a machine gave the second grades."""
    first, second = grade(1, topics=30), grade(2, topics=30)
    runs = {f"run{n}": rank(first, n + 0.5, n) for n in range(3)}
    text = page(first, second, runs, machine="second")
    assert "second as a judge. Worth: " in text
    assert text.index("Worth: ") < text.index("Order: ") < text.index("Favour: ")
    assert "What does one user get" not in text


def test_grades_that_nobody_finds_relevant_have_no_step() -> None:
    """Two grades with no relevant second opinion: their step is not known to be nothing."""
    first, second = grade(1, top=6, documents=40), grade(2, top=6, documents=40)
    runs = {f"run{n}": rank(first, n + 0.5, n) for n in range(3)}
    html = gs.report([("first", first), ("second", second)], runs, threshold=6).to_html()
    assert "from none to none" not in html
    assert "is not shown: nobody found either relevant." in html
