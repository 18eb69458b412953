"""The spark engine gives what the embedded one gives, whatever happens to its workers.

These tests start Spark, which wants an older pandas: `make test-spark` runs them in an environment of their own.
"""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.engines.same_results import differences

import gainsayer as gs
from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection
from gainsayer.engines import spark
from gainsayer.errors import CallError, FormatError, GainsayerError
from gainsayer.model import count_pairs
from gainsayer.ranking import label_documents, make_pool, pool_documents, rank_documents

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]  # what Spark warns of is its own

MASTER = "local[2]"
TOPICS = 5_000


@pytest.fixture(scope="module")
def session() -> Any:
    """A session of Spark on this machine, or a skip that says what is missing."""
    try:
        return spark.open_session(MASTER)
    except CallError as missing:
        pytest.skip(f"{missing}; make test-spark installs what it needs")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection of more topics than a comparison leaves out one by one: first.qrels, second.qrels, runs/."""
    collection = simulate_collection(
        LatentModel(shares=(0.5, 0.3, 0.2)),
        topics=TOPICS,
        documents=8,
        runs=RunDesign({"best": 0.9, "fair": 0.5, "poor": 0.2}, depth=10),
        seed=11,
    )
    return write_collection(collection, tmp_path_factory.mktemp("many") / "collection")


@pytest.fixture
def few(simulated_files: Callable[..., Path]) -> Path:
    """A small collection in files."""
    return simulated_files(topics=12, documents=12)


def list_runs(folder: Path) -> tuple[str, ...]:
    """The files of a folder, in order."""
    return tuple(sorted(map(str, folder.iterdir())))


def test_buckets_are_the_whole(session: Any, many: Path) -> None:
    """Judgments and matched runs of buckets hold the pairs and the levels at ranks that 5,000 topics give at once."""
    files = (str(many / "first.qrels"), str(many / "second.qrels"))
    judgments = gs.read_judgments(*files)
    gathered, runs = spark.gather(spark.Job(files, list_runs(many / "runs"), depth=5))
    assert list(differences(count_pairs(judgments), count_pairs(gathered))) == []
    for path, run in zip(list_runs(many / "runs"), runs, strict=True):
        whole = rank_documents(path, pool_documents(judgments), depth=5)
        for name in judgments.assessors:
            one = label_documents(whole, make_pool(judgments, assessor=name))
            two = label_documents(run, make_pool(gathered, assessor=name))
            assert list(differences(one, two, but=("member",))) == []


def compare(folder: Path, **options: Any) -> Any:
    """The runs of the collection with many topics, compared."""
    judged = [str(folder / "first.qrels"), str(folder / "second.qrels")]
    return gs.compare(judged, folder / "runs", "nDCG@5", threshold=2, permutations=1_000, resamples=200, **options)


def test_comparison_of_many_topics(session: Any, many: Path) -> None:
    """Intervals, p-values and rank sets of 5,000 topics are the embedded engine's."""
    found = compare(many, engine="spark", master=MASTER)
    assert len(found.comparison.scores.topics) == TOPICS
    assert list(differences(compare(many), found)) == []
    assert found.to_csv() == compare(many).to_csv()


def test_fit_score_and_agree_on_real_judgments(session: Any, shared_data: Callable[[str], Path]) -> None:
    """On dl21's judgments and runs score, compare, fit and agree give the same by Spark and embedded."""
    folder = shared_data("dl21")
    judged = [folder / "assessors" / "nist.qrels", folder / "assessors" / "umbrela-gpt4.qrels"]
    runs = [str(path) for path in sorted((folder / "runs").iterdir())[:5]]
    for call in (
        lambda engine: gs.score(judged, runs, ["nDCG@10", "AP"], threshold=2, engine=engine),
        lambda engine: gs.compare(judged, runs, "nDCG@10", threshold=2, engine=engine, permutations=500, resamples=100),
        lambda engine: gs.fit(*judged, threshold=2, engine=engine),
        lambda engine: gs.agree(*judged, engine=engine),
    ):
        assert list(differences(call("embedded"), call("spark"))) == []


def kill_some(work: Callable[..., Any], deaths: Path) -> Callable[..., Any]:
    """The same work, but every third partition's worker dies at its first attempt."""

    def dying(*given: Any, **options: Any) -> Any:
        from pyspark import TaskContext

        task = TaskContext.get()
        if task.partitionId() % 3 == 0 and task.attemptNumber() == 0:
            (deaths / f"{task.stageId()}-{task.partitionId()}").touch()
            os._exit(1)
        return work(*given, **options)

    return dying


def test_killed_workers_are_replaced(session: Any, many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the worker of every third partition killed at its first attempt, nothing else changes."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    monkeypatch.setattr(spark, "work_bucket", kill_some(spark.work_bucket, tmp_path))
    found = compare(many, engine="spark")
    assert list(tmp_path.iterdir())
    assert list(differences(compare(many), found)) == []


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_are_read_by_spark(session: Any, few: Path, tmp_path: Path, ending: str) -> None:
    """Tables of judgments and runs, one of which holds all runs, give the scores of the TREC files they come from."""
    judgments = gs.read_judgments(few / "first.qrels", few / "second.qrels")
    runs = {Path(path).stem: gs.read_run(path).frame() for path in list_runs(few / "runs")}
    tables = {
        "judgments": judgments.frame().rename({"topic": "query_id", "document": "docno", "assessor": "rater"}),
        "runs": pl.concat([frame.with_columns(pl.lit(name).alias("system")) for name, frame in runs.items()]),
    }
    for name, table in tables.items():
        (tmp_path / name).mkdir()
        for part, rows in enumerate(table.iter_slices(-(-table.height // 3))):
            getattr(rows, f"write_{ending}")(tmp_path / name / f"part-{part}.{ending}")
    options = {"first": "first", "second": "second", "threshold": 2}
    expected = gs.score(judgments, runs, ["nDCG@10", "P@5"], **options)
    found = gs.score(
        [str(tmp_path / "judgments")], str(tmp_path / "runs"), ["nDCG@10", "P@5"], engine="spark", **options
    )
    assert found.scores.runs == expected.scores.runs
    assert list(differences(expected.scores.values, found.scores.values)) == []


def test_data_frames_of_spark(session: Any, few: Path) -> None:
    """Data frames of Spark, as a lake's catalogue gives them, are read where they are."""
    judgments = gs.read_judgments(few / "first.qrels", few / "second.qrels")
    run = gs.read_run(next((few / "runs").iterdir()))
    frames = [session.createDataFrame(table.frame().rows(), table.frame().columns) for table in (judgments, run)]
    options = {"first": "first", "second": "second", "threshold": 2}
    expected = gs.score(judgments, run, "nDCG@10", **options)
    found = gs.score(frames[0], frames[1], "nDCG@10", engine="spark", **options)
    assert list(differences(expected.scores.values, found.scores.values)) == []


def write(path: Path, text: str) -> str:
    """A small file."""
    path.write_text(text, errors="surrogateescape")
    return str(path)


QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 0\nq2 0 d2 1\n"
RUN = "q1 Q0 d1 1 2.5 x\nq2 Q0 d1 1 2 x\n"
TABLE = "topic,document,level\nq1,d1,1\nq1,d2,0\nq2,d1,0\n"


def say(call: Callable[[], Any]) -> tuple[type, str]:
    """The kind and the words of the error of a call."""
    with pytest.raises(GainsayerError) as told:
        call()
    return told.type, str(told.value)


@pytest.mark.parametrize(
    ("judged", "run", "options"),
    [
        ({"a.qrels": QRELS + "\nq3 0 d2\n" * 12}, RUN, {}),
        ({"a.qrels": QRELS + "q3 0 d2 x\n"}, RUN, {}),
        ({"a.qrels": QRELS.replace(" ", " Q ", 2)}, RUN, {}),
        ({"a.qrels": ""}, RUN, {}),
        ({"a.qrels": QRELS, "b.qrels": QRELS + "q1 0 d1 0\n"}, RUN, {}),
        ({"a.qrels": QRELS}, RUN, {"levels": "Low,High", "missing": "2", "maps": {"eve": {"1": "0"}}}),
        ({"a.qrels": QRELS}, RUN, {"levels": "A=3,B=4"}),
        ({"a.qrels": QRELS + "q3 0 d1 7\n"}, RUN, {"levels": "0,1"}),
        ({"a.csv": TABLE + "q2,d2\n"}, RUN, {}),
        ({"a.csv": TABLE + ",d2,1\n"}, RUN, {}),
        ({"a.csv": TABLE.replace("document", "title")}, RUN, {}),
        ({"a.qrels": QRELS}, RUN + "q2 Q0 d2 2 high x\n", {}),
        ({"a.qrels": QRELS}, RUN + "q2 Q0 d2 1 x\n", {}),
        ({"a.qrels": QRELS}, RUN + "q2 Q0 d1 2 1 x\n", {}),
        ({"a.qrels": QRELS}, RUN + "q2 Q0 d2 1 1 x\n", {"ties": "rank"}),
        ({"a.qrels": QRELS}, "q8 Q0 d1 1 2.5 x\nq9 Q0 d1 1 1 x\n", {}),
        ({"a.qrels": QRELS}, "\n", {}),
        ({"a.csv": TABLE + '"q3"x,d3,1\n'}, RUN, {}),
        ({"a.csv": TABLE + "q3,d\udce9,1\n"}, RUN, {}),
        ({"a.csv": ""}, RUN, {}),
        ({"a.csv": QRELS}, RUN, {}),
        ({"a.parquet": QRELS}, RUN, {}),
        ({"a.parquet": "PAR1 and nothing else"}, RUN, {}),
        ({"a.qrels": QRELS}, RUN + "q9 Q0 d1 1 1 x\nq9 Q0 d1 1 1 x\nq1 Q0 d1 1 1 x\n", {}),
    ],
)
def test_faults_are_told_as_embedded_tells_them(
    session: Any, tmp_path: Path, judged: dict[str, str], run: str, options: dict[str, Any]
) -> None:
    """What is wrong with files that the driver can open is said in the same words, with the number of the line."""
    files = [write(tmp_path / name, text) for name, text in judged.items()]
    ranked = write(tmp_path / "a.run", run)
    told = [say(lambda engine=engine: gs.score(files, ranked, "P@1", engine=engine, **options)) for engine in ENGINES]  # type: ignore[misc]
    assert told[0] == told[1]


ENGINES = ("embedded", "spark")


def test_files_are_named_as_embedded_names_them(session: Any, tmp_path: Path) -> None:
    """What is missing, a faulty file of a pattern or folder, a damaged one: each is called by the same name."""
    judged = write(tmp_path / "nist.qrels", QRELS)
    for folder, texts in (("runs", ["a.run"]), ("more", ["a.run", "b.run"]), ("none", [])):
        (tmp_path / folder).mkdir()
        for name in texts:
            write(tmp_path / folder / name, RUN if name == "a.run" else RUN + "q3\n")
    packed = tmp_path / "cut.qrels.gz"
    packed.write_bytes(gzip.compress(QRELS.encode() * 100)[:-9])
    for one, runs in (
        (str(tmp_path / "nits.qrels"), "runs"),
        (judged, "nowhere/a.run"),
        (judged, "none"),
        (judged, "none/*.run"),
        (judged, "more"),
        (judged, "more/?.run"),
        (str(packed), "runs"),
    ):
        told = [say(lambda e=engine: gs.score(one, str(tmp_path / runs), "P@1", engine=e)) for engine in ENGINES]  # type: ignore[misc]  # noqa: B023
        assert told[0] == told[1]


def test_what_lies_about_is_read_as_embedded_reads_it(session: Any, tmp_path: Path) -> None:
    """A README, a run named twice, blank lines and titles that are there twice change nothing."""
    (tmp_path / "runs").mkdir()
    run = write(tmp_path / "runs" / "a.run", RUN)
    write(tmp_path / "runs" / "README.md", "Runs.\n")
    table = "\n\ufefftopic,document,level,x,x\n\nq1,d1,1,,\nq1,d2,0,,\n \nq2,d1,0,,\n".replace("\n\ufeff", "\ufeff")
    judged = write(tmp_path / "a.csv", table)
    one, two = (gs.score(judged, [str(tmp_path / "runs"), run], "P@1", engine=engine) for engine in ENGINES)
    assert list(differences(one, two)) == []


def test_findings_are_those_of_the_whole(session: Any, tmp_path: Path) -> None:
    """Rare labels with their lines, repeats, labels left out and a table without zeros in one topic are found once."""
    stray = "".join(f"q{n} 0 d{m} {m % 3}\n" for n in range(40) for m in range(40)) + "q1 0 d77 9\nq5 0 d1 -1\n\n"
    repeated = "".join(f"q{n} 0 d{m} {m % 2}\n" * (1 + m % 2) for n in range(9) for m in range(9))
    files = [write(tmp_path / "a.qrels", stray + "q1 0 d1 1\n"), write(tmp_path / "b.qrels", repeated)]
    beir = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t1\nq2\td1\t1\nq2\td2\t"
    zeros, ones = (write(tmp_path / f"{score}.tsv", f"{beir}{score}\n") for score in (0, 1))
    missing = {"missing": "-1", "repeats": "first", "maps": {"b": {"1": "2"}}}
    for call in (
        lambda engine: gs.agree(*files, engine=engine, **missing),
        lambda engine: gs.agree(*files, engine=engine, **missing | {"levels": "0,1,2,9"}),
        lambda engine: gs.score(zeros, write(tmp_path / "a.run", RUN), "P@1", engine=engine),
        lambda engine: gs.score(ones, write(tmp_path / "a.run", RUN), "P@1", engine=engine),
    ):
        one, two = call("embedded"), call("spark")
        assert one.findings
        assert list(differences(one, two)) == []


def test_faults_out_of_reach_are_quoted(session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the driver cannot open a file, the line itself is told, and the file."""
    monkeypatch.setattr(spark, "LOCAL", "nowhere")
    fine, run = write(tmp_path / "a.qrels", QRELS), write(tmp_path / "a.run", RUN)
    short = write(tmp_path / "b.qrels", QRELS + "q3 0 d2\n")
    assert say(lambda: gs.score(short, run, "P@1", engine="spark")) == (
        FormatError,
        f"{short}, the line 'q3 0 d2': expected 4 columns (topic, iteration, document, level), found 3: 'q3 0 d2'.",
    )
    odd = write(tmp_path / "b.run", "q1 Q0 d1 1 2.5 x\nq2 Q0 d1 1 high x\n")
    assert say(lambda: gs.score(fine, odd, "P@1", engine="spark")) == (
        FormatError,
        f"{odd}, the line 'q2 Q0 d1 1 high x': expected a number as score, found 'high'.",
    )
    twice = write(tmp_path / "c.run", RUN + "q2 Q0 d1 2 1 x\n")
    assert say(lambda: gs.score(fine, twice, "P@1", engine="spark"))[1] == (
        f"{twice}: document d1 of topic q2 is there twice.\nA run lists a document once per topic."
    )
    table = write(tmp_path / "a.csv", "topic,document,level\nq1,d1,1\nq1,d2\nq2,d1,0\n")
    with pytest.raises(FormatError, match=r"a.csv, the line 'q1,d2': expected 3 columns as in the header, found 2"):
        gs.score(table, run, "P@1", engine="spark")
    with pytest.raises(CallError, match=r"There is no file 'nowhere.qrels'"):
        gs.score("nowhere.qrels", run, "P@1", engine="spark")


def test_giant_topic_is_refused_by_name(session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A topic with more rows than a worker can take is refused with its name; the embedded engine takes it."""
    from pyspark import cloudpickle

    fine = write(tmp_path / "a.qrels", QRELS)
    rows = [f"q1 Q0 d{n} {n} {-n} x\n" for n in range(1, 40)] + ["q2 Q0 d1 1 1 x\n"]
    run = write(tmp_path / "a.run", "".join(rows))
    work = spark.work_bucket

    def narrow(*given: Any, **options: Any) -> Any:
        most, spark.MOST_ROWS = spark.MOST_ROWS, 30  # type: ignore[misc]
        try:
            return work(*given, **options)
        finally:  # a worker is used again
            spark.MOST_ROWS = most  # type: ignore[misc]

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    monkeypatch.setattr(spark, "work_bucket", narrow)
    with pytest.raises(CallError, match=r"Topic q1 has 39 rows in the runs, .* engine='embedded'"):
        gs.score(fine, run, "P@1", engine="spark")


def test_what_spark_does_not_serve(session: Any, few: Path) -> None:
    """The order of lines and a column of intents are not Spark's: a sentence says which engine serves."""
    judged, runs = few / "first.qrels", few / "runs"
    with pytest.raises(CallError, match=r"the order of lines, .*\(ties='input'\): use engine='embedded'"):
        gs.score(judged, runs, "P@1", engine="spark", ties="input")
    table = session.createDataFrame([("q1", "d1", "i1", 1)], ["topic", "document", "intent", "level"])
    with pytest.raises(CallError, match=r"Judgments by intent need engine='embedded'"):
        gs.score(table, str(next(runs.iterdir())), "P@1", engine="spark")


def test_java_is_asked_for(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Java, and without a session, the message says what to install."""
    from pyspark.sql import SparkSession

    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setattr(spark, "find_java", lambda: None)
    with pytest.raises(CallError, match=r"needs Java 17 or later.*openjdk"):
        spark.open_session(MASTER)
