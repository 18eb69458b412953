"""The `spark` engine: the work of a bucket on the workers of a cluster. Only `spark*.py` knows pyspark.

    files or tables ──Spark's readers──▶ rows ──cut──▶ pieces ──cogroup by bucket──▶ waists ──▶ driver, joined

Spark brings the readers for HDFS, S3, Delta and Hive, spilling, repeated attempts and the machines; what is done with
the rows is what every engine does (`arrow_pieces`, `bucket_parts`, `waists`). An error of ours travels back as a row
and is raised on the driver as itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gainsayer.comparison.distant_runs import SumAnswer, join_answers
from gainsayer.comparison.double_judgments import DoubleJudgments
from gainsayer.comparison.topic_sums import MOST_LEFT_OUT
from gainsayer.engines.arrow_pieces import FILE, make_batch
from gainsayer.engines.bucket_parts import (
    SURVEYS,
    Part,
    RunKey,
    make_bucket_waist,
    read_survey,
    survey_batches,
)
from gainsayer.engines.bucket_sums import (
    BucketQuestion,
    answer_buckets,
    count_groups,
    deal_doubles,
    pack_answer,
    unpack_answer,
)
from gainsayer.engines.error_words import as_words, join_errors
from gainsayer.engines.jobs import Job
from gainsayer.engines.packing import FORMAT, pack, unpack
from gainsayer.engines.spark_session import open_session, spark_errors
from gainsayer.engines.spark_tables import Rows, read_rows
from gainsayer.engines.waists import Task, Waist, join_waists, without_hits
from gainsayer.errors import CallError, FormatError, GainsayerError
from gainsayer.judgments.survey import Meaning, join_surveys
from gainsayer.rankings.ranking import Ties
from gainsayer.tables.cells import cell_text
from gainsayer.tables.columns import ASCII_BLANKS, JUDGMENTS, RUNS

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

WAISTS: Final = "bucket int, waist binary, kind string, words string"
SUMS: Final = "group int, answer binary, kind string, words string"
_BUCKET_BYTES: Final = 1 << 26
_MOST_BUCKETS: Final = 1 << 14
_GROUP_LISTS: Final = 1 << 20
_ADDED: Final = 16
"""How many lists a worker sums up at once, and how many sums are added up before they come to the driver."""


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
        with spark_errors():
            return join_waists([unpack(bytes(row.waist)) for row in frame.toLocalIterator()])

    def sum_over_buckets(self, question: BucketQuestion, doubles: Sequence[DoubleJudgments]) -> SumAnswer:
        """Sums over all topics, made by the workers, each of whole blocks; nothing else comes back.

        Args:
            question: what is asked.
            doubles: what the double judgments of all topics bring.
        """
        from pyspark.sql import functions as sql

        plan = question.request.plan
        whole = count_groups(plan.topics, self.buckets)
        assert whole is not None
        wanted = max(2 * self.spark.sparkContext.defaultParallelism, plan.topics * plan.runs // _GROUP_LISTS)
        groups = min(whole, 1 << (wanted - 1).bit_length())
        group = sql.floor(sql.col("bucket") * groups / self.buckets).cast("int")
        dealt = [(number, bytearray(packed)) for number, packed in deal_doubles(doubles, groups).items()]
        beside = self.spark.createDataFrame(dealt, "group int, dealt binary")
        kept = self.frame.select(group.alias("group"), "waist").repartition(groups, "group")
        both = kept.groupBy("group").cogroup(beside.repartition(groups, "group").groupBy("group"))
        made = both.applyInArrow(sum_work(question), SUMS)
        if groups > _ADDED:  # some are added up before they travel
            some = sql.floor(sql.col("group") / _ADDED).alias("some")
            made = made.groupBy(some).applyInArrow(_add_answers, SUMS)
        with spark_errors():
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

        number = waists["group"][0].as_py() if len(waists) else 0
        row: tuple[Any, ...]
        try:
            beside = dealt["dealt"][0].as_py() if len(dealt) else None
            row = (number, answer_buckets(waists["waist"].to_pylist(), beside, question), None, None)
        except GainsayerError as error:
            row = (number, None, *as_words(error))
        return pa.Table.from_batches([make_batch([row], SUMS)])

    return work


def _add_answers(answers: pa.Table) -> pa.Table:
    """The answers of some groups, which follow one another, as one; what went wrong stays as it is."""
    import pyarrow as pa

    rows = answers.select(["group", "answer", "kind", "words"]).to_pylist()
    wrong = [tuple(row.values()) for row in rows if row["kind"] is not None]
    if wrong:
        return pa.Table.from_batches([make_batch(wrong, SUMS)])
    joined = pack_answer(join_answers(unpack_answer(row["answer"]) for row in rows))
    return pa.Table.from_batches([make_batch([(rows[0]["group"], joined, None, None)], SUMS)])


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
            with spark_errors():
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
            with spark_errors():
                made.write.mode("overwrite").parquet(folder)
        made = spark.read.parquet(folder)
    with spark_errors():
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
    every = (*whole.judgments.sizes, *(() if whole.runs is None else whole.runs.sizes))
    if any(changed == 0 for _, _, changed in every):
        return os.urandom(8).hex()  # data frames may change behind our back

    def plain(value: Any) -> Any:
        if isinstance(value, frozenset):
            return sorted(value)
        return dict(value) if isinstance(value, Mapping) else vars(value)

    text = json.dumps([FORMAT, every, whole.meaning, whole.task, whole.buckets], default=plain, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _is_whole(spark: SparkSession, folder: str) -> bool:
    java: Any = spark.sparkContext._jvm
    place = java.org.apache.hadoop.fs.Path(f"{folder}/_SUCCESS")
    return bool(place.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).exists(place))


def _remove(spark: SparkSession, folder: str) -> None:
    java: Any = spark.sparkContext._jvm
    place = java.org.apache.hadoop.fs.Path(folder)
    place.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).delete(place, True)


def _raise_faults(rows: Sequence[Any]) -> None:
    faults = [(row.kind, row.words) for row in rows if row.kind is not None]
    if faults:
        raise join_errors(faults)
