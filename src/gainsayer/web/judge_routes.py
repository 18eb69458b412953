"""The judge's routes: the document in view and the next ones, answers, help, the last page. Nothing of first labels."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from gainsayer.web.answers import (
    Answer,
    ForeignError,
    InvalidAnswerError,
    StoppedError,
    find_last_word,
    parse_answer,
    record_answer,
)
from gainsayer.web.assignment import Place, claim_place, find_mark, find_place, holds
from gainsayer.web.guards import DOCUMENT_POLICY
from gainsayer.web.pages import render
from gainsayer.web.schema import item, topic
from gainsayer.web.study import read_study_row
from gainsayer.web.visits import RefusalError, Visit

AHEAD: Final = 4  # documents that the page holds ready beside the one in view
# Browsers look up and connect to what these name without asking the policy.
_LINK: Final = re.compile(r"<link(?=[\s/>])", re.IGNORECASE)
# A link would lead the frame to a page that the policy refuses, and the document would be gone.
_DEAD_LINKS: Final = "\n<style>a[href], area[href] { pointer-events: none }</style>"


def _find_work(visit: Visit) -> Place | None:
    """The person's open block, or a new one."""
    with visit.served.database.read() as connection:
        place = find_place(connection, visit.person)
    if place is None:
        with visit.served.database.claim() as connection:
            place = claim_place(connection, visit.person, now=visit.served.now())
    return place


def _describe_work(visit: Visit, held: object = ()) -> dict[str, Any]:
    """What the page shows: the topic, the documents at hand, own progress and the last answer, where any are.

    Documents that the page holds already come by number alone: long ones are not sent with each answer again.
    """
    have = [one for one in held if isinstance(one, int)] if isinstance(held, list) else []
    place = _find_work(visit)
    with visit.served.database.read() as connection:
        study = read_study_row(connection)
        last = find_last_word(connection, visit.person)
        work: dict[str, Any] = {"topic": None, "queue": [], "total": 0, "at": 0}
        work["last"] = None if last is None else asdict(last)
        if place is not None and study.stopped is None:
            wanted = connection.execute(select(topic).where(topic.c.id == place.topic)).one()
            numbers = place.remaining[: AHEAD + 1]
            rows = {row.id: row for row in connection.execute(select(item).where(item.c.id.in_(numbers)))}
            work |= {
                "topic": {"title": wanted.title, "description": wanted.description, "narrative": wanted.narrative},
                "queue": [
                    {"item": number} if number in have else _describe_document(rows[number]) for number in numbers
                ],
                "total": len(place.items),
                "at": len(place.items) - len(place.remaining),
            }
    return work


def _describe_document(row: Any) -> dict[str, Any]:
    shown = {"item": row.id, "kind": row.kind, "title": row.title or "Document", "text": "", "source": ""}
    if row.kind == "text":
        shown["text"] = row.body
    else:
        shown["source"] = row.body if row.kind == "url" else f"/document/{row.id}"
    return shown


def show_page(visit: Visit) -> Response:
    """The document in view, as a page that works without script."""
    work = _describe_work(visit)
    if work["topic"] is None:
        return RedirectResponse("/done", 303)
    with visit.served.database.read() as connection:
        study = read_study_row(connection)
        store = find_mark(connection, visit.person)
    page = render(
        "judge.html.jinja",
        store=store,
        study=study,
        person=visit.person,
        csrf=visit.csrf,
        key=secrets.token_hex(16),
        document=work["queue"][0],
        work=work,
        names=_level_names(study.levels),
    )
    return HTMLResponse(page)


def show_work(visit: Visit) -> Response:
    """The same for the script, with the next documents."""
    return JSONResponse(_describe_work(visit))


def show_document(visit: Visit) -> Response:
    """A document by itself, inert wherever it is opened."""
    given = visit.request.path_params["number"]
    row = None
    with visit.served.database.read() as connection:
        if re.fullmatch("[0-9]{1,9}", given) and holds(connection, visit.person, number := int(given)):
            row = connection.execute(select(item.c.kind, item.c.body).where(item.c.id == number)).one_or_none()
    if row is None or row.kind == "url":
        raise RefusalError(404, "There is nothing here.")
    headers = {"content-security-policy": DOCUMENT_POLICY}
    if row.kind == "text":
        return PlainTextResponse(row.body, headers=headers)
    return HTMLResponse(_LINK.sub("<no-link", row.body) + _DEAD_LINKS, headers=headers)


def take_answer(visit: Visit) -> Response:
    """Keep an answer; 200 means that it is on the disk."""
    if not visit.served.answers.take(visit.session):
        raise RefusalError(429, "That was too fast. Wait a moment.", {"retry-after": "1"})
    given = visit.sent()
    with visit.served.database.read() as connection:
        levels = len(read_study_row(connection).levels)
    try:
        answer = parse_answer(given, levels)
        _keep(visit, answer)
    except InvalidAnswerError as error:
        raise RefusalError(422, str(error)) from None
    except ForeignError as error:
        raise RefusalError(403, str(error)) from None
    except StoppedError as error:
        raise RefusalError(409, str(error)) from None
    if visit.is_form:
        return RedirectResponse("/judge", 303)
    return JSONResponse({"saved": answer.key, "work": _describe_work(visit, given.get("have"))})


def _keep(visit: Visit, answer: Answer) -> None:
    """Keep an answer; when this returns, it is on the disk."""
    for attempt in (1, 2):
        try:
            with visit.served.database.write() as connection:
                record_answer(connection, visit.person, answer, now=visit.served.now())
            return
        except IntegrityError:  # the same key came twice at once
            if attempt == 2:
                raise


def show_end(visit: Visit) -> Response:
    """Nothing left, a rest, or the end of the judging; the last answer can still be taken back."""
    place = _find_work(visit)
    with visit.served.database.read() as connection:
        study = read_study_row(connection)
        last = find_last_word(connection, visit.person)
    waiting = place is not None and study.stopped is None
    page = render(
        "done.html.jinja",
        study=study,
        person=visit.person,
        waiting=waiting,
        last=last,
        csrf=visit.csrf,
        key=secrets.token_hex(16),
        names=_level_names(study.levels),
    )
    return HTMLResponse(page)


def show_help(visit: Visit) -> Response:
    """What the grades mean, and the keys."""
    with visit.served.database.read() as connection:
        study = read_study_row(connection)
    return HTMLResponse(render("help.html.jinja", study=study, person=visit.person))


def _level_names(levels: Sequence[Any]) -> list[str]:
    return [f"{place} {level.name}" if level.name else level.level for place, level in enumerate(levels)]
