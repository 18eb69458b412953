"""Files in buckets: nothing is lost, nothing moves, whatever the format; and what cannot be split is said."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import polars as pl
import pytest

from gainsayer.engines.splitting import Split, choose_count, find_lines, split_files
from gainsayer.engines.work_folder import WorkFolder, open_work
from gainsayer.errors import CallError, FormatError
from gainsayer.judgments import read_judgments
from gainsayer.runs import read_run

Row = tuple[str, str, float]
ROWS: list[Row] = [
    (f"q{place % 7}", f"d,{place}" if place % 5 == 0 else f"d{place}", 100.0 - place) for place in range(90)
]


@pytest.fixture
def work() -> Iterator[WorkFolder]:
    """A temporary work folder."""
    with open_work(None) as folder:
        yield folder


def write_run(path: Path, rows: list[Row] = ROWS) -> Path:
    """The rows as a file of the format that its ending says."""
    ending = path.name.split(".", 1)[1]
    lines = [f"{topic} Q0 {document} 1 {score} tag" for topic, document, score in rows]
    if ending == "run":
        path.write_text("\n".join(lines) + "\n")
    elif ending == "run.gz":
        path.write_bytes(gzip.compress(("\ufeff" + "\r\n".join(lines)).encode()))
    elif ending == "run.zst":
        from gainsayer.lines import unfold

        zstd = pytest.importorskip("backports.zstd" if sys.version_info < (3, 14) else "compression.zstd")
        path.write_bytes(zstd.compress("\n".join(lines).encode()))
        assert unfold(path.read_bytes(), "zstd", "it")
    elif ending in ("csv", "tsv"):
        sign = "," if ending == "csv" else "\t"
        quoted = [f'{topic}{sign}"{document}"{sign}{score}{sign}"two\nlines"' for topic, document, score in rows]
        path.write_text("\n" + "\n".join([sign.join(("qid", "docno", "score", "note")), *quoted]) + "\n\n")
    elif ending == "jsonl":
        path.write_text("\n".join(json.dumps({"qid": t, "docno": d, "score": s}) for t, d, s in rows))
    else:
        table = pl.DataFrame(rows, ["topic", "document", "score"], orient="row")
        table.with_columns(extra=pl.lit(1)).write_parquet(path, row_group_size=20)
    return path


def read_parts(split: Split, number: int) -> list[Row]:
    """The rows of all parts of a run, bucket after bucket, each in the bucket of its topic."""
    rows = []
    for bucket in split.buckets:
        part = bucket.runs[number]
        found = [] if part is None else read_run(part).frame().rows()
        assert all((crc32(topic.encode()) * len(split.buckets)) >> 32 == bucket.number for topic, *_ in found)
        rows += found
    return rows  # type: ignore[return-value]


@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.run.zst", "a.csv", "a.tsv", "a.jsonl", "a.parquet"])
@pytest.mark.parametrize("buckets", [1, 5])
def test_parts_have_the_rows_of_the_file_in_their_order(
    tmp_path: Path, work: WorkFolder, name: str, buckets: int
) -> None:
    """Of every format, the parts have the file's name and rows; those of a topic are in one part, in their order."""
    path = write_run(tmp_path / name)
    split = split_files([], [path], work, buckets=buckets)
    whole, parts = read_run(path).frame().rows(), read_parts(split, 0)
    assert sorted(parts) == sorted(whole)
    assert len(whole) == len(ROWS)
    for topic in {row[0] for row in whole}:
        assert [row for row in parts if row[0] == topic] == [row for row in whole if row[0] == topic]
    assert all(Path(part).name == name for bucket in split.buckets for part in bucket.runs if part)
    assert split.tags == (("tag",) if "run" in name else (None,))


@pytest.mark.parametrize("name", ["a.run", "a.run.gz", "a.csv", "a.jsonl", "a.parquet"])
def test_places_in_parts_are_found_in_the_file(tmp_path: Path, work: WorkFolder, name: str) -> None:
    """The lines of a part, by their numbers in the file, are the same lines there; of Parquet, the rows."""
    path = write_run(tmp_path / name)
    split = split_files([], [path], work, buckets=3)
    content = gzip.decompress(path.read_bytes()) if name.endswith("gz") else path.read_bytes()
    lines = content.decode("utf-8-sig").splitlines() if "parquet" not in name else pl.read_parquet(path).rows()
    for bucket in split.buckets:
        part = bucket.runs[0]
        assert part is not None
        inside = pl.read_parquet(part).rows() if "parquet" in name else Path(part).read_text().splitlines()
        numbers = find_lines(path, "runs", bucket.number, 3)
        assert [lines[number - 1] for number in numbers.tolist()] == inside


def test_parts_of_judgments_keep_the_names_of_assessors(tmp_path: Path, work: WorkFolder) -> None:
    """Files of one name in two folders do not mix, and a given name goes with its file; None where nothing is there."""
    for folder, level in (("one", 1), ("two", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.qrels").write_text(f"q1 0 d1 {level}\n")
    files = [("ann", tmp_path / "one" / "same.qrels"), tmp_path / "two" / "same.qrels"]
    split = split_files(files, [], work, buckets=4)
    place = (crc32(b"q1") * 4) >> 32
    assert all(bucket.judgments == (None, None) for bucket in split.buckets if bucket.number != place)
    named, bare = split.buckets[place].judgments
    assert isinstance(named, tuple)
    judgments = read_judgments(named, bare)  # type: ignore[arg-type]
    assert judgments.frame().select("assessor", "level").rows() == [("ann", "1"), ("same", "2")]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.run", "", "a.run is empty: expected a run, found no content"),
        ("a.run", "\n \n", "a.run is empty: expected a run, found only blanks"),
        ("a.csv", "topic,document,score\n", "a.csv is empty: expected topics, documents and scores, found no rows"),
        ("a.csv", 'topic,document,score\nq1,"d1,1\n', "line 2: expected cells quoted as in RFC 4180"),
        ("a.csv", "about,document,score\nq1,d1,1\n", "expected the columns topic, document, score"),
        ("a.csv", b"topic,document,score\nq\xe9,d1,1\n", "line 2: expected UTF-8 text, found byte 0xe9"),
        ("a.jsonl", '{"topic": "q1", "document": "d", "score": 1}\n{"topic"\n', "line 2: expected one JSON object"),
        ("a.jsonl", '[{"topic": "q1", "document": "d", "score": 1}]', "cannot be split by topics: expected rows"),
        ("a.parquet", "PAR1 but nothing else", "expected a whole Parquet file, found it damaged"),
    ],
)
def test_what_cannot_be_split_is_said_as_its_reader_says_it(
    tmp_path: Path, work: WorkFolder, name: str, content: str | bytes, words: str
) -> None:
    """A file without rows or with broken ones is named with the words of its own reader, and nothing stays behind."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises((CallError, FormatError), match=re.escape(words)) as error:
        split_files([], [path], work, buckets=2)
    assert str(path) in str(error.value)
    assert sorted(place.name for place in work.path.iterdir()) == ["_GAINSAYER"]


def test_standard_input_and_files_that_are_not_there_are_refused(tmp_path: Path, work: WorkFolder) -> None:
    """What cannot be read twice is refused before anything is written; a missing file is named as elsewhere."""
    with pytest.raises(CallError, match="standard input is no file that can be read twice"):
        split_files(["-"], [], work)
    with pytest.raises(CallError, match="There is no file"):
        split_files([tmp_path / "a.qrels"], [], work)
    with pytest.raises(CallError, match="1 to 1,024 buckets, found 0"):
        split_files([write_run(tmp_path / "a.run")], [], work, buckets=0)


def test_the_number_of_buckets_follows_the_size(tmp_path: Path) -> None:
    """Some 64 MB of text make a bucket, compressed bytes count five times, and there are never more than 1,024."""
    small, large = tmp_path / "small.run", tmp_path / "large.run"
    small.write_text("q1 Q0 d1 1 1.0 r\n")
    with large.open("wb") as file:
        file.truncate(200 << 20)
    assert (choose_count([], [small]), choose_count([("ann", small)], [large])) == (1, 4)
    large.rename(tmp_path / "large.run.gz")
    assert choose_count([], [tmp_path / "large.run.gz"]) == 16
    with large.open("wb") as file:
        file.truncate(1 << 40)
    assert choose_count([], [large]) == 1024


_SPLITS = """
import resource, sys
from gainsayer.engines.splitting import split_files
from gainsayer.engines.work_folder import open_work
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
with open_work(None) as work:
    split = split_files([], [sys.argv[1]], work, buckets=int(sys.argv[2]))
    print(sum(run is not None for bucket in split.buckets for run in bucket.runs))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_splitting_holds_neither_the_file_nor_many_files_open(tmp_path: Path) -> None:
    """With forty files allowed, 300 parts are written; a file of 96 MB takes hardly more memory than one of 8 MB."""
    most = []
    for size in (8, 96):
        path = tmp_path / f"{size}.run"
        with path.open("wb") as file:
            for topic in range(size * 8):
                file.write(b"topic-%07d Q0 document-0000000000001 1 1.234567 some-run-with-a-tag\n" % topic * 1800)
        done = subprocess.run(
            [sys.executable, "-c", _SPLITS, str(path), "300"],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ,
        )
        parts, memory = map(int, done.stdout.split())
        assert parts > (20 if size == 8 else 200)
        most.append(memory / 1024)
    assert most[1] - most[0] < 24
