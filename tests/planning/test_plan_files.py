"""Plan files: what they hold is read back, and what is no plan is refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gainsayer.errors import DataError
from gainsayer.planning import read_plan

GOOD: dict[str, Any] = {
    "purpose": "parameters",
    "targets": ["0", "1"],
    "estimator": "one-sided",
    "relevant": ["1"],
    "confidence": 0.95,
    "seed": 3,
    "topics": 20,
    "first": ["nist"],
    "levels": [{"level": "0"}, {"level": "1"}],
    "batches": [
        {"batch": 1, "judgments": 9, "shares": {"0": 0.1, "1": 0.2}},
        {"batch": 2, "judgments": 9, "shares": {"0": 0.2, "1": 0.4}},
    ],
    "stopping": {"kind": "decision", "information_ratio": 2.0, "multiplier": 2.3},
    "list": {"file": "plan.list.csv", "digest": "abc"},
}


def test_a_plan_is_read_from_its_file(tmp_path: Path) -> None:
    """Everything that weighing needs."""
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(GOOD))
    for plan in (read_plan(path), read_plan({"schema_version": 1, **GOOD}), read_plan(read_plan(GOOD))):
        assert (plan.levels, plan.seed, plan.digest, plan.first) == (("0", "1"), 3, "abc", ("nist",))
        assert np.array_equal(plan.shares, [[0.1, 0.2], [0.2, 0.4]])
        assert plan.stopping.nominal == pytest.approx(0.98843, abs=1e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema_version": 2}, "its schema_version is 2, and this version of Gainsayer reads 1. Write a plan"),
        ({"batches": []}, "changed by hand"),
        ({"batches": [{"shares": {"0": 0.1}}]}, "cannot be read"),
        ({"batches": [{"shares": {"0": 0.1, "1": 1.5}}]}, "changed by hand"),
        ({"batches": [{"shares": {"0": 0.3, "1": 0.3}}, {"shares": {"0": 0.1, "1": 0.4}}]}, "changed by hand"),
        ({"stopping": {"kind": "whim", "information_ratio": 2, "multiplier": 2}}, "changed by hand"),
        ({"judged_topics": 10}, "leaves topics out"),
        ({"seed": "x"}, "cannot be read"),
        ({"list": None}, "sizes alone"),
        ({"list": {"file": "../plan.list.csv", "digest": "abc"}}, "its list stands next to it"),
        ({"relevant": []}, "changed by hand"),
        ({"relevant": ["9"]}, "changed by hand"),
        ({"estimator": "both"}, "changed by hand"),
        ({"stopping": {"kind": "precision", "information_ratio": None}}, "cannot be read"),
        ({"levels": 5}, "cannot be read"),
    ],
)
def test_what_is_no_plan_is_refused(change: dict[str, Any], message: str) -> None:
    """In words, whatever was changed."""
    with pytest.raises(DataError, match=message):
        read_plan(GOOD | change)


@pytest.mark.parametrize("text", ["", "[1]", "{", "\x00", '{"levels": []}'])
def test_files_that_hold_something_else_are_refused(tmp_path: Path, text: str) -> None:
    """No traceback."""
    path = tmp_path / "plan.json"
    path.write_text(text)
    with pytest.raises(DataError, match="expected a plan"):
        read_plan(path)
