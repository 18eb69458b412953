"""`gainsayer plan` and `fit --plan` on the command line: files, messages, exit codes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.collections import draw_labels

FIRST, SECOND = draw_labels()
Run = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """first.qrels, and everybody's second opinion in second.qrels."""
    for name, labels in (("first", FIRST), ("second", SECOND)):
        lines = [f"{topic} 0 {d} {level}\n" for topic, documents in labels.items() for d, level in documents.items()]
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_study_from_plan_to_fit(folder: Path, run: Run) -> None:
    """Plan, judge what the list asks for, fit: all documents of the finished batches count, with their weights."""
    done = run("plan", "first.qrels", "--threshold", "2", "--budget", "200", "--seed", "3", "-o", "plan.json")
    assert done.exit_code == 0, done.output
    assert "Wrote plan.list.csv" in done.stderr
    rows = list(csv.DictReader((folder / "plan.list.csv").read_text().splitlines()))
    with (folder / "second.csv").open("w") as stream:
        print("topic,document,assessor,level", file=stream)
        for row in rows:
            topic, document = row["topic"], row["document"]
            print(f"{topic},{document},p{len(document)},{SECOND[topic][document]}", file=stream)
    done = run("fit", "first.qrels", "second.csv", "--plan", "plan.json", "--format", "json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["plan"]["batch"], found["pairs"], found["weighted"]) == (5, len(rows), True)


def test_the_table_answers_first(folder: Path, run: Run) -> None:
    """Sentences, then levels and levers; batches, variance and curve on demand."""
    done = run("plan", "first.qrels", "second.qrels", "--threshold", "2", "--within", "0.2", "--assessors", "8")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("All 900 documents are judged a second time: nothing is left to judge.")
    assert "Instead, or beyond" in done.stdout
    assert "Batches" not in done.stdout
    for name, words in (("batches", "Batches"), ("curve", "Half-width by number"), ("curve", "drawn evenly")):
        assert words in run("plan", "first.qrels", "--threshold", "2", "--budget", "90", "--table", name).stdout


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--threshold", "2", "--within", "0.001"), 1, "is the best that 30 topics allow"),
        (("--threshold", "2", "--budget", "90", "--assessors", "1"), 1, "one-assessor"),
        (("--threshold", "2"), 2, "exactly one of --within, --power and --budget"),
        (("--threshold", "2", "--power", "0.8"), 2, "--for difference"),
        (("--budget", "90"), 2, "give one --threshold"),
        (("--threshold", "2", "--budget", "90", "--for", "score"), 2, "needs --runs"),
        (("--threshold", "2", "--budget", "90", "--guess", "2=x"), 2, "--guess needs LEVEL=P"),
    ],
)
def test_faults_are_said_with_flags(folder: Path, run: Run, words: tuple[str, ...], code: int, message: str) -> None:
    """Exit 1 where the data is at fault, 2 where the call is."""
    done = run("plan", "first.qrels", *words)
    assert done.exit_code == code
    assert message in done.stderr


def test_a_plan_writes_over_no_input(folder: Path, run: Run) -> None:
    """Neither with the plan nor with its list."""
    (folder / "plan.list.csv").write_bytes((folder / "first.qrels").read_bytes())
    done = run(
        "plan", "first=plan.list.csv", "--input", "qrels", "--threshold", "2", "--budget", "90", "-o", "plan.json"
    )
    assert done.exit_code == 2
    assert "plan.list.csv" in done.stderr
    assert not (folder / "plan.json").exists()


def test_plan_and_list_are_written_together(folder: Path, run: Run) -> None:
    """Where the list cannot be written, neither is the plan."""
    (folder / "plan.list.csv").mkdir()
    done = run("plan", "first.qrels", "--threshold", "2", "--budget", "90", "-o", "plan.json")
    assert done.exit_code == 2
    assert "Cannot write plan.list.csv" in done.stderr
    assert not (folder / "plan.json").exists()


def test_other_formats_are_written_with_their_list(folder: Path, run: Run) -> None:
    """CSV holds the levels."""
    done = run("plan", "first.qrels", "--threshold", "2", "--budget", "90", "-o", "levels.csv", "--quiet")
    assert done.exit_code == 0, done.output
    assert (folder / "levels.csv").read_text().startswith("level,documents,")
    assert (folder / "levels.list.csv").read_text().startswith("topic,document,batch")
