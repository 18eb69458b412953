"""A standalone cluster of Spark on this machine: a master and two workers, in processes of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE = 300


@dataclass(frozen=True)
class Cluster:
    """Where the master is, the processes and logs of the workers, and what a program needs that uses them."""

    master: str
    workers: tuple[int, ...]
    logs: tuple[Path, ...]
    environment: dict[str, str]

    @property
    def deaths(self) -> int:
        """How many executors were killed by somebody else than Spark."""
        return sum(log.read_text().count("Command exited with code 137") for log in self.logs)

    def executors(self) -> list[int]:
        """The executors at work: those that have started Python."""
        return [
            one
            for worker in self.workers
            for one in children(worker)
            if any(b"pyspark" in Path(f"/proc/{below}/cmdline").read_bytes() for below in children(one))
        ]


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    try:
        listed = [Path(task, "children").read_text() for task in Path(f"/proc/{parent}/task").iterdir()]
    except OSError:  # it has ended
        return []
    return [int(number) for text in listed for number in text.split()]


def wait_for(what: Callable[[], object], patience: float = PATIENCE) -> None:
    """Wait until something holds."""
    end = time.monotonic() + patience
    while not what():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster whose workers have one core each; a skip where pyspark is not installed."""
    pyspark = pytest.importorskip("pyspark", reason="make test-spark installs what it needs")
    folder = tmp_path_factory.mktemp("cluster")
    home = Path(pyspark.__file__).parent
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PATH": path}
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> Path:
        log = folder / f"{len(started)}.log"
        command = [home / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1"]
        with log.open("wb") as stream:
            started.append(
                subprocess.Popen(
                    [*command, "--webui-port", "0", *arguments], stderr=stream, stdout=stream, env=environment
                )
            )
        return log

    try:
        log = start("master.Master", "--port", "0")
        wait_for(lambda: "New state: ALIVE" in log.read_text())
        found = re.search(r"Starting Spark master at (spark://\S+)", log.read_text())
        assert found is not None
        room = ("--cores", "1", "--memory", "1g", "--work-dir", str(folder / "work"))
        logs = tuple(start("worker.Worker", *room, found[1]) for _ in range(2))
        wait_for(lambda: all("Successfully registered" in one.read_text() for one in logs))
        yield Cluster(found[1], tuple(one.pid for one in started[1:]), logs, environment)
    finally:
        for one in started:
            one.terminate()
        for one in started:
            one.wait(PATIENCE)
