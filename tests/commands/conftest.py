"""The collection with a machine, as files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.collections import World


@pytest.fixture
def files(world: World, tmp_path: Path) -> Path:
    """The world as files: m.qrels, runs/, truth.qrels, judged.tsv."""
    for name, judged in (("m", world.machine), ("truth", world.people)):
        lines = [f"{topic} 0 {d} {level}\n" for topic, documents in judged.items() for d, level in documents.items()]
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    (tmp_path / "runs").mkdir()
    for name, run in world.runs.items():
        lines = [f"{topic} Q0 {d} 1 {score} {name}\n" for topic, scores in run.items() for d, score in scores.items()]
        (tmp_path / "runs" / f"{name}.run").write_text("".join(lines))
    world.drawn(600).write_csv(tmp_path / "judged.tsv", separator="\t")
    return tmp_path
