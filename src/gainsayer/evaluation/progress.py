"""Progress: who wants to know how far a long piece of work has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, float], None]
"""Called with what is being done and the share that is done, from 0 to 1."""


def part_of(progress: Progress | None, what: str) -> Callable[[float], None] | None:
    """The same for one named step; None where nobody wants to know."""
    return None if progress is None else lambda share: progress(what, share)
