"""People in `compare`: an oracle worked out by two other codes, to nine digits, and the words that go with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import Result
from tests.model.test_people_oracle import DOCUMENTS, FIRST, judgments, options, sides

import gainsayer as gs

Run = Callable[..., Result]
# The first labels of the two documents that each run has first, topic by topic.
TOPS = {"a": ("10", "10", "01", "00", "11"), "b": ("11", "01", "11", "01", "10")}
# layout, estimator: ends of run a's P@2, ends of a - b
EXPECTED = {
    ("one", "one-sided"): ([0.199709389, 1.0], [-0.396096344, 0.198841831]),
    ("one", "symmetric"): ([0.293068011, 0.784486696], [-0.379648334, 0.206013161]),
    ("two", "symmetric"): ([0.271097419, 0.848063977], [-0.374809692, 0.197852463]),
}
# In no file have the documents of a team each a first label of their own: those come alone, beside a model.
TEAM = {("team", "symmetric"): ([0.253695403, 0.906236188], [-0.470378161, 0.269180541])}
WHOM = {
    ("one", "one-sided"): "other topics and other people like these four",
    ("one", "symmetric"): "other topics and other second opinions like these four",
    ("two", "symmetric"): "other topics and other people like these four and four",
}


def run_of(name: str) -> pl.DataFrame:
    """A run whose first two documents have these first labels."""
    rows = []
    for topic, (line, wanted) in enumerate(zip(DOCUMENTS, TOPS[name], strict=True)):
        left = [(place, document[0]) for place, document in enumerate(line.split())]
        for rank, label in enumerate(wanted):
            found = next(entry for entry in left if entry[1] == label)
            left.remove(found)
            rows.append((f"t{topic}", f"d{found[0]}", 10.0 - rank))
    return pl.DataFrame(rows, schema=["topic", "document", "score"], orient="row")


@pytest.mark.parametrize(("layout", "estimator"), EXPECTED)
def test_ends_are_those_of_the_oracle(layout: str, estimator: str) -> None:
    """Scores and differences of P@2 in Python, to the nine digits that are printed, and for whom they are."""
    found = gs.compare(
        judgments(layout),
        {name: run_of(name) for name in TOPS},
        measures=["P@2"],
        threshold="1",
        gains="prm",
        estimator=estimator,  # type: ignore[arg-type]
        labels="F" if layout == "one" else FIRST,
        **sides(layout),  # type: ignore[arg-type]
    ).comparison
    part = found.parts[0]
    score, difference = EXPECTED[layout, estimator]
    assert part.standings.interval[0] == pytest.approx(score, abs=6e-10)
    assert part.differences is not None
    assert part.differences.interval[0] == pytest.approx(difference, abs=6e-10)
    assert found.whom(part) == WHOM[layout, estimator]
    assert found.panel is not None
    assert (found.panel.caveat is not None) == ((layout, estimator) == ("one", "symmetric"))


def write_runs(folder: Path) -> list[Path]:
    """Both runs as files."""
    for name in TOPS:
        lines = [f"{topic} Q0 {document} 0 {score} {name}" for topic, document, score in run_of(name).rows()]
        (folder / f"{name}.run").write_text("\n".join(lines) + "\n")
    return [folder / f"{name}.run" for name in TOPS]


def check(done: Result, score: list[float], difference: list[float]) -> dict[str, Any]:
    """The ends of run a's score and of a - b."""
    document: dict[str, Any] = json.loads(done.stdout)
    [found] = [row for row in document["runs"] if row["run"] == "a"]
    assert found["scores"][0]["interval"] == pytest.approx(score, abs=6e-10)
    assert document["differences"][0]["interval"] == pytest.approx(difference, abs=6e-10)
    assert document["over"] == "topics and people"
    return document


@pytest.mark.parametrize(("layout", "estimator"), EXPECTED)
def test_the_command_gives_the_same(tmp_path: Path, run: Run, layout: str, estimator: str) -> None:
    """From files; the JSON says over whom, and the table in words."""
    judgments(layout).write_csv(tmp_path / "both.csv")
    files = [tmp_path / "both.csv", "--runs", *write_runs(tmp_path)]
    asked = [*options(layout, estimator), "--labels", ",".join(sides(layout)["first"]), "--gains", "prm", "-m", "P@2"]
    document = check(run("compare", *files, *asked, "--format", "json"), *EXPECTED[layout, estimator])
    assert document["people"] == ([4, 4] if layout == "two" else [1, 4])
    assert document["effective_people"] == pytest.approx([3.66 if layout == "two" else None, 4.0], abs=0.01)
    assert WHOM[layout, estimator] in " ".join(run("compare", *files, *asked).stdout.split())


@pytest.mark.parametrize(("layout", "estimator"), EXPECTED | TEAM)
def test_a_model_file_gives_the_same(tmp_path: Path, run: Run, layout: str, estimator: str) -> None:
    """`fit -o`, then `compare --model` with the first labels alone: its pairs and people are in the file."""
    model, every = tmp_path / "model.json", judgments(layout)
    every.write_csv(tmp_path / "both.csv")
    every.unique(["topic", "document"], keep="first").write_csv(tmp_path / "first.csv")
    assert run("fit", tmp_path / "both.csv", *options(layout, estimator), "-o", model).exit_code == 0
    files = [tmp_path / "first.csv", "--runs", *write_runs(tmp_path), "--model", model]
    done = run("compare", *files, "--gains", "prm", "-m", "P@2", "--format", "json")
    check(done, *(EXPECTED | TEAM)[layout, estimator])


def test_three_people_are_too_few(judge: Callable[..., gs.Judgments]) -> None:
    """The intervals are over topics, for these three, with a warning; one name on each side has none."""
    rng = np.random.default_rng(3)
    rows = []
    for topic in range(12):
        for document in range(8):
            rows.append((f"q{topic:02}", f"d{document}", "A", str(rng.integers(2))))
            rows.append((f"q{topic:02}", f"d{document}", f"U{rng.integers(3)}", str(rng.integers(2))))
    alone = [(topic, document, who[0], label) for topic, document, who, label in rows]
    names = [f"q{topic:02}" for topic in range(12)]
    runs = [
        {name: {f"d{place}": float(x) for place, x in enumerate(rng.random(8))} for name in names} for _ in range(2)
    ]
    for said, whom, few in (
        (rows, "other topics, for these three assessors", True),
        (alone, "other topics, for these assessors", False),
    ):
        found = gs.compare(
            judge(said),
            {"a": runs[0], "b": runs[1]},
            measures=["P@3"],
            gains="prm",
            first="A",
            labels="A",
            estimator="one-sided",
        ).comparison
        assert found.whom(found.parts[0]) == whom
        assert ("few-assessors" in [finding.code for finding in found.findings]) == few
