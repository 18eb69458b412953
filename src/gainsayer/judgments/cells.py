"""One value of a JSON object or a Python mapping as text."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np

from gainsayer.lines.faults import shorten


def cell_text(value: object, meaning: str) -> str:
    """A name, a level or a weight as text: 2.0 becomes '2', None becomes '', and for levels True becomes '1'.

    Raises:
        ValueError: the value is neither text nor a number; says what was expected and found.

    >>> [cell_text(value, "level") for value in ("Key", 2.0, True, None, 0.5)]
    ['Key', '2', '1', '', '0.5']
    """
    if isinstance(value, str):
        if value.isascii():
            return str(value)
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"expected text as {meaning}, found half a character: {shorten(value)}.") from None
        return str(value)
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        if meaning == "level":
            return str(int(value))
    elif isinstance(value, int | Integral):
        return str(int(value))
    elif isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:
            raise ValueError(f"expected a number as {meaning}, found one that is too large.") from None
        if number != number:
            return ""
        return str(int(number)) if number.is_integer() else repr(number)
    raise ValueError(f"expected text or a number as {meaning}, found {shorten(repr(value))}.")
