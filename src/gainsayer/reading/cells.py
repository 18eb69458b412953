"""The cells of a table as text: of Python values, of polars columns, of anything that speaks Arrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import FormatError
from gainsayer.findings import Finding
from gainsayer.reading.columns import RATER, Schema, find_columns
from gainsayer.reading.faults import shorten

_EXACT_WHOLE: Final = 2.0**53
_TEXTS: Final = (pl.String, pl.Categorical, pl.Enum, pl.Null)


class ArrowTable(Protocol):
    """Anything that hands its rows over as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


@dataclass(frozen=True, eq=False)
class Cells:
    """The known columns of a table, by what they hold, as text without nulls or (see `Schema`) as numbers.

    Args:
        columns: what a column holds to the column; of a wide table, the raters' columns under `RATER` and their titles.
        first_line: the line of the first row, where rows stand on consecutive lines; None for tables without lines.
        lines: the line of each row, where they do not.
        titles: all titles of the table.
        places: where each row stands in a file that is not made of lines, in words: 'ratings[3]'.
        findings: what a reader should know.
    """

    columns: Mapping[str, pl.Series]
    first_line: int | None = None
    lines: npt.NDArray[np.int64] | None = None
    titles: tuple[str, ...] = ()
    places: Sequence[str] = ()
    findings: tuple[Finding, ...] = ()


def name_table(table: object) -> str:
    """What messages call a table in memory: the library it comes from, and what it is there.

    >>> import polars as pl
    >>> name_table(pl.DataFrame())
    'polars DataFrame'
    """
    return f"{type(table).__module__.partition('.')[0].lstrip('_')} {type(table).__name__}"


def take_table(table: object, name: str, content: str) -> pl.DataFrame:
    """Any table that speaks Arrow, or is of pandas, as polars has it; `content` says what it should hold."""
    if _is_pandas(table) and not _is_pyarrow_there():
        return _copy_pandas(table)
    try:
        return pl.DataFrame(table)  # type: ignore[arg-type]  # polars asks for __arrow_c_stream__ itself
    except Exception as fault:  # whatever the table's own library raises
        raise FormatError(
            f"{name}: expected a table that can be handed over as Arrow, found one that cannot: "
            f"{shorten(str(fault))}. Keep one type per column, and only the columns of {content}."
        ) from fault


def is_table(thing: object) -> bool:
    """Whether it is a table that `take_table` takes."""
    return hasattr(thing, "__arrow_c_stream__") or _is_pandas(thing)


def _is_pandas(table: object) -> bool:
    """Whether it is a data frame of pandas, which speaks Arrow only since version 2.2, and only with pyarrow."""
    return type(table).__module__.partition(".")[0] == "pandas" and hasattr(table, "isna") and hasattr(table, "columns")


def _is_pyarrow_there() -> bool:
    try:
        import pyarrow  # noqa: F401  # an optional dependency
    except ImportError:
        return False
    return True


def _copy_pandas(table: Any) -> pl.DataFrame:
    """A pandas data frame, column by column, where pyarrow is not installed."""
    columns = []
    for place, title in enumerate(table.columns):
        column = table.iloc[:, place]
        gone = column.isna().tolist()
        cells = [None if absent else cell for cell, absent in zip(column.tolist(), gone, strict=True)]
        texts = any(isinstance(cell, str) for cell in cells)
        columns.append(pl.Series(str(title), [str(c) if texts and c is not None else c for c in cells], strict=False))
    return pl.DataFrame(columns)


def read_frame(frame: pl.DataFrame, name: str, schema: Schema, *, raters: Sequence[str] = ()) -> Cells:
    """The cells of a polars data frame; see `column_text` for the types.

    Args:
        frame: the table.
        name: what messages call it.
        schema: what it holds.
        raters: columns of levels, one per rater, where the table is wide.

    Raises:
        FormatError: a column is missing, there twice, or of an unfit type.
    """
    columns = {}
    for key, place in find_columns(frame.columns, name, schema, raters=raters).items():
        column = frame.to_series(place)
        if key.startswith(RATER) and not raters and not (column.dtype.is_numeric() or column.dtype in _TEXTS):
            continue
        meaning = "level" if key.startswith(RATER) else key
        numeric = key in schema.numbers and (column.dtype.is_numeric() or column.dtype.is_decimal())
        columns[key] = column.cast(pl.Float64) if numeric else column_text(column, meaning, name)
    return Cells(columns, titles=tuple(frame.columns))


def cell_text(value: object, meaning: str) -> str:
    """A name, a level or a weight as text: 2.0 becomes '2', None becomes '', and for levels True becomes '1'.

    Raises:
        ValueError: the value is neither text nor a number; says what was expected and found.

    >>> [cell_text(value, "level") for value in ("Key", 2.0, True, None, 0.5)]
    ['Key', '2', '1', '', '0.5']
    """
    if isinstance(value, str):
        if value.isascii():
            return str(value)
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"expected text as {meaning}, found half a character: {shorten(value)}.") from None
        return str(value)
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        if meaning == "level":
            return str(int(value))
    elif isinstance(value, int | Integral):
        return str(int(value))
    elif isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:
            raise ValueError(f"expected a number as {meaning}, found one that is too large.") from None
        if number != number:
            return ""
        return str(int(number)) if number.is_integer() else repr(number)
    raise ValueError(f"expected text or a number as {meaning}, found {shorten(repr(value))}.")


def column_text(column: pl.Series, meaning: str, name: str) -> pl.Series:
    """A column of any sensible type as text: no nulls, no '2.0' for 2.

    >>> import polars as pl
    >>> column_text(pl.Series([2.0, None, 0.5]), "level", "table").to_list()
    ['2', '', '0.5']
    """
    kind = column.dtype
    if kind == pl.Boolean and meaning == "level":
        column = column.cast(pl.UInt8)
    elif kind.is_decimal():
        column = column.cast(pl.Float64)
    elif kind == pl.Binary:
        column = _decode(column, name)
    elif not (kind.is_numeric() or kind in _TEXTS):
        raise FormatError(
            f"{name}: expected text or numbers in the {meaning} column {shorten(column.name)}, found {kind}."
        )
    if column.dtype.is_float():
        column = _whole_text(column.cast(pl.Float64) if kind != pl.Float32 else column)
    return column.cast(pl.String).fill_null("")


def _decode(column: pl.Series, name: str) -> pl.Series:
    try:
        return column.cast(pl.String)
    except pl.exceptions.PolarsError:
        for row, value in enumerate(column, start=1):
            try:
                (value or b"").decode()
            except UnicodeDecodeError:
                raise FormatError(f"{name}, row {row}: expected UTF-8 text, found {value[:40]!r}.") from None
        raise


def _whole_text(column: pl.Series) -> pl.Series:
    number = pl.col(column.name)
    whole = (number == number.floor()) & (number.abs() <= _EXACT_WHOLE)
    text = (
        pl.when(number.is_nan())
        .then(None)
        .when(whole)
        .then(number.cast(pl.Int64, strict=False).cast(pl.String))
        .otherwise(number.cast(pl.String))
    )
    return column.to_frame().select(text.alias(column.name)).to_series()
