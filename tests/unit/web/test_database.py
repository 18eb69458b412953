"""Where a study is kept: only its owner reads it, a copy is whole, what is no study is refused in words."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select, text
from tests.judging.studies import NOW, Server, make_content, play

from gainsayer.errors import CallError, DataError
from gainsayer.web.database import Database, back_up, judgment, metadata, open_database
from gainsayer.web.people import Person, find_invited, invite
from gainsayer.web.second_round import export_csv, read_round
from gainsayer.web.study import create_study


def test_a_backup_is_a_study(
    study: Callable[..., Database], people: Callable[..., list[Person]], tmp_path: Path
) -> None:
    """The copy of either kind of database is a file with the same rows, which opens and goes on."""
    database = study(topics=3, overlap=2)
    persons = people(database, "Ann", "Ben")
    play(database, persons, 20)
    back_up(database, tmp_path / "copy.db")
    copy = open_database(str(tmp_path / "copy.db"))
    with database.read() as old, copy.read() as new:
        for table in metadata.sorted_tables:
            assert sorted(map(str, old.execute(select(table)))) == sorted(map(str, new.execute(select(table))))
        assert export_csv(read_round(old)) == export_csv(read_round(new))
    copy.close()
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".gainsayer")] == []


def test_a_copy_goes_into_a_file_or_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no file (a pipe, a device) stays what it is; a copy that fails half-way leaves nothing."""
    database = create_study(str(tmp_path / "study.db"), make_content())
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CallError, match="not a file"):
        back_up(database, tmp_path / "pipe")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("gainsayer.web.database._copy_pages", fail)
    with pytest.raises(CallError, match="disk is full"):
        back_up(database, tmp_path / "copy.db")
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith("study")) == ["pipe"]
    database.close()


def test_a_study_is_its_owners(tmp_path: Path) -> None:
    """The file has mode 600 and WAL, commits reach the disk, and readers cannot write."""
    database = create_study(str(tmp_path / "study.db"), make_content())
    assert stat.S_IMODE((tmp_path / "study.db").stat().st_mode) == 0o600
    with database.write() as connection:
        asked = {
            name: connection.exec_driver_sql(f"pragma {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10000}
    with pytest.raises(Exception, match="readonly"), database.read() as connection:
        connection.exec_driver_sql("delete from topic")
    database.close()


@pytest.mark.slow
def test_commits_reach_the_disk_whatever_the_database_says(postgresql: Server) -> None:
    """A PostgreSQL database that acknowledges before it has written is told to wait."""
    place = postgresql.create()
    database = create_study(place, make_content())
    with database.write() as connection:
        name = connection.execute(text("select current_database()")).scalar_one()
        connection.execute(text(f'alter database "{name}" set synchronous_commit = off'))
    database.close()
    database = open_database(place)
    with database.write() as connection:
        assert connection.execute(text("show synchronous_commit")).scalar_one() == "on"
    database.close()


def test_a_study_of_the_first_version_is_brought_to_todays(place: str) -> None:
    """What was answered before answers had a turn stays as it was, and goes on."""
    database = create_study(place, make_content(), now=NOW)
    with database.write() as connection:
        ann = find_invited(connection, invite(connection, ["Ann"])["Ann"])
    assert ann is not None
    play(database, [ann], 10)
    with database.read() as connection:
        before = export_csv(read_round(connection))
    with database.write() as connection:
        for statement in (
            "drop view judgment",
            "alter table event drop column turn",
            "create view judgment as select id, assessor, item, kind, level, note, milliseconds, at from event",
            "update study set version = 1",
        ):
            connection.execute(text(statement))
    database.close()
    for _ in range(2):
        database = open_database(place)
        with database.read() as connection:
            assert export_csv(read_round(connection)) == before
            assert connection.execute(select(judgment.c.turn)).all()
        database.close()


def test_a_place_is_taken_once(place: str) -> None:
    """A new study never goes over an old one."""
    create_study(place, make_content()).close()
    with pytest.raises(CallError, match="already"):
        create_study(place, make_content())


def test_what_is_no_study_is_refused(tmp_path: Path) -> None:
    """No file, a text file, another database, a newer version: each is said in words."""
    with pytest.raises(CallError, match="no study"):
        open_database(str(tmp_path / "none.db"))
    (tmp_path / "text.db").write_text("no database " * 100)
    with pytest.raises(DataError, match="is not a Gainsayer study"):
        open_database(str(tmp_path / "text.db"))
    sqlite3.connect(tmp_path / "other.db").execute("create table a (b)").connection.close()
    with pytest.raises(DataError, match="holds no Gainsayer study"):
        open_database(str(tmp_path / "other.db"))
    create_study(str(tmp_path / "new.db"), make_content()).close()
    with sqlite3.connect(tmp_path / "new.db") as connection:
        connection.execute("update study set version = 99")
    connection.close()
    with pytest.raises(DataError, match="newer"):
        open_database(str(tmp_path / "new.db"))
    with pytest.raises(DataError, match="cannot be opened"):
        open_database("postgresql://nobody@127.0.0.1:1/none")
