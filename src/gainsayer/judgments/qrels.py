"""TREC qrels: topic, iteration, document and level on each line, separated by blanks.

Clean files (one and the same blank between the columns) are parsed as they are; for the others blanks are made
uniform first. When both fail, the lines are walked one by one, to name what is wrong and where. All three ways
give the same rows; labels that are all whole numbers come as integers, others as text.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from gainsayer.errors import FormatError
from gainsayer.judgments.source import Source
from gainsayer.lines.faults import Faults, shorten
from gainsayer.lines.opening import BYTE_ORDER_MARK
from gainsayer.tables.columns import is_header

SecondColumn: TypeAlias = Literal["iteration", "assessor", "intent"]

_BLANKS: Final = b" \t\r\f\v"
_TO_SPACES: Final = bytes.maketrans(_BLANKS, b" " * len(_BLANKS))
_MOST_COLUMNS: Final = 100
_LONGEST_HEADER: Final = 1000
_PIECE: Final = 1 << 18


def read_qrels(text: bytes, name: str, *, assessor: str, second_column: SecondColumn = "iteration") -> Source:
    r"""The rows of a TREC qrels file.

    Columns are separated by blanks, tabs or a mixture; lines end with LF or CRLF; blank lines are passed over. Only
    ASCII blanks separate. Column 2 is the iteration, which means nothing and is left out, unless `second_column`
    says that it holds the `assessor` (trec_eval's `qrels_jg`) or the `intent` (diversity qrels).

    Args:
        text: the content, UTF-8 without a byte-order mark (see `opening.as_text`).
        name: what messages call the file.
        assessor: who gave the levels; not used where column 2 says so.
        second_column: what column 2 holds.

    Raises:
        FormatError: a line does not have four columns; the first ten such lines are listed.

    >>> read_qrels(b"q1 0 d1 2\r\nq1\t0\td2\t0\n", "nist.qrels", assessor="nist").frame.rows()
    [('q1', 'd1', 2), ('q1', 'd2', 0)]
    """
    names = ["topic", second_column, "document", "label"]
    _refuse_header(text, name)
    lines = None
    table = _parse_clean(text, names)
    if table is None:
        uniform, lines = _make_uniform(text)
        table = _parse_clean(uniform, names)
    if table is None:
        table, lines = _walk(text, name, names)
    order = ("topic", "document", "assessor", "label", "intent")
    table = table.select([column for column in order if column in table.columns])
    sole = None if second_column == "assessor" else assessor
    if lines is not None and len(lines) == lines[-1] - lines[0] + 1:
        return Source(name, table, first_line=int(lines[0]), assessor=sole)
    return Source(name, table, lines=lines, assessor=sole)


def _parse_clean(text: bytes, names: list[str]) -> pl.DataFrame | None:
    """The table, if every line has four columns with one and the same single blank between them; else None."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    head = text[: text.find(b"\n") + 1] or text
    blank = b"\t" if b"\t" in head else b" "
    if any(other in text for other in (b" ", b"\t", b"\r", b"\f", b"\v") if other != blank):
        return None
    if text.startswith(BYTE_ORDER_MARK):  # which polars would drop
        return None
    if head.count(blank) != len(names) - 1:  # a first line of a million columns would take polars very long
        return None
    height, blanks = _count_lines(text)
    if blanks != height * (len(names) - 1):
        return None
    # The iteration means nothing and is not even read. Labels are nearly always whole numbers, which are read in half
    # the time; anything else is read as text.
    columns = {f"column_{place}": name for place, name in enumerate(names, start=1)}
    wanted = [column for column, name in columns.items() if name != "iteration"]
    for label in (pl.Int16, pl.String):
        try:
            table = pl.read_csv(
                text,
                separator=blank.decode(),
                has_header=False,
                quote_char=None,
                columns=wanted,
                schema=dict.fromkeys(columns, pl.String) | {"column_4": label},
            )
        except pl.exceptions.PolarsError:
            continue
        # A field that a short line lacks comes back as null; and if one line is longer, another is shorter.
        if table.height == height and not any(column.null_count() for column in table.iter_columns()):
            return table.rename({column: columns[column] for column in wanted})
    return None


def _count_lines(text: bytes) -> tuple[int, int]:
    """How many lines and single blanks between columns there are; -1 blanks where two stand side by side.

    Line ends count as blanks here: there is no empty line, and none that begins or ends with a blank. In pieces that
    stay in the processor's cache: new memory would cost more than the work.
    """
    symbols = np.frombuffer(text, np.uint8)
    ends, blanks, last = 0, 0, True
    for start in range(0, len(symbols), _PIECE):
        piece = symbols[start : start + _PIECE]
        blank = piece <= ord(" ")
        if (last and blank[0]) or bool((blank[1:] & blank[:-1]).any()):
            return 0, -1
        ends += int(np.count_nonzero(piece == ord("\n")))
        blanks += int(np.count_nonzero(blank))
        last = bool(blank[-1])
    return ends + (not text.endswith(b"\n")), blanks - ends


def _make_uniform(text: bytes) -> tuple[bytes, npt.NDArray[np.int64]]:
    """The lines with single spaces between the columns and none around them, without blank lines.

    Answers also the line number of each line that is left.
    """
    symbols = np.frombuffer(text.translate(_TO_SPACES) + b"\n", np.uint8)
    space, end = symbols == ord(" "), symbols == ord("\n")
    after_blank = np.concatenate(([True], (space | end)[:-1]))
    single = symbols[~(space & after_blank)].tobytes().replace(b" \n", b"\n")
    symbols = np.frombuffer(single, np.uint8)
    ends = np.flatnonzero(symbols == ord("\n"))
    filled = np.diff(ends, prepend=-1) > 1
    kept = np.ones(len(symbols), np.bool_)
    kept[ends[~filled]] = False
    return symbols[kept].tobytes(), np.flatnonzero(filled) + 1


def _walk(text: bytes, name: str, names: list[str]) -> tuple[pl.DataFrame, npt.NDArray[np.int64]]:
    """The same table line by line, or all that is wrong with it."""
    faults = Faults(name)
    most = 0
    lines = text.split(b"\n")
    for number, line in enumerate(lines, start=1):
        width = len(line.split(None, _MOST_COLUMNS))
        if width not in (0, len(names)):
            most = max(most, width)
            columns = ", ".join(["topic", names[1], "document", "level"])
            count = width if width <= _MOST_COLUMNS else f"more than {_MOST_COLUMNS}"
            faults.add(number, f"expected 4 columns ({columns}), found {count}: {shorten(line.strip())}.")
    faults.settle(_advise(most, text))
    rows = [[cell.decode() for cell in line.split()] for line in lines]
    table = pl.DataFrame([row for row in rows if row], dict.fromkeys(names, pl.String), orient="row")
    return table, np.flatnonzero([bool(row) for row in rows]) + 1


def _advise(columns: int, text: bytes) -> str:
    head = text[:_LONGEST_HEADER].split(b"\n")[0]
    if columns == 6:
        return "Six columns look like a run (topic, Q0, document, rank, score, tag), not like qrels."
    if b"," in head and len(head.split()) < 4:
        return "Is it a CSV file? Then it needs a header line: topic,document,assessor,level"
    if b"\r" in text and b"\n" not in text:
        return "The lines end with CR alone; let them end with LF: tr '\\r' '\\n'"
    if columns > 4:
        return "A qrels file has no names with blanks in them; a table with other columns needs a header line."
    return ""


def find_header(text: bytes) -> str:
    r"""The header of a qrels file, which should have none; empty if there is none.

    >>> find_header(b"topic iter docno rel\nq1 0 d1 2\n"), find_header(b"q1 0 d1 2\n")
    ('topic iter docno rel', '')
    """
    end = text.find(b"\n", 0, _LONGEST_HEADER)
    cells = [cell.decode(errors="replace") for cell in text[: max(end, 0)].split()]
    return " ".join(cells) if len(cells) == 4 and is_header(cells) else ""


def _refuse_header(text: bytes, name: str) -> None:
    if header := find_header(text):
        raise FormatError(
            f"{name}, line 1: expected judgments, found the header {shorten(header)}. "
            "TREC qrels have none: remove the line, or separate all columns by tabs or commas."
        )
