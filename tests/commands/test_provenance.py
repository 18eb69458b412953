"""Where a result comes from: files with their digests, and what was asked for."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import gainsayer as gs
from gainsayer import Reading
from gainsayer.commands.provenance import hash_while_reading, record
from gainsayer.errors import GainsayerError
from gainsayer.levels import Levels
from gainsayer.reading import cut_blocks, open_stream, peek
from gainsayer.version import VERSION


def test_files_with_their_digests(tmp_path: Path) -> None:
    """Each file once, with the SHA-256 of its bytes; what is no file is left out, standard input has no digest."""
    first, second, strata = (tmp_path / name for name in ("a.qrels", "b.qrels", "strata.tsv"))
    for path in (first, second, strata):
        path.write_bytes(path.name.encode() * 100_000)
    reading = Reading((first, ("B", str(second))), strata=strata)
    found = record([reading, first, {"q": {"d": 1}}, None, "-"], {}, seed=7)
    assert [name for name, _ in found.files] == [str(first), str(second), str(strata), "standard input"]
    for path, (_, digest) in zip((first, second, strata), found.files, strict=False):
        assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.files[-1][1] is None
    assert (found.version, found.seed) == (VERSION, 7)


def test_what_was_asked_for_and_nothing_else(tmp_path: Path) -> None:
    """None, False and empty values are left out; values become what JSON can hold; a reading's options are there."""
    reading = Reading(({"q": {"d": 1}},), levels=Levels(("0", "1")), missing=("-1",), by_assessor=True)
    asked = {
        "threshold": 2,
        "first": None,
        "overwrite": False,
        "labels": (),
        "gain": {"Key": 0.5},
        "path": tmp_path / "a",
        "levels": None,  # said in the reading, which holds
    }
    found = record([reading], asked)
    assert {"threshold", "gain", "path", "levels", "missing", "by_assessor"} <= set(found.options)
    assert not {"first", "overwrite", "labels", "merges", "diversity", "sources"} & set(found.options)
    assert found.options["path"] == str(tmp_path / "a")
    assert json.loads(json.dumps(found.as_dict()))["options"]["gain"] == {"Key": 0.5}


def test_sources_one_by_one() -> None:
    """A list is several sources: their files and what was asked of each are recorded as if they stood alone."""
    reading = Reading(("b",), diversity=True)
    assert record([["a", reading], "c"], {}) == record(["a", reading, "c"], {})
    assert record([["a", reading]], {}).options == {"diversity": True, **record([reading], {}).options}


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


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress, bz2.compress])
def test_a_digest_is_of_the_bytes_that_were_read(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    """Read by pieces, gone back to the beginning, compressed: the digest is hashlib's of the file as it lies there."""
    path = tmp_path / "a.run"
    path.write_bytes(pack(b"".join(b"q1 Q0 d%d %d %d x\n" % (at, at, -at) for at in range(50_000))))
    with hash_while_reading([path]) as digests:
        stream = open_stream(path)
        peek(stream, 1000)
        assert digests.of(str(path)) is None or pack is bz2.compress  # which is read as a whole
        for _ in cut_blocks(stream, whole_topics=False):
            pass
        stream.close()
        assert digests.of(str(path)) == hashlib.sha256(path.read_bytes()).hexdigest()


def test_digests_are_those_of_record(files: tuple[Path, Path]) -> None:
    """What nobody read, or only in part, is hashed when it is recorded."""
    with hash_while_reading([files[0]]) as digests:
        open_stream(files[0]).close()
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
