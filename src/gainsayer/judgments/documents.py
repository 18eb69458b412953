"""The documents of many judgments: bytes as they were read, until somebody asks for text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gainsayer.lines.names import Names

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Documents:
    """One document per judgment, in parts that follow one another.

    >>> import polars as pl
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
        import polars as pl

        series = [part.series() if isinstance(part, Names) else part for part in self.parts]
        return pl.concat(series, rechunk=False).alias("document")

    @cached_property
    def names(self) -> Names:
        """The documents as bytes."""
        names = [part if isinstance(part, Names) else Names.of(part) for part in self.parts if len(part)]
        return names[0] if len(names) == 1 else Names.join(names) if names else Names.of([])

    def rows(self, chosen: npt.NDArray[np.int64]) -> Documents:
        """The chosen documents, in the order of the choice."""
        if len(chosen) and not bool((chosen[1:] > chosen[:-1]).all()):
            return Documents((self.names.rows(chosen),))
        ends = np.cumsum([len(part) for part in self.parts])
        begins = [0, *np.searchsorted(chosen, ends).tolist()]
        parts: list[Names | pl.Series] = []
        for place, part in enumerate(self.parts):
            inside = chosen[begins[place] : begins[place + 1]] - (ends[place] - len(part))
            parts.append(part.rows(inside) if isinstance(part, Names) else part.gather(inside.astype(np.uint32)))
        return Documents(tuple(parts))
