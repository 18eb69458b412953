"""Work and answers: who gets which documents, and what was said of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, func, select

from gainsayer.errors import GainsayerError
from gainsayer.text import printable
from gainsayer.web.database import assessor, block, event, first_label, handover, item, judgment, study, topic
from gainsayer.web.people import Person, is_same_name
from gainsayer.words import counted

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
    taken: dict[tuple[int, int], dict[int, bool]] = {}  # slot to whether its block may be taken over
    closed = find_closed(connection, person.name)
    unused = _find_unused(connection, now)
    for one in connection.execute(select(block.c.topic, block.c.batch, block.c.slot, block.c.assessor)):
        taken.setdefault((one.topic, one.batch), {})[one.slot] = (one.topic, one.batch, one.slot) in unused
        if one.assessor == person.id:
            closed.add((one.topic, one.batch))
    former = select(handover.c.topic, handover.c.batch).where(handover.c.assessor == person.id)
    closed |= {(one.topic, one.batch) for one in connection.execute(former)}
    blocks = [(one.topic, one.batch) for one in connection.execute(select(item.c.topic, item.c.batch).distinct())]
    numbers = {number for number, _ in blocks}
    order = {number: at for at, number in enumerate(shuffle(study_row.seed, person.id, "topic", numbers))}
    free = []
    for number, batch in blocks:
        held = taken.get((number, batch), {})
        slots = [slot for slot in range(study_row.overlap) if held.get(slot, True)]
        if slots and (number, batch) not in closed:
            slot = min(slots, key=held.__contains__)
            free.append((batch, slot in held, order[number], number, slot))
    for batch, is_held, _, number, slot in sorted(free):  # what nobody holds first: others may come back to theirs
        if is_held:
            own = and_(block.c.topic == number, block.c.batch == batch, block.c.slot == slot)
            connection.execute(block.delete().where(own))
        values = {"topic": number, "batch": batch, "slot": slot, "assessor": person.id}
        connection.execute(block.insert().values(values | {"claimed": now, "leased_until": now + LEASE_SECONDS}))
        # A slot that was handed over may have nothing left for anybody; it is then done, and the next one is tried.
        place = find_place(connection, person)
        if place is not None:
            return place
    return None


def find_closed(connection: Connection, name: str) -> set[tuple[int, int]]:
    """The blocks in which somebody of this name gave first labels, however the name is written there."""
    return {(row.topic, row.batch) for row in _find_first(connection) if is_same_name(row.assessor, name)}


def _find_first(connection: Connection) -> Sequence[Any]:
    first = select(item.c.topic, item.c.batch, first_label.c.assessor)
    return connection.execute(first.join(first_label, first_label.c.item == item.c.id).distinct()).all()


_MOST_NAMED: Final = 5


def describe_closed(connection: Connection, names: Iterable[str]) -> dict[str, str]:
    """What people may not judge, as they gave first labels there: a sentence for each of these names that did."""
    topics = connection.execute(select(topic.c.id, topic.c.name).order_by(topic.c.name)).all()
    first, found = _find_first(connection), {}
    for name in names:
        closed = {row.topic for row in first if is_same_name(row.assessor, name)}
        own = [row.name for row in topics if row.id in closed]
        if own:
            more = f" and {len(own) - _MOST_NAMED} more" if len(own) > _MOST_NAMED else ""
            found[name] = printable(
                f"{name} gave first labels in {len(own)} of {counted(len(topics), 'topic')} "
                f"({', '.join(own[:_MOST_NAMED])}{more}), and is not given the blocks that hold them."
            )
    return found


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
    """A started block that can be handed over: its holder left it, or finished it and skipped documents of it."""

    topic: int
    batch: int
    slot: int
    person: str
    skipped: int = 0


def find_abandoned(connection: Connection, *, now: float) -> list[Started]:
    """Started blocks that can be handed over.

    Those that are not done and whose holder was revoked, or gave no answer for 24 hours; and those that are done but
    for documents that the holder skipped, which may be given to somebody else at any time.
    """
    words: dict[int, dict[int, str]] = {}
    for word in connection.execute(select(judgment.c.assessor, judgment.c.item, judgment.c.kind)):
        words.setdefault(word.assessor, {})[word.item] = word.kind
    former: dict[tuple[int, int, int], set[int]] = {}
    for one in connection.execute(select(handover)):
        judged = {number for number, kind in words.get(one.assessor, {}).items() if kind == "level"}
        former.setdefault((one.topic, one.batch, one.slot), set()).update(judged)
    documents: dict[tuple[int, int], set[int]] = {}
    for one in connection.execute(select(item.c.id, item.c.topic, item.c.batch)):
        documents.setdefault((one.topic, one.batch), set()).add(one.id)
    begun = select(event.c.assessor, item.c.topic, item.c.batch).join(item, item.c.id == event.c.item).distinct()
    touched = {tuple(row) for row in connection.execute(begun)}
    rows = (
        select(block, assessor.c.name, assessor.c.revoked)
        .join(assessor, assessor.c.id == block.c.assessor)
        .order_by(block.c.topic, block.c.batch, block.c.slot)
    )
    found = []
    for one in connection.execute(rows):
        if (one.assessor, one.topic, one.batch) not in touched:
            continue
        mine = words.get(one.assessor, {})
        numbers = documents[one.topic, one.batch] - former.get((one.topic, one.batch, one.slot), set())
        skipped = sum(mine.get(number) == "skip" for number in numbers)
        # The lease runs from the last answer; one that ends later than any can was made by a clock that was wrong.
        active = 0 <= now + LEASE_SECONDS - one.leased_until < PATIENCE_SECONDS and one.revoked is None
        if skipped if numbers <= mine.keys() else not active:
            found.append(Started(one.topic, one.batch, one.slot, one.name, skipped))
    return found


def release(connection: Connection, started: Started, *, now: float) -> bool:
    """Give a started block on; False where its holder is at work again. Call it inside `Database.claim`."""
    known = {(one.topic, one.batch, one.slot, one.person) for one in find_abandoned(connection, now=now)}
    if (started.topic, started.batch, started.slot, started.person) not in known:
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


def _find_unused(connection: Connection, now: float) -> set[tuple[int, int, int]]:
    """Blocks without any answer whose lease ran out or was made by a wrong clock, or whose holder was revoked."""
    begun = (
        select(event.c.id)
        .join(item, item.c.id == event.c.item)
        .where(event.c.assessor == block.c.assessor, item.c.topic == block.c.topic, item.c.batch == block.c.batch)
    )
    gone = select(assessor.c.id).where(assessor.c.revoked.is_not(None))
    leased = block.c.leased_until.between(now, now + LEASE_SECONDS)
    over = ~leased | block.c.assessor.in_(gone)
    rows = connection.execute(select(block.c.topic, block.c.batch, block.c.slot).where(over, ~begun.exists()))
    return {(row.topic, row.batch, row.slot) for row in rows}
