"""What the doctor says, as plain data and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gainsayer.exports.doctor import Check
from gainsayer.exports.scaled_qrels import show_bound
from gainsayer.gains import Gains
from gainsayer.report.plain import number
from gainsayer.report.tables import Cell, Column, Table, show_number

_KEYS = ("peer", "version", "given", "ranking", "value", "right", "bound", "verdict", "words")


def describe_checks(
    checks: Sequence[Check],
    gains: Gains,
    advice: Sequence[str],
    *,
    scale: int,
    provenance: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The checks as plain data with stable keys."""
    rows = [
        {
            key: number(value) if isinstance(value, float) else value
            for key, value in ((key, getattr(check, key)) for key in _KEYS)
        }
        for check in checks
    ]
    document: dict[str, Any] = {
        "gains": {"name": gains.name, "levels": gains.as_dict()},
        "scale": scale,
        "checks": rows,
        "advice": list(advice),
    }
    if provenance is not None:
        document["provenance"] = dict(provenance)
    return document


def check_tables(checks: Sequence[Check], gains: Gains, advice: Sequence[str]) -> list[Table]:
    """The checks, and what to do."""
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
    rows = tuple(tuple(_cell(check, column.key) for column in columns) for check in checks)
    lines: tuple[tuple[Cell, ...], ...] = tuple((line,) for line in advice)
    return [Table(title, columns, rows), Table("", (Column("advice", "Advice", align="left"),), lines)]


def check_rows(checks: Sequence[Check]) -> Table:
    """The checks as one flat table, for CSV."""
    return Table(
        "",
        tuple(Column(key, key) for key in _KEYS),
        tuple(tuple(_cell(check, key) for key in _KEYS) for check in checks),
    )


def advise(checks: Sequence[Check], *, scale: int) -> list[str]:
    """What to do about it, one line each."""
    lines = []
    for peer in dict.fromkeys(check.peer for check in checks):
        own = [check for check in checks if check.peer == peer and check.given != "scaled qrels"]
        lines += [f"{peer}: {line}" for line in dict.fromkeys(map(_warn, own)) if line]
    scaled = [check for check in checks if check.given == "scaled qrels"]
    good = list(dict.fromkeys(check.peer for check in scaled if check.verdict == "right"))
    bad = list(dict.fromkeys(check.peer for check in scaled if check.verdict not in ("right", "no answer")))
    if good:
        bound = max((check.bound or 0.0) for check in scaled)
        near = f"within the bound of {show_bound(bound)}" if bound > 1e-9 else "exactly"
        factor = "" if scale == 1000 else f" --scale {scale}"
        lines.append(
            f"For nDCG in {', '.join(good)}: gainsayer export qrels{factor}; it gave the right value {near}. Use such "
            "qrels for nothing but nDCG."
        )
    if bad:
        lines.append(f"Scaled qrels did not help in {', '.join(bad)}; see its rows above.")
    if not scaled:
        lines.append("No other evaluator is installed here, so there was nothing to compare.")
    lines.append("For every other measure, and for exact values: gainsayer score")
    return lines


def _warn(check: Check) -> str:
    if check.verdict == "wrong" and check.given == "gains as relevance":
        return "do not give it gains as relevance: it changes them in silence."
    if check.verdict == "wrong":
        return f"do not give it gains as a {check.given}: its nDCG is wrong in silence."
    if check.verdict == "crashed":
        return f"do not give it gains as a {check.given}: it takes the whole process down."
    if check.verdict == "no answer":
        again = " Ask again: what it has compiled so far is kept." if check.peer == "ranx" else ""
        return f"it ran out of time; allow it more with --seconds.{again}"
    return ""


def _cell(check: Check, key: str) -> Cell:
    value: Cell = getattr(check, key)
    return value


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell)
