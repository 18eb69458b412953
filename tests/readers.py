"""The compiled reader, and beside it the NumPy code on the same input: the same arrays, bit by bit, or an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gainsayer.lines import Block, BlockRows, Layout, Names, Rows, read_numpy
from gainsayer.rankings import DocumentPool, match_pool, rank_rows
from gainsayer.runs import Run


def as_bytes(array: npt.NDArray[Any] | Names) -> object:
    """What two arrays, or two columns of names, must share to be the same."""
    return array.encoded() if isinstance(array, Names) else (array.dtype.kind, array.shape, array.tobytes())


def read_by_both(compiled: Callable[..., BlockRows[Any] | None], block: Block, layout: Layout[Any]) -> Any:
    """What the compiled reader makes of a block; where it takes it, the NumPy reader must read the same."""
    found = compiled(block, layout)
    if found is not None:
        other = read_numpy(block, layout, "file")
        assert isinstance(other, BlockRows), "the compiled reader took what the NumPy reader refuses"
        for name in ("topics", "document", "number"):
            assert as_bytes(getattr(found, name)) == as_bytes(getattr(other, name)), name
        rows = len(found.document)
        assert np.array_equal(found.sizes, other.sizes)
        assert np.array_equal(place(found.line, rows), place(other.line, rows))
    return found


def place(line: int | Rows, rows: int) -> Rows:
    """The line of each row."""
    return line + np.arange(rows) if isinstance(line, int) else line


def rank_by_both(
    compiled: Callable[..., Rows | None], rows: Names, score: npt.NDArray[np.float64], bounds: Rows, codes: Rows,
    pool: Names, starts: Rows,
) -> Rows | None:  # fmt: skip
    """The hits that the compiled code finds; where it finds them, the NumPy code must find the same."""
    found = compiled(rows, score, bounds, codes, pool, starts)
    if found is not None and len(rows):
        names = tuple(map(str, range(len(codes))))
        run = Run("run", names, np.repeat(np.arange(len(codes), dtype=np.int32), np.diff(bounds)), rows, score)
        row, entry = match_pool(run, DocumentPool(tuple(map(str, range(len(starts) - 1))), starts, pool), codes)
        other = np.stack((codes[run.topic[row]], rank_rows(run)[row], entry), axis=1)
        assert np.array_equal(found[np.lexsort(found.T)], other[np.lexsort(other.T)])
    return found
