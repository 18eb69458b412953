"""The collection that the tests of `gs.machine` share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.statistics.machine_worlds import TASTE, draw_world
from tests.unit.evaluation.machine_collection import World


@pytest.fixture(scope="module")
def world() -> World:
    """The machine overrates a style that every other run favours; people's levels are 0 and 2."""
    told, grade, rank = draw_world(np.random.default_rng(3), **TASTE)
    topics, documents = told.shape
    places = [(f"q{topic:02}", topic) for topic in range(topics)]
    runs = {
        f"run{run}": {
            name: {f"d{d}": float(-rank[run, topic, d]) for d in range(documents) if rank[run, topic, d] < 30}
            for name, topic in places
        }
        for run in range(len(rank))
    }
    machine = {name: {f"d{d}": int(grade[topic, d]) for d in range(documents)} for name, topic in places}
    people = {name: {f"d{d}": int(2 * told[topic, d]) for d in range(documents)} for name, topic in places}
    return World(machine, people, runs, told, rank)


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
