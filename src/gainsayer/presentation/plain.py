"""Arrays as plain data for JSON: NaN becomes null, whole counts become whole numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt


def number(value: float, *, whole: bool = False) -> float | int | None:
    """A number for JSON: None for NaN and infinities; with `whole`, 4.0 becomes 4.

    >>> number(float("nan")), number(4.0, whole=True), number(4.5, whole=True)
    (None, 4, 4.5)
    """
    value = float(value)
    if not math.isfinite(value):
        return None
    return int(value) if whole and value.is_integer() else value


def numbers(values: npt.NDArray[np.float64]) -> Any:
    """An array as nested lists; all whole numbers become whole.

    >>> numbers(np.array([[4.0, 1.0], [0.0, 2.0]]))
    [[4, 1], [0, 2]]
    """
    finite = values[np.isfinite(values)]
    whole = values.size > 0 and finite.size == values.size and bool(np.all(finite == np.round(finite)))
    if whole:
        return values.astype(np.int64).tolist()
    return _plain(values.tolist())


def _plain(values: Any) -> Any:
    return [_plain(value) for value in values] if isinstance(values, list) else number(values)
