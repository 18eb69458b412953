"""What judges say: one event for each answer, skip and undo, never changed, counted once however often it is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, and_, select

from gainsayer.errors import GainsayerError
from gainsayer.web.assignment import renew_lease
from gainsayer.web.people import Person
from gainsayer.web.schema import block, event, item, judgment, study

LONGEST_NOTE: Final = 2000
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_MOST_MILLISECONDS: Final = 24 * 3600 * 1000


class InvalidAnswerError(GainsayerError):
    """An answer that says nothing: an unknown level, a note too long."""


class ForeignError(GainsayerError):
    """An answer to a document that is not this person's, or under somebody else's key."""


class StoppedError(GainsayerError):
    """The organiser ended the judging."""


@dataclass(frozen=True)
class Answer:
    """What a judge says about a document.

    Args:
        key: made by whoever sends it, once: the same key is the same answer.
        item: the document.
        kind: `level`, `skip` or `undo`.
        level: the level's place, for `level`.
        note: a note for the organiser.
        milliseconds: how long the document was in view, where known.
    """

    key: str
    item: int
    kind: str
    level: int | None = None
    note: str = ""
    milliseconds: int | None = None


def parse_answer(given: Mapping[str, Any], levels: int) -> Answer:
    """An answer from what was sent.

    Raises:
        InvalidAnswerError: it says nothing.

    >>> parse_answer({"key": "k" * 16, "item": 3, "kind": "level", "level": 1}, 3).level
    1
    """
    key, number, kind, level = (given.get(name) for name in ("key", "item", "kind", "level"))
    note, milliseconds = given.get("note", ""), given.get("milliseconds")
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise InvalidAnswerError("An answer needs a key of 16 to 64 letters and digits.")
    if not isinstance(number, int) or not _is_number(number, 2**31 - 1):
        raise InvalidAnswerError("An answer needs the number of its document.")
    if kind not in ("level", "skip", "undo"):
        raise InvalidAnswerError("An answer is a level, a skip or an undo.")
    if not (_is_number(level, levels - 1) if kind == "level" else level is None):
        raise InvalidAnswerError(f"A level is a whole number from 0 to {levels - 1}.")
    if isinstance(note, str):
        note = note.replace("\r\n", "\n")  # as forms send it, longer than it was written
    if not isinstance(note, str) or len(note) > LONGEST_NOTE or "\x00" in note:
        raise InvalidAnswerError(f"A note has at most {LONGEST_NOTE} signs.")
    if milliseconds is not None and not _is_number(milliseconds, _MOST_MILLISECONDS):
        raise InvalidAnswerError("The time is a whole number of milliseconds.")
    return Answer(key, number, kind, level, note.encode(errors="replace").decode(), milliseconds)


def record_answer(connection: Connection, person: Person, answer: Answer, *, now: float) -> None:
    """Keep an answer; one whose key is there already is not kept twice.

    Raises:
        ForeignError: the document is in no block of the person's, or the key is somebody else's or another document's.
        StoppedError: judging has stopped.
    """
    if not renew_lease(connection, person, answer.item, now=now):
        raise ForeignError("This document is not yours to judge.")
    known = connection.execute(select(event).where(event.c.key == answer.key)).one_or_none()
    if known is not None:
        if (known.assessor, known.item) != (person.id, answer.item):
            raise ForeignError("This key belongs to another answer.")
        return
    if connection.execute(select(study.c.stopped)).scalar() is not None:
        raise StoppedError("The organiser has ended the judging.")
    said = {"key": answer.key, "assessor": person.id, "item": answer.item, "kind": answer.kind}
    said |= {"level": answer.level, "note": answer.note, "milliseconds": answer.milliseconds, "at": now}
    connection.execute(event.insert().values(said))


@dataclass(frozen=True)
class LastWord:
    """A person's latest answer that still stands; what undo takes back."""

    item: int
    title: str
    kind: str
    level: int | None
    note: str


def find_last_word(connection: Connection, person: Person) -> LastWord | None:
    """The person's latest answer that still stands and is still theirs; None where there is none."""
    mine = and_(block.c.topic == item.c.topic, block.c.batch == item.c.batch, block.c.assessor == person.id)
    row = connection.execute(
        select(judgment.c.item, item.c.title, judgment.c.kind, judgment.c.level, judgment.c.note)
        .join(item, item.c.id == judgment.c.item)
        .join(block, mine)
        .where(judgment.c.assessor == person.id)
        .order_by(judgment.c.id.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else LastWord(row.item, row.title, row.kind, row.level, row.note)


def _is_number(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most
