"""Whether two results are the same, to the last bit."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np


def differences(one: Any, two: Any, where: str = "", *, but: Collection[str] = ("provenance",)) -> Iterator[str]:
    """Where two results differ, bit by bit; fields called like one of `but` are not looked at."""
    if isinstance(one, np.ndarray):
        same = isinstance(two, np.ndarray) and one.dtype == two.dtype and one.shape == two.shape
        if not same or one.tobytes() != two.tobytes():
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
    elif not callable(one) and one != two and not (one != one and two != two):
        yield f"{where}: {one!r} is not {two!r}"
