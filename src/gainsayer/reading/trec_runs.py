"""TREC runs: topic, Q0, document, rank, score and tag on each line, separated by blanks.

A file is read in blocks of whole topics, so memory is set by the block and not by the file. Where a topic comes back
after another one, blocks of whole topics do not exist, and the file is read as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from gainsayer.errors import DataError, FormatError
from gainsayer.reading.faults import Faults
from gainsayer.reading.files import BYTE_ORDER_MARK, Stream, as_text
from gainsayer.reading.run import Run
from gainsayer.reading.trec import RUN, Block, Fault, Rows, cut_blocks, join_rows, read_block
from gainsayer.reading.workers import work_in_turn

_HEAD: Final = 1 << 12
_RANK: Final = 3
_TAG: Final = 5

Answer = TypeVar("Answer")


class InterleavedError(DataError):
    """A topic comes back after another one, so the run cannot be read topic by topic."""


def map_trec(
    work: Callable[[Run], Answer], stream: Stream, name: str, *, size: int, ranks: bool = False
) -> Iterator[Answer]:
    r"""What `work` makes of the rows of a TREC run, some whole topics at a time; several threads share the work.

    `reading.trec.read_block` says what separates columns and lines. The name of the run is the tag of its first line;
    later batches may have another.

    Args:
        work: a function without memory: batches come in any order, answers in the order of the file.
        stream: the bytes of the file; read to its end, not closed.
        name: what messages call the file.
        size: how many bytes to read at a time, more where a topic has more.
        ranks: whether the rank column is wanted.

    Raises:
        FormatError: a line does not have six columns, or no number as score; the first ten such lines are listed.
        InterleavedError: a topic comes back after another one.

    >>> import io
    >>> text = b"q1 Q0 d1 1 2.5 bm25\r\nq1\tQ0\td2\t2\t2\tbm25\n"
    >>> [batch] = map_trec(lambda run: run, io.BytesIO(text), "a.run", size=1000)
    >>> batch.frame().rows(), batch.name
    ([('q1', 'd1', 2.5), ('q1', 'd2', 2.0)], 'bm25')
    """

    def parse(block: Block) -> tuple[list[str], Answer | None] | list[Fault]:
        rows = read_block(block, RUN, name, other=_RANK if ranks else None)
        if isinstance(rows, list):
            return rows
        twice = len(set(rows.topics)) < len(rows.topics)  # which is refused below
        return rows.topics, None if twice else work(_as_run([rows], _find_tag(block), name))

    seen: set[str] = set()
    for topics, answer in _settle(
        work_in_turn(parse, _checked(cut_blocks(stream, name, whole_topics=True, size=size), name)), name
    ):
        before = len(seen)
        seen.update(topics)
        if len(seen) < before + len(topics) or answer is None:
            raise InterleavedError(
                f"{name}: the rows of a topic do not stand together, so the run cannot be read in batches. "
                "Read it as a whole: read_run"
            )
        yield answer


def read_trec(stream: Stream, name: str, *, ranks: bool = False) -> Run:
    """The rows of a TREC run as a whole, in any order; see `map_trec`."""

    def parse(block: Block) -> tuple[Rows, str] | list[Fault]:
        rows = read_block(block, RUN, name, other=_RANK if ranks else None)
        if isinstance(rows, list):
            return rows
        # What is not needed any more goes at once: the bytes of all other columns.
        return replace(rows, document=rows.document.compact()), _find_tag(block)

    blocks = _checked(cut_blocks(stream, name, whole_topics=False), name)
    parts = list(_settle(work_in_turn(parse, blocks), name))
    return _as_run([rows for rows, _ in parts], parts[0][1], name)


def _as_run(parts: list[Rows], tag: str, name: str) -> Run:
    topics, topic, document, line = join_rows(parts)
    ranks = [part.other for part in parts if part.other is not None]
    return Run(
        name=tag,
        topics=topics,
        topic=topic,
        document=document,
        score=np.concatenate([part.number for part in parts]),
        rank=np.concatenate(ranks) if ranks else None,
        source=name,
        line=line,
        unit="line",
    )


def _find_tag(block: Block) -> str:
    """The tag of the first row, looking no further than needed."""
    start, end = 0, block.text.index(b"\n")
    while not (cells := block.text[start:end].split(None, len(RUN.columns))):  # a blank line
        start, end = end + 1, block.text.index(b"\n", end + 1)
    return cells[_TAG].decode()


def _checked(blocks: Iterator[Block], name: str) -> Iterator[Block]:
    """The blocks, once the first that is not blank is known to be text."""
    content = b""
    blank = True
    for block in blocks:
        if blank:
            content = block.lines()
            blank = not content[:_HEAD].strip() and content.isspace()
        if content and not blank:
            # One mark was left out already where the file begins.
            as_text(BYTE_ORDER_MARK + content if block.line == 1 else content, name)
            content = b""
        yield block
    if blank:
        found = "only blanks" if content else "no content"
        raise FormatError(f"{name} is empty: expected a run, found {found}.")


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
