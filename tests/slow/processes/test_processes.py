"""Real processes: killed while forty people answer, nothing acknowledged is lost; a copy taken meanwhile is whole."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.judging.studies import make_content
from tests.slow.processes.processes import Judge, Process, gather_judges

from gainsayer.web.database import Database, event, judgment, open_database
from gainsayer.web.server import back_up_study, make_links
from gainsayer.web.study import create_study

FULL = bool(os.environ.get("GAINSAYER_SLOW"))
JUDGES = 40


@pytest.fixture
def serve(place: str, tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Serve a study of these words in a process of its own."""
    started = []

    def make(**words: object) -> Process:
        create_study(place, make_content(**words), seed="trial").close()  # type: ignore[arg-type]
        process = Process(place, tmp_path / "server.log")
        process.start()
        started.append(process)
        return process

    yield make
    for process in started:
        process.end()


def links_of(place: str, count: int) -> list[str]:
    """Links of so many people."""
    return list(make_links(place, [f"person {number}" for number in range(count)]).values())


def check_kept(database: Database, judges: list[Judge], overlap: int) -> None:
    """Everything acknowledged is there, no document has too many judgments, nobody judged one twice."""
    with database.read() as connection:
        kept = {row.key: row.item for row in connection.execute(select(event.c.key, event.c.item))}
        rows = connection.execute(select(judgment.c.item, judgment.c.assessor)).all()
        if database.is_sqlite:
            assert connection.exec_driver_sql("pragma integrity_check").scalar() == "ok"
    saved = {key: number for judge in judges for key, number in judge.saved.items()}
    assert {key: kept.get(key) for key in saved} == saved
    assert max(Counter(row.item for row in rows).values()) <= overlap
    assert len(rows) == len(set(rows)) == len(kept)


def run_apart(story: Coroutine[Any, Any, list[Judge]]) -> list[Judge]:
    """Run it in a thread of its own: Playwright leaves a running loop in the thread of the tests."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, story).result()


@pytest.mark.slow
def test_killed_servers_lose_nothing(serve: Callable[..., Process], place: str) -> None:
    """kill -9 again and again under forty judges: no acknowledged answer is lost, no document is given twice."""
    kills, between = (20, 60) if FULL else (2, 20)
    process = serve(topics=80, documents=40, batches=2, overlap=1)

    async def story() -> list[Judge]:
        judges = await gather_judges(process.origin, links_of(place, JUDGES))
        over = asyncio.Event()

        async def work(judge: Judge) -> None:
            for step in range(2000):
                if over.is_set() or not await judge.answer(step):
                    break

        working = [asyncio.create_task(work(judge)) for judge in judges]
        for _ in range(kills):
            reached = sum(len(judge.saved) for judge in judges) + between
            while sum(len(judge.saved) for judge in judges) < reached:
                assert not all(task.done() for task in working)
                await asyncio.sleep(0.01)
            process.end(signal.SIGKILL)
            await asyncio.to_thread(process.start)
        over.set()
        await asyncio.gather(*working)
        for judge in judges:
            await judge.client.aclose()
        return judges

    judges = run_apart(story())
    assert [error for judge in judges for error in judge.errors] == []
    assert sum(len(judge.saved) for judge in judges) >= kills * between
    assert sum(judge.refused for judge in judges) > 0
    database = open_database(place)
    check_kept(database, judges, 1)
    database.close()


@pytest.mark.slow
def test_a_demo_leaves_nothing_behind(tmp_path: Path) -> None:
    """Told to end, it takes its made-up study away."""
    command = [sys.executable, "-m", "gainsayer", "judge", "demo", "--port", "0"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as demo:
        assert demo.stdout is not None
        assert b"/join/" in demo.stdout.readline()
        assert len(list(tmp_path.iterdir())) == 1
        demo.terminate()
    assert list(tmp_path.iterdir()) == []


def test_forty_judges_without_an_error(
    serve: Callable[..., Process], place: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Forty judges, 200 answers each (5 in short): no error, overlap never exceeded; a backup meanwhile is whole."""
    answers = 200 if FULL else 5
    process = serve(topics=50, documents=2 * answers, batches=2, overlap=2)

    async def story() -> list[Judge]:
        judges = await gather_judges(process.origin, links_of(place, JUDGES))

        async def work(judge: Judge) -> None:
            for step in range(answers):
                await judge.answer(step)

        working = [asyncio.create_task(work(judge)) for judge in judges]
        while sum(len(judge.saved) for judge in judges) < answers * JUDGES // 4:
            assert not all(task.done() for task in working)
            await asyncio.sleep(0.01)
        before = {key: number for judge in judges for key, number in judge.saved.items()}
        await asyncio.to_thread(back_up_study, place, tmp_path / "copy.db")
        copy = open_database(str(tmp_path / "copy.db"))
        with copy.read() as connection:
            held = {row.key: row.item for row in connection.execute(select(event.c.key, event.c.item))}
            assert connection.exec_driver_sql("pragma integrity_check").scalar() == "ok"
            assert connection.exec_driver_sql("pragma foreign_key_check").all() == []
        copy.close()
        assert before.items() <= held.items()
        await asyncio.gather(*working)
        for judge in judges:
            await judge.client.aclose()
        return judges

    judges = run_apart(story())
    assert [error for judge in judges for error in judge.errors] == []
    assert {len(judge.saved) for judge in judges} == {answers}
    database = open_database(place)
    check_kept(database, judges, 2)
    database.close()
    seconds = sorted(second for judge in judges for second in judge.seconds)
    record_property("p50", statistics.median(seconds))
    record_property("p99", seconds[int(0.99 * len(seconds))])
    print(f"p50 {1000 * statistics.median(seconds):.0f} ms, p99 {1000 * seconds[int(0.99 * len(seconds))]:.0f} ms")
