"""The tables of a study, in SQLAlchemy Core: what was planned, who judges, and every answer as an event of its own.

An answer is never changed: a later word of the same person, or an undo, is a further event, and `judgment` is the view
of last words. First labels stand in a table that nothing on a judge's way reads. The schema has a number; `MIGRATIONS`
leads from each to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    column,
    table,
    text,
)

metadata: Final = MetaData()

study: Final = Table(
    "study",
    metadata,
    Column("version", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("plan", Text, nullable=False),  # JSON: batches, shares, the rule to stop by
    Column("levels", Text, nullable=False),  # JSON: name and text of each level, from low to high
    Column("relevant", Text, nullable=False),  # JSON: the levels with which users are satisfied
    Column("overlap", Integer, nullable=False),
    Column("seed", Text, nullable=False),  # of everybody's order of topics and documents
    Column("frame_origin", Text),  # where documents given by address live
    Column("address", Text),  # under which the page was served last
    Column("stopped", Float),
    Column("created", Float, nullable=False),
)

topic: Final = Table(
    "topic",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("narrative", Text, nullable=False),
)

item: Final = Table(
    "item",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("topic", ForeignKey("topic.id"), nullable=False),
    Column("document", Text, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("kind", Text, CheckConstraint("kind in ('text', 'html', 'url')"), nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("topic", "document"),
    Index("item_block", "topic", "batch"),
)

first_label: Final = Table(  # read by the organiser's code only
    "first_label",
    metadata,
    Column("item", ForeignKey("item.id"), primary_key=True),
    Column("level", Integer, nullable=False),
    Column("assessor", Text, nullable=False),
    Column("sampling_key", Float),
)

assessor: Final = Table(
    "assessor",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("role", Text, CheckConstraint("role in ('judge', 'organiser')"), nullable=False),
    Column("revoked", Float),
)

session: Final = Table(
    "session",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("assessor", ForeignKey("assessor.id"), nullable=False),
    Column("expires", Float, nullable=False),
)

block: Final = Table(
    "block",
    metadata,
    Column("topic", ForeignKey("topic.id"), nullable=False),
    Column("batch", Integer, nullable=False),
    Column("slot", Integer, nullable=False),
    Column("assessor", ForeignKey("assessor.id"), nullable=False),
    Column("claimed", Float, nullable=False),
    Column("leased_until", Float, nullable=False),
    PrimaryKeyConstraint("topic", "batch", "slot"),
    UniqueConstraint("topic", "batch", "assessor"),
    Index("block_assessor", "assessor"),
)

handover: Final = Table(  # started blocks that the organiser gave on: the former holder's answers stay and count
    "handover",
    metadata,
    Column("topic", ForeignKey("topic.id"), nullable=False),
    Column("batch", Integer, nullable=False),
    Column("slot", Integer, nullable=False),
    Column("assessor", ForeignKey("assessor.id"), nullable=False),
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("topic", "batch", "slot", "assessor"),
)

event: Final = Table(
    "event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("assessor", ForeignKey("assessor.id"), nullable=False),
    Column("item", ForeignKey("item.id"), nullable=False),
    Column("kind", Text, CheckConstraint("kind in ('level', 'skip', 'undo')"), nullable=False),
    Column("level", Integer, CheckConstraint("(kind = 'level') = (level is not null)")),
    Column("note", Text, nullable=False),
    Column("milliseconds", Integer),
    Column("at", Float, nullable=False),
    Index("event_last", "assessor", "item", "id"),
    sqlite_autoincrement=True,
)

# The last word of each person on each document: a level or a skip.
judgment: Final = table(
    "judgment",
    *(column(name) for name in ("id", "assessor", "item", "kind", "level", "note", "milliseconds", "at")),
)

_VIEW: Final = """
create view judgment as
select id, assessor, item, kind, level, note, milliseconds, at from event
where kind <> 'undo' and not exists (
    select 1 from event as later
    where later.assessor = event.assessor and later.item = event.item and later.id > event.id
)
"""
_APPEND_ONLY: Final = {
    "sqlite": [
        f"create trigger event_no_{word} before {word} on event begin select raise(abort, 'answers are kept'); end"
        for word in ("update", "delete")
    ],
    "postgresql": [
        "create function keep_answers() returns trigger language plpgsql as "
        "$$ begin raise exception 'answers are kept'; end $$",
        "create trigger event_kept before update or delete or truncate on event execute function keep_answers()",
    ],
}


def _create(connection: Connection) -> None:
    metadata.create_all(connection)
    for statement in (_VIEW, *_APPEND_ONLY[connection.dialect.name]):
        connection.execute(text(statement))


MIGRATIONS: Final[tuple[Callable[[Connection], None], ...]] = (_create,)
"""What leads from each version to the next; the first makes the tables."""
