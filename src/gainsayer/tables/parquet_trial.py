"""Parquet files are tried in another process first, as a damaged one may make polars abort the process it is in.

The same bytes are read there and here by the same library, so what was read there can be read here. One such process
serves all files: it is started with the first one, and again when a file has ended it.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from gainsayer.errors import DataError
from gainsayer.tables.parquet_process import TOO_LARGE, read_frame, write_frame

_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from gainsayer.tables.parquet_process import serve; serve()"
)
_LARGE: Final = 1 << 26
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
                write_frame(process.stdin, frame)
            answer = read_frame(process.stdout)
        except (EOFError, BrokenPipeError):
            code = process.wait()
            self.end()
            if code == TOO_LARGE:
                raise TooLargeError from None
            raise TrialError("polars gave up on it") from None
        if answer.startswith(b"-"):
            raise TrialError(answer[1:].decode())
        return answer[1:]

    def _start(self) -> subprocess.Popen[bytes]:
        # Where the program's own modules and polars come from, whatever the working folder is by now.
        homes = [str(Path(sys.modules[name].__file__ or "").parents[1]) for name in ("gainsayer", "polars")]
        path = [*dict.fromkeys([*homes, *(entry for entry in sys.path if os.path.isabs(entry))])]  # noqa: PTH117
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
