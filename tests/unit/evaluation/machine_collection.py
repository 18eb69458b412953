"""A simulated collection with a machine beside people, for the tests of `gs.machine`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

import gainsayer as gs

Judged = dict[str, dict[str, int]]


@dataclass(frozen=True)
class World:
    """A simulated collection as dicts: what the machine and people say of every document, and eight runs."""

    machine: Judged
    people: Judged
    runs: dict[str, dict[str, dict[str, float]]]
    told: np.ndarray
    rank: np.ndarray

    def topics(self, count: int) -> Judged:
        """People's labels of all documents of the first topics."""
        return dict(list(self.people.items())[:count])

    def drawn(self, labels: int, seed: int = 1, measures: str = "DCG@10") -> pl.DataFrame:
        """People's labels of documents that were drawn for them, with the chance of each."""
        sample = gs.machine.sample(self.machine, self.runs, measures=measures, labels=labels, seed=seed)
        rows = [(topic, name, chance, self.people[topic][name]) for topic, name, chance in sample.rows()]
        return pl.DataFrame(rows, schema=["topic", "document", "probability", "level"], orient="row")


def judged_by(world: World, who: str, labels: int = 600) -> pl.DataFrame:
    """People's labels of drawn documents, under a name."""
    return world.drawn(labels).with_columns(pl.lit(who).alias("assessor"))


def as_table(world: World, who: str) -> pl.DataFrame:
    """The machine's grades, under a name."""
    rows = [(t, d, who, level) for t, docs in world.machine.items() for d, level in docs.items()]
    return pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")
