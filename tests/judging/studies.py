"""Small studies to judge in, and the databases they live in: a new SQLite file, or a new PostgreSQL database."""

from __future__ import annotations

import os
import random
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gainsayer.web.content import Content, Item, LevelText, Topic
from gainsayer.web.database import Database
from gainsayer.web.people import Person
from gainsayer.web.work import Answer, claim_place, record_answer

NOW = 1_800_000_000.0
LEVELS = (LevelText("0", "Nothing", "No use."), LevelText("1", "Some", "Of some use."), LevelText("2", "All", "All."))


def write_plan(
    levels: Iterable[str], relevant: list[str], shares: list[dict[str, float]], *, within: float | None = None
) -> dict[str, Any]:
    """A plan as `gainsayer plan` writes it, with what the page reads."""
    names = list(levels)
    return {
        "purpose": "parameters",
        "targets": names,
        "estimator": "one-sided",
        "confidence": 0.95,
        "seed": 0,
        "levels": [{"level": name} for name in names],
        "relevant": relevant,
        "batches": [{"batch": number, "shares": step} for number, step in enumerate(shares, start=1)],
        "stopping": {"kind": "precision", "within": within, "information_ratio": 2.0},
        "list": {"file": "plan.list.csv", "digest": "none"},
    }


def make_content(
    *, topics: int = 4, documents: int = 6, batches: int = 2, overlap: int = 1, first: str = "first", **more: object
) -> Content:
    """A study of so many topics with so many documents each, spread evenly over batches; first labels 0, 1, 2, 0 .."""
    items = []
    for t in range(topics):
        for d in range(documents):
            batch = 1 + d * batches // documents
            text = f"Text of document {d} on topic {t}."
            items.append(Item(f"t{t}", f"t{t}d{d}", batch, "text", f"Title {t}.{d}", text, str((t + d) % 3), first))
    steps = [dict.fromkeys("012", (b + 1) / batches) for b in range(batches)]
    plan = write_plan("012", ["1", "2"], steps, within=0.1)
    names = [Topic(f"t{t}", f"Question {t}", f"Description {t}", f"Narrative {t}") for t in range(topics)]
    values: dict[str, object] = {"name": "Trial", "frame_origin": None} | more
    return Content(
        plan=plan,
        levels=LEVELS,
        relevant=("1", "2"),
        topics=names,
        items=items,
        overlap=overlap,
        **values,  # type: ignore[arg-type]
    )


def play(database: Database, persons: list[Person], answers: int, seed: int = 1) -> None:
    """People answer in turn; some skip, some take back."""
    draw = random.Random(seed)
    for step in range(answers):
        person = persons[step % len(persons)]
        with database.claim() as connection:
            place = claim_place(connection, person, now=NOW + step)
            if place is None:
                continue
            kind = draw.choices(("level", "skip"), (0.9, 0.1))[0]
            level = draw.randrange(3) if kind == "level" else None
            answer = Answer(f"{step:016}", place.remaining[0], kind, level, '=note, "quoted"\n2', 1000 + step)
            record_answer(connection, person, answer, now=NOW + step)
            if draw.random() < 0.05:
                undone = Answer(f"{step:015}u", place.remaining[0], "undo")
                record_answer(connection, person, undone, now=NOW + step)


@dataclass(frozen=True)
class Server:
    """A PostgreSQL server on loopback."""

    port: int
    programs: Path

    def create(self) -> str:
        """A new database; its address."""
        name = f"study_{secrets.token_hex(6)}"
        call = [self.programs / "createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "gainsayer", name]
        subprocess.run(call, check=True, capture_output=True)
        return f"postgresql://gainsayer@127.0.0.1:{self.port}/{name}"


def find_postgresql() -> Path | None:
    """Where Debian keeps the newest server's programs; None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


@contextmanager
def run_postgresql(programs: Path) -> Iterator[Server]:
    """A server of our own, in a temporary folder, on a free port of loopback, as a user without rights."""
    user = "nobody" if os.getuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="gainsayer-postgresql-"))
    try:
        if user is not None:
            shutil.chown(folder, user)
        data = folder / "data"

        def call(*words: object) -> None:
            command = [str(programs / str(words[0])), *map(str, words[1:])]
            # Its output goes to a file: the server keeps it open.
            with (folder / "log").open("ab") as log:
                subprocess.run(command, check=True, stdout=log, stderr=log, user=user, cwd=folder, timeout=600)

        call("initdb", "-D", data, "-U", "gainsayer", "--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        settings = f"-h 127.0.0.1 -p {port} -c unix_socket_directories= -c fsync=off -c max_connections=120"
        call("pg_ctl", "-D", data, "-w", "-t", "300", "-l", folder / "server.log", "-o", settings, "start")
        try:
            yield Server(port, programs)
        finally:
            call("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
