"""A cache of what depends on the pool and the gains alone, so that it is computed once for all runs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from gainsayer.gains.values import Gains

Answer = TypeVar("Answer")
MOST_BYTES: Final = 64 << 20
MOST_ANSWERS: Final = 16
_CACHE: Final[WeakKeyDictionary[Gains, OrderedDict[Hashable, Any]]] = WeakKeyDictionary()


def cached(gains: Gains, key: Hashable, make: Callable[[], Answer]) -> Answer:
    """What `make` gives, kept as long as the gains live: the last few answers of bounded size.

    Gains never change, and `key` says what else the answer depends on, by content; so a kept answer is the same as a
    new one.

    >>> from gainsayer.levels import Levels
    >>> gains = Gains(Levels(("0", "1")), np.array([0.1, 0.7]))
    >>> cached(gains, "a", lambda: 1), cached(gains, "a", lambda: 2), cached(gains, "b", lambda: 3)
    (1, 1, 3)
    """
    kept = _CACHE.setdefault(gains, OrderedDict())
    if key in kept:
        kept.move_to_end(key)
        answer: Answer = kept[key]
        return answer
    answer = make()
    if _bytes(answer) <= MOST_BYTES:
        kept[key] = answer
        while len(kept) > MOST_ANSWERS:
            kept.popitem(last=False)
    return answer


def _bytes(answer: Any) -> int:
    if isinstance(answer, np.ndarray):
        return answer.nbytes
    return sum(map(_bytes, answer)) if isinstance(answer, tuple | list) else 0
