"""A real server process, and people who judge at it at the same time."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

PATIENCE = 600.0  # seconds that anything may take on a busy machine; nothing waits for them to pass


@dataclass
class Process:
    """`gainsayer judge serve` in a process of its own; always on the port it got first."""

    place: str
    log: Path
    port: int = 0
    link: str = ""
    running: subprocess.Popen[bytes] | None = None

    def start(self) -> str:
        """Start it; the organiser's link, once it listens."""
        command = [sys.executable, "-m", "gainsayer", "judge", "serve", self.place, "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=os.environ)
        assert self.running.stdout is not None
        self.link = self.running.stdout.readline().decode().strip()
        assert self.link.startswith("http://127.0.0.1:"), "the server did not start"
        self.port = int(self.link.split(":")[2].split("/")[0])
        return self.link

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it, in the way asked for, and wait for it."""
        if self.running is not None:
            self.running.send_signal(how)
            self.running.wait(PATIENCE)
            assert self.running.stdout is not None
            self.running.stdout.close()
            self.running = None

    @property
    def origin(self) -> str:
        """What pages are sent from."""
        return f"http://127.0.0.1:{self.port}"


@dataclass
class Judge:
    """Somebody at work: what they know was saved, what they were shown, and what went wrong."""

    origin: str
    link: str
    client: httpx.AsyncClient
    number: int
    csrf: str = ""
    saved: dict[str, int] = field(default_factory=dict)
    shown: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    queue: list[int] = field(default_factory=list)
    refused: int = 0

    async def ask(self, send: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        """Ask until there is an answer, as the page does; a server that is gone comes back."""
        for _ in range(20_000):
            try:
                got = await send()
            except httpx.TransportError:
                self.refused += 1
                await asyncio.sleep(0.05)
                continue
            if got.status_code == 429:
                await asyncio.sleep(float(got.headers["retry-after"]))
                continue
            return got
        raise AssertionError("the server did not come back")

    async def join(self) -> None:
        """Follow the link."""
        got = await self.ask(lambda: self.client.post(self.link, headers={"origin": self.origin}))
        assert got.status_code == 303, got.text
        page = await self.ask(lambda: self.client.get("/judge"))
        found = re.findall(r'name="csrf" value="([0-9a-f]{64})"', page.text)
        self.csrf = found[0] if found else ""
        if self.csrf:
            work = (await self.ask(lambda: self.client.get("/judge.json"))).json()
            self.queue = [one["item"] for one in work["queue"]]

    async def answer(self, step: int) -> bool:
        """Answer the document in view; False where there is none."""
        if not self.queue:
            return False
        number = self.queue[0]
        self.shown.append(number)
        sent = {"key": f"judge{self.number:04}step{step:06}", "item": number, "kind": "level", "level": step % 3}
        headers = {"origin": self.origin, "x-gainsayer": self.csrf}
        loop = asyncio.get_running_loop()
        began = loop.time()
        got = await self.ask(lambda: self.client.post("/answer", json=sent, headers=headers))
        self.seconds.append(loop.time() - began)
        if got.status_code != 200:
            self.errors.append(f"{got.status_code} {got.text}")
            return False
        self.saved[str(sent["key"])] = number
        self.queue = [one["item"] for one in got.json()["work"]["queue"]]
        return True


async def gather_judges(origin: str, links: Sequence[str]) -> list[Judge]:
    """People who followed their links; one connection pool each, as browsers have."""
    judges = []
    for number, link in enumerate(links):
        # Making a client with certificates takes long, and there is no TLS on loopback.
        client = httpx.AsyncClient(base_url=origin, verify=False, timeout=PATIENCE, trust_env=False)
        judges.append(Judge(origin, link, client, number))
    for judge in judges:  # 60 joins at once are allowed from one address; with their page each needs one
        await judge.join()
    return judges
