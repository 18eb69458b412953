"""Coming and going: a link says who it is for, its button signs them in, another button signs them out."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gainsayer.web.pages import render
from gainsayer.web.people import SESSION_SECONDS, Person, end_session, find_invited, start_session
from gainsayer.web.study import read_study_row
from gainsayer.web.visits import RefusalError, Served, Visit, address_of

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
