"""Parquet files are tried in another process first, as a damaged one may make polars abort the process it is in.

The same bytes are read there and here by the same library, so what was read there can be read here. One such process
serves all files: it is started with the first one, and again when a file has ended it.

It is asked on standard input and answers on standard output, in frames: eight bytes of length, then so many bytes. For
each file come two frames, how much memory it may take and the file itself, and the answer is its titles and its number
of rows. Then comes a frame with the titles wanted, and once these columns were read, the answer is `+`. A faulty
file is answered with `-` and the words of the fault. The end of the input is the end of the process.
"""

from __future__ import annotations

import atexit
import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final

from gainsayer.errors import DataError

_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from gainsayer.tables.parquet_trial import serve; serve()"
)
_LARGE: Final = 1 << 26
_TOO_LARGE: Final = 77
_SECONDS: Final = 0.02
_CELL_BYTES: Final = 8


class TrialError(Exception):
    """The file cannot be read; the message says why."""


class TooLargeError(Exception):
    """The columns take more memory than they may."""


def try_parquet(content: bytes, choose: Callable[[Sequence[str]], list[str]], limit: int) -> list[str]:
    """The titles of the chosen columns, once these columns were read in another process.

    Args:
        content: the bytes of the file.
        choose: which of the titles are wanted; what it raises is passed on.
        limit: how many bytes of memory the columns may take.

    Raises:
        TrialError: the file is damaged.
        TooLargeError: the columns take more memory than they may.
        DataError: no other process can be started.
    """
    with _SERVANT.lock:
        _SERVANT.check()
        try:
            found = json.loads(_SERVANT.ask(str(limit).encode(), content))
            titles = choose(found["titles"])
            if found["rows"] * len(titles) * _CELL_BYTES > limit:
                raise TooLargeError
            _SERVANT.ask(json.dumps(titles).encode())
        except TrialError:
            raise  # it waits for the next file
        except BaseException:
            _SERVANT.end()
            raise
        if len(content) > _LARGE:  # so that it does not keep the memory
            _SERVANT.end()
        return titles


class _Servant:
    """The other process, from its first question on."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, *frames: bytes) -> bytes:
        """The answer to some frames."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            for frame in frames:
                _write_frame(process.stdin, frame)
            answer = _read_frame(process.stdout)
        except (EOFError, BrokenPipeError):
            code = process.wait()
            self.end()
            if code == _TOO_LARGE:
                raise TooLargeError from None
            raise TrialError("polars gave up on it") from None
        if answer.startswith(b"-"):
            raise TrialError(answer[1:].decode())
        return answer[1:]

    def _start(self) -> subprocess.Popen[bytes]:
        # Where the program's own modules and polars come from, whatever the working folder is by now.
        homes = [str(Path(sys.modules[name].__file__ or "").parents[1]) for name in ("gainsayer", "polars")]
        path = [*dict.fromkeys([*homes, *(entry for entry in sys.path if os.path.isabs(entry))])]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-W", "ignore", "-c", _PROGRAM, json.dumps(path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # what polars prints before it gives up
                bufsize=0,
            )
        except OSError as fault:
            raise DataError(
                f"Parquet files are tried in another process first, which cannot be started: {fault.strerror}. "
                "Write the file as CSV."
            ) from None
        return self._process

    def check(self) -> None:
        """Forget a process that somebody else has ended."""
        if self._process is not None and self._process.poll() is not None:
            self.end()

    def end(self) -> None:
        """End the process; the next question starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with process:  # closes the pipes and waits
                pass

    def forget(self) -> None:
        """Leave the process to the parent of this one, which was forked."""
        process, self._process = self._process, None
        self.lock = threading.RLock()
        if process is not None:
            process.returncode = 0  # not ours to wait for
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()


_SERVANT: Final = _Servant()
atexit.register(_SERVANT.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_SERVANT.forget)


def can_try() -> bool:
    """Whether there is a Python to start: not in a frozen program, nor in one that Python is embedded in."""
    program = Path(sys.executable or "").name.lower()
    return not getattr(sys, "frozen", False) and ("python" in program or "pypy" in program)


def _read_frame(stream: IO[bytes]) -> bytes:
    """The next frame.

    Raises:
        EOFError: whoever wrote the frames is gone.
    """
    return _read(stream, int.from_bytes(_read(stream, 8), "little"))


def _write_frame(stream: IO[bytes], content: bytes) -> None:
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
            limit = int(_read_frame(asked))
            content = _read_frame(asked)
            done = _watch(limit)
            try:
                titles = list(pl.read_parquet_schema(io.BytesIO(content)))
                rows = pl.scan_parquet(io.BytesIO(content)).select(pl.len()).collect().item()
                _write_frame(answers, b"+" + json.dumps({"titles": titles, "rows": rows}).encode())
                wanted = _read_frame(asked)
                if pl.read_parquet(io.BytesIO(content), columns=json.loads(wanted)).estimated_size() > limit:
                    os._exit(_TOO_LARGE)
                _write_frame(answers, b"+")
            except (EOFError, BrokenPipeError):
                raise
            except (Exception, pl.exceptions.PanicException) as fault:
                _write_frame(answers, b"-" + str(fault).encode(errors="replace"))
            done.set()
    except (EOFError, BrokenPipeError):
        os._exit(0)


def _watch(limit: int) -> threading.Event:
    """End the process with `_TOO_LARGE` when it takes so many bytes more than now, until the event is set.

    A limit of the system would be stricter, but polars waits forever where a thread gets no memory. Only Linux tells
    what a process takes; elsewhere there is no watch.
    """
    done = threading.Event()
    before = _taken()

    def watch() -> None:
        while not done.wait(_SECONDS):
            if _taken() - before > limit:
                os._exit(_TOO_LARGE)

    if before:
        threading.Thread(target=watch, daemon=True).start()
    return done


def _taken() -> int:
    """The bytes of memory this process takes; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", "rb") as file:  # fifty times a second
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _leave_no_core() -> None:
    """Leave no core file behind: an end is nothing to look into here."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
