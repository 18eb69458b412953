"""Collections that many tests share; nobody writes to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.slow.statistics.machine_worlds import TASTE, draw_world

import gainsayer as gs
from gainsayer import PlanTable
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection

Labels = dict[str, dict[str, int]]
TOPICS, DOCUMENTS = 30, 30
TRUTH = np.array([0.15, 0.45, 0.75])


@pytest.fixture(scope="session")
def simulated_files(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Write a simulated collection of three levels and two strata: first.qrels, second.qrels, strata.tsv and runs/."""

    def make(*, topics: int, documents: int, qualities: Mapping[str, float] | None = None) -> Path:
        collection = simulate_collection(
            LatentModel(shares=(0.5, 0.3, 0.2), leniency=0.0),
            topics=topics,
            documents=documents,
            runs=RunDesign(qualities or {"best": 0.95, "fair": 0.5, "poor": 0.1}),
            strata={"nav": 0.5, "inf": 0.5},
            seed=4,
        )
        return write_collection(collection, tmp_path_factory.mktemp("simulated") / "collection")

    return make


@dataclass(frozen=True)
class World:
    """A simulated collection as dicts: what the machine and people say of every document, and eight runs."""

    machine: Labels
    people: Labels
    runs: dict[str, dict[str, dict[str, float]]]
    told: np.ndarray
    rank: np.ndarray

    def topics(self, count: int) -> Labels:
        """People's labels of all documents of the first topics."""
        return dict(list(self.people.items())[:count])

    def drawn(self, labels: int, seed: int = 1, measures: str = "DCG@10") -> pl.DataFrame:
        """People's labels of documents that were drawn for them, with the chance of each."""
        sample = gs.machine.sample(self.machine, self.runs, measures=measures, labels=labels, seed=seed)
        chances = {(topic, name): chance for topic, name, chance in sample.design.chances.iter_rows()}
        rows = [
            (topic, name, chances[topic, name], self.people[topic][name])
            for topic, name in sample.to_polars().iter_rows()
        ]
        return pl.DataFrame(rows, schema=["topic", "document", "probability", "level"], orient="row")


def judged_by(world: World, who: str, labels: int = 600) -> pl.DataFrame:
    """People's labels of drawn documents, under a name."""
    return world.drawn(labels).with_columns(pl.lit(who).alias("assessor"))


def as_table(world: World, who: str) -> pl.DataFrame:
    """The machine's grades, under a name."""
    rows = [(t, d, who, level) for t, docs in world.machine.items() for d, level in docs.items()]
    return pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")


@pytest.fixture(scope="session")
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


def draw_labels(seed: int = 1) -> tuple[Labels, Labels]:
    """First labels 0, 1, 2, the lower the more frequent; a second opinion of every document."""
    generator = np.random.default_rng(seed)
    first: Labels = {}
    second: Labels = {}
    for topic in range(TOPICS):
        level = generator.choice(3, DOCUMENTS, p=[0.6, 0.25, 0.15])
        shift = generator.normal(0, 0.8)
        chance = 1 / (1 + np.exp(-(np.log(TRUTH / (1 - TRUTH)) + shift)))
        likes = generator.random(DOCUMENTS) < chance[level]
        first[f"q{topic:02}"] = {f"d{place}": int(value) for place, value in enumerate(level)}
        said = np.where(likes, 2, generator.integers(0, 2, DOCUMENTS))
        second[f"q{topic:02}"] = {f"d{place}": int(value) for place, value in enumerate(said)}
    return first, second


def answer(second: Labels, plan: PlanTable, batch: int = 99) -> Labels:
    """The second opinions that a plan asks for, up to a batch."""
    found: Labels = {}
    for topic, document, number, *_ in plan.documents().to_polars().rows():
        if number <= batch:
            found.setdefault(topic, {})[document] = second[topic][document]
    return found
