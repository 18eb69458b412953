"""How deep the embedded engine reads runs, and what Spark does not serve."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gainsayer as gs
from gainsayer import Reading
from gainsayer.errors import CallError

WHOLE = "NumRet"  # looks at all ranks, so that nothing is dropped


@pytest.fixture(scope="module")
def files(simulated_files: Callable[..., Path]) -> Path:
    """A simulated collection of 25 topics."""
    return simulated_files(topics=25, documents=20)


@pytest.mark.parametrize(
    ("measures", "options"),
    [
        (["nDCG@3", "P@5"], {}),
        (["P(judged_only=True)@5", "nDCG@3"], {}),
        (["AP@5", "RR@5", "ERR@5", "Q@5", "GAP@5", "F1@5", "Success@5", "R@5", "Judged@5"], {}),
        (["AP@5", "nDCG@5"], {"unjudged": 0.2}),
        (["nDCG@5", "P@5"], {"unjudged": "level"}),
        (["nDCG@5", "P@5"], {"unjudged": "condense"}),
        (["nDCG@5", "P@5"], {"unjudged": "bounds", "gains": "prm"}),
        (["nDCG@5", "P@5"], {"unjudged": 0.2, "users": "band"}),
        (["nDCG@5", "P@5"], {"ties": "rank", "labels": "mean"}),
        (["nDCG@5", "P@5"], {"ties": "input", "topics": "common", "no_relevant": "skip", "gains": "binary"}),
    ],
)
def test_nothing_that_a_measure_looks_at_is_dropped(files: Path, measures: list[str], options: dict[str, Any]) -> None:
    """Hits below the deepest cutoff are dropped; with a measure of whole lists, where none are, scores are the same."""
    judged = [files / "first.qrels", files / "second.qrels"]
    alone = gs.score(judged, files / "runs", measures, threshold=2, **options).scores
    beside = gs.score(judged, files / "runs", [*measures, WHOLE], threshold=2, **options).scores
    assert len(alone.values) >= len(measures)
    for (measure, gains), values in alone.values.items():
        assert np.array_equal(values, beside.values[measure, gains]), (str(measure), gains)
        assert np.array_equal(alone.unjudged[measure], beside.unjudged[measure]), str(measure)


@pytest.mark.parametrize(
    "options", [{}, {"baseline": "best", "margin": 0.1}, {"users": "band"}, {"unjudged": "condense"}]
)
def test_comparisons_are_the_same_however_deep_runs_are_read(files: Path, options: dict[str, Any]) -> None:
    """Scores, intervals, differences and what to judge next do not depend on ranks below the deepest cutoff."""
    judged = [files / "first.qrels", files / "second.qrels"]
    alone = gs.compare(judged, files / "runs", "nDCG@5", threshold=2, gains="prm", **options)
    beside = gs.compare(judged, files / "runs", ["nDCG@5", "AP"], threshold=2, gains="prm", **options)
    one, other = alone.comparison.parts[0], beside.comparison.parts[0]
    assert one.measure == other.measure
    for name in ("value", "interval", "rank", "rank_interval"):
        assert np.array_equal(getattr(one.standings, name), getattr(other.standings, name), equal_nan=True), name
    assert one.differences is not None
    assert other.differences is not None
    assert np.array_equal(one.differences.interval, other.differences.interval)
    assert alone.advice == beside.advice


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "dask"}, "The engine may be embedded or spark, found 'dask'."),
        ({"master": "yarn"}, r"master=\.\.\. says where Spark is: use engine='spark' with it."),
        ({"engine": "spark", "duplicates": "x"}, "The spark engine does not serve groups of equal documents: use"),
        ({"engine": "spark", "resources": 3}, "does not serve runs that rank resources: use engine='emb"),
    ],
)
def test_what_is_not_served_is_refused(files: Path, options: dict[str, Any], words: str) -> None:
    """One sentence says what Spark does not serve, and which engine does."""
    with pytest.raises(CallError, match=words):
        gs.score(files / "first.qrels", files / "runs", "P@5", **options)


def test_readings_that_are_not_served_are_refused(files: Path) -> None:
    """Data in memory, intents, opinions without names and plans are for the embedded engine."""
    path = files / "first.qrels"
    refused: list[tuple[str, Callable[[], object]]] = [
        ("judgments that are in memory", lambda: gs.fit({"q": {"d": 1}}, engine="spark")),
        ("judgments that are in memory", lambda: gs.agree("-", path, engine="spark")),
        ("intents", lambda: gs.fit(Reading((path,), diversity=True), engine="spark")),
        ("repeated judgments as opinions", lambda: gs.fit(Reading((path,), repeats="as-assessors"), engine="spark")),
        ("plans of second judgments", lambda: gs.fit(path, path, plan=path, engine="spark")),
        ("runs that are in memory", lambda: gs.score(path, {"q": {"d": 1.0}}, "P@5", engine="spark")),
    ]
    for words, call in refused:
        with pytest.raises(CallError, match=f"The spark engine does not serve {words}.*: use engine='embedded'"):
            call()
