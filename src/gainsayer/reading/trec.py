"""TREC text, qrels and runs: blocks of whole lines, and the topic, document and number on each line.

The compiled reader takes plain blocks. Every other block is read line by line, by `read_lines`, which is the reference:
it takes whatever is allowed, and words whatever is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from gainsayer.errors import FormatError
from gainsayer.reading.faults import shorten
from gainsayer.reading.files import BYTE_ORDER_MARK, Stream
from gainsayer.reading.kernel import find_kernel
from gainsayer.reading.names import Names

Ints: TypeAlias = npt.NDArray[np.int64]
Lines: TypeAlias = int | Ints
"""The line of the first row, where rows stand on consecutive lines; or of each row."""

BLOCK_BYTES: Final = 1 << 20
LONGEST_LINE: Final = 1 << 24
_END: Final = ord("\n")
_TOPIC: Final = 0
_DOCUMENT: Final = 2
_MOST_COLUMNS: Final = 100
_WHOLE: Final = re.compile(rb"-?[1-9][0-9]{0,3}|0")


@dataclass(frozen=True)
class Block:
    """Some whole lines of a file, the last one with its line end.

    Args:
        text: the lines, and perhaps more behind them.
        stop: where the lines end.
        line: the number of the first.
    """

    text: bytearray
    stop: int
    line: int = 1

    @classmethod
    def of(cls, lines: bytes, line: int = 1) -> Block:
        """Some lines by themselves."""
        return cls(bytearray(lines), len(lines), line)

    def lines(self) -> bytes:
        """The lines alone."""
        return bytes(self.text[: self.stop])


@dataclass(frozen=True)
class Layout:
    """What stands on each line; the topic is the first column, the document the third.

    Args:
        columns: what messages call the columns.
        number: which column has the level or score.
        labels: whether it is a level, which may be any word.
        loose: whether words behind the last column are passed over, as trec_eval does.
    """

    columns: tuple[str, ...]
    number: int
    labels: bool = False
    loose: bool = False


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of one block.

    Args:
        topics: the topics as they follow one another; one may come back.
        sizes: how many rows each has.
        document: the document of each row.
        number: the score of each row; or its label, as whole numbers where all are in their usual spelling, else text.
        line: where the rows stand.
        other: a further column, where one was asked for, read as the number is.
    """

    topics: list[str]
    sizes: Ints
    document: Names
    number: npt.NDArray[Any] | list[str]
    line: Lines
    other: npt.NDArray[Any] | list[str] | None = None


@dataclass(frozen=True)
class Fault:
    """What is wrong with a line, and how many columns it has where that is it."""

    line: int
    words: str
    width: int | None = None


QRELS: Final = Layout(("topic", "iteration", "document", "level"), 3, labels=True)
RUN: Final = Layout(("topic", "Q0", "document", "rank", "score", "tag"), 4, loose=True)


def cut_blocks(stream: Stream, name: str = "", *, whole_topics: bool, size: int = BLOCK_BYTES) -> Iterator[Block]:
    r"""The lines of a file in blocks; with `whole_topics`, rows of one topic that stand together stay together.

    A byte-order mark is left out, a missing last line end is added.

    Args:
        stream: the file; read to its end, not closed.
        name: what messages call it.
        whole_topics: whether blocks may end only where a topic ends.
        size: how many bytes to read at a time, more where a line or a topic has more.

    Raises:
        FormatError: a line is longer than any line of such a file.

    >>> import io
    >>> blocks = cut_blocks(io.BytesIO(b"a 1\na 2\nb 1\nb 2"), whole_topics=True, size=10)
    >>> [(bytes(block.text[: block.stop]), block.line) for block in blocks]
    [(b'a 1\na 2\n', 1), (b'b 1\nb 2\n', 3)]
    """
    kept = bytearray(stream.read(len(BYTE_ORDER_MARK)).removeprefix(BYTE_ORDER_MARK))
    line, wanted, ended = 1, size, False
    while not ended:
        text = bytearray(len(kept) + wanted + len(b"\n"))
        text[: len(kept)] = kept
        filled = len(kept) + _fill(stream, memoryview(text)[len(kept) : -1])
        ended = filled < len(text) - 1
        if ended and filled and text[filled - 1] != _END:
            text[filled] = _END
            filled += 1
        stop = text.rfind(b"\n", 0, filled) + 1
        if stop == 0 and filled > LONGEST_LINE:
            raise FormatError(f"{name}: expected lines, found more than {LONGEST_LINE:,} bytes without the end of one.")
        if whole_topics and not ended:
            stop = _last_topic(text, stop)
        if stop:
            yield Block(text, stop, line)
            line += int(np.count_nonzero(np.frombuffer(text, np.uint8, stop) == _END))
        kept = text[stop:filled]
        wanted = size if stop else 2 * wanted


def _fill(stream: Stream, buffer: memoryview) -> int:
    """Read until the buffer is full or the file ends, and tell how many bytes there were."""
    done = 0
    while done < len(buffer) and (got := stream.readinto(buffer[done:])):
        done += got
    return done


def _last_topic(text: bytearray, end: int) -> int:
    """Where the rows of the last line's topic begin, by bisection; 0 where there are no others.

    Rows of a topic stand together, or whoever reads the blocks will see the topic come back.
    """

    def topic_at(start: int) -> list[bytearray]:
        return text[start : text.find(b"\n", start, end)].split(None, 1)[:1]

    low, high = 0, end
    topic: list[bytearray] = []
    while high and not topic:  # a blank line belongs to the line below it
        high = text.rfind(b"\n", 0, high - 1) + 1
        topic = topic_at(high)
    while low < high:
        line = middle = max(text.rfind(b"\n", 0, (low + high) // 2) + 1, low)
        while not (found := topic_at(line)):
            line = text.find(b"\n", line) + 1
        if found == topic:
            high = middle
        else:
            low = text.find(b"\n", line) + 1
    return high


def read_block(block: Block, layout: Layout, name: str, *, other: int | None = None) -> Rows | list[Fault]:
    r"""The rows of a block, or what is wrong with its lines; without rows and faults, an empty list.

    Columns are separated by blanks, tabs or a mixture; lines end with LF or CRLF; blank lines are passed over. Only
    ASCII blanks separate.

    Args:
        block: the lines.
        layout: what stands on each of them.
        name: what messages call the file.
        other: a further column that is wanted.

    Raises:
        FormatError: the lines are no text.

    >>> rows = read_block(Block.of(b"q1 0 d1 2\r\n\nq1\t0\td2\t0\n"), QRELS, "a.qrels")
    >>> rows.topics, rows.document.texts(), rows.number.tolist(), rows.line.tolist()
    (['q1'], ['d1', 'd2'], [2, 0], [1, 3])
    >>> [fault.words for fault in read_block(Block.of(b"q1 0 d1\n"), QRELS, "a.qrels")]
    ["expected 4 columns (topic, iteration, document, level), found 3: 'q1 0 d1'."]
    """
    plain = _read_compiled(block, layout) if other is None else None
    return read_lines(block, layout, name, other=other) if plain is None else plain


def _read_compiled(block: Block, layout: Layout) -> Rows | None:
    """The same by the compiled reader; None where there is none, or where the block is not plain."""
    kernel = find_kernel()
    found = None if kernel is None else kernel.split_block(block.text, block.stop, len(layout.columns))
    if found is None or not (block.text.isascii() or _is_utf8(block.lines())):
        return None
    start, length, head = (np.frombuffer(found[place], np.int32) for place in (0, 1, 3))
    heads = head.reshape(-1, 3)
    topics = [bytes(block.text[low : low + size]) for _, low, size in heads.tolist()]
    names = {topic: topic.decode() for topic in set(topics)}
    return Rows(
        topics=[names[topic] for topic in topics],
        sizes=np.diff(heads[:, 0], append=len(start)).astype(np.int64),
        document=Names(np.frombuffer(block.text, np.uint8), start, length),
        number=np.frombuffer(found[2], np.int16 if layout.labels else np.float64),
        line=block.line,
    )


def read_lines(block: Block, layout: Layout, name: str, *, other: int | None = None) -> Rows | list[Fault]:
    """The same line by line: what is right, and what messages say, is what it is here."""
    text = block.lines()
    _check_text(text, block.line, name)
    width, at = len(layout.columns), layout.number
    names: dict[bytes, str] = {}
    topics: list[str] = []
    sizes: list[int] = []
    documents: list[bytes] = []
    number: list[bytes] = []
    more: list[bytes] = []
    lines: list[int] = []
    faults: list[Fault] = []
    before = None
    for line, row in enumerate(text.split(b"\n"), start=block.line):
        cells = row.split(None, _MOST_COLUMNS)
        if len(cells) != width and not (layout.loose and width < len(cells) <= _MOST_COLUMNS):
            if cells:
                count = len(cells) if len(cells) <= _MOST_COLUMNS else f"more than {_MOST_COLUMNS}"
                expected = f"expected {width} columns ({', '.join(layout.columns)})"
                faults.append(Fault(line, f"{expected}, found {count}: {shorten(row.strip())}.", len(cells)))
            continue
        if cells[_TOPIC] != before:
            before = cells[_TOPIC]
            topics.append(names.setdefault(before, before.decode()))
            sizes.append(0)
        sizes[-1] += 1
        documents.append(cells[_DOCUMENT])
        number.append(cells[at])
        lines.append(line)
        if other is not None:
            more.append(cells[other])
    numbers = _read_numbers(number, layout, at, lines, faults)
    others = None if other is None else _read_numbers(more, layout, other, lines, faults)
    if faults or not lines:
        return sorted(faults, key=lambda fault: fault.line)
    return Rows(
        topics=topics,
        sizes=np.array(sizes, np.int64),
        document=Names.of_bytes(documents),
        number=numbers,
        line=lines[0] if lines[-1] - lines[0] == len(lines) - 1 else np.array(lines, np.int64),
        other=others,
    )


def _read_numbers(
    column: list[bytes], layout: Layout, place: int, lines: list[int], faults: list[Fault]
) -> npt.NDArray[Any] | list[str]:
    """Scores as floats; labels as whole numbers of at most four digits in their usual spelling, or else as text.

    >>> _read_numbers([b"0", b"-2", b"10"], QRELS, 3, [1, 2, 3], []).tolist()
    [0, -2, 10]
    >>> _read_numbers([b"0", b"01"], QRELS, 3, [1, 2], [])
    ['0', '01']
    """
    if layout.labels:
        whole = {label: int(label) for label in set(column) if _WHOLE.fullmatch(label)}
        if len(whole) == len(set(column)):
            return np.array([whole[label] for label in column], np.int16)
        return [label.decode() for label in column]
    try:
        number = np.array(list(map(float, column)), np.float64)
        if not np.isnan(number).any() and not any(b"_" in text for text in column):  # Python alone takes 1_000
            return number
    except ValueError:
        pass
    for line, text in zip(lines, column, strict=True):
        if not _is_number(text):
            faults.append(Fault(line, f"expected a number as {layout.columns[place]}, found {shorten(text)}."))
    return []


def _is_number(text: bytes) -> bool:
    try:
        return b"_" not in text and float(text) == float(text)
    except ValueError:
        return False


def join_rows(parts: Sequence[Rows]) -> tuple[tuple[str, ...], npt.NDArray[np.int32], Names, Lines]:
    r"""The rows of a whole file: its topics in order of appearance, the place of each row's topic, documents, lines.

    >>> blocks = Block.of(b"q1 0 a 1\n"), Block.of(b"q1 0 b 0\n", line=2)
    >>> parts = [read_block(block, QRELS, "a.qrels") for block in blocks]
    >>> topics, topic, document, line = join_rows(parts)
    >>> topics, topic.tolist(), document.texts(), line
    (('q1',), [0, 0], ['a', 'b'], 1)
    """
    place: dict[str, int] = {}
    codes = [place.setdefault(topic, len(place)) for part in parts for topic in part.topics]
    sizes = np.concatenate([part.sizes for part in parts])
    document = Names.join([part.document for part in parts])
    return tuple(place), np.repeat(np.array(codes, np.int32), sizes), document, _join_lines(parts)


def _join_lines(parts: Sequence[Rows]) -> Lines:
    expected = first = parts[0].line
    for part in parts:
        if not (isinstance(part.line, int) and isinstance(expected, int) and part.line == expected):
            counts = [np.arange(len(part.document)) for part in parts]
            return np.concatenate(
                [
                    part.line + (count if isinstance(part.line, int) else 0)
                    for part, count in zip(parts, counts, strict=True)
                ]
            )
        expected += len(part.document)
    return first


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _check_text(text: bytes, first: int, name: str) -> None:
    if b"\0" in text:
        line = first + text.count(b"\n", 0, text.index(0))
        raise FormatError(f"{name}, line {line}: expected text, found a NUL byte: this is a binary file, or damaged.")
    try:
        _ = text.isascii() or text.decode()
    except UnicodeDecodeError as fault:
        line = first + text.count(b"\n", 0, fault.start)
        raise FormatError(
            f"{name}, line {line}: expected UTF-8 text, found byte 0x{text[fault.start]:02x}.\n"
            "Convert the file: iconv -f LATIN1 -t UTF-8"
        ) from None
