"""Tables from rows of values, for results that do not yet declare their columns over arrays (`gainsayer.table`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gainsayer import table
from gainsayer.table import Align, Table

Cell: TypeAlias = str | float | int | None


def show_text(cell: Cell) -> str:
    """A cell as it is, `-` where there is none."""
    return "-" if cell is None else str(cell)


@dataclass(frozen=True)
class Column:
    """A column: its key in CSV, its heading for readers, and how its numbers are shown; `extra` on demand."""

    key: str
    heading: str
    show: Callable[[Cell], str] = show_text
    align: Align = "right"
    extra: bool = False


def show_number(digits: int, *, missing: str = "-") -> Callable[[Cell], str]:
    """A way to show numbers with so many digits after the point; whole numbers as they are, NaN and None as missing."""

    def show(cell: Cell) -> str:
        if cell is None or cell != cell:  # NaN differs from itself
            return missing
        return cell if isinstance(cell, str) else table.show_number(cell, digits)

    return show


def from_rows(
    title: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    notes: tuple[str, ...] = (),
    name: str = "",
    extra: bool = False,
) -> Table:
    """A table of these rows.

    >>> from_rows("", (Column("p", "p"),), ((0.5,), (None,))).cells()
    [(0.5,), (None,)]
    """
    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    made = [
        table.Column(
            *(column.key, cells, column.heading),
            say=column.show,
            missing=column.show(None),
            align=column.align,
            extra=column.extra,
        )
        for column, cells in zip(columns, values, strict=True)
    ]
    return Table(title, tuple(made), name, notes, extra)
