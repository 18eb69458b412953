"""How the page is served: small packets at once, requests that are never finished given up, addresses that can be."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from tests.judging.studies import make_content

from gainsayer.errors import CallError
from gainsayer.web.patience import PatientProtocol
from gainsayer.web.server import _listen, check_public
from gainsayer.web.study import create_study

HALVES = {
    "nothing": b"",
    "half a header": b"POST / HTTP/1.1\r\nhost: x\r\n",
    "half a body": b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf",
    "half after a whole": b"GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP",
}


class Hasty(PatientProtocol):
    """Gives up soon."""

    patience = 0.5


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the body."""
    body = await Request(scope, receive).body()
    await PlainTextResponse(body or b"whole")(scope, receive, send)


@contextmanager
def serving(protocol: type[PatientProtocol]) -> Iterator[int]:
    """A server that speaks this protocol; its port."""
    with _listen("127.0.0.1", 0) as listening:
        config = uvicorn.Config(echo, http=protocol, log_level="critical", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = server.force_exit = True
        thread.join()


def read_all(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    connection.settimeout(600)  # nothing waits for it to pass
    return b"".join(iter(lambda: connection.recv(4096), b""))


def test_requests_that_are_never_finished_are_given_up() -> None:
    """A connection with half a request is closed by the server; whole ones before and beside it are answered."""
    with serving(Hasty) as port:
        waiting = {name: socket.create_connection(("127.0.0.1", port)) for name in HALVES}
        for name, connection in waiting.items():
            connection.sendall(HALVES[name])
        with socket.create_connection(("127.0.0.1", port)) as whole:
            whole.sendall(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\nconnection: close\r\n\r\n")
            whole.sendall(b"body")
            assert read_all(whole).endswith(b"body")
        for name, connection in waiting.items():
            found = read_all(connection)
            assert found.endswith(b"whole") == (name == "half after a whole"), name
            connection.close()


def test_a_kept_connection_is_not_given_up_between_requests() -> None:
    """Patience is for a request that has begun: whoever reads longer than that finds the connection as it was."""
    with serving(Hasty) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        for pause in (0.0, 1.0):
            threading.Event().wait(pause)
            connection.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            found = b""
            while not found.endswith(b"whole"):
                found += connection.recv(4096)
            assert found.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("hard", [4096, 256])
def test_a_server_without_descriptors_stays_calm(tmp_path: Path, hard: int) -> None:
    """600 half-sent requests, more than it may hold: it raises its limit, or refuses the rest without a word."""
    create_study(str(tmp_path / "study.db"), make_content()).close()
    command = [sys.executable, "-m", "gainsayer", "judge", "serve", str(tmp_path / "study.db"), "--port", "0"]

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))

    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, preexec_fn=bound)
    assert server.stdout is not None
    port = int(server.stdout.readline().decode().split(":")[2].split("/")[0])
    held = []
    for _ in range(600):
        held.append(socket.create_connection(("127.0.0.1", port)))
        held[-1].sendall(b"GET / HTTP/1.1\r\n")
    for connection in held[:100] if hard > 600 else held:  # where it holds fewer, until it has given these up
        connection.close()
    answered = b""
    while not answered.startswith(b"HTTP/1.1 200"):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nconnection: close\r\n\r\n" % port)
            with suppress(ConnectionError):
                answered = read_all(connection)
    server.terminate()
    server.wait()
    server.stdout.close()
    for connection in held:
        connection.close()
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_small_packets_are_sent_at_once() -> None:
    """The listening socket names its protocol, by which asyncio knows to turn Nagle's delay off."""
    with _listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize("url", ["https://[::1", "https://a b", "https://x]", "https://", "x", ""])
def test_public_addresses_that_are_none_are_refused(url: str) -> None:
    """What no browser could open is refused in words."""
    with pytest.raises(CallError, match="public address"):
        check_public(url)
    assert check_public("https://[::1]:8443").host == "[::1]:8443"
