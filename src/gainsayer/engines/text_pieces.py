"""Lines cut into pieces by topic: which bytes of a block belong to which bucket, without reading what they say.

A bucket is a set of whole topics, told by a checksum of their names, so that every file of a collection, and every
engine, puts a topic into the same one. Where the lines of a topic stand together, they are one piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from gainsayer.lines.fields import END, Block
from gainsayer.lines.kernel import find_topics
from gainsayer.lines.names import MOST_WORDS, WORD, Names, Rows, words_at

_BLANK: Final = np.zeros(256, np.bool_)
_BLANK[list(b"\t\n\v\f\r ")] = True
_WINDOW: Final = 32
_SMALL: Final = 200
"""Pieces that have fewer bytes than this are gathered by NumPy, as one slice each costs more."""
_MANY: Final = 5_000


@dataclass(frozen=True, eq=False)
class Pieces:
    """A block of lines, cut where the bucket changes.

    Args:
        block: the lines.
        begin: where each piece begins in the buffer; it ends where the next begins, the last with the block.
        bucket: of each piece; -1 for blank lines, which belong to none.
    """

    block: Block
    begin: Rows
    bucket: Rows

    def texts(self) -> Iterator[tuple[int, memoryview]]:
        """Each bucket with the bytes of some of its lines, those of a bucket in their order; no blank lines."""
        end = np.append(self.begin[1:], self.block.stop)
        buffer = self.block.buffer
        if len(self.begin) * _SMALL > self.block.stop - self.block.start:
            order = np.argsort(self.bucket, kind="stable")
            begin, size, bucket = self.begin[order], (end - self.begin)[order], self.bucket[order]
            upto = np.cumsum(size)
            buffer = buffer[np.arange(int(upto[-1])) + np.repeat(begin - (upto - size), size)]
            heads = np.flatnonzero(np.diff(bucket, prepend=-2))
            found = (bucket[heads], (upto - size)[heads], np.append((upto - size)[heads[1:]], upto[-1]))
        else:
            found = (self.bucket, self.begin, end)
        view = memoryview(buffer)  # type: ignore[arg-type]
        for bucket_, low, high in zip(*(column.tolist() for column in found), strict=True):
            if bucket_ >= 0:
                yield bucket_, view[low:high]


def cut_pieces(block: Block, buckets: int) -> Pieces:
    r"""A block of lines by the bucket of their first field, which is the topic of qrels and of runs alike.

    Fields are separated by ASCII blanks, as `lines.rows.read_rows` has it. A line that is odd in any other way is none
    of our business: whoever reads the bucket will say so.

    Args:
        block: the lines.
        buckets: how many buckets there are.

    >>> pieces = cut_pieces(Block.of(b"q1 0 d1 2\nq1 0 d2 0\n\n q2\t0 d1 1\nq1 0 d3 1\n"), 8)
    >>> pieces.bucket.tolist()
    [1, -1, 5, 1]
    >>> [(bucket, bytes(text)) for bucket, text in pieces.texts()]
    [(1, b'q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\n'), (5, b' q2\t0 d1 1\n')]
    """
    found = find_topics(block.buffer, block.start, block.stop)
    if found is None:
        begin, topics = _find_numpy(block)
    else:
        head, _ = found
        begin = head[:, 1].astype(np.int64)
        topics = Names(block.buffer, begin, head[:, 2])
    bucket = _find_buckets(topics, buckets)
    chosen = np.flatnonzero(np.diff(bucket, prepend=-2))
    return Pieces(block, begin[chosen], bucket[chosen])


def _find_numpy(block: Block) -> tuple[Rows, Names]:
    """Where lines begin that may have another topic than the line before, and their topics; all by NumPy."""
    ends = np.flatnonzero(block.text == END)
    starts = np.empty(len(ends), np.int64)
    starts[:1] = block.start
    np.add(ends[:-1], block.start + 1, out=starts[1:])
    row, topics = _find_heads(block, starts)
    return starts[row], topics


def _find_buckets(topics: Names, buckets: int) -> Rows:
    """The bucket of each topic; -1 where there is none."""
    code: npt.NDArray[np.int32] | slice = slice(None)
    if len(topics) > _MANY:  # topics come back, again and again
        first, code = topics.distinct
        topics = topics.rows(first)
    view = memoryview(topics.buffer)  # type: ignore[arg-type]
    begin, end = topics.start.tolist(), (topics.start + topics.length).tolist()
    sums = [crc32(view[low:high]) for low, high in zip(begin, end, strict=True)]
    found = (np.array(sums, np.int64) * buckets) >> 32
    found[topics.length == 0] = -1
    return found[code]


def _find_heads(block: Block, starts: Rows) -> tuple[Rows, Names]:
    """The places of lines that may have another topic than the line before, and their topics.

    Lines are compared by their first few words of eight bytes, as many as the topics have; what a line shares with the
    one before, their topics share.
    """
    last = len(block.buffer) - WORD
    words = 1
    while words <= MOST_WORDS:
        differ = np.zeros(len(starts), np.bool_)
        differ[:1] = True
        for place in range(words):
            at = starts + WORD * place if place else starts
            if int(at[-1]) > last:
                at = np.minimum(at, last)  # beyond the last line, so beyond its topic
            word = words_at(block.buffer, at)
            differ[1:] |= word[1:] != word[:-1]
        heads = np.flatnonzero(differ)
        topics = _first_fields(block, starts[heads])
        if bool((topics.start > starts[heads]).any() or (topics.length == 0).any()):
            break  # lines that begin with blanks may be alike at first and have different topics
        needed = int(topics.length.max()) // WORD + 1  # with the blank behind a topic
        if needed <= words:
            return heads, topics
        words = needed
    return np.arange(len(starts)), _first_fields(block, starts)


def _first_fields(block: Block, starts: Rows) -> Names:
    """The first field of each line; empty where the line is blank."""
    begin, length = starts.copy(), np.zeros(len(starts), np.int64)
    left, width = np.arange(len(starts)), _WINDOW
    while len(left):
        found = block.buffer[np.minimum(starts[left, None] + np.arange(width), block.stop - 1)]
        blank, ended = _BLANK[found], found == END
        rows = np.arange(len(left))
        at = np.argmax(~blank | ended, axis=1)  # the first letter, or the end of the line
        seen = (~blank | ended)[rows, at]
        blank &= np.arange(width) > at[:, None]
        behind = np.argmax(blank, axis=1)
        empty = ended[rows, at]
        whole = seen & (empty | blank[rows, behind])
        begin[left[whole]] += np.where(empty, 0, at)[whole]
        length[left[whole]] = np.where(empty, 0, behind - at)[whole]
        left, width = left[~whole], 4 * width
    return Names(block.buffer, begin, length)
