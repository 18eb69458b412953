"""Records and tables of scores: the numbers are those of the runs' scores."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import sem

from gainsayer import ScoreTable
from gainsayer.commands.score_tables import score_records, score_tables
from gainsayer.gains import binary_gains
from gainsayer.levels import Levels
from gainsayer.measures import Scores, parse_measure, score_runs
from gainsayer.rankings import ranked_from_lists

LEVELS = Levels(("0", "1"))
MEASURE = parse_measure("P@4")


def scored() -> Scores:
    """Two runs of four documents on nine topics."""
    rng = np.random.default_rng(4)
    pool = {f"q{n}": [5, 5] for n in range(9)}
    runs = [
        ranked_from_lists({topic: rng.integers(0, 2, 4).tolist() for topic in pool}, pool, levels=LEVELS, name=name)
        for name in ("a", "b")
    ]
    return score_runs(runs, [MEASURE], {MEASURE: [binary_gains(LEVELS, LEVELS.at_or_above("1"))]})


def test_plus_minus_is_the_error_of_the_mean() -> None:
    """In the record and in the table: mean, and scipy's standard error of the mean over topics."""
    scores = scored()
    records, table = list(score_records(scores)), score_tables(ScoreTable(scores))[0]
    for place, values in enumerate(scores.values[MEASURE, "binary"]):
        assert records[place]["value"] == pytest.approx(values.mean())
        assert records[place]["standard_error"] == pytest.approx(sem(values))
        assert table.cells()[place][1:] == (records[place]["value"], records[place]["standard_error"])
    assert [column.heading for column in table.columns][1:] == ["P@4", "error"]


def test_topics_follow_the_mean_without_errors() -> None:
    """One record per topic with its score; an error is a matter of many topics."""
    scores = scored()
    records = [record for record in score_records(scores, per_topic=True) if record["run"] == "b"]
    assert [record["topic"] for record in records] == ["all", *scores.topics]
    assert [record["value"] for record in records[1:]] == scores.values[MEASURE, "binary"][1].tolist()
    assert all(record["standard_error"] is None for record in records[1:])
