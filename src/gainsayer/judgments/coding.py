"""Names to small whole numbers, so that the rooms behind work on arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

BLOCK_ROWS = 1 << 18
FEWEST_HASH_BITS = 16
Codes = npt.NDArray[np.int32]
Hashes = npt.NDArray[np.uint64]


def code_names(parts: Sequence[pl.Series | tuple[str, int]], *, sort: bool) -> tuple[Codes, tuple[str, ...]]:
    """Codes of the names in all parts together, and the names: sorted by bytes, or in order of appearance.

    Files hold the same topic on many consecutive lines, so runs of equal names are coded, not rows. A part may be one
    name and how many rows have it.

    >>> codes, names = code_names([pl.Series(["q2", "q2"]), pl.Series(["q1", "q2"])], sort=True)
    >>> codes.tolist(), names
    ([1, 1, 0, 1], ('q1', 'q2'))
    """
    runs, heads = [], []
    for names in parts:
        if isinstance(names, tuple):
            heads.append([names[0]] if names[1] else [])
            runs.append(np.array([names[1]] if names[1] else [], dtype=np.int64))
            continue
        new = names.ne_missing(names.shift(1)).to_numpy() if len(names) else np.empty(0, np.bool_)
        new[:1] = True
        starts = np.flatnonzero(new)
        heads.append(names.gather(starts.astype(np.uint32)).to_list())
        runs.append(np.diff(np.append(starts, len(names))))
    distinct = list(dict.fromkeys(name for part in heads for name in part))
    if sort:
        distinct.sort(key=str.encode)
    place = {name: code for code, name in enumerate(distinct)}
    codes = [
        np.repeat(np.array([place[name] for name in names], dtype=np.int32), lengths)
        for names, lengths in zip(heads, runs, strict=True)
    ]
    return np.concatenate(codes) if codes else np.empty(0, np.int32), tuple(distinct)


def code_items(topic: Codes, columns: Sequence[Sequence[pl.Series]]) -> tuple[npt.NDArray[np.int64], int]:
    """A whole number per distinct result (topic, document and what else is in the columns), from 0 without gaps.

    Rows are sorted by topic and a part of a 64-bit hash of the text; a second, independent 64-bit hash tells apart what
    that part cannot. Two results of one topic would have to agree in both to be taken for one. Where every part of the
    columns is sorted by topic, as files are, this is done for some topics at a time, in little memory.

    Args:
        topic: the topic of each row.
        columns: for each further column its parts, one after another; the same lengths for all columns.

    Returns:
        The number of each row's result, and how many results there are.

    >>> items, count = code_items(np.array([0, 0, 1], np.int32), [[pl.Series(["a", "a"]), pl.Series(["a"])]])
    >>> items.tolist(), count
    ([0, 0, 1], 2)
    """
    items = np.empty(len(topic), np.int64)
    if len(topic) == 0:
        return items, 0
    ends = np.cumsum([len(part) for part in columns[0]])
    parts = [topic[end - len(part) : end] for end, part in zip(ends, columns[0], strict=True)]
    starts = ends - [len(part) for part in parts]
    total = 0
    for cuts in _cut(parts):
        pieces = [[part[low:high] for part, (low, high) in zip(column, cuts, strict=True)] for column in columns]
        block = np.concatenate([part[low:high] for part, (low, high) in zip(parts, cuts, strict=True)])
        numbers, found = _number_block(block, [_hash(pieces, seed) for seed in (1, 2)])
        numbers += total
        total += found
        done = 0
        for start, (low, high) in zip(starts, cuts, strict=True):
            items[start + low : start + high] = numbers[done : done + high - low]
            done += high - low
    return items, total


def _cut(parts: Sequence[Codes]) -> Iterator[list[tuple[int, int]]]:
    """Blocks of whole topics as (from, to) in each part; all rows as one block where a part is not sorted by topic."""
    if not all(bool((part[1:] >= part[:-1]).all()) for part in parts):
        yield [(0, len(part)) for part in parts]
        return
    topics = max(int(part[-1]) for part in parts if len(part)) + 1
    places = [np.searchsorted(part, np.arange(topics + 1)) for part in parts]
    rows = np.sum(places, axis=0)
    low = 0
    while low < topics:
        high = max(int(np.searchsorted(rows, rows[low] + BLOCK_ROWS, side="right")) - 1, low + 1)
        yield [(int(place[low]), int(place[high])) for place in places]
        low = high


def _number_block(topic: Codes, hashes: Sequence[Hashes]) -> tuple[npt.NDArray[np.int64], int]:
    """Numbers from 0 for the distinct (topic, hashes), and how many there are; the first hash is used up."""
    height = len(topic)
    if height == 0:
        return np.empty(0, np.int64), 0
    coarse, fine = hashes
    base = int(topic.min())
    row_bits = height.bit_length()
    topic_bits = (int(topic.max()) - base).bit_length()
    hash_bits = 64 - row_bits - topic_bits
    order: npt.NDArray[np.int64]
    if hash_bits < FEWEST_HASH_BITS:
        order = np.lexsort((fine, coarse, topic))
        prefix = topic[order].astype(np.uint64)
    else:
        # Topic, hash and row in one number: sorting numbers is several times faster than sorting places.
        prefix = coarse
        prefix >>= np.uint64(topic_bits + row_bits)
        prefix <<= np.uint64(row_bits)
        prefix |= (topic - base).astype(np.uint64) << np.uint64(hash_bits + row_bits)
        prefix |= np.arange(height, dtype=np.uint64)
        prefix.sort()
        order = (prefix & np.uint64((1 << row_bits) - 1)).view(np.int64)
        prefix >>= np.uint64(row_bits)
    ranked = fine[order]
    same = prefix[1:] == prefix[:-1]
    torn = same & (ranked[1:] != ranked[:-1])
    if torn.any():
        place = np.flatnonzero(np.isin(prefix, np.unique(prefix[1:][torn])))
        mended = place[np.lexsort((ranked[place], prefix[place]))]
        order[place], ranked[place] = order[mended], ranked[mended]
    new = ~same | (ranked[1:] != ranked[:-1])
    number = np.zeros(height, np.int64)
    np.cumsum(new, out=number[1:])
    items = np.empty(height, np.int64)
    items[order] = number
    return items, int(number[-1]) + 1


def _hash(columns: Sequence[Sequence[pl.Series]], seed: int) -> Hashes:
    """One hash per row over all columns."""
    total: Hashes | None = None
    for place, parts in enumerate(columns):
        found = np.concatenate([part.hash(seed=seed + 16 * place).to_numpy() for part in parts])
        total = found if total is None else total * np.uint64(0x9E3779B97F4A7C15) ^ found
    assert total is not None
    return total
