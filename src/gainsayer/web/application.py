"""The routes: what anybody, a judge and an organiser may ask for; what is not theirs does not exist (404)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import resources
from typing import Any, Final

from sqlalchemy.exc import DatabaseError, TimeoutError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from gainsayer.web import routes
from gainsayer.web.guards import Guard, page_policy
from gainsayer.web.study import read_study_row
from gainsayer.web.visits import (
    RefusalError,
    Served,
    Visit,
    open_to_all,
    refuse,
    say_missing,
    say_other_way,
    say_refusal,
    say_unreachable,
    signed_in,
)

ROLES: Final = ("judge", "organiser")
STATIC: Final = {"judge.js": "text/javascript", "organiser.js": "text/javascript", "page.css": "text/css"}


def create_application(served: Served) -> Guard:
    """The application: routes inside, the guard around them."""
    with served.database.read() as connection:
        origin = read_study_row(connection).frame_origin

    def anybody(path: str, function: Callable[[Served, Request], Response], method: str = "GET") -> Route:
        return Route(path, open_to_all(served, function), methods=[method])

    def person(
        path: str, function: Callable[[Visit], Response], method: str = "GET", roles: tuple[str, ...] = ROLES
    ) -> Route:
        return Route(path, signed_in(served, function, *roles), methods=[method])

    judge, organiser = (functools.partial(person, roles=(role,)) for role in ROLES)
    table = [
        Route("/healthz", lambda request: PlainTextResponse("ok")),
        Route("/static/{name}", _static),
        anybody("/join/{token}", routes.show_invitation),
        anybody("/join/{token}", routes.accept_invitation, "POST"),
        person("/", routes.go_to_work),
        person("/leave", routes.leave, "POST"),
        judge("/judge", routes.show_page),
        judge("/judge.json", routes.show_work),
        judge("/document/{number}", routes.show_document),
        judge("/answer", routes.take_answer, "POST"),
        judge("/done", routes.show_end),
        judge("/help", routes.show_help),
        organiser("/organiser", routes.show_overview),
        organiser("/organiser.json", routes.show_numbers),
        organiser("/export.csv", routes.send_export),
        organiser("/invite", routes.invite_people, "POST"),
        organiser("/revoke", routes.revoke_person, "POST"),
        organiser("/release", routes.give_on, "POST"),
        organiser("/stop", routes.stop_or_go_on, "POST"),
    ]
    faults: dict[Any, Any] = {RefusalError: say_refusal, 404: say_missing, 405: say_other_way}
    faults |= {DatabaseError: say_unreachable, TimeoutError: say_unreachable}
    app = Starlette(routes=table, exception_handlers=faults)
    return Guard(app, addresses=served.addresses, policy=page_policy(origin), refuse=refuse)


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise RefusalError(404, "There is nothing here.")
    content = resources.files("gainsayer.web").joinpath("static", name).read_bytes()
    return Response(content, media_type=STATIC[name], headers={"cache-control": "no-cache"})
