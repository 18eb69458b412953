"""What a simulation knows: the true p(R|i), alone and beside what was estimated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainsayer.datasets.collection import SimulatedCollection
from gainsayer.disagreement.relevance import PredictedRelevance
from gainsayer.presentation.content import NamedTable, Section, Sentence
from gainsayer.presentation.records import number, numbers
from gainsayer.presentation.tables import Cell, Column, from_rows, show_number
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
        *(Column(relevance.name, f"R = {_or_higher(relevance.names)}", show_number(4)) for relevance in chosen),
    )
    truth = [collection.truth.symmetric @ relevance.indicator for relevance in chosen]
    rows = tuple((name, *(number(column[level]) for column in truth)) for level, name in enumerate(levels.names))
    return from_rows(f"True p(R|level); {collection.judgments!r}", columns, rows)


def comparison_table(collection: SimulatedCollection, predictions: Sequence[PredictedRelevance]) -> Table:
    """What was estimated beside what is true, one row per threshold and level."""
    columns = (
        Column("relevant", "Relevant", align="left"),
        Column("level", "Grade", align="left"),
        Column("truth", "Truth", show_number(3)),
        Column("estimate", "Estimate", show_number(3)),
        Column("interval", "95 % interval", align="left"),
        Column("covered", "Truth inside", align="left"),
    )
    rows: list[tuple[Cell, ...]] = []
    for prediction in predictions:
        matrix = collection.truth.symmetric if prediction.estimator == "symmetric" else collection.truth.one_sided
        truth = matrix @ prediction.relevance.indicator
        for level, name in enumerate(prediction.levels.names):
            low, high = prediction.interval.ends[level]
            known = prediction.interval.methods[level] is not None
            rows.append(
                (
                    _or_higher(prediction.relevance.names),
                    name,
                    number(truth[level]),
                    number(prediction.probability[level]),
                    f"[{low:.3f}, {high:.3f}]" if known else "-",
                    "-" if not known else "yes" if low <= truth[level] <= high else "no",
                )
            )
    return from_rows("What was estimated, beside the truth it was drawn from", columns, tuple(rows))


def truth_section(collection: SimulatedCollection, predictions: Sequence[PredictedRelevance]) -> Section:
    """How many of the intervals hold the truth, which a simulation knows."""
    table = comparison_table(collection, predictions)
    inside = [row[-1] for row in table.cells() if row[-1] != "-"]
    held = inside.count("yes")
    return Section(
        "truth",
        "How close is it to the truth?",
        Sentence(f"{held} of {len(inside)} intervals hold the true worth of their grade.", f"{held} of {len(inside)}"),
        ("The collection is simulated, so the truth is known. Of a hundred such intervals about 95 should hold it.",),
        tables=(NamedTable("truth-table", table),),
        facts={"held": held, "intervals": len(inside), "confidence": 0.95},
    )


def _or_higher(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} or higher"
