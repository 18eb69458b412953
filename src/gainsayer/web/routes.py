"""What each address does: joining and leaving, judging, and what the organiser sees and asks."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from gainsayer.errors import CallError
from gainsayer.text import printable
from gainsayer.web.content import LevelText
from gainsayer.web.database import assessor, item, topic
from gainsayer.web.guards import DOCUMENT_POLICY, FRAMED_DOCUMENT_POLICY
from gainsayer.web.organiser_page import compose
from gainsayer.web.people import SESSION_SECONDS, Person, end_session, find_invited, invite, revoke, start_session
from gainsayer.web.second_round import export_csv, read_round
from gainsayer.web.study import read_study_row, stop_judging
from gainsayer.web.visits import RefusalError, Served, Visit, address_of, note_unreachable, render
from gainsayer.web.work import (
    Answer,
    ForeignError,
    InvalidAnswerError,
    Place,
    Started,
    StoppedError,
    claim_place,
    describe_closed,
    find_abandoned,
    find_last_word,
    find_mark,
    find_place,
    holds,
    parse_answer,
    record_answer,
    release,
)

_WORK: Final = {"judge": "/judge", "organiser": "/organiser"}


def _invited(served: Served, request: Request) -> Person:
    if not served.joins.take(request.client.host if request.client else ""):
        raise RefusalError(429, "Too many tries. Wait a moment.", {"retry-after": "5"})
    with served.database.read() as connection:
        person = find_invited(connection, request.path_params["token"])
    if person is None:
        raise RefusalError(404, "This link is not valid any more. Ask for a new one.")
    return person


def show_invitation(served: Served, request: Request) -> Response:
    """Say who the link is for; it signs nobody in, as previews of links follow them, too."""
    person = _invited(served, request)
    with served.database.read() as connection:
        study = read_study_row(connection)
    return HTMLResponse(render("join.html.jinja", study=study, person=person))


def accept_invitation(served: Served, request: Request) -> Response:
    """Sign the person in."""
    person = _invited(served, request)
    with served.database.write() as connection:
        token = start_session(connection, person, now=served.now())
    address = address_of(request)
    answer = RedirectResponse(_WORK[person.role], 303)
    answer.set_cookie(
        address.cookie, token, max_age=int(SESSION_SECONDS), httponly=True, samesite="strict", secure=address.secure
    )
    return answer


def leave(visit: Visit) -> Response:
    """Sign out, for machines that several people use; the link stays good."""
    with visit.served.database.write() as connection:
        end_session(connection, visit.session)
    address = address_of(visit.request)
    answer = HTMLResponse(render("message.html.jinja", words="You are signed out.", status=200))
    answer.delete_cookie(address.cookie, httponly=True, samesite="strict", secure=address.secure)
    return answer


def go_to_work(visit: Visit) -> Response:
    """Where a person has something to do."""
    return RedirectResponse(_WORK[visit.person.role], 303)


AHEAD: Final = 4  # documents that the page holds ready besides the one in view
# Browsers look up and connect to what these name without asking the policy.
_CONNECTING: Final = re.compile(r"<(link|i?frame)(?=[\s/>])", re.IGNORECASE)
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
                "topic": {
                    "number": wanted.id,
                    "title": wanted.title,
                    "description": wanted.description,
                    "narrative": wanted.narrative,
                },
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
        moment=round(1000 * visit.served.moment),
        document=work["queue"][0],
        work=work,
        names=_level_names(study.levels),
        keys=find_keys(study.levels),
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
    framed = visit.request.headers.get("sec-fetch-dest") == "iframe"
    headers = {"content-security-policy": FRAMED_DOCUMENT_POLICY if framed else DOCUMENT_POLICY}
    if row.kind == "text":
        return PlainTextResponse(row.body, headers=headers)
    return HTMLResponse(_CONNECTING.sub(r"<no-\1", row.body) + _DEAD_LINKS, headers=headers)


def take_answer(visit: Visit) -> Response:
    """Keep an answer; 200 means that it is on the disk."""
    if not visit.served.answers.take(visit.session):
        raise RefusalError(429, "That was too fast. Wait a moment.", {"retry-after": "1"})
    given = visit.sent()
    with visit.served.database.read() as connection:
        levels = len(read_study_row(connection).levels)
    try:
        answer = parse_answer(given, levels)
        stands = _keep(visit, answer)
    except InvalidAnswerError as error:
        raise RefusalError(422, str(error)) from None
    except ForeignError as error:
        raise RefusalError(403, str(error)) from None
    except StoppedError as error:
        raise RefusalError(409, str(error)) from None
    if visit.is_form:
        return RedirectResponse("/judge", 303)
    try:
        work = _describe_work(visit, given.get("have"))
    except SQLAlchemyError as error:  # it is saved all the same, and the page asks for its work again
        note_unreachable(error)
        work = None
    return JSONResponse({"saved": answer.key, "stands": stands, "work": work})


def _keep(visit: Visit, answer: Answer) -> bool:
    """Keep an answer, and tell whether it stands; when this returns, it is on the disk."""

    def keep() -> bool:
        with visit.served.database.write() as connection:
            return record_answer(connection, visit.person, answer, now=visit.served.now())

    try:
        return keep()
    except IntegrityError:  # the same key came twice at once
        return keep()


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
    return HTMLResponse(render("help.html.jinja", study=study, person=visit.person, keys=find_keys(study.levels)))


_LETTERS: Final = "abcdefghijklmopqrtuvwxy"  # s, z and n do something else


def find_keys(levels: Sequence[LevelText]) -> list[str]:
    """The key of each grade: its own digit, or a letter where other grades are digits; else digits in order.

    >>> [find_keys([LevelText(name) for name in names]) for names in (("1", "2"), ("-2", "0", "10"), ("Non", "Rel"))]
    [['1', '2'], ['a', '0', 'b'], ['0', '1']]
    """
    names = [one.level for one in levels]
    if any(re.fullmatch("[+-]?[0-9]+", name, re.ASCII) for name in names):
        letters = iter(_LETTERS)
        return [name if re.fullmatch("[0-9]", name) else next(letters, "") for name in names]
    keys = iter("0123456789" + _LETTERS)
    return [next(keys, "") for _ in names]


def _level_names(levels: Sequence[LevelText]) -> list[str]:
    return [
        f"{key} {level.name}".strip() if level.name else level.level
        for key, level in zip(find_keys(levels), levels, strict=True)
    ]


MOST_INVITED: Final = 200
_BLOCK: Final = ("topic", "batch", "slot")


def show_overview(visit: Visit) -> Response:
    """The page; new links are shown this once, so that loading it again makes none anew."""
    now = visit.served.now()
    links = visit.served.new_links.pop(visit.request.query_params.get("new", ""), {})
    with visit.served.database.read() as connection:
        second = read_round(connection)
        abandoned = find_abandoned(connection, now=now)
        titles = {row.id: row.title for row in connection.execute(select(topic.c.id, topic.c.title))}
        rows = select(assessor.c.name, assessor.c.revoked).where(assessor.c.role == "judge")
        judges = sorted(connection.execute(rows).all(), key=lambda row: row.name.casefold())
        closed = describe_closed(connection, [row.name for row in judges])
        invited = [(row.name, row.revoked is not None, closed.get(row.name, "")) for row in judges]
        named = {row.name: row.title for row in connection.execute(select(topic.c.name, topic.c.title))}
    overview = visit.served.look(second)
    page = render(
        "organiser.html.jinja",
        csrf=visit.csrf,
        page=compose(overview, named),
        overview=overview,
        links=links,
        invited=invited,
        abandoned=[(one, titles[one.topic]) for one in abandoned],
        notes=[
            (one.assessor, named[second.items[one.item].topic], second.items[one.item].document, one.note)
            for one in second.last_words()
            if one.note
        ],
        now=time.strftime("%d %b, %H:%M", time.gmtime(now)),
    )
    return HTMLResponse(page)


def show_numbers(visit: Visit) -> Response:
    """The numbers of the page."""
    with visit.served.database.read() as connection:
        second = read_round(connection)
    return JSONResponse(visit.served.look(second).describe())


def send_export(visit: Visit) -> Response:
    """The second judgments as CSV; made safe for spreadsheets where asked."""
    with visit.served.database.read() as connection:
        second = read_round(connection)
    spreadsheet = visit.request.query_params.get("for") == "spreadsheet"
    headers = {"content-disposition": 'attachment; filename="second.csv"'}
    return Response(export_csv(second, spreadsheet=spreadsheet), media_type="text/csv", headers=headers)


def invite_people(visit: Visit) -> Response:
    """Make links, one for each line."""
    names = [name for name in str(visit.sent().get("names", "")).splitlines() if name.strip()]
    if len(names) > MOST_INVITED:
        raise RefusalError(422, f"At most {MOST_INVITED} people at once, found {len(names)}. Nobody was invited.")
    try:
        with visit.served.database.write() as connection:
            made = invite(connection, names)
    except CallError as error:
        raise RefusalError(422, str(error)) from None
    origin, number = address_of(visit.request).origin, secrets.token_hex(8)
    visit.served.new_links.clear()
    visit.served.new_links[number] = {printable(name): f"{origin}/join/{token}" for name, token in made.items()}
    return RedirectResponse(f"/organiser?new={number}", 303)


def revoke_person(visit: Visit) -> Response:
    """End somebody's link and sessions."""
    try:
        with visit.served.database.write() as connection:
            revoke(connection, [str(visit.sent().get("name", ""))], now=visit.served.now())
    except CallError as error:
        raise RefusalError(422, str(error)) from None
    return RedirectResponse("/organiser", 303)


def give_on(visit: Visit) -> Response:
    """Hand a started block over to whoever comes next."""
    given = visit.sent()
    number, batch, slot = (int(given[name]) if isinstance(given.get(name), int) else -1 for name in _BLOCK)
    started = Started(number, batch, slot, str(given.get("person", "")))
    with visit.served.database.claim() as connection:
        done = release(connection, started, now=visit.served.now())
    if not done:
        raise RefusalError(
            409,
            "That block cannot be handed over: its holder answered within the last 24 hours, or finished it and "
            "skipped nothing.",
        )
    return RedirectResponse("/organiser", 303)


def stop_or_go_on(visit: Visit) -> Response:
    """Take no more answers, or take them again."""
    going_on = visit.sent().get("again") == "yes"
    with visit.served.database.write() as connection:
        stop_judging(connection, now=None if going_on else visit.served.now())
    return RedirectResponse("/organiser", 303)
