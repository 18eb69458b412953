"""Names to small whole numbers, so that the rooms behind work on arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.lines.names import Hashes, Names, Rows
from gainsayer.lines.workers import work_in_turn

BLOCK_ROWS = 1 << 17
MOST_ROWS = 1 << 19
SPARE_BITS = 1
Codes = npt.NDArray[np.int32]
Cut: TypeAlias = slice | Rows
Texts: TypeAlias = "pl.Series | Names"
_HALF: Final = np.uint64(32)
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Runs:
    """Names as they follow one another, each on some rows.

    Args:
        names: the names; one may be there several times.
        code: the place in `names` of each run's name.
        lengths: how many rows each run has.

    >>> Runs(["q1", "q2"], np.array([0, 1, 0]), np.array([2, 1, 1])).series().to_list()
    ['q1', 'q1', 'q2', 'q1']
    """

    names: list[str]
    code: Codes | Rows
    lengths: Rows

    def series(self) -> pl.Series:
        """The name of each row."""
        return pl.Series(self.names, dtype=pl.String).gather(np.repeat(self.code, self.lengths).astype(np.uint32))

    @classmethod
    def of(cls, names: pl.Series) -> Runs:
        """The runs of equal names in a column."""
        new = names.ne_missing(names.shift(1)).to_numpy() if len(names) else np.empty(0, np.bool_)
        new[:1] = True
        starts = np.flatnonzero(new)
        heads = names.gather(starts.astype(np.uint32)).to_list()
        return cls(heads, np.arange(len(heads)), np.diff(starts, append=len(names)))

    @classmethod
    def join(cls, parts: Sequence[Runs]) -> Runs:
        """The runs of all parts, one after another."""
        offsets = np.cumsum([0, *(len(part.names) for part in parts)])
        code = [part.code + offset for part, offset in zip(parts, offsets, strict=False)]
        names = [name for part in parts for name in part.names]
        return cls(names, np.concatenate(code), np.concatenate([part.lengths for part in parts]))


def code_names(parts: Sequence[pl.Series | Runs | tuple[str, int]], *, sort: bool) -> tuple[Codes, tuple[str, ...]]:
    """Codes of the names in all parts together, and the names: sorted by bytes, or in order of appearance.

    Files hold the same topic on many consecutive lines, so runs of equal names are coded, not rows. A part may be one
    name and how many rows have it.

    >>> import polars as pl
    >>> codes, names = code_names([pl.Series(["q2", "q2"]), pl.Series(["q1", "q2"])], sort=True)
    >>> codes.tolist(), names
    ([1, 1, 0, 1], ('q1', 'q2'))
    """
    runs = []
    for part in parts:
        if isinstance(part, tuple):
            name, count = part
            filled = [count] if count else []
            runs.append(Runs([name] * len(filled), np.zeros(len(filled), np.int64), np.array(filled, np.int64)))
        else:
            runs.append(part if isinstance(part, Runs) else Runs.of(part))
    distinct = list(dict.fromkeys(name for run in runs for name in run.names))
    if sort:
        distinct.sort(key=str.encode)
    place = {name: code for code, name in enumerate(distinct)}
    codes = [
        np.repeat(np.array([place[name] for name in run.names], dtype=np.int32)[run.code], run.lengths) for run in runs
    ]
    return np.concatenate(codes) if codes else np.empty(0, np.int32), tuple(distinct)


def code_items(
    topic: Codes, columns: Sequence[Sequence[Texts]], *, once: bool = False
) -> tuple[npt.NDArray[np.int64], int]:
    """A whole number per distinct result (topic, document and what else is in the columns), from 0 without gaps.

    Two rows are the same result if their topics and texts are: hashes say only where to look. Where every part of the
    columns is sorted by topic, as files are, this is done for some topics at a time, which need little memory.

    Args:
        topic: the topic of each row.
        columns: for each further column its parts, one after another; the same lengths for all columns.
        once: whether each result is likely to be there once, as in one assessor's file; then that is looked at first.

    Returns:
        The number of each row's result, and how many results there are.

    >>> import polars as pl
    >>> items, count = code_items(np.array([0, 0, 1], np.int32), [[pl.Series(["a", "a"]), pl.Series(["a"])]])
    >>> items.tolist(), count
    ([0, 0, 1], 2)
    """
    if len(topic) == 0 or (once and _are_distinct(topic, columns)):
        return np.arange(len(topic)), len(topic)
    items = np.empty(len(topic), np.int64)
    ends = np.cumsum([len(part) for part in columns[0]])
    parts = [topic[end - len(part) : end] for end, part in zip(ends, columns[0], strict=True)]
    starts = ends - [len(part) for part in parts]
    total = 0

    def number(cuts: list[Cut]) -> tuple[list[Cut], Rows, int]:
        block = np.concatenate([part[cut] for part, cut in zip(parts, cuts, strict=True)])
        if len(block) == 0:
            return cuts, np.empty(0, np.int64), 0
        texts = [[_take(part, cut) for part, cut in zip(column, cuts, strict=True)] for column in columns]
        return cuts, *_number_block(_spell(block, texts))

    for cuts, numbers, found in work_in_turn(number, _cut(parts, columns[0])):
        numbers += total
        total += found
        done = 0
        for start, end, cut in zip(starts, ends, cuts, strict=True):
            rows = items[start:end]
            size = cut.stop - cut.start if isinstance(cut, slice) else len(cut)
            rows[cut] = numbers[done : done + size]
            done += size
    return items, total


def _are_distinct(topic: Codes, columns: Sequence[Sequence[Texts]]) -> bool:
    """Whether the rows of one source are different results for sure: no two have the same hash."""
    if len(columns) > 1 or len(columns[0]) > 1:
        return False
    key = np.empty(len(topic), np.uint64)
    for low in range(0, len(topic), BLOCK_ROWS):
        block = slice(low, low + BLOCK_ROWS)
        key[block] = _take(columns[0][0], block).hash + topic[block].astype(np.uint64) * _SPREAD
    key.sort()
    return not bool((key[1:] == key[:-1]).any())


def _take(part: Texts, cut: Cut) -> Names:
    if isinstance(part, Names):
        return part.rows(cut)
    return Names.of(part[cut] if isinstance(cut, slice) else part.gather(cut.astype(np.uint32)))


def _cut(parts: Sequence[Codes], texts: Sequence[Texts]) -> Iterator[list[Cut]]:
    """Blocks of rows as what to take of each part; equal results are in one block.

    Whole topics, some at a time, where every part is sorted by topic; else, and where a topic is very large, rows whose
    texts have hashes of one kind.
    """
    for cuts in _cut_topics(parts):
        if sum(cut.stop - cut.start for cut in cuts) <= MOST_ROWS:
            yield list(cuts)
        else:
            yield from _cut_hashes(texts, cuts)


def _cut_topics(parts: Sequence[Codes]) -> Iterator[list[slice]]:
    """Blocks of whole topics; all rows as one block where a part is not sorted by topic."""
    if not all(bool((part[1:] >= part[:-1]).all()) for part in parts):
        yield [slice(0, len(part)) for part in parts]
        return
    topics = max(int(part[-1]) for part in parts if len(part)) + 1
    places = [np.searchsorted(part, np.arange(topics + 1)) for part in parts]
    rows = np.sum(places, axis=0)
    low = 0
    while low < topics:
        high = max(int(np.searchsorted(rows, rows[low] + BLOCK_ROWS, side="right")) - 1, low + 1)
        yield [slice(int(place[low]), int(place[high])) for place in places]
        low = high


def _cut_hashes(texts: Sequence[Texts], cuts: Sequence[slice]) -> Iterator[list[Cut]]:
    """Some rows of each part in blocks by the first bits of the hash of their texts."""
    rows = sum(cut.stop - cut.start for cut in cuts)
    bits = min((rows // BLOCK_ROWS).bit_length(), 16)
    orders, bounds = [], []
    for part, cut in zip(texts, cuts, strict=True):
        kind = np.empty(cut.stop - cut.start, np.uint16)
        for low in range(cut.start, cut.stop, BLOCK_ROWS):
            high = min(low + BLOCK_ROWS, cut.stop)
            kind[low - cut.start : high - cut.start] = _take(part, slice(low, high)).hash >> np.uint64(64 - bits)
        orders.append(np.argsort(kind, kind="stable") + cut.start)
        bounds.append(np.concatenate(([0], np.cumsum(np.bincount(kind, minlength=1 << bits)))))
    for place in range(1 << bits):
        yield [order[bound[place] : bound[place + 1]] for order, bound in zip(orders, bounds, strict=True)]


def _spell(topic: Codes, texts: Sequence[Sequence[Names]]) -> list[Hashes]:
    """Columns of numbers that are equal in two rows if and only if topics and texts are.

    Only words that differ somewhere are kept: names of one kind mostly begin alike. Of texts that are longer than
    `MOST_WORDS` words, the rest is one number more.
    """
    columns = [topic.astype(np.uint64)]
    for parts in texts:
        columns.append(np.concatenate([part.length for part in parts]).astype(np.uint64))
        spelt = [part.spell(max(part.words for part in parts)) for part in parts]
        columns += [np.concatenate(words) for words in zip(*(part.T for part in spelt), strict=True)]
        if any(len(part.endless) for part in parts):
            columns.append(_number_rest(parts))
    return [column for place, column in enumerate(columns) if place == 0 or bool((column != column[0]).any())]


def _number_rest(parts: Sequence[Names]) -> Hashes:
    """A number for what follows the first words of each text: 0 where nothing does."""
    seen: dict[bytes, int] = {b"": 0}
    rest = np.zeros(sum(map(len, parts)), np.uint64)
    done = 0
    for part in parts:
        for row, text in part.rest(part.endless):
            rest[done + row] = seen.setdefault(text, len(seen))
        done += len(part)
    return rest


def _number_block(columns: Sequence[Hashes]) -> tuple[Rows, int]:
    """Numbers from 0 for the distinct rows of the columns, and how many there are; there is at least one row.

    Every row writes its place into a table, at an address made of its hash, and reads back who was the last to write
    there. Mostly that is itself or an equal row, which is checked. The few others, whose address was taken by a row
    that is not equal, try again among themselves at other addresses.
    """
    items = np.empty(len(columns[0]), np.int64)
    total, tries, rows = 0, 0, None
    while rows is None or len(rows):
        bits = len(columns[0]).bit_length() + SPARE_BITS
        address = (_hash(columns, tries) >> np.uint64(64 - bits)).view(np.int64)
        place = np.arange(len(address))
        table = np.empty(1 << bits, np.int64)
        table[address] = place
        last = table[address]
        winner = last == place
        number = np.cumsum(winner)
        number += total - 1
        if rows is None:
            items = number[last]
        else:
            items[rows] = number[last]
        others = np.flatnonzero(~winner)
        theirs = last[others]
        strange = np.zeros(len(others), np.bool_)
        for column in columns:
            strange |= column[others] != column[theirs]
        left = others[strange]
        rows = left if rows is None else rows[left]
        columns = [column[left] for column in columns]
        total, tries = int(number[-1]) + 1, tries + 1
    return items, total


def _hash(columns: Sequence[Hashes], tries: int) -> Hashes:
    """One hash per row, another one with each try; its high bits tell most."""
    total = np.zeros(len(columns[0]), np.uint64)
    factor = 0xD6E8FEB86659FD93 + 2 * tries * 0xC2B2AE3D27D4EB4F
    for place, column in enumerate(columns):
        total += column * np.uint64((factor + 2 * place * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF)
    # Low bits of a product know nothing of high bits of the word, so these are brought down, and all mixed once more.
    total ^= total >> _HALF
    total *= _SPREAD
    return total
