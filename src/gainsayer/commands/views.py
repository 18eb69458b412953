"""How each kind of result is shown: plain data, tables for readers, the flat table, what was found, and the figure.

`gainsayer.display.Displayed` calls the functions here by name. To have another kind of result show itself, derive it
from that class and give it a line in `_VIEWS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import polars as pl

from gainsayer.commands.paper_table import render_paper_latex, render_paper_markdown
from gainsayer.commands.records import describe_findings
from gainsayer.display import as_arrow, as_pandas
from gainsayer.drawing.figure import Figure
from gainsayer.errors import CallError
from gainsayer.findings import Finding
from gainsayer.table import Json, Table, choose, render_csv, render_html, render_latex, render_markdown
from gainsayer.text import printable, write_json

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]


# A column in which nothing is known has no values to tell its type by; these hold text wherever they hold anything.
TEXT = frozenset(
    (
        *("estimator", "flags", "group", "interval_method", "method", "note", "relevant", "stratum", "threshold"),
        *("topic", "unit"),
    )
)
_LONGEST = 100


@dataclass(frozen=True)
class View:
    """How to show one kind of result: the functions, by their names, that make each form of it.

    They stand in one module of this room and are looked up when a form is asked for, so that showing one kind of
    result loads what belongs to it alone. A form without a function does not exist for that result.

    Args:
        module: where the functions are, but for those that name another one: `module:function`.
        tables: for readers: a table, or a list of them.
        flat: one flat table, nothing rounded.
        document: plain data for JSON; by default the rows of the flat table, and the findings.
        figure: the main figure.
        answer: what it says in sentences, before the tables.
        paper: the table of a paper with these columns, for LaTeX and Markdown; by default the tables for readers.
        words: what it is about, in a few words; by default the title of its first table.
    """

    module: str
    tables: str
    flat: str
    document: str | None = None
    figure: str | None = None
    answer: str | None = None
    paper: str | None = None
    words: str | None = None

    def show(self, form: str, result: object, *given: object) -> Any:
        """One form of a result; `given` goes to its function, too."""
        module, _, function = getattr(self, form).rpartition(":")
        return getattr(import_module(f"gainsayer.commands.{module or self.module}"), function)(result, *given)

    def show_tables(self, result: object) -> list[Table]:
        """The tables for readers."""
        shown = self.show("tables", result)
        return [shown] if isinstance(shown, Table) else list(shown)


_SCORES = View(
    "score_tables", "score_tables", "table_rows", "describe_scores", figure="score_figure", words="say_scores"
)
_COMPARISON = View(
    *("compare_tables", "every_comparison_table", "comparison_rows", "compare_records:describe_comparison"),
    figure="comparison_figure",
    answer="verdict:answer_comparison",
    paper="paper_table:paper_tables",
    words="say_comparison",
)
# By the name of the class.
_VIEWS: dict[str, View] = {
    "ScoreTable": _SCORES,
    "ComparisonTable": _COMPARISON,
    "SampleTable": View("machine_tables", "sample_rows", "sample_rows", words="say_sample"),
    "CheckTable": View(
        *("machine_tables", "check_tables", "favour_rows", "describe_check"), answer="say_verdict", words="say_check"
    ),
    "RectifiedTable": View(
        *("rectified_scores", "rectified_tables", "rectified_rows", "describe_rectified"),
        answer="machine_tables:say_verdict",
        words="say_rectified",
    ),
    "GainTable": View("machine_tables", "gain_rows", "gain_rows", words="say_gain_table"),
    "PlanTable": View(
        *("plan_tables", "plan_tables", "plan_rows", "describe_plan"),
        figure="plan_figure",
        answer="answer_plan",
        words="say_plan",
    ),
}


def find_view(result: object) -> View:
    """How to show this result, by its type or the nearest one it derives from.

    Raises:
        CallError: there are no tables for such a thing.

    >>> find_view(3)
    Traceback (most recent call last):
    gainsayer.errors.CallError: There are no tables for 'int': only results of Gainsayer are shown as such.
    """
    for kind in type(result).__mro__:
        if kind.__module__.startswith("gainsayer.") and kind.__name__ in _VIEWS:
            return _VIEWS[kind.__name__]
    name = type(result).__name__
    raise CallError(f"There are no tables for {name!r}: only results of Gainsayer are shown as such.")


def list_findings(result: object) -> tuple[Finding, ...]:
    """What was found; nothing where nothing can be."""
    return tuple(getattr(result, "findings", ()))


def describe(result: object) -> dict[str, Any]:
    """The result as plain data for JSON."""
    view = find_view(result)
    if view.document is not None:
        document: dict[str, Any] = view.show("document", result)
        return document
    return {"rows": make_frame(result).to_dicts(), "warnings": describe_findings(list_findings(result))}


def draw(result: object) -> Figure:
    """The main figure of a result.

    Raises:
        CallError: it has none.
    """
    view = find_view(result)
    if view.figure is None:
        raise CallError(f"There is no figure of a {type(result).__name__}: its tables say all of it.")
    drawn: Figure = view.show("figure", result)
    return drawn


def say(result: object) -> str:
    """The result in one line."""
    view = find_view(result)
    if view.words is not None:
        words = view.show("words", result)
    else:
        titles = [table.title for table in view.show_tables(result)[:1]]
        words = titles[0] if titles else ""
    shown = printable(words).replace("\n", " ")
    return f"{type(result).__name__}({shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + '…'})"


def write_json_of(result: object) -> str:
    """The result as JSON text."""
    return write_json(describe(result))


def write_html(result: object) -> str:
    """The tables and, once each, the findings, for a notebook."""
    view = find_view(result)
    return render_html(choose(view.show_tables(result)), tuple(dict.fromkeys(list_findings(result))))


def write_csv(result: object) -> str:
    """The flat table as CSV."""
    return render_csv(find_view(result).show("flat", result))


def write_markdown(result: object) -> str:
    """The table of a paper, or the tables, as Markdown."""
    view = find_view(result)
    if view.paper is not None:
        return render_paper_markdown(view.show("paper", result, None))
    return render_markdown(choose(view.show_tables(result)))


def write_latex(result: object) -> str:
    """The table of a paper, or the tables, for LaTeX."""
    view = find_view(result)
    if view.paper is not None:
        return render_paper_latex(view.show("paper", result, None))
    return render_latex(choose(view.show_tables(result)))


def make_frame(result: object) -> pl.DataFrame:
    """The flat table as a data frame: numbers unrounded, null where nothing is known."""
    table: Table = find_view(result).show("flat", result)
    return pl.DataFrame([make_series(column.key, column.cells(table.height)) for column in table.columns])


def make_pandas(result: object) -> pd.DataFrame:
    """The flat table as a pandas data frame; whole numbers that are not all known are floats, as pandas has them.

    Raises:
        CallError: pandas is not installed.
    """
    return as_pandas(make_frame(result))


def make_arrow(result: object) -> Any:
    """The flat table as a pyarrow table where pyarrow is installed, else as a frame that gives an Arrow stream."""
    return as_arrow(make_frame(result))


def make_series(key: str, cells: Sequence[Json]) -> pl.Series:
    """One column: Int64 for whole numbers, Float64 for numbers, else String; NaN becomes null.

    >>> make_series("p", [1, None, 0.5]).to_list(), make_series("p", [1, "many"]).to_list()
    ([1.0, None, 0.5], ['1', 'many'])
    """
    values = [None if cell is None or cell != cell else cell for cell in cells]
    known = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in known) or (not known and key in TEXT):
        return pl.Series(key, [None if value is None else str(value) for value in values], dtype=pl.String)
    whole = known and all(isinstance(value, int) for value in known)
    return pl.Series(key, values, dtype=pl.Int64 if whole else pl.Float64)
