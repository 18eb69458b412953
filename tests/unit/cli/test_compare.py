"""`gainsayer compare`: the run table from files, in every form, and clear words where the data cannot carry it."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from scipy.stats import kendalltau

import gainsayer as gs

Command = Callable[..., Result]
FEW = ("--resamples", "100", "--permutations", "200")


@pytest.fixture(scope="module")
def folder(simulated_files: Callable[..., Path]) -> Path:
    """A simulated collection: 20 topics, 12 judged twice, four runs, two strata."""
    return simulated_files(topics=20, documents=60, qualities={"best": 0.95, "good": 0.8, "fair": 0.5, "poor": 0.1})


def _call(run: Command, folder: Path, *more: str | Path) -> Result:
    files = ("--judgments", folder / "first.qrels", folder / "second.qrels", "--runs", folder / "runs")
    return run("compare", *files, *FEW, *more)


def _json(run: Command, folder: Path, *more: str | Path) -> Any:
    done = _call(run, folder, "--format", "json", *more)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_json_has_the_promised_shape(run: Command, folder: Path) -> None:
    """Runs with scores, rankings and differences, under their stable keys; PRM beside binary by default."""
    found = _json(run, folder, "--threshold", "2")
    runs = found["runs"]
    assert [entry["run"] for entry in runs] == ["best", "fair", "good", "poor"]
    first = runs[0]["scores"][0]
    assert {"measure", "gains", "value", "interval", "rank", "rank_interval"} <= set(first)
    assert [score["gains"] for score in runs[0]["scores"]] == ["prm", "binary"]
    assert first["interval"][0] < first["value"] < first["interval"][1]
    (ranking,) = found["rankings"]
    assert {"a", "b", "measure", "tau_b", "tau_ap", "ties"} <= set(ranking)
    assert (ranking["a"], ranking["b"]) == ("prm", "binary")
    differences = found["differences"]
    assert len(differences) == 2 * 6
    keys = {"a", "b", "measure", "gains", "difference", "interval", "p", "p_adjusted", "test", "verdict"}
    keys |= {"simultaneous_interval", "relative_difference", "relative_interval"}
    assert keys <= set(differences[0])
    assert [(entry["measure"], entry["gains"]) for entry in found["possibly_best"]] == [
        ("nDCG@10", "prm"),
        ("nDCG@10", "binary"),
    ]
    assert "best" in found["possibly_best"][0]["runs"]
    assert found["seed"] == 0
    assert found["provenance"]["seed"] == 0
    assert len(found["provenance"]["files"]) == 2 + 4


def test_values_are_those_of_score(run: Command, folder: Path) -> None:
    """The means and their errors are what `score` prints for the same files."""
    compared = _json(run, folder, "--threshold", "1", "-m", "nDCG@10", "-m", "AP")
    files = ("--judgments", folder / "first.qrels", folder / "second.qrels", "--runs", folder / "runs")
    options = ("--threshold", "1", "--gains", "prm,binary", "-m", "nDCG@10", "-m", "AP", "--format", "json")
    scored = json.loads(run("score", *files, *options).stdout)
    expected = {
        (row["run"], row["measure"], row["gains"]): (row["value"], row["standard_error"]) for row in scored["rows"]
    }
    for entry in compared["runs"]:
        for score in entry["scores"]:
            key = (entry["run"], score["measure"], score["gains"])
            assert (score["value"], score["standard_error"]) == pytest.approx(expected[key], rel=1e-12)


def test_tau_is_scipys(run: Command, folder: Path) -> None:
    """Tau-b between two kinds of gains is scipy's on the values shown."""
    found = _json(run, folder, "--threshold", "2", "--gains", "prm,linear,exponential")
    values = {
        gains: [score["value"] for entry in found["runs"] for score in entry["scores"] if score["gains"] == gains]
        for gains in ("prm", "linear", "exponential")
    }
    assert len(found["rankings"]) == 3
    for ranking in found["rankings"]:
        expected = kendalltau(values[ranking["a"]], values[ranking["b"]]).statistic
        assert ranking["tau_b"] == pytest.approx(expected)


def test_same_seed_same_output(run: Command, folder: Path) -> None:
    """Twice the same call gives the same bytes; another seed moves the sign flips, and no interval of a score."""
    once, again = (_call(run, folder, "--format", "json", "--seed", "5").stdout for _ in range(2))
    assert once == again
    first, other = json.loads(once), _json(run, folder, "--seed", "6")
    pick = [entry["scores"][0] for entry in first["runs"]], [entry["scores"][0] for entry in other["runs"]]
    assert [score["value"] for score in pick[0]] == [score["value"] for score in pick[1]]
    assert [score["interval"] for score in pick[0]] == [score["interval"] for score in pick[1]]
    adjusted = [[entry["p_adjusted"] for entry in some["differences"]] for some in (first, other)]
    assert adjusted[0] != adjusted[1]


def test_several_thresholds_stand_side_by_side(run: Command, folder: Path) -> None:
    """Every threshold has its PRM and binary scores; linear gains, which have none, stand there once."""
    found = _json(run, folder, "--threshold", "1,2", "--gains", "prm,binary,linear")
    kinds = [(score["gains"], score["threshold"]) for score in found["runs"][0]["scores"]]
    assert kinds == [("prm", "1"), ("binary", "1"), ("linear", None), ("prm", "2"), ("binary", "2")]


def test_strata_have_a_model_and_topics_of_their_own(run: Command, folder: Path) -> None:
    """Each stratum is compared on its own topics with its own gains; all together they make the topics."""
    found = _json(run, folder, "--strata", folder / "strata.tsv", "--threshold", "2")
    strata = found["strata"]
    assert set(strata) == {"nav", "inf"}
    topics = [part["topics"]["scored"] for part in strata.values()]
    assert sum(topics) == found["topics"]["scored"] == 20
    gains = [part["gains"][0]["levels"] for part in (found, *strata.values())]
    assert gains[0] != gains[1] != gains[2]


def test_csv_has_a_row_per_run_and_gains(run: Command, folder: Path) -> None:
    """CSV holds the run table, unrounded, under the keys of the JSON."""
    done = _call(run, folder, "--format", "csv", "--threshold", "2")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    found = _json(run, folder, "--threshold", "2")
    assert len(rows) == 4 * 2
    first = found["runs"][0]["scores"][0]
    assert float(rows[0]["value"]) == first["value"]
    assert [float(rows[0]["lower"]), float(rows[0]["upper"])] == first["interval"]


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_tables_hold_every_run(run: Command, folder: Path, form: str) -> None:
    """Each form for readers names every run; with --table all also tau and where the uncertainty comes from."""
    done = _call(run, folder, "--format", form, "--threshold", "2")
    assert done.exit_code == 0
    for word in ("best", "good", "fair", "poor"):
        assert word in done.stdout
    whole = _call(run, folder, "--format", form, "--threshold", "2", "--table", "all").stdout
    for word in ("best", "good", "fair", "poor", "tau-b", "from second judgments", "What a document is worth"):
        assert word in whole


def test_the_answer_comes_first_and_is_that_of_the_json(run: Command, folder: Path) -> None:
    """The first sentence names the run that scores highest, its score, and the runs that no verdict puts below it."""
    found = _json(run, folder, "--threshold", "2", "--gains", "prm")
    scores = {entry["run"]: entry["scores"][0]["value"] for entry in found["runs"]}
    first = max(scores, key=lambda run: scores[run])
    verdicts = {
        entry["b"] if entry["a"] == first else entry["a"]: entry["verdict"]
        for entry in found["differences"]
        if first in (entry["a"], entry["b"])
    }
    level = [run for run, verdict in verdicts.items() if verdict == "undecided"]
    said = " ".join(_call(run, folder, "--threshold", "2", "--gains", "prm").stdout.split("\n\n")[0].split())
    assert f"{first} scores highest, {scores[first]:.3f}" in said or f"{first} is the best of 4 runs." in said
    assert ("cannot be told apart" in said) == bool(level)
    assert all(run in said for run in level)


def test_a_paper_gets_one_table(run: Command, folder: Path) -> None:
    """LaTeX is one table: every run, the highest of each column bold, superscripts for the significant differences."""
    more = ("--threshold", "2", "-m", "nDCG@10", "-m", "P@5")
    found = _json(run, folder, *more)
    text = _call(run, folder, *more, "--format", "latex").stdout
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == text.count(r"\caption{") == 1
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    rows = [line for line in text.splitlines() if re.match(r"[a-z] & ", line)]
    letters = {re.search(r"& (\w+) &", row)[1]: row[0] for row in rows}  # type: ignore[index]
    assert sorted(letters) == ["best", "fair", "good", "poor"]
    places = [(score["measure"], score["gains"]) for score in found["runs"][0]["scores"]]
    assert r"\begin{tabular}{ll" + "r@{}l" * len(places) + "}" in text  # a number, and its superscript beside it
    for place, (measure, gains) in enumerate(places):
        value = {e["run"]: e["scores"][place]["value"] for e in found["runs"]}
        beaten: dict[str, set[str]] = {run: set() for run in value}
        for pair in found["differences"]:
            if (pair["measure"], pair["gains"]) == (measure, gains) and pair["p_adjusted"] <= 0.05:
                winner, loser = (pair["a"], pair["b"]) if pair["difference"] > 0 else (pair["b"], pair["a"])
                beaten[winner].add(letters[loser])
        for row in rows:
            run_name = re.search(r"& (\w+) &", row)[1]  # type: ignore[index]
            cell = "".join(row.removesuffix(r" \\").split(" & ")[2 + 2 * place : 4 + 2 * place])
            assert f"{value[run_name]:.3f}" in cell
            assert (r"\textbf" in cell) == (value[run_name] == max(value.values()))
            mark = re.search(r"\\textsuperscript\{([^}]*)\}", cell)
            shown = set(re.sub(r"(\w)--(\w)", _between, mark[1])) if mark else set()
            assert shown == beaten[run_name]
    caption = text.partition(r"\caption{")[2].partition("\n")[0]
    for word in ("20 topics", "PRM and binary gains", "adjusted for all pairs", "0.05"):
        assert word in caption
    markdown = _call(run, folder, *more, "--format", "markdown").stdout
    assert markdown.count("**") == 2 * len(places)
    assert "<sup>" not in markdown
    assert "uperscript" not in markdown


def test_a_papers_table_compiles(run: Command, folder: Path, tmp_path: Path) -> None:
    """pdflatex takes the tables of compare and fit in a plain article, and no line is too wide."""
    if (pdflatex := shutil.which("pdflatex")) is None:
        pytest.skip("pdflatex is not installed: apt-get install texlive-latex-recommended")
    ours = [
        _call(run, folder, "--threshold", "2", "-m", "nDCG@10", "-m", "P@5", "-m", "AP", "--format", "latex").stdout,
        run("fit", folder / "first.qrels", folder / "second.qrels", "--format", "latex", "--quiet").stdout,
    ]
    text = "\n".join(
        [r"\documentclass{article}", r"\usepackage{booktabs}", r"\begin{document}", *ours, r"\end{document}"]
    )
    (tmp_path / "paper.tex").write_text(text)
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "paper.pdf").stat().st_size > 1000
    assert "Overfull" not in done.stdout


def _between(found: re.Match[str]) -> str:
    return "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1)))


def test_tables_and_columns_are_chosen_by_name(run: Command, folder: Path) -> None:
    """--table gives one table, --columns its columns in the order asked for; unknown names get a suggestion."""
    text = _call(run, folder, "--threshold", "2", "--table", "grades").stdout
    assert text.startswith("What a document is worth")
    lines = _call(run, folder, "--threshold", "2", "--table", "runs", "--columns", "letters,run").stdout.splitlines()
    assert lines[1].split() == ["letters", "run"]
    everything = _call(run, folder, "--threshold", "2", "--columns", "all").stdout
    assert "letters" in everything
    wrong = _call(run, folder, "--table", "difference")
    assert wrong.exit_code == 2
    assert "Did you mean differences?" in wrong.stderr
    assert "Did you mean" in _call(run, folder, "--columns", "scor").stderr
    csv_text = _call(run, folder, "--threshold", "2", "--table", "differences", "--format", "csv").stdout
    assert csv_text.startswith("stratum,measure,gains,threshold,a,b,difference,")
    assert _call(run, folder, "--table", "runs", "--format", "json").exit_code == 2


def _fit(run: Command, folder: Path, model: Path, *options: str) -> Any:
    run("fit", folder / "first.qrels", folder / "second.qrels", "--threshold", "2", *options, "-o", model)
    return json.loads(model.read_text())


def _with_model(run: Command, folder: Path, model: Path) -> Any:
    files = ("--judgments", folder / "first.qrels", "--runs", folder / "runs", "--model", model)
    return json.loads(run("compare", *files, *FEW, "--format", "json").stdout)


def _codes(found: Any) -> set[str]:
    return {warning["code"] for warning in found["warnings"]}


@pytest.mark.parametrize(
    "options", [(), ("--estimator", "one-sided"), ("--smooth", "marginal"), ("--smooth", "isotonic")], ids=str
)
def test_a_model_file_says_what_its_judgments_say(
    run: Command, folder: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """`compare --model` needs no second side: the file holds the pairs, so its numbers are those of the model."""
    model = tmp_path / "model.json"
    _fit(run, folder, model, *options)
    found = _with_model(run, folder, model)
    at_hand = gs.compare(
        folder / "first.qrels",
        folder / "runs",
        model=gs.fit(
            folder / "first.qrels",
            folder / "second.qrels",
            threshold=2,
            **dict(zip((option[2:] for option in options[::2]), options[1::2], strict=True)),  # type: ignore[arg-type]
        ),
        resamples=100,
        permutations=200,
    ).document()
    assert found["runs"] == at_hand["runs"]
    assert found["differences"] == at_hand["differences"]
    assert found["over"] == at_hand["over"]
    assert not {"gains-apart", "gains-taken-as-given"} & _codes(found)
    if not options:
        both = _json(run, folder, "--threshold", "2")
        assert (found["runs"], found["differences"]) == (both["runs"], both["differences"])
        assert found["advice"] == both["advice"]


def test_a_model_that_was_changed_stands_apart_from_its_pairs(run: Command, folder: Path, tmp_path: Path) -> None:
    """Its covariance is taken in their place, about as wide as before, and a warning says so; so without `cells`."""
    model = tmp_path / "model.json"
    whole = _fit(run, folder, model)
    expected = _with_model(run, folder, model)["runs"][0]["scores"][0]
    for part in (whole, *whole["thresholds"]):
        part["levels"][1]["probability"] += 1e-4
    changed = json.loads(json.dumps(whole))
    del whole["cells"]
    for text in (whole, changed):
        model.write_text(json.dumps(text))
        found = _with_model(run, folder, model)
        assert "gains-apart" in _codes(found)
        assert found["over"] == "topics"
        score = found["runs"][0]["scores"][0]
        assert score["gains"] == "prm"
        assert score["variance"]["together"] == pytest.approx(0, abs=1e-9)
        assert np.diff(score["interval"]) == pytest.approx(np.diff(expected["interval"]), rel=0.3)
        assert np.diff(score["interval"]) > np.diff(score["topic_interval"])


def test_a_model_without_errors_is_taken_as_given(run: Command, folder: Path, tmp_path: Path) -> None:
    """Without pairs and without covariance the intervals are over topics alone, and a warning says so."""
    model = tmp_path / "model.json"
    text = _fit(run, folder, model)
    del text["cells"]
    for part in (text, *text["thresholds"]):
        del part["covariance"]
    model.write_text(json.dumps(text))
    found = _with_model(run, folder, model)
    assert "gains-taken-as-given" in _codes(found)
    score = found["runs"][0]["scores"][0]
    assert (score["gains"], score["variance"]) == ("prm", None)
    assert score["interval"] == score["topic_interval"]


@pytest.mark.parametrize(
    "cells",
    [
        {"topics": ["q"], "people": None, "rows": [[0, 9, 0, 1]]},
        {"topics": ["q"], "people": None, "rows": [[0, 0, 0, -1]]},
        {"topics": ["q"], "people": None, "rows": [[0, 0, 0]]},
        {"topics": ["q"], "people": ["A"], "rows": [[0, 0, 0, 1]]},
        {"topics": ["q"], "people": None, "rows": [["x", 0, 0, 1]]},
        {"topics": ["q"], "rows": []},
    ],
    ids=str,
)
def test_pairs_that_cannot_be_are_refused(run: Command, folder: Path, tmp_path: Path, cells: dict[str, object]) -> None:
    """In one message that names the file, and nothing is computed."""
    model = tmp_path / "model.json"
    model.write_text(json.dumps({**_fit(run, folder, model), "cells": cells}))
    done = run("compare", "--judgments", folder / "first.qrels", "--runs", folder / "runs", "--model", model)
    assert done.exit_code == 1
    assert "not a model as `gainsayer fit -o` writes it" in done.stderr


def test_the_same_name_is_the_same_number_in_score_and_compare(run: Command, folder: Path) -> None:
    """Without second opinions each measure has ir_measures' gains: levels for nDCG, relevant from level 1 for P."""
    ir_measures = pytest.importorskip("ir_measures")
    one = ("--judgments", folder / "first.qrels", "--runs", folder / "runs" / "good.run", "-m", "nDCG@10", "-m", "P@5")
    scored = json.loads(run("score", *one, "--format", "json").stdout)["rows"]
    compared = json.loads(run("compare", *one, "--format", "json").stdout)["runs"][0]["scores"]
    named = [ir_measures.parse_measure(row["measure"]) for row in scored]
    qrels = list(ir_measures.read_trec_qrels(str(folder / "first.qrels")))
    expected = ir_measures.calc_aggregate(named, qrels, ir_measures.read_trec_run(str(folder / "runs" / "good.run")))
    for rows in (scored, compared):
        assert [(row["measure"], row["gains"]) for row in rows] == [("nDCG@10", "linear"), ("P@5", "binary")]
        assert [row["value"] for row in rows] == pytest.approx([expected[one] for one in named])


def test_baseline_and_tests(run: Command, folder: Path) -> None:
    """Each test runs against a baseline; differences are the other run minus the baseline."""
    for test in ("joint", "t", "wilcoxon", "randomisation"):
        adjust = () if test == "joint" else ("--adjust", "bh")
        found = _json(run, folder, "--baseline", "good", "--test", test, *adjust, "--gains", "binary")
        pairs = [(entry["a"], entry["b"], entry["test"]) for entry in found["differences"]]
        assert pairs == [("best", "good", test), ("fair", "good", test), ("poor", "good", test)]


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--baseline", "nobody"), 2, "There is no run 'nobody' to compare with"),
        (("--confidence", "95"), 2, "The confidence must be a number between 0 and 1"),
        (("--resamples", "1"), 2, "The number of resamples must lie between 2 and"),
        (("--margin", "0"), 2, "the smallest difference that matters, a number above 0"),
        (("--adjust", "holm"), 2, "adjusted for all pairs in one step"),
        (("--unjudged", "bounds"), 2, "make two scores of one: score the runs"),
        (("-m", "Judged@10"), 2, "says nothing about relevance"),
        (("--gains", "prm,prm"), 2, "one name"),
        (("--threshold", "7"), 2, "There is no level '7'"),
        (("-m", "Bpref", "--gains", "prm"), 2, "needs 0/1 gains"),
        (("-m", "Bpref"), 0, ""),
    ],
)
def test_faults_are_said_in_words(run: Command, folder: Path, options: tuple[str, ...], code: int, words: str) -> None:
    """A fault of the call ends with exit code 2 and a sentence; nothing is printed on standard output."""
    done = _call(run, folder, *options)
    assert done.exit_code == code, done.stderr
    assert words in done.stderr
    assert bool(done.stdout) == (code == 0)


@pytest.mark.parametrize("form", ["json", "csv", "table", "markdown", "latex"])
def test_a_margin_is_answered_in_every_format(run: Command, folder: Path, form: str) -> None:
    """With --margin every pair has its words: better than, or equivalent within a margin that nothing exceeds."""
    table = () if form in ("json", "csv", "table") else ("--table", "differences")
    done = _call(run, folder, "--threshold", "2", "--margin", "0.99", "--pairwise", "--format", form, *table)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.count("better, equivalent") >= 2
    if form == "json":
        pairs = {(entry["a"], entry["b"]): entry for entry in json.loads(done.stdout)["differences"]}
        assert pairs["best", "poor"]["verdict"] == "better, equivalent"
        assert pairs["best", "poor"]["reverse_verdict"] == "worse, equivalent"


def test_verdicts_follow_from_the_simultaneous_intervals(run: Command, folder: Path) -> None:
    """Better and worse are where the simultaneous interval excludes 0; without a margin all else is undecided."""
    for entry in _json(run, folder, "--threshold", "2")["differences"]:
        low, high = entry["simultaneous_interval"]
        assert entry["verdict"] == ("better" if low > 0 else "worse" if high < 0 else "undecided")


def test_degenerate_collections_get_statements_not_nan(run: Command, tmp_path: Path) -> None:
    """One topic, one run, a run without topics: a table, a statement, and no NaN anywhere."""
    rng = np.random.default_rng(1)
    labels = "".join(f"q1 0 d{place} {rng.integers(0, 3)}\n" for place in range(30))
    (tmp_path / "a.qrels").write_text(labels)
    (tmp_path / "b.qrels").write_text("".join(f"q1 0 d{place} {rng.integers(0, 3)}\n" for place in range(30)))
    (tmp_path / "one.run").write_text("".join(f"q1 Q0 d{place} {place} {9 - place} one\n" for place in range(9)))
    files = ("--judgments", tmp_path / "a.qrels", tmp_path / "b.qrels", "--runs", tmp_path / "one.run")
    done = run("compare", *files, *FEW, "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert "NaN" not in done.stdout
    found = json.loads(done.stdout)
    assert found["runs"][0]["scores"][0]["interval"] is None
    assert found["runs"][0]["scores"][0]["rank_interval"] is None
    assert "single-topic" in {warning["code"] for warning in found["warnings"]}
    table = run("compare", *files, *FEW)
    assert "nan" not in table.stdout.lower()
    (tmp_path / "lone.run").write_text("q9 Q0 d1 1 1 lone\n")
    done = run("compare", *files[:4], tmp_path / "one.run", tmp_path / "lone.run", *FEW)
    assert done.exit_code == 1
    assert "lone" in done.stderr


def test_levels_without_order_are_compared_by_the_relevant_ones(run: Command, tmp_path: Path) -> None:
    """Labels such as 'Ä' and '<b>' have no lowest one, and none is needed where unjudged documents are worth 0."""
    rng = np.random.default_rng(2)
    names = ["Ä", "<b>x</b>", "clé&"]
    for side in ("a", "b"):
        rows = [f"q{t} 0 d{d} {names[rng.integers(0, 3)]}" for t in range(6) for d in range(20)]
        (tmp_path / f"{side}.qrels").write_text("\n".join(rows) + "\n")
    for name in ("one", "two"):
        rows = [f"q{t} Q0 d{d} {d} {rng.random()} {name}" for t in range(6) for d in range(20)]
        (tmp_path / f"{name}.run").write_text("\n".join(rows) + "\n")
    files = ("--judgments", tmp_path / "a.qrels", tmp_path / "b.qrels", "--runs", tmp_path / "one.run")
    done = run("compare", *files, tmp_path / "two.run", *FEW, "--relevant", "clé&", "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["runs"][0]["scores"][0]["gains"] == "prm"


def test_a_model_goes_by_the_name_of_its_threshold(run: Command, folder: Path, tmp_path: Path) -> None:
    """prm of a model fitted at threshold 1 is labelled 1, as without a model, not by the list of its levels."""
    model = tmp_path / "model.json"
    run("fit", folder / "first.qrels", folder / "second.qrels", "--threshold", "1", "-o", model)
    files = ("--judgments", folder / "first.qrels", "--runs", folder / "runs", "--model", model)
    found = json.loads(run("compare", *files, *FEW, "--format", "json").stdout)
    assert {score["threshold"] for score in found["runs"][0]["scores"]} == {"1"}


def test_correlated_users_are_in_the_band_and_not_drawn(run: Command, folder: Path) -> None:
    """--users 0.3 adds the expected value to the band, and no measure to the run table."""
    found = _json(run, folder, "--threshold", "2", "--users", "0.3", "--gains", "prm")
    assert {score["measure"] for score in found["runs"][0]["scores"]} == {"nDCG@10"}
    (band,) = found["users"]
    assert set(band["values"][0]) == {"run", "plug-in", "0.3"}


def test_standard_input_is_read_once(run: Command, folder: Path) -> None:
    """Judgments and runs cannot both come from standard input."""
    for command in ("compare", "score"):
        done = run(command, "--judgments", "-", "--runs", "-", stdin=b"q1 0 d1 1\n")
        assert done.exit_code == 2
        assert "Standard input can be read only once" in done.stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("comprae",), "compare"),
        (("compare", "--treshold", "2"), "--threshold"),
        (("compare", "-m", "nDGC@10"), "nDCG"),
        (("compare", "--baseline", "bset"), "best"),
        (("compare", "--gains", "binray"), "binary"),
        (("compare", "--labels", "frist"), "first"),
        (("compare", "--levels", "Non,Rel,Key", "--threshold", "Kye"), "Key"),
        (("compare", "--table", "grade"), "grades"),
    ],
)
def test_a_slip_gets_a_suggestion(run: Command, folder: Path, words: tuple[str, ...], meant: str) -> None:
    """Commands, options, measures, runs, gains, assessors, levels and tables: the nearest name is suggested."""
    files = ("--judgments", folder / "first.qrels", folder / "second.qrels", "--runs", folder / "runs")
    done = run(*words, *files) if len(words) > 1 else run(*words)
    assert done.exit_code == 2, done.output
    assert re.search(rf"Did you mean .*{meant}", done.stderr), done.stderr
