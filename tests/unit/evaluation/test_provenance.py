"""Where a result comes from: files with their digests, and what was asked for."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

from gainsayer.evaluation.provenance import files_of, record
from gainsayer.evaluation.sources import Reading
from gainsayer.levels import Levels


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
    assert (found.version, found.seed) == (version("gainsayer"), 7)


def test_what_was_asked_for_and_nothing_else(tmp_path: Path) -> None:
    """None, False and empty values are left out; values become what JSON can hold; a reading's options are there."""
    reading = Reading(({"q": {"d": 1}},), missing=("-1",), by_assessor=True)
    asked = {
        "threshold": 2,
        "first": None,
        "overwrite": False,
        "labels": (),
        "gain": {"Key": 0.5},
        "path": tmp_path / "a",
        "levels": Levels(("0", "1")),
    }
    found = record([reading], asked)
    assert {"threshold", "gain", "path", "levels", "missing", "by_assessor"} <= set(found.options)
    assert not {"first", "overwrite", "labels", "merges", "diversity", "sources"} & set(found.options)
    assert found.options["path"] == str(tmp_path / "a")
    assert json.loads(json.dumps(found.as_dict()))["options"]["gain"] == {"Key": 0.5}


def test_sources_one_by_one() -> None:
    """A list is several sources, anything else is one."""
    assert files_of(["a", "b"]) == ["a", "b"]
    assert files_of({"q": {"d": 1}}) == [{"q": {"d": 1}}]
