"""Simulated collections as files: ordinary, the same bytes for the same seed, whole or not at all."""

import json
from dataclasses import replace

import numpy as np
import pytest

from gainsayer.datasets import (
    JointModel,
    LatentModel,
    RunDesign,
    SecondRound,
    simulate_collection,
    write,
    write_collection,
)
from gainsayer.errors import CallError
from gainsayer.levels import Levels


def draw(seed=0, **options):
    """A small collection with strata."""
    return simulate_collection(topics=4, documents=12, strata={"nav": 0.5, "inf": 0.5}, seed=seed, **options)


def content(folder):
    """The bytes of every file in a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_files_are_ordinary(tmp_path):
    """Qrels have four columns, runs six, strata two; everything in memory stands in them."""
    collection = draw()
    folder = write_collection(collection, tmp_path / "collection")
    runs = {f"runs/run0{number}.run" for number in range(1, 6)}
    assert set(content(folder)) == {"first.qrels", "second.qrels", "strata.tsv", "truth.json", *runs}
    lines = [line.split(" ") for line in (folder / "first.qrels").read_text().splitlines()]
    frame = collection.judgments.frame()
    first = frame.filter(frame["assessor"] == "first")
    index = collection.levels.names.index
    assert lines == [[row[0], "0", row[1], str(index(row[3]))] for row in first.iter_rows()]
    lines = [line.split(" ") for line in (folder / "runs" / "run02.run").read_text().splitlines()]
    rows = collection.runs["run02"].iter_rows()
    assert lines == [[row[0], "Q0", row[1], str(row[2]), f"{row[3]:.6f}", "run02"] for row in rows]
    strata = [line.split("\t") for line in (folder / "strata.tsv").read_text().splitlines()]
    assert strata == [["topic", "stratum"], *map(list, collection.strata.items())]


def test_the_truth_file_tells_all(tmp_path):
    """Truth, seed, options, second round and the list of files, as plain JSON."""
    collection = draw(second=SecondRound(by_level={"Non": 0.5}))
    folder = write_collection(collection, tmp_path / "collection")
    truth = json.loads((folder / "truth.json").read_text())
    assert truth["gainsayer_simulation"] == 1
    assert truth["seed"] == 0
    assert truth["levels"] == ["Non", "Rel", "HRel", "Key"]
    np.testing.assert_array_equal(truth["truth"]["symmetric"], collection.truth.symmetric)
    np.testing.assert_array_equal(truth["stratum_truth"]["nav"]["one_sided"], collection.truth.one_sided)
    assert truth["inclusion"] == {"Non": 0.5, "Rel": 1, "HRel": 1, "Key": 1}
    assert truth["second_topics"] == list(collection.second_topics)
    assert truth["options"]["runs"]["depth"] == 100
    assert set(truth["files"]) == set(content(folder))


def test_a_level_that_never_occurs_is_null_in_the_truth_file(tmp_path):
    """JSON has no NaN."""
    collection = simulate_collection(JointModel([[3, 0], [0, 0]]), topics=2, documents=3)
    folder = write_collection(collection, tmp_path / "collection")
    assert json.loads((folder / "truth.json").read_text())["truth"]["one_sided"] == [[1, 0], [None, None]]


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    """Byte by byte; another seed differs in judgments and runs."""
    one, two, other = (
        content(write_collection(draw(seed), tmp_path / name)) for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert one == two
    assert one.keys() == other.keys()
    assert all(one[name] != other[name] for name in ("first.qrels", "second.qrels", "truth.json", "runs/run01.run"))


def test_more_assessors_have_a_file_each(tmp_path):
    """One qrels file per assessor, named as the assessor."""
    folder = write_collection(draw(assessors=4, second=SecondRound(topics=4)), tmp_path / "collection")
    names = sorted(path.name for path in folder.glob("*.qrels"))
    assert names == ["first1.qrels", "first2.qrels", "second1.qrels", "second2.qrels"]


@pytest.mark.parametrize(
    ("levels", "labels"),
    [
        (Levels(("0", "1", "3")), {"0", "1", "3"}),
        (Levels(("no", "so so", "yes")), {"0", "1", "2"}),
        (Levels(("no", "so so", "yes"), codes=("0", "5", "9")), {"0", "5", "9"}),
    ],
)
def test_qrels_hold_whole_numbers(tmp_path, levels, labels):
    """A level is written as its code, its own number, or its place."""
    collection = simulate_collection(LatentModel((0.4, 0.3, 0.3)), levels=levels, topics=4, documents=30)
    folder = write_collection(collection, tmp_path / "collection")
    assert {line.split(" ")[3] for line in (folder / "first.qrels").read_text().splitlines()} == labels


def test_a_folder_with_content_is_refused_and_left_alone(tmp_path):
    """Nothing is written into it or beside it."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    for overwrite, words in ((False, "is not empty. Name another folder"), (True, "holds no truth.json")):
        with pytest.raises(CallError, match=words):
            write_collection(draw(), folder, overwrite=overwrite)
    (folder / "truth.json").write_text("{not json")
    with pytest.raises(CallError, match="of a simulation, so it is not overwritten"):
        write_collection(draw(), folder, overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert sorted(content(folder)) == ["notes.txt", "truth.json"]


def test_a_simulation_is_overwritten_only_when_asked_and_only_if_nothing_else_is_there(tmp_path):
    """An earlier simulation is replaced whole; a folder to which something was added is not."""
    folder = write_collection(draw(runs=RunDesign({"old": 0.5})), tmp_path / "collection")
    with pytest.raises(CallError, match="overwrite the simulation in it"):
        write_collection(draw(1), folder)
    write_collection(draw(1), folder, overwrite=True)
    assert content(folder) == content(write_collection(draw(1), tmp_path / "fresh"))
    (folder / "runs" / "mine.run").write_text("precious")
    with pytest.raises(CallError, match=r"such as runs/mine\.run, so it is not overwritten"):
        write_collection(draw(2), folder, overwrite=True)
    assert (folder / "runs" / "mine.run").read_text() == "precious"


def test_an_empty_folder_is_filled_and_parents_are_made(tmp_path):
    """An empty folder counts as new."""
    (tmp_path / "empty").mkdir()
    write_collection(draw(), tmp_path / "empty")
    write_collection(draw(), tmp_path / "deep" / "down")
    assert content(tmp_path / "empty") == content(tmp_path / "deep" / "down")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "empty"]


def test_a_file_or_the_current_folder_is_refused(tmp_path, monkeypatch):
    """A folder of its own is needed."""
    (tmp_path / "file").write_text("")
    with pytest.raises(CallError, match="is a file"):
        write_collection(draw(), tmp_path / "file")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CallError, match="the folder you are in"):
        write_collection(draw(), ".")


def test_a_stop_half_way_leaves_nothing(tmp_path, monkeypatch):
    """When writing fails, the old collection stays and no half of the new one is seen."""
    folder = write_collection(draw(), tmp_path / "collection")
    before = content(folder)

    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(write, "_truth_content", full)
    for target in (folder, tmp_path / "new"):
        with pytest.raises(OSError, match="disk full"):
            write_collection(draw(1), target, overwrite=True)
    assert content(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["collection"]


def test_a_failed_rename_puts_the_old_folder_back(tmp_path, monkeypatch):
    """The last step may fail too."""
    folder = write_collection(draw(), tmp_path / "collection")
    before = content(folder)
    rename = type(folder).rename

    def fails_for_new(path, target):
        if path.name == "new":
            raise OSError("no rename")
        return rename(path, target)

    monkeypatch.setattr(type(folder), "rename", fails_for_new)
    with pytest.raises(OSError, match="no rename"):
        write_collection(draw(1), folder, overwrite=True)
    assert content(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["collection"]


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "a b", "", ".hidden", "-x", "a\n"])
def test_names_never_become_paths(tmp_path, name):
    """Run and assessor names that are no plain file names are refused before anything is written."""
    collection = draw()
    judgments = replace(collection.judgments, assessors=("first", name))
    for bad in (replace(collection, judgments=judgments), replace(collection, runs={name: collection.runs["run01"]})):
        with pytest.raises(CallError, match="letters, digits"):
            write_collection(bad, tmp_path / "collection")
    assert list(tmp_path.iterdir()) == []
