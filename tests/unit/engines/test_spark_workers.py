"""What Spark's workers do, without Spark: batches in, pieces out, and waists of a bucket's pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from tests.unit.engines.same_bits import differences
from tests.unit.engines.topic_buckets import as_task, draw_collection

from gainsayer.engines import bucket_parts
from gainsayer.engines.arrow_pieces import FILE, LINE, START, Files, Origin, cut_lines, cut_table
from gainsayer.engines.bucket_parts import Part, make_bucket_waist, read_survey, survey_batches
from gainsayer.engines.error_words import as_words, join_errors
from gainsayer.engines.waists import Waist, join_waists, make_waist
from gainsayer.errors import CallError, FormatError
from gainsayer.judgments import Meaning, join_surveys, read_judgments
from gainsayer.runs import InterleavedError, read_run

MEANING = Meaning(format="qrels")


def as_lines(texts: dict[int, str], rows: int = 7, start: int = 0) -> list[pa.RecordBatch]:
    """Lines of files by their numbers, some at a time, as Spark hands them over."""
    cells = [(file, start, line + "\n") for file, text in texts.items() for line in text.splitlines()]
    columns = {FILE: [c[0] for c in cells], START: [c[1] for c in cells], LINE: [c[2] for c in cells]}
    types = {FILE: pa.int64(), START: pa.int64(), LINE: pa.string()}
    arrays = [pa.array(values, types[name]) for name, values in columns.items()]
    return pa.Table.from_arrays(arrays, names=list(columns)).to_batches(max_chunksize=rows)


def as_rows(tables: dict[int, pl.DataFrame], rows: int = 7) -> list[pa.RecordBatch]:
    """Rows of tables by the numbers of their files, some at a time."""
    marked = [
        table.with_columns(pl.lit(file, pl.Int64).alias(FILE), pl.lit(0, pl.Int64).alias(START))
        for file, table in tables.items()
    ]
    return pl.concat(marked).to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches(max_chunksize=rows)


def name_files(*origins: Origin) -> Files:
    """One file for each source, with numbers from 100."""
    return Files({100 + n: n for n in range(len(origins))}, origins, tuple(range(len(origins))))


def buckets_of(pieces: Sequence[pa.RecordBatch], buckets: int) -> list[pa.Table]:
    """The pieces of each bucket, as a shuffle leaves them: in no order."""
    table = pa.Table.from_batches(list(pieces)[::-1])
    return [table.filter(pa.compute.equal(table["bucket"], number)) for number in range(buckets)]


def make_waists(
    judged: Sequence[pa.Table], ranked: Sequence[pa.Table], one: Files, two: Files, task: Any, keys: Any
) -> Waist:
    """The joined waists of all buckets."""
    return join_waists(
        make_bucket_waist(Part.of(a, one), Part.of(b, two), MEANING, task, keys)
        for a, b in zip(judged, ranked, strict=True)
        if len(a) or len(b)
    )


@pytest.mark.parametrize("kind", ["lines", "tables"])
def test_pieces_make_the_waist_of_the_whole(kind: str) -> None:
    """Qrels and runs, or one table of each, cut by bucket and read piece by piece, give the arrays of the whole."""
    judgments, runs = draw_collection()
    frame = judgments.frame()
    task = as_task(judgments, runs=("one", "two", "three"))
    buckets = 5
    if kind == "lines":
        one = name_files(Origin("a.qrels", "ann"), Origin("b.qrels", "bob"))
        two = name_files(*(Origin(run.name, run.name) for run in runs))
        texts = {
            100 + n: "\n".join(f"{t} 0 {d} {level}" for t, d, a, level in frame.rows() if a == name)
            for n, name in enumerate(("ann", "bob"))
        }
        judged = list(cut_lines(as_lines(texts), one, buckets))
        lists = {
            100 + n: "\n".join(f"{t}\tQ0\t{d}\t1\t{s}\t{run.name}" for t, d, s in run.frame().rows())
            for n, run in enumerate(runs)
        }
        ranked = list(cut_lines(as_lines(lists, 50), two, buckets))
        keys = [(n, "") for n in range(3)]
    else:
        one = name_files(Origin("judgments", "labels", lines=False, topic="topic", by="assessor", width=4))
        two = name_files(Origin("runs", "run", lines=False, topic="topic", by="run", width=4))
        judged = list(cut_table(as_rows({100: frame}), one, buckets))
        tables = [run.frame().with_columns(pl.lit(run.name).alias("run")) for run in runs]
        ranked = list(cut_table(as_rows({100: pl.concat(tables)}, 40), two, buckets))
        keys = [(0, run.name) for run in runs]
    found = make_waists(buckets_of(judged, buckets), buckets_of(ranked, buckets), one, two, task, keys)
    assert list(differences(make_waist(judgments, runs, task), found, but=("findings",))) == []


def test_order_within_a_topic_is_that_of_the_file() -> None:
    """Pieces come in any order, but repeated judgments are resolved by the order of lines, across splits of a file."""
    files = name_files(Origin("a.qrels", "ann"))
    late = as_lines({100: "q1 0 d1 2\nq1 0 d2 0"}, start=50)
    early = as_lines({100: "\ufeffq1 0 d1 1\n\nq1 0 d2 0"})
    pieces = [*cut_lines(late, files, 1), *cut_lines(early, files, 1)]
    part = Part.of(pa.Table.from_batches(pieces), files)
    assert part.contents == {0: b"q1 0 d1 1\nq1 0 d2 0\nq1 0 d1 2\nq1 0 d2 0\n"}
    assert part.rows == 4


def test_survey_is_that_of_the_files() -> None:
    """What is seen batch by batch, joined, is what is seen in the sources at once."""
    files = name_files(Origin("a.qrels", "ann"), Origin("table", "crowd", lines=False, topic="qid", width=3))
    lines = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 2"
    table = pl.DataFrame({"qid": [1, 1, 2], "docno": ["a", "b", "a"], "rel": [0.0, 1.0, 1.0]})
    rows = [
        *survey_batches(as_lines({100: lines}, 1), files, MEANING),
        *survey_batches(as_rows({101: table}, 2), files, MEANING),
    ]
    found = join_surveys(read_survey(batch["survey"][0].as_py()) for batch in rows)
    ann, crowd = found
    assert ann is not None
    assert crowd is not None
    assert (ann.times, ann.assessor) == ({("ann", "2"): 2, ("ann", "0"): 1}, "ann")
    assert (crowd.times, crowd.assessor) == ({("crowd", "0"): 1, ("crowd", "1"): 2}, "crowd")


def survey_words(batches: Sequence[pa.RecordBatch], files: Files) -> tuple[str, str]:
    """The kind and words of the fault in some batches."""
    [row] = [row for batch in survey_batches(batches, files, MEANING) for row in batch.to_pylist()]
    return row["kind"], row["words"]


def test_lines_and_rows_are_quoted() -> None:
    """A fault is told with the source's name and the line or row itself: nobody knows its number."""
    lines, table = name_files(Origin("a.qrels", "ann")), name_files(Origin("t", "x", lines=False, topic="qid", width=3))
    assert survey_words(as_lines({100: "q1 0 d1 2\nq1 0 d2"}, 2), lines) == (
        "FormatError",
        "a.qrels, the line 'q1 0 d2': expected 4 columns (topic, iteration, document, level), found 3: 'q1 0 d2'.",
    )
    rows = pl.DataFrame({"qid": ["q1", "q1"], "docno": ["a", ""], "rel": ["0", "1"]})
    assert survey_words(as_rows({100: rows}), table) == (
        "FormatError",
        "t, the row 'q1  1': expected a document, found an empty one.",
    )


def test_repeated_rows_of_a_run_are_quoted() -> None:
    """A document that is there twice in a topic is named with both lines."""
    judgments = read_judgments({"ann": {"q1": {"d1": 1, "d2": 0}}})
    one, two = name_files(Origin("a.qrels", "ann")), name_files(Origin("a.run", "a"))
    judged = pa.Table.from_batches(cut_lines(as_lines({100: "q1 0 d1 1\nq1 0 d2 0"}), one, 1))
    ranked = pa.Table.from_batches(cut_lines(as_lines({100: "q1 Q0 d1 1 2 x\nq1 Q0 d1 2 1 x"}), two, 1))
    with pytest.raises(FormatError) as told:
        make_bucket_waist(Part.of(judged, one), Part.of(ranked, two), MEANING, as_task(judgments), [(0, "")])
    assert str(told.value).splitlines() == [
        "a.run, the line 'q1 Q0 d1 2 1 x': document d1 of topic q1 is there already in a.run, the line "
        "'q1 Q0 d1 1 2 x'.",
        "A run lists a document once per topic.",
    ]


def test_topic_with_too_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A topic that is too large for a worker is refused by its name; many small ones are not."""
    monkeypatch.setattr(bucket_parts, "MOST_ROWS", 3)
    judgments = read_judgments({"ann": {"q1": {"d1": 1}, "q2": {"d1": 0}}})
    one, two = name_files(Origin("a.qrels", "ann")), name_files(Origin("a.run", "a"))
    judged = Part.of(pa.Table.from_batches(cut_lines(as_lines({100: "q1 0 d1 1\nq2 0 d1 0"}), one, 1)), one)

    def rank(sizes: dict[str, int]) -> Waist:
        text = "\n".join(f"{topic} Q0 d{n} 1 {-n} x" for topic, size in sizes.items() for n in range(size))
        ranked = Part.of(pa.Table.from_batches(cut_lines(as_lines({100: text}), two, 1)), two)
        return make_bucket_waist(judged, ranked, MEANING, as_task(judgments), [(0, "")])

    assert rank({"q1": 3, "q2": 3}).runs[0].retrieved.tolist() == [3, 3]
    with pytest.raises(CallError, match=r"Topic q2 has 4 rows in the runs, and a worker of Spark takes 3"):
        rank({"q1": 1, "q2": 4})


def test_errors_travel_as_words() -> None:
    """An error goes to the driver as its kind and words; of a reader's own kind, as that which users know."""
    assert as_words(InterleavedError("t: mixed.")) == ("DataError", "t: mixed.")
    [batch] = cut_table(
        [pa.RecordBatch.from_pydict({FILE: [100], START: [0], "qid": [[1]]})],
        name_files(Origin("t", "x", lines=False, topic="qid", width=1)),
        2,
    )
    with pytest.raises(FormatError, match=r"t: expected text or numbers in the topic column 'qid'"):
        Part.of(pa.Table.from_batches([batch]), name_files(Origin("t", "x")))


def test_faults_of_many_workers_are_listed_once() -> None:
    """Of faults in files the first ten are listed, the advice once; a wrong call comes before them."""
    faults = [("FormatError", f"a.run, the line '{n:02}': bad.\nMend it.") for n in range(12)]
    assert str(join_errors(faults)).splitlines() == [
        *(f"a.run, the line '{n:02}': bad." for n in range(10)),
        "... and 2 more like these.",
        "Mend it.",
    ]
    error = join_errors([*faults, ("CallError", "No such engine.")])
    assert isinstance(error, CallError)
    assert str(error) == "No such engine."


def test_run_without_a_row_in_the_bucket() -> None:
    """A run that has no row in a bucket, and a bucket without judgments, still make a waist."""
    judgments = read_judgments({"ann": {"q1": {"d1": 1, "d2": 0}}})
    one, two = name_files(Origin("a.qrels", "ann")), name_files(Origin("a.run", "a"), Origin("b.run", "b"))
    nothing = Part(one, {})
    ranked = Part(two, {1: b"q9 Q0 d1 1 2 x\n"}, 1)
    waist = make_bucket_waist(nothing, ranked, MEANING, as_task(judgments), [(0, ""), (1, "")])
    assert waist.topics == ()
    assert [run.unscored for run in waist.runs] == [(), ("q9",)]
    assert read_run({"q9": {"d1": 2.0}}).topics == waist.runs[1].unscored
