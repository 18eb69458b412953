"""TREC runs: topic, Q0, document, rank, score and tag on each line, separated by blanks.

A file is read in blocks of whole topics, so memory is set by the block and not by the file. Where a topic comes back
after another one, blocks of whole topics do not exist, and the file is read as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from gainsayer.errors import DataError, FormatError
from gainsayer.lines.blocks import BATCH_BYTES, Block, cut_blocks, work_in_turn
from gainsayer.lines.decimals import parse_decimals
from gainsayer.lines.faults import Faults, shorten
from gainsayer.lines.fields import make_block, split_columns
from gainsayer.lines.names import Names, Rows, Symbols
from gainsayer.lines.opening import BYTE_ORDER_MARK, as_text
from gainsayer.lines.streams import Stream
from gainsayer.runs.run import FloatArray, Run

COLUMNS: Final = ("topic", "Q0", "document", "rank", "score", "tag")
_WIDTH: Final = len(COLUMNS)
_TOPIC, _DOCUMENT, _RANK, _SCORE, _TAG = 0, 2, 3, 4, 5
_MOST_COLUMNS: Final = 100
_NUMBER: Final = re.compile(rb"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)", re.IGNORECASE)

Answer = TypeVar("Answer")


class InterleavedError(DataError):
    """A topic comes back after another one, so the run cannot be read topic by topic."""


def map_trec(
    work: Callable[[Run], Answer],
    stream: Stream,
    name: str,
    *,
    batch_bytes: int = BATCH_BYTES,
    ranks: bool = False,
) -> Iterator[Answer]:
    r"""What `work` makes of the rows of a TREC run, some whole topics at a time; several threads share the work.

    Columns are separated by blanks, tabs or a mixture; lines end with LF or CRLF; blank lines are passed over. The
    name of the run is the tag of its first line; later batches may have another.

    Args:
        work: a function without memory: batches come in any order, answers in the order of the file.
        stream: the bytes of the file; read to its end, not closed.
        name: what messages call the file.
        batch_bytes: how many bytes to read at a time; more where a topic has more.
        ranks: whether the rank column is wanted.

    Raises:
        FormatError: a line does not have six columns, or no number as score; the first ten such lines are listed.
        InterleavedError: a topic comes back after another one.

    >>> import io
    >>> text = b"q1 Q0 d1 1 2.5 bm25\r\nq1\tQ0\td2\t2\t2\tbm25\n"
    >>> [batch] = map_trec(lambda run: run, io.BytesIO(text), "a.run")
    >>> batch.frame().rows(), batch.name
    ([('q1', 'd1', 2.5), ('q1', 'd2', 2.0)], 'bm25')
    """

    def parse(block: Block) -> tuple[list[bytes], Answer] | list[_Fault]:
        part = _parse_block(block, name, ranks)
        if isinstance(part, list):
            return part
        heads = np.flatnonzero(part.topic.changes)
        names = part.topic.rows(heads).encoded()
        topic = np.repeat(np.arange(len(heads), dtype=np.int32), np.diff(np.append(heads, len(part.score))))
        topics = tuple(text.decode() for text in names)
        run = Run(
            part.tag, topics, topic, part.document, part.score, part.rank, source=name, line=part.line, unit="line"
        )
        return names, work(run)

    blocks = cut_blocks(stream, width=_WIDTH, batch_bytes=batch_bytes, whole_topics=True)
    seen: set[bytes] = set()
    for names, answer in _settle(work_in_turn(parse, _checked(blocks, name)), name):
        before = len(seen)
        seen.update(names)
        if len(seen) < before + len(names):
            raise InterleavedError(
                f"{name}: the rows of a topic do not stand together, so the run cannot be read in batches. "
                "Read it as a whole: read_run"
            )
        yield answer


def read_trec(stream: Stream, name: str, *, ranks: bool = False) -> Run:
    """The rows of a TREC run as a whole, in any order; see `map_trec`."""

    def parse(block: Block) -> tuple[list[bytes], npt.NDArray[np.int32], _Part] | list[_Fault]:
        part = _parse_block(block, name, ranks)
        if isinstance(part, list):
            return part
        first, code = part.topic.distinct
        names = part.topic.rows(first).encoded()
        # What is not needed any more goes at once: the bytes of all other columns.
        document = part.document.compact()
        return names, code, _Part(part.tag, document, document, part.score, part.rank, part.line)

    parts: list[_Part] = []
    codes: list[npt.NDArray[np.int32]] = []
    place: dict[bytes, int] = {}
    blocks = cut_blocks(stream, width=_WIDTH, whole_topics=False)
    for names, code, part in _settle(work_in_turn(parse, _checked(blocks, name)), name):
        codes.append(np.array([place.setdefault(text, len(place)) for text in names], np.int32)[code])
        parts.append(part)
    ranked = [part.rank for part in parts if part.rank is not None]
    return Run(
        name=parts[0].tag,
        topics=tuple(text.decode() for text in place),
        topic=np.concatenate(codes),
        document=Names.join([part.document for part in parts]),
        score=np.concatenate([part.score for part in parts]),
        rank=np.concatenate(ranked) if ranked else None,
        source=name,
        line=_join_lines(parts),
        unit="line",
    )


@dataclass(frozen=True)
class _Part:
    """The wanted columns of some lines."""

    tag: str
    topic: Names
    document: Names
    score: FloatArray
    rank: FloatArray | None
    line: int | Rows


@dataclass(frozen=True)
class _Fault:
    """What is wrong with a line, and how many columns it has where that is it."""

    line: int
    words: str
    width: int | None = None


def _join_lines(parts: list[_Part]) -> int | Rows:
    lines = []
    for part in parts:
        if isinstance(part.line, int):
            lines.append(np.arange(part.line, part.line + len(part.score)))
        else:
            lines.append(part.line)
    if all(isinstance(part.line, int) for part in parts):
        return int(lines[0][0])
    return np.concatenate(lines)


def _checked(blocks: Iterator[Block], name: str) -> Iterator[Block]:
    """The blocks, once the first that is not blank is known to be text."""
    content = b""
    for block in blocks:
        if not content.strip():
            content = block.text.tobytes()
            if content.strip():
                # One mark was left out already where the file begins.
                as_text(BYTE_ORDER_MARK + content if block.line == 1 else content, name)
        yield block
    if not content.strip():
        found = "only blanks" if content else "no content"
        raise FormatError(f"{name} is empty: expected a run, found {found}.")


def _settle(answers: Iterator[Answer | list[_Fault]], name: str) -> Iterator[Answer]:
    """The answers, until there is a fault; then the first ten faults of the rest of the file."""
    faults = Faults(name)
    widths: set[int] = set()
    for answer in answers:
        if isinstance(answer, list):
            for fault in answer:
                faults.add(fault.line, fault.words)
                widths |= {fault.width} if fault.width is not None else set()
        elif not faults.count:
            yield answer
    advice = ""
    if widths == {4}:
        advice = "Four columns look like qrels (topic, iteration, document, level), not like a run."
    elif widths == {5}:
        advice = "Is the tag missing? The last column names the run, on every line."
    elif widths and min(widths) <= 2:
        advice = "A table with other columns needs a header line: topic,document,score"
    faults.settle(advice)


def _parse_block(block: Block, name: str, ranks: bool) -> _Part | list[_Fault]:
    """The wanted columns of the lines of a block, or what is wrong with them; no faults and no rows: an empty list."""
    _check_text(block, name)
    found = split_columns(block.symbols, _WIDTH, [_TOPIC, _DOCUMENT, _SCORE, *([_RANK] if ranks else [])])
    if found is None:
        block = _cut_tags(block)
        found = split_columns(block.symbols, _WIDTH, [_TOPIC, _DOCUMENT, _SCORE, *([_RANK] if ranks else [])])
    if found is None:
        return _walk(block)
    columns, lines, _ = found
    if len(columns[0]) == 0:
        return []
    faults: list[_Fault] = []
    numbers: list[FloatArray] = []
    for column, meaning in zip(columns[2:], ("score", "rank"), strict=False):
        number, wrong = parse_decimals(column)
        numbers.append(number)
        for row, text in zip(wrong.tolist(), column.rows(wrong).encoded(), strict=True):
            line = block.line + (row if lines is None else int(lines[row]))
            faults.append(_Fault(line, f"expected a number as {meaning}, found {shorten(text)}."))
    if faults:
        return faults
    return _Part(
        tag=_find_tag(block.symbols, int(columns[0].start[0])),
        topic=columns[0],
        document=columns[1],
        score=numbers[0],
        rank=numbers[1] if ranks else None,
        line=block.line if lines is None else lines + block.line,
    )


def _find_tag(symbols: Symbols, start: int) -> str:
    """The tag of the line that begins here, looking no further than needed."""
    size = 1 << 10
    while b"\n" not in (line := symbols[start : start + size].tobytes()):
        size *= 4
    return line.split(None, _WIDTH)[_TAG].decode()


def _check_text(block: Block, name: str) -> None:
    if int(block.text.max()) < 128 and int(block.text.min()) > 0:
        return
    text = block.text.tobytes()
    if b"\0" in text:
        line = block.line + text.count(b"\n", 0, text.index(0))
        raise FormatError(f"{name}, line {line}: expected text, found a NUL byte: this is a binary file, or damaged.")
    try:
        text.decode()
    except UnicodeDecodeError as fault:
        line = block.line + text.count(b"\n", 0, fault.start)
        raise FormatError(
            f"{name}, line {line}: expected UTF-8 text, found byte 0x{text[fault.start]:02x}.\n"
            "Convert the file: iconv -f LATIN1 -t UTF-8"
        ) from None


def _cut_tags(block: Block) -> Block:
    """The same lines without the words that follow the tag, which trec_eval passes over, too."""
    lines = block.text.tobytes().removesuffix(b"\n").split(b"\n")
    cells = [line.split(None, _MOST_COLUMNS) for line in lines]
    short = [
        b" ".join(row[:_WIDTH]) if _WIDTH < len(row) <= _MOST_COLUMNS else line
        for row, line in zip(cells, lines, strict=True)
    ]
    return Block(make_block(b"\n".join(short) + b"\n"), block.line)


def _walk(block: Block) -> list[_Fault]:
    """What is wrong with these lines, one by one."""
    faults = []
    lines = block.text.tobytes().removesuffix(b"\n").split(b"\n")
    for number, line in enumerate(lines, start=block.line):
        cells = line.split(None, _MOST_COLUMNS)
        if len(cells) not in (0, _WIDTH):
            count = len(cells) if len(cells) <= _MOST_COLUMNS else f"more than {_MOST_COLUMNS}"
            words = f"expected {_WIDTH} columns ({', '.join(COLUMNS)}), found {count}: {shorten(line.strip())}."
            faults.append(_Fault(number, words, len(cells)))
        elif cells and not _NUMBER.fullmatch(cells[_SCORE]):
            faults.append(_Fault(number, f"expected a number as score, found {shorten(cells[_SCORE])}."))
    return faults
