"""The organiser's routes: how far the round is, the export, and what an organiser does about it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

from sqlalchemy import select
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from gainsayer.errors import CallError
from gainsayer.text import printable
from gainsayer.web.assignment import Started, find_abandoned, release
from gainsayer.web.organiser_page import compose
from gainsayer.web.pages import render
from gainsayer.web.people import invite, revoke
from gainsayer.web.schema import assessor, topic
from gainsayer.web.second_round import export_csv, read_round
from gainsayer.web.study import stop_judging
from gainsayer.web.visits import RefusalError, Visit, address_of

MOST_INVITED: Final = 200


def show_overview(visit: Visit, links: Mapping[str, str] | None = None) -> Response:
    """The page; new links are shown this once."""
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
    origin = address_of(visit.request).origin
    return show_overview(visit, {printable(name): f"{origin}/join/{token}" for name, token in made.items()})


def revoke_person(visit: Visit) -> Response:
    """End somebody's link and sessions."""
    try:
        with visit.served.database.write() as connection:
            revoke(connection, [str(visit.sent().get("name", ""))], now=visit.served.now())
    except CallError as error:
        raise RefusalError(422, str(error)) from None
    return RedirectResponse("/organiser", 303)


def give_on(visit: Visit) -> Response:
    """Give a started block on."""
    given = visit.sent()
    started = Started(*(given.get(name) for name in ("topic", "batch", "slot", "person")))  # type: ignore[arg-type]
    with visit.served.database.claim() as connection:
        done = release(connection, started, now=visit.served.now())
    if not done:
        raise RefusalError(
            409, "That block is not abandoned: its holder answered within the last 24 hours, or finished it."
        )
    return RedirectResponse("/organiser", 303)


def stop_or_go_on(visit: Visit) -> Response:
    """Take no more answers, or take them again."""
    going_on = visit.sent().get("again") == "yes"
    with visit.served.database.write() as connection:
        stop_judging(connection, now=None if going_on else visit.served.now())
    return RedirectResponse("/organiser", 303)
