"""Whose labels score, all of a document's together, and a machine among them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.errors import CallError, DataError


def test_compare_warns_of_a_machine_that_takes_a_side(run: Callable[..., Result], tmp_path: Path) -> None:
    """machine-side where a machine's labels score, or where it stands for users; none where it is not declared."""
    folder = tmp_path / "twin"
    gs.simulate(folder, topics=12, documents=30, runs=3, machine="gpt", shares=(0.4, 0.2, 0.2, 0.2))
    person, machine = folder / "first.qrels", folder / "gpt.qrels"
    asked = {"runs": folder / "runs", "measures": "nDCG@10", "threshold": 2, "permutations": 200}
    for files, words in (
        ((machine, person), "Runs are scored by the grades of gpt"),
        ((person, machine), "gpt, a machine, stands for the users"),
    ):
        table = gs.compare(list(files), machine="gpt", **asked)  # type: ignore[arg-type]
        assert words in {finding.code: finding.message for finding in table.findings}["machine-side"]
    plain = gs.compare([machine, person], **asked)  # type: ignore[arg-type]
    assert "machine-side" not in [finding.code for finding in plain.findings]
    with pytest.raises(CallError, match="There is no assessor 'x'"):
        gs.compare(person, machine="x", **asked)  # type: ignore[arg-type]
    done = run(
        *("compare", machine, "--runs", folder / "runs", "--machine", "gpt", "--permutations", "200"),
        *("-m", "P@5", "--format", "json"),
    )
    assert done.exit_code == 0, done.output
    assert "machine-side" in [one["code"] for one in json.loads(done.stdout)["warnings"]]


def test_labels_are_put_together_only_where_there_are_several() -> None:
    """With one label on each document there is nothing to put together, and a sentence says what to do."""
    judged = {f"q{topic}": {f"d{place}": place % 3 for place in range(6)} for topic in range(4)}
    run = {topic: {document: float(place) for place, document in enumerate(found)} for topic, found in judged.items()}
    with pytest.raises(DataError, match="No document has several labels that score"):
        gs.score(judged, run, "P@2", labels="posterior", threshold=1)
