"""How many relevant documents random users find, as plain data and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainsayer.measures.expected.found import FoundDistribution, distribute_runs
from gainsayer.measures.expected.users import Users
from gainsayer.measures.scoring import Scores
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.report.plain import number, numbers
from gainsayer.report.tables import Cell, Column, Table, show_number

COUNTING = ("NumRel", "P", "Success")


@dataclass(frozen=True, eq=False)
class Found:
    """How many relevant documents users of one kind find in the top k of each run, on a random topic.

    `distribution.probability` has the shape [runs, numbers].
    """

    runs: tuple[str, ...]
    gains: str
    users: Users
    distribution: FoundDistribution


def found_by_users(ranked: Sequence[RankedLevels], scores: Scores, users: Sequence[Users]) -> list[Found]:
    """The distributions for every depth of a count, precision or Success that was asked for, and every probability."""
    depths = dict.fromkeys(
        measure.depth for measure in scores.measures if measure.family.name in COUNTING and measure.depth is not None
    )
    scored = set(scores.topics)
    kept = np.array([topic in scored for topic in ranked[0].topics], dtype=bool)
    answers = []
    for depth in depths:
        for gains in scores.gains:
            for kind in users if gains.probabilities else ():
                spread = distribute_runs(ranked, gains, depth=depth, users=kind, chosen=kept)
                answers.append(Found(tuple(run.name for run in ranked), gains.name, kind, spread))
    return answers


def describe_found(found: Sequence[Found]) -> list[dict[str, Any]]:
    """Each run's distribution as plain data: `probability[m]` is the share of users who find exactly m."""
    return [
        {
            "run": run,
            "depth": part.distribution.depth,
            "gains": part.gains,
            "users": part.users,
            "mean": number(part.distribution.mean[at]),
            "nothing": number(part.distribution.nothing[at]),
            "half_find_at_least": int(part.distribution.quantile(0.5)[at]),
            "probability": numbers(part.distribution.probability[at]),
        }
        for part in found
        for at, run in enumerate(part.runs)
    ]


def found_tables(found: Sequence[Found]) -> list[Table]:
    """One table per depth and gains: mean, who finds nothing, what half and a quarter of the users find at least."""
    tables = []
    for depth, gains in dict.fromkeys((part.distribution.depth, part.gains) for part in found):
        parts = [part for part in found if (part.distribution.depth, part.gains) == (depth, gains)]
        rows: list[tuple[Cell, ...]] = []
        for at, run in enumerate(parts[0].runs):
            for part in parts:
                spread = part.distribution
                rows.append(
                    (
                        run,
                        str(part.users),
                        number(spread.mean[at]),
                        number(spread.nothing[at]),
                        number(spread.at_least(3)[at]),
                        int(spread.quantile(0.5)[at]),
                        int(spread.quantile(0.25)[at]),
                    )
                )
        tables.append(Table(_title(depth, gains), _columns(), tuple(rows)))
    return tables


def _title(depth: int, gains: str) -> str:
    return f"How many relevant documents a random user finds in the top {depth} on a random topic; {gains} gains"


def _columns() -> tuple[Column, ...]:
    return (
        Column("run", "run", align="left"),
        Column("users", "users", align="left"),
        Column("mean", "mean", show_number(3)),
        Column("nothing", "find nothing", show_number(3)),
        Column("at_least_3", "find 3 or more", show_number(3)),
        Column("half", "half find at least", show_number(0)),
        Column("quarter", "a quarter find at least", show_number(0)),
    )
