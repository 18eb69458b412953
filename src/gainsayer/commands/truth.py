"""What a simulation knows: the true p(R|i), alone and beside what was estimated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainsayer.commands.old_tables import Column, from_rows, show_number
from gainsayer.commands.records import number, numbers
from gainsayer.datasets.collection import SimulatedCollection
from gainsayer.table import Table


def describe_truth(collection: SimulatedCollection) -> dict[str, Any]:
    """The true parameters as plain data."""
    return {
        "levels": list(collection.levels.names),
        "one_sided": numbers(collection.truth.one_sided),
        "symmetric": numbers(collection.truth.symmetric),
        "seed": collection.seed,
    }


def truth_table(collection: SimulatedCollection) -> Table:
    """The true p(R|i) of the symmetric estimate, a column per threshold."""
    levels = collection.levels
    chosen = [levels.at_or_above(name) for name in reversed(levels.names[1:])]
    columns = (
        Column("level", "Grade", align="left"),
        *(Column(relevance.name, f"R = {or_higher(relevance.names)}", show_number(4)) for relevance in chosen),
    )
    truth = [collection.truth.symmetric @ relevance.indicator for relevance in chosen]
    rows = tuple((name, *(number(column[level]) for column in truth)) for level, name in enumerate(levels.names))
    return from_rows(f"True p(R|level); {collection.judgments!r}", columns, rows)


def or_higher(names: Sequence[str]) -> str:
    """What counts as relevant, in words."""
    return names[0] if len(names) == 1 else f"{names[0]} or higher"
