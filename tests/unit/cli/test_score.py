"""`gainsayer score`: gains, policies, formats, and bad input."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

import gainsayer as gs

Run = Callable[..., Result]
LEVELS = ["--levels", "Non,Rel,HRel,Key"]


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated collection with five runs."""
    folder = tmp_path_factory.mktemp("score") / "twin"
    gs.simulate(folder, topics=12, second_topics=8, documents=30, leniency=0, depth=30, seed=5)
    return folder


def rows_of(result: Result) -> list[dict[str, str]]:
    """The CSV that a command printed."""
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_model_file_and_estimate_on_the_way_agree(twin: Path, tmp_path: Path, run: Run) -> None:
    """Gains from a model file are those estimated from the two assessors on the way."""
    both = (twin / "first.qrels", twin / "second.qrels")
    assert run("fit", *both, *LEVELS, "--threshold", "HRel", "-o", tmp_path / "m.json").exit_code == 0
    common = ["--runs", twin / "runs", "-m", "nDCG@10", "-m", "NumRel@10", "--format", "csv"]
    on_the_way = rows_of(run("score", "--judgments", *both, *LEVELS, "--threshold", "HRel", *common))
    by_file = rows_of(
        run("score", "--judgments", both[0], "--model", tmp_path / "m.json", "--threshold", "HRel", *common)
    )
    assert on_the_way == by_file
    assert {row["gains"] for row in by_file} == {"prm"}
    assert len(by_file) == 10


def test_several_thresholds_side_by_side(twin: Path, run: Run) -> None:
    """--threshold twice gives what each gives alone; rows say kind and threshold, headings tell them apart."""
    files = ("--judgments", twin / "first.qrels", twin / "second.qrels", *LEVELS, "--runs", twin / "runs", "-m", "P@5")
    both = rows_of(run("score", *files, "--threshold", "Key", "--threshold", "Rel", "--format", "csv"))
    assert [row["threshold"] for row in both[:2]] == ["Key", "Rel"]
    for threshold in ("Key", "Rel"):
        alone = rows_of(run("score", *files, "--threshold", threshold, "--format", "csv"))
        assert [row for row in both if row["threshold"] == threshold] == alone
    shown = run("score", *files, "--threshold", "Key,Rel").stdout
    assert "prm (Key)" in shown
    assert "prm (Rel)" in shown


def test_judgments_may_be_arguments_or_named(twin: Path, run: Run) -> None:
    """JUDGMENTS and --judgments are the same in every command, alone or together."""
    first, second = twin / "first.qrels", twin / "second.qrels"
    ways = ((first, second), ("--judgments", first, second), (first, "--judgments", second))
    for command, more in {"fit": (), "agree": (), "score": ("--runs", twin / "runs"), "study topics": ()}.items():
        found = {run(*command.split(), *way, *LEVELS, *more, "--format", "csv").stdout for way in ways}
        assert len(found) == 1
        assert found.pop().count("\n") > 2
    missing = run("fit")
    assert missing.exit_code == 2
    assert "No judgments were given" in missing.stderr


def test_a_refused_estimate_does_not_stop_classical_measures(tmp_path: Path, run: Run) -> None:
    """Where double judgments bear no estimate, scores have the usual gains and say so; PRM gains asked for are refused.

    The first side judged again only what the second put on level 1: neither estimate is right.
    """
    documents = [(f"q{topic}", f"d{place}", (place + topic) % 2) for topic in range(10) for place in range(20)]
    lines = [f"{topic} 0 {document} {level}" for topic, document, level in documents]
    chosen = [line for line in lines if line.endswith(" 1")]
    (tmp_path / "first.qrels").write_text("\n".join(chosen) + "\n")
    (tmp_path / "second.qrels").write_text("\n".join(lines) + "\n")
    ranked = "".join(f"{topic} Q0 {document} 0 {place} tag\n" for place, (topic, document, _) in enumerate(documents))
    (tmp_path / "a.run").write_text(ranked)
    files = (tmp_path / "first.qrels", tmp_path / "second.qrels", "--runs", tmp_path / "a.run", "-m", "nDCG@5")
    done = run("score", *files, "--labels", "second", "--format", "json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["rows"][0]["gains"] == "linear"
    assert "gains-not-estimated" in [warning["code"] for warning in found["warnings"]]
    assert run("compare", *files, "--labels", "second").exit_code == 0
    refused = run("score", *files, "--labels", "second", "--gains", "prm")
    assert refused.exit_code == 1
    assert "The symmetric estimate is wrong here" in refused.stderr


def test_several_gains_side_by_side(twin: Path, run: Run) -> None:
    """--gains lists kinds; each row says which, and the JSON has every number behind them."""
    both = (twin / "first.qrels", twin / "second.qrels")
    arguments = ["--judgments", *both, *LEVELS, "--runs", twin / "runs", "-m", "nDCG@10", "--threshold", "Key"]
    document = json.loads(
        run("score", *arguments, "--gains", "prm,binary,linear,exponential,udm", "--format", "json").stdout
    )
    assert set(document["gains"]) == {"prm", "binary", "linear", "exponential", "udm"}
    assert document["gains"]["exponential"] == {"Non": 0, "Rel": 1, "HRel": 3, "Key": 7, "unjudged": 0}
    row = document["rows"][0]
    assert set(row) == {
        *("run", "measure", "gains", "threshold", "topic", "value", "standard_error", "topics", "unjudged_share"),
    }
    assert row["topic"] == "all"
    assert row["topics"] == 12
    assert document["policies"]["unjudged"] == "0"
    assert set(document["topics"]["prm"]) == {"topics", "without_relevant", "without_ideal", "all_gains_equal"}


def test_mean_and_error_are_those_of_the_topics(twin: Path, run: Run) -> None:
    """The row of all topics is the mean of the rows per topic, its error s / sqrt(topics)."""
    arguments = ["--judgments", twin / "first.qrels", *LEVELS, "--runs", twin / "runs" / "run01.run", "-m", "P@5"]
    rows = rows_of(run("score", *arguments, "--per-topic", "--format", "csv"))
    values = [float(row["value"]) for row in rows if row["topic"] != "all"]
    mean = next(row for row in rows if row["topic"] == "all")
    assert len(values) == 12
    assert float(mean["value"]) == pytest.approx(np.mean(values))
    assert float(mean["standard_error"]) == pytest.approx(np.std(values, ddof=1) / np.sqrt(12))


def test_unjudged_policies(twin: Path, run: Run) -> None:
    """0 is the lower bound, the best gain the upper one; a level's gain lies between; condensing renumbers."""
    arguments = ["--judgments", twin / "first.qrels", *LEVELS, "--runs", twin / "runs", "-m", "P@10", "--format", "csv"]
    found = {
        policy: {
            (row["run"], row["gains"]): float(row["value"])
            for row in rows_of(run("score", *arguments, "--unjudged", policy))
        }
        for policy in ("0", "bounds", "0.5", "condense", "level")
    }
    for name in {run_name for run_name, _ in found["0"]}:
        low, high = found["bounds"][name, "binary lower"], found["bounds"][name, "binary upper"]
        assert low == found["0"][name, "binary"] == found["level"][name, "binary"]
        assert low <= found["0.5"][name, "binary"] <= high
        assert found["condense"][name, "binary"] >= low
    assert run("score", *arguments, "--unjudged", "maybe").exit_code == 2


def test_missing_topics_score_zero_or_are_left_out(twin: Path, tmp_path: Path, run: Run) -> None:
    """A run without a topic gets 0 for it, with a warning; --topics common scores what every run has."""
    lines = (twin / "runs" / "run01.run").read_text().splitlines(keepends=True)
    first = lines[0].split()[0]
    (tmp_path / "short.run").write_text("".join(line for line in lines if line.split()[0] != first))
    arguments = ["--judgments", twin / "first.qrels", *LEVELS, "--runs", tmp_path / "short.run", "-m", "P@10"]
    result = run("score", *arguments, "--per-topic", "--format", "csv")
    scores = {row["topic"]: float(row["value"]) for row in rows_of(result)}
    assert scores[first] == 0
    assert "topics-missing" in result.stderr
    common = rows_of(run("score", *arguments, "--topics", "common", "--format", "csv"))
    assert common[0]["topics"] == "11"


def test_topics_without_relevant_documents(tmp_path: Path, run: Run) -> None:
    """keep scores PRM as computed, zero makes it 0, skip leaves the topic out for all gains (T12)."""
    (tmp_path / "q.qrels").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 a 0\nq2 0 b 0\n")
    (tmp_path / "r.run").write_text("q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\n")
    arguments = ["--judgments", tmp_path / "q.qrels", "--runs", tmp_path / "r.run", "-m", "nDCG@1"]
    arguments += ["--gain", "0=0.2", "--gain", "1=0.9", "--threshold", "1", "--format", "json"]
    found = {}
    for policy in ("keep", "zero", "skip"):
        document = json.loads(run("score", *arguments, "--no-relevant", policy).stdout)
        found[policy] = (document["rows"][0]["value"], document["rows"][0]["topics"])
    assert found == {"keep": (1.0, 2), "zero": (0.5, 2), "skip": (1.0, 1)}


def test_both_vocabularies_and_trec_format(twin: Path, run: Run) -> None:
    """trec_eval's names and ours give the same numbers; --format trec prints three columns."""
    arguments = ["--judgments", twin / "first.qrels", "--runs", twin / "runs" / "run01.run"]
    ours = run("score", *arguments, "-m", "AP", "-m", "nDCG@10", "--format", "trec").stdout
    theirs = run("score", *arguments, "-m", "map", "-m", "ndcg_cut_10", "--format", "trec").stdout
    assert ours == theirs
    lines = [line.split("\t") for line in ours.splitlines()]
    assert [line[0].strip() for line in lines] == ["runid", "num_q", "map", "ndcg_cut_10"]
    assert all(line[1] == "all" for line in lines)


BAD: dict[str, tuple[list[str], int, str]] = {
    "unknown measure": (["-m", "nDGC@10"], 2, "There is no measure 'nDGC@10'. Did you mean nDCG"),
    "no depth": (["-m", "P"], 2, "P needs a depth"),
    "unknown discount": (["-m", "nDCG(discount='log')@5"], 2, "discount must be log2, zipf or none"),
    "bad persistence": (["-m", "RBP(p=2)"], 2, "p must be a number"),
    "graded gains in AP": (["-m", "AP", "--gains", "linear"], 2, "AP needs gains between 0 and 1"),
    "graded gains in bpref": (["-m", "bpref", "--gains", "linear"], 2, "needs 0/1 gains"),
    "no model": (["--gains", "prm"], 2, "PRM gains need a model"),
    "unknown gains": (["--gains", "magic"], 2, "There are no gains 'magic'"),
    "incomplete gains": (["--gain", "0=0.1"], 2, "has no gain"),
    "unknown labels": (["--labels", "nobody"], 2, "There is no assessor 'nobody'"),
    "missing run": (["--runs", "nowhere.run"], 2, "nowhere.run"),
    "oracle alone": (["--oracle"], 2, "and --oracle go with --resources."),
    "unknown resources": (["--resources", "3"], 2, "give either --resource-rule or --resource-file."),
}


@pytest.mark.parametrize("case", BAD)
def test_calls_that_do_not_fit(case: str, twin: Path, run: Run) -> None:
    """A fault in the call has exit code 2 and says what to do."""
    options, code, words = BAD[case]
    runs = [] if "--runs" in options else ["--runs", str(twin / "runs" / "run01.run")]
    result = run("score", "--judgments", twin / "first.qrels", *runs, *options)
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit)
    assert words in result.stderr


RUNS = {
    "wrong columns": ("q1 Q0 a 1\n", "expected 6 columns"),
    "empty": ("", "empty"),
    "score": ("q1 Q0 a 1 high t\n", "score"),
    "nan": ("q1 Q0 a 1 nan t\n", "score"),
    "twice": ("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n", "a"),
    "no shared topics": ("q7 Q0 a 1 3 t\n", "topic"),
}


@pytest.mark.parametrize("case", RUNS)
def test_faulty_runs(case: str, tmp_path: Path, run: Run) -> None:
    """Wrong columns, nothing in it, a score that is no number, a repeated document, no shared topic: exit code 1."""
    content, words = RUNS[case]
    (tmp_path / "q.qrels").write_text("q1 0 a 1\nq1 0 b 0\n")
    (tmp_path / "bad.run").write_text(content)
    result = run("score", "--judgments", tmp_path / "q.qrels", "--runs", tmp_path / "bad.run", "-m", "P@1")
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert "bad.run" in result.stderr
    assert words in result.stderr


def test_level_that_the_model_does_not_know(twin: Path, tmp_path: Path, run: Run) -> None:
    """A label outside the model's levels is named by its place in the file."""
    both = (twin / "first.qrels", twin / "second.qrels")
    assert run("fit", *both, "-o", tmp_path / "m.json").exit_code == 0
    (tmp_path / "q.qrels").write_text((twin / "first.qrels").read_text() + "t01 0 extra 9\n")
    result = run("score", "--judgments", tmp_path / "q.qrels", "--runs", twin / "runs", "--model", tmp_path / "m.json")
    assert result.exit_code == 1
    assert "found '9'" in result.stderr


def score_one(run: Run, tmp_path: Path, qrels: str, lines: str, *options: str) -> dict[str, float]:
    """Measure to value, for a small qrels file and run."""
    (tmp_path / "q.qrels").write_text(qrels)
    (tmp_path / "r.run").write_text(lines)
    arguments = [
        "--judgments",
        tmp_path / "q.qrels",
        "--runs",
        tmp_path / "r.run",
        *options,
        "--format",
        "csv",
        "--quiet",
    ]
    return {row["measure"]: float(row["value"]) for row in rows_of(run("score", *arguments))}


def test_duplicates_with_gains_out_of_order(tmp_path: Path, run: Run) -> None:
    """Of a group with several levels the ideal list takes the best gain, so nDCG stays within 1 (T7, T19)."""
    (tmp_path / "d.txt").write_text("0\ta\tb\n")
    gains = ["--gain", "0=0.1", "--gain", "1=0.4", "--gain", "2=0"]
    measures = ["-m", "nDCG@2", "-m", "R@2", "-m", "AP"]
    lines = "q Q0 a 1 2 t\nq Q0 c 2 1 t\n"
    found = score_one(
        run, tmp_path, "q 0 a 1\nq 0 b 2\nq 0 c 0\n", lines, *gains, *measures, "--duplicates", str(tmp_path / "d.txt")
    )
    assert found["nDCG@2"] == pytest.approx(1.0)
    assert found["R@2"] == pytest.approx(1.0)


def test_relevance_without_a_level_called_one(tmp_path: Path, run: Run) -> None:
    """Level 1 and above is relevant, as in trec_eval, also where nobody gave a 1, or nothing is relevant at all."""
    lines = "q Q0 a 1 3 t\nq Q0 b 2 2 t\n"
    names = ["-m", "map", "-m", "P_1", "-m", "num_rel"]
    found = score_one(run, tmp_path, "q 0 a 2\nq 0 b 3\nq 0 c 2\n", lines, *names)
    assert (found["AP"], found["P@1"], found["PoolRel"]) == (pytest.approx(2 / 3), 1, 3)
    assert score_one(run, tmp_path, "q 0 a -1\nq 0 b 0\n", lines, *names)["P@1"] == 0


def test_model_decides_what_is_relevant(twin: Path, tmp_path: Path, run: Run) -> None:
    """Binary gains beside a model use the model's threshold, not the top level."""
    both = (twin / "first.qrels", twin / "second.qrels")
    assert run("fit", *both, "--threshold", "1", "-o", tmp_path / "m.json").exit_code == 0
    common = [
        "--judgments",
        both[0],
        "--runs",
        twin / "runs",
        "-m",
        "NumRel@10",
        "--gains",
        "binary",
        "--format",
        "csv",
    ]
    assert rows_of(run("score", *common, "--model", tmp_path / "m.json")) == rows_of(
        run("score", *common, "--threshold", "1")
    )


def test_condensed_lists_keep_their_unjudged_share(twin: Path, run: Run) -> None:
    """Leaving unjudged documents out of the list does not hide how many there were."""
    arguments = ["--judgments", twin / "first.qrels", "--runs", twin / "runs", "-m", "P@10", "--format", "csv"]
    plain, condensed = (
        [row["unjudged_share"] for row in rows_of(run("score", *arguments, "--unjudged", policy))]
        for policy in ("0", "condense")
    )
    assert plain == condensed
    assert any(float(share) > 0 for share in plain)


def test_err_of_binary_labels_is_the_classical_one(tmp_path: Path, run: Run) -> None:
    """The only relevant document, at rank 2: 1/2 (2^1 - 1) / 2^1 on its own scale, 1/2 (2^1 - 1) / 2^4 as gdeval."""
    lines = "q Q0 b 1 3 t\nq Q0 a 2 2 t\n"
    asked = ("-m", "ERR@5", "-m", "ERR(max_rel=1)@5")
    found = score_one(run, tmp_path, "q 0 a 1\nq 0 b 0\n", lines, *asked)
    assert found == {"ERR@5": pytest.approx(1 / 32), "ERR(max_rel=1)@5": pytest.approx(1 / 4)}


MORE_BAD = {
    "strata": (["--strata", "x.tsv"], "one model for all topics"),
    "trec with two gains": (["--gains", "binary,linear", "--format", "trec"], "one kind of gains"),
    "unjudged above 1": (["-m", "P@5", "--unjudged", "7"], "needs gains between 0 and 1"),
    "same gains twice": (["--gains", "binary,binary"], "one name"),
    "no resources": (["--resources", "0", "--resource-rule", "(?P<resource>.*)"], "At least one resource"),
    "parameter None": (["-m", "RBP(p=None)"], "p must be a number"),
    "parameter list": (["-m", "nDCG(discount=['a'])"], "discount must be"),
    "too deep": (["-m", "nDCG@99999999999999999999"], "depth may be at most"),
    "model from standard input": (["--model", "-"], "standard input"),
}


@pytest.mark.parametrize("case", MORE_BAD)
def test_more_calls_that_do_not_fit(case: str, twin: Path, run: Run) -> None:
    """Each is refused in words, with exit code 2."""
    options, words = MORE_BAD[case]
    result = run("score", "--judgments", twin / "first.qrels", "--runs", twin / "runs" / "run01.run", *options)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert words in result.stderr
