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
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from zlib import crc32

import numpy as np
import polars as pl

from gainsayer import errors
from gainsayer.engines.waist import (
    JUDGED,
    RANKED,
    TABLES,
    Origin,
    RunError,
    Waist,
    as_runs,
    as_sources,
    join_waists,
    list_items,
    make_waist,
    pack,
    parse_judgments,
    parse_run,
    pool_items,
    unpack,
)
from gainsayer.errors import MOST_FAULTS, CallError, DataError, FormatError, GainsayerError, RepeatError
from gainsayer.judgments.files import FileSource, Meaning, settle_names
from gainsayer.judgments.source import Source
from gainsayer.judgments.table import Judgments
from gainsayer.levels import Levels
from gainsayer.lines.faults import shorten
from gainsayer.lines.opening import FilePath
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.ranking import Ties, find_documents
from gainsayer.runs.files import name_run, read_run
from gainsayer.tables.cells import name_table
from gainsayer.tables.columns import JUDGMENTS, RUNS, Schema, find_columns, refuse_columns, tell_columns
from gainsayer.tables.files import split_header, strip_endings, tell_table
from gainsayer.tables.parquet import is_data, refuse_log
from gainsayer.text import is_on_command_line, on_command_line, option

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

Progress: TypeAlias = Callable[[str, float], None]
Rows: TypeAlias = "bytes | pl.DataFrame"
Parse: TypeAlias = "Callable[[Rows, Origin], pl.DataFrame]"
MOST_ROWS: Final = 2_000_000
"""How many rows of one topic a worker takes: each costs it some 300 bytes."""
_BUCKET_BYTES: Final = 1 << 26
_MOST_BUCKETS: Final = 1 << 14
_TYPES: Final = {pl.Int32: "int", pl.Int64: "bigint", pl.String: "string", pl.Float64: "double", pl.Binary: "binary"}
_ANSWER: Final = pl.Schema({**dict.fromkeys(TABLES, pl.Binary), "error": pl.String})
FILE: Final = "gainsayer file"
START: Final = "gainsayer start"
LINE: Final = "gainsayer line"
CORRUPT: Final = "gainsayer corrupt"
"""Columns that Spark adds: the number of the file, where the split begins in it, a line, a row that is no row."""
Format: TypeAlias = Literal["lines", "csv", "tsv", "parquet"]
_SHIFTED: Final = 1 << 30
_PACKED: Final = {".gz": 5, ".bz2": 6, ".zst": 5, ".parquet": 3}
INSTALL: Final = "pip install 'gainsayer[spark]'"
_ATTEMPTS: Final = 3
_SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
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
        buckets: how many; None for as many as are needed.
        master: where Spark is.
        progress: called with what is being done, and the share that is done.
    """

    judgments: tuple[FileSource, ...]
    runs: tuple[FilePath, ...] = ()
    meaning: Meaning = field(default_factory=Meaning)
    levels: Levels | None = None
    ties: Ties = "trec"
    depth: int | None = None
    buckets: int | None = None
    master: str | None = None
    progress: Progress | None = None


@dataclass(frozen=True)
class Fault:
    """What a worker found wrong: the kind of the error, its words, and which source it is about."""

    kind: str
    words: str
    of_runs: bool
    source: int

    @classmethod
    def of(cls, error: GainsayerError, *, of_runs: bool, source: int) -> Fault:
        """An error as what can travel; of a reader's own kind, as the one that users know."""
        kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == errors.__name__)
        return cls(kind, str(error), of_runs, source)


def gather(job: Job) -> tuple[Judgments, tuple[RankedDocuments, ...]]:
    """The judgments, and the runs matched with them, from Spark's workers: the `spark` engine.

    Raises:
        CallError: pyspark or Java is not installed, a file is not there, or Spark does not serve what was asked for.
        GainsayerError: something is wrong with the data, in the words of its reader.
    """
    report = job.progress or (lambda *_: None)
    report("Starting Spark", 0.0)
    spark = open_session(job.master)
    judged = find_sources(spark, job.judgments, JUDGMENTS, format=job.meaning.format)
    ranked = find_sources(spark, job.runs, RUNS)
    report("Working through the topics on Spark", 0.1)
    waist = gather_waist(spark, job, judged, ranked)
    _refuse_empty(job, waist.judged, judged, of_runs=False)
    _refuse_empty(job, waist.lists, ranked, of_runs=True)

    def reread(source: int) -> Source | None:
        with suppress(GainsayerError):
            return _read_again(job, judged, source)
        return None

    readings = []
    for given, source in zip(job.judgments, as_sources(waist, judged.origins, reread), strict=True):
        named, path = given if isinstance(given, tuple) else (None, given)
        file = strip_endings(path) if isinstance(path, str | os.PathLike) else None
        readings.append(settle_names(source, source.format, named, file))
    try:
        judgments = job.meaning.collect(readings, levels=job.levels)
    except RepeatError:
        with suppress(CallError):  # where the files are out of reach, documents are told by their numbers
            job.meaning.read([_as_local(source) for source in job.judgments], levels=job.levels)
        raise
    return judgments, as_runs(waist, ranked.origins)


def gather_waist(spark: SparkSession, job: Job, judged: Sources, ranked: Sources) -> Waist:
    """The waist of all topics.

    Raises:
        GainsayerError: a worker found a fault.
    """
    wanted = max(2 * spark.sparkContext.defaultParallelism, -(-(judged.bytes + ranked.bytes) // _BUCKET_BYTES))
    buckets = job.buckets or min(wanted, _MOST_BUCKETS)
    by_assessor = partial(parse_judgments, meaning=job.meaning)
    pieces = _deal(judged, by_assessor, JUDGED, buckets).groupBy("bucket")
    names = tuple(origin.name for origin in ranked.origins)
    work = partial(work_bucket, names=names, ties=job.ties, depth=job.depth, to_command_line=is_on_command_line())
    if job.runs:
        lists = _deal(ranked, partial(parse_run, ranks=job.ties == "rank"), RANKED, buckets).groupBy("bucket")
        made = pieces.cogroup(lists).applyInArrow(lambda one, two: work(one, two), _columns(_ANSWER))
    else:
        made = pieces.applyInArrow(lambda one: work(one, None), _columns(_ANSWER))
    made = made.persist()
    try:
        with spark_errors():
            found = made.where("error is not null").select("error").collect()
            faults = [Fault(**fault) for row in found for fault in json.loads(row.error)]
            if not faults:
                return join_waists(unpack(bytes(row[name]) for name in TABLES) for row in made.toLocalIterator())
    finally:
        made.unpersist()
    raise tell_faults(job, judged, ranked, faults)


def _deal(sources: Sources, parse: Parse, schema: pl.Schema, buckets: int) -> DataFrame:
    """All rows of the sources as our readers read them, those of a bucket together."""
    from pyspark.sql import functions as sql

    schema = pl.Schema([*schema.items(), ("error", pl.String())])
    read = partial(
        parse_batches,
        origins=sources.origins,
        files=sources.files,
        parse=parse,
        schema=schema,
        to_command_line=is_on_command_line(),
    )
    parts = [frame.mapInArrow(read, _columns(schema)) for frame in sources.frames]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.unionByName(part)
    return whole.withColumn("bucket", sql.pmod(sql.crc32("topic"), sql.lit(buckets))).repartition(buckets, "bucket")


def _columns(schema: pl.Schema) -> str:
    """Columns in Spark's words."""
    return ", ".join(f"{name} {_TYPES[kind]}" for name, kind in schema.items())  # type: ignore[index]  # a class


def _as_batches(frame: pl.DataFrame, schema: pl.Schema) -> list[pa.RecordBatch]:
    """A table as Arrow has it, with nulls for the columns that it lacks."""
    import pyarrow as pa

    kinds = {
        "int": pa.int32(),
        "bigint": pa.int64(),
        "string": pa.string(),
        "double": pa.float64(),
        "binary": pa.binary(),
    }
    names = pa.schema([(name, kinds[_TYPES[kind]]) for name, kind in schema.items()])  # type: ignore[index]
    whole = pl.concat([pl.DataFrame(schema=schema), frame.cast({n: schema[n] for n in frame.columns})], how="diagonal")
    table: pa.Table = whole.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(names)
    return list(table.to_batches())


def parse_batches(
    batches: Iterable[pa.RecordBatch],
    *,
    origins: Sequence[Origin],
    files: Mapping[int, tuple[int, int]],
    parse: Parse,
    schema: pl.Schema,
    to_command_line: bool = False,
) -> Iterator[pa.RecordBatch]:
    """What a worker does first: lines and cells become rows, and the first fault ends its task.

    Args:
        batches: the number of the file, where the split starts, and the line, or the columns of a table.
        origins: the sources.
        files: see `Sources`.
        parse: reads the rows of one source.
        schema: the columns of the answer.
        to_command_line: whether messages are for readers of the command line, which a worker does not know by itself.
    """
    done: Counter[tuple[int, int]] = Counter()
    for batch in batches:
        parts = pl.DataFrame(batch).partition_by(FILE, START, maintain_order=True, as_dict=True)
        for (key, start), part in parts.items():
            file, source = files[key]
            try:
                with on_command_line(to_command_line):
                    rows = read_part(part.drop(FILE, START), origins[source], parse)
            except GainsayerError as error:
                told = Fault.of(error, of_runs="score" in schema, source=source)
                rows = pl.DataFrame({"source": source, "topic": "", "error": json.dumps([asdict(told)])})
                yield from _as_batches(rows, schema)
                return
            if not rows.height:
                continue
            number = np.arange(rows.height) + done[file, start]
            done[file, start] += rows.height
            stands = {"source": pl.lit(source), "file": pl.lit(file), "start": pl.lit(start)}
            yield from _as_batches(rows.with_columns(**stands, number=number), schema)


def read_part(part: pl.DataFrame, origin: Origin, parse: Parse) -> pl.DataFrame:
    """Some rows of a source, as its reader gives them; none where all lines are blank.

    Raises:
        FormatError: some rows are faulty; they are quoted, as nobody knows their number.
    """
    if origin.titles is None:
        lines = part[LINE].to_list()
        content = b"".join(lines)
        if not content.strip():
            return pl.DataFrame()
        return _read(content, ((line.strip(), line) for line in lines), "line", origin, parse)
    refuse_corrupt(part, origin)
    table = part.drop(CORRUPT, strict=False)
    texts = (" ".join("" if cell is None else str(cell) for cell in cells) for cells in table.iter_rows())
    return _read(table, zip(texts, table.iter_slices(1), strict=True), "row", origin, parse)


def _read(
    whole: Rows, singles: Iterable[tuple[str | bytes, Rows]], unit: str, origin: Origin, parse: Parse
) -> pl.DataFrame:
    """Rows as their reader gives them; where that finds faults, each row is read by itself, and the faulty quoted."""
    try:
        return parse(whole, origin)
    except FormatError as error:
        alone = f"{origin.name}, {unit} 1: "
        faults: list[str] = []
        for text, row in singles:
            try:
                if text and len(faults) < MOST_FAULTS:
                    parse(row, origin)
            except FormatError as fault:
                if str(fault).startswith(alone):
                    faults.append(f"{origin.name}, the {unit} {shorten(text)}: {str(fault).removeprefix(alone)}")
        raise (FormatError.listing(faults) if faults else error) from None


def refuse_corrupt(part: pl.DataFrame, origin: Origin) -> None:
    """Refuse rows of a CSV file that do not have the header's columns."""
    corrupt = part[CORRUPT].drop_nulls().to_list() if CORRUPT in part.columns else []
    if corrupt:
        width = len(origin.titles or ())
        expected = f"{origin.name}: expected {width} columns as in the header, found another number of them"
        raise FormatError.listing([f"{expected}: {shorten(row)}." for row in corrupt])


def work_bucket(
    judged: pa.Table,
    ranked: pa.Table | None,
    names: Sequence[str],
    *,
    ties: Ties,
    depth: int | None,
    to_command_line: bool,
) -> pa.Table:
    """What a worker does then: the rows of a bucket become its waist, or what is wrong with them."""
    import pyarrow as pa

    tables = [
        schema.to_frame().with_columns(error=pl.lit("")) if table is None else pl.DataFrame(table.drop(["bucket"]))
        for table, schema in ((judged, JUDGED), (ranked, RANKED))
    ]
    faults = [fault for table in tables for row in table["error"].drop_nulls() for fault in json.loads(row)]
    if not faults:
        one, two = (table.drop("error") for table in tables)
        try:
            with on_command_line(to_command_line):
                refuse_giant(two)
                waist = make_waist(one, two, names, ties=ties, depth=depth)
                answer = pl.DataFrame(dict(zip(TABLES, ([table] for table in pack(waist)), strict=True)))
        except GainsayerError as error:
            source = error.source if isinstance(error, RunError) else 0
            faults = [asdict(Fault.of(error, of_runs=True, source=source))]
    if faults:
        answer = pl.DataFrame({"error": [json.dumps(faults)]})
    return pa.Table.from_batches(_as_batches(answer, _ANSWER))


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
    ordered = sorted(set(faults), key=lambda fault: (fault.of_runs, fault.source, fault.words))
    other = next((fault for fault in ordered if fault.kind != "FormatError"), None)
    for fault in ordered if other is None else ():
        with suppress(CallError):
            try:
                _read_run_again(job, ranked, fault.source) if fault.of_runs else _read_again(job, judged, fault.source)
            except DataError as error:
                return error
    if other is not None:
        kind: type[GainsayerError] = getattr(errors, other.kind)
        return kind(other.words)
    return FormatError.listing(list(dict.fromkeys(fault.words for fault in ordered)))


def _read_again(job: Job, judged: Sources, source: int) -> Source:
    """One source of judgments, by its ordinary reader; a CallError where it is out of reach."""
    [reading] = job.meaning.open([_as_local(job.judgments[source])])
    return reading.source


def _read_run_again(job: Job, ranked: Sources, source: int) -> None:
    """One run, by its ordinary reader, and put in order; a CallError where it is out of reach."""
    origin = ranked.origins[source]
    if not origin.by:
        run = read_run(_as_local(origin.name), ranks=job.ties == "rank")
        find_documents(run, pool_items(list_items(run.frame())), ties=job.ties)


def _as_local(source: object) -> FileSource:
    """A source that the driver can open itself; a CallError where it cannot."""
    named, path = source if isinstance(source, tuple) else (None, source)
    here = local_path(path)
    if here is None:
        raise CallError(f"{path!r} is out of reach.")
    return here if named is None else (named, here)


def _refuse_empty(job: Job, rows: pl.DataFrame, sources: Sources, *, of_runs: bool) -> None:
    """Refuse a source without rows, as its reader does."""
    there = set(rows["source"])
    for number, origin in enumerate(sources.origins):
        if number not in there:
            words = f"{origin.name} is empty: expected {'a run' if of_runs else 'judgments'}, found no rows."
            raise tell_faults(job, sources, sources, [Fault("FormatError", words, of_runs, number)])


@dataclass(frozen=True, eq=False)
class Sources:
    """Sources of judgments or runs on Spark, not read yet.

    Args:
        origins: the sources.
        files: the number by which rows name a file to its place among all files and that of its source.
        frames: the rows: lines (file, start, line), or those of a table (file, start, its known columns).
        bytes: about how many bytes there are.
    """

    origins: tuple[Origin, ...]
    files: Mapping[int, tuple[int, int]]
    frames: tuple[DataFrame, ...]
    bytes: int


@dataclass(frozen=True)
class _File:
    """A file: how Spark's rows name it, how it is opened, and about how many bytes it holds."""

    key: str
    path: str
    bytes: int


@dataclass(frozen=True, eq=False)
class _Found:
    """A source that was looked up: whose files are whose, and the rows of a table (None for lines)."""

    owned: tuple[tuple[Origin, tuple[_File, ...]], ...]
    table: DataFrame | None = None


def find_sources(
    spark: SparkSession, sources: Sequence[object], schema: Schema, *, format: str | None = None
) -> Sources:
    """Files, folders and Spark's own data frames.

    A folder of judgments is one source. A folder of runs is one where its tables have a run column; else each file is a
    run of its own.

    Args:
        spark: the session.
        sources: paths of any file system that Spark knows, or data frames; pairs `(name, source)` name whose it is.
        schema: what they hold, `JUDGMENTS` or `RUNS`.
        format: what files are, where their names do not tell.

    Raises:
        CallError: there is no such file, it was given twice, or it is of a kind that only other engines read.
        FormatError: a table lacks a column.
    """
    formats: dict[str, Format] = {}
    found: list[_Found] = []
    for number, given in enumerate(sources, start=1):
        named, source = given if isinstance(given, tuple) else (None, given)
        if isinstance(source, str | os.PathLike):
            found.append(_find_path(spark, os.fspath(source), named, schema, format, formats))
        else:
            label = "run" if schema is RUNS else "labels"
            owner = named or (f"{label} {number}" if len(sources) > 1 else label)
            origin = _table_origin(source, f"table {number} ({name_table(source)})", owner, schema)
            file = _File(f"data frame {number}", "", 50 * source.count())
            found.append(_Found(((origin, (file,)),), source))
    owned = [pair for one in found for pair in one.owned]
    listed = [(number, file) for number, (_, files) in enumerate(owned) for file in files]
    keys = [file.key for _, file in listed]
    if len(set(keys)) < len(keys):
        raise CallError(f"A file was given twice: {next(key for key in keys if keys.count(key) > 1)!r}.")
    return Sources(
        origins=tuple(origin for origin, _ in owned),
        files={number_file(file.key): (place, number) for place, (number, file) in enumerate(listed)},
        frames=tuple(_mark(spark, found, schema)),
        bytes=sum(file.bytes for _, file in listed),
    )


def number_file(key: str) -> int:
    """The number by which a row names its file: Spark makes the same of the path, and eight bytes a row are enough.

    Two checksums, as among thousands of paths two have the same one.

    >>> number_file("file:/runs/bm25.run")
    972687443113067396
    """
    return crc32(key.encode()) * _SHIFTED + crc32(key[::-1].encode())


def _mark(spark: SparkSession, found: Sequence[_Found], schema: Schema) -> Iterator[DataFrame]:
    """The rows of all sources, each with the number of its file and where the split starts that it stands in."""
    from pyspark.sql import functions as sql

    path = sql.col("_metadata.file_path")
    file = (sql.crc32(path) * sql.lit(_SHIFTED) + sql.crc32(sql.reverse(path))).alias(FILE)
    start = sql.col("_metadata.file_block_start").alias(START)
    texts = [_escape(file.path) for one in found if one.table is None for _, files in one.owned for file in files]
    if texts:
        line = sql.concat(sql.col("value"), sql.lit("\n")).cast("binary").alias(LINE)
        yield spark.read.option("lineSep", "\n").text(texts).select(file, start, line)
    for one in found:
        if one.table is not None:
            titles = one.table.columns
            known = [title for title, what in zip(titles, tell_columns(titles, schema), strict=True) if what]
            columns = [sql.col(f"`{title}`") for title in [*known, *({CORRUPT} & set(titles))]]
            if one.owned[0][1][0].path:
                yield one.table.select(file, start, *columns)
            else:  # a data frame, which may stand nowhere
                number = sql.lit(number_file(one.owned[0][1][0].key)).cast("bigint").alias(FILE)
                yield one.table.select(number, sql.spark_partition_id().cast("bigint").alias(START), *columns)


def _find_path(
    spark: SparkSession, path: str, named: str | None, schema: Schema, format: str | None, formats: dict[str, Format]
) -> _Found:
    """What a path means; `formats` are those of files with the same endings that were opened before."""
    files = tuple(_list_files(spark, path))
    ending = "".join(PurePosixPath(files[0].path).suffixes)
    if ending not in formats:
        formats[ending] = _tell_format(spark, files[0], schema, format)
    strip = name_run if schema is RUNS else strip_endings
    origin = Origin(path, named or strip(path.rstrip("/")))
    table = None
    if formats[ending] != "lines":
        table = _read_table(spark, path, files[0], formats[ending])
        header = "" if formats[ending] == "parquet" else ", line 1"
        origin = _table_origin(table, path, origin.owner, schema, header)
    if schema is JUDGMENTS or origin.by or len(files) == 1:
        return _Found(((origin, files),), table)
    called = [str(PurePosixPath(path) / PurePosixPath(one.path).name) if "*" not in path else one.path for one in files]
    each = (replace(origin, name=name, owner=strip(name)) for name in called)
    return _Found(tuple((one, (file,)) for one, file in zip(each, files, strict=True)), table)


def _table_origin(frame: Any, name: str, owner: str, schema: Schema, header: str = "") -> Origin:
    """A table as a source; `header` says in messages where its titles stand."""
    titles = [title for title in frame.columns if title != CORRUPT]
    found = find_columns(titles, name + header, schema)
    if "level" in schema.needed and "level" not in found:
        raise refuse_columns(titles, name + header, schema, ["level"])
    if "intent" in found:
        raise CallError(f"Judgments by intent need {option('engine', 'embedded')}; {name} has a column of intents.")
    by = found.get("run" if schema is RUNS else "assessor")
    return Origin(name, owner, tuple(titles), "" if by is None else titles[by])


def _list_files(spark: SparkSession, path: str) -> list[_File]:
    """The files that a path means on whatever file system it names: itself, those in a folder, or of a pattern."""
    java: Any = spark.sparkContext._jvm
    configuration = spark.sparkContext._jsc.hadoopConfiguration()
    try:
        place = java.org.apache.hadoop.fs.Path(path)
        system = place.getFileSystem(configuration)
        found = []
        for status in [system.getFileStatus(place)] if system.exists(place) else system.globStatus(place) or []:
            if not status.isDirectory():
                found.append(status)
                continue
            refuse_log(path, [one.getPath().getName() for one in system.listStatus(status.getPath())])
            inside = system.listFiles(status.getPath(), True)
            while inside.hasNext():
                one = inside.next()
                if is_data(one.getPath().toString().removeprefix(status.getPath().toString()).lstrip("/")):
                    found.append(one)
    except CallError:
        raise
    except Exception as error:  # whatever the file system's own library raises
        raise CallError(f"Spark cannot open {path!r}: {first_words(error)}") from error
    if not found:
        raise CallError(f"There is no file {path!r}.")
    files = []
    for one in found:
        called = one.getPath().toString()
        size = one.getLen() * _PACKED.get(PurePosixPath(called).suffix, 1)
        files.append(_File(_key(one.getPath().toUri().toString()), called, size))
    return sorted(files, key=lambda file: file.path)


def _key(address: str) -> str:
    """An address as rows have it (`_metadata.file_path`)."""
    return re.sub("^file:/+", "file:/", address)


def local_path(source: object) -> str | None:
    """The path of a source on this machine; None where it is not one."""
    path = os.fspath(source).removeprefix("file://") if isinstance(source, str | os.PathLike) else ""
    return path if os.path.exists(path) else None


def _tell_format(spark: SparkSession, file: _File, schema: Schema, format: str | None) -> Format:
    """What a file is, by its name and its first line."""
    if file.path.endswith(".parquet"):
        return "parquet"
    found = format or tell_table(PurePosixPath(file.path), _first_line(spark, file).encode(), schema) or "lines"
    if found in ("qrels", "trec", "lines"):
        return "lines"
    if found in ("csv", "tsv", "parquet"):
        return found  # type: ignore[return-value]
    raise CallError(
        f"{option('engine', 'spark')} reads TREC text, CSV, TSV and Parquet; {file.path} is {found}. Make it one of "
        f"these, or use {option('engine', 'embedded')}."
    )


def _first_line(spark: SparkSession, file: _File) -> str:
    read = spark.read.option("lineSep", "\n").text(_escape(file.path)).head()
    return "" if read is None else str(read[0]) + "\n"


def _escape(path: str) -> str:
    """A path for Spark's readers, which take every path as a pattern."""
    return re.sub(r"([\\{}\[\]*?^])", r"\\\1", path)


def _read_table(spark: SparkSession, path: str, first: _File, kind: Format) -> DataFrame:
    from pyspark.sql.types import StringType, StructType

    if kind == "parquet":
        return spark.read.parquet(path)
    separator = "\t" if kind == "tsv" else ","
    header = _first_line(spark, first).removeprefix("\ufeff")
    if kind == "csv" and "," not in header:
        separator = next((symbol for symbol in ("\t", ";") if symbol in header), ",")
    schema = StructType()
    for title in [*split_header(header.encode(), separator), CORRUPT]:
        schema = schema.add(title, StringType())
    return spark.read.csv(
        path, schema=schema, sep=separator, header=True, quote='"', escape='"', columnNameOfCorruptRecord=CORRUPT
    )


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
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.maxResultSize": "0",
    }
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
