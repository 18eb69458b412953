"""The door: files, tables and mappings in, `Judgments` out."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from gainsayer.errors import CallError, FormatError
from gainsayer.findings import Finding
from gainsayer.levels import Levels, canonical_label
from gainsayer.reading.cells import ArrowTable, is_table
from gainsayer.reading.faults import shorten
from gainsayer.reading.files import BYTE_ORDER_MARK, STANDARD_INPUT, FilePath, call_file, open_stream, show_name
from gainsayer.reading.judged_tables import (
    is_one_assessor,
    read_judged_file,
    read_judged_folder,
    read_mapping,
    read_table,
)
from gainsayer.reading.judgments import Judgments, collect_judgments
from gainsayer.reading.labels import REPEATS, Repeats
from gainsayer.reading.objects import is_named_tuples, name_object, own_name, take_object
from gainsayer.reading.qrels import SecondColumn, read_qrels
from gainsayer.reading.source import Source
from gainsayer.reading.tables import TABLE_FORMATS, peek_head, strip_endings, tell_content, tell_table
from gainsayer.text import option

Unnamed: TypeAlias = FilePath | ArrowTable | Mapping[str, object] | Iterable[object]
JudgmentSource: TypeAlias = Unnamed | tuple[str, Unnamed]
FileSource: TypeAlias = FilePath | tuple[str, FilePath]
"""A file of judgments, or one with the name of its assessor."""
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
      read as they are; `-` is standard input; or a folder of Parquet files, which are one table;
    - a table with columns `topic, document, assessor, level`: pandas, polars, pyarrow, duckdb, Hugging Face datasets;
    - a mapping `{assessor: {topic: {document: level}}}`, or `{topic: {document: level}}` of one assessor;
    - whatever has `to_dict()`, as ranx' `Qrels`, or gives named tuples, as ir_measures and ir_datasets do;
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
            judgment. Where nobody names them, a table without a level column is wide, and every column of whole numbers
            or named levels and nothing else is a rater's, unless its title means something else; a finding says which.
        maps: labels of one assessor or file in the words of the others, such as `{"ann": {"1": "0", "2": "1"}}`; before
            anything else is made of them.

    Raises:
        CallError: a file is not there, a source is no source, or options do not fit.
        FormatError: a file or table cannot be read; the first ten faults are listed with their places.
        RepeatError: one assessor gave one document different levels, and `repeats` is `error`.

    >>> read_judgments({"U1": {"q1": {"d1": 2, "d2": 0}}, "U2": {"q1": {"d1": 1, "d2": 0}}})
    Judgments(4 judgments of 2 documents, 1 topics, assessors U1, U2, levels 0, 1, 2)
    """
    return Meaning(
        levels=levels,
        merges=merges or {},
        missing=(missing,) if isinstance(missing, str) else tuple(missing),
        maps=maps or {},
        repeats=repeats,
        raters=(raters,) if isinstance(raters, str) else tuple(raters),
        by_assessor=by_assessor,
        diversity=diversity,
        format=format,
    ).read(sources)


@dataclass(frozen=True)
class Meaning:
    """What columns and labels of judgments mean; see `read_judgments` for each."""

    levels: Levels | None = None
    merges: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    maps: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    repeats: Repeats = "error"
    raters: tuple[str, ...] = ()
    by_assessor: bool = False
    diversity: bool = False
    format: Format | None = None

    def __post_init__(self) -> None:
        if self.repeats not in REPEATS:
            raise CallError(f"Repeats may be {', '.join(REPEATS)}, found {self.repeats!r}.")

    def read(self, sources: Sequence[JudgmentSource], *, levels: Levels | None = None) -> Judgments:
        """The judgments in these sources; with `levels` where none are named here."""
        named = levels if self.levels is None else self.levels
        known = [*self.missing, *self.merges, *(label for table in self.maps.values() for label in table)]
        if named is not None:
            known += [*named.names, *(named.codes or ()), *named.missing, *named.merges]
        return self.collect(self.open(sources, labels=set(map(canonical_label, known))), levels=levels)

    def open(self, sources: Sequence[JudgmentSource], *, labels: Collection[str] = ()) -> list[ReadSource]:
        """The rows of each source, labels still as they were written; `labels` are known levels, see `see_raters`."""
        _check_call(sources, self.by_assessor, self.diversity, self.format)
        second: SecondColumn = "assessor" if self.by_assessor else "intent" if self.diversity else "iteration"
        return [
            _read(
                source,
                place,
                f"labels {place}" if len(sources) > 1 else "labels",
                second,
                self.format,
                self.raters,
                labels,
            )
            for place, source in enumerate(sources, start=1)
        ]

    def collect(self, readings: Sequence[ReadSource], *, levels: Levels | None = None) -> Judgments:
        """The judgments of these rows; with `levels` where none are named here."""
        if (self.by_assessor or self.diversity) and not any(reading.format == "qrels" for reading in readings):
            given = option("by_assessor" if self.by_assessor else "diversity", True)
            raise CallError(
                f"{given} says what column 2 of a qrels file is, but none was given. Other tables have a column for it."
            )
        named = levels if self.levels is None else self.levels
        if named is not None:
            merges = {**named.merges, **self.merges}
            named = replace(named, merges=merges, missing=named.missing | set(self.missing))
        judgments = collect_judgments(
            [reading.source for reading in readings],
            levels=named,
            merges=self.merges,
            missing=self.missing,
            repeats=self.repeats,
            maps=self.maps,
            roles=True if all(reading.in_order for reading in readings) else None,
        )
        owners = [(reading.source.name, reading.assessor, reading.people()) for reading in readings]
        return replace(judgments, findings=(*notice_same_assessors(owners), *judgments.findings))


def split_name(argument: str) -> str | tuple[str, str]:
    """A source as typed on the command line: `FILE`, or `NAME=FILE` unless there is a file of just that name.

    Raises:
        CallError: there is a name, but no file.

    >>> split_name("U1=first.qrels"), split_name("nist.qrels")
    (('U1', 'first.qrels'), 'nist.qrels')
    """
    name, sign, path = argument.partition("=")
    if not sign or not name or os.sep in name or os.path.exists(argument):  # a Path refuses long names
        return argument
    if not path:
        raise CallError(f"{argument!r} names an assessor but no file: expected NAME=FILE.")
    return name, path


@dataclass(frozen=True)
class ReadSource:
    """A source as read, its format (None for tables), and the assessor it stands for as a whole, if it does.

    `in_order` says that its assessors were named one by one: a mapping's are, the rows of a table name nobody first.
    """

    source: Source
    format: Format | None
    assessor: str | None
    in_order: bool = False

    def people(self) -> list[str]:
        """Who gave its levels."""
        return [self.assessor] if self.assessor else self.source.people()


def _check_call(sources: Sequence[object], by_assessor: bool, diversity: bool, format: str | None) -> None:
    if not sources:
        raise CallError("No judgments were given: name at least one file or table.")
    bare = [source[-1] if isinstance(source, tuple) and source else source for source in sources]
    if sum(isinstance(source, str) and source == STANDARD_INPUT for source in bare) > 1:
        raise CallError("'-' was given several times, but standard input can be read only once.")
    if format is not None and format not in FORMATS:
        raise CallError(f"The format may be {', '.join(FORMATS)}, found {format!r}.")
    if by_assessor and diversity:
        raise CallError(
            f"Column 2 cannot be both the assessor ({option('by_assessor', True)}) and the intent "
            f"({option('diversity', True)})."
        )


def _read(
    source: object,
    place: int,
    unnamed: str,
    second: SecondColumn,
    format: Format | None,
    raters: tuple[str, ...],
    labels: Collection[str],
) -> ReadSource:
    given: str | None = None
    if isinstance(source, tuple) and not is_named_tuples(source):
        given, source = _unpack(source)
    found: Format | None = None
    read: Source
    if isinstance(source, str | os.PathLike):
        found, read = _read_file(source, given or strip_endings(source), format, second, raters, labels)
        if raters and found == "qrels":
            raise CallError(
                f"{call_file(source)} is a qrels file, which has one column of levels. Raters' columns are those of a "
                "table with a header."
            )
        return settle_names(read, found, given, strip_endings(source))
    kind, unnamed = name_object(source), own_name(source) or unnamed
    source = take_object(source)
    if isinstance(source, Mapping):
        if given is not None or is_one_assessor(source):
            read = read_mapping({given or unnamed: source}, f"mapping {place}")
        else:
            read = read_mapping(source, f"mapping {place}")
    elif is_table(source):
        read = read_table(source, f"table {place} ({kind})", assessor=given or unnamed, raters=raters, labels=labels)
    else:
        raise _no_source(source)
    return settle_names(read, found, given, None, named=isinstance(source, Mapping))


def settle_names(
    read: Source, found: Format | None, given: str | None, file: str | None, *, named: bool = False
) -> ReadSource:
    """A source as read, once its name fits who is in it; `named` says that its assessors came one by one."""
    assessor = given or file
    alone = read.assessor is not None or (assessor is not None and bool(read.assessors.eq(assessor).all()))
    if given is not None and not alone:
        others = read.assessors.unique(maintain_order=True).head(5).to_list()
        raise CallError(
            f"{read.name} names its assessors itself ({', '.join(others)}), so it cannot be called {given!r}. "
            "Give it without a name."
        )
    return ReadSource(read, found, assessor if alone else None, alone or named)


def _read_file(
    path: FilePath,
    assessor: str,
    format: Format | None,
    second: SecondColumn,
    raters: tuple[str, ...],
    labels: Collection[str],
) -> tuple[Format, Source]:
    """The format of a file, and what it holds."""
    name = call_file(path)
    folder = read_judged_folder(path, name, assessor=assessor, raters=raters, labels=labels)
    if folder is not None:
        return "parquet", folder
    stream = open_stream(path)
    head = peek_head(stream)
    found = format or tell_table(path, head) or "qrels"
    try:
        if found == "qrels":
            return found, read_qrels(stream, name, assessor=assessor, second_column=second)
        return found, read_judged_file(stream.read(), name, found, assessor=assessor, raters=raters, labels=labels)
    except FormatError as error:
        likely = _tell_likely(head) if format is None else None
        if likely in (None, found):
            raise
        raise FormatError(
            f"{error}\nThe ending of {name} says {found}, but its content looks like {likely}. Rename it, or say what "
            f"it is: {option('format', likely)}"
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
        "Judgments are read from a path, an Arrow table (pandas, polars, pyarrow, duckdb), a mapping "
        f"{{assessor: {{topic: {{document: level}}}}}} or named tuples, found {type(found).__name__}.{hint}"
    )


def notice_same_assessors(sources: Sequence[tuple[str, str | None, Iterable[str]]]) -> list[Finding]:
    """A finding for each assessor that several sources have, where a file name or a given name made it so.

    Args:
        sources: what messages call each, the assessor it stands for as a whole, if it does, and all assessors in it.
    """
    owners: dict[str, list[str]] = {}
    for name, _, people in sources:
        for assessor in people:
            owners.setdefault(assessor, []).append(name)
    wholes = dict.fromkeys(assessor for _, assessor, _ in sources if assessor)
    return [
        Finding(
            "same-assessor",
            f"{' and '.join(owners[assessor])} are taken as judgments of one assessor, {assessor!r}, and never pair "
            "with each other. If they come from different assessors, name each: NAME=FILE, or (name, source).",
        )
        for assessor in wholes
        if len(owners[assessor]) > 1
    ]
