"""Results show themselves: what every result can do in a notebook, and as a table elsewhere.

Drawing tables is the work of `gainsayer.report`, which knows every kind of result. Results live in the rooms before it
and may not import it, so it is looked up when a result is shown, not before: results know nothing about tables, and
importing them waits for none. See docs/decisions/0014.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


class Displayed:
    """A result that a notebook shows as tables, and that goes out as Arrow, CSV, Markdown or LaTeX.

    Markdown and LaTeX are the tables that the command line prints, rounded for readers; CSV and Arrow hold its flat
    table, nothing rounded. Whatever takes Arrow streams takes a result as it is: `polars.DataFrame(result)`,
    `pyarrow.table(result)`.

    >>> from gainsayer.gains import linear_gains
    >>> from gainsayer.levels import Levels
    >>> print(linear_gains(Levels(("0", "1"))).to_csv().strip())
    gains,level,gain,standard_deviation,unjudged
    linear,0,0.0,,0.0
    linear,1,1.0,,0.0
    """

    __slots__ = ()

    def to_arrow(self) -> pl.DataFrame:
        """The flat table as a polars data frame, which pandas, pyarrow and duckdb take; null where nothing is known."""
        frame: pl.DataFrame = _report().make_frame(self)
        return frame

    def to_csv(self) -> str:
        """The flat table as CSV: nothing rounded, empty cells where nothing is known."""
        return str(_report().write_csv(self))

    def to_markdown(self) -> str:
        """The tables as GitHub's Markdown."""
        return str(_report().write_markdown(self))

    def to_latex(self) -> str:
        r"""The tables for LaTeX with booktabs; put `\usepackage{booktabs}` into the preamble."""
        return str(_report().write_latex(self))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The flat table as an Arrow stream, for whatever takes one."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        """The tables and findings as a fragment of HTML: what a notebook shows."""
        return str(_report().write_html(self))


def _report() -> Any:
    return import_module("gainsayer.report.displaying")
