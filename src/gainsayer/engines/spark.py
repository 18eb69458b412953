"""The `spark` engine: the work of a bucket on the workers of a cluster. Only `spark*.py` knows pyspark.

    files or tables ──Spark's readers──▶ rows ──cut──▶ pieces ──cogroup by bucket──▶ waists ──▶ driver, joined

Spark brings the readers for HDFS, S3, Delta and Hive, spilling, repeated attempts and the machines; what is done with
the rows is what every engine does (`arrow_pieces`, `bucket_parts`, `waists`). An error of ours travels back as a row
and is raised on the driver as itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gainsayer.engines.arrow_pieces import FILE, make_batch
from gainsayer.engines.bucket_parts import (
    SURVEYS,
    Part,
    RunKey,
    make_bucket_waist,
    read_survey,
    survey_batches,
)
from gainsayer.engines.error_words import as_words, join_errors
from gainsayer.engines.jobs import Job
from gainsayer.engines.packing import pack, unpack
from gainsayer.engines.spark_session import open_session, spark_errors
from gainsayer.engines.spark_tables import Rows, read_rows
from gainsayer.engines.waists import Task, Waist, join_waists
from gainsayer.errors import CallError, FormatError, GainsayerError
from gainsayer.judgments.survey import Meaning, join_surveys
from gainsayer.rankings.ranking import Ties
from gainsayer.tables.cells import cell_text
from gainsayer.tables.columns import ASCII_BLANKS, JUDGMENTS, RUNS
from gainsayer.text import is_on_command_line, on_command_line, option

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

WAISTS: Final = "bucket int, waist binary, kind string, words string"
_BUCKET_BYTES: Final = 1 << 26
_MOST_BUCKETS: Final = 1 << 14


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
    report = job.progress or (lambda *_: None)
    report("Starting Spark", 0.0)
    spark = open_session(job.master)
    report("Looking through the judgments on Spark", 0.1)
    whole = survey(spark, job)
    report("Working through buckets on Spark", 0.2)
    waists = make_waists(whole)
    try:
        with spark_errors():
            return join_waists([unpack(bytes(row.waist)) for row in waists.toLocalIterator()])
    finally:
        waists.unpersist()


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
    look = partial(survey_batches, files=judged.files, meaning=meaning, to_command_line=is_on_command_line())
    with spark_errors():
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
        raise CallError(
            f"Spark does not keep the order of lines, so {option('ties', 'input')} needs "
            f"{option('engine', 'embedded')}."
        )
    if meaning.repeats == "as-assessors":
        raise CallError(
            f"Repeated judgments as those of several assessors ({option('repeats', 'as-assessors')}) need "
            f"{option('engine', 'embedded')}."
        )
    if meaning.raters:
        raise CallError(
            f"Tables with a column of levels per rater need {option('engine', 'embedded')}; or give each judgment a "
            "row, with the columns topic, document, assessor, level."
        )
    if meaning.diversity:
        raise CallError(f"Judgments by intent need {option('engine', 'embedded')}.")


def _list_runs(ranked: Rows) -> Iterator[RunKey]:
    """The source of each run, and its name in the run column, where there is one."""
    from pyspark.sql import functions as sql

    inside: dict[int, set[str]] = {}
    for table in ranked.tables:
        for title in {origin.by for origin in ranked.files.origins if origin.by} & set(table.columns):
            with spark_errors():
                found = table.select(sql.col(f"`{FILE}`"), sql.col(f"`{title}`")).distinct().collect()
            for file, name in found:
                owner = ranked.files.owners[ranked.files.places[file]]
                inside.setdefault(owner, set()).add(cell_text(name, "run").strip(ASCII_BLANKS))
    for place, origin in enumerate(ranked.files.origins):
        yield from [(place, name) for name in sorted(inside[place])] if origin.by else [(place, "")]


def make_waists(whole: Whole) -> DataFrame:
    """The waists of all buckets, made by the workers.

    Returns:
        A data frame with the columns `bucket` and `waist`, which is kept until it is unpersisted.

    Raises:
        GainsayerError: a worker found a fault.
    """
    from pyspark.sql import functions as sql

    pieces = whole.judgments.cut(whole.buckets).groupBy("bucket")
    if whole.runs is None:
        made = pieces.applyInArrow(bucket_work(whole), WAISTS)
    else:
        made = pieces.cogroup(whole.runs.cut(whole.buckets).groupBy("bucket")).applyInArrow(bucket_work(whole), WAISTS)
    made = made.persist()
    with spark_errors():
        faults = made.filter(sql.col("kind").isNotNull()).select("kind", "words").collect()
    _raise_faults(faults)
    return made


def bucket_work(whole: Whole) -> Callable[..., pa.Table]:
    """What a worker does with a bucket: a function from its pieces to a table with its waist, or with what is wrong."""
    judged, ranked = whole.judgments.files, None if whole.runs is None else whole.runs.files
    meaning, task, keys = whole.meaning, whole.task, whole.keys
    to_command_line = is_on_command_line()  # which a worker does not know by itself

    def work(pieces: pa.Table, more: pa.Table) -> pa.Table:
        import pyarrow as pa

        number = (pieces if len(pieces) else more)["bucket"][0].as_py()
        row: tuple[Any, ...]
        try:
            with on_command_line(to_command_line):
                runs = None if ranked is None else Part.of(more, ranked)
                waist = make_bucket_waist(Part.of(pieces, judged), runs, meaning, task, keys)
            row = (number, pack(waist), None, None)
        except GainsayerError as error:
            row = (number, None, *as_words(error))
        return pa.Table.from_batches([make_batch([row], WAISTS)])

    def work_alone(pieces: pa.Table) -> pa.Table:
        return work(pieces, pieces)

    return work_alone if ranked is None else work


def _raise_faults(rows: Sequence[Any]) -> None:
    faults = [(row.kind, row.words) for row in rows if row.kind is not None]
    if faults:
        raise join_errors(faults)
