"""What runs in the process that tries Parquet files: a damaged file may end it, and nothing else.

It is asked on standard input and answers on standard output, in frames: eight bytes of length, then so many bytes. For
each file come two frames, how much memory it may take and the file itself, and the answer is its titles and its number
of rows. Then comes a frame with the titles wanted, and once these columns were read, the answer is `+`. A faulty
file is answered with `-` and the words of the fault. The end of the input is the end of the process.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
from typing import IO, Final

TOO_LARGE: Final = 77
_SECONDS: Final = 0.02


def read_frame(stream: IO[bytes]) -> bytes:
    """The next frame.

    Raises:
        EOFError: whoever wrote the frames is gone.
    """
    return _read(stream, int.from_bytes(_read(stream, 8), "little"))


def write_frame(stream: IO[bytes], content: bytes) -> None:
    """Write a frame, however little of it the pipe takes at a time."""
    for part in (len(content).to_bytes(8, "little"), content):
        left = memoryview(part)
        while left:
            left = left[stream.write(left) :]


def _read(stream: IO[bytes], size: int) -> bytes:
    content = bytearray(size)
    left = memoryview(content)
    while left:
        got = stream.readinto(left)  # type: ignore[attr-defined]  # raw files have it
        if not got:
            raise EOFError
        left = left[got:]
    return bytes(content)


def serve() -> None:
    """Answer until nobody asks any more."""
    asked = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)  # whatever else is printed is no answer
    _leave_no_core()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a stop is for whoever asks
    try:
        import polars as pl

        while True:
            limit = int(read_frame(asked))
            content = read_frame(asked)
            done = _watch(limit)
            try:
                titles = list(pl.read_parquet_schema(io.BytesIO(content)))
                rows = pl.scan_parquet(io.BytesIO(content)).select(pl.len()).collect().item()
                write_frame(answers, b"+" + json.dumps({"titles": titles, "rows": rows}).encode())
                wanted = read_frame(asked)
                if pl.read_parquet(io.BytesIO(content), columns=json.loads(wanted)).estimated_size() > limit:
                    os._exit(TOO_LARGE)
                write_frame(answers, b"+")
            except (EOFError, BrokenPipeError):
                raise
            except (Exception, pl.exceptions.PanicException) as fault:
                write_frame(answers, b"-" + str(fault).encode(errors="replace"))
            done.set()
    except (EOFError, BrokenPipeError):
        os._exit(0)


def _watch(limit: int) -> threading.Event:
    """End the process with `TOO_LARGE` when it takes so many bytes more than now, until the event is set.

    A limit of the system would be stricter, but polars waits forever where a thread gets no memory. Only Linux tells
    what a process takes; elsewhere there is no watch.
    """
    done = threading.Event()
    before = _taken()

    def watch() -> None:
        while not done.wait(_SECONDS):
            if _taken() - before > limit:
                os._exit(TOO_LARGE)

    if before:
        threading.Thread(target=watch, daemon=True).start()
    return done


def _taken() -> int:
    """The bytes of memory this process takes; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123  # fifty times a second
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _leave_no_core() -> None:
    """Leave no core file behind: an end is nothing to look into here."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
