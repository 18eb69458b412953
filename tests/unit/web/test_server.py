"""How the page is served: small packets at once, requests that are never finished given up, addresses that can be."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from gainsayer.errors import CallError
from gainsayer.web.patience import PatientProtocol
from gainsayer.web.server import _listen, check_public

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
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")


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
