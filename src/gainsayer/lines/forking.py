"""Forked processes: polars cannot work in a fork of a process in which it has worked, and would wait forever.

Its threads are not there after the fork, but it counts on them. So the fork is noticed, and reading refuses in words.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from gainsayer.errors import CallError

_POOL: Final = b"polars-"  # and a number


class _Past:
    """What happened to this process before now."""

    at_work = False
    forked = False


def refuse_fork() -> None:
    """Refuse to work with polars where it would wait forever.

    Raises:
        CallError: this process was forked from one in which polars was at work.

    >>> refuse_fork()
    """
    if _Past.forked:
        raise CallError(
            "This process was forked from one in which polars was at work already; it would wait forever here. "
            "Start processes anew instead: multiprocessing.get_context('spawn'), or a server without preloading; or "
            "read in the parent before the fork what all processes need."
        )


def _note_before() -> None:
    _Past.at_work = "polars" in sys.modules and _has_pool()


def _note_in_child() -> None:
    _Past.forked = _Past.forked or _Past.at_work


def _has_pool() -> bool:
    """Whether polars has started its threads; taken for granted where the system does not tell."""
    try:
        tasks = list(Path("/proc/self/task").iterdir())
    except OSError:
        return True
    names = []
    for task in tasks:
        try:
            names.append((task / "comm").read_bytes())
        except OSError:  # it has just ended
            continue
    return any(name.startswith(_POOL) and name[len(_POOL) :][:1].isdigit() for name in names)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_note_before, after_in_child=_note_in_child)
