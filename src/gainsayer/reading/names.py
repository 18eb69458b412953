"""Names: many short texts in one buffer of bytes.

A run of seven million lines has as many document ids, of which a scorer needs to know only whether they are in the
pool. As Python or polars strings they would cost more than all the rest; here they stay where they were read.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.reading.kernel import find_kernel

Rows = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Places = npt.NDArray[np.signedinteger[Any]]
Symbols = npt.NDArray[np.uint8]
Groups = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Names:
    """Texts as places in a buffer; equal texts have equal bytes, so '001' is not '1'.

    Args:
        buffer: the bytes.
        start: where each text begins.
        length: how many bytes it has.

    >>> Names.of(["d10", "d9", "d10"]).rows(np.array([2, 1])).texts()
    ['d10', 'd9']
    """

    buffer: Symbols
    start: Places
    length: Places

    @classmethod
    def of(cls, texts: pl.Series | Sequence[str]) -> Names:
        """The names in a polars Series of strings without nulls, or in a list."""
        if not isinstance(texts, pl.Series):
            return cls.of_bytes([text.encode() for text in texts])
        length = texts.str.len_bytes().to_numpy().astype(np.int64)
        joined = str(texts.str.join("").item()).encode() if len(texts) else b""
        return cls(np.frombuffer(joined, np.uint8), np.cumsum(length) - length, length)

    @classmethod
    def of_bytes(cls, texts: Sequence[bytes]) -> Names:
        """The names in a list of encoded texts."""
        length = np.fromiter(map(len, texts), np.int64, len(texts))
        return cls(np.frombuffer(b"".join(texts), np.uint8), np.cumsum(length) - length, length)

    def __len__(self) -> int:
        return len(self.start)

    def rows(self, chosen: Rows | npt.NDArray[np.bool_] | slice) -> Names:
        """The chosen names, in the order of the choice."""
        return Names(self.buffer, self.start[chosen], self.length[chosen])

    def texts(self) -> list[str]:
        """All names as Python strings."""
        return [text.decode() for text in self.encoded()]

    def encoded(self) -> list[bytes]:
        """All names as bytes."""
        low = int(self.start.min(initial=len(self.buffer)))
        high = int((self.start + self.length).max(initial=0))
        near = high - low <= 4 * int(self.length.sum())  # then one copy, whose slices cost half as much
        text: bytes | memoryview = self.buffer[low:high].tobytes() if near else self.buffer.data
        start = self.start - low if near else self.start
        return [bytes(text[at:end]) for at, end in zip(start.tolist(), (start + self.length).tolist(), strict=True)]

    def compact(self) -> Names:
        """The same names in a buffer of their own, without what stood between them."""
        return Names.of_bytes(self.encoded())

    @classmethod
    def join(cls, parts: Sequence[Names]) -> Names:
        """The names of all parts, one after another."""
        if len(parts) == 1:
            return parts[0]
        offsets = np.cumsum([0, *(len(part.buffer) for part in parts)])
        kind = np.int32 if offsets[-1] < 1 << 31 else np.int64  # half the memory, where it serves
        start = [(part.start + np.int64(offset)).astype(kind) for part, offset in zip(parts, offsets, strict=False)]
        length = [part.length.astype(np.int32) for part in parts]
        empty = np.empty(0, np.int32)
        buffer = np.concatenate([np.empty(0, np.uint8), *(part.buffer for part in parts)])
        return cls(buffer, np.concatenate([empty, *start]), np.concatenate([empty, *length]))

    def series(self) -> pl.Series:
        """The names as a polars Series of strings.

        >>> Names.of(["a", "bc"]).series().to_list()
        ['a', 'bc']
        """
        return pl.Series(self.texts(), dtype=pl.String)


def code_column(names: pl.Series) -> tuple[tuple[str, ...], Codes]:
    """The distinct texts of a column in order of appearance, and the place of each row's text among them.

    Tables hold the same topic on many consecutive rows, so runs of equal texts are looked up, not rows.

    >>> code_column(pl.Series(["q2", "q2", "q1", "q2"]))
    (('q2', 'q1'), array([0, 0, 1, 0], dtype=int32))
    """
    if len(names) == 0:
        return (), np.empty(0, np.int32)
    new = names.ne_missing(names.shift(1)).to_numpy()
    starts = np.flatnonzero(np.concatenate(([True], new[1:])))
    place: dict[str, int] = {}
    codes = [place.setdefault(text, len(place)) for text in names.gather(starts.astype(np.uint32))]
    return tuple(place), np.repeat(np.array(codes, np.int32), np.diff(starts, append=len(names)))


def number_names(group: Groups, names: Names) -> tuple[Rows, int]:
    """Whole numbers from 0 for the distinct pairs of group and name, and how many there are.

    Two rows have the same number if and only if their groups and their names, byte by byte, are the same. Numbers
    ascend with the groups, and within a group in the order in which names first appear.

    Args:
        group: a whole number of each row, such as the place of its topic.
        names: the name of each row.

    >>> numbers, count = number_names(np.array([0, 1, 0, 0]), Names.of(["a", "a", "b", "a"]))
    >>> numbers.tolist(), count
    ([0, 2, 1, 0], 3)
    """
    order = None if bool((group[1:] >= group[:-1]).all()) else sort_groups(group)
    ordered = group if order is None else group[order]
    bounds = np.concatenate(([0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1, [len(group)])).astype(np.int64)
    names = names if order is None else names.rows(order)
    found = _number_compiled(bounds, names)
    numbers, count = _number_plain(bounds, names) if found is None else found
    if order is None:
        return numbers, count
    placed = np.empty(len(group), np.int64)
    placed[order] = numbers
    return placed, count


def match_names(group: Groups, names: Names, other_group: Groups, others: Names) -> Rows:
    """For each pair of group and name the place of the same pair among the others, which are distinct; -1 for none.

    >>> match_names(np.array([0, 1]), Names.of(["a", "a"]), np.array([1, 0]), Names.of(["a", "b"])).tolist()
    [-1, 0]
    """
    numbers, count = number_names(np.concatenate((group, other_group)), Names.join([names, others]))
    place = np.full(count, -1)
    place[numbers[len(names) :]] = np.arange(len(others))
    return place[numbers[: len(names)]]


def sort_groups(group: Groups) -> Rows:
    """The order by group that leaves rows of a group as they are; NumPy sorts short numbers much faster."""
    low, high = int(group.min(initial=0)), int(group.max(initial=0))
    return np.argsort((group - low).astype(np.uint16) if high - low < 1 << 16 else group, kind="stable")


def _number_compiled(bounds: Rows, names: Names) -> tuple[Rows, int] | None:
    kernel = find_kernel()
    if kernel is None:
        return None
    found = kernel.number_names(bounds, *map(np.ascontiguousarray, (names.buffer, names.start, names.length)))
    return None if found is None else (np.frombuffer(found[0], np.int64), found[1])


def _number_plain(bounds: Rows, names: Names) -> tuple[Rows, int]:
    numbers: list[int] = []
    count = 0
    for low, high in itertools.pairwise(bounds.tolist()):
        seen: dict[bytes, int] = {}
        texts = names.rows(slice(low, high)).encoded()
        numbers += [count + seen.setdefault(text, len(seen)) for text in texts]
        count += len(seen)
    return np.array(numbers, np.int64), count
