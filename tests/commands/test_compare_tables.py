"""Tables of a comparison: the numbers are those of the runs' scores."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import sem

from gainsayer.commands.compare_tables import run_rows
from gainsayer.comparison import Comparison, compare_runs
from gainsayer.gains import Scheme, binary_gains
from gainsayer.levels import Levels
from gainsayer.measures import parse_measure
from gainsayer.ranking import ranked_from_lists

LEVELS = Levels(("0", "1"))


def compared() -> Comparison:
    """Two runs of four documents on nine topics."""
    rng = np.random.default_rng(3)
    pool = {f"q{n}": [5, 5] for n in range(9)}
    runs = [
        ranked_from_lists({topic: rng.integers(0, 2, 4).tolist() for topic in pool}, pool, levels=LEVELS, name=name)
        for name in ("a", "b")
    ]
    return compare_runs(runs, [parse_measure("P@4")], [Scheme(binary_gains(LEVELS, LEVELS.at_or_above("1")))])


def test_plus_minus_is_the_error_of_the_mean() -> None:
    """value and standard_error are mean and scipy's standard error of the mean over topics."""
    comparison = compared()
    records = run_rows(comparison).records()
    assert [record["run"] for record in records] == ["a", "b"]
    for record, scores in zip(records, comparison.parts[0].values, strict=True):
        assert record["value"] == pytest.approx(scores.mean())
        assert record["standard_error"] == pytest.approx(sem(scores))
