"""The oracle of people in `fit`: documents whose intervals were worked out by two other codes, to nine digits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from click.testing import Result

import gainsayer as gs

Run = Callable[..., Result]
# topic: first label, second label and second person of each document
DOCUMENTS = (
    "000 011 112 113 110 002",
    "001 111 100 013 002",
    "112 103 000 001 012 110",
    "103 111 002 003 000",
    "000 112 103 011 111 003",
)
FIRST, SECOND = ["A0", "A1", "A2", "A3"], ["B0", "B1", "B2", "B3"]
# layout, estimator, ends of levels 0 and 1
EXPECTED = {
    ("one", "one-sided"): [[0.053620257, 0.700045632], [0.049177938, 0.989886732]],
    ("one", "symmetric"): [[0.061351872, 0.669209776], [0.257744539, 0.935811198]],
    ("two", "symmetric"): [[0.081487077, 0.598473740], [0.303261285, 0.920829865]],
    ("team", "symmetric"): [[0.004033920, 0.970280239], [0.030903953, 0.993740278]],
}


def judgments(layout: str) -> pl.DataFrame:
    """One name on the first side, two teams, or one team of five."""
    rows = []
    for topic, line in enumerate(DOCUMENTS):
        for place, (i, j, k) in enumerate(line.split()):
            first, second = "F", f"B{k}"
            if layout == "two":
                first = f"A{place % 4}"
            if layout == "team":
                first, second = f"P{(int(k) + 1 + place % 4) % 5}", f"P{k}"
            rows += [(f"t{topic}", f"d{place}", first, i), (f"t{topic}", f"d{place}", second, j)]
    return pl.DataFrame(rows, schema=["topic", "document", "assessor", "label"], orient="row")


def sides(layout: str) -> dict[str, list[str]]:
    """Who is first, and who is second."""
    return {} if layout == "team" else {"first": ["F"] if layout == "one" else FIRST, "second": SECOND}


@pytest.mark.parametrize(("layout", "estimator"), EXPECTED)
def test_ends_are_those_of_the_oracle(layout: str, estimator: str) -> None:
    """In Python: to the nine digits that are printed; the default is over people, too, as four people are enough."""
    found = gs.fit(judgments(layout), threshold="1", estimator=estimator, **sides(layout))  # type: ignore[arg-type]
    document = found.document()
    assert document["over"] == "topics and people"
    ends = [level["interval"] for level in document["levels"]]  # type: ignore[index, union-attr]
    for level, expected in zip(ends, EXPECTED[layout, estimator], strict=True):
        assert level == pytest.approx(expected, abs=6e-10)


def test_variances_are_those_of_the_oracle() -> None:
    """V_T, V_P, V_N and K* - 1 of level 0 with two teams."""
    found = gs.fit(judgments("two"), threshold="1", estimator="symmetric", **sides("two"))  # type: ignore[arg-type]
    spread = found.predictions[0].spread
    assert spread is not None
    assert spread.topics[0] == pytest.approx(0.048143898, abs=6e-10)
    assert sorted(spread.people[:, 0]) == pytest.approx([0.079018019, 0.281120468], abs=6e-10)
    assert sorted(spread.noise[:, 0]) == pytest.approx([0.182353075, 0.200295783], abs=6e-10)
    assert sorted(spread.people_degrees[:, 0]) == pytest.approx([2.571428571, 2.913043478], abs=6e-10)


def options(layout: str, estimator: str) -> list[str]:
    """Of the command."""
    named = [word for side, names in sides(layout).items() for word in (f"--{side}", ",".join(names))]
    return [*named, "--estimator", estimator, "--threshold", "1"]


@pytest.mark.parametrize(("layout", "estimator"), EXPECTED)
def test_the_command_gives_the_same(tmp_path: Path, run: Run, layout: str, estimator: str) -> None:
    """From a CSV file."""
    judgments(layout).write_csv(tmp_path / "both.csv")
    document = json.loads(run("fit", tmp_path / "both.csv", *options(layout, estimator), "--format", "json").stdout)
    for level, expected in zip(document["levels"], EXPECTED[layout, estimator], strict=True):
        assert level["interval"] == pytest.approx(expected, abs=6e-10)
    assert document["people"] == {"one": [1, 4], "two": [4, 4], "team": [5]}[layout]


@pytest.mark.parametrize(("estimator", "named"), [("one-sided", True), ("symmetric", True), ("symmetric", False)])
def test_one_qrels_file_and_a_table_give_the_same(tmp_path: Path, run: Run, estimator: str, named: bool) -> None:
    """The names of the table count; without sides, too, whoever made every pair is none of those left out."""
    rows = judgments("one").rows()
    first = "".join(f"{topic} 0 {document} {label}\n" for topic, document, who, label in rows if who == "F")
    (tmp_path / "first.qrels").write_text(first)
    judgments("one").filter(pl.col("assessor") != "F").write_csv(tmp_path / "second.csv")
    asked = ["--first", "first"] if named else []
    files = [tmp_path / "first.qrels", tmp_path / "second.csv"]
    done = run("fit", *files, *asked, "--estimator", estimator, "--threshold", "1", "--format", "json")
    document = json.loads(done.stdout)
    for level, expected in zip(document["levels"], EXPECTED["one", estimator], strict=True):
        assert level["interval"] == pytest.approx(expected, abs=6e-10)
    assert document["people"] == ([1, 4] if named else [4])
