"""What is exported: last words with weights that are right whatever part of the plan is done."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.judging.studies import LEVELS, NOW, make_content, play, write_plan

import gainsayer as gs
from gainsayer.planning import read_plan
from gainsayer.web.database import Database
from gainsayer.web.monitor import oversee
from gainsayer.web.people import Person
from gainsayer.web.second_round import COLUMNS, Event, Planned, Round, export_csv, read_round
from gainsayer.web.study import Study

Make = Callable[..., Database]
People = Callable[..., list[Person]]


def test_export_reads_back_and_equals_the_organisers_page(study: Make, people: People, tmp_path: Path) -> None:
    """Export, then `fit`: the same p(R|i) and both intervals as on the page, with five people and a half-done plan."""
    database = study(topics=9, documents=10, overlap=1)
    play(database, people(database, "Ann", "Ben", "Cleo", "Dan", "Eve"), 78)
    with database.read() as connection:
        second = read_round(connection)
    # Whoever skipped in the first batch judges after all: only then does it hold at any moment.
    judged = {one.item for one in second.last_words() if one.kind == "level"}
    later = [number for number, one in second.items.items() if one.batch == 1 and number not in judged]
    made = [Event(10_000 + number, "Ann", number, "level", 1, "", None, NOW) for number in later]
    second = replace(second, events=[*second.events, *made])
    overview = oversee(second)
    (tmp_path / "second.csv").write_text(export_csv(second), encoding="utf-8")
    labels = "".join(
        f"{one.topic} 0 {one.document} {one.level}\n" for one in make_content(topics=9, documents=10).items
    )
    (tmp_path / "first.qrels").write_text(labels)
    assert 50 < overview.judged < overview.planned
    assert overview.any_moment_confidence is not None
    for confidence, interval in ((0.95, "interval"), (overview.any_moment_confidence, "any_moment")):
        model = gs.fit(
            tmp_path / "first.qrels",
            tmp_path / "second.csv",
            threshold=1,
            first=["first"],
            second=["Ann", "Ben", "Cleo", "Dan", "Eve"],
            estimator="one-sided",
            confidence=confidence,
        ).predict()
        for place, level in enumerate(overview.levels):
            assert level.probability == pytest.approx(model.probability[place], abs=1e-12)
            assert getattr(level, interval) == pytest.approx(tuple(model.interval.ends[place]), abs=1e-9)


def test_the_export_is_the_events_replayed(study: Make, people: People) -> None:
    """Rows are the last words of a replay, without skips; --events has every event; notes come back as they were."""
    database = study(topics=5, documents=8, overlap=2)
    play(database, people(database, "Ann", "Ben", "Cleo"), 60)
    with database.read() as connection:
        second = read_round(connection)
    last: dict[tuple[str, int], Event] = {}
    for one in second.events:
        last[one.assessor, one.item] = one
    kept = {key: one for key, one in last.items() if one.kind == "level"}
    rows = list(csv.DictReader(io.StringIO(export_csv(second))))
    assert tuple(rows[0]) == COLUMNS
    found = {(row["topic"], row["document"], row["assessor"]): row["level"] for row in rows}
    assert found == {
        (second.items[item].topic, second.items[item].document, name): str(one.level)
        for (name, item), one in kept.items()
    }
    assert {row["note"] for row in rows} == {'=note, "quoted"\n2'}
    events = list(csv.DictReader(io.StringIO(export_csv(second, events=True))))
    assert [int(row["event"]) for row in events] == [one.id for one in second.events]
    assert {row["kind"] for row in events} == {"level", "skip", "undo"}
    safe = list(csv.DictReader(io.StringIO(export_csv(second, spreadsheet=True))))
    assert {row["note"] for row in safe} == {'\'=note, "quoted"\n2'}


def test_weights_are_those_of_the_plan_when_batches_are_done() -> None:
    """With shares .25 and .5 of a level, documents weigh 4 after the first batch and 2 after the second."""
    items = {number: Planned("t", f"d{number}", 1 + number // 4, 0) for number in range(8)}
    plan = write_plan("012", ["1"], [dict.fromkeys("012", 0.25), dict.fromkeys("012", 0.5)])
    trial = Study("trial", read_plan(plan), LEVELS, ("1",), 1, None, None, None)
    events = [Event(number + 1, "Ann", number, "level", 1, "", None, NOW) for number in range(8)]
    whole = Round(trial, items, events, ["Ann"])
    assert set(whole.weights(whole.last_words()).values()) == {2.0}
    assert set(whole.weights(replace(whole, events=whole.events[:4]).last_words()).values()) == {4.0}
    assert set(whole.weights(replace(whole, events=whole.events[:6]).last_words()).values()) == {1 / 0.375}


def test_weights_undo_unequal_shares() -> None:
    """Levels drawn with different shares, topics stopped at different points: the weighted shares are those of all.

    A thousand draws of a simulated plan; the tolerance is four standard errors of their mean.
    """
    draw = np.random.default_rng(5)
    share = np.array([[0.2, 0.5], [0.4, 1.0]])
    plan = write_plan("01", ["1"], [{"0": share[b, 0], "1": share[b, 1]} for b in range(2)])
    trial = Study("trial", read_plan(plan), LEVELS[:2], ("1",), 1, None, None, None)
    labels = np.repeat([0, 1], [20, 10])
    found = []
    for _ in range(1000):
        items, events = {}, []
        for topic in range(3):
            batch = np.zeros(30, int)
            for level in (0, 1):
                cell = np.flatnonzero(labels == level)
                key = (draw.permutation(len(cell)) + draw.random()) / len(cell)
                batch[cell] = np.where(key <= share[0, level], 1, np.where(key <= share[1, level], 2, 0))
            for step in (1, 2):
                block = draw.permutation(np.flatnonzero(batch == step))
                for place, document in enumerate(block):
                    number = topic * 100 + int(document)
                    items[number] = Planned(f"t{topic}", str(document), step, int(labels[document]))
                    # The first topic is done, the second has half of its second block, the third half of its first.
                    stop = len(block) if step <= 2 - topic else len(block) // 2 if step == 3 - topic else 0
                    if place < stop:
                        events.append(Event(len(events) + 1, "Ann", number, "level", 1, "", None, NOW))
        second = Round(trial, items, events, ["Ann"])
        weights = second.weights(second.last_words())
        found.append([sum(w for number, w in weights.items() if items[number].level == level) for level in (0, 1)])
    mean, error = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(1000)
    assert np.all(np.abs(mean - [60, 30]) < 4 * error)
