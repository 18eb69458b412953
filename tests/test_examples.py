"""The examples run as they are, and say what they promise."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
CSFCUBE = [[3369, 844, 183, 11], [669, 483, 148, 22], [114, 159, 102, 24], [14, 25, 36, 24]]


def run_example(name: str, *arguments: str | Path, folder: Path) -> list[str]:
    """The lines that an example prints; warnings are errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_every_example_is_tested() -> None:
    """No example is without a test, here or among the tests of what it needs."""
    files = Path(__file__).parent.rglob("test_example*.py")
    tested = "".join(path.read_text(encoding="utf-8") for path in files)
    assert [path.name for path in EXAMPLES.glob("*.py") if f'"{path.name}"' not in tested] == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_example_says_what_it_does(path: Path) -> None:
    """Every example begins with a docstring that shows how to call it."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring
    assert f"python examples/{path.name}" in docstring


def test_csfcube_gives_the_known_matrix(shared_data: Callable[[str], Path], tmp_path: Path) -> None:
    """CSFCube's counts over all facets are the known ones, and every threshold has four gains."""
    lines = run_example("csfcube.py", shared_data("csfcube"), folder=tmp_path)
    assert ast.literal_eval(lines[0]) == CSFCUBE
    assert sum(line.startswith("  level ") for line in lines) == 12


def test_two_qrels_finds_the_truth(tmp_path: Path) -> None:
    """The example reads back what it wrote; on its seed every interval holds the truth."""
    lines = run_example("two_qrels.py", tmp_path, folder=tmp_path)
    assert (tmp_path / "collection" / "first.qrels").is_file()
    rows = [line.replace("[", "").replace("]", "").replace(",", "").split() for line in lines if " truth " in line]
    assert [row[0] for row in rows] == ["Non", "Rel", "HRel", "Key"]
    assert all(float(low) <= float(truth) <= float(high) for _, _, low, high, _, truth in rows)


def test_machine_judge_is_one_sided(tmp_path: Path) -> None:
    """The machine's levels are distinguished, and its generosity is noticed."""
    lines = run_example("machine_judge.py", folder=tmp_path)
    assert float(lines[0].rpartition("=")[2]) < 0.05
    values = [float(line.split()[1]) for line in lines[2:]]
    assert len(values) == 4
    assert values == sorted(values)


def test_scores_are_those_of_ir_measures(tmp_path: Path) -> None:
    """The example prints what ir_measures computes from the same dicts."""
    ir_measures = pytest.importorskip("ir_measures")
    qrels = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 0, "d4": 1}}
    run = {"q1": {"d3": 3.0, "d1": 2.0, "d9": 1.0}, "q2": {"d1": 2.0, "d4": 1.0}}
    names = ["nDCG@10", "AP", "P@1"]
    expected = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in names], qrels, run)
    printed = dict(line.split() for line in run_example("score_like_ir_measures.py", folder=tmp_path)[1:])
    assert {str(name): round(value, 5) for name, value in expected.items()} == {
        name: round(float(value), 5) for name, value in printed.items()
    }


def test_the_notebook_runs_as_a_script(tmp_path: Path) -> None:
    """The notebook is a script, too; as a notebook it runs among the neighbours' tests."""
    assert run_example("notebook.py", folder=tmp_path) == ["best: run01"]


def test_two_runs_are_docstring_apart(tmp_path: Path) -> None:
    """The better of two simulated systems is found better, from data frames."""
    pytest.importorskip("pandas")
    lines = run_example("two_runs.py", folder=tmp_path)
    assert [line.split()[0] for line in lines[1:-1]] == ["bm25", "bm25", "dense", "dense"]
    assert ast.literal_eval(lines[-1]) == ["worse"]


def test_twenty_documents_are_worth_what_the_paper_says(tmp_path: Path) -> None:
    """p(R|i) is 1/13, 5/17, 4/10; NumRel@10 sums the gains of the first ten of U1's labels."""
    lines = run_example("twenty_documents.py", folder=tmp_path)
    assert lines[:3] == ["level 0: 0.0769", "level 1: 0.2941", "level 2: 0.4000"]
    gains = [1 / 13, 5 / 17, 4 / 10]
    assert f"{sum(gains[level] for level in (2, 2, 1, 0, 1, 1, 0, 1, 2, 1)):.4f}" in lines[-2]


def test_from_pandas_reads_arrow(tmp_path: Path) -> None:
    """pandas and pyarrow give the same judgments; an empty rating is a missing one."""
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    lines = run_example("from_pandas.py", folder=tmp_path)
    assert lines[0].startswith("Judgments(11 judgments of 6 documents, 2 topics, assessors ann, bob, eve")
    assert "the same from pyarrow: True" in lines


def test_m_of_n_compares_gains(tmp_path: Path) -> None:
    """Nine schemes of gains; one of three users is easier to please than one, and than all three."""
    lines = run_example("m_of_n.py", folder=tmp_path)
    assert len(lines) == 10
    key = {line[:18].strip(): float(line.split()[-1]) for line in lines[1:]}
    assert key["prm-3-of-3"] < key["prm"] < key["prm-1-of-3"] < key["udm"] == 1


def test_fedweb_like_has_the_shape_of_the_papers_collection(tmp_path: Path) -> None:
    """50 topics, 24 of them judged twice, 157 resources that return something for each, 15 runs of either kind."""
    run_example("fedweb_like.py", "fedweb", folder=tmp_path)
    for name in ("pages", "snippets"):
        rows = [line.split() for line in (tmp_path / "fedweb" / name / "second.qrels").read_text().splitlines()]
        assert len({row[0] for row in rows}) == 24
        assert {row[3] for row in rows} == {"0", "1", "2", "3"}
    returned = [line.split() for line in (tmp_path / "fedweb" / "resources.tsv").read_text().splitlines()[1:]]
    assert len({topic for topic, _, _ in returned}) == 50
    assert len({(topic, resource) for topic, resource, _ in returned}) == 50 * 157
    for folder in ("pages/runs", "selection"):
        assert len(list((tmp_path / "fedweb" / folder).iterdir())) == 15
    intents = {tuple(line.split()[:2]) for line in (tmp_path / "fedweb/intents/first.qrels").read_text().splitlines()}
    assert len(intents) == 50
    assert {intent for _, intent in intents} == {"1", "2"}
