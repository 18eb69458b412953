"""What `study` says: JSON, flat rows and tables of any study, over all topics and per stratum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gainsayer.commands import order_studies as orders
from gainsayer.commands import parameter_studies as parameters
from gainsayer.commands.figures.amount_curve import AmountCurve
from gainsayer.commands.figures.quality_curve import QualityCurve
from gainsayer.commands.figures.rank_slope import RankSlope
from gainsayer.commands.figures.topic_boxplot import TopicBoxplot
from gainsayer.commands.records import Pick, Record, describe_findings, flatten
from gainsayer.commands.study import Study, StudyTable
from gainsayer.drawing.figure import Figure
from gainsayer.drawing.panels import show_panels
from gainsayer.table import Table
from gainsayer.words import name_relevance


@dataclass(frozen=True)
class _Shown:
    """How one kind of study is shown: its records, the columns of its flat table, its JSON, its tables."""

    records: Callable[[Any, str | None], Iterator[Record]]
    flat: Mapping[str, Pick]
    describe: Callable[[Any], dict[str, Any]]
    tables: Callable[[Any, str | None], list[Table]]


_SHOWN = {
    "topics": _Shown(
        parameters.topic_records, parameters.TOPIC_FLAT, parameters.describe_topic_study, parameters.topic_study_tables
    ),
    "amount": _Shown(
        parameters.amount_records,
        parameters.AMOUNT_FLAT,
        parameters.describe_amount_study,
        parameters.amount_study_tables,
    ),
    "quality": _Shown(
        parameters.quality_records,
        parameters.QUALITY_FLAT,
        parameters.describe_quality_study,
        parameters.quality_study_tables,
    ),
    "robustness": _Shown(
        orders.robustness_records,
        orders.ROBUSTNESS_FLAT,
        lambda study: orders.describe_robustness_study({None: study}),
        lambda study, _: [orders.robustness_study_table({None: study})],
    ),
    "gains": _Shown(orders.gain_records, orders.GAIN_FLAT, orders.describe_gain_study, orders.gain_study_tables),
}


_DRAWN: dict[str, Callable[..., Figure]] = {
    "topics": TopicBoxplot.of,
    "amount": AmountCurve.of,
    "quality": QualityCurve.of,
    "robustness": RankSlope.of_sides,
    "gains": RankSlope.of_gains,
}


def study_records(table: StudyTable[Any]) -> Iterator[Record]:
    """Every record of a study: those of all topics together, then those of the strata."""
    shown = _SHOWN[table.kind]
    for stratum, group in _groups(table).items():
        for study in group:
            yield from shown.records(study, stratum)


def describe_study(result: StudyTable[Any] | Study) -> dict[str, Any]:
    """A study as plain data with stable keys: what `study` gives as JSON.

    Strata stand under their names; those of the robustness study are rows of its results.
    """
    table = _as_table(result)
    describe = _SHOWN[table.kind].describe
    together = table.kind == "robustness"
    return {
        "study": table.kind,
        "seed": table.seed,
        "results": (
            [orders.describe_robustness_study(parts) for parts in _side_by_side(table)]
            if together
            else [describe(study) for study in table.studies]
        ),
        "strata": (
            None
            if together or not table.strata
            else {name: [describe(study) for study in group] for name, group in table.strata.items()}
        ),
        "warnings": describe_findings(table.findings),
        "provenance": {} if table.provenance is None else table.provenance.as_dict(),
    }


def study_rows(result: StudyTable[Any] | Study) -> Table:
    """All records in one flat table, for CSV."""
    table = _as_table(result)
    return flatten(study_records(table), _SHOWN[table.kind].flat)


def study_tables(result: StudyTable[Any] | Study) -> list[Table]:
    """The tables of all topics together, then those of the strata."""
    table = _as_table(result)
    if table.kind == "robustness":
        return [orders.robustness_study_table(parts) for parts in _side_by_side(table)]
    shown = _SHOWN[table.kind]
    return [
        part for stratum, group in _groups(table).items() for study in group for part in shown.tables(study, stratum)
    ]


def study_figure(result: StudyTable[Any] | Study) -> Figure:
    """The figure of a study, a panel for each notion of relevance and stratum."""
    table = _as_table(result)
    drawn = {}
    for stratum, group in _groups(table).items():
        for study in group:
            words = [] if len(group) == 1 else [f"relevant: {name_relevance(study.relevance)}"]
            words += [] if stratum is None else [f"{stratum} topics"]
            drawn[", ".join(words)] = _DRAWN[table.kind](study)
    return show_panels(table.kind, drawn)


def _as_table(result: StudyTable[Any] | Study) -> StudyTable[Any]:
    return result if isinstance(result, StudyTable) else StudyTable((result,))


def _groups(table: StudyTable[Any]) -> dict[str | None, tuple[Any, ...]]:
    groups: dict[str | None, tuple[Any, ...]] = {None: table.studies}
    groups.update(table.strata)
    return groups


def _side_by_side(table: StudyTable[Any]) -> Iterator[dict[str | None, Any]]:
    """The same question over all topics and in each stratum, question by question."""
    for place in range(len(table.studies)):
        yield {stratum: group[place] for stratum, group in _groups(table).items()}
