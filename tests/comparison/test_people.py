"""People in `compare`: an oracle worked out by two other codes, to nine digits, and the words that go with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import Result
from tests.model.test_people_oracle import DOCUMENTS, FIRST, SECOND, judgments, sides

import gainsayer as gs
from gainsayer.comparison import compare_runs
from gainsayer.gains import prm_scheme
from gainsayer.measures import parse_measure
from gainsayer.model import count_pairs, estimate_disagreement
from gainsayer.rankings import ranked_from_lists

Run = Callable[..., Result]
# The first labels of the two documents that each run has first, topic by topic.
TOPS = {"a": ("10", "10", "01", "00", "11"), "b": ("11", "01", "11", "01", "10")}
# layout, estimator: ends of run a's P@2, ends of a - b
EXPECTED = {
    ("one", "one-sided"): ([0.199709389, 1.0], [-0.396096344, 0.198841831]),
    ("one", "symmetric"): ([0.293068011, 0.784486696], [-0.379648334, 0.206013161]),
    ("two", "symmetric"): ([0.271097419, 0.848063977], [-0.374809692, 0.197852463]),
}
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


def test_one_team_is_that_of_the_oracle() -> None:
    """Five people who judge in either role, the first labels scoring."""
    model = estimate_disagreement(count_pairs(gs.read_judgments(judgments("team"))))
    pool = {
        f"t{topic}": [sum(document[0] == level for document in line.split()) for level in "01"]
        for topic, line in enumerate(DOCUMENTS)
    }
    lists = {f"t{topic}": [int(label) for label in wanted] for topic, wanted in enumerate(TOPS["a"])}
    run = ranked_from_lists(lists, pool, levels=model.levels, name="a")
    found = compare_runs([run], [parse_measure("P@2")], [prm_scheme(model, model.levels.at_or_above("1"))])
    assert found.parts[0].standings.interval[0] == pytest.approx([0.253695403, 0.906236188], abs=6e-10)


def test_the_command_gives_the_same(tmp_path: Path, run: Run) -> None:
    """From files; the JSON says over whom, and the table in words."""
    judgments("two").write_csv(tmp_path / "two.csv")
    for name in TOPS:
        lines = [f"{topic} Q0 {document} 0 {score} {name}" for topic, document, score in run_of(name).rows()]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    options = ["--first", ",".join(FIRST), "--second", ",".join(SECOND), "--labels", ",".join(FIRST)]
    options += ["--estimator", "symmetric", "--threshold", "1", "--gains", "prm", "-m", "P@2"]
    files = [tmp_path / "two.csv", "--runs", tmp_path / "a.run", tmp_path / "b.run"]
    document = json.loads(run("compare", *files, *options, "--format", "json").stdout)
    assert document["differences"][0]["interval"] == pytest.approx(EXPECTED["two", "symmetric"][1], abs=6e-10)
    assert (document["over"], document["people"]) == ("topics and people", [4, 4])
    assert document["effective_people"] == pytest.approx([3.66, 4.0], abs=0.01)
    assert "other people like these four and four" in " ".join(run("compare", *files, *options).stdout.split())


@pytest.mark.parametrize(("layout", "estimator"), EXPECTED)
def test_a_model_file_gives_the_same(tmp_path: Path, run: Run, layout: str, estimator: str) -> None:
    """`fit -o`, then `compare --model` with the first side's labels alone: its pairs and people are in the file."""
    every, model = judgments(layout), tmp_path / "model.json"
    named = sides(layout)
    every.write_csv(tmp_path / "both.csv")
    every.filter(pl.col("assessor").is_in(named["first"])).write_csv(tmp_path / "first.csv")
    for name in TOPS:
        lines = [f"{topic} Q0 {document} 0 {score} {name}" for topic, document, score in run_of(name).rows()]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    options = [word for side, names in named.items() for word in (f"--{side}", ",".join(names))]
    run("fit", tmp_path / "both.csv", *options, "--estimator", estimator, "--threshold", "1", "-o", model)
    labels = ["--labels", ",".join(named["first"])] if layout == "two" else []
    files = [tmp_path / "first.csv", "--runs", tmp_path / "a.run", tmp_path / "b.run", "--model", model, *labels]
    done = run("compare", *files, "--gains", "prm", "-m", "P@2", "--format", "json")
    document = json.loads(done.stdout)
    score, difference = EXPECTED[layout, estimator]
    [found] = [row for row in document["runs"] if row["run"] == "a"]
    assert found["scores"][0]["interval"] == pytest.approx(score, abs=6e-10)
    assert document["differences"][0]["interval"] == pytest.approx(difference, abs=6e-10)
    assert document["over"] == "topics and people"


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
