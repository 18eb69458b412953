"""Tables in memory: anything that speaks Arrow (pandas, polars, pyarrow, duckdb), and plain mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from gainsayer.errors import CallError, FormatError
from gainsayer.judgments.cells import cell_text
from gainsayer.judgments.columns import RATER, find_columns, make_source
from gainsayer.judgments.source import Source
from gainsayer.lines.faults import Faults, shorten
from gainsayer.lines.forking import refuse_fork

_EXACT_WHOLE: Final = 2.0**53
_PEEKED_ROWS: Final = 200


def read_table(table: object, name: str, *, assessor: str | None = None, raters: Sequence[str] = ()) -> Source:
    """The rows of an Arrow table or stream (`__arrow_c_stream__`).

    Whole numbers become text without a decimal point, also in float columns (pandas makes whole numbers with gaps
    floats); a missing value is an empty cell.

    Args:
        table: a pandas or polars data frame, a pyarrow table, a duckdb relation, ...
        name: what messages call it.
        assessor: who gave the levels, where no column says so.
        raters: columns of levels, one per rater, where the table is wide.

    Raises:
        FormatError: a column is missing, there twice, or of an unfit type, or rows are faulty.

    >>> frame = pl.DataFrame({"qid": [7, 7], "docno": ["d1", "d2"], "judge": ["U1", "U1"], "rel": [2.0, 0.0]})
    >>> read_table(frame, "table").frame.rows()
    [('7', 'd1', 'U1', '2'), ('7', 'd2', 'U1', '0')]
    """
    return read_frame(take_table(table, name, "judgments"), name, assessor=assessor, raters=raters)


def take_table(table: object, name: str, content: str) -> pl.DataFrame:
    """Any table that speaks Arrow as a polars data frame; `content` says in messages what it should hold."""
    refuse_fork()
    try:
        return pl.DataFrame(table)  # type: ignore[arg-type]  # polars asks for __arrow_c_stream__ itself
    except Exception as fault:  # whatever the table's own library raises
        raise FormatError(
            f"{name}: expected a table that can be handed over as Arrow, found one that cannot: "
            f"{shorten(str(fault))}. Keep one type per column, and only the columns of {content}."
        ) from fault


def read_frame(
    frame: pl.DataFrame,
    name: str,
    *,
    assessor: str | None,
    raters: Sequence[str] = (),
    titles: Sequence[str] | None = None,
) -> Source:
    """The rows of a polars data frame; see `read_table`. `titles` are all there were, where the frame has fewer."""

    def peek(place: int) -> list[str]:
        return [str(cell) for cell in frame.to_series(place).head(_PEEKED_ROWS).to_list() if cell is not None]

    places = find_columns(frame.columns, name, raters=raters, peek=peek)
    columns = {}
    for key, place in places.items():
        meaning = "level" if key.startswith(RATER) else key
        columns[key] = column_text(frame.to_series(place), meaning, name)
    return make_source(columns, name, assessor=assessor, titles=frame.columns if titles is None else titles)


def column_text(column: pl.Series, meaning: str, name: str) -> pl.Series:
    """A column of any sensible type as text: no nulls, no '2.0' for 2.

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
    elif not (kind.is_numeric() or kind in (pl.String, pl.Categorical, pl.Enum, pl.Null)):
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


def read_mapping(table: Mapping[object, object], name: str) -> Source:
    """The rows of nested mappings `{assessor: {topic: {document: level}}}`: pytrec_eval's qrels, per assessor.

    Raises:
        CallError: the mappings are not nested like this.
        FormatError: a name is empty, or a level neither text nor a number.

    >>> read_mapping({"U1": {"q1": {"d1": 2}}, "U2": {"q1": {"d1": 1}}}, "mapping").frame.rows()
    [('q1', 'd1', 'U1', '2'), ('q1', 'd1', 'U2', '1')]
    """
    faults = Faults(name, unit="row")
    rows: list[list[str]] = []
    number = 0
    meanings = ("assessor", "topic", "document", "level")
    for assessor, topics in table.items():
        for topic, documents in _inside(topics, name).items():
            for document, level in _inside(documents, name).items():
                number += 1
                values = (assessor, topic, document, level)
                try:
                    rows.append([cell_text(value, meaning) for value, meaning in zip(values, meanings, strict=True)])
                except ValueError as fault:
                    faults.add(number, str(fault))
    faults.settle()
    frame = pl.DataFrame(rows, dict.fromkeys(meanings, pl.String), orient="row")
    return make_source({meaning: frame[meaning] for meaning in meanings}, name, assessor=None)


def is_one_assessor(table: Mapping[object, object]) -> bool:
    """Whether a mapping is `{topic: {document: level}}`: it has levels where another has the documents of a topic.

    >>> is_one_assessor({"q1": {"d1": 2}}), is_one_assessor({"U1": {"q1": {"d1": 2}}})
    (True, False)
    """
    inner = [value for topics in table.values() if isinstance(topics, Mapping) for value in topics.values()]
    return bool(inner) and not any(isinstance(value, Mapping) for value in inner)


def _inside(value: object, name: str) -> Mapping[object, object]:
    if not isinstance(value, Mapping):
        raise CallError(
            f"{name}: expected {{assessor: {{topic: {{document: level}}}}}}, found {shorten(repr(value))} where a "
            "mapping should be. To give the judgments of one assessor: ('name', {topic: {document: level}})"
        )
    return value
