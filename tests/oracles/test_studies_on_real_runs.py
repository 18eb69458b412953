"""`study` on published runs and judgments, against scores and correlations that others compute."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from scipy.stats import kendalltau

pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval scores the runs independently")

Find = Callable[[str], Path]
Run = Callable[..., Result]
Qrels = Mapping[str, Mapping[str, int]]


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """A qrels file, line by line."""
    table: dict[str, dict[str, int]] = {}
    for line in path.read_text().splitlines():
        topic, _, document, level = line.split()
        table.setdefault(topic, {})[document] = int(level)
    return table


@cache
def read_runs(folder: Path) -> list[dict[str, dict[str, float]]]:
    """Every run of a folder in the order of file names, line by line."""
    tables = []
    for path in sorted(folder.iterdir()):
        table: dict[str, dict[str, float]] = {}
        with gzip.open(path, "rt") as lines:
            for line in lines:
                topic, _, document, _, value, _ = line.split()
                table.setdefault(topic, {})[document] = float(value)
        tables.append(table)
    return tables


def score(folder: Path, qrels: Qrels, worth: Callable[[int], int]) -> list[float]:
    """Mean ndcg_cut_10 by pytrec_eval of every run in the order of file names; a missing topic scores 0."""
    mapped = {topic: {name: worth(level) for name, level in labels.items()} for topic, labels in qrels.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(mapped, {"ndcg_cut_10"})
    means = []
    for table in read_runs(folder):
        scores = evaluator.evaluate({topic: documents for topic, documents in table.items() if topic in mapped})
        means.append(sum(entry["ndcg_cut_10"] for entry in scores.values()) / len(mapped))
    return means


def ask(run: Run, *arguments: str | Path) -> dict[str, Any]:
    """The JSON that a study prints."""
    result = run("study", *arguments, "--format", "json", "--quiet")
    assert result.exit_code == 0, result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return document


WORTH: dict[str, Callable[[int], int]] = {
    "binary": lambda level: int(level >= 2),
    "linear": lambda level: level,
    "exponential": lambda level: 2**level - 1,
}


def test_dl21_robustness_is_scipys_tau_of_pytrec_evals_scores(shared_data: Find, run: Run) -> None:
    """63 runs by NIST and by GPT-4: scores are pytrec_eval's, and tau-b is SciPy's, for every kind of gains."""
    runs, folder = shared_data("dl21/runs"), shared_data("dl21/assessors")
    files = (folder / "nist.qrels", folder / "umbrela-gpt4.qrels")
    options = ("--runs", runs, "--threshold", "2", "--no-relevant", "keep", "--ties", "trec9")
    found = ask(run, "robustness", "--judgments", *files, *options)["results"][0]
    sides = [read_qrels(path) for path in files]
    assert (len(found["runs"]), found["topics"], found["skipped_topics"]) == (63, 53, 0)
    rows = {row["gains"]: row for row in found["rows"]}
    values = [round(1_000_000 * value) for value in rows["prm"]["values"]]
    for gains, worth in (WORTH | {"prm": lambda level: values[level]}).items():
        columns = []
        for side, qrels in zip(("first", "second"), sides, strict=True):
            expected = score(runs, qrels, worth)
            assert rows[gains][side] == pytest.approx(expected, abs=1e-5 if gains == "prm" else 1e-9)
            columns.append(expected)
        assert rows[gains]["tau_b"] == pytest.approx(kendalltau(*columns).statistic, abs=1e-12)


def test_dl21_scores_by_nist_are_the_published_ones(shared_data: Find, run: Run) -> None:
    """With NIST's labels and linear gains the study's scores are the mean of the published nDCG@10 of each topic."""
    folder = shared_data("dl21/assessors")
    files = (folder / "nist.qrels", folder / "umbrela-gpt4.qrels")
    options = ("--runs", shared_data("dl21/runs"), "--threshold", "2", "--no-relevant", "keep", "--ties", "trec9")
    found = ask(run, "gains", "--judgments", *files, *options, "-m", "nDCG@10")["results"][0]
    lines = shared_data("dl21/expected/ndcg_cut_10.csv").read_text().splitlines()[1:]
    published: dict[str, list[float]] = {}
    for name, topic, value in (line.split(",") for line in lines):
        if topic != "average":
            published.setdefault(name, []).append(float(value))
    ours = dict(zip(found["runs"], found["scores"]["linear"], strict=True))
    common = sorted(set(ours) & set(published))
    assert len(common) >= 60
    assert {len(published[name]) for name in common} == {53}
    for name in common:
        assert ours[name] == pytest.approx(np.mean(published[name]), abs=1e-4), name


def test_dl21_gains_are_scipys_tau(shared_data: Find, run: Run) -> None:
    """Ten pairs of gains on 63 runs, with one command: tau-b is SciPy's of the scores that are shown."""
    folder = shared_data("dl21/assessors")
    files = (folder / "nist.qrels", folder / "umbrela-gpt4.qrels")
    document = ask(run, "gains", "--judgments", *files, "--runs", shared_data("dl21/runs"))
    assert [entry["threshold"] for entry in document["results"]] == ["3", "2", "1"]
    for entry in document["results"]:
        assert len(entry["pairs"]) == 10
        for pair in entry["pairs"]:
            columns = entry["scores"][pair["a"]], entry["scores"][pair["b"]]
            assert pair["tau_b"] == pytest.approx(kendalltau(*columns).statistic, abs=1e-12)
    assert document["seed"] == 0


def annotators(shared_data: Find) -> list[str | Path]:
    """The eight annotators of DL19, named pair by pair."""
    folder = shared_data("dl19/annotators")
    sides = {side: ",".join(f"pair{pair}-{side}" for pair in range(1, 5)) for side in ("first", "second")}
    return ["--judgments", *sorted(folder.glob("*.qrels")), "--first", sides["first"], "--second", sides["second"]]


def test_dl19_robustness_agrees_with_pytrec_eval(shared_data: Find, run: Run) -> None:
    """61 runs by four annotators and by their four partners: scores are pytrec_eval's, tau-b is SciPy's."""
    runs = shared_data("dl19/runs")
    options = ("--runs", runs, "--threshold", "2", "--no-relevant", "keep", "--ties", "trec9")
    found = ask(run, "robustness", *annotators(shared_data), *options)["results"][0]
    assert (len(found["runs"]), found["topics"], found["measure"]) == (61, 43, "nDCG@10")
    rows = {row["gains"]: row for row in found["rows"]}
    columns = []
    for side in ("first", "second"):
        labels: dict[str, dict[str, int]] = {}
        for pair in range(1, 5):  # one result was judged by two pairs: the first one's label counts
            for topic, documents in read_qrels(shared_data(f"dl19/annotators/pair{pair}-{side}.qrels")).items():
                labels[topic] = documents | labels.get(topic, {})
        columns.append(score(runs, labels, WORTH["linear"]))
        assert rows["linear"][side] == pytest.approx(columns[-1], abs=1e-9)
    assert rows["linear"]["tau_b"] == pytest.approx(kendalltau(*columns).statistic, abs=1e-12)
    assert rows["prm"]["tau_b"] > rows["binary"]["tau_b"]


def test_dl19_topics_deviate_by_the_published_topic_errors(shared_data: Find, run: Run) -> None:
    """The deviation over draws of 43 topics is near .0324, .0369, .0517, .0544 at threshold 2."""
    document = ask(run, "topics", *annotators(shared_data), "--threshold", "2", "--draws", "4000")
    levels = document["results"][0]["levels"]
    deviations = [entry["standard_deviation"] for entry in levels]
    assert deviations == pytest.approx([0.0324, 0.0369, 0.0517, 0.0544], rel=0.06)
    assert np.std(levels[3]["draws"], ddof=1) == pytest.approx(deviations[3])


def test_dl19_what_runs_rank_first_is_relevant_more_often_at_every_level(shared_data: Find, run: Run) -> None:
    """Every level has a higher p(R|i) within depth 1 of the runs than within depth 100: a rank says more (T3)."""
    runs = ("--runs", shared_data("dl19/runs"), "--by", "depth", "--steps", "1,100")
    steps = ask(run, "quality", *annotators(shared_data), "--threshold", "2", *runs)["results"][0]["steps"]
    for early, late in zip(steps[0]["levels"], steps[1]["levels"], strict=True):
        assert early["symmetric"] > late["symmetric"]
        assert early["one_sided"] > late["one_sided"]


def test_dl19_nist_and_annotators_judged_different_documents(shared_data: Find, run: Run) -> None:
    """NIST judged many documents that the annotators did not: it is said, and --common-documents mends it."""
    files = [shared_data("dl19/nist.qrels"), *sorted(shared_data("dl19/annotators").glob("*.qrels"))]
    people = ",".join(path.stem for path in files[1:])
    sides = ("--first", "nist", "--second", people, "--pairing", "all")
    arguments = ("--judgments", *files, *sides, "--runs", shared_data("dl19/runs"))
    for flag, said in (((), True), (("--common-documents",), False)):
        document = ask(run, "robustness", *arguments, "--threshold", "2", *flag)
        codes = [warning["code"] for warning in document["warnings"]]
        assert ("different-documents" in codes) is said
        assert all(row["tau_b"] is not None for row in document["results"][0]["rows"])
