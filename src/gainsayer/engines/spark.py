"""The `spark` engine: the work of a bucket on the workers of a cluster. The only file that knows pyspark.

    files or tables ──Spark's readers──▶ rows ──cut──▶ pieces ──cogroup by bucket──▶ waists ──▶ driver, joined

Spark brings the readers for HDFS, S3, Delta and Hive, spilling, repeated attempts and the machines; what is done with
the rows is what every engine does (`arrow_pieces`, `waists`). An error of ours travels back as a row and is raised on
the driver as itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from urllib.parse import unquote

from gainsayer.comparison.distant_runs import SumAnswer, join_answers
from gainsayer.comparison.double_judgments import DoubleJudgments
from gainsayer.comparison.topic_sums import MOST_LEFT_OUT
from gainsayer.engines.arrow_pieces import (
    CORRUPT,
    FILE,
    LINE,
    PIECES,
    START,
    SURVEYS,
    Files,
    Origin,
    Part,
    RunKey,
    as_words,
    cut_lines,
    cut_table,
    join_errors,
    make_batch,
    make_bucket_waist,
    number_file,
    read_survey,
    survey_batches,
)
from gainsayer.engines.bucket_sums import BucketQuestion, answer_buckets, count_groups, deal_doubles, unpack_answer
from gainsayer.engines.jobs import Job
from gainsayer.engines.packing import FORMAT, pack, unpack
from gainsayer.engines.waists import Task, Waist, join_waists, without_hits
from gainsayer.errors import CallError, DataError, FormatError, GainsayerError
from gainsayer.judgments.survey import Meaning, join_surveys
from gainsayer.rankings.ranking import Ties
from gainsayer.runs.files import name_run
from gainsayer.tables.cells import cell_text
from gainsayer.tables.columns import ASCII_BLANKS, JUDGMENTS, RUNS, Schema, find_columns, tell_columns
from gainsayer.tables.files import split_header, strip_endings, tell_table

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

Format: TypeAlias = Literal["lines", "csv", "tsv", "parquet"]
INSTALL: Final = "pip install 'gainsayer[spark]'"
WAISTS: Final = "bucket int, waist binary, kind string, words string"
_BUCKET_BYTES: Final = 1 << 26
_MOST_BUCKETS: Final = 1 << 14
_PACKED: Final = {".gz": 5, ".bz2": 6, ".zst": 5, ".parquet": 3}
_ATTEMPTS: Final = 3
_SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
_LOGGING: Final = Path(__file__).resolve().with_name("log4j2.properties")
_TABLE_FORMATS: Final = {"_delta_log": "Delta", ".hoodie": "Hudi"}


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
        raise CallError(f"engine='spark' needs pyspark, which is not installed: {INSTALL}") from None
    there = SparkSession.getActiveSession()
    if there is not None:
        return there
    if master is None and _SUBMITTED in os.environ:
        return SparkSession.builder.getOrCreate()  # whoever submits has said where and how
    master = master or "local[*]"
    local = re.fullmatch(r"local(?:\[(\*|\d+)(?:,\d+)?\])?", master)
    if _find_java() is None:
        raise CallError(
            "engine='spark' needs Java 17 or later, which was not found: apt-get install openjdk-17-jre-headless, or "
            "set JAVA_HOME to where it is."
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
            raise CallError(f"Spark did not start with the master {master!r}: {_first_words(error)}") from error


def _find_java() -> str | None:
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


def _first_words(error: BaseException) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0][:300]


@dataclass(frozen=True, eq=False)
class Rows:
    """Sources of judgments or runs on Spark, not read yet.

    Args:
        files: the files behind them, and whose they are.
        lines: the rows of TREC text (file, start, line); None where there is none.
        tables: the rows of each table (file, start, its known columns).
        sizes: path, bytes and time of the last change of each file; empty where something is no file.
        rows: how many rows there are, where only counting tells the size.
    """

    files: Files
    lines: DataFrame | None
    tables: tuple[DataFrame, ...]
    sizes: tuple[tuple[str, int, int], ...]
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

    Args:
        spark: the session.
        sources: paths of any file system that Spark knows, or data frames; pairs `(name, source)` name whose it is.
        schema: what they hold, `JUDGMENTS` or `RUNS`.
        format: what files are, where their names do not tell.

    A folder of judgments is one source. A folder of runs is one where its tables have a run column; else each file is a
    run of its own.

    Raises:
        CallError: there is no such file, or it is of a kind that only other engines read.
        FormatError: a table lacks a column.
    """
    from pyspark.sql import functions as sql

    runs = schema is RUNS
    origins: list[Origin] = []
    owners: list[int] = []
    places: dict[int, int] = {}
    texts: list[str] = []
    tables: list[DataFrame] = []
    sizes: list[tuple[str, int, int]] = []
    total = 0

    def own(files: Sequence[_File], origin: Origin) -> None:
        for file in files:
            places[number_file(file.key)] = len(owners)
            owners.append(len(origins))
        origins.append(origin)

    formats: dict[str, Format] = {}
    for number, given in enumerate(sources, start=1):
        named, source = given if isinstance(given, tuple) else (None, given)
        if not isinstance(source, str | os.PathLike):
            frame: Any = source
            name = f"table {number} ({type(frame).__module__.partition('.')[0]} {type(frame).__name__})"
            label = "run" if runs else "labels"
            owner = named or (f"{label} {number}" if len(sources) > 1 else label)
            key = f"data frame {number}"
            own([_File(key, "", 0, 0)], _table_origin(frame, name, owner, schema))
            tables.append(_mark(frame, schema, sql.lit(number_file(key)), sql.spark_partition_id()))
            total += _guess_bytes(spark, frame)
            continue
        path = os.fspath(source)
        files = _list_files(spark, path)
        ending = "".join(PurePosixPath(files[0].path).suffixes)
        if ending not in formats:
            formats[ending] = _tell_format(spark, files[0], schema, format)
        kind = formats[ending]
        sizes += [(file.key, file.size, file.changed) for file in files]
        total += sum(file.unpacked for file in files)
        strip = name_run if runs else strip_endings
        if kind == "lines":
            groups = [[file] for file in files] if runs else [files]
            for group in groups:
                shown = path if len(files) == 1 or not runs else _join_path(path, group[0].path)
                own(group, Origin(shown, named or strip(unquote(shown))))
            texts += [file.path for file in files]
            continue
        whole = _read_table(spark, path, files[0], kind)
        origin = _table_origin(whole, path, named or strip(unquote(path.rstrip("/"))), schema)
        if runs and not origin.by and len(files) > 1:
            for file in files:
                shown = _join_path(path, file.path)
                own([file], replace(origin, name=shown, owner=strip(unquote(shown))))
        else:
            own(files, origin)
        meta = sql.col("_metadata.file_path")
        tables.append(_mark(whole, schema, sql.crc32(meta), sql.col("_metadata.file_block_start")))
    lines = None
    if texts:
        read = spark.read.option("lineSep", "\n").text([_escape(path) for path in texts])
        lines = read.select(
            sql.crc32(sql.col("_metadata.file_path")).alias(FILE),
            sql.col("_metadata.file_block_start").alias(START),
            sql.concat(sql.col("value"), sql.lit("\n")).alias(LINE),
        )
    assert len(places) == len(owners), "two files have one number"
    files_known = Files(places, tuple(origins), tuple(owners))
    complete = all(isinstance(one[1] if isinstance(one, tuple) else one, str | os.PathLike) for one in sources)
    return Rows(files_known, lines, tuple(tables), tuple(sizes) if complete else (), total)


@dataclass(frozen=True)
class _File:
    """A file: how Spark's rows name it, how it is opened, its size and when it was changed."""

    key: str
    path: str
    size: int
    changed: int

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
        raise CallError(f"Spark cannot open {path!r}: {_first_words(error)}") from error
    if not found:
        raise CallError(f"There is no file {path!r}.")
    files = [
        _File(_key(one.getPath().toUri().toString()), one.getPath().toString(), one.getLen(), one.getModificationTime())
        for one in found
    ]
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
        f"engine='spark' reads TREC text, CSV, TSV and Parquet; {file.path} is {found}. Make it one of these, or use "
        "engine='embedded'."
    )


def _first_line(spark: SparkSession, file: _File) -> str:
    read = spark.read.option("lineSep", "\n").text(_escape(file.path)).head()
    return "" if read is None else str(read[0]) + "\n"


def _escape(path: str) -> str:
    """A path for Spark's readers, which take every path as a pattern."""
    return re.sub(r"([\\{}\[\]*?^])", r"\\\1", path)


def _join_path(folder: str, file: str) -> str:
    return str(PurePosixPath(folder) / PurePosixPath(unquote(file)).name) if "*" not in folder else file


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


@dataclass(frozen=True, eq=False)
class Whole:
    """What only the whole can say, and where the rows are.

    Args:
        judgments: the rows of judgments.
        runs: the rows of runs; None where only judgments are wanted.
        meaning: what labels mean.
        task: what every bucket needs to know.
        keys: the source of each run, and its name in the run column, where there is one.
        buckets: how many.
    """

    judgments: Rows
    runs: Rows | None
    meaning: Meaning
    task: Task
    keys: tuple[RunKey, ...]
    buckets: int


def gather(job: Job) -> Waist:
    """The waist of all topics, made by Spark's workers and joined on the driver: the `spark` engine.

    Raises:
        CallError: pyspark or Java is not installed, a file is not there, or Spark does not serve what was asked for.
        GainsayerError: something is wrong with the data, in the words of its reader.
    """
    made = _make(job)
    try:
        return made.join()
    finally:
        made.frame.unpersist()


def spread(job: Job) -> tuple[Waist, Waists | None]:
    """The same, but that runs stay with the workers where there are so many topics that only sums are needed.

    Returns:
        The waist, and who holds what the runs returned; None where everything was gathered.
    """
    made = _make(job)
    waist = made.join(hits=False)
    groups = count_groups(len(waist.topics), made.buckets)
    if len(waist.topics) <= MOST_LEFT_OUT or waist.strata or groups is None:
        waist = made.join()
        made.frame.unpersist()
        return waist, None
    weakref.finalize(made, made.frame.unpersist).atexit = False
    return waist, made


def _make(job: Job) -> Waists:
    report = job.progress or (lambda *_: None)
    report("Starting Spark", 0.0)
    spark = open_session(job.master)
    report("Looking through the judgments on Spark", 0.1)
    whole = survey(spark, job)
    report("Working through buckets on Spark", 0.2)
    frame = make_waists(spark, whole, work=None if job.work is None else os.fspath(job.work))
    return Waists(spark, frame, whole.buckets)


@dataclass(frozen=True, eq=False)
class Waists:
    """The waists of all buckets, where the workers keep them.

    Args:
        spark: the session.
        frame: a data frame with the columns `bucket` and `waist`.
        buckets: how many there are.
    """

    spark: SparkSession
    frame: DataFrame
    buckets: int

    def join(self, *, hits: bool = True) -> Waist:
        """One waist of all topics, on the driver; without `hits` what the runs returned stays where it is."""
        frame = self.frame if hits else self.frame.mapInArrow(_drop_hits, "bucket int, waist binary")
        with _spark_errors():
            return join_waists([unpack(bytes(row.waist)) for row in frame.toLocalIterator()])

    def sum_over_buckets(self, question: BucketQuestion, doubles: Sequence[DoubleJudgments]) -> SumAnswer:
        """Sums over all topics, made by the workers, each of whole blocks; nothing else comes back.

        Args:
            question: what is asked.
            doubles: what the double judgments of all topics bring.
        """
        from pyspark.sql import functions as sql

        groups = count_groups(question.request.plan.topics, self.buckets)
        assert groups is not None
        group = sql.floor(sql.col("bucket") * groups / self.buckets).cast("int")
        dealt = [(number, bytearray(packed)) for number, packed in deal_doubles(doubles, groups).items()]
        beside = self.spark.createDataFrame(dealt, "group int, dealt binary")
        kept = self.frame.select(group.alias("group"), "waist").repartition(groups, "group")
        both = kept.groupBy("group").cogroup(beside.repartition(groups, "group").groupBy("group"))
        made = both.applyInArrow(sum_work(question), "answer binary, kind string, words string")
        with _spark_errors():
            rows = made.collect()
        _raise_faults(rows)
        return join_answers(unpack_answer(bytes(row.answer)) for row in rows)


def _drop_hits(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        rows = batch.to_pydict()
        light = [pack(without_hits(unpack(packed))) for packed in rows["waist"]]
        yield make_batch(list(zip(rows["bucket"], light, strict=True)), "bucket int, waist binary")


def sum_work(question: BucketQuestion) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """What a worker does with a group of buckets: a function from their waists to a table with sums over topics."""

    def work(waists: pa.Table, dealt: pa.Table) -> pa.Table:
        import pyarrow as pa

        row: tuple[Any, ...]
        try:
            beside = dealt["dealt"][0].as_py() if len(dealt) else None
            row = (answer_buckets(waists["waist"].to_pylist(), beside, question), None, None)
        except GainsayerError as error:
            row = (None, *as_words(error))
        return pa.Table.from_batches([make_batch([row], "answer binary, kind string, words string")])

    return work


def survey(spark: SparkSession, job: Job) -> Whole:
    """Look through the judgments for levels and assessors, and for the names of runs: what all buckets need to know.

    Raises:
        CallError: Spark does not serve what was asked for, or there is no such file.
        GainsayerError: something is wrong with the judgments.
    """
    _refuse(job.meaning, job.ties)
    judged = read_rows(spark, job.judgments, JUDGMENTS, format=job.meaning.format)
    ranked = read_rows(spark, job.runs, RUNS) if job.runs else None
    meaning = replace(job.meaning, format="qrels")  # what workers have in files is text
    look = partial(survey_batches, files=judged.files, meaning=meaning)
    with _spark_errors():
        found = judged.map(look, look, SURVEYS).collect()
    _raise_faults(found)
    if not found:
        raise FormatError(f"{judged.files.origins[0].name} is empty: expected judgments, found none.")
    keys = () if ranked is None else tuple(_list_runs(ranked))
    runs = () if ranked is None else tuple(ranked.files.origins[place].name for place, _ in keys)
    total = judged.bytes + (0 if ranked is None else ranked.bytes)
    parallel = spark.sparkContext.defaultParallelism
    wanted = min(max(2 * parallel, -(-total // _BUCKET_BYTES)), _MOST_BUCKETS)
    called = replace(job, judgments=tuple(origin.name for origin in judged.files.origins))
    return Whole(
        judgments=judged,
        runs=ranked,
        meaning=meaning,
        task=called.settle(join_surveys(read_survey(row.survey) for row in found), runs=runs),
        keys=keys,
        buckets=job.buckets or 1 << (wanted - 1).bit_length(),  # a power of two, as blocks of topics are
    )


def _refuse(meaning: Meaning, ties: Ties) -> None:
    """Refuse what needs the order of all rows, or more than their topic."""
    if ties == "input":
        raise CallError("Spark does not keep the order of lines, so ties='input' needs engine='embedded'.")
    if meaning.repeats == "as-assessors":
        raise CallError(
            "Repeated judgments as those of several assessors (repeats='as-assessors') need engine='embedded'."
        )
    if meaning.wide or meaning.raters:
        raise CallError(
            "Tables with a column of levels per rater need engine='embedded'; or give each judgment a row, with the "
            "columns topic, document, assessor, level."
        )
    if meaning.diversity:
        raise CallError("Judgments by intent need engine='embedded'.")


def _list_runs(ranked: Rows) -> Iterator[RunKey]:
    """The source of each run, and its name in the run column, where there is one."""
    from pyspark.sql import functions as sql

    inside: dict[int, set[str]] = {}
    for table in ranked.tables:
        for title in {origin.by for origin in ranked.files.origins if origin.by} & set(table.columns):
            with _spark_errors():
                found = table.select(sql.col(f"`{FILE}`"), sql.col(f"`{title}`")).distinct().collect()
            for file, name in found:
                owner = ranked.files.owners[ranked.files.places[file]]
                inside.setdefault(owner, set()).add(cell_text(name, "run").strip(ASCII_BLANKS))
    for place, origin in enumerate(ranked.files.origins):
        yield from [(place, name) for name in sorted(inside[place])] if origin.by else [(place, "")]


def make_waists(spark: SparkSession, whole: Whole, *, work: str | None = None) -> DataFrame:
    """The waists of all buckets, made by the workers; kept in the work folder, where there is one.

    A folder there is named by what it was made from. One that is whole is read again; one that was left half-written
    has no `_SUCCESS` and is made anew.

    Args:
        spark: the session.
        whole: what `survey` found.
        work: a folder on any file system that Spark and its workers can write to.

    Returns:
        A data frame with the columns `bucket` and `waist`.

    Raises:
        GainsayerError: a worker found a fault.
    """
    from pyspark.sql import functions as sql

    pieces = whole.judgments.cut(whole.buckets).groupBy("bucket")
    if whole.runs is None:
        made = pieces.applyInArrow(bucket_work(whole), WAISTS)
    else:
        made = pieces.cogroup(whole.runs.cut(whole.buckets).groupBy("bucket")).applyInArrow(bucket_work(whole), WAISTS)
    if work is None:
        made = made.persist()
    else:
        folder = f"{work.rstrip('/')}/waists-{_fingerprint(whole)}"
        if not _is_whole(spark, folder):
            with _spark_errors():
                made.write.mode("overwrite").parquet(folder)
        made = spark.read.parquet(folder)
    with _spark_errors():
        faults = made.filter(sql.col("kind").isNotNull()).select("kind", "words").collect()
    if faults and work is not None:
        _remove(spark, folder)
    _raise_faults(faults)
    return made.select("bucket", "waist")


def bucket_work(whole: Whole) -> Callable[..., pa.Table]:
    """What a worker does with a bucket: a function from its pieces to a table with its waist, or with what is wrong."""
    judged, ranked = whole.judgments.files, None if whole.runs is None else whole.runs.files
    meaning, task, keys = whole.meaning, whole.task, whole.keys

    def work(pieces: pa.Table, more: pa.Table) -> pa.Table:
        import pyarrow as pa

        number = (pieces if len(pieces) else more)["bucket"][0].as_py()
        row: tuple[Any, ...]
        try:
            runs = None if ranked is None else Part.of(more, ranked)
            waist = make_bucket_waist(Part.of(pieces, judged), runs, meaning, task, keys)
            row = (number, pack(waist), None, None)
        except GainsayerError as error:
            row = (number, None, *as_words(error))
        return pa.Table.from_batches([make_batch([row], WAISTS)])

    def work_alone(pieces: pa.Table) -> pa.Table:
        return work(pieces, pieces)

    return work_alone if ranked is None else work


def _fingerprint(whole: Whole) -> str:
    """A name for what waists are made from: other files, labels or buckets have another."""
    if not whole.judgments.sizes or (whole.runs is not None and not whole.runs.sizes):
        return os.urandom(8).hex()  # data frames may change behind our back
    made_from = [
        FORMAT,
        whole.judgments.sizes,
        whole.runs and whole.runs.sizes,
        whole.meaning,
        whole.task,
        whole.buckets,
    ]

    def plain(value: Any) -> Any:
        return (
            sorted(value)
            if isinstance(value, frozenset)
            else dict(value)
            if isinstance(value, Mapping)
            else vars(value)
        )

    text = json.dumps(made_from, default=plain, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _is_whole(spark: SparkSession, folder: str) -> bool:
    java: Any = spark.sparkContext._jvm
    place = java.org.apache.hadoop.fs.Path(f"{folder}/_SUCCESS")
    return bool(place.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).exists(place))


def _remove(spark: SparkSession, folder: str) -> None:
    java: Any = spark.sparkContext._jvm
    place = java.org.apache.hadoop.fs.Path(folder)
    place.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).delete(place, True)


@contextmanager
def _spark_errors() -> Iterator[None]:
    """What goes wrong in Spark itself, in one sentence; its own words are the cause."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise DataError(f"Spark could not finish the work: {_first_words(error)}") from error


def _raise_faults(rows: Sequence[Any]) -> None:
    faults = [(row.kind, row.words) for row in rows if row.kind is not None]
    if faults:
        raise join_errors(faults)
