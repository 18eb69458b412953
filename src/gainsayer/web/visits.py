"""What happens at a visit: who is signed in, forms, refusals in words, pages rendered."""

from __future__ import annotations

import functools
import json
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from logging import getLogger
from typing import Any, Final
from urllib.parse import parse_qs

import jinja2
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from gainsayer.text import STEERING
from gainsayer.web.database import Database
from gainsayer.web.guards import Address, Rate
from gainsayer.web.monitor import Monitor, Overview
from gainsayer.web.people import Person, derive_csrf, find_session
from gainsayer.web.second_round import Round


def render(name: str, **values: Any) -> str:
    """A page from its template."""
    return _templates().get_template(name).render(**values)


@functools.cache
def _templates() -> jinja2.Environment:
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("gainsayer.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["calm"] = lambda text: re.sub(STEERING, "\ufffd", str(text))
    return templates


MOMENT: Final = 0.25
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
        moment: how many seconds a document must have been in view before it takes a grade.
        now: seconds since 1970.
        ticks: seconds from any moment on, for rates.
    """

    def __init__(
        self,
        database: Database,
        addresses: Mapping[str, Address],
        *,
        moment: float = MOMENT,
        now: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.database, self.addresses, self.moment, self.now = database, addresses, moment, now
        self.answers = Rate(10, 40, ticks)
        self.joins = Rate(1, 60, ticks)
        self.monitor: Monitor | None = None
        self.new_links: dict[str, Mapping[str, str]] = {}  # made just now, until the page has shown them

    def look(self, second: Round) -> Overview:
        """What the organiser sees; arrays and estimates are loaded when somebody looks."""
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


def say_refusal(request: Request, error: RefusalError) -> Response:
    """A refusal as a page for people, as JSON for programs."""
    headers = dict(error.headers or {})
    if "text/html" in request.headers.get("accept", ""):
        page = render("message.html.jinja", words=error.words, status=error.status)
        return HTMLResponse(page, error.status, headers)
    return JSONResponse({"error": error.words}, error.status, headers)


def refuse(request: Request, status: int, words: str) -> Response:
    """A refusal of the guard's."""
    return say_refusal(request, RefusalError(status, words))


def say_other_way(request: Request, _error: Exception) -> Response:
    """An address of ours, but for forms: opened by itself it shows nothing."""
    return refuse(request, 405, "There is nothing to see at this address.")


def say_missing(request: Request, _error: Exception) -> Response:
    """The same for what no route knows."""
    return say_refusal(request, RefusalError(404, "There is nothing here."))


def say_unreachable(request: Request, error: SQLAlchemyError) -> Response:
    """A full disk, a lock, a server that is gone, a table that is missing: said to both sides, as it may pass."""
    note_unreachable(error)
    words = "The study cannot be reached just now. What you sent may not be saved. Try again in a moment."
    return say_refusal(request, RefusalError(503, words, {"retry-after": "5"}))


def note_unreachable(error: SQLAlchemyError) -> None:
    """Tell whoever serves the study what is wrong with it."""
    getLogger("uvicorn.error").warning("The study cannot be reached: %s", str(getattr(error, "orig", error)).strip())


def open_to_all(served: Served, function: Callable[[Served, Request], Response]) -> Callable[[Request], Any]:
    """For anybody; the route itself asks for a link."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(function, served, request)

    return endpoint


def signed_in(served: Served, function: Callable[[Visit], Response], *roles: str) -> Callable[[Request], Any]:
    """Only for people with a session and such a role; a POST needs the session's proof, too."""

    @wraps(function)
    async def endpoint(request: Request) -> Response:
        try:
            body = await request.body() if request.method == "POST" else b""
        except ClientDisconnect:  # nobody is there to be answered
            return Response(status_code=400)
        return await run_in_threadpool(visit, request, body)

    def visit(request: Request, body: bytes) -> Response:
        token = request.cookies.get(address_of(request).cookie, "")
        person = None
        if token:
            with served.database.read() as connection:
                person = find_session(connection, token, now=served.now())
        if person is None:
            raise RefusalError(401, "You are not signed in. Open the link that you were sent.")
        if person.role not in roles:
            raise RefusalError(404, "There is nothing here.")
        made = Visit(served, request, person, token, body)
        if request.method == "POST":
            proof = str(made.sent().get("csrf", "")) if made.is_form else request.headers.get("x-gainsayer", "")
            if not secrets.compare_digest(proof.encode(), made.csrf.encode()):
                words = "This was not sent from a page of this session."
                raise RefusalError(403, words, {"x-gainsayer": "another session"})
        return function(made)

    return endpoint


def address_of(request: Request) -> Address:
    """Under which address the page was asked for; the guard knows it."""
    address: Address = request.scope["gainsayer.address"]
    return address
