"""A table of results, and its renderings: terminal, CSV, Markdown, LaTeX.

Text from files (names of levels, runs, assessors) is data: each rendering escapes what its format would take as
markup or as a command to the terminal.
"""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from unicodedata import category, east_asian_width

from gainsayer.errors import CallError
from gainsayer.text import nearest, printable

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


@dataclass(frozen=True)
class Table:
    """A titled table: columns, rows of raw values in the order of the columns, and notes for readers below them.

    Args:
        title: what it shows.
        columns: of the rows.
        rows: raw values.
        notes: what a reader should know to read it.
        name: by which it can be asked for.
        extra: whether it is shown only where it is asked for.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    name: str = ""
    extra: bool = False

    def without_empty(self) -> Table:
        """The same without columns in which nothing stands."""
        return self.keep(
            place
            for place in range(len(self.columns))
            if not self.rows or any(row[place] is not None for row in self.rows)
        )

    def brief(self) -> Table:
        """The same with the columns that answer: those in which something stands, without the extra ones."""
        return self.keep(place for place, column in enumerate(self.columns) if not column.extra).without_empty()

    def whole(self) -> Table:
        """The same with no column an extra one."""
        return self.keep(range(len(self.columns)), extra=True)

    def keep(self, places: Iterable[int], *, extra: bool = False) -> Table:
        """The same with the columns at these places, in this order; with `extra`, none of them is an extra one then."""
        kept = list(places)
        rows = tuple(tuple(row[place] for place in kept) for row in self.rows)
        columns = [self.columns[place] for place in kept]
        if extra:
            columns = [replace(column, extra=False) for column in columns]
        return replace(self, columns=tuple(columns), rows=rows)

    def shown(self) -> list[list[str]]:
        """The cells as readers see them."""
        return [[column.show(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows]


def show_number(digits: int, *, missing: str = "-") -> Callable[[Cell], str]:
    """A way to show numbers with so many digits after the point; whole numbers as they are, NaN and None as missing.

    >>> show_number(3)(0.25), show_number(3)(None), show_number(2)(-0.001), show_number(1)(1119.25)
    ('0.250', '-', '0.00', '1,119.2')
    """

    def show(cell: Cell) -> str:
        if cell is None or cell != cell:  # NaN differs from itself
            return missing
        if not isinstance(cell, float):
            return f"{cell:,}" if isinstance(cell, int) else cell
        shown = f"{cell:,.{digits}f}"
        return shown if shown.strip("-0.") else shown.removeprefix("-")

    return show


ALL = "all"


def choose_tables(
    tables: Sequence[Table], name: str | None = None, columns: Sequence[str] | None = None
) -> list[Table]:
    """The tables and columns asked for; by default those that answer, without the extra ones.

    Args:
        tables: all there are.
        name: of a table, or `all`.
        columns: keys or headings in the order wanted, or `all`.

    Raises:
        CallError: there is no such table or column; the nearest name is suggested.

    >>> table = Table("", (Column("run", "run"), Column("p", "p-value", extra=True)), (("a", 0.1),), name="runs")
    >>> [column.key for column in choose_tables([table])[0].columns]
    ['run']
    >>> [column.key for column in choose_tables([table], columns=["p-value", "run"])[0].columns]
    ['p', 'run']
    >>> choose_tables([table], "run")
    Traceback (most recent call last):
    gainsayer.errors.CallError: There is no table 'run'. Did you mean runs? The tables are: runs, all.
    """
    names = list(dict.fromkeys(table.name for table in tables if table.name))
    if name is not None and name not in (*names, ALL):
        raise CallError(
            f"There is no table {name!r}.{nearest(name, names)} The tables are: {', '.join((*names, ALL))}."
        )
    chosen = [table for table in tables if (not table.extra if name is None else name in (table.name, ALL))]
    if columns is None:
        return [table.brief() for table in chosen]
    if list(columns) == [ALL]:
        return [table.whole() for table in chosen]
    places = [
        [
            next(
                (
                    at
                    for at, column in enumerate(table.columns)
                    if wanted.lower() in (column.key.lower(), column.heading.lower())
                ),
                None,
            )
            for wanted in columns
        ]
        for table in chosen
    ]
    for at, wanted in enumerate(columns):
        if all(found[at] is None for found in places):
            known = list(dict.fromkeys(column.key for table in chosen for column in table.columns))
            raise CallError(
                f"There is no column {wanted!r}.{nearest(wanted, known)} The columns are: {', '.join(known)}."
            )
    kept = [
        table.keep([at for at in found if at is not None], extra=True)
        for table, found in zip(chosen, places, strict=True)
    ]
    return [table for table in kept if table.columns]


def render_text(tables: Sequence[Table], *, color: bool = False, width: int = 100) -> str:
    """Tables for a terminal, as wide as needed, so that no number is ever cut; sentences `width` wide.

    >>> table = Table("Means", (Column("run", "run", align="left"), Column("p", "P@10")), (("bm25", "0.5"), ("b", "1")))
    >>> print(render_text([table]), end="")
    Means
    run    P@10
    ───────────
    bm25    0.5
    b         1
    """
    lines = []
    for table in (table.brief() for table in tables):
        heads, *rows = _lay_out(table)
        titles = _wrap(table.title, width) if table.title else []
        bold = [f"\x1b[1m{line.rstrip()}\x1b[0m" if color else line.rstrip() for line in (*titles, heads)]
        notes = [line for note in table.notes for line in _wrap(note, width)]
        lines += [*bold, *(line.rstrip() for line in (*rows, *notes)), ""]
    return "\n".join(lines).rstrip() + "\n"


def _lay_out(table: Table) -> list[str]:
    """The lines of a table: headings, a rule, rows; cells side by side, three blanks apart."""
    heads = [_on_one_line(column.heading) for column in table.columns]
    rows = [heads, *([_on_one_line(cell) for cell in row] for row in table.shown())]
    widths = [max(map(_columns_of, cells)) for cells in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        parts = []
        for column, cell, room in zip(table.columns, row, widths, strict=True):
            blank = " " * (room - _columns_of(cell))
            parts.append(blank + cell if column.align == "right" else cell + blank)
        lines.append("   ".join(parts))
    return [lines[0], "─" * (sum(widths) + 3 * (len(widths) - 1)), *lines[1:]]


def _columns_of(text: str) -> int:
    """How many columns of a terminal a text takes: two for wide letters, none for marks on the letter before."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(letter) in ("Mn", "Me", "Cf") else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


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
    for table in (table.brief() for table in tables):
        heads = [markdown(column.heading) for column in table.columns]
        rules = ["---:" if column.align == "right" else "---" for column in table.columns]
        rows = [[markdown(cell) for cell in row] for row in table.shown()]
        lines = [f"| {' | '.join(cells)} |" for cells in (heads, rules, *rows)]
        title = [f"**{markdown(table.title)}**", ""] if table.title else []
        notes = [line for note in table.notes for line in ("", markdown(note))]
        parts.append("\n".join([*title, *lines, *notes]))
    return "\n\n".join(parts) + "\n"


def render_latex(tables: Sequence[Table]) -> str:
    """Tables for LaTeX with booktabs, each with its title and notes as the caption."""
    parts = []
    for table in (table.brief() for table in tables):
        spec = "".join("r" if column.align == "right" else "l" for column in table.columns)
        heads = [latex(column.heading) for column in table.columns]
        rows = [[latex(cell) for cell in row] for row in table.shown()]
        said = ". ".join(text.rstrip(".") for text in (table.title, *table.notes) if text)
        lines = [
            r"\begin{table}",
            r"\centering",
            *([rf"\caption{{{latex(said)}.}}"] if said else []),
            rf"\begin{{tabular}}{{{spec}}}",
            r"\toprule",
            " & ".join(heads) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(printable(text), width, break_long_words=False, break_on_hyphens=False) or [""]


def _on_one_line(text: str) -> str:
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def markdown(text: str) -> str:
    """Text for Markdown: its special signs escaped."""
    escaped = re.sub(r"([\\`*_<>|#~$]|\](?=[(\[:]))", r"\\\1", printable(text))
    return escaped.replace("&", "&amp;").replace("\n", " ").replace("\t", " ")


def latex(text: str) -> str:
    """Text for LaTeX: its special signs spelt out."""
    replaced = "".join(_LATEX.get(character, character) for character in printable(text))
    return replaced.replace("±", r"$\pm$").replace("≥", r"$\geq$").replace("\n", " ")
