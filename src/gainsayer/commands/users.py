"""What random users make of runs: how many relevant documents they find, and the values they would compute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.commands.records import Pick, Record, number, numbers, select, tabulate
from gainsayer.commands.score import FoundByUsers
from gainsayer.comparison.user_band import UserBand
from gainsayer.table import Table
from gainsayer.words import counted


def found_records(found: Sequence[FoundByUsers]) -> Iterator[Record]:
    """One record per kind of users, depth, gains and run: `probability[m]` is the share who find exactly m."""
    for part in found:
        spread = part.distribution
        for at, run in enumerate(part.runs):
            yield {
                "run": run,
                "depth": spread.depth,
                "gains": part.gains,
                "users": part.users,
                "mean": number(spread.mean[at]),
                "nothing": number(spread.nothing[at]),
                "at_least_3": number(spread.at_least(3)[at]),
                "half_find_at_least": int(spread.quantile(0.5)[at]),
                "quarter_find_at_least": int(spread.quantile(0.25)[at]),
                "probability": numbers(spread.probability[at]),
            }


def describe_found(found: Sequence[FoundByUsers]) -> list[Record]:
    """Each run's distribution as plain data."""
    keys = ("run", "depth", "gains", "users", "mean", "nothing", "half_find_at_least", "probability")
    return [select(record, keys) for record in found_records(found)]


def found_tables(found: Sequence[FoundByUsers]) -> list[Table]:
    """One table per depth and gains: mean, who finds nothing, what half and a quarter of the users find at least."""
    columns: list[tuple[Column, Pick]] = [
        (Column("run", "run", align="left"), "run"),
        (Column("users", "users", align="left"), lambda record: str(record["users"])),
        (Column("mean", "mean", show_number(3)), "mean"),
        (Column("nothing", "find nothing", show_number(3)), "nothing"),
        (Column("at_least_3", "find 3 or more", show_number(3)), "at_least_3"),
        (Column("half", "half find at least", show_number(0)), "half_find_at_least"),
        (Column("quarter", "a quarter find at least", show_number(0)), "quarter_find_at_least"),
    ]
    groups: dict[tuple[int, str], list[Record]] = {}
    for record in found_records(found):
        groups.setdefault((record["depth"], record["gains"]), []).append(record)
    tables = []
    for (depth, gains), records in groups.items():
        place = {run: at for at, run in enumerate(dict.fromkeys(record["run"] for record in records))}
        by_run = sorted(records, key=lambda record: place[record["run"]])
        tables.append(tabulate(_title(depth, gains), columns, by_run))
    return tables


def _title(depth: int, gains: str) -> str:
    return f"How many relevant documents a random user finds in the top {depth} on a random topic; {gains} gains"


def band_tables(band: UserBand) -> list[Table]:
    """The band of expected values, tau between the orders (unless all values are the plug-in ones), what users find."""
    found = [FoundByUsers(band.runs, band.gains.name, spread.users, spread) for spread in band.found.values()]
    first = [] if band.exact else [band_table(band), order_table(band)]
    return [*first, *found_tables(found)]


def describe_band(band: UserBand) -> dict[str, Any]:
    """The band as plain data."""
    found = [FoundByUsers(band.runs, band.gains.name, spread.users, spread) for spread in band.found.values()]
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
    return from_rows(title, columns, rows)


def order_table(band: UserBand) -> Table:
    """Tau between the orders of the runs."""
    columns = (
        Column("a", "values", align="left"),
        Column("b", "other values", align="left"),
        Column("tau_b", "tau-b", show_number(4, missing="undefined")),
    )
    rows = tuple((_heading(a), _heading(b), tau.value) for (a, b), tau in band.taus.items())
    return from_rows(f"Agreement of the run orders by plug-in and expected {band.measure}", columns, rows)


def _heading(name: str) -> str:
    if name == "plug-in":
        return name
    known = name in ("independent", "comonotone")
    return f"expected, {name} users" if known else f"expected, correlation {name}"
