"""Who takes part: invitations, sessions and what proves them; the database holds hashes of tokens, never a token.

A token has 256 bits, so a plain hash of it cannot be guessed back. A link is good until the person is invited anew or
revoked, so that work goes on at another machine.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, select

from gainsayer.errors import CallError
from gainsayer.text import STEERING, nearest
from gainsayer.web.database import assessor, session

SESSION_SECONDS: Final = 30 * 24 * 3600.0
LONGEST_NAME: Final = 80
ORGANISER: Final = "organiser"


@dataclass(frozen=True)
class Person:
    """Somebody with a link: a judge, or the organiser."""

    id: int
    name: str
    role: str


def hash_token(token: str) -> str:
    """What the database keeps of a token.

    >>> len(hash_token("a")), hash_token("a") == hash_token("b")
    (64, False)
    """
    return hashlib.sha256(token.encode()).hexdigest()


def derive_csrf(session_token: str) -> str:
    """What proves that a request was made by a page of ours: derived from the session's token, and kept nowhere."""
    return hmac.new(session_token.encode(), b"gainsayer csrf", hashlib.sha256).hexdigest()


def invite(connection: Connection, names: Sequence[str], *, role: str = "judge") -> dict[str, str]:
    """A new link for each name: the name to its token. An earlier link of the name, and its sessions, end.

    Raises:
        CallError: a name is empty, too long, holds signs that cannot be shown, or is the organiser's.
    """
    made = {}
    for name in names:
        name = _check_name(name)
        if (name == ORGANISER) != (role == "organiser"):
            raise CallError(f"{ORGANISER!r} is the name of whoever serves the study. Choose another name.")
        token = secrets.token_urlsafe(32)
        found = connection.execute(select(assessor).where(assessor.c.name == name)).one_or_none()
        if found is None:
            connection.execute(assessor.insert().values(name=name, token_hash=hash_token(token), role=role))
        else:
            _end_sessions(connection, found.id)
            changed = assessor.update().where(assessor.c.id == found.id)
            connection.execute(changed.values(token_hash=hash_token(token), revoked=None))
        made[name] = token
    return made


def revoke(connection: Connection, names: Sequence[str], *, now: float) -> None:
    """End the links and sessions of these people; what they answered stays.

    Raises:
        CallError: nobody has such a name.
    """
    known = {row.name: row.id for row in connection.execute(select(assessor).where(assessor.c.role == "judge"))}
    for name in map(tidy_name, names):
        if name not in known:
            raise CallError(f"Nobody called {name!r} was invited.{nearest(name, known)}")
        _end_sessions(connection, known[name])
        connection.execute(assessor.update().where(assessor.c.id == known[name]).values(revoked=now))


def find_invited(connection: Connection, token: str) -> Person | None:
    """Whose link this is; None for nobody's."""
    return _person(connection, assessor.c.token_hash == hash_token(token))


def start_session(connection: Connection, person: Person, *, now: float) -> str:
    """A new session; its token goes into the cookie."""
    token = secrets.token_urlsafe(32)
    connection.execute(session.delete().where(session.c.expires < now))
    values = {"hash": hash_token(token), "assessor": person.id, "expires": now + SESSION_SECONDS}
    connection.execute(session.insert().values(values))
    return token


def find_session(connection: Connection, token: str, *, now: float) -> Person | None:
    """Whose session this is; None where it ended, or never was."""
    found = connection.execute(
        select(session.c.assessor).where(session.c.hash == hash_token(token), session.c.expires >= now)
    ).scalar()
    return None if found is None else _person(connection, assessor.c.id == found)


def end_session(connection: Connection, token: str) -> None:
    """End one session; the link stays good."""
    connection.execute(session.delete().where(session.c.hash == hash_token(token)))


def _person(connection: Connection, condition: object) -> Person | None:
    found = connection.execute(
        select(assessor.c.id, assessor.c.name, assessor.c.role).where(condition, assessor.c.revoked.is_(None))  # type: ignore[arg-type]
    ).one_or_none()
    return None if found is None else Person(found.id, found.name, found.role)


def _end_sessions(connection: Connection, person: int) -> None:
    connection.execute(session.delete().where(session.c.assessor == person))


def tidy_name(name: str) -> str:
    r"""A name as it is kept and compared: one way to write an accent, single blanks.

    >>> tidy_name(" Zoe\u0308  B. ") == "Zo\xeb B."
    True
    """
    return unicodedata.normalize("NFC", " ".join(name.split()))


def is_same_name(one: str, other: str) -> bool:
    """Whether two names are one person's, in capitals or not.

    >>> is_same_name("ANN  Miller", "Ann Miller"), is_same_name("Ann", "Anna")
    (True, False)
    """
    return tidy_name(one).casefold() == tidy_name(other).casefold()


def _check_name(name: str) -> str:
    name = tidy_name(name)
    if not name or len(name) > LONGEST_NAME or re.search(STEERING, name) or re.search("[\ud800-\udfff]", name):
        raise CallError(f"A name has 1 to {LONGEST_NAME} signs that can be shown, found {name!r}.")
    return name
