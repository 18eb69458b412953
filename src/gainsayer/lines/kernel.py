"""The compiled reader, where there is one: plain blocks of lines as arrays, and rows of a run against a pool.

Every function here gives None where there is no compiled reader, or where something is not plain; the NumPy code that
asked then does the work itself. So results and messages do not depend on how Gainsayer was installed.
`GAINSAYER_PURE=1` leaves the compiled reader out; `GAINSAYER_COMPILED=1` makes its absence an error.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from gainsayer.lines.names import Names

if TYPE_CHECKING:
    Codes = npt.NDArray[np.int32]
    Symbols = npt.NDArray[np.uint8]

INTERFACE: Final = 4
RUN_WIDTH: Final = 6


@cache
def find_kernel() -> ModuleType | None:
    """The compiled module; None where it was not built, is of another version, or is not wanted.

    Raises:
        ImportError: `GAINSAYER_COMPILED=1` asks for it, and it is not there.
    """
    if os.environ.get("GAINSAYER_PURE") == "1":
        return None
    try:
        from gainsayer.lines import _kernel
    except ImportError:
        found = None
    else:
        found = _kernel if _kernel.INTERFACE == INTERFACE else None
    if found is None and os.environ.get("GAINSAYER_COMPILED") == "1":
        raise ImportError("The compiled reader was not built, or is of another version: pip install -e . builds it.")
    return found


def name_reader() -> str:
    """Which reader is at work, in a word.

    >>> name_reader() in ("compiled", "NumPy")
    True
    """
    return "NumPy" if find_kernel() is None else "compiled"


@dataclass(frozen=True, eq=False)
class Columns:
    """What stands in a plain block of a run or qrels; a row on every line.

    Args:
        start: where each row's document begins in the buffer.
        length: how many bytes it has.
        number: the scores of a run as 64-bit floats, the levels of qrels as 16-bit integers.
        head: of the rows at which the topic changes: the row, and where the topic begins and how long it is; shape
            [heads, 3].
    """

    start: Codes
    length: Codes
    number: npt.NDArray[Any]
    head: Codes


def count_lines(buffer: Symbols, start: int, stop: int) -> int | None:
    r"""How many line ends there are in a part of a buffer.

    >>> import numpy as np
    >>> count_lines(np.frombuffer(b"a\nb\n", np.uint8), 1, 4) in (None, 2)
    True
    """
    kernel = find_kernel()
    return None if kernel is None else kernel.count_lines(buffer, start, stop)


def split_block(buffer: Symbols, start: int, stop: int, width: int) -> Columns | None:
    r"""The columns of whole lines of a run (`width` 6) or of qrels (4), the last of them closed by a line end.

    Spaces and tabs separate columns, lines end with LF or CRLF, levels are whole numbers of at most four digits.

    >>> import numpy as np
    >>> found = split_block(np.frombuffer(b"q1 Q0 d1 1 2.5 bm25\n", np.uint8), 0, 20, 6)
    >>> found is None or (found.number.tolist(), found.start.tolist()) == ([2.5], [6])
    True
    """
    kernel = find_kernel()
    parts = None if kernel is None else kernel.split_block(buffer, start, stop, width)
    if parts is None:
        return None
    at, length, number, head = parts
    return Columns(
        start=np.frombuffer(at, np.int32),
        length=np.frombuffer(length, np.int32),
        number=np.frombuffer(number, np.float64 if width == RUN_WIDTH else np.int16),
        head=np.frombuffer(head, np.int32).reshape(-1, 3),
    )


def rank_hits(
    rows: Names,
    score: npt.NDArray[np.float64],
    bounds: npt.NDArray[np.int64],
    codes: npt.NDArray[np.int64],
    pool: Names,
    starts: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64] | None:
    """Where the rows of a run put the documents of a pool: place of the topic, rank and entry, shape [hits, 3].

    Lists are in order of score, descending, then document, descending by bytes. None also where a document is there
    twice in a topic.

    Args:
        rows: the documents of the rows; those of a topic stand together.
        score: the scores, never NaN.
        bounds: where the rows of each topic begin, and at last their number.
        codes: the place in the pool of each topic, -1 for none.
        pool: the documents of the pool; those of a topic stand together.
        starts: where the documents of each of its topics begin, and at last their number.
    """
    kernel = find_kernel()
    if kernel is None:
        return None

    def plain(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.ascontiguousarray(array)

    found = kernel.rank_hits(
        plain(rows.buffer),
        plain(rows.start),
        plain(rows.length),
        plain(score),
        plain(bounds),
        plain(codes),
        plain(pool.buffer),
        plain(pool.start),
        plain(pool.length),
        plain(starts),
    )
    return None if found is None else np.frombuffer(found, np.int64).reshape(-1, 3)


def match_dict(scores: dict[str, float], entries: dict[str, int]) -> npt.NDArray[np.int64] | None:
    """Rank and entry of those documents of a list that have an entry, shape [hits, 2]; ranks as in `rank_hits`.

    Args:
        scores: the list, document to score.
        entries: document to entry.
    """
    kernel = find_kernel()
    found = None if kernel is None else kernel.match_dict(scores, entries)
    if found is None:
        return None
    return np.frombuffer(found, np.int64).reshape(-1, 2)
