"""Run: one system's rankings, in the order they came in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import DataError
from gainsayer.findings import Finding
from gainsayer.lines.names import Names, Rows
from gainsayer.words import counted

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Run:
    """What one system returned for which topic, with which score; one row per document.

    Rows stand as they came; `rankings.rank_levels` puts them in order. Made by `read_run`.

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
