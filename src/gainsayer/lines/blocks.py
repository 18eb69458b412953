"""A file cut into blocks of whole lines, or whole topics, and the blocks worked on by several threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, TypeVar

import numpy as np

from gainsayer.lines.decimals import PAD
from gainsayer.lines.fields import make_block, split_columns
from gainsayer.lines.names import WORD, Symbols
from gainsayer.lines.opening import BYTE_ORDER_MARK, FilePath
from gainsayer.lines.streams import Stream

BATCH_BYTES: Final = 1 << 21
CACHED_BYTES: Final = 1 << 19
END: Final = ord("\n")
_MOST_THREADS: Final = 4
_TAIL: Final = 1 << 16

Work = TypeVar("Work")
Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False)
class Block:
    """Some whole lines of a file: `PAD` letters, the lines, and `WORD` more bytes; and the number of the first line."""

    symbols: Symbols
    line: int

    @property
    def text(self) -> Symbols:
        """The lines alone."""
        return self.symbols[PAD:-WORD]


def cut_blocks(stream: Stream, *, width: int, batch_bytes: int = BATCH_BYTES, whole_topics: bool) -> Iterator[Block]:
    r"""The lines of a file in blocks; with `whole_topics`, rows of one topic that stand together stay together.

    A byte-order mark is left out, a missing last line end is added. Where lines do not have as many columns as they
    should, blocks end with any line: the reader will name the fault.

    Args:
        stream: the file.
        width: how many columns a line has; the first is the topic.
        batch_bytes: how many bytes to read at a time; more where a line or a topic has more.
        whole_topics: whether blocks may end only where a topic ends.

    >>> import io
    >>> text = b"a 1\na 2\nb 1\nb 2\n"
    >>> blocks = cut_blocks(io.BytesIO(text), width=2, batch_bytes=10, whole_topics=True)
    >>> [(block.text.tobytes(), block.line) for block in blocks]
    [(b'a 1\na 2\n', 1), (b'b 1\nb 2\n', 3)]
    """
    mark = bytearray(len(BYTE_ORDER_MARK))
    kept = np.frombuffer(bytes(mark[: _fill(stream, memoryview(mark))]).removeprefix(BYTE_ORDER_MARK), np.uint8)
    line, size, ended = 1, batch_bytes, False
    while not ended:
        block = np.empty(PAD + len(kept) + size + 1 + WORD, np.uint8)
        block[:PAD] = ord("x")
        begin = PAD + len(kept)
        block[PAD:begin] = kept
        filled = begin + _fill(stream, block.data[begin : begin + size])
        ended = filled < begin + size
        if ended and filled > PAD and block[filled - 1] != END:
            block[filled] = END
            filled += 1
        cut = filled if ended else _last_line_end(block, filled)
        if whole_topics and not ended and cut > PAD:
            cut = _last_topic_start(block, cut, width)
        kept = block[cut:filled].copy()
        if cut == PAD:
            size *= 2
            continue
        size = batch_bytes
        yield Block(block[: cut + WORD], line)
        line += int(np.count_nonzero(block[PAD:cut] == END))


def load_blocks(path: FilePath, *, size: int = CACHED_BYTES) -> Iterator[tuple[Symbols, slice]]:
    """A regular file as one array in memory, filled block by block: the array, and where the block's lines stand in it.

    Before and behind the lines of every block are `PAD` and `WORD` bytes more, which may be anything. The last line is
    closed with a line end. Much faster than one `bytes` of that size: NumPy asks for large pages of memory, and a block
    is still in the processor's cache when it is worked on.

    Args:
        path: the file; what is added to it after it was opened is not read.
        size: how many bytes to read at a time; more where a line is longer.
    """
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123  # not every name is a Path
        end = PAD + os.fstat(file.fileno()).st_size
        symbols = np.empty(end + 1 + WORD, np.uint8)
        symbols[:PAD] = symbols[-WORD:] = ord("x")
        low = filled = PAD
        while filled < end and (got := file.readinto(symbols.data[filled : min(filled + size, end)])):
            high = _last_line_end(symbols[filled - PAD : filled + got], PAD + got) + filled - PAD
            filled += got
            if high > filled - got:
                yield symbols, slice(low, high)
                low = high
        if low < filled:
            symbols[filled] = END
            yield symbols, slice(low, filled + 1)


def work_in_turn(work: Callable[[Work], Answer], items: Iterator[Work]) -> Iterator[Answer]:
    """The answers in the order of the items, computed by a few threads; few items are held at a time.

    NumPy lets other threads run while it works on an array, so two cores do nearly twice as much.
    """
    threads = min(_MOST_THREADS, _cores())
    head = list(islice(items, 2))
    if threads == 1 or len(head) < 2:
        yield from map(work, chain(head, items))
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Answer]] = deque()
        try:
            for item in chain(head, items):
                waiting.append(pool.submit(work, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for left in waiting:
                left.cancel()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _fill(stream: Stream, buffer: memoryview) -> int:
    """Read until the buffer is full or the file ends."""
    done = 0
    while done < len(buffer) and (got := stream.readinto(buffer[done:])):
        done += got
    return done


def _last_line_end(block: Symbols, filled: int) -> int:
    """Where the last whole line ends; PAD if there is none."""
    high, step = filled, 1 << 12
    while high > PAD:
        low = max(PAD, high - step)
        ends = np.flatnonzero(block[low:high] == END)
        if len(ends):
            return low + int(ends[-1]) + 1
        high, step = low, 2 * step
    return PAD


def _last_topic_start(block: Symbols, cut: int, width: int) -> int:
    """Where the topic of the last line begins, looking at no more lines than needed; PAD if it is the only one."""
    size = _TAIL
    while True:
        low = PAD if cut - size <= PAD else _last_line_end(block, cut - size)
        tail = make_block(block[low:cut])
        found = split_columns(tail, width, [0])
        if found is None or len(found[0][0]) == 0:
            return cut
        topic = found[0][0]
        head = int(np.flatnonzero(topic.changes)[-1])
        if head:
            return low + int(topic.start[head]) - PAD
        if low == PAD:
            return PAD
        size *= 4
