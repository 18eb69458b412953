"""The documents of many judgments: bytes as they were read, until somebody asks for text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.lines.names import Names


@dataclass(frozen=True, eq=False)
class Documents:
    """One document per judgment, in parts that follow one another.

    >>> documents = Documents((Names.of(["d1", "d2"]), pl.Series(["d1"])))
    >>> documents.text.to_list(), documents.names.texts()
    (['d1', 'd2', 'd1'], ['d1', 'd2', 'd1'])
    """

    parts: tuple[Names | pl.Series, ...]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @cached_property
    def text(self) -> pl.Series:
        """The documents as text."""
        series = [part.series() if isinstance(part, Names) else part for part in self.parts]
        return pl.concat(series, rechunk=False).alias("document")

    @cached_property
    def names(self) -> Names:
        """The documents as bytes."""
        names = [part if isinstance(part, Names) else Names.of(part) for part in self.parts]
        return names[0] if len(names) == 1 else Names.join(names)

    def rows(self, chosen: npt.NDArray[np.int64]) -> Documents:
        """The chosen documents, in the order of the choice."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Names):
            return Documents((self.parts[0].rows(chosen),))
        return Documents((self.text.gather(chosen.astype(np.uint32)),))
