"""A file cut into blocks of whole lines, or whole topics."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Final

import numpy as np

from gainsayer.errors import FormatError
from gainsayer.lines.decimals import PAD
from gainsayer.lines.fields import END, Block, split_any, split_single
from gainsayer.lines.kernel import split_block
from gainsayer.lines.names import WORD, Symbols
from gainsayer.lines.opening import BYTE_ORDER_MARK, Stream, fill

BATCH_BYTES: Final = 1 << 20
LONGEST_LINE: Final = 1 << 24
_MOST_BYTES: Final = 3 << 20
_PARTS: Final = 64
_TAIL: Final = 1 << 16
_STEP: Final = 1 << 18
"""Blocks are of few sizes: the memory of one that is done with serves the next, and need not be asked for again."""
_SPARE: Final = 1 + 1 + WORD
"""Behind the bytes of a file: one to see that it has ended, a line end, and a word."""


def cut_blocks(
    stream: Stream, name: str = "", *, width: int, batch_bytes: int | None = None, whole_topics: bool
) -> Iterator[Block]:
    r"""The lines of a file in blocks; with `whole_topics`, rows of one topic that stand together stay together.

    A byte-order mark is left out, a missing last line end is added. Where lines do not have as many columns as they
    should, blocks end with any line: the reader will name the fault.

    Args:
        stream: the file.
        name: what messages call it.
        width: how many columns a line has; the first is the topic.
        batch_bytes: how many bytes to read at a time, more where a line or a topic has more; by default a 64th of the
            file, from 1 to 3 MB: threads wait for one another once per block.
        whole_topics: whether blocks may end only where a topic ends.

    Raises:
        FormatError: a line is longer than any line of such a file.

    >>> import io
    >>> text = b"a 1\na 2\nb 1\nb 2\n"
    >>> blocks = cut_blocks(io.BytesIO(text), width=2, batch_bytes=10, whole_topics=True)
    >>> [(block.text.tobytes(), block.line) for block in blocks]
    [(b'a 1\na 2\n', 1), (b'b 1\nb 2\n', 3)]
    """
    mark = bytearray(len(BYTE_ORDER_MARK))
    kept = np.frombuffer(bytes(mark[: fill(stream, memoryview(mark))]).removeprefix(BYTE_ORDER_MARK), np.uint8)
    batch_bytes = batch_bytes or min(max(_size(stream) // _PARTS, BATCH_BYTES), _MOST_BYTES)
    line, size, ended = 1, batch_bytes, False
    while not ended:
        block = np.empty(-(-(PAD + len(kept) + size + 1 + WORD) // _STEP) * _STEP, np.uint8)
        block[:PAD] = ord("x")
        begin = PAD + len(kept)
        block[PAD:begin] = kept
        filled = begin + fill(stream, block.data[begin : begin + size])
        ended = filled < begin + size
        if ended and filled > PAD and block[filled - 1] != END:
            block[filled] = END
            filled += 1
        cut = filled if ended else _last_line_end(block, filled)
        if cut == PAD and filled > LONGEST_LINE:
            raise _endless(name)
        if whole_topics and not ended and cut > PAD:
            cut = _last_topic_start(block, cut, width)
        kept = block[cut:filled].copy()
        if cut == PAD:
            size *= 2
            continue
        size = batch_bytes
        whole = Block(block, PAD, cut, line)
        yield whole
        line += whole.count_lines()


def _endless(name: str) -> FormatError:
    return FormatError(f"{name}: expected lines, found more than {LONGEST_LINE:,} bytes without the end of one.")


def load_blocks(stream: Stream, name: str = "", *, size: int = BATCH_BYTES) -> Iterator[Block]:
    """A file as one array in memory, filled block by block: the buffer of the last block holds the whole file.

    Places in an earlier block are the same in the last one, and the array grows where the size of the file is not known
    before. Lines are not counted: whoever reads a block knows how many it has. A byte-order mark is left out, a missing
    last line end is added. Much faster than one `bytes` of that size: NumPy asks for large pages of memory, and a block
    is still in the processor's cache when it is worked on.

    Args:
        stream: the file.
        name: what messages call it.
        size: how many bytes to read at a time; more where a line is longer.

    Raises:
        FormatError: a line is longer than any line of such a file.
    """
    buffer = np.empty(PAD + (_size(stream) or size) + _SPARE, np.uint8)
    buffer[:PAD] = ord("x")
    low = filled = PAD
    got = -1
    while got:
        if filled + _SPARE > len(buffer):
            buffer = np.concatenate((buffer, np.empty_like(buffer)))
        got = fill(stream, buffer.data[filled : min(filled + size, len(buffer) - WORD - 1)])
        if filled == PAD and buffer[PAD : PAD + got][: len(BYTE_ORDER_MARK)].tobytes() == BYTE_ORDER_MARK:
            low += len(BYTE_ORDER_MARK)
        before, filled, high = filled, filled + got, low
        if filled - low > LONGEST_LINE + size:
            raise _endless(name)
        if got:
            end = _last_line_end(buffer, filled, before)
            high = end if end > before else low
        elif low < filled:
            buffer[filled] = END
            high = filled + 1
        if high > low:
            yield Block(buffer, low, high)
            low = high


def _size(stream: Stream) -> int:
    """How many bytes a file has; 0 where that is not known before they are read."""
    if isinstance(stream, io.BytesIO):
        return stream.getbuffer().nbytes
    return os.fstat(stream.fileno()).st_size if isinstance(stream, io.FileIO) else 0


def _last_line_end(buffer: Symbols, filled: int, low: int = PAD) -> int:
    """Where the last whole line ends; `low` if there is none behind it."""
    high, step = filled, 1 << 12
    while high > low:
        begin = max(low, high - step)
        place = buffer[begin:high].tobytes().rfind(b"\n")
        if place >= 0:
            return begin + place + 1
        high, step = begin, 2 * step
    return low


def _last_topic_start(buffer: Symbols, cut: int, width: int) -> int:
    """Where the topic of the last line begins, looking at no more lines than needed; PAD if it is the only one."""
    size = _TAIL
    while True:
        low = PAD if cut - size <= PAD else _last_line_end(buffer, cut - size)
        starts = _topic_starts(Block(buffer, low, cut), width)
        if len(starts) != 1:
            return starts[-1] if starts else cut
        if low == PAD:
            return PAD
        size *= 4


def _topic_starts(block: Block, width: int) -> list[int]:
    """Where each line begins whose topic is not that of the line before; empty where lines lack columns."""
    plain = split_block(block.buffer, block.start, block.stop, width)
    if plain is not None:
        return [int(start) for start in plain.head[:, 1]]
    found = split_single(block, width, [0]) or (split_any(block, width, [0]) or [[]])[0]
    return [int(start) for start in found[0].start[found[0].changes]] if found else []
