"""What the doctor says, as plain data and as tables."""

from __future__ import annotations

from typing import Any

from gainsayer.evaluation.peers import Diagnosis
from gainsayer.presentation.records import Record, describe_findings, flatten, number, tabulate
from gainsayer.presentation.tables import Cell, Column, Table, show_number

_KEYS = ("peer", "version", "given", "ranking", "value", "right", "bound", "verdict", "words")


def check_records(diagnosis: Diagnosis) -> list[Record]:
    """A record per check: evaluator, what it was given, which ranking, its value and the right one, in words."""
    every = [{key: getattr(check, key) for key in _KEYS} for check in diagnosis.checks]
    return [{key: number(cell) if isinstance(cell, float) else cell for key, cell in one.items()} for one in every]


def describe_diagnosis(diagnosis: Diagnosis) -> dict[str, Any]:
    """The diagnosis as plain data with stable keys."""
    provenance = diagnosis.provenance
    return {
        "gains": {"name": diagnosis.gains.name, "levels": diagnosis.gains.as_dict()},
        "scale": diagnosis.scale,
        "labels": diagnosis.labels.said,
        "checks": check_records(diagnosis),
        "advice": list(diagnosis.advice),
        "notes": list(diagnosis.notes),
        "warnings": describe_findings(diagnosis.findings),
        "provenance": None if provenance is None else provenance.as_dict(),
    }


def diagnosis_tables(diagnosis: Diagnosis) -> list[Table]:
    """The checks, and what to do."""
    gains = diagnosis.gains
    shown = ", ".join(f"{level} = {gain:.3g}" for level, gain in gains.as_dict().items())
    title = f"nDCG with {gains.name if gains.name != 'prm' else 'PRM gains'} ({shown}): what each evaluator makes of it"
    columns = (
        Column("peer", "peer", align="left"),
        Column("version", "version", _text, "left"),
        Column("given", "what was given", _text, "left"),
        Column("ranking", "ranking", _text, "left"),
        Column("value", "result", show_number(4, missing="")),
        Column("right", "right value", show_number(4, missing="")),
        Column("verdict", "verdict", align="left"),
        Column("words", "in words", align="left"),
    )
    advice: tuple[tuple[Cell, ...], ...] = tuple((line,) for line in diagnosis.advice)
    return [
        tabulate(title, [(column, column.key) for column in columns], check_records(diagnosis), name="checks"),
        Table("", (Column("advice", "Advice", align="left"),), advice, name="advice"),
    ]


def check_rows(diagnosis: Diagnosis) -> Table:
    """The checks as one flat table, for CSV."""
    return flatten(check_records(diagnosis), {key: key for key in _KEYS})


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell)
