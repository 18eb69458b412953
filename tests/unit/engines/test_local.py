"""The buckets engine: what is wrong with a file is said as the embedded engine says it, and waists are kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.engines.topic_buckets import same

import gainsayer as gs
from gainsayer.engines.jobs import Job
from gainsayer.engines.local import gather
from gainsayer.engines.waists import Waist
from gainsayer.errors import GainsayerError

TOPICS = 12


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two assessors and two runs on twelve topics; one run is interleaved, so that its topics come back."""
    chance = np.random.default_rng(4)
    for name in ("first.qrels", "second.qrels"):
        lines = [f"q{t} 0 d{d} {chance.integers(3)}" for t in range(TOPICS) for d in range(8)]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    grouped = [f"q{t} Q0 d{d} 1 {chance.integers(9)} grouped" for t in range(TOPICS) for d in range(12)]
    mixed = [f"q{t} Q0 d{d} 1 {chance.integers(9)} mixed" for d in range(12) for t in range(TOPICS)]
    (tmp_path / "a.run").write_text("\n".join(grouped) + "\n")
    (tmp_path / "b.run").write_text("\n".join(mixed) + "\n")
    return tmp_path


def score(folder: Path, runs: tuple[str, ...] = ("a.run", "b.run"), **options: Any) -> Any:
    """What `score` says of the collection, as plain data, less what was asked for."""
    judgments = [str(folder / "first.qrels"), str(folder / "second.qrels")]
    found = gs.score(judgments, [str(folder / run) for run in runs], ["nDCG@5", "AP"], threshold=1, **options)
    said = json.loads(found.to_json())
    said["provenance"].pop("options")
    return said


def change(path: Path, line: int, text: str) -> None:
    """Put another text on a line of a file."""
    lines = path.read_text().split("\n")
    lines[line - 1] = text
    path.write_text("\n".join(lines))


def add(path: Path, text: str) -> None:
    """Add lines to a file."""
    path.write_text(path.read_text() + text)


def as_table(folder: Path, header: str, *rows: str) -> None:
    """The second run as a table."""
    (folder / "a.run").unlink()
    (folder / "b.run").rename(folder / "a.run")
    (folder / "b.run").write_text("\n".join([header, *rows]) + "\n")


Harm = Callable[[Path], None]
HARMS: dict[str, Harm] = {
    "a run's line is short": lambda folder: change(folder / "b.run", 77, "q4 Q0 d1"),
    "lines in several buckets are wrong": lambda folder: (
        [change(folder / "b.run", line, f"q{line % TOPICS} Q0 d1 1 high tag") for line in range(5, 100, 7)] and None
    ),
    "a document is there twice": lambda folder: add(folder / "b.run", "q7 Q0 d3 1 1 mixed\n"),
    "a run is no text": lambda folder: (folder / "a.run").write_bytes(b"q1 Q0 \xff\xfe 1 1 tag\n" * 9) and None,
    "a qrels line is long": lambda folder: change(folder / "second.qrels", 50, "q6 0 d2 1 2 3 4"),
    "an assessor contradicts himself": lambda folder: add(folder / "first.qrels", "q3 0 d0 0\nq3 0 d0 2\nq9 0 d1 2\n"),
    "labels are words and numbers": lambda folder: add(folder / "first.qrels", "q3 0 d99 Key\n"),
    "a run is of other topics": lambda folder: (
        (folder / "a.run").write_text("z1 Q0 d1 1 1 tag\nz2 Q0 d1 1 1 tag\n") and None
    ),
    "a file is empty": lambda folder: (folder / "a.run").write_text("") and None,
    "a table holds two runs": lambda folder: as_table(
        folder, "topic,document,score,run", *(f"q{t},d1,1,run{t % 2}" for t in range(TOPICS))
    ),
    "a table's score is no number": lambda folder: as_table(
        folder, "topic,document,score", "q1,d1,3", "q2,d1,2", "q3,d1,much", "q4,d1,4"
    ),
    "a table's document is there twice": lambda folder: as_table(
        folder, "topic,document,score", "q1,d1,3", 'q2,"d1",2', "q3,d1,1", "q1,d2,1", "q1,d1,4"
    ),
}


@pytest.mark.parametrize("harm", HARMS)
def test_what_is_wrong_is_said_of_the_file_as_embedded_says_it(folder: Path, harm: str) -> None:
    """The same kind of error with the same words, file names and lines, wherever the bucket was."""
    HARMS[harm](folder)
    with pytest.raises(GainsayerError) as expected:
        score(folder, engine="embedded")
    with pytest.raises(GainsayerError) as found:
        score(folder, engine="buckets", buckets=5)
    assert type(found.value) is type(expected.value)
    if harm == "labels are words and numbers":  # which only all buckets together show
        assert "expected a whole number as level, found 'Key'" in str(found.value)
    else:
        assert str(found.value) == str(expected.value)


def test_a_topic_alone_in_its_bucket_and_a_level_found_in_one_bucket_alone(folder: Path) -> None:
    """One giant topic, a level, a run's topic without judgments and a judged one without rows: all as embedded."""
    add(
        folder / "first.qrels",
        "".join(f"giant 0 d{d} {d % 3}\n" for d in range(3000)) + "".join(f"lone 0 d{d} 7\n" for d in range(20)),
    )
    add(
        folder / "second.qrels",
        "".join(f"giant 0 d{d} {d % 2}\n" for d in range(3000)) + "".join(f"lone 0 d{d} 2\n" for d in range(20)),
    )
    add(
        folder / "a.run", "".join(f"giant Q0 d{d} 1 {d % 77} grouped\n" for d in range(5000)) + "new Q0 d 1 1 grouped\n"
    )
    expected = score(folder, engine="embedded")
    for buckets in (1, 64, 1000):
        assert score(folder, engine="buckets", buckets=buckets) == expected


def job(folder: Path, **options: Any) -> Job:
    """The collection as a job."""
    files = tuple(str(folder / name) for name in ("first.qrels", "second.qrels"))
    return Job(files, tuple(str(folder / name) for name in ("a.run", "b.run")), **options)


def waists(work: Path) -> dict[Path, int]:
    """The waists in a work folder, and when each was written."""
    return {path: path.stat().st_mtime_ns for path in work.glob("bucket-*/waist-*")}


def test_waists_are_kept_and_serve_again(folder: Path) -> None:
    """The second time nothing is made; a damaged or missing waist is made again; another depth has its own waists."""
    work = folder / "work"
    first = gather(job(folder, work=work, buckets=4))
    kept = waists(work)
    assert len(kept) == 4
    assert same(gather(job(folder, work=work)), first)
    assert waists(work) == kept
    one, two = list(kept)[:2]
    one.write_bytes(one.read_bytes()[:100])
    two.unlink()
    assert same(gather(job(folder, work=work)), first)
    again = waists(work)
    assert {path for path in kept if again[path] != kept[path]} == {one, two}
    assert gather(job(folder, work=work, depth=3)).runs[0].rank.max() == 3
    assert len(waists(work)) == 8


def test_waists_do_not_serve_files_that_were_changed(folder: Path) -> None:
    """A label that was mended after the waists were kept is seen."""
    work = folder / "work"
    gather(job(folder, work=work, buckets=4))
    change(folder / "first.qrels", 1, "q0 0 d0 2")
    mended = gather(job(folder, work=work, buckets=4))
    assert same(mended, gather(job(folder, buckets=4)))


def test_a_run_is_called_by_the_tag_of_its_first_line(folder: Path) -> None:
    """Where tags change within a file, the name is that of the whole file's first line in every bucket."""
    lines = (folder / "a.run").read_text().splitlines()
    tagged = [f"{line.rsplit(' ', 1)[0]} tag{number}" for number, line in enumerate(lines)]
    (folder / "a.run").write_text("\n".join(tagged) + "\n")
    waist: Waist = gather(job(folder, buckets=6))
    assert [run.name for run in waist.runs] == ["tag0", "mixed"]


def test_progress_is_told_bucket_by_bucket(folder: Path) -> None:
    """Splitting, looking through labels and the buckets themselves are told, each with a rising share."""
    told: list[tuple[str, float]] = []
    gather(job(folder, buckets=3, progress=lambda what, share: told.append((what, share))))
    assert [what for what, _ in told] == [
        "Splitting files",
        *["Looking through labels"] * 3,
        *["Working through buckets"] * 3,
    ]
    assert [share for what, share in told if what == "Working through buckets"] == [0, 1 / 3, 2 / 3]


_GIANT = """
import resource, sys
from pathlib import Path
from gainsayer.engines.jobs import Job
from gainsayer.engines.local import gather
from gainsayer.errors import DataError
def job(run): return Job((sys.argv[1] + "/first.qrels",), (sys.argv[1] + "/" + run,), buckets=2)
gather(job("a.run"))
held = int(next(line for line in Path("/proc/self/status").open() if line.startswith("VmSize")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (held + (40 << 20), held + (40 << 20)))
try:
    gather(job("giant.run"))
except DataError as error:
    print(error)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the size of a process is read from /proc")
def test_a_topic_larger_than_memory_is_said(folder: Path) -> None:
    """Where a bucket does not fit, its size is named and what to do; a topic is never divided."""
    with (folder / "giant.run").open("w") as file:
        for part in range(20):
            file.writelines(f"giant Q0 document-number-{part}-{row} 1 0.5 r\n" for row in range(50_000))
    done = subprocess.run(
        [sys.executable, "-c", _GIANT, str(folder)], capture_output=True, text=True, check=False, env=os.environ
    )
    assert done.stdout.startswith("Bucket "), done.stderr
    assert "MB, which do not fit into memory. A topic is never divided" in done.stdout
