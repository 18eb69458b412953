"""A table: columns over the arrays that a result holds, each declared once, and every form a reader can have of it.

`Column` says what a column is called in JSON, CSV and data frames, what readers see above it, and how its values are
shown. Names of columns are written, never read back: code that needs a number asks the result for it. Text from files
(names of levels, runs, assessors) is data: each rendering escapes what its format would take as markup or as a command
to the terminal.
"""

from __future__ import annotations

import csv
import io
import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.terminal import PAGE_WIDTH, Narrow, TextColumn, lay_out, page_width, wrap
from gainsayer.text import nearest, printable
from gainsayer.words import capitalized

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

Align: TypeAlias = Literal["left", "right"]
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Values: TypeAlias = "npt.NDArray[Any] | Sequence[Json] | Json"

ALL: Final = "all"
MOST_ROWS: Final = 100  # of a table in a notebook
_INTERVAL: Final = "interval"
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_LATEX: Final = {
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


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table.

    Args:
        key: its name in JSON, CSV and data frames.
        values: one per row, as numbers, text or objects for JSON; an array of shape [rows, 2] holds intervals. NaN and
            None are what is not known. A single text, number or None stands in every row.
        heading: what readers see above it; without one, their tables leave it out.
        digits: after the point, for readers.
        whole: counts: 4.0 is 4 in every form, and 4.5 has one digit for readers.
        say: a value in words, where digits do not do.
        missing: what readers see where nothing is known.
        align: for readers; by default text and intervals stand left, numbers right.
        extra: readers see it only where they ask for it.
        keep: readers see it even where nothing is known of it.
        narrow: how its cells give way where a terminal is narrow: names are shortened in the middle, sentences wrapped,
            others stay.
        spare: the higher, the earlier a narrow terminal leaves it out, negative ones last; from the right where equal.
        csv: whether CSV and data frames have it.
        json: whether JSON has it.
    """

    key: str
    values: Values
    heading: str | None = None
    digits: int = 3
    whole: bool = False
    say: Callable[[Any], str] | None = None
    missing: str = "-"
    align: Align | None = None
    extra: bool = False
    keep: bool = False
    narrow: Narrow | None = None
    spare: int = 0
    csv: bool = True
    json: bool = True

    @property
    def is_interval(self) -> bool:
        """Whether each value is a lower and an upper end."""
        return isinstance(self.values, np.ndarray) and self.values.ndim == 2

    @property
    def height(self) -> int | None:
        """How many rows it has; None where one value stands in every row."""
        return None if _is_scalar(self.values) else len(self.values)  # type: ignore[arg-type]

    def cells(self, height: int) -> list[Json]:
        """The values one by one: None where one is not known, an interval as a list of two.

        >>> Column("interval", np.array([[0.1, 0.5], [np.nan, np.nan]])).cells(2), Column("pairs", 7).cells(2)
        ([[0.1, 0.5], None], [7, 7])
        """
        if _is_scalar(self.values):
            return [self._known(self.values)] * height
        values = self.values.tolist() if isinstance(self.values, np.ndarray) else self.values
        return [self._known(value) for value in values]  # type: ignore[union-attr]

    def _known(self, value: Any) -> Json:
        if isinstance(value, float):
            if not math.isfinite(value):
                return None
            return int(value) if self.whole and value.is_integer() else value
        if isinstance(value, list) and self.is_interval:
            ends = [self._known(end) for end in value]
            return None if None in ends else ends
        return value  # type: ignore[no-any-return]

    def show(self, cell: Json) -> str:
        """A cell as readers see it.

        >>> p = Column("p", [0.25], "p")
        >>> p.show(0.25), p.show(None), p.show([-0.0001, 0.5]), p.show("many"), p.show(12345)
        ('0.250', '-', '[0.000, 0.500]', 'many', '12,345')
        """
        if cell is None:
            return self.missing
        if self.say is not None:
            return self.say(cell)
        if isinstance(cell, list):
            return f"[{self.show(cell[0])}, {self.show(cell[1])}]"
        return show_number(cell, 1 if self.whole else self.digits) if isinstance(cell, int | float) else str(cell)

    def take(self, rows: npt.NDArray[np.intp]) -> Column:
        """The same with these rows, in this order."""
        if _is_scalar(self.values):
            return self
        if isinstance(self.values, np.ndarray):
            return replace(self, values=self.values[rows])
        return replace(self, values=[self.values[row] for row in rows.tolist()])  # type: ignore[index]

    def flat(self) -> list[Column]:
        """As CSV and data frames have it: an interval is two columns, `lower` and `upper`.

        >>> [column.key for column in Column("rank_interval", np.ones((1, 2))).flat()]
        ['rank_lower', 'rank_upper']
        """
        if not self.csv:
            return []
        if not (self.is_interval and isinstance(self.values, np.ndarray)):
            return [replace(self, heading=self.key, extra=False)]
        before = self.key.removesuffix(_INTERVAL)
        return [
            replace(self, key=before + end, heading=before + end, values=ends, extra=False)
            for end, ends in zip(("lower", "upper"), self.values.T, strict=True)
        ]

    def series(self, height: int) -> pl.Series:
        """As a column of a data frame: Int64, Float64 or String, null where nothing is known."""
        cells = self.cells(height)
        known = [cell for cell in cells if cell is not None]
        if any(isinstance(cell, str) for cell in known):
            return pl.Series(self.key, [None if cell is None else str(cell) for cell in cells], dtype=pl.String)
        numeric = isinstance(self.values, np.ndarray) or bool(known)
        whole = known and all(isinstance(cell, int) for cell in known)
        return pl.Series(self.key, cells, dtype=pl.Int64 if whole else pl.Float64 if numeric else pl.String)


def plain(values: npt.NDArray[np.float64]) -> list[Json]:
    """An array as nested lists for JSON: None where nothing is known; where all numbers are whole, they are integers.

    >>> plain(np.array([[4.0, 1.0], [0.0, 2.0]])), plain(np.array([0.5, np.nan]))
    ([[4, 1], [0, 2]], [0.5, None])
    """
    if values.size and np.isfinite(values).all() and np.all(values == np.round(values)):
        return values.astype(np.int64).tolist()  # type: ignore[no-any-return]
    return [[number(cell) for cell in row] if isinstance(row, list) else number(row) for row in values.tolist()]


def number(value: float) -> float | None:
    """A number for JSON: None for NaN and infinities.

    >>> number(float("nan")), number(np.float64(0.5))
    (None, 0.5)
    """
    return float(value) if math.isfinite(value) else None


def show_number(number: float, digits: int = 3) -> str:
    """A number for readers: so many digits after the point, whole numbers as they are, no minus before a zero.

    >>> show_number(0.25), show_number(-0.001, 2), show_number(1119.25, 1), show_number(1119)
    ('0.250', '0.00', '1,119.2', '1,119')
    """
    if isinstance(number, int):
        return f"{number:,}"
    shown = f"{number:,.{digits}f}"
    return shown if shown.strip("-0.") else shown.removeprefix("-")


@dataclass(frozen=True, eq=False)
class Table:
    """Columns under a title.

    Args:
        title: what it shows.
        columns: in order.
        name: by which it can be asked for.
        notes: what a reader should know to read it.
        extra: readers see it only where they ask for it.
        order: the rows as readers see them, such as the best first; JSON, CSV and data frames have them as they are.
    """

    title: str
    columns: tuple[Column, ...]
    name: str = ""
    notes: tuple[str, ...] = ()
    extra: bool = False
    order: npt.NDArray[np.intp] | None = None

    @property
    def height(self) -> int:
        """How many rows it has."""
        return next((column.height for column in self.columns if column.height is not None), 1 if self.columns else 0)

    def cells(self) -> list[tuple[Json, ...]]:
        """The rows of values."""
        return list(zip(*(column.cells(self.height) for column in self.columns), strict=True))

    def shown(self) -> list[list[str]]:
        """The rows as readers see them."""
        return [[column.show(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.cells()]

    def aligned(self) -> list[Align]:
        """On which side the values of each column stand."""
        found: list[Align] = []
        for column in self.columns:
            text = column.is_interval or any(isinstance(cell, str | list) for cell in column.cells(self.height))
            found.append(column.align or ("left" if text else "right"))
        return found

    def take(self, rows: npt.NDArray[np.intp] | Sequence[int]) -> Table:
        """The same with these rows, in this order."""
        index = np.asarray(rows, dtype=np.intp)
        return replace(self, columns=tuple(column.take(index) for column in self.columns), order=None)

    def keep(self, columns: Iterable[Column]) -> Table:
        """The same with these columns."""
        return replace(self, columns=tuple(columns))

    def without(self, *keys: str) -> Table:
        """The same without the columns of these keys."""
        return self.keep(column for column in self.columns if column.key not in keys)

    def on_demand(self, *keys: str) -> Table:
        """The same with these columns for readers who ask."""
        return self.keep(replace(one, extra=True) if one.key in keys else one for one in self.columns)

    def read(self) -> Table:
        """What there is for readers: rows in their order; columns with a heading, those on demand last.

        >>> scores = Table("", (Column("P@5", np.array([0.2, 0.6]), "P@5"),), order=np.array([1, 0]))
        >>> scores.read().cells(), scores.to_polars().rows()
        ([(0.6,), (0.2,)], [(0.2,), (0.6,)])
        """
        rows = self if self.order is None else self.take(self.order)
        return rows.keep(sorted((one for one in rows.columns if one.heading is not None), key=lambda one: one.extra))

    def without_empty(self) -> Table:
        """The same without columns in which nothing stands."""
        return self.keep(
            column
            for column in self.columns
            if column.keep or not self.height or any(cell is not None for cell in column.cells(self.height))
        )

    def brief(self) -> Table:
        """What readers see: columns in which something stands, without those on demand."""
        read = self.read()
        return read.keep(column for column in read.columns if not column.extra).without_empty()

    def for_page(self) -> Table:
        """What readers see, each interval as two columns or in words: a page sorts and copies single numbers.

        >>> ends = Column("interval", np.array([[0.0, 0.5]]), "95 % interval")
        >>> [(column.key, column.heading) for column in Table("", (ends,)).for_page().columns]
        [('lower', '95 % interval, lower'), ('upper', '95 % interval, upper')]
        """
        shown = self.brief()
        columns: list[Column] = []
        for column in shown.columns:
            if not column.is_interval:
                columns.append(column)
            elif column.say is None:
                columns += [replace(end, heading=f"{column.heading}, {end.key}") for end in column.flat()]
            else:
                cells = column.cells(shown.height)
                said = [None if cell is None else column.show(cell) for cell in cells]
                columns.append(replace(column, values=said, say=None))
        return shown.keep(replace(column, heading=capitalized(column.heading or "")) for column in columns)

    def flat(self) -> Table:
        """What CSV and data frames hold, nothing rounded; intervals are two columns."""
        return replace(self, columns=tuple(one for column in self.columns for one in column.flat()), order=None)

    def records(self, *leave_out: str) -> list[dict[str, Json]]:
        """The rows as objects for JSON.

        >>> Table("", (Column("run", ["a", "b"]), Column("p", np.array([0.5, np.nan])))).records()
        [{'run': 'a', 'p': 0.5}, {'run': 'b', 'p': None}]
        """
        kept = self.keep(column for column in self.columns if column.json and column.key not in leave_out)
        keys = [column.key for column in kept.columns]
        return [dict(zip(keys, row, strict=True)) for row in kept.cells()]

    def to_polars(self) -> pl.DataFrame:
        """As a polars data frame: numbers unrounded, null where nothing is known, intervals as two columns."""
        flat = self.flat()
        return pl.DataFrame([column.series(flat.height) for column in flat.columns])

    def to_pandas(self) -> pd.DataFrame:
        """As a pandas data frame; whole numbers that are not all known are floats, as pandas has them.

        Raises:
            CallError: pandas is not installed.
        """
        return as_pandas(self.to_polars())

    def to_arrow(self) -> Any:
        """As a pyarrow table; without pyarrow, as something that gives an Arrow stream."""
        return as_arrow(self.to_polars())

    def to_csv(self) -> str:
        """As CSV: nothing rounded, empty cells where nothing is known."""
        return render_csv(self.flat())

    def to_markdown(self) -> str:
        """As GitHub's Markdown, rounded for readers."""
        return render_markdown([self.brief()])

    def to_latex(
        self,
        *,
        columns: Sequence[str] | None = None,
        caption: str | None = None,
        label: str | None = None,
        decimals: int | None = None,
        bold: bool = False,
    ) -> str:
        r"""For LaTeX with booktabs; put `\usepackage{booktabs}` into the preamble.

        Args:
            columns: keys or headings in the order wanted; by default those that readers see.
            caption: in place of the title and the notes; text, not commands.
            label: to refer to it.
            decimals: after the point, in every column of numbers.
            bold: whether the highest number of each column is bold.

        >>> table = Table("Means", (Column("run", ["a_1", "b"], "run"), Column("value", [0.5, 0.25], "AP")))
        >>> print(table.to_latex(caption="AP", label="tab:ap", decimals=2, bold=True), end="")
        \begin{table}
        \centering
        \caption{AP.}
        \label{tab:ap}
        \begin{tabular}{lr}
        \toprule
        run & AP \\
        \midrule
        a\_1 & \textbf{0.50} \\
        b & 0.25 \\
        \bottomrule
        \end{tabular}
        \end{table}
        """
        shown = choose([replace(self, extra=False)], None, columns)
        return render_latex(shown, caption=caption, label=label, decimals=decimals, bold=bold)

    def __str__(self) -> str:
        """As the command line prints it."""
        return render_text([self], width=page_width(sys.stdout)).rstrip("\n")

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return render_html([self.brief()])


def as_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """A polars data frame as a pandas one; whole numbers that are not all known are floats, as pandas has them.

    Raises:
        CallError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise CallError("pandas is not installed: install it, or use to_polars().") from None
    return pd.DataFrame({name: frame[name].to_numpy() for name in frame.columns})


def as_arrow(frame: pl.DataFrame) -> Any:
    """A polars data frame as a pyarrow table; without pyarrow, as it is: it gives an Arrow stream."""
    try:
        import pyarrow as pa
    except ImportError:
        return frame
    return pa.table(frame)


def stack(tables: Sequence[Table]) -> Table:
    """Tables one below the other, with the columns of the first; what another one lacks is not known there.

    A key may stand twice in a table: for a column of CSV, and for one of JSON.

    >>> tables = [Table("", (Column("stratum", name), Column("p", np.array([0.5])))) for name in "ab"]
    >>> stack(tables).cells()
    [('a', 0.5), ('b', 0.5)]
    """
    heights = [table.height for table in tables]
    by_key = [{(column.key, column.csv): column for column in table.columns} for table in tables]
    columns = []
    for column in tables[0].columns:
        key = column.key, column.csv
        parts = [found[key].values if key in found else None for found in by_key]
        columns.append(replace(column, values=_joined(parts, heights)))
    return replace(tables[0], columns=tuple(columns), order=_joined_order(tables))


def _joined_order(tables: Sequence[Table]) -> npt.NDArray[np.intp] | None:
    """The rows as readers see them; None where no table has an order of its own."""
    if all(table.order is None for table in tables):
        return None
    before = np.cumsum([0, *(table.height for table in tables)])
    orders = [np.arange(table.height) if table.order is None else table.order for table in tables]
    return np.concatenate([start + order for start, order in zip(before, orders, strict=False)])


def _joined(parts: Sequence[Values], heights: Sequence[int]) -> Values:
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    if arrays and all(isinstance(part, np.ndarray) or part is None for part in parts):
        shape = arrays[0].shape[1:]
        return np.concatenate(
            [
                part if isinstance(part, np.ndarray) else np.full((height, *shape), np.nan)
                for part, height in zip(parts, heights, strict=True)
            ]
        )
    if all(part is None for part in parts):
        return None
    return [cell for part, height in zip(parts, heights, strict=True) for cell in Column("", part).cells(height)]


def choose(tables: Sequence[Table], name: str | None = None, columns: Sequence[str] | None = None) -> list[Table]:
    """The tables and columns asked for; by default those that answer, without those on demand.

    Args:
        tables: all there are.
        name: of a table, or `all`.
        columns: keys or headings in the order wanted, or `all`.

    Raises:
        CallError: there is no such table or column; the nearest name is suggested.

    >>> table = Table("", (Column("run", ["a"], "run"), Column("p", [0.1], "p-value", extra=True)), "runs")
    >>> [column.key for column in choose([table])[0].columns]
    ['run']
    >>> [column.key for column in choose([table], columns=["p-value", "run"])[0].columns]
    ['p', 'run']
    >>> choose([table], "run")
    Traceback (most recent call last):
    gainsayer.errors.CallError: There is no table 'run'. Did you mean runs? The tables are: runs, all.
    """
    columns = [columns] if isinstance(columns, str) else columns
    names = list(dict.fromkeys(table.name for table in tables if table.name))
    if name is not None and name not in (*names, ALL):
        raise CallError(name_nearest("table", name, [*names, ALL]))
    chosen = [table for table in tables if (not table.extra if name is None else name in (table.name, ALL))]
    if columns is None:
        return [table.brief() for table in chosen]
    read = [table.read() for table in chosen]
    if list(columns) == [ALL]:
        return [table.keep(replace(column, extra=False) for column in table.columns) for table in read]
    found = [[_find(table, wanted) for wanted in columns] for table in read]
    for at, wanted in enumerate(columns):
        if all(row[at] is None for row in found):
            named = [column for table in read for column in table.columns]
            headings = [column.heading for column in named if column.heading]
            raise CallError(name_nearest("column", wanted, [column.key for column in named], headings))
    kept = [
        table.keep(replace(column, extra=False) for column in row if column is not None)
        for table, row in zip(read, found, strict=True)
    ]
    return [table for table in kept if table.columns]


def name_nearest(what: str, asked: str, known: Sequence[str], also: Sequence[str] = ()) -> str:
    """What to say of a table or column that does not exist; `also` are other names of those known.

    >>> name_nearest("table", "run", ["runs", "all"])
    "There is no table 'run'. Did you mean runs? The tables are: runs, all."
    """
    near, every = nearest(asked, [*also, *known]), ", ".join(dict.fromkeys(known))
    return f"There is no {what} {asked!r}.{near} The {what}s are: {every}."


def _find(table: Table, wanted: str) -> Column | None:
    """The column of this heading or key, or of a heading that ends in this word."""
    word = wanted.lower()
    headings = [(column.heading or "").lower() for column in table.columns]
    keys = [column.key.lower() for column in table.columns]
    for names in (headings, keys, [heading.rpartition(" ")[2] for heading in headings]):
        if word in names:
            return table.columns[names.index(word)]
    return None


def render_text(
    tables: Sequence[Table],
    *,
    color: bool = False,
    width: int | None = None,
    all_columns: bool = False,
    more: str = "to_polars()",
) -> str:
    """Tables for a terminal; no number is ever cut.

    Args:
        tables: to show.
        color: whether titles and headings are bold.
        width: of the page; a table that is wider gives way as `gainsayer.terminal` says. None for as wide as needed,
            and sentences 100 wide.
        all_columns: no column is left out, however wide the table.
        more: where readers find the columns that are left out.

    >>> table = Table("Means", (Column("run", ["bm25", "b"], "run"), Column("p", [0.5, 1.0], "P@10", 1)))
    >>> print(render_text([table]), end="")
    Means
    run    P@10
    ───────────
    bm25    0.5
    b       1.0
    """
    lines = []
    for table in (table.brief() for table in tables):
        layout = lay_out(_text_columns(table), width, all_columns=all_columns)
        left_out = _name_columns(table, layout.left_out)
        said = [f"Not shown for width: {left_out}. All columns: {more}."] if left_out else []
        titles = wrap(table.title, width or PAGE_WIDTH) if table.title else []
        bold = [f"\x1b[1m{line}\x1b[0m" if color else line for line in (*titles, *layout.head)]
        notes = [line for note in (*said, *table.notes) for line in wrap(note, width or PAGE_WIDTH)]
        lines += [*bold, *layout.body, *notes, ""]
    return "\n".join(lines).rstrip() + "\n"


def _text_columns(table: Table) -> list[TextColumn]:
    """The columns as text; the first that holds text and the first that holds numbers are never left out."""
    shown = [[_on_one_line(cell) for cell in row] for row in table.shown()]
    columns = table.columns
    texts = zip(*shown, strict=True) if shown else [()] * len(columns)
    cells = [column.cells(table.height) for column in columns]
    fixed = {
        next((index for index, found in enumerate(cells) if any(isinstance(cell, kind) for cell in found)), 0)
        for kind in (str, int | float)
    }
    return [
        TextColumn(
            *(_on_one_line(column.heading or ""), text, side == "right"),
            narrow=column.narrow,
            spare=column.spare,
            fixed=index in fixed,
        )
        for index, (column, text, side) in enumerate(zip(columns, texts, table.aligned(), strict=True))
    ]


def _name_columns(table: Table, indices: Sequence[int]) -> str:
    """Columns by their headings; by their keys, where another column has the same heading."""
    others = {column.heading for index, column in enumerate(table.columns) if index not in indices}
    chosen = [table.columns[index] for index in indices]
    return ", ".join(dict.fromkeys(str(one.key if one.heading in others else one.heading) for one in chosen))


def _headings(table: Table) -> list[str]:
    return [column.heading or "" for column in table.columns]


def render_csv(table: Table, *, spreadsheet: bool = False) -> str:
    r"""One table as CSV: a header of keys, raw values, nothing rounded, empty cells where nothing is known.

    Text is written as it is in the files. A spreadsheet takes text that begins with = + - @ as a formula; with
    `spreadsheet`, an apostrophe stands before such text, and control characters are shown. Numbers stay numbers.

    >>> print(render_csv(Table("", (Column("p", np.array([0.5, np.nan])),))).strip())
    p
    0.5
    ""
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.key for column in table.columns])
    for row in table.cells():
        writer.writerow(["" if cell is None else _inert(cell) if spreadsheet else cell for cell in row])
    return stream.getvalue()


def _inert(cell: Json) -> Json:
    """A cell that no spreadsheet takes as a formula."""
    if not isinstance(cell, str):
        return cell
    return f"'{printable(cell)}" if cell.lstrip(" ").startswith(_FORMULA) else printable(cell)


def render_markdown(tables: Sequence[Table]) -> str:
    """Tables as GitHub's Markdown."""
    parts = []
    for table in (table.brief() for table in tables):
        heads = [markdown(heading) for heading in _headings(table)]
        rules = ["---:" if side == "right" else "---" for side in table.aligned()]
        rows = [[markdown(cell) for cell in row] for row in table.shown()]
        lines = [f"| {' | '.join(cells)} |" for cells in (heads, rules, *rows)]
        title = [f"**{markdown(table.title)}**", ""] if table.title else []
        notes = [line for note in table.notes for line in ("", markdown(note))]
        parts.append("\n".join([*title, *lines, *notes]))
    return "\n\n".join(parts) + "\n"


def render_latex(
    tables: Sequence[Table],
    *,
    caption: str | None = None,
    label: str | None = None,
    decimals: int | None = None,
    bold: bool = False,
) -> str:
    """Tables for LaTeX with booktabs, each with its title and notes as the caption; see `Table.to_latex`.

    Raises:
        CallError: a caption or a label is given for several tables.
    """
    if len(tables) > 1 and (caption is not None or label is not None):
        names = ", ".join(dict.fromkeys(table.name for table in tables))
        raise CallError(f"A caption or label is for one table, and there are {len(tables)}: choose one ({names}).")
    parts = []
    for table in (table.brief() for table in tables):
        if decimals is not None:
            table = table.keep(replace(column, digits=decimals) for column in table.columns)
        spec = "".join("r" if side == "right" else "l" for side in table.aligned())
        rows = [[latex(cell) for cell in row] for row in table.shown()]
        for at, best in enumerate(_highest(table) if bold else ()):
            for row in best:
                rows[row][at] = rf"\textbf{{{rows[row][at]}}}"
        said = ". ".join(text.rstrip(".") for text in (table.title, *table.notes) if text)
        said = said if caption is None else caption.rstrip(".")
        lines = [
            r"\begin{table}",
            r"\centering",
            *([rf"\caption{{{latex(said)}.}}"] if said else []),
            *([rf"\label{{{label}}}"] if label else []),
            rf"\begin{{tabular}}{{{spec}}}",
            r"\toprule",
            " & ".join(map(latex, _headings(table))) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _highest(table: Table) -> list[list[int]]:
    """For each column, the rows that hold its highest number; none in a column of text."""
    found = []
    for column in table.columns:
        numbers = [cell if isinstance(cell, int | float) else -math.inf for cell in column.cells(table.height)]
        top = max(numbers, default=-math.inf)
        found.append([row for row, number in enumerate(numbers) if number == top > -math.inf])
    return found


# Lines and quiet text are mixed from the text's own colour, so that they show on light and on dark pages alike.
_LINE: Final = "1px solid rgba(128, 128, 128, 0.5)"
_BOX: Final = "overflow-x: auto; margin: 0 0 1em 0;"
_GRID: Final = (
    "border-collapse: collapse; font-variant-numeric: tabular-nums; color: inherit; font-size: inherit; margin: 0;"
)
_TITLE: Final = "margin: 0 0 0.4em 0; max-width: 60em; text-align: left;"
_QUIET: Final = "margin: 0.3em 0 0 0; opacity: 0.75; font-size: 0.9em;"
_LIST: Final = "margin: 0; padding-left: 1.2em; max-width: 60em; font-size: 0.9em;"
_CELL: Final = "padding: 0.15em 0.8em 0.15em 0; white-space: nowrap; background: none;"


def render_html(tables: Sequence[Table], findings: Sequence[Finding] = ()) -> str:
    """Tables and findings for a notebook: no scripts, nothing fetched, no colours; a hundred rows of each at most.

    >>> render_html([Table("A & B", (Column("run", ["<b>"], "run"),))]).count("&lt;b&gt;")
    1
    """
    parts = [_render_grid(table.brief()) for table in tables]
    if findings:
        said = "".join(f"<li><code>{_html(one.code)}</code> {_html(one.message)}</li>" for one in findings)
        parts.append(f'<ul style="{_LIST}">{said}</ul>')
    return f'<div class="gainsayer">{"".join(parts)}</div>'


def _render_grid(table: Table) -> str:
    shown = table.take(range(min(table.height, MOST_ROWS)))
    styles = [f"text-align: {side}; {_CELL}" for side in table.aligned()]
    title = f'<p style="{_TITLE}"><strong>{_html(table.title)}</strong></p>' if table.title else ""
    heads = "".join(
        f'<th scope="col" style="{style} border-bottom: {_LINE};">{_html(heading)}</th>'
        for style, heading in zip(styles, _headings(shown), strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f'<td style="{style}">{_html(cell)}</td>' for style, cell in zip(styles, row, strict=True))
        + "</tr>"
        for row in shown.shown()
    )
    more = ""
    if table.height > MOST_ROWS:
        more = f'<p style="{_QUIET}">The first {MOST_ROWS} of {table.height:,} rows.</p>'
    grid = f'<table style="{_GRID}"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    notes = "".join(f'<p style="{_QUIET}">{_html(note)}</p>' for note in table.notes)
    return f'<div style="{_BOX}">{title}{grid}{more}{notes}</div>'


def markdown(text: str) -> str:
    """Text for Markdown: its special signs escaped."""
    escaped = re.sub(r"([\\`*_<>|#~$]|\](?=[(\[:]))", r"\\\1", printable(text))
    return escaped.replace("&", "&amp;").replace("\n", " ").replace("\t", " ")


def latex(text: str) -> str:
    """Text for LaTeX: its special signs spelt out."""
    replaced = "".join(_LATEX.get(character, character) for character in printable(text))
    return replaced.replace("±", r"$\pm$").replace("≥", r"$\geq$").replace("\n", " ")


def _on_one_line(text: str) -> str:
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def _html(text: str) -> str:
    return escape(printable(text))


def _is_scalar(values: Values) -> bool:
    return values is None or isinstance(values, str | int | float)
