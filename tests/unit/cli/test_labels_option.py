"""`--labels` in every command that scores: an error without it where documents have several labels, words with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import Result

Run = Callable[..., Result]
COMMANDS = {
    "score": ["score", "--judgments", "panel.csv", "--runs", "runs", "-m", "P@3"],
    "compare": ["compare", "--judgments", "panel.csv", "--runs", "runs", "-m", "P@3", "--threshold", "1"],
    "report": ["report", "--judgments", "panel.csv", "--runs", "runs", "--threshold", "1", "-o", "out.html"],
    "study": ["study", "gains", "--judgments", "panel.csv", "--runs", "runs", "--threshold", "1"],
    "export": ["export", "qrels", "panel.csv", "--gain", "0=0.1,1=0.5,2=0.9"],
}
QUICK = ["--resamples", "100", "--permutations", "100"]


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    """Eight topics of six documents, three of four workers on each."""
    rng = np.random.default_rng(5)
    rows = [
        (f"q{topic}", f"d{document}", f"w{worker}", int(np.clip(document // 2 + rng.integers(-1, 2), 0, 2)))
        for topic in range(8)
        for document in range(6)
        for worker in rng.choice(4, 3, replace=False)
    ]
    return pl.DataFrame(rows, ["query_id", "doc_id", "worker_id", "label"], orient="row")


@pytest.fixture
def folder(table: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The panel, the same with its rows shuffled, and two runs."""
    table.write_csv(tmp_path / "panel.csv")
    table.sample(fraction=1, shuffle=True, seed=1).write_csv(tmp_path / "mixed.csv")
    (tmp_path / "runs").mkdir()
    for name, sign in (("up", 1), ("down", -1)):
        lines = [f"q{t} Q0 d{d} 0 {sign * d} {name}" for t in range(8) for d in range(6)]
        (tmp_path / "runs" / f"{name}.run").write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_several_labels_need_a_rule_everywhere(command: str, folder: Path, run: Run) -> None:
    """Every command that scores refuses with the same words, exit code 2, and writes nothing."""
    result = run(*COMMANDS[command])
    assert result.exit_code == 2
    assert "48 of 48 documents have several labels (up to 3, from 4 assessors" in result.stderr
    assert "--labels mean" in result.stderr
    assert result.stdout == ""
    assert not (folder / "out.html").exists()


def test_mean_labels_count_each_label_alike(folder: Path, table: pl.DataFrame, run: Run) -> None:
    """P@3 with binary gains and mean labels is the mean share of relevant labels on the first three documents."""
    arguments = ["--labels", "mean", "--gains", "binary", "--threshold", "1", "--format", "json"]
    document = json.loads(run(*COMMANDS["score"], *arguments).stdout)
    shares = table.group_by("query_id", "doc_id").agg((pl.col("label") >= 1).mean().alias("share"))
    found = {row["run"]: row["value"] for row in document["rows"]}
    for name, best in (("up", ["d5", "d4", "d3"]), ("down", ["d0", "d1", "d2"])):
        assert found[name] == pytest.approx(shares.filter(pl.col("doc_id").is_in(best))["share"].mean(), abs=1e-12)
    assert document["labels"].startswith("all of w0, w1, w2, w3")
    assert document["policies"]["label_rule"] == "mean"


@pytest.mark.parametrize("rule", ["mean", "majority", "w2,w0,w1,w3"])
def test_the_order_of_rows_changes_no_score(rule: str, folder: Path, run: Run) -> None:
    """The same judgments with their rows shuffled give the same comparison, labels named alike."""
    seen = []
    for name in ("panel.csv", "mixed.csv"):
        arguments = [name if word == "panel.csv" else word for word in COMMANDS["compare"]]
        document = json.loads(run(*arguments, *QUICK, "--labels", rule, "--format", "json").stdout)
        document.pop("provenance")
        seen.append(document)
    assert seen[0] == seen[1]


def test_tables_say_whose_labels_scored(folder: Path, run: Run) -> None:
    """score, compare and study gains with their tables, the report in its page, export on standard error."""
    words = "the majority of w0, w1, w2, w3"
    for name, more in {"score": (), "compare": QUICK, "study": ()}.items():
        assert words in " ".join(run(*COMMANDS[name], *more, "--labels", "majority").stdout.split())
    assert words in run(*COMMANDS["export"], "--labels", "majority").stderr
    assert run(*COMMANDS["report"], *QUICK, "--labels", "majority").exit_code == 0
    assert words in (folder / "out.html").read_text()


def test_two_files_score_by_the_first(folder: Path, table: pl.DataFrame, run: Run) -> None:
    """Files are first and second as named; exchanged, the other one scores."""
    for name in ("w0", "w1"):
        part = table.filter(worker_id=name)
        lines = [f"{topic} 0 {document} {label}" for topic, document, _, label in part.rows()]
        (folder / f"{name}.qrels").write_text("\n".join(lines) + "\n")
    for pair in (["w0.qrels", "w1.qrels"], ["w1.qrels", "w0.qrels"]):
        result = run("score", "--judgments", *pair, "--runs", "runs", "--gains", "binary", "--format", "json")
        assert json.loads(result.stdout)["labels"] == pair[0].removesuffix(".qrels")
