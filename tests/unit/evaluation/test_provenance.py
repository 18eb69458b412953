"""What a result was made from: files are hashed beside the reading, and named as they were given."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import gainsayer as gs
from gainsayer.errors import GainsayerError
from gainsayer.evaluation.provenance import Digests, record


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Qrels and a run."""
    qrels, run = tmp_path / "a.qrels", tmp_path / "a.run"
    qrels.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    run.write_text("q1 Q0 d1 1 2.5 x\nq1 Q0 d2 2 1.5 x\n")
    return qrels, run


def test_files_are_hashed_on_the_way(files: tuple[Path, Path]) -> None:
    """score() names the files that it read, also of folders, with the SHA-256 that hashlib gives."""
    qrels, run = files
    expected = tuple((str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in files)
    for runs in ([str(run)], [str(run.parent / "*.run")]):
        provenance = gs.score(str(qrels), runs, "P@1").provenance
        assert provenance is not None
        assert provenance.files == expected


def test_digests_are_those_of_record(files: tuple[Path, Path]) -> None:
    """Hashing beside the reading changes nothing about what is recorded; what it was not told of is hashed then."""
    with Digests([files[0]]) as digests:
        assert record(files, {}, digests=digests) == record(files, {})
        assert digests.of("-") is None
        assert digests.of(str(files[0].parent)) is None


def test_a_fault_ends_the_hashing(files: tuple[Path, Path]) -> None:
    """Where reading fails, its fault is raised at once, and a file that is not there is said by who reads it."""
    files[1].write_text("q1 Q0 d1\n" * 10)
    with pytest.raises(GainsayerError, match="expected 6 columns"):
        gs.score(str(files[0]), [str(files[1])], "P@1")
    with pytest.raises(GainsayerError, match="There is no file"):
        gs.score(str(files[0]), [str(files[0].parent / "none.run")], "P@1")
