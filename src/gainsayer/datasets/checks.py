"""What a simulation is asked, checked once at the door."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from gainsayer.errors import CallError
from gainsayer.levels import MOST_LEVELS

FloatArray = npt.NDArray[np.float64]
_SAFE_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")


def check_count(value: int, what: str, *, least: int = 1) -> None:
    """Refuse a number that is not whole or too small."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise CallError(f"{what} must be a whole number of at least {least}, found {value!r}.")


def check_share(value: float, what: str, *, most: float = 1.0) -> None:
    """Refuse a number that is not between 0 and `most`; NaN is refused as well."""
    if not 0 <= value <= most:
        raise CallError(f"{what} must lie between 0 and {most:g}, found {value!r}.")


def check_spread(value: float, what: str) -> None:
    """Refuse a number that cannot be a standard deviation."""
    if not (np.isfinite(value) and value >= 0):
        raise CallError(f"{what} is a standard deviation: give a finite number of at least 0, found {value!r}.")


def check_distribution(shares: npt.ArrayLike, what: str) -> FloatArray:
    """The shares as an array that sums to 1 exactly; refused when they miss 1 by more than a millionth."""
    array = np.array(shares, dtype=np.float64)
    if array.ndim != 1 or not np.all(np.isfinite(array)) or np.any(array < 0):
        raise CallError(f"{what} must be a list of shares between 0 and 1, found {shares!r}.")
    if abs(float(array.sum()) - 1) > 1e-6:
        raise CallError(f"{what} must sum to 1, found {float(array.sum()):g}. Divide each by their sum.")
    array /= array.sum()
    return array


def check_matrix(matrix: npt.ArrayLike) -> FloatArray:
    """The joint matrix: square, of counts or probabilities, rows the first label, columns the second."""
    array = np.array(matrix, dtype=np.float64)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise CallError(f"The joint matrix needs one row and one column per level, found the shape {array.shape}.")
    if not 2 <= len(array) <= MOST_LEVELS:
        raise CallError(f"The joint matrix needs 2 to {MOST_LEVELS} levels, found {len(array)}.")
    if not np.all(np.isfinite(array)) or np.any(array < 0) or not array.sum() > 0:
        raise CallError("The joint matrix must be finite, not negative, and not all 0.")
    return array


def check_names(names: Iterable[str], what: str) -> None:
    """Refuse names that are not safe as file names, or that differ in upper and lower case only."""
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not _SAFE_NAME.fullmatch(name):
            raise CallError(
                f"{what} names become file names or columns: use letters, digits and . _ - only, beginning with a "
                f"letter, a digit or _; found {name!r}."
            )
        if name.casefold() in seen:
            raise CallError(f"{what} names must differ in more than upper and lower case, found {name!r} again.")
        seen.add(name.casefold())
