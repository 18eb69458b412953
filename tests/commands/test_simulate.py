"""`simulate` from Python: the same collection in memory and as files, from plain numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gainsayer import simulate
from gainsayer.datasets import LatentModel, RunDesign, SecondRound, simulate_collection
from gainsayer.errors import CallError, FormatError


def test_it_is_the_collection_of_its_parts() -> None:
    """Plain numbers make the same collection as the models they stand for."""
    made = simulate(
        topics=6,
        documents=20,
        levels="no,so so,yes",
        assessors=4,
        second_topics=3,
        second_share=0.5,
        second_by_level={"yes": 1.0},
        shares=(0.5, 0.3, 0.2),
        topic_effect=0.1,
        leniency=0.3,
        noise=0.4,
        strata={"nav": 0.5, "inf": 0.5},
        runs={"a": 0.8, "b": 0.2},
        depth=7,
        unjudged=0.1,
        seed=3,
    )
    same = simulate_collection(
        LatentModel((0.5, 0.3, 0.2), topic_effect=0.1, leniency=0.3, noise=0.4),
        levels=("no", "so so", "yes"),
        topics=6,
        documents=20,
        assessors=4,
        second=SecondRound(3, 0.5, {"yes": 1.0}),
        runs=RunDesign({"a": 0.8, "b": 0.2}, 7, 0.1),
        strata={"nav": 0.5, "inf": 0.5},
        seed=3,
    )
    assert made.judgments.frame().equals(same.judgments.frame())
    assert all(made.runs[name].equals(same.runs[name]) for name in ("a", "b"))
    assert made.options == same.options


def test_runs_by_number_fall_evenly() -> None:
    """So many runs have qualities from .9 to .3; a sequence names them in order."""
    assert simulate(topics=2, documents=5, runs=3).options["runs"]["qualities"] == {
        "run01": 0.9,
        "run02": 0.6,
        "run03": 0.3,
    }
    assert simulate(topics=2, documents=5, runs=1).options["runs"]["qualities"] == {"run01": 0.9}
    assert list(simulate(topics=2, documents=5, runs=(0.5, 0.6)).runs) == ["run01", "run02"]
    assert simulate(topics=2, documents=5, runs=0).runs == {}
    with pytest.raises(CallError, match="The number of runs"):
        simulate(runs=-1)


def test_a_folder_gets_the_files(tmp_path: Path) -> None:
    """With a folder, files; the truth in them is that of the collection. Nothing is overwritten unasked."""
    made = simulate(tmp_path / "twin", topics=2, documents=5)
    truth = json.loads((tmp_path / "twin" / "truth.json").read_text())
    np.testing.assert_array_equal(truth["truth"]["symmetric"], made.truth.symmetric)
    with pytest.raises(CallError, match=r"overwrite the simulation in it \(overwrite=True\)"):
        simulate(tmp_path / "twin", topics=2, documents=5)
    simulate(tmp_path / "twin", topics=2, documents=5, overwrite=True)


@pytest.mark.parametrize("text", ["4 1 1\n3 4 3\n0 2 2\n", "\n4,1,1\n3, 4,3\n0,2,2"])
def test_a_matrix_comes_from_numbers_or_a_file(tmp_path: Path, text: str) -> None:
    """The joint model of a file is that of the numbers in it."""
    path = tmp_path / "matrix.txt"
    path.write_text(text)
    made = simulate(topics=2, documents=5, matrix=path)
    other = simulate(topics=2, documents=5, matrix=[[4, 1, 1], [3, 4, 3], [0, 2, 2]])
    assert made.judgments.frame().equals(other.judgments.frame())
    path.write_text("1 2\n3\n")
    with pytest.raises(FormatError, match="expected as many numbers in each line"):
        simulate(matrix=path)
    path.write_text("1 x\n3 4\n")
    with pytest.raises(FormatError, match="line 1: expected numbers"):
        simulate(matrix=path)
