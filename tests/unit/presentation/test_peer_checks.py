"""What the doctor says: one list of checks, in JSON, CSV and tables alike."""

from __future__ import annotations

import csv
import io
import json

import numpy as np

from gainsayer import Diagnosis
from gainsayer.exports import Check
from gainsayer.gains import Gains
from gainsayer.levels import Levels
from gainsayer.rankings import LabelRule

DIAGNOSIS = Diagnosis(
    checks=(
        Check("trec_eval", None, None, None, None, None, None, "not installed", "not on PATH"),
        Check("ranx", "0.3", "scaled qrels", "your run", 0.25, 0.5, 0.125, "wrong", "another value, in silence"),
    ),
    advice=("Do this.", "Do that."),
    gains=Gains(Levels(("0", "1")), np.array([0.1, 0.5]), name="prm"),
    scale=1000,
    labels=LabelRule("names", ("ann",)),
    notes=("Looked at the first 1 of 2 topics.",),
)


def test_the_same_checks_in_every_form() -> None:
    """JSON has null, CSV an empty cell where nothing is known; the advice stands below the table."""
    document = json.loads(DIAGNOSIS.to_json())
    assert document["gains"] == {"name": "prm", "levels": {"0": 0.1, "1": 0.5}}
    assert (document["labels"], document["scale"], document["notes"]) == ("ann", 1000, list(DIAGNOSIS.notes))
    assert document["checks"][0]["value"] is None
    rows = list(csv.DictReader(io.StringIO(DIAGNOSIS.to_csv())))
    assert [list(row) for row in rows] == [list(check) for check in document["checks"]]
    assert (rows[0]["version"], rows[1]["value"], rows[1]["bound"]) == ("", "0.25", "0.125")
    text = DIAGNOSIS.to_markdown()
    assert "nDCG with PRM gains (0 = 0.1, 1 = 0.5): what each evaluator makes of it" in text
    assert text.index("another value, in silence") < text.index("Do that.")


def test_a_column_of_which_nothing_is_known_holds_text() -> None:
    """Where nobody is installed, versions are text that is not known, not numbers."""
    frame = Diagnosis(DIAGNOSIS.checks[:1], (), DIAGNOSIS.gains, 1000, DIAGNOSIS.labels).to_polars()
    assert [str(frame.schema[key]) for key in ("version", "given", "ranking")] == ["String"] * 3
