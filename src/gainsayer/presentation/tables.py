"""A table of results, and its renderings: terminal, CSV, Markdown, LaTeX.

Text from files (names of levels, runs, assessors) is data: each rendering escapes what its format would take as
markup or as a command to the terminal.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from gainsayer.text import printable

Align = Literal["left", "right"]
Cell = str | float | int | None

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}


@dataclass(frozen=True)
class Column:
    """A column: its key in CSV, its heading for readers, and how its numbers are shown."""

    key: str
    heading: str
    show: Callable[[Cell], str] = str
    align: Align = "right"


@dataclass(frozen=True)
class Table:
    """A titled table: columns, rows of raw values in the order of the columns, and notes for readers below them."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def without_empty(self) -> Table:
        """The same without columns in which nothing stands."""
        kept = [
            place
            for place in range(len(self.columns))
            if not self.rows or any(row[place] is not None for row in self.rows)
        ]
        rows = tuple(tuple(row[place] for place in kept) for row in self.rows)
        return Table(self.title, tuple(self.columns[place] for place in kept), rows, self.notes)

    def shown(self) -> list[list[str]]:
        """The cells as readers see them."""
        return [[column.show(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows]


def show_number(digits: int, *, missing: str = "-") -> Callable[[Cell], str]:
    """A way to show numbers with so many digits after the point; whole numbers as they are, NaN and None as missing.

    >>> show_number(3)(0.25), show_number(3)(None), show_number(2)(-0.001)
    ('0.250', '-', '0.00')
    """

    def show(cell: Cell) -> str:
        if cell is None or cell != cell:  # NaN differs from itself
            return missing
        if not isinstance(cell, float):
            return f"{cell:,}" if isinstance(cell, int) else cell
        shown = f"{cell:.{digits}f}"
        return shown.removeprefix("-") if not float(shown) else shown

    return show


def render_text(tables: Sequence[Table], *, color: bool = False) -> str:
    """Tables for a terminal, with rich; as wide as needed, so that no number is ever cut."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    stream = io.StringIO()
    console = Console(
        file=stream,
        width=10_000,
        force_terminal=color,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for table in (table.without_empty() for table in tables):
        if table.title:
            console.print(Text(printable(table.title), style="bold"), soft_wrap=True)
        drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for column in table.columns:
            drawn.add_column(Text(_on_one_line(column.heading)), justify=column.align, overflow="fold")
        for row in table.shown():
            drawn.add_row(*(Text(_on_one_line(cell)) for cell in row))
        console.print(drawn)
        for note in table.notes:
            console.print(Text(printable(note)), soft_wrap=True)
        console.print()
    return "\n".join(line.rstrip() for line in stream.getvalue().rstrip().split("\n")) + "\n"


def render_csv(table: Table, *, spreadsheet: bool = False) -> str:
    r"""One table as CSV: a header of keys, raw values, nothing rounded, empty cells where nothing is known.

    Text is written as it is in the files. A spreadsheet takes text that begins with = + - @ as a formula; with
    `spreadsheet`, an apostrophe stands before such text, and control characters are shown. Numbers stay numbers.

    >>> print(render_csv(Table("", (Column("p", "p"),), ((0.5,), (None,)))).strip())
    p
    0.5
    ""
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.key for column in table.columns])
    for row in table.rows:
        writer.writerow(["" if cell is None or cell != cell else _inert(cell) if spreadsheet else cell for cell in row])
    return stream.getvalue()


def _inert(cell: Cell) -> Cell:
    """A cell that no spreadsheet takes as a formula."""
    if not isinstance(cell, str):
        return cell
    return f"'{printable(cell)}" if cell.lstrip(" ").startswith(_FORMULA) else printable(cell)


def render_markdown(tables: Sequence[Table]) -> str:
    """Tables as GitHub's Markdown."""
    parts = []
    for table in (table.without_empty() for table in tables):
        heads = [_markdown(column.heading) for column in table.columns]
        rules = ["---:" if column.align == "right" else "---" for column in table.columns]
        rows = [[_markdown(cell) for cell in row] for row in table.shown()]
        lines = [f"| {' | '.join(cells)} |" for cells in (heads, rules, *rows)]
        title = [f"**{_markdown(table.title)}**", ""] if table.title else []
        notes = [line for note in table.notes for line in ("", _markdown(note))]
        parts.append("\n".join([*title, *lines, *notes]))
    return "\n\n".join(parts) + "\n"


def render_latex(tables: Sequence[Table]) -> str:
    """Tables for LaTeX with booktabs, each a `tabular` under a comment with its title."""
    parts = []
    for table in (table.without_empty() for table in tables):
        spec = "".join("r" if column.align == "right" else "l" for column in table.columns)
        heads = [_latex(column.heading) for column in table.columns]
        rows = [[_latex(cell) for cell in row] for row in table.shown()]
        lines = [
            *([f"% {_comment(table.title)}"] if table.title else []),
            rf"\begin{{tabular}}{{{spec}}}",
            r"\toprule",
            " & ".join(heads) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {_comment(note)}" for note in table.notes),
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _on_one_line(text: str) -> str:
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def _markdown(text: str) -> str:
    escaped = re.sub(r"([\\`*_<>|#~$]|\](?=[(\[:]))", r"\\\1", printable(text))
    return escaped.replace("&", "&amp;").replace("\n", " ").replace("\t", " ")


def _latex(text: str) -> str:
    replaced = "".join(_LATEX.get(character, character) for character in printable(text))
    return replaced.replace("±", r"$\pm$").replace("≥", r"$\geq$").replace("\n", " ")


def _comment(text: str) -> str:
    return " ".join(printable(text).split())
