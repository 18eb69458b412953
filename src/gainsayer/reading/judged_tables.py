"""Tables of judgments: files with a header, anything that speaks Arrow, plain mappings; each ends in a `Source`.

All obey the same rules: names lose their outer blanks and may not be empty; an empty level is passed on as the label
'', which the caller may declare as *not judged*. In a *wide* table, every cell of a rater's column that is not empty is
a judgment, and its column the assessor.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import MOST_FAULTS, CallError, FormatError
from gainsayer.findings import Finding
from gainsayer.levels import MOST_LEVELS, canonical_label, is_whole
from gainsayer.reading.cells import Cells, cell_text, read_frame, take_table
from gainsayer.reading.columns import (
    ASCII_BLANKS,
    JUDGMENTS,
    RATER,
    SYNONYMS,
    list_titles,
    notice_columns,
    refuse_columns,
    spell_title,
)
from gainsayer.reading.faults import Faults, shorten
from gainsayer.reading.files import FilePath, call_file, read_content
from gainsayer.reading.json_tools import read_document
from gainsayer.reading.names import Names, code_column
from gainsayer.reading.source import Source
from gainsayer.reading.tables import TableFormat, list_columns, list_parquet, read_columns, read_table_file


def read_judged_file(
    content: bytes,
    name: str,
    format: TableFormat,
    *,
    assessor: str | None,
    raters: Sequence[str] = (),
    labels: Collection[str] = (),
) -> Source:
    r"""The rows of a CSV, TSV, JSON lines or Parquet file.

    Args:
        content: the bytes of the file, decompressed.
        name: what messages call it.
        format: which of the four it is.
        assessor: who gave the levels, where no column says so.
        raters: columns of levels, one per rater, where the table is wide.
        labels: levels that are no whole numbers, which tell raters' columns where nobody named these.

    Raises:
        FormatError: a column is missing or there twice, or rows are faulty; the first ten are listed.

    >>> read_judged_file(b'qid,judge,docno,rel\nq1,U1,"d,1",2\n', "a.csv", "csv", assessor=None).frame.rows()
    [('q1', 'd,1', 'U1', '2')]
    """
    if format == "jsonl":
        document = read_document(content, name)
        if document is not None:
            return make_source(document, name, assessor=assessor)
    cells = read_table_file(content, name, format, JUDGMENTS, raters=raters)
    return make_source(cells if raters else see_raters(cells, name, labels), name, assessor=assessor)


def read_judged_folder(
    path: FilePath,
    name: str,
    *,
    assessor: str | None,
    raters: Sequence[str] = (),
    labels: Collection[str] = (),
) -> Source | None:
    """The rows of all Parquet files in a folder, as Spark writes a table; None where there are none.

    Raises:
        CallError: the folder is a table whose own log says which files count.
        FormatError: as for one file.
    """
    files = list_parquet(path)
    if not files:
        return None
    contents = [read_content(file) for file in files]
    parts = [
        read_columns(content, call_file(file), raters=raters) for content, file in zip(contents, files, strict=True)
    ]
    try:
        frame = pl.concat(parts)
    except pl.exceptions.PolarsError as fault:
        raise FormatError(
            f"{name}: expected files with the same columns, found others: {shorten(str(fault))}."
        ) from None
    cells = replace(read_frame(frame, name, JUDGMENTS, raters=raters), titles=list_columns(contents[0]))
    return make_source(cells if raters else see_raters(cells, name, labels), name, assessor=assessor)


def read_table(
    table: object,
    name: str,
    *,
    assessor: str | None = None,
    raters: Sequence[str] = (),
    labels: Collection[str] = (),
) -> Source:
    """The rows of an Arrow table or stream (`__arrow_c_stream__`).

    Whole numbers become text without a decimal point, also in float columns (pandas makes whole numbers with gaps
    floats); a missing value is an empty cell.

    Args:
        table: a pandas or polars data frame, a pyarrow table, a duckdb relation, ...
        name: what messages call it.
        assessor: who gave the levels, where no column says so.
        raters: columns of levels, one per rater, where the table is wide.
        labels: levels that are no whole numbers, which tell raters' columns where nobody named these.

    Raises:
        FormatError: a column is missing, there twice, or of an unfit type, or rows are faulty.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"qid": [7, 7], "docno": ["d1", "d2"], "judge": ["U1", "U1"], "rel": [2.0, 0.0]})
    >>> read_table(frame, "table").frame.rows()
    [('7', 'd1', 'U1', '2'), ('7', 'd2', 'U1', '0')]
    """
    cells = read_frame(take_table(table, name, "judgments"), name, JUDGMENTS, raters=raters)
    return make_source(cells if raters else see_raters(cells, name, labels), name, assessor=assessor)


def see_raters(cells: Cells, name: str, labels: Collection[str] = ()) -> Cells:
    r"""The cells of a table; without a level column it is wide, and every column of levels and nothing else a rater's.

    Levels are whole numbers, at most a hundred different ones, and `labels`; empty cells say nothing. A finding names
    the raters.

    Args:
        cells: as read, with every column that may be a rater's.
        name: what messages call the table.
        labels: levels that are no whole numbers, where they are known.

    Raises:
        FormatError: there is no level column, and no column of levels either.

    >>> from gainsayer.reading.tables import read_cells
    >>> book = read_cells(b"query,docid,title,Ann,Bob\nred dress,d1,Dresses,3,2\nred dress,d2,1984,,0\n", "book.csv")
    >>> cells = see_raters(book, "book.csv")
    >>> list(cells.columns), cells.findings[0].code
    (['rater Ann', 'rater Bob', 'topic', 'document'], 'wide-table')
    """
    if "level" in cells.columns:
        return cells
    others = [key for key, column in cells.columns.items() if key.startswith(RATER) and not _are_levels(column, labels)]
    columns = {key: column for key, column in cells.columns.items() if key not in others}
    raters = [key.removeprefix(RATER) for key in columns if key.startswith(RATER)]
    if not raters:
        raise refuse_columns(cells.titles, name, JUDGMENTS, ["level"])
    left = [title for title in cells.titles if title.strip() not in raters]
    said = (
        f"{name} has no level column, so each of these columns was taken as an assessor: "
        f"{', '.join(map(shorten, raters[:20]))}{', ...' if len(raters) > 20 else ''}; the others are "
        f"{', '.join(map(shorten, left[:20]))}."
    )
    return replace(cells, columns=columns, findings=(*cells.findings, Finding("wide-table", said)))


def _are_levels(column: pl.Series, labels: Collection[str]) -> bool:
    """Whether every cell that is not empty is a level, and there is one."""
    texts = set(map(canonical_label, column.unique())) - {""}
    numbers = texts.difference(labels)
    return bool(texts) and len(numbers) <= MOST_LEVELS and all(map(is_whole, numbers))


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
    return make_source(Cells({meaning: frame[meaning] for meaning in meanings}), name, assessor=None)


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


def make_source(cells: Cells, name: str, *, assessor: str | None) -> Source:
    """The cells of a table of judgments, all text, as a checked `Source`.

    Args:
        cells: `topic, document, level`, and whichever of the other columns there are; of a wide table, the raters'
            columns instead of `level`.
        name: what messages call the file or table.
        assessor: who gave the levels, where no column says so.

    Raises:
        CallError: neither a column nor `assessor` says who gave the levels.
        FormatError: a name is empty, or a weight is no number.
    """
    columns, lines, places = cells.columns, cells.lines, cells.places
    if any(key.startswith(RATER) for key in columns):
        columns, lines = _melt(columns, cells.first_line, np.arange(1, len(places) + 1) if places else lines)
        places = tuple(f"item {line}" for line in lines.tolist()) if places else ()
    if "assessor" not in columns and assessor is None:
        raise CallError(
            f"{name} has no assessor column ({', '.join(SYNONYMS['assessor'][:5])}); its columns are "
            f"{list_titles(cells.titles)}. Rename one of them, or name the assessor of the whole table: ('name', table)"
        )
    names = [meaning for meaning in SYNONYMS if meaning in columns and meaning not in ("level", "weight")]
    table = pl.DataFrame([columns[meaning].str.strip_chars(ASCII_BLANKS).alias(meaning) for meaning in names])
    if table.height == 0:
        raise FormatError(f"{name} has columns but no judgments below them.")
    optional = [meaning for meaning in ("assessor", "intent", "stratum") if meaning in columns]
    found = {meaning: table[meaning] for meaning in optional}
    if "weight" in columns:
        text = columns["weight"].str.strip_chars(ASCII_BLANKS)
        found["weight"] = text.cast(pl.Float64, strict=False).alias("weight")
    positives = notice_positives(cells.titles, columns["level"], name) if "level" in cells.columns else []
    topics, topic = code_column(table["topic"])
    line = cells.first_line if lines is None else lines
    source = Source(
        name=name,
        topics=topics,
        topic=topic,
        document=Names.of(table["document"]),
        label=columns["level"],
        assessor=None if "assessor" in columns else assessor,
        columns=found,
        line=1 if line is None else line,
        unit="row" if line is None else "line",
        titles=() if "assessor" in columns else cells.titles,
        findings=(*cells.findings, *notice_columns(cells.titles, name, JUDGMENTS), *positives),
        places=places,
        implied=("0",) if positives else (),
    )
    _check(source, table, columns.get("weight"))
    return source


def notice_positives(titles: Sequence[str], level: pl.Series, name: str) -> list[Finding]:
    """Whether a table of BEIR's columns lists relevant documents alone; its level column is the one called `score`."""
    if "corpusid" not in map(spell_title, titles):
        return []
    if level.str.strip_chars(ASCII_BLANKS).is_in(["0", "0.0", "-1", "-2"]).any():
        return []
    text = (
        f"{name} lists relevant documents alone, as BEIR's qrels do. Whatever is not listed counts as unjudged; "
        "nothing is known to be not relevant, so shares of judged documents and p(R|0) mean nothing here."
    )
    return [Finding("positives-only", text)]


def _melt(
    columns: Mapping[str, pl.Series], first_line: int | None, lines: npt.NDArray[np.int64] | None
) -> tuple[dict[str, pl.Series], npt.NDArray[np.int64]]:
    """A wide table as rows of one judgment each, and their lines; a rater's empty cells are no judgments."""
    others = {key: column for key, column in columns.items() if not key.startswith(RATER)}
    height = len(next(iter(columns.values())))
    stands = lines if lines is not None else np.arange(height) + (1 if first_line is None else first_line)
    parts = []
    for key, column in columns.items():
        if key.startswith(RATER):
            part = pl.DataFrame([*(other.alias(name) for name, other in others.items()), column.alias("level")])
            part = part.with_columns(
                pl.lit(key.removeprefix(RATER)).alias("assessor"), pl.Series("line", stands.astype(np.int64))
            )
            parts.append(part.filter(pl.col("level").str.strip_chars(ASCII_BLANKS) != ""))
    table = pl.concat(parts)
    melted = {name: table[name] for name in (*others, "assessor", "level")}
    return melted, table["line"].to_numpy()


def _check(source: Source, names: pl.DataFrame, weight: pl.Series | None) -> None:
    wrong: list[tuple[int, str]] = []
    count = 0
    for meaning in names.columns:
        empty = (names[meaning] == "").arg_true()
        count += len(empty)
        article = "an" if meaning[0] in "ai" else "a"
        wrong += [(row, f"expected {article} {meaning}, found an empty one.") for row in empty[:MOST_FAULTS]]
    if weight is not None:
        odd = source.columns["weight"].is_null().arg_true()
        count += len(odd)
        wrong += [(row, f"expected a number as weight, found {shorten(weight[row])}.") for row in odd[:MOST_FAULTS]]
    if wrong:
        shown = [f"{source.where(row)}: {fault}" for row, fault in sorted(wrong)[:MOST_FAULTS]]
        raise FormatError.listing(shown, count - len(shown))
