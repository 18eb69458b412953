"""Names: many short texts in one buffer of bytes, hashed and compared eight bytes at a time.

A run of seven million lines has as many document ids, of which a scorer needs to know only whether they are in the
pool. As Python or polars strings they would cost more than all the rest; here they stay where they were read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

Hashes = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int64]
Places = npt.NDArray[np.signedinteger[Any]]
Symbols = npt.NDArray[np.uint8]

WORD: Final = 8
MOST_WORDS: Final = 32
_FEW: Final = 32
_PIECE: Final = 1 << 14
_EIGHT: Final = np.int64(WORD)
_HALF: Final = np.uint64(32)
_LAST: Final = np.uint64(29)
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
_FACTORS: Final = np.uint64(0xD6E8FEB86659FD93) + 2 * np.arange(MOST_WORDS, dtype=np.uint64) * _SPREAD  # all odd


@dataclass(frozen=True, eq=False)
class Names:
    """Texts as places in a buffer; equal texts have equal bytes, so '001' is not '1'.

    Args:
        buffer: the bytes, and at least eight more behind the last text.
        start: where each text begins.
        length: how many bytes it has.

    >>> names = Names.of(["d10", "d9", "d10"])
    >>> names.texts(), bool(names.hash[0] == names.hash[2])
    (['d10', 'd9', 'd10'], True)
    """

    buffer: Symbols
    start: Places
    length: Places

    @classmethod
    def of(cls, texts: pl.Series | Sequence[str]) -> Names:
        """The names in a polars Series of strings without nulls, or in a list."""
        if isinstance(texts, list | tuple):
            encoded = [text.encode() for text in texts]
            length = np.fromiter(map(len, encoded), np.int64, len(encoded))
            joined = b"".join(encoded)
        else:
            series: pl.Series = texts  # type: ignore[assignment]
            length = series.str.len_bytes().to_numpy().astype(np.int64)
            joined = str(series.str.join("").item()).encode() if len(series) else b""
        buffer = np.frombuffer(joined + bytes(WORD), np.uint8)
        return cls(buffer, np.cumsum(length) - length, length)

    def __len__(self) -> int:
        return len(self.start)

    def rows(self, chosen: Rows | npt.NDArray[np.bool_] | slice) -> Names:
        """The chosen names, in the order of the choice."""
        return Names(self.buffer, self.start[chosen], self.length[chosen])

    def texts(self) -> list[str]:
        """All names as Python strings: for few of them."""
        if len(self) > _FEW:
            texts = self.gather()[:-1].decode().split("\n")
            if len(texts) == len(self):
                return texts
        return [text.decode() for text in self.encoded()]

    def encoded(self) -> list[bytes]:
        """All names as bytes: for few of them."""
        ends = self.start + self.length
        return [self.buffer[low:high].tobytes() for low, high in zip(self.start.tolist(), ends.tolist(), strict=True)]

    def gather(self) -> bytes:
        r"""All names in one text, a line end after each.

        >>> Names.of(["a", "bc"]).gather()
        b'a\nbc\n'
        """
        if len(self) == 0:
            return b""
        ends = np.cumsum(self.length + 1)
        place = np.arange(int(ends[-1])) + np.repeat(self.start - (ends - self.length - 1), self.length + 1)
        text = self.buffer[place]
        text[ends - 1] = ord("\n")
        return bytes(text.tobytes())

    def compact(self) -> Names:
        """The same names in a buffer of their own, without what stood between them."""
        buffer = np.frombuffer(self.gather() + bytes(WORD), np.uint8)
        return Names(buffer, np.cumsum(self.length + 1) - self.length - 1, self.length)

    @classmethod
    def join(cls, parts: Sequence[Names]) -> Names:
        """The names of all parts, one after another."""
        offsets = np.cumsum([0, *(len(part.buffer) for part in parts)])
        start = [part.start + offset for part, offset in zip(parts, offsets, strict=False)]
        buffer = np.concatenate([part.buffer for part in parts])
        return cls(buffer, np.concatenate(start), np.concatenate([part.length for part in parts]))

    def series(self) -> pl.Series:
        """The names as a polars Series of strings.

        >>> Names.of(["a", "bc"]).series().to_list()
        ['a', 'bc']
        """
        parts = [pl.Series([], dtype=pl.String)]
        for start in range(0, len(self), _PIECE):
            piece = self.rows(slice(start, start + _PIECE))
            split = pl.Series([piece.gather()[:-1].decode()]).str.split("\n").explode()
            # Names of tables may hold line ends.
            parts.append(split if len(split) == len(piece) else pl.Series(piece.texts(), dtype=pl.String))
        return pl.concat(parts, rechunk=False)

    @property
    def words(self) -> int:
        """How many words of eight bytes the longest name takes, `MOST_WORDS` at most: what is longer is rare."""
        return min(-(-self._bounds[1] // WORD), MOST_WORDS)

    @property
    def endless(self) -> Rows:
        """The rows of names that are longer than `MOST_WORDS` words."""
        if self._bounds[1] <= MOST_WORDS * WORD:
            return np.empty(0, np.int64)
        return np.flatnonzero(self.length > MOST_WORDS * WORD)

    def word(self, place: int) -> Hashes:
        """Bytes 8 * place to 8 * place + 7 of each name as one number, zero beyond its end.

        Read as little-endian and shifted, so that the last byte of a name is the number's highest.
        """
        start = self.start if place == 0 else self.start + _EIGHT * place
        found = words_at(self.buffer, np.minimum(start, len(self.buffer) - WORD) if place else start)
        return self._shift(found, place)

    def spell(self, count: int) -> Hashes:
        """The first words of each name, as `word` gives them; shape [names, count].

        All words of a name are fetched at once, which takes as long as fetching one.
        """
        found = _fetch(self.buffer, self.start, count)
        for place in range(count):
            self._shift(found[:, place], place)
        return found

    def _shift(self, found: Hashes, place: int) -> Hashes:
        """Words as they stand in the buffer, without what follows the name."""
        low, high = self._bounds
        if low == high:
            found <<= np.uint64(max(WORD * (place + 1) - low, 0) * WORD)  # a shift by 64 or more gives 0
        elif low < WORD * (place + 1):
            over = WORD * (place + 1) - self.length
            if high > WORD * (place + 1):
                np.maximum(over, 0, out=over)
            over *= WORD
            np.left_shift(found, over.astype(np.uint64), out=found)
        return found

    @cached_property
    def _bounds(self) -> tuple[int, int]:
        """The lengths of the shortest and the longest name."""
        return (int(self.length.min()), int(self.length.max())) if len(self) else (0, 0)

    @cached_property
    def hash(self) -> Hashes:
        """A 64-bit hash of each name.

        A word of zeros adds nothing, so the hash does not depend on the longest name beside it; names of eight bytes
        or less that differ have different hashes.
        """
        total = np.empty(len(self), np.uint64)
        for start in range(0, len(self), _PIECE):
            piece = self.rows(slice(start, start + _PIECE))
            total[start : start + _PIECE] = hash_words(piece.spell(piece.words))
        for row, text in self.rest(self.endless):
            total[row] ^= np.uint64(int.from_bytes(blake2b(text, digest_size=WORD).digest(), "little"))
        return total

    def differ(self, other: Names) -> npt.NDArray[np.bool_]:
        """Whether each name differs from the other's name in the same place.

        >>> Names.of(["a", "b"]).differ(Names.of(["a", "c"])).tolist()
        [False, True]
        """
        found: npt.NDArray[np.bool_] = self.length != other.length
        for place in range(min(self.words, other.words)):
            found |= self.word(place) != other.word(place)
        among = self.endless[~found[self.endless]]
        for (row, mine), (_, theirs) in zip(self.rest(among), other.rest(among), strict=True):
            found[row] = mine != theirs
        return found

    def rest(self, among: Rows) -> Iterator[tuple[int, bytes]]:
        """What follows the first words of some names."""
        for row in among.tolist():
            end = int(self.start[row] + self.length[row])
            yield row, self.buffer[int(self.start[row]) + MOST_WORDS * WORD : end].tobytes()

    @property
    def changes(self) -> npt.NDArray[np.bool_]:
        """Whether each name differs from the one before it; the first does."""
        found = np.empty(len(self), np.bool_)
        found[:1] = True
        np.not_equal(self.length[1:], self.length[:-1], out=found[1:])
        for word in self.spell(self.words).T:
            found[1:] |= word[1:] != word[:-1]
        long = self.endless[~found[self.endless]]
        found[long] = self.rows(long).differ(self.rows(long - 1))
        return found

    def order_keys(self) -> list[Hashes]:
        """Numbers that order names as their bytes do, the most telling first."""
        keys = []
        for place in range(-(-self._bounds[1] // WORD)):
            width = np.clip(self.length - WORD * place, 0, WORD)
            found = self.word(place) >> ((WORD - width) * WORD).astype(np.uint64)
            # The first byte of a name is the lowest of the word; swapped, it is the highest, which decides.
            keys.append(found.astype("<u8", copy=False).view(">u8").astype(np.uint64))
        return [*keys, self.length.astype(np.uint64)]

    @cached_property
    def distinct(self) -> tuple[Rows, npt.NDArray[np.int32]]:
        """The row where each distinct name appears first, in that order, and the place of each row's name there.

        Only the rows that differ from the row before them are told apart, which are few where files are sorted.
        """
        heads = np.flatnonzero(self.changes)
        names = self.rows(heads)
        _, first, code = np.unique(names.hash, return_index=True, return_inverse=True)
        if names.differ(names.rows(first[code])).any():  # different names with the same hash
            place: dict[bytes, int] = {}
            code = np.array([place.setdefault(text, len(place)) for text in names.encoded()], np.int64)
            first = np.unique(code, return_index=True)[1]
        order = np.argsort(first)
        place_of = np.empty(len(order), np.int32)
        place_of[order] = np.arange(len(order), dtype=np.int32)
        return heads[first[order]], np.repeat(place_of[code], np.diff(np.append(heads, len(self))))


def hash_words(words: Hashes) -> Hashes:
    """A hash of the words in each row; words of zeros at the end of a row change nothing."""
    total: Hashes = words @ _FACTORS[: words.shape[1]]
    # Low bits of a product know nothing of high bits of the word, so these are brought down, and all mixed once more.
    total ^= total >> _HALF
    total *= _SPREAD
    total ^= total >> _LAST
    return total


def _fetch(buffer: Symbols, start: Rows, count: int) -> Hashes:
    """The words from each place of the buffer, zeros beyond its end; shape [places, count]."""
    size = WORD * count
    if size == 0 or len(start) == 0:
        return np.zeros((len(start), count), np.uint64)
    start = start.astype(np.int64, copy=False)
    limit = len(buffer) - size
    late = np.flatnonzero(start > limit)
    if limit < 0:
        return _fetch(np.concatenate((buffer, np.zeros(size, np.uint8))), start, count)
    view = np.ndarray((limit + 1,), np.dtype((np.void, size)), buffer.data, strides=(1,))
    found = view[np.minimum(start, limit) if len(late) else start].view("<u8").reshape(-1, count)
    if len(late):
        tail = np.concatenate((buffer[limit:], np.zeros(size, np.uint8)))
        found[late] = _fetch(tail, start[late] - limit, count)
    return found


def words_at(buffer: Symbols, start: Rows) -> Hashes:
    """The eight bytes from each place of the buffer as a little-endian number."""
    view = np.ndarray((max(len(buffer) - WORD + 1, 0),), np.dtype("<u8"), buffer.data, strides=(1,))
    return view[start]
