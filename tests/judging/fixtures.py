"""Fixtures that the tests of the judging page share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.judging.studies import NOW, Server, find_postgresql, make_content, run_postgresql

from gainsayer.web.content import Content
from gainsayer.web.database import Database
from gainsayer.web.people import Person, find_invited, invite
from gainsayer.web.study import create_study


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server; the tests are skipped where it is not installed."""
    programs = find_postgresql()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with run_postgresql(programs) as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a new study, in either kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "study.db")
    server: Server = request.getfixturevalue("postgresql")
    return server.create()


@pytest.fixture
def study(place: str) -> Iterator[Callable[..., Database]]:
    """Make a study at the place: of a given content, or of `make_content` with these words."""
    made = []

    def make(content: Content | None = None, **words: object) -> Database:
        made.append(create_study(place, content or make_content(**words), now=NOW, seed="trial"))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for database in made:
        database.close()


@pytest.fixture
def people() -> Callable[..., list[Person]]:
    """Invite people by name."""

    def make(database: Database, *names: str) -> list[Person]:
        with database.write() as connection:
            found = [find_invited(connection, token) for token in invite(connection, names).values()]
        return [person for person in found if person is not None]

    return make
