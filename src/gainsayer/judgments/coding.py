"""Names to small whole numbers, so that the rooms behind work on arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl


def code_names(names: pl.Series, *, sort: bool) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
    """Codes of the names, and the names themselves: sorted by bytes, or in order of appearance.

    Files hold the same topic on many consecutive lines, so runs of equal names are coded, not rows.

    >>> codes, names = code_names(pl.Series(["q2", "q2", "q1", "q2"]), sort=True)
    >>> codes.tolist(), names
    ([1, 1, 0, 1], ('q1', 'q2'))
    """
    if names.is_empty():
        return np.empty(0, np.int32), ()
    runs = names.rle_id().to_numpy()
    starts = np.concatenate(([0], np.flatnonzero(runs[1:] != runs[:-1]) + 1))
    heads = names.gather(starts.astype(np.uint32)).to_list()
    distinct = list(dict.fromkeys(heads))
    if sort:
        distinct.sort(key=str.encode)
    place = {name: code for code, name in enumerate(distinct)}
    codes = np.array([place[name] for name in heads], dtype=np.int32)
    return codes[runs], tuple(distinct)


def code_items(columns: Sequence[pl.Series]) -> tuple[npt.NDArray[np.int64], int]:
    """A whole number per distinct row of the columns, from 0 without gaps, and how many there are.

    Rows are grouped by one 64-bit hash and checked by a second one, independent of it; should two different rows
    share the first, all rows are grouped by their text instead, which is exact but slow.

    >>> items, count = code_items([pl.Series("t", ["q1", "q1", "q2"]), pl.Series("d", ["a", "a", "a"])])
    >>> bool(items[0] == items[1] != items[2]), count
    (True, 2)
    """
    table = pl.DataFrame(list(columns))
    if table.height == 0:
        return np.empty(0, np.int64), 0
    rows = pl.struct(pl.all())
    hashes = table.select(rows.hash(seed=1).alias("a"), rows.hash(seed=2).alias("b"))
    order = hashes["a"].arg_sort().to_numpy()
    first, second = hashes["a"].to_numpy(), hashes["b"].to_numpy()
    ranked, checked = first[order], second[order]
    new = ranked[1:] != ranked[:-1]
    if bool(np.any(~new & (checked[1:] != checked[:-1]))):
        return _code_exactly(table)
    items = np.empty(table.height, np.int64)
    items[order] = np.concatenate(([0], np.cumsum(new)))
    return items, int(new.sum()) + 1


def _code_exactly(table: pl.DataFrame) -> tuple[npt.NDArray[np.int64], int]:
    place: dict[tuple[str, ...], int] = {}
    items = np.fromiter((place.setdefault(row, len(place)) for row in table.iter_rows()), np.int64, table.height)
    return items, len(place)
