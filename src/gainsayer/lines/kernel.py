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

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gainsayer.lines.names import Names

    Codes = npt.NDArray[np.int32]
    Symbols = npt.NDArray[np.uint8]

INTERFACE: Final = 2


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
class RunColumns:
    """What stands in a plain block of a TREC run; a row on every line.

    Args:
        start: where each row's document begins in the block's symbols.
        length: how many bytes it has.
        score: the scores.
        topic: which of the heads each row belongs to.
        head: of the rows at which the topic changes: the row, and where the topic begins and how long it is.
        tag: the tag of the first line.
    """

    start: Codes
    length: Codes
    score: npt.NDArray[np.float64]
    topic: Codes
    head: Codes
    tag: str


@dataclass(frozen=True, eq=False)
class QrelsColumns:
    """What stands in a plain block of qrels; see `RunColumns`."""

    start: Codes
    length: Codes
    level: npt.NDArray[np.int16]
    head: Codes


def split_run(symbols: Symbols, low: int, high: int) -> RunColumns | None:
    r"""The columns of whole lines `topic Q0 document rank score tag`, the last of them closed by a line end.

    >>> import numpy as np
    >>> found = split_run(np.frombuffer(b"q1 Q0 d1 1 2.5 bm25\n", np.uint8), 0, 20)
    >>> found is None or (found.score.tolist(), found.tag, found.start.tolist()) == ([2.5], "bm25", [6])
    True
    """
    kernel = find_kernel()
    parts = None if kernel is None else kernel.split_run(symbols, low, high)
    if parts is None:
        return None
    start, length, score, topic, head, tag = parts
    return RunColumns(_codes(start), _codes(length), _numbers(score), _codes(topic), _codes(head).reshape(-1, 3), tag)


def split_qrels(symbols: Symbols, low: int, high: int) -> QrelsColumns | None:
    """The columns of whole lines `topic iteration document level`; levels are whole numbers of four digits at most."""
    kernel = find_kernel()
    parts = None if kernel is None else kernel.split_qrels(symbols, low, high)
    if parts is None:
        return None
    start, length, level, head = parts
    import numpy as np

    return QrelsColumns(_codes(start), _codes(length), np.frombuffer(level, np.int16), _codes(head).reshape(-1, 3))


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
    import numpy as np

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
    import numpy as np

    return np.frombuffer(found, np.int64).reshape(-1, 2)


def _codes(numbers: bytearray) -> Codes:
    import numpy as np

    return np.frombuffer(numbers, np.int32)


def _numbers(numbers: bytearray) -> npt.NDArray[np.float64]:
    import numpy as np

    return np.frombuffer(numbers, np.float64)
