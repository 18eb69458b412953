"""One file or table as it was read, before its labels mean anything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
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
    """

    name: str
    frame: pl.DataFrame
    first_line: int | None = 1
    lines: npt.NDArray[np.int64] | None = None
    assessor: str | None = None

    def __post_init__(self) -> None:
        assert (self.assessor is None) == ("assessor" in self.frame.columns) or self.frame.width == 0

    def where(self, row: int) -> str:
        """The place of a row, for messages.

        >>> Source("a.qrels", pl.DataFrame()).where(16)
        'a.qrels, line 17'
        """
        if self.lines is not None:
            return f"{self.name}, line {int(self.lines[row])}"
        if self.first_line is None:
            return f"{self.name}, row {row + 1}"
        return f"{self.name}, line {row + self.first_line}"
