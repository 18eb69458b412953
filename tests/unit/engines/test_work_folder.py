"""The work folder: used again where it is whole and of the same files, made again where not, and never a stranger's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gainsayer.engines.splitting import Split, split_files
from gainsayer.engines.work_folder import open_work
from gainsayer.errors import CallError


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of twenty topics."""
    path = tmp_path / "a.run"
    path.write_text("".join(f"q{topic} Q0 d{row} {row} {9 - row} tag\n" for topic in range(20) for row in range(9)))
    return path


def split_run(run: Path, folder: Path, buckets: int | None = 3) -> Split:
    """The run in buckets."""
    with open_work(folder) as work:
        return split_files([], [run], work, buckets=buckets)


def stamps(folder: Path) -> dict[str, int]:
    """When each file in the folder was written."""
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def contents(folder: Path) -> dict[str, bytes]:
    """Each part with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.run")}


def test_whole_buckets_of_the_same_files_are_used_again(run: Path, tmp_path: Path) -> None:
    """Nothing is written a second time, also where the number of buckets is left open."""
    folder = tmp_path / "work"
    first = split_run(run, folder)
    before = stamps(folder)
    assert split_run(run, folder).buckets == first.buckets
    assert split_run(run, folder, None).buckets == first.buckets
    assert stamps(folder) == before
    assert {"_GAINSAYER", "_SUCCESS"} < set(before)


@pytest.mark.parametrize("harm", ["no success", "damaged success", "other file", "other count", "older version"])
def test_buckets_that_are_half_written_old_or_of_other_files_are_made_again(
    run: Path, tmp_path: Path, harm: str
) -> None:
    """Whatever is left of them, the new buckets are those that a fresh folder gets."""
    folder = tmp_path / "work"
    split_run(run, folder)
    (folder / "bucket-0001" / "runs-0000" / "a.run").write_text("q1 Q0 half")
    success = folder / "_SUCCESS"
    if harm == "no success":
        success.unlink()
        (folder / "bucket-0007").mkdir()
    elif harm == "damaged success":
        success.write_bytes(success.read_bytes()[:20])
    elif harm == "other file":
        with run.open("a") as file:
            file.write("q99 Q0 d1 1 1 tag\n")
    elif harm == "older version":
        success.write_text(success.read_text().replace('"format": 1', '"format": 0'))
    count = 2 if harm == "other count" else 3
    split_run(run, folder, count)
    split_run(run, tmp_path / "fresh", count)
    assert contents(folder) == contents(tmp_path / "fresh")
    assert {path.name for path in folder.iterdir()} == {path.name for path in (tmp_path / "fresh").iterdir()}


def test_a_strangers_folder_is_refused_and_left_alone(run: Path, tmp_path: Path) -> None:
    """A folder with other files in it, or a file in its place, is refused in a sentence; nothing in it changes."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "thesis.tex").write_text("mine")
    with pytest.raises(CallError, match=r"holds other files \(thesis.tex\), which are left alone.*work=\.\.\."):
        split_run(run, folder)
    assert [path.name for path in folder.iterdir()] == ["thesis.tex"]
    with pytest.raises(CallError, match=r"cannot be written: .*work=\.\.\."):
        split_run(run, folder / "thesis.tex")


def test_other_files_in_our_own_folder_stay(run: Path, tmp_path: Path) -> None:
    """What somebody put into a work folder later is not removed when the buckets are made again."""
    folder = tmp_path / "work"
    split_run(run, folder)
    (folder / "notes.txt").write_text("mine")
    split_run(run, folder, 5)
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_folder_is_for_one_process_at_a_time(run: Path, tmp_path: Path) -> None:
    """A second one is refused while the first is at work, and served afterwards."""
    pytest.importorskip("fcntl")
    with open_work(tmp_path / "work"), pytest.raises(CallError, match="Another process is at work in"):
        split_run(run, tmp_path / "work")
    assert split_run(run, tmp_path / "work").buckets


def test_a_temporary_folder_is_removed_even_after_a_fault(run: Path) -> None:
    """Without a folder of one's own, nothing stays."""

    def fail() -> None:
        with open_work(None) as work:
            split_files([], [run], work)
            places.append(work.path)
            raise ZeroDivisionError

    places: list[Path] = []
    with pytest.raises(ZeroDivisionError):
        fail()
    assert [place.exists() for place in places] == [False]


_FULL = """
import resource, sys
from gainsayer.engines.splitting import split_files
from gainsayer.engines.work_folder import open_work
from gainsayer.errors import CallError
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    with open_work(sys.argv[2]) as work:
        split_files([], [sys.argv[1]], work, buckets=2)
except CallError as error:
    print(error)
"""


@pytest.fixture
def long_run(tmp_path: Path) -> Path:
    """A run of 4 MB."""
    path = tmp_path / "long.run"
    path.write_text("".join(f"q{line // 1000} Q0 document-{line} 1 0.5 a-long-tag\n" for line in range(100_000)))
    return path


@pytest.mark.parametrize("there", [False, True])
def test_files_that_may_not_grow_are_a_sentence_and_leave_nothing(long_run: Path, tmp_path: Path, there: bool) -> None:
    """Where the system refuses to write on, we say so; a new folder is gone then, one that was there is empty."""
    folder = tmp_path / "work"
    if there:
        folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", _FULL, str(long_run), str(folder)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"There is no room for the buckets in {str(folder)!r}: File too large.")
    assert [path.name for path in folder.iterdir()] == ["_GAINSAYER"] if there else not folder.exists()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte; skipped where we may not make one."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_is_a_sentence_and_leaves_nothing(long_run: Path, small_disk: Path, run: Path) -> None:
    """On a disk of 1 MB, buckets of 4 MB are refused, the disk is empty again, and a small run has room."""
    with pytest.raises(
        CallError, match=r"There is no room for the buckets in '.*': No space left on device\..*work=\.\.\."
    ):
        split_run(long_run, small_disk / "work")
    assert list(small_disk.iterdir()) == []
    assert split_run(run, small_disk / "work").buckets


_KILLED = """
import sys
from gainsayer.engines import splitting
from gainsayer.engines.work_folder import open_work
with open_work(sys.argv[2]) as work:
    splitting.split_files([], [sys.argv[1]] * 400, work, buckets=3)
"""


def test_a_killed_process_leaves_buckets_that_are_made_again(run: Path, tmp_path: Path) -> None:
    """A process that is killed while it splits leaves a folder without `_SUCCESS`, and the next one starts afresh."""
    folder = tmp_path / "work"
    process = subprocess.Popen([sys.executable, "-c", _KILLED, str(run), str(folder)])
    while not list(folder.glob("bucket-*/runs-0005/a.run")):
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.001)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (folder / "_SUCCESS").exists()
    assert list(folder.glob("bucket-*"))
    split_run(run, folder)
    split_run(run, tmp_path / "fresh")
    assert contents(folder) == contents(tmp_path / "fresh")
