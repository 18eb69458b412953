"""Source: the rows of one file or table of judgments, as every reader gives them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.findings import Finding
from gainsayer.reading.names import Codes, Names, code_column
from gainsayer.reading.trec import Lines


@dataclass(frozen=True, eq=False)
class Source:
    """The rows of one file, table or mapping, labels as they were written, and where each row stands.

    Args:
        name: what messages call it: the path as given, or the kind of table.
        topics: the topics, each once.
        topic: the place in `topics` of each row's topic.
        document: the document of each row.
        label: the label of each row: small whole numbers, or text.
        assessor: who gave all the labels; None where a column says who.
        columns: `assessor`, `intent`, `stratum` (text) and `weight` (numbers), where there are any; no nulls.
        line: the line, row or item of the first row, where they stand on consecutive ones; or of each row.
        unit: what messages count: `line`, `row` or `item`.
        places: where each row stands in a file that is not made of lines, in words: 'ratings[3]'.
        titles: the columns of a table among which none says who gave the levels.
        findings: what a reader should know about it.
        implied: labels that there are, though nobody gave them: 0, where relevant documents alone are listed.
    """

    name: str
    topics: tuple[str, ...]
    topic: Codes
    document: Names
    label: npt.NDArray[np.int16] | pl.Series
    assessor: str | None = None
    columns: Mapping[str, pl.Series] = field(default_factory=dict)
    line: Lines = 1
    unit: str = "line"
    places: Sequence[str] = ()
    titles: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    implied: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        assert (self.assessor is None) == ("assessor" in self.columns)
        assert len(self.topic) == len(self.document) == len(self.label)

    def __len__(self) -> int:
        return len(self.topic)

    @property
    def assessors(self) -> pl.Series:
        """Who gave each label, where it was not one assessor."""
        return self.columns["assessor"]

    def people(self) -> list[str]:
        """Who gave labels, in no particular order."""
        return [self.assessor] if self.assessor is not None else self.assessors.unique().to_list()

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The rows as a table `topic, document, assessor, label`, and what other columns there are.

        >>> one = np.zeros(1, np.int32)
        >>> Source("a.qrels", ("q",), one, Names.of(["d"]), np.array([2], np.int16), "ann").frame.rows()
        [('q', 'd', 'ann', 2)]
        """
        topic = pl.Series(self.topics, dtype=pl.String).gather(self.topic.astype(np.uint32))
        columns = {"topic": topic, "document": self.document.series(), "label": pl.Series(self.label), **self.columns}
        if self.assessor is not None:
            columns["assessor"] = pl.repeat(self.assessor, len(self), dtype=pl.String, eager=True)
        order = ("topic", "document", "assessor", "label", "intent", "stratum", "weight")
        return pl.DataFrame({name: columns[name] for name in order if name in columns})

    def where(self, row: int) -> str:
        """The place of a row, for messages."""
        if self.places:
            return f"{self.name}, {self.places[row]}"
        return f"{self.name}, {self.unit} {self.line + row if isinstance(self.line, int) else int(self.line[row])}"


def source_from_frame(name: str, frame: pl.DataFrame, *, assessor: str | None = None, unit: str = "row") -> Source:
    """A source of the rows of a table with the columns of `Source.frame`: text, no nulls, no empty names.

    >>> frame = pl.DataFrame({"topic": ["q"], "document": ["d"], "label": ["2"]})
    >>> source = source_from_frame("table 1", frame, assessor="ann")
    >>> source.topics, source.where(16)
    (('q',), 'table 1, row 17')
    """
    topics, topic = code_column(frame["topic"])
    label = frame["label"]
    return Source(
        name=name,
        topics=topics,
        topic=topic,
        document=Names.of(frame["document"]),
        label=label.to_numpy() if label.dtype == pl.Int16 else label.cast(pl.String),
        assessor=assessor,
        columns={column: frame[column] for column in frame.columns if column not in ("topic", "document", "label")},
        unit=unit,
    )


def code_names(parts: Sequence[tuple[Sequence[str], Codes]], *, sort: bool) -> tuple[Codes, tuple[str, ...]]:
    """Codes of the names in all parts together, and the names that have rows: sorted by bytes, or in order.

    Args:
        parts: names, and the place among them of each row's name.
        sort: whether the names are sorted.

    >>> codes, names = code_names([(["q2"], np.array([0, 0])), (["q1", "q2"], np.array([0, 1]))], sort=True)
    >>> codes.tolist(), names
    ([1, 1, 0, 1], ('q1', 'q2'))
    """
    used = [np.bincount(code, minlength=len(names)) > 0 for names, code in parts]
    pairs = zip(parts, used, strict=True)
    distinct = list(dict.fromkeys(name for (names, _), there in pairs for name in itertools.compress(names, there)))
    if sort:
        distinct.sort(key=str.encode)
    place = {name: code for code, name in enumerate(distinct)}
    codes = [np.array([place.get(name, -1) for name in names], np.int32)[code] for names, code in parts if len(code)]
    return np.concatenate(codes) if codes else np.empty(0, np.int32), tuple(distinct)
