"""The door: files, tables and mappings in, a `Run` (or the batches of one) out."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypeVar, cast

from gainsayer.errors import CallError
from gainsayer.reading.cells import ArrowTable, is_table, take_table
from gainsayer.reading.columns import RUNS
from gainsayer.reading.faults import shorten
from gainsayer.reading.files import STANDARD_INPUT, FilePath, Stream, call_file, open_stream
from gainsayer.reading.json_tools import read_hits
from gainsayer.reading.objects import name_object, own_name, take_object
from gainsayer.reading.run import Run, run_from_cells, run_from_frame, run_from_mapping
from gainsayer.reading.tables import TABLE_FORMATS, TableFormat, peek_head, read_table_file, strip_endings, tell_table
from gainsayer.reading.trec import BLOCK_BYTES
from gainsayer.reading.trec_runs import map_trec, read_trec

RunFormat: TypeAlias = Literal["trec", "csv", "tsv", "jsonl", "parquet"]
RUN_FORMATS: Final[tuple[RunFormat, ...]] = ("trec", *TABLE_FORMATS)
RunSource: TypeAlias = FilePath | ArrowTable | Mapping[str, Mapping[str, float]] | Iterable[object]
Answer = TypeVar("Answer")

_RUN_ENDINGS: Final = frozenset({".run", ".res", ".trec", ".treceval", ".tag"})


def read_run(
    source: RunSource, *, name: str | None = None, ranks: bool = False, format: RunFormat | None = None
) -> Run:
    """One system's run, as a whole.

    A source is a file (TREC run, CSV, TSV, JSON lines or Parquet, told apart by ending and content; gzip, bzip2 and
    zstd are read as they are; `-` is standard input), a table with columns `topic, document, score` (pandas, polars,
    pyarrow, duckdb, Hugging Face datasets), a mapping `{topic: {document: score}}`, whatever has `to_dict()`, as ranx'
    `Run`, or an iterable of named tuples, as ir_measures and ir_datasets give them. The rows stay as they came; a
    document that is there twice in a topic is found by `rank_levels`, where it would do harm.

    Args:
        source: one run.
        name: what to call it; by default its tag, or the file name without endings.
        ranks: whether to read the rank column, which only `ties='rank'` looks at.
        format: read a file as `trec`, `csv`, `tsv`, `jsonl` or `parquet`.

    Raises:
        CallError: a file is not there, or the source is no source.
        FormatError: it cannot be read; the first ten faults are listed with their places.

    >>> read_run({"q1": {"d1": 2.5, "d2": 2.0}}, name="bm25")
    Run('bm25', 2 documents for 1 topic)
    """
    if isinstance(source, str | os.PathLike):
        stream, found = _open(source, format)
        try:
            if found == "trec":
                run = read_trec(stream, call_file(source), ranks=ranks)
            else:
                run = _read_table_file(stream.read(), source, found)
        finally:
            stream.close()
        return run if name is None else run.called(name)
    kind, named = name_object(source), name or own_name(source) or "run"
    source = cast(RunSource, take_object(source))
    if isinstance(source, Mapping):
        run = run_from_mapping(source, "mapping", name=named)
    elif is_table(source):
        run = run_from_frame(take_table(source, kind, "a run"), kind, name=named)
    else:
        hint = " Call .collect() first." if type(source).__name__ == "LazyFrame" else ""
        raise CallError(
            "A run is read from a path, an Arrow table (pandas, polars, pyarrow, duckdb), a mapping "
            f"{{topic: {{document: score}}}} or named tuples, found {type(source).__name__}.{hint}"
        )
    return run if name is None else run.called(name)


def map_run(
    work: Callable[[Run], Answer],
    path: FilePath,
    *,
    size: int = BLOCK_BYTES,
    ranks: bool = False,
    format: RunFormat | None = None,
) -> Iterator[Answer]:
    """What `work` makes of a run, some whole topics at a time, in order; several threads share reading and work.

    So memory is set by the batch and not by the file. Files other than TREC runs come as one batch. The rows of a topic
    must stand together; where they do not, that is seen only when the topic comes back.

    Args:
        work: what to do with a batch.
        path: the file.
        size: how many bytes to read at a time, more where a topic has more.
        ranks: see `read_run`.
        format: see `read_run`.

    Raises:
        InterleavedError: a topic comes back after another one.
        FormatError: see `read_run`; batches before the fault were given already.
    """
    stream, found = _open(path, format)
    try:
        if found == "trec":
            yield from map_trec(work, stream, call_file(path), size=size, ranks=ranks)
        else:
            yield work(_read_table_file(stream.read(), path, found))
    finally:
        stream.close()


def find_runs(paths: Sequence[FilePath]) -> list[str]:
    """The files meant: folders give all files in them, patterns with `*`, `?` or `[` what they match; sorted.

    In folders hidden files are passed over, and those that tell about the runs: README, LICENSE, and what ends in .md.
    A file that is named twice is there once.

    Raises:
        CallError: a pattern or folder has no file.
    """
    found: dict[str, None] = {}
    for path in paths:
        text = os.fspath(path)
        if text != STANDARD_INPUT and os.path.isdir(text):  # a Path refuses names that are too long
            inside = sorted(str(file) for file in Path(text).iterdir() if file.is_file() and may_be_run(file.name))
            if not inside:
                raise CallError(f"There is no file in the folder {call_file(path)!r}: expected runs.")
            found.update(dict.fromkeys(inside))
        elif re.search(r"[*?\[]", text) and not os.path.exists(text):
            matched = sorted(file for file in glob.glob(text, recursive=True) if os.path.isfile(file))
            if not matched:
                raise CallError(f"No file matches {call_file(path)!r}.")
            found.update(dict.fromkeys(matched))
        else:
            found[text] = None
    if not found:
        raise CallError("No runs were given: name at least one file or folder.")
    return list(found)


def may_be_run(name: str) -> bool:
    """Whether a file of a folder may be a run, by its name.

    >>> [may_be_run(name) for name in ("bm25", "readme-ranker.run", "README", "ReadMe.txt", "notes.md", ".hidden")]
    [True, True, False, False, False, False]
    """
    return not re.fullmatch(r"\..*|(readme|licen[cs]e)(\..*)?|.*\.md", name, re.IGNORECASE)


def name_runs(tags: Sequence[str], paths: Sequence[FilePath]) -> tuple[str, ...]:
    """The name of each run: its tag; where runs share a tag, the file name without endings; else the path.

    >>> name_runs(["bm25", "run", "run"], ["a.run", "x/b.run.gz", "x/c.txt"])
    ('bm25', 'b', 'c')
    """
    names = list(tags)
    for choose in (name_run, call_file):
        shared = {name for name, count in Counter(names).items() if count > 1}
        names = [choose(path) if name in shared else name for name, path in zip(names, paths, strict=True)]
    return tuple(names)


def name_run(path: FilePath) -> str:
    """The name of a file without folders and the usual endings.

    >>> name_run("runs/input.bm25.run.gz"), name_run("-")
    ('input.bm25', 'stdin')
    """
    return strip_endings(path, _RUN_ENDINGS)


def _open(path: FilePath, format: RunFormat | None) -> tuple[Stream, RunFormat]:
    """The opened file, at its beginning, and its format."""
    if format is not None and format not in RUN_FORMATS:
        raise CallError(f"The format of a run may be {', '.join(RUN_FORMATS)}, found {shorten(str(format))}.")
    stream = open_stream(path)
    return stream, format or tell_table(path, peek_head(stream), RUNS) or "trec"


def _read_table_file(content: bytes, path: FilePath, format: TableFormat) -> Run:
    source = call_file(path)
    hits = None
    if format == "jsonl":
        hits = read_hits(content, source)
    if hits is not None:
        return run_from_cells(hits, source, name=name_run(path))
    return run_from_cells(read_table_file(content, source, format, RUNS), source, name=name_run(path))
