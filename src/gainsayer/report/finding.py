"""How many relevant documents random users find, as plain data and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainsayer.comparison.user_band import UserBand
from gainsayer.measures.expected.found import FoundDistribution, distribute_runs
from gainsayer.measures.expected.users import Users
from gainsayer.measures.scoring import Scores
from gainsayer.rankings.ranked_levels import RankedLevels
from gainsayer.report.figures.words import counted
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


def band_tables(band: UserBand) -> list[Table]:
    """The band of expected values, tau between the orders (unless all values are the plug-in ones), what users find."""
    found = [Found(band.runs, band.gains.name, spread.users, spread) for spread in band.found.values()]
    first = [] if band.exact else [band_table(band), order_table(band)]
    return [*first, *found_tables(found)]


def describe_band(band: UserBand) -> dict[str, Any]:
    """The band as plain data."""
    found = [Found(band.runs, band.gains.name, spread.users, spread) for spread in band.found.values()]
    return {
        "measure": str(band.measure),
        "gains": band.gains.name,
        "equal_to_plug_in": band.exact,
        "values": [
            {"run": run, **{name: number(values[at]) for name, values in band.values.items()}}
            for at, run in enumerate(band.runs)
        ],
        "taus": [{"a": a, "b": b, "tau_b": tau.value} for (a, b), tau in band.taus.items()],
        "found": describe_found(found),
    }


def band_table(band: UserBand) -> Table:
    """The plug-in value and the expected ones, per run, best first."""
    columns = (
        Column("run", "run", align="left"),
        *(Column(name, _heading(name), show_number(4)) for name in band.values),
    )
    order = np.argsort(-band.values["plug-in"], kind="stable")
    rows = tuple((band.runs[at], *(number(values[at]) for values in band.values.values())) for at in order.tolist())
    title = (
        f"{band.measure}: the plug-in value, and the expected value for a random user; mean over "
        f"{counted(band.topics, 'topic')}, {band.gains.name} gains"
    )
    return Table(title, columns, rows)


def order_table(band: UserBand) -> Table:
    """Tau between the orders of the runs."""
    columns = (
        Column("a", "values", align="left"),
        Column("b", "and", align="left"),
        Column("tau_b", "tau-b", show_number(4, missing="undefined")),
    )
    rows = tuple((_heading(a), _heading(b), tau.value) for (a, b), tau in band.taus.items())
    return Table(f"Agreement of the run orders by plug-in and expected {band.measure}", columns, rows)


def _heading(name: str) -> str:
    if name == "plug-in":
        return name
    known = name in ("independent", "comonotone")
    return f"expected, {name} users" if known else f"expected, correlation {name}"
