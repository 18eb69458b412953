"""What the studies of p(R|i) say (topics, amount, quality): a record per level, and per size or step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from gainsayer.commands.old_tables import Cell, Column, from_rows, show_number
from gainsayer.commands.records import (
    PLACE,
    Pick,
    Record,
    describe_relevance,
    name_stratum,
    number,
    numbers,
    place_record,
    select,
    tabulate,
)
from gainsayer.levels import Relevance
from gainsayer.studies.amount import AmountStudy
from gainsayer.studies.quality import QualityStudy
from gainsayer.studies.topics import TopicStudy
from gainsayer.table import Table

_ERRORS = ("topic", "pair", "binomial")
_BOX = ("lowest", "low_whisker", "low_quartile", "median", "high_quartile", "high_whisker", "highest")
_TOPIC_LEVEL = ("level", "probability", "mean", "standard_deviation", "standard_error", "box", "undefined", "note")
_AMOUNT_LEVEL = ("level", "mean", "standard_deviation", "undefined")
_QUALITY_LEVEL = ("level", "symmetric", "one_sided", "error_symmetric", "error_one_sided")
TOPIC_FLAT: dict[str, Pick] = {
    **{key: key for key in (*PLACE, "level", "probability", "mean", "standard_deviation")},
    **{f"error_{kind}": f"standard_error.{kind}" for kind in _ERRORS},
    **{part: f"box.{part}" for part in _BOX},
    **{key: key for key in ("undefined", "draws", "topics", "pairs", "seed", "note")},
}
AMOUNT_FLAT: dict[str, Pick] = {key: key for key in (*PLACE, "pairs", *_AMOUNT_LEVEL, "rounds", "seed")}
QUALITY_FLAT: dict[str, Pick] = {key: key for key in (*PLACE, "by", "k", "pairs", "topics", *_QUALITY_LEVEL, "seed")}


def topic_records(study: TopicStudy, stratum: str | None = None) -> Iterator[Record]:
    """One record per level."""
    errors = {"binomial": study.binomial, "pair": study.pair, "topic": study.topic}
    for level, name in enumerate(study.levels.names):
        yield {
            **place_record(stratum, study.relevance, study.estimator),
            "level": name,
            "probability": number(study.estimate[level]),
            "mean": number(study.mean[level]),
            "standard_deviation": number(study.deviation[level]),
            "standard_error": {kind: number(values[level]) for kind, values in errors.items()},
            "box": {part: number(getattr(study.boxes, part)[level]) for part in _BOX},
            "undefined": int(study.undefined[level]),
            "draws": len(study.draws),
            "topics": study.topics,
            "pairs": study.pairs,
            "seed": study.seed,
            "note": study.notes[level],
        }


def describe_topic_study(study: TopicStudy) -> dict[str, Any]:
    """The bootstrap of topics as plain data, every draw included."""
    return {
        **describe_relevance(study.relevance),
        "estimator": study.estimator,
        "topics": study.topics,
        "pairs": study.pairs,
        "draws": len(study.draws),
        "levels": [
            {**select(record, _TOPIC_LEVEL), "draws": numbers(study.draws[:, level])}
            for level, record in enumerate(topic_records(study))
        ],
    }


def topic_study_tables(study: TopicStudy, stratum: str | None = None) -> list[Table]:
    """A row per level: the estimate, its spread over draws of the topics, and three standard errors."""
    title = (
        f"{name_stratum(stratum)}How far does p(R|level) move when topics are drawn again? "
        f"R = {_name_relevance(study.relevance)}; {study.estimator} estimate, {study.pairs:,} pairs, "
        f"{study.topics:,} topics, {len(study.draws):,} draws, seed {study.seed}"
    )
    columns: list[tuple[Column, Pick]] = [
        (Column("level", "level", align="left"), "level"),
        (Column("probability", "probability", show_number(3)), "probability"),
        (Column("mean", "mean", show_number(3), extra=True), "mean"),
        (Column("deviation", "deviation", show_number(4)), "standard_deviation"),
        *((Column(kind, f"{kind} error", show_number(4)), f"standard_error.{kind}") for kind in _ERRORS),
        (Column("quartiles", "quartiles", align="left"), _ends("low_quartile", "high_quartile")),
        (Column("range", "range", align="left", extra=True), _ends("lowest", "highest")),
        (Column("undefined", "without it", show_number(0)), lambda record: record["undefined"] or None),
        (Column("note", "note", lambda cell: str(cell or ""), "left"), "note"),
    ]
    return [tabulate(title, columns, topic_records(study, stratum), name="topics")]


def amount_records(study: AmountStudy, stratum: str | None = None) -> Iterator[Record]:
    """One record per size and level."""
    for place, size in enumerate(study.sizes.tolist()):
        for level, name in enumerate(study.levels.names):
            yield {
                **place_record(stratum, study.relevance, study.estimator),
                "pairs": size,
                "level": name,
                "mean": number(study.mean[place, level]),
                "standard_deviation": number(study.deviation[place, level]),
                "undefined": int(study.undefined[place, level]),
                "rounds": study.rounds,
                "seed": study.seed,
            }


def describe_amount_study(study: AmountStudy) -> dict[str, Any]:
    """The estimates from growing numbers of pairs as plain data."""
    return {
        **describe_relevance(study.relevance),
        "estimator": study.estimator,
        "pairs": study.pairs,
        "rounds": study.rounds,
        "probability": {name: number(value) for name, value in zip(study.levels.names, study.estimate, strict=True)},
        "sizes": [
            {"pairs": size, "levels": [select(record, _AMOUNT_LEVEL) for record in records]}
            for size, records in groupby(amount_records(study), key=lambda record: record["pairs"])
        ],
    }


def amount_study_tables(study: AmountStudy, stratum: str | None = None) -> list[Table]:
    """A row per number of pairs: mean and standard deviation of the rounds for each level."""
    title = (
        f"{name_stratum(stratum)}How many pairs until p(R|level) settles? "
        f"R = {_name_relevance(study.relevance)}; mean and standard deviation of {study.rounds:,} rounds, "
        f"{study.estimator} estimate, {study.pairs:,} pairs to draw from, seed {study.seed}"
    )
    columns = [Column("pairs", "pairs", show_number(0))]
    for name in study.levels.names:
        columns += [
            Column(name, f"p(R|{name})", show_number(3)),
            Column(f"{name} deviation", "deviation", show_number(3)),
            Column(f"{name} undefined", f"rounds without {name}", show_number(0, missing=""), extra=True),
        ]
    rows: list[tuple[Cell, ...]] = []
    for size, records in groupby(amount_records(study), key=lambda record: record["pairs"]):
        cells = [(entry["mean"], entry["standard_deviation"], entry["undefined"] or None) for entry in records]
        rows.append((size, *(cell for some in cells for cell in some)))
    return [from_rows(title, tuple(columns), tuple(rows), name="amount")]


def quality_records(study: QualityStudy, stratum: str | None = None) -> Iterator[Record]:
    """One record per step and level, with both estimates."""
    for place, step in enumerate(study.steps.tolist()):
        for level, name in enumerate(study.levels.names):
            yield {
                **place_record(stratum, study.relevance, None),
                "by": study.order,
                "k": step,
                "pairs": number(study.pairs[place], whole=True),
                "topics": int(study.topics[place]),
                "level": name,
                "symmetric": number(study.symmetric[place, level]),
                "one_sided": number(study.one_sided[place, level]),
                "error_symmetric": number(study.symmetric_error[place, level]),
                "error_one_sided": number(study.one_sided_error[place, level]),
                "seed": study.seed,
            }


def describe_quality_study(study: QualityStudy) -> dict[str, Any]:
    """The quality curve as plain data."""
    return {
        **describe_relevance(study.relevance),
        "by": study.order,
        "selected_by_one_side": study.by_labels,
        "steps": [
            {
                **select(entries[0], ("k", "pairs", "topics")),
                "levels": [select(entry, _QUALITY_LEVEL) for entry in entries],
            }
            for entries in _by_step(study)
        ],
    }


def quality_study_tables(study: QualityStudy, stratum: str | None = None) -> list[Table]:
    """A row per step, both estimates of each level side by side."""
    title = (
        f"{name_stratum(stratum)}Does p(R|level) depend on how good the results are? "
        f"R = {_name_relevance(study.relevance)}; {study.about}; symmetric (5) and one-sided (4) estimates; "
        f"seed {study.seed}"
    )
    columns = [
        Column("step", "k", show_number(0)),
        Column("pairs", "pairs", show_number(0)),
        Column("topics", "topics", show_number(0)),
        *(
            Column(f"{name} {kind}", f"{name} ({mark})", show_number(3))
            for name in study.levels.names
            for kind, mark in (("symmetric", 5), ("one-sided", 4))
        ),
    ]
    rows: list[tuple[Cell, ...]] = []
    for entries in _by_step(study):
        head = entries[0]
        values = (entry[kind] for entry in entries for kind in ("symmetric", "one_sided"))
        rows.append((head["k"], head["pairs"], head["topics"], *values))
    return [from_rows(title, tuple(columns), tuple(rows), name="quality")]


def _by_step(study: QualityStudy) -> list[list[Record]]:
    return [list(records) for _, records in groupby(quality_records(study), key=lambda record: record["k"])]


def _ends(low: str, high: str) -> Callable[[Record], Cell]:
    """Picks two ends of a box as text, or a dash."""

    def get(record: Record) -> Cell:
        ends = record["box"][low], record["box"][high]
        return "-" if None in ends else f"[{ends[0]:.3f}, {ends[1]:.3f}]"

    return get


def _name_relevance(relevance: Relevance) -> str:
    """R in words."""
    if relevance.threshold is None:
        return f"level {' or '.join(relevance.names)}"
    return f"level {relevance.threshold}" + ("" if len(relevance.names) == 1 else " or higher")
