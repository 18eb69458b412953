"""One file or table as it was read, before its labels mean anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.findings import Finding
from gainsayer.judgments.coding import Runs
from gainsayer.lines.forking import refuse_fork
from gainsayer.lines.names import Names

if TYPE_CHECKING:
    import polars as pl

REQUIRED = ("topic", "document", "assessor", "label")
OPTIONAL = ("intent", "stratum", "weight")


@dataclass(frozen=True)
class Source:
    """The rows of one file or table, labels still as text, and where each row stands.

    Args:
        name: what messages call it: the path as given, or the kind of table.
        frame: String columns `topic, document, assessor, label` (labels that are whole numbers may be integers); where
            there are any, `intent` and `stratum` (String) and `weight` (Float64). No nulls, no empty names.
        first_line: the line of the first row, where rows stand on consecutive lines; None for tables without lines.
        lines: the line of each row, where they do not.
        assessor: who gave all the levels, in place of the column of that name.
        titles: the columns of a table among which none says who gave the levels.
        findings: what a reader should know about it.
        places: where each row stands in a file that is not made of lines, in words: 'ratings[3]'.
        implied: labels that there are, though nobody gave them: 0, where relevant documents alone are listed.
    """

    name: str
    frame: pl.DataFrame
    first_line: int | None = 1
    lines: npt.NDArray[np.int64] | None = None
    assessor: str | None = None
    titles: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    places: Sequence[str] = ()
    implied: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        assert (self.assessor is None) == ("assessor" in self.frame.columns) or self.frame.width == 0

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.frame.height

    @property
    def topic(self) -> pl.Series:
        """The topic of each row."""
        return self.frame["topic"]

    @property
    def document(self) -> pl.Series:
        """The document of each row."""
        return self.frame["document"]

    @property
    def label(self) -> pl.Series:
        """The label of each row."""
        return self.frame["label"]

    @property
    def assessors(self) -> pl.Series:
        """Who gave each label, where it was not one assessor."""
        return self.frame["assessor"]

    def optional(self, name: str) -> pl.Series | None:
        """A column that need not be there."""
        return self.frame[name] if name in self.frame.columns else None

    def where(self, row: int) -> str:
        """The place of a row, for messages.

        >>> import polars as pl
        >>> Source("a.qrels", pl.DataFrame()).where(16)
        'a.qrels, line 17'
        """
        if self.places:
            return f"{self.name}, {self.places[row]}"
        if self.lines is not None:
            return f"{self.name}, line {int(self.lines[row])}"
        if self.first_line is None:
            return f"{self.name}, row {row + 1}"
        return f"{self.name}, line {row + self.first_line}"


@dataclass(frozen=True, eq=False)
class QrelsSource:
    """The same for a qrels file: names as bytes where they were read.

    Args:
        name: as there.
        topic: the topics as they follow one another.
        document: the document of each row.
        label: the label of each row: whole numbers, or text.
        assessor: who gave all the levels; None where column 2 says who.
        line: the line of the first row, where rows stand on consecutive lines; or of each row.
        columns: column 2 by what it holds, `assessor` or `intent`, where that is wanted.
    """

    name: str
    topic: Runs
    document: Names
    label: npt.NDArray[np.int16] | pl.Series
    assessor: str | None
    line: int | npt.NDArray[np.int64] = 1
    columns: dict[str, pl.Series] = field(default_factory=dict)

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.label)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The rows as a table, made when it is needed."""
        import polars as pl

        refuse_fork()
        columns = {"topic": self.topic.series(), "document": self.document.series(), "label": pl.Series(self.label)}
        order = ("topic", "document", "assessor", "label", "intent")
        return pl.DataFrame(columns | self.columns).select(name for name in order if name in columns | self.columns)

    @property
    def assessors(self) -> pl.Series:
        """Who gave each label, where it was not one assessor."""
        return self.columns["assessor"]

    def optional(self, name: str) -> pl.Series | None:
        """A column that need not be there."""
        return self.columns.get(name)

    def where(self, row: int) -> str:
        """The place of a row, for messages."""
        line = self.line + row if isinstance(self.line, int) else int(self.line[row])
        return f"{self.name}, line {line}"


AnySource: TypeAlias = Source | QrelsSource
