"""A study: made once from its content, then opened by whoever serves, invites, exports or looks."""

from __future__ import annotations

import json
import random
import re
import secrets
import time
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, select

from gainsayer.errors import CallError, DataError
from gainsayer.planning.sampling import SavedPlan, read_plan
from gainsayer.web.content import Content, LevelText
from gainsayer.web.database import VERSION, Database, first_label, item, new_database, open_database, study, topic
from gainsayer.web.people import tidy_name

_LINE_ENDS: Final = re.compile("\r\n|[\r\x0b\x0c]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Study:
    """What a study is, apart from topics, documents and people.

    Args:
        name: what judges see.
        plan: as `gainsayer plan` wrote it.
        levels: from low to high, with their texts.
        relevant: the levels with which users are satisfied.
        overlap: how many second judgments each document gets.
        frame_origin: where documents given by address live.
        address: under which the page was served last.
        stopped: when judging was stopped; None where it goes on.
    """

    name: str
    plan: SavedPlan
    levels: tuple[LevelText, ...]
    relevant: tuple[str, ...]
    overlap: int
    frame_origin: str | None
    address: str | None
    stopped: float | None

    @property
    def within(self) -> float | None:
        """How close each parameter should be known; None where the plan is for something else, or has a budget."""
        return self.plan.stopping.within if self.plan.purpose == "parameters" else None


def create_study(place: str, content: Content, *, now: float | None = None, seed: str | None = None) -> Database:
    """A new study at a place: a file that must not exist, or an empty PostgreSQL database.

    Documents are numbered in random order, so that a number tells nothing. The seed is drawn, unless it is given.
    """
    seed = secrets.token_hex(16) if seed is None else seed
    plan = dict(content.plan)
    if content.within is not None:
        if not 0 < content.within < 1:
            raise CallError(f"Parameters are asked for within a number between 0 and 1, found {content.within}.")
        plan |= {"purpose": "parameters", "targets": [level.level for level in content.levels]}
        plan["stopping"] = {**plan["stopping"], "kind": "precision", "within": content.within}
    read_plan(plan)
    if not content.items:
        raise DataError("A study needs at least one document.")
    names = [level.level for level in content.levels]
    strange = sorted({one.level for one in content.items if one.level is not None} - set(names))
    if strange:
        raise DataError(
            f"The first label {strange[0]!r} is not a level of the plan, whose levels are {', '.join(names)}."
        )
    order = list(content.items)
    random.Random(seed).shuffle(order)
    with new_database(place) as connection:
        values = {
            "version": VERSION,
            "name": content.name,
            "plan": json.dumps(plan),
            "levels": json.dumps([[level.level, level.name, level.text] for level in content.levels]),
            "relevant": json.dumps(list(content.relevant)),
            "overlap": content.overlap,
            "seed": seed,
            "frame_origin": content.frame_origin,
            "created": time.time() if now is None else now,
        }
        connection.execute(study.insert().values(values))
        topics = [
            {"name": one.name}
            | {"title": clean(one.title), "description": clean(one.description), "narrative": clean(one.narrative)}
            for one in content.topics
        ]
        connection.execute(topic.insert(), topics)
        number = {row.name: row.id for row in connection.execute(select(topic.c.id, topic.c.name))}
        rows = [
            {
                "id": place + 1,
                "topic": number[one.topic],
                "document": one.document,
                "batch": one.batch,
                "kind": one.kind,
                "title": clean(one.title),
                "body": one.body.replace("\x00", "\ufffd") if one.kind == "html" else clean(one.body),
            }
            for place, one in enumerate(order)
        ]
        connection.execute(item.insert(), rows)
        labels = [
            {
                "item": place + 1,
                "level": names.index(one.level),
                "assessor": tidy_name(one.assessor),
                "sampling_key": one.sampling_key,
            }
            for place, one in enumerate(order)
            if one.level is not None
        ]
        if labels:
            connection.execute(first_label.insert(), labels)
    return open_database(place)


def clean(text: str) -> str:
    r"""Text as judges read it: lines end in one way, and what nothing can show is marked.

    Marks of direction stay, as languages need them; the page keeps each text to itself.

    >>> clean("a\r\nb\x0cc\x00\u200f")
    'a\nb\nc\ufffd\u200f'
    """
    return _CONTROLS.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def read_study_row(connection: Connection) -> Study:
    """The study of a database."""
    row = connection.execute(select(study)).one()
    return Study(
        row.name,
        read_plan(json.loads(row.plan)),
        tuple(LevelText(*level) for level in json.loads(row.levels)),
        tuple(json.loads(row.relevant)),
        row.overlap,
        row.frame_origin,
        row.address,
        row.stopped,
    )


def stop_judging(connection: Connection, *, now: float | None) -> None:
    """Take no more answers; None lets judging go on again."""
    connection.execute(study.update().values(stopped=now))


def note_address(connection: Connection, address: str) -> None:
    """Remember under which address the page is served, for links of invitations."""
    connection.execute(study.update().values(address=address))
