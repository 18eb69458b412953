"""Files, folders and data frames as Spark reads them: rows of TREC text and of tables, and where each row stands."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from urllib.parse import unquote

from gainsayer.engines.arrow_pieces import (
    CORRUPT,
    FILE,
    LINE,
    PIECES,
    START,
    Files,
    Origin,
    cut_lines,
    cut_table,
    number_file,
)
from gainsayer.engines.spark_session import first_words
from gainsayer.errors import CallError
from gainsayer.runs.files import name_run
from gainsayer.tables.columns import RUNS, Schema, find_columns, refuse_columns, tell_columns
from gainsayer.tables.files import split_header, strip_endings, tell_table
from gainsayer.text import option

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Format: TypeAlias = Literal["lines", "csv", "tsv", "parquet"]
_PACKED: Final = {".gz": 5, ".bz2": 6, ".zst": 5, ".parquet": 3}
_TABLE_FORMATS: Final = {"_delta_log": "Delta", ".hoodie": "Hudi"}


@dataclass(frozen=True, eq=False)
class Rows:
    """Sources of judgments or runs on Spark, not read yet.

    Args:
        files: the files behind them, and whose they are.
        lines: the rows of TREC text (file, start, line); None where there is none.
        tables: the rows of each table (file, start, its known columns).
        bytes: about how many bytes there are.
    """

    files: Files
    lines: DataFrame | None
    tables: tuple[DataFrame, ...]
    bytes: int

    def map(self, work_lines: Callable[..., Any], work_table: Callable[..., Any], columns: str) -> DataFrame:
        """What workers make of the batches of all rows."""
        parts = [] if self.lines is None else [self.lines.mapInArrow(work_lines, columns)]
        parts += [table.mapInArrow(work_table, columns) for table in self.tables]
        whole = parts[0]
        for part in parts[1:]:
            whole = whole.unionByName(part)
        return whole

    def cut(self, buckets: int) -> DataFrame:
        """All rows as pieces, those of a bucket together."""
        pieces = self.map(
            partial(cut_lines, files=self.files, buckets=buckets),
            partial(cut_table, files=self.files, buckets=buckets),
            PIECES,
        )
        return pieces.repartition(buckets, "bucket")


def read_rows(spark: SparkSession, sources: Sequence[object], schema: Schema, *, format: str | None = None) -> Rows:
    """The rows of files, folders and Spark's own data frames.

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
            found.append(_find_frame(spark, source, owner, number, schema))
    owned = [pair for one in found for pair in one.owned]
    files = [file for _, some in owned for file in some]
    places = {number_file(file.key): place for place, file in enumerate(files)}
    if len(places) < len(files):
        keys = [file.key for file in files]
        raise CallError(f"A file was given twice: {next(key for key in keys if keys.count(key) > 1)!r}.")
    owners = tuple(number for number, (_, some) in enumerate(owned) for _ in some)
    texts = [file.path for one in found if one.table is None for _, some in one.owned for file in some]
    return Rows(
        files=Files(places, tuple(origin for origin, _ in owned), owners),
        lines=_read_lines(spark, texts) if texts else None,
        tables=tuple(one.table for one in found if one.table is not None),
        bytes=sum(one.bytes for one in found),
    )


def _read_lines(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """The lines of TREC text, each with its end, and where it stands."""
    from pyspark.sql import functions as sql

    return (
        spark.read.option("lineSep", "\n")
        .text([_escape(path) for path in paths])
        .select(
            sql.crc32(sql.col("_metadata.file_path")).alias(FILE),
            sql.col("_metadata.file_block_start").alias(START),
            sql.concat(sql.col("value"), sql.lit("\n")).alias(LINE),
        )
    )


@dataclass(frozen=True, eq=False)
class _Found:
    """A source that was looked up: whose files they are, the rows of a table (None for lines), and about its size."""

    owned: tuple[tuple[Origin, tuple[_File, ...]], ...]
    table: DataFrame | None
    bytes: int


def _find_frame(spark: SparkSession, frame: Any, owner: str, number: int, schema: Schema) -> _Found:
    from pyspark.sql import functions as sql

    name = f"table {number} ({type(frame).__module__.partition('.')[0]} {type(frame).__name__})"
    file = _File(f"data frame {number}", "", 0)
    table = _mark(frame, schema, sql.lit(number_file(file.key)), sql.spark_partition_id())
    return _Found(((_table_origin(frame, name, owner, schema), (file,)),), table, _guess_bytes(spark, frame))


def _find_path(
    spark: SparkSession, path: str, named: str | None, schema: Schema, format: str | None, formats: dict[str, Format]
) -> _Found:
    """What a path means; `formats` are those of files with the same endings that were opened before."""
    from pyspark.sql import functions as sql

    files = tuple(_list_files(spark, path))
    ending = "".join(PurePosixPath(files[0].path).suffixes)
    if ending not in formats:
        formats[ending] = _tell_format(spark, files[0], schema, format)
    runs, size = schema is RUNS, sum(file.unpacked for file in files)
    strip = name_run if runs else strip_endings
    origin = Origin(path, named or strip(path.rstrip("/")))
    table = None
    if formats[ending] != "lines":
        whole = _read_table(spark, path, files[0], formats[ending])
        origin = _table_origin(whole, path, origin.owner, schema)
        number = sql.crc32(sql.col("_metadata.file_path"))
        table = _mark(whole, schema, number, sql.col("_metadata.file_block_start"))
    if not runs or origin.by or len(files) == 1:
        return _Found(((origin, files),), table, size)
    called = [_join_path(path, file.path) for file in files]
    each = (replace(origin, name=name, owner=strip(name)) for name in called)
    return _Found(tuple((one, (file,)) for one, file in zip(each, files, strict=True)), table, size)


@dataclass(frozen=True)
class _File:
    """A file: how Spark's rows name it, how it is opened, and its size."""

    key: str
    path: str
    size: int

    @property
    def unpacked(self) -> int:
        """About how many bytes it holds."""
        return self.size * _PACKED.get(PurePosixPath(self.path).suffix, 1)


def _list_files(spark: SparkSession, path: str) -> list[_File]:
    """The files that a path means on whatever file system it names: itself, those in a folder, or of a pattern."""
    java: Any = spark.sparkContext._jvm
    configuration = spark.sparkContext._jsc.hadoopConfiguration()
    try:
        place = java.org.apache.hadoop.fs.Path(path)
        system = place.getFileSystem(configuration)
        found = []
        named = system.exists(place)
        for status in [system.getFileStatus(place)] if named else system.globStatus(place) or []:
            if not status.isDirectory():
                found.append(status)
                continue
            _refuse_log(path, [one.getPath().getName() for one in system.listStatus(status.getPath())])
            inside = system.listFiles(status.getPath(), True)
            while inside.hasNext():
                one = inside.next()
                below = one.getPath().toString().removeprefix(status.getPath().toString())
                if not any(part.startswith((".", "_")) for part in below.split("/")):
                    found.append(one)
    except CallError:
        raise
    except Exception as error:  # whatever the file system's own library raises
        raise CallError(f"Spark cannot open {path!r}: {first_words(error)}") from error
    if not found:
        raise CallError(f"There is no file {path!r}.")
    files = [_File(_key(one.getPath().toUri().toString()), one.getPath().toString(), one.getLen()) for one in found]
    return sorted(files, key=lambda file: file.path)


def _refuse_log(path: str, names: Sequence[str]) -> None:
    """Refuse a folder whose own log says which of its files count."""
    kind = next((_TABLE_FORMATS[name] for name in names if name in _TABLE_FORMATS), None)
    if kind is None and {"data", "metadata"} <= set(names):
        kind = "Iceberg"
    if kind is not None:
        raise CallError(
            f"{path!r} is a {kind} table, some files of which may not count any more. Give it as a data frame: "
            f"spark.table('NAME'), or spark.read.format('{kind.lower()}').load(...)"
        )


def _key(address: str) -> str:
    """An address as rows have it (`_metadata.file_path`)."""
    return re.sub("^file:/+", "file:/", address)


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


def _join_path(folder: str, file: str) -> str:
    """What messages call a file of a folder, or of a pattern."""
    return str(PurePosixPath(folder) / PurePosixPath(file).name) if "*" not in folder else file


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


def _table_origin(frame: DataFrame, name: str, owner: str, schema: Schema) -> Origin:
    titles = [title for title in frame.columns if title != CORRUPT]
    found = find_columns(titles, name, schema)
    if "level" in schema.needed and "level" not in found:
        raise refuse_columns(titles, name, schema, ["level"])
    by = found.get("run" if schema is RUNS else "assessor")
    return Origin(
        name,
        owner,
        lines=False,
        topic=titles[found["topic"]],
        by="" if by is None else titles[by],
        width=len(titles),
    )


def _mark(frame: DataFrame, schema: Schema, file: Any, start: Any) -> DataFrame:
    """The known columns of a table, and where each row stands."""
    from pyspark.sql import functions as sql

    known = [title for title, what in zip(frame.columns, tell_columns(frame.columns, schema), strict=True) if what]
    columns = [sql.col(f"`{title}`") for title in [*known, *({CORRUPT} & set(frame.columns))]]
    return frame.select(file.alias(FILE), start.cast("bigint").alias(START), *columns)


def _guess_bytes(spark: SparkSession, frame: DataFrame) -> int:
    """About how many bytes a data frame holds, by the files behind it; else by counting its rows."""
    files = [file for path in frame.inputFiles() for file in _list_files(spark, unquote(path))]
    return sum(file.unpacked for file in files) if files else 50 * frame.count()
