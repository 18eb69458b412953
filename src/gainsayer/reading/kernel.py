"""The compiled reader, where there is one.

Its functions give None where something is not plain, and the Python code that asked then does the work itself. So
results and messages do not depend on how Gainsayer was installed. `GAINSAYER_PURE=1` leaves the compiled reader out;
`GAINSAYER_COMPILED=1` makes its absence an error.
"""

from __future__ import annotations

import os
from functools import cache
from types import ModuleType
from typing import Final

INTERFACE: Final = 5


@cache
def find_kernel() -> ModuleType | None:
    """The compiled module; None where it was not built, is of another version, or is not wanted.

    Raises:
        ImportError: `GAINSAYER_COMPILED=1` asks for it, and it is not there.
    """
    if os.environ.get("GAINSAYER_PURE") == "1":
        return None
    try:
        from gainsayer.reading import _kernel
    except ImportError:
        found = None
    else:
        found = _kernel if _kernel.INTERFACE == INTERFACE else None
    if found is None and os.environ.get("GAINSAYER_COMPILED") == "1":
        raise ImportError("The compiled reader was not built, or is of another version: pip install -e . builds it.")
    return found


def name_reader() -> str:
    """Which reader is at work, in a word.

    >>> name_reader() in ("compiled", "plain Python")
    True
    """
    return "plain Python" if find_kernel() is None else "compiled"
