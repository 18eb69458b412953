"""The routes: what a judge and an organiser may ask for; anything that is not theirs does not exist (404)."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib import resources
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from gainsayer.errors import CallError
from gainsayer.text import printable
from gainsayer.web.answers import (
    ForeignError,
    InvalidAnswerError,
    StoppedError,
    find_last_word,
    parse_answer,
    record_answer,
)
from gainsayer.web.assignment import Place, Started, claim_place, find_abandoned, find_place, holds, release
from gainsayer.web.database import Database
from gainsayer.web.guards import DOCUMENT_POLICY, Address, Guard, Rate, page_policy
from gainsayer.web.pages import render
from gainsayer.web.people import (
    SESSION_SECONDS,
    Person,
    derive_csrf,
    find_invited,
    find_session,
    invite,
    revoke,
    start_session,
)
from gainsayer.web.schema import assessor, item, topic
from gainsayer.web.second_round import export_csv, read_round
from gainsayer.web.study import read_study_row, stop_judging

if TYPE_CHECKING:
    from gainsayer.web.monitor import Monitor, Overview
    from gainsayer.web.second_round import Round

AHEAD: Final = 4  # documents that the page holds ready beside the one in view
STATIC: Final = {"judge.js": "text/javascript", "organiser.js": "text/javascript", "page.css": "text/css"}
# A link would lead the frame to a page that the policy refuses, and the document would be gone.
_DEAD_LINKS: Final = "\n<style>a[href], area[href] { pointer-events: none }</style>"
_FORM: Final = "application/x-www-form-urlencoded"


class RefusalError(Exception):
    """An answer other than 200, with its words."""

    def __init__(self, status: int, words: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(words)
        self.status, self.words, self.headers = status, words, headers


class Served:
    """A study that is served: its database, the addresses it answers to, its clocks and rates.

    Args:
        database: of the study.
        addresses: by the Host header they answer to.
        now: seconds since 1970.
        ticks: seconds from any moment on, for rates.
    """

    def __init__(
        self,
        database: Database,
        addresses: Mapping[str, Address],
        *,
        now: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.database, self.addresses, self.now = database, addresses, now
        self.answers = Rate(10, 40, ticks)
        self.joins = Rate(1, 60, ticks)
        self.monitor: Monitor | None = None

    def look(self, second: Round) -> Overview:
        """What the organiser sees; arrays and estimates are loaded when somebody looks."""
        from gainsayer.web.monitor import Monitor

        if self.monitor is None:
            self.monitor = Monitor()
        return self.monitor.look(second)


@dataclass(frozen=True)
class Visit:
    """A request of somebody who is signed in."""

    served: Served
    request: Request
    person: Person
    session: str
    body: bytes = b""

    @property
    def csrf(self) -> str:
        """What their pages have to send along."""
        return derive_csrf(self.session)

    @property
    def is_form(self) -> bool:
        """Whether the browser sent a form, without our script."""
        return self.request.headers.get("content-type", "").partition(";")[0].strip() == _FORM

    def sent(self) -> dict[str, Any]:
        """What was posted: JSON, or the fields of a form."""
        if self.is_form:
            return parse_form(self.body)
        try:
            given = json.loads(self.body)
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise RefusalError(422, "That cannot be read.")
        return given


def parse_form(body: bytes) -> dict[str, Any]:
    """The fields of a form, the last of each; numbers and levels as whole numbers, where they are.

    >>> parse_form(b"item=3&kind=level%3A2&note=a+b")
    {'item': 3, 'kind': 'level', 'note': 'a b', 'level': 2}
    """
    try:
        fields: dict[str, Any] = {
            name: values[-1]
            for name, values in parse_qs(body.decode(), keep_blank_values=True, max_num_fields=20).items()
        }
    except ValueError:
        raise RefusalError(422, "That cannot be read.") from None
    kind, colon, level = str(fields.get("kind", "")).partition(":")
    if colon:
        fields |= {"kind": kind, "level": level}
    for name in ("item", "level", "topic", "batch", "slot"):
        if str(fields.get(name, "")).isdecimal() and len(fields[name]) < 10:
            fields[name] = int(fields[name])
    return fields


def create_application(served: Served) -> Guard:
    """The application: routes inside, the guard around them."""
    with served.database.read() as connection:
        origin = read_study_row(connection).frame_origin

    def route(path: str, function: Callable[[Visit], Response], *, role: str, method: str = "GET") -> Route:
        return Route(path, _signed_in(served, function, role), methods=[method])

    routes = [
        Route("/healthz", lambda request: PlainTextResponse("ok")),
        Route("/static/{name}", _static),
        Route("/join/{token}", _open(served, _show_invitation), methods=["GET"]),
        Route("/join/{token}", _open(served, _accept_invitation), methods=["POST"]),
        Route("/", _open(served, _go_to_work), methods=["GET"]),
        route("/judge", _judge, role="judge"),
        route("/judge.json", _judge_json, role="judge"),
        route("/document/{number:int}", _document, role="judge"),
        route("/answer", _answer, role="judge", method="POST"),
        route("/done", _done, role="judge"),
        route("/help", _help, role="judge"),
        route("/organiser", _organiser, role="organiser"),
        route("/organiser.json", _organiser_json, role="organiser"),
        route("/export.csv", _export, role="organiser"),
        route("/invite", _invite, role="organiser", method="POST"),
        route("/revoke", _revoke, role="organiser", method="POST"),
        route("/release", _release, role="organiser", method="POST"),
        route("/stop", _stop, role="organiser", method="POST"),
    ]
    app = Starlette(routes=routes, exception_handlers={RefusalError: _say_refusal, 404: _say_missing})  # type: ignore[dict-item]
    return Guard(app, addresses=served.addresses, policy=page_policy(origin))


def _say_refusal(request: Request, error: RefusalError) -> Response:
    headers = dict(error.headers or {})
    if "text/html" in request.headers.get("accept", ""):
        page = render("message.html.jinja", words=error.words, status=error.status)
        return HTMLResponse(page, error.status, headers)
    return JSONResponse({"error": error.words}, error.status, headers)


def _say_missing(request: Request, _error: Exception) -> Response:
    return _say_refusal(request, RefusalError(404, "There is nothing here."))


def _open(served: Served, function: Callable[[Served, Request], Response]) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(function, served, request)

    return endpoint


def _signed_in(served: Served, function: Callable[[Visit], Response], role: str) -> Callable[[Request], Any]:
    """Only for people with a session and this role; a POST needs the session's proof, too."""

    @wraps(function)
    async def endpoint(request: Request) -> Response:
        body = await request.body() if request.method == "POST" else b""
        return await run_in_threadpool(visit, request, body)

    def visit(request: Request, body: bytes) -> Response:
        token = request.cookies.get(_address(request).cookie, "")
        person = None
        if token:
            with served.database.read() as connection:
                person = find_session(connection, token, now=served.now())
        if person is None:
            raise RefusalError(401, "You are not signed in. Open the link that you were sent.")
        if person.role != role:
            raise RefusalError(404, "There is nothing here.")
        made = Visit(served, request, person, token, body)
        if request.method == "POST":
            proof = str(made.sent().get("csrf", "")) if made.is_form else request.headers.get("x-gainsayer", "")
            if not secrets.compare_digest(proof.encode(), made.csrf.encode()):
                raise RefusalError(403, "This was not sent from a page of ours.")
        return function(made)

    return endpoint


def _address(request: Request) -> Address:
    address: Address = request.scope["gainsayer.address"]
    return address


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise RefusalError(404, "There is nothing here.")
    content = resources.files("gainsayer.web").joinpath("static", name).read_bytes()
    return Response(content, media_type=STATIC[name], headers={"cache-control": "no-cache"})


# Joining


def _invited(served: Served, request: Request) -> Person:
    if not served.joins.take(request.client.host if request.client else ""):
        raise RefusalError(429, "Too many tries. Wait a moment.", {"retry-after": "5"})
    with served.database.read() as connection:
        person = find_invited(connection, request.path_params["token"])
    if person is None:
        raise RefusalError(404, "This link is not valid any more. Ask for a new one.")
    return person


def _show_invitation(served: Served, request: Request) -> Response:
    """Say who the link is for; it signs nobody in, as previews of links follow them, too."""
    person = _invited(served, request)
    with served.database.read() as connection:
        study = read_study_row(connection)
    return HTMLResponse(render("join.html.jinja", study=study, person=person))


def _accept_invitation(served: Served, request: Request) -> Response:
    person = _invited(served, request)
    with served.database.write() as connection:
        token = start_session(connection, person, now=served.now())
    address = _address(request)
    answer = RedirectResponse("/organiser" if person.role == "organiser" else "/judge", 303)
    answer.set_cookie(
        address.cookie, token, max_age=int(SESSION_SECONDS), httponly=True, samesite="strict", secure=address.secure
    )
    return answer


def _go_to_work(served: Served, request: Request) -> Response:
    token = request.cookies.get(_address(request).cookie, "")
    with served.database.read() as connection:
        person = find_session(connection, token, now=served.now()) if token else None
    if person is None:
        raise RefusalError(401, "You are not signed in. Open the link that you were sent.")
    return RedirectResponse("/organiser" if person.role == "organiser" else "/judge", 303)


# Judging


def _find_work(visit: Visit) -> Place | None:
    """The person's open block, or a new one."""
    with visit.served.database.read() as connection:
        place = find_place(connection, visit.person)
    if place is None:
        with visit.served.database.claim() as connection:
            place = claim_place(connection, visit.person, now=visit.served.now())
    return place


def _describe_work(visit: Visit) -> dict[str, Any]:
    """What the page shows: the topic, the documents at hand, own progress and the last answer, where any are."""
    place = _find_work(visit)
    with visit.served.database.read() as connection:
        study = read_study_row(connection)
        last = find_last_word(connection, visit.person)
        work: dict[str, Any] = {"topic": None, "queue": [], "total": 0, "at": 0, "stopped": study.stopped is not None}
        work["last"] = (
            None if last is None else {"item": last.item, "title": last.title, "kind": last.kind, "level": last.level}
        )
        if place is not None and study.stopped is None:
            wanted = connection.execute(select(topic).where(topic.c.id == place.topic)).one()
            numbers = place.remaining[: AHEAD + 1]
            rows = {row.id: row for row in connection.execute(select(item).where(item.c.id.in_(numbers)))}
            work |= {
                "topic": {"title": wanted.title, "description": wanted.description, "narrative": wanted.narrative},
                "queue": [_describe_document(rows[number]) for number in numbers],
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


def _judge(visit: Visit) -> Response:
    work = _describe_work(visit)
    if work["topic"] is None:
        return RedirectResponse("/done", 303)
    with visit.served.database.read() as connection:
        study = read_study_row(connection)
    page = render(
        "judge.html.jinja",
        study=study,
        person=visit.person,
        csrf=visit.csrf,
        key=secrets.token_hex(16),
        document=work["queue"][0],
        work=work,
        names=_level_names(study.levels),
    )
    return HTMLResponse(page)


def _judge_json(visit: Visit) -> Response:
    return JSONResponse(_describe_work(visit))


def _document(visit: Visit) -> Response:
    """A document by itself, inert wherever it is opened."""
    number = visit.request.path_params["number"]
    with visit.served.database.read() as connection:
        row = None
        if number < 2**31 and holds(connection, visit.person, number):
            row = connection.execute(select(item.c.kind, item.c.body).where(item.c.id == number)).one_or_none()
    if row is None or row.kind == "url":
        raise RefusalError(404, "There is nothing here.")
    headers = {"content-security-policy": DOCUMENT_POLICY}
    if row.kind == "text":
        return PlainTextResponse(row.body, headers=headers)
    return HTMLResponse(row.body + _DEAD_LINKS, headers=headers)


def _answer(visit: Visit) -> Response:
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
    return JSONResponse({"saved": answer.key, "work": _describe_work(visit)})


def _keep(visit: Visit, answer: Any) -> None:
    """Keep an answer; when this returns, it is on the disk."""
    for attempt in (1, 2):
        try:
            with visit.served.database.write() as connection:
                record_answer(connection, visit.person, answer, now=visit.served.now())
            return
        except IntegrityError:  # the same key came twice at once
            if attempt == 2:
                raise


def _done(visit: Visit) -> Response:
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


def _help(visit: Visit) -> Response:
    with visit.served.database.read() as connection:
        study = read_study_row(connection)
    return HTMLResponse(render("help.html.jinja", study=study, person=visit.person))


def _level_names(levels: Sequence[Any]) -> list[str]:
    return [f"{place} {level.name}" if level.name else level.level for place, level in enumerate(levels)]


# Organising


def _organiser(visit: Visit) -> Response:
    return _show_organiser(visit)


def _show_organiser(visit: Visit, links: Mapping[str, str] | None = None) -> Response:
    from gainsayer.web.organiser_page import compose

    now = visit.served.now()
    with visit.served.database.read() as connection:
        second = read_round(connection)
        abandoned = find_abandoned(connection, now=now)
        titles = {row.id: row.title for row in connection.execute(select(topic.c.id, topic.c.title))}
        rows = select(assessor.c.name, assessor.c.revoked).where(assessor.c.role == "judge").order_by(assessor.c.name)
        invited = [(row.name, row.revoked is not None) for row in connection.execute(rows)]
        named = {row.name: row.title for row in connection.execute(select(topic.c.name, topic.c.title))}
    overview = visit.served.look(second)
    page = render(
        "organiser.html.jinja",
        csrf=visit.csrf,
        page=compose(overview, named),
        overview=overview,
        links=links or {},
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


def _organiser_json(visit: Visit) -> Response:
    with visit.served.database.read() as connection:
        second = read_round(connection)
    return JSONResponse(visit.served.look(second).describe())


def _export(visit: Visit) -> Response:
    with visit.served.database.read() as connection:
        second = read_round(connection)
    spreadsheet = visit.request.query_params.get("for") == "spreadsheet"
    headers = {"content-disposition": 'attachment; filename="second.csv"'}
    return Response(export_csv(second, spreadsheet=spreadsheet), media_type="text/csv", headers=headers)


def _invite(visit: Visit) -> Response:
    names = [name for name in str(visit.sent().get("names", "")).splitlines() if name.strip()]
    try:
        with visit.served.database.write() as connection:
            made = invite(connection, names[:200])
    except CallError as error:
        raise RefusalError(422, str(error)) from None
    origin = _address(visit.request).origin
    return _show_organiser(visit, {printable(name): f"{origin}/join/{token}" for name, token in made.items()})


def _revoke(visit: Visit) -> Response:
    try:
        with visit.served.database.write() as connection:
            revoke(connection, [str(visit.sent().get("name", ""))], now=visit.served.now())
    except CallError as error:
        raise RefusalError(422, str(error)) from None
    return RedirectResponse("/organiser", 303)


def _release(visit: Visit) -> Response:
    given = visit.sent()
    started = Started(*(given.get(name) for name in ("topic", "batch", "slot", "person")))  # type: ignore[arg-type]
    with visit.served.database.claim() as connection:
        done = release(connection, started, now=visit.served.now())
    if not done:
        raise RefusalError(
            409, "That block is not abandoned: its holder answered within the last 24 hours, or finished it."
        )
    return RedirectResponse("/organiser", 303)


def _stop(visit: Visit) -> Response:
    going_on = visit.sent().get("again") == "yes"
    with visit.served.database.write() as connection:
        stop_judging(connection, now=None if going_on else visit.served.now())
    return RedirectResponse("/organiser", 303)
