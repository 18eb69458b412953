"""What random users make of runs: how many relevant documents they find, and the values they would compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

import numpy as np

from gainsayer.comparison.users import UserBand
from gainsayer.measures.expected.found import FoundDistribution, distribute_runs
from gainsayer.measures.expected.users import Users
from gainsayer.measures.scores import Scores
from gainsayer.ranking.ranked import RankedLevels
from gainsayer.table import Column, Json, Table, plain
from gainsayer.words import counted

COUNTING: Final = ("NumRel", "P", "Success")
_TABLE: Final = "users"


@dataclass(frozen=True, eq=False)
class FoundByUsers:
    """How many relevant documents users of one kind find in the top k of each run, on a random topic.

    `distribution.probability` has the shape [runs, numbers].
    """

    runs: tuple[str, ...]
    gains: str
    users: Users
    distribution: FoundDistribution


def found_by_users(ranked: Sequence[RankedLevels], scores: Scores, users: Sequence[Users]) -> list[FoundByUsers]:
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
                answers.append(FoundByUsers(tuple(run.name for run in ranked), gains.name, kind, spread))
    return answers


def found_tables(found: Sequence[FoundByUsers]) -> list[Table]:
    """One table per depth and gains: mean, who finds nothing, what half and a quarter of the users find at least."""
    return [_found_table(list(parts)) for _, parts in groupby(found, lambda one: (one.distribution.depth, one.gains))]


def _found_table(parts: Sequence[FoundByUsers]) -> Table:
    """One row per kind of users and run; readers see the kinds of users below each other, run by run."""
    runs, gains = parts[0].runs, parts[0].gains
    every = np.concatenate([part.distribution.probability for part in parts])
    spread = replace(parts[0].distribution, probability=every)
    columns = (
        Column("run", runs * len(parts), "run", narrow="shorten"),
        Column("depth", spread.depth),
        Column("gains", gains),
        Column("users", [part.users for part in parts for _ in runs], "users", say=str, align="left"),
        Column("mean", spread.mean, "mean"),
        Column("nothing", spread.nothing, "find nothing"),
        Column("at_least_3", spread.at_least(3), "find 3 or more", json=False),
        Column("half_find_at_least", spread.quantile(0.5), "half find at least"),
        Column("quarter_find_at_least", spread.quantile(0.25), "a quarter find at least", json=False),
        Column("probability", [plain(shares) for shares in every], csv=False),
    )
    where = f"in the top {spread.depth} on a random topic; {gains} gains"
    by_run = np.arange(len(parts) * len(runs)).reshape(len(parts), len(runs)).T.ravel()
    return Table(f"How many relevant documents a random user finds {where}", columns, _TABLE, order=by_run)


def describe_found(found: Sequence[FoundByUsers]) -> list[Json]:
    """Each run's distribution as plain data: `probability[m]` is the share of users who find exactly m."""
    return [record for table in found_tables(found) for record in table.records()]


def band_tables(band: UserBand) -> list[Table]:
    """The band of expected values, tau between the orders (unless all values are the plug-in ones), what users find."""
    first = [] if band.exact else [_value_table(band), _order_table(band)]
    return [*first, *found_tables(_found(band))]


def describe_band(band: UserBand) -> dict[str, Json]:
    """The band as plain data."""
    return {
        "measure": str(band.measure),
        "gains": band.gains.name,
        "equal_to_plug_in": band.exact,
        "values": _value_table(band).records(),
        "taus": _order_table(band).records(),
        "found": describe_found(_found(band)),
    }


def _found(band: UserBand) -> list[FoundByUsers]:
    return [FoundByUsers(band.runs, band.gains.name, spread.users, spread) for spread in band.found.values()]


def _value_table(band: UserBand) -> Table:
    """The plug-in value and the expected ones, per run; readers see the best run first."""
    columns = (
        Column("run", band.runs, "run", narrow="shorten"),
        *(Column(name, values, _say_kind(name), 4) for name, values in band.values.items()),
    )
    title = (
        f"{band.measure}: the plug-in value, and the expected value for a random user; mean over "
        f"{counted(band.topics, 'topic')}, {band.gains.name} gains"
    )
    return Table(title, columns, _TABLE, order=np.argsort(-band.values["plug-in"], kind="stable"))


def _order_table(band: UserBand) -> Table:
    """Tau between the orders of the runs."""
    columns = (
        Column("a", [a for a, _ in band.taus], "values", say=_say_kind),
        Column("b", [b for _, b in band.taus], "other values", say=_say_kind),
        Column("tau_b", [tau.value for tau in band.taus.values()], "tau-b", 4, missing="undefined"),
    )
    return Table(f"Agreement of the run orders by plug-in and expected {band.measure}", columns, _TABLE)


def _say_kind(name: str) -> str:
    """A kind of values as a heading."""
    if name == "plug-in":
        return name
    return f"expected, {name} users" if name in ("independent", "comonotone") else f"expected, correlation {name}"
