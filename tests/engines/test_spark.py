"""What Spark's workers do, without Spark, and the engine where it is not installed; tests/slow/spark starts Spark."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import polars as pl
import pyarrow as pa
import pytest

import gainsayer as gs
from gainsayer.engines import spark
from gainsayer.engines.spark import FILE, LINE, START, Fault, parse_batches, work_bucket
from gainsayer.engines.waist import JUDGED, RANKED, Origin, parse_judgments, parse_run
from gainsayer.errors import CallError, FormatError
from gainsayer.reading import InterleavedError

WITH_ERROR = pl.Schema([*JUDGED.items(), ("error", pl.String())])
TABLE = Origin("t", "x", "cells", ("qid", "docno", "rel"))
CSV = Origin("a.csv", "x", "csv", ("qid", "docno", "rel"), b"qid,docno,rel\n")


def parse(rows: Sequence[tuple[int, int, bytes]] | pl.DataFrame, *origins: Origin, size: int = 2) -> pl.DataFrame:
    """Lines as (file, start, line), or rows of a table that is file 100, as workers read them some at a time."""
    if isinstance(rows, pl.DataFrame):
        frame = rows.with_columns(pl.lit("100").alias(FILE), pl.lit(0, pl.Int64).alias(START))
    else:
        given = [(str(file), start, line) for file, start, line in rows]
        frame = pl.DataFrame(given, {FILE: pl.String, START: pl.Int64, LINE: pl.Binary}, orient="row")
    batches = parse_batches(
        frame.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches(max_chunksize=size),
        origins=origins,
        files={str(100 + n): (n, n) for n in range(len(origins))},
        parse=parse_judgments,
        schema=WITH_ERROR,
    )
    return pl.DataFrame(pa.Table.from_batches(batches))


def words(found: pl.DataFrame) -> str:
    """The words of the one fault among the rows."""
    [text] = found["error"].drop_nulls()
    [fault] = json.loads(text)
    assert Fault(*fault).kind == "FormatError"
    return Fault(*fault).words


def test_rows_are_numbered_within_a_split() -> None:
    """Lines of several files and splits become rows that know where they stand; blank lines are none."""
    lines = [
        (101, 0, b"\xef\xbb\xbfq1 0 d1 1\n"),
        (101, 0, b" \n"),
        (101, 0, b"q1 0 d2 0\n"),
        (101, 0, b"q2 0 d1 0\r\n"),
    ]
    found = parse([(100, 50, b"q1 0 d1 2\n"), *lines], Origin("a.qrels", "ann"), Origin("b.qrels", "bob"))
    assert found.select("source", "start", "number", "topic", "document", "label", "assessor").rows() == [
        (0, 50, 0, "q1", "d1", "2", None),
        (1, 0, 0, "q1", "d1", "1", None),
        (1, 0, 1, "q1", "d2", "0", None),
        (1, 0, 2, "q2", "d1", "0", None),
    ]


def test_faulty_lines_and_rows_are_quoted() -> None:
    """A fault is told with the source's name and the line or row itself: a worker does not know its number."""
    origin = Origin("a.qrels", "ann")
    assert words(parse([(100, 0, b"q1 0 d1 2\n"), (100, 0, b"q1 0 d2\n"), (100, 0, b"q1 0\n")], origin, size=3)) == (
        "a.qrels, the line 'q1 0 d2': expected 4 columns (topic, iteration, document, level), found 3: 'q1 0 d2'.\n"
        "a.qrels, the line 'q1 0': expected 4 columns (topic, iteration, document, level), found 2: 'q1 0'."
    )
    rows = pl.DataFrame({"qid": ["q1", "q1"], "docno": ["a", ""], "rel": ["0", "1"]})
    assert words(parse(rows, TABLE)) == "t, the row 'q1  1': expected a document, found an empty one."
    lines = [(100, 0, b"qid,docno,rel\n"), (100, 0, b"q1,a,0\n"), (100, 0, b"q1,b\n"), (100, 0, b",b,1\n")]
    assert words(parse(lines, CSV, size=4)) == (
        "a.csv, the line 'q1,b': expected 3 columns as in the header, found 2: 'q1,b'.\n"
        "a.csv, the line ',b,1': expected a topic, found an empty one."
    )
    assert words(parse(pl.DataFrame({"qid": [[1]], "docno": ["a"], "rel": [1]}), TABLE)).startswith(
        "t: expected text or numbers in the topic column 'qid'"
    )


def test_the_header_begins_every_file_of_a_table() -> None:
    """The header is no row, wherever a batch ends; a file of the table that begins otherwise is refused."""
    lines = [
        (100, 0, b" \n"),
        (100, 0, b"\n"),
        (100, 0, b"\xef\xbb\xbfqid,docno,rel\r\n"),
        (100, 0, b'q1,"a,b",2\r\n'),
        (100, 70, b"q1,c,0\r\n"),
    ]
    assert parse(lines, CSV).select("start", "number", "topic", "document", "label").rows() == [
        (0, 1, "q1", "a,b", "2"),
        (70, 0, "q1", "c", "0"),
    ]
    assert words(parse([(100, 0, b"docno,qid,rel\n"), (100, 0, b"a,q1,2\n")], CSV)) == (
        "a.csv: expected each file to begin with 'qid,docno,rel', found 'docno,qid,rel'."
    )


def bucket(frame: pl.DataFrame) -> pa.Table:
    """Rows as Spark hands a bucket over."""
    return frame.with_columns(bucket=pl.lit(0)).to_arrow(compat_level=pl.CompatLevel.oldest())


def work(judged: pl.DataFrame, run: bytes) -> pa.Table:
    """What a worker makes of judgments and one run."""
    ranked = parse_run(run, Origin("a.run", "a")).with_columns(source=0, file=0, start=0, number=pl.int_range(pl.len()))
    schema = pl.Schema([*RANKED.items(), ("error", pl.String())])
    whole = pl.concat([schema.to_frame(), ranked.cast({n: schema[n] for n in ranked.columns})], how="diagonal")
    return work_bucket(bucket(judged), bucket(whole), ["a.run"], ties="trec", depth=None)


JUDGED_LINES = ((100, 0, b"q1 0 d1 1\n"), (100, 0, b"q2 0 d1 0\n"))


def test_faults_reach_the_driver() -> None:
    """A bucket's answer is its waist, or what was found when its rows were read, or when they were matched."""
    origin = Origin("a.qrels", "ann")
    judged = parse(JUDGED_LINES, origin)
    assert work(judged, b"q1 Q0 d1 1 2 x\n")["error"].to_pylist() == [None]
    [told] = work(judged, b"q1 Q0 d1 1 2 x\nq1 Q0 d1 2 1 x\n")["error"].to_pylist()
    [fault] = json.loads(told)
    assert fault[:3] == [True, 0, "FormatError"]
    bad = parse([(100, 0, b"q1 0\n")], origin)
    [told] = work_bucket(bucket(bad), None, [], ties="trec", depth=None)["error"].to_pylist()
    assert Fault(*json.loads(told)[0]).words == words(bad)


def test_topic_with_too_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A topic that is too large for a worker is refused by its name; many small ones are not."""
    monkeypatch.setattr(spark, "MOST_ROWS", 3)
    judged = parse(JUDGED_LINES, Origin("a.qrels", "ann"))

    def rank(sizes: dict[str, int]) -> str | None:
        lines = "".join(f"{topic} Q0 d{n} 1 {-n} x\n" for topic, size in sizes.items() for n in range(size))
        [error] = work(judged, lines.encode())["error"].to_pylist()
        return error  # type: ignore[no-any-return]

    assert rank({"q1": 3, "q2": 3}) is None
    assert "Topic q2 has 4 rows in the runs, and a worker of Spark takes 3" in str(rank({"q1": 1, "q2": 4}))


def test_faults_of_many_workers_are_listed_once() -> None:
    """Of faults in files the first ten are listed; a wrong call comes before them, of a reader's own kind as ours."""
    nowhere = spark.Sources((Origin("nowhere.run", "x"),), {}, (), 0)
    job = spark.Job((), ("nowhere.run",))
    faults = [Fault(True, 0, "FormatError", f"a.run, the line '{n:02}': bad.") for n in (*range(12), 0)]
    error = spark.tell_faults(job, nowhere, nowhere, faults)
    assert isinstance(error, FormatError)
    assert str(error).splitlines() == [
        *(f"a.run, the line '{n:02}': bad." for n in range(10)),
        "... and 2 more like these.",
    ]
    call = spark.tell_faults(job, nowhere, nowhere, [*faults, Fault(True, 0, "CallError", "Too large.")])
    assert (type(call), str(call)) == (CallError, "Too large.")
    assert Fault.of(InterleavedError("t: mixed."), 0, of_runs=True).kind == "DataError"


def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyspark, whoever asks for Spark reads how to install it."""
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.errors", None)
    with pytest.raises(CallError, match=r"needs pyspark, which is not installed: pip install 'gainsayer\[spark\]'"):
        spark.open_session("local[1]")
    with pytest.raises(CallError, match=r"gainsayer\[spark\]"):
        gs.fit("first.qrels", "second.qrels", engine="spark")


def test_java_is_looked_for_where_it_should_be(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """JAVA_HOME says where Java is; where it is not, there is none."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert spark.find_java() is None


def test_paths_are_not_patterns() -> None:
    """Spark takes every path as a pattern, so marks of patterns in the names of files are escaped."""
    assert spark._escape("runs/bm25[1].run") == r"runs/bm25\[1\].run"
