"""A small made-up study, so that anybody can try the page in ten seconds; the readers in it are made up, too."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gainsayer.web.content import Content, Item, LevelText, Topic
from gainsayer.web.database import Database, item, topic
from gainsayer.web.demo_texts import TOPICS
from gainsayer.web.people import Person, find_invited, invite
from gainsayer.web.server import PORT, make_links, serve_study
from gainsayer.web.study import create_study
from gainsayer.web.work import Answer, claim_place, record_answer

READERS: Final = ("Reader A", "Reader B", "Reader C", "Reader D", "Reader E")
LEVELS: Final = (
    LevelText("0", "Irrelevant", "Has nothing to do with what the user wants."),
    LevelText("1", "Related", "On the subject, but does not answer."),
    LevelText("2", "Highly relevant", "Answers, but in part, unclearly, or among other things."),
    LevelText("3", "Perfectly relevant", "Answers fully, and is about nothing else."),
)
_LENIENCY: Final = {"Reader A": 0.0, "Reader B": 0.25, "Reader C": 0.5, "Reader D": -0.55, "Reader E": -0.2}
_OVERLAP: Final = 4


def demo_content(seed: int = 0) -> Content:
    """The made-up study: six topics, six documents each, first grades of a made-up assessor."""
    draw = random.Random(seed)
    items, topics = [], []
    for number, (title, narrative, documents) in enumerate(TOPICS, start=1):
        name = f"t{number}"
        topics.append(Topic(name, title, "", narrative))
        for place, (grade, heading, text) in enumerate(documents, start=1):
            first = min(3, max(0, grade + draw.choice((-1, 0, 0, 0, 1))))
            kind = "html" if text.startswith("<") else "text"
            items.append(Item(name, f"{name}-d{place}", 1, kind, heading, text, str(first), "first assessor"))
    names = [level.level for level in LEVELS]
    plan = {
        "purpose": "parameters",
        "targets": names,
        "estimator": "one-sided",
        "confidence": 0.95,
        "seed": seed,
        "levels": [{"level": name} for name in names],
        "relevant": ["2", "3"],
        "batches": [{"batch": 1, "shares": dict.fromkeys(names, 1.0)}],
        "stopping": {"kind": "precision", "within": 0.15, "information_ratio": 1.0},
        "list": {"file": None, "digest": ""},
    }
    return Content("Made-up study", plan, LEVELS, ("2", "3"), topics, items, overlap=_OVERLAP)


def play_readers(database: Database, *, seed: int = 0, now: float, share: float = 0.8) -> None:
    """Let the made-up readers judge: true grade, own leniency and chance; they stop after a share of the work."""
    draw = random.Random(seed)
    true = {
        (f"t{number}", heading): grade
        for number, (_, _, documents) in enumerate(TOPICS, 1)
        for grade, heading, _ in documents
    }
    from sqlalchemy import select

    with database.write() as connection:
        tokens = invite(connection, READERS)
        rows = connection.execute(select(item.c.id, topic.c.name, item.c.title).join(topic, topic.c.id == item.c.topic))
        grades = {row.id: true[row.name, row.title] for row in rows}
        people: list[Person] = [person for token in tokens.values() if (person := find_invited(connection, token))]
        for step in range(int(len(grades) * _OVERLAP * share)):
            person = people[step % len(people)]
            place = claim_place(connection, person, now=now + step)
            if place is None:
                continue
            number = place.remaining[0]
            grade = round(grades[number] + _LENIENCY[person.name] + draw.gauss(0, 0.6))
            kind = "skip" if draw.random() < 0.02 else "level"
            level = min(3, max(0, grade)) if kind == "level" else None
            answer = Answer(f"demo{seed:04}{step:010}", number, kind, level, "", int(draw.lognormvariate(9.8, 0.5)))
            record_answer(connection, person, answer, now=now + step)


def serve_demo(*, port: int = PORT, now: float, ready: Callable[[str, str], None]) -> None:
    """Serve the made-up study from a temporary folder; `ready` gets the links of a judge and of the organiser."""
    with tempfile.TemporaryDirectory(prefix="gainsayer-demo-") as folder:
        place = str(Path(folder, "study.db"))
        database = create_study(place, demo_content(), now=now - 86_400)
        play_readers(database, now=now - 3600)
        database.close()

        def tell(organiser: str) -> None:
            ready(make_links(place, ["Guest"])["Guest"], organiser)

        serve_study(place, port=port, ready=tell)
