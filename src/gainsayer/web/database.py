"""Where a study is kept: tables in SQLite or PostgreSQL, backups, versions."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import sqlalchemy
from sqlalchemy import (
    URL,
    CheckConstraint,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    column,
    create_engine,
    inspect,
    make_url,
    select,
    table,
    text,
)
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError
from sqlalchemy.pool import QueuePool

from gainsayer.errors import CallError, DataError
from gainsayer.output_files import follow

metadata: Final = MetaData()

study: Final = Table(
    "study",
    metadata,
    Column("version", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("plan", Text, nullable=False),  # JSON: batches, shares, the rule to stop by
    Column("levels", Text, nullable=False),  # JSON: name and text of each level, from low to high
    Column("relevant", Text, nullable=False),  # JSON: the levels with which users are satisfied
    Column("overlap", Integer, nullable=False),
    Column("seed", Text, nullable=False),  # of everybody's order of topics and documents
    Column("frame_origin", Text),  # where documents given by address live
    Column("address", Text),  # under which the page was served last
    Column("stopped", Float),
    Column("created", Float, nullable=False),
)

topic: Final = Table(
    "topic",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("narrative", Text, nullable=False),
)

item: Final = Table(
    "item",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("topic", ForeignKey("topic.id"), nullable=False),
    Column("document", Text, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("kind", Text, CheckConstraint("kind in ('text', 'html', 'url')"), nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("topic", "document"),
    Index("item_block", "topic", "batch"),
)

first_label: Final = Table(  # read by the organiser's code only
    "first_label",
    metadata,
    Column("item", ForeignKey("item.id"), primary_key=True),
    Column("level", Integer, nullable=False),
    Column("assessor", Text, nullable=False),
    Column("sampling_key", Float),
)

assessor: Final = Table(
    "assessor",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("role", Text, CheckConstraint("role in ('judge', 'organiser')"), nullable=False),
    Column("revoked", Float),
)

session: Final = Table(
    "session",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("assessor", ForeignKey("assessor.id"), nullable=False),
    Column("expires", Float, nullable=False),
)

block: Final = Table(
    "block",
    metadata,
    Column("topic", ForeignKey("topic.id"), nullable=False),
    Column("batch", Integer, nullable=False),
    Column("slot", Integer, nullable=False),
    Column("assessor", ForeignKey("assessor.id"), nullable=False),
    Column("claimed", Float, nullable=False),
    Column("leased_until", Float, nullable=False),
    PrimaryKeyConstraint("topic", "batch", "slot"),
    UniqueConstraint("topic", "batch", "assessor"),
    Index("block_assessor", "assessor"),
)

handover: Final = Table(  # started blocks that the organiser gave on: the former holder's answers stay and count
    "handover",
    metadata,
    Column("topic", ForeignKey("topic.id"), nullable=False),
    Column("batch", Integer, nullable=False),
    Column("slot", Integer, nullable=False),
    Column("assessor", ForeignKey("assessor.id"), nullable=False),
    Column("at", Float, nullable=False),
    PrimaryKeyConstraint("topic", "batch", "slot", "assessor"),
)

event: Final = Table(
    "event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("assessor", ForeignKey("assessor.id"), nullable=False),
    Column("item", ForeignKey("item.id"), nullable=False),
    Column("kind", Text, CheckConstraint("kind in ('level', 'skip', 'undo')"), nullable=False),
    Column("level", Integer, CheckConstraint("(kind = 'level') = (level is not null)")),
    Column("note", Text, nullable=False),
    Column("milliseconds", Integer),
    Column("at", Float, nullable=False),  # when it was given, which is before it came where it waited in a browser
    Column("turn", Float),  # its place among the person's words on the document, where that is not its number
    Index("event_last", "assessor", "item", "id"),
    sqlite_autoincrement=True,
)

# The last word of each person on each document: a level or a skip.
judgment: Final = table(
    "judgment",
    *(column(name) for name in ("id", "assessor", "item", "kind", "level", "note", "milliseconds", "at", "turn")),
)

_VIEW: Final = """
create view judgment as
select id, assessor, item, kind, level, note, milliseconds, at, coalesce(turn, id) as turn from event
where kind <> 'undo' and not exists (
    select 1 from event as later
    where later.assessor = event.assessor and later.item = event.item
    and (coalesce(later.turn, later.id), later.id) > (coalesce(event.turn, event.id), event.id)
)
"""
_APPEND_ONLY: Final = {
    "sqlite": [
        f"create trigger event_no_{word} before {word} on event begin select raise(abort, 'answers are kept'); end"
        for word in ("update", "delete")
    ],
    "postgresql": [
        "create function keep_answers() returns trigger language plpgsql as "
        "$$ begin raise exception 'answers are kept'; end $$",
        "create trigger event_kept before update or delete or truncate on event execute function keep_answers()",
    ],
}


def create_tables(connection: Connection) -> None:
    """Make today's tables in an empty database."""
    metadata.create_all(connection)
    for statement in (_VIEW, *_APPEND_ONLY[connection.dialect.name]):
        connection.execute(text(statement))


def _add_turns(connection: Connection) -> None:
    """From 1 to 2: the last word is the one given last, not the one that came last."""
    for statement in ("alter table event add column turn double precision", "drop view judgment", _VIEW):
        connection.execute(text(statement))


MIGRATIONS: Final[tuple[Callable[[Connection], None], ...]] = (_add_turns,)
"""What leads from each version to the next."""
VERSION: Final = 1 + len(MIGRATIONS)


POSTGRESQL: Final = ("postgresql:", "postgres:", "postgresql+psycopg:")
_PATIENCE: Final = 60.0  # seconds that a connection waits for its turn


@dataclass(frozen=True, eq=False)
class Database:
    """A study's database: connections that write, and connections that read."""

    writer: Engine
    reader: Engine

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file of ours."""
        return self.writer.dialect.name == "sqlite"

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may write; committed at the end, taken back where it fails."""
        with self.writer.begin() as connection:
            yield connection

    @contextmanager
    def claim(self) -> Iterator[Connection]:
        """A transaction that nobody else's `claim` overlaps: SQLite has one writer anyway, PostgreSQL a lock for it."""
        with self.write() as connection:
            if not self.is_sqlite:
                connection.execute(text("select pg_advisory_xact_lock(4711190)"))
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one state and cannot write."""
        with self.reader.begin() as connection:
            yield connection

    def close(self) -> None:
        """Let all connections go."""
        self.writer.dispose()
        self.reader.dispose()


@contextmanager
def new_database(place: str) -> Iterator[Connection]:
    """Make a study database, which is there when what is written within has been written, and not before.

    It is a new file that only its owner can read, made next to its place; or tables in an empty PostgreSQL database.

    Raises:
        CallError: the file exists, or cannot be written; or the database holds a study already.
        DataError: the database cannot be reached.
    """
    if not _is_file(place):
        database = connect(place)
        with closing(database), _reachable(place, database), database.write() as connection:
            if inspect(connection).has_table("study"):
                raise CallError(f"{show_place(place)} holds a study already. Use another database.")
            create_tables(connection)
            yield connection
        return
    path = Path(place)
    temporary = path.parent / f".gainsayer-{os.urandom(6).hex()}.tmp"
    taken = f"{place} exists already. Choose another name for the new study."
    if path.exists() or path.is_symlink():
        raise CallError(taken)
    try:
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        database = connect(str(temporary))
        with closing(database), database.write() as connection:
            create_tables(connection)
            yield connection
        with closing(sqlite3.connect(temporary)) as made:
            made.execute("pragma journal_mode=delete")  # one file, which can be renamed
        _rename_new(temporary, path)
    except FileExistsError:
        raise CallError(taken) from None
    except OSError as error:
        raise CallError(f"Cannot write {place}: {error.strerror}. Choose another place for the study.") from error
    except (sqlite3.Error, DatabaseError) as error:
        reason = str(getattr(error, "orig", error)).strip()
        raise CallError(f"Cannot write {place}: {reason}. Choose another place for the study.") from error
    finally:
        _remove(temporary)


def _rename_new(temporary: Path, path: Path) -> None:
    """Give a file its name, unless somebody else took it meanwhile."""
    with temporary.open("rb") as written:
        os.fsync(written.fileno())
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        temporary.rename(path)


def _remove(path: Path) -> None:
    """Remove a file that was being made, and what SQLite keeps next to it."""
    for name in files_of(str(path)):
        with suppress(OSError):  # whatever kept it from being made has been said
            Path(name).unlink(missing_ok=True)


def open_database(place: str, *, to_write: bool = True) -> Database:
    """The database of an existing study, brought to today's schema.

    Args:
        place: the study.
        to_write: False for those who only look: a file where nothing can be written is then read as it is.

    Raises:
        CallError: there is none, or it cannot be written.
        DataError: it is something else, or was made by a newer version.
    """
    if _is_file(place) and not Path(place).is_file():
        raise CallError(f"There is no study {place}. Make one first with judge new.")
    fixed = _is_file(place) and not _is_writable(Path(place))
    if fixed and to_write:
        raise CallError(f"Cannot write {place}: it stands where nothing can be written. Copy it elsewhere first.")
    if fixed and any(os.path.exists(name) and os.path.getsize(name) for name in files_of(place)[1:]):
        raise DataError(f"{place} was not closed, and its last answers stand in files next to it. Copy all elsewhere.")
    database = connect(place, fixed=fixed)
    with _reachable(place, database), database.read() if fixed else database.write() as connection:
        if not inspect(connection).has_table("study"):
            raise DataError(f"{show_place(place)} holds no Gainsayer study.")
        version = connection.execute(select(study.c.version)).scalar_one_or_none()
        if version is None:
            raise DataError(f"{show_place(place)} holds no whole study: making it was interrupted. Make it anew.")
        if version > VERSION:
            raise DataError(f"{show_place(place)} was made by a newer Gainsayer. Update this one.")
        if version < VERSION and fixed:
            raise DataError(f"{place} was made by an older Gainsayer. Copy it to where it can be written.")
        for migrate in MIGRATIONS[version - 1 :]:
            migrate(connection)
        if version < VERSION:
            connection.execute(study.update().values(version=VERSION))
    return database


def _is_writable(path: Path) -> bool:
    """Whether SQLite can write the file, and the files that it keeps next to it."""
    path = Path(os.path.realpath(path))
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def connect(place: str, *, fixed: bool = False) -> Database:
    """Engines for a file or an address; nothing is opened yet. A fixed file is one that nobody can write."""
    if _is_file(place):
        name = str(Path(place).absolute())
        if fixed:  # no log can be written next to it
            name, asked = Path(place).absolute().as_uri(), {"uri": "true", "mode": "ro", "immutable": "1"}
        else:
            asked = {}
        url = URL.create("sqlite", database=name, query=asked)
        writer = create_engine(
            url, poolclass=QueuePool, pool_size=1, max_overflow=0, pool_timeout=_PATIENCE, hide_parameters=True
        )
        reader = create_engine(
            url, poolclass=QueuePool, pool_size=8, max_overflow=0, pool_timeout=_PATIENCE, hide_parameters=True
        )
        sqlalchemy.event.listen(writer, "connect", _prepare_reader if fixed else _prepare_writer)
        sqlalchemy.event.listen(reader, "connect", _prepare_reader)
        begin = "begin" if fixed else "begin immediate"
        sqlalchemy.event.listen(writer, "begin", lambda connection: connection.exec_driver_sql(begin))
        sqlalchemy.event.listen(reader, "begin", lambda connection: connection.exec_driver_sql("begin"))
        return Database(writer, reader)
    try:
        url = _read_address(place).set(drivername="postgresql+psycopg")
        writer = create_engine(
            url, pool_size=10, max_overflow=0, pool_timeout=_PATIENCE, pool_pre_ping=True, hide_parameters=True
        )
    except ModuleNotFoundError:
        raise CallError("A study in PostgreSQL needs psycopg: pip install 'gainsayer[web,postgres]'.") from None
    sqlalchemy.event.listen(writer, "connect", _prepare_postgresql)
    reader = writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return Database(writer, reader)


def show_place(place: str) -> str:
    """What messages call a study's place: an address without its password, wherever in it that stands.

    >>> show_place("postgresql://ann:secret@host/study?password=secret")
    'postgresql://ann:***@host/study'
    """
    return place if _is_file(place) else _read_address(place).set(query={}).render_as_string(hide_password=True)


def files_of(place: str) -> list[str]:
    """The files that a study lives in: its own and those that SQLite keeps next to it; none for an address."""
    logs = [f"{os.path.realpath(place)}{end}" for end in ("-wal", "-shm", "-journal")]
    return [place, *logs] if _is_file(place) else []


def back_up(database: Database, target: Path) -> None:
    """Write the whole study, as it is at one moment, into a new SQLite file; answers may go on meanwhile.

    The file is written next to its place and then renamed. That of a PostgreSQL study is the same study in a file.

    Raises:
        CallError: the place cannot be written.
    """
    place, old = follow(target)
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise CallError(f"{target} is not a file. A study is copied into a file.")
    temporary = place.parent / f".gainsayer-{os.getpid()}-{place.name[-60:]}.tmp"
    try:
        temporary.unlink(missing_ok=True)
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        if database.is_sqlite:
            _copy_pages(database, temporary)
        else:
            _copy_rows(database, temporary)
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        temporary.replace(place)
    except OSError as error:
        raise CallError(f"Cannot write {target}: {error.strerror}. Choose another place for it.") from error
    except (sqlite3.Error, DatabaseError) as error:
        reason = str(getattr(error, "orig", error)).strip()
        raise CallError(f"Cannot copy the study to {target}: {reason}. Choose another place for it.") from error
    finally:
        _remove(temporary)


def _copy_pages(database: Database, target: Path) -> None:
    copy = sqlite3.connect(target)
    with closing(copy), closing(database.reader.raw_connection()) as source:
        pages = source.driver_connection
        assert isinstance(pages, sqlite3.Connection)
        pages.backup(copy)  # all pages in one step, so that a busy writer cannot make it begin again
        copy.execute("pragma journal_mode=delete")


def _copy_rows(database: Database, target: Path) -> None:
    copy = connect(str(target))
    with database.read() as source, copy.write() as connection:
        create_tables(connection)
        for one in metadata.sorted_tables:
            rows = [dict(row) for row in source.execute(select(one)).mappings()]
            if rows:
                connection.execute(one.insert(), rows)
    with copy.writer.connect() as connection:
        connection.connection.cursor().execute("pragma journal_mode=delete")
    copy.close()


def _read_address(place: str) -> URL:
    try:
        return make_url(place)
    except ArgumentError:
        raise CallError("The address of the database cannot be read: postgresql://user@host:port/name.") from None


def _is_file(place: str) -> bool:
    return not place.startswith(POSTGRESQL)


def _prepare_writer(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # we say when transactions begin
    for pragma in ("journal_mode=wal", "synchronous=full", "foreign_keys=on", "busy_timeout=10000"):
        connection.execute(f"pragma {pragma}")


def _prepare_reader(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("query_only=on", "busy_timeout=10000"):
        connection.execute(f"pragma {pragma}")


def _prepare_postgresql(connection: Any, _record: Any) -> None:
    """A commit returns when it is on the disk, also where the database is set up to be faster than that."""
    asked = "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"
    connection.execute(asked)
    connection.commit()


@contextmanager
def _reachable(place: str, database: Database) -> Iterator[None]:
    """Say in words that a database cannot be opened, and let its connections go."""
    try:
        with _closed_by_faults(database):
            yield
    except OperationalError as error:
        raise DataError(f"{show_place(place)} cannot be opened: {str(error.orig).strip()}") from None
    except DatabaseError as error:
        raise DataError(f"{show_place(place)} is not a Gainsayer study: {str(error.orig).strip()}") from None


@contextmanager
def _closed_by_faults(database: Database) -> Iterator[None]:
    try:
        yield
    except BaseException:
        database.close()
        raise
