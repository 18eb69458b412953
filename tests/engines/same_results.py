"""Whether two results are the same: numbers to 1e-9, everything else as it is."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

CLOSE = 1e-9


def differences(one: Any, two: Any, where: str = "", *, but: Collection[str] = ("provenance",)) -> Iterator[str]:
    """Where two results differ; fields called like one of `but` are not looked at."""
    if isinstance(one, np.ndarray):
        same = isinstance(two, np.ndarray) and one.dtype == two.dtype and one.shape == two.shape
        numbers = one.dtype.kind == "f"
        if not same or not (np.allclose(one, two, CLOSE, CLOSE, equal_nan=True) if numbers else (one == two).all()):
            yield where
    elif dataclasses.is_dataclass(one) and type(one) is type(two):
        for name in (field.name for field in dataclasses.fields(one) if field.name not in but):
            yield from differences(getattr(one, name), getattr(two, name), f"{where}.{name}", but=but)
    elif isinstance(one, Mapping):
        if list(one) != list(two):
            yield where
        for (key, value), other in zip(one.items(), two.values(), strict=False):
            yield from differences(value, other, f"{where}[{key}]", but=but)
    elif isinstance(one, list | tuple):
        if len(one) != len(two):
            yield where
        for place, (value, other) in enumerate(zip(one, two, strict=False)):
            yield from differences(value, other, f"{where}[{place}]", but=but)
    elif isinstance(one, float) and isinstance(two, float):
        if not (math.isclose(one, two, rel_tol=CLOSE, abs_tol=CLOSE) or (math.isnan(one) and math.isnan(two))):
            yield f"{where}: {one!r} is not {two!r}"
    elif not callable(one) and one != two:
        yield f"{where}: {one!r} is not {two!r}"
