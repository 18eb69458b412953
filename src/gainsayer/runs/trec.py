"""TREC runs: topic, Q0, document, rank, score and tag on each line, separated by blanks.

A file is read in blocks of whole topics, so memory is set by the block and not by the file. Where a topic comes back
after another one, blocks of whole topics do not exist, and the file is read as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from gainsayer.errors import DataError, FormatError
from gainsayer.lines.blocks import cut_blocks
from gainsayer.lines.decimals import FloatArray
from gainsayer.lines.faults import Faults
from gainsayer.lines.fields import Block
from gainsayer.lines.names import Names
from gainsayer.lines.opening import BYTE_ORDER_MARK, Stream, as_text, may_be_text
from gainsayer.lines.rows import RUN, BlockRows, Fault, join_lines, read_rows
from gainsayer.lines.workers import work_in_turn
from gainsayer.runs.run import Run

_HEAD: Final = 1 << 12
_RANK: Final = 3
_TAG: Final = 5

Answer = TypeVar("Answer")


class InterleavedError(DataError):
    """A topic comes back after another one, so the run cannot be read topic by topic."""


def map_trec(
    work: Callable[[Run], Answer],
    stream: Stream,
    name: str,
    *,
    batch_bytes: int | None = None,
    ranks: bool = False,
) -> Iterator[Answer]:
    r"""What `work` makes of the rows of a TREC run, some whole topics at a time; several threads share the work.

    See `lines.rows.read_rows` for what separates columns and lines. The name of the run is the tag of its first line;
    later batches may have another.

    Args:
        work: a function without memory: batches come in any order, answers in the order of the file.
        stream: the bytes of the file; read to its end, not closed.
        name: what messages call the file.
        batch_bytes: how many bytes to read at a time, more where a topic has more; by default 1 to 3 MB.
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

    def parse(block: Block) -> tuple[list[bytes], Answer] | list[Fault]:
        rows = read_rows(block, RUN, name, more=_RANK if ranks else None)
        if isinstance(rows, list):
            return rows
        names = rows.topics.encoded()
        run = _make_run(rows, names, np.arange(len(names), dtype=np.int32), name)
        return names, work(run)

    blocks = cut_blocks(stream, name, width=RUN.width, batch_bytes=batch_bytes, whole_topics=True)
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

    def parse(block: Block) -> Run | list[Fault]:
        rows = read_rows(block, RUN, name, more=_RANK if ranks else None)
        if isinstance(rows, list):
            return rows
        first, code = rows.topics.distinct
        run = _make_run(rows, rows.topics.rows(first).encoded(), code, name)
        # What is not needed any more goes at once: the bytes of all other columns.
        return replace(run, document=run.document.compact())

    blocks = cut_blocks(stream, name, width=RUN.width, whole_topics=False)
    parts = list(_settle(work_in_turn(parse, _checked(blocks, name)), name))
    place: dict[str, int] = {}
    codes = [np.array([place.setdefault(topic, len(place)) for topic in part.topics], np.int32) for part in parts]
    ranked = [part.rank for part in parts if part.rank is not None]
    return replace(
        parts[0],
        topics=tuple(place),
        topic=np.concatenate([code[part.topic] for code, part in zip(codes, parts, strict=True)]),
        document=Names.join([part.document for part in parts]),
        score=np.concatenate([part.score for part in parts]),
        rank=np.concatenate(ranked) if ranked else None,
        line=join_lines([(part.line, len(part)) for part in parts]),
    )


def _make_run(rows: BlockRows[FloatArray], topics: list[bytes], code: npt.NDArray[np.int32], name: str) -> Run:
    """The rows of a block as a run; `code` is the place in `topics` of each of the block's topics."""
    return Run(
        name=_find_tag(rows),
        topics=tuple(text.decode() for text in topics),
        topic=np.repeat(code, rows.sizes),
        document=rows.document,
        score=rows.number,
        rank=rows.more,
        source=name,
        line=rows.line,
        unit="line",
    )


def _checked(blocks: Iterator[Block], name: str) -> Iterator[Block]:
    """The blocks, once the first that is not blank is known to be text."""
    content = b""
    blank = True
    for block in blocks:
        if blank and _is_plain(block):
            blank = False
        elif blank:
            content = block.text.tobytes()
            blank = content.isspace()
            if not blank:
                # One mark was left out already where the file begins.
                as_text(BYTE_ORDER_MARK + content if block.line == 1 else content, name)
        yield block
    if blank:
        found = "only blanks" if content else "no content"
        raise FormatError(f"{name} is empty: expected a run, found {found}.")


def _is_plain(block: Block) -> bool:
    """Whether it is ASCII text for sure, and not blank; told without a copy of it."""
    head = block.text[:_HEAD].tobytes()
    return may_be_text(head) and not head.isspace() and int(block.text.max()) < 128 and int(block.text.min()) > 0


def _settle(answers: Iterator[Answer | list[Fault]], name: str) -> Iterator[Answer]:
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


def _find_tag(rows: BlockRows[FloatArray]) -> str:
    """The tag of the first row, looking no further than needed."""
    start, size = int(rows.topics.start[0]), 1 << 10
    while b"\n" not in (line := rows.topics.buffer[start : start + size].tobytes()):
        size *= 4
    return line.split(None, RUN.width)[_TAG].decode()
