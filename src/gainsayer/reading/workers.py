"""Work shared by a few threads: NumPy and the compiled reader let others run while they are at an array."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from itertools import chain, islice
from threading import local
from typing import Final, TypeVar

_MOST_THREADS: Final = 4
_FEW: Final = 2
_HERE: Final = local()

Work = TypeVar("Work")
Answer = TypeVar("Answer")


def work_in_turn(work: Callable[[Work], Answer], items: Iterator[Work]) -> Iterator[Answer]:
    """The answers in the order of the items, computed by a few threads; few items are held at a time.

    One item, or two, are done before threads have started, and so are all of them where a worker asks: its fellows
    have the other cores.

    >>> list(work_in_turn(abs, iter([-3, 2, -1])))
    [3, 2, 1]
    """
    threads = count_threads()
    head = list(islice(items, _FEW + 1))
    if threads == 1 or len(head) <= _FEW:
        yield from map(work, chain(head, items))
        return
    waiting: deque[Future[Answer]] = deque()
    with ThreadPoolExecutor(threads, initializer=_begin) as pool:
        try:
            for item in chain(head, items):
                waiting.append(pool.submit(copy_context().run, work, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)  # what nobody has begun is left undone


def count_threads() -> int:
    """How many threads may share work: one where a worker asks."""
    if is_worker():
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(_MOST_THREADS, cores or 1)


def is_worker() -> bool:
    """Whether this thread is one of those that share work."""
    return getattr(_HERE, "working", False)


def _begin() -> None:
    _HERE.working = True
