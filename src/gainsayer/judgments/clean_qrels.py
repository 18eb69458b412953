"""Clean qrels files, read as bytes: names stay where they were read, and nothing becomes text before it is needed.

Clean is a file that is not compressed, holds UTF-8 text with one and the same single blank between four columns, and
whole numbers as levels. All other files are left to `qrels`, which also says what is wrong with them.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.judgments.coding import Runs
from gainsayer.judgments.qrels import find_header
from gainsayer.judgments.source import CleanSource
from gainsayer.lines.blocks import load_blocks
from gainsayer.lines.decimals import PAD, parse_whole
from gainsayer.lines.fields import split_even, split_single
from gainsayer.lines.names import WORD, Names, Places, Symbols
from gainsayer.lines.opening import STANDARD_INPUT, FilePath, call_file, is_plain
from gainsayer.tables.files import tell_table

_HEAD: Final = 1 << 16
_FEW: Final = 100
_WIDTH: Final = 4
_DOCUMENT: Final = 2


def read_clean_qrels(path: FilePath, *, assessor: str, format: str | None = None) -> CleanSource | None:
    """The rows of a clean qrels file whose second column means nothing; None for every other file.

    The same rows as `qrels.read_qrels` would give, several times faster.

    Args:
        path: any path; where there is no file, None.
        assessor: who gave the levels.
        format: the format the file is said to have.
    """
    if format not in (None, "qrels"):
        return None
    head = _peek(path)
    if not is_plain(head) or b"\n" not in head or find_header(head):
        return None
    if format is None and tell_table(path, head) is not None:
        return None
    parts: list[_Part] = []
    try:
        for symbols, lines in load_blocks(path):
            part = _parse(symbols, lines)
            if part is None:
                return None
            parts.append(part)
    except OSError:
        return None
    if not parts:
        return None
    document = Names(
        parts[0].symbols,
        np.concatenate([part.start for part in parts]),
        np.concatenate([part.length for part in parts]),
    )
    label = np.concatenate([part.label for part in parts])
    return CleanSource(call_file(path), Runs.join([part.topic for part in parts]), document, label, assessor)


@dataclass(frozen=True, eq=False)
class _Part:
    """The columns of one block."""

    symbols: Symbols
    topic: Runs
    start: Places
    length: Places
    label: npt.NDArray[np.int16]


def _parse(symbols: Symbols, lines: slice) -> _Part | None:
    if int(symbols[lines].max()) > 127:
        try:
            symbols[lines].tobytes().decode()
        except UnicodeDecodeError:
            return None
    padded = symbols[lines.start - PAD : lines.stop + WORD]
    columns = split_even(padded, _WIDTH, free=_DOCUMENT) or split_single(padded, _WIDTH, range(_WIDTH))
    if columns is None:
        return None
    topic, _, document, label = columns
    number = parse_whole(label)
    if number is None:
        return None
    # Half the memory, where it serves: fresh memory costs more than the work done in it.
    kind = np.int32 if len(symbols) <= np.iinfo(np.int32).max else np.int64
    start = (document.start + (lines.start - PAD)).astype(kind)
    return _Part(symbols, _find_runs(topic), start, document.length.astype(kind), number)


def _find_runs(topic: Names) -> Runs:
    """The topics as they follow one another."""
    heads = np.flatnonzero(topic.changes)
    names, lengths = topic.rows(heads), np.diff(heads, append=len(topic))
    if len(heads) <= _FEW:
        return Runs(names.texts(), np.arange(len(heads)), lengths)
    first, code = names.distinct  # topics come back
    return Runs(names.rows(first).texts(), code, lengths)


def _peek(path: FilePath) -> bytes:
    """The first bytes of a regular file; none of anything else, which may be readable only once."""
    try:
        if path == STANDARD_INPUT or not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116  # not every name is a Path
            return b""
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            return file.read(_HEAD)
    except (OSError, ValueError):
        return b""
