"""HTTP as uvicorn speaks it, but for requests that are never finished, and for more connections than can be held."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class PatientProtocol(H11Protocol):
    """Closes a connection whose request, header and body, is not there after `patience` seconds, or that is too many.

    Too many are those beyond uvicorn's `limit_concurrency`: without a free descriptor asyncio tries to accept others
    thousands of times a second, and writes a traceback for each try.
    """

    patience: ClassVar[float] = 30.0
    _ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a first request."""
        super().connection_made(transport)
        if self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency:
            transport.close()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what came; wait on, from where the request began, as long as something of it is missing."""
        super().data_received(data)
        if self.conn.their_state is h11.SEND_BODY or (self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]):
            self._wait()
        else:
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._ends is None:
            self._ends = self.loop.call_later(self.patience, self.transport.close)

    def _stop(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None
