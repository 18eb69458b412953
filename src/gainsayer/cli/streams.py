"""Standard output and standard error as they may be: closed, full, a pipe nobody reads, a terminal of any kind."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import IO, Any

import click

from gainsayer.terminal import page_width, width_of, wrap
from gainsayer.text import legible, message, printable

DUMB = ("dumb", "unknown")


def prepare_streams() -> None:
    """Make every standard stream one that can be used, in UTF-8.

    Where standard output is closed, writing to it fails as on any closed file, so that a lost result is an error; where
    standard error is closed, messages are lost. Without this the next file opened would take a closed stream's place.
    """
    for number, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            _put_nothing(number, mode)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115  # a descriptor, for as long as we run
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def show(text: str, *, safe: bool = False) -> None:
    """Print a result on standard output; on a terminal, marks that would steer it are shown, not sent.

    Args:
        text: what to print, as it is.
        safe: nothing in it can steer a terminal but what we put there (bold type).
    """
    shown = legible(text) if safe or not is_terminal(sys.stdout) else printable(text)
    click.echo(shown, nl=False, color=True)  # else click would take escapes out of data in pipes and files


def say(text: str, *, quiet: bool = False, wrapped: bool = True) -> None:
    """A message on standard error; one that cannot be written stops no work.

    Args:
        text: what to say.
        quiet: say nothing.
        wrapped: on a terminal, lines are as wide as it is; elsewhere each stays whole, for those who search them.
    """
    if quiet:
        return
    lines = message(text).split("\n")
    width = page_width(sys.stderr)
    if wrapped and width is not None and is_terminal(sys.stderr):
        lines = [part for line in lines for part in ([line] if width_of(line) <= width else wrap(line, width))]
    try:
        click.echo("\n".join(lines), err=True)
    except OSError:
        abandon(sys.stderr)


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether a stream is a terminal; a closed one is none."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def is_styled(stream: IO[str] | None) -> bool:
    """Whether bold type is welcome: on a terminal that knows it, unless NO_COLOR is set."""
    return is_lively(stream) and not os.environ.get("NO_COLOR")


def is_lively(stream: IO[str] | None) -> bool:
    """Whether a bar can move: on a terminal that knows escapes."""
    return is_terminal(stream) and os.environ.get("TERM", "").lower() not in DUMB


def abandon(stream: Any) -> None:
    """Let what is still to be written to a stream vanish, so that the end of the program does not fail by it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        _put_nothing(stream.fileno(), os.O_WRONLY)


def _put_nothing(number: int, mode: int) -> None:
    """Put the null device in the place of a descriptor."""
    nothing = os.open(os.devnull, mode)
    if nothing != number:
        os.dup2(nothing, number)
        os.close(nothing)
