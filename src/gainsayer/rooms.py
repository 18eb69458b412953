"""Rooms open their doors late: a name is imported when it is first asked for.

So `import gainsayer` and `gainsayer --help` wait for no tables and arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late_names(
    package: str, homes: Mapping[str, str], inside: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose public names live in these modules of it.

    Args:
        package: its name.
        homes: public name to module.
        inside: further names that can be imported from the room, as its tests do, whatever module they live in.

    >>> find, names = late_names("gainsayer.counts", {"count_pairs": "pairing"})
    >>> find("count_pairs").__name__, names()
    ('count_pairs', ['count_pairs'])
    """
    every = {**homes, **(inside or {})}

    def find(name: str) -> Any:
        if name not in every:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{every[name]}"), name)

    return find, lambda: sorted(homes)
