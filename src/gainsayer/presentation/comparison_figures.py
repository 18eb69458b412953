"""The figures of a comparison: the runs with their intervals, differences from one run, the difference of two runs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gainsayer.comparison.results import Comparison, RunComparison
from gainsayer.measures.catalogue import Measure
from gainsayer.presentation.comparison_records import pair_records, reverse_pair
from gainsayer.presentation.figures import (
    DifferenceLine,
    Figure,
    RunDifferences,
    RunForest,
    TopicDifferences,
    as_row,
)
from gainsayer.presentation.figures.run_forest import (
    ABOVE_BASELINE,
    BASELINE,
    BELOW,
    BELOW_BASELINE,
    FIRST,
    NEAR_BASELINE,
)
from gainsayer.presentation.records import Record


def comparison_figure(comparison: Comparison, measure: Measure | None = None) -> Figure:
    """The main figure: the difference of two runs, or all runs with their intervals."""
    part = find_part(comparison, measure)
    if len(comparison.runs) == 2 and part.differences is not None:
        return difference_line(comparison, part)
    return run_forest(comparison, part)


def find_part(comparison: Comparison, measure: Measure | None = None) -> RunComparison:
    """The first kind of gains of a measure; of the first measure by default."""
    wanted = comparison.parts[0].measure if measure is None else measure
    return next(part for part in comparison.parts if part.measure == wanted)


def run_forest(comparison: Comparison, part: RunComparison, *, id: str = "forest", short: bool = False) -> RunForest:
    """The runs by one measure and kind of gains, with joint intervals."""
    standings = part.standings
    estimated = part.shares is not None
    return RunForest(
        id,
        str(part.measure),
        comparison.runs,
        as_row(standings.value),
        as_row(standings.interval[:, 0]),
        as_row(standings.interval[:, 1]),
        group_runs(comparison, part),
        as_row(standings.rank_interval[:, 0]),
        as_row(standings.rank_interval[:, 1]),
        short,
        comparison.confidence,
        "other topics and other assessors" if estimated else "other topics",
    )


def group_runs(comparison: Comparison, part: RunComparison) -> tuple[str, ...]:
    """In words, which runs the test tells from the first one, or from the baseline; empty where there was no test."""
    if part.differences is None:
        return ()
    if comparison.baseline is not None:
        words = {"better": ABOVE_BASELINE, "worse": BELOW_BASELINE}
        found = {
            record["a"]: words.get(record["verdict"].split(",")[0], NEAR_BASELINE) for record in _of(part, comparison)
        }
        return tuple(BASELINE if run == comparison.baseline else found[run] for run in comparison.runs)
    first = comparison.runs[first_run(part)]
    lower = {record["a"] for record in from_first(comparison, part) if is_clear(record)}
    return tuple(BELOW if run in lower and run != first else FIRST for run in comparison.runs)


def first_run(part: RunComparison) -> int:
    """The place of the run that scores highest."""
    return int(np.argsort(part.standings.rank, kind="stable")[0])


def is_clear(record: Record) -> bool:
    """Whether the test tells the two runs of a pair apart."""
    return record["verdict"].split(",")[0] in ("better", "worse")


def from_first(comparison: Comparison, part: RunComparison) -> list[Record]:
    """Each run minus the first one (or the baseline), the higher ones first."""
    other = comparison.runs[first_run(part)] if comparison.baseline is None else comparison.baseline
    found = part.differences
    if found is None:
        return []
    at = comparison.runs.index(other)
    held = np.flatnonzero((found.a == at) | (found.b == at))
    records = [
        record if record["b"] == other else reverse_pair(record)
        for record in pair_records(comparison.runs, part, held.tolist())
    ]
    return sorted(records, key=lambda record: (-record["difference"], record["a"]))


def run_differences(comparison: Comparison, part: RunComparison, *, id: str = "differences") -> RunDifferences | None:
    """Each run minus the first one or the baseline; None where there are no tests."""
    records = from_first(comparison, part)
    if not records or part.differences is None:
        return None
    if comparison.baseline is None:
        records = [record for record in records if record["a"] != record["b"]]

    def column(key: str, end: int | None = None) -> tuple[float | None, ...]:
        picked = [record[key] for record in records]
        return tuple(value if end is None or value is None else value[end] for value in picked)

    return RunDifferences(
        id,
        str(part.measure),
        records[0]["b"],
        tuple(record["a"] for record in records),
        column("difference"),
        column("simultaneous_interval", 0),
        column("simultaneous_interval", 1),
        tuple(map(is_clear, records)),
        column("p_adjusted"),
        len(part.differences.a),
        comparison.confidence,
    )


def winner_record(comparison: Comparison, part: RunComparison) -> Record:
    """The pair of two runs, the one that scores higher first."""
    (record,) = pair_records(comparison.runs, part)
    return reverse_pair(record) if record["difference"] < 0 else record


def difference_line(comparison: Comparison, part: RunComparison, *, id: str = "difference") -> DifferenceLine:
    """The difference of two runs."""
    record = winner_record(comparison, part)
    low, high = record["interval"] or (None, None)
    return DifferenceLine(
        id,
        str(part.measure),
        record["a"],
        record["b"],
        record["difference"],
        low,
        high,
        comparison.margin,
        record["verdict"],
        len(comparison.topics),
        comparison.confidence,
        *inner_interval(part, reverse=record["a"] != comparison.runs[0]),
    )


def inner_interval(part: RunComparison, *, reverse: bool = False) -> tuple[float | None, float | None]:
    """The interval of the one-sided tests behind "equivalent" and "no worse" of two runs; None without a margin."""
    found = part.differences
    if found is None or found.one_sided_interval is None or not np.isfinite(found.one_sided_interval[0]).all():
        return None, None
    low, high = found.one_sided_interval[0].tolist()
    return (-high, -low) if reverse else (low, high)


def topic_differences(comparison: Comparison, part: RunComparison, *, id: str = "topic-dots") -> TopicDifferences:
    """The difference of two runs on each topic."""
    record = winner_record(comparison, part)
    places = [comparison.runs.index(record[side]) for side in ("a", "b")]
    scores = [tuple(part.values[place].tolist()) for place in places]
    return TopicDifferences(id, str(part.measure), record["a"], record["b"], comparison.topics, *scores)


def _of(part: RunComparison, comparison: Comparison) -> Iterator[Record]:
    for record in pair_records(comparison.runs, part):
        yield record if record["b"] == comparison.baseline else reverse_pair(record)
