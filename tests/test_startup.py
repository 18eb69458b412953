"""What a command waits for: each loads the large packages it uses, and no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gainsayer.datasets.paper import twenty_documents

LARGE = (
    *("concurrent.futures", "json", "pathlib"),
    *("altair", "jinja2", "numpy", "pandas", "polars", "pyarrow", "rich", "scipy", "scipy.stats"),
    *("gainsayer.comparison", "gainsayer.counts", "gainsayer.disagreement.estimate", "gainsayer.planning.plans"),
    *("gainsayer.presentation.figures.drawing", "gainsayer.tables.parquet_trial"),
)
CODE = """\
import sys
from gainsayer.cli import gainsayer
try:
    gainsayer(sys.argv[2:], prog_name="gainsayer")
except SystemExit as end:
    assert end.code == int(sys.argv[1]), end.code
print(*(name for name in {large!r} if name in sys.modules), file=sys.stderr)
"""
ESTIMATES = "gainsayer.counts gainsayer.disagreement.estimate"
SCORE = "score --judgments U1.qrels --runs a.run b.run -m nDCG@10 -m AP"
COMPARE = SCORE.replace("score", "compare")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The twenty documents as qrels of two assessors, and two small runs."""
    place = tmp_path_factory.mktemp("startup")
    judgments = twenty_documents()
    rows = judgments.frame().rows()
    for name in judgments.assessors:
        lines = [f"{topic} 0 {document} {level}\n" for topic, document, who, level in rows if who == name]
        (place / f"{name}.qrels").write_text("".join(lines))
    documents = [(topic, document) for topic, document, who, _ in rows if who == "U1"]
    for run, scores in (("a", range(20, 0, -1)), ("b", range(20))):
        lines = [f"{topic} Q0 {name} 1 {score} {run}\n" for (topic, name), score in zip(documents, scores, strict=True)]
        (place / f"{run}.run").write_text("".join(lines))
    return place


@pytest.mark.parametrize(
    ("command", "code", "loaded"),
    [
        ("--help", 0, ""),
        ("--version", 0, ""),
        ("score --help", 0, ""),
        ("fit U1.qrels U2.qrels --format json --quiet", 0, f"json numpy {ESTIMATES}"),
        ("fit U1.qrels U2.qrels --quiet", 0, f"numpy {ESTIMATES}"),
        (f"{SCORE} --format json --quiet", 0, "json numpy"),
        (f"{SCORE} --quiet", 0, "numpy"),
        (SCORE.replace("a.run", "none.run"), 2, "pathlib numpy"),
        (f"{SCORE} --gains prm --judgments U2.qrels --quiet", 0, f"numpy {ESTIMATES}"),
        (COMPARE.replace("a.run", "none.run"), 2, "pathlib numpy gainsayer.comparison gainsayer.counts"),
        (f"{COMPARE} --format json --quiet", 0, "json numpy gainsayer.comparison gainsayer.counts"),
    ],
)
def test_commands_load_what_they_use(folder: Path, command: str, code: int, loaded: str) -> None:
    """Polars is loaded for tables alone, the rooms of estimates and comparisons by those who ask for them."""
    call = [sys.executable, "-c", CODE.format(large=LARGE), str(code), *command.split()]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == loaded
