"""At which step a judged document comes in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from gainsayer.judgments.files import read_judgments
from gainsayer.judgments.table import Judgments
from gainsayer.rankings.documents import RankedDocuments
from gainsayer.rankings.pool import pool_documents
from gainsayer.rankings.ranking import rank_documents
from gainsayer.rankings.resources import returned_by_rows
from gainsayer.runs.files import read_run
from gainsayer.studies.entry_steps import enter_by_resources, enter_by_runs


def match(judgments: Judgments, *tables: Mapping[str, Mapping[str, float]]) -> list[RankedDocuments]:
    """Where runs put the judged documents."""
    pool = pool_documents(judgments)
    return [rank_documents(read_run(table), pool) for table in tables]


def test_only_the_first_results_of_a_resource_enter() -> None:
    """Results beyond the asked number, and of no resource, never come in; a shared one enters with the better."""
    judgments = read_judgments({"U": {"q": {"a": 1, "b": 1, "c": 0, "x": 1}}})
    rows = [("q", "r1", "c"), ("q", "r1", "b"), ("q", "r2", "a"), ("q", "r2", "c")]
    entry = enter_by_resources(judgments, returned_by_rows(rows), judgments.levels.at_or_above("1"), results=1)
    step = dict(zip(judgments.document, entry.step[judgments.item].tolist(), strict=True))
    assert step == {"a": 1.0, "b": np.inf, "c": 2.0, "x": np.inf}


def test_metarank_and_depth_are_those_of_brute_force() -> None:
    """Best rank, and exp(mean log rank) with missing results one below the last, computed one by one."""
    rng = np.random.default_rng(4)
    documents = [f"d{number}" for number in range(12)]
    judged = {topic: {name: int(rng.integers(2)) for name in documents[:8]} for topic in ("q1", "q2", "q3")}
    judgments = read_judgments({"U": judged})
    tables = []
    for _ in range(5):
        tables.append(
            {
                topic: {str(name): float(rng.integers(4)) for name in rng.choice(documents, size=6, replace=False)}
                for topic in rng.permutation(["q1", "q2", "q9"])[:2]
            }
        )
    runs = match(judgments, *tables)
    depth, meta = (enter_by_runs(judgments, runs, by=by).step[judgments.item] for by in ("depth", "metarank"))
    for row, (topic, document) in enumerate(zip(judgments.topic, judgments.document, strict=True)):
        places, logs = [], []
        for table in tables:
            scores = table.get(judgments.topics[topic], {})
            if not scores:  # a run that lacks the topic says nothing about it
                continue
            order = sorted(scores, key=lambda name: (scores[name], name), reverse=True)
            place = order.index(document) + 1 if document in order else None
            places.append(np.inf if place is None else place)
            logs.append(np.log(place or len(order) + 1))
        assert depth[row] == min(places, default=np.inf)
        assert meta[row] == (pytest.approx(np.exp(np.mean(logs))) if logs else np.inf)


def test_steps_of_a_part_are_those_of_the_whole() -> None:
    """The steps of a stratum's documents, computed once for all topics, are those computed for it alone."""
    judgments = read_judgments({"U1": {"q2": {"b": 1, "a": 0}, "q1": {"a": 1, "c": 0}}, "U2": {"q2": {"a": 1}}})
    tables = [{"q1": {"a": 2.0, "c": 1.0}, "q2": {"a": 1.0, "x": 2.0}}, {"q2": {"b": 1.0}}]
    whole = enter_by_runs(judgments, match(judgments, *tables))
    part = judgments.rows(judgments.topic == judgments.topics.index("q2"))
    alone = enter_by_runs(part, match(part, *tables))
    assert whole.of_part(judgments, part).step.tolist() == alone.step.tolist()
