"""What a simulation gives: judgments, runs, and the parameters they were drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from gainsayer.datasets.checks import FloatArray
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.result import Result
from gainsayer.table import Column, Json, Table, plain
from gainsayer.words import counted, name_relevance


@dataclass(frozen=True, eq=False)
class Truth:
    """The parameters that estimates should find, exact.

    Args:
        joint: J, the probability of a first and a second label, shape [levels, levels].
        one_sided: p(j|i) = J[i, j] / J[i, .], eq. (4), shape [levels, levels]; rows are the observed label.
        symmetric: the same from J + J', eq. (5).

    A level that never occurs has a row of NaN. The probability of relevance is a sum over a row:

    >>> truth = Truth.of(np.array([[4, 1, 1], [3, 4, 3], [0, 2, 2]]) / 20)
    >>> (truth.one_sided @ Levels(("0", "1", "2")).at_or_above("2").indicator).round(4).tolist()
    [0.1667, 0.3, 0.5]
    >>> truth.symmetric[:, 2].round(4).tolist()
    [0.0769, 0.2941, 0.4]
    """

    joint: FloatArray
    one_sided: FloatArray
    symmetric: FloatArray

    @classmethod
    def of(cls, joint: FloatArray) -> Truth:
        """The parameters that belong to a joint distribution of labels."""
        return cls(joint, _rows(joint), _rows(joint + joint.T))


def _rows(matrix: FloatArray) -> FloatArray:
    total = matrix.sum(axis=1, keepdims=True)
    rows = np.full(matrix.shape, np.nan)
    np.divide(matrix, total, out=rows, where=total > 0)
    return rows


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedCollection(Result):
    """A collection drawn from known parameters; made by `simulate` and `simulate_collection`.

    Args:
        levels: the levels, from low to high.
        judgments: the first round on every topic, the second on some; without weights, as the files are.
        first: assessors of the first side.
        second: assessors of the second side.
        second_topics: the topics judged twice, sorted.
        inclusion: the probability that a document of a doubly judged topic is judged again, by its first level; what
            `weigh_second_round` asks for (T6).
        runs: run name to a table `topic, document, rank, score`, best document first.
        strata: topic to stratum, or None.
        truth: the parameters over all topics of the collection.
        stratum_truth: the parameters of each stratum, or None without strata.
        seed: the whole number from which the same call draws the same collection again.
        options: everything that was asked, as plain data.
        machine: a machine's grades of the whole pool, one judgment per call; None where there is no machine.
    """

    levels: Levels
    judgments: Judgments
    first: tuple[str, ...]
    second: tuple[str, ...]
    second_topics: tuple[str, ...]
    inclusion: Mapping[str, float]
    runs: Mapping[str, pl.DataFrame]
    strata: Mapping[str, str] | None
    truth: Truth
    stratum_truth: Mapping[str, Truth] | None
    seed: int
    options: Mapping[str, Any]
    machine: Judgments | None = None

    def about(self) -> str:
        """How much there is of it."""
        judged = f"{counted(len(self.judgments), 'judgment')}, {counted(len(self.judgments.topics), 'topic')}"
        return f"{judged}, {len(self.second_topics):,} judged twice, {counted(len(self.runs), 'run')}, seed {self.seed}"

    def tables(self) -> list[Table]:
        """The true p(R|i) of the symmetric estimate, a column per threshold."""
        chosen = [self.levels.at_or_above(name) for name in reversed(self.levels.names[1:])]
        columns = (
            Column("level", self.levels.names, "Grade", narrow="shorten"),
            *(
                Column(one.name, self.truth.symmetric @ one.indicator, f"R = {name_relevance(one)}", 4)
                for one in chosen
            ),
        )
        return [Table(f"True p(R|level); {self.judgments!r}", columns, "truth")]

    def document(self) -> dict[str, Json]:
        """The true parameters as plain data."""
        return {
            "levels": list(self.levels.names),
            "one_sided": plain(self.truth.one_sided),
            "symmetric": plain(self.truth.symmetric),
            "seed": self.seed,
        }
