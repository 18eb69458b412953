"""Work and answers: who gets which documents, and what was said of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, func, select

from gainsayer.errors import GainsayerError
from gainsayer.web.database import assessor, block, event, first_label, handover, item, judgment, study
from gainsayer.web.people import Person

LONGEST_NOTE: Final = 2000
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_MOST_MILLISECONDS: Final = 24 * 3600 * 1000
_LONGEST_WAIT: Final = 365 * _MOST_MILLISECONDS
_JUST_BEFORE: Final = 2.0**-20


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
        waited: for how many milliseconds it waited in a browser before it was sent.
    """

    key: str
    item: int
    kind: str
    level: int | None = None
    note: str = ""
    milliseconds: int | None = None
    waited: int = 0


def parse_answer(given: Mapping[str, Any], levels: int) -> Answer:
    """An answer from what was sent.

    Raises:
        InvalidAnswerError: it says nothing.

    >>> parse_answer({"key": "k" * 16, "item": 3, "kind": "level", "level": 1}, 3).level
    1
    """
    key, number, kind, level = (given.get(name) for name in ("key", "item", "kind", "level"))
    note, milliseconds, waited = given.get("note", ""), given.get("milliseconds"), given.get("waited", 0)
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
    if not isinstance(waited, int) or not _is_number(waited, _LONGEST_WAIT):
        raise InvalidAnswerError("An answer waits for a whole number of milliseconds.")
    return Answer(key, number, kind, level, note.encode(errors="replace").decode(), milliseconds, waited)


def record_answer(connection: Connection, person: Person, answer: Answer, *, now: float) -> bool:
    """Keep an answer; one whose key is there already is not kept twice, nor is an undo of nothing.

    An answer that waited in a browser takes its turn before what the person said elsewhere since it was given.

    Returns:
        Whether it is the person's last word on the document.

    Raises:
        ForeignError: the document is in no block of the person's, or the key is somebody else's or another document's.
        InvalidAnswerError: the key came before, with another answer.
        StoppedError: judging has stopped.
    """
    if not renew_lease(connection, person, answer.item, now=now):
        raise ForeignError("This document is not yours to judge.")
    known = connection.execute(select(event).where(event.c.key == answer.key)).one_or_none()
    if known is not None:
        if (known.assessor, known.item) != (person.id, answer.item):
            raise ForeignError("This key belongs to another answer.")
        if (known.kind, known.level, known.note) != (answer.kind, answer.level, answer.note):
            raise InvalidAnswerError("Another answer came with this key before, and is kept. Give this one anew.")
        return known.turn is None
    if connection.execute(select(study.c.stopped)).scalar() is not None:
        raise StoppedError("The organiser has ended the judging.")
    own = and_(judgment.c.assessor == person.id, judgment.c.item == answer.item)
    if answer.kind == "undo" and connection.execute(select(judgment.c.id).where(own)).first() is None:
        return True
    given = now - answer.waited / 1000
    since = and_(event.c.assessor == person.id, event.c.item == answer.item, event.c.at > given, event.c.at <= now)
    overtaken = connection.execute(select(func.min(func.coalesce(event.c.turn, event.c.id))).where(since)).scalar()
    said = {"key": answer.key, "assessor": person.id, "item": answer.item, "kind": answer.kind}
    said |= {"level": answer.level, "note": answer.note, "milliseconds": answer.milliseconds, "at": given}
    said |= {"turn": None if overtaken is None else overtaken - _JUST_BEFORE}
    connection.execute(event.insert().values(said))
    return overtaken is None


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
        .order_by(judgment.c.turn.desc(), judgment.c.id.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else LastWord(row.item, row.title, row.kind, row.level, row.note)


def _is_number(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


LEASE_SECONDS: Final = 30 * 60.0
PATIENCE_SECONDS: Final = 24 * 3600.0  # after which the organiser may give a started block on


@dataclass(frozen=True)
class Place:
    """Where a person is: the open block's topic, its documents in the person's order, and which are still to judge.

    Args:
        topic: the topic's number.
        batch: the batch, of which judges are never told.
        items: all documents of the block that are this person's, in their order.
        remaining: those not yet answered.
    """

    topic: int
    batch: int
    items: tuple[int, ...]
    remaining: tuple[int, ...]


def shuffle(seed: str, person: int, kind: str, numbers: Iterable[int]) -> list[int]:
    """Numbers in an order of the person's own, which stays the same on every machine and after every restart.

    >>> shuffle("seed", 1, "topic", range(5)) == shuffle("seed", 1, "topic", [4, 3, 2, 1, 0])
    True
    >>> shuffle("seed", 1, "topic", range(5)) == shuffle("seed", 2, "topic", range(5))
    False
    """
    return sorted(numbers, key=lambda number: hashlib.sha256(f"{seed}|{person}|{kind}|{number}".encode()).digest())


def find_mark(connection: Connection, person: Person) -> str:
    """What tells this person in this study from all others, on a machine that several use; it says nothing else."""
    seed = connection.execute(select(study.c.seed)).scalar_one()
    return hashlib.sha256(f"{seed}|{person.id}|mark".encode()).hexdigest()[:32]


def find_place(connection: Connection, person: Person) -> Place | None:
    """The person's open block, the one taken first where there are several; None where all are done. Only reads."""
    seed = connection.execute(select(study.c.seed)).scalar_one()
    own = select(block).where(block.c.assessor == person.id).order_by(block.c.claimed, block.c.topic, block.c.batch)
    held = list(connection.execute(own))
    if not held:
        return None
    answered = _answered(connection, person)
    everything = select(item.c.id, item.c.topic, item.c.batch, block.c.slot).join(
        block, and_(block.c.topic == item.c.topic, block.c.batch == item.c.batch)
    )
    of_block: dict[tuple[int, int], list[int]] = {}
    for row in connection.execute(everything.where(block.c.assessor == person.id)):
        of_block.setdefault((row.topic, row.batch), []).append(row.id)
    for one in held:
        mine = of_block[one.topic, one.batch]
        if all(number in answered for number in mine):
            continue
        done_before = _done_before(connection, one)
        mine = [number for number in mine if number not in done_before]
        items = shuffle(seed, person.id, "item", mine)
        remaining = tuple(number for number in items if number not in answered)
        if remaining:
            return Place(one.topic, one.batch, tuple(items), remaining)
    return None


def claim_place(connection: Connection, person: Person, *, now: float) -> Place | None:
    """The person's open block, or a free one that becomes theirs; None where none is left, or judging stopped.

    Call it inside `Database.claim`, so that two people never take one slot.
    """
    found = find_place(connection, person)
    study_row = connection.execute(select(study.c.seed, study.c.overlap, study.c.stopped)).one()
    if found is not None or study_row.stopped is not None:
        return found
    _free_expired(connection, now)
    taken: dict[tuple[int, int], set[int]] = {}
    closed: set[tuple[int, int]] = set()
    for one in connection.execute(select(block.c.topic, block.c.batch, block.c.slot, block.c.assessor)):
        taken.setdefault((one.topic, one.batch), set()).add(one.slot)
        if one.assessor == person.id:
            closed.add((one.topic, one.batch))
    former = select(handover.c.topic, handover.c.batch).where(handover.c.assessor == person.id)
    closed |= {(one.topic, one.batch) for one in connection.execute(former)}
    own_first = select(item.c.topic, item.c.batch).join(first_label, first_label.c.item == item.c.id)
    own_first = own_first.where(first_label.c.assessor == person.name).distinct()
    closed |= {(one.topic, one.batch) for one in connection.execute(own_first)}
    blocks = [(one.topic, one.batch) for one in connection.execute(select(item.c.topic, item.c.batch).distinct())]
    order = {
        topic: place for place, topic in enumerate(shuffle(study_row.seed, person.id, "topic", {t for t, _ in blocks}))
    }
    for topic, batch in sorted(blocks, key=lambda one: (one[1], order[one[0]])):
        slots = [slot for slot in range(study_row.overlap) if slot not in taken.get((topic, batch), ())]
        for slot in slots if (topic, batch) not in closed else ():
            values = {"topic": topic, "batch": batch, "slot": slot, "assessor": person.id}
            connection.execute(block.insert().values(values | {"claimed": now, "leased_until": now + LEASE_SECONDS}))
            # A slot that was given on may have nothing left for anybody; it is then done, and the next one is tried.
            place = find_place(connection, person)
            if place is not None:
                return place
            break
    return None


def holds(connection: Connection, person: Person, number: int) -> bool:
    """Whether this document lies in a block of the person's, and was not judged by a former holder of it."""
    inside = and_(block.c.topic == item.c.topic, block.c.batch == item.c.batch, block.c.assessor == person.id)
    one = connection.execute(select(block).join(item, inside).where(item.c.id == number)).first()
    return one is not None and number not in _done_before(connection, one)


def renew_lease(connection: Connection, person: Person, number: int, *, now: float) -> bool:
    """Renew the lease of the person's block that holds this document; False where it is not theirs (see `holds`).

    In PostgreSQL the block's row stays locked until the transaction ends, so nobody gives the block on meanwhile.
    """
    place = select(item.c.topic, item.c.batch).where(item.c.id == number).subquery()
    mine = block.update().where(
        block.c.topic == place.c.topic, block.c.batch == place.c.batch, block.c.assessor == person.id
    )
    renewed = connection.execute(mine.values(leased_until=now + LEASE_SECONDS)).rowcount > 0
    return renewed and holds(connection, person, number)


@dataclass(frozen=True)
class Started:
    """A started block whose holder has not answered for a day."""

    topic: int
    batch: int
    slot: int
    person: str


def find_abandoned(connection: Connection, *, now: float) -> list[Started]:
    """Started blocks that are not done and whose holder was revoked, or gave no answer for 24 hours."""
    latest = (
        select(event.c.assessor, item.c.topic, item.c.batch, func.max(event.c.at).label("at"))
        .join(item, item.c.id == event.c.item)
        .group_by(event.c.assessor, item.c.topic, item.c.batch)
        .subquery()
    )
    same = and_(latest.c.topic == block.c.topic, latest.c.batch == block.c.batch, latest.c.assessor == block.c.assessor)
    rows = (
        select(block, assessor.c.name, assessor.c.revoked, latest.c.at)
        .join(latest, same)
        .join(assessor, assessor.c.id == block.c.assessor)
        .order_by(block.c.topic, block.c.batch, block.c.slot)
    )
    found = []
    for one in connection.execute(rows):
        if one.revoked is None and one.at > now - PATIENCE_SECONDS:
            continue
        person = Person(one.assessor, one.name, "judge")
        numbers = set(connection.execute(_items_of(one)).scalars())
        if not numbers <= _answered(connection, person) | _done_before(connection, one):
            found.append(Started(one.topic, one.batch, one.slot, one.name))
    return found


def release(connection: Connection, started: Started, *, now: float) -> bool:
    """Give a started block on; False where its holder is at work again. Call it inside `Database.claim`."""
    if started not in find_abandoned(connection, now=now):
        return False
    own = and_(block.c.topic == started.topic, block.c.batch == started.batch, block.c.slot == started.slot)
    row = connection.execute(select(block).where(own)).one()
    values = {"topic": row.topic, "batch": row.batch, "slot": row.slot, "assessor": row.assessor, "at": now}
    connection.execute(handover.insert().values(values))
    connection.execute(block.delete().where(own))
    return True


def _answered(connection: Connection, person: Person) -> set[int]:
    return set(connection.execute(select(judgment.c.item).where(judgment.c.assessor == person.id)).scalars())


def _done_before(connection: Connection, one: Row[Any]) -> set[int]:
    """What former holders of this slot judged."""
    same = and_(handover.c.topic == one.topic, handover.c.batch == one.batch, handover.c.slot == one.slot)
    former = select(handover.c.assessor).where(same)
    rows = select(judgment.c.item).where(
        judgment.c.assessor.in_(former), judgment.c.kind == "level", judgment.c.item.in_(_items_of(one))
    )
    return set(connection.execute(rows).scalars())


def _items_of(one: Row[Any]) -> Any:
    return select(item.c.id).where(item.c.topic == one.topic, item.c.batch == one.batch)


def _free_expired(connection: Connection, now: float) -> None:
    """Free the slots whose lease ran out, or whose holder was revoked, before any answer."""
    begun = (
        select(event.c.id)
        .join(item, item.c.id == event.c.item)
        .where(event.c.assessor == block.c.assessor, item.c.topic == block.c.topic, item.c.batch == block.c.batch)
    )
    gone = select(assessor.c.id).where(assessor.c.revoked.is_not(None))
    over = (block.c.leased_until < now) | block.c.assessor.in_(gone)
    connection.execute(block.delete().where(over, ~begun.exists()))
