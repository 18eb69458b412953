"""What every answer is made of: tables, sentences, a figure, findings; and each form in which it is taken.

A command's file declares its result: a frozen dataclass that derives from `Result`, says `tables`, `document` and
`about`, and has sentences and a figure where there are any. All forms below follow from these.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from gainsayer.drawing.figure import Figure
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.table import (
    ALL,
    Json,
    Table,
    choose,
    name_nearest,
    render_csv,
    render_html,
    render_latex,
    render_markdown,
    render_text,
    stack,
)
from gainsayer.terminal import PAGE_WIDTH, page_width, wrap
from gainsayer.text import is_on_command_line, option, printable, write_json

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

SCHEMA_VERSION: Final = 1  # of the JSON of all commands: the files in gainsayer/schemas describe it
_LONGEST: Final = 100


class Result(ABC):
    """An answer: a notebook shows it, `print` prints it, and it goes out as data frames, JSON, CSV, Markdown or LaTeX.

    What is printed, Markdown and LaTeX are rounded for readers; CSV and data frames hold one flat table, nothing
    rounded; JSON holds everything. Whatever takes Arrow streams takes a result as it is: `polars.DataFrame(result)`,
    `pyarrow.table(result)`, a query of duckdb.

    >>> from gainsayer.commands.agree import agree
    >>> from gainsayer.datasets.paper import twenty_documents
    >>> agree(twenty_documents()).to_polars(table="levels").columns
    ['stratum', 'level', '0', '1', '2']
    """

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader should know."""
        return ()

    @abstractmethod
    def tables(self) -> list[Table]:
        """What readers see, in order; those on demand among them."""

    @abstractmethod
    def document(self) -> dict[str, Json]:
        """Everything, as plain data with stable keys: what JSON holds."""

    @abstractmethod
    def about(self) -> str:
        """What it is about, in a few words."""

    def rows(self) -> Table:
        """The flat table that CSV and data frames hold."""
        return self.tables()[0]

    def answer(self) -> list[str]:
        """What it says, in sentences that stand before the tables."""
        return []

    def figure(self) -> Figure:
        """The main figure.

        Raises:
            CallError: there is none.
        """
        raise CallError(f"{type(self).__name__} has no figure; see its tables.")

    def table(self, name: str | None = None) -> Table:
        """One of the tables, whole: those of one name below each other; without a name, the flat table.

        Raises:
            CallError: there is no such table, or those of this name do not have the same columns.
        """
        if name is None:
            return self.rows()
        every = self.tables()
        found = [table for table in every if table.name == name]
        if not found:
            raise CallError(name_nearest("table", name, [*(table.name for table in every if table.name), ALL]))
        if len({tuple(column.key for column in table.columns) for table in found}) > 1:
            raise CallError(f"There are {len(found)} tables {name!r}, with different columns: choose another table.")
        return stack(found)

    def to_polars(self, table: str | None = None) -> pl.DataFrame:
        """A table as a polars data frame; null where nothing is known."""
        return self.table(table).to_polars()

    def to_pandas(self, table: str | None = None) -> pd.DataFrame:
        """A table as a pandas data frame; NaN and None where nothing is known."""
        return self.table(table).to_pandas()

    def to_arrow(self, table: str | None = None) -> Any:
        """A table as a pyarrow table; without pyarrow, as something that gives an Arrow stream."""
        return self.table(table).to_arrow()

    def to_json(self) -> str:
        """Everything, as JSON with stable keys; null where nothing is known."""
        return write_versioned(self.document())

    def to_csv(
        self, table: str | None = None, *, columns: Sequence[str] | None = None, spreadsheet: bool = False
    ) -> str:
        """A table as CSV: nothing rounded, empty cells where nothing is known.

        Args:
            table: its name; by default the flat table.
            columns: keys in the order wanted; by default all.
            spreadsheet: write names so that no spreadsheet takes them for a formula.
        """
        flat = self.table(table).flat()
        return render_csv(flat if columns is None else choose([flat], None, columns)[0], spreadsheet=spreadsheet)

    def to_markdown(self, table: str | None = None, *, columns: Sequence[str] | None = None) -> str:
        """The tables as GitHub's Markdown; see `to_latex` for the arguments."""
        return render_markdown(self._choose(table, columns))

    def to_latex(
        self,
        table: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        caption: str | None = None,
        label: str | None = None,
        decimals: int | None = None,
        bold: bool = False,
    ) -> str:
        r"""The tables for LaTeX with booktabs; put `\usepackage{booktabs}` into the preamble.

        Args:
            table: its name, or `all`; by default those that answer.
            columns: keys or headings in the order wanted, or `all`; by default those that answer.
            caption: in place of the title and the notes; text, not commands.
            label: to refer to it.
            decimals: after the point, in every column of numbers.
            bold: whether the highest number of each column is bold.
        """
        shown = self._choose(table, columns)
        return render_latex(shown, caption=caption, label=label, decimals=decimals, bold=bold)

    def to_text(
        self,
        table: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        width: int | None = None,
        color: bool = False,
    ) -> str:
        """The sentences and tables as the command line prints them.

        Args:
            table: its name, or `all`; by default those that answer.
            columns: keys or headings in the order wanted, or `all`; by default those that answer.
            width: of the page; where a table is wider, names are shortened and columns left out, but none asked for.
                By default tables are as wide as they need, and sentences 100 wide.
            color: whether titles and headings are bold.
        """
        said = [] if table else [line for text in self.answer() for line in wrap(text, width or PAGE_WIDTH)]
        before = "\n".join([*said, "", ""]) if said else ""
        more = f"{option('columns', ALL)}, or {'-o table.csv' if is_on_command_line() else 'to_polars()'}"
        return before + render_text(
            self._choose(table, columns), color=color, width=width, all_columns=columns is not None, more=more
        )

    def _choose(self, name: str | None, columns: Sequence[str] | None) -> list[Table]:
        """The tables asked for, and their columns; a table that is made only where it is asked for, too."""
        tables = self.tables()
        if name not in (None, ALL, *(table.name for table in tables)):
            tables = [replace(self.table(name), extra=False)]
        return choose(tables, name, columns)

    def plot(self) -> Figure:
        """The main figure: a notebook shows it, `.save("figure.pdf", width_mm=85)` writes it as PDF, PNG or SVG.

        Raises:
            CallError: there is no figure of such a result.
        """
        return self.figure()

    def __str__(self) -> str:
        """What the command prints."""
        return self.to_text(width=page_width(sys.stdout)).rstrip("\n")

    def __repr__(self) -> str:
        """What it is about, in one line."""
        return short_repr(self, self.about())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The flat table as an Arrow stream, for whatever takes one."""
        return self.to_polars().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        """The tables and, once each, the findings, as a fragment of HTML: what a notebook shows."""
        return render_html(choose(self.tables()), tuple(dict.fromkeys(self.findings)))


def short_repr(value: object, words: str) -> str:
    """The name of a value's class and a few words, on one line.

    >>> short_repr(0.5, "a half")
    'float(a half)'
    """
    shown = printable(words).replace("\n", " ")
    return f"{type(value).__name__}({shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + '…'})"


def write_versioned(document: Mapping[str, Json]) -> str:
    """A document as JSON; the version of its schema comes first.

    >>> write_versioned({"seed": 1}).split()
    ['{', '"schema_version":', '1,', '"seed":', '1', '}']
    """
    return write_json({"schema_version": SCHEMA_VERSION, **document})


def check_version(document: Mapping[str, object]) -> None:
    """Refuse a document of another version; files that were written before there were versions are of the first.

    Raises:
        ValueError: it is of another version.
    """
    version = document.get("schema_version", 1)
    if version != SCHEMA_VERSION:
        raise ValueError(f"its schema_version is {version!r}, and this version of Gainsayer reads {SCHEMA_VERSION}")


def describe_findings(findings: Iterable[Finding]) -> list[Json]:
    """Findings as plain data: what JSON holds as warnings."""
    return [{"code": finding.code, "message": finding.message} for finding in findings]
