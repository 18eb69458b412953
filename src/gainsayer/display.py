"""Results show themselves: what every result can do in a notebook, and as tables, data frames and figures elsewhere.

Drawing tables is the work of `gainsayer.reports`, which knows every kind of result. Results live in the rooms
before it and may not import it, so it is looked up when a result is shown, not before: results know nothing about
tables, and importing them waits for none. See docs/decisions/0014.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import polars as pl

from gainsayer.errors import CallError

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]


class Displayed:
    """A result that a notebook shows as tables, and that goes out as data frames, JSON, CSV, Markdown or LaTeX.

    Markdown and LaTeX are the tables that the command line prints, rounded for readers; CSV and the data frames hold
    its flat table, nothing rounded; JSON holds everything. Whatever takes Arrow streams takes a result as it is:
    `polars.DataFrame(result)`, `pyarrow.table(result)`, a query of duckdb.

    >>> from gainsayer.datasets.paper import twenty_documents
    >>> from gainsayer.commands.fit import fit
    >>> fit(twenty_documents(), threshold=2).to_polars().get_column("judged_count").to_list()
    [13, 17, 10]
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Give every kind of result the short words below, unless it has its own; `dataclass` would list all fields."""
        super().__init_subclass__()
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Displayed.__repr__  # type: ignore[method-assign]

    def to_pandas(self) -> pd.DataFrame:
        """The flat table as a pandas data frame; NaN and None where nothing is known."""
        frame: pd.DataFrame = _views().make_pandas(self)
        return frame

    def to_polars(self) -> pl.DataFrame:
        """The flat table as a polars data frame; null where nothing is known."""
        frame: pl.DataFrame = _views().make_frame(self)
        return frame

    def to_arrow(self) -> Any:
        """The flat table as a pyarrow table; without pyarrow, as something that gives an Arrow stream."""
        return _views().make_arrow(self)

    def to_json(self) -> str:
        """Everything, as JSON with stable keys; null where nothing is known."""
        return str(_views().write_json_of(self))

    def to_csv(self) -> str:
        """The flat table as CSV: nothing rounded, empty cells where nothing is known."""
        return str(_views().write_csv(self))

    def to_markdown(self) -> str:
        """The tables as GitHub's Markdown."""
        return str(_views().write_markdown(self))

    def to_latex(self) -> str:
        r"""The tables for LaTeX with booktabs; put `\usepackage{booktabs}` into the preamble."""
        return str(_views().write_latex(self))

    def plot(self) -> Any:
        """The main figure: a notebook shows it, `.save("figure.png")` writes it as PNG, SVG or PDF.

        Raises:
            CallError: there is no figure of such a result.
        """
        return _views().draw(self)

    def __repr__(self) -> str:
        """What it is about, in one line."""
        return str(_views().say(self))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The flat table as an Arrow stream, for whatever takes one."""
        return self.to_polars().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        """The tables and findings as a fragment of HTML: what a notebook shows."""
        return str(_views().write_html(self))


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


def _views() -> Any:
    return import_module("gainsayer.commands.views")
