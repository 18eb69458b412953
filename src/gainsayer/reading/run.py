"""Run: one system's rankings, in the order they came in; from tables and plain mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import CallError, DataError, FormatError
from gainsayer.findings import Finding
from gainsayer.reading.cells import Cells, cell_text, read_frame
from gainsayer.reading.columns import ASCII_BLANKS, RUNS, notice_columns
from gainsayer.reading.faults import Faults, shorten
from gainsayer.reading.names import Names, Rows, code_column
from gainsayer.words import counted

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Run:
    """What one system returned for which topic, with which score; one row per document.

    Rows stand as they came; `ranking.rank_levels` puts them in order. Made by `read_run`.

    Args:
        name: the run's tag.
        topics: the topics in order of appearance.
        topic: place in `topics`, one per row.
        document: the documents' names.
        score: never NaN.
        rank: the rank column, where it was asked for; nothing but `ties='rank'` looks at it.
        source: what messages call the file or table.
        line: the line of the first row, where rows stand on consecutive lines; or of each row.
        unit: what messages count: `line`, or `row` in tables without lines.
        findings: what a reader should know about it.

    Raises:
        DataError: there are no rows, or a score is NaN.

    >>> Run("bm25", ("q1",), np.zeros(2, np.int32), Names.of(["d1", "d2"]), np.array([2.0, 1.0]))
    Run('bm25', 2 documents for 1 topic)
    """

    name: str
    topics: tuple[str, ...]
    topic: npt.NDArray[np.int32]
    document: Names
    score: FloatArray
    rank: FloatArray | None = None
    source: str = "run"
    line: int | Rows = 1
    unit: str = "row"
    findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        assert len(self.topic) == len(self.document) == len(self.score)
        if len(self.topic) == 0:
            raise DataError(f"{self.source} has no documents: expected rows of topic, document and score.")
        if np.isnan(self.score).any():
            row = int(np.argmax(np.isnan(self.score)))
            raise DataError(f"{self.where(row)}: expected a number as score, found NaN.")

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {counted(len(self), 'document')} for {counted(len(self.topics), 'topic')})"

    @property
    def is_grouped(self) -> bool:
        """Whether all rows of a topic stand together."""
        return bool((self.topic[1:] >= self.topic[:-1]).all())

    def frame(self) -> pl.DataFrame:
        """The run as a table `topic, document, score`, and `rank` where it is known."""
        columns = [
            pl.Series("topic", self.topics, dtype=pl.String).gather(self.topic.astype(np.uint32)),
            self.document.series().alias("document"),
            pl.Series("score", self.score),
        ]
        return pl.DataFrame(columns if self.rank is None else [*columns, pl.Series("rank", self.rank)])

    def where(self, row: int) -> str:
        """The place of a row, for messages."""
        place = int(self.line[row]) if isinstance(self.line, np.ndarray) else self.line + row
        return f"{self.source}, {self.unit} {place}"

    def called(self, name: str) -> Run:
        """The same run under another name."""
        return replace(self, name=name)

    def part(self, chosen: Rows, low: int, high: int) -> Run:
        """The chosen rows, all of topics `low` to `high` - 1, as a run of those topics."""
        line = self.line[chosen] if isinstance(self.line, np.ndarray) else chosen + self.line
        return Run(
            name=self.name,
            topics=self.topics[low:high],
            topic=self.topic[chosen] - np.int32(low),
            document=self.document.rows(chosen),
            score=self.score[chosen],
            rank=None if self.rank is None else self.rank[chosen],
            source=self.source,
            line=line,
            unit=self.unit,
            findings=self.findings,
        )


def run_from_cells(cells: Cells, source: str, *, name: str) -> Run:
    """A run from columns of text, and of numbers where they are known to be numbers.

    Args:
        cells: `topic, document, score`, and `rank` and `run` where they are there.
        source: what messages call the file or table.
        name: the run's name, where no column says so.

    Raises:
        FormatError: a name is empty, or a score no number; the first ten such rows are listed.
        DataError: there are no rows, or several runs.
    """
    columns = cells.columns
    height = len(columns["topic"])
    if height == 0:
        raise FormatError(f"{source} is empty: expected topics, documents and scores, found no rows.")
    line = cells.lines if cells.lines is not None else cells.first_line
    faults = Faults(source, unit="item" if cells.places else "row" if line is None else "line")
    first = 1 if line is None else line

    def blame(rows: Sequence[int], words: Sequence[str]) -> None:
        for row, text in zip(rows, words, strict=True):
            faults.add(int(first[row]) if isinstance(first, np.ndarray) else first + row, text)

    names = {}
    for meaning in ("topic", "document"):
        names[meaning] = columns[meaning].str.strip_chars(ASCII_BLANKS)
        empty = (names[meaning] == "").arg_true().to_list()
        blame(empty, [f"expected a {meaning}, found an empty one."] * len(empty))
    numbers: dict[str, FloatArray] = {}
    for meaning in RUNS.numbers:
        if meaning in columns:
            numbers[meaning], wrong = _numbers(columns[meaning])
            found = [shorten(str(columns[meaning][row])) for row in wrong[:20].tolist()]
            found += ["''"] * (len(wrong) - len(found))  # beyond the first ten, faults are only counted
            blame(wrong.tolist(), [f"expected a number as {meaning}, found {text}." for text in found])
    faults.settle()
    tag = _check_mixed(columns["run"].unique(maintain_order=True).to_list(), source) if "run" in columns else name
    topics, topic = code_column(names["topic"])
    return Run(
        name=tag.strip() or name,
        topics=topics,
        topic=topic,
        document=Names.of(names["document"]),
        score=numbers["score"],
        rank=numbers.get("rank"),
        source=source,
        line=first,
        unit=faults.unit,
        findings=(*cells.findings, *notice_columns(cells.titles, source, RUNS)),
    )


def run_from_frame(frame: pl.DataFrame, source: str, *, name: str) -> Run:
    """A run from a data frame with columns `topic, document, score`; see `run_from_cells`.

    >>> import polars as pl
    >>> run_from_frame(pl.DataFrame({"qid": [7], "docno": ["d1"], "score": [0.5]}), "table", name="bm25").frame().rows()
    [('7', 'd1', 0.5)]
    """
    return run_from_cells(read_frame(frame, source, RUNS), source, name=name)


def run_from_mapping(table: Mapping[str, object], source: str, *, name: str) -> Run:
    """A run from `{topic: {document: score}}`, as pytrec_eval and ranx take it.

    Raises:
        CallError: the mappings are not nested like this.
        FormatError: a name is empty, or a score no number.

    >>> run_from_mapping({"q1": {"d1": 2.5}}, "mapping", name="bm25").frame().rows()
    [('q1', 'd1', 2.5)]
    """
    rows: list[tuple[str, str, object]] = []
    faults = Faults(source, unit="row")
    number = 0
    for topic, documents in table.items():
        if not isinstance(documents, Mapping):
            raise CallError(
                f"{source}: expected {{topic: {{document: score}}}}, found {shorten(repr(documents))} where a mapping "
                "should be."
            )
        for document, score in documents.items():
            number += 1
            try:
                rows.append((cell_text(topic, "topic"), cell_text(document, "document"), _real(score)))
            except ValueError as fault:
                faults.add(number, str(fault))
    faults.settle()
    schema = {"topic": pl.String, "document": pl.String, "score": pl.Float64}
    table_frame = pl.DataFrame(rows, schema, orient="row")
    return run_from_cells(Cells({title: table_frame[title] for title in schema}), source, name=name)


def _real(score: object) -> float:
    if isinstance(score, int | float | np.integer | np.floating) and not isinstance(score, bool):
        try:
            return float(score)
        except OverflowError:
            raise ValueError("expected a number as score, found one that is too large.") from None
    raise ValueError(f"expected a number as score, found {shorten(repr(score))}.")


def _numbers(column: pl.Series) -> tuple[FloatArray, Rows]:
    """The numbers of a column, and the rows without one."""
    if column.dtype == pl.String:
        column = column.str.strip_chars(ASCII_BLANKS).cast(pl.Float64, strict=False)
    number = column.fill_null(np.nan).to_numpy()
    return number, np.flatnonzero(np.isnan(number))


def _check_mixed(values: list[str], source: str) -> str:
    """The one name in a run or tag column.

    Raises:
        DataError: there are several runs in one table.
    """
    if len(values) > 1:
        raise DataError(
            f"{source}: expected one run, found several in its run column: {', '.join(values[:5])}"
            f"{', ...' if len(values) > 5 else ''}. Write one file or table per run."
        )
    return values[0]
