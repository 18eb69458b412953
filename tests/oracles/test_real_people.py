"""People in `compare` on published judgments: how many it allows for, and what they add to the topics."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import gainsayer as gs

Find = Callable[[str], Path]
FACETS = ("background", "method", "result")


def check(found: Any, people: list[int], cut: list[bool]) -> None:
    """Over people, so many of them, of the sides that are cut; every score interval contains that of topics alone."""
    document: dict[str, Any] = found.document()
    assert (document["over"], document["people"]) == ("topics and people", people)
    for worth, count, of_users in zip(document["effective_people"], people, cut, strict=True):
        assert 3 < worth <= count if of_users else worth is None
    for run in document["runs"]:
        for score in run["scores"]:
            (low, high), (topic_low, topic_high) = score["interval"], score["topic_interval"]
            assert low < topic_low < score["value"] < topic_high < high


@pytest.mark.parametrize("estimator", ["symmetric", "one-sided"])
def test_dl19_annotators(shared_data: Find, estimator: str) -> None:
    """Four people a side: both sides symmetric, the second one alone one-sided."""
    files = sorted(shared_data("dl19/annotators").glob("*.qrels"))
    sides = {side: [f"pair{pair}-{side}" for pair in range(1, 5)] for side in ("first", "second")}
    runs = sorted(shared_data("dl19/runs").glob("*.run.gz"))[:4]
    measures = ["nDCG@10", "P@10", "AP"]
    options = {"threshold": 2, "gains": "prm", "labels": sides["first"], "estimator": estimator}
    found = gs.compare(files, runs, measures, **sides, **options)  # type: ignore[arg-type]
    check(found, [4, 4], [estimator == "symmetric", True])
    these = "four and four" if estimator == "symmetric" else "four"
    assert f"other topics and other people like these {these}" in " ".join(found.to_text().split())


def csfcube(folder: Path) -> Iterator[tuple[str, str, str, int]]:
    """Topic (a query seen through one facet), document, expert, level."""
    for facet in FACETS:
        for query, entry in json.loads((folder / f"test-pid2anns-csfcube-{facet}.json").read_text()).items():
            for expert in (key for key in entry if "_ann" in key):
                for document, level in zip(entry["cands"], entry[expert], strict=True):
                    yield f"{query} {facet}", document, expert.removeprefix("relevance_"), level


@pytest.mark.parametrize("labels", ["mean", "ann1,ann2,ann3,ann4"])
def test_csfcube_experts_are_one_team(shared_data: Find, labels: str) -> None:
    """Four experts in changing pairs; the mean of their labels, or the first one's, scores a run and a shuffled one."""
    folder = shared_data("csfcube")
    rows = [row for row in csfcube(folder) if row[3] >= 0]
    ranked: dict[str, dict[str, float]] = {}
    for facet in FACETS:
        text = (folder / "runs" / f"test-pid2pool-csfcube-specter-{facet}-ranked.json").read_text()
        for query, entries in json.loads(text).items():
            ranked[f"{query} {facet}"] = {document: -distance for document, distance in entries}
    chance = random.Random(1)
    shuffled = {topic: {document: chance.random() for document in sorted(found)} for topic, found in ranked.items()}
    found = gs.compare(
        pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row"),
        runs={"specter": ranked, "shuffled": shuffled},
        measures=["nDCG@20", "P@20"],
        threshold=2,
        gains="prm",
        labels=labels,
    )
    check(found, [4], [True])
    assert "these four" in " ".join(found.to_text().split())
