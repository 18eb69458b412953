"""The door of runs: kinds of sources, folders and patterns, names, and faulty calls."""

from __future__ import annotations

import io

import pytest

from gainsayer.errors import CallError, FormatError
from gainsayer.reading import find_runs, name_runs, read_run

TEXT = b"q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 2.0 bm25\nq2 Q0 d1 1 -1e-3 bm25\n"

ROWS = [("q1", "d1", 2.5), ("q1", "d2", 2.0), ("q2", "d1", -0.001)]


def test_standard_input_is_read(monkeypatch):
    """'-' is standard input, for TREC runs and tables."""
    for content in (TEXT, b"topic,document,score\nq1,d1,2.5\nq1,d2,2\nq2,d1,-.001\n"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert read_run("-").frame().rows() == ROWS


def test_bad_calls_are_refused_in_words(tmp_path):
    """A missing file, a folder, an odd source and mappings that are not nested are faults of the call."""
    with pytest.raises(CallError, match="There is no file"):
        read_run(tmp_path / "none.run")
    with pytest.raises(CallError, match="is a folder"):
        read_run(tmp_path)
    with pytest.raises(CallError, match=r"A run is read from a path, an Arrow table .* found int"):
        read_run(3)
    with pytest.raises(CallError, match="where a mapping should be"):
        read_run({"q1": [1, 2]})
    with pytest.raises(FormatError, match="row 1: expected a number as score, found 'True'"):
        read_run({"q1": {"d1": True}})
    with pytest.raises(FormatError, match=r"mapping is empty: .* found no rows"):
        read_run({})
    with pytest.raises(CallError, match="The format of a run may be trec"):
        read_run(tmp_path, format="qrels")


def test_folders_and_patterns_are_found(tmp_path):
    """A folder gives its files, sorted, without hidden ones and a README; a pattern what it matches; nothing twice."""
    for name in ("b.run", "a.run", ".hidden", "c.txt", "README", "readme.txt", "LICENSE", "notes.md"):
        (tmp_path / name).write_bytes(TEXT)
    (tmp_path / "inner").mkdir()
    whole = [str(tmp_path / name) for name in ("a.run", "b.run", "c.txt")]
    assert find_runs([tmp_path]) == whole
    assert find_runs([tmp_path / "*.run", tmp_path / "b.run", "-"]) == [*whole[:2], "-"]
    with pytest.raises(CallError, match="No file matches"):
        find_runs([tmp_path / "*.gz"])
    with pytest.raises(CallError, match="There is no file in the folder"):
        find_runs([tmp_path / "inner"])
    with pytest.raises(CallError, match="No runs were given"):
        find_runs([])


def test_runs_that_share_a_tag_are_named_by_file():
    """Tags name runs; the same tag twice gives way to file names, the same file name to paths."""
    assert name_runs(["a", "b"], ["x.run", "y.run"]) == ("a", "b")
    assert name_runs(["a", "a", "b"], ["x.run", "y.res.gz", "z"]) == ("x", "y", "b")
    assert name_runs(["a", "a"], ["1/x.run", "2/x.run"]) == ("1/x.run", "2/x.run")
