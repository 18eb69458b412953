"""The door: files, tables and mappings in, `Judgments` out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from gainsayer.errors import CallError, FormatError
from gainsayer.findings import Finding
from gainsayer.judgments.labels import REPEATS, AnySource, Repeats
from gainsayer.judgments.qrels import SecondColumn, read_qrels
from gainsayer.judgments.table import Judgments, collect_judgments
from gainsayer.judgments.tables import is_one_assessor, read_judged_file, read_mapping, read_table
from gainsayer.levels import Levels
from gainsayer.lines.faults import shorten
from gainsayer.lines.forking import refuse_fork
from gainsayer.lines.opening import BYTE_ORDER_MARK, STANDARD_INPUT, FilePath, call_file, open_stream, peek, show_name
from gainsayer.tables.cells import ArrowTable, name_table
from gainsayer.tables.files import HEAD_BYTES, TABLE_FORMATS, strip_endings, tell_content, tell_table

Unnamed: TypeAlias = FilePath | ArrowTable | Mapping[str, object]
JudgmentSource: TypeAlias = Unnamed | tuple[str, Unnamed]
Format: TypeAlias = Literal["qrels", "csv", "tsv", "jsonl", "parquet"]
FORMATS: Final[tuple[Format, ...]] = ("qrels", *TABLE_FORMATS)
_LONGEST_LINE: Final = 4096


def read_judgments(
    *sources: JudgmentSource,
    levels: Levels | None = None,
    merges: Mapping[str, str] | None = None,
    missing: Iterable[str] = (),
    repeats: Repeats = "error",
    by_assessor: bool = False,
    diversity: bool = False,
    format: Format | None = None,
    raters: Sequence[str] = (),
    maps: Mapping[str, Mapping[str, str]] | None = None,
) -> Judgments:
    """Judgments from files and tables of any kind, checked once and for all.

    A source is

    - a file: TREC qrels, CSV, TSV, JSON lines or Parquet, told apart by ending and content; gzip, bzip2 and zstd are
      read as they are; `-` is standard input;
    - a table with columns `topic, document, assessor, level`: pandas, polars, pyarrow, duckdb;
    - a mapping `{assessor: {topic: {document: level}}}`, or `{topic: {document: level}}` of one assessor;
    - a pair `(name, source)`, which names the assessor of a source that does not.

    A qrels file, or a table without an assessor column, is one assessor, named by its file name without endings; one
    in memory is called "labels", or "labels 1", "labels 2" among several.
    Sources with the same assessor name are taken as one assessor, and a finding says so.

    Args:
        *sources: at least one source; assessors are numbered in the order given.
        levels: the levels from low to high; without them, the whole numbers found, in order.
        merges: labels that mean another level, such as `{"Nav": "Key"}`; added to those of `levels`.
        missing: labels that mean *not judged*; added to those of `levels`.
        repeats: what to do when an assessor gave a document different levels: `error`, or keep the `first`, the
            `last`, the `majority` (of equally frequent ones the lowest) or `all`; or take the k-th judgment of a
            document `as-assessors`, as the k-th opinion, where nothing says who gave it.
        by_assessor: column 2 of the qrels files is the assessor.
        diversity: column 2 of the qrels files is the intent.
        format: read every file as `qrels`, `csv`, `tsv`, `jsonl` or `parquet`.
        raters: columns of levels, one per rater, where tables are wide; each rater is an assessor, an empty cell no
            judgment.
        maps: labels of one assessor or file in the words of the others, such as `{"ann": {"1": "0", "2": "1"}}`; before
            anything else is made of them.

    Raises:
        CallError: a file is not there, a source is no source, or options do not fit.
        FormatError: a file or table cannot be read; the first ten faults are listed with their places.
        RepeatError: one assessor gave one document different levels, and `repeats` is `error`.

    >>> read_judgments({"U1": {"q1": {"d1": 2, "d2": 0}}, "U2": {"q1": {"d1": 1, "d2": 0}}})
    Judgments(4 judgments of 2 documents, 1 topics, assessors U1, U2, levels 0, 1, 2)
    """
    missing = (missing,) if isinstance(missing, str) else tuple(missing)
    _check_call(sources, repeats, by_assessor, diversity, format)
    second: SecondColumn = "assessor" if by_assessor else "intent" if diversity else "iteration"
    raters = (raters,) if isinstance(raters, str) else tuple(raters)
    readings = [
        _read(source, place, f"labels {place}" if len(sources) > 1 else "labels", second, format, raters)
        for place, source in enumerate(sources, start=1)
    ]
    if second != "iteration" and not any(reading.format == "qrels" for reading in readings):
        option = "by_assessor=True" if by_assessor else "diversity=True"
        raise CallError(
            f"{option} says what column 2 of a qrels file is, but none was given. Other tables have a column for it."
        )
    if levels is not None:
        merges = {**levels.merges, **(merges or {})}
        levels = replace(levels, merges=merges, missing=levels.missing | set(missing))
    judgments = collect_judgments(
        [reading.source for reading in readings],
        levels=levels,
        merges=merges,
        missing=missing,
        repeats=repeats,
        maps=maps,
        roles=True if all(reading.in_order for reading in readings) else None,
    )
    return replace(judgments, findings=(*_same_assessors(readings), *judgments.findings))


def split_name(argument: str) -> str | tuple[str, str]:
    """A source as typed on the command line: `FILE`, or `NAME=FILE` unless there is a file of just that name.

    Raises:
        CallError: there is a name, but no file.

    >>> split_name("U1=first.qrels"), split_name("nist.qrels")
    (('U1', 'first.qrels'), 'nist.qrels')
    """
    name, sign, path = argument.partition("=")
    if not sign or not name or os.sep in name or os.path.exists(argument):  # noqa: PTH110  # a Path refuses long names
        return argument
    if not path:
        raise CallError(f"{argument!r} names an assessor but no file: expected NAME=FILE.")
    return name, path


@dataclass(frozen=True)
class _Reading:
    """A source as read, its format (None for tables), and the assessor it stands for as a whole, if it does.

    `in_order` says that its assessors were named one by one: a mapping's are, the rows of a table name nobody first.
    """

    source: AnySource
    format: Format | None
    assessor: str | None
    in_order: bool = False


def _check_call(
    sources: Sequence[object], repeats: str, by_assessor: bool, diversity: bool, format: str | None
) -> None:
    if not sources:
        raise CallError("No judgments were given: name at least one file or table.")
    bare = [source[-1] if isinstance(source, tuple) and source else source for source in sources]
    if sum(isinstance(source, str) and source == STANDARD_INPUT for source in bare) > 1:
        raise CallError("'-' was given several times, but standard input can be read only once.")
    if repeats not in REPEATS:
        raise CallError(f"Repeats may be {', '.join(REPEATS)}, found {repeats!r}.")
    if format is not None and format not in FORMATS:
        raise CallError(f"The format may be {', '.join(FORMATS)}, found {format!r}.")
    if by_assessor and diversity:
        raise CallError("Column 2 cannot be both the assessor (by_assessor=True) and the intent (diversity=True).")


def _read(
    source: object, place: int, unnamed: str, second: SecondColumn, format: Format | None, raters: tuple[str, ...]
) -> _Reading:
    given: str | None = None
    if isinstance(source, tuple):
        given, source = _unpack(source)
    found: Format | None = None
    read: AnySource
    if isinstance(source, str | os.PathLike):
        found, read = _read_file(source, given or strip_endings(source), format, second, raters)
        if raters and found == "qrels":
            raise CallError(
                f"{call_file(source)} is a qrels file, which has one column of levels. Raters' columns are those of a "
                "table with a header."
            )
    elif isinstance(source, Mapping):
        refuse_fork()
        if given is not None or is_one_assessor(source):
            read = read_mapping({given or unnamed: source}, f"mapping {place}")
        else:
            read = read_mapping(source, f"mapping {place}")
    elif hasattr(source, "__arrow_c_stream__"):
        read = read_table(source, f"table {place} ({name_table(source)})", assessor=given or unnamed, raters=raters)
    else:
        raise _no_source(source)
    assessor = given or (strip_endings(source) if isinstance(source, str | os.PathLike) else None)
    alone = read.assessor is not None or (assessor is not None and bool(read.assessors.eq(assessor).all()))
    if given is not None and not alone:
        others = read.assessors.unique(maintain_order=True).head(5).to_list()
        raise CallError(
            f"{read.name} names its assessors itself ({', '.join(others)}), so it cannot be called {given!r}. "
            "Give it without a name."
        )
    return _Reading(read, found, assessor if alone else None, alone or isinstance(source, Mapping))


def _read_file(
    path: FilePath, assessor: str, format: Format | None, second: SecondColumn, raters: tuple[str, ...]
) -> tuple[Format, AnySource]:
    """The format of a file, and what it holds."""
    name = call_file(path)
    stream = open_stream(path)
    head = peek(stream, HEAD_BYTES)
    found = format or tell_table(path, head) or "qrels"
    try:
        if found == "qrels":
            return found, read_qrels(stream, name, assessor=assessor, second_column=second)
        refuse_fork()
        return found, read_judged_file(stream.read(), name, found, assessor=assessor, raters=raters)
    except FormatError as error:
        likely = _tell_likely(head) if format is None else None
        if likely in (None, found):
            raise
        raise FormatError(
            f"{error}\nThe ending of {name} says {found}, but its content looks like {likely}. Rename it, or say what "
            f"it is: format='{likely}'"
        ) from None
    finally:
        stream.close()


def _tell_likely(head: bytes) -> Format | None:
    """The format that the first bytes of a file show, whatever its ending; None where they show none."""
    cells = head.removeprefix(BYTE_ORDER_MARK)[:_LONGEST_LINE].lstrip().split(b"\n", 1)[0].split()
    qrels: Format | None = "qrels" if len(cells) == 4 and re.fullmatch(rb"[+-]?\d+", cells[3]) else None
    return tell_content(head) or qrels


def _unpack(pair: tuple[object, ...]) -> tuple[str, object]:
    if len(pair) != 2 or not isinstance(pair[0], str):
        raise CallError(
            f"A tuple names the assessor of a source: expected (name, source), found {shorten(repr(pair))}."
        )
    name = show_name(pair[0].strip())
    if not name:
        raise CallError(f"An assessor needs a name, found an empty one for {shorten(repr(pair[1]))}.")
    return name, pair[1]


def _no_source(found: object) -> CallError:
    hint = " Call .collect() first." if type(found).__name__ == "LazyFrame" else ""
    return CallError(
        "Judgments are read from a path, an Arrow table (pandas, polars, pyarrow, duckdb) or a mapping "
        f"{{assessor: {{topic: {{document: level}}}}}}, found {type(found).__name__}.{hint}"
    )


def _same_assessors(readings: Sequence[_Reading]) -> list[Finding]:
    """A finding for each assessor that several sources have, where a file name or a given name made it so."""
    owners: dict[str, list[str]] = {}
    for reading in readings:
        everyone = [reading.assessor] if reading.assessor else reading.source.assessors.unique().to_list()
        for assessor in everyone:
            owners.setdefault(assessor, []).append(reading.source.name)
    wholes = dict.fromkeys(reading.assessor for reading in readings if reading.assessor)
    return [
        Finding(
            "same-assessor",
            f"{' and '.join(owners[assessor])} are taken as judgments of one assessor, {assessor!r}, and never pair "
            "with each other. If they come from different assessors, name each: NAME=FILE, or (name, source).",
        )
        for assessor in wholes
        if len(owners[assessor]) > 1
    ]
