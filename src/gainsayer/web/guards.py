"""What every request has to pass, and what every answer carries: host, size, rate, origin, and the headers.

Written as one ASGI layer around the application, so that no route can be forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY: Final = 32 * 1024  # a note of 2,000 signs that a form writes with nine each, and room
DOCUMENT_POLICY: Final = (
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
# Of our origin, so that keys can scroll it from the page around; still without scripts, forms and ways out.
FRAMED_DOCUMENT_POLICY: Final = DOCUMENT_POLICY.replace("sandbox;", "sandbox allow-same-origin;")
_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # no-referrer would make browsers send 'Origin: null' with forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-dns-prefetch-control": "off",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True)
class Address:
    """Where the page is reached: what the Host and Origin headers have to say.

    >>> address = Address.of("https://judge.example.org")
    >>> address.host, address.secure, address.cookie
    ('judge.example.org', True, '__Host-gainsayer-443')
    """

    origin: str
    host: str
    port: int
    secure: bool

    @classmethod
    def of(cls, url: str) -> Address:
        """The address of a page served at the root of this URL."""
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        return cls(
            f"{parts.scheme}://{parts.netloc.lower()}",
            parts.netloc.lower(),
            parts.port or (443 if secure else 80),
            secure,
        )

    @property
    def cookie(self) -> str:
        """The name of the session's cookie: with the port, as cookies do not know ports.

        Under https the prefix keeps hosts of the same domain from setting it.
        """
        return f"{'__Host-' if self.secure else ''}gainsayer-{self.port}"


def page_policy(frame_origin: str | None) -> str:
    """The content security policy of our own pages."""
    frames = "'self'" + (f" {frame_origin}" if frame_origin else "")
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        f"frame-src {frames}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


class Rate:
    """So many a second, with a burst; one bucket per key, of which the least used are forgotten.

    Args:
        per_second: how fast a bucket fills.
        burst: how much it holds.
        clock: seconds from any moment on.
        most: how many buckets are kept.
    """

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float], *, most: int = 10_000) -> None:
        self.per_second, self.burst, self.clock, self.most = per_second, burst, clock, most
        self._buckets: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def take(self, key: str) -> bool:
        """Whether one more is allowed now.

        >>> rate = Rate(1, 2, lambda: 0.0)
        >>> [rate.take("a") for _ in range(3)], rate.take("b")
        ([True, True, False], True)
        """
        with self._lock:
            now = self.clock()
            held, before = self._buckets.pop(key, (float(self.burst), now))
            held = min(self.burst, held + (now - before) * self.per_second)
            allowed = held >= 1
            self._buckets[key] = (held - 1 if allowed else held, now)
            if len(self._buckets) > self.most:
                del self._buckets[next(iter(self._buckets))]
            return allowed


class Guard:
    """Refuses foreign hosts (421), other origins (403), large bodies (413); puts the headers on every answer.

    `refuse` makes the answer from a status and words.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        addresses: Mapping[str, Address],
        policy: str,
        refuse: Callable[[Request, int, str], Response],
    ) -> None:
        self.app = app
        self.addresses = addresses
        self.policy = policy
        self.refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    sent.setdefault(name, value)
                sent.setdefault("content-security-policy", self.policy)
                sent.setdefault("cache-control", "no-store")
            await send(message)

        async def refuse(status: int, words: str) -> None:
            await self.refuse(Request(scope), status, words)(scope, receive, send_guarded)

        hosts = headers.getlist("host")
        address = self.addresses.get(hosts[0].lower()) if len(hosts) == 1 else None
        if address is None:
            await refuse(421, "This page is not served under that name.")
            return
        scope["gainsayer.address"] = address
        if scope["method"] == "POST":
            if headers.get("origin") != address.origin:
                await refuse(403, "This was not sent from a page of ours.")
                return
            length = headers.get("content-length", "")
            # Sent in chunks, a body may be longer than its stated length.
            honest = re.fullmatch(r"[0-9]{1,9}", length) and "transfer-encoding" not in headers
            if not honest or int(length) > LARGEST_BODY:
                await refuse(413, "That is too much. Go back in the browser, where it still stands, and shorten it.")
                return
        elif scope["method"] not in ("GET", "HEAD"):
            await refuse(405, "There is nothing to do that way.")
            return
        await self.app(scope, receive, send_guarded)
