"""The `spark` engine: rows are read, and topics worked on, by the workers of a cluster. Only this file knows pyspark.

    files or tables ──Spark──▶ lines, cells ──our readers──▶ rows ──cogroup by bucket──▶ waists ──▶ driver, joined

Spark brings the ways to HDFS, S3, Delta and Hive, the shuffle, repeated attempts and the machines. A *bucket* is some
whole topics. An error of ours travels back as a row; where the driver can open the file itself, the ordinary reader
tells what is wrong, with the number of the line.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from gainsayer import errors
from gainsayer.engines.waist import (
    JUDGED,
    RANKED,
    TABLES,
    Origin,
    Rows,
    RunError,
    Waist,
    as_runs,
    as_sources,
    join_waists,
    make_waist,
    pack,
    parse_judgments,
    parse_run,
    unpack,
)
from gainsayer.errors import MOST_FAULTS, CallError, DataError, FormatError, GainsayerError
from gainsayer.levels import Levels
from gainsayer.ranking.matching import Ties, find_documents
from gainsayer.ranking.pool import DocumentPool, pool_documents
from gainsayer.ranking.ranked import RankedDocuments
from gainsayer.reading.cells import name_table
from gainsayer.reading.columns import JUDGMENTS, RUNS, Schema, find_columns, list_titles, tell_columns
from gainsayer.reading.faults import shorten
from gainsayer.reading.files import BYTE_ORDER_MARK, FilePath, open_stream
from gainsayer.reading.judgment_sources import FileSource, Format, Meaning, settle_names
from gainsayer.reading.judgments import Judgments
from gainsayer.reading.names import Names
from gainsayer.reading.runs import find_runs, may_be_run, name_run
from gainsayer.reading.tables import (
    is_data,
    peek_head,
    refuse_log,
    split_header,
    strip_endings,
    tell_separator,
    tell_table,
)
from gainsayer.text import is_on_command_line, on_command_line, option

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

Parse: TypeAlias = "Callable[[Rows, Origin], pl.DataFrame]"
MOST_ROWS: Final = 2_000_000
"""How many rows of one topic a worker takes: each costs it some 300 bytes."""
_BUCKET_BYTES: Final = 1 << 26
_MOST_BUCKETS: Final = 1 << 14
_TYPES: Final = {pl.Int32: "int", pl.Int64: "bigint", pl.String: "string", pl.Float64: "double", pl.Binary: "binary"}
_IN_ARROW: Final = {"int": "int32", "bigint": "int64"}
"""Spark's names of types; of those that Arrow calls otherwise, its names."""
_ANSWER: Final = pl.Schema({**dict.fromkeys(TABLES, pl.Binary), "error": pl.String})
FILE: Final = "gainsayer file"
START: Final = "gainsayer start"
LINE: Final = "gainsayer line"
"""Columns that Spark adds: the address of the file, where the split begins in it, and a line."""
_PACKED: Final = (".gz", ".bz2", ".zst", ".parquet")
LOCAL: Final = "file"
"""The scheme of files that this machine's own readers find."""
INSTALL: Final = "pip install 'gainsayer[spark]'"
_ATTEMPTS: Final = 3
_SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
_NOTHING: Final = DocumentPool((), np.zeros(1, np.int64), Names.of([]))
_LOGGING: Final = Path(__file__).resolve().with_name("log4j2.properties")


@dataclass(frozen=True, eq=False)
class Job:
    """What is to be read, what it means, and how far the runs are of interest.

    Args:
        judgments: files, folders and data frames of Spark, or pairs of an assessor's name and one of these.
        runs: likewise, without names.
        meaning: what columns and labels of judgments mean.
        levels: the levels where `meaning` names none.
        ties: how lists are ordered.
        depth: the deepest rank that any measure looks at; None for all.
        master: where Spark is.
        progress: called with what is being done, and the share that is done.
    """

    judgments: tuple[FileSource, ...]
    runs: tuple[FilePath, ...] = ()
    meaning: Meaning = field(default_factory=Meaning)
    levels: Levels | None = None
    ties: Ties = "trec"
    depth: int | None = None
    master: str | None = None
    progress: Callable[[str, float], None] | None = None


class Fault(NamedTuple):
    """What is wrong with a source of runs or judgments, by its place: the kind of the error, and its words."""

    of_runs: bool
    source: int
    kind: str
    words: str

    @classmethod
    def of(cls, error: GainsayerError, source: int, *, of_runs: bool) -> Fault:
        """An error as what can travel; of a reader's own kind, as the one that users know."""
        kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == errors.__name__)
        return cls(of_runs, source, kind, str(error))


@dataclass(frozen=True, eq=False)
class Sources:
    """Judgments or runs on Spark, not read yet.

    Args:
        origins: the sources.
        files: the address by which rows name a file to its place among all files and that of its source.
        frames: the rows: lines (file, start, line), or those of a table (file, start, its known columns).
        bytes: about how many bytes there are.
    """

    origins: tuple[Origin, ...]
    files: Mapping[str, tuple[int, int]]
    frames: tuple[DataFrame, ...]
    bytes: int


def gather(job: Job) -> tuple[Judgments, tuple[RankedDocuments, ...]]:
    """The judgments, and the runs matched with them, from Spark's workers: the `spark` engine.

    Raises:
        CallError: pyspark or Java is not installed, a file is not there, or Spark does not serve what was asked for.
        GainsayerError: something is wrong with the data, in the words of its reader.
    """
    report = job.progress or (lambda _what, _share: None)
    report("Starting Spark", 0.0)
    spark = open_session(job.master)
    judged, ranked = find_sources(spark, job, JUDGMENTS), find_sources(spark, job, RUNS)
    report("Working through the topics on Spark", 0.1)
    waist = gather_waist(spark, job, judged, ranked)

    readings = []
    for given, origin, source in zip(job.judgments, judged.origins, as_sources(waist, judged.origins), strict=True):
        named, path = given if isinstance(given, tuple) else (None, given)
        file = strip_endings(path) if isinstance(path, str | os.PathLike) else None
        readings.append(settle_names(source, "qrels" if origin.format == "trec" else None, named, file))
    try:
        judgments = job.meaning.collect(readings, levels=job.levels)
    except GainsayerError:
        _read_all_again(job, judged)  # which knows documents by their names, and lines by their numbers
        raise
    if any(found.code == "rare-labels" for found in judgments.findings):  # with the lines that have them
        read = _read_all_again(job, judged)
        judgments = judgments if read is None else replace(judgments, findings=read.findings)
    return judgments, as_runs(waist, ranked.origins)


def gather_waist(spark: SparkSession, job: Job, judged: Sources, ranked: Sources) -> Waist:
    """The waist of all topics.

    Raises:
        GainsayerError: a worker found a fault, or a source has no rows.
    """
    wanted = max(2 * spark.sparkContext.defaultParallelism, -(-(judged.bytes + ranked.bytes) // _BUCKET_BYTES))
    buckets = min(wanted, _MOST_BUCKETS)
    pieces = _deal(judged, partial(parse_judgments, by_assessor=job.meaning.by_assessor), JUDGED, buckets)
    names = tuple(origin.name for origin in ranked.origins)
    ties, depth, there = job.ties, job.depth, is_on_command_line()

    def work(one: pa.Table, two: pa.Table | None) -> pa.Table:
        with on_command_line(there):
            return work_bucket(one, two, names, ties=ties, depth=depth)

    if job.runs:
        lists = _deal(ranked, partial(parse_run, ranks=job.ties == "rank"), RANKED, buckets)
        made = pieces.cogroup(lists).applyInArrow(lambda one, two: work(one, two), _columns(_ANSWER))
    else:
        made = pieces.applyInArrow(lambda one: work(one, None), _columns(_ANSWER))
    made = made.persist()
    try:
        with spark_errors():
            found = made.where("error is not null").select("error").collect()
            faults = [Fault(*fault) for row in found for fault in json.loads(row.error)]
            rows = () if faults else made.toLocalIterator()
            waists = [unpack(bytes(row[name]) for name in TABLES) for row in rows]
    except DataError as error:
        faults = _find_named(error, judged, ranked)
        if not faults:
            raise
    finally:
        made.unpersist()
    if not faults:
        waist = join_waists(waists)
        faults = [*_find_empty(waist.judged, judged, of_runs=False), *_find_empty(waist.lists, ranked, of_runs=True)]
    if faults:
        raise tell_faults(job, judged, ranked, faults)
    return waist


def _find_named(error: DataError, judged: Sources, ranked: Sources) -> list[Fault]:
    """The sources whose files Spark names where it fails: they may be damaged."""
    text = str(error.__cause__)
    return [
        Fault(of_runs, place, "DataError", str(error))
        for of_runs, sources in ((False, judged), (True, ranked))
        for place, origin in enumerate(sources.origins)
        if origin.path and os.path.abspath(origin.path) in text
    ]


def _find_empty(rows: pl.DataFrame, sources: Sources, *, of_runs: bool) -> list[Fault]:
    """The sources without rows."""
    there, content = set(rows["source"].unique()), "a run" if of_runs else "judgments"
    return [
        Fault(of_runs, place, "FormatError", f"{origin.name} is empty: expected {content}, found no rows.")
        for place, origin in enumerate(sources.origins)
        if place not in there
    ]


def _deal(sources: Sources, parse: Parse, schema: pl.Schema, buckets: int) -> Any:
    """All rows of the sources as our readers read them, grouped by bucket."""
    from pyspark.sql import functions as sql

    schema = pl.Schema([*schema.items(), ("error", pl.String())])
    origins, files, there = sources.origins, sources.files, is_on_command_line()

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with on_command_line(there):  # which a worker does not know by itself
            yield from parse_batches(batches, origins, files, parse, schema)

    whole, *others = (frame.mapInArrow(read, _columns(schema)) for frame in sources.frames)
    for part in others:
        whole = whole.unionByName(part)
    bucket = sql.pmod(sql.crc32("topic"), sql.lit(buckets))
    return whole.withColumn("bucket", bucket).repartition(buckets, "bucket").groupBy("bucket")


def _columns(schema: pl.Schema) -> str:
    """Columns in Spark's words."""
    return ", ".join(f"{name} {_TYPES[type(kind)]}" for name, kind in schema.items())


def _as_table(frame: pl.DataFrame, schema: pl.Schema) -> pa.Table:
    """A table as Arrow has it, with nulls for the columns that it lacks."""
    import pyarrow as pa

    kinds = [(name, _TYPES[type(kind)]) for name, kind in schema.items()]
    typed = frame.cast({name: schema[name] for name in frame.columns})
    whole = pl.concat([schema.to_frame(), typed], how="diagonal")
    arrow = pa.schema([(name, _IN_ARROW.get(kind, kind)) for name, kind in kinds])
    return whole.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(arrow)


def parse_batches(
    batches: Iterable[pa.RecordBatch],
    origins: Sequence[Origin],
    files: Mapping[str, tuple[int, int]],
    parse: Parse,
    schema: pl.Schema,
) -> Iterator[pa.RecordBatch]:
    """What a worker does first: lines and cells become rows, and the first fault ends its task.

    Args:
        batches: the address of the file, where the split starts, and the line, or the columns of a table.
        origins: the sources.
        files: see `Sources`.
        parse: reads the rows of one source.
        schema: the columns of the answer.
    """
    done: Counter[tuple[int, int]] = Counter()
    for batch in batches:
        parts = pl.DataFrame(batch).partition_by(FILE, START, maintain_order=True, as_dict=True, include_key=False)
        for (key, start), part in parts.items():
            file, source = files[key]
            origin = origins[source]
            lines = [line for line in part[LINE].to_list() if line.strip()] if LINE in part.columns else None
            try:
                if lines and origin.header and start == 0 and not done[file, 0]:
                    done[file, 0] = 1
                    refuse_other_header(lines.pop(0), origin)
                if lines == []:
                    continue
                rows = read_rows(part if lines is None else lines, origin, parse)
            except GainsayerError as error:
                told = json.dumps([Fault.of(error, source, of_runs="score" in schema)])
                rows = pl.DataFrame({"source": source, "topic": "", "error": told})
                yield from _as_table(rows, schema).to_batches()
                return
            number = np.arange(rows.height) + done[file, start]
            done[file, start] += rows.height
            stands = {"source": pl.lit(source), "file": pl.lit(file), "start": pl.lit(start)}
            yield from _as_table(rows.with_columns(**stands, number=number), schema).to_batches()


def refuse_other_header(line: bytes, origin: Origin) -> None:
    """Refuse a file whose first line is not the header of its source."""
    if line.removeprefix(BYTE_ORDER_MARK).strip() != origin.header.strip():
        expected = f"{origin.name}: expected each file to begin with {shorten(origin.header.strip())}"
        raise FormatError(f"{expected}, found {shorten(line.strip())}.")


def read_rows(rows: list[bytes] | pl.DataFrame, origin: Origin, parse: Parse) -> pl.DataFrame:
    """Some lines or cells of a source, as its reader gives them.

    Raises:
        FormatError: some are faulty; they are quoted, as nobody knows their number.
    """
    singles: Iterable[tuple[str | bytes, Rows]]
    if isinstance(rows, list):
        whole: Rows = b"".join(rows)
        singles, place = (((line.strip(), line) for line in rows), "line 2" if origin.header else "line 1")
    else:
        texts = (" ".join("" if cell is None else str(cell) for cell in cells) for cells in rows.iter_rows())
        whole, singles, place = (rows, zip(texts, rows.iter_slices(1), strict=True), "row 1")
    try:
        return parse(whole, origin)
    except FormatError as error:
        faults = _quote(singles, f"{origin.name}, {place}: ", origin, parse)
        raise (FormatError.listing(faults) if faults else error) from None


def _quote(singles: Iterable[tuple[str | bytes, Rows]], alone: str, origin: Origin, parse: Parse) -> list[str]:
    """What is wrong with single rows; `alone` is how the message on a row begins that was read by itself."""
    faults: list[str] = []
    unit = "row" if origin.format == "cells" else "line"
    for text, row in singles:
        try:
            if len(faults) < MOST_FAULTS:
                parse(row, origin)
        except FormatError as fault:
            if str(fault).startswith(alone):
                faults.append(f"{origin.name}, the {unit} {shorten(text)}: {str(fault).removeprefix(alone)}")
    return faults


def work_bucket(
    judged: pa.Table, ranked: pa.Table | None, names: Sequence[str], *, ties: Ties, depth: int | None
) -> pa.Table:
    """What a worker does then: the rows of a bucket become its waist, or what is wrong with them."""
    one, two = (
        schema.to_frame().with_columns(error=pl.lit("")) if table is None else pl.DataFrame(table.drop(["bucket"]))
        for table, schema in ((judged, JUDGED), (ranked, RANKED))
    )
    faults = [fault for table in (one, two) for row in table["error"].drop_nulls() for fault in json.loads(row)]
    if not faults:
        try:
            refuse_giant(two)
            waist = make_waist(one.drop("error"), two.drop("error"), names, ties=ties, depth=depth)
            return _as_table(pl.DataFrame([pack(waist)], TABLES, orient="row"), _ANSWER)
        except GainsayerError as error:
            faults = [Fault.of(error, error.source if isinstance(error, RunError) else 0, of_runs=True)]
    return _as_table(pl.DataFrame({"error": [json.dumps(faults)]}), _ANSWER)


def refuse_giant(ranked: pl.DataFrame) -> None:
    """Refuse a topic that is too large for a worker; many topics together are only slow."""
    if ranked.height > MOST_ROWS:
        topic, rows = ranked["topic"].value_counts().sort("count", descending=True).row(0)
        if rows > MOST_ROWS:
            raise CallError(
                f"Topic {topic} has {rows:,} rows in the runs, and a worker of Spark takes {MOST_ROWS:,} of one topic. "
                f"Leave it out, keep only the first documents of each list, or use {option('engine', 'embedded')} on "
                "one machine."
            )


def tell_faults(job: Job, judged: Sources, ranked: Sources, faults: Sequence[Fault]) -> GainsayerError:
    """The error for what workers found: of the ordinary reader where the driver can open the file, else their own.

    Of faults in files the first ten are told, of others the first one.
    """
    ordered = sorted(set(faults))
    other = next((fault for fault in ordered if fault.kind != "FormatError"), None)
    for fault in ordered if other is None or other.kind != "CallError" else ():
        with suppress(CallError):
            try:
                _find_again(job, judged, ranked, fault)
            except DataError as error:
                return error
    if other is not None:
        kind: type[GainsayerError] = getattr(errors, other.kind)
        return kind(other.words)
    return FormatError.listing(list(dict.fromkeys(fault.words for fault in ordered)))


def _find_again(job: Job, judged: Sources, ranked: Sources, fault: Fault) -> None:
    """Read the file with a fault again, by its ordinary reader, which raises the error; nothing where it cannot."""
    origin = (ranked if fault.of_runs else judged).origins[fault.source]
    if not fault.of_runs and origin.path:
        _read_again(job, origin.path, JUDGMENTS)
    elif origin.path and "run" not in tell_columns(origin.titles, RUNS):
        pool = _NOTHING
        with suppress(GainsayerError):  # as far as judgments can be read
            judgments = _read_all_again(job, judged)
            pool = _NOTHING if judgments is None else pool_documents(judgments)
        _read_again(job, origin.path, RUNS, pool)


def _read_again(job: Job, path: str, schema: Schema, pool: DocumentPool = _NOTHING) -> None:
    """Read judgments, or read runs and match them with a pool, by the ordinary readers, which raise what is wrong."""
    if schema is JUDGMENTS:
        job.meaning.open([path])
    for run in find_runs([path]) if schema is RUNS else ():
        find_documents(run, pool, ties=job.ties, depth=job.depth)


def _read_all_again(job: Job, judged: Sources) -> Judgments | None:
    """All judgments, by the ordinary reader; None where one of their sources is out of reach."""
    paths = [origin.path for origin in judged.origins]
    given = zip(job.judgments, paths, strict=True)
    named: list[FileSource] = [(one[0], path) if isinstance(one, tuple) else path for one, path in given]
    return job.meaning.read(named, levels=job.levels) if all(paths) else None


@dataclass(frozen=True)
class _File:
    """A file: how Spark's rows name it, its address, where this machine's own readers find it, about how many bytes."""

    key: str
    address: str = ""
    path: str = ""
    bytes: int = 0


def find_sources(spark: SparkSession, job: Job, schema: Schema) -> Sources:
    """The judgments or the runs of a job: files, folders and Spark's own data frames.

    A folder of judgments is one source. A folder of runs is one where its tables have a run column; else each file is a
    run of its own.

    Args:
        spark: the session.
        job: names paths of any file system that Spark knows, or data frames.
        schema: what is wanted, `JUDGMENTS` or `RUNS`.

    Raises:
        CallError: there is no such file, judgments were given twice, or a file is of a kind that only the embedded
            engine reads.
        FormatError: a table lacks a column.
    """
    from pyspark.sql import functions as sql

    given: Sequence[Any] = job.runs if schema is RUNS else job.judgments
    owned: dict[str, tuple[int, _File]] = {}
    origins: list[Origin] = []
    frames: list[DataFrame] = []
    for number, one in enumerate(given, start=1):
        named, source = one if isinstance(one, tuple) else (None, one)
        if isinstance(source, str | os.PathLike):
            found, table = _find_path(spark, job, os.fspath(source), named, schema)
        else:
            label = "run" if schema is RUNS else "labels"
            owner = named or (f"{label} {number}" if len(given) > 1 else label)
            origin = Origin(f"table {number} ({name_table(source)})", owner, "cells")
            file = _File(f"data frame {number}", bytes=50 * source.count())
            found, table = ([(_with_titles(origin, source.columns, schema), [file])], source)
        for origin, files in found:
            again = next((file.key for file in files if file.key in owned), None)
            if again is not None and (schema is JUDGMENTS or table is not None):
                raise CallError(
                    f"The spark engine reads a file once, and {again!r} was given twice: use "
                    f"{option('engine', 'embedded')}."
                )
            if again is None:  # a run that is named twice is there once
                owned |= {file.key: (len(origins), file) for file in files}
                origins.append(origin)
        if table is not None:
            told = zip(table.columns, tell_columns(table.columns, schema), strict=True)
            columns = [sql.col("`" + title.replace("`", "``") + "`") for title, meaning in told if meaning]
            frames.append(_mark(table, columns, "" if found[0][1][0].address else found[0][1][0].key))
    texts = [_escape(file.address) for place, file in owned.values() if origins[place].format != "cells"]
    if texts:
        line = sql.concat(sql.col("value"), sql.lit("\n")).cast("binary").alias(LINE)
        frames.append(_mark(spark.read.option("lineSep", "\n").text(texts), [line]))
    return Sources(
        origins=tuple(origins),
        files={key: (place, source) for place, (key, (source, _)) in enumerate(owned.items())},
        frames=tuple(frames),
        bytes=sum(file.bytes for _, file in owned.values()),
    )


def _mark(rows: DataFrame, columns: Iterable[Any], file: str = "") -> DataFrame:
    """Some columns of rows, their file, and where the split begins that they are in; a data frame may stand nowhere."""
    from pyspark.sql import functions as sql

    if file:
        stands = (sql.lit(file), sql.spark_partition_id().cast("bigint"))
    else:
        stands = (sql.col("_metadata.file_path"), sql.col("_metadata.file_block_start"))
    return rows.select(stands[0].alias(FILE), stands[1].alias(START), *columns)


def _find_path(
    spark: SparkSession, job: Job, path: str, named: str | None, schema: Schema
) -> tuple[list[tuple[Origin, list[_File]]], DataFrame | None]:
    """What a path means: the sources, each with its files, and the rows of all where they are no lines."""
    files, kind, here = _list_files(spark, path, schema)
    strip = name_run if schema is RUNS else strip_endings
    origin = Origin(path, named or strip(path.rstrip("/")), path=re.sub("^file:/+", "/", path) if here else "")
    if not files:
        if here:
            _read_again(job, origin.path, schema)  # whose words say more
        raise CallError(f"There is no file {path!r}.")
    table = None
    try:
        with spark_errors():
            format = job.meaning.format if schema is JUDGMENTS else None
            if format == "parquet" or (format is None and files[0].address.endswith((".parquet", ".pq"))):
                table = spark.read.parquet(path if kind == "pattern" else _escape(path))
                origin = _with_titles(replace(origin, format="cells"), table.columns, schema)
            else:
                head = _read_head(spark, files[0])
                format = format or tell_table(files[0].address, head, schema) or "qrels"
                origin = origin if format == "qrels" else _with_header(origin, head, schema, format)
    except DataError:
        with suppress(CallError):
            if origin.path:
                _read_again(job, origin.path, schema)
        raise
    if schema is JUDGMENTS or "run" in tell_columns(origin.titles, RUNS) or kind == "file":
        return [(origin, files)], table
    each = [(file.path or file.address, file) for file in files]
    return [(replace(origin, name=name, owner=strip(name), path=file.path), [file]) for name, file in each], table


def _with_header(origin: Origin, head: bytes, schema: Schema, format: Format) -> Origin:
    """A table of lines; its header is among the first."""
    if format not in ("csv", "tsv"):
        raise CallError(
            f"{option('engine', 'spark')} reads TREC text, CSV, TSV and Parquet; {origin.name} is {format}. Make it "
            f"one of these, or use {option('engine', 'embedded')}."
        )
    lines = head.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    header = next((line for line in lines if line.strip()), b"")
    titles = split_header(header, "\t" if format == "tsv" else tell_separator(header))
    return _with_titles(replace(origin, format=format, header=header + b"\n"), titles, schema, ", line 1")


def _with_titles(origin: Origin, titles: Sequence[str], schema: Schema, place: str = "") -> Origin:
    """A table whose columns fit; `place` says in messages where its titles stand."""
    found = find_columns(titles, origin.name + place, schema)
    if "level" in schema.needed and "level" not in found:
        raise FormatError(
            f"{origin.name}{place}: expected a level column, found {list_titles(titles)}. A table with a column of "
            f"levels per rater needs {option('engine', 'embedded')}."
        )
    if "intent" in found:
        raise CallError(
            f"Judgments by intent need {option('engine', 'embedded')}; {origin.name} has a column of intents."
        )
    return replace(origin, titles=tuple(titles))


def _read_head(spark: SparkSession, file: _File) -> bytes:
    """The first lines of a file, or its first line that is not blank where only Spark can open it."""
    if file.path:
        stream = open_stream(file.path)
        try:
            return peek_head(stream)
        finally:
            stream.close()
    lines = spark.read.option("lineSep", "\n").text(_escape(file.address))
    row = lines.where("trim(value) != ''").selectExpr("cast(value as binary)").head()
    return b"" if row is None else bytes(row[0]) + b"\n"


def _list_files(
    spark: SparkSession, path: str, schema: Schema
) -> tuple[list[_File], Literal["file", "folder", "pattern"], bool]:
    """The files that a path means on its file system, what it is there, and whether this machine's readers see it."""
    java: Any = spark.sparkContext._jvm
    found = []
    kind: Literal["file", "folder", "pattern"]
    try:
        place = java.org.apache.hadoop.fs.Path(path)
        system = place.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
        here = bool(system.getUri().getScheme() == LOCAL)
        exists = system.exists(place)
        kind = "pattern" if not exists else "folder" if system.getFileStatus(place).isDirectory() else "file"
        for status in [system.getFileStatus(place)] if exists else system.globStatus(place) or []:
            if not status.isDirectory():
                found.append(status)
                continue
            folder = status.getPath().toString()
            refuse_log(path, [one.getPath().getName() for one in system.listStatus(status.getPath())])
            inside = system.listFiles(status.getPath(), True)
            while inside.hasNext():
                one = inside.next()
                below = one.getPath().toString().removeprefix(folder).lstrip("/")
                if is_data(below) and (schema is JUDGMENTS or may_be_run(one.getPath().getName())):
                    found.append(one)
    except CallError:
        raise
    except Exception as error:  # whatever the file system's own library raises
        raise CallError(f"Spark cannot open {path!r}: {first_words(error)}") from error
    files = []
    for one in found:
        address = one.getPath().toString()
        local = address.removeprefix("file:") if here else ""
        if local and not path.startswith(("/", "file:")):
            local = os.path.relpath(local)
        size = one.getLen() * (5 if address.endswith(_PACKED) else 1)
        key = re.sub("^file:/+", "file:/", one.getPath().toUri().toString())  # as `_metadata.file_path` has it
        files.append(_File(key, address, local, size))
    return sorted(files, key=lambda file: file.address), kind, here


def _escape(path: str) -> str:
    """A path for Spark's readers, which take every path as a pattern."""
    return re.sub(r"([\\{}\[\]*?^])", r"\\\1", path)


def open_session(master: str | None = None) -> SparkSession:
    """The session that is there, as notebooks have one; else that of spark-submit, or a new one for this master.

    A local session listens to this machine alone, and repeats tasks whose worker died, which Spark itself does only on
    a cluster.

    Args:
        master: such as `local[4]`, `yarn` or `spark://host:7077`; by default all cores of this machine.

    Raises:
        CallError: pyspark or Java is not installed, or Spark does not start.
    """
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise CallError(f"{option('engine', 'spark')} needs pyspark, which is not installed: {INSTALL}") from None
    there = SparkSession.getActiveSession()
    if there is not None:
        return there
    if master is None and _SUBMITTED in os.environ:
        return SparkSession.builder.getOrCreate()  # whoever submits has said where and how
    master = master or "local[*]"
    local = re.fullmatch(r"local(?:\[(\*|\d+)(?:,\d+)?\])?", master)
    if find_java() is None:
        raise CallError(
            f"{option('engine', 'spark')} needs Java 17 or later, which was not found: apt-get install "
            "openjdk-17-jre-headless, or set JAVA_HOME to where it is."
        )
    builder = SparkSession.builder.appName("gainsayer")
    options = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.maxResultSize": "0"}
    if local:
        master = f"local[{local[1] or 1},{_ATTEMPTS}]"
        options |= {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": f"{_share_of_memory()}m",
            "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}",
            "spark.executorEnv.POLARS_MAX_THREADS": "1",
            "spark.executorEnv.OMP_NUM_THREADS": "1",
        }
    for name, value in options.items():
        builder = builder.config(name, value)
    with _environment({"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"} if local else {}):
        try:
            return builder.master(master).getOrCreate()
        except (PySparkException, OSError) as error:
            raise CallError(f"Spark did not start with the master {master!r}: {first_words(error)}") from error


def find_java() -> str | None:
    """Where Java is: below JAVA_HOME, where that is set, else on the path; None where it is not."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=str(Path(home, "bin"))) if home else shutil.which("java")


def _share_of_memory() -> int:
    """A quarter of the machine's memory in MB, for Spark's own part; workers need the rest."""
    return max(1024, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 22)


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """What Spark reads from the environment when it starts; what somebody set already stays."""
    added = {name: value for name, value in values.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def spark_errors() -> Iterator[None]:
    """What goes wrong in Spark itself, in one sentence; its own words are the cause."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise DataError(f"Spark could not finish the work: {first_words(error)}") from error


def first_words(error: BaseException) -> str:
    r"""What somebody else's error says, in one line: of Java's the first cause, of a worker's the traceback's end.

    >>> first_words(ValueError("An exception was thrown:\nTraceback (...):\n  File a.py\nKeyError: 'x'\n"))
    "KeyError: 'x'"
    """
    cause: Any = getattr(error, "java_exception", None)
    while cause is not None and cause.getCause() is not None:
        cause = cause.getCause()
    text = (str(error) if cause is None else str(cause.toString())).strip() or type(error).__name__
    named = [line for line in text.splitlines() if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return (named[-1] if named else text.splitlines()[0])[:300]
