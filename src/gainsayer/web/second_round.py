"""The second round so far: every event, the last words among them, and what each second judgment weighs.

A document of topic t with first label i was asked for, and answered, with the probability

    pi_ti = sum over batches b of (share_i(b) - share_i(b - 1)) m_tb / n_tb,

n_tb being the documents of the block and m_tb those with a level by now: within a block everybody's order is random, so
a part of it is a random part. An empty block counts as far as its batch is over in the other topics. Where all batches
are done in a topic, this is the plan's share. The weight is 1 / pi_ti; it belongs to the moment of export. Skipped
documents are taken as missing at random within their block, which is worth checking where there are many.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection, select

from gainsayer.web.database import assessor, event, first_label, item, topic
from gainsayer.web.study import Study, read_study_row

COLUMNS: Final = (
    *("topic", "document", "assessor", "level", "weight", "milliseconds", "answered_at", "note", "batch"),
)
EVENT_COLUMNS: Final = (
    *(
        "event",
        "topic",
        "document",
        "assessor",
        "kind",
        "level",
        "milliseconds",
        "answered_at",
        "note",
        "batch",
        "turn",
    ),
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Planned:
    """A document of the study, with its first label (a place among the levels) where it is known."""

    topic: str
    document: str
    batch: int
    level: int | None


@dataclass(frozen=True)
class Event:
    """One answer, skip or undo; `turn` is its place among the person's words on the document, where not its number."""

    id: int
    assessor: str
    item: int
    kind: str
    level: int | None
    note: str
    milliseconds: int | None
    at: float
    turn: float | None = None


@dataclass(frozen=True)
class Round:
    """A study with its documents and events, as one moment shows them.

    Args:
        study: what it is.
        items: its documents by number.
        events: in the order they came.
        people: everybody invited as a judge, by name.
    """

    study: Study
    items: Mapping[int, Planned]
    events: Sequence[Event]
    people: Sequence[str]

    def last_words(self) -> list[Event]:
        """The last event of each person on each document, unless it was an undo; in the order they came."""
        in_turn = sorted(self.events, key=lambda one: (one.id if one.turn is None else one.turn, one.id))
        last = {(one.assessor, one.item): one for one in in_turn}
        return sorted((one for one in last.values() if one.kind != "undo"), key=lambda one: one.id)

    def weights(self, words: Iterable[Event]) -> dict[int, float]:
        """1 / pi of each document with a level and a first label among these last words.

        A batch that is empty in a topic counts there as far as it is over, answered or skipped, in the other topics: it
        would have been reached with that chance. So when a batch is over, a topic in which nothing was skipped has the
        weights of the plan, and before it begins nothing of it counts.
        """
        words = list(words)
        judged = {one.item for one in words if one.kind == "level"}
        size = Counter(self._blocks(self.items))
        done = Counter(self._blocks(judged))
        over = Counter(batch for _, batch in self._blocks({one.item for one in words}))
        planned = Counter(batch for _, batch in self._blocks(self.items))
        shares = _shares(self.study)
        passed, latest = {}, 1.0
        for batch in shares:
            if planned[batch]:  # one that is empty everywhere is over with the one before it
                latest = over[batch] / planned[batch]
            passed[batch] = latest
        found = {}
        for number in judged:
            topic, level = self.items[number].topic, self.items[number].level
            if level is not None:
                reached = sum(
                    step[level] * (done[topic, batch] / size[topic, batch] if size[topic, batch] else passed[batch])
                    for batch, step in shares.items()
                )
                found[number] = 1 / reached if reached > 0 else 1.0
        return found

    def _blocks(self, numbers: Iterable[int]) -> Iterator[tuple[str, int]]:
        return ((self.items[number].topic, self.items[number].batch) for number in numbers)


def read_round(connection: Connection) -> Round:
    """The second round as it is now."""
    planned = select(item.c.id, topic.c.name, item.c.document, item.c.batch, first_label.c.level)
    planned = planned.join(topic, topic.c.id == item.c.topic).join(first_label, isouter=True)
    items = {row.id: Planned(row.name, row.document, row.batch, row.level) for row in connection.execute(planned)}
    happened = select(event, assessor.c.name).join(assessor, assessor.c.id == event.c.assessor).order_by(event.c.id)
    events = [
        Event(
            *(row.id, row.name, row.item, row.kind, row.level, row.note, row.milliseconds, row.at),
            turn=row.turn,
        )
        for row in connection.execute(happened)
    ]
    people = connection.execute(select(assessor.c.name).where(assessor.c.role == "judge")).scalars()
    return Round(read_study_row(connection), items, events, sorted(people, key=str.casefold))


def second_judgments(second: Round) -> list[dict[str, Any]]:
    """The second judgments as rows of `COLUMNS`: last words, undone and skipped ones left out."""
    words = second.last_words()
    weights = second.weights(words)
    return [_row(second, one) | {"weight": weights.get(one.item, 1.0)} for one in words if one.kind == "level"]


def export_csv(second: Round, *, events: bool = False, spreadsheet: bool = False) -> str:
    """The second judgments as CSV that `fit` reads, or every event.

    Args:
        second: the round.
        events: every answer, skip and undo instead of last words.
        spreadsheet: put an apostrophe before cells that a spreadsheet would take for formulas.
    """
    rows: Iterable[Mapping[str, Any]] = second_judgments(second)
    if events:
        rows = [_row(second, one) | {"event": one.id, "kind": one.kind, "turn": one.turn} for one in second.events]
    columns = EVENT_COLUMNS if events else COLUMNS
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        cells = ["" if row[name] is None else str(row[name]) for name in columns]
        writer.writerow([f"'{cell}" if spreadsheet and cell.startswith(_FORMULA) else cell for cell in cells])
    return text.getvalue()


def _row(second: Round, one: Event) -> dict[str, Any]:
    planned = second.items[one.item]
    return {
        "topic": planned.topic,
        "document": planned.document,
        "assessor": one.assessor,
        "level": None if one.level is None else second.study.levels[one.level].level,
        "milliseconds": one.milliseconds,
        "answered_at": datetime.fromtimestamp(one.at, UTC).isoformat(timespec="milliseconds"),
        "note": one.note,
        "batch": planned.batch,
    }


def _shares(study: Study) -> dict[int, list[float]]:
    """By how much each batch raises the share of each level."""
    steps = np.diff(study.plan.shares, axis=0, prepend=0.0)
    return {number: step.tolist() for number, step in enumerate(steps, start=1)}
