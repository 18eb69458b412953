"""Rooms open their doors late: a name is imported when it is first asked for.

So `import gainsayer` and `gainsayer --help` wait for no tables and arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose public names live in these modules of it.

    Args:
        package: its name.
        homes: name to module; a module itself, where name and module are the same and the module has no such name.

    >>> find, names = late_names("gainsayer.counts", {"count_pairs": "pairing"})
    >>> find("count_pairs").__name__, names()
    ('count_pairs', ['count_pairs'])
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find, lambda: sorted(homes)
