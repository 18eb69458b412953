"""FedWeb13's public files: published nDCG@20, resource qrels, and the oracle of resource selection."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Find = Callable[[str], Path]
Run = Callable[..., Result]
RULE = r"(?P<resource>.+)-\d+-(?P<rank>\d+)"


def test_published_ndcg(shared_data: Find, run: Run) -> None:
    """nDCG@20 of the nine published .eval files, gain 2^code - 1 on the stored codes, every topic and the mean."""
    folder = shared_data("fedweb13")
    compared = 0
    for path in sorted((folder / "eval").glob("*.eval")):
        qrels = folder / ("FW13-QRELS-RM.txt" if "-RM-" in path.name else "FW13-QRELS-RS.txt")
        arguments = ["--judgments", qrels, "--runs", folder / "runs" / f"{path.stem}.res.gz", "-m", "nDCG@20"]
        result = run("score", *arguments, "--gains", "exponential", "--per-topic", "--format", "csv", "--quiet")
        assert result.exit_code == 0, result.stderr
        found = {row["topic"]: float(row["value"]) for row in csv.DictReader(result.stdout.splitlines())}
        with path.open() as stream:
            expected = {row["topic"]: row["ndcg@20"] for row in csv.DictReader(stream)}
        mean = expected.pop("amean", None)
        assert {topic: f"{found[topic]:.5f}" for topic in expected} == expected, path.name
        assert mean is None or f"{found['all']:.5f}" == mean
        compared += len(expected)
    assert compared >= 400


def test_resource_qrels_follow_from_result_qrels(shared_data: Find, run: Run, tmp_path: Path) -> None:
    """round(100 x sum of gains / 10), gains 0, .25, .5, 1: all 4,124 rows but 16, by the rounding of 57.5."""
    folder = shared_data("fedweb13")
    (tmp_path / "gains.json").write_text(json.dumps({"0": 0, "1": 0.25, "3": 0.5, "7": 1}))
    rows = [line.split() for line in (folder / "FW13-QRELS-RS.txt").read_text().splitlines()]
    totals: defaultdict[tuple[str, str], float] = defaultdict(float)
    worth = {"0": 0.0, "1": 0.25, "3": 0.5, "7": 1.0}
    for line in (folder / "FW13-QRELS-RM.txt").read_text().splitlines():
        topic, _, document, level = line.split()
        totals[topic, document.rsplit("-", 2)[0]] += worth[level]
    wrong = [
        (100 * totals[topic, name] / 10, value)
        for topic, _, name, value in rows
        if int(100 * totals[topic, name] / 10 + 0.5) != int(value)
    ]
    assert len(rows) == 4124
    assert Counter(exact for exact, _ in wrong) == {57.5: 16}
    # The same sums through the command: each resource alone, as a run with one resource for a topic.
    topic, _, name, value = next(row for row in rows if 0 < int(row[3]) < 100)
    (tmp_path / "one.run").write_text(f"{topic} Q0 {name} 1 1.0 one\n")
    arguments = ["--judgments", folder / "FW13-QRELS-RM.txt", "--runs", tmp_path / "one.run", "-m", "NumRel"]
    selection = ["--resources", "1", "--resource-rule", RULE, "--gains", tmp_path / "gains.json"]
    result = run("score", *arguments, *selection, "--per-topic", "--format", "csv", "--quiet")
    found = {row["topic"]: float(row["value"]) for row in csv.DictReader(result.stdout.splitlines())}
    assert int(10 * found[topic] + 0.5) == int(value)


@pytest.mark.parametrize(
    ("threshold", "gains", "prm", "binary"),
    [
        ("7", {"0": 0.01, "1": 0.04, "3": 0.27, "7": 0.53}, "8.58", "12.14"),
        ("1", {"0": 0.08, "1": 0.46, "3": 0.88, "7": 0.93}, "20.60", "25.24"),
    ],
)
def test_oracle_of_resource_selection(
    threshold: str,
    gains: dict[str, float],
    prm: str,
    binary: str,
    shared_data: Find,
    run: Run,
    tmp_path: Path,
) -> None:
    """With the paper's parameters the oracle has 8.58 / 12.14 and 20.60 / 25.24: the public file is the smaller one."""
    folder = shared_data("fedweb13")
    (tmp_path / "prm.json").write_text(json.dumps(gains))
    arguments = ["--judgments", folder / "FW13-QRELS-RM.txt", "--runs", folder / "runs" / "cmu-RS-dirichlet-G.res.gz"]
    selection = ["--resources", "3", "--resource-rule", RULE, "--oracle", "--threshold", threshold]
    kinds = ["--gains", f"{tmp_path / 'prm.json'},binary"]
    result = run("score", *arguments, *selection, *kinds, "-m", "NumRel", "--format", "csv", "--quiet")
    rows = [row for row in csv.DictReader(result.stdout.splitlines()) if row["run"] == "oracle"]
    assert [f"{float(row['value']):.2f}" for row in rows] == [prm, binary]
